package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"pantheon/internal/kit/periodic"
)

// Peers reaches the other replicas.
type Peers interface {
	// Send sends a message to the other replicas. It may be lost.
	Send(message []byte) error
	// Receive calls f with what others send until stop is called.
	Receive(f func(message []byte)) (stop func(), err error)
}

// sharedCounts makes a limit hold for all replicas together. Each replica decides by its own counts and those that it has received, and
// sends what it has counted to the others every shareInterval.
type sharedCounts struct {
	id string // of this replica

	mu       sync.Mutex
	counters map[string]*sharedCounter // by limit
	pending  map[countKey]int          // to be sent; nil unless the counts are shared
}

// countKey is what calls are counted by.
type countKey struct {
	Limit  string `json:"limit"`
	Key    string `json:"key"`
	Window int64  `json:"window"` // when it begins, Unix milliseconds
}

// countsMessage has what a replica has counted since its previous message.
type countsMessage struct {
	From   string       `json:"from"`
	Counts []countEntry `json:"counts"`
}

type countEntry struct {
	countKey
	N int `json:"n"` // negative for what was given back
}

// shareInterval is how often counts are sent, and countsPerMessage how many at once: with addresses for keys some 150 KiB.
const (
	shareInterval    = 200 * time.Millisecond
	countsPerMessage = 1000
)

func newSharedCounts() *sharedCounts {
	return &sharedCounts{id: rand.Text(), counters: map[string]*sharedCounter{}}
}

// ShareLimits shares the counts of the rate limits with other replicas until ctx ends.
func (a *API) ShareLimits(ctx context.Context, p Peers) error { return a.counts.share(ctx, p) }

func (s *sharedCounts) share(ctx context.Context, p Peers) error {
	s.mu.Lock()
	s.pending = map[countKey]int{}
	s.mu.Unlock()
	stop, err := p.Receive(s.receive)
	if err != nil {
		return err
	}
	defer stop()
	ignore := func(error) {} // without NATS each replica counts alone
	return periodic.Run(ctx, shareInterval, func(context.Context) error {
		var errs []error
		for _, message := range s.messages() {
			errs = append(errs, p.Send(message))
		}
		return errors.Join(errs...)
	}, ignore)
}

// messages returns the pending counts, and clears them.
func (s *sharedCounts) messages() (out [][]byte) {
	s.mu.Lock()
	entries := make([]countEntry, 0, len(s.pending))
	for k, n := range s.pending {
		if n != 0 {
			entries = append(entries, countEntry{k, n})
		}
	}
	clear(s.pending)
	s.mu.Unlock()
	for part := range slices.Chunk(entries, countsPerMessage) {
		b, err := json.Marshal(countsMessage{s.id, part})
		if err == nil {
			out = append(out, b)
		}
	}
	return out
}

// receive adds the counts of another replica. Messages that cannot be decoded come from another version, and are ignored.
func (s *sharedCounts) receive(message []byte) {
	var m countsMessage
	if json.Unmarshal(message, &m) != nil || m.From == s.id {
		return
	}
	for _, e := range m.Counts {
		s.mu.Lock()
		c := s.counters[e.Limit]
		s.mu.Unlock()
		if c != nil {
			c.add(time.UnixMilli(e.Window), e.Key, e.N)
		}
	}
}

// counter makes the counter of a limit, whose name other replicas know it by. With an explicit counter a limiter's windows begin at whole
// multiples of their length.
func (s *sharedCounts) counter(limit string, window time.Duration) *sharedCounter {
	c := &sharedCounter{limit: limit, length: window, shared: s, windows: map[int64]map[string]int{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counters[limit] = c
	return c
}

// sharedCounter counts the calls of one limit, in this window and the one before. It implements httprate.LimitCounter, none of whose
// methods fails.
type sharedCounter struct {
	limit  string
	length time.Duration
	shared *sharedCounts

	mu      sync.Mutex
	windows map[int64]map[string]int // by their beginning, Unix milliseconds, and key
}

// Config does nothing: the window's length is known.
func (c *sharedCounter) Config(int, time.Duration) {}

// Increment counts a call.
func (c *sharedCounter) Increment(key string, window time.Time) error {
	return c.IncrementBy(key, window, 1)
}

// IncrementBy counts calls; a negative number gives back.
func (c *sharedCounter) IncrementBy(key string, window time.Time, n int) error {
	c.shared.mu.Lock()
	if c.shared.pending != nil {
		c.shared.pending[countKey{c.limit, key, window.UnixMilli()}] += n
	}
	c.shared.mu.Unlock()
	c.add(window, key, n)
	return nil
}

// Get returns how many calls were counted.
func (c *sharedCounter) Get(key string, window, before time.Time) (calls, callsBefore int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.windows[window.UnixMilli()][key], c.windows[before.UnixMilli()][key], nil
}

// add counts calls in a window, unless no call counts in it any more, or yet: another replica's clock may be wrong.
func (c *sharedCounter) add(window time.Time, key string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now().Truncate(c.length)
	if age := now.Sub(window); age > c.length || age < -c.length {
		return
	}
	calls := c.windows[window.UnixMilli()]
	if calls == nil {
		for begin := range c.windows {
			if begin < now.Add(-c.length).UnixMilli() {
				delete(c.windows, begin)
			}
		}
		calls = map[string]int{}
		c.windows[window.UnixMilli()] = calls
	}
	calls[key] += n
}

// unseen discards the headers that the limiter sets; the API reports them in its problem.
type unseen struct{}

func (unseen) Header() http.Header         { return http.Header{} }
func (unseen) Write(b []byte) (int, error) { return len(b), nil }
func (unseen) WriteHeader(int)             {}
