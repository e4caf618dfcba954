package deploy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
)

// Sender sends what is missing from one wallet, one transaction after the other. Nobody else should send from the wallet meanwhile; if
// somebody does, what is missing is looked up again.
type Sender struct {
	RPC    Caller
	Wallet txqueue.Wallet
	// MaxFee is the most that is offered for a unit of gas, in wei; nil for any price.
	MaxFee *big.Int
	// Poll is how often a receipt is looked for, and Patience after how long a transaction is offered more.
	Poll, Patience time.Duration
	// Confirm is asked once, before anything is sent; it may be nil.
	Confirm func(Plan, []Step) error
	// Sent is told of each transaction that is mined; it may be nil.
	Sent func(Step, Receipt)
}

// Receipt is what came of a transaction.
type Receipt struct {
	Hash    eth.Hash
	Block   uint64
	GasUsed uint64
}

// errTaken means that another transaction has the nonce: what is missing must be looked up again.
var errTaken = errors.New("another transaction of the wallet was mined instead")

// rounds is how often what is missing is looked up without getting less. Steps can follow from others: who offers a contract can take it
// over then.
const rounds = 8

// Apply sends all that the wallet can send, and returns the plan of what is missing then: what others must send. It fails, without having
// sent anything, if the plan has problems or the wallet cannot pay for all of it.
func (s Sender) Apply(ctx context.Context, w Wanted) (Plan, error) {
	sent, fewest := 0, math.MaxInt
	for round := 0; round < rounds; round++ {
		plan, err := MakePlan(ctx, s.RPC, w, s.Wallet.Address())
		if err != nil {
			return plan, err
		}
		if len(plan.Problems) > 0 {
			return plan, fmt.Errorf("nothing is sent before this is solved:\n  - %s", strings.Join(plan.Problems, "\n  - "))
		}
		steps := plan.For(s.Wallet.Address())
		if len(steps) == 0 {
			return plan, nil
		}
		if len(steps) < fewest {
			fewest, round = len(steps), 0
		}
		if err := s.affords(ctx, plan, steps); err != nil {
			return plan, err
		}
		if sent == 0 && s.Confirm != nil {
			if err := s.Confirm(plan, steps); err != nil {
				return plan, err
			}
		}
		for _, step := range steps {
			r, err := s.send(ctx, w, step)
			if errors.Is(err, errTaken) {
				break
			}
			if err != nil {
				return plan, fmt.Errorf("%s: %w", step.Title, err)
			}
			if sent++; s.Sent != nil {
				s.Sent(step, r)
			}
		}
	}
	return Plan{}, errors.New("what is missing comes up again and again: does somebody else change the contracts, or send from the wallet?")
}

// affords fails if the wallet cannot pay for the steps.
func (s Sender) affords(ctx context.Context, plan Plan, steps []Step) error {
	var balance eth.Quantity
	if err := s.RPC.CallContext(ctx, &balance, "eth_getBalance", s.Wallet.Address(), "latest"); err != nil {
		return err
	}
	_, fees, values := plan.Cost(steps)
	need := new(big.Int).Add(fees, values)
	need.Add(need, new(big.Int).Rsh(fees, 2)) // what is estimated can be too little
	if lacks := need.Sub(need, balance.Big()); lacks.Sign() > 0 {
		return fmt.Errorf("the wallet %s has %s, and needs about %s more for %d transactions: send it to the wallet, and start again",
			s.Wallet.Address().Checksum(), Ether(balance.Big()), Ether(lacks), len(steps))
	}
	return nil
}

// Ether formats wei in units of the chain's own currency, with the first six decimals that matter.
func Ether(wei *big.Int) string {
	f := new(big.Float).Quo(new(big.Float).SetInt(wei), big.NewFloat(1e18))
	return f.Text('g', 6)
}

// attempt is a signed form of a step's transaction.
type attempt struct {
	hash   eth.Hash
	feeCap *big.Int
	tipCap *big.Int
}

