package store

import (
	"context"
	"time"

	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// TakeLease takes or renews holder's lease on the named background role; it reports whether holder has it until now+d.
func (db *DB) TakeLease(ctx context.Context, name, holder string, now time.Time, d time.Duration) (taken bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.TakeLease(ctx, gen.TakeLeaseParams{
			Name: name, Holder: holder, Now: column.At(now), ExpiresAt: column.At(now.Add(d)),
		})
		taken = n == 1
		return err
	})
	return taken, err
}

// DropLease releases the lease, so that another replica need not wait for its expiry.
func (db *DB) DropLease(ctx context.Context, name, holder string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.Queries.DropLease(ctx, gen.DropLeaseParams{Name: name, Holder: holder})
	})
}
