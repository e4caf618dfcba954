package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"math/big"
	"slices"

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

// backingFacts is what was read to find the backing of one seller's listings of a token. While listings are settled, the facts do
// not change.
type backingFacts struct {
	held           *money.Units
	approved       map[int64]bool               // at the end of a block
	approvalBlocks map[int64][]int64            // since a block
	moves          map[int64]map[int64]*big.Int // since a block, by block
}

func (c *change) backingFacts(f market.Folded) *backingFacts {
	k := holdingKey{f.Contract.String(), f.TokenID, f.Seller.String()}
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
	var held money.Units
	row, err := c.tx.Holding(ctx, gen.HoldingParams{ChainID: int64(c.chain), Contract: f.Contract.String(), TokenID: f.TokenID, Owner: f.Seller.String()})
	if err == nil {
		held, err = money.Parse(row.Amount)
	} else if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err == nil {
		known.held = &held
	}
	return held, err
}

// approvedAt reports whether the marketplace may take the listing's goods at the end of a block.
func (c *change) approvedAt(ctx context.Context, f market.Folded, block int64) (bool, error) {
	return readOnce(c.backingFacts(f).approved, block, func() (bool, error) { return c.readApproval(ctx, f, block) })
}

func (c *change) readApproval(ctx context.Context, f market.Folded, block int64) (bool, error) {
	chain, contract, operator := int64(c.chain), f.Contract.String(), c.rules.Marketplace.String()
	all, err := c.tx.ApprovedForAll(ctx, gen.ApprovedForAllParams{
		ChainID: chain, Contract: contract, Owner: f.Seller.String(), Operator: operator, Block: block,
	})
	if all == 1 || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err == nil, err
	}
	one, err := c.tx.ApprovedForToken(ctx, gen.ApprovedForTokenParams{
		ChainID: chain, Contract: contract, TokenID: f.TokenID, Owner: f.Seller.String(), Block: block,
	})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	return one.Approved == 1 && one.Operator == operator, nil
}

// approvalBlocksSince returns the blocks, from since on, in which what the marketplace may take of the listing's goods may have
// changed.
func (c *change) approvalBlocksSince(ctx context.Context, f market.Folded, since int64) ([]int64, error) {
	return readOnce(c.backingFacts(f).approvalBlocks, since, func() ([]int64, error) {
		return c.tx.ApprovalBlocks(ctx, gen.ApprovalBlocksParams{
			ChainID: int64(c.chain), Contract: f.Contract.String(), TokenID: f.TokenID, Owner: f.Seller.String(),
			Operator: c.rules.Marketplace.String(), Since: since,
		})
	})
}

// movesSince returns, by block from since on, how the seller's balance of a listing's token changed.
func (c *change) movesSince(ctx context.Context, f market.Folded, since int64) (map[int64]*big.Int, error) {
	return readOnce(c.backingFacts(f).moves, since, func() (map[int64]*big.Int, error) { return c.readMoves(ctx, f, since) })
}

func (c *change) readMoves(ctx context.Context, f market.Folded, since int64) (map[int64]*big.Int, error) {
	moves, err := c.tx.MovesOf(ctx, gen.MovesOfParams{
		ChainID: int64(c.chain), Contract: f.Contract.String(), TokenID: f.TokenID, Owner: f.Seller.String(), Since: since,
	})
	if err != nil {
		return nil, err
	}
	held := map[int64]*big.Int{}
	for _, m := range moves {
		amount, err := money.Parse(m.Amount)
		if err != nil {
			return nil, err
		}
		d := amount.Big()
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
