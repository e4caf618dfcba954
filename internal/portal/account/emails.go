package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

const (
	// ReasonConfirmed is the reason of faults that say that the player's address is confirmed already.
	ReasonConfirmed = "confirmed"
	// ReasonExternalEmail is the reason of faults that say that the game platform keeps the players' addresses.
	ReasonExternalEmail = "elsewhere"
	// ReasonEmail is the reason with which other capabilities refuse what needs a confirmed address.
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

// EmailCode is a code for an address, as it is kept. Only its hash is.
type EmailCode struct {
	PlayerID string
	Email    string // the address that it is mailed to, and that it confirms
	Hash     string
	Attempts int // attempts at it
	Expires  time.Time
	Message  email.Message // carries the code
	Taken    email.Message // mailed in its place where the address is another player's
}

// Emails keeps the codes that confirm the players' addresses, and which addresses are confirmed.
type Emails interface {
	// SaveEmailCode keeps a code in place of an earlier one and writes an email to its address. Where the address is
	// another player's, the email is Taken, and no code confirms the address. Both take the same work.
	SaveEmailCode(ctx context.Context, c EmailCode) error
	// ConfirmEmail spends one attempt of the player's code. If the hash is the code's, the address becomes the player's own,
	// confirmed, the code is used up, and links for a new password that went to another address end, all in one
	// transaction. It returns fault.NotFound for a wrong hash and where there is no code that is still good, and
	// fault.Conflict where the address has become another player's or the player's own was confirmed meanwhile.
	ConfirmEmail(ctx context.Context, playerID, hash string, at time.Time) error
	// Confirmed reports whether a player counts as reachable; see Service.Confirmed.
	Confirmed(ctx context.Context, playerID string) (bool, error)
}

// Confirmed reports whether a player counts as reachable: the email address is confirmed, or somebody else vouches for
// the player, because the player signs in through X, has come by a link from the game, or has an account that the game
// platform keeps. It is false for an unknown player.
func (s *Service) Confirmed(ctx context.Context, playerID string) (bool, error) {
	return s.o.Emails.Confirmed(ctx, playerID)
}

// AddEmail mails a code of 8 digits to an address, by which ConfirmEmail makes it the caller's own. An empty address, or
// the caller's own, stands for the own one that is not confirmed yet. A new code takes the place of an earlier one. If
// the address is another player's, the email to it says so and carries no code: the answer must not tell who has an
// account.
//
// An address in place of another one that is not confirmed needs the password, as it is what the player signs in with.
// A caller without address, and so without password, must have signed in within the last ten minutes. A confirmed address
// is not changed here.
//
// It returns ErrNoMail; fault.Invalid with the field, and with ReasonWrong for a wrong password; fault.Conflict with
// ReasonConfirmed, or with ReasonExternalEmail where the game platform keeps the addresses; and fault.Forbidden with
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
	address = strings.TrimSpace(address)
	if id.Email != "" && (address == "" || EmailKey(address) == EmailKey(id.Email)) {
		if id.EmailConfirmed {
			return errConfirmed
		}
		return s.mailEmailCode(ctx, c.PlayerID, id.Email)
	}
	if m := EmailFault(address); m != "" {
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

// ConfirmEmail confirms, by the mailed code, the address that it was mailed to. It returns fault.Invalid with the field
// and ReasonWrong for a code that is wrong, used or expired, and fault.Conflict where the address has become another
// player's or the own one was confirmed since the code was mailed.
func (s *Service) ConfirmEmail(ctx context.Context, c Caller, code string) error {
	err := s.o.Emails.ConfirmEmail(ctx, c.PlayerID, s.hashCode(codeForEmail, c.PlayerID, withoutBlanks(code)), s.o.Clock.Now())
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
	code, err := newCode()
	if err != nil {
		return err
	}
	message, taken := confirmationEmail(s.o.Site, code), addressTakenEmail(s.o.Site)
	message.To, message.PlayerID, taken.To = address, playerID, address
	return s.o.Emails.SaveEmailCode(ctx, EmailCode{
		PlayerID: playerID, Email: address, Hash: s.hashCode(codeForEmail, playerID, code), Attempts: codeAttempts,
		Expires: s.o.Clock.Now().Add(CodeTTL), Message: message, Taken: taken,
	})
}

// welcome mails a new player the code for the address of the registration. The account exists whether or not that works:
// another code can be asked for.
func (s *Service) welcome(ctx context.Context, id Identity) {
	if s.o.NoMail || s.o.Platform.KeepsEmails() {
		return
	}
	if err := s.mailEmailCode(context.WithoutCancel(ctx), id.PlayerID, id.Email); err != nil {
		s.o.Report(fmt.Errorf("no code for the email of the new player %s: %w", id.PlayerID, err))
	}
}

// What mailed codes are for: a code for one is none for the other.
const (
	codeForDeletion = "deletion"
	codeForEmail    = "email"
)

// newCode returns a code to be mailed.
func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(codes))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%08d", n), nil
}

// withoutBlanks takes the blanks out of a code that was typed or pasted.
func withoutBlanks(code string) string { return strings.Join(strings.Fields(code), "") }

// hashCode is what is kept of a code. All codes are soon tried, so the hash is keyed: the database alone does not tell
// the code.
func (s *Service) hashCode(purpose, playerID, code string) string {
	mac := hmac.New(sha256.New, s.o.Key)
	mac.Write([]byte(purpose + " " + playerID + " " + code))
	return hex.EncodeToString(mac.Sum(nil))
}
