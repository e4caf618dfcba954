package cluster_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// login tries to sign in at a replica, from an address, and returns the status.
func login(t *testing.T, replica *testkit.Site, from, email string) int {
	t.Helper()
	p := player.Visitor(replica.URL)
	p.From = from
	err := p.Call(t.Context(), http.MethodPost, "/api/auth/login", map[string]string{"email": email, "password": "wrong"}, nil)
	answer, ok := errors.AsType[*player.Error](err)
	if !ok {
		t.Errorf("a wrong password: %v", err)
		return 0
	}
	return answer.Status
}

// Whoever guesses at all replicas at once has no more guesses than at one, and what one replica has counted, the other one knows a moment
// later.
// Spec: ACCOUNT-24
func TestCluster_LimitsCountForAllReplicas(t *testing.T) {
	t.Parallel()
	c := start(t, 2, "LIMIT_WRONG_PASSWORDS=5", "LIMIT_LOGINS=60")
	var wrong, refused atomic.Int64
	var guessing sync.WaitGroup
	for i := range 20 {
		guessing.Go(func() {
			switch status := login(t, c.replicas[i%2], "203.0.113.7", "ada@olympus.example"); status {
			case http.StatusUnauthorized:
				wrong.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("status %d", status)
			}
		})
	}
	guessing.Wait()
	if wrong.Load() != 5 || refused.Load() != 15 {
		t.Errorf("%d guesses were tried and %d refused, want 5 and 15", wrong.Load(), refused.Load())
	}
	// A restart forgets nothing.
	c.replicas[1].Restart()
	if status := login(t, c.replicas[1], "203.0.113.7", "ada@olympus.example"); status != http.StatusTooManyRequests {
		t.Errorf("after a restart: status %d, want 429", status)
	}
	for i := range 60 {
		if status := login(t, c.replicas[0], "203.0.113.8", fmt.Sprintf("player%d@olympus.example", i)); status == http.StatusTooManyRequests {
			t.Fatalf("attempt %d is refused", i+1)
		}
	}
	tries := 0
	testkit.Eventually(t, waitTimeout, func() bool {
		tries++
		return login(t, c.replicas[1], "203.0.113.8", "another@olympus.example") == http.StatusTooManyRequests
	}, "the other replica does not refuse")
	if tries > 20 {
		t.Errorf("the other replica let %d attempts through, want at most 20", tries-1)
	}
}
