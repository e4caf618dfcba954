package relay

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/gas"
)

// The allowed differences between the limits and fees of an operation and our own estimates. Gas above the estimate
// uses budget, and a tenth of unused call gas is charged as a penalty (ERC-4337). When the limits or fees are below the
// estimate, the relayer pays the difference, which no budget bounds.
const (
	callGasMargin = 50_000     // the specification's gas limit constant, in addition to a tenth of the estimate
	gasMargin     = 10_000     // of the other limits, in addition to a tenth of the estimate
	dataMargin    = 4          // data may cost a fourth more than when it was estimated
	baseFeeMargin = 3          // times the newest block's base fee: libraries offer twice
	tipMargin     = 2          // times the chain's own tip
	leastFee      = 10_000_000 // wei: 0.01 gwei is accepted on any chain
)

// examine checks an operation against the current state of the chain: its calls succeed and change something, and its
// limits and fees are near our own estimates, or those of the external bundler. It returns the newest block, and whether the
// paymaster lets anyone send operations, as an external one does.
func (c *chain) examine(ctx context.Context, op *eth.UserOperation, calls []gas.Call) (_ block, public bool, err error) {
	var head *block
	var relayers hexutil.Bytes
	var tip hexutil.Big
	var callGas hexutil.Uint64
	run := c.execution(op)
	batch := []gethrpc.BatchElem{
		{Method: "eth_getBlockByNumber", Args: []any{"latest", false}, Result: &head},
		{Method: "eth_maxPriorityFeePerGas", Result: &tip},
		{Method: "eth_estimateGas", Args: c.onTop(op, c.executionMessage(op)), Result: &callGas},
		run,
		c.relayerCount(&relayers),
	}
	approvals := c.approvals(op.Sender, calls)
	for _, a := range approvals {
		batch = append(batch, a.read)
	}
	if err := c.RPC.BatchCallContext(ctx, batch); err != nil {
		return block{}, false, c.errf("examining an operation", err)
	}
	for _, e := range batch[:2] {
		if e.Error != nil {
			return block{}, false, c.errf("examining an operation", e.Error)
		}
	}
	if head == nil {
		return block{}, false, c.errf("newest block", errors.New("the chain has none"))
	}
	for _, e := range batch[2:4] {
		if e.Error != nil {
			return block{}, false, c.readRevert(e.Error)
		}
	}
	if err := batch[4].Error; err != nil && c.Paymaster == nil {
		return block{}, false, c.errf("reading the paymaster's list of relayers", err)
	}
	if len(relayers) != 32 && c.Paymaster == nil {
		return block{}, false, c.errf("reading the paymaster's list of relayers", errors.New("the answer is malformed"))
	}
	if err := checkIdle(approvals); err != nil {
		return block{}, false, err
	}
	if err := checkFees(op, head.baseFee(), (*big.Int)(&tip)); err != nil {
		return block{}, false, err
	}
	estimated := uint64(callGas) - min(uint64(callGas), intrinsicGas(op.CallData))
	if err := checkRecipients(calls, estimated); err != nil {
		return block{}, false, err
	}
	needs, err := c.limitsOf(ctx, op, estimated)
	if err != nil {
		return block{}, false, err
	}
	data := c.dataMargin(needs.preVerification)
	least := needs.preVerification - needs.preVerification/10 - data
	if c.Bundler != nil {
		least = 0 // it pays the difference
	}
	for _, limit := range []struct {
		name        string
		value       eth.Quantity
		least, most uint64
	}{
		{"callGasLimit", op.CallGasLimit, 0, needs.call + needs.call/10 + callGasMargin},
		{"verificationGasLimit", op.VerificationGasLimit, 0, withMargin(needs.verification)},
		{"preVerificationGas", op.PreVerificationGas, least, withMargin(needs.preVerification) + data},
		{"paymasterVerificationGasLimit", op.PaymasterVerificationGasLimit, 0, withMargin(needs.paymaster)},
		{"paymasterPostOpGasLimit", op.PaymasterPostOpGasLimit, 0, needs.postOp},
	} {
		if limit.value.Big().Cmp(new(big.Int).SetUint64(limit.least)) < 0 {
			return block{}, false, fault.New(fault.Forbidden,
				"The %s of %s is less than the %d that this operation costs. Please estimate its gas again.",
				limit.name, limit.value.Big(), limit.least).WithReason("gas")
		}
		if limit.value.Big().Cmp(new(big.Int).SetUint64(limit.most)) > 0 {
			return block{}, false, fault.New(fault.Forbidden,
				"The %s of %s is more than the %d that this operation needs. Please estimate its gas again.",
				limit.name, limit.value.Big(), limit.most).WithReason("gas")
		}
	}
	return *head, c.Paymaster != nil || eth.Hash(relayers).IsZero(), nil
}

