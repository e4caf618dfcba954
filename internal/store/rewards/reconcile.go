package rewards

import (
	"context"

	"pantheon/internal/portal/reward"
	"pantheon/internal/store/gen"
)

// GivenTokens returns at most limit grants of tokens that are done, by source and number, after one. They have only what their id needs.
func (db Store) GivenTokens(ctx context.Context, after reward.Grant, limit int) (out []reward.Grant, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.TokenGrantsAfter(ctx, gen.TokenGrantsAfterParams{
			Source: after.Source, Number: int64(after.Number), Batch: int64(limit),
		})
		for _, r := range rows {
			out = append(out, reward.Grant{Source: r.Source, Number: int(r.Number), Redone: int(r.Redone)})
		}
		return err
	})
	return out, err
}
