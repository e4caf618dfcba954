// Package gas keeps the relay's transactions and operations, and what was sponsored.
package gas

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/withdrawals"
)

// Store keeps sponsored transactions: the queue of the portal's own wallets and the players' user operations.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }

var (
	_ gas.Transactions = Store{}
	_ gas.Operations   = Store{}
	_ gas.Accounts     = Store{}
)

var errGasMoved = fault.New(fault.Conflict, "The transaction has moved on.").WithReason("state")

// Account returns a player's wallet; see gas.Accounts.
func (g Store) Account(ctx context.Context, player string) (gas.Account, error) {
	w, err := accounts.New(g.DB).Wallet(ctx, player)
	return gas.Account{Owner: w.Owner, Smart: w.Smart}, err
}

// SealedKey returns a player's owner address and sealed owner key, and which key it is sealed with; fault.NotFound when the player has no
// wallet.
func (g Store) SealedKey(ctx context.Context, player string) (owner eth.Address, sealed, by string, err error) {
	w, err := accounts.New(g.DB).Wallet(ctx, player)
	return w.Owner, w.Sealed, w.SealedBy, err
}

// AddTransaction stores a pending transaction; see gas.Transactions.
func (g Store) AddTransaction(ctx context.Context, t gas.Transaction) (kept gas.Transaction, err error) {
	err = g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, err := addTransaction(ctx, tx, t); err != nil {
			return err
		}
		kept, err = transaction(ctx, tx.Queries, t.ID)
		return err
	})
	return kept, err
}

func addTransaction(ctx context.Context, tx *store.Tx, t gas.Transaction) (added bool, err error) {
	n, err := tx.InsertGasTransaction(ctx, gen.InsertGasTransactionParams{
		ID: t.ID, ChainID: t.Chain, Sender: t.From, Target: t.To, Value: t.Value,
		Data: t.Data, GasLimit: int64(t.GasLimit), CreatedAt: column.At(t.CreatedAt), Trace: t.Trace,
	})
	return n == 1, err
}

// Transaction returns one transaction with its attempts; see gas.Transactions.
func (g Store) Transaction(ctx context.Context, id string) (t gas.Transaction, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		t, err = transaction(ctx, q, id)
		return err
	})
	return t, err
}

func transaction(ctx context.Context, q *gen.Queries, id string) (gas.Transaction, error) {
	row, err := q.GasTransaction(ctx, id)
	if err != nil {
		return gas.Transaction{}, store.NotFound(err, "There is no such transaction.")
	}
	return withAttempts(ctx, q, row)
}

func withAttempts(ctx context.Context, q *gen.Queries, row gen.GasTransaction) (gas.Transaction, error) {
	t := transactionOf(row)
	rows, err := q.GasAttempts(ctx, row.ID)
	t.Attempts = make([]gas.Attempt, len(rows))
	for i, r := range rows {
		t.Attempts[i] = gas.Attempt{Hash: r.TxHash, Raw: r.Raw, FeeCap: r.FeeCap, TipCap: r.TipCap, AtBlock: uint64(r.AtBlock)}
	}
	return t, err
}

// PendingTransactions returns unsigned transactions; see gas.Transactions.
func (g Store) PendingTransactions(ctx context.Context, chain onchain.ChainID, limit int) (out []gas.Transaction, err error) {
	return g.transactions(ctx, false, func(q *gen.Queries) (rows []gen.GasTransaction, err error) {
		senders, err := q.PendingGasSenders(ctx, chain)
		if err != nil {
			return nil, err
		}
		for _, sender := range senders {
			of, err := q.PendingGasTransactions(ctx, gen.PendingGasTransactionsParams{ChainID: chain, Sender: sender, Batch: int64(limit)})
			if err != nil {
				return nil, err
			}
			rows = append(rows, of...)
		}
		return rows, nil
	})
}

// SentTransactions returns transactions that are not mined yet; see gas.Transactions.
func (g Store) SentTransactions(ctx context.Context, chain onchain.ChainID) ([]gas.Transaction, error) {
	return g.transactions(ctx, true, func(q *gen.Queries) ([]gen.GasTransaction, error) {
		return q.SentGasTransactions(ctx, chain)
	})
}

