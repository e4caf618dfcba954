// Package indexer reads a chain's logs into facts: transfers, approvals, marketplace listings, user operations.
//
// One Indexer follows one chain. It reads ranges of blocks and passes each with its facts to the Store as one batch. It
// has no state of its own: it resumes from the store's cursor, also after a crash. Before it continues it checks
// that the chain still contains the block at the cursor; if not, it finds the newest block that the chain and the
// store share, rewinds the store to it and reads on from there.
//
// Run ends only with its context. A failing endpoint or store is retried with exponential backoff; State returns the
// current status, at any time and from any goroutine. Two indexers of one chain do no harm, because the store rejects a
// batch that does not build on its cursor, but only one of them makes progress.
package indexer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// Store stores what is read.
type Store interface {
	// Resume returns how far the chain's index is, after it has added the tokens and paymasters that it was not read from. It fails if
	// the index was read from another marketplace; with rebuild it discards the index.
	Resume(ctx context.Context, chain onchain.ChainID, sources onchain.Sources, rebuild bool) (onchain.Progress, error)
	// ApplyBatch stores a batch and moves the cursor to its end. It returns fault.Conflict for one that does not build
	// on the cursor.
	ApplyBatch(ctx context.Context, b onchain.Batch) error
	// AddHistory stores what was read of added tokens, up to the cursor at most. It returns fault.Conflict for a batch that does not
	// build on what was read of them.
	AddHistory(ctx context.Context, b onchain.Batch, tokens map[eth.Address]onchain.Standard) error
	// SettleHistory makes some of the listings valid that AddHistory added, once their tokens are read up to the cursor. It reports
	// whether there may be more.
	SettleHistory(ctx context.Context, chain onchain.ChainID) (more bool, err error)
	// Blocks returns the most recently read blocks, ascending.
	Blocks(ctx context.Context, chain onchain.ChainID) ([]onchain.Block, error)
	// Rewind takes back all blocks above the ancestor, which is one of Blocks. It returns fault.Conflict if it is not.
	Rewind(ctx context.Context, chain onchain.ChainID, ancestor onchain.Block) error
	// Reset discards all that was read of the chain.
	Reset(ctx context.Context, chain onchain.ChainID) error
}

// Contracts are the contracts whose logs are read; zero addresses are ignored.
type Contracts struct {
	Marketplace eth.Address   // MarketplaceV3; its listings of tokens other than Tokens are skipped
	EntryPoint  eth.Address   // ERC-4337 v0.7
	Paymasters  []eth.Address // only user operations that these pay for; all, if there are none
	Currency    eth.Address   // of the marketplace's listings
	Tokens      map[eth.Address]onchain.Standard
}

// Sources are the contracts as an index keeps them that begins with a block.
func (c Contracts) Sources(start uint64) onchain.Sources {
	return onchain.Sources{
		Base:  fmt.Sprintf("block %d on, marketplace %s, entry point %s, currency %s", start, c.Marketplace, c.EntryPoint, c.Currency),
		Start: start, Tokens: c.Tokens, Paymasters: c.Paymasters, Digest: c.digest(start),
	}
}

// digest identifies the contracts, and the kinds of facts that were not read from the beginning.
func (c Contracts) digest(start uint64) string {
	lines := []string{
		fmt.Sprintf("from block %d", start), "with supply caps", "with drop tables",
		"marketplace " + c.Marketplace.String(), "entry point " + c.EntryPoint.String(),
	}
	for a, s := range c.Tokens {
		lines = append(lines, fmt.Sprintf("%s %s", s, a))
	}
	for _, p := range c.Paymasters {
		lines = append(lines, "paymaster "+p.String())
	}
	slices.Sort(lines)
	return eth.Keccak256([]byte(strings.Join(lines, "\n"))).String()
}