// relayerCount is the call for the number of relayers the paymaster allows; 0 means anyone may send.
func (c *chain) relayerCount(into *hexutil.Bytes) gethrpc.BatchElem {
	message := map[string]any{"to": c.Policy.Paymaster, "data": hexutil.Bytes(contracts.NewPantheonPaymaster().PackRelayerCount())}
	return gethrpc.BatchElem{Method: "eth_call", Args: []any{message, "latest"}, Result: into}
}

func withMargin(estimate uint64) uint64 { return estimate + estimate/10 + gasMargin }

func (c *chain) dataMargin(estimate uint64) uint64 {
	if !c.DataGas {
		return 0
	}
	return estimate / dataMargin
}

// checkFees rejects fees far above the chain's, and fees that would make the relayer pay: below the base fee and half
// the chain's tip, which may have changed since the client read them.
func checkFees(op *eth.UserOperation, base, tip *big.Int) error {
	mostTip := new(big.Int).Mul(tip, big.NewInt(tipMargin))
	mostTip.Add(mostTip, big.NewInt(leastFee))
	most := new(big.Int).Mul(base, big.NewInt(baseFeeMargin))
	most.Add(most, mostTip)
	leastTip := new(big.Int).Rsh(tip, 1)
	for _, fee := range []struct {
		value       eth.Quantity
		least, most *big.Int
	}{{op.MaxFeePerGas, new(big.Int).Add(base, leastTip), most}, {op.MaxPriorityFeePerGas, leastTip, mostTip}} {
		if fee.value.Big().Cmp(fee.least) < 0 {
			return fault.New(fault.Forbidden,
				"The fee of %s wei per gas is below the current minimum of %s. Please fetch the current fees and try again.",
				fee.value.Big(), fee.least).WithReason("fee")
		}
		if fee.value.Big().Cmp(fee.most) > 0 {
			return fault.New(fault.Forbidden, "The fee of %s wei per gas is above the %s that we pay at the moment.", fee.value.Big(), fee.most).
				WithReason("fee")
		}
	}
	return nil
}

// approval is an approval call with the eth_call that reads the value it would change.
type approval struct {
	kind  gas.ApprovalKind
	value eth.Hash
	read  gethrpc.BatchElem
	now   *hexutil.Bytes
}

// approvals returns the approval calls if all calls of the operation are approvals: one that also trades or burns is
// never idle.
func (c *chain) approvals(sender eth.Address, calls []gas.Call) []approval {
	var out []approval
	for _, call := range calls {
		kind, spender, value := c.Policy.Approval(call)
		var data []byte
		switch kind {
		case gas.ApproveAmount:
			data = contracts.NewTestToken().PackAllowance(common.Address(sender), common.Address(spender))
		case gas.ApproveToken:
			data = contracts.NewCollection721().PackGetApproved(new(big.Int).SetBytes(value[:]))
			value = eth.AddressWord(spender)
		case gas.ApproveAll:
			data = contracts.NewCollection721().PackIsApprovedForAll(common.Address(sender), common.Address(spender))
		default:
			return nil
		}
		now := new(hexutil.Bytes)
		out = append(out, approval{kind, value, gethrpc.BatchElem{
			Method: "eth_call", Args: []any{map[string]any{"to": call.Target, "data": hexutil.Bytes(data)}, "latest"}, Result: now,
		}, now})
	}
	return out
}

// checkIdle rejects an operation that consists of approvals of which one changes nothing: it would only burn gas.
func checkIdle(approvals []approval) error {
	for _, a := range approvals {
		if len(*a.now) == 32 && eth.Hash(*a.now) == a.value {
			return gas.ErrIdle
		}
	}
	return nil
}

// checkRecipients rejects an operation whose recipients' code would take too much gas.
func checkRecipients(calls []gas.Call, estimated uint64) error {
	if most, sends := gas.CallGasLimit(calls); sends && estimated > most {
		return fault.New(fault.Forbidden, "The recipient is a contract that takes too much gas when it receives this.").WithReason("recipient")
	}
	return nil
}

// validateUnsigned simulates the validation of a sponsored operation that its owner has not signed. The EntryPoint
// checks the account's signature (AA24) after nonce, deployment, deposit and gas limits, and just before the
// paymaster's signature (AA34): AA24 is therefore the expected result.
func (c *chain) validateUnsigned(ctx context.Context, op *eth.UserOperation) error {
	unsigned := *op
	unsigned.Signature = stubSignature()
	call, err := c.validation(bundleGas(&unsigned), &unsigned)
	if err != nil {
		return c.errf("packing an operation", err)
	}
	err = c.RPC.CallContext(ctx, call.Result, call.Method, call.Args...)
	if err == nil {
		return c.errf("simulating an operation", fmt.Errorf("the account accepted a signature that is nobody's"))
	}
	_, refusal := c.readRefusal(err)
	if r, ok := errors.AsType[*rpcError](refusal); ok && r.Code == codeSignature {
		return nil
	}
	return refusal
}
