// Package periodic repeats background work.
package periodic

import (
	"context"
	"time"
)

// Run calls step every interval until ctx ends, and then returns nil. Errors of step are reported, and the next call comes
// after another interval.
func Run(ctx context.Context, interval time.Duration, step func(context.Context) error, report func(error)) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := step(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

// RunAtOnce is Run with a first call at once.
func RunAtOnce(ctx context.Context, interval time.Duration, step func(context.Context) error, report func(error)) error {
	if err := step(ctx); err != nil && ctx.Err() == nil {
		report(err)
	}
	return Run(ctx, interval, step, report)
}

// Every returns a step that does nothing within interval of its last call that did something: for work that is done less often than
// the rest of a Run, in the same goroutine. It is not safe for concurrent use.
func Every(interval time.Duration, step func(context.Context) error) func(context.Context) error {
	var due time.Time
	return func(ctx context.Context) error {
		now := time.Now()
		if now.Before(due) {
			return nil
		}
		due = now.Add(interval)
		return step(ctx)
	}
}
