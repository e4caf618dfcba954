package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"math/big"
	"slices"
	"time"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/gen"
)

// backingOf reads the chain's state of the listing's goods.
func (c *change) backingOf(ctx context.Context, f market.Folded) (b market.Backing, err error) {
	if f.Status != market.Active {
		return b, nil
	}
	b.Currency = slices.Contains(c.rules.Currencies, f.Currency)
	if b.Held, err = c.heldOf(ctx, f); err != nil || b.Held.IsZero() {
		return b, err
	}
	b.Approved, err = c.approvedAt(ctx, f, math.MaxInt64)
	return b, err
}

// covering is a listing of a token among others of its seller.
type covering struct {
	number  string
	row     gen.Listing
	wanted  int64 // units that it would offer
	backing market.Backing
}

// cover returns the rows of all listings of the change that exist, with what is covered of each.
func (c *change) cover(ctx context.Context) (map[string]gen.Listing, error) {
	rows, goods := make(map[string]gen.Listing, len(c.folded)), map[holdingKey][]covering{}
	var err error
	if c.closed, err = c.closedSellers(ctx); err != nil {
		return nil, err
	}
	for number, s := range c.folded {
		if !s.now.Exists() {
			continue
		}
		l := covering{number: number, row: listingRow(c.chain, number, s.now)}
		if next, err := c.nextOf(ctx, s.now); err != nil {
			return nil, err
		} else if next != whole {
			l.row.Lapsed = unsettled
			rows[number] = l.row
			continue
		}
		if l.backing, err = c.backingOf(ctx, s.now); err != nil {
			return nil, err
		}
		if l.row.Lapsed, err = c.lapsedUnits(ctx, number, s, l.backing); err != nil {
			return nil, err
		}
		if !s.now.Offerable(l.backing) || c.closed[l.row.Seller] {
			rows[number] = l.row
			continue
		}
		l.wanted = s.now.Quantity - l.row.Lapsed
		k := holdingKey{l.row.Contract, l.row.TokenID, l.row.Seller}
		goods[k] = append(goods[k], l)
	}
	now := c.tx.Clock().Now()
	for _, listings := range goods {
		slices.SortFunc(listings, func(a, b covering) int { return inCoverOrder(a.row, b.row, now) })
		coverAll(listings, rows)
	}
	return rows, nil
}

// inCoverOrder orders a seller's listings of a token by their creation. Those whose time is over come last: what they offered
// can be listed again.
func inCoverOrder(a, b gen.Listing, now time.Time) int {
	return cmp.Or(
		cmp.Compare(min(now.Compare(a.EndAt.Time), 0), min(now.Compare(b.EndAt.Time), 0)), // -1 for one that has not ended
		a.CreatedAt.Compare(b.CreatedAt.Time),
		cmp.Compare(len(a.ListingID), len(b.ListingID)), cmp.Compare(a.ListingID, b.ListingID), // a decimal number
	)
}

// coverAll adds the rows of a seller's listings of one token, which must be in the order in which they are covered.
func coverAll(listings []covering, rows map[string]gen.Listing) {
	available, wanted := listings[0].backing.Available(), make([]int64, len(listings))
	for i, l := range listings {
		wanted[i] = l.wanted
	}
	covered := market.Cover(available, wanted)
	for _, n := range covered {
		available -= n
	}
	for i, l := range listings {
		if covered[i] > 0 {
			l.row.Valid, l.row.Quantity = true, covered[i]
		}
		l.row.Returned = l.wanted == 0 && available >= l.row.Listed
		rows[l.number] = l.row
	}
}

// backingFacts is what was read to find the backing of one seller's listings of a token. While listings are settled, the facts do
// not change.
type backingFacts struct {
	held           *money.Units
	approved       map[int64]bool               // at the end of a block
	approvalBlocks map[int64][]int64            // since a block
	moves          map[int64]map[int64]*big.Int // since a block, by block
}

