package account

import (
	"context"
	"time"

	"pantheon/internal/kit/email"
)

// What a game platform does for accounts besides storing them, one port each. Tickets is not part of Platform: only a
// platform that the game itself signs in to has tickets.

// Tickets signs in players who are already signed in to the game (token login).
type Tickets interface {
	// PlayerByTicket returns the player who holds the game's session ticket. It returns ErrSignedOut for one that is
	// unknown or expired.
	PlayerByTicket(ctx context.Context, ticket string) (Identity, error)
}

// Passwords checks and changes the password of a signed-in player.
type Passwords interface {
	// CheckPassword returns ErrPassword for a wrong password and for a player without one.
	CheckPassword(ctx context.Context, id Identity, password string) error
	// MailsPasswords reports whether the platform changes passwords only through an emailed link.
	MailsPasswords() bool
	// SetPassword sets a new password and invalidates what the old one opened: password reset links and, if the
	// platform can do so in the same step, all sessions but one. It reports false if it has emailed a link instead.
	SetPassword(ctx context.Context, id Identity, password, keepSession string) (set bool, err error)
}

// Recovery lets players who forgot their password reset it.
type Recovery interface {
	// SendRecovery emails a password reset link. An address without an account is not an error: neither the response
	// nor its timing may reveal who has an account. It returns ErrNoMail if nothing sends emails.
	SendRecovery(ctx context.Context, email string) error
	// ResetPassword sets a new password using the token of an emailed link, once, and returns the player's id; it
	// invalidates what the old password opened, as SetPassword does. It returns ErrRecoveryLink for a token that is
	// unknown, used or expired, and changes nothing if check, called with the player's id, returns an error. With
	// fault.Unavailable it may return the player's id too: then it is unknown whether the password has changed.
	ResetPassword(ctx context.Context, token, password string, check func(playerID string) error) (playerID string, err error)
}

// Addresses reports where the players' email addresses are stored.
type Addresses interface {
	// KeepsEmails reports whether addresses are added, changed and confirmed on the platform rather than here.
	KeepsEmails() bool
}

// Renaming changes a player's display name.
type Renaming interface {
	// Rename returns fault.Conflict, with the field, if the name is taken.
	Rename(ctx context.Context, playerID, displayName string) error
}

// Deletion deletes accounts for good.
type Deletion interface {
	// DeletePlayer deletes the account on the platform. It is not an error if the account no longer exists.
	DeletePlayer(ctx context.Context, playerID string) error
}

// Deletions deletes the portal's data on a player, at once or later.
type Deletions interface {
	// Belongings returns what the player has or waits for. It returns fault.NotFound for an unknown player.
	Belongings(ctx context.Context, playerID string, at time.Time) (Belongings, error)
	// RequestDeletion records that the account is to be deleted, queues the email, if any, ends the player's holds and
	// closes the wallet: nothing is bought from it any more. It returns when the account is deleted, which is the time of
	// an earlier request, if there is one; then it does nothing.
	RequestDeletion(ctx context.Context, r RequestedDeletion) (due time.Time, err error)
	// DeletionDue returns when the account is deleted; zero if it is not to be.
	DeletionDue(ctx context.Context, playerID string) (time.Time, error)
	// CancelDeletion cancels a requested deletion and reopens the wallet. It reports whether there was one.
	CancelDeletion(ctx context.Context, playerID string) (bool, error)
	// PlayerOfDeletion returns the player whose requested deletion a token cancels. It returns fault.NotFound for an
	// unknown token.
	PlayerOfDeletion(ctx context.Context, tokenHash string) (playerID string, err error)
	// RequestedDeletions returns players whose requested deletion is to be tried.
	RequestedDeletions(ctx context.Context, at time.Time, limit int) (players []string, err error)
	// DelayRequested sets when a requested deletion is tried next.
	DelayRequested(ctx context.Context, playerID string, until time.Time) error
	// DeletePlayer deletes all data on the player, closes the wallet for good, records that the platform must still delete
	// the account, and queues the email, if any, all in one transaction. It returns the ids of the sessions that were
	// open, ErrUnderWay while a payment or an operation is in progress, an error of Allow, and fault.NotFound for an
	// unknown player and for a requested deletion that is not due or was cancelled.
	DeletePlayer(ctx context.Context, d DeletedPlayer) (sessions []string, err error)
	// DeletionsDue returns players whom the platform must still delete.
	DeletionsDue(ctx context.Context, at time.Time, limit int) ([]DueDeletion, error)
	// FinishDeletion records that the platform has deleted the account.
	FinishDeletion(ctx context.Context, playerID string) error
	// DelayDeletion records that the platform failed to delete the account, and when to retry.
	DelayDeletion(ctx context.Context, playerID string, until time.Time) error
}

// RequestedDeletion is a deletion after a grace period.
type RequestedDeletion struct {
	PlayerID   string
	At, Due    time.Time
	CancelHash string // of the token that cancels it; "" for none
	Message    *email.Message
}

// DeletedPlayer selects the player to delete.
type DeletedPlayer struct {
	PlayerID string
	At       time.Time
	Message  *email.Message
	// Requested means that the deletion was requested before, and is due.
	Requested bool
	// Again means that the account was deleted before the database was restored: whatever was under way then ends with it.
	Again bool
	// Allow is called with what the player has within the transaction; nil to allow anything.
	Allow func(Belongings) error
}

// DueDeletion is a player whom the game platform must still delete.
type DueDeletion struct {
	PlayerID string
	Attempts int
}
