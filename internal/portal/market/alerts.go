package market

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/periodic"
)

const (
	// AlertWindow is the age from which a change of a listing alerts nobody: while the index is rebuilt, or catches up after an
	// outage.
	AlertWindow = time.Hour
	// alertAgain is the least time between two alerts of one search about one listing, whose price may flap around the limit.
	alertAgain = time.Hour
	// alertInterval is the least time between two alerts of one search; an alert is about all listings since the one before.
	alertInterval = time.Minute

	alertSweep    = 2 * time.Second
	changeBatch   = 200
	searchBatch   = 500
	sendingBatch  = 100
	tokenBucket   = "token "
	slugBucket    = "collection "
	ofContract    = "contract "
	generalBucket = "all"
)

// OfferChange is a listing whose price or availability changed.
type OfferChange struct {
	Candidate
	WasLive bool      // whether it was for sale before
	WasRank int64     // PriceRank of its price before, if it was
	At      time.Time // when it changed, or began to be for sale
	Version int64     // of the change
}

// AlertingSearch is a saved search that alerts its player.
type AlertingSearch struct {
	ID        string
	Query     Query
	CreatedAt time.Time
	Wallet    *eth.Address // of its player; nil for none
}

// crosses reports whether the change makes the listing match the search, whose query has the words: it is for sale and matches,
// but was not, or did not. Nobody is alerted of their own listings, or of changes from before the search.
func (s AlertingSearch) crosses(words []string, c OfferChange, now time.Time) bool {
	if s.CreatedAt.After(c.At) || !c.Listing.Live(now) || s.Wallet != nil && *s.Wallet == c.Listing.Seller {
		return false
	}
	// Nothing but the price of a listing changes.
	return (!c.WasLive || !s.Query.includes(c.WasRank)) && s.Query.matches(words, c.Candidate)
}

// Buckets returns the buckets of the searches that a listing may match; see Bucket.
func Buckets(l Listing) []string {
	contract := l.Contract.String()
	return []string{tokenBucket + contract + " " + l.TokenID, slugBucket + l.Token.Collection, ofContract + contract, generalBucket}
}

// Bucket returns the bucket of a search, by which a listing finds it: that of its token, of its collection or contract, or of
// all others.
func Bucket(q Query) string {
	switch {
	case q.Contract != nil && q.TokenID != "":
		return tokenBucket + q.Contract.String() + " " + q.TokenID
	case q.Collection != "":
		return slugBucket + q.Collection
	case q.Contract != nil:
		return ofContract + q.Contract.String()
	}
	return generalBucket
}

// Alert is a listing that began to match a search.
type Alert struct{ SearchID, ListingID string }

// AlertStore keeps changes and alerts. All methods return fault.Unavailable if the database is unreachable.
type AlertStore interface {
	// DueChanges returns changes that are not settled, the oldest first.
	DueChanges(ctx context.Context, now time.Time, limit int) ([]OfferChange, error)
	// AlertingSearches returns the searches of a bucket that alert, by id, after one.
	AlertingSearches(ctx context.Context, bucket, after string, limit int) ([]AlertingSearch, error)
	// RecordAlerts stores the alerts, except those of searches whose alerts are off. It skips an alert if one of the same search
	// about the same listing was recorded after again.
	RecordAlerts(ctx context.Context, alerts []Alert, now, again time.Time) error
	// SettleChanges settles the changes that did not change again meanwhile.
	SettleChanges(ctx context.Context, changes []OfferChange) error
	// SearchesToAlert returns searches with recorded alerts that were not sent, whose player was not alerted by them after last.
	SearchesToAlert(ctx context.Context, last time.Time, limit int) ([]SavedSearch, error)
	// SendAlerts notifies the search's player of the listings of its recorded alerts that are wanted, in one notification, marks
	// those as sent, and forgets the others, in one transaction; unless SearchesToAlert no longer has the search. Listings of which
	// another search has notified the player since they were recorded are marked as sent without a notification.
	SendAlerts(ctx context.Context, s SavedSearch, wanted func(Candidate) bool, now, last time.Time) error
	// ForgetAlerts deletes alerts from before a time.
	ForgetAlerts(ctx context.Context, before time.Time) error
}

// Alerts notifies players of listings that begin to match their saved searches. One process at a time may run it.
type Alerts struct {
	store AlertStore
	clock clock.Clock
}

// NewAlerts returns Alerts.
func NewAlerts(s AlertStore, c clock.Clock) *Alerts { return &Alerts{s, c} }

// Run compares changes with the saved searches and notifies their players, until ctx ends. Errors are reported and retried.
func (a *Alerts) Run(ctx context.Context, report func(error)) error {
	return periodic.Run(ctx, alertSweep, a.Sweep, report)
}

// Sweep does once what Run does. Changes are compared before anything is sent, so that an alert is about all of them.
func (a *Alerts) Sweep(ctx context.Context) error {
	for {
		n, err := a.compare(ctx)
		if err != nil {
			return err
		}
		if n < changeBatch {
			break
		}
	}
	now := a.clock.Now()
	last := now.Add(-alertInterval)
	searches, err := a.store.SearchesToAlert(ctx, last, sendingBatch)
	errs := []error{err}
	for _, s := range searches {
		errs = append(errs, a.store.SendAlerts(ctx, s, func(c Candidate) bool { return c.Listing.Live(now) && s.Query.Matches(c) }, now, last))
	}
	return errors.Join(append(errs, a.store.ForgetAlerts(ctx, now.Add(-2*alertAgain)))...)
}

// compare compares a batch of changes with the searches and returns its size.
func (a *Alerts) compare(ctx context.Context) (int, error) {
	now := a.clock.Now()
	changes, err := a.store.DueChanges(ctx, now, changeBatch)
	if err != nil || len(changes) == 0 {
		return 0, err
	}
	buckets := map[string][]OfferChange{}
	for _, c := range changes {
		for _, b := range Buckets(c.Listing) {
			buckets[b] = append(buckets[b], c)
		}
	}
	var alerts []Alert
	for bucket, changes := range buckets {
		for after := ""; ; {
			searches, err := a.store.AlertingSearches(ctx, bucket, after, searchBatch)
			if err != nil {
				return 0, err
			}
			for _, s := range searches {
				after = s.ID
				words := s.Query.Words()
				for _, c := range changes {
					if s.crosses(words, c, now) {
						alerts = append(alerts, Alert{s.ID, c.Listing.ID})
					}
				}
			}
			if len(searches) < searchBatch {
				break
			}
		}
	}
	// In a fixed order and in short transactions: the index and the players' own changes wait for them.
	slices.SortFunc(alerts, func(x, y Alert) int {
		return cmp.Or(cmp.Compare(x.SearchID, y.SearchID), cmp.Compare(x.ListingID, y.ListingID))
	})
	for some := range slices.Chunk(alerts, searchBatch) {
		if err := a.store.RecordAlerts(ctx, some, now, now.Add(-alertAgain)); err != nil {
			return 0, err
		}
	}
	slices.SortFunc(changes, func(x, y OfferChange) int { return cmp.Compare(x.Listing.ID, y.Listing.ID) })
	return len(changes), a.store.SettleChanges(ctx, changes)
}
