// Package app wires the portal together: it is the only package that imports all parts. New builds everything from
// the configuration, Run serves until its context ends and stops the parts in order.
package app

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/api"
	"pantheon/internal/art"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/reload"
	"pantheon/internal/mail"
	"pantheon/internal/outbox"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/country"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/portal/notification"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/realtime"
	"pantheon/internal/rum"
	"pantheon/internal/site"
	"pantheon/internal/social"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/notifications"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
)

// USDC is the market's currency.
const (
	currencySymbol   = "USDC"
	currencyDecimals = money.USDCDecimals
)

// GOD is the currency in which gods' vaults pay.
const (
	godSymbol   = "GOD"
	godDecimals = 18
)

// databaseFile is SQLite's file in the data folder.
const databaseFile = "pantheon.db"

// Options are what the configuration does not contain.
type Options struct {
	Log   *slog.Logger
	Clock clock.Clock // nil for the system clock
	// Listener, if set, is used instead of the configured address.
	Listener net.Listener
	// Endpoints are clients of in-process chains, by chain id; other chains are reached by URL.
	Endpoints map[onchain.ChainID]*rpc.Client
	// Welcome returns a player's gifts once the wallets are registered; it may be nil.
	Welcome func(wallet.Wallet) []wallet.Gift
	// Mailbox stores emails if there is no SMTP server, and shows all of them at /dev/mail.
	Mailbox bool
	// DevShop serves the development shop, which the configuration names.
	DevShop bool
	// Faucet, if set, is how much test money a player may request.
	Faucet *reward.Mint
	// PasswordCost is the cost of hashing a password on the built-in platform; zero except in tests.
	PasswordCost local.Cost
	// Standings are initial entries of the built-in platform's leaderboards.
	Standings []accounts.Standing
	// SellerNames are the names of sellers who are not players, by their wallets.
	SellerNames map[eth.Address]string
}

// App is a portal that is ready to run.
type App struct {
	config   config.Config
	log      *slog.Logger
	clock    clock.Clock
	listener net.Listener
	registry *prometheus.Registry
	panics   *prometheus.CounterVec // by part
	metrics  net.Listener           // nil for none

	db       *store.DB
	nats     *realtime.NATS
	hub      *realtime.Hub // nil if Azure Web PubSub delivers the messages
	live     realtime.Publisher
	chains   map[onchain.ChainID]*chainParts
	proxy    *rpc.Proxy
	relay    *relay.Relay
	policies []*gas.Policy // one per chain
	outbox   *outbox.Service

	accounts      *account.Service
	approvals     *approval.Service
	trades        *traderisk.Service
	debts         *webstore.Payments
	shop          *shopParts    // nil without a shop
	mail          *mail.Service // nil if no SMTP server is configured
	cart          *cart.Service
	checkout      *checkout.Service
	withdrawals   *withdrawal.Service
	notifications *notification.Service
	proofs        *wallet.Proofs
	rewards       *reward.Service
	treasury      reward.Treasury // zero for none
	rounds        rounds          // of the beacon
	opener        *packs.Opener
	anchorer      *packs.Anchorer
	beaconClock   *beaconClock
	packs         *packs.Service
	rules         *reload.File[*gameRules]
	settlers      map[string]*indexer.Rewarder // by chain
	index         *index.Index
	playfab       *playfab.Platform // nil with the built-in platform
	x             *social.X         // nil if sign-in with X is disabled

	recordAnchorer *packs.RecordAnchorer

	country    *country.Service
	monitoring *monitoring.Service

	server *http.Server
	gate   *gate

	passwordCost local.Cost
}

// New builds the portal. The configuration must be valid. On failure everything is closed again.
func New(ctx context.Context, c config.Config, o Options) (_ *App, err error) {
	a := &App{
		config: c, log: o.Log, clock: o.Clock, listener: o.Listener, passwordCost: o.PasswordCost, registry: prometheus.NewRegistry(),
		chains: map[onchain.ChainID]*chainParts{},
	}
	if a.clock == nil {
		a.clock = clock.System{}
	}
	a.panics = newPanics()
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), a.panics)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	kek, err := openKey(c)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := a.openStorage(ctx); err != nil {
		return nil, err
	}
	if err := signer.BindKey(ctx, kek, store.SignerKeys{DB: a.db}); err != nil {
		return nil, explainKey(c, err)
	}
	if err := a.build(ctx, o, kek); err != nil {
		return nil, err
	}
	if a.listener == nil {
		if a.listener, err = Listen(c); err != nil {
			return nil, err
		}
	}
	if c.MetricsAddr != "" {
		if a.metrics, err = net.Listen("tcp", c.MetricsAddr); err != nil {
			return nil, fmt.Errorf("METRICS_ADDR: %w", err)
		}
	}
	return a, nil
}

