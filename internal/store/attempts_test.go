package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

const quarter = 15 * time.Minute

// Spec: ACCOUNT-24
func TestAttempts_ReplicasCountTogether(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	now := time.Date(2026, 5, 1, 12, 1, 0, 0, time.UTC)
	var counted atomic.Int64
	var replicas sync.WaitGroup
	for range 3 {
		db, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		for range 8 {
			replicas.Go(func() {
				ok, err := store.Attempts{DB: db}.Count(t.Context(), "account and network", 10, quarter, now)
				if err != nil {
					t.Error(err)
				}
				if ok {
					counted.Add(1)
				}
			})
		}
	}
	replicas.Wait()
	if n := counted.Load(); n != 10 {
		t.Errorf("%d attempts were let through, want 10", n)
	}
}

// Attempts of the quarter before count as long as the last quarter of an hour covers them.
func TestAttempts_FadeWithTheirPeriod(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		attempts := store.Attempts{DB: db}
		most := func(at time.Time) (n int) {
			t.Helper()
			for ; n < 100; n++ {
				ok, err := attempts.Count(t.Context(), "key", 10, quarter, at)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					return n
				}
			}
			return n
		}
		noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		for _, step := range []struct {
			at   time.Duration
			want int
		}{{0, 10}, {14 * time.Minute, 0}, {15 * time.Minute, 0}, {18 * time.Minute, 2}, {22*time.Minute + 30*time.Second, 3}, {time.Hour, 10}} {
			if got := most(noon.Add(step.at)); got != step.want {
				t.Errorf("%s after noon: %d more attempts, want %d", step.at, got, step.want)
			}
		}
		if err := attempts.TakeBack(t.Context(), "key", quarter, noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := most(noon.Add(time.Hour + time.Minute)); got != 1 {
			t.Errorf("after one was taken back: %d more, want 1", got)
		}
		if ok, err := attempts.Count(t.Context(), "another key", 10, quarter, noon); err != nil || !ok {
			t.Errorf("another key: %v, %v", ok, err)
		}
	})
}
