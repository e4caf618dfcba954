package relay

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
)

// Canceller signs, on a player's behalf, an operation that invalidates one the player signed earlier. *signer.Signer is one.
type Canceller interface {
	// SignCancellation signs an operation of the player's account that makes no calls. It returns a NotFound fault if
	// the player's key has been deleted.
	SignCancellation(ctx context.Context, player string, chain onchain.ChainID, op *eth.UserOperation) (eth.Bytes, error)
}

const (
	cancelBatch = 20
	cancelPause = 30 * time.Second // between cancellations of one account
)

// cancelEnded uses up the nonces of operations that were sponsored in sessions that have ended, and that anyone else
// can send. If the paymaster names its relayers, no one else can: the relay rejects these operations.
func (c *chain) cancelEnded(ctx context.Context) error {
	if c.clock.Now().Before(c.paused) {
		return nil
	}
	ended, err := c.operations.EndedSponsorships(ctx, c.id, c.clock.Now(), cancelBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, s := range ended {
		if c.Bundler != nil { // which may refuse it
			if c.clock.Now().Before(c.cancelAgain[s.Sender]) {
				continue
			}
			c.cancelAgain[s.Sender] = c.clock.Now().Add(cancelPause)
		}
		err := c.cancel(ctx, s)
		failed = append(failed, err)
		if ctx.Err() != nil || fault.Is(err, fault.Unavailable) { // an external bundler or paymaster does not answer
			break
		}
	}
	return errors.Join(failed...)
}

func (c *chain) cancel(ctx context.Context, s gas.Sponsorship) error {
	now := c.clock.Now()
	op, head, err := c.cancellation(ctx, s)
	if err != nil {
		return err
	}
	if op == nil {
		return c.operations.Cancel(ctx, s, nil, s.Cost, now)
	}
	if _, err := c.promise(ctx, op, head); err != nil {
		return err
	}
	cost, err := c.Policy.Cost(op)
	if err != nil {
		return err
	}
	op.Signature, err = c.canceller.SignCancellation(ctx, s.Player, c.id, op)
	if fault.Is(err, fault.NotFound) {
		return c.operations.Cancel(ctx, s, nil, cost, now)
	}
	if err != nil {
		return err
	}
	err = c.operations.Cancel(ctx, s, &gas.Operation{
		Hash: op.Hash(c.Policy.EntryPoint, uint64(c.id)), Chain: c.id, EntryPoint: c.Policy.EntryPoint, Player: s.Player, Operation: *op,
		CreatedAt: now,
	}, cost, now)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) { // retried in the next round
		return nil
	}
	if err != nil {
		return err
	}
	c.log.Info("operation cancelled, its session has ended", "operation", s.Operation, "player", s.Player)
	return nil
}

// cancellation returns an operation without calls, sponsorship and signature that uses the nonce of a sponsored one;
// nil if the chain has used that nonce.
func (c *chain) cancellation(ctx context.Context, s gas.Sponsorship) (*eth.UserOperation, block, error) {
	account, err := c.accounts.Account(ctx, s.Player)
	if fault.Is(err, fault.NotFound) {
		return nil, block{}, nil
	}
	if err != nil {
		return nil, block{}, err
	}
	var head *block
	var tip hexutil.Big
	var next, code hexutil.Bytes
	batch := []gethrpc.BatchElem{
		{Method: "eth_getBlockByNumber", Args: []any{"latest", false}, Result: &head},
		{Method: "eth_maxPriorityFeePerGas", Result: &tip},
		{Method: "eth_getCode", Args: []any{s.Sender, "latest"}, Result: &code},
		{Method: "eth_call", Args: []any{map[string]any{
			"to": c.Policy.EntryPoint, "data": hexutil.Bytes(c.entryPoint.PackGetNonce(common.Address(s.Sender), new(big.Int))),
		}, "latest"}, Result: &next},
	}
	if err := c.RPC.BatchCallContext(ctx, batch); err != nil {
		return nil, block{}, c.errf("cancelling an operation", err)
	}
	for _, e := range batch {
		if e.Error != nil {
			return nil, block{}, c.errf("cancelling an operation", e.Error)
		}
	}
	if head == nil || len(next) != 32 {
		return nil, block{}, c.errf("cancelling an operation", fmt.Errorf("the chain's answers are malformed"))
	}
	if new(big.Int).SetBytes(next).Cmp(new(big.Int).SetUint64(s.Nonce)) > 0 {
		return nil, block{}, nil
	}
	op := &eth.UserOperation{Sender: s.Sender, Nonce: eth.NewQuantity(s.Nonce), CallData: gas.EncodeCalls(nil)}
	if len(code) == 0 {
		op.Factory, op.FactoryData = &c.Policy.Factory, gas.FactoryData(account.Owner)
	}
	// As in common libraries: the base fee may double.
	fee := new(big.Int).Add(new(big.Int).Lsh(head.baseFee(), 1), (*big.Int)(&tip))
	if op.MaxFeePerGas, err = eth.QuantityFromBig(fee); err != nil {
		return nil, block{}, err
	}
	if op.MaxPriorityFeePerGas, err = eth.QuantityFromBig((*big.Int)(&tip)); err != nil {
		return nil, block{}, err
	}
	if err := c.setStub(ctx, op); err != nil {
		return nil, block{}, err
	}
	needs, err := c.limitsOf(ctx, op, cancelGas)
	if err != nil {
		return nil, block{}, err
	}
	op.PreVerificationGas, op.VerificationGasLimit = eth.NewQuantity(needs.preVerification), eth.NewQuantity(needs.verification)
	op.CallGasLimit = eth.NewQuantity(needs.call)
	return op, *head, nil
}

// cancelGas is the gas of a batch of no calls, rounded up.
const cancelGas = 20_000
