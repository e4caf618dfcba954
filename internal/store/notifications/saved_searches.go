package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	marketstore "pantheon/internal/store/market"
)

// savedFilters are the filters of a saved search as stored.
type savedFilters struct {
	Contract   *eth.Address         `json:"contract,omitempty"`
	Collection string               `json:"collection,omitempty"`
	TokenID    string               `json:"tokenId,omitempty"`
	Text       string               `json:"text,omitempty"`
	Rarities   []string             `json:"rarities,omitempty"`
	Traits     []market.TraitFilter `json:"traits,omitempty"`
	Seller     *eth.Address         `json:"seller,omitempty"`
	Free       bool                 `json:"free,omitempty"`
	Min        string               `json:"min,omitempty"` // base units; "" for none
	Max        string               `json:"max,omitempty"`
}

func filtersText(q market.Query) (string, error) {
	units := func(u *money.Units) string {
		if u == nil {
			return ""
		}
		return u.String()
	}
	text, err := json.Marshal(savedFilters{
		Contract: q.Contract, Collection: q.Collection, TokenID: q.TokenID, Text: q.Text, Rarities: q.Rarities, Traits: q.Traits,
		Seller: q.Seller, Free: q.Free, Min: units(q.Min), Max: units(q.Max),
	})
	return string(text), err
}

func filtersOf(text string) (q market.Query, err error) {
	var f savedFilters
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return q, fmt.Errorf("store: filters of a saved search: %w", err)
	}
	q = market.Query{
		Contract: f.Contract, Collection: f.Collection, TokenID: f.TokenID, Text: f.Text, Rarities: f.Rarities, Traits: f.Traits,
		Seller: f.Seller, Free: f.Free,
	}
	if q.Min, err = store.UnitsOrNil(f.Min); err != nil {
		return q, err
	}
	q.Max, err = store.UnitsOrNil(f.Max)
	return q, err
}

func savedSearchOf(r gen.SavedSearch) (s market.SavedSearch, err error) {
	s = market.SavedSearch{ID: r.ID, PlayerID: r.PlayerID, Name: r.Name, Alerts: bool(r.Alerts), CreatedAt: r.CreatedAt.Time}
	s.Query, err = filtersOf(r.Filters)
	return s, err
}

func savedSearchesOf(rows []gen.SavedSearch) (out []market.SavedSearch, err error) {
	out = make([]market.SavedSearch, len(rows))
	for i, r := range rows {
		if out[i], err = savedSearchOf(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SavedSearches returns a player's saved searches; see market.SavedStore.
func (db Store) SavedSearches(ctx context.Context, playerID string) (out []market.SavedSearch, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SavedSearches(ctx, playerID)
		if err != nil {
			return err
		}
		out, err = savedSearchesOf(rows)
		return err
	})
	return out, err
}

// SaveSearch stores a search; see market.SavedStore.
func (db Store) SaveSearch(ctx context.Context, s market.SavedSearch, max int64) (ok bool, err error) {
	filters, err := filtersText(s.Query)
	if err != nil {
		return false, err
	}
	row := gen.InsertSavedSearchParams{
		ID: s.ID, PlayerID: s.PlayerID, Name: s.Name, Filters: filters, Bucket: market.Bucket(s.Query),
		Alerts: column.Flag(s.Alerts), CreatedAt: column.At(s.CreatedAt),
	}
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		ok = false
		if err := tx.LockPlayer(ctx, s.PlayerID); err != nil {
			return err
		}
		n, err := tx.CountSavedSearches(ctx, s.PlayerID)
		if err != nil || n >= max {
			return err
		}
		ok = true
		return tx.InsertSavedSearch(ctx, row)
	})
	return ok, err
}

// ownSearch returns fault.NotFound if a change of a player's search changed nothing.
func ownSearch(changed int64, err error) error {
	if err == nil && changed == 0 {
		return fault.New(fault.NotFound, "There is no such saved search.")
	}
	return err
}

