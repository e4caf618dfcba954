package market

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// browseLimits bound the cost of a query of the market. A page is read by an index scan in the requested order, along the
// index of the most selective filter; the other filters are checked row by row. If few of the first rows match, the rows of a
// more selective filter are candidates: they are fetched by its index and sorted. Without such a filter the scan continues up
// to a limit and may return a short page with a cursor. So the cost of a page depends neither on the filters nor on the size of
// the market.
type browseLimits struct {
	firstScan     int   // rows scanned before candidates are considered
	longScan      int   // rows scanned after that, at most
	maxCandidates int64 // maximum number of candidates
	exactTotal    int64 // totals above this are reported as a lower bound
}

var defaultBrowseLimits = browseLimits{firstScan: 1_000, longScan: 2_000, maxCandidates: 2_000, exactTotal: market.ExactTotal}

// LiveListings returns a page of the live listings; see market.Store.
func (db Store) LiveListings(ctx context.Context, q market.Query, now time.Time) (page market.Page[market.Listing], err error) {
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return page, err
	}
	found, next, err := b.page(ctx)
	if err != nil {
		return page, store.Classify(err)
	}
	if b.matched != nil && b.cursor == nil && !q.Grouped {
		page.Total = &market.Total{N: *b.matched}
	}
	if next != nil {
		page.Next = cursor.EncodeRank(string(q.Sort), next.rank, next.id)
	}
	ids := make([]string, len(found))
	for i, key := range found {
		ids[i] = key.id
	}
	cards, err := db.listingCards(ctx, ids)
	if err != nil {
		return page, store.Classify(err)
	}
	page.Items = make([]market.Listing, len(cards))
	for i, c := range cards {
		if page.Items[i], err = ListingOf(c, now); err != nil {
			return page, err
		}
	}
	return page, nil
}

// CountListings returns how many live listings match the query; see market.Store.
func (db Store) CountListings(ctx context.Context, q market.Query, now time.Time) (market.Total, error) {
	q.Cursor, q.Grouped = "", false
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return market.Total{}, err
	}
	total, err := b.total(ctx)
	return total, store.Classify(err)
}

