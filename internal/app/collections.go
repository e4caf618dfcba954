package app

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pantheon/internal/brand"
	"pantheon/internal/catalogue"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/series"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/index"
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
	for _, entry := range c.Brand.Collections.All() {
		out = append(out, collection{entry, chains[entry.Chain], c.Contracts.Collections.Of(entry.Slug)})
	}
	return out
}

// named returns the collection of a slug; the zero collection, whose address no contract has, if the brand has none.
func named(goods []collection, slug string) (c collection) {
	if i := slices.IndexFunc(goods, func(c collection) bool { return c.Slug == slug }); i >= 0 {
		c = goods[i]
	}
	return c
}

// boardsOf returns the ids of the brand's leaderboards.
func boardsOf(b *brand.Brand) (ids []string) {
	for _, board := range b.Boards {
		ids = append(ids, board.ID)
	}
	return ids
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
func reservedNames(names []string, b *brand.Brand) account.Reserved {
	var goods []string
	names = slices.Clone(names)
	for _, game := range b.Games.Games {
		names = append(names, game.Name)
	}
	for _, c := range b.Collections.All() {
		goods = append(goods, c.Name)
	}
	for _, k := range b.Collections.Kinds() {
		goods = append(goods, k.Title)
	}
	return account.NewReserved(names, goods)
}

// gallery describes the tokens of the brand's catalogue by contract, and others by what their contracts say. It implements
// index.Describer.
type gallery struct {
	catalogue *catalogue.Catalogue
	goods     map[eth.Address]collection
	baseURL   string
	tables    func() *draw.Tables // the current ones
	fromChain []string            // slugs of collections that the catalogue does not describe
}

func newGallery(c config.Config, goods []collection, tables func() *draw.Tables) *gallery {
	g := &gallery{
		catalogue: c.Brand.Catalogue, goods: map[eth.Address]collection{}, baseURL: c.PublicURL, tables: tables, fromChain: c.Metadata.FromChain,
	}
	for _, c := range goods {
		g.goods[c.address] = c
	}
	return g
}

// isByContract reports whether the catalogue describes no token of a collection.
func (g *gallery) isByContract(c collection) bool {
	return c.Metadata == collections.FromContract || slices.Contains(g.fromChain, c.Slug)
}

// Describe describes a token; see index.Describer.
func (g *gallery) Describe(contract eth.Address, tokenID string, known *metadata.Document) index.Description {
	c, ok := g.goods[contract]
	t := market.Token{Contract: contract, TokenID: tokenID, Collection: c.Slug}
	if !ok {
		return index.Description{Token: t}
	}
	item, err := g.describe(c, tokenID)
	if err != nil {
		return g.describeByContract(c, t, known)
	}
	t.Name, t.Kind, t.Rarity = item.Name, item.Kind, string(item.Rarity)
	for _, a := range item.Attributes {
		t.Attributes = append(t.Attributes, market.Attribute{TraitType: a.TraitType, Value: a.Value})
	}
	return index.Description{Token: t, Rank: item.Rarity.Rank()}
}

// describe returns a token of the catalogue. The error wraps catalogue.ErrUnknown if its contract describes
// it. A pack that the catalogue lacks is described as the first edition of its kind.
func (g *gallery) describe(c collection, tokenID string) (catalogue.Item, error) {
	if g.isByContract(c) {
		return catalogue.Item{}, catalogue.ErrUnknown
	}
	item, err := g.catalogue.Describe(c.Slug, tokenID)
	if err == nil || c.Burn != collections.OpenPack {
		return item, err
	}
	table, ok := g.tables().OfToken(tokenID)
	first, known := g.tables().Edition(table.Kind, 1)
	if !ok || !known {
		return item, err
	}
	if item, err = g.catalogue.Describe(c.Slug, first.Token); err != nil {
		return item, err
	}
	item.TokenID, item.Name = tokenID, fmt.Sprintf("%s, edition %d", item.Name, table.Edition)
	item.Attributes = append(item.Attributes, catalogue.Number("Edition", table.Edition))
	return item, nil
}

// knowsRarity reports whether the rarity of a token is known without what its contract says.
func (g *gallery) knowsRarity(c collection, tokenID string) bool {
	if _, _, ok := g.catalogue.Variant(c.Slug, series.Of(tokenID)); ok {
		return true
	}
	_, err := g.describe(c, tokenID)
	return err == nil
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
