package api

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
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

// Spec: ACCOUNT-24
func TestRateLimits_ReplicasCountTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
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
		synctest.Wait()
		if err := first.take(ctx, "ada", 600, 600); err != nil {
			t.Fatal(err)
		}
		first.giveBack("ada", 100)
		time.Sleep(200 * time.Millisecond) // the clock is synctest's
		synctest.Wait()
		if err := second.take(ctx, "ada", 501, 501); err == nil {
			t.Error("the second replica allows 501 calls after 500 at the first")
		}
		if err := second.take(ctx, "ada", 500, 500); err != nil {
			t.Errorf("the second replica refuses 500 calls after 500 at the first: %v", err)
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if err := first.take(ctx, "ada", 1, 1); err == nil {
			t.Error("the first replica allows a 1001st call")
		}
		stop()
		running.Wait()
	})
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
