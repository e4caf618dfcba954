package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/panics"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// Spec: RUN-7
func TestOpen_ReplicasMigrateOneAfterTheOther(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, options store.Options, _ *sql.DB) {
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				db, err := store.Open(t.Context(), options)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

// The driver's error for a connection that ended between two statements has no type.
func TestWrite_ConnectionThatEndedIsUnavailable(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	ended, err := pgconn.Connect(t.Context(), o.URL)
	if err == nil {
		err = ended.Close(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	db := testkit.Database(t, store.SQLite)
	err = db.Write(t.Context(), func(ctx context.Context, _ *store.Tx) error {
		_, err := ended.Exec(ctx, "SELECT 1").ReadAll()
		return err
	})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("%v, want an unavailable fault", err)
	}
}

func playerExists(t *testing.T, db *store.DB, id string) bool {
	t.Helper()
	err := db.Read(t.Context(), func(q *gen.Queries) error {
		_, err := q.Player(t.Context(), id)
		return err
	})
	return err == nil
}

func TestStore_FailedWriteUndoesOnlyItself(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		refused := errors.New("refused")
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				id := string(rune('A' + i))
				err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					if err := storetest.InsertPlayer(id)(ctx, tx); err != nil {
						return err
					}
					if i%2 == 1 {
						return refused
					}
					return nil
				})
				if want := i%2 == 1; errors.Is(err, refused) != want {
					t.Errorf("write %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		for i := range 40 {
			if got, want := playerExists(t, db, string(rune('A'+i))), i%2 == 0; got != want {
				t.Errorf("player %d exists: %v, want %v", i, got, want)
			}
		}
	})
}

// A caller refused because of a row can read that row.
func TestWrite_ErrorDueToAnotherWriteIsReturnedAfterItsCommit(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		known := errors.New("known already")
		for round := range 40 {
			id := fmt.Sprint("P", round)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
						if _, err := tx.Player(ctx, id); err == nil {
							return known
						}
						return storetest.InsertPlayer(id)(ctx, tx)
					})
					if errors.Is(err, known) && !playerExists(t, db, id) {
						t.Errorf("%s is known already, but does not exist", id)
					}
				})
			}
			wg.Wait()
		}
	})
}

// More writes wait than fit into one transaction: each is carried out, and answered.
// Spec: RUN-8
func TestStore_NoneOfManyWaitingWritesIsForgotten(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const writers = 500
		var answered atomic.Int64
		for round := range 3 {
			var waiting atomic.Int64
			for i := range writers {
				go func() {
					waiting.Add(1)
					if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
						for i == 0 && waiting.Load() < writers {
							runtime.Gosched() // the others queue up behind the first
						}
						return storetest.InsertPlayer(fmt.Sprint(round, "-", i))(ctx, tx)
					}); err != nil {
						t.Error(err)
					}
					answered.Add(1)
				}()
			}
			testkit.Eventually(t, 30*time.Second, func() bool { return answered.Load() == int64(writers*(round+1)) }, "%d of %d writes are answered",
				&answered, writers*(round+1))
		}
	})
}

func TestStore_PanicInAWriteIsItsCallers(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		var others sync.WaitGroup
		for i := range 16 {
			others.Go(func() {
				if err := db.Write(t.Context(), storetest.InsertPlayer(fmt.Sprint("other ", i))); err != nil {
					t.Error("another caller:", err)
				}
			})
		}
		err := panics.Call(func() error {
			return db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				if err := storetest.InsertPlayer("A")(ctx, tx); err != nil {
					return err
				}
				return breakDown()
			})
		})
		p, ok := errors.AsType[*panics.Panic](err)
		if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "breakDown") {
			t.Fatalf("the caller is given %v", err)
		}
		others.Wait()
		if err := db.Write(t.Context(), storetest.InsertPlayer("A")); err != nil { // rolled back before
			t.Fatal("the writer did not survive:", err)
		}
	})
}

func breakDown() error { panic("boom") }

func TestStore_CallerThatGoesAwayDoesNotHarmTheOthers(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := db.Write(gone, storetest.InsertPlayer("A")); !errors.Is(err, context.Canceled) {
			t.Fatalf("a cancelled write returned %v", err)
		}
		if err := db.Write(t.Context(), storetest.InsertPlayer("B")); err != nil {
			t.Fatal(err)
		}
		if playerExists(t, db, "A") || !playerExists(t, db, "B") {
			t.Fatal("the wrong players were written")
		}
	})
}

func TestStore_DataSurvivesReopening(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			o := testkit.EmptyDatabaseOptions(t, engine)
			for _, id := range []string{"A", "B"} {
				db, err := store.Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if err := db.Write(t.Context(), storetest.InsertPlayer(id)); err != nil {
					t.Fatal(err)
				}
				if !playerExists(t, db, "A") {
					t.Fatal("the first write is gone")
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestStore_OutboxIsWokenAfterTheCommit(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.SQLite)
	woken := make(chan struct{}, 8)
	o.OnOutbox = func() { woken <- struct{}{} }
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Write(t.Context(), storetest.InsertPlayer("A")); err != nil {
		t.Fatal(err)
	}
	if len(woken) != 0 {
		t.Fatal("woken by a write without outbox rows")
	}
	announce := func(ctx context.Context, tx *store.Tx) error {
		return tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: "1-1"})
	}
	if err := db.Write(t.Context(), announce); err != nil {
		t.Fatal(err)
	}
	if len(woken) != 1 {
		t.Fatalf("woken %d times, want once", len(woken))
	}
}
