package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// browseLimits bound how the market is browsed. A page is read by walking the listings in their order, along the index of the
// most selective filter that has one for the order; the other filters are checked on the way. If so few of the first
// listings match that the walk would be long, those of a rarer filter are gathered instead and sorted. If no filter is
// rare either, the walk continues for a while, and the page ends early. So a page costs about the same whatever is asked,
// and however large the market is.
type browseLimits struct {
	firstWalk  int   // the number of listings after which gathering is considered
	longWalk   int   // the number of further listings after which a page ends early
	maxGather  int64 // the maximum number of listings that are gathered
	exactTotal int64 // the number up to which listings are counted one by one
}

var defaultBrowseLimits = browseLimits{firstWalk: 1_000, longWalk: 4_000, maxGather: 2_000, exactTotal: 1_000}

const (
	// maxSearchWords is the maximum number of words of a search that are used; more rarely narrow it further.
	maxSearchWords = 10
	// minGatherWord is the minimum number of letters of a word that listings are gathered by. Shorter beginnings match too much.
	minGatherWord = 2
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
	if b.gathered != nil && b.cursor == nil {
		page.Total = &market.Total{N: *b.gathered}
	}
	if next != nil {
		page.Next = encodeCursor(string(q.Sort), next.rank, next.id)
	}
	cards, err := db.listingCards(ctx, found)
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
			tokens[k] = 0 // once
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

// place is a listing's place in an order.
type place struct {
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

// before reports whether the place a comes before b.
func (o order) before(a, b place) bool {
	if o.desc {
		a, b = b, a
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id)) < 0
}

// sqlText is a part of a statement. A question mark stands for the next argument.
type sqlText struct {
	text strings.Builder
	args []any
}

func (s *sqlText) add(text string, args ...any) {
	s.text.WriteString(text)
	s.args = append(s.args, args...)
}

func (s *sqlText) embed(part *sqlText) { s.add(part.text.String(), part.args...) }

// String returns the statement with numbered parameters, which both engines understand.
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

// in adds that what was added last is one of the values, of which there must be at least one.
func in[T any](s *sqlText, values []T) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	s.add(" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// browser answers one query of the market.
type browser struct {
	db         *DB
	q          market.Query
	words      []string
	order      order
	cursor     *place
	now, begun int64
	counts     []gen.RarityCount // of everything
	gathered   *int64            // how many listings were gathered, if they were
}

func (db *DB) browser(ctx context.Context, q market.Query, now time.Time) (b *browser, err error) {
	b = &browser{db: db, q: q, order: orders[q.Sort], now: millis(now), begun: begun(now)}
	if b.words = market.SearchWords(q.Text); len(b.words) > maxSearchWords {
		b.words = b.words[:maxSearchWords]
	}
	if q.Cursor != "" {
		b.cursor = &place{}
		if b.cursor.rank, b.cursor.id, err = decodeCursor(string(q.Sort), q.Cursor); err != nil {
			return nil, err
		}
	}
	err = db.Read(ctx, func(g *gen.Queries) error {
		b.counts, err = g.RarityCounts(ctx)
		return err
	})
	return b, err
}

// listed returns how many browsable listings there are with the count's properties that the filter accepts.
func (b *browser) listed(accepts func(gen.RarityCount) bool) (n int64) {
	for _, c := range b.counts {
		if accepts(c) {
			n += c.Listed
		}
	}
	return n
}

// selects reports whether listings of the count may match the query.
func (b *browser) selects(c gen.RarityCount) bool {
	return (b.q.Contract == nil || b.q.Contract.String() == c.Contract) && (b.q.Collection == "" || b.q.Collection == c.Collection) &&
		(len(b.q.Rarities) == 0 || slices.Contains(b.q.Rarities, c.Rarity))
}

// live adds the condition that a listing "l" is live. Operators that change nothing keep both engines from using another
// index than the one that is meant.
func (b *browser) live(s *sqlText) {
	s.add(" AND l.start_at + 0 <= ? AND l.end_at + 0 > ?", b.begun, b.now)
}

// filters adds the query's conditions on a listing "l".
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
	if b.q.Trait != "" {
		text := traitMark + b.q.Trait + valueMark
		if b.q.Value != "" {
			text += b.q.Value + traitMark
		}
		s.add(" AND "+position+"(l.traits, ?) > 0", text)
	}
	for _, w := range b.words {
		s.add(" AND "+position+"(' ' || l.words, ?) > 0", " "+w)
	}
}

// path is a walk along an index in the browser's order. The listings have the values in the index's first columns.
type path struct {
	columns []string
	values  []any
	ranked  bool // the last column is the order's: its listings are ordered by id only
	exact   bool // all live listings of the path match the query
}

// paths returns what is walked, one path after the other.
func (b *browser) paths() []path {
	q := b.q
	rarity := func(c gen.RarityCount) bool { return slices.Contains(q.Rarities, c.Rarity) }
	collection := func(c gen.RarityCount) bool { return c.Collection == q.Collection }
	price := b.order.column == "price_rank"
	// Whether the filters that no path covers are empty.
	plain := q.TokenID == "" && q.Trait == "" && len(b.words) == 0 && q.Contract == nil && (price || q.Min == nil && q.Max == nil)
	switch {
	case q.Contract != nil && q.TokenID != "" && price:
		return []path{{
			columns: []string{"contract", "token_id"}, values: []any{q.Contract.String(), q.TokenID},
			exact: q.Collection == "" && len(q.Rarities) == 0 && q.Trait == "" && len(b.words) == 0,
		}}
	case b.order.column == "rarity_rank" && len(q.Rarities) > 0:
		return b.ranks(path{exact: plain})
	case len(q.Rarities) == 1 && b.order.column != "rarity_rank" && (q.Collection == "" || b.listed(rarity) < b.listed(collection)):
		return []path{{columns: []string{"rarity"}, values: []any{q.Rarities[0]}, exact: plain && q.Collection == ""}}
	case q.Collection != "":
		return []path{{columns: []string{"collection"}, values: []any{q.Collection}, exact: plain && len(q.Rarities) == 0}}
	default:
		p := path{exact: plain && len(q.Rarities) == 0}
		if slug, ok := b.collectionOf(); ok {
			p = path{columns: []string{"collection"}, values: []any{slug}}
		}
		return []path{p}
	}
}

// ranks returns a path for each rank of the query's rarities, the highest first, so that those between are not walked.
func (b *browser) ranks(p path) (out []path) {
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

// stretch adds the path's listings after a place, exclusive, until another, inclusive. Without places it begins at the
// cursor and ends at the query's last price, if the order is of prices.
func (b *browser) stretch(s *sqlText, p path, after, until *place) {
	s.add(" FROM listing l WHERE l.browsable = 1")
	for i, column := range p.columns {
		s.add(" AND l."+column+" = ?", p.values[i])
	}
	b.between(s, p, after, until)
}

func (b *browser) between(s *sqlText, p path, after, until *place) {
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

// priceBounds returns the places before the first and after the last listing within the query's prices; nil for no bound,
// and for other orders. No listing has an empty id, which comes before all others.
func (b *browser) priceBounds() (start, stop *place) {
	if !strings.HasPrefix(b.order.column, "price_rank") {
		return nil, nil
	}
	var low, high *place
	if b.q.Min != nil {
		low = &place{rank: priceRank(*b.q.Min)}
	}
	if b.q.Max != nil {
		if most := priceRank(*b.q.Max); most < math.MaxInt64 {
			high = &place{rank: most + 1}
		}
	}
	if b.order.desc {
		return high, low
	}
	return low, high
}

// ordered adds the order and the maximum number of listings.
func (b *browser) ordered(s *sqlText, p path, limit, skip int) {
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

// bound returns the place of the path's nth listing after another; nil if there are fewer.
func (b *browser) bound(ctx context.Context, p path, after *place, n int) (end *place, err error) {
	s := b.places()
	b.stretch(s, p, after, nil)
	b.ordered(s, p, 1, n-1)
	err = b.alongIndex(ctx, func(db gen.DBTX) error {
		found, err := read(ctx, db, s)
		if len(found) > 0 {
			end = &found[0]
		}
		return err
	})
	return end, err
}

// walk returns the first matching listings of a stretch.
func (b *browser) walk(ctx context.Context, p path, after, until *place, limit int) (found []place, err error) {
	s := b.places()
	b.stretch(s, p, after, until)
	b.live(s)
	b.filters(s)
	b.ordered(s, p, limit, 0)
	err = b.alongIndex(ctx, func(db gen.DBTX) error {
		found, err = read(ctx, db, s)
		return err
	})
	return found, err
}

// alongIndexSettings make PostgreSQL follow the index that has the order. It would underestimate how many listings match,
// and sort all of a filter's.
const alongIndexSettings = "SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off"

// alongIndex runs a statement that walks along an index.
func (b *browser) alongIndex(ctx context.Context, run func(gen.DBTX) error) error {
	if b.db.engine == SQLite {
		return run(b.db.reader)
	}
	tx, err := b.db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has changed nothing
	if _, err := tx.ExecContext(ctx, alongIndexSettings); err != nil {
		return err
	}
	return run(tx)
}

func (b *browser) places() *sqlText {
	s := &sqlText{}
	s.add("SELECT l." + b.order.column + ", l.id")
	return s
}

// read runs a statement for places. SQLite's are not kept prepared: there is one for every combination of filters.
func read(ctx context.Context, db gen.DBTX, s *sqlText) (found []place, err error) {
	rows, err := db.QueryContext(ctx, s.String(), s.args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p place
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

// page returns the places of the query's page, and where the next one begins; nil at the end.
func (b *browser) page(ctx context.Context) (found []place, next *place, err error) {
	if b.listed(b.selects) == 0 {
		return nil, nil, nil
	}
	asked := false
	for _, p := range b.paths() {
		end := 0 // of the walk; 0 for the path's
		if !p.exact {
			end = b.db.browse.firstWalk
		}
		more, until, err := b.stride(ctx, p, nil, end, b.q.Limit+1-len(found))
		found = append(found, more...)
		if err != nil || len(found) > b.q.Limit {
			return b.cut(found, err)
		}
		if until == nil {
			continue
		}
		if !asked && b.scarce(len(found)) {
			asked = true
			if all, ok, err := b.gather(ctx); ok || err != nil {
				return b.cut(all, err)
			}
		}
		more, until, err = b.stride(ctx, p, until, b.db.browse.longWalk, b.q.Limit+1-len(found))
		found = append(found, more...)
		if err != nil || len(found) > b.q.Limit {
			return b.cut(found, err)
		}
		if until != nil {
			return found, until, nil
		}
	}
	return found, nil, nil
}

// cut ends a page with what was found.
func (b *browser) cut(found []place, err error) ([]place, *place, error) {
	if err != nil || len(found) <= b.q.Limit {
		return found, nil, err
	}
	return found[:b.q.Limit], &found[b.q.Limit-1], nil
}

// stride walks a number of the path's listings after a place; all of them if the number is 0. It returns those that match, up
// to the limit, and where it ended; nil at the path's end.
func (b *browser) stride(ctx context.Context, p path, after *place, listings, limit int) (found []place, until *place, err error) {
	if listings > 0 {
		if until, err = b.bound(ctx, p, after, listings); err != nil {
			return nil, nil, err
		}
	}
	found, err = b.walk(ctx, p, after, until, limit)
	return found, until, err
}

// scarce reports whether gathering may be cheaper than walking on, by how many of the first listings match: because a page
// would take longer than a long walk, or because all matches would be gathered anyway to count them.
func (b *browser) scarce(matches int) bool {
	limits, n := b.db.browse, int64(matches)
	walked := int64(limits.firstWalk)
	return n*(walked+int64(limits.longWalk)) < int64(b.q.Limit+1)*walked || b.cursor == nil && n*b.listed(b.selects) <= limits.maxGather*walked
}

// source is a set of listings to gather.
type source struct {
	tokens *sqlText // a query for their tokens; nil for listings that an index finds
	where  *sqlText // the condition on a listing "l"
}

// sources returns the query's filters by which listings can be gathered, without those that are known to match too many.
func (b *browser) sources(ctx context.Context) (out []source, err error) {
	q := b.q
	ofTokens := func(s *sqlText) {
		s.add(fmt.Sprintf(" LIMIT %d", b.db.browse.maxGather+1))
		out = append(out, source{tokens: s})
	}
	if q.TokenID != "" {
		s := &sqlText{}
		s.add("SELECT t.contract, t.token_id FROM token t WHERE t.token_id = ? AND t.contract", q.TokenID)
		var contracts []string
		for _, c := range b.counts {
			if b.selects(c) && !slices.Contains(contracts, c.Contract) {
				contracts = append(contracts, c.Contract)
			}
		}
		in(s, contracts)
		ofTokens(s)
	}
	long := slices.DeleteFunc(slices.Clone(b.words), func(w string) bool { return utf8.RuneCountInString(w) < minGatherWord })
	if len(long) > 0 {
		engine, s := searches[b.db.engine], &sqlText{}
		s.add(engine.tokens, engine.match(long))
		ofTokens(s)
	}
	if q.Trait != "" {
		n, err := b.traitListed(ctx)
		if err != nil {
			return nil, err
		}
		if n <= b.db.browse.maxGather {
			s := &sqlText{}
			s.add("SELECT DISTINCT x.contract, x.token_id FROM token_trait x WHERE x.trait = ?", q.Trait)
			if q.Value != "" {
				s.add(" AND x.value = ?", q.Value)
			}
			ofTokens(s)
		}
	}
	if b.listed(b.selects) <= b.db.browse.maxGather {
		out = append(out, source{where: b.counted()})
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
		out = append(out, source{where: s})
	}
	return out, nil
}

// distinct returns the values, sorted, each once.
func distinct[T cmp.Ordered](values []T) []T {
	slices.Sort(values)
	return slices.Compact(values)
}

// counted returns the condition that a listing has the contract, collection and rarities of the query.
func (b *browser) counted() *sqlText {
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

// from adds the source's browsable listings.
func (src source) from(s *sqlText) {
	if src.tokens == nil {
		s.add(" FROM listing l WHERE l.browsable = 1")
		s.embed(src.where)
		return
	}
	s.add(" FROM (")
	s.embed(src.tokens)
	s.add(") k CROSS JOIN listing l WHERE l.contract = k.contract AND l.token_id = k.token_id AND l.browsable = 1")
}

// few reports whether the source has at most maxGather tokens and listings.
func (b *browser) few(ctx context.Context, src source) (bool, error) {
	if src.tokens != nil {
		s := &sqlText{}
		s.add("SELECT COUNT(*) FROM (")
		s.embed(src.tokens)
		s.add(") k")
		if n, err := count(ctx, b.db.reader, s); n > b.db.browse.maxGather || err != nil {
			return false, err
		}
	}
	s := &sqlText{}
	s.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	src.from(s)
	s.add(fmt.Sprintf(" LIMIT %d) m", b.db.browse.maxGather+1))
	n, err := count(ctx, b.db.reader, s)
	return n <= b.db.browse.maxGather, err
}

// gather returns all matching listings after the cursor, in order; ok is false if no filter of the query is rare enough.
func (b *browser) gather(ctx context.Context) (found []place, ok bool, err error) {
	sources, err := b.sources(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, src := range sources {
		if few, err := b.few(ctx, src); err != nil {
			return nil, false, err
		} else if !few {
			continue
		}
		found, err = read(ctx, b.db.reader, b.gatherFrom(src))
		n := int64(len(found))
		b.gathered = &n
		return found, err == nil, err
	}
	return nil, false, nil
}

// gatherFrom returns the statement that reads the matching listings of a source. The order is of a sum so that no engine
// uses the order's index instead of the source's.
func (b *browser) gatherFrom(src source) *sqlText {
	plain := *b
	plain.order.column += " + 0"
	s := plain.places()
	src.from(s)
	plain.between(s, path{}, nil, nil)
	b.live(s)
	b.filters(s)
	plain.ordered(s, path{}, int(b.db.browse.maxGather), 0)
	return s
}

// total returns how many live listings match the query: exactly, unless many match a combination of filters.
func (b *browser) total(ctx context.Context) (market.Total, error) {
	q := b.q
	if n := b.listed(b.selects); n == 0 {
		return market.Total{}, nil
	} else if q.TokenID == "" && len(b.words) == 0 && q.Min == nil && q.Max == nil && (q.Trait == "" || len(q.Rarities) == 0) {
		var err error
		if q.Trait != "" {
			n, err = b.traitListed(ctx)
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
	limits := b.db.browse
	n, whole, err := b.countFirst(ctx, limits.firstWalk)
	if whole || err != nil {
		return market.Total{N: n}, err
	}
	if n*b.listed(b.selects) <= limits.maxGather*int64(limits.firstWalk) {
		if all, ok, err := b.gather(ctx); ok || err != nil {
			return market.Total{N: int64(len(all))}, err
		}
	}
	n, whole, err = b.countFirst(ctx, limits.longWalk)
	return market.Total{N: min(n, limits.exactTotal), AtLeast: !whole || n > limits.exactTotal}, err
}

// countFirst counts the matches among the first listings of the query's path, up to one more than exactTotal. It reports
// whether the path has no more listings.
func (b *browser) countFirst(ctx context.Context, listings int) (n int64, whole bool, err error) {
	p := b.paths()[0]
	until, err := b.bound(ctx, p, nil, listings)
	if err != nil {
		return 0, false, err
	}
	s := &sqlText{}
	s.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.stretch(s, p, nil, until)
	b.live(s)
	b.filters(s)
	s.add(fmt.Sprintf(" LIMIT %d) m", b.db.browse.exactTotal+1))
	err = b.alongIndex(ctx, func(db gen.DBTX) error {
		n, err = count(ctx, db, s)
		return err
	})
	return n, until == nil && n <= b.db.browse.exactTotal, err
}

// traitListed returns how many browsable listings have the query's trait, contract and collection.
func (b *browser) traitListed(ctx context.Context) (n int64, err error) {
	contract := ""
	if b.q.Contract != nil {
		contract = b.q.Contract.String()
	}
	err = b.db.Read(ctx, func(g *gen.Queries) error {
		n, err = g.TraitListed(ctx, gen.TraitListedParams{Trait: b.q.Trait, Value: b.q.Value, Contract: contract, Collection: b.q.Collection})
		return err
	})
	return n, err
}

// hidden returns how many browsable listings match the query but are not live: their time is over or has not begun.
func (b *browser) hidden(ctx context.Context) (int64, error) {
	ended := &sqlText{}
	ended.add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.end_at <= ?", b.now)
	b.filters(ended)
	n, err := count(ctx, b.db.reader, ended)
	if err != nil {
		return 0, err
	}
	unbegun := &sqlText{}
	unbegun.add("SELECT COUNT(*) FROM listing l WHERE l.browsable = 1 AND l.start_at > ? AND l.end_at + 0 > ?", b.begun, b.now)
	b.filters(unbegun)
	m, err := count(ctx, b.db.reader, unbegun)
	return n + m, err
}

// listingCards returns the listings of the places, without those that were removed meanwhile.
func (db *DB) listingCards(ctx context.Context, places []place) (cards []gen.ListingCard, err error) {
	if len(places) == 0 {
		return nil, nil
	}
	ids := make([]string, len(places))
	for i, p := range places {
		ids[i] = p.id
	}
	s := &sqlText{}
	s.add("SELECT * FROM listing_card c WHERE c.id")
	in(s, ids)
	rows, err := db.reader.QueryContext(ctx, s.String(), s.args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var card gen.ListingCard
		// The fields of the generated type are the view's columns, in their order.
		fields := reflect.ValueOf(&card).Elem()
		columns := make([]any, fields.NumField())
		for i := range columns {
			columns[i] = fields.Field(i).Addr().Interface()
		}
		if err := rows.Scan(columns...); err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	slices.SortFunc(cards, func(x, y gen.ListingCard) int { return cmp.Compare(slices.Index(ids, x.ID), slices.Index(ids, y.ID)) })
	return cards, rows.Err()
}
