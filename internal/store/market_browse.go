package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
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

const (
	// minPrefix is the minimum length, in characters, of a prefix that is looked up in the full-text index. Shorter ones match
	// too many tokens.
	minPrefix = 2
)

// LiveListings returns a page of the live listings; see market.Store.
func (db *DB) LiveListings(ctx context.Context, q market.Query, now time.Time) (page market.Page[market.Listing], err error) {
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return page, err
	}
	found, next, err := b.page(ctx)
	if err != nil {
		return page, classify(err)
	}
	if b.matched != nil && b.cursor == nil {
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
		return page, classify(err)
	}
	page.Items = make([]market.Listing, len(cards))
	for i, c := range cards {
		if page.Items[i], err = listingOf(c, now); err != nil {
			return page, err
		}
	}
	return page, nil
}

// CountListings returns how many live listings match the query; see market.Store.
func (db *DB) CountListings(ctx context.Context, q market.Query, now time.Time) (market.Total, error) {
	q.Cursor = ""
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return market.Total{}, err
	}
	total, err := b.total(ctx)
	return total, classify(err)
}

// Collections returns the collections with the number of items for sale in each.
func (db *DB) Collections(ctx context.Context, now time.Time) (out []market.Collection, err error) {
	type key struct{ contract, collection string }
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.RarityCounts(ctx)
		if err != nil {
			return err
		}
		ended, err := q.EndedByCollection(ctx, millis(now))
		if err != nil {
			return err
		}
		unbegun, err := q.UnbegunByCollection(ctx, gen.UnbegunByCollectionParams{Begun: begun(now), Now: millis(now)})
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
			c := market.Collection{Slug: r.Collection, Listed: listed[k]}
			if err := c.Contract.Scan(r.Contract); err != nil {
				return err
			}
			switch floor, err := q.CollectionFloor(ctx, gen.CollectionFloorParams{
				Collection: r.Collection, Contract: r.Contract, Begun: begun(now), Now: millis(now),
			}); {
			case err == nil:
				price := money.FromInt(floor)
				c.Floor = &price
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
	market.Newest: {"created_at", true}, market.PriceUp: {"price_rank", false}, market.PriceDown: {"price_rank", true}, market.Rarest: {"rarity_rank", true},
}

// before reports whether a sorts before b.
func (o order) before(a, b sortKey) bool {
	if o.desc {
		a, b = b, a
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id)) < 0
}

// sqlText builds a part of a statement. Question marks are placeholders.
type sqlText struct {
	text strings.Builder
	args []any
}

func (s *sqlText) add(text string, args ...any) {
	s.text.WriteString(text)
	s.args = append(s.args, args...)
}

func (s *sqlText) embed(part *sqlText) { s.add(part.text.String(), part.args...) }

// String returns the statement with numbered placeholders, which both engines support.
func (s *sqlText) String() string {
	var out strings.Builder
	for i, part := range strings.Split(s.text.String(), "?") {
		if i > 0 {
			fmt.Fprintf(&out, "$%d", i)
		}
		out.WriteString(part)
	}
	return out.String()
}

