package account

import (
	"context"

	"pantheon/internal/kit/fault"
)

// errCurrent means that the current password is wrong.
var errCurrent = wrongField(fault.Field{Location: "body.current", Message: "This is not your present password."})

// Rename changes the caller's display name. It returns fault.Invalid or fault.Conflict, with the field, for a name
// that breaks a rule or is taken.
func (s *Service) Rename(ctx context.Context, c Caller, displayName string) error {
	displayName = cleanName(displayName)
	if m := s.o.Reserved.Fault(displayName); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.displayName", Message: m})
	}
	if err := s.o.Platform.Rename(ctx, c.PlayerID, displayName); err != nil {
		return err
	}
	return s.o.Sessions.SaveName(context.WithoutCancel(ctx), c.PlayerID, displayName)
}

// MailsPasswords reports whether passwords are changed only through an emailed link.
func (s *Service) MailsPasswords() bool { return s.o.Platform.MailsPasswords() }

// ChangePassword sets a new password, ends the caller's other sessions and notifies the player by email. It reports
// false if the game platform changes passwords only through an emailed link: the link has been sent, and nothing else
// has changed. It returns fault.Invalid listing every broken rule, or with "body.current" for a wrong password.
func (s *Service) ChangePassword(ctx context.Context, c Caller, current, password string) (changed bool, err error) {
	var fields []fault.Field
	if current == "" {
		fields = append(fields, fault.Field{Location: "body.current", Message: "Please enter your present password."})
	}
	if m := PasswordFault(password, s.o.Reserved.known()...); m != "" {
		fields = append(fields, fault.Field{Location: "body.password", Message: m})
	} else if password == current {
		fields = append(fields, fault.Field{Location: "body.password", Message: "This is your present password. Please choose another."})
	}
	if len(fields) > 0 {
		return false, fault.InvalidFields("Please check what you entered.", fields...)
	}
	since := s.o.Clock.Now()
	id, err := s.prove(ctx, c, current, errCurrent)
	if err != nil {
		return false, err
	}
	if err := s.checkPassword(id, password); err != nil {
		return false, err
	}
	changed, err = s.o.Platform.SetPassword(ctx, id, password, c.SessionID)
	if err != nil || !changed {
		return false, err
	}
	return true, s.passwordChanged(context.WithoutCancel(ctx), EndSessions{PlayerID: c.PlayerID, Keep: c.SessionID, Since: since})
}

// checkPassword returns fault.Invalid, with the field, for a new password that is easy to guess for who knows the player.
func (s *Service) checkPassword(id Identity, password string) error {
	if m := PasswordFault(password, s.o.Reserved.known(id.DisplayName, id.Email)...); m != "" {
		return fault.InvalidFields("Please check what you entered.", fault.Field{Location: "body.password", Message: m})
	}
	return nil
}

// Mailbox returns the address at which emails reach a player; "" for none, and if nothing sends emails.
func (s *Service) Mailbox(ctx context.Context, playerID string) (string, error) {
	id, err := s.o.Platform.Player(ctx, playerID)
	if err != nil {
		return "", err
	}
	return s.mailbox(id), nil
}

func (s *Service) mailbox(id Identity) string {
	if s.o.NoMail || EmailFault(id.Email) != "" {
		return ""
	}
	return id.Email
}

// ConfirmedMailbox is like Mailbox, but returns "" for an address that the player has not confirmed: it may be somebody
// else's. The addresses that the game platform keeps need no confirmation.
func (s *Service) ConfirmedMailbox(ctx context.Context, playerID string) (string, error) {
	id, err := s.o.Platform.Player(ctx, playerID)
	if err != nil || !id.EmailConfirmed && !s.o.Platform.KeepsEmails() {
		return "", err
	}
	return s.mailbox(id), nil
}

// ProvingMailbox is the Mailbox at which a code proves who the player is. An address that was added or changed less than
// Options.EmailWait ago proves nothing: meanwhile the owner can undo it by the notice, if it was a thief.
func (s *Service) ProvingMailbox(ctx context.Context, playerID string) (string, error) {
	if isNew, err := s.emailIsNew(ctx, playerID); isNew || err != nil {
		return "", err
	}
	return s.Mailbox(ctx, playerID)
}

// HasPassword reports whether the player signs in with an email address and a password that prove who the player is; see
// ProvingMailbox. It is reliable for an address that is not confirmed, and on a portal that sends no email: a player without
// password may have added a confirmed one.
func (s *Service) HasPassword(ctx context.Context, playerID string) (bool, error) {
	if isNew, err := s.emailIsNew(ctx, playerID); isNew || err != nil {
		return false, err
	}
	id, err := s.o.Platform.Player(ctx, playerID)
	return err == nil && id.Email != "", err
}

func (s *Service) emailIsNew(ctx context.Context, playerID string) (bool, error) {
	at, err := s.o.Emails.EmailChangedAt(ctx, playerID)
	return s.o.Clock.Now().Before(at.Add(s.o.EmailWait)), err
}

// CheckPassword returns fault.Invalid, with the field body.password and ReasonWrong, if this is not the caller's password.
func (s *Service) CheckPassword(ctx context.Context, c Caller, password string) error {
	_, err := s.prove(ctx, c, password, errOwn)
	return err
}

// prove checks the caller's password; wrong is the error returned if it does not match.
func (s *Service) prove(ctx context.Context, c Caller, password string, wrong error) (Identity, error) {
	id, err := s.o.Platform.Player(ctx, c.PlayerID)
	if err != nil {
		return Identity{}, err
	}
	if !isPassword(password) {
		return Identity{}, wrong
	}
	err = s.o.Platform.CheckPassword(ctx, id, password)
	if fault.Is(err, fault.Unauthorized) {
		return Identity{}, wrong
	}
	return id, err
}

// ReasonWrong is the fault reason if a password or a code was wrong, as opposed to malformed.
const ReasonWrong = "wrong"

func wrongField(field fault.Field) error {
	f := fault.InvalidFields(field.Message, field)
	return f.WithReason(ReasonWrong)
}