// Options configure an Indexer. RPC, Store, Chain, Contracts and Poll are required.
type Options struct {
	Chain     onchain.ChainID
	RPC       BatchCaller
	Store     Store
	Contracts Contracts

	// Start is the first block to read: no contract may have logs before it.
	Start uint64
	// Rebuild is whether an index that was read from another marketplace, or another chain, is discarded: for development chains.
	Rebuild bool
	// Confirmations is how many blocks behind the head stay unread. If an endpoint is several nodes behind a load
	// balancer it should be at least 2: a lagging node returns fewer logs for a range, without an error.
	Confirmations uint64
	// Poll is how often the head is polled.
	Poll time.Duration
	// Wake, if set, triggers a poll at once.
	Wake <-chan struct{}
	// Span is the most blocks that are read at once; DefaultSpan if 0.
	Span uint64
	// Settled is how many blocks behind the head reorganisations and incomplete answers are no longer expected: there only
	// the blocks at both ends of a range are requested, and what the logs say of the others is believed. DefaultSettled if 0.
	Settled uint64
	// Retry is the wait after the first failure; it doubles up to sixteen times that. DefaultRetry if 0.
	Retry time.Duration

	Clock   clock.Clock  // the system clock if nil
	Log     *slog.Logger // silent if nil
	Metrics *Metrics     // none if nil
}

const (
	// DefaultSpan is a range that common endpoints accept; it is halved when an endpoint rejects it.
	DefaultSpan = 2000
	// DefaultSettled is hours of blocks: a catch-up after an ordinary outage reads the header of each.
	DefaultSettled = 10_000
	// DefaultRetry is the first wait after a failure.
	DefaultRetry = 300 * time.Millisecond

	// maxRetry is in units of Retry. Queue and relay call the same endpoint every second, so a longer wait would not
	// relieve it, and players wait for the index when it is back.
	maxRetry = 16
)

// State is the status of an indexer.
type State struct {
	Chain   onchain.ChainID
	Head    uint64 // number of the newest block the endpoint knows
	Cursor  uint64 // number of the last block read
	Started bool   // a block was read
	Lag     uint64 // confirmed blocks that are unread
	// CaughtUp is when no confirmed block was left to read for the last time; zero if never.
	CaughtUp time.Time
	// Added is how many contracts that were added to the index are still being read up to the cursor, and Next the first block that
	// was not read of them.
	Added int
	Next  uint64
	// Error describes the current failure for an operator; "" if there is none.
	Error string
	// Since is when the current failure began; zero if there is none.
	Since time.Time
}

// Indexer follows one chain.
type Indexer struct {
	o       Options
	log     *slog.Logger
	metrics chainMetrics

	// Accessed only by Run's goroutine.
	resumed    bool
	reads      source         // what is read after the cursor
	generation int64          // of these sources
	cursor     *onchain.Block // nil before the first block
	history    *history       // of added tokens; nil when there is none left to read
	settled    bool           // whether listings of added tokens are settled
	span       uint64         // the current maximum of blocks read at once
	verified   eth.Hash       // the head at which the cursor was last verified to be on the chain

	mu    sync.Mutex
	state State
}

