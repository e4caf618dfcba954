package market

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

const (
	// MaxSavedSearches is the maximum number of a player's saved searches.
	MaxSavedSearches = 50
	// MaxWatched is the maximum number of tokens that a player watches.
	MaxWatched = 200
	// MaxSearchName is the maximum length of a saved search's name, in characters.
	MaxSearchName = 60
)

// SavedSearch is a query of the market that a player keeps.
type SavedSearch struct {
	ID        string
	PlayerID  string
	Name      string
	Query     Query // its filters; without an order, a cursor and a limit
	Alerts    bool  // whether the player is alerted of listings that begin to match
	CreatedAt time.Time
}

// Watched is a token that a player watches.
type Watched struct {
	Offer
	Since time.Time
}

// SavedStore keeps the players' saved searches and watched tokens. All methods return fault.Unavailable if the database is
// unreachable.
type SavedStore interface {
	// SavedSearches returns the player's saved searches, newest first.
	SavedSearches(ctx context.Context, playerID string) ([]SavedSearch, error)
	// SaveSearch stores a search, unless the player has max already: then ok is false.
	SaveSearch(ctx context.Context, s SavedSearch, max int64) (ok bool, err error)
	// ChangeSearch changes name and alerts of the player's search. It returns fault.NotFound for one that is not the player's.
	ChangeSearch(ctx context.Context, playerID, id, name string, alerts bool) error
	// DeleteSearch returns fault.NotFound for a search that is not the player's.
	DeleteSearch(ctx context.Context, playerID, id string) error

	// Watched returns the tokens that the player watches, newest first.
	Watched(ctx context.Context, playerID string, now time.Time) ([]Watched, error)
	// Watch adds a token, unless the player watches max already: then ok is false. Adding it again changes nothing.
	Watch(ctx context.Context, playerID string, contract eth.Address, tokenID string, now time.Time, max int64) (ok bool, err error)
	Unwatch(ctx context.Context, playerID string, contract eth.Address, tokenID string) error
}

// Saved keeps what players want to come back to. It is safe for concurrent use.
type Saved struct {
	store  SavedStore
	market *Service
	clock  clock.Clock
}

// NewSaved returns a Saved.
func NewSaved(s SavedStore, m *Service, c clock.Clock) *Saved { return &Saved{s, m, c} }

// Searches returns the player's saved searches, newest first.
func (s *Saved) Searches(ctx context.Context, playerID string) ([]SavedSearch, error) {
	return s.store.SavedSearches(ctx, playerID)
}

// Save keeps a search for the player. It returns fault.Invalid for a name or filters that make no sense, and fault.Conflict if
// the player has as many as can be kept.
func (s *Saved) Save(ctx context.Context, playerID, name string, q Query, alerts bool) (SavedSearch, error) {
	q.Sort, q.Cursor, q.Limit = "", "", 0
	name, err := checkSearchName(name)
	if err != nil {
		return SavedSearch{}, err
	}
	const at = "body.filters"
	if err := q.check(at); err != nil {
		return SavedSearch{}, err
	}
	if q.TokenID != "" && q.Contract == nil { // the same id means something else in each collection
		return SavedSearch{}, fault.InvalidFields("Say which item you mean.", fault.Field{
			Location: at + ".tokenId", Message: "Needs the item's contract too.",
		})
	}
	if hasFilter := q.Contract != nil || q.Collection != "" || q.TokenID != "" || len(q.Words()) > 0 || len(q.Rarities) > 0 ||
		len(q.Traits) > 0 ||
		q.Seller != nil || q.Min != nil || q.Max != nil; !hasFilter {
		return SavedSearch{}, fault.InvalidFields("Choose what to look for first.", fault.Field{Location: at, Message: "Must have a filter."})
	}
	search := SavedSearch{ID: rand.Text(), PlayerID: playerID, Name: name, Query: q, Alerts: alerts, CreatedAt: s.clock.Now()}
	ok, err := s.store.SaveSearch(ctx, search, MaxSavedSearches)
	if err == nil && !ok {
		err = fault.New(fault.Conflict, "You have saved 50 searches, which is as many as can be. Delete one first.").WithReason("too-many")
	}
	return search, err
}

// Change renames the player's search and switches its alerts. It returns fault.NotFound for a search that is not the player's.
func (s *Saved) Change(ctx context.Context, playerID, id, name string, alerts bool) error {
	name, err := checkSearchName(name)
	if err != nil {
		return err
	}
	return s.store.ChangeSearch(ctx, playerID, id, name, alerts)
}

// Delete deletes the player's search. It returns fault.NotFound for a search that is not the player's.
func (s *Saved) Delete(ctx context.Context, playerID, id string) error {
	return s.store.DeleteSearch(ctx, playerID, id)
}

// Watched returns the tokens that the player watches, newest first.
func (s *Saved) Watched(ctx context.Context, playerID string) ([]Watched, error) {
	return s.store.Watched(ctx, playerID, s.clock.Now())
}

// Watch adds a token to those that the player watches. It returns fault.NotFound for a token that is not indexed, and
// fault.Conflict if the player watches as many as can be watched.
func (s *Saved) Watch(ctx context.Context, playerID string, contract eth.Address, tokenID string) error {
	if _, err := s.market.Token(ctx, contract, tokenID); err != nil {
		return err
	}
	ok, err := s.store.Watch(ctx, playerID, contract, tokenID, s.clock.Now(), MaxWatched)
	if err == nil && !ok {
		err = fault.New(fault.Conflict, "You watch 200 items, which is as many as can be. Remove one first.").WithReason("too-many")
	}
	return err
}

// Unwatch removes a token from those that the player watches.
func (s *Saved) Unwatch(ctx context.Context, playerID string, contract eth.Address, tokenID string) error {
	return s.store.Unwatch(ctx, playerID, contract, tokenID)
}

func checkSearchName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	control := func(r rune) bool {
		return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f
	}
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxSearchName || strings.ContainsFunc(name, control) {
		return "", fault.InvalidFields("Give the search a name.", fault.Field{
			Location: "body.name", Message: fmt.Sprintf("Must have 1 to %d visible characters.", MaxSearchName),
		})
	}
	return name, nil
}
