package cart

import (
	"context"
	"sync"
	"time"

	"pantheon/internal/kit/fault"
)

// keyMutex is a mutex for each key, in this process. Callers that wait for a row lock each occupy a connection: when many players want one
// listing they would exhaust the pool. Here they wait without one.
type keyMutex struct {
	mu    sync.Mutex
	locks map[string]*keyLock
}

type keyLock struct {
	free  chan struct{} // has an element while unlocked
	users int           // the holder and the waiters
}

func newKeyMutex() *keyMutex { return &keyMutex{locks: map[string]*keyLock{}} }

// lockTimeout bounds how long a caller waits for a key.
const lockTimeout = 5 * time.Second

var errBusy = &fault.Fault{
	Code: fault.Unavailable, Message: "Very many players want this just now. Please try again in a moment.", RetryAfter: 2 * time.Second,
}

// lock locks a key. It returns fault.Unavailable after lockTimeout, and the context's error when ctx ends.
func (m *keyMutex) lock(ctx context.Context, key string) (unlock func(), err error) {
	m.mu.Lock()
	l := m.locks[key]
	if l == nil {
		l = &keyLock{free: make(chan struct{}, 1)}
		l.free <- struct{}{}
		m.locks[key] = l
	}
	l.users++
	m.mu.Unlock()
	leave := func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(m.locks, key)
		}
	}
	timeout := time.NewTimer(lockTimeout)
	defer timeout.Stop()
	select {
	case <-l.free:
		return func() { l.free <- struct{}{}; leave() }, nil
	case <-timeout.C:
		leave()
		return nil, errBusy
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
