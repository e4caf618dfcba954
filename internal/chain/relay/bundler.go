package relay

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/gas"
)

// operationParams parses the operation and the EntryPoint, the first parameters of most methods.
func (c *chain) operationParams(params []json.RawMessage) (*eth.UserOperation, error) {
	var op eth.UserOperation
	if err := param(params, 0, &op, "userOperation"); err != nil {
		return nil, err
	}
	var entryPoint eth.Address
	if err := param(params, 1, &entryPoint, "entryPoint"); err != nil {
		return nil, err
	}
	if entryPoint != c.Policy.EntryPoint {
		return nil, &rpcError{Code: codeParams, Message: "This EntryPoint is not supported; " + c.Policy.EntryPoint.Checksum() + " is."}
	}
	return &op, op.Validate()
}

// admit checks an operation against the policy and returns its calls.
func (c *chain) admit(ctx context.Context, player string, op *eth.UserOperation) ([]gas.Call, error) {
	account, err := c.accounts.Account(ctx, player)
	if err != nil {
		return nil, err
	}
	return c.Policy.Check(account, op)
}

// send accepts an operation: eth_sendUserOperation. Sending the same again returns the same hash.
func (c *chain) send(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.operationParams(params)
	if err != nil {
		return nil, err
	}
	calls, err := c.admit(ctx, caller.Player, op)
	if err != nil {
		return nil, err
	}
	hash := op.Hash(c.Policy.EntryPoint, uint64(c.id))
	if _, err := c.operations.Operation(ctx, hash); !fault.Is(err, fault.NotFound) {
		return hash, err
	}
	if err := c.Policy.CheckNonce(op); err != nil {
		return nil, err
	}
	if err := c.Policy.CheckPaymaster(op); err != nil {
		return nil, err
	}
	if _, err := c.Policy.Cost(op); err != nil {
		return nil, err
	}
	if err := c.guard.Allow(ctx, gas.Intent{
		Player: caller.Player, Chain: c.id, Sender: op.Sender, Nonce: op.Nonce, Calls: calls,
	}); err != nil {
		return nil, err
	}
	if err := c.simulate(ctx, op); err != nil {
		return nil, err
	}
	kept, err := c.operations.AddOperation(ctx, gas.Operation{
		Hash: hash, Chain: c.id, EntryPoint: c.Policy.EntryPoint, Player: caller.Player, Operation: *op, CreatedAt: c.clock.Now(),
		Trace: trace.Parent(ctx),
	})
	if err != nil {
		return nil, err
	}
	c.Accepted()
	return kept.Hash, nil
}

// own returns an operation of the player by the hash in the parameters; nil if there is none, or it is another's.
func (c *chain) own(ctx context.Context, player string, params []json.RawMessage) (*gas.Operation, error) {
	var hash eth.Hash
	if err := param(params, 0, &hash, "userOpHash"); err != nil {
		return nil, err
	}
	op, err := c.operations.Operation(ctx, hash)
	if fault.Is(err, fault.NotFound) || (err == nil && (op.Player != player || op.Chain != c.id)) {
		return nil, nil
	}
	return &op, err
}

// operationReceipt is the answer to eth_getUserOperationReceipt (ERC-7769).
type operationReceipt struct {
	UserOpHash    eth.Hash        `json:"userOpHash"`
	EntryPoint    eth.Address     `json:"entryPoint"`
	Sender        eth.Address     `json:"sender"`
	Nonce         eth.Quantity    `json:"nonce"`
	Paymaster     *eth.Address    `json:"paymaster,omitempty"`
	ActualGasCost eth.Quantity    `json:"actualGasCost"`
	ActualGasUsed eth.Quantity    `json:"actualGasUsed"`
	Success       bool            `json:"success"`
	Reason        string          `json:"reason,omitempty"`
	Logs          []*types.Log    `json:"logs"`
	Receipt       json.RawMessage `json:"receipt"`
}

// receipt returns the result of an operation: eth_getUserOperationReceipt. It is null until the chain has the
// operation, and an error with the reason once the operation has been dropped.
func (c *chain) receipt(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.own(ctx, caller.Player, params)
	if err != nil || op == nil {
		return nil, err
	}
	switch op.State {
	case gas.OperationDropped:
		return nil, &rpcError{Code: codeValidation, Message: "The operation was given up: " + op.Reason}
	case gas.OperationIncluded, gas.OperationFailed:
	default:
		return nil, nil
	}
	r, err := c.bundleReceipt(ctx, op.TxHash)
	if err != nil || r == nil || eth.Hash(r.BlockHash) != op.BlockHash {
		return nil, err // a reorganisation that has not been noticed yet
	}
	event, logs := c.eventOf(r.Logs, op.Hash)
	if event == nil {
		return nil, nil
	}
	out := operationReceipt{
		UserOpHash: op.Hash, EntryPoint: op.EntryPoint, Sender: op.Operation.Sender, Nonce: op.Operation.Nonce, Paymaster: op.Operation.Paymaster,
		Success: event.Success, Reason: op.Reason, Logs: logs, Receipt: r.raw,
	}
	if out.ActualGasCost, err = eth.QuantityFromBig(event.ActualGasCost); err != nil {
		return nil, err
	}
	out.ActualGasUsed, err = eth.QuantityFromBig(event.ActualGasUsed)
	return out, err
}

// byHash returns an operation as it was sent: eth_getUserOperationByHash. Its block is null until the chain has it.
func (c *chain) byHash(ctx context.Context, caller gas.Caller, params []json.RawMessage) (any, error) {
	op, err := c.own(ctx, caller.Player, params)
	if err != nil || op == nil {
		return nil, err
	}
	out := map[string]any{
		"userOperation": op.Operation, "entryPoint": op.EntryPoint, "blockNumber": nil, "blockHash": nil, "transactionHash": nil,
	}
	if !op.TxHash.IsZero() {
		out["transactionHash"] = op.TxHash
	}
	if !op.BlockHash.IsZero() {
		r, err := c.bundleReceipt(ctx, op.TxHash)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out["blockHash"], out["blockNumber"] = eth.Hash(r.BlockHash), eth.NewQuantity(r.BlockNumber.Uint64())
		}
	}
	return out, nil
}

// txReceipt is the receipt of a bundle, with the JSON from which it was parsed.
type txReceipt struct {
	types.Receipt
	raw json.RawMessage
}

// bundleReceipt fetches a transaction's receipt; nil while there is none.
func (c *chain) bundleReceipt(ctx context.Context, tx eth.Hash) (*txReceipt, error) {
	var raw json.RawMessage
	if err := c.RPC.CallContext(ctx, &raw, "eth_getTransactionReceipt", tx); err != nil {
		return nil, c.errf("receipt", err)
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	r := &txReceipt{raw: slices.Clone(raw)}
	if err := json.Unmarshal(raw, &r.Receipt); err != nil {
		return nil, c.errf("receipt", err)
	}
	if r.BlockNumber == nil {
		return nil, nil
	}
	return r, nil
}
