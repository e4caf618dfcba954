package store

import (
	"context"
	"time"

	"pantheon/internal/portal/market"
)

// LimitBrowsing lets a small market be browsed as a large one is.
func (db *DB) LimitBrowsing(firstWalk, longWalk int, maxGather, exactTotal int64) {
	db.browse = browseLimits{firstWalk, longWalk, maxGather, exactTotal}
}

// AlongIndexSettings are those of PostgreSQL for statements that do not sort.
const AlongIndexSettings = alongIndexSettings

// Statement is one statement of the market's browsing.
type Statement struct {
	What, Text string
	Args       []any
	Sorts      bool // it may sort what it found
}

// BrowseStatements returns all statements that may be run for a query, whatever the market contains.
func (db *DB) BrowseStatements(ctx context.Context, q market.Query, now time.Time) (out []Statement, err error) {
	b, err := db.browser(ctx, q, now)
	if err != nil {
		return nil, err
	}
	add := func(what string, s *sqlText, sorts bool) {
		out = append(out, Statement{what, s.String(), s.args, sorts})
	}
	for _, p := range b.paths() {
		for what, after := range map[string]*place{"begin": nil, "go on": {rank: 1, id: "1"}} {
			bound := b.places()
			b.stretch(bound, p, after, nil)
			b.ordered(bound, p, 1, 1)
			add(what+" bound", bound, false)
			walk := b.places()
			b.stretch(walk, p, after, &place{rank: 2, id: "2"})
			b.live(walk)
			b.filters(walk)
			b.ordered(walk, p, 10, 0)
			add(what+" walk", walk, false)
		}
	}
	sources, err := b.sources(ctx)
	if err != nil {
		return nil, err
	}
	for _, src := range sources {
		few := &sqlText{}
		few.add("SELECT COUNT(*) FROM (SELECT 1 AS n")
		src.from(few)
		few.add(" LIMIT 100) m")
		add("few", few, true)
		add("gather", b.gatherFrom(src), true)
	}
	return out, nil
}
