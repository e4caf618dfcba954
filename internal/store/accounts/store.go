// Package accounts keeps accounts, sessions, approvals and wallets.
package accounts

import "pantheon/internal/store"

// Store is the accounts' store; see account.Store, approval.Store and wallet.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }
