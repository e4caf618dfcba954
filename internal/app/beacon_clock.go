package app

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/draw"
)

// beaconInterval is how often the clock is compared with the beacon.
const beaconInterval = 30 * time.Second

// beaconClock compares this server's clock with the newest round of the beacon. Payments in the shop are dated by the clock, and the
// round that draws what was paid for must not be published before that time.
//
// The beacon's mirrors cannot make the clock appear behind, as they cannot sign a round before it is published. That the clock
// appears ahead may be because the beacon is late, or because the mirrors that answer are.
type beaconClock struct {
	latest   func(context.Context) (beacon.Round, error) // see beacon.Client.Latest
	schedule draw.Schedule
	clock    clock.Clock
	log      *slog.Logger

	mu   sync.Mutex
	last comparison
}

// watchBeacon compares this replica's clock with the beacon while the portal runs.
func watchBeacon(b *base, client *beacon.Client, schedule draw.Schedule) error {
	c := &beaconClock{latest: client.Latest, schedule: schedule, clock: b.clock, log: b.log}
	b.replica["beacon clock"] = c.run
	b.health.Add(health.Check{Name: "draws", Run: c.check})
	return c.measure(b.registry)
}

// comparison is the result of comparing the clock with the newest round.
type comparison struct {
	published time.Time // when the newest round that was seen is published; zero if none was
	// skew is how far the clock is off: below 0 it is behind by at least that much, above 0 the next round is overdue by that
	// much. A clock that is off by d, up to a mirror's delay, appears to be off by more than d minus a period.
	skew time.Duration
	err  error // why there is no comparison; nil if there is one, or none was made
}

// run compares at once and then every beaconInterval, until ctx ends.
func (b *beaconClock) run(ctx context.Context) error {
	return periodic.RunAtOnce(ctx, beaconInterval, b.compare, func(error) {}) // compare reports changes only
}

// compare asks the mirrors, and logs when the clock begins or ceases to be wrong. It returns nil.
func (b *beaconClock) compare(ctx context.Context) error {
	asked := b.clock.Now()
	round, err := b.latest(ctx)
	answered := b.clock.Now()
	if ctx.Err() != nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.last
	b.last.err = err
	if err == nil {
		b.last.published = b.schedule.PublishedAt(round.Number)
		b.last.skew = skewOf(b.last.published, b.schedule.Period, asked, answered)
	}
	was, is := before.state(b.schedule.Period), b.last.state(b.schedule.Period)
	switch {
	case was == is:
	case is == clockRight:
		b.log.Info("the beacon answers, and this server's clock agrees with it", "round", round.Number)
	default:
		b.log.Warn(b.problem().Message, "part", "draws", "skew", b.last.skew, "round", round.Number, "error", err)
	}
	return nil
}

// skewOf compares the times between which the mirrors were asked and answered with the time when their newest round is published:
// when they answered it was, and the next one was to come at most a period after they were asked.
func skewOf(published time.Time, period time.Duration, asked, answered time.Time) time.Duration {
	if early := published.Sub(answered); early > 0 {
		return -early
	}
	return max(0, asked.Sub(published)-period)
}

// clockState is the result of a comparison, as the log and /readyz report it.
type clockState int

const (
	clockRight  clockState = iota
	clockBehind            // the clock is behind
	clockAhead             // the clock is ahead, or the beacon late
	beaconLost             // no mirror answers
)

// state returns the result of a comparison. A skew of up to one period is not reported, because mirrors may lag that much.
func (c comparison) state(period time.Duration) clockState {
	switch {
	case c.err != nil:
		return beaconLost
	case c.skew < -period:
		return clockBehind
	case c.skew > period:
		return clockAhead
	}
	return clockRight
}

// check is the check of /readyz: it fails if draws are late or payments wrongly dated. It makes no request.
func (b *beaconClock) check(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.problem(); f != nil {
		return f
	}
	return nil
}

// problem returns what is wrong by the last comparison; nil if nothing is. The caller holds the lock.
func (b *beaconClock) problem() *fault.Fault {
	switch off := b.last.skew.Abs().Round(time.Second); b.last.state(b.schedule.Period) {
	case beaconLost:
		return fault.New(fault.Unavailable, "no mirror of the beacon answers").Because(b.last.err)
	case clockBehind:
		return fault.New(fault.Unavailable, "this server's clock is at least %s behind the beacon", off)
	case clockAhead:
		return fault.New(fault.Unavailable, "the beacon's next round is overdue by %s: the beacon is late, or this server's clock ahead", off)
	}
	return nil
}

// measure registers the metrics.
func (b *beaconClock) measure(registry prometheus.Registerer) error {
	var errs []error
	gauge := func(name, help string, value func(comparison) float64) {
		errs = append(errs, registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "pantheon", Subsystem: "beacon", Name: name, Help: help,
		}, func() float64 {
			b.mu.Lock()
			last := b.last
			b.mu.Unlock()
			if last.published.IsZero() {
				return math.NaN()
			}
			return value(last)
		})))
	}
	gauge("clock_skew_seconds",
		"How far this server's clock is off: below 0 it is behind the beacon, above 0 ahead, or the beacon is late. NaN when no mirror answers.",
		func(c comparison) float64 {
			if c.err != nil {
				return math.NaN()
			}
			return c.skew.Seconds()
		})
	gauge("last_round_age_seconds",
		"How long ago, by this server's clock, the newest round of the beacon that was seen is published: NaN before the first answer.",
		func(c comparison) float64 { return max(0, b.clock.Now().Sub(c.published)).Seconds() })
	return errors.Join(errs...)
}
