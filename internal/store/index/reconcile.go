package index

import (
	"context"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store/gen"
)

// Holding is how much of a token an owner has.
type Holding struct {
	Contract eth.Address
	Standard onchain.Standard
	TokenID  string
	Owner    eth.Address
	Amount   money.Units
	Missing  money.Units // what left the owner beyond what was seen to arrive
}

// Holdings returns at most limit holdings of a chain after one, by contract, token and owner. The zero value is before the first.
func (x *Index) Holdings(ctx context.Context, chain onchain.ChainID, after Holding, limit int) (out []Holding, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.HoldingsAfter(ctx, gen.HoldingsAfterParams{
			ChainID: chain, Contract: after.Contract, TokenID: after.TokenID, Owner: after.Owner, Batch: int64(limit),
		})
		for _, r := range rows {
			out = append(out, Holding{r.Contract, r.Standard, r.TokenID, r.Owner, r.Amount, r.Missing})
		}
		return err
	})
	return out, err
}

// CountHoldings returns how many holdings a chain's index has.
func (x *Index) CountHoldings(ctx context.Context, chain onchain.ChainID) (n int64, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		n, err = q.CountHoldings(ctx, chain)
		return err
	})
	return n, err
}

// Supply is how many of a token were minted and burned. Of unique tokens the collection's are counted together, with the TokenID "".
type Supply struct {
	TokenID        string
	Minted, Burned money.Units
}

// Supplies returns at most limit supplies of a contract, by token, after one.
func (x *Index) Supplies(
	ctx context.Context, chain onchain.ChainID, contract eth.Address, after string, limit int,
) (out []Supply, err error) {
	err = x.db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SuppliesOf(ctx, gen.SuppliesOfParams{ChainID: chain, Contract: contract, After: after, Batch: int64(limit)})
		for _, r := range rows {
			out = append(out, Supply{r.TokenID, r.Minted, r.Burned})
		}
		return err
	})
	return out, err
}
