// Package securitylogs stores the security log.
package securitylogs

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Store is the store of the security log; see securitylog.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }

var _ securitylog.Store = Store{}

var errExtended = fault.New(fault.Conflict, "Another process has extended the chain.")

// Extend adds entries to the chain; see securitylog.Store.
func (s Store) Extend(ctx context.Context, limit int) (n int, err error) {
	// Nearly always there is nothing to do: looking does not take the lock that SQLite has for writing.
	err = s.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UnchainedSecurityEntries(ctx, 1)
		n = len(rows)
		return err
	})
	if n == 0 || err != nil {
		return 0, err
	}
	err = s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = extend(ctx, tx, limit)
		return err
	})
	return n, err
}

func extend(ctx context.Context, tx *store.Tx, limit int) (n int, err error) {
	chain, err := tx.SecurityChain(ctx)
	if err != nil {
		return 0, err
	}
	rows, err := tx.UnchainedSecurityEntries(ctx, int64(limit))
	if err != nil {
		return 0, err
	}
	head := securitylog.Head{Sequence: chain.Sequence, Hash: chain.Hash}
	for _, r := range rows {
		head = head.Next(entryOf(r))
		changed, err := tx.ChainSecurityEntry(ctx, gen.ChainSecurityEntryParams{ID: r.ID, Sequence: nullable(head.Sequence), Hash: head.Hash})
		if err == nil && changed == 0 {
			err = errExtended
		}
		if err != nil {
			return 0, err
		}
	}
	extended, err := tx.ExtendSecurityChain(ctx, gen.ExtendSecurityChainParams{Sequence: head.Sequence, Hash: head.Hash, Was: chain.Sequence})
	if err == nil && extended == 0 {
		err = errExtended
	}
	return len(rows), err
}

// Chain returns the ends of the chain; see securitylog.Reader.
func (s Store) Chain(ctx context.Context) (head, removed securitylog.Head, err error) {
	err = s.Read(ctx, func(q *gen.Queries) error {
		r, err := q.SecurityChain(ctx)
		head = securitylog.Head{Sequence: r.Sequence, Hash: r.Hash}
		removed = securitylog.Head{Sequence: r.RemovedSequence, Hash: r.RemovedHash}
		return err
	})
	return head, removed, err
}

// EntriesFrom returns entries in the order of the chain; see securitylog.Reader.
func (s Store) EntriesFrom(ctx context.Context, after int64, limit int) (out []securitylog.Entry, err error) {
	err = s.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SecurityEntriesFrom(ctx, gen.SecurityEntriesFromParams{After: after, PageSize: int64(limit)})
		out = entriesOf(rows)
		return err
	})
	return out, err
}

// Unchained returns how many entries are not in the chain; see securitylog.Reader.
func (s Store) Unchained(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx, func(q *gen.Queries) error {
		n, err = q.CountUnchainedSecurityEntries(ctx)
		return err
	})
	return n, err
}

// UnchainedSince returns the time of the oldest entry that is not in the chain; zero if all are.
func (s Store) UnchainedSince(ctx context.Context) (at time.Time, err error) {
	err = s.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UnchainedSecurityEntries(ctx, 1)
		for _, r := range rows {
			at = r.At.Time
		}
		return err
	})
	return at, err
}

// Entries returns the entries that match; see securitylog.Reader.
func (s Store) Entries(ctx context.Context, f securitylog.Filter) (out []securitylog.Entry, err error) {
	before, id, since, size := column.Millis(f.Before.At), f.Before.ID, column.At(f.Since), int64(f.Limit)
	if f.Before.At.IsZero() {
		before = math.MaxInt64
	}
	acts := int64(0)
	if f.Acts {
		acts = 1
	}
	err = s.Read(ctx, func(q *gen.Queries) (err error) {
		var rows []gen.SecurityEntry
		switch {
		case f.Subject != "":
			rows, err = q.SecurityEntriesOfSubject(ctx, gen.SecurityEntriesOfSubjectParams{
				Subject: f.Subject, OfEvent: string(f.Event), ActsOnly: acts, BeforeAt: before, BeforeID: id, Since: since, PageSize: size,
			})
		case f.Event != "":
			rows, err = q.SecurityEntriesOfEvent(ctx, gen.SecurityEntriesOfEventParams{
				Event: string(f.Event), BeforeAt: before, BeforeID: id, Since: since, PageSize: size,
			})
		case f.Kind != "":
			rows, err = q.SecurityEntriesOfKind(ctx, gen.SecurityEntriesOfKindParams{
				ActorKind: string(f.Kind), ActsOnly: acts, BeforeAt: before, BeforeID: id, Since: since, PageSize: size,
			})
		default:
			rows, err = q.SecurityEntries(ctx, gen.SecurityEntriesParams{BeforeAt: before, BeforeID: id, Since: since, PageSize: size})
		}
		out = entriesOf(rows)
		return err
	})
	return out, err
}

// Prune removes old entries; see securitylog.Store.
func (s Store) Prune(ctx context.Context, before, now time.Time, limit int) (n int, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n = 0
		chain, err := tx.SecurityChain(ctx)
		if err != nil {
			return err
		}
		rows, err := tx.SecurityEntriesFrom(ctx, gen.SecurityEntriesFromParams{After: chain.RemovedSequence, PageSize: int64(limit)})
		if err != nil {
			return err
		}
		head := securitylog.Head{Sequence: chain.RemovedSequence, Hash: chain.RemovedHash}
		for n < len(rows) && rows[n].At.Before(before) {
			next := head.Next(entryOf(rows[n]))
			if next.Sequence != rows[n].Sequence.Int64 || next.Hash != rows[n].Hash {
				return securitylog.ErrBroken
			}
			head = next
			n++
		}
		if n > 0 {
			if err = errors.Join(
				tx.DeleteSecurityEntries(ctx, head.Sequence),
				tx.RemoveFromSecurityChain(ctx, gen.RemoveFromSecurityChainParams{RemovedSequence: head.Sequence, RemovedHash: head.Hash}),
				tx.LogSecurity(ctx, securitylog.Pruned(head, now)),
			); err != nil {
				return err
			}
			for { // the entry of the removal is in the chain at once
				more, err := extend(ctx, tx, limit)
				if err != nil {
					return err
				}
				if more < limit {
					break
				}
			}
		}
		return tx.DeleteSecurityNetworkKeys(ctx, now.UTC().Format("2006-01"))
	})
	return n, err
}

// CopyFormer copies the operator log of the previous version; see securitylog.Store.
func (s Store) CopyFormer(ctx context.Context, since time.Time) error {
	return s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.CopyOperatorLog(ctx, column.At(since)); err != nil {
			return err
		}
		return tx.DeleteOperatorLog(ctx, column.At(since))
	})
}

func entriesOf(rows []gen.SecurityEntry) []securitylog.Entry {
	out := make([]securitylog.Entry, len(rows))
	for i, r := range rows {
		out[i] = entryOf(r)
	}
	return out
}

func entryOf(r gen.SecurityEntry) securitylog.Entry {
	return securitylog.Entry{
		Sequence: r.Sequence.Int64, ID: r.ID, At: r.At.Time, Event: securitylog.Event(r.Event), Kind: securitylog.Kind(r.ActorKind),
		Actor: r.Actor, Subject: r.Subject, Session: r.SessionID, Network: r.Network, Refusal: r.Refusal, Detail: r.Detail, Reason: r.Reason,
		Hash: r.Hash,
	}
}

func nullable(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }
