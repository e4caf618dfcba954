package profile

import (
	"context"
	"regexp"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// List is a player's membership of a list, such as the one for early access. The portal stores it; its meaning is up
// to the caller.
type List struct {
	Name  string
	Until time.Time // zero for no end
}

// ListStore stores which players are on which lists.
type ListStore interface {
	// Whitelist returns the lists that a player is on at the given time, by name.
	Whitelist(ctx context.Context, playerID string, now time.Time) ([]List, error)
	// PutWhitelistEntry adds a player to a list, or changes the end time. It returns fault.NotFound for an unknown
	// player.
	PutWhitelistEntry(ctx context.Context, playerID string, l List) error
	// DropWhitelistEntry removes a player from a list and reports whether the player was on it.
	DropWhitelistEntry(ctx context.Context, playerID, name string) (bool, error)
}

// Lists manages which players are on which lists. It is safe for concurrent use.
type Lists struct {
	store ListStore
	clock clock.Clock
}

// NewLists returns Lists.
func NewLists(s ListStore, c clock.Clock) *Lists { return &Lists{store: s, clock: c} }

var listName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Of returns the lists that a player is on now, by name.
func (l *Lists) Of(ctx context.Context, playerID string) ([]List, error) {
	return l.store.Whitelist(ctx, playerID, l.clock.Now())
}

// Put adds a player to a list until a time, zero for no end. It returns fault.NotFound for an unknown player and
// fault.Invalid for an invalid name.
func (l *Lists) Put(ctx context.Context, playerID, name string, until time.Time) error {
	if !listName.MatchString(name) {
		return fault.New(fault.Invalid, "A list's name has 1 to 40 lower-case letters, digits and hyphens.")
	}
	return l.store.PutWhitelistEntry(ctx, playerID, List{Name: name, Until: until})
}

// Strike removes a player from a list and reports whether the player was on it.
func (l *Lists) Strike(ctx context.Context, playerID, name string) (bool, error) {
	return l.store.DropWhitelistEntry(ctx, playerID, name)
}
