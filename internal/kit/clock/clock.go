// Package clock provides the time to code that depends on it, so that a test can control it.
package clock

import (
	"sync"
	"time"
)

// Clock returns the current time. Implementations are safe for concurrent use.
type Clock interface {
	Now() time.Time
}

// System is the system clock, in UTC.
type System struct{}

// Now returns the system time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Fake is a clock that advances only when told to. The zero value is set to the zero time.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a clock set to t.
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