// MinedTransactions returns transactions in blocks that are not final; see gas.Transactions.
func (g Store) MinedTransactions(ctx context.Context, chain onchain.ChainID) ([]gas.Transaction, error) {
	return g.transactions(ctx, true, func(q *gen.Queries) ([]gen.GasTransaction, error) {
		return q.MinedGasTransactions(ctx, chain)
	})
}

func (g Store) transactions(
	ctx context.Context, attempts bool, query func(*gen.Queries) ([]gen.GasTransaction, error),
) (out []gas.Transaction, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := query(q)
		if err != nil {
			return err
		}
		for _, row := range rows {
			t := transactionOf(row)
			if attempts {
				if t, err = withAttempts(ctx, q, row); err != nil {
					return err
				}
			}
			out = append(out, t)
		}
		return nil
	})
	return out, err
}

// NextNonce returns the sender's next nonce; see gas.Transactions.
func (g Store) NextNonce(ctx context.Context, chain onchain.ChainID, from eth.Address) (nonce uint64, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		n, err := q.GasNonce(ctx, gen.GasNonceParams{ChainID: chain, Address: from})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		nonce = uint64(n)
		return err
	})
	return nonce, err
}

// RaiseNonce raises the sender's next nonce; see gas.Transactions.
func (g Store) RaiseNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, atLeast, block uint64) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.RaiseGasNonce(ctx, gen.RaiseGasNonceParams{
			ChainID: chain, Address: from, NextNonce: int64(atLeast), KnownBlock: int64(block),
		})
	})
}

// Signed marks a pending transaction as sent; see gas.Transactions.
func (g Store) Signed(ctx context.Context, id string, nonce uint64, a gas.Attempt, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.GasTransaction(ctx, id)
		if err != nil {
			return store.NotFound(err, "There is no such transaction.")
		}
		if err := moved(tx.TakeGasNonce(ctx, gen.TakeGasNonceParams{
			ChainID: row.ChainID, Address: row.Sender, Nonce: int64(nonce),
		})); err != nil {
			return err
		}
		if err := moved(tx.SignGasTransaction(ctx, gen.SignGasTransactionParams{
			Nonce: int64(nonce), TxHash: a.Hash, UpdatedAt: column.At(at), ID: id,
		})); err != nil {
			return err
		}
		return keepAttempt(ctx, tx, id, a, at)
	})
}

// LastMinedBlock returns the block of a sender's last mined transaction; see gas.Transactions.
func (g Store) LastMinedBlock(ctx context.Context, chain onchain.ChainID, from eth.Address, below uint64) (block uint64, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		n, err := q.LastMinedBlock(ctx, gen.LastMinedBlockParams{ChainID: chain, Sender: from, Below: int64(below)})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		block = uint64(n)
		return err
	})
	return block, err
}

// KnownBlock returns the block up to which all is known that a sender has sent; see gas.Transactions.
func (g Store) KnownBlock(ctx context.Context, chain onchain.ChainID, from eth.Address) (block uint64, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		n, err := q.KnownBlock(ctx, gen.KnownBlockParams{ChainID: chain, Address: from})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		block = uint64(n)
		return err
	})
	return block, err
}

// Senders returns the wallets with a next nonce; see gas.Transactions.
func (g Store) Senders(ctx context.Context, chain onchain.ChainID) (out []eth.Address, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		out, err = q.GasSenders(ctx, chain)
		return err
	})
	return out, err
}

