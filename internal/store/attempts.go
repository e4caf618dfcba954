package store

import (
	"context"
	"math"
	"time"

	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Attempts counts attempts at accounts, for all replicas; see api.AttemptCounter.
type Attempts struct{ *DB }

// Count counts an attempt and returns true, unless there were as many as the limit within the last window. Attempts of the period before
// count in proportion to the part of it that the window still covers.
func (db Attempts) Count(ctx context.Context, key string, limit int, window time.Duration, now time.Time) (counted bool, err error) {
	begin := now.UTC().Truncate(window)
	covered := 1 - float64(now.Sub(begin))/float64(window)
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		counted = false
		rows, err := tx.AttemptsSince(ctx, gen.AttemptsSinceParams{Key: key, BeginsAt: column.At(begin.Add(-window))})
		if err != nil {
			return err
		}
		most := int64(limit)
		for _, r := range rows {
			if r.BeginsAt.Before(begin) {
				most -= int64(math.Round(float64(r.Made) * covered))
			}
		}
		if most <= 0 {
			return nil
		}
		n, err := tx.CountAttempt(ctx, gen.CountAttemptParams{
			Key: key, BeginsAt: column.At(begin), ExpiresAt: column.At(begin.Add(2 * window)), Most: most,
		})
		counted = n == 1
		return err
	})
	return counted, err
}

// TakeBack reverts what Count has counted at a time.
func (db Attempts) TakeBack(ctx context.Context, key string, window time.Duration, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.TakeBackAttempt(ctx, gen.TakeBackAttemptParams{Key: key, BeginsAt: column.At(at.UTC().Truncate(window))})
	})
}
