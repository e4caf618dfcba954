package webstore_test

import (
	"errors"
	"strings"
	"testing"

	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/testkit"
)

func TestCatalogue_BuiltInProductsAreSound(t *testing.T) {
	t.Parallel()
	c := testkit.Catalogue(t, "")
	for _, of := range webstore.Types() {
		found := false
		for _, p := range c.Products() {
			found = found || p.Type == of
		}
		if !found {
			t.Errorf("no product is of the type %s", of)
		}
	}
}

func TestCatalogue_EveryFaultIsNamedByLineProductAndField(t *testing.T) {
	t.Parallel()
	const good = `products:
  - id: 200
    type: gold-pack
    name: InfiniGold
    variations:
      - {id: 201, name: A pouch, price: "2.99", gives: [{currency: ig, amount: 500}]}
`
	for what, c := range map[string]struct{ from, to, want string }{
		"a price without cents": {`"2.99"`, `"3"`, "products.yaml:6: product 200: variation 201: price: must be a price such as 4.99"},
		"a price of nothing":    {`"2.99"`, `"0.00"`, "price: must be a price such as 4.99"},
		"an unknown type":       {"gold-pack", "hats", `products.yaml:3: product 200: type: "hats" is none of`},
		"no name":               {"name: InfiniGold", `name: ""`, "products.yaml:4: product 200: name: must have 1 to 80 characters"},
		"an unknown field":      {"name: A pouch", "title: A pouch", "there is no such field"},
		"nothing in it": {
			`gives: [{currency: ig, amount: 500}]`, `limit: 3`, "gives: a variation either gives something or opens packs",
		},
		"packs in a gold pack": {
			`gives: [{currency: ig, amount: 500}]`, `opens: destiny-bronze, count: 1`, "opens: is for products of the type destiny-pack",
		},
		"packs of an unknown kind": {
			`type: gold-pack`, `type: destiny-pack`, "opens: is missing: products of the type destiny-pack are drawn",
		},
		"a token that is not named": {`{currency: ig, amount: 500}`, `{collection: game-items, amount: 1}`, "gives: a token needs an id"},
		"a KOD pack that is minted": {`{currency: ig, amount: 500}`, `{collection: chests, token: "1", amount: 1}`, "gives: packs are sent"},
		"an amount of nothing":      {`amount: 500`, `amount: 0`, "gives: an amount must be 1 or more"},
		"a grant that nobody has":   {`currency: ig`, `currency: zz`, "gives: there is no zz"},
		"an end before the beginning": {
			`price: "2.99"`, `price: "2.99", from: 2026-02-01T00:00:00Z, until: 2026-01-01T00:00:00Z`, "until: must be after from",
		},
		"a negative limit":           {`price: "2.99"`, `price: "2.99", limit: -1`, "limit: must be from 1 to 1000000"},
		"a variation unlisted":       {`gives:`, `unlisted: true, gives:`, ""},
		"USDC besides a currency":    {`gives:`, `sends: {usdc: "5"}, gives:`, ""},
		"more than the treasury can": {`gives:`, `sends: {usdc: "5000"}, gives:`, "sends: too much"},
		"USDC and packs at once": {
			`gives:`, `sends: {usdc: "5", collection: chests}, gives:`, "sends: must be either USDC or packs of a collection",
		},
		"packs among currencies": {
			`gives:`, `sends: {collection: chests, token: "1", amount: 1}, gives:`, "sends: packs are for products of the type kod-pack",
		},
		"a pack without a pack": {`type: gold-pack`, `type: kod-pack`, "sends: is missing: products of the type kod-pack are packs"},
	} {
		text := strings.Replace(good, c.from, c.to, 1)
		_, err := webstore.ParseCatalogue(section.Text("products.yaml", text), webstore.Checks{
			Grant: func(g draw.Grant) error {
				if g.Currency == "zz" {
					return errors.New("there is no zz")
				}
				return nil
			},
			Opens: func(string) error { return nil },
			Send: func(s webstore.Send) error {
				if s.USDC == "5000" {
					return errors.New("too much")
				}
				return nil
			},
		})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}
