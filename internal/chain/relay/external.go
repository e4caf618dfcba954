package relay

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/gas"
)

// Service is an external bundler (ERC-7769) or paymaster (ERC-7677), called by JSON-RPC. *rpc.Client is one.
type Service interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}

const (
	offersAtOnce  = 8
	offerAgain    = 20 * time.Second // when an operation that is not on chain yet is offered again
	leastPause    = time.Second      // after a call that the bundler does not answer; it doubles
	mostPause     = 30 * time.Second
	recheckTime   = 10 * time.Second // how often it is checked that the block of a settled operation is still there
	finalBlocks   = 64               // after so many blocks it is final, as for txqueue
	mostPromise   = time.Hour        // how long an external paymaster may promise to pay
	promiseMargin = time.Minute      // how long a promise must last at least
	maxPromise    = 1024             // bytes of paymasterData
	// maxPaymasterGas is the most gas that an external paymaster may take, each for its validation and after the operation.
	maxPaymasterGas = 300_000
)

// nobody sends bundles in simulations where an external bundler sends them, from wallets that the portal does not know.
var nobody = eth.Address{0: 0xb0, 19: 0x4e}

// outside is the state of working with an external bundler. It is in memory only: what is lost with it is that an
// operation is offered again at once, which the bundler knows by its hash.
type outside struct {
	again   map[eth.Hash]time.Time // when an operation is offered again; offers hold chain.mu
	paused  time.Time              // until when the bundler is left alone, because it did not answer
	pause   time.Duration          // 0 while it answers
	problem error                  // why it is paused, or what was wrong with its last answers

	recheck time.Time // when the blocks of settled operations are checked again

	cancelAgain map[eth.Address]time.Time // when an account's cancellation is tried again
}

// hand hands the queued operations to the external bundler, and offers those again that it may have lost. An operation is marked
// before it is offered for the first time: from then on the bundler may have it, whatever it answers, so that it is dropped only for
// reasons that keep it off the chain. All offers of an operation have the same hash, and its nonce can be used once.
func (c *chain) hand(ctx context.Context) error {
	if err := c.dropFrozen(ctx); err != nil {
		return err
	}
	now := c.clock.Now()
	if now.Before(c.paused) {
		return c.problem
	}
	queued, err := c.operations.QueuedOperations(ctx, c.id, maxBundle)
	if err != nil {
		return err
	}
	if len(queued) > 0 {
		if queued, err = c.sound(ctx, queued); err != nil {
			return err
		}
	}
	isNew := map[eth.Hash]bool{}
	for _, op := range queued {
		if err := c.operations.Hand(ctx, op.Hash); err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
		isNew[op.Hash] = true
	}
	handed, err := c.operations.HandedOperations(ctx, c.id)
	if err != nil {
		return err
	}
	waiting, answered, silent := map[eth.Hash]bool{}, 0, error(nil)
	var errs []error
	var group errgroup.Group // what the bundler does not answer of one operation does not end the offers of others
	group.SetLimit(offersAtOnce)
	for _, op := range handed {
		if op.State.Step() == gas.StepSettled || !op.Included.IsZero() {
			continue
		}
		waiting[op.Hash] = true
		c.mu.Lock()
		isEarly := now.Before(c.again[op.Hash])
		c.mu.Unlock()
		if isEarly {
			continue
		}
		group.Go(func() error {
			err := c.offer(ctx, op, isNew[op.Hash])
			c.mu.Lock()
			defer c.mu.Unlock()
			c.again[op.Hash] = now.Add(offerAgain)
			if errors.Is(err, rpc.ErrUnreachable) {
				silent = err
				return nil
			}
			answered++
			errs = append(errs, err)
			return nil
		})
	}
	_ = group.Wait() // no function of it returns an error
	maps.DeleteFunc(c.again, func(hash eth.Hash, _ time.Time) bool { return !waiting[hash] })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case silent != nil && answered == 0:
		c.pause = min(max(2*c.pause, leastPause), mostPause)
		c.paused, c.problem = now.Add(c.pause), c.errf("the bundler", silent)
		clear(c.again) // all are offered as soon as the pause ends
		return c.problem
	case silent != nil:
		errs = append(errs, c.errf("the bundler", silent))
	}
	c.pause = 0
	if answered > 0 || len(waiting) == 0 {
		c.problem = errors.Join(errs...)
	}
	return c.problem
}

