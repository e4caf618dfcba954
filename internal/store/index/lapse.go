package index

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// lapsedUnits returns how many of a listing's units were without backing at the end of any block since its terms were last set.
// now is the backing at the end of the change. The result depends on the facts alone, and not on the batches they came in: a
// rebuilt index agrees.
func (c *change) lapsedUnits(ctx context.Context, number string, s foldState, now market.Backing) (int64, error) {
	f := s.now
	if f.Status != market.Active {
		return 0, nil
	}
	lapsed := max(f.Quantity-now.Available(), 0)
	isNew := s.set || s.row != nil && s.row.Lapsed == unsettled
	if s.row != nil && !isNew && c.from > 0 { // all events from c.from on are of this change
		lapsed = max(lapsed, min(s.row.Lapsed, f.Quantity))
	}
	if lapsed == f.Quantity || c.from > 0 && c.from == c.to && (s.set || !isNew) { // the end of a single block is the current state
		return lapsed, nil
	}
	since := c.from
	if c.from == 0 || isNew {
		var err error
		if since, err = c.tx.TermsBlock(ctx, gen.TermsBlockParams{ChainID: c.chain, ListingID: number}); err != nil {
			return 0, err
		}
	}
	missing, err := c.mostMissingSince(ctx, number, s, now, since)
	return min(max(lapsed, missing), f.Quantity), err
}

// mostMissingSince returns the highest number of an active listing's units that were without backing at the end of any block from
// since on. Its terms must not have been set after that block.
func (c *change) mostMissingSince(ctx context.Context, number string, s foldState, now market.Backing, since int64) (int64, error) {
	f := s.now
	moves, err := c.movesSince(ctx, f, since)
	if err != nil {
		return 0, err
	}
	sold, err := c.soldSince(ctx, number, s, since)
	if err != nil {
		return 0, err
	}
	approvals, err := c.approvalBlocksSince(ctx, f, since)
	if err != nil {
		return 0, err
	}
	ends := map[int64]bool{since: true}
	for _, blocks := range [][]int64{approvals, slices.Collect(maps.Keys(moves)), slices.Collect(maps.Keys(sold))} {
		for _, block := range blocks {
			ends[block] = true
		}
	}
	most, held, left := int64(0), now.Held.Big(), f.Quantity
	for _, block := range slices.Backward(slices.Sorted(maps.Keys(ends))) {
		approved, err := c.approvedAt(ctx, f, block)
		if err != nil {
			return 0, err
		}
		missing := left
		if approved {
			if rest := new(big.Int).Sub(big.NewInt(left), held); rest.IsInt64() {
				missing = rest.Int64()
			} else {
				missing = 0 // the seller holds more than can be listed
			}
		}
		most = max(most, missing)
		if d := moves[block]; d != nil {
			held.Sub(held, d)
		}
		left += sold[block]
	}
	return most, nil
}

// soldSince returns, by block from since on, how many units of a listing were sold.
func (c *change) soldSince(ctx context.Context, number string, s foldState, since int64) (map[int64]int64, error) {
	sold := map[int64]int64{}
	if c.from > 0 && since >= c.from && !s.sold { // all sales from c.from on are of this change
		return sold, nil
	}
	sales, err := c.tx.SalesSince(ctx, gen.SalesSinceParams{ChainID: c.chain, ListingID: number, Since: since})
	for _, sale := range sales {
		sold[sale.BlockNumber] += sale.Quantity
	}
	return sold, err
}
