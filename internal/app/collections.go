package app

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"pantheon/internal/art"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
)

// collection is one of the brand's token contracts: where it is, and what the catalogue calls it.
type collection struct {
	slug     string
	chain    onchain.ChainID
	address  eth.Address
	standard onchain.Standard
	tradable bool // may be listed on the marketplace
	burnable bool // players burn their own
}

// collectionsOf lists the configured collections; the configuration must be valid.
func collectionsOf(c config.Config) []collection {
	game, main, k := c.GameChain.ChainID(), c.MainChain.ChainID(), c.Contracts
	return []collection{
		{"game-items", game, eth.MustAddress(k.GameItems), onchain.ERC1155, true, false},
		{"avatars", game, eth.MustAddress(k.AvatarCollection), onchain.ERC721, true, false},
		{"season-avatars", game, eth.MustAddress(k.SeasonAvatarsCollection), onchain.ERC721, false, false},
		{"piggy-banks", game, eth.MustAddress(k.PiggyCollection), onchain.ERC1155, true, true},
		{"piggy-soulbound", game, eth.MustAddress(k.PiggySoulbound), onchain.ERC1155, false, true},
		{"elder-gods", game, eth.MustAddress(k.ElderGods), onchain.ERC721, true, false},
		{"chests", game, eth.MustAddress(k.Chests), onchain.ERC1155, true, true},
		{"immortals", main, eth.MustAddress(k.Immortals), onchain.ERC721, false, false},
		{"passes-community", main, eth.MustAddress(k.CommunityPasses), onchain.ERC721, false, false},
		{"passes-ultimate", main, eth.MustAddress(k.UltimatePasses), onchain.ERC721, false, false},
		{"arks", main, eth.MustAddress(k.Arks), onchain.ERC1155, false, true},
		{"power-packs", main, eth.MustAddress(k.PowerPacks), onchain.ERC1155, false, true},
	}
}

// gallery answers what tokens are and look like, by the contracts they are in. It is the API's Art and the index's
// Describer.
type gallery struct {
	catalogue *art.Catalogue
	slugs     map[eth.Address]string
	baseURL   string
}

func newGallery(catalogue *art.Catalogue, collections []collection, baseURL string) *gallery {
	g := &gallery{catalogue: catalogue, slugs: map[eth.Address]string{}, baseURL: baseURL}
	for _, c := range collections {
		g.slugs[c.address] = c.slug
	}
	return g
}

// Describe returns a token and the rank of its rarity; see store.Describer.
func (g *gallery) Describe(contract eth.Address, tokenID string) (market.Token, int) {
	t := market.Token{Contract: contract, TokenID: tokenID, Collection: g.slugs[contract]}
	item, err := g.catalogue.Describe(t.Collection, tokenID)
	if err != nil {
		return t, 0 // not of our catalogue: the index gives it a plain description
	}
	t.Name, t.Kind, t.Rarity = item.Name, item.Kind, string(item.Rarity)
	for _, a := range item.Attributes {
		t.Attributes = append(t.Attributes, market.Attribute{TraitType: a.TraitType, Value: a.Value})
	}
	return t, item.Rarity.Rank()
}

// Metadata returns a token's metadata as JSON; see api.Art.
func (g *gallery) Metadata(_ context.Context, contract, tokenID string) ([]byte, error) {
	item, address, err := g.item(contract, tokenID)
	if err != nil {
		return nil, err
	}
	return json.Marshal(g.catalogue.Metadata(g.baseURL, address.Checksum(), item))
}

// Image returns a token's picture; see api.Art.
func (g *gallery) Image(_ context.Context, contract, tokenID string) ([]byte, error) {
	item, _, err := g.item(contract, tokenID)
	if err != nil {
		return nil, err
	}
	return g.catalogue.SVG(item, art.Options{}), nil
}

func (g *gallery) item(contract, tokenID string) (art.Item, eth.Address, error) {
	missing := fault.New(fault.NotFound, "There is no such item.")
	address, err := eth.ParseAddress(contract)
	if err != nil {
		return art.Item{}, address, missing
	}
	item, err := g.catalogue.Describe(g.slugs[address], decimalID(tokenID))
	if errors.Is(err, art.ErrUnknownCollection) || errors.Is(err, art.ErrUnknownToken) {
		return item, address, missing
	}
	return item, address, err
}

// decimalID reads a token id as ERC-1155 clients put it in place of {id}: 64 hex digits. Others are left as they are.
func decimalID(id string) string {
	id = strings.TrimSuffix(id, ".json")
	if len(id) != 64 {
		return id
	}
	b, err := hex.DecodeString(id)
	if err != nil {
		return id
	}
	return new(big.Int).SetBytes(b).String()
}
