package market

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
)

// LimitBrowsing returns a store that browses a small market as a large one is.
func (db Store) LimitBrowsing(firstScan, longScan int, maxCandidates, exactTotal int64) Store {
	return Store{db.DB, browseLimits{firstScan, longScan, maxCandidates, exactTotal}}
}

// Statement is one statement of the market's browsing.
type Statement struct {
	What, Text string
	Args       []any
	Sorts      bool // it may sort what it found
}

// NamesStatement is the statement that reads the names of the addresses' players.
func NamesStatement(addresses ...eth.Address) Statement {
	s := namesQuery(addresses)
	return Statement{What: "names", Text: s.String(), Args: s.Args}
}

// FiguresStatement is the statement that reads the figures of tokens.
func FiguresStatement(tokens []market.TokenKey, now time.Time) Statement {
	s := figuresQuery(tokens, now)
	return Statement{What: "figures", Text: s.String(), Args: s.Args}
}

// BrowseStatements returns all statements that may be run for a query, whatever the market contains.
func (db Store) BrowseStatements(ctx context.Context, q market.Query, now time.Time) (out []Statement, err error) {
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return nil, err
	}
	add := func(what string, s *store.SQLText, sorts bool) {
		out = append(out, Statement{what, s.String(), s.Args, sorts})
	}
	for _, p := range b.scans() {
		for what, after := range map[string]*sortKey{"begin": nil, "go on": {rank: 1, id: "1"}} {
			nthKey := b.selectKeys()
			b.scanRange(nthKey, p, after, nil)
			b.ordered(nthKey, p, 1, 1)
			add(what+" key", nthKey, false)
			scan := b.selectKeys()
			b.scanRange(scan, p, after, &sortKey{rank: 2, id: "2"})
			b.matches(scan)
			b.ordered(scan, p, 10, 0)
			add(what+" scan", scan, false)
		}
	}
	if p := b.scans()[0]; p.exact {
		add("count entries", b.countEntries(p, 1), false)
	}
	candidates, err := b.candidates(ctx)
	if err != nil {
		return nil, err
	}
	for _, src := range candidates {
		add("count candidates", b.countCandidates(src), true)
		add("candidates", b.selectCandidates(src), true)
		add("count matches", b.countMatches(src), true)
	}
	return out, nil
}

// IndexOrderSettings are the PostgreSQL settings for statements that must not sort.
const IndexOrderSettings = indexOrderSettings
