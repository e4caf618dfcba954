// Package notifications keeps notifications and saved searches.
package notifications

import "pantheon/internal/store"

// Store is the notifications' store; see notification.Store and savedsearch.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }
