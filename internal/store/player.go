package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// WriteLocked runs fn in a transaction that locks out every other change of the player's holds, payment, freeze or
// deletion of the account. It returns fault.NotFound for an unknown player, and account.FrozenFault for a frozen one.
func (db *DB) WriteLocked(ctx context.Context, playerID string, fn func(context.Context, *Tx) error) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		frozen, err := tx.LockHolds(ctx, playerID)
		if err != nil {
			return err
		}
		if frozen != nil {
			return account.FrozenFault(frozen.Reason)
		}
		return fn(ctx, tx)
	})
}

// LockHolds locks the player's holds until the transaction ends. It returns the player's freeze, nil for a player
// who is not frozen, and fault.NotFound for an unknown player.
func (tx *Tx) LockHolds(ctx context.Context, playerID string) (*account.Freeze, error) {
	if tx.engine == SQLite { // writes are serialized
		r, err := tx.FrozenPlayer(ctx, playerID)
		return FreezeOf(r.FrozenAt, r.FrozenReason), NotFound(err, NoPlayer)
	}
	r, err := tx.TakeHoldTurn(ctx, playerID)
	return FreezeOf(r.FrozenAt, r.FrozenReason), NotFound(err, NoPlayer)
}

// NoPlayer is the fault of an unknown player.
const NoPlayer = "There is no such player."

// FreezeOf converts the stored columns of a freeze; nil for none.
func FreezeOf(at column.Time, reason string) *account.Freeze {
	if at.IsZero() {
		return nil
	}
	return &account.Freeze{At: at.Time, Reason: reason}
}

// ProofsOf returns the ways in which a player can prove who they are; none for an unknown player.
func ProofsOf(ctx context.Context, q *gen.Queries, playerID string) (account.Proofs, error) {
	r, err := q.PlayerProofs(ctx, playerID)
	if errors.Is(err, sql.ErrNoRows) {
		return account.Proofs{}, nil
	}
	return account.Proofs{Email: r.Email == 1, GameLink: r.GameLink == 1, GamePlatform: r.GamePlatform == 1, Linked: r.Linked == 1}, err
}

// Begun is the latest start_at of a time window that is open now; see onchain.Open.
func Begun(now time.Time) column.Time { return column.At(now.Add(onchain.ClockLead)) }

// PlayersWallets are the smart wallet that a player has registered and the verified one. A zero address is none.
type PlayersWallets struct{ Smart, Verified eth.Address }

// WalletsOf returns a player's wallets.
func WalletsOf(ctx context.Context, q *gen.Queries, playerID string) (w PlayersWallets, err error) {
	row, err := q.PlayersWallets(ctx, playerID)
	if err == nil && row.Smart != "" {
		err = w.Smart.Scan(row.Smart)
	}
	if err == nil && row.Verified != "" {
		err = w.Verified.Scan(row.Verified)
	}
	return w, err
}

// Both returns the wallets for a query, of one wallet twice: the zero address, from which tokens are minted, matches transfers.
func (w PlayersWallets) Both() (smart, verified eth.Address) {
	return cmp.Or(w.Smart, w.Verified), cmp.Or(w.Verified, w.Smart)
}
