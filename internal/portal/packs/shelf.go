package packs

import (
	"context"
	"slices"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/draw"
)

// Offer is one of the portal's listings of packs.
type Offer struct {
	ID       string // the listing's id
	Number   string // the listing's number on the marketplace
	TokenID  string
	Price    money.Units // of one pack
	Quantity int64       // packs for sale
}

// Product is one kind of pack, as the shelf shows it.
type Product struct {
	Kind
	Offer     *Offer // the cheapest; nil if none is for sale
	Available int64  // in all offers
	Table     *draw.Table
	Next      *draw.Table // the announced one that follows
}

// Products returns the kinds of pack on the marketplace's shelf, which are opened by burning them, with what is for sale now
// and the tables by which they are drawn.
func (s *Service) Products(ctx context.Context) ([]Product, error) {
	now := s.clock.Now()
	offers, err := s.store.PackOffers(ctx, now)
	if err != nil {
		return nil, err
	}
	tables := s.tables()
	out := make([]Product, len(kinds))
	for i, k := range kinds {
		p := Product{Kind: k}
		for _, o := range offers {
			if o.TokenID != k.TokenID {
				continue
			}
			if p.Offer == nil {
				p.Offer = &o
			}
			p.Available += o.Quantity
		}
		if t, ok := tables.At(k.Tables, now); ok {
			p.Table = &t
		}
		if t, ok := tables.Next(k.Tables, now); ok {
			p.Next = &t
		}
		out[i] = p
	}
	return out, nil
}

// Odds are the promised and the observed frequencies of one version of a table.
type Odds struct {
	Table   draw.Table
	InForce bool
	Drops   []DropOdds
	Drawn   int64 // openings by this version
	Hits    int64 // of which were drawn freely: not by the pity rule
	// Pearson's test of the free ones; Tested is false while there are too few.
	Tested    bool
	Statistic float64
	Degrees   int
	P         float64
	Waiting   Waiting // openings of the kind that wait; with the version in force only
	InShop    bool    // see InShop
}

// DropOdds is a drop with what was drawn of it.
type DropOdds struct {
	draw.Drop
	DropTally
	Low, High float64 // the 95 % interval of its share of the free draws
}

// Odds returns all versions of all tables with what was drawn by them, the newest of each kind first. The kinds are in the
// order of the shelf, then those of the shop in the order of the tables.
func (s *Service) Odds(ctx context.Context) ([]Odds, error) {
	tally, err := s.openings.Tally(ctx)
	if err != nil {
		return nil, err
	}
	now, tables := s.clock.Now(), s.tables()
	var out []Odds
	for _, t := range slices.Backward(tables.All()) {
		o := Odds{Table: t, InShop: InShop(t.Kind)}
		current, ok := tables.At(t.Kind, now)
		o.InForce = ok && current.Version == t.Version
		if o.InForce {
			o.Waiting = tally.Waiting[t.Kind]
		}
		var hits, weights []int64
		for _, d := range t.Drops {
			n := tally.Drops[DropKey{t.Kind, t.Version, d.ID}]
			o.Drops = append(o.Drops, DropOdds{Drop: d, DropTally: n})
			o.Drawn += n.Drawn
			o.Hits += n.Hit
			hits, weights = append(hits, n.Hit), append(weights, d.Weight)
		}
		for i := range o.Drops {
			o.Drops[i].Low, o.Drops[i].High = draw.Interval(o.Drops[i].Hit, o.Hits)
		}
		fit, tested := s.fits.Of(hits, weights)
		o.Statistic, o.Degrees, o.P, o.Tested = fit.Statistic, fit.Degrees, fit.P, tested
		out = append(out, o)
	}
	var order []string
	for _, k := range kinds {
		order = append(order, k.Tables)
	}
	for _, t := range tables.All() {
		order = append(order, t.Kind)
	}
	rank := func(o Odds) int { return slices.Index(order, o.Table.Kind) }
	slices.SortStableFunc(out, func(a, b Odds) int { return rank(a) - rank(b) })
	return out, nil
}

// Opening returns an opening, or a NotFound fault.
func (s *Service) Opening(ctx context.Context, id string) (Opening, error) {
	return s.openings.Opening(ctx, id)
}
