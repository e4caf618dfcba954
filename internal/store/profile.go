package store

import (
	"context"
	"time"

	"pantheon/internal/portal/profile"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Whitelist returns the lists that a player is on; see profile.ListStore.
func (db *DB) Whitelist(ctx context.Context, playerID string, now time.Time) (out []profile.List, err error) {
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

// PutWhitelistEntry adds a player to a list; see profile.ListStore.
func (db *DB) PutWhitelistEntry(ctx context.Context, playerID string, l profile.List) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Player(ctx, playerID); err != nil {
			return notFound(err, "There is no such player.")
		}
		return tx.Queries.PutWhitelistEntry(ctx, gen.PutWhitelistEntryParams{PlayerID: playerID, List: l.Name, UntilAt: column.At(l.Until)})
	})
}

// DropWhitelistEntry removes a player from a list; see profile.ListStore.
func (db *DB) DropWhitelistEntry(ctx context.Context, playerID, name string) (dropped bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.DropWhitelistEntry(ctx, gen.DropWhitelistEntryParams{PlayerID: playerID, List: name})
		dropped = n == 1
		return err
	})
	return dropped, err
}