// offer sends an operation to the bundler: eth_sendUserOperation. One that it refuses is dropped. isNew says that it was never offered
// before.
func (c *chain) offer(ctx context.Context, op gas.Handed, isNew bool) error {
	var hash *eth.Hash
	err := c.Bundler.CallContext(ctx, &hash, "eth_sendUserOperation", &op.Operation.Operation, c.Policy.EntryPoint)
	if err == nil && (hash == nil || *hash != op.Hash) {
		return c.errf("the bundler", errors.New("it answers an operation with another hash: it works on another chain or EntryPoint"))
	}
	if refusal := refusalOf(err); refusal != nil {
		isKnown, unknown := c.knows(ctx, op.Hash, err)
		if unknown != nil {
			return unknown
		}
		if !isKnown {
			return c.refused(ctx, op, isNew, refusal, err)
		}
	} else if err != nil {
		return err
	}
	if op.State == gas.OperationQueued {
		return c.operations.Taken(ctx, op.Hash, c.clock.Now())
	}
	return nil
}

// knows reports whether a bundler refuses an operation because it has it. There is no code for it (ERC-7769).
func (c *chain) knows(ctx context.Context, hash eth.Hash, refusal error) (bool, error) {
	var answer gethrpc.Error
	if errors.As(refusal, &answer) && strings.Contains(strings.ToLower(answer.Error()), "already known") {
		return true, nil
	}
	var found *json.RawMessage
	err := c.Bundler.CallContext(ctx, &found, "eth_getUserOperationByHash", hash)
	if errors.As(err, &answer) {
		return false, nil // it does not find operations
	}
	return found != nil && string(*found) != "null", err
}

// refused drops an operation that the bundler refuses. Unless it is offered for the first time, the bundler may have it, also if it never
// answered, or another one has it from there: then only what the EntryPoint says counts, and only what can never change.
func (c *chain) refused(ctx context.Context, op gas.Handed, isNew bool, refusal *rpcError, cause error) error {
	if !isNew {
		_, err := c.validate(ctx, []gas.Operation{op.Operation})
		why, ok := errors.AsType[*rpcError](err)
		if err != nil && !ok {
			return err
		}
		if err == nil || !isFinal(why) {
			c.log.Warn("the bundler refuses an operation that it may have", "operation", op.Hash, "error", cause)
			return nil
		}
		refusal = inWords(why.Code)
	}
	return c.giveUp(ctx, op, refusal, cause)
}

// isFinal reports whether a refusal of the EntryPoint is for a used nonce or for a time that has passed.
func isFinal(why *rpcError) bool {
	return slices.ContainsFunc([]string{"AA22", "AA25", "AA32"}, func(code string) bool { return strings.Contains(why.Message, code) })
}

// giveUp drops an operation that an external bundler was handed, unless it is on chain.
func (c *chain) giveUp(ctx context.Context, op gas.Handed, refusal *rpcError, cause error) error {
	head, err := c.head(ctx)
	if err != nil || uint64(head.Number) > op.Indexed+searchBlocks {
		return err // neither the index nor the search would find it
	}
	found, err := c.search(ctx, op.Operation)
	if err != nil || found != nil { // the index will tell
		return err
	}
	c.log.Warn("operation given up", "operation", op.Hash, "player", op.Player, "reason", refusal.Message, "error", cause)
	return c.operations.Drop(ctx, op.Hash, refusal.Message, c.clock.Now())
}

