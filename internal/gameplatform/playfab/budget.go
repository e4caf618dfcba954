package playfab

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
)

// defaultClosed is how long sign-ins pause if PlayFab throttles them without a Retry-After.
const defaultClosed = 8 * time.Second

// budget limits the calls that PlayFab counts by IP address.
type budget struct {
	log *slog.Logger

	mu     sync.Mutex
	rate   *rate.Limiter // nil for no limit
	closed time.Time     // when sign-ins resume after PlayFab throttled them
}

func newBudget(perMinute int, log *slog.Logger) *budget {
	b := &budget{log: log}
	if perMinute > 0 {
		// A burst of a tenth; more would use up a minute's budget within seconds and leave nothing for others.
		b.rate = rate.NewLimiter(rate.Limit(float64(perMinute)/60), max(1, perMinute/10))
	}
	return b
}

// take spends one call, or returns how long to wait for the next.
func (b *budget) take(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.closed) {
		return busy(b.closed.Sub(now))
	}
	if b.rate == nil {
		return nil
	}
	r := b.rate.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return busy(wait)
	}
	return nil
}

// close pauses sign-ins for a while.
func (b *budget) close(now time.Time, wait time.Duration) {
	if wait == 0 {
		wait = defaultClosed
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := now.Add(wait); until.After(b.closed) {
		if !now.Before(b.closed) {
			b.log.LogAttrs(context.Background(), slog.LevelWarn,
				"PlayFab refuses logins from our address: PLAYFAB_LOGINS_PER_MINUTE may be too high",
				slog.Duration("wait", wait))
		}
		b.closed = until
	}
}

func busy(wait time.Duration) error {
	wait = time.Duration(math.Ceil(wait.Seconds())) * time.Second
	return fault.Wait(wait, "Many players are signing in just now. Please try again in %s.", humanize.Duration(wait))
}
