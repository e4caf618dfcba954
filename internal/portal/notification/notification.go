// Package notification keeps for each player a list of what happened while the player was away: sales, listings that no longer
// sell, and listings that began to match a saved search. Notifications are unread until the player has seen them on any
// device. Players who want it are emailed what they have not read.
//
// Facts of the chain become notifications in the index, by package projection. This package adds listings whose time is over.
package notification

import (
	"context"
	"errors"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/periodic"
)

const (
	// MaxPage is the maximum number of notifications per page.
	MaxPage = 100
	// TTL is how long notifications are kept.
	TTL = 90 * 24 * time.Hour
	// expiryWindow is how long after a listing's end its seller is still notified, after an outage.
	expiryWindow = 24 * time.Hour
	// emailWindow is the age from which an unread notification is no longer emailed.
	emailWindow = 24 * time.Hour
	// emailInterval is the least time between two emails to a player; one email lists all that is unread.
	emailInterval = 10 * time.Minute

	sweepInterval = 10 * time.Second
	sweepBatch    = 100
)

// Kind is a notification's kind.
type Kind string

// The kinds. All but Alert concern a listing of the player's.
const (
	Sold     Kind = "sold"     // units were bought
	Expired  Kind = "expired"  // its time is over before all was sold
	Stopped  Kind = "stopped"  // it cannot be bought any more: the goods left the wallet, or the marketplace may not take them
	Returned Kind = "returned" // its goods are back; it is not sold from before the player sets its price again
	Moved    Kind = "moved"    // the portal has left the chain that it was on
	Alert    Kind = "alert"    // listings of others match a saved search; the listing is the cheapest
)

// Listing is the part of a listing's state that decides whether its seller is notified; see package market.
type Listing struct {
	Active   bool // neither sold out nor cancelled, and its time is not over
	Valid    bool // can be bought, regardless of its time window
	Returned bool // not valid only because its goods were gone; they are back
}

// OfChange returns what a change of a listing notifies its seller of, or false for nothing. Sales and the end of its time have
// notifications of their own, and the seller's cancellations none.
func OfChange(before, after Listing) (Kind, bool) {
	switch {
	case !after.Active:
		return "", false
	case after.Returned && !before.Returned:
		return Returned, true
	case before.Valid && !after.Valid && !after.Returned:
		return Stopped, true
	}
	return "", false
}

// New is a notification to be stored. A player has one notification for each key: storing it again changes nothing.
type New struct {
	Key       string
	PlayerID  string
	Kind      Kind
	ListingID string // the marketplace's number
	Contract  eth.Address
	TokenID   string
	Quantity  int64       // units sold, or else left; of an alert, the number of listings
	Amount    money.Units // what the player received for them, or else the price of one; base units
	Tx        eth.Hash    // of the sale
	SearchID  string      // the saved search of an alert
	At        time.Time
}

// Notification is a stored notification.
type Notification struct {
	New
	Name   string // the token's
	Search string // the saved search's name; "" if it was deleted
	Read   bool
}

// Page selects notifications, newest first: those before a time and key.
type Page struct {
	Before time.Time
	Key    string
	Limit  int
}

// Settings are a player's choices.
type Settings struct {
	Email bool // whether unread notifications are emailed
}

// Store stores the notifications. All methods return fault.Unavailable if the database is unreachable.
type Store interface {
	List(ctx context.Context, playerID string, p Page) ([]Notification, error)
	Unread(ctx context.Context, playerID string) (int64, error)
	// MarkRead marks a notification and all older ones as read, and tells the player's other devices.
	MarkRead(ctx context.Context, playerID string, at time.Time, key string) error
	Settings(ctx context.Context, playerID string) (Settings, error)
	// SetSettings stores the choices. Notifications stored before are not emailed.
	SetSettings(ctx context.Context, playerID string, s Settings) error

	// NotifyExpired stores a notification for each of at most limit players' listings that ended after since, and by now,
	// and have none yet.
	NotifyExpired(ctx context.Context, since, now time.Time, limit int) error
	// Unsent returns the players who want emails, have had none since last, and have unread notifications of
	// after since that were not emailed; at most limit players.
	Unsent(ctx context.Context, since, last time.Time, limit int) ([]string, error)
	// Email records that the player's notifications were emailed, and queues the email, in one transaction,
	// unless Unsent no longer has the player. compose is given what is unread and was not emailed.
	Email(ctx context.Context, playerID string, since, last time.Time, compose func([]Notification) email.Message) error
	// SkipEmails records that the player's notifications need not be emailed.
	SkipEmails(ctx context.Context, playerID string) error
	// Forget deletes the notifications from before a time.
	Forget(ctx context.Context, before time.Time) error
}

