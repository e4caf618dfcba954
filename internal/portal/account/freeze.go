package account

import (
	"context"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
)

// ReasonFrozen is the fault reason if the account is frozen.
const ReasonFrozen = "frozen"

const selfFrozenText = "You have frozen this account by the link in our email. " +
	"To use it again, do what our email about it says."

// Freeze says since when and why an account is frozen. A frozen account cannot sign in, hold, pay or sign. It keeps
// what it owns.
type Freeze struct {
	At     time.Time
	Reason string // an operator's, one line, shown to the player; "" if the owner has frozen the account, see SelfFreeze
}

// BySelf reports whether the account's owner has frozen it. A new password by an emailed link lifts such a freeze.
func (f Freeze) BySelf() bool { return f.Reason == "" }

// FrozenFault returns the fault for a frozen player: fault.Forbidden with ReasonFrozen and the freeze's reason, or how the
// player lifts a freeze of their own. It may only be shown to callers who have presented the account's credentials.
func FrozenFault(reason string) *fault.Fault {
	if reason == "" {
		return fault.New(fault.Forbidden, "%s", selfFrozenText).WithReason(ReasonFrozen)
	}
	if !strings.HasSuffix(reason, ".") && !strings.HasSuffix(reason, "!") && !strings.HasSuffix(reason, "?") {
		reason += "."
	}
	return fault.New(fault.Forbidden, "This account is frozen: %s Please write to our support.", reason).WithReason(ReasonFrozen)
}

// Frozen reports whether a player is frozen, and why. It returns fault.NotFound for an unknown player.
func (s *Service) Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error) {
	return s.o.Sessions.Frozen(ctx, playerID)
}
