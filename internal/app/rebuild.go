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
	// replaceAttempts is the number of attempts while the portal's index changes in what was compared.
	replaceAttempts = 5
	// waitTimeout is how long the shadow index may take to reach the portal's, and lockedTimeout while the portal's index is locked.
	waitTimeout   = 20 * time.Second
	lockedTimeout = 3 * time.Second
	// progressInterval is how often the progress is logged.
	progressInterval = 5 * time.Second
)

// RebuildIndex builds a shadow index of a chain from its first block, in a SQLite file in the data folder, while the portal serves its own
// index, and then replaces that. An interrupted rebuild is resumed. An index of another chain with the same id is replaced only with
// otherChain.
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
		if err := operators.New(db).CheckRights(ctx, entry); err != nil {
			return err
		}
		b := newBase(c, Options{Log: log})
		b.db = db
		rules, err := readRules(c.Brand, c.GameRules)
		if err != nil {
			return settingFault("GAME_RULES_FILE", c.GameRules, err)
		}
		b.gallery = newGallery(c, b.goods, func() *draw.Tables { return rules.tables })
		s, err := openShadow(ctx, b, chain)
		if err != nil {
			return err
		}
		if err := s.replace(ctx, newIndex(b, db), otherChain, func(ctx context.Context, tx *store.Tx) error {
			return operators.AddEntry(ctx, tx, entry)
		}); err != nil {
			return errors.Join(err, s.close())
		}
		return errors.Join(s.close(), s.remove())
	})
}

// chainOf returns the configuration of one of the two chains.
func chainOf(c config.Config, id onchain.ChainID) (config.Chain, error) {
	for _, chain := range []config.Chain{c.GameChain, c.MainChain} {
		if chain.ChainID() == id {
			return chain, nil
		}
	}
	return config.Chain{}, fault.New(fault.NotFound, "The portal follows the chains %d and %d.", c.GameChain.ID, c.MainChain.ID)
}

// shadow is an index that is built beside the portal's.
type shadow struct {
	*base // its database is the portal's
	chain config.Chain
	path  string
	lock  *os.File
	db    *store.DB
	index *index.Index
	rpc   *rpc.Client
}

func openShadow(ctx context.Context, b *base, chain config.Chain) (_ *shadow, err error) {
	s := &shadow{base: b, chain: chain, path: filepath.Join(b.config.DataDir, fmt.Sprintf("rebuild-%d.db", chain.ID))}
	if err := os.MkdirAll(b.config.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if s.lock, err = os.OpenFile(s.path+".lock", os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fault.New(fault.Conflict, "Another command rebuilds this index with the same data folder.")
	}
	// A crash costs the progress of the last seconds at most, so there is no need to wait for the disk.
	if s.db, err = store.Open(ctx, store.Options{Path: s.path, Clock: b.clock, NoSync: true}); err != nil {
		return nil, fmt.Errorf("%w; delete %s* if a crash has damaged it", err, s.path)
	}
	s.index = newIndex(b, s.db)
	o, err := endpointOf(b, chain.Name, chain)
	if err != nil {
		return nil, err
	}
	s.rpc, err = rpc.New(o)
	return s, err
}

func (s *shadow) close() error {
	var errs []error
	if s.rpc != nil {
		s.rpc.Close()
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(append(errs, s.lock.Close())...)
}

// remove deletes the database.
func (s *shadow) remove() error {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if err := os.Remove(s.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// replace reads the chain until there is nothing left to read, and then replaces the portal's index.
func (s *shadow) replace(ctx context.Context, portal *index.Index, otherChain bool, commit func(context.Context, *store.Tx) error) error {
	if err := s.checkContracts(ctx); err != nil {
		return err
	}
	contracts := indexed(s.config, s.chain)
	for attempt := 1; ; attempt++ {
		reader, err := indexer.New(indexer.Options{
			Chain: s.chain.ChainID(), RPC: s.rpc, Store: s.index, Contracts: contracts, Start: s.chain.StartBlock, Rebuild: true,
			Confirmations: s.chain.Depth(), Poll: s.chain.PollInterval, Clock: s.clock, Log: s.log,
		})
		if err != nil {
			return err
		}
		run, stop := context.WithCancel(ctx)
		reading, run := errgroup.WithContext(run)
		reading.Go(func() error { return reader.Run(run) })
		halt := func() error { stop(); return reading.Wait() }
		if err = s.catchUp(ctx, reader); err == nil {
			s.log.Info("comparing the two indexes", "block", reader.State().Cursor)
			r := &index.Replacement{
				Chain: s.chain.ChainID(), Sources: contracts.Sources(s.chain.StartBlock), Shadow: s.index, OtherChain: otherChain, Commit: commit,
				StopAt: func(inTx context.Context, b onchain.Block) (bool, error) { return stopAt(inTx, ctx, reader, b, halt) },
			}
			if err = portal.Compare(ctx, r); err == nil {
				err = s.approach(ctx, portal, reader)
			}
			if err == nil {
				err = portal.Replace(ctx, r)
			}
		}
		err = errors.Join(err, halt())
		switch {
		case err == nil:
			s.log.Info("replaced the portal's index", "block", reader.State().Cursor)
			return nil
		case errors.Is(err, index.ErrOtherChain):
			return fmt.Errorf("%w: correct the endpoint, or add --other-chain if that chain is gone", err)
		case !fault.Is(err, fault.Conflict):
			return err
		case attempt == replaceAttempts:
			return fmt.Errorf("%w: try again, with an endpoint that is not behind the portal's", err)
		}
		s.log.Info("the portal's index has changed meanwhile, comparing again")
	}
}

// checkContracts refuses wrong addresses: what is listed on another marketplace would take the place of the market.
func (s *shadow) checkContracts(ctx context.Context) error {
	wallets, err := openWallets(ctx, s.config)
	if err != nil {
		return err
	}
	x, err := expected(s.config, wallets, s.chain)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if _, err := s.rpc.Check(ctx); err != nil {
		return err
	}
	result, err := preflight.Check(ctx, s.rpc, x)
	if err != nil {
		return err
	}
	accepted := accepts(s.config)
	return result.Refuses(func(s preflight.Severity) bool { return s < preflight.Unknown || accepted(s) })
}

// catchUp waits until no confirmed block is left to read. It logs the progress.
func (s *shadow) catchUp(ctx context.Context, reader *indexer.Indexer) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var logged time.Time
	for {
		state := reader.State()
		if state.Started && state.Lag == 0 && state.Added == 0 && !state.CaughtUp.IsZero() && state.Error == "" {
			return nil
		}
		if now := s.clock.Now(); now.Sub(logged) >= progressInterval {
			s.log.Info("building the shadow index", "block", state.Cursor, "of", state.Head, "error", state.Error)
			logged = now
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// approach waits until the shadow index has reached the portal's, so that the transaction of Replace, which locks SQLite, need not.
func (s *shadow) approach(ctx context.Context, portal *index.Index, reader *indexer.Indexer) error {
	number, ok, err := portal.Indexed(ctx, s.chain.ChainID())
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	_ = awaitBlock(ctx, reader, number) // StopAt reports a timeout
	return nil
}

// stopAt implements index.Replacement.StopAt. The context of a transaction is not cancelled with the command's, so both are needed.
func stopAt(ctx, command context.Context, reader *indexer.Indexer, b onchain.Block, halt func() error) (bool, error) {
	if !b.Hash.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, lockedTimeout)
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
