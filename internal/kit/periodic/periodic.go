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
