// Package txqueue sends the transactions of the portal's own wallets, each exactly once.
//
// A transaction is stored before it is signed, and its signed form before it is broadcast. All signed forms of one
// transaction (later ones offer higher fees) share one nonce, so that at most one of them is ever mined; after a crash
// they are broadcast again. A transaction whose block is removed by a reorganisation is in flight again.
//
// A Queue is safe for concurrent use. Send may be called in any process. Run does the work, in one process at a time:
// if two overlap briefly, the database's guards keep a transaction from being signed twice.
package txqueue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/gas"
)

// RPC calls the chain's JSON-RPC endpoint.
type RPC interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
	BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error
}

// Options configure a Queue. Zero values mean the default, if there is one.
type Options struct {
	Chain   onchain.ChainID
	RPC     RPC
	Store   gas.Transactions
	History History  // nil if the store has never lost anything
	Wallets []Wallet // the senders
	// Former are wallets that the portal had before and the store may not know, such as one from before a restore.
	Former []eth.Address
	// Later returns the ids under which a transaction may have been sent again after its own was given up; nil for none.
	Later func(id string) []string
	Clock clock.Clock
	Log   *slog.Logger

	Poll        time.Duration // how often the chain is polled while a transaction is in flight; default 1 s
	Idle        time.Duration // how often work and reorganisations are polled otherwise; default 1 s
	Rebroadcast time.Duration // after how long an unmined transaction is sent again; default 30 s
	BumpAfter   uint64        // after how many blocks its fees are raised; default 5
	BumpWait    time.Duration // and after how long at the earliest, for chains that make blocks in bursts; default 5 s
	Finality    uint64        // depth in blocks at which a block is final; default 64
	MaxInFlight int           // maximum number of transactions of one wallet in flight; default 16
	MaxFee      money.Units   // maximum fee per unit of gas, in wei; default 1000 gwei
}

// Queue sends the transactions of the portal's wallets on one chain.
type Queue struct {
	Options
	wallets map[eth.Address]Wallet
	loop    periodic.Loop

	mu        sync.Mutex
	listeners []chan struct{}
	state     State

	run struct { // Run's state; a new process starts empty and recovers from the store
		head        head
		fresh       []gas.Transaction         // mined, but not yet verified to be in a block of the chain
		broadcast   map[string]broadcast      // each transaction's last broadcast, by id
		lost        map[string]uint64         // the block since which something unknown has used the nonce, by id
		recovery    *recovery                 // a search that has not ended; nil for none
		fenced      bool                      // whether all wallets were looked at
		searched    map[eth.Address]bool      // wallets of which a search has ended
		pool        map[eth.Address]time.Time // since when a wallet waits for what is in the pool; zero once it does not
		leastTip    *big.Int                  // the highest tip, in wei, that the node has named as needed
		underpriced map[string]bool           // transactions whose newest attempt tips less than the node needs, by id
	}
}

// broadcast is the last time that a transaction was sent.
type broadcast struct {
	at      time.Time
	refused error // what the node said; nil if it took the transaction
}

// State is the status of a queue, for readiness.
type State struct {
	Err     error     // why the last round failed or which transactions the node refuses; nil if all is well
	Waiting int       // how many transactions are pending or in flight
	Oldest  time.Time // when the oldest of them was requested; zero if there is none
}

// New returns a queue, or an error that names an invalid option.
func New(o Options) (*Queue, error) {
	if o.Chain == 0 || o.RPC == nil || o.Store == nil || o.Clock == nil || o.Log == nil {
		return nil, errors.New("txqueue: chain, RPC, store, clock and log are needed")
	}
	q := &Queue{Options: o, wallets: map[eth.Address]Wallet{}, loop: periodic.NewLoop()}
	for _, w := range o.Wallets {
		q.wallets[w.Address()] = w
	}
	orDefault(&q.Poll, time.Second)
	orDefault(&q.Idle, time.Second)
	orDefault(&q.Rebroadcast, 30*time.Second)
	orDefault(&q.BumpAfter, 5)
	orDefault(&q.BumpWait, 5*time.Second)
	orDefault(&q.Finality, 64)
	orDefault(&q.MaxInFlight, 16)
	if q.MaxFee.IsZero() {
		q.MaxFee = money.FromInt(1000_000_000_000)
	}
	q.Log = q.Log.With("chain", uint64(o.Chain))
	return q, nil
}

func orDefault[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

// maxData is the maximum length of a transaction's data, in bytes: nodes reject transactions of more than 128 KiB.
const maxData = 120 << 10

// Send stores a transaction to be sent and returns the stored one: for a known id, that is the earlier
// one, possibly in a later state. Chain and CreatedAt are filled in. It returns an Invalid fault for a transaction
// that no node would accept.
func (q *Queue) Send(ctx context.Context, t gas.Transaction) (gas.Transaction, error) {
	if t.ID == "" || len(t.Data) > maxData {
		return t, fault.New(fault.Invalid, "A transaction needs an id and at most %d bytes of data.", maxData)
	}
	if _, ok := q.wallets[t.From]; !ok {
		return t, fault.New(fault.Invalid, "%s is not a wallet that can send.", t.From.Checksum())
	}
	t.Chain, t.CreatedAt = q.Chain, q.Clock.Now()
	kept, err := q.Store.AddTransaction(ctx, t)
	if err == nil {
		q.Wake()
	}
	return kept, err
}

// Transaction returns a transaction by its id, or a NotFound fault.
func (q *Queue) Transaction(ctx context.Context, id string) (gas.Transaction, error) {
	return q.Store.Transaction(ctx, id)
}

// Wake tells Run to check for work. It never blocks.
func (q *Queue) Wake() { q.loop.Wake() }

// Changes returns a channel that receives an element when a transaction has changed since the last receive. Each call
// creates its own channel, which lasts as long as the queue.
func (q *Queue) Changes() <-chan struct{} {
	c := make(chan struct{}, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.listeners = append(q.listeners, c)
	return c
}

func (q *Queue) changed() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.listeners {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// State returns the status of the queue. It is known only in the process that runs the queue.
func (q *Queue) State() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state
}

func (q *Queue) report(s State) {
	q.mu.Lock()
	before := q.state.Err
	if s.Err == nil && before != nil && s.Waiting > 0 && s.Oldest.Equal(q.state.Oldest) {
		s.Err = before // what has failed still waits: this round did not try it
	}
	q.state = s
	q.mu.Unlock()
	switch {
	case errors.Is(s.Err, errWaiting):
		if before == nil {
			q.Log.Info("transactions wait", "error", s.Err)
		}
	case s.Err != nil && (before == nil || before.Error() != s.Err.Error()):
		q.Log.Error("transaction queue failing, retrying", "error", s.Err)
	case s.Err == nil && before != nil:
		q.Log.Info("transaction queue recovered")
	}
}

// Run signs, sends and watches until ctx ends; then it returns nil. Failures of a chain or the database are
// reported in State and retried.
func (q *Queue) Run(ctx context.Context) error {
	q.run.head, q.run.fresh = head{}, nil
	q.run.broadcast, q.run.lost = map[string]broadcast{}, map[string]uint64{}
	q.run.recovery, q.run.fenced, q.run.searched = nil, false, map[eth.Address]bool{}
	q.run.pool = map[eth.Address]time.Time{}
	q.run.leastTip, q.run.underpriced = new(big.Int), map[string]bool{}
	return q.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) {
		s := q.round(ctx)
		if ctx.Err() == nil {
			q.report(s)
		}
		if s.Waiting > 0 && s.Err == nil {
			return q.Poll, nil
		}
		return q.Idle, nil
	}, nil) // State has the error
}

// round does all work that is possible now. Each part works from stored state, so it may fail at any point.
func (q *Queue) round(ctx context.Context) (s State) {
	s.Err = func() error {
		head, err := q.latest(ctx)
		if err != nil {
			return err
		}
		if err := q.follow(ctx, head); err != nil {
			return err
		}
		sent, err := q.Store.SentTransactions(ctx, q.Chain)
		if err != nil {
			return err
		}
		pending, err := q.Store.PendingTransactions(ctx, q.Chain, batchSize)
		if err != nil {
			return err
		}
		for _, t := range append(sent[:len(sent):len(sent)], pending...) {
			s.Waiting++
			if s.Oldest.IsZero() || t.CreatedAt.Before(s.Oldest) {
				s.Oldest = t.CreatedAt
			}
		}
		if sent, err = q.collect(ctx, head, sent); err != nil {
			return err
		}
		return errors.Join(q.push(ctx, head, sent), q.sign(ctx, head, sent, pending))
	}()
	return s
}

// batchSize is how many pending transactions are handled in one round.
const batchSize = 64

// errf wraps an error with the chain and the attempted action.
func (q *Queue) errf(what string, err error) error {
	return fmt.Errorf("txqueue: chain %d: %s: %w", uint64(q.Chain), what, err)
}