// ChangeSearch changes a player's search; see market.SavedStore.
func (db Store) ChangeSearch(ctx context.Context, playerID, id, name string, alerts bool) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		err := ownSearch(tx.ChangeSavedSearch(ctx, gen.ChangeSavedSearchParams{
			ID: id, PlayerID: playerID, Name: name, Alerts: column.Flag(alerts),
		}))
		if err != nil || alerts {
			return err
		}
		return tx.DropAlerts(ctx, id)
	})
}

// DeleteSearch deletes a player's search; see market.SavedStore.
func (db Store) DeleteSearch(ctx context.Context, playerID, id string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return ownSearch(tx.DeleteSavedSearch(ctx, gen.DeleteSavedSearchParams{ID: id, PlayerID: playerID}))
	})
}

// Watched returns the tokens that a player watches; see market.SavedStore.
func (db Store) Watched(ctx context.Context, playerID string, now time.Time) (out []market.Watched, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.WatchedTokens(ctx, gen.WatchedTokensParams{PlayerID: playerID, Begun: store.Begun(now), Now: column.At(now)})
		if err != nil {
			return err
		}
		tokens := make([]marketstore.OfferedToken, len(rows))
		for i, r := range rows {
			tokens[i] = marketstore.OfferedToken{Token: r.Token, Cheapest: r.Cheapest}
		}
		offers, err := marketstore.New(db.DB).OffersOf(ctx, tokens, now)
		if err != nil {
			return err
		}
		out = make([]market.Watched, len(rows))
		for i, r := range rows {
			out[i] = market.Watched{Offer: offers[i], Since: r.CreatedAt.Time}
		}
		return nil
	})
	return out, err
}

// Watch adds a token to those that a player watches; see market.SavedStore.
func (db Store) Watch(ctx context.Context, playerID string, contract eth.Address, tokenID string, now time.Time,
	max int64) (ok bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		ok = false
		if err := tx.LockPlayer(ctx, playerID); err != nil {
			return err
		}
		row := gen.WatchTokenParams{PlayerID: playerID, Contract: contract, TokenID: tokenID, CreatedAt: column.At(now)}
		if err := tx.WatchToken(ctx, row); err != nil {
			return err
		}
		n, err := tx.CountWatchedTokens(ctx, playerID)
		if err != nil {
			return err
		}
		if ok = n <= max; !ok {
			return tx.UnwatchToken(ctx, gen.UnwatchTokenParams{PlayerID: playerID, Contract: contract, TokenID: tokenID})
		}
		return nil
	})
	return ok, err
}

// Unwatch removes a token from those that a player watches; see market.SavedStore.
func (db Store) Unwatch(ctx context.Context, playerID string, contract eth.Address, tokenID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.UnwatchToken(ctx, gen.UnwatchTokenParams{PlayerID: playerID, Contract: contract, TokenID: tokenID})
	})
}

// candidateOf returns what decides whether a listing matches a saved search.
func candidateOf(l gen.Listing) market.Candidate {
	c := market.Candidate{
		Listing: market.Listing{
			ID: l.ID, ListingID: l.ListingID, Contract: l.Contract, TokenID: l.TokenID, Seller: l.Seller, Quantity: l.Quantity, Price: l.Price,
			Start: l.StartAt.Time, End: l.EndAt.Time, Valid: bool(l.Browsable),
			Token: market.Token{Contract: l.Contract, TokenID: l.TokenID, Collection: l.Collection, Rarity: l.Rarity},
		},
		Words: strings.Fields(l.Words),
	}
	for _, t := range marketstore.TraitsOf(l.Traits) {
		c.Listing.Token.Attributes = append(c.Listing.Token.Attributes, market.Attribute{TraitType: t[0], Value: t[1]})
	}
	return c
}

// DueChanges returns changes of listings that are not settled; see market.AlertStore.
func (db Store) DueChanges(ctx context.Context, now time.Time, limit int) (out []market.OfferChange, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.DueListingChanges(ctx, gen.DueListingChangesParams{Now: column.At(now), Batch: int64(limit)})
		if err != nil {
			return err
		}
		out = make([]market.OfferChange, len(rows))
		for i, r := range rows {
			c := r.ListingChange
			out[i] = market.OfferChange{
				Candidate: candidateOf(r.Listing), WasLive: bool(c.WasLive), WasRank: c.WasPrice, At: c.DueAt.Time, Version: c.Version,
			}
		}
		return nil
	})
	return out, err
}

