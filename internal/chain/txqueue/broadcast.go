package txqueue

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/portal/gas"
)

// push broadcasts transactions that this process has not sent recently, and raises the fees of those that wait too
// long.
func (q *Queue) push(ctx context.Context, now head, sent []gas.Transaction) error {
	var errs []error
	for _, t := range sent {
		newest := t.Attempts[len(t.Attempts)-1]
		waited := now.Number >= newest.AtBlock+q.BumpAfter && q.Clock.Now().Sub(t.UpdatedAt) >= q.BumpWait
		if waited || q.run.underpriced[t.ID] {
			bumped, err := q.bump(ctx, now, t, newest)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if bumped != nil {
				newest = *bumped
				delete(q.run.broadcast, t.ID)
				delete(q.run.underpriced, t.ID)
			}
		}
		if last, ok := q.run.broadcast[t.ID]; ok && q.Clock.Now().Sub(last.at) < q.Rebroadcast {
			errs = append(errs, last.refused)
			continue
		}
		errs = append(errs, q.broadcast(ctx, t.ID, newest))
	}
	return errors.Join(errs...)
}

// broadcast sends a signed transaction to the chain. Only an unreachable endpoint and a rejection that needs attention
// are errors; the transaction is retried either way.
func (q *Queue) broadcast(ctx context.Context, id string, a gas.Attempt) error {
	err := q.RPC.CallContext(ctx, nil, "eth_sendRawTransaction", hexutil.Bytes(a.Raw))
	var answer gethrpc.Error
	if err != nil && !errors.As(err, &answer) {
		return q.errf("broadcast", err)
	}
	kind := RefusedKnown
	if err != nil {
		kind = Classify(answer.Error())
	}
	if kind == RefusedKnown || kind == RefusedNonce {
		q.run.broadcast[id] = broadcast{at: q.Clock.Now()}
		return nil
	}
	err = q.errf("transaction "+id+" was refused", err)
	q.run.broadcast[id] = broadcast{q.Clock.Now(), err}
	if kind == RefusedUnderpriced {
		q.raiseTip(id, a, leastTip(answer.Error()))
	}
	return err
}

// raiseTip lets transactions tip what the node needs, from the next round on; twice as much as the refused attempt if the
// node does not say.
func (q *Queue) raiseTip(id string, a gas.Attempt, needed *big.Int) {
	if needed == nil {
		needed = new(big.Int).Lsh(a.TipCap.Big(), 1)
	}
	if needed.Cmp(a.TipCap.Big()) <= 0 || needed.Cmp(q.MaxFee.Big()) > 0 {
		return
	}
	q.run.leastTip = higher(q.run.leastTip, needed)
	q.run.underpriced[id] = true
	q.Wake()
}

// bump signs a transaction again with higher fees; nil if that is not possible now.
func (q *Queue) bump(ctx context.Context, now head, t gas.Transaction, newest gas.Attempt) (*gas.Attempt, error) {
	used, err := q.transactionCount(ctx, t.From, "latest")
	if err != nil {
		return nil, err
	}
	if used > t.Nonce {
		return nil, q.suspectLost(ctx, now, t)
	}
	feeCap, tipCap, err := q.fees(ctx, now)
	if err != nil {
		return nil, err
	}
	// Nodes require at least 10 % more on both.
	feeCap, tipCap = higher(feeCap, raised(newest.FeeCap.Big())), higher(tipCap, raised(newest.TipCap.Big()))
	if feeCap.Cmp(q.MaxFee.Big()) > 0 {
		q.Log.Warn("transaction stuck, its fee is at the limit", "transaction", t.ID, "hash", newest.Hash)
		return nil, nil
	}
	var signed types.Transaction
	if err := signed.UnmarshalBinary(newest.Raw); err != nil {
		return nil, q.errf("reading transaction "+t.ID, err)
	}
	a, err := q.attempt(ctx, now, t, t.Nonce, signed.Gas(), feeCap, tipCap)
	if err != nil {
		return nil, err
	}
	if err := q.Store.Resigned(ctx, t.ID, a, q.Clock.Now()); err != nil {
		return nil, err
	}
	q.Log.Info("transaction replaced with a higher fee", "transaction", t.ID, "hash", a.Hash, "fee", a.FeeCap)
	q.changed()
	return &a, nil
}

// suspectLost handles a transaction whose nonce is used although it is not mined: something else uses the wallet's key.
// After a while it counts as failed; it is never sent with another nonce, because then both could be mined.
func (q *Queue) suspectLost(ctx context.Context, now head, t gas.Transaction) error {
	since, ok := q.run.lost[t.ID]
	if !ok {
		q.run.lost[t.ID] = now.Number
		return nil
	}
	if now.Number < since+q.Finality {
		return nil
	}
	if known, err := q.usedByItself(ctx, now, t, since+q.Finality); known || err != nil {
		return err
	}
	q.Log.Error("nonce used by a foreign transaction", "transaction", t.ID, "wallet", t.From, "nonce", t.Nonce)
	delete(q.run.lost, t.ID)
	q.changed()
	return q.Store.Abandon(ctx, t.ID, "its nonce was used by a foreign transaction", q.Clock.Now())
}
