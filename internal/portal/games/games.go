// Package games lists the games, whether they can be played, and which of a player's holdings they use.
package games

import "pantheon/internal/collections"

// Game is one of the games that the portal belongs to.
type Game struct {
	ID    string // as in its page's address
	Name  string
	Open  bool               // whether it can be played; otherwise it opens later
	Board string             // its leaderboard; "" for none
	Kinds []collections.Kind // the kinds of holdings that the game uses
}

// All returns the games in display order. A game is open when a stranger can play it from beginning to end; so far
// none is.
func All() []Game {
	return []Game{
		{
			ID: "king-of-destiny", Name: "King of Destiny", Board: "kod",
			Kinds: []collections.Kind{collections.GameItems, collections.Avatars, collections.Packs},
		},
		{ID: "infinimerge", Name: "InfiniMerge", Kinds: []collections.Kind{}}, // it has its own pebbles
		{ID: "immortal-siege", Name: "Immortal Siege", Kinds: []collections.Kind{collections.Immortals}},
	}
}
