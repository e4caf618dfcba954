package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	leaseName  = "background"
	leaseTTL   = 12 * time.Second
	leaseRenew = 4 * time.Second
)

// runWithLease runs the background roles (indexers, relay, rewards, outbox, sweepers) whenever this process holds the
// leader lease, until ctx ends. They stop at once if the lease cannot be renewed in time, before another process may
// acquire it.
func (a *App) runWithLease(ctx context.Context) error {
	holder, err := a.replicaID()
	if err != nil {
		return err
	}
	for {
		taken, err := a.db.TakeLease(ctx, leaseName, holder, a.clock.Now(), leaseTTL)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			a.log.Warn("background lease", "error", err)
		case taken:
			if err := a.runRoles(ctx, holder); err != nil {
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
func (a *App) runRoles(ctx context.Context, holder string) error {
	roles, stop := context.WithCancel(ctx)
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
	group.Go(func() error { return a.keepLease(groupCtx, holder, stop) })
	err := group.Wait()
	if ctx.Err() != nil {
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = a.db.DropLease(release, leaseName, holder) // otherwise it expires
	}
	return err
}

// keepLease renews the lease; lost is called if renewing has failed for too long.
func (a *App) keepLease(ctx context.Context, holder string, lost func()) error {
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
		taken, err := a.db.TakeLease(bounded, leaseName, holder, a.clock.Now(), leaseTTL)
		cancel()
		if err == nil && taken {
			renewed = time.Now()
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		a.log.Warn("background lease renewal failed", "error", err)
		if err == nil || time.Since(renewed) > leaseTTL-leaseRenew {
			lost()
			return nil
		}
	}
}

// replicaID identifies this process as the lease's holder. It is stored in the data folder, so that a process that
// was killed can reacquire its own lease at once.
func (a *App) replicaID() (string, error) {
	path := filepath.Join(a.config.DataDir, "replica-id")
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	id := rand.Text()
	return id, os.WriteFile(path, []byte(id+"\n"), 0o600)
}
