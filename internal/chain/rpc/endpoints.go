package rpc

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

const (
	// maxLag is how much older than the majority's an endpoint's newest block may be, unless it is no more than lagBlocks behind.
	maxLag    = 10 * time.Second
	lagBlocks = 2
	// compareDepth is how far below the lowest head blocks are compared: deep enough that reorganisations are over.
	compareDepth = 5
	// throttledWait is how long a throttling endpoint is retried while there is an alternative.
	throttledWait = 500 * time.Millisecond
	// cooldown is how long an endpoint is avoided after a failed call, even if it passes the checks of Watch.
	cooldown = 10 * time.Second
)

// The problems of an endpoint beside others, besides the failures of a chain.
var (
	errLags   = errors.New("its newest block is older than that of the others")
	errForked = errors.New("it has another chain than the others")
)

// first makes a call at the first endpoint that works. It fails over if the endpoint fails, not if its answer is an error. An endpoint of
// another chain is never used: its nonces and balances would be taken for this chain's.
func (c *Client) first(ctx context.Context, call func(context.Context, *endpoint) error) (err error) {
	if len(c.endpoints) == 1 {
		return call(ctx, c.endpoints[0])
	}
	order := c.inOrder()
	for i, e := range order {
		bounded := ctx
		if i+1 < len(order) && order[i+1].problem.Load() == nil {
			bounded = context.WithValue(ctx, hasAlternative{}, true)
		}
		failed := e.verify(bounded)
		if failed == nil {
			failed = call(bounded, e)
			if failed == nil || ctx.Err() == nil && !isFailure(failed) {
				return failed
			}
			if !errors.Is(ctx.Err(), context.Canceled) { // it may have used up the caller's time
				e.fail(failed)
			}
		}
		if ctx.Err() != nil {
			return failed
		}
		if err == nil {
			err = failed
		}
	}
	return err
}

// hasAlternative marks the context of a call for which there is another working endpoint.
type hasAlternative struct{}

// fail marks the endpoint as failed, so that other calls do not wait for it.
func (e *endpoint) fail(err error) {
	e.failed.Store(time.Now().UnixNano())
	e.problem.Store(&err)
}

// verify returns an error if the endpoint serves another chain. It asks for the chain's id before the first use.
func (e *endpoint) verify(ctx context.Context) error {
	if p := e.problem.Load(); p != nil && (errors.Is(*p, ErrWrongChain) || errors.Is(*p, errForked)) {
		return *p
	}
	if e.verified.Load() {
		return nil
	}
	switch _, err := e.check(ctx); {
	case err == nil || errors.Is(err, ErrStale):
		e.verified.Store(true)
		return nil
	case ctx.Err() == nil:
		e.fail(err)
		return err
	default:
		return err
	}
}

// isFailure reports whether an error is the endpoint's, and not its answer.
func isFailure(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrWrongChain) || errors.Is(err, ErrStale)
}

// inOrder returns the endpoints without a known problem, and then the others.
func (c *Client) inOrder() []*endpoint {
	return slices.SortedStableFunc(slices.Values(c.endpoints), func(a, b *endpoint) int {
		return cmp.Compare(a.rank(), b.rank())
	})
}

func (e *endpoint) rank() int {
	if e.problem.Load() != nil {
		return 1
	}
	return 0
}

// Problems returns what is known of each endpoint, in the operator's order: nil for one that works.
func (c *Client) Problems() []error {
	out := make([]error, len(c.endpoints))
	for i, e := range c.endpoints {
		if p := e.problem.Load(); p != nil {
			out[i] = *p
		}
	}
	return out
}

// Watch compares the endpoints of a chain with several at intervals until ctx ends: one that does not answer, lags behind the majority, or
// has other blocks than the majority, is used only if no other works. Changes are logged.
func (c *Client) Watch(ctx context.Context, interval time.Duration, log *slog.Logger) error {
	if len(c.endpoints) == 1 {
		return nil
	}
	for {
		c.compare(ctx, log)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
	}
}

