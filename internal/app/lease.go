package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/store"
)

const (
	leaseName  = "background"
	leaseTTL   = 12 * time.Second
	leaseRenew = 4 * time.Second
)

// leadership counts when this process becomes the leader.
type leadership struct {
	held  atomic.Bool
	fence atomic.Int64 // of the last time
	taken prometheus.Counter
}

func newLeadership(r prometheus.Registerer) (*leadership, error) {
	l := &leadership{taken: prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "pantheon", Subsystem: "lease", Name: "taken_total",
		Help: "How often this process has taken the lease of the background work.",
	})}
	held := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "pantheon", Subsystem: "lease", Name: "held", Help: "1 while this process has the lease of the background work, else 0.",
	}, func() float64 {
		if l.held.Load() {
			return 1
		}
		return 0
	})
	fence := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "pantheon", Subsystem: "lease", Name: "fence",
		Help: "The fencing number with which this process took the lease last, which rises each time that any process takes it; 0 if never.",
	}, func() float64 { return float64(l.fence.Load()) })
	return l, errors.Join(r.Register(l.taken), r.Register(held), r.Register(fence))
}

// runWithLease runs the background roles (indexers, relay, rewards, outbox, sweepers) whenever this process holds the
// leader lease, until ctx ends. They stop at once if the lease cannot be renewed in time, before another process may
// acquire it. What they write nevertheless is refused by the lease's fencing number.
func (a *App) runWithLease(ctx context.Context) error {
	for {
		lease, ok, err := a.db.TakeLease(ctx, leaseName, a.process, a.clock.Now(), leaseTTL)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			a.log.Warn("lease of the background work not taken", "error", err)
		case ok:
			if err := a.runRoles(ctx, lease); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

// runRoles runs the roles until ctx ends or the lease is lost.
func (a *App) runRoles(ctx context.Context, lease store.Lease) error {
	a.log.Info("lease of the background work taken", "fence", lease.Fence)
	a.leadership.held.Store(true)
	a.leadership.taken.Inc()
	a.leadership.fence.Store(lease.Fence)
	defer a.leadership.held.Store(false)
	roles, stop := context.WithCancel(store.Fenced(ctx, lease))
	defer stop()
	group, groupCtx := errgroup.WithContext(roles)
	for name, run := range a.leader {
		group.Go(func() error {
			if err := a.survive(groupCtx, name, run); err != nil && groupCtx.Err() == nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	group.Go(func() error { return a.keepLease(groupCtx, lease, stop) })
	err := group.Wait()
	if ctx.Err() != nil {
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = a.db.DropLease(release, leaseName, a.process, a.clock.Now()) // otherwise it expires
	}
	return err
}

// keepLease renews the lease; lost is called if renewing has failed for too long.
func (a *App) keepLease(ctx context.Context, lease store.Lease, lost func()) error {
	renewed := time.Now()
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		bounded, cancel := context.WithTimeout(ctx, leaseRenew)
		now, ok, err := a.db.TakeLease(bounded, leaseName, a.process, a.clock.Now(), leaseTTL)
		cancel()
		if err == nil && ok && now == lease {
			renewed = time.Now()
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if err == nil || errors.Is(err, store.ErrFenced) || time.Since(renewed) > leaseTTL-leaseRenew {
			a.log.Warn("lease of the background work lost", "fence", lease.Fence, "error", err)
			lost()
			return nil
		}
		a.log.Warn("lease of the background work not renewed, retrying", "error", err)
	}
}