// send sends a step and waits until it is mined.
func (s Sender) send(ctx context.Context, w Wanted, step Step) (Receipt, error) {
	if len(step.Raw) > 0 {
		return s.sendRaw(ctx, step)
	}
	to, value, data, err := transactionOf(step.Calls)
	if err != nil {
		return Receipt{}, err
	}
	limit, err := s.estimate(ctx, to, value, data)
	if data, reverted := txqueue.RevertData(err); reverted {
		if step.creates != nil {
			if made, err := s.hasCode(ctx, step.creates.Address); err != nil || made {
				return Receipt{}, errors.Join(err, errTaken) // somebody else has created it
			}
		}
		return Receipt{}, fmt.Errorf("it would fail: %s", txqueue.Reason(data))
	}
	if err != nil {
		return Receipt{}, err
	}
	nonce, err := s.nonce(ctx)
	if err != nil {
		return Receipt{}, err
	}
	feeCap, tipCap, err := s.fees(ctx)
	if err != nil {
		return Receipt{}, err
	}
	build := func(feeCap, tipCap *big.Int) types.TxData {
		if tipCap == nil { // a chain without EIP-1559
			return &types.LegacyTx{Nonce: nonce, GasPrice: feeCap, Gas: limit, To: to, Value: value, Data: data}
		}
		return &types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(uint64(w.Chain)), Nonce: nonce, GasFeeCap: feeCap, GasTipCap: tipCap, Gas: limit, To: to, Value: value,
			Data: data,
		}
	}
	return s.mine(ctx, w, step, nonce, build, feeCap, tipCap)
}

// mine sends a transaction, raises its fees while it is not mined, and returns its receipt.
func (s Sender) mine(
	ctx context.Context, w Wanted, step Step, nonce uint64, build func(feeCap, tipCap *big.Int) types.TxData, feeCap, tipCap *big.Int,
) (Receipt, error) {
	var hashes []eth.Hash
	for {
		hash, raw, err := s.sign(ctx, w, types.NewTx(build(feeCap, tipCap)))
		if err != nil {
			return Receipt{}, err
		}
		var known eth.Hash
		err = s.RPC.CallContext(ctx, &known, "eth_sendRawTransaction", raw)
		wait := s.Patience
		switch refusal := classify(err); {
		case err == nil || refusal == txqueue.RefusedKnown:
			hashes = append(hashes, hash)
		case refusal == txqueue.RefusedNonce:
			wait = 0 // an earlier attempt is mined, or another transaction
		case refusal == txqueue.RefusedUnderpriced:
			wait = s.Poll
		default:
			return Receipt{}, err
		}
		r, err := s.receipt(ctx, step, nonce, hashes, wait)
		if err == nil || !errors.Is(err, errWaits) {
			return r, err
		}
		if feeCap, tipCap, err = s.raise(ctx, feeCap, tipCap); err != nil {
			return Receipt{}, err
		}
	}
}

// errWaits means that a transaction is not mined yet.
var errWaits = errors.New("not mined yet")

