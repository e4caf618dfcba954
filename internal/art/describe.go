package art

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/kit/series"
)

// Errors of Describe, to be tested with errors.Is.
var (
	// ErrUnknownCollection means that no collection has the slug.
	ErrUnknownCollection = errors.New("unknown collection")
	// ErrUnknownToken means that the collection has no such token, or that the id is not a
	// decimal number of at most 256 bits without leading zeros.
	ErrUnknownToken = errors.New("unknown token")
)

// Item is one described token.
type Item struct {
	// Collection is the slug, TokenID the decimal id.
	Collection, TokenID string
	Name, Description   string
	// Use says in plain words what the token is good for.
	Use      string
	Standard onchain.Standard
	Rarity   rarity.Rarity
	// Kind is the drawn object ("sword", "god", …), Form its variant, Material the metal.
	Kind, Form, Material string
	Attributes           []Attribute
}

// Attribute is one trait in the format of marketplaces
// (https://docs.opensea.io/docs/metadata-standards).
type Attribute struct {
	TraitType string
	Value     string
	// DisplayType is empty for text and "number" for numbers.
	DisplayType string
}

const displayNumber = "number"

// MarshalJSON encodes trait_type, value and, if set, display_type. The value of a
// "number" is a JSON number.
func (a Attribute) MarshalJSON() ([]byte, error) {
	out := struct {
		TraitType   string          `json:"trait_type"`
		Value       json.RawMessage `json:"value"`
		DisplayType string          `json:"display_type,omitempty"`
	}{TraitType: a.TraitType, DisplayType: a.DisplayType}
	if a.DisplayType == displayNumber {
		out.Value = json.RawMessage(a.Value)
	} else {
		text, err := json.Marshal(a.Value)
		if err != nil {
			return nil, err
		}
		out.Value = text
	}
	return json.Marshal(out)
}

// Describe returns a token's name and traits. The collection is a slug; the token id is a
// decimal number of up to 256 bits. The error wraps ErrUnknownCollection or ErrUnknownToken.
func (c *Catalogue) Describe(collection, tokenID string) (Item, error) {
	entry := c.bySlug[collection]
	if entry == nil {
		return Item{}, fmt.Errorf("%w %.64q", ErrUnknownCollection, collection)
	}
	unknown := fmt.Errorf("%w %.80q in %s", ErrUnknownToken, tokenID, collection)
	if !validTokenID(tokenID) {
		return Item{}, unknown
	}
	item := Item{Collection: collection, TokenID: tokenID, Standard: entry.standard}
	switch {
	case entry.Generated != nil:
		c.describeGenerated(&item, entry.Generated)
	case len(entry.Gods) > 0:
		if n, err := strconv.Atoi(tokenID); err == nil && n >= 1 && n <= len(entry.Gods)*entry.Editions {
			describeGod(&item, &entry.Gods[(n-1)%len(entry.Gods)], (n-1)/len(entry.Gods)+1, entry.Editions)
			break
		}
		if g := entry.godOfSeries(series.Of(tokenID)); g != nil {
			describeDrawnCasting(&item, g)
			break
		}
		if len(tokenID) < openCastingDigits {
			return Item{}, unknown
		}
		describeOpenCasting(&item, &entry.Gods[newDice(item.Collection, item.TokenID, "god").intn(len(entry.Gods))])
	default:
		token := entry.byID[tokenID]
		if token == nil {
			return Item{}, unknown
		}
		describeListed(&item, token)
	}
	item.Use = entry.useOf(item.Kind)
	return item, nil
}

func describeListed(item *Item, t *tokenEntry) {
	item.Name, item.Description = t.Name, t.Text
	item.Rarity, item.Kind, item.Form, item.Material = t.Rarity, t.Kind, t.Form, t.Material
	item.trait("Kind", title(t.Kind))
	item.trait("Rarity", labelOf(t.Rarity))
	item.trait("Material", title(t.Material))
	for _, name := range sortedKeys(t.Traits) {
		item.trait(name, t.Traits[name])
	}
	for _, name := range sortedKeys(t.Stats) {
		item.number(name, t.Stats[name])
	}
}

// castingMaterials is the number of materials.
const castingMaterials = 10

// castingMaterial is the god's own material for the first casting and cycles through the
// others after it.
func castingMaterial(own string, edition int) string {
	order := []string{"gold", "silver", "ivory", "bronze", "verdigris", "marble", "iron", "terracotta", "obsidian", "wood"}
	order = append([]string{own}, slices.DeleteFunc(order, func(m string) bool { return m == own })...)
	return order[(edition-1)%len(order)]
}

