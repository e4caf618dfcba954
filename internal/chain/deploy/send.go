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
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
)

// Sender sends what is missing from one wallet, one transaction after the other. Nobody else should send from the wallet meanwhile; if
// somebody does, what is missing is looked up again.
type Sender struct {
	RPC    Caller
	Wallet txqueue.Wallet
	// MaxFee is the most that is offered for a unit of gas, in wei; see DefaultMaxFee.
	MaxFee *big.Int
	// Budget is the most that may be spent in all, in wei: what an operator was shown, and something more. The chain's prices are the
	// endpoint's word.
	Budget *big.Int
	// Poll is how often a receipt is looked for, and Patience after how long a transaction is offered more.
	Poll, Patience time.Duration
	// Sent is called for each mined transaction; it may be nil.
	Sent func(Step, Receipt)
}

// DefaultMaxFee returns the most to offer for a unit of gas where an operator has seen its price: five times as much.
func DefaultMaxFee(price *big.Int) *big.Int {
	fee := new(big.Int).Mul(price, big.NewInt(5))
	return fee.Add(fee, big.NewInt(1_000_000_000)) // where gas costs nothing it may cost something tomorrow
}

// Receipt is what came of a transaction.
type Receipt struct {
	Hash    eth.Hash
	Block   uint64
	GasUsed uint64
}

// errTaken means that another transaction has the nonce, or another has created the contract: what is missing must be looked up again.
var errTaken = errors.New("something else was mined instead")

// rounds is how often what is missing is looked up without getting less. Steps can follow from others: who offers a contract can take it
// over then.
const rounds = 8

// Apply sends all that the wallet can send, and returns the plan of what is missing then: what others must send. It fails, without having
// sent anything, if the plan has problems or the wallet cannot pay for all of it.
//
// The next nonce is that of the plan's block. A transaction of an interrupted run is then either in that block or before it, and what it
// did is no longer missing, or it is replaced: nothing is paid twice.
func (s Sender) Apply(ctx context.Context, w Wanted) (Plan, error) {
	fewest, seen, spent := math.MaxInt, uint64(0), new(big.Int)
	for round := 0; round < rounds; round++ {
		if err := s.settle(ctx, seen); err != nil {
			return Plan{}, err
		}
		plan, err := s.plan(ctx, w, seen)
		if err != nil {
			return plan, err
		}
		nonce := plan.nonce
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
		if err := s.Affords(ctx, plan, steps); err != nil {
			return plan, err
		}
		for i, step := range steps {
			if i > 0 && step.Value != nil {
				break // balances are looked up again before each payment: somebody else may have paid
			}
			if step.Value != nil {
				if spent.Add(spent, step.Value); s.Budget != nil && spent.Cmp(s.Budget) > 0 {
					return plan, fmt.Errorf("%s: it would cost more than was agreed, as gas has become dearer: start again", step.Title)
				}
			}
			r, err := s.send(ctx, w, step, nonce)
			if errors.Is(err, errTaken) {
				break
			}
			if err != nil {
				return plan, fmt.Errorf("%s: %w", step.Title, err)
			}
			if len(step.Raw) == 0 {
				nonce++
			}
			if seen = max(seen, r.Block); s.Sent != nil {
				s.Sent(step, r)
			}
		}
	}
	return Plan{}, errors.New("what is missing comes up again and again: does somebody else change the contracts, or send from the wallet?")
}

