package app

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/art"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/games"
	"pantheon/internal/portal/market"
)

// collection is one of the brand's token contracts, with its chain and address.
type collection struct {
	collections.Collection
	chain   onchain.ChainID
	address eth.Address
}

// collectionsOf lists the collections with their addresses; the configuration must be valid.
func collectionsOf(c config.Config) (out []collection) {
	chains := map[collections.Chain]onchain.ChainID{collections.GameChain: c.GameChain.ChainID(), collections.MainChain: c.MainChain.ChainID()}
	for _, entry := range collections.All() {
		out = append(out, collection{entry, chains[entry.Chain], c.Contracts.Collections.Of(entry.Slug)})
	}
	return out
}

// named returns the collection of a slug, which must be in the registry.
func named(goods []collection, slug string) collection {
	i := slices.IndexFunc(goods, func(c collection) bool { return c.Slug == slug })
	if i < 0 {
		panic(fmt.Sprintf("app: there is no collection %q", slug))
	}
	return goods[i]
}

// byKind groups collections by kind.
func byKind(goods []collection) map[collections.Kind][]collection {
	out := map[collections.Kind][]collection{}
	for _, c := range goods {
		out[c.Kind] = append(out[c.Kind], c)
	}
	return out
}

// reservedNames returns the names that players cannot choose: those of the brand, its games and its collections.
func reservedNames(brand []string) account.Reserved {
	var goods []string
	for _, game := range games.All() {
		brand = append(brand, game.Name)
	}
	for _, c := range collections.All() {
		goods = append(goods, c.Name)
	}
	for _, k := range collections.Kinds() {
		goods = append(goods, k.Title)
	}
	return account.NewReserved(brand, goods)
}

// gallery returns the metadata and images of tokens by contract. It implements api.Art and store.Describer.
type gallery struct {
	catalogue *art.Catalogue
	slugs     map[eth.Address]string
	baseURL   string
	tables    func() *draw.Tables // the current ones
}

func newGallery(catalogue *art.Catalogue, goods []collection, baseURL string, tables func() *draw.Tables) *gallery {
	g := &gallery{catalogue: catalogue, slugs: map[eth.Address]string{}, baseURL: baseURL, tables: tables}
	for _, c := range goods {
		g.slugs[c.address] = c.Slug
	}
	return g
}

// Describe returns a token and the rank of its rarity; see store.Describer.
func (g *gallery) Describe(contract eth.Address, tokenID string) (market.Token, int) {
	t := market.Token{Contract: contract, TokenID: tokenID, Collection: g.slugs[contract]}
	item, err := g.describe(t.Collection, tokenID)
	if err != nil {
		return t, 0 // not in the catalogue: the index uses a plain description
	}
	t.Name, t.Kind, t.Rarity = item.Name, item.Kind, string(item.Rarity)
	for _, a := range item.Attributes {
		t.Attributes = append(t.Attributes, market.Attribute{TraitType: a.TraitType, Value: a.Value})
	}
	return t, item.Rarity.Rank()
}

// Lore returns a token's description and its use in the game; see api.Art.
func (g *gallery) Lore(_ context.Context, contract, tokenID string) (description, use string, err error) {
	item, _, err := g.item(contract, tokenID)
	return item.Description, item.Use, err
}

// Metadata returns a token's metadata as JSON; see api.Art.
func (g *gallery) Metadata(_ context.Context, contract, tokenID string) ([]byte, error) {
	item, address, err := g.item(contract, tokenID)
	if err != nil {
		return nil, err
	}
	return json.Marshal(g.catalogue.Metadata(g.baseURL, address.Checksum(), item))
}

// Image returns a token's image; see api.Art.
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
	item, err := g.describe(g.slugs[address], decimalID(tokenID))
	if errors.Is(err, art.ErrUnknownCollection) || errors.Is(err, art.ErrUnknownToken) {
		return item, address, missing
	}
	return item, address, err
}

// describe describes a token of a collection. A pack that the catalogue lacks is described as the first edition of its kind.
func (g *gallery) describe(slug, tokenID string) (art.Item, error) {
	item, err := g.catalogue.Describe(slug, tokenID)
	if c, _ := collections.Of(slug); err == nil || c.Burn != collections.OpenPack {
		return item, err
	}
	table, ok := g.tables().OfToken(tokenID)
	first, known := g.tables().Edition(table.Kind, 1)
	if !ok || !known {
		return item, err
	}
	if item, err = g.catalogue.Describe(slug, first.Token); err != nil {
		return item, err
	}
	item.TokenID, item.Name = tokenID, fmt.Sprintf("%s, edition %d", item.Name, table.Edition)
	item.Attributes = append(item.Attributes, art.Attribute{TraitType: "Edition", Value: strconv.Itoa(table.Edition), DisplayType: "number"})
	return item, nil
}

// decimalID converts a token id as ERC-1155 clients substitute it for {id}: 64 hex digits. Other texts are returned
// unchanged.
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
