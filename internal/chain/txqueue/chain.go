package txqueue

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/gas"
)

// head is a block, as far as the queue needs it.
type head struct {
	Number  uint64
	Hash    common.Hash
	BaseFee *big.Int
}

// latest asks for the newest block.
func (q *Queue) latest(ctx context.Context) (head, error) {
	h, err := q.block(ctx, "latest")
	if err == nil && h.BaseFee == nil {
		err = q.errf("newest block", errors.New("the chain has none, or no base fee (EIP-1559)"))
	}
	return h, err
}

// block asks for one block; one that does not exist has a zero hash.
func (q *Queue) block(ctx context.Context, which string) (head, error) {
	var b *struct {
		Number        hexutil.Uint64
		Hash          common.Hash
		BaseFeePerGas *hexutil.Big
	}
	if err := q.RPC.CallContext(ctx, &b, "eth_getBlockByNumber", which, false); err != nil {
		return head{}, q.errf("block "+which, err)
	}
	if b == nil {
		return head{}, nil
	}
	return head{Number: uint64(b.Number), Hash: b.Hash, BaseFee: (*big.Int)(b.BaseFeePerGas)}, nil
}

// follow looks whether the blocks that hold our transactions still stand, now that the chain has this head.
func (q *Queue) follow(ctx context.Context, now head) error {
	old := q.run.head
	standing, err := q.stands(ctx, old, now)
	if err != nil {
		return err
	}
	doubtful := slices.DeleteFunc(slices.Clone(q.run.fresh), func(t gas.Transaction) bool { return t.Block > now.Number })
	if !standing { // a reorganisation, or the start of Run
		if doubtful, err = q.Store.MinedTransactions(ctx, q.Chain); err != nil {
			return err
		}
	}
	if err := q.verify(ctx, now, doubtful); err != nil {
		return err
	}
	if now.Hash == old.Hash {
		return nil
	}
	if now.Number > q.Finality {
		if err := q.Store.Finalise(ctx, q.Chain, now.Number-q.Finality); err != nil {
			return err
		}
	}
	q.run.head = now
	return nil
}

// stands reports whether an earlier head is still part of the chain, now that there is another. Under a lower head it is
// not, even if a node in the middle of a reorganisation still finds it by its number.
func (q *Queue) stands(ctx context.Context, old, now head) (bool, error) {
	if old.Hash == (common.Hash{}) || now.Number < old.Number {
		return false, nil
	}
	return q.holds(ctx, now, old.Number, old.Hash)
}

// holds reports whether the chain with this head has that block at that number.
func (q *Queue) holds(ctx context.Context, now head, number uint64, hash common.Hash) (bool, error) {
	if number >= now.Number {
		return number == now.Number && hash == now.Hash, nil
	}
	at, err := q.block(ctx, hexutil.EncodeUint64(number))
	return at.Hash == hash, err
}

// verify asks anew for the receipts of mined transactions and takes those whose block vanished back to sent.
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
			q.Log.Warn("the block of a transaction has vanished", "transaction", t.ID, "hash", t.TxHash, "block", t.Block)
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

