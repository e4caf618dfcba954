package operators

import (
	"context"

	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// RaiseGas adds to a chain's budget; see operator.GasRaises.
func (o Store) RaiseGas(ctx context.Context, chain onchain.ChainID, operations int64, wei money.Units, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		return tx.RaiseGasBudget(ctx, gen.RaiseGasBudgetParams{
			ChainID: chain, StartsAt: column.At(e.At.Truncate(gas.Day)), Operations: operations, Gwei: gas.Gwei(wei),
		})
	})
}
