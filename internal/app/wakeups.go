package app

import (
	"context"

	"pantheon/internal/realtime"
)

// wakeups tell the replica that leads of work that another one has made, which it would find at its next look: by NATS, where several
// replicas share one. A message that is lost costs that wait.
type wakeups struct {
	peers *realtime.Peers // nil without other replicas
	leads func() bool
	work  map[string]func()
}

// everywhere returns a function that calls wake, and in the other replicas that which has the same name there. It never blocks.
func (w *wakeups) everywhere(name string, wake func()) func() {
	w.work[name] = wake
	return func() {
		wake()
		if w.peers != nil && !w.leads() {
			_ = w.peers.Send([]byte(name))
		}
	}
}

// run passes on what the other replicas send, until ctx ends.
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
	<-ctx.Done()
	return nil
}
