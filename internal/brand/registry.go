package brand

import (
	"cmp"
	"encoding/json"

	"pantheon/internal/collections"
	"pantheon/internal/kit/onchain"
)

// registry is what the site reads of a brand, in the pages that the server answers with. web/app/lib/registry.ts has the same shape.
type registry struct {
	Kinds       []registryKind       `json:"kinds"`
	Collections []registryCollection `json:"collections"`
	Boards      []Board              `json:"boards"`
	Purses      []Purse              `json:"purses"`
	Webstore    bool                 `json:"webstore"` // whether there are products
	Currency    registryCurrency     `json:"currency"` // of the market
}

type registryCurrency struct {
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

type registryKind struct {
	Kind  collections.Kind `json:"kind"`
	List  string           `json:"list"`
	Title string           `json:"title"`
}

type registryCollection struct {
	Slug      string            `json:"slug"`
	Name      string            `json:"name"`
	Title     string            `json:"title"` // under which wallets show its tokens
	Kind      collections.Kind  `json:"kind"`
	Standard  string            `json:"standard"`
	Chain     collections.Chain `json:"chain"`
	Soulbound bool              `json:"soulbound"`
	Tradable  bool              `json:"tradable"`
	Burn      collections.Burn  `json:"burn"`
}

// Registry returns the JSON that the site reads of the brand. It has nothing that deployments differ in.
func (b *Brand) Registry() []byte {
	standards := map[onchain.Standard]string{onchain.ERC721: "ERC-721", onchain.ERC1155: "ERC-1155"}
	out := registry{
		Kinds: []registryKind{}, Collections: []registryCollection{}, Boards: append([]Board{}, b.Boards...),
		Purses: append([]Purse{}, b.Purses...), Webstore: b.Products.Text != nil, Currency: registryCurrency(b.Collections.Currency()),
	}
	for _, k := range b.Collections.Kinds() {
		out.Kinds = append(out.Kinds, registryKind(k))
	}
	for _, c := range b.Collections.All() {
		out.Collections = append(out.Collections, registryCollection{
			Slug: c.Slug, Name: c.Name, Title: cmp.Or(b.Catalogue.Title(c.Slug), c.Name), Kind: c.Kind, Standard: standards[c.Standard],
			Chain: c.Chain, Soulbound: c.Soulbound, Tradable: c.Tradable, Burn: c.Burn,
		})
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err) // strings and booleans
	}
	return text
}