// AddRecovered stores transactions that the chain has; see gas.Transactions.
func (g Store) AddRecovered(ctx context.Context, chain onchain.ChainID, found []gas.Recovered) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, r := range found {
			if err := tx.InsertRecovered(ctx, gen.InsertRecoveredParams{
				ChainID: chain, Sender: r.From, Nonce: int64(r.Nonce), Tag: r.Tag, TxHash: r.Hash, Raw: r.Raw,
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecoveredByTag returns a recovered transaction; see gas.Transactions.
func (g Store) RecoveredByTag(ctx context.Context, chain onchain.ChainID, tag eth.Hash) (gas.Recovered, error) {
	return g.recovered(ctx, func(q *gen.Queries) (gen.GasRecovered, error) {
		return q.RecoveredByTag(ctx, gen.RecoveredByTagParams{ChainID: chain, Tag: tag})
	})
}

// RecoveredByNonce returns a recovered transaction; see gas.Transactions.
func (g Store) RecoveredByNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, nonce uint64) (gas.Recovered, error) {
	return g.recovered(ctx, func(q *gen.Queries) (gen.GasRecovered, error) {
		return q.RecoveredByNonce(ctx, gen.RecoveredByNonceParams{ChainID: chain, Sender: from, Nonce: int64(nonce)})
	})
}

func (g Store) recovered(ctx context.Context, query func(*gen.Queries) (gen.GasRecovered, error)) (r gas.Recovered, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		row, err := query(q)
		r = gas.Recovered{From: row.Sender, Nonce: uint64(row.Nonce), Tag: row.Tag, Hash: row.TxHash, Raw: row.Raw}
		return store.NotFound(err, "There is no such transaction.")
	})
	return r, err
}

// Recover marks a pending transaction as sent by a recovered one; see gas.Transactions.
func (g Store) Recover(ctx context.Context, id string, r gas.Recovered, a gas.Attempt, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := moved(tx.RecoverGasTransaction(ctx, gen.RecoverGasTransactionParams{
			Sender: r.From, Nonce: int64(r.Nonce), TxHash: r.Hash, UpdatedAt: column.At(at), ID: id,
		})); err != nil {
			return err
		}
		row, err := tx.GasTransaction(ctx, id)
		if err != nil {
			return err
		}
		if err := tx.DropRecovered(ctx, gen.DropRecoveredParams{ChainID: row.ChainID, Sender: r.From, Nonce: int64(r.Nonce)}); err != nil {
			return err
		}
		return keepAttempt(ctx, tx, id, a, at)
	})
}

// Resigned adds an attempt; see gas.Transactions.
func (g Store) Resigned(ctx context.Context, id string, a gas.Attempt, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := moved(tx.ResignGasTransaction(ctx, gen.ResignGasTransactionParams{
			TxHash: a.Hash, UpdatedAt: column.At(at), ID: id,
		})); err != nil {
			return err
		}
		return keepAttempt(ctx, tx, id, a, at)
	})
}

// keepAttempt stores a signed attempt, which now carries the transaction's operations.
func keepAttempt(ctx context.Context, tx *store.Tx, id string, a gas.Attempt, at time.Time) error {
	if err := tx.InsertGasAttempt(ctx, gen.InsertGasAttemptParams{
		TxHash: a.Hash, TransactionID: id, Raw: a.Raw, FeeCap: a.FeeCap, TipCap: a.TipCap,
		AtBlock: int64(a.AtBlock), CreatedAt: column.At(at),
	}); err != nil {
		return err
	}
	return tx.SendGasOperations(ctx, gen.SendGasOperationsParams{TxHash: a.Hash, UpdatedAt: column.At(at), Bundle: id})
}

// Mined records the block of a transaction; see gas.Transactions.
func (g Store) Mined(ctx context.Context, id string, r gas.Receipt, at time.Time) error {
	state := gas.TransactionMined
	if !r.Succeeded {
		state = gas.TransactionFailed
	}
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := unmine(ctx, tx, id, at); err != nil {
			return err
		}
		return moved(tx.MineGasTransaction(ctx, gen.MineGasTransactionParams{
			State: state, TxHash: r.TxHash, BlockHash: r.BlockHash, BlockNumber: int64(r.Block),
			Reason: r.Reason, UpdatedAt: column.At(at), ID: id,
		}))
	})
}

// Unmined marks a transaction as no longer mined; see gas.Transactions.
func (g Store) Unmined(ctx context.Context, id string, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return unmine(ctx, tx, id, at) })
}