// Accounts knows the players' addresses.
type Accounts interface {
	// ConfirmedAddress returns the player's email address; "" for none, for one that is not confirmed, as it may be somebody
	// else's, or if no email is sent.
	ConfirmedAddress(ctx context.Context, playerID string) (string, error)
}

var errID = fault.InvalidFields("There is no such notification.", fault.Field{
	Location: "body.id", Message: "Use the id of a notification.",
})

// Update returns the message that makes the player's browsers load the notifications again.
func Update() announce.Realtime {
	return announce.Realtime{ChannelID: "notification", Type: "update", Payload: struct{}{}}
}

// Options configure a Service.
type Options struct {
	Store    Store
	Accounts Accounts
	Clock    clock.Clock
	Site     string // the site's address, for emails
	Symbol   string // of the currency of the amounts
	Decimals int
}

// Service implements the capability. It is safe for concurrent use.
type Service struct{ o Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Notifications returns a page of the player's notifications, newest first, and the cursor of the next page; "" for the
// last. It returns fault.Invalid for a malformed cursor.
func (s *Service) Notifications(ctx context.Context, playerID, after string, limit int) (page []Notification, next string, err error) {
	limit = min(max(limit, 1), MaxPage)
	p := Page{Limit: limit + 1}
	if p.Before, p.Key, err = cursor.Decode(after); err != nil {
		return nil, "", err
	}
	if page, err = s.o.Store.List(ctx, playerID, p); err != nil {
		return nil, "", err
	}
	if len(page) > limit {
		page = page[:limit]
		next = ID(page[limit-1])
	}
	return page, next, nil
}

// ID returns the id of a notification, unique among its player's. It is also the cursor of the page after it.
func ID(n Notification) string { return cursor.Encode(n.At, n.Key) }

// Unread returns how many of the player's notifications are unread.
func (s *Service) Unread(ctx context.Context, playerID string) (int64, error) {
	return s.o.Store.Unread(ctx, playerID)
}

// Read marks the notification with the id, and all older ones, as read. It returns fault.Invalid for a malformed id.
func (s *Service) Read(ctx context.Context, playerID, id string) error {
	at, key, err := cursor.Decode(id)
	if err != nil || key == "" {
		return errID
	}
	return s.o.Store.MarkRead(ctx, playerID, at, key)
}

// Settings returns the player's choices.
func (s *Service) Settings(ctx context.Context, playerID string) (Settings, error) {
	return s.o.Store.Settings(ctx, playerID)
}

// SetSettings stores the player's choices.
func (s *Service) SetSettings(ctx context.Context, playerID string, settings Settings) error {
	return s.o.Store.SetSettings(ctx, playerID, settings)
}

// Run notifies players of listings whose time is over and emails what is unread, until ctx ends. Errors are reported and
// retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.Run(ctx, sweepInterval, s.Sweep, report)
}

// Sweep does once what Run does.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.o.Clock.Now()
	since := now.Add(-emailWindow)
	errs := []error{
		s.o.Store.NotifyExpired(ctx, now.Add(-expiryWindow), now, sweepBatch),
		s.o.Store.Forget(ctx, now.Add(-TTL)),
	}
	players, err := s.o.Store.Unsent(ctx, since, now.Add(-emailInterval), sweepBatch)
	errs = append(errs, err)
	for _, id := range players {
		address, err := s.o.Accounts.ConfirmedAddress(ctx, id)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if address == "" { // skipped, or a batch of such players would keep all others waiting
			errs = append(errs, s.o.Store.SkipEmails(ctx, id))
			continue
		}
		errs = append(errs, s.o.Store.Email(ctx, id, since, now.Add(-emailInterval), func(unread []Notification) email.Message {
			m := s.compose(unread)
			m.To, m.PlayerID = address, id
			return m
		}))
	}
	return errors.Join(errs...)
}
