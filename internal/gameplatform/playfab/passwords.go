package playfab

import (
	"context"

	"pantheon/internal/portal/account"
)

// CheckPassword checks a player's password by signing in with it; see account.Passwords. A player whom the game has made
// without an e-mail address has none.
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

// MailsPasswords tells that PlayFab takes a new password by its mail only; see account.Passwords.
func (p *Platform) MailsPasswords() bool { return true }

// KeepsEmails tells that addresses are PlayFab's; see account.Addresses.
func (p *Platform) KeepsEmails() bool { return true }

// SetPassword mails the link for a new password; see account.Passwords.
func (p *Platform) SetPassword(ctx context.Context, id account.Identity, _, _ string) (bool, error) {
	if id.Email == "" {
		return false, account.ErrNoEmail
	}
	return false, p.SendRecovery(ctx, id.Email)
}
