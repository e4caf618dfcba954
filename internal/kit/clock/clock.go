// Package clock tells the time to everything whose rules depend on it, so that a test can set it.
package clock

import (
	"sync"
	"time"
)

// Clock tells the present time. Implementations are safe for concurrent use.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock, in UTC.
type System struct{}

// Now returns the machine's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Fake is a clock that moves only when told to. The zero value stands at the zero time.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a clock that stands at t.
func NewFake(t time.Time) *Fake { return &Fake{now: t.UTC()} }

// Now returns the time the clock was last set to.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Advance moves the clock by d, which may be negative.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}