// refusals say in words why an operation is refused, by codes of ERC-7769. Other errors say nothing of the operation.
var refusals = map[int]string{
	codeValidation: "the network does not accept it in this form",
	codePaymaster:  "its gas is not paid for",
	codeOpcode:     "it breaks a rule of the network",
	codeTimeRange:  "it came too late",
	codeThrottled:  "too much is sent at the moment",
	codeStake:      "what pays for its gas is not set up for it",
	codeAggregator: "it is signed in a way that is not supported",
	codeSignature:  "its signature is not valid",
	codeDeposit:    "there is too little money for its gas",
	codeReverted:   "what it does would fail now",
	codeParams:     "it offers too little for its gas, or is malformed",
}

func inWords(code int) *rpcError {
	return &rpcError{Code: code, Message: "The service that sends operations refused it: " + refusals[code] + ". Please try again."}
}

// refusalOf returns the refusal of an operation that an external bundler's error is; nil if it is none.
func refusalOf(err error) *rpcError {
	var answer gethrpc.Error
	if !errors.As(err, &answer) || refusals[answer.ErrorCode()] == "" {
		return nil
	}
	return inWords(answer.ErrorCode())
}

// follow settles the operations that an external bundler was handed, by what the index has found. It checks their blocks until they are
// final, and drops those that can no longer be included. Without a bundler any more, it takes the others back.
func (c *chain) follow(ctx context.Context) error {
	handed, err := c.operations.HandedOperations(ctx, c.id)
	if err != nil || len(handed) == 0 {
		return err
	}
	now, lasts := c.clock.Now(), c.Validity
	if c.Paymaster != nil {
		lasts = mostPromise
	}
	isDue, isBack := !now.Before(c.recheck), false
	var head block
	if isDue || c.Bundler == nil {
		if head, err = c.head(ctx); err != nil {
			return err
		}
	}
	if isDue {
		c.recheck = now.Add(recheckTime)
	}
	var errs []error
	for _, op := range handed {
		switch {
		case op.State.Step() == gas.StepSettled:
			if isDue {
				errs = append(errs, c.keepTrack(ctx, op.Operation, uint64(head.Number)))
			}
		case !op.Included.IsZero():
			errs = append(errs, c.settleHanded(ctx, op))
		case c.Bundler == nil:
			// What is on chain must be settled and not sent again: the index has it, or the search of the newest blocks finds it.
			isBack = isBack || uint64(head.Number) <= op.Indexed+searchBlocks
		case now.After(op.CreatedAt.Add(lasts + releaseAfter)):
			errs = append(errs, c.expire(ctx, op))
		}
	}
	if isBack {
		errs = append(errs, c.operations.TakeBack(ctx, c.id, now))
	}
	return errors.Join(errs...)
}

// settleHanded settles an operation by the transaction in which the index has found it.
func (c *chain) settleHanded(ctx context.Context, op gas.Handed) error {
	r, err := c.bundleReceipt(ctx, op.Included)
	if err != nil || r == nil {
		return err // a reorganisation, which the index will notice
	}
	outcome := c.outcome(r.Logs, op.Hash)
	if outcome == nil {
		return nil
	}
	return c.operations.Settle(ctx, []gas.Outcome{*outcome}, c.clock.Now())
}

// keepTrack checks that the block of a settled operation is still there, and whether it is final.
func (c *chain) keepTrack(ctx context.Context, op gas.Operation, head uint64) error {
	r, err := c.bundleReceipt(ctx, op.TxHash)
	switch {
	case err != nil:
		return err
	case r == nil || eth.Hash(r.BlockHash) != op.BlockHash:
		c.log.Warn("operation taken back by a reorganisation", "operation", op.Hash)
		return c.operations.Unsettle(ctx, op.Hash, c.clock.Now())
	case head >= r.BlockNumber.Uint64()+finalBlocks:
		return c.operations.Final(ctx, op.Hash)
	}
	return nil
}

