package relay

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"github.com/google/uuid"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/gas"
)

const (
	maxBundle     = 48         // operations in one bundle
	maxBundleData = 96 << 10   // bytes; nodes refuse transactions of more than 128 KiB
	maxBundleGas  = 15_000_000 // below the 2^24 that EIP-7825 allows a transaction
	maxReverts    = 3          // an operation is dropped after so many reverted bundles
	maxBlamed     = 4096       // accounts remembered for making a bundle revert
	blameTime     = 10 * time.Minute
	searchBlocks  = 1_000 // how far back to search for an operation that someone else may have sent
	tellBatch     = 100
	releaseBatch  = 100
	releaseAfter  = time.Minute // a chain's time may be behind the clock
)

// bundle sends the queued operations in as few transactions as possible.
func (c *chain) bundle(ctx context.Context) error {
	if err := c.dropFrozen(ctx); err != nil {
		return err
	}
	for {
		queued, err := c.operations.QueuedOperations(ctx, c.id, 2*maxBundle)
		if err != nil || len(queued) == 0 {
			return err
		}
		ops, err := c.sound(ctx, c.pick(queued))
		if err != nil {
			return err
		}
		if ops, err = c.fitting(ctx, ops); err != nil || len(ops) == 0 {
			return err
		}
		if err := c.sendBundle(ctx, ops); err != nil {
			return err
		}
	}
}

// dropFrozen drops the queued operations of frozen players. Cancellations are still sent.
func (c *chain) dropFrozen(ctx context.Context) error {
	ops, err := c.operations.FrozenOperations(ctx, c.id, maxBundle)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if err := c.drop(ctx, op, &rpcError{
			Code: codePaymaster, Message: "This account is frozen.", Data: &errorData{Reason: "frozen"},
		}); err != nil {
			return err
		}
	}
	return nil
}

// pick selects operations for one bundle, oldest first and one of each account. An operation whose bundle has reverted,
// or whose account recently caused a revert, goes alone: it cannot make others fail again.
func (c *chain) pick(queued []gas.Operation) (ops []gas.Operation) {
	taken := map[eth.Address]bool{}
	size, gasSum := 0, uint64(0)
	now := c.clock.Now()
	for _, op := range queued {
		sender := op.Operation.Sender
		alone := op.Reverts > 0 || c.blamed[sender].After(now)
		if taken[sender] || (alone && len(ops) > 0) {
			continue
		}
		n := len(op.Operation.CallData) + 2_000 // the other fields
		g := bundleGas(&op.Operation)
		if len(ops) == maxBundle || (len(ops) > 0 && (size+n > maxBundleData || gasSum+g > maxBundleGas)) {
			break
		}
		size, gasSum = size+n, gasSum+g
		taken[sender] = true
		ops = append(ops, op)
		if alone {
			break
		}
	}
	return ops
}

// blame records that an account made a bundle revert.
func (c *chain) blame(sender eth.Address) {
	now := c.clock.Now()
	maps.DeleteFunc(c.blamed, func(_ eth.Address, until time.Time) bool { return !until.After(now) })
	if len(c.blamed) < maxBlamed {
		c.blamed[sender] = now.Add(blameTime)
	}
}