// plan makes a plan as of a block that was seen, once the endpoint's nodes have it.
func (s Sender) plan(ctx context.Context, w Wanted, seen uint64) (plan Plan, err error) {
	for range retries {
		if plan, err = makePlan(ctx, s.RPC, w, s.Wallet.Address(), seen); err == nil || seen == 0 || errors.Is(err, rpc.ErrUnreachable) {
			return plan, err
		}
		select {
		case <-ctx.Done():
			return plan, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
	return plan, err
}

// Affords fails if the wallet cannot pay for the steps: for all of them at today's price, and for each as nodes ask for it.
func (s Sender) Affords(ctx context.Context, plan Plan, steps []Step) error {
	var balance eth.Quantity
	if err := s.RPC.CallContext(ctx, &balance, "eth_getBalance", s.Wallet.Address(), "latest"); err != nil {
		return err
	}
	_, fees, values := plan.Cost(steps)
	need := new(big.Int).Add(fees, values)
	need.Add(need, new(big.Int).Rsh(fees, 2)) // what is estimated can be too little
	for _, step := range steps {
		most := new(big.Int).Mul(plan.Price, new(big.Int).SetUint64(3*step.Gas)) // the limit, at the most that is offered
		if step.Value != nil {
			most.Add(most, step.Value)
		}
		if most.Cmp(need) > 0 {
			need = most
		}
	}
	if lacks := need.Sub(need, balance.Big()); lacks.Sign() > 0 {
		return fmt.Errorf("the wallet %s has %s, and needs about %s more for %d transactions: send it to the wallet, and start again",
			s.Wallet.Address().Checksum(), Ether(balance.Big()), Ether(lacks), len(steps))
	}
	return nil
}

// Ether formats wei in units of the chain's own currency, with the first six digits that matter.
func Ether(wei *big.Int) string {
	f := new(big.Float).Quo(new(big.Float).SetInt(wei), big.NewFloat(1e18))
	return f.Text('g', 6)
}

// send sends a step and waits until it is mined.
func (s Sender) send(ctx context.Context, w Wanted, step Step, nonce uint64) (Receipt, error) {
	if len(step.Raw) > 0 {
		return s.sendRaw(ctx, step)
	}
	to := common.Address(step.To)
	limit, err := s.estimate(ctx, step.Call)
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
	feeCap, tipCap, err := s.fees(ctx)
	if err != nil {
		return Receipt{}, err
	}
	build := func(feeCap, tipCap *big.Int) types.TxData {
		if tipCap == nil { // a chain without EIP-1559
			return &types.LegacyTx{Nonce: nonce, GasPrice: feeCap, Gas: limit, To: &to, Value: step.Value, Data: step.Data}
		}
		return &types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(uint64(w.Chain)), Nonce: nonce, GasFeeCap: feeCap, GasTipCap: tipCap, Gas: limit, To: &to,
			Value: step.Value, Data: step.Data,
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
		case errors.Is(err, rpc.ErrUnreachable): // it may have got through
			hashes = append(hashes, hash)
		case err == nil || refusal == txqueue.RefusedKnown:
			hashes = append(hashes, hash)
		case refusal == txqueue.RefusedNonce: // an earlier attempt is mined, or another transaction
		case refusal == txqueue.RefusedUnderpriced && feeCap.Cmp(s.MaxFee) >= 0:
			return Receipt{}, fmt.Errorf("the node takes more than %s gwei for a unit of gas: start again with a higher --max-fee: %w",
				gwei(feeCap), err)
		case refusal == txqueue.RefusedUnderpriced:
			wait = s.Poll
		case strings.Contains(strings.ToLower(err.Error()), "insufficient funds"):
			return Receipt{}, fmt.Errorf("the wallet %s cannot pay for it: send money to the wallet, and start again", s.Wallet.Address().Checksum())
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

// retries is how often a receipt is asked for when another transaction seems to have the nonce, or the endpoint does not answer: endpoints
// with several nodes behind them tell a receipt later than the count.
const retries = 30

// receipt waits for the receipt of one of the attempts.
func (s Sender) receipt(ctx context.Context, step Step, nonce uint64, hashes []eth.Hash, wait time.Duration) (Receipt, error) {
	deadline, taken, failed := time.Now().Add(wait), 0, 0
	for {
		r, isTaken, err := s.look(ctx, step, nonce, hashes)
		switch {
		case err == nil && r.Block > 0:
			return r, nil
		case err != nil && errors.Is(err, rpc.ErrUnreachable):
			if failed++; failed > retries {
				return r, fmt.Errorf("it was sent, but the endpoint does not tell what became of it: start again: %w", err)
			}
		case err != nil:
			return r, err
		case isTaken:
			if taken++; taken > retries {
				return r, errTaken
			}
		case !time.Now().Before(deadline):
			return r, errWaits
		}
		select {
		case <-ctx.Done():
			return Receipt{}, ctx.Err()
		case <-time.After(s.Poll):
		}
	}
}

// look looks for the receipt of one of the attempts once; isTaken means that there is none, although the nonce is used.
func (s Sender) look(ctx context.Context, step Step, nonce uint64, hashes []eth.Hash) (_ Receipt, isTaken bool, err error) {
	for _, hash := range hashes {
		r, status, err := s.find(ctx, hash)
		if err != nil || r.Block == 0 {
			if err != nil {
				return Receipt{}, false, err
			}
			continue
		}
		made := step.creates == nil
		if !made {
			if made, err = s.hasCode(ctx, step.creates.Address); err != nil {
				return Receipt{}, false, err
			}
		}
		switch {
		case status == 0 && step.creates != nil && made:
			return Receipt{}, false, errTaken // somebody else was faster
		case status == 0:
			return Receipt{}, false, fmt.Errorf("transaction %s failed", hash)
		case !made:
			return Receipt{}, false, fmt.Errorf("transaction %s has not created %s", hash, step.creates.Address.Checksum())
		}
		return r, false, nil
	}
	var count eth.Quantity
	if err := s.RPC.CallContext(ctx, &count, "eth_getTransactionCount", s.Wallet.Address(), "latest"); err != nil {
		return Receipt{}, false, err
	}
	n, _ := count.Uint64()
	return Receipt{}, n > nonce, nil
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
func (s Sender) estimate(ctx context.Context, c Call) (uint64, error) {
	var gas eth.Quantity
	if err := s.RPC.CallContext(ctx, &gas, "eth_estimateGas", message(s.Wallet.Address(), c)); err != nil {
		return 0, err
	}
	n, ok := gas.Uint64()
	if !ok {
		return 0, fmt.Errorf("the endpoint estimates %s gas", gas.Big())
	}
	return n + n/4, nil
}

// settle waits until the endpoint has a block, and until the wallet's pending transactions are mined, such as one of a run that was
// interrupted. Those that are not mined within Patience will be replaced.
func (s Sender) settle(ctx context.Context, block uint64) error {
	deadline := time.Now().Add(s.Patience)
	for {
		var head eth.Quantity
		var counts [2]eth.Quantity
		err := s.RPC.CallContext(ctx, &head, "eth_blockNumber")
		for i, at := range []string{"latest", "pending"} {
			err = errors.Join(err, s.RPC.CallContext(ctx, &counts[i], "eth_getTransactionCount", s.Wallet.Address(), at))
		}
		if err != nil {
			return err
		}
		newest, _ := head.Uint64()
		late := !time.Now().Before(deadline)
		if late && newest < block {
			return fmt.Errorf("the endpoint's newest block is %d, and it has told of %d before: start again", newest, block)
		}
		if counts[1].Big().Cmp(counts[0].Big()) <= 0 && newest >= block || late {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
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

// sendRaw sends the transaction that creates the deployment proxy. Chains that take only transactions for one chain (EIP-155) refuse it.
func (s Sender) sendRaw(ctx context.Context, step Step) (Receipt, error) {
	var hash eth.Hash
	refused := s.RPC.CallContext(ctx, &hash, "eth_sendRawTransaction", step.Raw)
	deadline := time.Now().Add(3 * s.Patience)
	for {
		made, err := s.hasCode(ctx, contracts.Deployer)
		if err != nil {
			return Receipt{}, err
		}
		if made { // by whomever
			r, _, err := s.find(ctx, eth.Keccak256(step.Raw))
			return r, err
		}
		if refused != nil && classify(refused) == txqueue.RefusedOther || !time.Now().Before(deadline) {
			return Receipt{}, errors.Join(refused, fmt.Errorf("the chain does not take it: it has no chain id (EIP-155), and offers 100 gwei for a "+
				"unit of gas; ask the chain's operators for the deterministic deployment proxy at %s", contracts.Deployer.Checksum()))
		}
		select {
		case <-ctx.Done():
			return Receipt{}, ctx.Err()
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