// Listen listens on the configured address. Connections wait until an App serves them.
func Listen(c config.Config) (net.Listener, error) {
	l, err := net.Listen("tcp", c.ListenAddr)
	if err != nil {
		return nil, fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	return l, nil
}

// Addr returns the address the site listens on.
func (a *App) Addr() string { return a.listener.Addr().String() }

func (a *App) openStorage(ctx context.Context) (err error) {
	a.db, err = store.Open(ctx, store.Options{
		URL: a.config.DatabaseURL.Reveal(), Path: filepath.Join(a.config.DataDir, databaseFile), Clock: a.clock,
		// The outbox is built later, but nothing is announced before it runs.
		OnOutbox: func() {
			if a.outbox != nil {
				a.outbox.Wake()
			}
		},
	})
	if err != nil {
		return err
	}
	if a.config.AzureURL != "" {
		return nil
	}
	messages := realtime.NATSConfig{URL: a.config.NATSURL.Reveal(), Name: "pantheon", Logger: a.log}
	if messages.URL == "" {
		messages.DataDir = filepath.Join(a.config.DataDir, "messages")
	}
	a.nats, err = realtime.StartNATS(messages)
	return err
}

// build creates the services and the HTTP server.
func (a *App) build(ctx context.Context, o Options, kek signer.KEK) error {
	key, err := base64.StdEncoding.DecodeString(a.config.TokenSecret.Reveal())
	if err != nil {
		return errors.New("TOKEN_SECRET: not base64")
	}
	catalogue, err := art.Load()
	if err != nil {
		return err
	}
	if a.treasury, err = treasuryOf(a.config); err != nil {
		return err
	}
	goods := collectionsOf(a.config)
	gallery := newGallery(catalogue, goods, a.config.PublicURL, a.tables)
	if err := a.buildRealtime(ctx, key); err != nil {
		return err
	}

	game := a.config.GameChain.ChainID()
	usdc := eth.MustAddress(a.config.Contracts.USDC)
	orders := crashable[checkout.Store](cartstore.Orders{DB: a.db, Chain: game})
	publisher := market.Publisher{TagKey: deriveKey(key, "cart-tags"), Decimals: currencyDecimals}
	markets := market.NewService(marketstore.New(a.db), a.clock)
	holds := cart.Options{
		Need:     cart.Need(a.config.HoldsNeed),
		Currency: cart.Currency{Chain: game, Address: usdc, Symbol: currencySymbol, Decimals: currencyDecimals},
	}
	if o.Faucet != nil {
		holds.Faucet = "/api/dev/faucet"
	}
	a.cart = cart.NewService(cartstore.New(a.db), a.clock, holds)
	a.checkout = checkout.NewService(orders, purchases{eth.MustAddress(a.config.Contracts.PiggyMarketplace)}, a.clock, game,
		checkout.Currency{Address: usdc, Symbol: currencySymbol, Decimals: currencyDecimals})
	if err := a.measure(); err != nil {
		return err
	}
	if err := a.openRules(ctx, catalogue); err != nil {
		return err
	}
	a.buildPacks(goods)
	a.outbox = outbox.New(crashable[outbox.Store](store.Outbox{DB: a.db}), crashable[outbox.Publisher](publish{a.live}),
		compose{markets, publisher, a.packs})

	if a.policies, err = a.buildPolicies(goods); err != nil {
		return err
	}
	if err := a.measureGas(); err != nil {
		return err
	}
	switches, err := flags.New(ctx, flags.Options{
		Path: a.config.FlagsFile, Environment: a.config.Environment,
		Report: func(err error) { a.log.Error("flags file rejected", "error", err) },
	})
	if err != nil {
		return err
	}
	people := &owners{}
	a.approvals = approval.NewService(approval.Options{
		Store: accounts.New(a.db), Accounts: people, Clock: a.clock, Key: deriveKey(key, "approvals"), Site: a.config.PublicURL,
		MailsPerHour: a.config.Limits.Emails,
	})
	people.approvals = a.approvals
	if err := a.buildWithdrawals(key, goods, people); err != nil {
		return err
	}
	if err := a.buildTrades(goods, o.SellerNames, people); err != nil {
		return err
	}
	guard := switchGuard{switches, named(goods, "power-packs").address,
		debtGuard{a.debts, arrearsGuard{shopstore.New(a.db), deletionGuard{people,
			withdrawalGuard{
				a.withdrawals,
				sellGuard{a.selling(game), game, orderGuard{a.checkout, game, tradeGuard{a.trades, game, holdGuard{a.cart, a.packs, game}}}},
			}}}}}
	sign, err := signer.New(signer.Options{
		KEK: kek, Keys: gasstore.New(a.db), Guard: guard, Sponsored: gasstore.New(a.db),
		Bindings: bindings{a.withdrawals, a.debts, a.trades, game}, Policies: a.policies, Site: a.config.PublicURL, Clock: a.clock,
		Log: a.log, PerMinute: cmp.Or(a.config.Limits.Signatures, math.MaxInt),
	})
	if err != nil {
		return err
	}
	if err := a.buildChains(o, goods, gallery, publisher); err != nil {
		return err
	}
	if err := a.buildOpenings(goods, gallery); err != nil {
		return err
	}
	if err := a.buildRelay(guard, sign, people); err != nil {
		return err
	}
	withoutMail, err := a.buildMail(o)
	if err != nil {
		return err
	}
	support := a.config.Mail.Support
	if withoutMail {
		support = ""
		if cart.Need(a.config.HoldsNeed) == cart.NeedEmail {
			return errors.New("HOLDS_NEED: email needs SMTP_HOST, without which no address can be confirmed")
		}
	}
	platform, payouts, err := a.openPlatform(withoutMail)
	if err != nil {
		return err
	}
	a.accounts = account.NewService(account.Options{
		Platform: platform, Sessions: accounts.New(a.db), Deletions: accounts.New(a.db), Emails: accounts.New(a.db),
		Notices: accounts.New(a.db), Connections: a.live, Clock: a.clock,
		Key: deriveKey(key, "tokens"), Site: a.config.PublicURL, Approvals: people, Valuables: valuables(a.withdrawals.Rules()),
		IndexReady: a.indexReady, Reserved: reservedNames(a.config.ReservedNames), EmailWait: a.config.Withdrawals.Delay,
		ThawBySupport: a.config.ThawBySupport(), NoMail: withoutMail,
		Report: func(err error) { a.log.Warn("closing connections of ended sessions", "error", err) },
	})
	people.accounts = a.accounts
	a.rewards = reward.NewService(crashable[reward.Store](payouts),
		crashable[reward.Sender](sender{a.chains, eth.MustAddress(a.config.Wallets.Claimer), a.treasury.Wallet}), a.treasury, a.clock)
	wallets := wallet.NewService(accounts.New(a.db), sign, a.clock, a.welcome(o))
	a.country, err = country.New(country.Options{Forbidden: a.config.Forbidden, Ranges: a.config.CountryRanges})
	if err != nil {
		return fmt.Errorf("COUNTRY_FILE: %w", err)
	}
	if err := a.buildMonitoring(); err != nil {
		return err
	}
	options := api.Options{
		Monitoring: a.monitoring, PassAddress: a.config.Monitoring.PassAddress,
		Country: a.country, CountryHeader: a.config.CountryHeader,
		Flags: switches,
		Log:   a.log, Panicked: a.panics.WithLabelValues("http").Inc, Clock: a.clock, PublicURL: a.config.PublicURL, SiteOf: a.config.SiteOf,
		GameChain: game,
		Trusted:   trusted(a.config.TrustProxy), ForwardedHeader: a.config.ForwardedIn, NetworkKey: deriveKey(key, "networks"),
		Limits: api.Limits{
			LoginsPerMinute: a.config.Limits.Logins, AttemptsPerQuarter: a.config.Limits.Attempts, EmailsPerHour: a.config.Limits.Emails,
			CartPerMinute: a.config.Limits.Cart, SigningPerMinute: a.config.Limits.Signatures, ChainReadsPerMinute: a.config.Limits.ChainReads,
			ReadsPerMinute: a.config.Limits.Reads, SearchesPerMinute: a.config.Limits.Searches, ArtPerMinute: a.config.Limits.Art,
			ContactsPerMinute: a.config.Limits.Contacts, ReportsPerMinute: a.config.Limits.Reports,
			ReportBytesPerMinute: a.config.Limits.ReportMiB << 20, AllReportBytesPerMinute: a.config.Limits.ReportsMiB << 20,
		},
		Accounts: a.accounts, Approvals: a.approvals,
		Profiles: profile.NewService(names{platform}, wallets, platform),
		Trades:   tradeDesk{gasstore.New(a.db), a.trades, game},
		Wallets:  wallets, Market: markets, SellerNames: o.SellerNames, Publisher: publisher, Cart: a.cart, Checkout: a.checkout,
		Fees:        market.NewFeeBook(marketFees{a.chains[game].rpc, eth.MustAddress(a.config.Contracts.PiggyMarketplace)}, a.clock),
		Contact:     contact.NewService(store.Contacts{DB: a.db}, a.clock, support),
		Holdings:    holdings.NewService(store.Holdings{DB: a.db}, a.holdingsConfig(goods)),
		Withdrawals: a.withdrawals, Debts: a.debts, Notifications: a.notifications,
		Saved: market.NewSaved(notifications.New(a.db), markets, a.clock),
		Packs: a.packs, PackBuyers: packs.NewBuyers(rewards.New(a.db), a.clock, named(goods, "chests").address, a.config.PacksForbidden),
		Goods: a.brandGoods(goods, gallery), Beacon: a.beacon(), BeaconURLs: a.config.Beacon.URLs,
		DrawRules: api.DrawRules{
			Margin: a.config.GameChain.TimeMargin, Wallet: api.PackWallet{ChainID: game, Address: eth.MustAddress(a.config.Wallets.Claimer)},
		},
		Records: reward.Records{RecordStore: rewards.New(a.db)}, BurnOrigin: burnOrigin(goods),
		Realtime: a.live, Relay: a.relay, Nodes: a.proxy, Art: gallery,
		Client: a.clientConfig(o), Chains: a.chainMetadata(), Ready: a.checks(),
	}
	if err := a.buildExternalLogins(platform, &options, people); err != nil {
		return err
	}
	if err := a.buildPlayers(ctx, o, key, platform, goods, &options); err != nil {
		return err
	}
	options.Claims = a.claims(goods)
	if err := a.buildWebstore(key, catalogue, goods, gallery, platform, o.DevShop, &options); err != nil {
		return err
	}
	if o.Faucet != nil {
		options.Faucet = a.faucet(*o.Faucet, wallets)
	}
	return a.buildServer(api.New(options), markets, o.Mailbox)
}

// buildMonitoring builds the monitoring of browsers: reports are stored here, and forwarded to Datadog if configured.
func (a *App) buildMonitoring() error {
	meter, err := rum.NewReports(a.registry)
	if err != nil {
		return err
	}
	o := monitoring.Options{
		Store: store.Monitoring{DB: a.db}, Keep: a.config.Monitoring.Keep, KeepBytes: int64(a.config.Monitoring.KeepMiB) << 20,
		KeepFor: a.config.Monitoring.KeepFor, Meter: meter, Clock: a.clock,
		Report: func(what string, err error) { a.log.Warn(what, "error", err) },
	}
	if a.config.Monitoring.ApplicationID != "" {
		o.Intake = rum.NewDatadog(a.config.Monitoring.Site, a.config.Monitoring.ClientToken.Reveal(), nil)
	}
	a.monitoring = monitoring.NewService(o)
	return nil
}

// hubName is the name of the realtime hub, built-in and on Azure.
const hubName = "portal"

// buildRealtime builds the realtime channel: the built-in hub, or Azure Web PubSub if configured.
func (a *App) buildRealtime(ctx context.Context, key []byte) (err error) {
	if a.config.AzureURL != "" {
		a.live, err = realtime.NewAzure(realtime.AzureOptions{ConnectionString: a.config.AzureURL.Reveal(), Hub: hubName, Clock: a.clock})
		return err
	}
	a.hub, err = realtime.New(ctx, realtime.Options{
		JetStream: a.nats.JetStream(), Name: hubName, SigningKey: deriveKey(key, "realtime"), PublicURL: a.config.PublicURL,
		SiteOf: a.config.SiteOf, Clock: a.clock, Logger: a.log, Metrics: a.registry,
	})
	a.live = a.hub
	return err
}

// buildServer combines API, realtime channel and site under one address.
func (a *App) buildServer(calls *api.API, markets *market.Service, mailbox bool) error {
	connect, err := a.connectOrigins()
	if err != nil {
		return err
	}
	pages, err := site.New(site.Embedded(), site.Options{
		PublicURL: a.config.PublicURL, Log: a.log, ConnectOrigins: connect,
		Describe: map[string]site.Describer{
			itemRoute: describeItem(markets, a.config.PublicURL), openingRoute: describeOpening(a.packs, a.config.PublicURL),
			productRoute: describeProduct(calls.Webstore, a.config.PublicURL),
		},
		Unlisted: unlisted(calls.Flags),
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	handler := calls.Handler()
	for _, path := range []string{"/api/", "/ofrep/", "/metadata/", "/healthz", "/readyz"} {
		mux.Handle(path, handler)
	}
	if a.hub != nil {
		mux.Handle("/client/hubs/", a.hub.Handler())
	}
	if mailbox {
		mux.Handle("GET /dev/mail", mail.Mailbox(store.Mail{DB: a.db}))
	}
	if a.shop != nil && a.shop.dev != nil {
		mux.Handle(devShopPath+"/", a.shop.dev)
	}
	mux.Handle("/", pages)
	a.server, err = a.newServer(calls.Countries(mux))
	return err
}

// connectOrigins returns the other origins that browsers must be allowed to connect to: Azure's, if it delivers the
// messages.
func (a *App) connectOrigins() ([]string, error) {
	if a.hub != nil {
		return nil, nil
	}
	access, err := a.live.AccessURL("nobody", "none", a.config.PublicURL)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(access)
	if err != nil {
		return nil, err
	}
	return []string{u.Scheme + "://" + u.Host}, nil
}

// Run serves until ctx ends, then shuts down: it stops accepting requests, moves players' connections and drains work
// in progress.
func (a *App) Run(ctx context.Context) error {
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	group, groupCtx := errgroup.WithContext(background)
	if a.hub != nil {
		group.Go(func() error { return a.hub.Run(groupCtx) })
	}
	group.Go(func() error { return a.runWithLease(groupCtx) })
	group.Go(func() error { return a.survive(groupCtx, "monitoring", a.monitoring.Run) })
	group.Go(func() error { return a.survive(groupCtx, "rules", a.rules.Run) })
	group.Go(func() error { return a.survive(groupCtx, "beacon clock", a.beaconClock.run) })
	if a.shop != nil {
		group.Go(func() error { return a.survive(groupCtx, "webstore catalogue", a.shop.catalogue.Run) })
	}
	group.Go(func() error {
		if err := a.server.Serve(a.gate.guard(a.listener)); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	if a.metrics != nil {
		group.Go(func() error { return a.serveMetrics(groupCtx) })
	}
	select {
	case <-ctx.Done():
	case <-groupCtx.Done(): // a part failed
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.DrainTime)
	defer cancel()
	if a.hub != nil {
		a.hub.Drain(drain)
	}
	_ = a.server.Shutdown(drain)
	stopBackground()
	return group.Wait()
}

// Close closes what New opened. It must be called after Run.
func (a *App) Close() error {
	var errs []error
	for _, l := range []net.Listener{a.listener, a.metrics} {
		if l != nil {
			_ = l.Close() // usually closed by its server already
		}
	}
	for _, c := range a.chains {
		c.rpc.Close()
		if c.reads != nil {
			c.reads.Close()
		}
	}
	if a.nats != nil {
		a.nats.Close()
	}
	if a.playfab != nil {
		a.playfab.Close()
	}
	if a.x != nil {
		a.x.Close()
	}
	if a.country != nil {
		errs = append(errs, a.country.Close())
	}
	if a.db != nil {
		errs = append(errs, a.db.Close())
	}
	return errors.Join(errs...)
}

func (a *App) serveMetrics(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.Handle("/", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}))
	mux.Handle("GET /monitoring", rum.Operator(a.monitoring, a.log))
	server := &http.Server{Handler: a.recovered(mux), ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(serverLog{a.log}, "", 0)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(a.metrics); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("METRICS_ADDR: %w", err)
	}
	return nil
}

// trusted returns the ranges, those of IPv4-mapped addresses as IPv4: addresses are compared so.
func trusted(ranges []string) (out []netip.Prefix) {
	for _, r := range ranges {
		if p, err := netip.ParsePrefix(strings.TrimSpace(r)); err == nil { // validated with the configuration
			if p.Addr().Is4In6() && p.Bits() >= 96 {
				p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
			}
			out = append(out, p)
		}
	}
	return out
}
