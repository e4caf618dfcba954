package api

import (
	"context"
	"crypto/sha256"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// attemptLimiter limits attempts per account and network. Only the pair is limited: a lock on the account would let
// anybody lock out its owner, and one on the network would let one attacker lock out everybody in it.
type attemptLimiter struct {
	rate    *httprate.RateLimiter // nil for no limit
	window  time.Duration
	refusal string
}

// newPasswordLimiter limits wrong passwords and codes.
func newPasswordLimiter(perQuarter int) attemptLimiter {
	return newAttemptLimiter(perQuarter, 15*time.Minute, "That was wrong too often. Please wait a quarter of an hour and try again.")
}

// newEmailLimiter limits emails that a caller can trigger.
func newEmailLimiter(perHour int) attemptLimiter {
	return newAttemptLimiter(perHour, time.Hour,
		"We have written to you several times already. Please look into your mail, or try again in an hour.")
}

func newAttemptLimiter(limit int, window time.Duration, refusal string) attemptLimiter {
	if limit <= 0 {
		return attemptLimiter{}
	}
	// With an explicit counter the limiter's windows begin at whole multiples of their length, which takeBack depends
	// on.
	return attemptLimiter{
		httprate.NewRateLimiter(limit, window, httprate.WithLimitCounter(httprate.NewLocalLimitCounter(window))), window, refusal,
	}
}

// spend counts one attempt at the account from the request's network, or refuses it.
func (t attemptLimiter) spend(ctx context.Context, account string) error {
	if t.rate != nil && t.rate.OnLimit(unseen{}, new(http.Request), t.key(ctx, account)) {
		return fault.Wait(t.window, "%s", t.refusal)
	}
	return nil
}

// guard runs an attempt, which counts only if the credential is wrong.
func (t attemptLimiter) guard(ctx context.Context, account string, attempt func() error) error {
	return t.count(ctx, account, attempt, isWrong)
}

// send runs an attempt, which counts only if it succeeds: unsent emails do not count.
func (t attemptLimiter) send(ctx context.Context, account string, attempt func() error) error {
	return t.count(ctx, account, attempt, func(err error) bool { return err == nil })
}

// count runs an attempt. It is counted in advance, so that parallel attempts cannot exceed the limit, and uncounted
// if its outcome does not count.
func (t attemptLimiter) count(ctx context.Context, account string, attempt func() error, counts func(error) bool) error {
	if err := t.spend(ctx, account); err != nil {
		return err
	}
	err := attempt()
	if !counts(err) {
		t.takeBack(ctx, account)
	}
	return err
}

// takeBack reverts what spend has counted.
func (t attemptLimiter) takeBack(ctx context.Context, account string) {
	if t.rate != nil {
		_ = t.rate.Counter().IncrementBy(t.key(ctx, account), time.Now().UTC().Truncate(t.window), -1) // in memory: cannot fail
	}
}

// key returns a hash for which nobody can construct collisions: the limiter keeps only an unkeyed 64-bit hash of its
// key, and callers choose the account's name.
func (t attemptLimiter) key(ctx context.Context, account string) string {
	sum := sha256.Sum256([]byte(account + " " + networkOf(originOf(ctx))))
	return string(sum[:])
}

// isWrong reports whether err means that a credential was wrong.
func isWrong(err error) bool {
	f := fault.As(err)
	return f != nil && (f.Code == fault.Unauthorized || f.Reason == account.ReasonWrong)
}

// unseen discards the headers that the limiter sets; the API reports them in its problem.
type unseen struct{}

func (unseen) Header() http.Header         { return http.Header{} }
func (unseen) Write(b []byte) (int, error) { return len(b), nil }
func (unseen) WriteHeader(int)             {}