// in adds an IN condition on the expression added last. values must not be empty.
func in[T any](s *sqlText, values []T) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	s.add(" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// browser runs one query of the market.
type browser struct {
	db         *DB
	q          market.Query
	words      []string
	order      order
	cursor     *sortKey
	now, begun int64
	counts     []gen.RarityCount // of all listings
	matched    *int64            // the number of matches, if candidates were sorted
}

func (db *DB) browser(ctx context.Context, q market.Query, now time.Time) (b *browser, err error) {
	b = &browser{db: db, q: q, order: orders[q.Sort], now: millis(now), begun: begun(now)}
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
	return (b.q.Contract == nil || b.q.Contract.String() == c.Contract) && (b.q.Collection == "" || b.q.Collection == c.Collection) &&
		(len(b.q.Rarities) == 0 || slices.Contains(b.q.Rarities, c.Rarity))
}

// live adds the condition that a listing "l" is live.
func (b *browser) live(s *sqlText) { live(s, "l", b.begun, b.now) }

// live adds the condition that the aliased listing is live. Adding zero keeps both engines from choosing the indexes on the
// times.
func live(s *sqlText, alias string, begun, now int64) {
	s.add(" AND "+alias+".start_at + 0 <= ? AND "+alias+".end_at + 0 > ?", begun, now)
}

// heldWhole is the condition that all units of the aliased listing are held.
func heldWhole(alias string) string {
	return alias + ".quantity <= (SELECT COUNT(*) FROM cart_hold h WHERE h.listing_id = " + alias + ".id AND h.expires_at > ?)"
}

// cheapest adds an expression for the id of the cheapest matching listing of the token of an alias: of those with a free unit, or
// of all if there is none. It repeats only the conditions that differ between listings of a token. The index lists a token's
// listings by price, so the search stops at the first match; neither engine turns a subquery with a limit into a join.
func (b *browser) cheapest(s *sqlText, of string) {
	first := func(free bool) {
		s.add("(SELECT o.id FROM listing o WHERE o.browsable = 1")
		if b.q.Seller != nil {
			s.add(" AND o.seller = ?", b.q.Seller.String())
		}
		s.add(" AND o.contract = " + of + ".contract AND o.token_id = " + of + ".token_id")
		if b.q.Min != nil {
			s.add(" AND o.price_rank >= ?", priceRank(*b.q.Min))
		}
		if b.q.Max != nil {
			s.add(" AND o.price_rank <= ?", priceRank(*b.q.Max))
		}
		live(s, "o", b.begun, b.now)
		if free {
			s.add(" AND NOT ("+heldWhole("o")+")", b.now)
		}
		s.add(" ORDER BY o.price_rank, o.id LIMIT 1)")
	}
	if b.q.Free {
		first(true)
		return
	}
	s.add("COALESCE(")
	first(true)
	s.add(", ")
	first(false)
	s.add(")")
}

// matches adds the conditions that a listing "l" is live and matches the query.
func (b *browser) matches(s *sqlText) {
	b.live(s)
	b.filters(s)
	if b.q.Cheapest {
		s.add(" AND l.id = ")
		b.cheapest(s, "l")
	}
}

// filters adds the query's conditions on a listing "l", but for Cheapest, in a form that no index serves.
func (b *browser) filters(s *sqlText) {
	if b.q.Contract != nil {
		s.add(" AND l.contract || '' = ?", b.q.Contract.String())
	}
	if b.q.Collection != "" {
		s.add(" AND l.collection || '' = ?", b.q.Collection)
	}
	if b.q.TokenID != "" {
		s.add(" AND l.token_id || '' = ?", b.q.TokenID)
	}
	if len(b.q.Rarities) > 0 {
		s.add(" AND l.rarity || ''")
		in(s, b.q.Rarities)
	}
	if b.q.Min != nil {
		s.add(" AND l.price_rank + 0 >= ?", priceRank(*b.q.Min))
	}
	if b.q.Max != nil {
		s.add(" AND l.price_rank + 0 <= ?", priceRank(*b.q.Max))
	}
	position := searches[b.db.engine].position
	for _, t := range b.q.Traits {
		name := traitMark + t.Name + valueMark
		texts := []string{name}
		if len(t.Values) > 0 {
			texts = texts[:0]
		}
		for _, value := range t.Values {
			texts = append(texts, name+value+traitMark)
		}
		s.add(" AND (")
		for i, text := range texts {
			if i > 0 {
				s.add(" OR ")
			}
			s.add(position+"(l.traits, ?) > 0", text)
		}
		s.add(")")
	}
	if b.q.Seller != nil {
		s.add(" AND l.seller || '' = ?", b.q.Seller.String())
	}
	if b.q.Free {
		s.add(" AND NOT ("+heldWhole("l")+")", b.now)
	}
	for _, w := range b.words {
		s.add(" AND "+position+"(' ' || l.words, ?) > 0", " "+w)
	}
}

// indexScan is a scan in the requested order, of the rows with the given values in the index's leading columns.
type indexScan struct {
	columns []string
	values  []any
	ranked  bool // the last column is the order's: the rows are ordered by id alone
	exact   bool // all live rows match the query
}

// scans returns the index scans that produce the result, in order.
func (b *browser) scans() []indexScan {
	q := b.q
	rarity := func(c gen.RarityCount) bool { return slices.Contains(q.Rarities, c.Rarity) }
	collection := func(c gen.RarityCount) bool { return c.Collection == q.Collection }
	price := b.order.column == "price_rank"
	// Whether there are no filters that an index cannot serve.
	plain := !q.Cheapest && q.TokenID == "" && len(q.Traits) == 0 && len(b.words) == 0 && q.Contract == nil && q.Seller == nil && !q.Free &&
		(price || q.Min == nil && q.Max == nil)
	switch {
	case q.Contract != nil && q.TokenID != "" && price:
		return []indexScan{{
			columns: []string{"contract", "token_id"}, values: []any{q.Contract.String(), q.TokenID},
			exact: !q.Cheapest && q.Collection == "" && len(q.Rarities) == 0 && len(q.Traits) == 0 && len(b.words) == 0 && q.Seller == nil && !q.Free,
		}}
	case q.Seller != nil && b.order.column == "created_at":
		return []indexScan{{columns: []string{"seller"}, values: []any{q.Seller.String()}}}
	case b.order.column == "rarity_rank" && len(q.Rarities) > 0:
		return b.ranks(indexScan{exact: plain})
	case len(q.Rarities) == 1 && b.order.column != "rarity_rank" && (q.Collection == "" || b.listed(rarity) < b.listed(collection)):
		return []indexScan{{columns: []string{"rarity"}, values: []any{q.Rarities[0]}, exact: plain && q.Collection == ""}}
	case q.Collection != "":
		return []indexScan{{columns: []string{"collection"}, values: []any{q.Collection}, exact: plain && len(q.Rarities) == 0}}
	default:
		p := indexScan{exact: plain && len(q.Rarities) == 0}
		if slug, ok := b.collectionOf(); ok {
			p = indexScan{columns: []string{"collection"}, values: []any{slug}}
		}
		return []indexScan{p}
	}
}

// ranks returns a scan for each rank of the query's rarities, the highest first, which skips the other ranks.
func (b *browser) ranks(p indexScan) (out []indexScan) {
	if b.q.Collection != "" {
		p.columns, p.values = []string{"collection"}, []any{b.q.Collection}
	}
	p.columns, p.ranked = append(p.columns, "rarity_rank"), true
	var ranks []int64
	for _, c := range b.counts {
		if b.selects(c) && c.Listed > 0 && !slices.Contains(ranks, c.RarityRank) && (b.cursor == nil || c.RarityRank <= b.cursor.rank) {
			ranks = append(ranks, c.RarityRank)
		}
	}
	slices.Sort(ranks)
	for _, rank := range slices.Backward(ranks) {
		p.values = append(slices.Clip(p.values[:len(p.columns)-1]), rank)
		out = append(out, p)
	}
	return out
}

// collectionOf returns the collection of the query's contract, if it has only one.
func (b *browser) collectionOf() (slug string, ok bool) {
	for _, c := range b.counts {
		if b.q.Contract == nil || c.Contract != b.q.Contract.String() {
			continue
		}
		if ok && slug != c.Collection {
			return "", false
		}
		slug, ok = c.Collection, true
	}
	return slug, ok
}

// scanRange adds the scan's rows after a key, exclusive, until another, inclusive. By default it begins at the cursor and, in an
// order of prices, ends at the query's last price.
func (b *browser) scanRange(s *sqlText, p indexScan, after, until *sortKey) {
	s.add(" FROM listing l WHERE l.browsable = 1")
	for i, column := range p.columns {
		s.add(" AND l."+column+" = ?", p.values[i])
	}
	b.between(s, p, after, until)
}

func (b *browser) between(s *sqlText, p indexScan, after, until *sortKey) {
	begins, ends := ">", "<="
	if b.order.desc {
		begins, ends = "<", ">="
	}
	if p.ranked {
		rank := p.values[len(p.values)-1]
		if after == nil && b.cursor != nil && b.cursor.rank == rank {
			after = b.cursor
		}
		if after != nil {
			s.add(" AND l.id "+begins+" ?", after.id)
		}
		if until != nil {
			s.add(" AND l.id "+ends+" ?", until.id)
		}
		return
	}
	start, stop := b.priceBounds()
	if after == nil {
		if after = b.cursor; after == nil || start != nil && b.order.before(*after, *start) {
			after = start
		}
	}
	if until == nil {
		until = stop
	}
	if after != nil {
		s.add(" AND (l."+b.order.column+", l.id) "+begins+" (?, ?)", after.rank, after.id)
	}
	if until != nil {
		s.add(" AND (l."+b.order.column+", l.id) "+ends+" (?, ?)", until.rank, until.id)
	}
}

// priceBounds returns the keys before the first and after the last row within the query's prices; nil if unbounded, and in
// other orders. The empty id sorts before all others.
func (b *browser) priceBounds() (start, stop *sortKey) {
	if !strings.HasPrefix(b.order.column, "price_rank") {
		return nil, nil
	}
	var low, high *sortKey
	if b.q.Min != nil {
		low = &sortKey{rank: priceRank(*b.q.Min)}
	}
	if b.q.Max != nil {
		if most := priceRank(*b.q.Max); most < math.MaxInt64 {
			high = &sortKey{rank: most + 1}
		}
	}
	if b.order.desc {
		return high, low
	}
	return low, high
}

// ordered adds ORDER BY, LIMIT and OFFSET.
func (b *browser) ordered(s *sqlText, p indexScan, limit, skip int) {
	direction := ""
	if b.order.desc {
		direction = " DESC"
	}
	s.add(" ORDER BY ")
	if !p.ranked {
		s.add("l." + b.order.column + direction + ", ")
	}
	s.add(fmt.Sprintf("l.id%s LIMIT %d OFFSET %d", direction, limit, skip))
}

// nthKey returns the key of the scan's nth row after a key; nil if there are fewer.
func (b *browser) nthKey(ctx context.Context, p indexScan, after *sortKey, n int) (end *sortKey, err error) {
	s := b.selectKeys()
	b.scanRange(s, p, after, nil)
	b.ordered(s, p, 1, n-1)
	err = b.inIndexOrder(ctx, func(db gen.DBTX) error {
		found, err := read(ctx, db, s)
		if len(found) > 0 {
			end = &found[0]
		}
		return err
	})
	return end, err
}

// scan returns the first matching rows of a range.
func (b *browser) scan(ctx context.Context, p indexScan, after, until *sortKey, limit int) (found []sortKey, err error) {
	s := b.selectKeys()
	b.scanRange(s, p, after, until)
	b.matches(s)
	b.ordered(s, p, limit, 0)
	err = b.inIndexOrder(ctx, func(db gen.DBTX) error {
		found, err = read(ctx, db, s)
		return err
	})
	return found, err
}

// indexOrderSettings make PostgreSQL read rows in the order of an index. By its estimates it would fetch all rows of a filter
// and sort them.
const indexOrderSettings = "SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off"

// inIndexOrder runs a statement that must read rows in the order of an index.
func (b *browser) inIndexOrder(ctx context.Context, run func(gen.DBTX) error) error {
	if b.db.engine == SQLite {
		return run(b.db.browsing)
	}
	tx, err := b.db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has changed nothing
	if _, err := tx.ExecContext(ctx, indexOrderSettings); err != nil {
		return err
	}
	return run(tx)
}

func (b *browser) selectKeys() *sqlText {
	s := &sqlText{}
	s.add("SELECT l." + b.order.column + ", l.id")
	return s
}

// read runs a statement that selects keys.
func read(ctx context.Context, db gen.DBTX, s *sqlText) (found []sortKey, err error) {
	rows, err := db.QueryContext(ctx, s.String(), s.args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p sortKey
		if err := rows.Scan(&p.rank, &p.id); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, rows.Err()
}

func count(ctx context.Context, db gen.DBTX, s *sqlText) (n int64, err error) {
	err = db.QueryRowContext(ctx, s.String(), s.args...).Scan(&n)
	return n, err
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

// scanNext scans a number of rows after a key; all of them if the number is 0. It returns the matches, up to one more than a page
// has, and the key of the last row scanned; nil at the end of the scan.
func (b *browser) scanNext(ctx context.Context, p indexScan, after *sortKey, listings int) (found []sortKey, until *sortKey, err error) {
	if listings > 0 {
		if until, err = b.nthKey(ctx, p, after, listings); err != nil {
			return nil, nil, err
		}
	}
	found, err = b.scan(ctx, p, after, until, b.q.Limit+1)
	return found, until, err
}

// firstScan is how many rows are scanned before candidates are considered. With Cheapest each row costs a search.
func (b *browser) firstScan() int {
	if b.q.Cheapest {
		return max(b.db.browse.firstScan/5, 1)
	}
	return b.db.browse.firstScan
}

// longScan is how many rows are scanned after the first scan, at most. With Cheapest each row costs a search.
func (b *browser) longScan() int {
	if b.q.Cheapest {
		return max(b.db.browse.longScan/2, 1)
	}
	return b.db.browse.longScan
}

// isSelective estimates from the matches among the first rows whether sorting candidates is cheaper than scanning on: all matches may
// well be few enough to be candidates, and either they are to be counted too, or a page would exceed the long scan.
func (b *browser) isSelective(matches int) bool {
	limits, n := b.db.browse, int64(matches)
	walked := int64(b.firstScan())
	few := n*b.listed(b.selects) <= 3*limits.maxCandidates*walked
	return few && (b.cursor == nil || n*(walked+int64(b.longScan())) < int64(b.q.Limit+1)*walked)
}

// candidateSet is the listings that one of the query's filters selects by an index.
type candidateSet struct {
	tokens *sqlText // a query for their tokens; nil if an index of listings serves the filter
	counts *sqlText // a query with as many rows
	where  *sqlText // the condition on a listing "l"
}

// candidates returns the candidate sets of the query's filters, except those known to be too large.
func (b *browser) candidates(ctx context.Context) (out []candidateSet, err error) {
	q := b.q
	ofTokens := func(s, counts *sqlText) {
		for _, query := range slices.Compact([]*sqlText{s, counts}) {
			query.add(fmt.Sprintf(" LIMIT %d", b.db.browse.maxCandidates+1))
		}
		out = append(out, candidateSet{tokens: s, counts: counts})
	}
	if q.TokenID != "" {
		s := &sqlText{}
		s.add("SELECT t.contract, t.token_id FROM token t WHERE t.token_id = ? AND t.contract", q.TokenID)
		contracts, _ := b.contracts()
		in(s, contracts)
		ofTokens(s, s)
	}
	long := slices.DeleteFunc(slices.Clone(b.words), func(w string) bool { return utf8.RuneCountInString(w) < minPrefix })
	if len(long) > 0 {
		engine, s, counts := searches[b.db.engine], &sqlText{}, &sqlText{}
		s.add(engine.tokens, engine.match(long))
		counts.add(engine.counts, engine.match(long))
		ofTokens(s, counts)
	}
	for _, t := range q.Traits {
		n, err := b.traitListed(ctx, t)
		if err != nil {
			return nil, err
		}
		if n <= b.db.browse.maxCandidates {
			s := &sqlText{}
			s.add("SELECT DISTINCT x.contract, x.token_id FROM token_trait x WHERE x.trait = ?", t.Name)
			if len(t.Values) > 0 {
				s.add(" AND x.value")
				in(s, t.Values)
			}
			ofTokens(s, s)
		}
	}
	if contracts, tokens := b.contracts(); q.Cheapest && tokens <= b.db.browse.maxCandidates {
		s := &sqlText{}
		s.add("SELECT t.contract, t.token_id FROM token t WHERE t.contract")
		in(s, contracts)
		ofTokens(s, s)
	}
	if q.Seller != nil {
		s := &sqlText{}
		s.add(" AND l.seller = ?", q.Seller.String())
		out = append(out, candidateSet{where: s})
	}
	if b.listed(b.selects) <= b.db.browse.maxCandidates {
		out = append(out, candidateSet{where: b.countedFilter()})
	}
	if q.Min != nil || q.Max != nil {
		s := &sqlText{}
		if q.Collection != "" {
			s.add(" AND l.collection = ?", q.Collection)
		}
		least, most := int64(0), int64(math.MaxInt64)
		if q.Min != nil {
			least = priceRank(*q.Min)
		}
		if q.Max != nil {
			most = priceRank(*q.Max)
		}
		s.add(" AND l.price_rank >= ? AND l.price_rank <= ?", least, most)
		out = append(out, candidateSet{where: s})
	}
	return out, nil
}

// contracts returns the contracts that the query's contract, collection and rarities select, and the number of all their tokens.
func (b *browser) contracts() (contracts []string, tokens int64) {
	for _, c := range b.counts {
		if b.selects(c) && !slices.Contains(contracts, c.Contract) {
			contracts = append(contracts, c.Contract)
		}
	}
	for _, c := range b.counts {
		if slices.Contains(contracts, c.Contract) {
			tokens += c.Tokens
		}
	}
	return contracts, tokens
}

// distinct sorts the values and removes duplicates.
func distinct[T cmp.Ordered](values []T) []T {
	slices.Sort(values)
	return slices.Compact(values)
}

// countedFilter returns the condition on a listing's contract, collection and rarity, by which listings are counted.
func (b *browser) countedFilter() *sqlText {
	s := &sqlText{}
	if b.q.Contract == nil && b.q.Collection == "" {
		if len(b.q.Rarities) > 0 {
			s.add(" AND l.rarity")
			in(s, b.q.Rarities)
		}
		return s
	}
	var collections []string
	var ranks []int64
	for _, c := range b.counts {
		if b.selects(c) {
			collections, ranks = append(collections, c.Collection), append(ranks, c.RarityRank)
		}
	}
	s.add(" AND l.collection")
	in(s, distinct(collections))
	s.add(" AND l.rarity_rank")
	in(s, distinct(ranks))
	return s
}

// from adds the FROM clause of a set's browsable listings; of tokens, only the cheapest if that is what the query asks for.
func (b *browser) from(s *sqlText, src candidateSet) {
	if src.tokens == nil {
		s.add(" FROM listing l WHERE l.browsable = 1")
		s.embed(src.where)
		return
	}
	s.add(" FROM (")
	s.embed(src.tokens)
	s.add(") k CROSS JOIN listing l WHERE ")
	if b.q.Cheapest {
		s.add("l.id = ")
		b.cheapest(s, "k")
	} else {
		s.add("l.contract = k.contract AND l.token_id = k.token_id")
	}
	s.add(" AND l.browsable = 1")
}

// isSmall reports whether the set has at most maxCandidates tokens and listings.
func (b *browser) isSmall(ctx context.Context, src candidateSet) (bool, error) {
	if src.tokens != nil {
		s := &sqlText{}
		s.add("SELECT COUNT(*) FROM (")
		s.embed(src.counts)
		s.add(") k")
		if n, err := count(ctx, b.db.browsing, s); n > b.db.browse.maxCandidates || b.q.Cheapest || err != nil {
			return n <= b.db.browse.maxCandidates, err // each has one listing at most
		}
	}
	n, err := count(ctx, b.db.browsing, b.countCandidates(src))
	return n <= b.db.browse.maxCandidates, err
}

// countCandidates returns the statement that counts a candidate set, up to maxCandidates+1.
func (b *browser) countCandidates(src candidateSet) *sqlText {
	s := &sqlText{}
	s.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.from(s, src)
	s.add(fmt.Sprintf(" LIMIT %d) m", b.db.browse.maxCandidates+1))
	return s
}

// smallCandidates returns the first candidate set that is small; false if all are too large.
func (b *browser) smallCandidates(ctx context.Context) (src candidateSet, ok bool, err error) {
	candidates, err := b.candidates(ctx)
	if err != nil {
		return src, false, err
	}
	for _, src := range candidates {
		if isSmall, err := b.isSmall(ctx, src); isSmall || err != nil {
			return src, isSmall, err
		}
	}
	return src, false, nil
}

// sortCandidates returns the keys of all matches after the cursor, in order; ok is false if every candidate set is too large.
func (b *browser) sortCandidates(ctx context.Context) (found []sortKey, ok bool, err error) {
	src, ok, err := b.smallCandidates(ctx)
	if !ok || err != nil {
		return nil, false, err
	}
	found, err = read(ctx, b.db.browsing, b.selectCandidates(src))
	n := int64(len(found))
	b.matched = &n
	return found, err == nil, err
}

// selectCandidates returns the statement that reads the matches of a candidate set. Adding zero to the order's column keeps
// both engines from using the order's index instead of the filter's.
func (b *browser) selectCandidates(src candidateSet) *sqlText {
	plain := *b
	plain.order.column += " + 0"
	s := plain.selectKeys()
	b.from(s, src)
	plain.between(s, indexScan{}, nil, nil)
	b.matchingCandidates(s, src)
	plain.ordered(s, indexScan{}, int(b.db.browse.maxCandidates), 0)
	return s
}

// countMatches returns the statement that counts the matches of a candidate set.
func (b *browser) countMatches(src candidateSet) *sqlText {
	s := &sqlText{}
	s.add("SELECT COUNT(*)")
	b.from(s, src)
	b.matchingCandidates(s, src)
	return s
}

// matchingCandidates adds the conditions that a candidate matches the query.
func (b *browser) matchingCandidates(s *sqlText, src candidateSet) {
	if src.tokens != nil && b.q.Cheapest { // from has selected the cheapest
		b.live(s)
		b.filters(s)
		return
	}
	b.matches(s)
}

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
	limits := b.db.browse
	n, whole, err := b.countFirst(ctx, b.firstScan())
	if whole || err != nil {
		return market.Total{N: n}, err
	}
	if n*b.listed(b.selects) <= limits.maxCandidates*int64(b.firstScan()) {
		if src, ok, err := b.smallCandidates(ctx); err != nil {
			return market.Total{}, err
		} else if ok {
			n, err = count(ctx, b.db.browsing, b.countMatches(src))
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
		n, err = count(ctx, db, s)
		return err
	})
	n -= hidden
	return market.Total{N: min(n, b.db.browse.exactTotal), AtLeast: n > b.db.browse.exactTotal}, err
}

// countEntries returns the statement that counts a scan's rows, up to more than exactTotal without the hidden ones.
func (b *browser) countEntries(p indexScan, hidden int64) *sqlText {
	most := b.db.browse.exactTotal + 1
	if hidden > 0 { // rounded up, because each limit is a statement of its own
		most += 1 << bits.Len64(uint64(hidden))
	}
	s := &sqlText{}
	s.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.scanRange(s, p, nil, nil)
	b.ordered(s, p, int(most), 0)
	s.add(") m")
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
	s := &sqlText{}
	s.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.scanRange(s, p, nil, until)
	b.matches(s)
	// Without the order PostgreSQL may walk another index.
	b.ordered(s, p, int(b.db.browse.exactTotal+1), 0)
	s.add(") m")
	err = b.inIndexOrder(ctx, func(db gen.DBTX) error {
		n, err = count(ctx, db, s)
		return err
	})
	return n, until == nil && n <= b.db.browse.exactTotal, err
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
	ended := &sqlText{}
	ended.add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.end_at <= ?", b.now)
	b.filters(ended)
	n, err := count(ctx, b.db.browsing, ended)
	if err != nil {
		return 0, err
	}
	unbegun := &sqlText{}
	unbegun.add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.start_at > ? AND l.end_at + 0 > ?", b.begun, b.now)
	b.filters(unbegun)
	m, err := count(ctx, b.db.browsing, unbegun)
	if err != nil || !b.q.Free {
		return n + m, err
	}
	held, all := &sqlText{}, *b
	all.q.Free = false
	held.add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.id IN (SELECT f.listing_id FROM cart_hold f WHERE f.expires_at > ?) AND "+heldWhole("l"), b.now, b.now)
	all.filters(held)
	of, err := count(ctx, b.db.browsing, held)
	return n + m + of, err
}

// listingCards returns the listings with the ids, in their order, except those removed meanwhile.
func (db *DB) listingCards(ctx context.Context, ids []string) (cards []gen.ListingCard, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	s := &sqlText{}
	s.add("SELECT * FROM listing_card c WHERE c.id")
	in(s, padded(ids))
	if cards, err = selectRows[gen.ListingCard](ctx, db.prepared, s); err != nil {
		return nil, err
	}
	position := make(map[string]int, len(ids))
	for i, id := range ids {
		position[id] = i
	}
	slices.SortFunc(cards, func(x, y gen.ListingCard) int { return cmp.Compare(position[x.ID], position[y.ID]) })
	return cards, nil
}