// receipt waits for the receipt of one of the attempts.
func (s Sender) receipt(ctx context.Context, step Step, nonce uint64, hashes []eth.Hash, wait time.Duration) (Receipt, error) {
	deadline, taken := time.Now().Add(wait), 0
	for {
		for _, hash := range hashes {
			r, status, err := s.find(ctx, hash)
			if err != nil {
				return r, err
			}
			if r.Block == 0 {
				continue
			}
			if status == 0 {
				return r, fmt.Errorf("transaction %s failed", hash)
			}
			if step.creates != nil {
				if made, err := s.hasCode(ctx, step.creates.Address); err != nil || !made {
					return r, errors.Join(err, fmt.Errorf("transaction %s has not created %s", hash, step.creates.Address.Checksum()))
				}
			}
			return r, nil
		}
		var count eth.Quantity
		if err := s.RPC.CallContext(ctx, &count, "eth_getTransactionCount", s.Wallet.Address(), "latest"); err != nil {
			return Receipt{}, err
		}
		if n, _ := count.Uint64(); n > nonce {
			if taken++; taken > 3 { // receipts can be later than the count
				return Receipt{}, errTaken
			}
		} else if !time.Now().Before(deadline) {
			return Receipt{}, errWaits
		}
		select {
		case <-ctx.Done():
			return Receipt{}, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// find returns the receipt of a transaction whose block is the head or below it; the zero Receipt if there is none.
func (s Sender) find(ctx context.Context, hash eth.Hash) (r Receipt, status uint64, err error) {
	var answer *struct {
		Status      eth.Quantity `json:"status"`
		BlockNumber eth.Quantity `json:"blockNumber"`
		GasUsed     eth.Quantity `json:"gasUsed"`
	}
	if err := s.RPC.CallContext(ctx, &answer, "eth_getTransactionReceipt", hash); err != nil || answer == nil {
		return r, 0, err
	}
	var head eth.Quantity
	if err := s.RPC.CallContext(ctx, &head, "eth_blockNumber"); err != nil {
		return r, 0, err
	}
	if head.Big().Cmp(answer.BlockNumber.Big()) < 0 {
		return r, 0, nil // reads would still be of the block before
	}
	r.Hash = hash
	r.Block, _ = answer.BlockNumber.Uint64()
	r.GasUsed, _ = answer.GasUsed.Uint64()
	status, _ = answer.Status.Uint64()
	return r, status, nil
}

func (s Sender) hasCode(ctx context.Context, a eth.Address) (bool, error) {
	var code eth.Bytes
	err := s.RPC.CallContext(ctx, &code, "eth_getCode", a, "latest")
	return len(code) > 0, err
}

// estimate returns the limit of gas of a transaction.
func (s Sender) estimate(ctx context.Context, to *common.Address, value *big.Int, data []byte) (uint64, error) {
	m := map[string]any{"from": s.Wallet.Address(), "data": eth.Bytes(data)}
	if to != nil {
		m["to"] = to
	}
	if value != nil {
		m["value"] = quantity(value)
	}
	var gas eth.Quantity
	if err := s.RPC.CallContext(ctx, &gas, "eth_estimateGas", m); err != nil {
		return 0, err
	}
	n, ok := gas.Uint64()
	if !ok {
		return 0, fmt.Errorf("the endpoint estimates %s gas", gas.Big())
	}
	return n + n/4, nil
}

// nonce returns the wallet's next nonce. Transactions that wait, such as of a run that was interrupted, are waited for; those that are not
// mined then are replaced.
func (s Sender) nonce(ctx context.Context) (uint64, error) {
	deadline := time.Now().Add(s.Patience)
	for {
		var counts [2]eth.Quantity
		for i, block := range []string{"latest", "pending"} {
			if err := s.RPC.CallContext(ctx, &counts[i], "eth_getTransactionCount", s.Wallet.Address(), block); err != nil {
				return 0, err
			}
		}
		latest, ok := counts[0].Uint64()
		if !ok {
			return 0, fmt.Errorf("the endpoint counts %s transactions", counts[0].Big())
		}
		if pending, _ := counts[1].Uint64(); pending <= latest || !time.Now().Before(deadline) {
			return latest, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// sign signs a transaction.
func (s Sender) sign(ctx context.Context, w Wanted, tx *types.Transaction) (hash eth.Hash, raw eth.Bytes, err error) {
	scheme := types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(w.Chain)))
	signature, err := s.Wallet.SignHash(ctx, eth.Hash(scheme.Hash(tx)))
	if err != nil {
		return hash, nil, err
	}
	if tx, err = tx.WithSignature(scheme, signature); err != nil {
		return hash, nil, err
	}
	raw, err = tx.MarshalBinary()
	return eth.Hash(tx.Hash()), raw, err
}

// sendRaw sends a transaction that is signed already. Chains that take only transactions for one chain (EIP-155) refuse it.
func (s Sender) sendRaw(ctx context.Context, step Step) (Receipt, error) {
	var hash eth.Hash
	err := s.RPC.CallContext(ctx, &hash, "eth_sendRawTransaction", step.Raw)
	if err != nil && classify(err) != txqueue.RefusedKnown {
		return Receipt{}, fmt.Errorf("%w: if the chain refuses transactions without a chain id (EIP-155), ask its operators for the "+
			"deterministic deployment proxy at %s", err, contracts.Deployer.Checksum())
	}
	hash = eth.Keccak256(step.Raw)
	for {
		r, status, err := s.find(ctx, hash)
		switch {
		case err != nil:
			return r, err
		case r.Block > 0 && status == 0:
			return r, fmt.Errorf("transaction %s failed", hash)
		case r.Block > 0:
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// classify returns the kind of a node's refusal of a transaction.
func classify(err error) txqueue.Refusal {
	if err == nil {
		return txqueue.RefusedOther
	}
	return txqueue.Classify(err.Error())
}

// transactionOf returns the transaction that makes the calls: several are made by the constructor of a contract without code.
func transactionOf(calls []Call) (to *common.Address, value *big.Int, data []byte, err error) {
	if len(calls) == 1 {
		target := common.Address(calls[0].To)
		return &target, calls[0].Value, calls[0].Data, nil
	}
	var targets []common.Address
	var inputs [][]byte
	for _, c := range calls {
		targets, inputs = append(targets, common.Address(c.To)), append(inputs, c.Data)
	}
	built, err := contracts.Artifact("Calls")
	if err != nil {
		return nil, nil, nil, err
	}
	data, err = built.InitCode(targets, inputs)
	return nil, nil, data, err
}
