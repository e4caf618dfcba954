package store

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/trace"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Outbox is the queue of announcements; see outbox.Store.
type Outbox struct{ *DB }

// Announce adds an outbox row to the transaction and wakes the outbox after the commit. The listing it announces, if
// any, gets a new version in the same transaction.
func (tx *Tx) Announce(ctx context.Context, a announce.Announcement) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	switch a.Topic {
	case announce.Listing, announce.ListingNew, announce.ListingGone:
		tx.changed = append(tx.changed, a.Payload)
	}
	tx.announced = append(tx.announced, gen.InsertOutboxParams{
		ID: id.String(), Topic: string(a.Topic), Target: a.Target, Payload: a.Payload, CreatedAt: column.At(tx.clock.Now()),
		Trace: trace.Parent(ctx),
	})
	return nil
}

// finish writes the outbox rows and increments the version of each listing that they announce. It runs last in a transaction
// and in the order of the listings' ids, so that two transactions cannot deadlock over versions. The row lock lasts until the
// commit, so the versions of a listing follow the order of the commits.
func (tx *Tx) finish(ctx context.Context, q *gen.Queries) error {
	for _, a := range tx.announced {
		if err := q.InsertOutbox(ctx, a); err != nil {
			return err
		}
	}
	slices.Sort(tx.changed)
	for _, id := range slices.Compact(tx.changed) {
		if err := q.BumpListing(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Announcements returns the oldest rows of the outbox, at most limit.
func (db Outbox) Announcements(ctx context.Context, limit int) (out []announce.Announcement, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OutboxBatch(ctx, int64(limit))
		for _, r := range rows {
			out = append(out, announce.Announcement{
				ID: r.ID, Topic: announce.Topic(r.Topic), Target: r.Target, Payload: r.Payload, CreatedAt: r.CreatedAt.Time,
				Trace: r.Trace,
			})
		}
		return err
	})
	return out, err
}

// Announced deletes rows that have been sent.
func (db Outbox) Announced(ctx context.Context, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	s := &SQLText{}
	s.Add("DELETE FROM outbox WHERE id")
	In(s, Padded(ids))
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.statements.ExecContext(ctx, s.String(), s.Args...)
		return err
	})
}