// sound returns the operations whose calls still succeed on the current state; it drops the others before money is
// spent.
func (c *chain) sound(ctx context.Context, ops []gas.Operation) (out []gas.Operation, err error) {
	batch := make([]gethrpc.BatchElem, len(ops))
	for i := range ops {
		batch[i] = c.execution(&ops[i].Operation)
	}
	if err := c.RPC.BatchCallContext(ctx, batch); err != nil {
		return nil, c.errf("simulating calls", err)
	}
	for i, op := range ops {
		if batch[i].Error == nil {
			out = append(out, op)
			continue
		}
		if err := c.drop(ctx, op, c.readRevert(batch[i].Error)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fitting returns the operations that the EntryPoint accepts together. One that fails even alone is dropped;
// one that only conflicts with the others waits for the next bundle.
func (c *chain) fitting(ctx context.Context, ops []gas.Operation) ([]gas.Operation, error) {
	for len(ops) > 0 {
		culprit, refusal := c.validate(ctx, ops)
		if refusal == nil {
			return ops, nil
		}
		if _, ok := errors.AsType[*rpcError](refusal); !ok {
			return nil, refusal
		}
		culprit = max(culprit, 0) // if the EntryPoint names no culprit, they are set aside one by one
		op := ops[culprit]
		if len(ops) > 1 {
			_, refusal = c.validate(ctx, []gas.Operation{op})
		}
		if refusal != nil {
			if err := c.drop(ctx, op, refusal); err != nil {
				return nil, err
			}
		}
		ops = slices.Delete(slices.Clone(ops), culprit, culprit+1)
	}
	return nil, nil
}

// validate simulates a bundle; see readRefusal for its results when the EntryPoint rejects it.
func (c *chain) validate(ctx context.Context, ops []gas.Operation) (culprit int, refusal error) {
	all := userOperations(ops)
	call, err := c.validation(bundleGas(all...), all...)
	if err != nil {
		return -1, c.errf("packing a bundle", err)
	}
	if err := c.RPC.CallContext(ctx, call.Result, call.Method, call.Args...); err != nil {
		culprit, refusal = c.readRefusal(err)
		return min(culprit, len(ops)-1), refusal
	}
	return -1, nil
}

func userOperations(ops []gas.Operation) []*eth.UserOperation {
	out := make([]*eth.UserOperation, len(ops))
	for i := range ops {
		out[i] = &ops[i].Operation
	}
	return out
}

// drop drops an operation for the reason in refusal, unless the chain already has it; an error other than *rpcError
// says nothing about the operation and is returned.
func (c *chain) drop(ctx context.Context, op gas.Operation, refusal error) error {
	why, ok := errors.AsType[*rpcError](refusal)
	if !ok {
		return refusal
	}
	found, err := c.search(ctx, op)
	if err != nil {
		return err
	}
	if found != nil {
		return c.operations.Settle(ctx, []gas.Outcome{*found}, c.clock.Now())
	}
	c.log.Warn("operation dropped", "operation", op.Hash, "player", op.Player, "reason", why.Message)
	return c.operations.Drop(ctx, op.Hash, why.Message, c.clock.Now())
}

// sendBundle passes the operations to the queue in one transaction.
func (c *chain) sendBundle(ctx context.Context, ops []gas.Operation) error {
	data, err := c.handleOps(userOperations(ops)...)
	if err != nil {
		return c.errf("packing a bundle", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	hashes := make([]eth.Hash, len(ops))
	for i, op := range ops {
		hashes[i] = op.Hash
		_, span := trace.Follow(ctx, op.Trace, "bundle operation")
		defer span.End()
	}
	err = c.operations.Bundle(ctx, gas.Transaction{
		ID: "bundle " + id.String(), Chain: c.id, From: c.Relayer, To: c.Policy.EntryPoint, Data: data,
		GasLimit: bundleGas(userOperations(ops)...), CreatedAt: c.clock.Now(), Trace: ops[0].Trace,
	}, hashes)
	if err != nil && !fault.Is(err, fault.Conflict) { // a conflict means that another process has bundled them
		return err
	}
	c.Queue.Wake()
	return nil
}

// settle settles the operations of mined bundles.
func (c *chain) settle(ctx context.Context) error {
	bundles, err := c.operations.UnsettledBundles(ctx, c.id)
	if err != nil {
		return err
	}
	for _, b := range bundles {
		if err := c.settleBundle(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (c *chain) settleBundle(ctx context.Context, b gas.Bundle) error {
	r, err := c.bundleReceipt(ctx, b.Transaction.TxHash)
	if err != nil || r == nil || eth.Hash(r.BlockHash) != b.Transaction.BlockHash {
		return err // a reorganisation, which the queue will notice
	}
	var outcomes []gas.Outcome
	var left []gas.Operation
	for _, op := range b.Operations {
		outcome := c.outcome(r.Logs, op.Hash)
		if outcome == nil { // the bundle reverted, perhaps because someone else has sent the operation
			if outcome, err = c.search(ctx, op); err != nil {
				return err
			}
			if outcome != nil {
				c.blame(op.Operation.Sender)
			}
		}
		if outcome != nil {
			outcomes = append(outcomes, *outcome)
		} else {
			left = append(left, op)
		}
	}
	if len(outcomes) > 0 {
		if err := c.operations.Settle(ctx, outcomes, c.clock.Now()); err != nil {
			return err
		}
	}
	for _, op := range left {
		if err := c.operations.Requeue(ctx, op.Hash, c.clock.Now()); err != nil {
			return err
		}
		// The culprit is certain only if the operation was alone.
		if len(b.Operations) > 1 {
			continue
		}
		c.blame(op.Operation.Sender)
		if op.Reverts+1 >= maxReverts {
			refusal := &rpcError{Code: codeValidation, Message: "The operation could not be included: " + b.Transaction.Reason}
			if err := c.drop(ctx, op, refusal); err != nil {
				return err
			}
		}
	}
	return nil
}

// release ends sponsorships that expired unused.
func (c *chain) release(ctx context.Context) error {
	ops, err := c.operations.ExpiredSponsorships(ctx, c.id, c.clock.Now().Add(-releaseAfter), releaseBatch)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if err := c.operations.Release(ctx, op, c.clock.Now()); err != nil {
			return err
		}
	}
	return nil
}

// outcome reads the result of an operation from the logs of a transaction; nil if it is not in them.
func (c *chain) outcome(logs []*types.Log, hash eth.Hash) *gas.Outcome {
	event, _ := c.eventOf(logs, hash)
	if event == nil {
		return nil
	}
	cost, err := money.FromBig(event.ActualGasCost)
	if err != nil {
		c.log.Error("malformed EntryPoint event", "operation", hash, "error", err)
		return nil
	}
	o := &gas.Outcome{
		Hash: hash, Cost: cost, TxHash: eth.Hash(event.Raw.TxHash), BlockHash: eth.Hash(event.Raw.BlockHash), Succeeded: event.Success,
	}
	if !o.Succeeded {
		o.Reason = c.revertReason(logs, hash)
	}
	return o
}

// eventOf returns the EntryPoint's event of an operation, and the logs that the operation wrote: those since the event
// of the previous one, or since the end of validation.
func (c *chain) eventOf(logs []*types.Log, hash eth.Hash) (*contracts.EntryPointUserOperationEvent, []*types.Log) {
	from := 0
	abi := c.entryPoint.GetABI()
	before, after := abi.Events["BeforeExecution"].ID, abi.Events["UserOperationEvent"].ID
	for i, log := range logs {
		if log.Address != common.Address(c.Policy.EntryPoint) || len(log.Topics) == 0 {
			continue
		}
		switch log.Topics[0] {
		case before:
			from = i + 1
		case after:
			if len(log.Topics) > 1 && eth.Hash(log.Topics[1]) == hash {
				event, err := c.entryPoint.UnpackUserOperationEventEvent(log)
				if err != nil {
					c.log.Error("malformed EntryPoint event", "operation", hash, "error", err)
					return nil, nil
				}
				return event, logs[from : i+1]
			}
			from = i + 1
		}
	}
	return nil, nil
}

// revertReason returns why an operation's calls reverted.
func (c *chain) revertReason(logs []*types.Log, hash eth.Hash) string {
	for _, log := range logs {
		if log.Address != common.Address(c.Policy.EntryPoint) || len(log.Topics) < 2 || eth.Hash(log.Topics[1]) != hash {
			continue
		}
		if e, err := c.entryPoint.UnpackUserOperationRevertReasonEvent(log); err == nil {
			return txqueue.Reason(e.RevertReason)
		}
		if e, err := c.entryPoint.UnpackPostOpRevertReasonEvent(log); err == nil {
			return txqueue.Reason(e.RevertReason)
		}
	}
	return txqueue.Reason(nil)
}

// search looks for an operation on chain, from any sender; nil if it is not there.
func (c *chain) search(ctx context.Context, op gas.Operation) (*gas.Outcome, error) {
	head, err := c.head(ctx)
	if err != nil {
		return nil, err
	}
	var logs []*types.Log
	err = c.RPC.CallContext(ctx, &logs, "eth_getLogs", map[string]any{
		"address":   c.Policy.EntryPoint,
		"fromBlock": hexutil.Uint64(uint64(head.Number) - min(uint64(head.Number), searchBlocks)),
		"toBlock":   "latest",
		"topics":    []any{nil, op.Hash},
	})
	if err != nil {
		return nil, c.errf("searching an operation", err)
	}
	return c.outcome(logs, op.Hash), nil
}

// tell notifies the observer of operations it has not been told about.
func (c *chain) tell(ctx context.Context) error {
	for {
		untold, err := c.operations.UntoldOperations(ctx, c.id, tellBatch)
		if err != nil || len(untold) == 0 {
			return err
		}
		for _, op := range untold {
			if err := c.tellOne(ctx, op); err != nil {
				return err
			}
			if err := c.operations.Told(ctx, op); err != nil {
				return err
			}
		}
	}
}

func (c *chain) tellOne(ctx context.Context, op gas.Operation) error {
	if c.observer == nil {
		return nil
	}
	ctx, span := trace.Follow(ctx, op.Trace, "operation "+string(op.State))
	defer span.End()
	newest := op.State.Step()
	for step := min(op.Told+1, newest); step <= newest; step++ {
		var err error
		switch {
		case step == gas.StepAccepted:
			err = c.observer.Accepted(ctx, op)
		case step == gas.StepSettled:
			err = c.observer.Settled(ctx, op)
		case !op.TxHash.IsZero(): // a dropped operation was never sent; an external bundler does not tell its transaction
			err = c.observer.Sent(ctx, op)
		}
		if err != nil {
			return c.errf("telling of operation "+op.Hash.String(), err)
		}
	}
	return nil
}