// expire drops an operation whose sponsorship has ended, if the EntryPoint agrees.
func (c *chain) expire(ctx context.Context, op gas.Handed) error {
	_, err := c.validate(ctx, []gas.Operation{op.Operation})
	if why, ok := errors.AsType[*rpcError](err); ok {
		return c.giveUp(ctx, op, inWords(codeTimeRange), why)
	}
	return err
}

// askLimits asks the external bundler what an operation needs whose calls take callGas: eth_estimateUserOperationGas.
func (c *chain) askLimits(ctx context.Context, op *eth.UserOperation, callGas uint64) (out limits, err error) {
	full := *op
	full.Signature = stubSignature()
	if c.Paymaster == nil || full.Paymaster == nil || len(full.PaymasterData) == 0 {
		if err := c.setStub(ctx, &full); err != nil {
			return out, err
		}
	}
	var answer struct {
		PreVerificationGas, VerificationGasLimit, CallGasLimit *eth.Quantity
		PaymasterVerificationGasLimit                          *eth.Quantity
	}
	err = c.Bundler.CallContext(ctx, &answer, "eth_estimateUserOperationGas", &full, c.Policy.EntryPoint)
	if refusal := refusalOf(err); refusal != nil {
		c.log.Warn("estimate refused by the bundler", "sender", op.Sender, "error", err)
		return out, refusal
	}
	if err != nil {
		return out, errBundler.Because(err)
	}
	read := func(q *eth.Quantity) (gas uint64) {
		if q != nil {
			gas, _ = q.Uint64()
		}
		return gas
	}
	out = limits{
		preVerification: read(answer.PreVerificationGas), verification: read(answer.VerificationGasLimit),
		call: max(callGas, read(answer.CallGasLimit)), paymaster: max(paymasterGas(op), read(answer.PaymasterVerificationGasLimit)),
	}
	if out.preVerification == 0 || out.verification == 0 {
		return out, errBundler.Because(errors.New("the bundler's estimate lacks a limit"))
	}
	full.PreVerificationGas, full.VerificationGasLimit = eth.NewQuantity(out.preVerification), eth.NewQuantity(out.verification)
	full.CallGasLimit, full.PaymasterVerificationGasLimit = eth.NewQuantity(out.call), eth.NewQuantity(out.paymaster)
	_, err = c.Policy.Cost(&full)
	return out, err
}

var (
	errBundler   = fault.New(fault.Unavailable, "The service that sends operations cannot be reached just now. Please try again in a moment.")
	errPaymaster = fault.New(fault.Unavailable, "The service that pays for gas cannot be reached just now. Please try again in a moment.")
)

// askPaymaster calls a method of the external paymaster and sets what it answers (ERC-7677): its address must be the configured one, and
// nothing but the paymaster's own fields can change.
func (c *chain) askPaymaster(ctx context.Context, method string, op *eth.UserOperation) error {
	asked := *op
	if len(asked.Signature) == 0 {
		asked.Signature = stubSignature()
	}
	about := c.PaymasterContext
	if len(about) == 0 {
		about = json.RawMessage("{}")
	}
	var answer struct {
		Paymaster                                              *eth.Address
		PaymasterData                                          *eth.Bytes
		PaymasterVerificationGasLimit, PaymasterPostOpGasLimit *eth.Quantity
	}
	err := c.Paymaster.CallContext(ctx, &answer, method, &asked, c.Policy.EntryPoint, eth.NewQuantity(uint64(c.id)), about)
	var refusal gethrpc.Error
	switch {
	case errors.As(err, &refusal):
		c.log.Warn("refused by the paymaster's service", "method", method, "sender", op.Sender, "error", err)
		return &rpcError{Code: codePaymaster, Message: "The service that pays for gas does not pay for this."}
	case err != nil:
		return errPaymaster.Because(err)
	}
	strange := func(what string) error {
		return errPaymaster.Because(errors.New("the paymaster's service answers " + method + " with " + what))
	}
	switch {
	case answer.Paymaster == nil || answer.PaymasterData == nil:
		return strange("no paymaster and paymasterData of EntryPoint v0.7")
	case *answer.Paymaster != c.Policy.Paymaster:
		return strange("the paymaster " + answer.Paymaster.Checksum() + ", which is not the configured one")
	case len(*answer.PaymasterData) > maxPromise:
		return strange("too much data")
	}
	op.Paymaster, op.PaymasterData = answer.Paymaster, *answer.PaymasterData
	most := new(big.Int).SetUint64(maxPaymasterGas)
	for _, limit := range []struct {
		is   *eth.Quantity
		into *eth.Quantity
	}{
		{answer.PaymasterVerificationGasLimit, &op.PaymasterVerificationGasLimit},
		{answer.PaymasterPostOpGasLimit, &op.PaymasterPostOpGasLimit},
	} {
		if limit.is != nil {
			*limit.into = *limit.is
		}
		if limit.into.Big().Cmp(most) > 0 {
			return strange("too high a gas limit")
		}
	}
	return nil
}

