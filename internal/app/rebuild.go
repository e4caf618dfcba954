package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/preflight"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	"pantheon/internal/store/operators"
)

const (
	// replaceAttempts is how often an index is replaced that changes too much meanwhile.
	replaceAttempts = 5
	// followTimeout bounds how long the index aside is waited for, and reachTimeout how long the portal's, locked, waits for it.
	followTimeout = 20 * time.Second
	reachTimeout  = 3 * time.Second
	// progressInterval is how often the progress is logged.
	progressInterval = 5 * time.Second
)

// RebuildIndex reads a chain from its first block into a database of its own in the data folder, while the portal's index serves, and
// then replaces that index. It goes on where an earlier attempt has ended. An index of another chain with the same id is replaced only
// with otherChain.
func RebuildIndex(ctx context.Context, c config.Config, log *slog.Logger, id onchain.ChainID, otherChain bool, by operator.By) error {
	c.Complete()
	entry, err := by.Entry(clock.System{}.Now(), "index rebuild", strconv.FormatUint(uint64(id), 10), "")
	if err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	chain, err := chainOf(c, id)
	if err != nil {
		return err
	}
	return withStore(ctx, c, store.ReadWrite, func(db *store.DB) error {
		b := newBase(c, Options{Log: log})
		b.db = db
		rules, err := readRules(c.Brand, c.GameRules)
		if err != nil {
			return settingFault("GAME_RULES_FILE", c.GameRules, err)
		}
		b.gallery = newGallery(c, b.goods, func() *draw.Tables { return rules.tables })
		aside, err := openAside(ctx, b, chain)
		if err != nil {
			return err
		}
		if err := aside.replace(ctx, newIndex(b, db), otherChain, func(ctx context.Context, tx *store.Tx) error {
			return operators.AddEntry(ctx, tx, entry)
		}); err != nil {
			return errors.Join(err, aside.close())
		}
		return errors.Join(aside.close(), aside.remove())
	})
}

// chainOf returns the configuration of one of the two chains.
func chainOf(c config.Config, id onchain.ChainID) (config.Chain, error) {
	for _, chain := range []config.Chain{c.GameChain, c.MainChain} {
		if chain.ChainID() != id {
			continue
		}
		return chain, nil
	}
	return config.Chain{}, fault.New(fault.NotFound, "The portal follows the chains %d and %d.", c.GameChain.ID, c.MainChain.ID)
}

// aside is an index that is read beside the portal's.
type aside struct {
	*base // its database is the portal's
	chain config.Chain
	path  string
	lock  *os.File
	db    *store.DB
	index *index.Index
	rpc   *rpc.Client
}

