package cart

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestTurns_OneAfterTheOtherByKey(t *testing.T) {
	t.Parallel()
	turns := newTurns()
	var all sync.WaitGroup
	counts := map[string]*int{"a": new(int), "b": new(int)}
	for key, n := range counts {
		for range 200 {
			all.Go(func() {
				done, err := turns.take(t.Context(), key)
				if err != nil {
					t.Error(err)
					return
				}
				*n++
				done()
			})
		}
	}
	all.Wait()
	if *counts["a"] != 200 || *counts["b"] != 200 || len(turns.keys) != 0 {
		t.Errorf("%d and %d turns, %d keys are left", *counts["a"], *counts["b"], len(turns.keys))
	}
}

func TestTurns_WhoeverGivesUpIsSkipped(t *testing.T) {
	t.Parallel()
	turns := newTurns()
	done, err := turns.take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.take(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn after its context has ended: %v", err)
	}
	if other, err := turns.take(t.Context(), "b"); err != nil {
		t.Errorf("another key: %v", err)
	} else {
		other()
	}
	done()
	if done, err = turns.take(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	done()
	if len(turns.keys) != 0 {
		t.Errorf("%d keys are left", len(turns.keys))
	}
}
