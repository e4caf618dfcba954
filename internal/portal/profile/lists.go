package profile

import (
	"context"
	"time"

	"pantheon/internal/kit/clock"
)

// List is a player's membership of a list, such as the one for early access. Operators keep the lists; their meaning is up to the
// caller.
type List struct {
	Name  string
	Until time.Time // zero for no end
}

// ListStore stores which players are on which lists.
type ListStore interface {
	// Whitelist returns the lists that a player is on at the given time, by name.
	Whitelist(ctx context.Context, playerID string, now time.Time) ([]List, error)
}

// Lists reads which players are on which lists. It is safe for concurrent use.
type Lists struct {
	store ListStore
	clock clock.Clock
}

// NewLists returns Lists.
func NewLists(s ListStore, c clock.Clock) *Lists { return &Lists{store: s, clock: c} }

// Of returns the lists that a player is on now, by name.
func (l *Lists) Of(ctx context.Context, playerID string) ([]List, error) {
	return l.store.Whitelist(ctx, playerID, l.clock.Now())
}
