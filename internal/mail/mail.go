// Package mail sends the emails that capabilities queue in their transactions.
//
// Delivery is at least once: an email is claimed before it is sent and finished afterwards; after a crash in between
// it is sent again, under the same Message-ID. Failed emails are retried with increasing delays until they expire.
// Only the leader calls Run.
package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/periodic"
)

// Store stores the queue.
type Store interface {
	// DueEmails returns at most limit pending emails that are due.
	DueEmails(ctx context.Context, at time.Time, limit int) ([]email.Queued, error)
	// ClaimEmail counts an attempt and sets the time of the next one, in case this process dies. It reports false if the
	// email is no longer pending, or if its number of attempts is not the given one.
	ClaimEmail(ctx context.Context, id string, attempts int, retry time.Time) (bool, error)
	// FinishEmail sets the final state of an email and removes its text and recipient.
	FinishEmail(ctx context.Context, id string, s email.State, problem string) error
	// RetryEmail records why an email could not be sent, and when the next attempt is due.
	RetryEmail(ctx context.Context, id, problem string, retry time.Time) error
	// DeleteEmails deletes emails written before one time, and void ones written before another.
	DeleteEmails(ctx context.Context, before, voidBefore time.Time) error
}

// Sender sends one email.
type Sender interface {
	// Send returns an error that wraps ErrPermanent if the email will never be accepted.
	Send(ctx context.Context, m email.Queued) error
}

// ErrPermanent marks errors that a retry cannot fix, such as an address that does not exist.
var ErrPermanent = errors.New("permanent failure")

const (
	interval = time.Second
	batch    = 20
	// sendTimeout is the timeout of one attempt.
	sendTimeout = 30 * time.Second
	// claimTimeout is when a claimed email is retried: its process has died.
	claimTimeout = 2 * time.Minute
	// retention is how long the record of an email is kept.
	retention     = 7 * 24 * time.Hour
	voidRetention = time.Hour // requests for unknown addresses must not fill the table
	pruneInterval = time.Hour
	maxProblem    = 300
)

// delay is the pause before the next attempt, after the given number of earlier ones.
func delay(attempts int) time.Duration {
	d := []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}
	return d[min(attempts, len(d)-1)]
}

// Service sends emails. It is safe for concurrent use.
type Service struct {
	store  Store
	sender Sender
	clock  clock.Clock
}

// New returns the service.
func New(s Store, sender Sender, c clock.Clock) *Service { return &Service{s, sender, c} }

// Run sends emails and prunes old ones until ctx ends. Errors are reported and do not end it.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	prune := periodic.Every(pruneInterval, s.Prune)
	return periodic.Run(ctx, interval, func(ctx context.Context) error { return errors.Join(s.SendDue(ctx), prune(ctx)) }, report)
}

// Prune deletes old emails.
func (s *Service) Prune(ctx context.Context) error {
	return s.store.DeleteEmails(ctx, s.clock.Now().Add(-retention), s.clock.Now().Add(-voidRetention))
}

// SendDue sends every email that is due. It returns the errors of those that failed.
func (s *Service) SendDue(ctx context.Context) error {
	due, err := s.store.DueEmails(ctx, s.clock.Now(), batch)
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range due {
		if ctx.Err() != nil {
			break
		}
		if err := s.send(ctx, m); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Service) send(ctx context.Context, m email.Queued) error {
	now := s.clock.Now()
	if !now.Before(m.ExpiresAt) {
		return s.store.FinishEmail(ctx, m.ID, email.Failed, "expired: "+m.Error)
	}
	claimed, err := s.store.ClaimEmail(ctx, m.ID, m.Attempts, now.Add(claimTimeout))
	if err != nil || !claimed {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err = s.sender.Send(bounded, m)
	if err == nil {
		// The email is out: record it even during shutdown.
		return s.store.FinishEmail(context.WithoutCancel(ctx), m.ID, email.Sent, "")
	}
	if ctx.Err() != nil {
		return nil
	}
	problem := plain(err, m)
	if errors.Is(err, ErrPermanent) {
		err = s.store.FinishEmail(ctx, m.ID, email.Failed, problem)
	} else {
		err = s.store.RetryEmail(ctx, m.ID, problem, s.clock.Now().Add(delay(m.Attempts)))
	}
	return errors.Join(fmt.Errorf("email %s: %s", m.ID, problem), err)
}

// plain returns an error's text without the recipient, for database and log.
func plain(err error, m email.Queued) string {
	text := []rune(strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "?"), m.To, "the recipient"))
	return string(text[:min(len(text), maxProblem)])
}
