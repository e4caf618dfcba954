package generator

import (
	"fmt"
	"slices"
	"strconv"

	"pantheon/internal/kit/rarity"
)

// describeGod describes a casting, and reports whether there is one with the id.
func (g *Generator) describeGod(item *token) bool {
	if n, err := strconv.Atoi(item.TokenID); err == nil && n >= 1 && n <= len(g.Gods)*g.Editions {
		describeCasting(item, &g.Gods[(n-1)%len(g.Gods)], (n-1)/len(g.Gods)+1, g.Editions)
		return true
	}
	if variant, _ := g.variant(gods, item.TokenID); variant != "" {
		i := slices.IndexFunc(g.Gods, func(g god) bool { return g.Slug == variant })
		if i >= 0 {
			describeDrawnCasting(item, &g.Gods[i])
		}
		return i >= 0
	}
	if len(item.TokenID) < openCastingDigits {
		return false
	}
	describeOpenCasting(item, &g.Gods[newDice(item.Collection, item.TokenID, "god").intn(len(g.Gods))])
	return true
}

// describeCasting describes a numbered casting: the first of every god is mythic and made of the god's own material,
// the next three are legendary, the others epic, each in another material.
func describeCasting(item *token, g *god, edition, editions int) {
	item.Name = g.Name + ", " + g.Title
	if edition > 1 {
		item.Name += fmt.Sprintf(" (%s Casting)", ordinal(edition))
	}
	item.Description = fmt.Sprintf("%s Casting %d of %d.", g.Text, edition, editions)
	item.Kind, item.Form, item.Material = kindGod, g.Slug, castingMaterial(g.Material, edition)
	switch {
	case edition == 1:
		item.Rarity = rarity.Mythic
	case edition <= 4:
		item.Rarity = rarity.Legendary
	default:
		item.Rarity = rarity.Epic
	}
	item.trait("God", g.Name)
	item.trait("Domain", g.Domain)
	item.trait("Rarity", labelOf(item.Rarity))
	item.trait("Material", title(item.Material))
	item.trait("Generation", "Gen 0")
	item.number("Casting", edition)
}

// openCastingDigits is the minimum number of digits of the ids of open castings: from a million up, above the
// numbered ones, without limit, for the gods that are given away.
const openCastingDigits = 7

// describeOpenCasting describes an open casting, which is epic, in one of the materials.
func describeOpenCasting(item *token, g *god) {
	item.Name = fmt.Sprintf("%s, %s (Open Casting)", g.Name, g.Title)
	item.Description = g.Text + " An open casting."
	item.Kind, item.Form, item.Rarity = kindGod, g.Slug, rarity.Epic
	item.Material = castingMaterial(g.Material, 1+newDice(item.Collection, item.TokenID, "material").intn(castingMaterials))
	item.trait("God", g.Name)
	item.trait("Domain", g.Domain)
	item.trait("Rarity", labelOf(item.Rarity))
	item.trait("Material", title(item.Material))
	item.trait("Generation", "Open")
}

// describeDrawnCasting describes a casting out of a pack, which is mythic and of the god's own material.
func describeDrawnCasting(item *token, g *god) {
	item.Name = fmt.Sprintf("%s, %s (Drawn Casting)", g.Name, g.Title)
	item.Description = g.Text + " A casting out of a god pack."
	item.Kind, item.Form, item.Rarity, item.Material = kindGod, g.Slug, rarity.Mythic, g.Material
	item.trait("God", g.Name)
	item.trait("Domain", g.Domain)
	item.trait("Rarity", labelOf(item.Rarity))
	item.trait("Material", title(item.Material))
	item.trait("Generation", "Drawn")
}
