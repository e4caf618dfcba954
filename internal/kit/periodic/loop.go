package periodic

import (
	"context"
	"time"
)

// Loop repeats background work that can be woken early. It is safe for concurrent use; see NewLoop.
type Loop struct{ wake chan struct{} }

// NewLoop returns a Loop.
func NewLoop() Loop { return Loop{make(chan struct{}, 1)} }

// Wake makes Run call its step now, or again after the current call. It never blocks.
func (l Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Run calls step at once, and again after the time that step returned or when woken, until ctx ends; then it returns nil. Errors
// of step are reported and do not end it.
func (l Loop) Run(ctx context.Context, step func(context.Context) (wait time.Duration, err error), report func(error)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-l.wake:
		}
		wait, err := step(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			report(err)
		}
		timer.Reset(wait)
	}
}
