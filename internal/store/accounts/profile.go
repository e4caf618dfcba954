package accounts

import (
	"context"
	"time"

	"pantheon/internal/portal/profile"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Whitelist returns the lists that a player is on; see profile.ListStore.
func (db Store) Whitelist(ctx context.Context, playerID string, now time.Time) (out []profile.List, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Whitelist(ctx, gen.WhitelistParams{PlayerID: playerID, Now: column.At(now)})
		out = make([]profile.List, len(rows))
		for i, r := range rows {
			out[i] = profile.List{Name: r.List, Until: r.UntilAt.Time}
		}
		return err
	})
	return out, err
}
