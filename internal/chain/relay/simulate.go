package relay

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
)

// pack converts an operation to the bindings' type.
func pack(op *eth.UserOperation) contracts.PackedUserOperation {
	p := op.Packed()
	return contracts.PackedUserOperation{
		Sender: common.Address(p.Sender), Nonce: p.Nonce.Big(), InitCode: p.InitCode, CallData: p.CallData, AccountGasLimits: p.AccountGasLimits,
		PreVerificationGas: p.PreVerificationGas.Big(), GasFees: p.GasFees, PaymasterAndData: p.PaymasterAndData, Signature: p.Signature,
	}
}

// handleOps returns the transaction data that runs the operations; their fees go to the relayer.
func (c *chain) handleOps(ops ...*eth.UserOperation) ([]byte, error) {
	packed := make([]contracts.PackedUserOperation, len(ops))
	for i, op := range ops {
		packed[i] = pack(op)
	}
	return c.entryPoint.TryPackHandleOps(packed, common.Address(c.Relayer))
}

// validation is the eth_call that sends the operations: it reverts if one of them fails the EntryPoint's
// validation, but not if its calls revert.
func (c *chain) validation(gasLimit uint64, ops ...*eth.UserOperation) (gethrpc.BatchElem, error) {
	data, err := c.handleOps(ops...)
	message := map[string]any{"from": c.Relayer, "to": c.Policy.EntryPoint, "data": hexutil.Bytes(data), "gas": hexutil.Uint64(gasLimit)}
	return gethrpc.BatchElem{Method: "eth_call", Args: []any{message, "latest"}, Result: new(hexutil.Bytes)}, err
}

// execution is the eth_call that makes the operation's calls as the EntryPoint would, with the same gas. The code of an
// account that is not deployed yet is overridden: otherwise calls to it would succeed by doing nothing.
func (c *chain) execution(op *eth.UserOperation) gethrpc.BatchElem {
	limit, _ := op.CallGasLimit.Uint64() // the policy's limit has been checked
	message := c.executionMessage(op)
	message["gas"] = hexutil.Uint64(max(limit+intrinsicGas(op.CallData), floorGas(op.CallData)))
	return gethrpc.BatchElem{Method: "eth_call", Args: c.onTop(op, message), Result: new(hexutil.Bytes)}
}

func (c *chain) executionMessage(op *eth.UserOperation) map[string]any {
	return map[string]any{"from": c.Policy.EntryPoint, "to": op.Sender, "data": op.CallData}
}

// onTop returns the parameters for running a message on the newest state, with the account that the operation would
// deploy already in place.
func (c *chain) onTop(op *eth.UserOperation, message map[string]any) []any {
	if op.Factory == nil {
		return []any{message, "latest"}
	}
	return []any{message, "latest", map[eth.Address]any{op.Sender: map[string]any{
		"code":      hexutil.Bytes(contracts.AccountCode()),
		"stateDiff": map[eth.Hash]eth.Hash{contracts.ImplementationSlot: eth.AddressWord(c.Policy.Implementation)},
	}}}
}

// simulate runs an operation on the current state. It returns an *rpcError that says why the operation would fail.
func (c *chain) simulate(ctx context.Context, op *eth.UserOperation) error {
	validation, err := c.validation(bundleGas(op), op)
	if err != nil {
		return c.errf("packing an operation", err)
	}
	batch := []gethrpc.BatchElem{validation, c.execution(op)}
	if err := c.RPC.BatchCallContext(ctx, batch); err != nil {
		return c.errf("simulation", err)
	}
	if err := batch[0].Error; err != nil {
		_, refusal := c.readRefusal(err)
		return refusal
	}
	if err := batch[1].Error; err != nil {
		return c.readRevert(err)
	}
	return nil
}

// readRevert explains the failed simulation of calls.
func (c *chain) readRevert(err error) error {
	data, reverted := txqueue.RevertData(err)
	switch {
	case reverted:
		return &rpcError{
			Code: codeReverted, Message: "execution reverted: " + txqueue.Reason(data), Data: &errorData{Reason: "reverted", Revert: data},
		}
	case outOfGas(err):
		return &rpcError{Code: codeReverted, Message: "execution reverted: out of gas", Data: &errorData{Reason: "gas"}}
	default:
		return c.errf("simulating calls", err)
	}
}

