package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/signer"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/reload"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/reward"
	"pantheon/internal/site"
	"pantheon/internal/store"
)

// base is what every capability is built from, and where each registers its background work, its checks and what is to be closed.
type base struct {
	config       config.Config
	log          *slog.Logger
	requestLevel slog.Level
	clock        clock.Clock
	registry     *prometheus.Registry
	panics       *prometheus.CounterVec // by part
	db           *store.DB
	secrets      keyset.Keys // TOKEN_SECRET, from which keys are derived
	wallets      portalWallets
	ring         signer.Ring

	game     onchain.ChainID
	usdc     eth.Address
	goods    []collection
	gallery  *gallery
	treasury reward.Treasury // zero for none
	rules    *reload.File[*gameRules]
	switches *flags.Service
	frozen   *frozenChains
	build    fs.FS           // the web build
	pages    site.BrandPages // of it

	leader     tasks // run in the leader only
	replica    tasks // run in every replica
	health     *health.Monitor
	process    store.Process
	replaced   atomic.Bool           // another process has taken this one's identity
	heartbeat  atomic.Pointer[error] // the last result of beSeen
	leadership *leadership
	closers    []func() error // called in reverse order
	wakeups    *wakeups
	// wakeOutbox is called after transactions that announce something.
	wakeOutbox func()
}

// currency returns the market's currency.
func (b *base) currency() collections.Currency { return b.config.Brand.Collections.Currency() }

// tasks are parts of the background work, by name. Each runs until its context ends.
type tasks map[string]func(context.Context) error

// newBase returns a base that has nothing open; see open.
func newBase(c config.Config, o Options) *base {
	b := &base{
		config: c, log: o.Log, clock: o.Clock, registry: prometheus.NewRegistry(), panics: newPanics(),
		requestLevel: o.RequestLevel, game: c.GameChain.ChainID(), goods: collectionsOf(c),
		leader: tasks{}, replica: tasks{}, wakeOutbox: func() {},
	}
	b.wakeups = newWakeups(func() bool { return b.leadership.held.Load() })
	if b.clock == nil {
		b.clock = clock.System{}
	}
	works := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "pantheon", Name: "part_works", Help: "1 if the part worked when it was last checked, else 0; the parts are those of /readyz.",
	}, []string{"part"})
	b.registry.MustRegister(works, b.panics) // the first of the registry
	b.health = health.New(b.log, func(part string, ok bool) {
		works.WithLabelValues(part).Set(map[bool]float64{true: 1}[ok])
	})
	b.replica["health"] = b.health.Run
	return b
}

// open opens keys, database, brand, rules and flags.
func (b *base) open(ctx context.Context) (err error) {
	if b.build, err = site.Open(b.config.SiteDir); err != nil {
		return fmt.Errorf("SITE_DIR: %w", err)
	}
	if b.pages, err = site.ReadBrandPages(b.build); err != nil {
		return err
	}
	if b.ring, err = openKeys(ctx, b.config); err != nil {
		return err
	}
	if b.wallets, err = openWallets(ctx, b.config); err != nil {
		return err
	}
	if b.secrets, err = keyset.Parse(b.config.TokenSecret.Reveal()); err != nil {
		return fmt.Errorf("TOKEN_SECRET: %w", err)
	}
	if err := os.MkdirAll(b.config.DataDir, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := b.lockFolder(); err != nil {
		return err
	}
	access := store.Migrate
	if b.config.Migrate == "off" {
		access = store.ReadWrite
	}
	b.db, err = store.Open(ctx, store.Options{
		Access: access,
		URL:    b.config.DatabaseURL.Reveal(), Path: filepath.Join(b.config.DataDir, databaseFile), Clock: b.clock,
		OnOutbox: func() { b.wakeOutbox() },
	})
	if err != nil {
		return err
	}
	b.onClose(b.db.Close)
	b.health.Add(health.Check{Name: "database", Run: b.checkDatabase, Required: true})
	if err := b.join(ctx); err != nil {
		return err
	}
	if err := signer.BindKeys(ctx, b.ring, store.SignerKeys{DB: b.db}); err != nil {
		return explainKey(b.config, err)
	}
	if err := b.tellVersion(); err != nil {
		return err
	}
	b.usdc = eth.MustAddress(b.config.Contracts.USDC)
	b.treasury = treasuryOf(b.config, b.wallets)
	if err := b.openRules(ctx); err != nil {
		return err
	}
	b.gallery = newGallery(b.config, b.goods, b.tables)
	if b.frozen, err = readFrozen(ctx, b); err != nil {
		return err
	}
	b.switches, err = flags.New(ctx, flags.Options{
		Path: b.config.FlagsFile, Default: b.config.Brand.Flags.Text, Environment: b.config.Environment,
		Report: func(err error) { b.log.Error("flags file rejected", "error", err) },
		Closed: b.frozen.closes,
	})
	return err
}

// keys derives the keys of one purpose.
func (b *base) keys(purpose string) keyset.Keys { return b.secrets.Derive(purpose) }

// lead registers background work of the leader. The errors that it reports are logged; it continues after them.
func (b *base) lead(name string, run func(ctx context.Context, report func(error)) error) {
	b.leader[name] = func(ctx context.Context) error {
		return run(ctx, func(err error) { b.log.Warn("background work failed, retrying", "part", name, "error", err) })
	}
}

// every and everyAtOnce run a step of background work again and again; see periodic.Run and periodic.RunAtOnce.
func every(interval time.Duration, step func(context.Context) error) func(context.Context, func(error)) error {
	return func(ctx context.Context, report func(error)) error { return periodic.Run(ctx, interval, step, report) }
}

func everyAtOnce(interval time.Duration, step func(context.Context) error) func(context.Context, func(error)) error {
	return func(ctx context.Context, report func(error)) error {
		return periodic.RunAtOnce(ctx, interval, step, report)
	}
}

func (b *base) onClose(f func() error) { b.closers = append(b.closers, f) }

// close closes what was opened, in reverse order.
func (b *base) close() error {
	var errs []error
	for len(b.closers) > 0 {
		last := len(b.closers) - 1
		errs = append(errs, b.closers[last]())
		b.closers = b.closers[:last]
	}
	return errors.Join(errs...)
}
