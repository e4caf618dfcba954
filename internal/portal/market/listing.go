// Package market is the players' view of the marketplace: the live listings, their prices, sellers and holds.
// Listings come from the chain through the indexer; this package only reads them. It also keeps players' saved searches and
// alerts them of listings that begin to match.
package market

import (
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Status says whether a listing is active.
type Status string

// The states of a listing.
const (
	Active    Status = "active"
	Sold      Status = "sold"
	Cancelled Status = "cancelled"
)

// Key identifies a listing across chains: the chain id, a dash, and the marketplace's number.
func Key(chain onchain.ChainID, number string) string {
	return strconv.FormatUint(uint64(chain), 10) + "-" + number
}

// Listing is a direct listing of the marketplace.
type Listing struct {
	ID        string // chain id, a dash, ListingID
	ListingID string // the marketplace's number, decimal uint256
	Contract  eth.Address
	TokenID   string // decimal uint256
	Seller    eth.Address
	Quantity  int64 // units on offer: those that are covered, see Cover; all that are left if the listing is not valid
	Currency  eth.Address
	Price     money.Units // of one unit, in the currency's base units
	Start     time.Time
	End       time.Time
	Status    Status
	Valid     bool // Offerable as of the last indexing, and at least one unit is covered; implies Active
	Returned  bool // all units were without backing once since the terms were set, and have it again; excludes Valid
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64 // increases with every announced change, holds included
	Token     Token
	Holds     []Hold // the unexpired holds, by unit
}

// Live reports whether the listing can be bought at the given time. The same condition in SQL is valid = 1 AND
// start_at <= begun AND end_at > now.
func (l Listing) Live(now time.Time) bool { return l.Valid && onchain.Open(l.Start, l.End, now) }

// FreeUnit returns the lowest unit that nobody holds, or -1 if all are held.
func (l Listing) FreeUnit() int64 {
	free := int64(0)
	for _, h := range l.Holds {
		if h.Unit == free {
			free++
		}
	}
	if free >= l.Quantity {
		return -1
	}
	return free
}

// Token describes the listed token, from its metadata.
type Token struct {
	Contract   eth.Address
	TokenID    string
	Collection string // slug, such as "game-items"
	Name       string
	Kind       string
	Rarity     string
	Attributes []Attribute
}

// Attribute is one trait of a token, in the form of ERC-721 metadata.
type Attribute struct {
	TraitType string `json:"trait_type" doc:"What the trait is called."`
	Value     string `json:"value" doc:"The trait's value."`
}

// Hold is one unit kept for a player.
type Hold struct {
	Unit      int64
	PlayerID  string
	HeldAt    time.Time
	ExpiresAt time.Time
}

// Trade is one past sale of a token.
type Trade struct {
	ListingID string
	Seller    eth.Address
	Buyer     eth.Address
	Quantity  int64
	Total     money.Units
	UnitPrice money.Units // rounded down
	Currency  eth.Address
	Tx        eth.Hash
	Time      time.Time
}

// Sale is a Trade with what was sold.
type Sale struct {
	Trade
	Token Token
}

// TraitCount is a trait of a collection's listings.
type TraitCount struct {
	Trait  string
	Values []ValueCount // most listings first
}

// ValueCount is one value of a trait.
type ValueCount struct {
	Value  string
	Listed int64 // listings with it, at least 1
}

// Supply is the supply of a token.
type Supply struct {
	Collection bool         // each token is unique: the figures are the collection's
	Existing   money.Units  // minted and not burned
	Max        *money.Units // maximum ever minted, burned ones included; nil if the contract has no cap
}

// TokenKey identifies a token.
type TokenKey struct {
	Contract eth.Address
	TokenID  string
}

// TokensOf returns each listing's token.
func TokensOf(listings []Listing) []TokenKey {
	tokens := make([]TokenKey, len(listings))
	for i, l := range listings {
		tokens[i] = TokenKey{l.Contract, l.TokenID}
	}
	return tokens
}

// MaxOffers is the maximum number of a token's live listings that are counted.
const MaxOffers = 100

// Figures are the market's figures of a token.
type Figures struct {
	TokenKey
	Offers   int64        // live listings, held ones included; MaxOffers stands for that many or more
	Floor    *money.Units // the lowest price among them; nil if there are none
	LastSale *money.Units // the price of one at the last sale; nil if there was none
}

// Owner is a current holder of a token.
type Owner struct {
	Address eth.Address
	Amount  money.Units
}

// Collection is a collection with its market figures.
type Collection struct {
	Contract eth.Address
	Slug     string
	Listed   int64        // live listings
	Floor    *money.Units // the lowest live price; nil if nothing is listed
}
