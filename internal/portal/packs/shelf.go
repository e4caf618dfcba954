package packs

import (
	"context"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
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

// Edition is an edition of a kind of pack.
type Edition struct {
	Table     draw.Table
	Fixed     *Fixed           // where the table is fixed; nil while it is not
	OnSale    bool             // whether packs of it are sold now
	Given     map[string]int64 // how many units of each capped item the openings of the kind have given
	Available int64            // in the portal's listings
}

// Product is one kind of pack, as the shelf shows it.
type Product struct {
	Kind
	Offer     *Offer  // the cheapest; nil if none is for sale
	Available int64   // in all offers
	Shown     Edition // of the offer, else the newest
	Rarities  []RarityOdds
	Editions  []Edition // on sale, the newest first
}

// Products returns the kinds of pack on the marketplace's shelf, which are opened by burning them, with what is for sale now
// and the tables by which they are drawn.
func (s *Service) Products(ctx context.Context) ([]Product, error) {
	offers, err := s.store.PackOffers(ctx, s.clock.Now())
	if err != nil {
		return nil, err
	}
	tally, err := s.openings.Tally(ctx)
	if err != nil {
		return nil, err
	}
	fixed, err := s.registry.Tables(ctx)
	if err != nil {
		return nil, err
	}
	var out []Product
	for _, k := range kinds {
		p := Product{Kind: k}
		editions := s.tables().Editions(k.Tables)
		if len(editions) == 0 {
			continue // a brand without packs
		}
		for n, t := range editions {
			e := editionOf(t, fixed, tally)
			for _, o := range offers {
				if o.TokenID != t.Token || e.Fixed == nil {
					continue
				}
				if e.Available += o.Quantity; p.Offer == nil || o.Price.Cmp(p.Offer.Price) < 0 {
					p.Offer = &o
				}
			}
			e.OnSale = e.Available > 0
			if p.Available += e.Available; e.OnSale {
				p.Editions = append(p.Editions, e)
			}
			if n == 0 || p.Offer != nil && p.Offer.TokenID == t.Token {
				p.Shown = e
			}
		}
		_, p.Rarities = shares(p.Shown.Table, tally.Given[k.Tables])
		out = append(out, p)
	}
	return out, nil
}

func editionOf(t draw.Table, fixed FixedTables, tally Tally) Edition {
	e := Edition{Table: t, Given: map[string]int64{}}
	if at, ok, err := fixed.Of(t); ok && err == nil {
		e.Fixed = &at
	}
	for _, c := range t.Caps {
		e.Given[c.Item] = tally.Given[t.Kind][c.Item]
	}
	return e
}

// Odds are the promised and the observed frequencies of one edition.
type Odds struct {
	Edition
	Drops    []DropOdds
	Drawn    int64     // openings of this edition
	Hits     int64     // of which were drawn freely: not by the pity rule
	Fit      *draw.Fit // of the free ones with the weights; nil while there are too few for a verdict
	Waiting  Waiting   // openings of the kind that wait; with the newest edition only
	InShop   bool      // see InShop
	Rarities []RarityOdds
}

// DropOdds is a drop with what was drawn of it.
type DropOdds struct {
	draw.Drop
	DropTally
	Low, High float64 // the 95 % interval of its share of the free draws
	Shares
}

// RarityOdds is how likely what a pack gives is of a rarity: for a drop with a new token, the rarity of the first one.
type RarityOdds struct {
	Rarity string
	Shares
}

// Shares of openings, from 0 to 1.
type Shares struct {
	Promised  float64 // by weight alone
	Effective float64 // in the long run, with the pity rule
	Now       float64 // and with substitutes in the place of what has run out
}

// Odds returns all editions of all kinds with what was drawn by them, the newest of each kind first. The kinds are in the
// order of the shelf, then those of the shop in the order of the tables.
func (s *Service) Odds(ctx context.Context) ([]Odds, error) {
	tally, err := s.openings.Tally(ctx)
	if err != nil {
		return nil, err
	}
	fixed, err := s.registry.Tables(ctx)
	if err != nil {
		return nil, err
	}
	offered, err := s.store.PacksForSale(ctx, s.clock.Now())
	if err != nil {
		return nil, err
	}
	var order []string
	for _, k := range kinds {
		order = append(order, k.Tables)
	}
	tables := s.tables()
	for _, t := range tables.All() {
		if !slices.Contains(order, t.Kind) {
			order = append(order, t.Kind)
		}
	}
	var out []Odds
	for _, kind := range order {
		sold := false // whether a newer edition is sold in the shop
		for i, t := range tables.Editions(kind) {
			o := oddsOf(t, tally, s.fits)
			o.Edition, o.InShop = editionOf(t, fixed, tally), InShop(kind)
			o.Available = offered[t.Token]
			o.OnSale = o.Fixed != nil && (o.InShop && !sold || t.Token != "" && o.Available > 0)
			sold = sold || o.InShop && o.OnSale
			if i == 0 {
				o.Waiting = tally.Waiting[kind]
			}
			out = append(out, o)
		}
	}
	return out, nil
}

// oddsOf returns the frequencies of one table.
func oddsOf(t draw.Table, tally Tally, fits *draw.Fits) Odds {
	n := len(t.Drops)
	o := Odds{Drops: make([]DropOdds, n)}
	hits, weights := make([]int64, n), make([]int64, n)
	for i, d := range t.Drops {
		count := tally.Drops[DropKey{t.Kind, t.Edition, d.ID}]
		o.Drops[i] = DropOdds{Drop: d, DropTally: count}
		o.Drawn, o.Hits = o.Drawn+count.Drawn, o.Hits+count.Hit
		hits[i], weights[i] = count.Hit, d.Weight
	}
	drops, rarities := shares(t, tally.Given[t.Kind])
	o.Rarities = rarities
	for i := range o.Drops {
		d := &o.Drops[i]
		d.Low, d.High = draw.Interval(d.Hit, o.Hits)
		d.Shares = drops[i]
	}
	if fit, ok := fits.Of(hits, weights); ok {
		o.Fit = &fit
	}
	return o
}

// shares returns the shares of the drops of a table and of the rarities, the most common first. given is how many units of each
// capped item the openings of the kind have given.
func shares(t draw.Table, given map[string]int64) (drops []Shares, rarities []RarityOdds) {
	promised, effective, now := t.Shares(given)
	byRarity := map[string]Shares{}
	for i, d := range t.Drops {
		s := Shares{promised[i], effective[i], now[i]}
		drops = append(drops, s)
		for rarity, share := range d.Rarities() {
			sum := byRarity[string(rarity)]
			sum.Promised += share * s.Promised
			sum.Effective += share * s.Effective
			sum.Now += share * s.Now
			byRarity[string(rarity)] = sum
		}
	}
	for _, r := range rarity.All() {
		if s, ok := byRarity[string(r)]; ok {
			rarities = append(rarities, RarityOdds{string(r), s})
		}
	}
	return drops, rarities
}

// Opening returns an opening, or a NotFound fault.
func (s *Service) Opening(ctx context.Context, id string) (Opening, error) {
	return s.openings.Opening(ctx, id)
}

// Given is one part of what an opening has drawn, and whether it was given.
type Given struct {
	Chain    onchain.ChainID // of a token; 0 for a currency
	Contract eth.Address
	TokenID  string
	Currency string   // code; "" for a token
	Amount   string   // decimal
	State    string   // a reward.State of grants
	Tx       eth.Hash // that gave it; zero for a currency, and before it is on the chain
}

// Proof is what the public can know of an opening.
type Proof struct {
	Opening
	Fixed  *Fixed // where its table is fixed; nil while it is not
	Grants []Given
}

// Proof returns what the public can know of an opening, or a NotFound fault.
func (s *Service) Proof(ctx context.Context, id string) (p Proof, err error) {
	if p.Opening, err = s.openings.Opening(ctx, id); err != nil {
		return p, err
	}
	if t, ok := s.tables().Edition(p.Kind, p.Edition); ok {
		fixed, err := s.registry.Tables(ctx)
		if err != nil {
			return p, err
		}
		p.Fixed = editionOf(t, fixed, Tally{}).Fixed
	}
	if p.DrawnAt.IsZero() {
		return p, nil
	}
	p.Grants, err = s.openings.Given(ctx, id)
	return p, err
}
