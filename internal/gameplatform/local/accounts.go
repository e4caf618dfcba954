package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// Accounts stores the changes of existing accounts.
type Accounts interface {
	// PasswordHash returns the hash of a player's password. It returns fault.NotFound for a player without one.
	PasswordHash(ctx context.Context, playerID string) (string, error)
	// SetPasswordHash stores a new hash, ends all sessions but one ("" for none) and deletes all recovery links and
	// codes for an address, in one transaction.
	SetPasswordHash(ctx context.Context, playerID, hash, keepSession string, at time.Time) error
	// SaveRecoveryLink stores a link's hash for the account with the address, and queues the email to it. For an
	// unknown address it writes as much, without a recipient. If the address is younger than EmailWait in the account of a
	// linked player, it queues TooEarly, and the link is nobody's.
	SaveRecoveryLink(ctx context.Context, l account.RecoveryLink) error
	// RecoveryLink returns the player of a valid link. It returns fault.NotFound for an invalid one.
	RecoveryLink(ctx context.Context, tokenHash string, at time.Time) (playerID string, err error)
	// UseRecoveryLink uses up a link and then does what SetPasswordHash does. It returns fault.NotFound for an
	// invalid link. As the link was sent to the account's address, the address is confirmed.
	UseRecoveryLink(ctx context.Context, tokenHash, hash string, at time.Time) (playerID string, err error)
	// RenameAccount returns fault.Conflict, with the field, for a name that is taken.
	RenameAccount(ctx context.Context, playerID, displayName, nameKey string) error
}

// CheckPassword checks a player's password; see account.Passwords.
func (p *Platform) CheckPassword(ctx context.Context, id account.Identity, password string) error {
	hash, err := p.store.PasswordHash(ctx, id.PlayerID)
	if fault.Is(err, fault.NotFound) {
		return account.ErrPassword
	}
	if err != nil {
		return err
	}
	ok, err := p.hashes.verify(ctx, password, hash)
	if err == nil && !ok {
		err = cmp.Or(p.store.LogRefusedPassword(ctx, id.PlayerID), error(account.ErrPassword))
	}
	return err
}

// MailsPasswords reports false: passwords are set at once; see account.Passwords.
func (p *Platform) MailsPasswords() bool { return false }

// KeepsEmails reports false: addresses are confirmed here; see account.Addresses.
func (p *Platform) KeepsEmails() bool { return false }

// SetPassword sets a new password; see account.Passwords.
func (p *Platform) SetPassword(ctx context.Context, id account.Identity, password, keepSession string) (bool, error) {
	hash, err := p.hashes.hash(ctx, password)
	if err != nil {
		return false, err
	}
	return true, p.store.SetPasswordHash(ctx, id.PlayerID, hash, keepSession, p.clock.Now())
}

// SendRecovery emails a password reset link; see account.Recovery.
func (p *Platform) SendRecovery(ctx context.Context, address string) error {
	if p.noMail {
		return account.ErrNoMail
	}
	token := rand.Text() + rand.Text() // 260 bits
	now := p.clock.Now()
	return p.store.SaveRecoveryLink(ctx, account.RecoveryLink{
		EmailKey: account.EmailKey(address), TokenHash: account.HashSecret(token), At: now, Expires: now.Add(account.LinkTTL),
		EmailWait: p.emailWait, Message: account.RecoveryEmail(p.site, token),
		TooEarly: func(until time.Time) email.Message { return account.RecoveryTooEarlyEmail(p.site, until) },
	})
}

// ResetPassword sets a new password using an emailed token; see account.Recovery.
func (p *Platform) ResetPassword(ctx context.Context, token, password string, check func(playerID string) error) (string, error) {
	// Look it up first, so that guessing tokens costs no hashing; using it decides.
	playerID, err := p.store.RecoveryLink(ctx, account.HashSecret(token), p.clock.Now())
	if fault.Is(err, fault.NotFound) {
		return "", account.ErrRecoveryLink
	}
	if err == nil {
		err = check(playerID)
	}
	if err != nil {
		return "", err
	}
	hash, err := p.hashes.hash(ctx, password)
	if err != nil {
		return "", err
	}
	playerID, err = p.store.UseRecoveryLink(ctx, account.HashSecret(token), hash, p.clock.Now())
	if fault.Is(err, fault.NotFound) {
		return "", account.ErrRecoveryLink
	}
	return playerID, err
}

// Rename changes the display name; see account.Renaming.
func (p *Platform) Rename(ctx context.Context, playerID, displayName string) error {
	return p.store.RenameAccount(ctx, playerID, displayName, account.NameKey(displayName))
}

// DeletePlayer does nothing: the account is in the portal's own database and deleted with the player; see
// account.Deletion.
func (p *Platform) DeletePlayer(context.Context, string) error { return nil }
