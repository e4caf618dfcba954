package playfab

import (
	"context"

	"pantheon/internal/portal/account"
)

// CheckPassword checks a player's password by signing in with it; see account.Passwords. A player created by the game
// without an email address has none.
func (p *Platform) CheckPassword(ctx context.Context, id account.Identity, password string) error {
	if id.Email == "" {
		return account.ErrPassword
	}
	who, err := p.Login(ctx, id.Email, password)
	if err == nil && who.PlayerID != id.PlayerID {
		return account.ErrPassword
	}
	return err
}

// MailsPasswords reports true: PlayFab changes passwords only through its emails; see account.Passwords.
func (p *Platform) MailsPasswords() bool { return true }

// KeepsEmails reports true: PlayFab stores the addresses; see account.Addresses.
func (p *Platform) KeepsEmails() bool { return true }

// SetPassword emails a password reset link; see account.Passwords.
func (p *Platform) SetPassword(ctx context.Context, id account.Identity, _, _ string) (bool, error) {
	if id.Email == "" {
		return false, account.ErrNoEmail
	}
	return false, p.SendRecovery(ctx, id.Email)
}
