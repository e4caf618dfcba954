package app

import (
	"context"
	"maps"
	"slices"
	"sync"

	"pantheon/internal/realtime"
)

// wakeups tell the replica that leads of work that another one has made, which it would find at its next look: by NATS, where several
// replicas share one. A message that is lost costs that wait.
type wakeups struct {
	peers *realtime.Peers // nil without other replicas
	leads func() bool
	work  map[string]func()

	mu     sync.Mutex
	untold map[string]bool // the work that the others are to be told of
	tell   chan struct{}   // has an element while there is some
}

func newWakeups(leads func() bool) *wakeups {
	return &wakeups{leads: leads, work: map[string]func(){}, untold: map[string]bool{}, tell: make(chan struct{}, 1)}
}

// everywhere returns a function that calls wake, and in the other replicas that which has the same name there. It never blocks: a
// connection to NATS may.
func (w *wakeups) everywhere(name string, wake func()) func() {
	w.work[name] = wake
	return func() {
		wake()
		if w.peers == nil || w.leads() {
			return
		}
		w.mu.Lock()
		w.untold[name] = true
		w.mu.Unlock()
		select {
		case w.tell <- struct{}{}:
		default:
		}
	}
}

// run tells the other replicas, and passes on what they tell, until ctx ends.
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
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.tell:
		}
		w.mu.Lock()
		names := slices.Collect(maps.Keys(w.untold))
		clear(w.untold)
		w.mu.Unlock()
		for _, name := range names {
			_ = w.peers.Send([]byte(name))
		}
	}
}
