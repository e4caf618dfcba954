package accounts

import (
	"context"

	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// Frozen reports whether a player is frozen, and why; see account.Sessions.
func (db Store) Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.FrozenPlayer(ctx, playerID)
		reason, frozen = r.FrozenReason, !r.FrozenAt.IsZero()
		return store.NotFound(err, "There is no such player.")
	})
	return reason, frozen, err
}