// askPromise has the external paymaster sign that it pays for an operation, and asks its contract, as the EntryPoint will, until when
// (ERC-4337, validationData).
func (c *chain) askPromise(ctx context.Context, op *eth.UserOperation, head block) (until time.Time, err error) {
	if err := c.askPaymaster(ctx, "pm_getPaymasterData", op); err != nil {
		return until, err
	}
	cost, err := c.Policy.Cost(op)
	if err != nil {
		return until, err
	}
	limit, _ := op.PaymasterVerificationGasLimit.Uint64()
	hash := op.Hash(c.Policy.EntryPoint, uint64(c.id))
	abi := contracts.NewPantheonPaymaster() // the standard's function
	var answer hexutil.Bytes
	err = c.RPC.CallContext(ctx, &answer, "eth_call", map[string]any{
		"from": c.Policy.EntryPoint, "to": c.Policy.Paymaster, "gas": hexutil.Uint64(limit + txGas + dataGas(op.CallData) + validationGas),
		"data": hexutil.Bytes(abi.PackValidatePaymasterUserOp(pack(op), hash, cost.Big())),
	}, "latest")
	if err != nil {
		_, refusal := c.readRefusal(err)
		return until, refusal
	}
	out, err := abi.UnpackValidatePaymasterUserOp(answer)
	if err != nil {
		return until, errPaymaster.Because(c.errf("reading the paymaster's promise", err))
	}
	refused := func(why string) error {
		return errPaymaster.Because(c.errf("the paymaster's promise", errors.New(why)))
	}
	now := time.Unix(int64(max(uint64(head.Timestamp), uint64(c.clock.Now().Unix()))), 0)
	authorizer, validUntil, validAfter := validity(out.ValidationData)
	until = time.Unix(int64(validUntil), 0)
	switch {
	case authorizer.Sign() != 0:
		return until, refused("its contract does not accept its signature")
	case validUntil == 0 || until.After(now.Add(mostPromise)):
		return until, refused("it lasts for more than " + mostPromise.String() + ": shorten it at the service")
	case until.Before(now.Add(promiseMargin)):
		return until, refused("it has ended, or is about to")
	case time.Unix(int64(validAfter), 0).After(now):
		return until, refused("it has not begun")
	}
	return until, nil
}

// validity splits validationData: an authorizer in the lower 160 bits, then two times of 48 bits, in Unix seconds.
func validity(data *big.Int) (authorizer *big.Int, until, after uint64) {
	word := data.FillBytes(make([]byte, 32))
	time := func(b []byte) uint64 { return new(big.Int).SetBytes(b).Uint64() }
	return new(big.Int).SetBytes(word[12:]), time(word[6:12]), time(word[:6])
}
