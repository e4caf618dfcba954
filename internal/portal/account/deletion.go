package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
)

const (
	// Grace is how long an account is kept whose player gives up what is in it.
	Grace = 7 * 24 * time.Hour
	// GiveUp is what a player types to give up what is in the account.
	GiveUp = "I give all this up"

	// graceRetry is how long a deletion waits for an operation in progress.
	graceRetry = time.Minute

	// ReasonUnderWay means that a payment is in progress.
	ReasonUnderWay = "under-way"
	// ReasonNotEmpty means that something is in the account. The details name it.
	ReasonNotEmpty = "not-empty"
	// ReasonDeleting means that the account is about to be deleted.
	ReasonDeleting = "deleting"
	// ReasonStale means that the caller must sign in again first.
	ReasonStale = "stale"
	// ReasonNoEmail means that the account has no email address.
	ReasonNoEmail = "no-email"
)

var (
	errCode = wrongField(fault.Field{
		Location: "body.code", Message: "This code is wrong or too old. Please check it, or ask for a new one.",
	})
	errOwn     = wrongField(fault.Field{Location: "body.password", Message: "This is not your password."})
	errNoProof = fault.InvalidFields("Please check what you entered.", fault.Field{
		Location: "body.password", Message: "Please enter your password, or the code from our mail.",
	})
	errGiveUp = fault.InvalidFields("Please check what you entered.", fault.Field{
		Location: "body.giveUp", Message: "Please type it exactly: " + GiveUp,
	})
	errLink = fault.New(fault.NotFound, "This link is no longer valid: the account is kept already, or it is deleted.")
	errKept = fault.New(fault.NotFound, "Your account is not about to be deleted.")
	// ErrUnderWay means that a payment of the player is in progress.
	ErrUnderWay = fault.New(fault.Conflict, "A payment of yours is still under way. Please try again once it is done.").
			WithReason(ReasonUnderWay)
	// ErrDeleting means that the account is about to be deleted, and neither buys nor sells.
	ErrDeleting = fault.New(fault.Conflict, "Your account is about to be deleted. Keep it first: the button is in your settings.").
			WithReason(ReasonDeleting)
	// ErrNoEmail means that the account has no email address.
	ErrNoEmail = fault.New(fault.Conflict, "Your account has no email that can be used for this yet.").WithReason(ReasonNoEmail)
)

