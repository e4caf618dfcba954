// Package withdrawals keeps withdrawals and saved addresses.
package withdrawals

import "pantheon/internal/store"

// Store is the withdrawals' store; see withdrawal.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }
