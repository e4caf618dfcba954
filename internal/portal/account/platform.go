package account

import "context"

// What a game platform can do for accounts besides Platform, each in a port of its own: not every platform does all of
// it by itself.

// Tickets lets in players whom the game has signed in already (token login).
type Tickets interface {
	// PlayerByTicket tells who holds the game's session ticket. It returns ErrSignedOut for one that is unknown or has
	// expired.
	PlayerByTicket(ctx context.Context, ticket string) (Identity, error)
}

// Recovery lets players back in who forgot their password.
type Recovery interface {
	// SendRecovery mails the link to the page for a new password. An address without an account is no error: nobody must
	// learn from the answer who has one.
	SendRecovery(ctx context.Context, email string) error
	// ResetPassword sets a new password by the token of the mailed link, once, and tells whose it is. It returns
	// ErrRecoveryLink for a token that is unknown, used or has expired.
	ResetPassword(ctx context.Context, token, password string) (playerID string, err error)
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
