package generator

import "pantheon/internal/kit/rarity"

// A rarity has a colour, a sign and a label; each of the three is enough to distinguish it.

// labelOf is the word shown to players.
func labelOf(r rarity.Rarity) string {
	return pick(r, "Common", "Uncommon", "Rare", "Epic", "Legendary", "Mythic")
}

// colourOf is the luminous colour as #rrggbb. On the card ground each has a contrast of at
// least 4.5:1 (WCAG 2.2, 1.4.3).
func colourOf(r rarity.Rarity) string {
	return pick(r, "#c9c1ae", "#63cfa2", "#57b4f0", "#f07fb2", "#f5b942", "#ff6a43")
}

// pick returns the value at r's rank; an unknown rarity gets the first.
func pick(r rarity.Rarity, steps ...string) string { return steps[max(r.Rank(), 0)] }
