package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/fault"
)

const (
	// freshSession is the maximum age of the session with which a player without password and email may delete the
	// account: a recent sign-in is the only proof of identity there is.
	freshSession = 10 * time.Minute

	// ReasonUnderWay means that a payment is in progress.
	ReasonUnderWay = "under-way"
	// ReasonStale means that the caller must sign in again first.
	ReasonStale = "stale"
	// ReasonNoEmail means that the account has no email address.
	ReasonNoEmail = "no-email"
)

var (
	errCode    = wrongField(fault.Field{Location: "body.code", Message: "This code is wrong or too old. Please check it, or ask for a new one."})
	errOwn     = wrongField(fault.Field{Location: "body.password", Message: "This is not your password."})
	errNoProof = fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.password", Message: "Please enter your password, or the code from our mail."})
	errStale   = fault.New(fault.Forbidden, "Please sign in once more, then delete your account within ten minutes.").WithReason(ReasonStale)
	// ErrUnderWay means that a payment of the player is in progress.
	ErrUnderWay = fault.New(fault.Conflict, "A payment of yours is still under way. Please try again once it is done.").WithReason(ReasonUnderWay)
	// ErrNoEmail means that the account has no email address.
	ErrNoEmail = fault.New(fault.Conflict, "Your account has no email we could write to.").WithReason(ReasonNoEmail)
)

// SendDeletionCode emails a code of 8 digits with which the player confirms the account's deletion. A new code
// replaces an earlier one. It returns ErrNoMail, or fault.Conflict with ReasonNoEmail.
func (s *Service) SendDeletionCode(ctx context.Context, c Caller) error {
	if s.o.NoMail {
		return ErrNoMail
	}
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	code, err := emailcode.New()
	if err != nil {
		return err
	}
	message := s.emailTo(deletionCodeEmail(s.o.Site, code), id)
	if message == nil {
		return ErrNoEmail
	}
	return s.o.Deletions.SaveDeletionCode(ctx, c.PlayerID, s.hashCode(codeForDeletion, c.PlayerID, code), emailcode.Attempts, s.o.Clock.Now().Add(emailcode.TTL), *message)
}

// Delete deletes the caller's account for good: here in one step, and on the game platform as soon as it is
// reachable. The proof is the password or a code from SendDeletionCode; for a player without email, who has neither,
// it is a recent sign-in. It returns fault.Invalid with the field and ReasonWrong for a wrong password or code,
// fault.Forbidden with ReasonStale if the sign-in is too old, and fault.Conflict with ReasonUnderWay while a payment
// is in progress.
func (s *Service) Delete(ctx context.Context, c Caller, password, code string) error {
	id, err := s.proveDeletion(ctx, c, password, strings.TrimSpace(code))
	if err != nil {
		return err
	}
	sessions, err := s.o.Deletions.DeletePlayer(ctx, c.PlayerID, s.o.Clock.Now(), s.emailTo(accountDeletedEmail(s.o.Site), id))
	if err != nil {
		return err
	}
	s.closeConnections(ctx, sessions...)
	return nil
}

func (s *Service) proveDeletion(ctx context.Context, c Caller, password, code string) (Identity, error) {
	switch {
	case password != "":
		return s.prove(ctx, c, password, errOwn)
	case code != "":
		kept, err := s.o.Deletions.TryDeletionCode(ctx, c.PlayerID, s.o.Clock.Now())
		if fault.Is(err, fault.NotFound) || err == nil && !emailcode.Equal(kept, s.hashCode(codeForDeletion, c.PlayerID, code)) {
			return Identity{}, errCode
		}
		if err != nil {
			return Identity{}, err
		}
		return s.o.Platform.Player(ctx, c.PlayerID)
	}
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return Identity{}, err
	}
	if id.Email != "" {
		return Identity{}, errNoProof
	}
	return id, s.proveFresh(ctx, c, errStale)
}

// proveFresh checks that a player without password and email signed in recently. It returns stale if not.
func (s *Service) proveFresh(ctx context.Context, c Caller, stale error) error {
	session, err := s.o.Sessions.Session(ctx, c.SessionID)
	if err == nil && s.o.Clock.Now().Sub(session.CreatedAt) > freshSession {
		err = stale
	}
	return err
}

const (
	workInterval  = 2 * time.Second
	staleInterval = time.Minute
	dueBatch      = 20
	expiredBatch  = 200
	// proofMemory is how long expired links and codes are kept.
	proofMemory = time.Hour
	// deletionMemory is how long the id of a deleted player is kept: PlayFab deletes an account days after the
	// request.
	deletionMemory = 30 * 24 * time.Hour
	maxDelay       = time.Hour
)

// Run forwards deletions to the game platform, ends expired sessions and deletes expired rows, until ctx ends. Only the
// holder of the lease may call it.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	work, stale := time.NewTicker(workInterval), time.NewTicker(staleInterval)
	defer work.Stop()
	defer stale.Stop()
	for err := errors.Join(s.EndExpired(ctx), s.FinishDeletions(ctx), s.ForgetStale(ctx)); ; {
		if err != nil && ctx.Err() == nil {
			report(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-work.C:
			err = errors.Join(s.EndExpired(ctx), s.FinishDeletions(ctx))
		case <-stale.C:
			err = s.ForgetStale(ctx)
		}
	}
}

// EndExpired ends expired sessions in batches. Their tokens become invalid and their connections are closed.
func (s *Service) EndExpired(ctx context.Context) error {
	_, err := s.o.Sessions.EndExpired(ctx, s.o.Clock.Now(), expiredBatch)
	return err
}

// ForgetStale deletes sessions, links, codes and the ids of deleted players once they are old enough.
func (s *Service) ForgetStale(ctx context.Context) error {
	now := s.o.Clock.Now()
	return s.o.Sessions.DeleteStale(ctx, Stale{
		Sessions: now.Add(-sessionMemory), Proofs: now.Add(-proofMemory), Deletions: now.Add(-deletionMemory),
		Browsers: now.Add(-BrowserTTL),
	})
}

// FinishDeletions deletes accounts on the game platform that are still due for deletion. Failed deletions are retried
// with backoff, at least once an hour.
func (s *Service) FinishDeletions(ctx context.Context) error {
	due, err := s.o.Deletions.DeletionsDue(ctx, s.o.Clock.Now(), dueBatch)
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range due {
		err := s.o.Platform.DeletePlayer(ctx, d.PlayerID)
		if err == nil {
			errs = append(errs, s.o.Deletions.FinishDeletion(ctx, d.PlayerID))
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		wait := min(workInterval<<min(d.Attempts, 20), maxDelay)
		errs = append(errs, fmt.Errorf("deleting player %s on the game platform: %w", d.PlayerID, err),
			s.o.Deletions.DelayDeletion(ctx, d.PlayerID, s.o.Clock.Now().Add(wait)))
	}
	return errors.Join(errs...)
}
