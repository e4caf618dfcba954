package app

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
)

// errLost means that a dependency is unreachable; /readyz shows it.
var errLost = fault.New(fault.Unavailable, "cannot be reached")

// checkDatabase is the check of the database. /readyz shows its fault; the cause is in the log.
func (b *base) checkDatabase(ctx context.Context) error {
	err := b.db.Ready(ctx)
	if err == nil || errors.Is(err, store.ErrReadOnly) {
		return err
	}
	return errLost.Because(err)
}

// anchored reports whether all records of payments but the newest are anchored.
func (b *base) anchored(ctx context.Context) error {
	since, err := rewards.New(b.db).UnanchoredSince(ctx)
	if wait := b.waiting(since); err == nil && wait > longWait {
		err = fault.New(fault.Unavailable, "the log of payments has not been anchored for %s", wait.Round(time.Second))
	}
	return err
}

// maxIndexLag is how many blocks the index may be behind before it counts as late.
const maxIndexLag = 200

// check reports whether the chain answers and the index keeps up, on whichever replica it is written.
func (c *chainParts) check(ctx context.Context) error {
	head, err := checkEndpoint(ctx, c.rpc)
	if err != nil {
		return err
	}
	if s := c.indexer.State(); s.Error != "" {
		return fault.New(fault.Unavailable, "the index has stopped").Because(errors.New(s.Error))
	}
	cursor, ok, err := c.index.Indexed(ctx, c.config.ChainID())
	if err != nil {
		return fault.New(fault.Unavailable, "the index cannot be read").Because(err)
	}
	if !ok {
		return fault.New(fault.Unavailable, "the index is empty")
	}
	if depth := c.config.Depth(); head > cursor+depth+maxIndexLag {
		return fault.New(fault.Unavailable, "the index is %d blocks behind", head-depth-cursor)
	}
	return nil
}

// checkHistory reports whether contracts that were added to the index are still being read.
func (c *chainParts) checkHistory(context.Context) error {
	if s := c.indexer.State(); s.Added > 0 {
		return fault.New(fault.Unavailable, "%d added contracts are read up to block %d of %d", s.Added, s.Next, s.Cursor)
	}
	return nil
}

// checkEndpoints reports the endpoints that are not used because something is wrong with them.
func (c *chainParts) checkEndpoints(context.Context) error {
	for i, problem := range c.rpc.Problems() {
		if problem != nil {
			return fault.New(fault.Unavailable, "endpoint %d is not used", i+1).Because(problem)
		}
	}
	return nil
}

// checkReads reports whether the endpoint for browsers' reads answers.
func (c *chainParts) checkReads(ctx context.Context) error {
	_, err := checkEndpoint(ctx, c.reads)
	return err
}

// checkEndpoint returns the number of the endpoint's newest block.
func checkEndpoint(ctx context.Context, endpoint *rpc.Client) (head uint64, err error) {
	h, err := endpoint.Check(ctx)
	switch {
	case errors.Is(err, rpc.ErrWrongChain):
		err = fault.New(fault.Unavailable, "the endpoint serves another chain").Because(err)
	case errors.Is(err, rpc.ErrStale):
		err = fault.New(fault.Unavailable, "the endpoint has no new blocks").Because(err)
	case err != nil:
		err = errLost.Because(err)
	}
	return h.Head, err
}

// measure registers the metrics of the portal as a whole.
func (b *base) measure() error {
	var errs []error
	gauge := func(subsystem, name, help string, value func() float64) {
		errs = append(errs, b.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "pantheon", Subsystem: subsystem, Name: name, Help: help,
		}, value)))
	}
	gauge("outbox", "oldest_age_seconds",
		"How long the oldest announcement has been waiting to be sent: 0 when none is, NaN when the database does not tell.", b.outboxAge)
	gauge("rewards", "failed",
		"How many rewards have failed, which an operator can give again: NaN when the database does not tell.", b.rewardsFailed)
	gauge("rewards", "oldest_age_seconds",
		"How long the oldest reward that has a player has been waiting to be drawn or given: 0 when none is, NaN when the database "+
			"does not tell.", b.rewardsAge)
	gauge("payment_records", "oldest_age_seconds",
		"How long the oldest record of a payment has been waiting for an anchor in a block: 0 when none is, NaN when the database does not tell.",
		b.recordsAge)
	return errors.Join(errs...)
}

// measureTime is the timeout of a metric's database query.
const measureTime = 2 * time.Second

func (b *base) outboxAge() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), measureTime)
	defer cancel()
	rows, err := store.Outbox{DB: b.db}.Announcements(ctx, 1)
	if err != nil {
		return math.NaN()
	}
	if len(rows) == 0 {
		return 0
	}
	return max(0, b.clock.Now().Sub(rows[0].CreatedAt)).Seconds()
}

func (b *base) rewardsFailed() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), measureTime)
	defer cancel()
	failed, _, err := rewards.New(b.db).RewardBacklog(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(failed)
}

func (b *base) rewardsAge() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), measureTime)
	defer cancel()
	_, oldest, err := rewards.New(b.db).RewardBacklog(ctx)
	if err != nil {
		return math.NaN()
	}
	return b.waiting(oldest).Seconds()
}

func (b *base) recordsAge() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), measureTime)
	defer cancel()
	since, err := rewards.New(b.db).UnanchoredSince(ctx)
	if err != nil {
		return math.NaN()
	}
	return b.waiting(since).Seconds()
}

// waiting returns how long something has been waiting since a time; 0 for the zero time.
func (b *base) waiting(since time.Time) time.Duration {
	if since.IsZero() {
		return 0
	}
	return max(0, b.clock.Now().Sub(since))
}

const (
	backlogInterval = time.Minute
	// longWait is how long a reward, or a record of a payment without an anchor, may wait before the log warns of it.
	longWait = 5 * time.Minute
)

// watchRewards warns of failed and late rewards and of records that are not anchored, at the start and once a minute, until ctx
// ends.
func (b *base) watchRewards(ctx context.Context) error {
	var warned int64
	return periodic.RunAtOnce(ctx, backlogInterval, func(ctx context.Context) error {
		warned = b.warnOfRewards(ctx, warned)
		b.warnOfRecords(ctx)
		return nil
	}, nil) // they log what fails
}

// warnOfRewards warns if more rewards have failed than it warned of before, and if one has been waiting for long. It returns
// how many have failed.
func (b *base) warnOfRewards(ctx context.Context, warned int64) (failed int64) {
	failed, oldest, err := rewards.New(b.db).RewardBacklog(ctx)
	if err != nil {
		if ctx.Err() == nil {
			b.log.Warn("background work failed, retrying", "part", "rewards watch", "error", err)
		}
		return warned
	}
	if failed > warned {
		b.log.Warn("rewards have failed; `pantheon reward list --state failed` prints them", "failed", failed, "new", failed-warned)
	}
	if wait := b.waiting(oldest); wait > longWait {
		b.log.Warn("a reward has waited too long; `pantheon reward list --state open` prints the open ones", "oldest", wait.Round(time.Second))
	}
	return failed
}

// warnOfRecords warns if a record of a payment has been waiting for an anchor for long.
func (b *base) warnOfRecords(ctx context.Context) {
	since, err := rewards.New(b.db).UnanchoredSince(ctx)
	if err != nil {
		if ctx.Err() == nil {
			b.log.Warn("background work failed, retrying", "part", "payment records", "error", err)
		}
		return
	}
	if wait := b.waiting(since); wait > longWait {
		b.log.Warn("the log of payments is not anchored: the wallet's transactions do not reach the chain", "oldest", wait.Round(time.Second))
	}
}
