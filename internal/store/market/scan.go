package market

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

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
	plain := !q.Cheapest && !q.Grouped && q.TokenID == "" && len(q.Traits) == 0 && len(b.words) == 0 && q.Contract == nil &&
		q.Seller == nil && !q.Free &&
		(price || q.Min == nil && q.Max == nil)
	switch {
	case q.Contract != nil && q.TokenID != "" && price:
		return []indexScan{{
			columns: []string{"contract", "token_id"}, values: []any{*q.Contract, q.TokenID},
			exact: !q.Cheapest && !q.Grouped && q.Collection == "" && len(q.Rarities) == 0 && len(q.Traits) == 0 && len(b.words) == 0 &&
				q.Seller == nil && !q.Free,
		}}
	case q.Seller != nil && b.order.column == "created_at":
		return []indexScan{{columns: []string{"seller"}, values: []any{*q.Seller}}}
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
		if b.q.Contract == nil || c.Contract != *b.q.Contract {
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
func (b *browser) scanRange(s *store.SQLText, p indexScan, after, until *sortKey) {
	s.Add(" FROM listing l WHERE l.browsable = 1")
	for i, column := range p.columns {
		s.Add(" AND l."+column+" = ?", p.values[i])
	}
	b.between(s, p, after, until)
}

func (b *browser) between(s *store.SQLText, p indexScan, after, until *sortKey) {
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
			s.Add(" AND l.id "+begins+" ?", after.id)
		}
		if until != nil {
			s.Add(" AND l.id "+ends+" ?", until.id)
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
		s.Add(" AND (l."+b.order.column+", l.id) "+begins+" (?, ?)", after.rank, after.id)
	}
	if until != nil {
		s.Add(" AND (l."+b.order.column+", l.id) "+ends+" (?, ?)", until.rank, until.id)
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
		low = &sortKey{rank: market.PriceRank(*b.q.Min)}
	}
	if b.q.Max != nil {
		if most := market.PriceRank(*b.q.Max); most < math.MaxInt64 {
			high = &sortKey{rank: most + 1}
		}
	}
	if b.order.desc {
		return high, low
	}
	return low, high
}

// ordered adds ORDER BY, LIMIT and OFFSET.
func (b *browser) ordered(s *store.SQLText, p indexScan, limit, skip int) {
	direction := ""
	if b.order.desc {
		direction = " DESC"
	}
	s.Add(" ORDER BY ")
	if !p.ranked {
		s.Add("l." + b.order.column + direction + ", ")
	}
	s.Add(fmt.Sprintf("l.id%s LIMIT %d OFFSET %d", direction, limit, skip))
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
const indexOrderSettings = "SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off; SET LOCAL enable_bitmapscan = off; SET " +
	"LOCAL enable_seqscan = off"

// inIndexOrder runs a statement that must read rows in the order of an index.
func (b *browser) inIndexOrder(ctx context.Context, run func(gen.DBTX) error) error {
	if b.db.Engine() == store.SQLite {
		return run(b.db.Browsing())
	}
	tx, err := b.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has changed nothing
	if _, err := tx.ExecContext(ctx, indexOrderSettings); err != nil {
		return err
	}
	return run(tx)
}

func (b *browser) selectKeys() *store.SQLText {
	s := &store.SQLText{}
	s.Add("SELECT l." + b.order.column + ", l.id")
	return s
}

// read runs a statement that selects keys.
func read(ctx context.Context, db gen.DBTX, s *store.SQLText) (found []sortKey, err error) {
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
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
		return max(b.limits.firstScan/5, 1)
	}
	return b.limits.firstScan
}

// longScan is how many rows are scanned after the first scan, at most. With Cheapest each row costs a search.
func (b *browser) longScan() int {
	if b.q.Cheapest {
		return max(b.limits.longScan/2, 1)
	}
	return b.limits.longScan
}