func (c *change) backingFacts(f market.Folded) *backingFacts {
	k := holdingKey{f.Contract, f.TokenID, f.Seller}
	if c.backings[k] == nil {
		c.backings[k] = &backingFacts{approved: map[int64]bool{}, approvalBlocks: map[int64][]int64{}, moves: map[int64]map[int64]*big.Int{}}
	}
	return c.backings[k]
}

// readOnce returns the value of a key, which it reads if it is not known yet.
func readOnce[V any](known map[int64]V, key int64, read func() (V, error)) (V, error) {
	if v, ok := known[key]; ok {
		return v, nil
	}
	v, err := read()
	if err == nil {
		known[key] = v
	}
	return v, err
}

// heldOf returns how many of the listing's token its seller has.
func (c *change) heldOf(ctx context.Context, f market.Folded) (money.Units, error) {
	known := c.backingFacts(f)
	if known.held != nil {
		return *known.held, nil
	}
	row, err := c.tx.Holding(ctx, gen.HoldingParams{ChainID: c.chain, Contract: f.Contract, TokenID: f.TokenID, Owner: f.Seller})
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err == nil {
		known.held = &row.Amount
	}
	return row.Amount, err
}

// approvedAt reports whether the marketplace may take the listing's goods at the end of a block.
func (c *change) approvedAt(ctx context.Context, f market.Folded, block int64) (bool, error) {
	return readOnce(c.backingFacts(f).approved, block, func() (bool, error) { return c.readApproval(ctx, f, block) })
}

func (c *change) readApproval(ctx context.Context, f market.Folded, block int64) (bool, error) {
	all, err := c.tx.ApprovedForAll(ctx, gen.ApprovedForAllParams{
		ChainID: c.chain, Contract: f.Contract, Owner: f.Seller, Operator: c.rules.Marketplace, Block: block,
	})
	if bool(all) || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err == nil, err
	}
	one, err := c.tx.ApprovedForToken(ctx, gen.ApprovedForTokenParams{
		ChainID: c.chain, Contract: f.Contract, TokenID: f.TokenID, Owner: f.Seller, Block: block,
	})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	return bool(one.Approved) && one.Operator == c.rules.Marketplace, nil
}

// approvalBlocksSince returns the blocks, from since on, in which what the marketplace may take of the listing's goods may have
// changed.
func (c *change) approvalBlocksSince(ctx context.Context, f market.Folded, since int64) ([]int64, error) {
	return readOnce(c.backingFacts(f).approvalBlocks, since, func() ([]int64, error) {
		return c.tx.ApprovalBlocks(ctx, gen.ApprovalBlocksParams{
			ChainID: c.chain, Contract: f.Contract, TokenID: f.TokenID, Owner: f.Seller,
			Operator: c.rules.Marketplace, Since: since,
		})
	})
}

// movesSince returns, by block from since on, how the seller's balance of a listing's token changed.
func (c *change) movesSince(ctx context.Context, f market.Folded, since int64) (map[int64]*big.Int, error) {
	return readOnce(c.backingFacts(f).moves, since, func() (map[int64]*big.Int, error) { return c.readMoves(ctx, f, since) })
}

func (c *change) readMoves(ctx context.Context, f market.Folded, since int64) (map[int64]*big.Int, error) {
	moves, err := c.tx.MovesOf(ctx, gen.MovesOfParams{
		ChainID: c.chain, Contract: f.Contract, TokenID: f.TokenID, Owner: f.Seller, Since: since,
	})
	if err != nil {
		return nil, err
	}
	held := map[int64]*big.Int{}
	for _, m := range moves {
		d := m.Amount.Big()
		if m.Received == 0 {
			d.Neg(d)
		}
		if held[m.BlockNumber] == nil {
			held[m.BlockNumber] = new(big.Int)
		}
		held[m.BlockNumber].Add(held[m.BlockNumber], d)
	}
	return held, nil
}
