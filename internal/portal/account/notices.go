package account

import (
	"context"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

// BrowserTTL is how long a browser is remembered after the player's last sign-in from it.
const BrowserTTL = 400 * 24 * time.Hour

// MaxBrowsers is the maximum number of browsers that are remembered of a player: a new one replaces the one that was not used
// for the longest time.
const MaxBrowsers = 50

// ErrNotMeLink means that the link of a notice is unknown or has expired.
var ErrNotMeLink = fault.New(fault.NotFound, "This link has expired, or it is incomplete. "+
	"If somebody else is in your account, choose a new password: it signs everybody out.")

// ErrNotMeTooNew means that the notice's address was new in the account of a player who signs in through another site: whoever
// added it could lock the owner out.
var ErrNotMeTooNew = fault.New(fault.NotFound, "This address was too new in the account for its link to freeze it. "+
	"If somebody else is in your account, sign in with X, remove passkeys that are not yours, end all other sessions "+
	"and change the email in your settings.")

// Notices freezes accounts by the links of notices.
type Notices interface {
	// FreezeByNotice does in one transaction what SelfFreeze describes. It returns ErrNotMeLink for a token that is
	// unknown or has expired, and ErrNotMeTooNew.
	FreezeByNotice(ctx context.Context, f SelfFreeze) (SelfFrozen, error)
}

// SelfFreeze is what follows from "This was not me". All sessions of the player end, and with them all approvals. Holds,
// withdrawals, password reset links and codes end too, and all passkeys are removed. The account is frozen, unless it is, and its
// wallet closed. If the notice was mailed to an address that was the account's confirmed one, for EmailWait at least, and is not
// any more, it becomes it again, and the links that were mailed to other addresses afterwards become invalid: whoever has changed
// the address has nothing left to reach the account by.
type SelfFreeze struct {
	TokenHash string
	At        time.Time
	EmailWait time.Duration // see Options
	// Frozen is mailed to the notice's address if the account was not frozen before, Restored to an address that is not the
	// account's any more. Both are without recipient.
	Frozen, Restored email.Message
}

// SelfFrozen is the result of a SelfFreeze.
type SelfFrozen struct {
	Freeze             // the present one: an operator's remains
	Sessions  []string // those that ended
	Restored  bool     // whether the notice's address is the account's again
	BySupport bool     // Options.ThawBySupport
}

// NotMe freezes the account whose notice has a link with the token, for its owner; see SelfFreeze. Doing it again changes
// nothing. It returns ErrNotMeLink and ErrNotMeTooNew.
func (s *Service) NotMe(ctx context.Context, token string) (SelfFrozen, error) {
	if !isToken(token) {
		return SelfFrozen{}, ErrNotMeLink
	}
	done, err := s.o.Notices.FreezeByNotice(ctx, SelfFreeze{
		TokenHash: email.HashToken(token), At: s.o.Clock.Now(), EmailWait: s.o.EmailWait,
		Frozen: selfFrozenEmail(s.o.Site, s.o.SupportPage, s.o.ThawBySupport), Restored: emailRestoredEmail(s.o.Site),
	})
	if err != nil {
		return SelfFrozen{}, err
	}
	done.BySupport = s.o.ThawBySupport
	s.closeConnections(ctx, done.Sessions...)
	return done, nil
}

// confirmedEmailTo is emailTo for an address that the player has confirmed: others may be a stranger's.
func (s *Service) confirmedEmailTo(m email.Message, to Identity) *email.Message {
	if !to.EmailConfirmed && !s.o.Platform.KeepsEmails() {
		return nil
	}
	return s.emailTo(m, to)
}
