package profile

import (
	"context"
	"regexp"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// List is a list that a player is on, such as that of those who are let in early. What it is good for is for whoever
// asks to say; the portal keeps it.
type List struct {
	Name  string
	Until time.Time // zero for no end
}

// ListStore keeps who is on which list.
type ListStore interface {
	// Whitelist returns the lists that a player is on now, by name.
	Whitelist(ctx context.Context, playerID string, now time.Time) ([]List, error)
	// PutWhitelistEntry puts a player on a list, or changes until when; fault.NotFound for an unknown player.
	PutWhitelistEntry(ctx context.Context, playerID string, l List) error
	// DropWhitelistEntry takes a player off a list and reports whether the player was on it.
	DropWhitelistEntry(ctx context.Context, playerID, name string) (bool, error)
}

// Lists tells on which lists players are. It is safe for concurrent use.
type Lists struct {
	store ListStore
	clock clock.Clock
}

// NewLists returns the lists.
func NewLists(s ListStore, c clock.Clock) *Lists { return &Lists{store: s, clock: c} }

var listName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Of returns the lists that a player is on now, by name.
func (l *Lists) Of(ctx context.Context, playerID string) ([]List, error) {
	return l.store.Whitelist(ctx, playerID, l.clock.Now())
}

// Put puts a player on a list until a time, zero for no end. It returns fault.NotFound for an unknown player and
// fault.Invalid for a name that is none.
func (l *Lists) Put(ctx context.Context, playerID, name string, until time.Time) error {
	if !listName.MatchString(name) {
		return fault.New(fault.Invalid, "A list's name has 1 to 40 lower-case letters, digits and hyphens.")
	}
	return l.store.PutWhitelistEntry(ctx, playerID, List{Name: name, Until: until})
}

// Strike takes a player off a list and reports whether the player was on it.
func (l *Lists) Strike(ctx context.Context, playerID, name string) (bool, error) {
	return l.store.DropWhitelistEntry(ctx, playerID, name)
}