// outOfGas reports whether a node's error says that a call needs more gas; nodes have no code for it.
func outOfGas(err error) bool {
	var answer gethrpc.Error
	return errors.As(err, &answer) && strings.Contains(answer.Error(), "gas")
}

// readRefusal explains the failed simulation of a bundle, with an *rpcError if the operations caused it, and returns
// the index of the culprit; -1 if the EntryPoint does not name one.
func (c *chain) readRefusal(err error) (culprit int, refusal error) {
	const prefix = "The EntryPoint refuses the operation: "
	data, reverted := txqueue.RevertData(err)
	if !reverted {
		if outOfGas(err) {
			return -1, &rpcError{Code: codeValidation, Message: prefix + "out of gas", Data: &errorData{Reason: "gas"}}
		}
		return -1, c.errf("simulating a bundle", err)
	}
	if len(data) >= 4 {
		if e, err := c.entryPoint.UnpackError(data); err == nil {
			switch e := e.(type) {
			case *contracts.EntryPointFailedOp:
				return index(e.OpIndex), &rpcError{Code: refusalCode(e.Reason), Message: prefix + e.Reason, Data: &errorData{Reason: e.Reason}}
			case *contracts.EntryPointFailedOpWithRevert:
				return index(e.OpIndex), &rpcError{
					Code: refusalCode(e.Reason), Message: prefix + e.Reason + ": " + txqueue.Reason(e.Inner),
					Data: &errorData{Reason: e.Reason, Revert: e.Inner},
				}
			}
		}
	}
	reason := txqueue.Reason(data)
	if len(data) == 0 { // v0.7 returns no reason if there is no code at the sender
		reason += "; perhaps the account is not deployed"
	}
	return -1, &rpcError{Code: codeValidation, Message: prefix + reason, Data: &errorData{Revert: data}}
}

func index(n *big.Int) int {
	if n == nil || !n.IsInt64() || n.Int64() > maxBundle {
		return -1
	}
	return int(n.Int64())
}

// refusalCode returns ERC-7769's code for a reason of the EntryPoint, such as "AA25 invalid account nonce".
func refusalCode(reason string) int {
	code, _, _ := strings.Cut(reason, " ")
	switch {
	case code == "AA24":
		return codeSignature
	case code == "AA22", code == "AA32":
		return codeTimeRange
	case code == "AA31":
		return codeDeposit
	case strings.HasPrefix(code, "AA3"):
		return codePaymaster
	default:
		return codeValidation
	}
}

// The gas of operations besides their calls, measured on the development chain and rounded up. Limits that are
// too high only use quota: only unused call gas is charged, at a tenth.
const (
	validationGas     = 80_000  // validateUserOp and the EntryPoint's part in it
	deploymentGas     = 250_000 // creating the account
	verifyPaymaster   = 60_000  // validatePaymasterUserOp
	gasPerCallByte    = 5       // both copy and hash the call data
	operationOverhead = 30_000  // the EntryPoint's loop, events and checks, for each operation
	bundleOverhead    = 50_000  // the EntryPoint's part for each bundle, without the transaction's own 21,000
	txGas             = 21_000
)

// verificationGas is the gas for creating the account, if it is not deployed yet, and for its validation.
func verificationGas(op *eth.UserOperation) uint64 {
	sum := uint64(validationGas + gasPerCallByte*len(op.CallData))
	if op.Factory != nil {
		sum += deploymentGas
	}
	return sum
}

func paymasterGas(op *eth.UserOperation) uint64 {
	return verifyPaymaster + gasPerCallByte*uint64(len(op.CallData))
}

// bundleGas returns the gas limit of a transaction that carries the operations. The EntryPoint requires that each
// operation's limits are left when it runs ("AA95 out of gas"), with a 64th to spare at each level of calls.
func bundleGas(ops ...*eth.UserOperation) uint64 {
	sum := uint64(txGas + bundleOverhead)
	for _, op := range ops {
		for _, q := range []eth.Quantity{
			op.PreVerificationGas, op.VerificationGasLimit, op.CallGasLimit, op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit,
		} {
			n, _ := q.Uint64() // the policy's limit has been checked
			sum += n
		}
		sum += operationOverhead
	}
	return sum + sum/24
}

