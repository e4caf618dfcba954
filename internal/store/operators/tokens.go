package operators

import (
	"context"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
)

// FailingTokens returns tokens whose metadata could not be read; see operator.Tokens.
func (o Store) FailingTokens(ctx context.Context, limit int) ([]operator.TokenMetadata, error) {
	out := []operator.TokenMetadata{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FailingMetadata(ctx, int32(limit))
		for _, r := range rows {
			out = append(out, tokenOf(r.TokenMetadatum, r.Name))
		}
		return err
	})
	return out, err
}

// Token returns what is known of a token; see operator.Tokens.
func (o Store) Token(ctx context.Context, contract eth.Address, tokenID string) (t operator.TokenMetadata, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.NamedMetadata(ctx, gen.NamedMetadataParams{Contract: contract, TokenID: tokenID})
		t = tokenOf(row.TokenMetadatum, row.Name)
		return store.NotFound(err, "No such token is described by its contract.")
	})
	return t, err
}

// RefreshTokens queues tokens to be fetched again; see operator.Tokens.
func (o Store) RefreshTokens(ctx context.Context, contract eth.Address, first, last string, e operator.Entry) (n int64, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err = index.RefreshMetadata(ctx, tx, contract, first, last, onchain.MaxTime(), onchain.MaxTime())
		if n == 0 && err == nil {
			return errUnchanged
		}
		return err
	})
	return n, err
}

func tokenOf(m gen.TokenMetadatum, name string) operator.TokenMetadata {
	return operator.TokenMetadata{
		Contract: m.Contract, TokenID: m.TokenID, Name: name, URI: m.Uri, Stage: m.Stage, Host: m.Host, HasPicture: m.Picture != "",
		ReadAt: m.ReadAt.Time, DueAt: m.DueAt.Time, Failures: int(m.Failures), Reason: m.Reason,
	}
}
