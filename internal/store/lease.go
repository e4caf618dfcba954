package store

import (
	"context"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// ErrFenced means that a write was refused, because its lease has another holder now.
var ErrFenced = errors.New("store: the lease has another holder")

// Lease is a lease on a background role, as it was taken.
type Lease struct {
	Name string
	// Fence is the fencing number: each time that another process takes the lease, it is higher.
	Fence int64
}

// Process is a process that runs the portal.
type Process struct {
	Replica    string // id of its data folder
	ID         string // of the process
	Version    string // of the program
	SignerKeys string // the fingerprints of the keys that it opens wallets with, separated by spaces
}

// TakeLease takes or renews the lease on a background role for a process until now+d; ok is false while another process has it. The lease
// of an earlier process of the same replica is taken at once; see Join.
func (db *DB) TakeLease(ctx context.Context, name string, p Process, now time.Time, d time.Duration) (l Lease, ok bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		ok = false
		if err := tx.EndIfIdle(ctx, fencedIdle); err != nil {
			return err
		}
		expiry := column.At(now.Add(d))
		fences, err := tx.RenewLease(ctx, gen.RenewLeaseParams{Name: name, Process: p.ID, Holder: p.Replica, ExpiresAt: expiry})
		if err == nil && len(fences) == 0 {
			fences, err = tx.TakeLease(ctx, gen.TakeLeaseParams{
				Name: name, Holder: p.Replica, Process: p.ID, Now: column.At(now), ExpiresAt: expiry,
			})
		}
		if err == nil && len(fences) == 0 {
			fences, err = tx.InsertLease(ctx, gen.InsertLeaseParams{Name: name, Holder: p.Replica, Process: p.ID, ExpiresAt: expiry})
		}
		if err == nil && len(fences) == 1 {
			l, ok = Lease{name, fences[0]}, true
		}
		return err
	})
	return l, ok, err
}

// DropLease releases the lease, so that another replica need not wait for its expiry.
func (db *DB) DropLease(ctx context.Context, name string, p Process, now time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.DropLease(ctx, gen.DropLeaseParams{Name: name, Process: p.ID, Holder: p.Replica, Now: column.At(now)})
	})
}

// unseen is how long a process may go unseen before another one may take its replica's id.
const unseen = 15 * time.Second

// Join notes that a process runs. It returns fault.Conflict if another process with the replica's id was seen in the last 15 seconds,
// unless it replaces that process, which must have ended.
func (db *DB) Join(ctx context.Context, p Process, replaces bool, now time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.SeeReplica(ctx, gen.SeeReplicaParams{
			ID: p.Replica, Process: p.ID, Version: p.Version, SignerKeys: p.SignerKeys, Now: column.At(now),
			UnseenSince: column.At(now.Add(-unseen)), Replaces: replaces,
		})
		if err == nil && n == 0 {
			err = errTaken
		}
		return err
	})
}

var errTaken = fault.New(fault.Conflict, "another process has this replica's id")

// Leave notes that a process ends, and forgets those that were not seen for long.
func (db *DB) Leave(ctx context.Context, p Process, now time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return errors.Join(tx.ForgetReplica(ctx, gen.ForgetReplicaParams{ID: p.Replica, Process: p.ID}),
			tx.ForgetReplicas(ctx, column.At(now.Add(-forgotten))))
	})
}

// forgotten is after what time a process that has not left is forgotten.
const forgotten = 24 * time.Hour

type fenceKey struct{}

// Fenced returns a context whose writes fail with ErrFenced, and change nothing, once another process has taken the lease. A process
// may believe that it has a lease which has expired meanwhile: when it was suspended, or its clock is wrong.
func Fenced(ctx context.Context, l Lease) context.Context {
	return context.WithValue(ctx, fenceKey{}, l)
}

// fenced returns fn, preceded by the check of the context's lease if it has one. Until its transaction ends, no other process takes the
// lease.
func fenced(ctx context.Context, fn func(context.Context, *Tx) error) func(context.Context, *Tx) error {
	l, ok := ctx.Value(fenceKey{}).(Lease)
	if !ok {
		return fn
	}
	return func(ctx context.Context, tx *Tx) error {
		if err := tx.checkLease(ctx, l); err != nil {
			return err
		}
		return fn(ctx, tx)
	}
}

// fencedIdle is how long a process may leave a transaction that has checked its lease: one that is suspended, or cut off, must not keep
// others from leading.
const fencedIdle = 10 * time.Second

// checkLease returns ErrFenced if the lease has another holder.
func (tx *Tx) checkLease(ctx context.Context, l Lease) error {
	if tx.engine == SQLite { // writes one after the other
		now, err := tx.LeaseOf(ctx, l.Name)
		if err == nil && now.Fence != l.Fence {
			err = ErrFenced
		}
		return err
	}
	// Sent together with BEGIN. The lock waits for no renewal, which does not change the key (name, fence); taking the lease waits for it.
	p := tx.Pipeline()
	p.batch.Queue(endIfIdle(fencedIdle))
	p.batch.Queue("SELECT 1 FROM lease WHERE name = $1 AND fence = $2 FOR KEY SHARE", l.Name, l.Fence).Exec(p.count)
	if err := p.Send(ctx); err != nil {
		return err
	}
	if p.Changed[0] == 0 {
		return ErrFenced
	}
	return nil
}
