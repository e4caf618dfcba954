package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"pantheon/internal/kit/periodic"
	"pantheon/internal/realtime"
)

// wakeups notify the leader, through NATS, of work that another replica has queued. A lost notification costs the wait until the leader
// polls.
type wakeups struct {
	peers *realtime.Peers // nil without other replicas
	leads func() bool
	work  map[string]func()
	loop  periodic.Loop // sends the notifications

	mu      sync.Mutex
	pending map[string]bool // notifications to be sent
}

func newWakeups(leads func() bool) *wakeups {
	return &wakeups{leads: leads, work: map[string]func(){}, loop: periodic.NewLoop(), pending: map[string]bool{}}
}

// broadcast returns a function that calls wake here, and asynchronously what is registered by this name in the other replicas. It never
// blocks.
func (w *wakeups) broadcast(name string, wake func()) func() {
	w.work[name] = wake
	return func() {
		wake()
		if w.peers == nil || w.leads() {
			return
		}
		w.mu.Lock()
		w.pending[name] = true
		w.mu.Unlock()
		w.loop.Wake()
	}
}

// wakeupsIdle is how long run sleeps while nothing is pending.
const wakeupsIdle = time.Minute

// run sends notifications and handles those of other replicas until ctx ends.
func (w *wakeups) run(ctx context.Context) error {
	stop, err := w.peers.Receive(func(name []byte) {
		if wake := w.work[string(name)]; wake != nil {
			wake()
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	ignore := func(error) {} // the part "messages" reports a lost connection
	return w.loop.Run(ctx, func(context.Context) (time.Duration, error) { return wakeupsIdle, w.send() }, ignore)
}

func (w *wakeups) send() error {
	w.mu.Lock()
	names := slices.Collect(maps.Keys(w.pending))
	clear(w.pending)
	w.mu.Unlock()
	var errs []error
	for _, name := range names {
		errs = append(errs, w.peers.Send([]byte(name)))
	}
	return errors.Join(errs...)
}