// lookAgain remembers a transaction whose block is not part of the chain with the head by which reorganisations are
// noticed. That may come with a later head; or the node is in the middle of a reorganisation, shows its new head already
// and still has receipts of the blocks that it leaves, which are gone a moment later.
func (q *Queue) lookAgain(ctx context.Context, now head, t gas.Transaction) error {
	q.remember(t) // until it is known to stand
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

// receipts asks for the receipts of all attempts at each transaction; nil where none is mined.
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

// collect notes which of the sent transactions are mined and returns the others.
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

// mined puts a transaction into its block.
func (q *Queue) mined(ctx context.Context, now head, t gas.Transaction, r *gas.Receipt) error {
	if !r.Succeeded {
		r.Reason = q.whyReverted(ctx, t, r.Block)
		q.Log.Warn("a transaction reverted", "transaction", t.ID, "hash", r.TxHash, "reason", r.Reason)
	}
	t.TxHash, t.Block, t.BlockHash = r.TxHash, r.Block, r.BlockHash
	q.remember(t) // even where the database fails: it may have noted the block all the same
	if err := q.Store.Mined(ctx, t.ID, *r, q.Clock.Now()); err != nil {
		return err
	}
	delete(q.run.broadcast, t.ID)
	delete(q.run.lost, t.ID)
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

// message is a transaction as eth_call and eth_estimateGas take it.
func (q *Queue) message(t gas.Transaction) map[string]any {
	m := map[string]any{"from": t.From, "to": t.To, "value": (*hexutil.Big)(t.Value.Big()), "data": hexutil.Bytes(t.Data)}
	if t.GasLimit > 0 {
		m["gas"] = hexutil.Uint64(t.GasLimit)
	}
	return m
}

// push broadcasts what has not been sent by this process, or not for long, and raises the fees of what waits too long.
func (q *Queue) push(ctx context.Context, now head, sent []gas.Transaction) error {
	var errs []error
	for _, t := range sent {
		newest := t.Attempts[len(t.Attempts)-1]
		if now.Number >= newest.AtBlock+q.BumpAfter && q.Clock.Now().Sub(t.UpdatedAt) >= q.BumpWait {
			bumped, err := q.bump(ctx, now, t, newest)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if bumped != nil {
				newest = *bumped
				delete(q.run.broadcast, t.ID)
			}
		}
		if last, ok := q.run.broadcast[t.ID]; !ok || q.Clock.Now().Sub(last) >= q.Rebroadcast {
			errs = append(errs, q.broadcast(ctx, t.ID, newest))
		}
	}
	return errors.Join(errs...)
}

// broadcast hands a signed transaction to the chain. Only an unreachable endpoint and a refusal that somebody has to look
// into are errors; the transaction is tried again either way.
func (q *Queue) broadcast(ctx context.Context, id string, a gas.Attempt) error {
	err := q.RPC.CallContext(ctx, nil, "eth_sendRawTransaction", hexutil.Bytes(a.Raw))
	var answer gethrpc.Error
	if err != nil && !errors.As(err, &answer) {
		return q.errf("broadcast", err)
	}
	q.run.broadcast[id] = q.Clock.Now()
	if err == nil {
		return nil
	}
	for _, harmless := range []string{
		"already known", "known transaction", "already imported", "ALREADY_EXISTS", // the pool has it
		"nonce too low",                       // it is mined, as its receipt will say
		"replacement transaction underpriced", // the pool has another attempt; a later bump exceeds it
	} {
		if strings.Contains(answer.Error(), harmless) {
			return nil
		}
	}
	return q.errf("transaction "+id+" was refused", err)
}

// bump signs a transaction anew with higher fees; nil when that is not possible now.
func (q *Queue) bump(ctx context.Context, now head, t gas.Transaction, newest gas.Attempt) (*gas.Attempt, error) {
	used, err := q.transactionCount(ctx, t.From)
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
	// Nodes ask for at least 10 % more on both.
	feeCap, tipCap = higher(feeCap, raised(newest.FeeCap.Big())), higher(tipCap, raised(newest.TipCap.Big()))
	if feeCap.Cmp(q.MaxFee.Big()) > 0 {
		q.Log.Warn("a transaction waits, but its fee is at the limit", "transaction", t.ID, "hash", newest.Hash)
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
	q.Log.Info("a transaction got a higher fee", "transaction", t.ID, "hash", a.Hash, "fee", a.FeeCap)
	q.changed()
	return &a, nil
}

// suspectLost handles a transaction whose nonce is used although it is not mined: somebody uses the wallet's key beside
// us. After a while it counts as failed; it is never sent under another nonce, which could make two of it.
func (q *Queue) suspectLost(ctx context.Context, now head, t gas.Transaction) error {
	since, ok := q.run.lost[t.ID]
	if !ok {
		q.run.lost[t.ID] = now.Number
		return nil
	}
	if now.Number < since+q.Finality {
		return nil
	}
	q.Log.Error("a wallet's nonce was used by somebody else", "transaction", t.ID, "wallet", t.From, "nonce", t.Nonce)
	delete(q.run.lost, t.ID)
	q.changed()
	return q.Store.Abandon(ctx, t.ID, "its nonce was used by a transaction from elsewhere", q.Clock.Now())
}

func raised(fee *big.Int) *big.Int {
	more := new(big.Int).Add(fee, new(big.Int).Rsh(fee, 3))
	return more.Add(more, common.Big1)
}

func higher(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// sign signs pending transactions, oldest first, as far as their wallets have room, and broadcasts them.
func (q *Queue) sign(ctx context.Context, now head, sent, pending []gas.Transaction) error {
	var errs []error
	inFlight, counts := map[eth.Address]int{}, map[eth.Address]uint64{}
	for _, t := range sent {
		inFlight[t.From]++
	}
	blocked := map[eth.Address]bool{}
	for _, t := range pending {
		if blocked[t.From] || inFlight[t.From] >= q.MaxInFlight {
			continue
		}
		if _, ok := counts[t.From]; !ok {
			n, err := q.transactionCount(ctx, t.From)
			if err != nil {
				return errors.Join(append(errs, err)...)
			}
			counts[t.From] = n
		}
		signed, err := q.signOne(ctx, now, t, counts[t.From], inFlight[t.From])
		if err != nil {
			errs = append(errs, err)
			blocked[t.From] = true // its later transactions must not overtake
		}
		if signed {
			inFlight[t.From]++
		}
	}
	return errors.Join(errs...)
}

// signOne signs and broadcasts one pending transaction; it reports whether it is sent now.
func (q *Queue) signOne(ctx context.Context, now head, t gas.Transaction, used uint64, inFlight int) (bool, error) {
	abandon := func(reason string) error {
		q.Log.Warn("a transaction will not be sent", "transaction", t.ID, "reason", reason)
		defer q.changed()
		return q.Store.Abandon(ctx, t.ID, reason, q.Clock.Now())
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

// nextNonce returns the nonce for a wallet's next transaction, given how many the chain has used and how many
// transactions are on their way.
func (q *Queue) nextNonce(ctx context.Context, from eth.Address, used uint64, inFlight int) (uint64, error) {
	next, err := q.Store.NextNonce(ctx, q.Chain, from)
	if err != nil {
		return 0, err
	}
	if used > next { // somebody sent with this key, or the database is new
		if err := q.Store.RaiseNonce(ctx, q.Chain, from, used); err != nil {
			return 0, err
		}
		return used, nil
	}
	if used+uint64(inFlight) < next {
		// A transaction with this nonce would wait for others that nobody sends.
		return 0, q.errf("wallet "+from.Checksum(), errors.New("the chain knows fewer transactions than were mined; is the endpoint behind, or the chain another one?"))
	}
	return next, nil
}

func (q *Queue) transactionCount(ctx context.Context, of eth.Address) (uint64, error) {
	var n hexutil.Uint64
	if err := q.RPC.CallContext(ctx, &n, "eth_getTransactionCount", of, "latest"); err != nil {
		return 0, q.errf("transaction count", err)
	}
	return uint64(n), nil
}

// fees returns what to offer for a unit of gas, in wei: twice the base fee, which lets it rise for several blocks, and
// the tip that the node suggests.
func (q *Queue) fees(ctx context.Context, now head) (feeCap, tipCap *big.Int, err error) {
	var tip hexutil.Big
	if err := q.RPC.CallContext(ctx, &tip, "eth_maxPriorityFeePerGas"); err != nil {
		return nil, nil, q.errf("tip", err)
	}
	tipCap = higher((*big.Int)(&tip), common.Big1)
	feeCap = new(big.Int).Lsh(now.BaseFee, 1)
	feeCap.Add(feeCap, tipCap)
	if limit := q.MaxFee.Big(); feeCap.Cmp(limit) > 0 {
		return nil, nil, q.errf("fees", errors.New("gas costs more than the limit; transactions wait until it is cheaper"))
	}
	return feeCap, tipCap, nil
}

// attempt signs one form of a transaction.
func (q *Queue) attempt(ctx context.Context, now head, t gas.Transaction, nonce, limit uint64, feeCap, tipCap *big.Int) (a gas.Attempt, err error) {
	wallet, ok := q.wallets[t.From]
	if !ok {
		return a, q.errf("signing transaction "+t.ID, errors.New("there is no key for the wallet "+t.From.Checksum()))
	}
	to := common.Address(t.To)
	chain := new(big.Int).SetUint64(uint64(q.Chain))
	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, GasTipCap: tipCap, GasFeeCap: feeCap, Gas: limit, To: &to, Value: t.Value.Big(), Data: t.Data,
	})
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
