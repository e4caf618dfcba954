package account

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/fault"
)

const (
	// ReasonConfirmed is the fault reason if the player's address is already confirmed.
	ReasonConfirmed = "confirmed"
	// ReasonExternalEmail is the fault reason if the game platform stores the players' addresses.
	ReasonExternalEmail = "elsewhere"
	// ReasonEmail is the fault reason with which other capabilities refuse players without a confirmed address.
	ReasonEmail = "email"
)

var (
	errConfirmed     = fault.New(fault.Conflict, "Your email is confirmed already.").WithReason(ReasonConfirmed)
	errExternalEmail = fault.New(fault.Conflict,
		"Your email belongs to your account in the game and is kept there. You do not have to confirm it here.").WithReason(ReasonExternalEmail)
	errEmailTakenSince = fault.New(fault.Conflict, "There is an account with this email already. Please sign in to that one.")
)

// EmailCode is a stored code for an address. Only the code's hash is stored.
type EmailCode struct {
	PlayerID string
	Email    string // the address that it is sent to and that it confirms
	Hash     string
	Attempts int // attempts allowed
	Expires  time.Time
	Message  email.Message // contains the code
	Taken    email.Message // sent instead if the address belongs to another player
}

// Emails stores the codes that confirm the players' addresses, and which addresses are confirmed.
type Emails interface {
	// SaveEmailCode stores a code, replacing an earlier one, and queues an email to its address. If the address
	// belongs to another player, the email is Taken, and no code confirms the address. Both cases take the same work.
	SaveEmailCode(ctx context.Context, c EmailCode) error
	// ConfirmEmail uses one attempt of the player's code. If the hash matches, the address becomes the player's
	// confirmed address, the code is deleted, and password reset links and codes sent to another address become invalid,
	// all in one transaction. If the player had another address or none, the emails are queued too. It returns
	// fault.NotFound for a wrong hash, if there is no valid code, and if the player's address is no longer from's, and
	// fault.Conflict if the address now belongs to another player.
	ConfirmEmail(ctx context.Context, from Identity, matches func(hash string) bool, at time.Time, n EmailChange) error
	// EmailChangedAt returns when the player's present address replaced another one, or none; the zero time for that of
	// the registration, and for an unknown player.
	EmailChangedAt(ctx context.Context, playerID string) (time.Time, error)
	// Proofs returns what shows that a player can be reached; nothing does for an unknown player.
	Proofs(ctx context.Context, playerID string) (Proofs, error)
}

// EmailChange is what follows from an account's new address.
type EmailChange struct {
	// Old is mailed to the address that is replaced, if any, and New to the new one. Both are without recipient.
	Old, New email.Message
	// BySignIn means that an external login approved the change: links of earlier notices become invalid.
	BySignIn bool
}

// AddEmail emails a code of 8 digits to an address. ConfirmEmail with this code makes it the caller's address. An
// empty address, or the caller's own, means the caller's unconfirmed address. A new code replaces an earlier one. If
// the address belongs to another player, the email says so and carries no code: the response must not reveal who has
// an account.
//
// Another address needs the player's approval, since passwords are reset through it. It returns ErrNoMail; fault.Invalid
// with the field; fault.Conflict with ReasonConfirmed, or with ReasonExternalEmail if the game platform stores the
// addresses; and the faults of Approvals.ApproveEmail.
func (s *Service) AddEmail(ctx context.Context, c Caller, address string) error {
	if s.o.Platform.KeepsEmails() {
		return errExternalEmail
	}
	if s.o.NoMail {
		return ErrNoMail
	}
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	address = email.Clean(address)
	if id.Email != "" && (address == "" || EmailKey(address) == EmailKey(id.Email)) {
		if id.EmailConfirmed {
			return errConfirmed
		}
		return s.mailEmailCode(ctx, id, id.Email)
	}
	if m := email.NewFault(address); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.email", Message: m})
	}
	if err := s.o.Approvals.ApproveEmail(ctx, c, id, address); err != nil {
		return err
	}
	return s.mailEmailCode(ctx, id, address)
}

// ConfirmEmail confirms the address to which the code was sent. It returns fault.Invalid with the field and
// ReasonWrong for a code that is wrong, used or expired, or was sent before the caller's address was confirmed or
// changed, and fault.Conflict if the address now belongs to another player.
func (s *Service) ConfirmEmail(ctx context.Context, c Caller, code string) error {
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	isNew, err := s.emailIsNew(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	proofs, err := s.o.Emails.Proofs(ctx, c.PlayerID)
	if err != nil {
		return err
	}
	change := EmailChange{New: emailIsYoursEmail(s.o.Site), BySignIn: proofs.Linked && (isNew || id.Email == "")}
	if id.EmailConfirmed && !isNew {
		change.Old = emailChangedEmail(s.o.Site)
	} else {
		change.Old = emailReplacedEmail(s.o.Site)
	}
	err = s.o.Emails.ConfirmEmail(ctx, id, func(hash string) bool { return emailcode.Matches(s.o.Keys, emailPurpose(id, isNew), code, hash) },
		s.o.Clock.Now(), change)
	switch {
	case fault.Is(err, fault.NotFound):
		return errCode
	case fault.Is(err, fault.Conflict):
		return errEmailTakenSince
	}
	return err
}

func (s *Service) mailEmailCode(ctx context.Context, id Identity, address string) error {
	isNew, err := s.emailIsNew(ctx, id.PlayerID)
	if err != nil {
		return err
	}
	code, err := emailcode.New()
	if err != nil {
		return err
	}
	message, taken := confirmationEmail(s.o.Site, code), addressTakenEmail(s.o.Site)
	message.To, message.PlayerID, taken.To = address, id.PlayerID, address
	return s.o.Emails.SaveEmailCode(ctx, EmailCode{
		PlayerID: id.PlayerID, Email: address, Hash: emailcode.Hash(s.o.Keys, emailPurpose(id, isNew), code), Attempts: emailcode.Attempts,
		Expires: s.o.Clock.Now().Add(emailcode.TTL), Message: message, Taken: taken,
	})
}

// welcome emails a new player the code for the registered address. The account exists even if that fails: the player
// can request another code.
func (s *Service) welcome(ctx context.Context, id Identity) {
	if s.o.NoMail || s.o.Platform.KeepsEmails() {
		return
	}
	if err := s.mailEmailCode(context.WithoutCancel(ctx), id, id.Email); err != nil {
		s.o.Report(fmt.Errorf("no code for the email of the new player %s: %w", id.PlayerID, err))
	}
}

// emailPurpose returns the purpose of a player's code. It includes the address that the code may replace, and whether that is new: what
// allowed that, such as the password for an unconfirmed address, may not do so later.
func emailPurpose(id Identity, isNew bool) string {
	purpose := []string{"email", id.PlayerID, EmailKey(id.Email), strconv.FormatBool(id.EmailConfirmed), strconv.FormatBool(isNew)}
	return strings.Join(purpose, " ")
}
