package art

import "slices"

// Rarity is one step of the ramp common < uncommon < rare < epic < legendary < mythic.
// Every step has a colour, a shape and a label, so that each of the three is enough to
// distinguish it.
type Rarity string

// The rarities, lowest first.
const (
	Common    Rarity = "common"
	Uncommon  Rarity = "uncommon"
	Rare      Rarity = "rare"
	Epic      Rarity = "epic"
	Legendary Rarity = "legendary"
	Mythic    Rarity = "mythic"
)

// Rarities lists the ramp, lowest first.
func Rarities() []Rarity {
	return []Rarity{Common, Uncommon, Rare, Epic, Legendary, Mythic}
}

// Rank is 0 for common to 5 for mythic, and -1 for anything else.
func (r Rarity) Rank() int { return slices.Index(Rarities(), r) }

// Label is the word shown to players.
func (r Rarity) Label() string {
	return r.pick("Common", "Uncommon", "Rare", "Epic", "Legendary", "Mythic")
}

// Shape names the rarity's sign on frames and badges.
func (r Rarity) Shape() string {
	return r.pick("ring", "triangle", "diamond", "pentagon", "star", "sun")
}

// Colour is the luminous colour as #rrggbb. On the card ground each has a contrast of at
// least 4.5:1 (WCAG 2.2, 1.4.3).
func (r Rarity) Colour() string {
	return r.pick("#c9c1ae", "#63cfa2", "#57b4f0", "#f07fb2", "#f5b942", "#ff6a43")
}

// pick returns the value at r's rank; an unknown rarity gets the first.
func (r Rarity) pick(steps ...string) string { return steps[max(r.Rank(), 0)] }
