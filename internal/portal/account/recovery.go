package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// ErrNoMail: the portal cannot send emails.
var ErrNoMail = fault.New(fault.Unavailable, "We cannot send mail just now. Please write to our support.").WithReason("no-mail")

// ForgotPassword mails the link to the page for a new password, if the address has an account. It returns fault.Invalid
// for what is no address, and ErrNoMail where neither the portal nor the game platform sends emails.
func (s *Service) ForgotPassword(ctx context.Context, address string) error {
	address = strings.TrimSpace(address)
	if m := EmailFault(address); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.email", Message: m})
	}
	return s.o.Platform.SendRecovery(ctx, address)
}

// ResetPassword sets a new password by the token of a mailed link, ends all sessions of the player and writes to them.
// It returns fault.Invalid, with the field, for a password that breaks a rule, and ErrRecoveryLink.
func (s *Service) ResetPassword(ctx context.Context, token, password string) error {
	if m := PasswordFault(password); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.password", Message: m})
	}
	if !isToken(token) {
		return ErrRecoveryLink
	}
	since := s.o.Clock.Now()
	playerID, err := s.o.Platform.ResetPassword(ctx, token, password)
	if err != nil {
		if playerID != "" && fault.Is(err, fault.Unavailable) { // the password may have been changed all the same
			_, endErr := s.endSessions(context.WithoutCancel(ctx), EndSessions{PlayerID: playerID, Since: since, At: s.o.Clock.Now()})
			err = errors.Join(err, endErr)
		}
		return err
	}
	// The password is changed: whoever asked for it may be gone, but what the old one opened must end.
	return s.passwordChanged(context.WithoutCancel(ctx), EndSessions{PlayerID: playerID, Since: since})
}

// passwordChanged ends sessions after a change of the password, and writes to the player.
func (s *Service) passwordChanged(ctx context.Context, e EndSessions) error {
	e.At = s.o.Clock.Now()
	id, err := s.o.Platform.Player(ctx, e.PlayerID)
	if err == nil {
		e.Message = s.emailTo(passwordChangedEmail(s.o.Site), id)
	} else {
		// The email is left out, but the sessions end all the same.
		s.o.Report(fmt.Errorf("no email on the new password of %s: %w", e.PlayerID, err))
	}
	_, err = s.endSessions(ctx, e)
	return err
}

// emailTo addresses an email to a player; nil where nothing sends emails or the player has no address.
func (s *Service) emailTo(m email.Message, to Identity) *email.Message {
	if s.o.NoMail || EmailFault(to.Email) != "" {
		return nil
	}
	m.To, m.PlayerID = to.Email, to.PlayerID
	return &m
}

const maxToken = 512

// isToken reports whether a text can be the token of a link: what no platform makes is not asked for.
func isToken(s string) bool {
	return s != "" && len(s) <= maxToken && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
