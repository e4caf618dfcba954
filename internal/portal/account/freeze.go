package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// ReasonFrozen is the reason of faults that say that an operator has frozen the account.
const ReasonFrozen = "frozen"

const maxFreezeReason = 200 // characters

// Freeze is since when and why an account is frozen: nobody signs in to it, and it can hold, pay and sign nothing. What
// it owns stays.
type Freeze struct {
	At     time.Time
	Reason string // one line, for the player
}

// FrozenFault is what a frozen player is told: a fault.Forbidden with ReasonFrozen and the operator's reason. It is only
// for those who have shown the account's credentials.
func FrozenFault(reason string) *fault.Fault {
	if !strings.HasSuffix(reason, ".") && !strings.HasSuffix(reason, "!") && !strings.HasSuffix(reason, "?") {
		reason += "."
	}
	return fault.New(fault.Forbidden, "This account is frozen: %s Please write to our support.", reason).WithReason(ReasonFrozen)
}

// Frozen reports whether a player is frozen, and why. It returns fault.NotFound for an unknown player.
func (s *Service) Frozen(ctx context.Context, playerID string) (reason string, frozen bool, err error) {
	return s.o.Sessions.Frozen(ctx, playerID)
}

// Freezes keeps which players are frozen.
type Freezes interface {
	// FindPlayers returns the players with an id, an email address or a name; none for nobody.
	FindPlayers(ctx context.Context, written string) ([]Identity, error)
	// FreezePlayer freezes a player, ends all sessions, whose connections are closed after the commit, and ends the holds
	// that no accepted payment is on its way for, all in one transaction. Of a player who is frozen already it only
	// changes the reason. It returns fault.NotFound for an unknown player.
	FreezePlayer(ctx context.Context, playerID string, f Freeze) (Frozen, error)
	// UnfreezePlayer lets a player in again, and returns what the freeze was; nil for a player who was not frozen. It
	// returns fault.NotFound for an unknown player.
	UnfreezePlayer(ctx context.Context, playerID string) (*Freeze, error)
	// FrozenPlayers returns the players who are frozen, the longest frozen first.
	FrozenPlayers(ctx context.Context) ([]Frozen, error)
}

// Frozen is a player who is frozen, and what ended with that.
type Frozen struct {
	Identity
	Freeze
	Already  bool // frozen before; then nothing has ended now
	Sessions int  // sessions that ended
	Holds    int  // holds that ended
}

// Freezer freezes players for an operator. It is safe for concurrent use.
type Freezer struct {
	store Freezes
	clock clock.Clock
}

// NewFreezer returns the capability.
func NewFreezer(store Freezes, c clock.Clock) *Freezer { return &Freezer{store, c} }

// Freeze freezes a player, who is named by id, email address or name, and says what ended with it. The reason, one line
// of 1 to 200 characters, is shown to the player. It returns fault.NotFound for an unknown player, and fault.Invalid for a
// name that several players have and for a reason that cannot be shown.
func (z *Freezer) Freeze(ctx context.Context, player, reason string) (Frozen, error) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < 1 || n > maxFreezeReason || !isGraphic(reason) {
		return Frozen{}, fault.New(fault.Invalid, "Give a reason of 1 to %d characters on one line: the player reads it.", maxFreezeReason)
	}
	id, err := z.find(ctx, player)
	if err != nil {
		return Frozen{}, err
	}
	frozen, err := z.store.FreezePlayer(ctx, id.PlayerID, Freeze{At: z.clock.Now(), Reason: reason})
	frozen.Identity = id
	return frozen, err
}

// Unfreeze lets a player in again. It returns the player and what the freeze was, nil for a player who was not frozen;
// faults as with Freeze.
func (z *Freezer) Unfreeze(ctx context.Context, player string) (Identity, *Freeze, error) {
	id, err := z.find(ctx, player)
	if err != nil {
		return Identity{}, nil, err
	}
	was, err := z.store.UnfreezePlayer(ctx, id.PlayerID)
	return id, was, err
}

// List returns the players who are frozen, the longest frozen first.
func (z *Freezer) List(ctx context.Context) ([]Frozen, error) { return z.store.FrozenPlayers(ctx) }

// find returns the one player who is meant. An id means its player, whoever is called like that.
func (z *Freezer) find(ctx context.Context, written string) (Identity, error) {
	written = strings.TrimSpace(written)
	found, err := z.store.FindPlayers(ctx, written)
	if err != nil {
		return Identity{}, err
	}
	var ids []string
	for _, id := range found {
		if id.PlayerID == written {
			return id, nil
		}
		ids = append(ids, id.PlayerID)
	}
	switch len(found) {
	case 0:
		return Identity{}, fault.New(fault.NotFound, "There is no player with the id, email or name %q.", written)
	case 1:
		return found[0], nil
	}
	return Identity{}, fault.New(fault.Invalid, "Several players are called %q. Give one of these ids: %s.", written, strings.Join(ids, ", "))
}
