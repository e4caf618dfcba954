package operators

import (
	"context"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// Chains returns the chains that the portal follows; see operator.Indexes.
func (o Store) Chains(ctx context.Context) (out []onchain.ChainID, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		ids, err := q.ChainsOfCursors(ctx)
		for _, id := range ids {
			out = append(out, onchain.ChainID(id))
		}
		return err
	})
	return out, err
}

// DiscardIndex lets the portal discard a chain's index; see operator.Indexes.
func (o Store) DiscardIndex(ctx context.Context, chain onchain.ChainID, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error { return tx.DiscardChainIndex(ctx, chain) })
}
