package generator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/catalogue"
	"pantheon/internal/kit/rarity"
)

// token is one described token. Its kind is the drawn object.
type token struct {
	catalogue.Item
	Form, Material string // the kind's variant, and its metal
}

func (g *Generator) describe(slug, tokenID string) (token, bool) {
	t := token{Item: catalogue.Item{Collection: slug, TokenID: tokenID}}
	if slug == gods {
		return t, g.describeGod(&t)
	}
	c, ok := g.Collections[slug]
	if ok {
		g.describeGenerated(&t, c)
	}
	return t, ok
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

func (g *Generator) describeGenerated(item *token, c collection) {
	d := newDice(item.Collection, item.TokenID, "name")
	item.Kind = c.Kind
	item.Rarity = g.rarityOf(item, c)
	item.trait("Rarity", labelOf(item.Rarity))
	switch c.Kind {
	case kindAvatar, kindSeasonAvatar:
		p := portraitOf(item)
		place := choose(d, g.Words.Places...)
		names := g.Words.People
		if p.beard != "None" {
			names = g.Words.Bearded
		}
		person := choose(d, names...)
		byname := choose(d, g.Words.Bynames...)
		item.Name = person + " of " + place + ", the " + byname
		item.Description = fmt.Sprintf("%s comes from %s and is known there as the %s.", person, place, byname)
		item.Material = p.tone
		item.trait("Home", title(place))
		item.Attributes = append(item.Attributes, p.traits()...)
		if c.Kind == kindSeasonAvatar {
			item.Name = person + " of " + place + ", Season Laureate"
			item.Description += " Took part in the season and has the laurel to show for it."
		}
	case kindImmortal:
		f := figureOf(item)
		hero := choose(d, g.Words.Heroes...)
		byname := choose(d, g.Words.Bynames...)
		place := choose(d, g.Words.Places...)
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

func (it *token) trait(name, value string) {
	it.Attributes = append(it.Attributes, catalogue.Attribute{TraitType: name, Value: value})
}

func (it *token) number(name string, value int) {
	it.Attributes = append(it.Attributes, catalogue.Number(name, value))
}

// rarityOf returns the rarity of a token: that of its id's series, which is fixed with the drop tables, or else one by chance.
func (g *Generator) rarityOf(item *token, c collection) rarity.Rarity {
	if variant, r := g.variant(item.Collection, item.TokenID); variant != "" {
		return r
	}
	return pickRarity(newDice(item.Collection, item.TokenID, "rarity"), c.Rarities)
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
