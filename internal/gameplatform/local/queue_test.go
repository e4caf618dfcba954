package local

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// line is a queue whose only slot is taken.
type line struct {
	*queue
	turns []turn
}

type turn struct {
	network string
	served  chan bool
}

func openLine(t *testing.T, limit, share int) *line {
	t.Helper()
	l := &line{queue: newQueue(1, limit, share)}
	if err := l.enter(t.Context(), "the first"); err != nil {
		t.Fatal(err)
	}
	return l
}

// arrive sends sign-ins of a network and returns how many of them may wait.
func (l *line) arrive(network string, n int) (waiting int) {
	for range n {
		if served, err := l.join(network); err == nil {
			l.turns = append(l.turns, turn{network, served})
			waiting++
		}
	}
	return waiting
}

// answered returns the networks of those who were sent a slot, or told to leave.
func (l *line) answered(slot bool) (networks []string) {
	l.turns = slices.DeleteFunc(l.turns, func(t turn) bool {
		select {
		case served := <-t.served:
			if served == slot {
				networks = append(networks, t.network)
			}
			return true
		default:
			return false
		}
	})
	return networks
}

// serve returns slots and the networks that got them.
func (l *line) serve(slots int) (networks []string) {
	for range slots {
		l.leave()
		networks = append(networks, l.answered(true)...)
	}
	return networks
}

// Spec: ACCOUNT-25
func TestHashing_AnotherNetworksSignInIsServedWithinTwoSlots(t *testing.T) {
	t.Parallel()
	l := openLine(t, 64, 32)
	if n := l.arrive("203.0.113.0/24", 200); n != 32 {
		t.Errorf("%d of 200 sign-ins of one network wait, want 32", n)
	}
	if n := l.arrive("198.51.100.0/24", 1); n != 1 {
		t.Error("another network's sign-in is refused")
	}
	if got := l.serve(2); !slices.Contains(got, "198.51.100.0/24") {
		t.Errorf("the next two slots are for %v", got)
	}
	if got := l.serve(31); len(got) != 31 {
		t.Errorf("%d of the others are served", len(got))
	}
	if l.leave(); l.free != 1 || l.waiting != 0 || len(l.lines) != 0 || len(l.networks) != 0 {
		t.Errorf("afterwards the queue is %+v", l.queue)
	}
}

// Several networks cannot fill the queue for the others either.
func TestHashing_FullQueueMakesRoomForNetworksThatWaitForLess(t *testing.T) {
	t.Parallel()
	l := openLine(t, 64, 32)
	l.arrive("a", 200)
	l.arrive("b", 200)
	if n := l.arrive("c", 200); n < 20 || n > 22 {
		t.Errorf("%d of the third network's wait", n)
	}
	if sent := l.answered(false); slices.Contains(sent, "c") || len(sent) < 20 {
		t.Errorf("sent away are %v", sent)
	}
	if l.waiting != 64 {
		t.Errorf("%d wait", l.waiting)
	}
	if got := l.serve(6); !slices.Equal(got, []string{"a", "b", "c", "a", "b", "c"}) {
		t.Errorf("served are %v", got)
	}
}

func TestHashing_WhoStopsWaitingLosesNoSlot(t *testing.T) {
	t.Parallel()
	l := openLine(t, 64, 32)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		if err := l.enter(ctx, "a"); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if l.waiting != 0 || len(l.lines) != 0 {
		t.Errorf("%d wait", l.waiting)
	}
	l.leave()
	if err := l.enter(t.Context(), "b"); err != nil {
		t.Error(err)
	}
}
