package rpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"
)

// throttled is an endpoint's answer that it has had too many requests. It is not the endpoint's answer to the call.
type throttled struct {
	text  string
	after time.Duration // from Retry-After (RFC 9110); 0 if the endpoint does not say
}

func (t *throttled) Error() string { return t.text }

// codeLimit is "limit exceeded" of EIP-1474. Some endpoints use it for answers that would be too large, too.
const codeLimit = -32005

// asThrottled returns err as *throttled if it says so: as an HTTP status, or by a code or the words that endpoints use in
// JSON-RPC errors.
func asThrottled(err error) *throttled {
	if t, ok := errors.AsType[*throttled](err); ok {
		return t
	}
	var answer gethrpc.Error
	if !errors.As(err, &answer) {
		return nil
	}
	text := strings.ToLower(answer.Error())
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	switch code := answer.ErrorCode(); {
	case code == http.StatusTooManyRequests,
		says("rate limit", "ratelimit", "too many request", "request limit", "requests per", "request rate", "compute units", "throttl"),
		code == codeLimit && !says("results", "range", "size", "blocks", "logs"):
		return &throttled{text: answer.Error()}
	}
	return nil
}

const (
	leastWait = 50 * time.Millisecond // before the first retry; it doubles
	mostWait  = 2 * time.Second
)

// patiently makes a call again while the endpoint is throttling, as long as the waits fit into the timeout. While a
// Retry-After lasts, no request is sent.
func (e *endpoint) patiently(ctx context.Context, call func() error) error {
	end := time.Now().Add(e.options.Timeout)
	if ctx.Value(hasAlternative{}) != nil {
		end = time.Now().Add(throttledWait)
	}
	for wait := leastWait; ; wait = min(2*wait, mostWait) {
		if until := time.Unix(0, e.pause.Load()); !sleepUntil(ctx, until, end) {
			return &throttled{text: "the endpoint takes no requests until " + until.UTC().Format(time.TimeOnly)}
		}
		err := call()
		t := asThrottled(err)
		if t == nil {
			return err
		}
		if t.after > 0 {
			e.pause.Store(time.Now().Add(t.after).UnixNano())
			continue
		}
		// The jitter keeps calls that were refused together from coming back together.
		if !sleepUntil(ctx, time.Now().Add(wait/2+rand.N(wait)), end) {
			return t
		}
	}
}

// sleepUntil sleeps until a time and reports whether it did: not if that is after end, or ctx ends.
func sleepUntil(ctx context.Context, until, end time.Time) bool {
	wait := time.Until(until)
	if wait <= 0 {
		return true
	}
	if until.After(end) {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// retryAfter returns the time that a Retry-After header names, in seconds or as a date; 0 if it is absent or malformed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 16); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
