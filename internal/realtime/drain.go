package realtime

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// Drain shuts the hub down: it refuses new connections, saves all sessions and closes all connections with 1012, in
// random order and with jitter, so that clients do not all reconnect at once. It returns when all are closed or ctx
// ends, which closes the rest immediately. Further calls have no effect.
func (h *Hub) Drain(ctx context.Context) {
	h.drain.Do(func() { h.drainSessions(ctx) })
}

// Connections are closed in this many batches, each of at least the given size, with a pause after each.
const (
	drainSteps = 20
	drainBatch = 25
	drainPause = 50 * time.Millisecond
	// saveTime bounds how long sessions are saved: without a quorum of NATS none can be.
	saveTime = 3 * time.Second
)

func (h *Hub) drainSessions(ctx context.Context) {
	h.mu.Lock()
	h.draining.Store(true)
	transports := slices.Clone(h.transports)
	h.mu.Unlock()
	saving, cancel := context.WithTimeout(ctx, saveTime)
	h.saveAll(saving, h.selectSessions(func(s *session) bool { return s.reliable }))
	cancel()
	rand.Shuffle(len(transports), func(i, j int) { transports[i], transports[j] = transports[j], transports[i] })
	closed := make(chan struct{})
	go func() {
		h.readers.Wait()
		close(closed)
	}()
	for batch := range slices.Chunk(transports, max(drainBatch, len(transports)/drainSteps)) {
		for _, t := range batch {
			t.shut(closeRestart, "")
		}
		select {
		case <-closed:
		case <-ctx.Done():
		case <-time.After(drainPause):
		}
	}
	select {
	case <-closed:
	case <-ctx.Done():
		for _, t := range transports {
			_ = t.conn.Close()
		}
		<-closed
	}
}
