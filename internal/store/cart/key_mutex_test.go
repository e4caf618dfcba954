package cart

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pantheon/internal/kit/fault"
)

func TestKeyMutex_ExcludesByKey(t *testing.T) {
	t.Parallel()
	m := newKeyMutex()
	var all sync.WaitGroup
	counts := map[string]*int{"a": new(int), "b": new(int)}
	for key, n := range counts {
		for range 200 {
			all.Go(func() {
				unlock, err := m.lock(t.Context(), key)
				if err != nil {
					t.Error(err)
					return
				}
				*n++
				unlock()
			})
		}
	}
	all.Wait()
	if *counts["a"] != 200 || *counts["b"] != 200 || len(m.locks) != 0 {
		t.Errorf("%d and %d, want 200 each; %d keys are left", *counts["a"], *counts["b"], len(m.locks))
	}
}

func TestKeyMutex_WaitersGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newKeyMutex()
		unlock, err := m.lock(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.lock(ctx, "a"); !errors.Is(err, context.Canceled) {
			t.Errorf("after the caller has left: %v", err)
		}
		began := time.Now()
		_, err = m.lock(t.Context(), "a")
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter != 2*time.Second {
			t.Errorf("a key that stays locked: %v", err)
		}
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("a waiter gives up after %s, want 5s", waited)
		}
		if other, err := m.lock(t.Context(), "b"); err != nil {
			t.Errorf("another key: %v", err)
		} else {
			other()
		}
		unlock()
		if unlock, err = m.lock(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		unlock()
		if len(m.locks) != 0 {
			t.Errorf("%d keys are left", len(m.locks))
		}
	})
}
