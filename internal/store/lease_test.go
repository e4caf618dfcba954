package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// leases is a database and its clock.
type leases struct {
	*testing.T
	db  *store.DB
	now time.Time
}

func (l *leases) take(p store.Process) (fence int64) {
	l.Helper()
	lease, ok, err := l.db.TakeLease(l.Context(), "work", p, l.now, 10*time.Second)
	if err != nil {
		l.Fatal(err)
	}
	if !ok {
		return 0
	}
	return lease.Fence
}

func eachLeases(t *testing.T, f func(l *leases)) {
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			f(&leases{t, testkit.Database(t, engine), noon})
		})
	}
}

var one, two = store.Process{Replica: "one", ID: "p1"}, store.Process{Replica: "two", ID: "p2"}

func TestLease_ItsNumberRisesWithEachHolder(t *testing.T) {
	t.Parallel()
	eachLeases(t, func(l *leases) {
		want := func(what string, p store.Process, fence int64) {
			l.Helper()
			if got := l.take(p); got != fence {
				l.Errorf("%s: %d, want %d", what, got, fence)
			}
		}
		want("new", one, 1)
		want("another's", two, 0)
		l.now = l.now.Add(9 * time.Second)
		want("renewed", one, 1)
		l.now = l.now.Add(9 * time.Second)
		want("renewed in time", two, 0)
		l.now = l.now.Add(time.Second)
		want("expired", two, 2)
		want("lost", one, 0)
		if err := l.db.DropLease(l.Context(), "work", two, l.now); err != nil {
			l.Fatal(err)
		}
		want("released", one, 3)
	})
}

// A process that was suspended while its lease expired writes nothing, however long it believes that it holds it.
// Spec: RUN-18
func TestFence_RefusesWhatAFormerHolderWrites(t *testing.T) {
	t.Parallel()
	eachLeases(t, func(l *leases) {
		fence := l.take(one)
		former := store.Fenced(l.Context(), store.Lease{Name: "work", Fence: fence})
		ran := 0
		write := func(ctx context.Context) error {
			return l.db.Write(ctx, func(context.Context, *store.Tx) error { ran++; return nil })
		}
		if err := write(former); err != nil {
			l.Fatal(err)
		}
		l.now = l.now.Add(time.Minute)
		next := store.Fenced(l.Context(), store.Lease{Name: "work", Fence: l.take(two)})
		if err := write(former); !errors.Is(err, store.ErrFenced) || ran != 1 {
			l.Errorf("the former holder: %v, ran %d times", err, ran)
		}
		if err := write(next); err != nil {
			l.Errorf("the holder: %v", err)
		}
		if err := write(l.Context()); err != nil {
			l.Errorf("without a lease: %v", err)
		}
	})
}

// Nobody takes the lease between the check of a write and its commit; renewing it does not wait for the write.
// Spec: RUN-18
func TestFence_TakingTheLeaseWaitsForWritesUnderWay(t *testing.T) {
	t.Parallel()
	l := &leases{t, testkit.Database(t, store.PostgreSQL), noon}
	fenced := store.Fenced(l.Context(), store.Lease{Name: "work", Fence: l.take(one)})
	checked, commit, written := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		written <- l.db.Write(fenced, func(context.Context, *store.Tx) error { close(checked); <-commit; return nil })
	}()
	defer close(commit)
	<-checked
	if fence := l.take(one); fence != 1 {
		t.Fatalf("renewed: %d", fence)
	}
	l.now = l.now.Add(time.Minute)
	taken := make(chan int64, 1)
	go func() { taken <- l.take(two) }()
	select {
	case fence := <-taken:
		t.Fatalf("taken, with number %d, while a write was under way", fence)
	case <-time.After(300 * time.Millisecond): // it waits: there is no event for that
	}
	commit <- struct{}{}
	if err, fence := <-written, <-taken; err != nil || fence != 2 {
		t.Errorf("the write: %v; then taken with number %d", err, fence)
	}
}

// A leader that is suspended in the middle of a write keeps nobody from leading: PostgreSQL ends its session.
func TestFence_ASuspendedWriteDoesNotKeepTheLease(t *testing.T) {
	t.Parallel()
	l := &leases{t, testkit.Database(t, store.PostgreSQL), noon}
	fenced := store.Fenced(l.Context(), store.Lease{Name: "work", Fence: l.take(one)})
	checked, wake, written := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		written <- l.db.Write(fenced, func(ctx context.Context, tx *store.Tx) error {
			select {
			case <-checked: // the second attempt is refused
			default:
				close(checked)
			}
			<-wake
			return tx.BumpListing(ctx, "1-7")
		})
	}()
	<-checked
	l.now = l.now.Add(time.Minute)
	if fence := l.take(two); fence != 2 {
		t.Errorf("taken with number %d", fence)
	}
	close(wake)
	if err := <-written; err == nil {
		t.Error("the suspended write was committed")
	}
}

