package store

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// hasLapsed reports whether a listing was without backing at the end of any block since its terms were last set. now is the
// backing at the end of the change. The result depends on the facts alone, and not on the batches they came in: a rebuilt
// index agrees.
func (c *change) hasLapsed(ctx context.Context, number string, s foldState, now market.Backing) (bool, error) {
	if s.now.Status != market.Active {
		return false, nil
	}
	before := s.row != nil && s.row.Lapsed == 1
	if c.from > 0 && c.from == c.to { // the end of a single block is the current state
		return before && !s.set || !s.now.Backed(now), nil
	}
	if c.from > 0 && !s.set { // all events from c.from on are of this change
		if before {
			return true, nil
		}
		return c.unbackedSince(ctx, number, s, now, c.from)
	}
	since, err := c.tx.TermsBlock(ctx, gen.TermsBlockParams{ChainID: int64(c.chain), ListingID: number})
	if err != nil {
		return false, err
	}
	return c.unbackedSince(ctx, number, s, now, since)
}

// unbackedSince reports whether an active listing was without backing at the end of any block from since on. Its terms must not
// have been set after that block.
func (c *change) unbackedSince(ctx context.Context, number string, s foldState, now market.Backing, since int64) (bool, error) {
	f := s.now
	if !f.Backed(now) {
		return true, nil
	}
	held, err := c.movesSince(ctx, f, since)
	if err != nil {
		return false, err
	}
	sold, err := c.soldSince(ctx, number, s, since)
	if err != nil {
		return false, err
	}
	approvals, err := c.approvalBlocksSince(ctx, f, since)
	if err != nil {
		return false, err
	}
	ends := map[int64]bool{since: true}
	for _, blocks := range [][]int64{approvals, slices.Collect(maps.Keys(held)), slices.Collect(maps.Keys(sold))} {
		for _, block := range blocks {
			ends[block] = true
		}
	}
	amount, left := now.Held.Big(), f.Quantity
	for _, block := range slices.Backward(slices.Sorted(maps.Keys(ends))) {
		approved, err := c.approvedAt(ctx, f, block)
		if err != nil {
			return false, err
		}
		if !approved || amount.Cmp(big.NewInt(left)) < 0 {
			return true, nil
		}
		if d := held[block]; d != nil {
			amount.Sub(amount, d)
		}
		left += sold[block]
	}
	return false, nil
}

// soldSince returns, by block from since on, how many units of a listing were sold.
func (c *change) soldSince(ctx context.Context, number string, s foldState, since int64) (map[int64]int64, error) {
	sold := map[int64]int64{}
	if c.from > 0 && since >= c.from && !s.sold { // all sales from c.from on are of this change
		return sold, nil
	}
	sales, err := c.tx.SalesSince(ctx, gen.SalesSinceParams{ChainID: int64(c.chain), ListingID: number, Since: since})
	for _, sale := range sales {
		sold[sale.BlockNumber] += sale.Quantity
	}
	return sold, err
}
