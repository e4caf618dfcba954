package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// moving is a database whose server becomes read-only, as one does that is no longer the primary.
type moving struct {
	t     *testing.T
	db    *store.DB
	admin *sql.DB
	name  string
}

func newMoving(t *testing.T) *moving {
	t.Helper()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", o.URL)
	if err != nil {
		t.Fatal(err)
	}
	admin.SetMaxOpenConns(1)
	t.Cleanup(func() { _, _ = db.Close(), admin.Close() })
	m := &moving{t: t, db: db, admin: admin}
	if err := admin.QueryRow("SELECT current_database()").Scan(&m.name); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *moving) exec(statement string) {
	m.t.Helper()
	if _, err := m.admin.ExecContext(m.t.Context(), statement); err != nil {
		m.t.Fatal(err)
	}
}

// lose makes all sessions read-only: open ones end, new ones are.
func (m *moving) lose() {
	m.t.Helper()
	m.exec("ALTER DATABASE " + m.name + " SET default_transaction_read_only = on")
	m.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
}

// promote makes new sessions writable. Open ones stay as they are.
func (m *moving) promote() {
	m.exec("ALTER DATABASE " + m.name + " RESET default_transaction_read_only")
}

// fill uses as many connections as the pool keeps, all at the same time.
func (m *moving) fill() error {
	var inside, all sync.WaitGroup
	inside.Add(16)
	errs := make([]error, 16)
	for i := range errs {
		all.Go(func() {
			enter := sync.OnceFunc(inside.Done) // it may run again
			errs[i] = m.db.Write(m.t.Context(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.FrozenPlayers(ctx)
				enter()
				inside.Wait()
				return err
			})
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func TestPostgres_ConnectionsOfBeforeAFailoverAreReplaced(t *testing.T) {
	t.Parallel()
	m := newMoving(t)
	m.lose()
	testkit.Eventually(t, 30*time.Second, func() bool { return m.fill() == nil }, "the pool is not filled")
	m.promote()
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			if err := m.db.Write(t.Context(), storetest.InsertPlayer(fmt.Sprint("P", i))); err != nil {
				t.Errorf("registration %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if err := m.db.Ready(t.Context()); err != nil {
		t.Errorf("readiness: %v", err)
	}
}

func TestPostgres_ReadOnlyServerIsUnavailableAndNotReady(t *testing.T) {
	t.Parallel()
	m := newMoving(t)
	m.lose()
	testkit.Eventually(t, 30*time.Second, func() bool { return errors.Is(m.db.Ready(t.Context()), store.ErrReadOnly) },
		"it is not seen to be read-only")
	for i := range 20 {
		err := m.db.Write(t.Context(), storetest.InsertPlayer(fmt.Sprint("P", i)))
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter != 5*time.Second {
			t.Fatalf("a registration: %v", err)
		}
	}
	m.promote()
	testkit.Eventually(t, 30*time.Second, func() bool { return m.db.Ready(t.Context()) == nil }, "it is not ready again")
	if err := m.db.Write(t.Context(), storetest.InsertPlayer("P")); err != nil {
		t.Errorf("a registration afterwards: %v", err)
	}
}

func TestPostgres_EncodingMustBeUTF8(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	admin, err := sql.Open("pgx", o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		name := "test_" + strings.ToLower(encoding)
		if _, err := admin.Exec("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING '" + encoding +
			"' LC_COLLATE 'C' LC_CTYPE 'C'"); err != nil {
			t.Fatal(err)
		}
		at := o.URL[:strings.LastIndex(o.URL, "/")+1] + name + "?sslmode=disable"
		_, err := store.Open(t.Context(), store.Options{URL: at})
		if err == nil || strings.Contains(err.Error(), "\n") ||
			!strings.HasPrefix(err.Error(), "database: its encoding is "+encoding+" and must be UTF8: ") {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

func TestPostgres_WorksBehindAPoolerInTransactionMode(t *testing.T) {
	t.Parallel()
	url := testkit.Pooler(t, testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL)
	var replicas []*store.DB
	for range 2 {
		db, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		replicas = append(replicas, db)
	}
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			db, id := replicas[i%2], fmt.Sprint("P", i)
			if err := db.Write(t.Context(), storetest.InsertPlayer(id)); err != nil {
				t.Error(err)
				return
			}
			if !playerExists(t, db, id) {
				t.Errorf("%s is not there", id)
			}
		})
	}
	all.Wait()
}

func TestPostgres_PreparedStatementsThatAPoolerLosesAreExplained(t *testing.T) {
	t.Parallel()
	url := testkit.Pooler(t, testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL) + "&default_query_exec_mode=cache_statement"
	for range 10 {
		db, err := store.Open(t.Context(), store.Options{URL: url})
		if err == nil {
			_ = db.Close()
			continue
		}
		if !strings.HasPrefix(err.Error(), "database: a pooler between the portal and PostgreSQL does not keep prepared statements: set "+
			"default_query_exec_mode=cache_describe in DATABASE_URL") {
			t.Fatal(err)
		}
		return
	}
	t.Error("no start failed")
}

// A server restart terminates all sessions, idle ones in the pool included. Later reads and writes are retried on new connections.
// Spec: RUN-19
func TestPostgres_SessionsThatTheServerHasEndedAreReplacedUnnoticed(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	db := reopen(t, o)
	t.Cleanup(func() { closeDB(t, db) })
	raw := testkit.Connect(t, "pgx", o.URL)
	all := func(what string) {
		t.Helper()
		var work sync.WaitGroup
		for i := range 32 {
			work.Go(func() {
				if i%2 == 0 {
					if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.BumpListing(ctx, "1-7") }); err != nil {
						t.Errorf("%s: a write: %v", what, err)
					}
					return
				}
				err := db.Read(t.Context(), func(q *gen.Queries) error {
					_, err := q.Replicas(t.Context(), column.Time{})
					return err
				})
				if err != nil {
					t.Errorf("%s: a read: %v", what, err)
				}
			})
		}
		work.Wait()
	}
	all("before")
	if err := db.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, raw, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	if err := db.Ready(t.Context()); err != nil {
		t.Errorf("the check: %v", err)
	}
	all("after")
}
