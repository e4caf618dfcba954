package index

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

// OperationFailed applies the effects of an operation that failed or was dropped, unless the index has it as successful.
// It is idempotent.
func (x *Index) OperationFailed(ctx context.Context, op gas.Operation) error {
	calls, err := gas.DecodeCalls(op.Operation.CallData)
	if err != nil {
		return nil // its calls are outside the policy: a cancellation
	}
	failed := projection.Operation{PlayerID: op.Player, Tx: op.TxHash, Reason: op.Reason}
	if failed.Tx.IsZero() {
		failed.Tx = op.Hash
	}
	created, cancelled := gas.Listings(calls)
	failed.Creates = created
	for _, id := range cancelled {
		failed.Cancels = append(failed.Cancels, id.Big().String())
	}
	return x.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		c := x.change(tx, op.Chain)
		o := failed
		o.Packs, o.Burns = nil, nil // Write may run this again
		for _, p := range gas.Purchases(calls) {
			l, err := tx.ListingByID(ctx, market.Key(op.Chain, p.ListingID.Big().String()))
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			if l.Contract == c.rules.Packs {
				o.Packs = append(o.Packs, l.TokenID)
			}
		}
		for _, b := range gas.Burns(calls) {
			amount, err := money.FromBig(b.Amount.Big())
			if err != nil {
				return err
			}
			o.Burns = append(o.Burns, c.rules.Burned(projection.Burn{
				Chain: op.Chain, Tx: o.Tx, Time: tx.Clock().Now(), Contract: b.Contract, TokenID: b.TokenID.Big().String(), Amount: amount,
			}))
		}
		e := projection.Failed(o)
		if len(e.Announcements) == 0 {
			return nil
		}
		// The report may be older than the blocks in the index.
		n, err := tx.OperationSucceeded(ctx, gen.OperationSucceededParams{ChainID: op.Chain, OpHash: op.Hash})
		if err != nil || n > 0 {
			return err
		}
		cursor, err := tx.ChainCursor(ctx, op.Chain)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		first, err := c.first(ctx, gen.InsertFactEffectParams{
			ChainID: op.Chain, Cause: op.Hash.String(), Fact: "failed", BlockNumber: max(cursor.BlockNumber, 0),
		})
		if err != nil || !first {
			return err
		}
		return c.apply(ctx, e)
	})
}
