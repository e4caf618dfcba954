// Package cart keeps carts, their holds and orders.
package cart

import "pantheon/internal/store"

// Store is the carts' store; see cart.Store.
type Store struct {
	*store.DB
	holds *keyMutex // by listing
}

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db, newKeyMutex()} }
