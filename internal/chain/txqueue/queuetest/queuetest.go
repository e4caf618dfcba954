// Package queuetest lets tests stop a queue at any point at which it changes something, and switch its endpoint off.
package queuetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
)

// ErrDead is returned by every call after the end of a life.
var ErrDead = errors.New("queuetest: the process is dead")

// Life is the life of one process, as far as others can see it: its changes to the database, its broadcasts and its
// calls of observers. It can end just before or just after any of them; after that nothing has an effect.
type Life struct {
	mu     sync.Mutex
	points int
	last   int
	died   chan struct{}
}

// NewLife returns a life that ends at its last-th point, counted from 1; 0 means never.
func NewLife(last int) *Life { return &Life{last: last, died: make(chan struct{})} }

// Died is closed when the life ends.
func (l *Life) Died() <-chan struct{} { return l.died }

// Points returns how many points have passed.
func (l *Life) Points() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.points
}

// pass passes one point; false when the life is over.
func (l *Life) pass() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last > 0 && l.points >= l.last {
		return false
	}
	if l.points++; l.points == l.last {
		close(l.died)
		return false
	}
	return true
}

// Do runs a function with an effect, with a point before and a point after it.
func (l *Life) Do(effect func() error) error {
	if !l.pass() {
		return ErrDead
	}
	err := effect()
	if !l.pass() {
		return ErrDead
	}
	return err
}

// RPC returns the endpoint for the life: its broadcasts pass points.
func (l *Life) RPC(rpc txqueue.RPC) txqueue.RPC { return mortalRPC{rpc, l} }

type mortalRPC struct {
	txqueue.RPC
	life *Life
}

func (m mortalRPC) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method == "eth_sendRawTransaction" {
		return m.life.Do(func() error { return m.RPC.CallContext(ctx, result, method, args...) })
	}
	return m.RPC.CallContext(ctx, result, method, args...)
}

func (m mortalRPC) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	return m.RPC.BatchCallContext(ctx, batch)
}

// Outage is an endpoint that answers with Err while it is Off.
type Outage struct {
	txqueue.RPC
	Err error
	Off atomic.Bool
}

func (o *Outage) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if o.Off.Load() {
		return o.Err
	}
	return o.RPC.CallContext(ctx, result, method, args...)
}

func (o *Outage) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	if o.Off.Load() {
		return o.Err
	}
	return o.RPC.BatchCallContext(ctx, batch)
}

// Transactions returns the store of transactions for the life: its changes pass points.
func (l *Life) Transactions(s gas.Transactions) gas.Transactions { return transactions{s, l} }

type transactions struct {
	gas.Transactions
	life *Life
}

func (t transactions) AddTransaction(ctx context.Context, tx gas.Transaction) (kept gas.Transaction, err error) {
	err = t.life.Do(func() error {
		kept, err = t.Transactions.AddTransaction(ctx, tx)
		return err
	})
	return kept, err
}

func (t transactions) RaiseNonce(ctx context.Context, chain onchain.ChainID, from eth.Address, atLeast, block uint64) error {
	return t.life.Do(func() error { return t.Transactions.RaiseNonce(ctx, chain, from, atLeast, block) })
}

func (t transactions) Signed(ctx context.Context, id string, nonce uint64, a gas.Attempt, at time.Time) error {
	return t.life.Do(func() error { return t.Transactions.Signed(ctx, id, nonce, a, at) })
}

func (t transactions) Resigned(ctx context.Context, id string, a gas.Attempt, at time.Time) error {
	return t.life.Do(func() error { return t.Transactions.Resigned(ctx, id, a, at) })
}

func (t transactions) Mined(ctx context.Context, id string, r gas.Receipt, at time.Time) error {
	return t.life.Do(func() error { return t.Transactions.Mined(ctx, id, r, at) })
}

func (t transactions) Unmined(ctx context.Context, id string, at time.Time) error {
	return t.life.Do(func() error { return t.Transactions.Unmined(ctx, id, at) })
}

func (t transactions) Abandon(ctx context.Context, id, reason string, at time.Time) error {
	return t.life.Do(func() error { return t.Transactions.Abandon(ctx, id, reason, at) })
}

// Operations returns the store of operations for the life: its changes pass points.
func (l *Life) Operations(s gas.Operations) gas.Operations { return operations{s, l} }

type operations struct {
	gas.Operations
	life *Life
}

func (o operations) AddOperation(ctx context.Context, op gas.Operation) (kept gas.Operation, err error) {
	err = o.life.Do(func() error {
		kept, err = o.Operations.AddOperation(ctx, op)
		return err
	})
	return kept, err
}

func (o operations) Cancel(ctx context.Context, s gas.Sponsorship, cancellation *gas.Operation, cost money.Units, at time.Time) error {
	return o.life.Do(func() error { return o.Operations.Cancel(ctx, s, cancellation, cost, at) })
}

func (o operations) Bundle(ctx context.Context, t gas.Transaction, ops []eth.Hash) error {
	return o.life.Do(func() error { return o.Operations.Bundle(ctx, t, ops) })
}

func (o operations) Settle(ctx context.Context, outcomes []gas.Outcome, at time.Time) error {
	return o.life.Do(func() error { return o.Operations.Settle(ctx, outcomes, at) })
}

func (o operations) Requeue(ctx context.Context, hash eth.Hash, at time.Time) error {
	return o.life.Do(func() error { return o.Operations.Requeue(ctx, hash, at) })
}

func (o operations) Drop(ctx context.Context, hash eth.Hash, reason string, at time.Time) error {
	return o.life.Do(func() error { return o.Operations.Drop(ctx, hash, reason, at) })
}

func (o operations) Hand(ctx context.Context, hash eth.Hash) error {
	return o.life.Do(func() error { return o.Operations.Hand(ctx, hash) })
}

func (o operations) Taken(ctx context.Context, hash eth.Hash, at time.Time) error {
	return o.life.Do(func() error { return o.Operations.Taken(ctx, hash, at) })
}

func (o operations) Told(ctx context.Context, op gas.Operation) error {
	return o.life.Do(func() error { return o.Operations.Told(ctx, op) })
}
