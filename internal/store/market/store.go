// Package market reads the market: listings, tokens, sales and collections. The index writes what it reads.
package market

import "pantheon/internal/store"

// Store is the market's store; see market.Store.
type Store struct {
	*store.DB
	limits browseLimits
}

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db, defaultBrowseLimits} }
