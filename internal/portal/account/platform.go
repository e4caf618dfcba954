package account

import (
	"context"
	"time"

	"pantheon/internal/kit/email"
)

// What a game platform does for accounts besides keeping them, each in a port of its own. Tickets are not part of
// Platform: only a platform that the game itself signs in to has them.

// Tickets lets in players whom the game has signed in already (token login).
type Tickets interface {
	// PlayerByTicket tells who holds the game's session ticket. It returns ErrSignedOut for one that is unknown or has
	// expired.
	PlayerByTicket(ctx context.Context, ticket string) (Identity, error)
}

// Passwords checks and changes the password of a player who is signed in.
type Passwords interface {
	// CheckPassword returns ErrPassword for a wrong password and for a player without one.
	CheckPassword(ctx context.Context, id Identity, password string) error
	// MailsPasswords tells whether the platform takes a new password only by a mailed link.
	MailsPasswords() bool
	// SetPassword sets a new password and ends what the old one opened: links for a new password and, where the platform
	// can in the same step, all sessions but one. It reports false where it has mailed a link instead.
	SetPassword(ctx context.Context, id Identity, password, keepSession string) (set bool, err error)
}

// Recovery lets players back in who forgot their password.
type Recovery interface {
	// SendRecovery mails the link to the page for a new password. An address without an account is no error: nobody must
	// learn from the answer, or from how long it takes, who has one. It returns ErrNoMail where nothing sends emails.
	SendRecovery(ctx context.Context, email string) error
	// ResetPassword sets a new password by the token of the mailed link, once, and tells whose it is; what the old one
	// opened ends, as with SetPassword. It returns ErrRecoveryLink for a token that is unknown, used or has expired. With
	// fault.Unavailable it may name the player all the same: then it is not known whether the password has changed.
	ResetPassword(ctx context.Context, token, password string) (playerID string, err error)
}

// Addresses tells who keeps the players' email addresses.
type Addresses interface {
	// KeepsEmails tells whether addresses are added, changed and confirmed on the platform and not here.
	KeepsEmails() bool
}

// Renaming changes what others see of a player.
type Renaming interface {
	// Rename returns fault.Conflict, with the field, when the name is taken.
	Rename(ctx context.Context, playerID, displayName string) error
}

// Deletion ends accounts for good.
type Deletion interface {
	// DeletePlayer deletes the account on the platform. One that is gone already is no error.
	DeletePlayer(ctx context.Context, playerID string) error
}

// Deletions deletes what the portal keeps of a player, and keeps what proves that the player means it.
type Deletions interface {
	// SaveDeletionCode keeps a code's hash in place of an earlier one, for so many attempts, and writes the email.
	SaveDeletionCode(ctx context.Context, playerID, codeHash string, attempts int, expires time.Time, message email.Message) error
	// TryDeletionCode spends one attempt and returns the code's hash; fault.NotFound where there is no code, or none that is
	// still good.
	TryDeletionCode(ctx context.Context, playerID string, at time.Time) (codeHash string, err error)
	// DeletePlayer deletes all that is kept of the player, notes that the platform has yet to follow, and writes the
	// email, where there is one, all in one transaction. It returns the ids of the sessions that were open. It returns
	// fault.Conflict with ReasonUnderWay while a payment is under way, and fault.NotFound for an unknown player.
	DeletePlayer(ctx context.Context, playerID string, at time.Time, message *email.Message) (sessions []string, err error)
	// DeletionsDue returns players whom the platform has yet to delete.
	DeletionsDue(ctx context.Context, at time.Time, limit int) ([]DueDeletion, error)
	// FinishDeletion notes that the platform has followed.
	FinishDeletion(ctx context.Context, playerID string) error
	// DelayDeletion notes that the platform could not follow, and when to ask again.
	DelayDeletion(ctx context.Context, playerID string, until time.Time) error
}

// DueDeletion is a player whom the game platform has yet to delete.
type DueDeletion struct {
	PlayerID string
	Attempts int
}