func unmine(ctx context.Context, tx *store.Tx, id string, at time.Time) error {
	n, err := tx.UnmineGasTransaction(ctx, gen.UnmineGasTransactionParams{UpdatedAt: column.At(at), ID: id})
	if err != nil || n == 0 {
		return err
	}
	return tx.UnsettleGasOperations(ctx, gen.UnsettleGasOperationsParams{UpdatedAt: column.At(at), Bundle: id})
}

// Abandon marks a transaction as failed; see gas.Transactions.
func (g Store) Abandon(ctx context.Context, id, reason string, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := moved(tx.AbandonGasTransaction(ctx, gen.AbandonGasTransactionParams{
			Reason: reason, UpdatedAt: column.At(at), ID: id,
		})); err != nil {
			return err
		}
		return tx.RequeueGasOperations(ctx, gen.RequeueGasOperationsParams{UpdatedAt: column.At(at), Bundle: id})
	})
}

// Finalise marks old transactions as final; see gas.Transactions.
func (g Store) Finalise(ctx context.Context, chain onchain.ChainID, upTo uint64) error {
	due := int64(0) // called for each new block, but rarely has work
	err := g.Read(ctx, func(q *gen.Queries) (err error) {
		due, err = q.CountGasTransactionsToFinalise(ctx, gen.CountGasTransactionsToFinaliseParams{ChainID: chain, BlockNumber: int64(upTo)})
		return err
	})
	if err != nil || due == 0 {
		return err
	}
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.FinaliseGasTransactions(ctx, gen.FinaliseGasTransactionsParams{ChainID: chain, BlockNumber: int64(upTo)})
	})
}

// AddOperation stores a queued operation; see gas.Operations.
func (g Store) AddOperation(ctx context.Context, op gas.Operation) (kept gas.Operation, err error) {
	// Under the player's lock: the player may be about to be deleted.
	err = g.WriteLocked(ctx, op.Player, func(ctx context.Context, tx *store.Tx) error {
		inserted, err := insertOperation(ctx, tx, op)
		if err != nil {
			return err
		}
		if inserted {
			if err := useSponsorship(ctx, tx, op); err != nil {
				return err
			}
			if err := cartstore.AcceptPayment(ctx, tx, op); err != nil {
				return err
			}
			if err := withdrawals.Accept(ctx, tx, op); err != nil {
				return err
			}
		}
		row, err := tx.GasOperation(ctx, op.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			return gas.ErrNonce
		}
		if err != nil {
			return err
		}
		kept, err = operationOf(row)
		return err
	})
	return kept, err
}

// insertOperation stores an operation as queued; false if one with its hash exists, or one with its nonce that was not
// dropped.
func insertOperation(ctx context.Context, tx *store.Tx, op gas.Operation) (bool, error) {
	text, err := json.Marshal(op.Operation)
	if err != nil {
		return false, err
	}
	n, err := tx.InsertGasOperation(ctx, gen.InsertGasOperationParams{
		Hash: op.Hash, ChainID: op.Chain, EntryPoint: op.EntryPoint, PlayerID: op.Player,
		Sender: op.Operation.Sender, Nonce: op.Operation.Nonce.String(), Operation: string(text), CreatedAt: column.At(op.CreatedAt),
		Trace: op.Trace,
	})
	return n == 1, err
}

// Operation returns one operation; see gas.Operations.
func (g Store) Operation(ctx context.Context, hash eth.Hash) (op gas.Operation, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		row, err := q.GasOperation(ctx, hash)
		if err != nil {
			return store.NotFound(err, "There is no such operation.")
		}
		op, err = operationOf(row)
		return err
	})
	return op, err
}

// QueuedOperations returns operations that wait for a bundle; see gas.Operations.
func (g Store) QueuedOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]gas.Operation, error) {
	return g.operations(ctx, func(q *gen.Queries) ([]gen.GasOperation, error) {
		return q.QueuedGasOperations(ctx, gen.QueuedGasOperationsParams{ChainID: chain, Batch: int64(limit)})
	})
}

