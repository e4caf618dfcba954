package market

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
)

// PublishedListing is a live listing as clients see it: in API responses and in live-listings-change messages.
type PublishedListing struct {
	ID             string           `json:"_id" doc:"The listing's id in the portal."`
	ListingID      string           `json:"listingId" doc:"The marketplace contract's own listing number."`
	Contract       eth.Address      `json:"assetContractAddress" doc:"Contract of the token on offer."`
	TokenID        string           `json:"tokenId" doc:"Id of the token, decimal."`
	Index          int64            `json:"index" doc:"Lowest unit nobody holds; -1 when all are held."`
	CreatedAt      time.Time        `json:"createdAt" doc:"When the listing came to the market."`
	UpdatedAt      time.Time        `json:"updatedAt" doc:"When the listing was last changed by its seller or a sale, or a unit of it was last put in a cart."`
	Version        int64            `json:"version" doc:"Grows with every change of the listing, including units put in or taken out of carts. Of two states of a listing, the one with the higher version is newer." minimum:"0"`
	InCartItems    []CartDocument   `json:"inCartItems" doc:"The units in players' carts." nullable:"false"`
	Seller         eth.Address      `json:"seller" doc:"Who sells."`
	Quantity       int64            `json:"quantity" doc:"Units on offer: those that the seller has and no earlier listing of the seller offers. Of a listing that cannot be bought, all that are left."`
	Currency       eth.Address      `json:"currency" doc:"Contract of the ERC-20 token to pay with."`
	PricePerToken  string           `json:"pricePerToken" doc:"Price of one unit, in the currency's base units."`
	Price          string           `json:"price" doc:"Price of one unit, decimal."`
	StartTimestamp int64            `json:"startTimestamp" doc:"When the sale begins, in seconds since 1970."`
	EndTimestamp   int64            `json:"endTimestamp" doc:"When the sale ends, in seconds since 1970."`
	Metadata       MetadataDocument `json:"metadata" doc:"What the token is."`
	IsInvalid      bool             `json:"isInvalid" doc:"The listing cannot be bought from now, though it has not ended."`
}

// CartDocument is one unit in a player's cart.
type CartDocument struct {
	PlayFabID string      `json:"playFabId" doc:"The reader's own id, or another player's opaque tag."`
	ListingID string      `json:"listingId" doc:"The marketplace contract's own listing number."`
	Contract  eth.Address `json:"assetContractAddress" doc:"Contract of the token on offer."`
	Index     int64       `json:"index" doc:"The unit."`
	UpdatedAt time.Time   `json:"updatedAt" doc:"When the hold began."`
	ExpiresAt time.Time   `json:"expiresAt" doc:"When the hold ends, by the server's clock."`
}

// MetadataDocument describes a token.
type MetadataDocument struct {
	Name       string      `json:"name" doc:"The token's name."`
	Image      string      `json:"image" doc:"Address of its picture, relative to the site."`
	Rarity     string      `json:"rarity" doc:"common, uncommon, rare, epic, legendary or mythic; empty where it has none."`
	Collection string      `json:"collection" doc:"Slug of its collection."`
	Kind       string      `json:"kind" doc:"What kind of thing it is."`
	Attributes []Attribute `json:"attributes" doc:"Its traits." nullable:"false"`
}

// Publisher converts listings to what clients see. Other players appear there only as opaque tags.
type Publisher struct {
	// TagKey is the key of the tags; without it they cannot be traced back to players.
	TagKey []byte
	// Decimals of the currency listings are priced in.
	Decimals int
}

// HolderKey returns the key from which a player's tags are made, for the player alone: with it a browser recognises its own
// holds.
func (p Publisher) HolderKey(playerID string) []byte {
	return keyed(p.TagKey, "cart-tag "+playerID)
}

// Tag returns the opaque name under which other players see a player in a listing: the first 8 bytes of HMAC-SHA256 over the
// marketplace's number of the listing, under the player's HolderKey. Tags of different listings cannot be linked.
func (p Publisher) Tag(playerID, listingID string) string {
	return hex.EncodeToString(keyed(p.HolderKey(playerID), listingID)[:8])
}

func keyed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Publish returns a listing as one player sees it; viewer is "" for everybody.
func (p Publisher) Publish(l Listing, viewer string, now time.Time) PublishedListing {
	d := PublishedListing{
		ID: l.ID, ListingID: l.ListingID, Contract: l.Contract, TokenID: l.TokenID, Index: l.FreeUnit(), CreatedAt: l.CreatedAt,
		UpdatedAt: l.UpdatedAt, Version: l.Version, InCartItems: make([]CartDocument, len(l.Holds)), Seller: l.Seller,
		Quantity: l.Quantity, Currency: l.Currency, PricePerToken: l.Price.String(), Price: l.Price.Decimal(p.Decimals),
		StartTimestamp: l.Start.Unix(), EndTimestamp: l.End.Unix(), Metadata: Describe(l.Token), IsInvalid: !l.Live(now),
	}
	for i, h := range l.Holds {
		who := h.PlayerID
		if who != viewer {
			who = p.Tag(h.PlayerID, l.ListingID)
		}
		d.InCartItems[i] = CartDocument{
			PlayFabID: who, ListingID: l.ListingID, Contract: l.Contract, Index: h.Unit, UpdatedAt: h.HeldAt, ExpiresAt: h.ExpiresAt,
		}
		if h.HeldAt.After(d.UpdatedAt) {
			d.UpdatedAt = h.HeldAt
		}
	}
	return d
}

// Describe returns the published metadata of a token.
func Describe(t Token) MetadataDocument {
	attributes := t.Attributes
	if attributes == nil {
		attributes = []Attribute{}
	}
	return MetadataDocument{
		Name: t.Name, Image: ImagePath(t.Contract, t.TokenID), Rarity: t.Rarity, Collection: t.Collection, Kind: t.Kind, Attributes: attributes,
	}
}

// ShortID shortens token ids that are hashes, so that names stay readable.
func ShortID(tokenID string) string {
	if len(tokenID) <= 12 {
		return tokenID
	}
	return tokenID[:4] + "…" + tokenID[len(tokenID)-4:]
}

// ImagePath returns the path of a token's image on the site.
func ImagePath(contract eth.Address, tokenID string) string {
	return fmt.Sprintf("/metadata/%s/%s/image.svg", contract.Checksum(), tokenID)
}
