package account

import (
	"context"
	"fmt"
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
	errConfirmed       = fault.New(fault.Conflict, "Your email is confirmed already.").WithReason(ReasonConfirmed)
	errKeepsConfirmed  = fault.New(fault.Conflict, "Your email is confirmed and cannot be changed here. Please write to our support.").WithReason(ReasonConfirmed)
	errExternalEmail   = fault.New(fault.Conflict, "Your email belongs to your account in the game and is kept there. You do not have to confirm it here.").WithReason(ReasonExternalEmail)
	errEmailStale      = fault.New(fault.Forbidden, "Please sign in once more, then add your email within ten minutes.").WithReason(ReasonStale)
	errReplacesEmail   = fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.password", Message: "Please enter your password. You will sign in with the new email."})
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
	// confirmed address, the code is deleted, and password reset links sent to another address become invalid, all in
	// one transaction. If the player had another address or none, the notices are queued too. It returns fault.NotFound
	// for a wrong hash and if there is no valid code, and fault.Conflict if the address now belongs to another player or the player's own address was confirmed in the meantime.
	ConfirmEmail(ctx context.Context, playerID, hash string, at time.Time, n EmailNotices) error
	// AddedEmailAt returns when a player who joined without an address confirmed the present one; the zero time for others, and
	// while there is none.
	AddedEmailAt(ctx context.Context, playerID string) (time.Time, error)
	// Confirmed reports whether a player counts as reachable; see Proofs. It is false for an unknown player.
	Confirmed(ctx context.Context, playerID string) (bool, error)
}

// EmailNotices are the emails about an account's new address, without recipient: one goes to the address that it replaces, if
// that was confirmed, and one to the new address.
type EmailNotices struct{ Old, New email.Message }

// AddEmail emails a code of 8 digits to an address. ConfirmEmail with this code makes it the caller's address. An
// empty address, or the caller's own, means the caller's unconfirmed address. A new code replaces an earlier one. If
// the address belongs to another player, the email says so and carries no code: the response must not reveal who has
// an account.
//
// Replacing an unconfirmed address with another one needs the password, since the address is what the player signs in
// with. A caller without address, and so without password, must have signed in within the last ten minutes. A
// confirmed address cannot be changed here.
//
// It returns ErrNoMail; fault.Invalid with the field, and with ReasonWrong for a wrong password; fault.Conflict with
// ReasonConfirmed, or with ReasonExternalEmail if the game platform stores the addresses; and fault.Forbidden with
// ReasonStale.
func (s *Service) AddEmail(ctx context.Context, c Caller, address, password string) error {
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
		return s.mailEmailCode(ctx, c.PlayerID, id.Email)
	}
	if m := email.NewFault(address); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.email", Message: m})
	}
	switch {
	case id.EmailConfirmed:
		return errKeepsConfirmed
	case id.Email == "":
		err = s.proveFresh(ctx, c, errEmailStale)
	case password == "":
		err = errReplacesEmail
	default:
		_, err = s.prove(ctx, c, password, errOwn)
	}
	if err != nil {
		return err
	}
	return s.mailEmailCode(ctx, c.PlayerID, address)
}

// ConfirmEmail confirms the address to which the code was sent. It returns fault.Invalid with the field and
// ReasonWrong for a code that is wrong, used or expired, and fault.Conflict if the address now belongs to another
// player or the caller's own address was confirmed after the code was sent.
func (s *Service) ConfirmEmail(ctx context.Context, c Caller, code string) error {
	err := s.o.Emails.ConfirmEmail(ctx, c.PlayerID, s.hashCode(codeForEmail, c.PlayerID, code), s.o.Clock.Now(),
		EmailNotices{Old: emailChangedEmail(s.o.Site), New: emailChangedEmail(s.o.Site)})
	switch f := fault.As(err); {
	case f == nil:
		return err
	case f.Code == fault.NotFound:
		return errCode
	case f.Code == fault.Conflict && f.Reason == ReasonConfirmed:
		return errKeepsConfirmed
	case f.Code == fault.Conflict:
		return errEmailTakenSince
	}
	return err
}

func (s *Service) mailEmailCode(ctx context.Context, playerID, address string) error {
	code, err := emailcode.New()
	if err != nil {
		return err
	}
	message, taken := confirmationEmail(s.o.Site, code), addressTakenEmail(s.o.Site)
	message.To, message.PlayerID, taken.To = address, playerID, address
	return s.o.Emails.SaveEmailCode(ctx, EmailCode{
		PlayerID: playerID, Email: address, Hash: s.hashCode(codeForEmail, playerID, code), Attempts: emailcode.Attempts,
		Expires: s.o.Clock.Now().Add(emailcode.TTL), Message: message, Taken: taken,
	})
}

// welcome emails a new player the code for the registered address. The account exists even if that fails: the player
// can request another code.
func (s *Service) welcome(ctx context.Context, id Identity) {
	if s.o.NoMail || s.o.Platform.KeepsEmails() {
		return
	}
	if err := s.mailEmailCode(context.WithoutCancel(ctx), id.PlayerID, id.Email); err != nil {
		s.o.Report(fmt.Errorf("no code for the email of the new player %s: %w", id.PlayerID, err))
	}
}

// codeForEmail is the purpose of codes that confirm an address.
const codeForEmail = "email"

// hashCode returns the hash under which a player's code is stored.
func (s *Service) hashCode(purpose, playerID, code string) string {
	return emailcode.Hash(s.o.Key, purpose+" "+playerID, code)
}