// probed is what an endpoint has answered.
type probed struct {
	health Health
	hash   common.Hash // of the block that is compared; zero for none
	err    error
}

func (c *Client) compare(ctx context.Context, log *slog.Logger) {
	probes := make([]probed, len(c.endpoints))
	c.all(func(i int, e *endpoint) { probes[i].health, probes[i].err = e.check(ctx) })
	markLagging(probes)
	if at, ok := comparedBlock(probes); ok {
		c.all(func(i int, e *endpoint) {
			if probes[i].err == nil {
				probes[i].hash, probes[i].err = e.hashAt(ctx, at)
			}
		})
		markForked(probes)
	}
	if ctx.Err() != nil {
		return
	}
	for i, e := range c.endpoints {
		was := e.problem.Load()
		if err := probes[i].err; err != nil {
			e.problem.Store(&err)
			if was == nil || (*was).Error() != err.Error() {
				log.Warn("endpoint of a chain is not used", "chain", uint64(c.options.ChainID), "endpoint", i+1, "error", err)
			}
			continue
		}
		e.verified.Store(true)
		if was == nil || time.Since(time.Unix(0, e.failed.Load())) < cooldown {
			continue
		}
		e.problem.Store(nil)
		log.Info("endpoint of a chain is used again", "chain", uint64(c.options.ChainID), "endpoint", i+1)
	}
}

// all calls a function for all endpoints at once.
func (c *Client) all(f func(i int, e *endpoint)) {
	var calls sync.WaitGroup
	for i, e := range c.endpoints {
		calls.Go(func() { f(i, e) })
	}
	calls.Wait()
}

func (e *endpoint) hashAt(ctx context.Context, number uint64) (common.Hash, error) {
	var block *struct{ Hash common.Hash }
	err := e.call(ctx, &block, "eth_getBlockByNumber", hexutil.Uint64(number), false)
	if err == nil && block == nil {
		err = e.errorf("%w: it does not have block %d", ErrUnreachable, number)
	}
	if err != nil {
		return common.Hash{}, err
	}
	return block.Hash, nil
}

// markLagging marks the endpoints that are behind what a majority of those that answer has reached, by time and by blocks: blocks may be
// rare. Time and blocks have majorities of their own, so that one endpoint whose number of blocks is far too high misleads nobody.
func markLagging(probes []probed) {
	var ages []time.Duration
	var heads []uint64
	for _, p := range probes {
		if p.err == nil {
			ages, heads = append(ages, p.health.Age), append(heads, p.health.Head)
		}
	}
	if len(ages) == 0 {
		return
	}
	slices.Sort(ages)
	slices.SortFunc(heads, func(a, b uint64) int { return cmp.Compare(b, a) }) // the highest first
	age, head := ages[(len(ages)-1)/2], heads[(len(heads)-1)/2]
	for i := range probes {
		if p := &probes[i]; p.err == nil && p.health.Age > age+maxLag && p.health.Head+lagBlocks < head {
			p.err = errLags
		}
	}
}

// comparedBlock returns the number of the block that is compared; false if fewer than two endpoints are left.
func comparedBlock(probes []probed) (at uint64, ok bool) {
	n := 0
	for _, p := range probes {
		if p.err != nil {
			continue
		}
		if n == 0 || p.health.Head < at {
			at = p.health.Head
		}
		n++
	}
	return at - min(at, compareDepth), n > 1
}

// markForked marks the endpoints with another block than most. Where no block has a majority, that of the first endpoint counts, which the
// operator prefers.
func markForked(probes []probed) {
	count, all := map[common.Hash]int{}, 0
	var right common.Hash
	for _, p := range probes {
		if p.err != nil {
			continue
		}
		if all == 0 {
			right = p.hash
		}
		count[p.hash]++
		all++
	}
	for hash, n := range count {
		if 2*n > all {
			right = hash
		}
	}
	for i := range probes {
		if p := &probes[i]; p.err == nil && p.hash != right {
			p.err = errForked
		}
	}
}
