package withdrawals

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	shopstore "pantheon/internal/store/webstore"
)

// Change runs fn in a transaction that locks the player's account; see withdrawal.Store.
func (db Store) Change(ctx context.Context, playerID string, fn func(context.Context, withdrawal.Tx) error) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error { return fn(ctx, withdrawalTx{tx}) })
}

// ChangeByLink runs fn in a transaction that locks the account of the request that a link names; see withdrawal.Store.
func (db Store) ChangeByLink(
	ctx context.Context, cancelHash string, fn func(context.Context, withdrawal.Tx, withdrawal.Request) error,
) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.WithdrawalByCancelHash(ctx, cancelHash)
		if errors.Is(err, sql.ErrNoRows) {
			return withdrawal.ErrCancelLink
		}
		if err != nil {
			return err
		}
		if _, err := tx.LockHolds(ctx, row.PlayerID); err != nil {
			return err
		}
		r, err := withdrawalTx{tx}.Request(ctx, row.ID)
		if err != nil {
			return err
		}
		return fn(ctx, withdrawalTx{tx}, r)
	})
}

// Update runs fn in a transaction; see withdrawal.Store.
func (db Store) Update(ctx context.Context, fn func(context.Context, withdrawal.Tx) error) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return fn(ctx, withdrawalTx{tx}) })
}

// CancelAll cancels a player's requests; see withdrawal.CancelAll.
func CancelAll(ctx context.Context, tx *store.Tx, playerID, reason string) error {
	return withdrawal.CancelAll(ctx, withdrawalTx{tx}, playerID, reason)
}

// Accept marks the part that is bound to the operation as being sent, in the transaction that accepts the operation. It refuses
// transfers that belong to no part and pay for no debt.
func Accept(ctx context.Context, tx *store.Tx, op gas.Operation) error {
	calls, err := gas.DecodeCalls(op.Operation.CallData)
	if err != nil {
		return err
	}
	if !gas.EffectsOf(calls).Sends {
		return nil
	}
	if pays, err := shopstore.AcceptDebtPayment(ctx, tx, op, calls); pays || err != nil {
		return err
	}
	return withdrawal.Accept(ctx, withdrawalTx{tx}, op.Hash, op.Player, op.CreatedAt)
}

// Settle ends the parts whose operations are in the batch, with the outcome on the chain.
func Settle(ctx context.Context, tx *store.Tx, b onchain.Batch) error {
	for _, op := range b.Ops {
		outcome := withdrawal.Outcome{Tx: op.Tx, Block: op.Block, Success: op.Success}
		if err := withdrawal.Settle(ctx, withdrawalTx{tx}, op.Hash, outcome); err != nil {
			return err
		}
	}
	return nil
}

// Unsettle reverts the outcomes of parts that come from blocks above the ancestor.
func Unsettle(ctx context.Context, tx *store.Tx, chain onchain.ChainID, ancestor int64) error {
	return withdrawal.Unsettle(ctx, withdrawalTx{tx}, chain, uint64(ancestor))
}

// withdrawalTx implements withdrawal.Tx.
type withdrawalTx struct{ *store.Tx }

func (tx withdrawalTx) CountOpen(ctx context.Context, playerID string, now time.Time) (int, error) {
	n, err := tx.CountOpenWithdrawals(ctx, gen.CountOpenWithdrawalsParams{PlayerID: playerID, Now: column.At(now)})
	return int(n), err
}

func (tx withdrawalTx) Insert(ctx context.Context, r withdrawal.Request) error {
	if err := tx.InsertWithdrawal(ctx, gen.InsertWithdrawalParams{
		ID: r.ID, PlayerID: r.PlayerID, Sender: r.From, Recipient: r.To, Own: column.Flag(r.Own),
		CreatedAt: column.At(r.CreatedAt), ExpiresAt: column.At(r.ExpiresAt),
	}); err != nil {
		return err
	}
	for i, part := range r.Parts {
		assets, err := json.Marshal(part.Assets)
		if err != nil {
			return err
		}
		if err := tx.InsertWithdrawalPart(ctx, gen.InsertWithdrawalPartParams{
			ID: part.ID, WithdrawalID: r.ID, Number: int64(i), ChainID: part.Chain, Assets: string(assets),
		}); err != nil {
			return err
		}
	}
	return tx.log(ctx, "withdrawal.requested", r)
}

