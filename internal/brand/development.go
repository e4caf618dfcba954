package brand

import (
	"errors"
	"fmt"
	"slices"

	"pantheon/internal/collections"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
)

// Development is what the development world of a brand has. Nothing else knows it.
type Development struct {
	Market []Offers
	Stock  []Stock
	Gifts  []Gift
}

// Offers are what demo sellers offer of a collection. Lists are by rarity, the most common first.
type Offers struct {
	Collection string    `yaml:"collection"`
	Tokens     int       `yaml:"tokens"`     // at most so many of the collection's tokens, evenly spread over them
	Sellers    int       `yaml:"sellers"`    // how many offer each token
	Quantities [6]int64  `yaml:"quantities"` // the most that one offers
	Prices     [6]uint64 `yaml:"prices"`     // the usual price of one, in whole units of the market's currency
	Caps       [6]int64  `yaml:"caps"`       // how many copies can ever be minted; 0 for no cap
}

// Stock is what the portal itself offers of a token.
type Stock struct {
	Collection string `yaml:"collection"`
	Token      string `yaml:"token"` // decimal id
	Quantity   int64  `yaml:"quantity"`
	Price      uint64 `yaml:"price"`    // of one, in whole units of the market's currency
	Most       int64  `yaml:"most"`     // how many can ever be minted
	Treasury   int64  `yaml:"treasury"` // how many the treasury has
}

// Gift is what a newcomer is given: money, a token or a currency of the game platform.
type Gift struct {
	Name       string `yaml:"name"`
	Money      int64  `yaml:"money"` // whole units of the market's currency
	Collection string `yaml:"collection"`
	Token      string `yaml:"token"` // decimal id; "" for a new token
	Currency   string `yaml:"currency"`
	Amount     int64  `yaml:"amount"` // of the currency
}

// The sections of development.yaml.
const (
	sectionMarket = "market"
	sectionStock  = "stock"
	sectionGifts  = "gifts"
)

// parseDevelopment reads the development world from YAML. The error lists every fault by line and field.
func parseDevelopment(file string, text []byte, b *Brand) (d Development, err error) {
	if err := section.Names(file, text, sectionMarket, sectionStock, sectionGifts); err != nil {
		return d, err
	}
	files := section.Files{{Name: file, Text: text}, {Name: file, Text: []byte("market: []\nstock: []\ngifts: []\n")}}
	market, marketFaults := section.Read[Offers](sectionMarket, files)
	stock, stockFaults := section.Read[Stock](sectionStock, files)
	gifts, giftFaults := section.Read[Gift](sectionGifts, files)
	if err := section.Join(marketFaults, stockFaults, giftFaults); err != nil {
		return d, err
	}
	var faults []error
	bad := func(place, what, field, why string) {
		faults = append(faults, fmt.Errorf("%s: %s: %s: %s", place, what, field, why))
	}
	for i, o := range market.Entries {
		c, ok := b.Collections.Of(o.Collection)
		switch what := "market " + o.Collection; {
		case !ok || !c.Tradable:
			bad(market.Place(i, "collection"), what, "collection", "is none that can be traded")
		case o.Tokens < 1 || o.Sellers < 1 || o.Sellers > 6:
			bad(market.Place(i), what, "tokens, sellers", "must be 1 or more, and at most 6 sellers")
		case slices.Min(o.Quantities[:]) < 1:
			bad(market.Place(i, "quantities"), what, "quantities", "must be 1 or more")
		case slices.Min(o.Prices[:]) < 1:
			bad(market.Place(i, "prices"), what, "prices", "must be 1 or more")
		case slices.ContainsFunc(market.Entries[:i], func(before Offers) bool { return before.Collection == o.Collection }):
			bad(market.Place(i, "collection"), what, "collection", "is there twice")
		case c.Burn == collections.OpenPack:
			bad(market.Place(i, "collection"), what, "collection", "packs are sold by the portal: see stock")
		case slices.Min(o.Caps[:]) < 0:
			bad(market.Place(i, "caps"), what, "caps", "must not be negative")
		case c.Standard == onchain.ERC721 && (slices.Max(o.Quantities[:]) > 1 || slices.Max(o.Caps[:]) > 0 || o.Sellers > 1):
			bad(market.Place(i), what, "quantities, caps, sellers", "there is one of each token")
		}
	}
	for i, s := range stock.Entries {
		if c, ok := b.Collections.Of(s.Collection); !ok || c.Burn != collections.OpenPack {
			bad(stock.Place(i, "collection"), "stock "+s.Collection, "collection", "is none of packs")
		} else if s.Quantity < 1 || s.Price < 1 || s.Treasury < 0 || s.Most < s.Quantity+s.Treasury {
			bad(stock.Place(i), "stock "+s.Collection, "quantity, price, most", "must be 1 or more, and most as many as there are")
		} else if !isDecimal(s.Token) {
			bad(stock.Place(i, "token"), "stock "+s.Collection, "token", "must be a decimal number")
		}
	}
	names := map[string]bool{}
	for i, g := range gifts.Entries {
		what := "gift " + g.Name
		if g.Name == "" || names[g.Name] {
			bad(gifts.Place(i, "name"), what, "name", "is missing or there twice")
		}
		names[g.Name] = true
		c, ok := b.Collections.Of(g.Collection)
		switch {
		case g.Collection != "" && !ok:
			bad(gifts.Place(i, "collection"), what, "collection", "there is none of this name")
		case g.Collection != "" && g.Token == "" && c.Standard != onchain.ERC721:
			bad(gifts.Place(i), what, "token", "is missing")
		case g.Collection != "" && g.Token != "" && (c.Standard == onchain.ERC721 || !isDecimal(g.Token)):
			bad(gifts.Place(i, "token"), what, "token", "must be a decimal number; none for erc721, of which all get a new one")
		case g.Collection == "" && g.Currency == "" && g.Money < 1, g.Currency != "" && g.Amount < 1:
			bad(gifts.Place(i), what, "money", "is none, nor a collection, nor an amount of a currency")
		case g.Currency != "" && !b.HasCurrency(g.Currency):
			bad(gifts.Place(i, "currency"), what, "currency", "is none of games.yaml")
		}
	}
	return Development{market.Entries, stock.Entries, gifts.Entries}, errors.Join(faults...)
}

// isDecimal reports whether a text is a token id.
func isDecimal(text string) bool {
	_, err := money.Parse(text)
	return err == nil
}
