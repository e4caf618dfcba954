package account

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// ReasonFrozen is the fault reason if the account is frozen.
const ReasonFrozen = "frozen"

const selfFrozenText = "You have frozen this account by the link in our email. " +
	"To use it again, do what our email about it says."

const maxFreezeReason = 200 // characters

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

// Freezes stores which players are frozen.
type Freezes interface {
	// FindPlayers returns the players with the given id, email address or name; none if there is no match.
	FindPlayers(ctx context.Context, written string) ([]Identity, error)
	// FreezePlayer freezes a player, ends all sessions, whose connections are closed after the commit, and with them all
	// approvals, ends all holds that no accepted payment covers, withdrawals, password reset links and codes, cancels a
	// requested deletion and closes the wallet, in one transaction. For a player who is already frozen it only changes
	// the reason, after which the freeze is not the owner's any more. It returns fault.NotFound for an unknown player.
	FreezePlayer(ctx context.Context, playerID string, f Freeze) (Frozen, error)
	// UnfreezePlayer lifts a freeze, reopens the wallet, and returns the freeze; nil if the player was not frozen. It returns
	// fault.NotFound for an unknown player.
	UnfreezePlayer(ctx context.Context, playerID string) (*Freeze, error)
	// FrozenPlayers returns the frozen players, the longest frozen first.
	FrozenPlayers(ctx context.Context) ([]Frozen, error)
}

// Frozen is a frozen player, and what the freeze ended.
type Frozen struct {
	Identity
	Freeze
	Already  bool // was frozen before; then nothing was ended
	Sessions int  // sessions that ended
	Holds    int  // holds that ended
}

// Freezer freezes players on behalf of an operator. It is safe for concurrent use.
type Freezer struct {
	store Freezes
	clock clock.Clock
}

// NewFreezer returns a Freezer.
func NewFreezer(store Freezes, c clock.Clock) *Freezer { return &Freezer{store, c} }

// Freeze freezes a player, given as for Find, and returns what the freeze ended. The reason, one
// line of 1 to 200 characters, is shown to the player. It returns fault.NotFound for an unknown player, and
// fault.Invalid where several players fit, and for a reason that cannot be displayed.
func (z *Freezer) Freeze(ctx context.Context, player, reason string) (Frozen, error) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < 1 || n > maxFreezeReason || !isGraphic(reason) {
		return Frozen{}, fault.New(fault.Invalid, "Give a reason of 1 to %d characters on one line: the player reads it.", maxFreezeReason)
	}
	id, err := z.Find(ctx, player)
	if err != nil {
		return Frozen{}, err
	}
	frozen, err := z.store.FreezePlayer(ctx, id.PlayerID, Freeze{At: z.clock.Now(), Reason: reason})
	frozen.Identity = id
	return frozen, err
}

// Unfreeze lifts a freeze. It returns the player and the freeze, which is nil if the player was not frozen; faults as
// with Freeze.
func (z *Freezer) Unfreeze(ctx context.Context, player string) (Identity, *Freeze, error) {
	id, err := z.Find(ctx, player)
	if err != nil {
		return Identity{}, nil, err
	}
	was, err := z.store.UnfreezePlayer(ctx, id.PlayerID)
	return id, was, err
}

// List returns the frozen players, the longest frozen first.
func (z *Freezer) List(ctx context.Context) ([]Frozen, error) { return z.store.FrozenPlayers(ctx) }

// Find returns the one player who matches id:ID, email:ADDRESS, name:NAME, or one of these alone. What is given alone must not fit
// two players: a player's name can be another's id or address. Faults are those of Freeze.
func (z *Freezer) Find(ctx context.Context, written string) (Identity, error) {
	written = strings.TrimSpace(written)
	value, fits := written, func(Identity) bool { return true }
	if kind, rest, ok := strings.Cut(written, ":"); ok {
		rest = strings.TrimSpace(rest)
		switch kind {
		case "id":
			value, fits = rest, func(id Identity) bool { return id.PlayerID == rest }
		case "email":
			value, fits = rest, func(id Identity) bool { return EmailKey(id.Email) == EmailKey(rest) }
		case "name":
			value, fits = rest, func(id Identity) bool { return NameKey(id.DisplayName) == NameKey(rest) }
		}
	}
	found, err := z.store.FindPlayers(ctx, value)
	if err != nil {
		return Identity{}, err
	}
	found = slices.DeleteFunc(found, func(id Identity) bool { return !fits(id) })
	switch len(found) {
	case 0:
		return Identity{}, fault.New(fault.NotFound, "There is no player with the id, email or name %q.", written)
	case 1:
		return found[0], nil
	}
	var ways []string
	for _, id := range found {
		ways = append(ways, fmt.Sprintf("id:%s (name %q, email %q)", id.PlayerID, id.DisplayName, id.Email))
	}
	return Identity{}, fault.New(fault.Invalid, "Several players fit %q. Write one of these: %s.", written, strings.Join(ways, ", "))
}