func openAside(ctx context.Context, b *base, chain config.Chain) (_ *aside, err error) {
	a := &aside{base: b, chain: chain, path: filepath.Join(b.config.DataDir, fmt.Sprintf("rebuild-%d.db", chain.ID))}
	if err := os.MkdirAll(b.config.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if a.lock, err = os.OpenFile(a.path+".lock", os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	if err := syscall.Flock(int(a.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fault.New(fault.Conflict, "Another command rebuilds this index with the same data folder.")
	}
	// A crash costs the progress of the last seconds at most, so there is no need to wait for the disk.
	if a.db, err = store.Open(ctx, store.Options{Path: a.path, Clock: b.clock, NoSync: true}); err != nil {
		return nil, fmt.Errorf("%w; delete %s* if a crash has damaged it", err, a.path)
	}
	a.index = newIndex(b, a.db)
	o, err := endpointOf(b, chain.Name, chain)
	if err != nil {
		return nil, err
	}
	a.rpc, err = rpc.New(o)
	return a, err
}

func (a *aside) close() error {
	var errs []error
	if a.rpc != nil {
		a.rpc.Close()
	}
	if a.db != nil {
		errs = append(errs, a.db.Close())
	}
	return errors.Join(append(errs, a.lock.Close())...)
}

// remove deletes the database, which has served its purpose.
func (a *aside) remove() error {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if err := os.Remove(a.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// replace reads the chain until there is nothing left to read, and then replaces the portal's index.
func (a *aside) replace(ctx context.Context, portal *index.Index, otherChain bool, also func(context.Context, *store.Tx) error) error {
	if err := a.checkContracts(ctx); err != nil {
		return err
	}
	contracts := indexed(a.config, a.chain)
	for attempt := 1; ; attempt++ {
		reader, err := indexer.New(indexer.Options{
			Chain: a.chain.ChainID(), RPC: a.rpc, Store: a.index, Contracts: contracts, Start: a.chain.StartBlock, Rebuild: true,
			Confirmations: a.chain.Depth(), Poll: a.chain.PollInterval, Clock: a.clock, Log: a.log,
		})
		if err != nil {
			return err
		}
		run, stop := context.WithCancel(ctx)
		reading, run := errgroup.WithContext(run)
		reading.Go(func() error { return reader.Run(run) })
		halt := func() error { stop(); return reading.Wait() }
		if err = a.catchUp(ctx, reader); err == nil {
			a.log.Info("comparing the two indexes", "block", reader.State().Cursor)
			r := &index.Replacement{
				Chain: a.chain.ChainID(), Sources: contracts.Sources(a.chain.StartBlock), Aside: a.index, OtherChain: otherChain, Also: also,
				Reach: func(inTx context.Context, b onchain.Block) (bool, error) { return a.reach(inTx, ctx, reader, b, halt) },
			}
			if err = portal.Compare(ctx, r); err == nil {
				err = a.follow(ctx, portal, reader)
			}
			if err == nil {
				err = portal.Replace(ctx, r)
			}
		}
		err = errors.Join(err, halt())
		switch {
		case err == nil:
			a.log.Info("replaced the portal's index", "block", reader.State().Cursor)
			return nil
		case errors.Is(err, index.ErrOtherChain):
			return fmt.Errorf("%w: correct the endpoint, or add --other-chain if that chain is gone", err)
		case !fault.Is(err, fault.Conflict):
			return err
		case attempt == replaceAttempts:
			return fmt.Errorf("%w: try again, with an endpoint that is not behind the portal's", err)
		}
		a.log.Info("the portal's index has changed meanwhile, comparing again")
	}
}

// checkContracts refuses wrong addresses: what is listed on another marketplace would take the place of the market.
func (a *aside) checkContracts(ctx context.Context) error {
	x, err := expected(a.config, a.chain)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if _, err := a.rpc.Check(ctx); err != nil {
		return err
	}
	result, err := preflight.Check(ctx, a.rpc, x)
	if err != nil {
		return err
	}
	accepted := accepts(a.config)
	return result.Refuses(func(s preflight.Severity) bool { return s < preflight.Unknown || accepted(s) })
}

// catchUp waits until no confirmed block is left to read. It logs the progress.
func (a *aside) catchUp(ctx context.Context, reader *indexer.Indexer) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var told time.Time
	for {
		s := reader.State()
		if s.Started && s.Lag == 0 && s.Added == 0 && !s.CaughtUp.IsZero() && s.Error == "" {
			return nil
		}
		if now := a.clock.Now(); now.Sub(told) >= progressInterval {
			a.log.Info("reading the chain aside", "block", s.Cursor, "of", s.Head, "error", s.Error)
			told = now
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// follow waits, for followTimeout at most, until the index aside is as far as the portal's: the transaction that replaces it keeps the
// portal from writing to SQLite.
func (a *aside) follow(ctx context.Context, portal *index.Index, reader *indexer.Indexer) error {
	number, ok, err := portal.Indexed(ctx, a.chain.ChainID())
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	_ = awaitBlock(ctx, reader, number) // if not, Reach tells
	return nil
}

// reach waits until a block was read, stops the reading, and reports whether the chain has the block: not if the chain does not come to its
// number. The transaction in which that happens does not end with the command, so the command's context counts as well.
func (a *aside) reach(ctx, command context.Context, reader *indexer.Indexer, b onchain.Block, halt func() error) (bool, error) {
	if !b.Hash.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, reachTimeout)
		defer cancel()
		defer context.AfterFunc(command, cancel)()
		if err := awaitBlock(ctx, reader, b.Number); err != nil {
			if command.Err() != nil {
				return false, command.Err()
			}
			if s := reader.State(); s.Head >= b.Number || s.Error != "" {
				return false, fault.New(fault.Conflict, "block %d was not read in time: %s", b.Number, s.Error)
			}
			return false, halt()
		}
	}
	if err := halt(); err != nil || b.Hash.IsZero() {
		return false, err
	}
	return reader.Has(ctx, b)
}

// awaitBlock waits until a block was read.
func awaitBlock(ctx context.Context, reader *indexer.Indexer, number uint64) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if s := reader.State(); s.Started && s.Cursor >= number {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
