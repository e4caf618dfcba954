package relay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/gas"
)

// sponsorParams parses the parameters of both methods of ERC-7677: operation, EntryPoint, chain id and a context, which
// is ignored.
func (c *chain) sponsorParams(params []json.RawMessage) (*eth.UserOperation, error) {
	op, err := c.operationParams(params)
	if err != nil {
		return nil, err
	}
	var id eth.Quantity
	if err := param(params, 2, &id, "chainId"); err != nil {
		return nil, err
	}
	if id != eth.NewQuantity(uint64(c.id)) {
		return nil, &rpcError{Code: codeParams, Message: fmt.Sprintf("This is the paymaster of chain %d.", uint64(c.id))}
	}
	return op, nil
}

// stub returns placeholder paymaster fields for gas estimation: pm_getPaymasterStubData.
func (c *chain) stub(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.sponsorParams(params)
	if err != nil {
		return nil, err
	}
	if _, err := c.admit(ctx, caller.Player, op); err != nil {
		return nil, err
	}
	if err := c.setStub(ctx, op); err != nil {
		return nil, err
	}
	return map[string]any{
		"paymaster":                     op.Paymaster,
		"paymasterData":                 op.PaymasterData,
		"paymasterVerificationGasLimit": op.PaymasterVerificationGasLimit,
		"paymasterPostOpGasLimit":       op.PaymasterPostOpGasLimit,
		"sponsor":                       map[string]string{"name": "Portal"},
	}, nil
}

// setStub sets placeholder paymaster fields: the portal's own, or those of the external paymaster.
func (c *chain) setStub(ctx context.Context, op *eth.UserOperation) error {
	if c.Paymaster != nil {
		return c.askPaymaster(ctx, "pm_getPaymasterStubData", op)
	}
	op.Paymaster, op.PaymasterData = &c.Policy.Paymaster, stubData()
	op.PaymasterVerificationGasLimit = eth.NewQuantity(paymasterGas(op))
	op.PaymasterPostOpGasLimit = eth.Quantity{} // PantheonPaymaster has no postOp
	return nil
}

// sponsor signs that the portal pays for an operation: pm_getPaymasterData. All the operation's fields but its signature
// must be final, and are bound by the sponsorship. It is issued only after the operation was simulated and its cost
// charged to the budget. An external paymaster is asked only for what the budget has room for.
func (c *chain) sponsor(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.sponsorParams(params)
	if err != nil {
		return nil, err
	}
	calls, err := c.admit(ctx, caller.Player, op)
	if err != nil {
		return nil, err
	}
	op.Paymaster = &c.Policy.Paymaster
	if err := c.Policy.CheckNonce(op); err != nil {
		return nil, err
	}
	if err := c.Policy.CheckPaymaster(op); err != nil {
		return nil, err
	}
	cost, err := c.Policy.Cost(op)
	if err != nil {
		return nil, err
	}
	if err := c.reachable(ctx, caller.Player); err != nil {
		return nil, err
	}
	if err := c.guard.Allow(ctx, gas.Intent{
		Player: caller.Player, Chain: c.id, Sender: op.Sender, Nonce: op.Nonce, Calls: calls,
	}); err != nil {
		return nil, err
	}
	head, public, err := c.examine(ctx, op, calls)
	if err != nil {
		return nil, err
	}
	now := c.clock.Now()
	s := gas.Sponsorship{
		Caller: caller, Operation: op.Hash(c.Policy.EntryPoint, uint64(c.id)), Chain: c.id, Sender: op.Sender,
		Nonce: nonceSequence(op), Public: public, Purchase: gas.EffectsOf(calls).Buys, Cost: cost, CreatedAt: now, ExpiresAt: now.Add(c.Validity),
	}
	if c.Paymaster != nil {
		if err := c.operations.Affords(ctx, s, c.Policy.Budget); err != nil {
			return nil, err
		}
	}
	if s.ExpiresAt, err = c.promise(ctx, op, head); err != nil {
		return nil, err
	}
	if err := c.validateUnsigned(ctx, op); err != nil {
		return nil, err
	}
	if s.Cost, err = c.Policy.Cost(op); err != nil {
		return nil, err
	}
	s.Operation = op.Hash(c.Policy.EntryPoint, uint64(c.id))
	if err := c.operations.Reserve(ctx, s, c.Policy.Budget); err != nil {
		return nil, err
	}
	out := map[string]any{"paymaster": op.Paymaster, "paymasterData": op.PaymasterData}
	if c.Paymaster != nil { // it may have set them
		out["paymasterVerificationGasLimit"], out["paymasterPostOpGasLimit"] = op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit
	}
	return out, nil
}

