// Package testkit gives tests the real engines: both databases, started and stopped with the test process.
package testkit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
)

// Main runs a package's tests, then stops what they started and fails if a goroutine is left running; options name the
// goroutines of libraries that are known to stay.
func Main(m *testing.M, options ...goleak.Option) {
	code := m.Run()
	if err := stopPostgres(); err != nil {
		fmt.Fprintln(os.Stderr, "testkit: stopping PostgreSQL:", err)
		code = max(code, 1)
	}
	if code == 0 {
		// database/sql closes its opener asynchronously after DB.Close.
		options = append(options, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
		if err := goleak.Find(options...); err != nil {
			fmt.Fprintln(os.Stderr, "testkit:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// EachDatabase runs the test once on a new SQLite database and once on a new PostgreSQL one, in parallel.
func EachDatabase(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	eachEngine(t, func(t *testing.T, engine store.Engine) { test(t, Database(t, engine)) })
}

// EachDatabaseAt is EachDatabase with databases that each go by a clock of their own, which stands at a time.
func EachDatabaseAt(t *testing.T, at time.Time, test func(t *testing.T, db *store.DB, c *clock.Fake)) {
	t.Helper()
	eachEngine(t, func(t *testing.T, engine store.Engine) {
		c, o := clock.NewFake(at), DatabaseOptions(t, engine)
		o.Clock = c
		test(t, open(t, o), c)
	})
}

func eachEngine(t *testing.T, test func(t *testing.T, engine store.Engine)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			test(t, engine)
		})
	}
}

// Database opens a new, migrated database that is closed when the test ends.
func Database(t testing.TB, engine store.Engine) *store.DB {
	t.Helper()
	return open(t, DatabaseOptions(t, engine))
}

func open(t testing.TB, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error("closing the database:", err)
		}
	})
	return db
}

// DatabaseOptions names a new, empty database of the engine, for tests that open it themselves.
func DatabaseOptions(t testing.TB, engine store.Engine) store.Options {
	t.Helper()
	if engine == store.PostgreSQL {
		return store.Options{URL: postgresDatabase(t)}
	}
	return store.Options{Path: filepath.Join(t.TempDir(), "pantheon.db")}
}

// Eventually waits until check returns true, and fails the test with the message after the limit. It polls:
// use it for what happens in another process, where no channel can tell.
func Eventually(t testing.TB, limit time.Duration, check func() bool, format string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !check() {
		select {
		case <-ctx.Done():
			t.Fatalf(format, args...)
		case <-tick.C:
		}
	}
}