// log adds an entry of a request to the security log.
func (tx withdrawalTx) log(ctx context.Context, event securitylog.Event, r withdrawal.Request) error {
	detail := "request " + r.ID + " to " + r.To.Checksum()
	if r.Reason != "" {
		detail += ": " + r.Reason
	}
	return tx.LogSecurity(ctx, securitylog.Entry{Event: event, Subject: r.PlayerID, Detail: detail})
}

func (tx withdrawalTx) Request(ctx context.Context, requestID string) (r withdrawal.Request, err error) {
	if tx.Engine() == store.PostgreSQL { // SQLite serializes writes
		if err := tx.LockWithdrawal(ctx, requestID); err != nil {
			return r, err
		}
	}
	row, err := tx.WithdrawalByID(ctx, requestID)
	if errors.Is(err, sql.ErrNoRows) {
		err = withdrawal.ErrNotFound
	}
	if err != nil {
		return r, err
	}
	return withdrawalOf(ctx, tx.Queries, row)
}

// found returns the request whose id a query has returned.
func (tx withdrawalTx) found(ctx context.Context, requestID string, err error) (withdrawal.Request, error) {
	if errors.Is(err, sql.ErrNoRows) {
		err = withdrawal.ErrNotFound
	}
	if err != nil {
		return withdrawal.Request{}, err
	}
	return tx.Request(ctx, requestID)
}

func (tx withdrawalTx) RequestOfPart(ctx context.Context, partID string) (withdrawal.Request, error) {
	id, err := tx.WithdrawalOfPart(ctx, partID)
	return tx.found(ctx, id, err)
}

func (tx withdrawalTx) RequestOfOperation(ctx context.Context, op eth.Hash) (withdrawal.Request, error) {
	id, err := tx.WithdrawalOfOperation(ctx, op)
	return tx.found(ctx, id, err)
}

func (tx withdrawalTx) Unfinished(ctx context.Context, playerID string) ([]string, error) {
	return tx.UnfinishedWithdrawals(ctx, playerID)
}

func (tx withdrawalTx) SettledAfter(ctx context.Context, chain onchain.ChainID, block uint64) ([]string, error) {
	return tx.WithdrawalsSettledAfter(ctx, gen.WithdrawalsSettledAfterParams{ChainID: chain, SettledBlock: int64(block)})
}

func (tx withdrawalTx) Save(ctx context.Context, r withdrawal.Request) error {
	was, err := tx.WithdrawalByID(ctx, r.ID)
	if err == nil && was.State != r.State {
		err = tx.log(ctx, securitylog.Event("withdrawal."+string(r.State)), r)
	}
	if err != nil {
		return err
	}
	return tx.SaveWithdrawal(ctx, gen.SaveWithdrawalParams{
		State: r.State, Reason: r.Reason, CancelHash: r.CancelHash, ReadyAt: column.At(r.ReadyAt), ExpiresAt: column.At(r.ExpiresAt),
		Told: column.Flag(r.Told), ID: r.ID,
	})
}

func (tx withdrawalTx) SavePart(ctx context.Context, p withdrawal.Part) error {
	params := gen.SaveWithdrawalPartParams{
		State: p.State, Nonce: p.Nonce, BoundAt: column.At(p.BoundAt), Error: p.Error, SettledBlock: int64(p.SettledBlock), ID: p.ID,
	}
	if p.Operation != nil {
		params.Operation = *p.Operation
	}
	if p.TxHash != nil {
		params.TxHash = *p.TxHash
	}
	return tx.SaveWithdrawalPart(ctx, params)
}

func (tx withdrawalTx) Used(ctx context.Context, playerID, exceptPart string, since time.Time) (withdrawal.Used, error) {
	return usedWithdrawals(ctx, tx.Queries, playerID, exceptPart, since)
}

func (tx withdrawalTx) IsNonceUsed(ctx context.Context, sender eth.Address, p withdrawal.Part) (bool, error) {
	n, err := tx.CountNonceUsed(ctx, gen.CountNonceUsedParams{ChainID: p.Chain, Sender: sender, Nonce: p.Nonce, Operation: *p.Operation})
	return n > 0, err
}

func (tx withdrawalTx) Announce(ctx context.Context, r withdrawal.Request) error {
	a, err := announce.ToPlayer(r.PlayerID, withdrawal.Update(r.ID))
	if err != nil {
		return err
	}
	return tx.Tx.Announce(ctx, a)
}
