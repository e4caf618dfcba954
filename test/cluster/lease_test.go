package cluster_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// leases is the lease of a PostgreSQL database, as both versions take it.
type leases struct {
	*testing.T
	db      *store.DB
	before  *sql.DB // of the release before
	watched *sql.DB
	now     time.Time
}

func newLeases(t *testing.T) *leases {
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	db, err := store.Open(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return &leases{t, db, testkit.Connect(t, "pgx", o.URL), testkit.Connect(t, "pgx", o.URL), noon}
}

// take takes the lease for a replica of this version, and returns the context of its work.
func (l *leases) take(replica string) context.Context {
	l.Helper()
	lease, ok, err := l.db.TakeLease(l.Context(), "work", store.Process{Replica: replica, ID: replica}, l.now, 10*time.Second)
	if err != nil || !ok {
		l.Fatalf("%s does not lead: %v", replica, err)
	}
	return store.Fenced(l.Context(), lease)
}

// takeBefore takes the lease as the release before does, which knows no fencing number.
func (l *leases) takeBefore() error {
	_, err := l.before.ExecContext(l.Context(), `INSERT INTO lease (name, holder, expires_at) VALUES ('work', 'before', $1)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
		WHERE lease.holder = excluded.holder OR lease.expires_at <= $2`, l.now.Add(10*time.Second).UnixMilli(), l.now.UnixMilli())
	return err
}

// dropBefore releases the lease as the release before does.
func (l *leases) dropBefore() error {
	_, err := l.before.ExecContext(l.Context(), "DELETE FROM lease WHERE name = 'work' AND holder = 'before'")
	return err
}

// refuses checks that a leader's write is refused.
func (l *leases) refuses(leader context.Context) {
	l.Helper()
	if err := l.db.Write(leader, func(context.Context, *store.Tx) error { return nil }); !errors.Is(err, store.ErrFenced) {
		l.Errorf("a former leader's write: %v, want %v", err, store.ErrFenced)
	}
}

// A leader that was suspended while its lease expired writes nothing more while the release before leads.
// Spec: RUN-18
func TestUpgrade_AFormerLeaderIsRefusedWhileTheReleaseBeforeLeads(t *testing.T) {
	t.Parallel()
	l := newLeases(t)
	former := l.take("former")
	l.now = l.now.Add(time.Minute)
	must(t, l.takeBefore())
	l.refuses(former)
}

// Nor once the release before has led and released the lease.
// Spec: RUN-18
func TestUpgrade_AFormerLeaderIsRefusedOnceTheReleaseBeforeHasLed(t *testing.T) {
	t.Parallel()
	l := newLeases(t)
	former := l.take("former")
	l.now = l.now.Add(time.Minute)
	must(t, l.takeBefore())
	must(t, l.dropBefore())
	l.take("next")
	l.refuses(former)
}

// The release before, too, leads only once the writes under way are committed.
// Spec: RUN-18
func TestUpgrade_TheReleaseBeforeWaitsForWritesUnderWay(t *testing.T) {
	t.Parallel()
	l := newLeases(t)
	leader := l.take("leader")
	l.now = l.now.Add(time.Minute)
	taken := make(chan error, 1)
	must(t, l.db.Write(leader, func(context.Context, *store.Tx) error {
		go func() { taken <- l.takeBefore() }()
		testkit.Eventually(t, waitTimeout, func() bool {
			if len(taken) > 0 {
				t.Fatal("the release before leads while a write is under way")
			}
			var waits bool
			const waiting = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
			must(t, l.watched.QueryRowContext(t.Context(), waiting).Scan(&waits))
			return waits
		}, "the release before does not ask for the lease")
		return nil
	}))
	must(t, <-taken)
	l.refuses(leader)
}