// Collections returns the collections with the number of items for sale in each.
func (db Store) Collections(ctx context.Context, now time.Time) (out []market.Collection, err error) {
	type key struct {
		contract   eth.Address
		collection string
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.RarityCounts(ctx)
		if err != nil {
			return err
		}
		ended, err := q.EndedByCollection(ctx, column.At(now))
		if err != nil {
			return err
		}
		unbegun, err := q.UnbegunByCollection(ctx, gen.UnbegunByCollectionParams{Begun: store.Begun(now), Now: column.At(now)})
		if err != nil {
			return err
		}
		listed, tokens := map[key]int64{}, map[key]int64{}
		for _, r := range rows {
			listed[key{r.Contract, r.Collection}] += r.Listed
			tokens[key{r.Contract, r.Collection}] += r.Tokens
		}
		for _, r := range ended {
			listed[key{r.Contract, r.Collection}] -= r.Listings
		}
		for _, r := range unbegun {
			listed[key{r.Contract, r.Collection}] -= r.Listings
		}
		for _, r := range rows {
			k := key{r.Contract, r.Collection}
			if tokens[k] == 0 {
				continue
			}
			tokens[k] = 0 // one entry per collection
			c := market.Collection{Contract: r.Contract, Slug: r.Collection, Listed: listed[k]}
			switch floor, err := q.CollectionFloor(ctx, gen.CollectionFloorParams{
				Collection: r.Collection, Contract: r.Contract, Begun: store.Begun(now), Now: column.At(now),
			}); {
			case err == nil:
				c.Floor = &floor
			case !errors.Is(err, sql.ErrNoRows):
				return err
			}
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// sortKey is the key of keyset pagination: the value of the order's column and the listing's id.
type sortKey struct {
	rank int64
	id   string
}

// order is a market.Sort in SQL.
type order struct {
	column string
	desc   bool
}

var orders = map[market.Sort]order{
	market.Newest: {"created_at", true}, market.PriceUp: {"price_rank", false}, market.PriceDown: {"price_rank", true},
	market.Rarest: {"rarity_rank", true},
}

// before reports whether a sorts before b.
func (o order) before(a, b sortKey) bool {
	if o.desc {
		a, b = b, a
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id)) < 0
}

// browser runs one query of the market.
type browser struct {
	db         *store.DB
	limits     browseLimits
	q          market.Query
	words      []string
	order      order
	cursor     *sortKey
	now, begun column.Time
	counts     []gen.RarityCount // of all listings
	matched    *int64            // the number of matches, if candidates were sorted
}

func (db Store) browser(ctx context.Context, q market.Query, now time.Time) (b *browser, err error) {
	b = &browser{db: db.DB, limits: db.limits, q: q, order: orders[q.Sort], now: column.At(now), begun: store.Begun(now)}
	b.words = q.Words()
	if q.Cursor != "" {
		b.cursor = &sortKey{}
		if b.cursor.rank, b.cursor.id, err = cursor.DecodeRank(string(q.Sort), q.Cursor); err != nil {
			return nil, err
		}
	}
	err = db.Read(ctx, func(g *gen.Queries) error {
		b.counts, err = g.RarityCounts(ctx)
		return err
	})
	return b, err
}

// listed returns the number of browsable listings in the counts that accepts selects.
func (b *browser) listed(accepts func(gen.RarityCount) bool) (n int64) {
	for _, c := range b.counts {
		if accepts(c) {
			n += c.Listed
		}
	}
	return n
}

// selects reports whether the count's contract, collection and rarity match the query.
func (b *browser) selects(c gen.RarityCount) bool {
	return (b.q.Contract == nil || *b.q.Contract == c.Contract) && (b.q.Collection == "" || b.q.Collection == c.Collection) &&
		(len(b.q.Rarities) == 0 || slices.Contains(b.q.Rarities, c.Rarity))
}

// live adds the condition that a listing "l" is live.
func (b *browser) live(s *store.SQLText) { live(s, "l", b.begun, b.now) }

// live adds the condition that the aliased listing is live. Adding zero keeps both engines from choosing the indexes on the
// times.
func live(s *store.SQLText, alias string, begun, now column.Time) {
	s.Add(" AND "+alias+".start_at + 0 <= ? AND "+alias+".end_at + 0 > ?", begun, now)
}

// heldWhole is the condition that all units of the aliased listing are held.
func heldWhole(alias string) string {
	return alias + ".quantity <= (SELECT COUNT(*) FROM cart_hold h WHERE h.listing_id = " + alias + ".id AND h.expires_at > ?)"
}

// cheapest adds an expression for the id of the cheapest matching listing of the token of an alias: of those with a free unit, or
// of all if there is none. It repeats only the conditions that differ between listings of a token. The index lists a token's
// listings by price, so the search stops at the first match; neither engine turns a subquery with a limit into a join.
func (b *browser) cheapest(s *store.SQLText, of string) {
	first := func(free bool) {
		s.Add("(SELECT o.id FROM listing o WHERE o.browsable = 1")
		if b.q.Seller != nil {
			s.Add(" AND o.seller = ?", *b.q.Seller)
		}
		s.Add(" AND o.contract = " + of + ".contract AND o.token_id = " + of + ".token_id")
		if b.q.Min != nil {
			s.Add(" AND o.price_rank >= ?", market.PriceRank(*b.q.Min))
		}
		if b.q.Max != nil {
			s.Add(" AND o.price_rank <= ?", market.PriceRank(*b.q.Max))
		}
		live(s, "o", b.begun, b.now)
		if free {
			s.Add(" AND NOT ("+heldWhole("o")+")", b.now)
		}
		s.Add(" ORDER BY o.price_rank, o.id LIMIT 1)")
	}
	if b.q.Free {
		first(true)
		return
	}
	s.Add("COALESCE(")
	first(true)
	s.Add(", ")
	first(false)
	s.Add(")")
}

// matches adds the conditions that a listing "l" is live and matches the query.
func (b *browser) matches(s *store.SQLText) {
	b.live(s)
	b.filters(s)
	if b.q.Cheapest {
		s.Add(" AND l.id = ")
		b.cheapest(s, "l")
	}
	if b.q.Grouped {
		s.Add(" AND (SELECT o.id FROM listing o WHERE o.browsable = 1 AND o.seller = l.seller AND o.contract = l.contract" +
			" AND o.token_id = l.token_id AND o.price_rank = l.price_rank AND o.price = l.price AND o.currency = l.currency" +
			" AND (o.created_at + 0, o.id || '') < (l.created_at, l.id)")
		live(s, "o", b.begun, b.now)
		s.Add(" AND NOT ("+heldWhole("o")+") ORDER BY o.price_rank, o.id LIMIT 1) IS NULL", b.now)
	}
}

// filters adds the query's conditions on a listing "l", but for Cheapest, in a form that no index serves.
func (b *browser) filters(s *store.SQLText) {
	if b.q.Contract != nil {
		s.Add(" AND l.contract || '' = ?", *b.q.Contract)
	}
	if b.q.Collection != "" {
		s.Add(" AND l.collection || '' = ?", b.q.Collection)
	}
	if b.q.TokenID != "" {
		s.Add(" AND l.token_id || '' = ?", b.q.TokenID)
	}
	if len(b.q.Rarities) > 0 {
		s.Add(" AND l.rarity || ''")
		store.In(s, b.q.Rarities)
	}
	if b.q.Min != nil {
		s.Add(" AND l.price_rank + 0 >= ?", market.PriceRank(*b.q.Min))
	}
	if b.q.Max != nil {
		s.Add(" AND l.price_rank + 0 <= ?", market.PriceRank(*b.q.Max))
	}
	position := searches[b.db.Engine()].position
	for _, t := range b.q.Traits {
		name := TraitMark + t.Name + ValueMark
		texts := []string{name}
		if len(t.Values) > 0 {
			texts = texts[:0]
		}
		for _, value := range t.Values {
			texts = append(texts, name+value+TraitMark)
		}
		s.Add(" AND (")
		for i, text := range texts {
			if i > 0 {
				s.Add(" OR ")
			}
			s.Add(position+"(l.traits, ?) > 0", text)
		}
		s.Add(")")
	}
	if b.q.Seller != nil {
		s.Add(" AND l.seller || '' = ?", *b.q.Seller)
	}
	if b.q.Free {
		s.Add(" AND NOT ("+heldWhole("l")+")", b.now)
	}
	for _, w := range b.words {
		s.Add(" AND "+position+"(' ' || l.words, ?) > 0", " "+w)
	}
}

// page returns the keys of the query's page, and the key after which the next one begins; nil at the end.
func (b *browser) page(ctx context.Context) (found []sortKey, next *sortKey, err error) {
	if b.listed(b.selects) == 0 {
		return nil, nil, nil
	}
	asked := false
	for _, p := range b.scans() {
		end := 0 // no limit
		if !p.exact {
			end = b.firstScan()
		}
		more, until, err := b.scanNext(ctx, p, nil, end)
		found = append(found, more...)
		if err != nil || len(found) > b.q.Limit {
			return b.endPage(found, err)
		}
		if until == nil {
			continue
		}
		if !asked && b.isSelective(len(found)) {
			asked = true
			if all, ok, err := b.sortCandidates(ctx); ok || err != nil {
				return b.endPage(all, err)
			}
		}
		more, until, err = b.scanNext(ctx, p, until, b.longScan())
		found = append(found, more...)
		if err != nil || len(found) > b.q.Limit {
			return b.endPage(found, err)
		}
		if until != nil {
			return found, until, nil
		}
	}
	return found, nil, nil
}

// endPage limits a page to the requested size.
func (b *browser) endPage(found []sortKey, err error) ([]sortKey, *sortKey, error) {
	if err != nil || len(found) <= b.q.Limit {
		return found, nil, err
	}
	return found[:b.q.Limit], &found[b.q.Limit-1], nil
}

// listingCards returns the listings with the ids, in their order, except those removed meanwhile.
func (db Store) listingCards(ctx context.Context, ids []string) (cards []gen.ListingCard, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	s := &store.SQLText{}
	s.Add("SELECT * FROM listing_card c WHERE c.id")
	store.In(s, store.Padded(ids))
	if cards, err = store.SelectRows[gen.ListingCard](ctx, db.Prepared(), s); err != nil {
		return nil, err
	}
	position := make(map[string]int, len(ids))
	for i, id := range ids {
		position[id] = i
	}
	slices.SortFunc(cards, func(x, y gen.ListingCard) int { return cmp.Compare(position[x.ID], position[y.ID]) })
	return cards, nil
}