// intrinsicGas is the cost of a transaction with this data before anything runs (EIP-2028).
func intrinsicGas(data []byte) uint64 { return txGas + dataGas(data) }

// floorGas is the lowest gas limit that nodes accept for a transaction with this data (EIP-7623).
func floorGas(data []byte) uint64 { return txGas + dataGas(data)/4*10 }

func dataGas(data []byte) uint64 {
	sum := uint64(0)
	for _, b := range data {
		if b == 0 {
			sum += 4
		} else {
			sum += 16
		}
	}
	return sum
}

// estimate returns gas limits for an operation: eth_estimateUserOperationGas. It returns codeReverted if its calls
// would revert.
func (c *chain) estimate(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.operationParams(params)
	if err != nil {
		return nil, err
	}
	if _, err := c.admit(ctx, caller.Player, op); err != nil {
		return nil, err
	}
	var calls hexutil.Uint64
	if err := c.RPC.CallContext(ctx, &calls, "eth_estimateGas", c.onTop(op, c.executionMessage(op))...); err != nil {
		return nil, c.readRevert(err)
	}
	callGas := uint64(calls) - min(uint64(calls), intrinsicGas(op.CallData))
	callGas += callGas/10 + 5_000 // the state may change until it is included
	needs, err := c.limitsOf(ctx, op, callGas)
	if err != nil {
		return nil, err
	}
	if c.Paymaster != nil { // it has said what it needs
		needs.paymaster, _ = op.PaymasterVerificationGasLimit.Uint64()
		needs.postOp, _ = op.PaymasterPostOpGasLimit.Uint64()
	}
	return map[string]eth.Quantity{
		"preVerificationGas":            eth.NewQuantity(needs.preVerification),
		"verificationGasLimit":          eth.NewQuantity(needs.verification),
		"callGasLimit":                  eth.NewQuantity(needs.call),
		"paymasterVerificationGasLimit": eth.NewQuantity(needs.paymaster),
		"paymasterPostOpGasLimit":       eth.NewQuantity(needs.postOp),
	}, nil
}

// limits are an operation's gas limits.
type limits struct{ preVerification, verification, call, paymaster, postOp uint64 }

// limitsOf returns what an operation needs whose calls take callGas: by our own estimates, or those of the external
// bundler, which refuses less.
func (c *chain) limitsOf(ctx context.Context, op *eth.UserOperation, callGas uint64) (out limits, err error) {
	if c.Bundler != nil {
		out, err = c.askLimits(ctx, op, callGas)
	} else {
		out = limits{verification: verificationGas(op), call: callGas, paymaster: paymasterGas(op)}
		out.preVerification, err = c.preVerificationGas(ctx, op)
	}
	if c.Paymaster != nil {
		out.paymaster, out.postOp = maxPaymasterGas, maxPaymasterGas
	}
	return out, err
}

// preVerificationGas covers the part of the bundle's cost that the EntryPoint cannot measure: the operation's
// share of the transaction and its data.
func (c *chain) preVerificationGas(ctx context.Context, op *eth.UserOperation) (uint64, error) {
	full := *op
	full.Paymaster = &c.Policy.Paymaster
	if c.Paymaster == nil {
		full.PaymasterData = stubData()
	}
	full.Signature = stubSignature()
	// The gas limits and fees are not known yet: count them as non-zero bytes.
	some := eth.NewQuantity(0x1111111111)
	full.CallGasLimit, full.VerificationGasLimit, full.PreVerificationGas, full.PaymasterVerificationGasLimit = some, some, some, some
	full.MaxFeePerGas, full.MaxPriorityFeePerGas = some, some
	data, err := c.handleOps(&full)
	if err != nil {
		return 0, c.errf("packing an operation", err)
	}
	sum := txGas + operationOverhead + dataGas(data)
	if !c.DataGas {
		return sum, nil
	}
	// The gas of a transaction that only carries the data is the price of the data.
	var priced hexutil.Uint64
	if err := c.RPC.CallContext(ctx, &priced, "eth_estimateGas", map[string]any{
		"from": c.Relayer, "to": c.Relayer, "data": hexutil.Bytes(data),
	}); err != nil {
		return 0, c.errf("pricing an operation's data", err)
	}
	return operationOverhead + max(uint64(priced), sum), nil
}
