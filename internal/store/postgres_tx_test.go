package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/portal/cart"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// A write that fails leaves nothing, and returns its connection to the pool, which has fewer than the rounds here need.
func TestPostgresTx_FailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := db.Write(ctx, insertPlayer("here")); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	ways := map[string]func(context.Context, *store.Tx) error{
		"refuses":  func(context.Context, *store.Tx) error { return refused },
		"conflict": insertPlayer("here"),
		// The transaction cannot be committed after a failed statement.
		"ignored conflict": func(ctx context.Context, tx *store.Tx) error { _ = insertPlayer("here")(ctx, tx); return nil },
		// The last pipeline fails: PostgreSQL stores no zero bytes.
		"announcement": func(ctx context.Context, tx *store.Tx) error {
			return tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: "\x00"})
		},
	}
	for range 20 {
		for name, way := range ways {
			id := "lost " + name
			err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				if err := insertPlayer(id)(ctx, tx); err != nil {
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

// A caller that leaves in the middle of a write, also of one that begins with a pipeline, leaves nothing.
func TestPostgresTx_CancelledWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	if err := db.Write(t.Context(), insertPlayer("holder")); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		id := fmt.Sprint("lost", i)
		err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			if err := insertPlayer(id)(ctx, tx); err != nil {
				return err
			}
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) || playerExists(t, db, id) {
			t.Fatalf("%v; exists: %v", err, playerExists(t, db, id))
		}
		by := cart.Holder{PlayerID: "holder", Network: "n"}
		if err := db.Hold(ctx, by, "1-1", time.Now(), nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if err := db.Write(t.Context(), insertPlayer("later")); err != nil {
		t.Fatal(err)
	}
}

// A write that is chosen to fail in a deadlock runs again.
func TestPostgresTx_DeadlockIsRetried(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.PostgreSQL)
	for _, id := range []string{"A", "B"} {
		if err := db.Write(t.Context(), insertPlayer(id)); err != nil {
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
