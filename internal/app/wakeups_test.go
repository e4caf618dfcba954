package app

import (
	"sync/atomic"
	"testing"

	"pantheon/internal/realtime"
	"pantheon/internal/testkit"
)

// Work that a follower makes is begun by the leader at once.
func TestWakeups_FollowersWakeTheLeader(t *testing.T) {
	t.Parallel()
	url := natsWithPassword(t)
	type replica struct {
		*wakeups
		woken atomic.Int64
		wake  func()
	}
	start := func(leads bool) *replica {
		nats, err := realtime.StartNATS(realtime.NATSConfig{URL: url, Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nats.Close)
		r := &replica{}
		r.wakeups = newWakeups(func() bool { return leads })
		r.peers = nats.Peers("wakeups")
		r.wake = r.broadcast("outbox", func() { r.woken.Add(1) })
		done := make(chan error, 1)
		go func() { done <- r.run(t.Context()) }()
		t.Cleanup(func() {
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
		return r
	}
	leader, follower := start(true), start(false)
	testkit.Eventually(t, startTimeout, func() bool {
		follower.wake()
		return leader.woken.Load() > 0
	}, "the leader is not woken")
	if err := follower.peers.Send([]byte("unknown work")); err != nil {
		t.Error(err)
	}
}