// AlertingSearches returns the searches of a bucket that alert; see market.AlertStore.
func (db Store) AlertingSearches(ctx context.Context, bucket, after string, limit int) (out []market.AlertingSearch, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.AlertingSearches(ctx, gen.AlertingSearchesParams{Bucket: bucket, After: after, PageSize: int64(limit)})
		if err != nil {
			return err
		}
		out = make([]market.AlertingSearch, len(rows))
		for i, r := range rows {
			out[i] = market.AlertingSearch{ID: r.ID, CreatedAt: r.CreatedAt.Time}
			if out[i].Query, err = filtersOf(r.Filters); err != nil {
				return err
			}
			if r.Wallet != "" {
				out[i].Wallet = &eth.Address{}
				if err := out[i].Wallet.Scan(r.Wallet); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// RecordAlerts stores alerts; see market.AlertStore.
func (db Store) RecordAlerts(ctx context.Context, alerts []market.Alert, now, again time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, a := range alerts {
			err := tx.PutSearchAlert(ctx, gen.PutSearchAlertParams{
				SearchID: a.SearchID, ListingID: a.ListingID, Now: column.Millis(now), Again: column.Millis(again),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SettleChanges settles changes; see market.AlertStore.
func (db Store) SettleChanges(ctx context.Context, changes []market.OfferChange) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, c := range changes {
			if err := tx.SettleListingChange(ctx, gen.SettleListingChangeParams{ListingID: c.Listing.ID, Version: c.Version}); err != nil {
				return err
			}
		}
		return nil
	})
}

// SearchesToAlert returns searches with unsent alerts; see market.AlertStore.
func (db Store) SearchesToAlert(ctx context.Context, last time.Time, limit int) (out []market.SavedSearch, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SearchesToAlert(ctx, gen.SearchesToAlertParams{Last: column.At(last), Batch: int64(limit)})
		if err != nil {
			return err
		}
		out, err = savedSearchesOf(rows)
		return err
	})
	return out, err
}

// SendAlerts notifies a search's player; see market.AlertStore.
func (db Store) SendAlerts(ctx context.Context, s market.SavedSearch, wanted func(market.Candidate) bool, now, last time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.SettleToldAlerts(ctx, gen.SettleToldAlertsParams{SearchID: s.ID, PlayerID: s.PlayerID}); err != nil {
			return err
		}
		rows, err := tx.UnsentAlerts(ctx, s.ID)
		if err != nil {
			return err
		}
		var cheapest *market.Candidate
		count := int64(0)
		for _, r := range rows {
			c := candidateOf(r)
			if !wanted(c) { // it may match again
				if err := tx.DropAlert(ctx, gen.DropAlertParams{SearchID: s.ID, ListingID: r.ID}); err != nil {
					return err
				}
				continue
			}
			if cheapest == nil {
				cheapest = &c
			}
			count++
		}
		if cheapest == nil {
			return tx.DropAlerts(ctx, s.ID) // of listings that a reorganisation took
		}
		n, err := tx.MarkSearchAlerted(ctx, gen.MarkSearchAlertedParams{ID: s.ID, Now: column.At(now), Last: column.At(last)})
		if err != nil || n == 0 { // another process was faster, or the player wants no more alerts
			return err
		}
		if err := tx.MarkAlertsSent(ctx, gen.MarkAlertsSentParams{SearchID: s.ID, Now: column.Millis(now)}); err != nil {
			return err
		}
		l, notified := cheapest.Listing, map[string]bool{}
		return errors.Join(Notify(ctx, tx, notification.New{
			Key: fmt.Sprintf("alert %s %d", s.ID, now.UnixMilli()), PlayerID: s.PlayerID, Kind: notification.Alert, ListingID: l.ListingID,
			Contract: l.Contract, TokenID: l.TokenID, Quantity: count, Amount: l.Price, At: now, SearchID: s.ID,
		}, notified), Announce(ctx, tx, notified))
	})
}

// ForgetAlerts deletes old alerts; see market.AlertStore.
func (db Store) ForgetAlerts(ctx context.Context, before time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.ForgetAlerts(ctx, column.Millis(before))
	})
}
