package webstore

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
)

// Section is the section of a file that ParseCatalogue reads.
const Section = "products"

// Type is the shelf on which a product stands.
type Type string

// The types.
const (
	DestinyPacks Type = "destiny-pack" // contents are drawn
	GoldPacks    Type = "gold-pack"    // currencies
	KODPacks     Type = "kod-pack"     // KOD packs, which their players open
	TopUps       Type = "top-up"       // USDC
	Cosmetics    Type = "cosmetic"     // tokens
)

// IsChance reports whether what products of the type contain is drawn.
func (t Type) IsChance() bool { return t == DestinyPacks || t == KODPacks }

// PackCollection is the collection of the KOD packs.
const PackCollection = "chests"

// Types returns all types, in the order of the shelves. The caller owns the result.
func Types() []Type { return []Type{DestinyPacks, GoldPacks, KODPacks, TopUps, Cosmetics} }

// Product is a product with its variations. What a variation gives is decided here and not in the shop: nobody can grant
// themselves anything by editing a product there.
type Product struct {
	ID          int64       `yaml:"id"` // the shop's
	Type        Type        `yaml:"type"`
	Name        string      `yaml:"name"`
	Description string      `yaml:"description"`
	Variations  []Variation `yaml:"variations"`
}

// Variation is what is bought: one variation of a product.
type Variation struct {
	ID       int64     `yaml:"id"` // the shop's
	Name     string    `yaml:"name"`
	Price    string    `yaml:"price"`    // of one, decimal with two digits after the point, in the shop's currency
	Limit    int64     `yaml:"limit"`    // how many a player can buy in all; 0 for no limit
	From     time.Time `yaml:"from"`     // zero for no beginning
	Until    time.Time `yaml:"until"`    // zero for no end
	Unlisted bool      `yaml:"unlisted"` // no longer sold; kept for orders that are paid late
	Contents `yaml:",inline"`
}

// Contents is what one unit of a variation gives: either openings, or grants and transfers.
type Contents struct {
	Gives []draw.Grant `yaml:"gives" json:"gives,omitempty"`
	Sends *Send        `yaml:"sends" json:"sends,omitempty"` // nil for nothing
	Opens string       `yaml:"opens" json:"opens,omitempty"` // the kind of drop table of the packs in it
	Count int64        `yaml:"count" json:"count,omitempty"` // how many of these packs
}

// Send is something that the treasury sends: either USDC or KOD packs.
type Send struct {
	USDC       string `yaml:"usdc" json:"usdc,omitempty"`             // decimal, with at most 6 digits after the point
	Collection string `yaml:"collection" json:"collection,omitempty"` // PackCollection
	Token      string `yaml:"token" json:"token,omitempty"`           // decimal id
	Amount     int64  `yaml:"amount" json:"amount,omitempty"`         // how many packs
}

// Catalogue is what the webstore sells.
type Catalogue struct {
	products []Product
	byID     map[int64]place
}

type place struct{ product, variation int }

// Products returns the products, in their order. The caller must not change them.
func (c *Catalogue) Products() []Product { return c.products }

// Variation returns a variation with its product.
func (c *Catalogue) Variation(id int64) (p Product, v Variation, ok bool) {
	at, ok := c.byID[id]
	if !ok {
		return p, v, false
	}
	p = c.products[at.product]
	return p, p.Variations[at.variation], true
}

// Checks say why contents cannot be given, or return nil.
type Checks struct {
	Grant draw.CheckGrant
	Send  func(Send) error        // whether the treasury can send it
	Opens func(kind string) error // whether there are drop tables of a kind that is bought
}

const (
	maxID    = 1<<53 - 1 // what JavaScript's numbers hold exactly
	maxLimit = 1_000_000
	maxCount = 10 // packs in one unit
)

var pricePattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,6})\.[0-9]{2}$`)

// ParseCatalogue reads the section of YAML files; there are no products where none has it. The error has every fault by
// line, product and field.
func ParseCatalogue(files section.Files, checks Checks) (*Catalogue, error) {
	for _, f := range files {
		if err := section.Names(f.Name, f.Text, Section); err != nil {
			return nil, err
		}
	}
	if !files.Has(Section) {
		return &Catalogue{}, nil
	}
	list, err := section.Read[Product](Section, files)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{products: list.Entries, byID: map[int64]place{}}
	var faults []error
	products := map[int64]bool{}
	for i, p := range c.products {
		bad := func(why string, path ...any) {
			faults = append(faults, fmt.Errorf("%s: product %d: %s", list.Place(append([]any{i}, path...)...), p.ID, why))
		}
		switch {
		case p.ID < 1 || p.ID > maxID:
			bad("id: must be the shop's id", "id")
		case products[p.ID]:
			bad("id: is there twice", "id")
		}
		products[p.ID] = true
		if !slices.Contains(Types(), p.Type) {
			bad(fmt.Sprintf("type: %q is none of %v", p.Type, Types()), "type")
		}
		if p.Name == "" || len(p.Name) > 80 {
			bad("name: must have 1 to 80 characters", "name")
		}
		if len(p.Variations) == 0 {
			bad("variations: there is none", "variations")
		}
		for j, v := range p.Variations {
			bad := func(field, why string) {
				bad(fmt.Sprintf("variation %d: %s: %s", v.ID, field, why), "variations", j, field)
			}
			v.check(p.Type, checks, bad)
			if _, twice := c.byID[v.ID]; twice {
				bad("id", "is there twice")
			}
			c.byID[v.ID] = place{i, j}
		}
	}
	if len(c.products) == 0 {
		faults = append(faults, fmt.Errorf("%s: products: there is none", list.Place()))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return c, nil
}

func (v Variation) check(t Type, checks Checks, bad func(field, why string)) {
	if v.ID < 1 || v.ID > maxID {
		bad("id", "must be the shop's id")
	}
	if v.Name == "" || len(v.Name) > 80 {
		bad("name", "must have 1 to 80 characters")
	}
	if !pricePattern.MatchString(v.Price) || v.Price == "0.00" {
		bad("price", "must be a price such as 4.99")
	}
	if v.Limit < 0 || v.Limit > maxLimit {
		bad("limit", "must be from 1 to 1000000, or left out")
	}
	if !v.From.IsZero() && !v.Until.IsZero() && !v.From.Before(v.Until) {
		bad("until", "must be after from")
	}
	switch {
	case (v.Opens == "") == (len(v.Gives) == 0 && v.Sends == nil):
		bad("gives", "a variation either gives something or opens packs")
	case v.Opens != "" && t != DestinyPacks:
		bad("opens", fmt.Sprintf("is for products of the type %s", DestinyPacks))
	case v.Opens == "" && t == DestinyPacks:
		bad("opens", fmt.Sprintf("is missing: products of the type %s are drawn", DestinyPacks))
	case v.Opens != "":
		if err := checks.Opens(v.Opens); err != nil {
			bad("opens", err.Error())
		}
		if v.Count < 1 || v.Count > maxCount {
			bad("count", fmt.Sprintf("must be from 1 to %d", maxCount))
		}
	case v.Count != 0:
		bad("count", "is for packs that are opened")
	}
	switch s := v.Sends; {
	case s == nil && t == KODPacks:
		bad("sends", fmt.Sprintf("is missing: products of the type %s are packs", KODPacks))
	case s == nil:
	case (s.USDC == "") == (s.Collection == ""):
		bad("sends", "must be either USDC or packs of a collection")
	case (s.Collection != "") != (t == KODPacks):
		bad("sends", fmt.Sprintf("packs are for products of the type %s, and USDC for others", KODPacks))
	default:
		if err := checks.Send(*s); err != nil {
			bad("sends", err.Error())
		}
	}
	for _, g := range v.Gives {
		if g.Amount < 1 {
			bad("gives", "an amount must be 1 or more")
		}
		if g.Collection != "" && g.Token == "" {
			bad("gives", "a token needs an id: nothing is drawn here")
		} else if g.Collection == PackCollection {
			bad("gives", fmt.Sprintf("packs are sent, by products of the type %s", KODPacks))
		} else if err := checks.Grant(g); err != nil {
			bad("gives", err.Error())
		}
	}
}

// OnSale reports whether a variation is sold at a time.
func (v Variation) OnSale(now time.Time) bool {
	return !v.Unlisted && !now.Before(v.From) && (v.Until.IsZero() || now.Before(v.Until))
}

// Units returns how many rewards one unit earns.
func (c Contents) Units() int64 { return max(c.Count, 1) }
