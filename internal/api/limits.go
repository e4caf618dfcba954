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

// limiter bounds the calls of one key in a minute.
type limiter struct {
	perMinute int
	key       keys
}

// keys says whose calls are counted together.
type keys int

const (
	// byAddress counts those of one line, and those of one household, which has 256 lines of IPv6 but no more than
	// linesOfHousehold times the calls of one.
	byAddress keys = iota
	// byPlayer counts those of the player who is signed in.
	byPlayer
)

const linesOfHousehold = 5

// limit counts a call before its body is read, and refuses those that are too many.
func (a *API) limit(l limiter) func(huma.Context, func(huma.Context)) {
	if l.perMinute <= 0 {
		return func(ctx huma.Context, next func(huma.Context)) { next(ctx) }
	}
	narrow, wide := newAllowance(l.perMinute), newAllowance(l.perMinute*linesOfHousehold)
	// take counts n calls of a batch, or returns a fault that says when there is room for the batch.
	take := func(ctx huma.Context, n, batch int) error {
		r, w := humago.Unwrap(ctx)
		if l.key == byPlayer {
			return narrow.take(w, r, callerOf(ctx.Context()).PlayerID, n, batch)
		}
		line, household := lineOf(originOf(ctx.Context())), householdOf(originOf(ctx.Context()))
		// The headers tell of the narrower bound: it is the one that most will meet.
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

// countBatch counts the requests of a JSON-RPC batch as so many calls, or refuses all of them. The call itself has been
// counted as the first.
func countBatch(ctx context.Context, body json.RawMessage) error {
	takeRest, isLimited := ctx.Value(takeRestKey{}).(func(batch int) error)
	if !isLimited || !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) < 2 {
		return nil // refused where it is read, and counted once
	}
	return takeRest(len(batch))
}

// allowance is how many calls each key may make within any minute.
type allowance struct {
	rate      *httprate.RateLimiter
	perMinute int
}

func newAllowance(perMinute int) allowance {
	// With a counter of its own the limiter's windows begin at whole minutes, as wait and giveBack count on.
	return allowance{httprate.NewRateLimiter(perMinute, time.Minute, httprate.WithLimitCounter(httprate.NewLocalLimitCounter(time.Minute))), perMinute}
}

// take counts n calls of a key and tells in the headers what is left, or counts none and says when there is room for the
// batch they belong to.
func (a allowance) take(w http.ResponseWriter, r *http.Request, key string, n, batch int) error {
	if !a.rate.OnLimit(w, r.WithContext(httprate.WithIncrement(r.Context(), n)), key) {
		return nil
	}
	w.Header().Del("Retry-After") // the fault knows better
	wait, ever := a.wait(key, batch, time.Now().UTC())
	switch {
	case !ever:
		return fault.New(fault.TooMany, "Each request of a batch counts, and at most %d a minute are answered. Please send smaller batches.", a.perMinute).WithReason("batch")
	case batch > 1:
		return fault.Wait(wait, "Each request of a batch counts, and there are more in this one than you have left. Please send it again in %s.", inSeconds(wait)).WithReason("batch")
	}
	return fault.Wait(wait, "That was a bit fast. Please try again in %s.", inSeconds(wait))
}

// giveBack takes back what take has counted.
func (a allowance) giveBack(key string, n int) {
	_ = a.rate.Counter().IncrementBy(key, time.Now().UTC().Truncate(time.Minute), -n) // in memory: cannot fail
}

// wait returns when there is room for n more calls of a key, if ever, in whole seconds.
func (a allowance) wait(key string, n int, now time.Time) (wait time.Duration, ever bool) {
	window := now.Truncate(time.Minute)
	current, previous, _ := a.rate.Counter().Get(key, window, window.Add(-time.Minute)) // in memory: cannot fail
	seconds, ever := untilRoom(a.perMinute-n, current, previous, now.Sub(window).Seconds())
	return time.Duration(seconds) * time.Second, ever
}

// untilRoom returns after how many whole seconds, and at least one, no more than most calls count. The calls of the
// window before count by as much of it as the last minute still covers; elapsed are the seconds of the present window.
func untilRoom(most, current, previous int, elapsed float64) (seconds int, ever bool) {
	if most < 0 {
		return 0, false
	}
	// fading returns how far into a window the calls of the window before have faded to no more than room.
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
