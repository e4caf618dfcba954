package operators

import (
	"context"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/store/gen"
)

// Chains returns the chains that the portal follows, none before the portal's first start.
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
