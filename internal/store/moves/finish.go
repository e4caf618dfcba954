package moves

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
)

// CheckSettled makes sure, in a transaction, that nothing is on its way to a chain with a snapshot, and that the portal moved nothing after
// it. It returns fault.Conflict with what to do.
func CheckSettled(ctx context.Context, tx *store.Tx, m move.Move) error {
	traffic, err := tx.MoveTraffic(ctx, m.From)
	if err != nil {
		return err
	}
	cursor, err := tx.ChainCursor(ctx, m.From)
	if err != nil {
		return store.NotFound(err, noMove)
	}
	mined, err := tx.LastMinedOn(ctx, m.From)
	if err != nil {
		return err
	}
	anchors, err := tx.CountUnfinalAnchors(ctx, m.From)
	if err != nil {
		return err
	}
	burns, err := tx.UnsettledBurnsUpTo(ctx, gen.UnsettledBurnsUpToParams{
		ChainID: m.From, FromBlock: cursor.SettledBlock, FromLog: cursor.SettledLog, FromSub: cursor.SettledSub, UpTo: int64(m.Block.Number),
	})
	if err != nil {
		return err
	}
	if int64(traffic.Operations+traffic.Transactions)+anchors+burns > 0 || mined > cursor.BlockNumber {
		return fault.New(fault.Conflict, "Chain %d still has %d operations, %d transactions and %d anchors that are not final, %d burns that "+
			"are not rewarded, or blocks that are not read. Let the portal serve with the settings of that chain until they are.", m.From,
			traffic.Operations, traffic.Transactions, anchors, burns)
	}
	moved, err := tx.PortalMovesAfter(ctx, gen.PortalMovesAfterParams{ChainID: m.From, BlockNumber: int64(m.Block.Number)})
	if err == nil && moved > 0 {
		err = fault.New(fault.Conflict, "The portal has moved %d tokens on chain %d after its snapshot. Take another one, with the settings of "+
			"that chain: `pantheon move retake`.", moved, m.From)
	}
	return err
}

// Finish completes a move in a transaction. Pending grants are redirected to the new chain, listings and withdrawals on the old one end,
// and its index is deleted except for sales and drop tables. contracts maps addresses on the old chain to those on the new one, including
// the currency's.
func Finish(ctx context.Context, tx *store.Tx, m move.Move, to onchain.ChainID, contracts map[eth.Address]eth.Address, at time.Time) error {
	n, err := tx.FinishMove(ctx, gen.FinishMoveParams{ToChain: to, MovedAt: column.At(at), FromChain: m.From})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.Conflict, "Chain %d has no snapshot, or the portal has moved from it.", m.From)
	}
	var errs []error
	for was, is := range contracts {
		errs = append(errs, tx.SetMoveContract(ctx, gen.SetMoveContractParams{ToContract: is.String(), FromChain: m.From, Contract: was}))
		if was == is {
			continue
		}
		errs = append(errs,
			tx.FollowContract(ctx, gen.FollowContractParams{ToContract: is.String(), LeftContract: was.String(), LeftChain: m.From}),
			tx.RedirectVaultClaims(ctx, gen.RedirectVaultClaimsParams{ToContract: is, FromContract: was}),
			tx.RedirectSales(ctx, gen.RedirectSalesParams{ToContract: is, ChainID: m.From, FromContract: was}),
			tx.RedirectNotifications(ctx, gen.RedirectNotificationsParams{ToContract: is, FromContract: was}))
	}
	errs = append(errs,
		tx.FollowMove(ctx, gen.FollowMoveParams{ToChain: to, LeftChain: m.From}),
		tx.UnbindDebts(ctx, m.From))
	if currency, ok := contracts[m.Currency]; ok {
		errs = append(errs, tx.RedirectCurrency(ctx, gen.RedirectCurrencyParams{
			ToCurrency: currency, ChainID: m.From, FromCurrency: m.Currency,
		}))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := redirectGrants(ctx, tx, m.From, to, contracts); err != nil {
		return err
	}
	if err := endWithdrawals(ctx, tx, m.From); err != nil {
		return err
	}
	return index.Retire(ctx, tx, m.From, at)
}

// redirectGrants lets tokens that were not given be given on the new chain. A grant with a transaction on the old chain stays as it is:
// that transaction tells what became of it. If it failed, an operator may have it given again, on the new chain.
func redirectGrants(ctx context.Context, tx *store.Tx, from, to onchain.ChainID, contracts map[eth.Address]eth.Address) error {
	after := gen.UngivenGrantsParams{Number: -1, Batch: pageSize}
	for {
		rows, err := tx.UngivenGrants(ctx, after)
		if err != nil {
			return err
		}
		for _, r := range rows {
			after.Source, after.Number = r.Source, r.Number
			var mint reward.Mint
			if err := json.Unmarshal([]byte(r.Detail), &mint); err != nil || mint.Chain != from {
				continue // what cannot be read fails when it is due
			}
			is, ok := contracts[mint.Contract]
			if !ok {
				continue
			}
			mint.Chain, mint.Contract = to, is
			detail, err := json.Marshal(mint)
			if err != nil {
				return err
			}
			p := gen.RedirectGrantParams{Detail: string(detail), Contract: r.Contract, State: r.State, Source: r.Source, Number: r.Number}
			if p.Contract != "" {
				p.Contract = is.String()
			}
			if reward.State(r.State) == reward.Sending {
				sent, err := isQueued(ctx, tx, reward.Grant{Source: r.Source, Number: int(r.Number), Redone: int(r.Redone)}.ID())
				if err != nil {
					return err
				}
				if !sent {
					p.State = string(reward.Pending)
				}
			}
			if err := tx.RedirectGrant(ctx, p); err != nil {
				return err
			}
		}
		if len(rows) < pageSize {
			return nil
		}
	}
}

func isQueued(ctx context.Context, tx *store.Tx, id string) (bool, error) {
	_, err := tx.GasTransaction(ctx, id)
	if fault.Is(store.NotFound(err, ""), fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// endedText is what players read of withdrawals that the move has ended.
const endedText = "The game has moved to a new chain, so this was not sent."

func endWithdrawals(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	ids, err := tx.WithdrawalsOn(ctx, chain)
	for _, id := range ids {
		if err := tx.EndWithdrawal(ctx, gen.EndWithdrawalParams{Reason: endedText, ID: id}); err != nil {
			return err
		}
	}
	return err
}
