package store

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/portal/purse"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Purse is the store of changes of currencies; see purse.Store.
type Purse struct{ *DB }

// BeginChange records a change of a balance; see purse.Store.
func (db Purse) BeginChange(ctx context.Context, c purse.Change) (begun bool, other purse.Change, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.InsertCurrencyChange(ctx, gen.InsertCurrencyChangeParams{
			ID: c.ID, PlayerID: c.PlayerID, Code: c.Code, Amount: c.Amount, State: string(purse.Open), At: column.At(c.UpdatedAt),
		})
		begun, other = n == 1, purse.Change{}
		if begun || err != nil {
			return err
		}
		r, err := tx.CurrencyChange(ctx, c.ID)
		if errors.Is(err, sql.ErrNoRows) {
			r, err = tx.CurrencyChangeUnderWay(ctx, gen.CurrencyChangeUnderWayParams{PlayerID: c.PlayerID, Code: c.Code})
		}
		if errors.Is(err, sql.ErrNoRows) {
			return nil // the conflicting change has ended
		}
		other = changeOf(r)
		return err
	})
	return begun, other, err
}

// MoveChange updates the state and balance of a change; see purse.Store.
func (db Purse) MoveChange(ctx context.Context, c purse.Change) (moved bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.MoveCurrencyChange(ctx, gen.MoveCurrencyChangeParams{
			State: string(c.State), BalanceBefore: c.Before, UpdatedAt: column.At(c.UpdatedAt), ID: c.ID, Version: c.Version,
		})
		moved = n == 1
		return err
	})
	return moved, err
}

// DropChange deletes a change; see purse.Store.
func (db Purse) DropChange(ctx context.Context, c purse.Change) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.DropCurrencyChange(ctx, gen.DropCurrencyChangeParams{ID: c.ID, Version: c.Version})
		return err
	})
}

func changeOf(r gen.CurrencyChange) purse.Change {
	return purse.Change{
		ID: r.ID, PlayerID: r.PlayerID, Code: r.Code, Amount: r.Amount,
		State: purse.State(r.State), Before: r.BalanceBefore, Version: r.Version, UpdatedAt: r.UpdatedAt.Time,
	}
}
