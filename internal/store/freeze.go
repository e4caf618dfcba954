package store

import (
	"context"
	"slices"
	"time"

	"pantheon/internal/portal/account"
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

// FreezePlayer freezes a player; see account.Freezes.
func (db *DB) FreezePlayer(ctx context.Context, playerID string, f account.Freeze) (out account.Frozen, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		was, err := tx.takeHoldTurn(ctx, playerID)
		if err != nil {
			return err
		}
		out = account.Frozen{Freeze: f}
		if was != nil {
			out.Already, out.At = true, was.At
		}
		if _, err := tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{At: column.At(out.At), Reason: f.Reason, PlayerID: playerID}); err != nil {
			return err
		}
		if out.Already {
			return nil
		}
		sessions, holds, err := tx.shutOut(ctx, playerID, f.At, withdrawal.FrozenByOperatorText)
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

// UnfreezePlayer lifts a player's freeze; see account.Freezes.
func (db *DB) UnfreezePlayer(ctx context.Context, playerID string) (was *account.Freeze, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if was, err = tx.takeHoldTurn(ctx, playerID); was == nil || err != nil {
			return err
		}
		if _, err = tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{PlayerID: playerID}); err != nil {
			return err
		}
		return tx.setWalletClosed(ctx, playerID, tx.clock.Now())
	})
	return was, err
}

// FrozenPlayers returns the players who are frozen; see account.Freezes.
func (db *DB) FrozenPlayers(ctx context.Context) (out []account.Frozen, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FrozenPlayers(ctx)
		for _, r := range rows {
			out = append(out, account.Frozen{
				Identity: account.Identity{PlayerID: r.ID, DisplayName: r.DisplayName, Email: r.Email},
				Freeze:   account.Freeze{At: r.FrozenAt.Time, Reason: r.FrozenReason}, Already: true,
			})
		}
		return err
	})
	return out, err
}

// FindPlayers returns the players that match an id, an address or a name; see account.Freezes.
func (db *DB) FindPlayers(ctx context.Context, written string) (out []account.Identity, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FindPlayers(ctx, gen.FindPlayersParams{
			Written: written, EmailKey: account.EmailKey(written), NameKey: account.NameKey(written),
		})
		for _, r := range rows {
			out = append(out, account.Identity{PlayerID: r.ID, DisplayName: r.DisplayName, Email: r.Email})
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
