package cart

import (
	"context"
	"sync"
	"time"

	"pantheon/internal/kit/fault"
)

// turns lets callers with the same key go one after the other, in this process. Those who wait for a listing's lock in the database each
// occupy a connection: when many players want one listing they would take all, and every other call would wait.
type turns struct {
	mu   sync.Mutex
	keys map[string]*turn
}

type turn struct {
	free  chan struct{} // has an element while nobody's turn it is
	users int           // who wait, and whose turn it is
}

func newTurns() *turns { return &turns{keys: map[string]*turn{}} }

// turnTime is how long a caller waits for a turn at most.
const turnTime = 5 * time.Second

var errBusy = &fault.Fault{
	Code: fault.Unavailable, Message: "Very many players want this just now. Please try again in a moment.", RetryAfter: 2 * time.Second,
}

// take waits for the caller's turn, until ctx ends. The caller ends it by done. It returns fault.Unavailable if it takes too long.
func (t *turns) take(ctx context.Context, key string) (done func(), err error) {
	t.mu.Lock()
	k := t.keys[key]
	if k == nil {
		k = &turn{free: make(chan struct{}, 1)}
		k.free <- struct{}{}
		t.keys[key] = k
	}
	k.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if k.users--; k.users == 0 {
			delete(t.keys, key)
		}
	}
	timer := time.NewTimer(turnTime)
	defer timer.Stop()
	select {
	case <-timer.C:
		leave()
		return nil, errBusy
	case <-k.free:
		return func() { k.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