// promise adds the paymaster's signature to an operation and returns until when the portal pays for it: for Validity from now, or as
// long as an external paymaster says. The newest block's time may lead the clock; on a chain that makes no block while it is idle, or at
// a node that is behind, it lags.
func (c *chain) promise(ctx context.Context, op *eth.UserOperation, head block) (until time.Time, err error) {
	now := c.clock.Now()
	if c.Paymaster != nil {
		return c.askPromise(ctx, op, head)
	}
	validUntil := max(uint64(head.Timestamp), uint64(now.Unix())) + uint64(c.Validity/time.Second)
	validAfter, err := anyPastTime()
	if err != nil {
		return until, err
	}
	hash := c.sponsorHash(op, validUntil, validAfter)
	signature, err := c.Signer.SignHash(ctx, eth.Keccak256([]byte("\x19Ethereum Signed Message:\n32"), hash[:]))
	if err != nil {
		return until, c.errf("signing for the paymaster", err)
	}
	signature[64] += 27
	op.PaymasterData = paymasterData(validUntil, validAfter, signature)
	return now.Add(c.Validity), nil
}

// nonceSequence returns a nonce without its key (ERC-4337: the lower 64 bits).
func nonceSequence(op *eth.UserOperation) uint64 { return binary.BigEndian.Uint64(op.Nonce[24:]) }

// reachable returns a Forbidden fault with gas.ReasonEmail for a player who must first confirm an email address.
func (c *chain) reachable(ctx context.Context, player string) error {
	if c.contacts == nil {
		return nil
	}
	confirmed, err := c.contacts.Confirmed(ctx, player)
	if err == nil && !confirmed {
		err = fault.New(fault.Forbidden, "Please confirm your email address first: we pay the gas of players we can reach.").
			WithReason(gas.ReasonEmail)
	}
	return err
}

// anyPastTime returns a random time in the distant past, in Unix seconds. As the sponsorship's validAfter it makes each
// sponsorship unique, and so each operation's hash: a new request for a dropped operation is another operation.
func anyPastTime() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b[:]) >> (64 - 30), nil // before 2004
}

// block holds the fields of the newest block that the paymaster needs.
type block struct {
	Number        hexutil.Uint64
	Timestamp     hexutil.Uint64
	BaseFeePerGas *hexutil.Big // nil on a chain without EIP-1559
}

// baseFee returns the base fee, in wei; 0 on a chain without EIP-1559, where the tip is the price.
func (b block) baseFee() *big.Int {
	if b.BaseFeePerGas == nil {
		return new(big.Int)
	}
	return b.BaseFeePerGas.ToInt()
}

func (c *chain) head(ctx context.Context) (block, error) {
	var b *block
	if err := c.RPC.CallContext(ctx, &b, "eth_getBlockByNumber", "latest", false); err != nil {
		return block{}, c.errf("newest block", err)
	}
	if b == nil {
		return block{}, c.errf("newest block", fmt.Errorf("the chain has none"))
	}
	return *b, nil
}

// sponsorHash is what the signer of PantheonPaymaster signs (getHash).
func (c *chain) sponsorHash(op *eth.UserOperation, validUntil, validAfter uint64) eth.Hash {
	return contracts.SponsorshipHash(op, uint64(c.id), c.Policy.Paymaster, time.Unix(int64(validUntil), 0), time.Unix(int64(validAfter), 0))
}

// paymasterData is the data that PantheonPaymaster reads: validUntil, validAfter, signature.
func paymasterData(validUntil, validAfter uint64, signature []byte) eth.Bytes {
	return contracts.Sponsorship{
		ValidUntil: time.Unix(int64(validUntil), 0), ValidAfter: time.Unix(int64(validAfter), 0), Signature: [65]byte(signature),
	}.Data()
}

// stubData has the length of a sponsorship's data, and the same cost to post.
func stubData() eth.Bytes { return paymasterData(1<<48-1, 1<<30-1, stubSignature()) }

// stubSignature is a well-formed signature of no known key. Its r and s are valid, so that recovery takes its usual
// course and gas.
func stubSignature() []byte {
	return append(bytes.Repeat([]byte{0x11}, 64), 0x1c)
}
