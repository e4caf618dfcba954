// Package testkit gives tests real dependencies: both databases, started and stopped with the test process.
package testkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
)

// Main runs a package's tests, then stops what they started and fails if a goroutine is left running; options name
// goroutines of libraries that are known to remain.
func Main(m *testing.M, options ...goleak.Option) {
	code := m.Run()
	if err := cluster.stop(); err != nil {
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

// EachDatabaseAt is EachDatabase with databases that each have their own clock, set to a time.
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

// DatabaseOptions returns a new database of the engine with all migrations applied, for tests that open it themselves.
func DatabaseOptions(t testing.TB, engine store.Engine) store.Options {
	t.Helper()
	if engine == store.PostgreSQL {
		template := migratedPostgres(t)
		return store.Options{URL: createPostgres(t, template)}
	}
	o := EmptyDatabaseOptions(t, engine)
	if err := os.WriteFile(o.Path, migratedSQLite(t), 0o600); err != nil {
		t.Fatal(err)
	}
	o.NoSync = true // test data need not survive the process
	return o
}

// EmptyDatabaseOptions returns a new, empty database of the engine, for tests of migrations.
func EmptyDatabaseOptions(t testing.TB, engine store.Engine) store.Options {
	t.Helper()
	if engine == store.PostgreSQL {
		return store.Options{URL: createPostgres(t, "template0")}
	}
	return store.Options{Path: filepath.Join(t.TempDir(), "pantheon.db")}
}

// The migrations take longer than most tests: they run once for each engine, and databases are copies.
var migrated struct {
	sqlite, postgres       sync.Once
	sqliteFile             []byte
	sqliteErr, postgresErr error
}

func migratedSQLite(t testing.TB) []byte {
	t.Helper()
	migrated.sqlite.Do(func() { migrated.sqliteFile, migrated.sqliteErr = migrateSQLite() })
	if migrated.sqliteErr != nil {
		t.Fatal("testkit: migrating SQLite:", migrated.sqliteErr)
	}
	return migrated.sqliteFile
}

func migrateSQLite() (_ []byte, err error) {
	folder, err := os.MkdirTemp("", "pantheon-sqlite-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "pantheon.db")
	if err := migrate(store.Options{Path: path}); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// migrate applies the migrations to a database. The context is not a test's: the result is shared by all tests.
func migrate(o store.Options) error {
	db, err := store.Open(context.Background(), o)
	if err != nil {
		return err
	}
	return db.Close()
}

// Eventually waits until check returns true, and fails the test with the message after the limit. It polls:
// use it for events in another process, which cannot signal a channel.
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