// SendDeletionCode emails a code of 8 digits with which the player confirms the account's deletion, together with what
// is lost by it. A new code replaces an earlier one. It returns ErrNoMail, or fault.Conflict with ReasonNoEmail.
func (s *Service) SendDeletionCode(ctx context.Context, c Caller) error {
	if s.o.NoMail {
		return ErrNoMail
	}
	mailbox, err := s.ProvingMailbox(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	if mailbox == "" {
		return ErrNoEmail
	}
	list, err := s.Belongings(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	return s.o.Approvals.RequestDeletion(ctx, c, linesOf(list))
}

// DeletionProof is how a player asks for the deletion of the account.
type DeletionProof struct {
	Password string
	Code     string
	GiveUp   string // what was typed
}

// Delete deletes the caller's account for good if nothing is in it: here in one step, and on the game platform as soon as
// it is reachable. If something is in it, the player has to give that up; then the account is deleted after Grace, until
// which it can be kept. It returns when; zero for an account that is deleted.
//
// The proof is the password or a code from SendDeletionCode; for a player without email, who has neither, it is a recent
// sign-in. It returns fault.Conflict with ReasonNotEmpty and the details, fault.Invalid with the field, with ReasonWrong
// for a wrong password or code, fault.Forbidden with ReasonStale if the sign-in is too old, fault.Conflict with
// ReasonUnderWay while a payment is in progress, and fault.Unavailable while it is not known what the player has.
func (s *Service) Delete(ctx context.Context, c Caller, p DeletionProof) (due time.Time, err error) {
	list, err := s.Belongings(ctx, c.PlayerID)
	if err != nil {
		return due, err
	}
	if len(list) > 0 {
		if due, err = s.o.Deletions.DeletionDue(ctx, c.PlayerID); err != nil || !due.IsZero() {
			return due, err
		}
		switch {
		case p.GiveUp == "":
			return due, notEmpty(list)
		case p.GiveUp != GiveUp:
			return due, errGiveUp
		}
	}
	id, err := s.proveDeletion(ctx, c, p, list)
	if err != nil {
		return due, err
	}
	if len(list) > 0 {
		return s.requestDeletion(ctx, id, list)
	}
	return due, s.delete(ctx, DeletedPlayer{PlayerID: c.PlayerID, Message: s.emailTo(accountDeletedEmail(s.o.Site), id),
		Allow: func(b Belongings) error {
			if list := s.list(b); len(list) > 0 {
				return notEmpty(list)
			}
			return nil
		}})
}

func (s *Service) requestDeletion(ctx context.Context, id Identity, list []Belonging) (time.Time, error) {
	now := s.o.Clock.Now()
	token := rand.Text()
	r := RequestedDeletion{PlayerID: id.PlayerID, At: now, Due: now.Add(Grace)}
	if r.Message = s.emailTo(deletionRequestedEmail(s.o.Site, s.o.DeletionPage, token, r.Due, linesOf(list)), id); r.Message != nil {
		r.CancelHash = HashSecret(token)
	}
	return s.o.Deletions.RequestDeletion(ctx, r)
}

func (s *Service) delete(ctx context.Context, d DeletedPlayer) error {
	d.At = s.o.Clock.Now()
	sessions, err := s.o.Deletions.DeletePlayer(ctx, d)
	if err != nil {
		return err
	}
	s.closeConnections(ctx, sessions...)
	return nil
}

// DeletionDue returns when the player's account is deleted; zero if it is not to be.
func (s *Service) DeletionDue(ctx context.Context, playerID string) (time.Time, error) {
	return s.o.Deletions.DeletionDue(ctx, playerID)
}

// MayTrade returns ErrDeleting while the player's account is about to be deleted.
func (s *Service) MayTrade(ctx context.Context, playerID string) error {
	due, err := s.o.Deletions.DeletionDue(ctx, playerID)
	if err == nil && !due.IsZero() {
		err = ErrDeleting
	}
	return err
}

// Keep cancels the requested deletion of the caller's account. It returns fault.NotFound if there is none.
func (s *Service) Keep(ctx context.Context, c Caller) error {
	kept, err := s.o.Deletions.CancelDeletion(ctx, c.PlayerID)
	if err == nil && !kept {
		err = errKept
	}
	return err
}

// KeepByToken is Keep with the token of the emailed link. It returns fault.NotFound for one that is no longer valid.
func (s *Service) KeepByToken(ctx context.Context, token string) error {
	if !isToken(token) {
		return errLink
	}
	player, err := s.o.Deletions.PlayerOfDeletion(ctx, HashSecret(token))
	if fault.Is(err, fault.NotFound) {
		return errLink
	}
	if err != nil {
		return err
	}
	kept, err := s.o.Deletions.CancelDeletion(ctx, player)
	if err == nil && !kept {
		err = errLink
	}
	return err
}

func (s *Service) proveDeletion(ctx context.Context, c Caller, p DeletionProof, list []Belonging) (Identity, error) {
	isNew, err := s.emailIsNew(ctx, c.PlayerID)
	if err != nil {
		return Identity{}, err
	}
	if p.Password != "" && !isNew { // it may have been set by the new address
		return s.prove(ctx, c, p.Password, errOwn)
	}
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return Identity{}, err
	}
	code := strings.TrimSpace(p.Code)
	if code == "" && id.Email != "" && !isNew {
		return Identity{}, errNoProof
	}
	return id, s.o.Approvals.ApproveDeletion(ctx, c, linesOf(list), code)
}

// EndGrace deletes accounts whose grace is over. One with a payment or an operation in progress waits for its end.
func (s *Service) EndGrace(ctx context.Context) error {
	now := s.o.Clock.Now()
	players, err := s.o.Deletions.RequestedDeletions(ctx, now, dueBatch)
	if err != nil {
		return err
	}
	var errs []error
	for _, player := range players {
		id, err := s.o.Platform.Player(ctx, player)
		if fault.Is(err, fault.NotFound) { // the platform's account is gone already: nobody is left to write to
			id, err = Identity{}, nil
		}
		if err == nil {
			err = s.delete(ctx, DeletedPlayer{PlayerID: player, Requested: true, Message: s.emailTo(accountDeletedEmail(s.o.Site), id)})
		}
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return nil
		case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound):
			errs = append(errs, fmt.Errorf("deleting player %s after the grace: %w", player, err))
		}
		errs = append(errs, s.o.Deletions.DelayRequested(ctx, player, now.Add(graceRetry)))
	}
	return errors.Join(errs...)
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

// Run deletes accounts whose grace is over, forwards deletions to the game platform, ends expired sessions and deletes expired
// rows, until ctx ends. Only the holder of the lease may call it. Errors are reported and do not end it.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	forget := periodic.Every(staleInterval, s.ForgetStale)
	return periodic.RunAtOnce(ctx, workInterval, func(ctx context.Context) error {
		return errors.Join(s.EndExpired(ctx), s.EndGrace(ctx), s.FinishDeletions(ctx), forget(ctx))
	}, report)
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
