package txqueue

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/gas"
)

// message is a transaction in the form of eth_call and eth_estimateGas.
func (q *Queue) message(t gas.Transaction) map[string]any {
	m := map[string]any{"from": t.From, "to": t.To, "value": (*hexutil.Big)(t.Value.Big()), "data": hexutil.Bytes(t.Data)}
	if t.GasLimit > 0 {
		m["gas"] = hexutil.Uint64(t.GasLimit)
	}
	return m
}

// sign signs pending transactions, oldest first, up to their wallets' limits, and broadcasts them.
func (q *Queue) sign(ctx context.Context, now head, sent, pending []gas.Transaction) error {
	var errs []error
	inFlight := map[eth.Address]int{}
	for _, t := range sent {
		inFlight[t.From]++
	}
	if len(pending) == 0 {
		return nil
	}
	var senders []eth.Address
	for _, t := range pending {
		if _, ok := q.wallets[t.From]; ok {
			senders = append(senders, t.From)
		}
	}
	counts, waits, err := q.fence(ctx, senders)
	if counts == nil {
		return err
	}
	errs = append(errs, err)
	blocked := map[eth.Address]bool{}
	for _, t := range pending {
		if blocked[t.From] || inFlight[t.From] >= q.MaxInFlight || waits(t) {
			continue
		}
		signed, err := q.signOne(ctx, now, t, counts[t.From], inFlight[t.From])
		if err != nil {
			errs = append(errs, err)
			blocked[t.From] = true // its later transactions must not overtake it
		}
		if signed {
			inFlight[t.From]++
		}
	}
	return errors.Join(errs...)
}

// signOne signs and broadcasts one pending transaction; it reports whether it was sent.
func (q *Queue) signOne(ctx context.Context, now head, t gas.Transaction, used uint64, inFlight int) (bool, error) {
	ctx, span := trace.Follow(ctx, t.Trace, "send transaction")
	defer span.End()
	abandon := func(reason string) error {
		q.Log.Warn("transaction abandoned", "transaction", t.ID, "reason", reason)
		defer q.changed()
		return q.Store.Abandon(ctx, t.ID, reason, q.Clock.Now())
	}
	if adopted, err := q.adopt(ctx, now, t); adopted || err != nil {
		return false, err
	}
	if _, ok := q.wallets[t.From]; !ok {
		return false, abandon("there is no key for the wallet " + t.From.Checksum())
	}
	limit := t.GasLimit
	if limit == 0 {
		var estimate hexutil.Uint64
		err := q.RPC.CallContext(ctx, &estimate, "eth_estimateGas", q.message(t))
		if data, reverted := RevertData(err); reverted {
			return false, abandon(Reason(data))
		}
		if err != nil {
			return false, q.errf("estimating transaction "+t.ID, err)
		}
		limit = uint64(estimate) + uint64(estimate)/5 // the state may change until it is mined
	}
	nonce, err := q.nextNonce(ctx, t.From, used, inFlight)
	if err != nil {
		return false, err
	}
	feeCap, tipCap, err := q.fees(ctx, now)
	if err != nil {
		return false, err
	}
	a, err := q.attempt(ctx, now, t, nonce, limit, feeCap, tipCap)
	if err != nil {
		return false, err
	}
	if err := q.Store.Signed(ctx, t.ID, nonce, a, q.Clock.Now()); err != nil {
		if fault.Is(err, fault.Conflict) {
			return false, nil // another process has it
		}
		return false, err
	}
	q.changed()
	return true, q.broadcast(ctx, t.ID, a)
}

// attempt signs one form of a transaction.
func (q *Queue) attempt(ctx context.Context, now head, t gas.Transaction, nonce, limit uint64,
	feeCap, tipCap *big.Int) (a gas.Attempt, err error) {
	wallet, ok := q.wallets[t.From]
	if !ok {
		return a, q.errf("signing transaction "+t.ID, errors.New("there is no key for the wallet "+t.From.Checksum()))
	}
	to := common.Address(t.To)
	chain := new(big.Int).SetUint64(uint64(q.Chain))
	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, GasTipCap: tipCap, GasFeeCap: feeCap, Gas: limit, To: &to, Value: t.Value.Big(), Data: t.Data,
	})
	if now.BaseFee == nil { // a chain without EIP-1559
		tx = types.NewTx(&types.LegacyTx{Nonce: nonce, GasPrice: feeCap, Gas: limit, To: &to, Value: t.Value.Big(), Data: t.Data})
	}
	scheme := types.LatestSignerForChainID(chain)
	signature, err := wallet.SignHash(ctx, eth.Hash(scheme.Hash(tx)))
	if err != nil {
		return a, q.errf("signing transaction "+t.ID, err)
	}
	if tx, err = tx.WithSignature(scheme, signature); err != nil {
		return a, q.errf("signing transaction "+t.ID, err)
	}
	a = gas.Attempt{Hash: eth.Hash(tx.Hash()), AtBlock: now.Number}
	if a.Raw, err = tx.MarshalBinary(); err != nil {
		return a, err
	}
	if a.FeeCap, err = money.FromBig(feeCap); err != nil {
		return a, err
	}
	a.TipCap, err = money.FromBig(tipCap)
	return a, err
}
