package market

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pantheon/internal/kit/money"
)

const (
	// totalAge is how old a total may be: counting a large market costs far more than a page of it, and the figure only
	// stands beside the list.
	totalAge = time.Second
	// maxTotals bounds how many filters' totals are kept within that time.
	maxTotals = 1024
)

// totals remembers for a moment how many listings fit a filter.
type totals struct {
	mu     sync.Mutex
	since  time.Time // when the oldest was counted
	counts map[string]int64
}

// filter is the part of a query that decides the total, as a key.
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
	return fmt.Sprintf("%s|%q|%q|%q|%q|%q|%q|%s|%s", contract, q.Collection, q.TokenID, q.Words, q.Rarity, q.Trait, q.Value, bound(q.Min), bound(q.Max))
}

// total returns how many live listings fit the query, as of a second ago at most.
func (s *Service) total(ctx context.Context, q Query, now time.Time) (int64, error) {
	key := q.filter()
	s.totals.mu.Lock()
	if age := now.Sub(s.totals.since); age < 0 || age >= totalAge || len(s.totals.counts) >= maxTotals {
		s.totals.counts, s.totals.since = map[string]int64{}, now
	}
	n, known := s.totals.counts[key]
	counts := s.totals.counts
	s.totals.mu.Unlock()
	if known {
		return n, nil
	}
	n, err := s.store.CountListings(ctx, q, now)
	if err != nil {
		return 0, err
	}
	s.totals.mu.Lock()
	counts[key] = n // a map given up meanwhile is nobody's loss
	s.totals.mu.Unlock()
	return n, nil
}
