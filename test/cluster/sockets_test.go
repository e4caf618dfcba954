package cluster_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// received are the messages about listings that one connection has got.
type received struct {
	*player.Subscription

	mu       sync.Mutex
	payloads []string
}

func (r *received) listen() {
	for message := range r.Messages() {
		if message.ChannelID == "live-listings-change" {
			r.mu.Lock()
			r.payloads = append(r.payloads, string(message.Payload))
			r.mu.Unlock()
		}
	}
}

func (r *received) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.payloads)
}

// A replica is drained while messages are sent to all: clients resume its sessions at the other one within the 30 s for which they try, and
// each gets every message once.
// Spec: RUN-17, LIVE-23
func TestCluster_ConnectionsGoOnWhenTheirReplicaIsDrained(t *testing.T) {
	players, each := 715, 14
	if testing.Short() {
		t.Parallel()
		players, each = 30, 10
	}
	c := start(t, 2, "HTTP_CONNECTIONS=20000")
	// One process of HAProxy has not enough file descriptors for all.
	fronts := []string{c.url}
	if !testing.Short() {
		fronts = nil
		for range 2 {
			front := address(t)
			startProxy(t, front, c.replicas, 9000)
			fronts = append(fronts, "http://"+front)
		}
	}
	var connections []*received
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(8)
	for i := range players {
		group.Go(func() error {
			p, err := player.SignUp(t.Context(), fronts[i%len(fronts)])
			if err != nil {
				return err
			}
			for range each {
				s, err := p.Subscribe(t.Context())
				if err != nil {
					return err
				}
				r := &received{Subscription: s}
				go r.listen()
				mu.Lock()
				connections = append(connections, r)
				mu.Unlock()
			}
			return nil
		})
	}
	must(t, group.Wait())
	trader, err := player.Register(t.Context(), c.url)
	must(t, err)
	var listings []player.Listing
	testkit.Eventually(t, waitTimeout, func() bool {
		listings, err = trader.Listings(t.Context(), "avatars", 2)
		return err == nil && len(listings) == 2 && trader.Hold(t.Context(), listings[0]) == nil
	}, "nothing can be held")
	empty := func() error {
		return trader.Call(t.Context(), "POST", "/api/auth/marketplace/cart/emptyCart", map[string]string{"playFabId": trader.ID}, nil)
	}
	must(t, empty())
	var sending sync.WaitGroup
	var sent atomic.Int64 // at most: changes of a listing that follow each other closely are one message
	stop := make(chan struct{})
	sending.Go(func() { // a message for each hold and each release
		for {
			select {
			case <-stop:
				return
			case <-time.After(500 * time.Millisecond):
				must(t, trader.Hold(t.Context(), listings[0]))
				must(t, empty())
				sent.Add(2)
			}
		}
	})

	began := time.Now()
	c.replicas[0].Stop()
	moved := func() (n int64) {
		for _, r := range connections {
			n += r.Resumed.Load()
		}
		return n
	}
	t.Logf("the replica was stopped after %s", time.Since(began).Round(time.Millisecond))
	before := sent.Load()
	testkit.Eventually(t, waitTimeout, func() bool { return sent.Load() >= before+6 }, "no messages are sent")
	close(stop)
	sending.Wait()
	must(t, trader.Hold(t.Context(), listings[1])) // the last message
	testkit.Eventually(t, waitTimeout, func() bool {
		return !slices.ContainsFunc(connections, func(r *received) bool {
			return !slices.ContainsFunc(r.all(), func(payload string) bool { return strings.Contains(payload, `"`+listings[1].ListingID+`"`) })
		})
	}, "the last message is missing")
	took, want := time.Since(began), connections[0].all()
	restarted := int64(0)
	for _, r := range connections {
		restarted += r.Restarted.Load()
		if got := r.all(); !slices.Equal(got, want) {
			t.Fatalf("a connection got %d messages, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
		}
	}
	t.Logf("%d connections, %d of them moved, %d messages to each, all there after %s", len(connections), moved(), len(want),
		took.Round(time.Millisecond))
	if restarted > 0 || moved() < int64(len(connections)/4) || len(want) < 8 {
		t.Errorf("%d sessions were restarted, %d moved, %d messages to each", restarted, moved(), len(want))
	}
}