// Spec: RUN-18
func TestReplica_AnIDBelongsToOneProcess(t *testing.T) {
	t.Parallel()
	eachLeases(t, func(l *leases) {
		join := func(what string, p store.Process, replaces, ok bool) {
			l.Helper()
			if err := l.db.Join(l.Context(), p, replaces, l.now); (err == nil) != ok || err != nil && !fault.Is(err, fault.Conflict) {
				l.Errorf("%s: %v", what, err)
			}
		}
		copied := store.Process{Replica: "one", ID: "copy"}
		join("the first", one, true, true)
		l.take(one)
		join("a copy", copied, false, false)
		if l.take(copied) != 0 {
			l.Error("a copy that was refused takes the lease")
		}
		l.now = l.now.Add(5 * time.Second)
		join("seen again", one, false, true)
		l.now = l.now.Add(14 * time.Second)
		join("a copy, soon after", copied, false, false)
		l.now = l.now.Add(time.Second)
		join("a copy, long after", copied, false, true)
		join("the first, after the copy", one, false, false)
		join("the first, started again in its folder", store.Process{Replica: "one", ID: "p3"}, true, true)
		if err := l.db.Leave(l.Context(), store.Process{Replica: "one", ID: "p3"}, l.now); err != nil {
			l.Fatal(err)
		}
		join("a copy, after it has left", copied, false, true)
	})
}

// A process that was killed and started again in its folder leads at once.
func TestReplica_TheNextProcessOfAReplicaTakesItsLease(t *testing.T) {
	t.Parallel()
	eachLeases(t, func(l *leases) {
		again := store.Process{Replica: "one", ID: "again"}
		for _, p := range []store.Process{one, again} {
			if err := l.db.Join(l.Context(), p, true, l.now); err != nil {
				l.Fatal(err)
			}
			if fence := l.take(p); fence == 0 {
				l.Errorf("%s does not take the lease", p.ID)
			}
		}
		if l.take(one) != 0 {
			l.Error("the process before takes it back")
		}
	})
}

// A replica that is frozen while it finds that another one leads stops nobody.
// Spec: RUN-18
func TestLease_AFollowerLocksNothing(t *testing.T) {
	t.Parallel()
	l := &leases{t, testkit.Database(t, store.PostgreSQL), noon}
	fenced := store.Fenced(l.Context(), store.Lease{Name: "work", Fence: l.take(one)})
	asked, thawed, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- l.db.Write(l.Context(), func(ctx context.Context, tx *store.Tx) error {
			expiry := column.At(l.now.Add(10 * time.Second))
			renewed, err := tx.RenewLease(ctx, gen.RenewLeaseParams{Name: "work", Process: two.ID, Holder: two.Replica, ExpiresAt: expiry})
			taken, err2 := tx.TakeLease(ctx, gen.TakeLeaseParams{
				Name: "work", Holder: two.Replica, Process: two.ID, Now: column.At(l.now), ExpiresAt: expiry,
			})
			inserted, err3 := tx.InsertLease(ctx, gen.InsertLeaseParams{Name: "work", Holder: two.Replica, Process: two.ID, ExpiresAt: expiry})
			if len(renewed)+len(taken)+len(inserted) > 0 {
				t.Error("the follower has the lease")
			}
			if err := errors.Join(err, err2, err3); err != nil {
				return err
			}
			asked <- struct{}{}
			<-thawed
			return nil
		})
	}()
	<-asked
	soon, cancel := context.WithTimeout(fenced, 5*time.Second)
	defer cancel()
	if err := l.db.Write(soon, func(context.Context, *store.Tx) error { return nil }); err != nil {
		t.Errorf("the leader's write: %v", err)
	}
	if fence := l.take(one); fence != 1 {
		t.Errorf("renewed: %d", fence)
	}
	close(thawed)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What a process that is suspended has locked is free again after a while.
func TestPostgres_EndsTransactionsThatAreLeft(t *testing.T) {
	t.Parallel()
	l := &leases{t, testkit.Database(t, store.PostgreSQL), noon}
	limit := func(ctx context.Context) (limit string) {
		l.Helper()
		if err := l.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.Statements().QueryRowContext(ctx, "SHOW idle_in_transaction_session_timeout").Scan(&limit)
		}); err != nil {
			l.Fatal(err)
		}
		return limit
	}
	if got := limit(l.Context()); got != "30s" {
		t.Errorf("%s, want 30s", got)
	}
	if got := limit(store.Fenced(l.Context(), store.Lease{Name: "work", Fence: l.take(one)})); got != "10s" {
		t.Errorf("of background work: %s, want 10s", got)
	}
}

// A pool that is in use is no missing database.
func TestReady_WhileAllConnectionsAreInUse(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	for range 16 {
		conn, err := db.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := db.Ready(ctx); err != nil {
		t.Error(err)
	}
}
