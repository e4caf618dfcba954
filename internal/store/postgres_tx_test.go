package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/cart"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// A write that fails leaves nothing, and returns its connection to the pool, which has fewer than the rounds here need.
// Spec: RUN-8
func TestPostgresTx_FailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := db.Write(ctx, storetest.InsertPlayer("here")); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	ways := map[string]func(context.Context, *store.Tx) error{
		"refuses":  func(context.Context, *store.Tx) error { return refused },
		"conflict": storetest.InsertPlayer("here"),
		// The transaction cannot be committed after a failed statement.
		"ignored conflict": func(ctx context.Context, tx *store.Tx) error { _ = storetest.InsertPlayer("here")(ctx, tx); return nil },
		// The last pipeline fails: PostgreSQL stores no zero bytes.
		"announcement": func(ctx context.Context, tx *store.Tx) error {
			return tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: "\x00"})
		},
	}
	for range 20 {
		for name, way := range ways {
			id := "lost " + name
			err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				if err := storetest.InsertPlayer(id)(ctx, tx); err != nil {
					return err
				}
				return way(ctx, tx)
			})
			if err == nil {
				t.Fatalf("%s: no error", name)
			}
			if playerExists(t, db, id) {
				t.Fatalf("%s: the player is there", name)
			}
		}
	}
}

// A caller that leaves in the middle of a write leaves nothing, and gets the reason.
// Spec: RUN-8
func TestPostgresTx_CancelledWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	ways := map[string]func(context.Context, *store.Tx, string, func()) error{
		"first statement": func(ctx context.Context, tx *store.Tx, id string, leave func()) error {
			leave()
			return storetest.InsertPlayer(id)(ctx, tx)
		},
		"first query": func(ctx context.Context, tx *store.Tx, _ string, leave func()) error {
			leave()
			_, err := tx.FrozenPlayer(ctx, "nobody")
			return err
		},
		"later statement": func(ctx context.Context, tx *store.Tx, id string, leave func()) error {
			if err := storetest.InsertPlayer(id)(ctx, tx); err != nil {
				return err
			}
			leave()
			return storetest.InsertPlayer(id+" too")(ctx, tx)
		},
		"later query": func(ctx context.Context, tx *store.Tx, id string, leave func()) error {
			if err := storetest.InsertPlayer(id)(ctx, tx); err != nil {
				return err
			}
			leave()
			_, err := tx.FrozenPlayer(ctx, id)
			return err
		},
		"commit": func(ctx context.Context, tx *store.Tx, id string, leave func()) error {
			if err := storetest.InsertPlayer(id)(ctx, tx); err != nil {
				return err
			}
			leave()
			return nil
		},
	}
	for range 20 { // the pool has fewer connections
		for name, way := range ways {
			ctx, cancel := context.WithCancel(t.Context())
			id := "lost " + name
			err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return way(ctx, tx, id, cancel) })
			if !errors.Is(err, context.Canceled) || playerExists(t, db, id) {
				t.Fatalf("%s: %v; exists: %v", name, err, playerExists(t, db, id))
			}
		}
	}
	if err := db.Write(t.Context(), storetest.InsertPlayer("later")); err != nil {
		t.Fatal(err)
	}
}

// A caller that leaves while its hold waits for a lock holds nothing.
func TestPostgresTx_CancelledHoldLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	if err := db.Write(t.Context(), storetest.InsertPlayer("A")); err != nil {
		t.Fatal(err)
	}
	release, done := lockedBy(t, db, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.TakeHoldTurn(ctx, "A")
		return err
	})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err := cartstore.New(db).Hold(ctx, cart.Holder{PlayerID: "A", Network: "n"}, "1-1", time.Now(), nil)
	if err == nil || fault.Is(err, fault.NotFound) {
		t.Errorf("%v, although the player is locked", err)
	}
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	err = cartstore.New(db).Hold(t.Context(), cart.Holder{PlayerID: "A", Network: "n"}, "1-1", time.Now(), nil)
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("%v, want that the listing is unknown", err)
	}
}

// A caller that leaves while its commit waits for the version of a listing learns what became of the write.
func TestPostgresTx_CommitDoesNotEndWithItsCaller(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	announced := announce.Announcement{Topic: announce.Listing, Payload: "1-1"}
	release, done := lockedBy(t, db, func(ctx context.Context, tx *store.Tx) error { return tx.BumpListing(ctx, "1-1") })
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		result <- db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			defer time.AfterFunc(100*time.Millisecond, cancel)
			return errors.Join(storetest.InsertPlayer("A")(ctx, tx), tx.Announce(ctx, announced))
		})
	}()
	<-ctx.Done()
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := <-result; (err == nil) != playerExists(t, db, "A") {
		t.Errorf("%v; exists: %v", err, playerExists(t, db, "A"))
	}
}

// lockedBy runs a write that keeps its locks until release is called. done gets its result.
func lockedBy(t *testing.T, db *store.DB, lock func(context.Context, *store.Tx) error) (release func(), done <-chan error) {
	t.Helper()
	locked, released, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		result <- db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			err := lock(ctx, tx)
			close(locked)
			<-released
			return err
		})
	}()
	<-locked
	return sync.OnceFunc(func() { close(released) }), result
}

// A write that is chosen to fail in a deadlock runs again.
func TestPostgresTx_DeadlockIsRetried(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	for _, id := range []string{"A", "B"} {
		if err := db.Write(t.Context(), storetest.InsertPlayer(id)); err != nil {
			t.Fatal(err)
		}
	}
	// Each write locks one player, waits until the other write has locked the other one, and then wants that one too.
	locked := map[string]chan struct{}{"A": make(chan struct{}), "B": make(chan struct{})}
	results := make(chan error, 2)
	for mine, other := range map[string]string{"A": "B", "B": "A"} {
		go func() {
			attempts := 0
			results <- db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				attempts++
				if _, err := tx.TakeHoldTurn(ctx, mine); err != nil {
					return err
				}
				if attempts == 1 {
					close(locked[mine])
				}
				<-locked[other]
				_, err := tx.TakeHoldTurn(ctx, other)
				return err
			})
		}()
	}
	for range 2 {
		if err := <-results; err != nil {
			t.Fatal(err)
		}
	}
}