func (c *Catalogue) describeGenerated(item *Item, g *generatedEntry) {
	d := newDice(item.Collection, item.TokenID, "name")
	item.Kind = g.Kind
	item.Rarity = g.rarityOf(item)
	item.trait("Rarity", labelOf(item.Rarity))
	switch g.Kind {
	case kindAvatar, kindSeasonAvatar:
		p := portraitOf(item)
		place := choose(d, c.words.Places...)
		names := c.words.People
		if p.beard != "None" {
			names = c.words.Bearded
		}
		person := choose(d, names...)
		byname := choose(d, c.words.Bynames...)
		item.Name = person + " of " + place + ", the " + byname
		item.Description = fmt.Sprintf("%s comes from %s and is known there as the %s.", person, place, byname)
		item.Material = p.tone
		item.trait("Home", title(place))
		item.Attributes = append(item.Attributes, p.traits()...)
		if g.Kind == kindSeasonAvatar {
			item.Name = person + " of " + place + ", Season Laureate"
			item.Description += " Took part in the season and has the laurel to show for it."
		}
	case kindImmortal:
		f := figureOf(item)
		hero := choose(d, c.words.Heroes...)
		byname := choose(d, c.words.Bynames...)
		place := choose(d, c.words.Places...)
		item.Name = hero + " the " + byname + ", " + f.calling + " of " + place
		item.Description = fmt.Sprintf("%s keeps watch over %s. The constellation on the card is the one this %s rises under.", hero, place,
			strings.ToLower(f.calling))
		item.trait("Post", title(place))
		item.Material = f.material
		item.Attributes = append(item.Attributes, f.traits()...)
	case kindPassCommunity:
		item.Name = "Community InfiniPass #" + item.TokenID
		item.Description = "A seat in the agora and a voice in what comes next."
		item.Material = "bronze"
		item.trait("Tier", "Community")
	case kindPassUltimate:
		item.Name = "Ultimate InfiniPass #" + item.TokenID
		item.Description = "Every door of the house opens for this pass."
		item.Material = "gold"
		item.trait("Tier", "Ultimate")
	}
}

func (it *Item) trait(name, value string) {
	it.Attributes = append(it.Attributes, Attribute{TraitType: name, Value: value})
}

func (it *Item) number(name string, value int) {
	it.Attributes = append(it.Attributes, Attribute{TraitType: name, Value: strconv.Itoa(value), DisplayType: displayNumber})
}

// rarityOf returns the rarity of a token: that of its id's series, which is fixed with the drop tables, or else one by chance.
func (g *generatedEntry) rarityOf(item *Item) rarity.Rarity {
	if n := series.Of(item.TokenID); n > 0 {
		for _, r := range rarity.All() {
			if g.Series[r] == n {
				return r
			}
		}
	}
	return pickRarity(newDice(item.Collection, item.TokenID, "rarity"), g.Rarities)
}

// Series returns what the tokens of a series are: the id of the variant by which drop tables draw them, and their rarity.
func (c *Catalogue) Series(collection string, number int64) (variant string, r rarity.Rarity, ok bool) {
	entry := c.bySlug[collection]
	if entry == nil || number == 0 {
		return "", "", false
	}
	if g := entry.godOfSeries(number); g != nil {
		return g.Slug, rarity.Mythic, true
	}
	if entry.Generated != nil {
		for _, r := range rarity.All() {
			if entry.Generated.Series[r] == number {
				return string(r), r, true
			}
		}
	}
	return "", "", false
}

func (e *collectionEntry) godOfSeries(number int64) *godEntry {
	i := slices.IndexFunc(e.Gods, func(g godEntry) bool { return number != 0 && g.Series == number })
	if i < 0 {
		return nil
	}
	return &e.Gods[i]
}

// pickRarity draws by weight, in the order of the ramp, because a map has no fixed order.
func pickRarity(d *dice, weights map[rarity.Rarity]int) rarity.Rarity {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := d.intn(total)
	for _, r := range rarity.All() {
		if n -= weights[r]; n < 0 {
			return r
		}
	}
	return rarity.Common
}

// validTokenID reports whether id is a canonical decimal number of at most 2²⁵⁶−1.
func validTokenID(id string) bool {
	const maxDigits = 78 // of 2²⁵⁶−1
	if id == "" || len(id) > maxDigits || (id[0] == '0' && id != "0") {
		return false
	}
	for i := range len(id) {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
	}
	if len(id) < maxDigits {
		return true
	}
	n, ok := new(big.Int).SetString(id, 10)
	return ok && n.BitLen() <= 256
}

// title turns "piggy-bank" into "Piggy Bank".
func title(s string) string {
	out := []byte(s)
	up := true
	for i, ch := range out {
		if up && ch >= 'a' && ch <= 'z' {
			out[i] = ch - 'a' + 'A'
		}
		up = ch == '-' || ch == ' '
		if ch == '-' {
			out[i] = ' '
		}
	}
	return string(out)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