// FrozenOperations returns the queued operations of frozen players; see gas.Operations.
func (g Store) FrozenOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]gas.Operation, error) {
	cancellation := `%"callData":"` + eth.Bytes(gas.EncodeCalls(nil)).String() + `"%` // in the operation's JSON
	return g.operations(ctx, func(q *gen.Queries) ([]gen.GasOperation, error) {
		return q.FrozenGasOperations(ctx, gen.FrozenGasOperationsParams{ChainID: chain, Cancellation: cancellation, Batch: int64(limit)})
	})
}

// UntoldOperations returns operations whose observers have yet to be notified; see gas.Operations.
func (g Store) UntoldOperations(ctx context.Context, chain onchain.ChainID, limit int) ([]gas.Operation, error) {
	return g.operations(ctx, func(q *gen.Queries) ([]gen.GasOperation, error) {
		return q.UntoldGasOperations(ctx, gen.UntoldGasOperationsParams{ChainID: chain, Batch: int64(limit)})
	})
}

func (g Store) operations(ctx context.Context, query func(*gen.Queries) ([]gen.GasOperation, error)) (out []gas.Operation, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := query(q)
		if err != nil {
			return err
		}
		out, err = operationsOf(rows)
		return err
	})
	return out, err
}

// Bundle assigns operations to a new transaction; see gas.Operations.
func (g Store) Bundle(ctx context.Context, t gas.Transaction, ops []eth.Hash) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		added, err := addTransaction(ctx, tx, t)
		if err != nil {
			return err
		}
		if !added {
			return errGasMoved
		}
		for _, op := range ops {
			if err := moved(tx.BundleGasOperation(ctx, gen.BundleGasOperationParams{Bundle: t.ID, Hash: op})); err != nil {
				return err
			}
		}
		return nil
	})
}

// UnsettledBundles returns the transactions whose operations are to be settled; see gas.Operations.
func (g Store) UnsettledBundles(ctx context.Context, chain onchain.ChainID) (out []gas.Bundle, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.UnsettledGasBundles(ctx, chain)
		if err != nil {
			return err
		}
		for _, row := range rows {
			b := gas.Bundle{Transaction: transactionOf(row)}
			ops, err := q.SentGasOperations(ctx, row.ID)
			if err != nil {
				return err
			}
			if b.Operations, err = operationsOf(ops); err != nil {
				return err
			}
			out = append(out, b)
		}
		return nil
	})
	return out, err
}

// Settle sets the final states of operations; see gas.Operations.
func (g Store) Settle(ctx context.Context, outcomes []gas.Outcome, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var unused refunds
		for _, o := range outcomes {
			state := gas.OperationIncluded
			if !o.Succeeded {
				state = gas.OperationFailed
			}
			if err := tx.SettleGasOperation(ctx, gen.SettleGasOperationParams{
				State: state, Reason: o.Reason, TxHash: o.TxHash, BlockHash: o.BlockHash,
				UpdatedAt: column.At(at), Hash: o.Hash,
			}); err != nil {
				return err
			}
			if err := endSponsorship(ctx, tx, o.Hash, sponsorshipUsed, o.Cost, &unused); err != nil {
				return err
			}
		}
		return unused.pay(ctx, tx)
	})
}

// Requeue returns an operation to the queue for another bundle; see gas.Operations.
func (g Store) Requeue(ctx context.Context, hash eth.Hash, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.RequeueGasOperation(ctx, gen.RequeueGasOperationParams{UpdatedAt: column.At(at), Hash: hash})
	})
}

// Drop drops an operation; see gas.Operations.
func (g Store) Drop(ctx context.Context, hash eth.Hash, reason string, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DropGasOperation(ctx, gen.DropGasOperationParams{Reason: reason, UpdatedAt: column.At(at), Hash: hash})
		if err != nil || n == 0 {
			return err
		}
		var unused refunds
		if err := endSponsorship(ctx, tx, hash, sponsorshipUsed, money.Units{}, &unused); err != nil {
			return err
		}
		return unused.pay(ctx, tx)
	})
}

