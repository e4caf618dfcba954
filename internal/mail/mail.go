// Package mail sends the letters that capabilities wrote in their transactions.
//
// A letter is sent at least once: it is claimed before it is sent and settled afterwards, and a crash in between sends it
// again, under the same Message-ID. What cannot be sent is tried again, later and later, until it is of no use any more.
// Run is for one process at a time, the holder of the lease.
package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
)

// Store keeps the letters.
type Store interface {
	// DueLetters returns pending letters whose time has come, at most limit.
	DueLetters(ctx context.Context, at time.Time, limit int) ([]email.Letter, error)
	// ClaimLetter notes a try, and when the next one is due if nothing is heard of this one. It reports false where the
	// letter is not pending any more or somebody else has tried it since.
	ClaimLetter(ctx context.Context, id string, tries int, retry time.Time) (bool, error)
	// SettleLetter notes what became of a letter, and forgets its text and whom it was for.
	SettleLetter(ctx context.Context, id string, s email.State, problem string) error
	// DelayLetter notes why a letter could not be sent, and when it is tried again.
	DelayLetter(ctx context.Context, id, problem string, retry time.Time) error
	// DeleteLetters forgets letters that were written before a time, and those to nobody from before another.
	DeleteLetters(ctx context.Context, before, voidBefore time.Time) error
}

// Sender sends one letter.
type Sender interface {
	// Send returns an error with ErrPermanent in its chain for a letter that will never be taken.
	Send(ctx context.Context, l email.Letter) error
}

// ErrPermanent marks errors of letters that will never be taken, such as one to an address that is not there.
var ErrPermanent = errors.New("not to be tried again")

const (
	interval = time.Second
	batch    = 20
	// sendTime bounds one try.
	sendTime = 30 * time.Second
	// claimTime is when a letter is tried again of whose try nothing was heard: the process died.
	claimTime = 2 * time.Minute
	// memory is how long it is kept that there was a letter.
	memory        = 7 * 24 * time.Hour
	voidMemory    = time.Hour // whoever asks for links to addresses of nobody must not fill the table
	pruneInterval = time.Hour
	maxProblem    = 300
)

// delay is the pause after so many tries that failed before this one; the last one is repeated.
func delay(tries int) time.Duration {
	d := []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}
	return d[min(tries, len(d)-1)]
}

// Service sends letters. It is safe for concurrent use.
type Service struct {
	store  Store
	sender Sender
	clock  clock.Clock
}

// New returns the service.
func New(s Store, sender Sender, c clock.Clock) *Service { return &Service{s, sender, c} }

// Run sends letters until ctx ends.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	tick, prune := time.NewTicker(interval), time.NewTicker(pruneInterval)
	defer tick.Stop()
	defer prune.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			err = s.SendDue(ctx)
		case <-prune.C:
			err = s.store.DeleteLetters(ctx, s.clock.Now().Add(-memory), s.clock.Now().Add(-voidMemory))
		}
		if err != nil && ctx.Err() == nil {
			report(err)
		}
	}
}

// SendDue tries every letter whose time has come. It returns the errors of those that could not be sent.
func (s *Service) SendDue(ctx context.Context) error {
	due, err := s.store.DueLetters(ctx, s.clock.Now(), batch)
	if err != nil {
		return err
	}
	var errs []error
	for _, l := range due {
		if ctx.Err() != nil {
			break
		}
		if err := s.send(ctx, l); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Service) send(ctx context.Context, l email.Letter) error {
	now := s.clock.Now()
	if !now.Before(l.ExpiresAt) {
		return s.store.SettleLetter(ctx, l.ID, email.Failed, "too late: "+l.Error)
	}
	claimed, err := s.store.ClaimLetter(ctx, l.ID, l.Tries, now.Add(claimTime))
	if err != nil || !claimed {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	err = s.sender.Send(bounded, l)
	if err == nil {
		// It is out: that must be noted even if everything is about to stop.
		return s.store.SettleLetter(context.WithoutCancel(ctx), l.ID, email.Sent, "")
	}
	if ctx.Err() != nil {
		return nil
	}
	problem := plain(err, l)
	if errors.Is(err, ErrPermanent) {
		err = s.store.SettleLetter(ctx, l.ID, email.Failed, problem)
	} else {
		err = s.store.DelayLetter(ctx, l.ID, problem, s.clock.Now().Add(delay(l.Tries)))
	}
	return errors.Join(fmt.Errorf("letter %s: %s", l.ID, problem), err)
}

// plain is an error's text for database and log, which are not told whom the letter was for.
func plain(err error, l email.Letter) string {
	text := []rune(strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "?"), l.To, "the recipient"))
	return string(text[:min(len(text), maxProblem)])
}
