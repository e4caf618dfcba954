package market

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
)

// minPrefix is the minimum length, in characters, of a prefix that is looked up in the full-text index. Shorter ones match
// too many tokens.
const minPrefix = 2

// isSelective estimates from the matches among the first rows whether sorting candidates is cheaper than scanning on: all matches may
// well be few enough to be candidates, and either they are to be counted too, or a page would exceed the long scan.
func (b *browser) isSelective(matches int) bool {
	limits, n := b.limits, int64(matches)
	walked := int64(b.firstScan())
	few := n*b.listed(b.selects) <= 3*limits.maxCandidates*walked
	return few && (b.cursor == nil || n*(walked+int64(b.longScan())) < int64(b.q.Limit+1)*walked)
}

// candidateSet is the listings that one of the query's filters selects by an index.
type candidateSet struct {
	tokens *store.SQLText // a query for their tokens; nil if an index of listings serves the filter
	counts *store.SQLText // a query with as many rows
	where  *store.SQLText // the condition on a listing "l"
}

// candidates returns the candidate sets of the query's filters, except those known to be too large.
func (b *browser) candidates(ctx context.Context) (out []candidateSet, err error) {
	q := b.q
	ofTokens := func(s, counts *store.SQLText) {
		for _, query := range slices.Compact([]*store.SQLText{s, counts}) {
			query.Add(fmt.Sprintf(" LIMIT %d", b.limits.maxCandidates+1))
		}
		out = append(out, candidateSet{tokens: s, counts: counts})
	}
	if q.TokenID != "" {
		s := &store.SQLText{}
		s.Add("SELECT t.contract, t.token_id FROM token t WHERE t.token_id = ? AND t.contract", q.TokenID)
		contracts, _ := b.contracts()
		store.In(s, contracts)
		ofTokens(s, s)
	}
	long := slices.DeleteFunc(slices.Clone(b.words), func(w string) bool { return utf8.RuneCountInString(w) < minPrefix })
	if len(long) > 0 {
		engine, s, counts := searches[b.db.Engine()], &store.SQLText{}, &store.SQLText{}
		s.Add(engine.tokens, engine.match(long))
		counts.Add(engine.counts, engine.match(long))
		ofTokens(s, counts)
	}
	for _, t := range q.Traits {
		n, err := b.traitListed(ctx, t)
		if err != nil {
			return nil, err
		}
		if n <= b.limits.maxCandidates {
			s := &store.SQLText{}
			s.Add("SELECT DISTINCT x.contract, x.token_id FROM token_trait x WHERE x.trait = ?", t.Name)
			if len(t.Values) > 0 {
				s.Add(" AND x.value")
				store.In(s, t.Values)
			}
			ofTokens(s, s)
		}
	}
	if contracts, tokens := b.contracts(); q.Cheapest && tokens <= b.limits.maxCandidates {
		s := &store.SQLText{}
		s.Add("SELECT t.contract, t.token_id FROM token t WHERE t.contract")
		store.In(s, contracts)
		ofTokens(s, s)
	}
	if q.Seller != nil {
		s := &store.SQLText{}
		s.Add(" AND l.seller = ?", *q.Seller)
		out = append(out, candidateSet{where: s})
	}
	if b.listed(b.selects) <= b.limits.maxCandidates {
		out = append(out, candidateSet{where: b.countedFilter()})
	}
	if q.Min != nil || q.Max != nil {
		s := &store.SQLText{}
		if q.Collection != "" {
			s.Add(" AND l.collection = ?", q.Collection)
		}
		least, most := int64(0), int64(math.MaxInt64)
		if q.Min != nil {
			least = market.PriceRank(*q.Min)
		}
		if q.Max != nil {
			most = market.PriceRank(*q.Max)
		}
		s.Add(" AND l.price_rank >= ? AND l.price_rank <= ?", least, most)
		out = append(out, candidateSet{where: s})
	}
	return out, nil
}

// contracts returns the contracts that the query's contract, collection and rarities select, and the number of all their tokens.
func (b *browser) contracts() (contracts []eth.Address, tokens int64) {
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
func (b *browser) countedFilter() *store.SQLText {
	s := &store.SQLText{}
	if b.q.Contract == nil && b.q.Collection == "" {
		if len(b.q.Rarities) > 0 {
			s.Add(" AND l.rarity")
			store.In(s, b.q.Rarities)
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
	s.Add(" AND l.collection")
	store.In(s, distinct(collections))
	s.Add(" AND l.rarity_rank")
	store.In(s, distinct(ranks))
	return s
}

// from adds the FROM clause of a set's browsable listings; of tokens, only the cheapest if that is what the query asks for.
func (b *browser) from(s *store.SQLText, src candidateSet) {
	if src.tokens == nil {
		s.Add(" FROM listing l WHERE l.browsable = 1")
		s.Embed(src.where)
		return
	}
	s.Add(" FROM (")
	s.Embed(src.tokens)
	s.Add(") k CROSS JOIN listing l WHERE ")
	if b.q.Cheapest {
		s.Add("l.id = ")
		b.cheapest(s, "k")
	} else {
		s.Add("l.contract = k.contract AND l.token_id = k.token_id")
	}
	s.Add(" AND l.browsable = 1")
}

// isSmall reports whether the set has at most maxCandidates tokens and listings.
func (b *browser) isSmall(ctx context.Context, src candidateSet) (bool, error) {
	if src.tokens != nil {
		s := &store.SQLText{}
		s.Add("SELECT COUNT(*) FROM (")
		s.Embed(src.counts)
		s.Add(") k")
		if n, err := store.Count(ctx, b.db.Browsing(), s); n > b.limits.maxCandidates || b.q.Cheapest || err != nil {
			return n <= b.limits.maxCandidates, err // each has one listing at most
		}
	}
	n, err := store.Count(ctx, b.db.Browsing(), b.countCandidates(src))
	return n <= b.limits.maxCandidates, err
}

// countCandidates returns the statement that counts a candidate set, up to maxCandidates+1.
func (b *browser) countCandidates(src candidateSet) *store.SQLText {
	s := &store.SQLText{}
	s.Add("SELECT COUNT(*) FROM (SELECT 1 AS n")
	b.from(s, src)
	s.Add(fmt.Sprintf(" LIMIT %d) m", b.limits.maxCandidates+1))
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
	found, err = read(ctx, b.db.Browsing(), b.selectCandidates(src))
	n := int64(len(found))
	b.matched = &n
	return found, err == nil, err
}

// selectCandidates returns the statement that reads the matches of a candidate set. Adding zero to the order's column keeps
// both engines from using the order's index instead of the filter's.
func (b *browser) selectCandidates(src candidateSet) *store.SQLText {
	plain := *b
	plain.order.column += " + 0"
	s := plain.selectKeys()
	b.from(s, src)
	plain.between(s, indexScan{}, nil, nil)
	b.matchingCandidates(s, src)
	plain.ordered(s, indexScan{}, int(b.limits.maxCandidates), 0)
	return s
}

// countMatches returns the statement that counts the matches of a candidate set.
func (b *browser) countMatches(src candidateSet) *store.SQLText {
	s := &store.SQLText{}
	s.Add("SELECT COUNT(*)")
	b.from(s, src)
	b.matchingCandidates(s, src)
	return s
}

// matchingCandidates adds the conditions that a candidate matches the query.
func (b *browser) matchingCandidates(s *store.SQLText, src candidateSet) {
	if src.tokens != nil && b.q.Cheapest { // from has selected the cheapest
		b.live(s)
		b.filters(s)
		return
	}
	b.matches(s)
}
