package txqueue

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/gas"
)

// verify fetches the receipts of mined transactions again and marks those whose block is gone as sent.
func (q *Queue) verify(ctx context.Context, now head, mined []gas.Transaction) error {
	if len(mined) == 0 {
		return nil
	}
	receipts, err := q.receipts(ctx, mined)
	if err != nil {
		return err
	}
	for i, t := range mined {
		switch r := receipts[i]; {
		case r == nil:
			q.Log.Warn("transaction no longer mined after a reorganisation", "transaction", t.ID, "hash", t.TxHash, "block", t.Block)
			if err := q.Store.Unmined(ctx, t.ID, q.Clock.Now()); err != nil {
				return err
			}
			q.forget(t.ID)
			delete(q.run.broadcast, t.ID)
			q.changed()
		case r.BlockHash != t.BlockHash || r.TxHash != t.TxHash:
			if err := q.mined(ctx, now, t, r); err != nil {
				return err
			}
		default:
			if err := q.lookAgain(ctx, now, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookAgain schedules another check of a transaction whose block is not part of the chain with the current head. A
// later head may include it; or the node is in the middle of a reorganisation, already returns its new head and still
// has receipts of the removed blocks, which disappear shortly after.
func (q *Queue) lookAgain(ctx context.Context, now head, t gas.Transaction) error {
	q.remember(t) // until its block is verified
	held, err := q.holds(ctx, now, t.Block, common.Hash(t.BlockHash))
	if err == nil && held {
		q.forget(t.ID)
	}
	return err
}

func (q *Queue) remember(t gas.Transaction) {
	q.forget(t.ID)
	q.run.fresh = append(q.run.fresh, t)
}

func (q *Queue) forget(id string) {
	q.run.fresh = slices.DeleteFunc(q.run.fresh, func(t gas.Transaction) bool { return t.ID == id })
}

// receipts fetches the receipts of all attempts at each transaction; nil if none is mined.
func (q *Queue) receipts(ctx context.Context, txs []gas.Transaction) ([]*gas.Receipt, error) {
	type receipt struct {
		TransactionHash eth.Hash
		BlockHash       *eth.Hash
		BlockNumber     *hexutil.Uint64
		Status          hexutil.Uint64
	}
	var batch []gethrpc.BatchElem
	for _, t := range txs {
		for _, a := range t.Attempts {
			batch = append(batch, gethrpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{a.Hash}, Result: new(*receipt)})
		}
	}
	for part := range slices.Chunk(batch, 100) {
		if err := q.RPC.BatchCallContext(ctx, part); err != nil {
			return nil, q.errf("receipts", err)
		}
	}
	out := make([]*gas.Receipt, len(txs))
	for i, t := range txs {
		for range t.Attempts {
			e := batch[0]
			batch = batch[1:]
			if e.Error != nil {
				return nil, q.errf("receipt", e.Error)
			}
			if r := *e.Result.(**receipt); r != nil && r.BlockHash != nil && r.BlockNumber != nil {
				out[i] = &gas.Receipt{TxHash: r.TransactionHash, Block: uint64(*r.BlockNumber), BlockHash: *r.BlockHash, Succeeded: r.Status == 1}
			}
		}
	}
	return out, nil
}

// collect records which of the sent transactions are mined and returns the others.
func (q *Queue) collect(ctx context.Context, now head, sent []gas.Transaction) (left []gas.Transaction, err error) {
	receipts, err := q.receipts(ctx, sent)
	if err != nil {
		return nil, err
	}
	for i, t := range sent {
		if receipts[i] == nil {
			left = append(left, t)
		} else if err := q.mined(ctx, now, t, receipts[i]); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// mined records a transaction's block.
func (q *Queue) mined(ctx context.Context, now head, t gas.Transaction, r *gas.Receipt) error {
	ctx, span := trace.Follow(ctx, t.Trace, "transaction mined")
	defer span.End()
	if !r.Succeeded {
		r.Reason = q.whyReverted(ctx, t, r.Block)
		q.Log.Warn("transaction reverted", "transaction", t.ID, "hash", r.TxHash, "reason", r.Reason)
	}
	t.TxHash, t.Block, t.BlockHash = r.TxHash, r.Block, r.BlockHash
	q.remember(t) // even if the write fails: the database may have stored the block anyway
	if err := q.Store.Mined(ctx, t.ID, *r, q.Clock.Now()); err != nil {
		return err
	}
	delete(q.run.broadcast, t.ID)
	delete(q.run.lost, t.ID)
	delete(q.run.underpriced, t.ID)
	q.changed()
	return q.lookAgain(ctx, now, t)
}

// whyReverted runs a reverted transaction again on the state before its block.
func (q *Queue) whyReverted(ctx context.Context, t gas.Transaction, block uint64) string {
	err := q.RPC.CallContext(ctx, new(hexutil.Bytes), "eth_call", q.message(t), hexutil.EncodeUint64(block-1))
	if data, reverted := RevertData(err); reverted {
		return Reason(data)
	}
	return "reverted, or ran out of gas"
}
