// Package rarity defines how rare a token is.
package rarity

import "slices"

// Rarity is one step of the ramp common < uncommon < rare < epic < legendary < mythic.
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

// All lists the ramp, lowest first.
func All() []Rarity { return []Rarity{Common, Uncommon, Rare, Epic, Legendary, Mythic} }

// Rank is 0 for common to 5 for mythic, and -1 for anything else.
func (r Rarity) Rank() int { return slices.Index(All(), r) }
