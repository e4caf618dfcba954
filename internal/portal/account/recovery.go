package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// LinkTTL is the lifetime of a password reset link.
const LinkTTL = 30 * time.Minute

// ErrNoMail means that the portal cannot send emails.
var ErrNoMail = fault.New(fault.Unavailable, "We cannot send mail just now. Please write to our support.").WithReason("no-mail")

// RecoveryLink is a password reset link of the built-in platform.
type RecoveryLink struct {
	EmailKey, TokenHash string
	At, Expires         time.Time
	EmailWait           time.Duration
	Message             email.Message // contains the link
	// TooEarly returns the email to an address that is too new until a time.
	TooEarly func(until time.Time) email.Message
}

// ForgotPassword emails a password reset link if the address has an account. It returns fault.Invalid for a malformed
// address, and ErrNoMail if neither the portal nor the game platform sends emails.
func (s *Service) ForgotPassword(ctx context.Context, address string) error {
	address = email.Clean(address)
	if m := EmailFault(address); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.email", Message: m})
	}
	return s.o.Platform.SendRecovery(ctx, address)
}

// ResetPassword sets a new password using the token of an emailed link, ends all sessions of the player, removes all passkeys,
// lifts a freeze by the owner and notifies the player by email. It returns fault.Invalid, with the field, for a password that
// breaks a rule, and ErrRecoveryLink.
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	if m := PasswordFault(password, s.o.Reserved.known()...); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.password", Message: m})
	}
	if !isToken(token) {
		return ErrRecoveryLink
	}
	since := s.o.Clock.Now()
	playerID, err := s.o.Platform.ResetPassword(ctx, token, password, func(playerID string) error {
		if id, err := s.o.Platform.Player(ctx, playerID); err == nil {
			return s.checkPassword(id, password)
		}
		return nil // the reset is more important than the comparison
	})
	if err != nil {
		if playerID != "" && fault.Is(err, fault.Unavailable) { // the password may have been changed nevertheless
			_, endErr := s.endSessions(context.WithoutCancel(ctx), EndSessions{
				PlayerID: playerID, Since: since, At: s.o.Clock.Now(), PasswordChanged: true, DropPasskeys: true,
			})
			err = errors.Join(err, endErr)
		}
		return err
	}
	// The password is changed. The sessions must end even if the request was cancelled.
	return s.passwordChanged(context.WithoutCancel(ctx), EndSessions{PlayerID: playerID, Since: since, Thaw: true, DropPasskeys: true})
}

// passwordChanged ends sessions after a password change and notifies the player by email.
func (s *Service) passwordChanged(ctx context.Context, e EndSessions) error {
	e.PasswordChanged = true
	id, err := s.o.Platform.Player(ctx, e.PlayerID)
	if err == nil {
		e.Message = s.emailTo(passwordChangedEmail(s.o.Site), id)
	} else {
		// The email is skipped; the sessions still end.
		s.o.Report(fmt.Errorf("no email on the new password of %s: %w", e.PlayerID, err))
	}
	e.At = s.o.Clock.Now() // as late as possible: what a passkey has answered before opens no session any more
	_, err = s.endSessions(ctx, e)
	return err
}

// emailTo addresses an email to a player; nil if nothing sends emails or the player has no address.
func (s *Service) emailTo(m email.Message, to Identity) *email.Message {
	if s.o.NoMail || EmailFault(to.Email) != "" {
		return nil
	}
	m.To, m.PlayerID = to.Email, to.PlayerID
	return &m
}

const maxToken = 512

// isToken reports whether a text can be a link's token; the platform is not asked about any other text.
func isToken(s string) bool {
	return s != "" && len(s) <= maxToken && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
