package market

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pantheon/internal/kit/money"
)

const (
	// ExactTotal is the number of listings up to which a total is exact. Above it, "1,000+" is shown.
	ExactTotal = 1_000
	// totalAge is how long a total is cached. Counting can cost far more than reading a page.
	totalAge = time.Second
	// maxTotals bounds how many filters' totals are cached.
	maxTotals = 1024
)

// totals caches briefly how many listings match a filter.
type totals struct {
	mu     sync.Mutex
	since  time.Time // when the oldest was counted
	counts map[string]Total
}

// filter returns the part of a query that determines the total, as a cache key.
func (q Query) filter() string {
	contract := ""
	if q.Contract != nil {
		contract = q.Contract.String()
	}
	bound := func(u *money.Units) string {
		if u == nil {
			return ""
		}
		return u.String()
	}
	seller := ""
	if q.Seller != nil {
		seller = q.Seller.String()
	}
	return fmt.Sprintf("%s|%q|%q|%q|%q|%q|%s|%t|%t|%s|%s", contract, q.Collection, q.TokenID, SearchWords(q.Text), q.Rarities, q.Traits,
		seller, q.Free, q.Cheapest,
		bound(q.Min), bound(q.Max))
}

// total returns how many live listings match the query, at most a second ago.
func (s *Service) total(ctx context.Context, q Query, now time.Time) (Total, error) {
	key := q.filter()
	s.totals.mu.Lock()
	if age := now.Sub(s.totals.since); age < 0 || age >= totalAge || len(s.totals.counts) >= maxTotals {
		s.totals.counts, s.totals.since = map[string]Total{}, now
	}
	n, known := s.totals.counts[key]
	counts := s.totals.counts
	s.totals.mu.Unlock()
	if known {
		return n, nil
	}
	n, err := s.store.CountListings(ctx, q, now)
	if err != nil {
		return Total{}, err
	}
	s.totals.mu.Lock()
	counts[key] = n // harmless if the map was replaced meanwhile
	s.totals.mu.Unlock()
	return n, nil
}
