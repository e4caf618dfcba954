// Package rewards keeps rewards, openings of packs, records of payments and claims.
package rewards

import "pantheon/internal/store"

// Store is the rewards' store; see reward.Store, packs.Store and claim.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }
