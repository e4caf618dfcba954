package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-chi/httprate"

	"pantheon/internal/kit/fault"
)

// limiter limits the calls per key and minute.
type limiter struct {
	perMinute int
	key       keys
}

// keys says which calls are counted together.
type keys int

const (
	// byAddress counts the calls of a line and those of a household, which has 256 IPv6 lines but gets at most
	// linesOfHousehold times the calls of one.
	byAddress keys = iota
	// byPlayer counts the calls of the signed-in player.
	byPlayer
)

const linesOfHousehold = 5

// limit counts a call before its body is read, and refuses it if it exceeds the limit.
func (a *API) limit(l limiter) func(huma.Context, func(huma.Context)) {
	if l.perMinute <= 0 {
		return func(ctx huma.Context, next func(huma.Context)) { next(ctx) }
	}
	narrow, wide := newAllowance(l.perMinute), newAllowance(l.perMinute*linesOfHousehold)
	// take counts n calls of a batch, or returns a fault with the time to wait for the whole batch.
	take := func(ctx huma.Context, n, batch int) error {
		r, w := humago.Unwrap(ctx)
		if l.key == byPlayer {
			return narrow.take(w, r, callerOf(ctx.Context()).PlayerID, n, batch)
		}
		line, household := lineOf(originOf(ctx.Context())), householdOf(originOf(ctx.Context()))
		// The headers describe the narrower limit, the one that most clients reach.
		if err := narrow.take(w, r, line, n, batch); err != nil {
			return err
		}
		err := wide.take(unseen{}, r, household, n, batch)
		if err != nil {
			narrow.giveBack(line, n)
		}
		return err
	}
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := take(ctx, 1, 1); err != nil {
			a.refuse(ctx, err)
			return
		}
		next(huma.WithValue(ctx, takeRestKey{}, func(batch int) error { return take(ctx, batch-1, batch) }))
	}
}

type takeRestKey struct{}

// countBatch counts each request of a JSON-RPC batch, or refuses all of them. The call itself has been counted as the
// first.
func countBatch(ctx context.Context, body json.RawMessage) error {
	takeRest, isLimited := ctx.Value(takeRestKey{}).(func(batch int) error)
	if !isLimited || !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) < 2 {
		return nil // refused by the parser, and counted once
	}
	return takeRest(len(batch))
}

// allowance is a limit of calls per key within any minute.
type allowance struct {
	rate      *httprate.RateLimiter
	perMinute int
}

func newAllowance(perMinute int) allowance {
	// With an explicit counter the limiter's windows begin at whole minutes, which wait and giveBack depend on.
	return allowance{httprate.NewRateLimiter(perMinute, time.Minute, httprate.WithLimitCounter(httprate.NewLocalLimitCounter(time.Minute))), perMinute}
}

// take counts n calls of a key and sets the rate limit headers, or counts none and returns a fault with the time to
// wait for the batch they belong to.
func (a allowance) take(w http.ResponseWriter, r *http.Request, key string, n, batch int) error {
	if !a.rate.OnLimit(w, r.WithContext(httprate.WithIncrement(r.Context(), n)), key) {
		return nil
	}
	w.Header().Del("Retry-After") // the fault's value is more exact
	wait, ever := a.wait(key, batch, time.Now().UTC())
	switch {
	case !ever:
		return fault.New(fault.TooMany, "Each request of a batch counts, and at most %d a minute are answered. Please send smaller batches.", a.perMinute).WithReason("batch")
	case batch > 1:
		return fault.Wait(wait, "Each request of a batch counts, and there are more in this one than you have left. Please send it again in %s.", inSeconds(wait)).WithReason("batch")
	}
	return fault.Wait(wait, "That was a bit fast. Please try again in %s.", inSeconds(wait))
}

// giveBack reverts what take has counted.
func (a allowance) giveBack(key string, n int) {
	_ = a.rate.Counter().IncrementBy(key, time.Now().UTC().Truncate(time.Minute), -n) // in memory: cannot fail
}

// wait returns when n more calls of a key will be allowed, if ever, in whole seconds.
func (a allowance) wait(key string, n int, now time.Time) (wait time.Duration, ever bool) {
	window := now.Truncate(time.Minute)
	current, previous, _ := a.rate.Counter().Get(key, window, window.Add(-time.Minute)) // in memory: cannot fail
	seconds, ever := untilRoom(a.perMinute-n, current, previous, now.Sub(window).Seconds())
	return time.Duration(seconds) * time.Second, ever
}

// untilRoom returns after how many whole seconds, at least one, the counted calls are no more than most. The calls of
// the previous window count in proportion to the part of it that the last minute still covers; elapsed is the number
// of seconds into the current window.
func untilRoom(most, current, previous int, elapsed float64) (seconds int, ever bool) {
	if most < 0 {
		return 0, false
	}
	// fading returns how far into a window the previous window's calls have faded to at most room.
	fading := func(calls, room int) float64 { return 60 * (1 - min(1, float64(room)/float64(max(1, calls)))) }
	at := fading(previous, most-current)
	if current > most {
		at = 60 + fading(current, most)
	}
	return max(1, int(math.Ceil(at-elapsed))), true
}

func inSeconds(d time.Duration) string {
	if d <= time.Second {
		return "a second"
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}
