// Package webstore keeps what players bought in the webstore, and what they owe.
package webstore

import (
	"context"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
)

// Store is the webstore's store; see webstore.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }

// TreasuryStock returns what the treasury holds; see webstore.Store.
func (db Store) TreasuryStock(ctx context.Context, wallet eth.Address, xs []reward.Transfer,
	playerID string) (reward.TreasuryStock, error) {
	return rewards.New(db.DB).TreasuryStock(ctx, wallet, xs, playerID)
}
