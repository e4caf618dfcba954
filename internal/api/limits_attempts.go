package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// AttemptCounter counts attempts by key, for all replicas together.
type AttemptCounter interface {
	// Count counts an attempt and returns true, unless there were as many as the limit within the last window.
	Count(ctx context.Context, key string, limit int, window time.Duration, now time.Time) (bool, error)
	// TakeBack reverts what Count has counted at a time.
	TakeBack(ctx context.Context, key string, window time.Duration, at time.Time) error
}

// attemptLimiter limits attempts per account and network. Only the pair is limited: a lock on the account would let
// anybody lock out its owner, and one on the network would let one attacker lock out everybody in it.
type attemptLimiter struct {
	counter AttemptCounter
	clock   clock.Clock
	secret  []byte // of the keys
	kind    string // what is counted
	limit   int    // 0 for none
	window  time.Duration
	refusal string
}

// newPasswordLimiter limits wrong passwords and codes.
func newPasswordLimiter(o RequestOptions) attemptLimiter {
	perQuarter := o.Limits.AttemptsPerQuarter
	return attemptLimiter{o.Attempts, o.Clock, o.NetworkKey, "password", perQuarter, 15 * time.Minute,
		"That was wrong too often. Please wait a quarter of an hour and try again."}
}

// newEmailLimiter limits emails that a caller can trigger.
func newEmailLimiter(o RequestOptions) attemptLimiter {
	perHour := o.Limits.EmailsPerHour
	return attemptLimiter{o.Attempts, o.Clock, o.NetworkKey, "email", perHour, time.Hour,
		"We have written to you several times already. Please look into your mail, or try again in an hour."}
}

// guard runs an attempt, which counts only if the credential is wrong.
func (t attemptLimiter) guard(ctx context.Context, account string, attempt func() error) error {
	return t.count(ctx, account, attempt, isWrong)
}

// send runs an attempt, which counts only if it succeeds: unsent emails do not count.
func (t attemptLimiter) send(ctx context.Context, account string, attempt func() error) error {
	return t.count(ctx, account, attempt, func(err error) bool { return err == nil })
}

// count runs an attempt at the account from the request's network, or refuses it. It is counted in advance, so that parallel attempts
// cannot exceed the limit, and uncounted if its outcome does not count.
func (t attemptLimiter) count(ctx context.Context, account string, attempt func() error, counts func(error) bool) error {
	if t.limit <= 0 {
		return attempt()
	}
	key, now := t.key(ctx, account), t.clock.Now()
	counted, err := t.counter.Count(ctx, key, t.limit, t.window, now)
	if err != nil {
		return err
	}
	if !counted {
		return fault.Wait(t.window, "%s", t.refusal)
	}
	err = attempt()
	if !counts(err) {
		// If this fails, the attempt counts until its period is over.
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackTime)
		defer cancel()
		_ = t.counter.TakeBack(end, key, t.window, now)
	}
	return err
}

// takeBackTime bounds how long TakeBack may take: the caller may have left.
const takeBackTime = 5 * time.Second

// key returns an HMAC: who has a copy of the database does not learn from which network an account was tried.
func (t attemptLimiter) key(ctx context.Context, account string) string {
	mac := hmac.New(sha256.New, t.secret)
	mac.Write([]byte(t.kind + " " + account + " " + networkOf(originOf(ctx))))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// isWrong reports whether err means that a credential was wrong.
func isWrong(err error) bool {
	f := fault.As(err)
	return f != nil && (f.Code == fault.Unauthorized || f.Reason == account.ReasonWrong)
}
