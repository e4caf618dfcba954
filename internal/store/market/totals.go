package market

import (
	"context"
	"math/bits"

	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// total returns the number of live listings that match the query, or a lower bound where counting would be expensive.
func (b *browser) total(ctx context.Context) (market.Total, error) {
	q := b.q
	if n := b.listed(b.selects); n == 0 {
		return market.Total{}, nil
	} else if !q.Cheapest && q.TokenID == "" && len(b.words) == 0 && q.Min == nil && q.Max == nil && q.Seller == nil &&
		(len(q.Traits) == 0 || len(q.Traits) == 1 && len(q.Rarities) == 0) {
		var err error
		for _, t := range q.Traits {
			n, err = b.traitListed(ctx, t)
		}
		if err != nil {
			return market.Total{}, err
		}
		hidden, err := b.hidden(ctx)
		return market.Total{N: n - hidden}, err
	}
	b.order = orders[market.Newest]
	if q.Min != nil || q.Max != nil {
		b.order = orders[market.PriceUp]
	}
	if p := b.scans()[0]; p.exact {
		return b.countExact(ctx, p)
	}
	limits := b.limits
	n, whole, err := b.countFirst(ctx, b.firstScan())
	if whole || err != nil {
		return market.Total{N: n}, err
	}
	if n*b.listed(b.selects) <= limits.maxCandidates*int64(b.firstScan()) {
		if src, ok, err := b.smallCandidates(ctx); err != nil {
			return market.Total{}, err
		} else if ok {
			n, err = store.Count(ctx, b.db.Browsing(), b.countMatches(src))
			return market.Total{N: n}, err
		}
	}
	if q.Cheapest { // each row costs a search for the cheapest of its token
		return market.Total{N: min(n, limits.exactTotal), AtLeast: true}, nil
	}
	n, whole, err = b.countFirst(ctx, limits.longScan)
	return market.Total{N: min(n, limits.exactTotal), AtLeast: !whole || n > limits.exactTotal}, err
}

// countExact counts the live rows of a scan whose live rows all match, up to exactTotal. It reads entries of the index only: the few
// rows that are not live are counted apart.
func (b *browser) countExact(ctx context.Context, p indexScan) (market.Total, error) {
	hidden, err := b.hidden(ctx)
	if err != nil {
		return market.Total{}, err
	}
	s := b.countEntries(p, hidden)
	var n int64
	err = b.inIndexOrder(ctx, func(db gen.DBTX) error {
		n, err = store.Count(ctx, db, s)
		return err
	})
	n -= hidden
	return market.Total{N: min(n, b.limits.exactTotal), AtLeast: n > b.limits.exactTotal}, err
}

// countEntries returns the statement that counts a scan's rows, up to more than exactTotal without the hidden ones.
func (b *browser) countEntries(p indexScan, hidden int64) *store.SQLText {
	most := b.limits.exactTotal + 1
	if hidden > 0 { // rounded up, because each limit is a statement of its own
		most += 1 << bits.Len64(uint64(hidden))
	}
	s := &store.SQLText{}
	s.Add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.scanRange(s, p, nil, nil)
	b.ordered(s, p, int(most), 0)
	s.Add(") m")
	return s
}

// countFirst counts the matches among the first rows of the query's scan, up to exactTotal+1. whole reports whether all rows were
// scanned.
func (b *browser) countFirst(ctx context.Context, listings int) (n int64, whole bool, err error) {
	p := b.scans()[0]
	until, err := b.nthKey(ctx, p, nil, listings)
	if err != nil {
		return 0, false, err
	}
	s := &store.SQLText{}
	s.Add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.scanRange(s, p, nil, until)
	b.matches(s)
	// Without the order PostgreSQL may walk another index.
	b.ordered(s, p, int(b.limits.exactTotal+1), 0)
	s.Add(") m")
	err = b.inIndexOrder(ctx, func(db gen.DBTX) error {
		n, err = store.Count(ctx, db, s)
		return err
	})
	return n, until == nil && n <= b.limits.exactTotal, err
}

// traitListed returns the number of browsable listings with the trait, and the query's contract and collection.
func (b *browser) traitListed(ctx context.Context, t market.TraitFilter) (n int64, err error) {
	contract := ""
	if b.q.Contract != nil {
		contract = b.q.Contract.String()
	}
	values := t.Values
	if len(values) == 0 {
		values = []string{""} // any
	}
	err = b.db.Read(ctx, func(g *gen.Queries) error {
		n = 0
		for _, value := range values {
			listed, err := g.TraitListed(ctx, gen.TraitListedParams{Trait: t.Name, Value: value, Contract: contract, Collection: b.q.Collection})
			if err != nil {
				return err
			}
			n += listed
		}
		return nil
	})
	return n, err
}

// hidden returns the number of browsable listings that the counts of the query's filters include, but the query does not match:
// those that have ended or not started, and, if it asks for free ones, those that are held.
func (b *browser) hidden(ctx context.Context) (int64, error) {
	ended := &store.SQLText{}
	ended.Add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.end_at <= ?", b.now)
	b.filters(ended)
	n, err := store.Count(ctx, b.db.Browsing(), ended)
	if err != nil {
		return 0, err
	}
	unbegun := &store.SQLText{}
	unbegun.Add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.start_at > ? AND l.end_at + 0 > ?", b.begun, b.now)
	b.filters(unbegun)
	m, err := store.Count(ctx, b.db.Browsing(), unbegun)
	if err != nil || !b.q.Free {
		return n + m, err
	}
	held, all := &store.SQLText{}, *b
	all.q.Free = false
	held.Add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.id IN (SELECT f.listing_id FROM cart_hold f WHERE "+
		"f.expires_at > ?) AND "+heldWhole("l"), b.now, b.now)
	all.filters(held)
	of, err := store.Count(ctx, b.db.Browsing(), held)
	return n + m + of, err
}