// Hand marks a queued operation as handed to an external bundler; see gas.Operations.
func (g Store) Hand(ctx context.Context, hash eth.Hash) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return moved(tx.BundleGasOperation(ctx, gen.BundleGasOperationParams{Bundle: gas.BundleExternal, Hash: hash}))
	})
}

// HandedOperations returns what an external bundler was handed; see gas.Operations.
func (g Store) HandedOperations(ctx context.Context, chain onchain.ChainID) (out []gas.Handed, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		cursor, err := q.ChainCursor(ctx, chain) // before the rows, which may be of a later block
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		rows, err := q.HandedGasOperations(ctx, chain)
		if err != nil || len(rows) == 0 {
			return err
		}
		out = make([]gas.Handed, len(rows))
		for i, r := range rows {
			if out[i].Operation, err = operationOf(r.GasOperation); err != nil {
				return err
			}
			out[i].Indexed = uint64(max(cursor.BlockNumber, 0))
			if r.Included == "" {
				continue
			}
			if out[i].Included, err = eth.ParseHash(r.Included); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Taken marks a handed operation as sent; see gas.Operations.
func (g Store) Taken(ctx context.Context, hash eth.Hash, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TakeGasOperation(ctx, gen.TakeGasOperationParams{UpdatedAt: column.At(at), Hash: hash})
	})
}

// Unsettle returns a handed operation to sent; see gas.Operations.
func (g Store) Unsettle(ctx context.Context, hash eth.Hash, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.UnsettleGasOperation(ctx, gen.UnsettleGasOperationParams{UpdatedAt: column.At(at), Hash: hash})
	})
}

// Final ends the following of a handed operation; see gas.Operations.
func (g Store) Final(ctx context.Context, hash eth.Hash) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.FinaliseGasOperation(ctx, hash) })
}

// TakeBack returns handed operations to queued; see gas.Operations.
func (g Store) TakeBack(ctx context.Context, chain onchain.ChainID, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TakeBackGasOperations(ctx, gen.TakeBackGasOperationsParams{UpdatedAt: column.At(at), ChainID: chain})
	})
}

// Told records that observers were notified; see gas.Operations.
func (g Store) Told(ctx context.Context, op gas.Operation) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TellGasOperation(ctx, gen.TellGasOperationParams{
			Told: int64(op.State.Step()), Hash: op.Hash, State: op.State, TxHash: op.TxHash,
		})
	})
}

// moved returns a fault for a guarded statement that changed nothing.
func moved(changed int64, err error) error {
	if err == nil && changed == 0 {
		return errGasMoved
	}
	return err
}

func transactionOf(r gen.GasTransaction) gas.Transaction {
	return gas.Transaction{
		ID: r.ID, Chain: r.ChainID, From: r.Sender, To: r.Target, Value: r.Value, Data: r.Data, GasLimit: uint64(r.GasLimit), State: r.State,
		Nonce: uint64(max(r.Nonce, 0)), TxHash: r.TxHash, BlockHash: r.BlockHash, Block: uint64(r.BlockNumber), Reason: r.Reason,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, Trace: r.Trace,
	}
}

func operationsOf(rows []gen.GasOperation) ([]gas.Operation, error) {
	out := make([]gas.Operation, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = operationOf(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func operationOf(r gen.GasOperation) (op gas.Operation, err error) {
	op = gas.Operation{
		Hash: r.Hash, Chain: r.ChainID, EntryPoint: r.EntryPoint, Player: r.PlayerID, State: r.State, Reason: r.Reason, Bundle: r.Bundle,
		TxHash: r.TxHash, BlockHash: r.BlockHash, Reverts: int(r.Reverts), Told: gas.Step(r.Told),
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, Trace: r.Trace,
	}
	if err := json.Unmarshal([]byte(r.Operation), &op.Operation); err != nil {
		return op, fmt.Errorf("store: operation %s: %w", r.Hash, err)
	}
	return op, nil
}
