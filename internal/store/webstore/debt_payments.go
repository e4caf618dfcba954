package webstore

import (
	"context"
	"slices"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

var _ webstore.PaymentStore = Store{}

// BindDebts binds debts to an operation; see webstore.PaymentStore.
func (db Store) BindDebts(ctx context.Context, b webstore.Binding) error {
	return db.WriteLocked(ctx, b.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range b.Shares {
			n, err := tx.BindShopDebt(ctx, gen.BindShopDebtParams{
				Operation: b.Operation, Nonce: b.Nonce.String(), ChainID: b.Chain, Paying: s.Units,
				Source: s.Source, Number: int64(s.Number), PlayerID: b.PlayerID, Amount: s.Amount, Sender: b.Sender,
			})
			if err == nil && n == 0 {
				err = webstore.ErrChanged
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// AcceptDebtPayment marks the debts that are bound to the operation as being paid, in the transaction that accepts the operation.
// It refuses the payment if the operation is not the last that was signed for them, or one of them has changed since. bound is
// false for an operation that pays for no debt.
func AcceptDebtPayment(ctx context.Context, tx *store.Tx, op gas.Operation, calls []gas.Call) (bound bool, err error) {
	debts, err := tx.ShopDebtsPaidBy(ctx, op.Hash)
	if len(debts) == 0 || err != nil {
		return false, err
	}
	var total money.Units
	for _, d := range debts {
		if d.PlayerID != op.Player {
			return true, webstore.ErrChanged
		}
		if total, err = total.Add(money.FromInt(d.Paying)); err != nil {
			return true, err
		}
	}
	n, err := tx.SetShopDebtsInFlight(ctx, op.Hash)
	if err != nil {
		return true, err
	}
	p, ok := gas.PaymentOf(calls)
	if !ok || p.Amount.Big().Cmp(total.Big()) != 0 || int(n) != len(debts) {
		return true, webstore.ErrChanged
	}
	return true, shopTx{Tx: tx}.Told(ctx, op.Player)
}

// ReleaseDebts makes the debts of a dropped operation payable again; see webstore.PaymentStore.
func (db Store) ReleaseDebts(ctx context.Context, op eth.Hash) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		players, err := tx.ReleaseShopDebts(ctx, op)
		if len(players) == 0 || err != nil {
			return err
		}
		return shopTx{Tx: tx}.Told(ctx, players[0])
	})
}

// SettleDebts settles the debts whose operations are in the batch. Those of a transfer that failed are payable again.
func SettleDebts(ctx context.Context, tx *store.Tx, b onchain.Batch) error {
	for _, op := range b.Ops {
		debts, err := tx.ShopDebtsPaidBy(ctx, op.Hash)
		if err != nil {
			return err
		}
		if len(debts) == 0 {
			continue
		}
		state, player := webstore.DebtSettled, debts[0].PlayerID
		if !op.Success {
			state = webstore.DebtOpen
		}
		err = tx.SettleShopDebts(ctx, gen.SettleShopDebtsParams{
			ToState: string(state), SettledBlock: int64(op.Block), UpdatedAt: column.At(tx.Clock().Now()), Operation: op.Hash,
		})
		if err != nil {
			return err
		}
		if err := rewards.ReleaseWithheld(ctx, tx, player); err != nil {
			return err
		}
		if err := (shopTx{Tx: tx}).Told(ctx, player); err != nil {
			return err
		}
	}
	return nil
}

// UnsettleDebts reopens the debts that were paid in blocks above the ancestor: their operations are on their way again.
func UnsettleDebts(ctx context.Context, tx *store.Tx, chain onchain.ChainID, ancestor int64) error {
	players, err := tx.UnsettleShopDebts(ctx, gen.UnsettleShopDebtsParams{
		UpdatedAt: column.At(tx.Clock().Now()), ChainID: chain, SettledBlock: ancestor,
	})
	if err != nil {
		return err
	}
	slices.Sort(players)
	for _, player := range slices.Compact(players) {
		if err := rewards.WithholdAllIfOwing(ctx, tx, player); err != nil {
			return err
		}
		if err := (shopTx{Tx: tx}).Told(ctx, player); err != nil {
			return err
		}
	}
	return nil
}
