package store

import (
	"context"
	"slices"
	"time"

	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Frozen reports whether a player is frozen, and why; see account.Sessions.
func (db *DB) Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.FrozenPlayer(ctx, playerID)
		reason, frozen = r.FrozenReason, !r.FrozenAt.IsZero()
		return notFound(err, "There is no such player.")
	})
	return reason, frozen, err
}

// FreezePlayer freezes a player; see operator.Players.
func (o Operators) FreezePlayer(ctx context.Context, playerID string, e operator.Entry) (out operator.FreezeResult, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		was, err := tx.takeHoldTurn(ctx, playerID)
		if err != nil {
			return err
		}
		out = operator.FreezeResult{Frozen: operator.Frozen{Freeze: operator.Freeze{At: e.At, Reason: e.Reason}}}
		if was != nil {
			out.Already, out.At = true, was.At
		}
		params := gen.FreezePlayerParams{At: column.At(out.At), Reason: e.Reason, PlayerID: playerID}
		if _, err := tx.Queries.FreezePlayer(ctx, params); err != nil {
			return err
		}
		if out.Already {
			return nil
		}
		sessions, holds, err := tx.shutOut(ctx, playerID, e.At, withdrawal.FrozenByOperatorText)
		out.Sessions, out.Holds = len(sessions), holds
		return err
	})
	return out, err
}

// endHolds ends the player's holds except those with an accepted payment in progress, and returns their number.
func (tx *Tx) endHolds(ctx context.Context, playerID string, at time.Time) (int, error) {
	cart := cartTx{tx, playerID}
	listings, err := cart.ReleaseAll(ctx, at)
	if err != nil {
		return 0, err
	}
	units := len(listings)
	slices.Sort(listings)
	for _, id := range slices.Compact(listings) {
		if err := cart.Announce(ctx, id); err != nil {
			return 0, err
		}
	}
	return units, nil
}

// UnfreezePlayer lifts a player's freeze; see operator.Players.
func (o Operators) UnfreezePlayer(ctx context.Context, playerID string, e operator.Entry) (was *operator.Freeze, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		f, err := tx.takeHoldTurn(ctx, playerID)
		if err != nil {
			return err
		}
		if f == nil {
			return errUnchanged
		}
		was = &operator.Freeze{At: f.At, Reason: f.Reason}
		if _, err = tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{PlayerID: playerID}); err != nil {
			return err
		}
		return tx.setWalletClosed(ctx, playerID, tx.clock.Now())
	})
	return was, err
}

// FrozenPlayers returns the players who are frozen; see operator.Players.
func (o Operators) FrozenPlayers(ctx context.Context) ([]operator.Frozen, error) {
	out := []operator.Frozen{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FrozenPlayers(ctx)
		for _, r := range rows {
			out = append(out, operator.Frozen{
				Player: operator.Player{ID: r.ID, Name: r.DisplayName, Email: r.Email},
				Freeze: operator.Freeze{At: r.FrozenAt.Time, Reason: r.FrozenReason},
			})
		}
		return err
	})
	return out, err
}

// freezeOf converts the stored columns of a freeze; nil for none.
func freezeOf(at column.Time, reason string) *account.Freeze {
	if at.IsZero() {
		return nil
	}
	return &account.Freeze{At: at.Time, Reason: reason}
}
