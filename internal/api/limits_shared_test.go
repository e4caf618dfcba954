package api

import (
	"context"
	"sync"
	"testing"
	"time"
)

// bus passes on each message to all, its sender included.
type bus struct {
	mu        sync.Mutex
	receivers []func([]byte)
}

func (b *bus) Send(message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.receivers {
		f(message)
	}
	return nil
}

func (b *bus) Receive(f func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receivers = append(b.receivers, f)
	return func() {}, nil
}

func (b *bus) connected() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.receivers)
}

// Spec: ACCOUNT-24
func TestRateLimits_ReplicasCountTogether(t *testing.T) {
	t.Parallel()
	b := &bus{}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	replica := func() minuteLimit {
		s := newSharedCounts()
		l := s.minute("login 0 narrow", 1000)
		running.Go(func() {
			if err := s.share(ctx, b); err != nil {
				t.Error(err)
			}
		})
		return l
	}
	first, second := replica(), replica()
	for b.connected() < 2 {
		time.Sleep(time.Millisecond)
	}
	began := time.Now().Truncate(time.Minute)
	if err := first.take(ctx, "ada", 600, 600); err != nil {
		t.Fatal(err)
	}
	first.giveBack("ada", 100)
	known := func(l minuteLimit) int {
		window := time.Now().UTC().Truncate(time.Minute)
		calls, before, err := l.rate.Counter().Get("ada", window, window.Add(-time.Minute))
		if err != nil {
			t.Error(err)
		}
		return calls + before
	}
	for end := time.Now().Add(20 * time.Second); known(second) != 500; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the other replica knows of %d calls, want 500", known(second))
		}
	}
	if n := known(first); n != 500 {
		t.Errorf("the first knows of %d calls, want 500", n)
	}
	if time.Now().Truncate(time.Minute).Equal(began) { // else the first calls count in part only
		if err := second.take(ctx, "ada", 600, 600); err == nil {
			t.Error("the second lets too many calls through")
		}
	}
	stop()
	running.Wait()
}

// Messages of other versions and of wrong clocks change nothing.
func TestRateLimits_OddCountsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := newSharedCounts()
	l := s.minute("login", 10)
	for _, message := range []string{
		"", "null", "[]", `{"from":"b","counts":[{"limit":"login","key":"ada","window":0,"n":9}]}`,
		`{"from":"b","counts":[{"limit":"login","key":"ada","window":99999999999999,"n":9}]}`,
		`{"from":"b","counts":[{"limit":"unknown","key":"ada","n":9}]}`,
		`{"from":"` + s.id + `","counts":[{"limit":"login","key":"ada","n":9}]}`,
	} {
		s.receive([]byte(message))
	}
	for range 10 {
		if err := l.take(t.Context(), "ada", 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.take(t.Context(), "ada", 1, 1); err == nil {
		t.Error("an eleventh call is let through")
	}
}
