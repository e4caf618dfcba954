package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/go-chi/httprate"

	"pantheon/internal/kit/fault"
)

// Limits bound how often sensitive calls may be made; 0 means no limit.
type Limits struct {
	LoginsPerMinute    int // logins, registrations and resets per address; changes per account
	AttemptsPerQuarter int // wrong passwords and codes per account and network in a quarter of an hour
	EmailsPerHour      int // emails with a link or a code per account and network in an hour
	CartPerMinute      int // cart and checkout changes per player
	SigningPerMinute   int // signatures and relay calls per player, each request of a batch
	ReportsPerMinute   int // monitoring reports per address
	// Bytes of monitoring reports per minute, after inflating: per address, and in total.
	ReportBytesPerMinute, AllReportBytesPerMinute int
	ChainReadsPerMinute                           int // chain reads, each request of a batch, and pages of leaderboards, per address, each
	ReadsPerMinute                                int // all other reads, each, per player or visitor's address
	SearchesPerMinute                             int // searches of the market, per player or visitor's address
	ArtPerMinute                                  int // metadata and images of tokens, each, per address
	ContactsPerMinute                             int // support requests and pre-registrations per address and minute
}

// limiter limits the calls per key and minute.
type limiter struct {
	perMinute int
	key       keys
	// only selects the calls that count; nil for all.
	only func(*http.Request) bool
}

// keys says which calls are counted together.
type keys int

const (
	// byAddress counts the calls of a line and those of a household, which has 256 IPv6 lines but gets at most
	// linesOfHousehold times the calls of one.
	byAddress keys = iota
	// byPlayer counts the calls of the signed-in player, or operator.
	byPlayer
	// byReader counts the calls of the signed-in player, or of the visitor's line, and those of the household, as byAddress.
	byReader
)

const linesOfHousehold = 5

// Reasons why a call needs no limit.
const (
	fromMemory = "it is answered from memory"
	forProbes  = "it is for probes"
)

// describeLimits adds the headers of rate limits (draft-ietf-httpapi-ratelimit-headers) to the contract.
func (a *API) describeLimits() {
	text := &huma.Schema{Type: huma.TypeString}
	headers := a.huma.OpenAPI().Components.Headers
	if headers == nil {
		headers = map[string]*huma.Header{}
		a.huma.OpenAPI().Components.Headers = headers
	}
	headers["RateLimit-Policy"] = &huma.Header{
		Schema: text, Description: "The limit that counts: calls (q) of the player or network in a window of seconds (w).",
	}
	headers["RateLimit"] = &huma.Header{
		Schema: text, Description: "How many calls are left (r), and when the current window ends, in seconds (t).",
	}
	headers["Retry-After"] = &huma.Header{Schema: text, Description: "When to try again, in seconds."}
	for _, item := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || !a.limited[op.OperationID] {
				continue
			}
			for status, response := range op.Responses {
				names := []string{"RateLimit-Policy", "RateLimit"}
				switch {
				case status == strconv.Itoa(http.StatusTooManyRequests):
					names = append(names, "Retry-After")
				case status[0] != '2':
					continue
				}
				if response.Headers == nil {
					response.Headers = map[string]*huma.Header{}
				}
				for _, name := range names {
					response.Headers[name] = &huma.Header{Ref: "#/components/headers/" + name}
				}
			}
		}
	}
}

// limit counts a call, and refuses it if it exceeds the limit. Replicas know the limit by its name.
func (a *API) limit(name string, l limiter) check {
	if l.perMinute <= 0 {
		return func(_ http.ResponseWriter, r *http.Request) (*http.Request, error) { return r, nil }
	}
	narrow, wide := a.counts.minute(name+" narrow", l.perMinute), a.counts.minute(name+" wide", l.perMinute*linesOfHousehold)
	// take counts n calls of a batch, or returns a fault with the time to wait for the whole batch.
	take := func(h http.Header, r *http.Request, n, batch int) error {
		player, origin := cmp.Or(callerOf(r.Context()).PlayerID, sessionOf(r.Context()).Operator.ID), originOf(r.Context())
		key, policy := player, "player"
		if l.key == byAddress || player == "" {
			key, policy = lineOf(origin), "network"
		}
		// The headers describe the narrower limit, the one that most clients reach.
		err := narrow.take(r.Context(), key, n, batch)
		narrow.describe(h, policy, key, time.Now().UTC())
		if err != nil || l.key == byPlayer {
			return err
		}
		if err = wide.take(r.Context(), householdOf(origin), n, batch); err != nil {
			narrow.giveBack(key, n)
			wide.describe(h, "network", householdOf(origin), time.Now().UTC())
		}
		return err
	}
	return func(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
		if l.only != nil && !l.only(r) {
			return r, nil
		}
		if err := take(w.Header(), r, 1, 1); err != nil {
			return nil, err
		}
		return with(r, takeRestKey{}, func(batch int) error { return take(w.Header(), r, batch-1, batch) }), nil
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

// minuteLimit is a limit of calls per key within any minute.
type minuteLimit struct {
	rate      *httprate.RateLimiter
	perMinute int
}

// minute makes a limit, whose windows begin at whole minutes.
func (s *sharedCounts) minute(name string, perMinute int) minuteLimit {
	counter := httprate.WithLimitCounter(s.counter(name, time.Minute))
	return minuteLimit{httprate.NewRateLimiter(perMinute, time.Minute, counter), perMinute}
}

// take counts n calls of a key, or counts none and returns a fault with the time to wait for the batch they belong to.
func (l minuteLimit) take(ctx context.Context, key string, n, batch int) error {
	if !l.rate.OnLimit(unseen{}, new(http.Request).WithContext(httprate.WithIncrement(ctx, n)), key) {
		return nil
	}
	wait, ever := l.wait(key, batch, time.Now().UTC())
	switch {
	case !ever:
		return fault.New(fault.TooMany, "Each request of a batch counts, and at most %d a minute are answered. Please send smaller batches.",
			l.perMinute).WithReason("batch")
	case batch > 1:
		return fault.Wait(wait, "Each request of a batch counts, and there are more in this one than you have left. Please send it again in %s.",
			inSeconds(wait)).WithReason("batch")
	}
	return fault.Wait(wait, "That was a bit fast. Please try again in %s.", inSeconds(wait))
}

// describe sets the fields of draft-ietf-httpapi-ratelimit-headers: the quota of calls per window in seconds, how many are left,
// and when the current window ends.
func (l minuteLimit) describe(h http.Header, policy, key string, now time.Time) {
	_, rate, _ := l.rate.Status(key) // in memory: cannot fail
	left := max(0, l.perMinute-int(math.Round(rate)))
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=60", policy, l.perMinute))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", policy, left, 60-now.Second()))
}

// giveBack reverts what take has counted.
func (l minuteLimit) giveBack(key string, n int) {
	_ = l.rate.Counter().IncrementBy(key, time.Now().UTC().Truncate(time.Minute), -n) // in memory: cannot fail
}

// wait returns when n more calls of a key will be allowed, if ever, in whole seconds.
func (l minuteLimit) wait(key string, n int, now time.Time) (wait time.Duration, ever bool) {
	window := now.Truncate(time.Minute)
	current, previous, _ := l.rate.Counter().Get(key, window, window.Add(-time.Minute)) // in memory: cannot fail
	seconds, ever := untilRoom(l.perMinute-n, current, previous, now.Sub(window).Seconds())
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