// New returns an indexer; Run starts it. It fails when an option is missing.
func New(o Options) (*Indexer, error) {
	if o.Chain == 0 || o.RPC == nil || o.Store == nil || o.Poll <= 0 {
		return nil, errors.New("indexer: chain, endpoint, store and poll interval are required")
	}
	if len(o.Contracts.filters()) == 0 {
		return nil, fmt.Errorf("indexer: no contracts of chain %d to read", o.Chain)
	}
	if o.Span == 0 {
		o.Span = DefaultSpan
	}
	if o.Settled == 0 {
		o.Settled = DefaultSettled
	}
	if o.Retry == 0 {
		o.Retry = DefaultRetry
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Metrics == nil {
		o.Metrics, _ = NewMetrics(nil) // registers nothing, so it cannot fail
	}
	o.Contracts.Tokens = maps.Clone(o.Contracts.Tokens)
	return &Indexer{
		o: o, log: o.Log.With("chain", uint64(o.Chain)), metrics: o.Metrics.of(o.Chain), span: o.Span, state: State{Chain: o.Chain},
	}, nil
}

// State returns the current status.
func (x *Indexer) State() State {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state
}

// Run follows the chain until ctx ends, and then returns nil.
func (x *Indexer) Run(ctx context.Context) error {
	x.resumed = false // another indexer may have gone on meanwhile
	retry := x.o.Retry
	for {
		more, err := x.step(ctx)
		if ctx.Err() != nil {
			return nil
		}
		x.report(err)
		wait, wake := x.o.Poll, x.o.Wake
		if err != nil {
			wait, wake = retry, nil
			retry = min(2*retry, maxRetry*x.o.Retry)
		} else {
			retry = x.o.Retry
		}
		if more && err == nil {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// step reads the next blocks, if there are any. It reports whether there may be more to read at once.
func (x *Indexer) step(ctx context.Context) (more bool, err error) {
	if err := x.resume(ctx); err != nil {
		return false, err
	}
	newest, err := x.head(ctx)
	if err != nil {
		return false, err
	}
	head := newest.block()
	from, to, behind := x.next(head)
	x.observe(head, from, to, behind)
	if !behind {
		if err := x.verify(ctx, head); err != nil || !x.resumed {
			return false, err
		}
		return x.catchUp(ctx, newest)
	}
	limit := min(to, from+x.span-1)
	batches, err := x.read(ctx, x.reads, x.cursor, from, limit, newest)
	switch {
	case errors.Is(err, errForked):
		return true, x.rewind(ctx, head)
	case errors.Is(err, errTooMuch):
		// Endpoints word this in many ways and few have a code for it, so any rejection reduces the range.
		x.span = max((limit-from+1)/2, 1)
		x.log.Debug("endpoint refuses the block range, shrinking it", "blocks", x.span, "error", plain(err))
		return true, nil
	case err != nil:
		return false, err
	}
	for _, b := range batches {
		if err := x.apply(ctx, b); err != nil {
			return false, err
		}
		if !x.resumed {
			return true, nil
		}
		x.observe(head, b.To+1, to, b.To < to)
	}
	x.span = min(2*x.span, x.o.Span)
	if limit < to {
		return true, nil
	}
	return x.catchUp(ctx, newest)
}

// catchUp continues with contracts that were added to the index, once all others are read.
func (x *Indexer) catchUp(ctx context.Context, head header) (more bool, err error) {
	if !x.settled && x.resumed {
		if more, err = x.o.Store.SettleHistory(ctx, x.o.Chain); more || err != nil {
			return more, err
		}
		x.settled = true
	}
	return x.addHistory(ctx, head), nil
}

// apply stores a batch. If another writer has moved the cursor, the indexer must resume from there.
func (x *Indexer) apply(ctx context.Context, b onchain.Batch) error {
	b.Generation = x.generation
	err := x.o.Store.ApplyBatch(ctx, b)
	if fault.Is(err, fault.Conflict) {
		x.resumed = false
		return nil
	}
	if err != nil {
		return err
	}
	last := b.Blocks[len(b.Blocks)-1]
	x.cursor, x.verified = &last, eth.Hash{}
	return nil
}

// resume reads the cursor from the store, once and after another writer has moved it.
func (x *Indexer) resume(ctx context.Context) error {
	if x.resumed {
		return nil
	}
	if err := x.checkChain(ctx); err != nil {
		return err
	}
	progress, err := x.o.Store.Resume(ctx, x.o.Chain, x.o.Contracts.Sources(x.o.Start), x.o.Rebuild)
	if err != nil {
		return err
	}
	if progress.Cursor == nil {
		x.log.Info("reading the chain from its first block", "block", x.o.Start)
	}
	contracts := x.o.Contracts
	contracts.Tokens, contracts.Paymasters = progress.Tokens, progress.Paymasters
	x.resumed, x.cursor, x.verified, x.generation = true, progress.Cursor, eth.Hash{}, progress.Generation
	x.reads, x.history, x.settled = sourceOf(contracts), x.historyOf(progress.Added), false
	return nil
}

// next returns the confirmed blocks that are unread, if there are any.
func (x *Indexer) next(head onchain.Block) (from, to uint64, behind bool) {
	from = x.o.Start
	if x.cursor != nil {
		from = x.cursor.Number + 1
	}
	if head.Number < x.o.Confirmations {
		return from, 0, false
	}
	to = head.Number - x.o.Confirmations
	return from, to, from <= to
}

// verify checks, when there is nothing new to read, that what was read is still on the chain.
func (x *Indexer) verify(ctx context.Context, head onchain.Block) error {
	if x.cursor == nil || head.Hash == x.verified {
		return nil
	}
	newest := x.cursor
	if head.Number < newest.Number {
		// Either the endpoint lags or the chain is another one: the newest block that both must have decides.
		blocks, err := x.blocksUpTo(ctx, head.Number)
		if err != nil {
			return err
		}
		if len(blocks) == 0 {
			return fmt.Errorf("the endpoint has only %d blocks of the %d that were read", head.Number, newest.Number)
		}
		newest = &blocks[len(blocks)-1]
	}
	on, err := x.onChain(ctx, *newest)
	if err != nil {
		return err
	}
	if !on {
		return x.rewind(ctx, head)
	}
	x.verified = head.Hash
	return nil
}

// rewind rewinds the store to the newest block that the chain still has.
func (x *Indexer) rewind(ctx context.Context, head onchain.Block) error {
	blocks, err := x.blocksUpTo(ctx, head.Number)
	if err != nil {
		return err
	}
	// A chain that has a block has all before it, so the lost blocks come last.
	lost := sort.Search(len(blocks), func(i int) bool {
		on := false
		if err == nil {
			on, err = x.onChain(ctx, blocks[i])
		}
		return !on
	})
	if err != nil {
		return err
	}
	x.resumed = false
	if lost == len(blocks) && lost > 0 {
		return errMoved // restored, or another indexer has already rewound
	}
	if lost == 0 && !x.o.Rebuild {
		return errOtherChain
	}
	x.metrics.reorgs.Inc()
	if lost == 0 {
		x.log.Warn("the chain is another one, reading it from its first block")
		return x.o.Store.Reset(ctx, x.o.Chain)
	}
	ancestor := blocks[lost-1]
	x.log.Warn("chain reorganised, rewinding", "cursor", x.cursor.Number, "ancestor", ancestor.Number)
	err = x.o.Store.Rewind(ctx, x.o.Chain, ancestor)
	if fault.Is(err, fault.Conflict) {
		return nil // another indexer has done it
	}
	return err
}

// Has reports whether the chain has a block. It is safe for concurrent use.
func (x *Indexer) Has(ctx context.Context, b onchain.Block) (bool, error) { return x.onChain(ctx, b) }

func (x *Indexer) blocksUpTo(ctx context.Context, number uint64) ([]onchain.Block, error) {
	blocks, err := x.o.Store.Blocks(ctx, x.o.Chain)
	return slices.DeleteFunc(blocks, func(b onchain.Block) bool { return b.Number > number }), err
}

func (x *Indexer) onChain(ctx context.Context, b onchain.Block) (bool, error) {
	now, err := x.blockAt(ctx, b.Number)
	return now.Hash == b.Hash, err
}

// observe records the index's progress; from..to is left to read if it is behind.
func (x *Indexer) observe(head onchain.Block, from, to uint64, behind bool) {
	x.metrics.head.Set(float64(head.Number))
	x.metrics.headTime.Set(float64(head.Time.Unix()))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state.Head, x.state.Lag = head.Number, 0
	if behind {
		x.state.Lag = to - from + 1
	} else {
		x.state.CaughtUp = x.o.Clock.Now()
	}
	if x.state.Started = x.cursor != nil; x.state.Started {
		x.state.Cursor = x.cursor.Number
		x.metrics.cursor.Set(float64(x.cursor.Number))
	}
	if x.state.Added, x.state.Next = 0, 0; x.history != nil {
		x.state.Added, x.state.Next = x.history.all, x.history.next
	}
	x.metrics.added.Set(float64(x.state.Added))
}

// report records the result of an attempt and logs the beginning and the end of a failure.
func (x *Indexer) report(err error) {
	x.mu.Lock()
	failing := x.state.Error != ""
	if err == nil {
		x.state.Error, x.state.Since = "", time.Time{}
	} else {
		x.state.Error = plain(err)
		if !failing {
			x.state.Since = x.o.Clock.Now()
		}
	}
	text := x.state.Error
	x.mu.Unlock()
	switch {
	case err == nil && failing:
		x.log.Info("indexing resumed")
	case err != nil:
		x.metrics.failures.Inc()
		if !failing {
			x.log.Warn("indexing failed, retrying", "error", text)
		}
	}
}
