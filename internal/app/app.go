// Package app wires the portal together: it is the only package that imports all parts. New builds everything from
// the configuration, Run serves until its context ends and stops the parts in order.
package app

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/api"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/mail"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/rum"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/site"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/notifications"
	"pantheon/internal/store/rewards"
	"pantheon/internal/store/securitylogs"
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
	// RequestLevel is the level at which each request is logged: info when zero.
	RequestLevel slog.Level
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
	*base
	live       live
	chains     chains
	people     *people
	monitoring *monitoring.Service
	server     *http.Server
	gate       *gate
	listener   net.Listener
	encryption *encryption // nil where a proxy serves https
	console    *console
	metrics    net.Listener // nil for none
}

// New builds the portal. The configuration must be valid. On failure everything is closed again.
func New(ctx context.Context, c config.Config, o Options) (_ *App, err error) {
	if err := checkLegal(c); err != nil {
		return nil, err
	}
	a := &App{base: newBase(c, o), listener: o.Listener}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	if err := a.build(ctx, o); err != nil {
		return nil, err
	}
	if a.listener == nil {
		if a.listener, err = Listen(c); err != nil {
			return nil, err
		}
	}
	if a.encryption != nil {
		if err := a.encryption.listen(c); err != nil {
			return nil, err
		}
	}
	if err := a.console.listen(c); err != nil {
		return nil, err
	}
	if c.MetricsAddr != "" {
		if a.metrics, err = net.Listen("tcp", c.MetricsAddr); err != nil {
			return nil, fmt.Errorf("METRICS_ADDR: %w", err)
		}
	}
	return a, nil
}

// build builds the capabilities, each from those above it, and the HTTP server that serves them.
func (a *App) build(ctx context.Context, o Options) (err error) {
	b := a.base
	if err := errors.Join(b.exportTelemetry(ctx), b.measure()); err != nil {
		return err
	}
	trading := trade{b, []onchain.ChainID{b.game, b.config.MainChain.ChainID()}}
	if err := errors.Join(b.measureProcess(), b.registry.Register(trading)); err != nil {
		return err
	}
	if b.leadership, err = newLeadership(b.registry); err != nil {
		return err
	}
	if a.live, err = newLive(ctx, b); err != nil {
		return err
	}
	if a.live.nats != nil {
		b.wakeups.peers = a.live.nats.Peers("wakeups")
		b.replica["wakeups"] = b.wakeups.run
	}
	chains, err := newChains(ctx, b, o.Endpoints)
	if a.chains = chains; err != nil {
		return err
	}
	tokens, err := newMetadata(b, chains)
	if err != nil {
		return err
	}
	mails, err := newMails(b, o.Mailbox)
	if err != nil {
		return err
	}
	platform, err := newPlatform(ctx, b, mails, o)
	if err != nil {
		return err
	}
	rules, err := withdrawalRules(b)
	if err != nil {
		return err
	}
	people, err := newPeople(b, platform, chains, a.live, mails, rules)
	if a.people = people; err != nil {
		return err
	}
	payouts := newRewards(b, platform, chains)
	openings, err := newOpenings(b, chains, payouts)
	if err != nil {
		return err
	}
	moving := newMoves(b, chains, openings, payouts)
	markets := newMarket(b, chains)
	carts := newCarts(b, o.Faucet != nil)
	newOutbox(b, a.live, markets, openings.packs)
	money := newMoney(b, chains, people, rules)
	trades, err := newTrades(b, o.SellerNames, people)
	if err != nil {
		return err
	}
	policies, err := newPolicies(b)
	if err != nil {
		return err
	}
	checkGas(b, policies, chains)
	if err := measureGas(b, policies); err != nil {
		return err
	}
	guard := newGuard(b, money, people, carts, trades, openings.packs)
	sign, err := newSigner(b, policies, guard, bindings{money.Withdrawals, money.Debts, trades, b.game})
	if err != nil {
		return err
	}
	relay, err := newRelay(b, chains, policies, guard, sign, people, follow{carts.Checkout, money.Withdrawals, money.Debts, chains.index})
	if err != nil {
		return err
	}
	if err := newSecurityLog(b); err != nil {
		return err
	}
	watchBackups(b)
	copies, err := newCopies(b)
	if err != nil {
		return err
	}
	wallets := wallet.NewService(accounts.New(b.db), sign, b.clock, welcome(b, payouts, o.Welcome), copies)
	protector, err := newProtector(b)
	if err != nil {
		return err
	}
	shop, err := newWebstore(b, platform, protector, openings, payouts, o.DevShop)
	if err != nil {
		return err
	}
	if a.monitoring, err = newMonitoring(b); err != nil {
		return err
	}
	requests, err := requestOptions(b)
	if err != nil {
		return err
	}
	newsFor, err := newNews(b)
	if err != nil {
		return err
	}
	client := clientConfig(b.config, b.wallets.claimers(), o)
	client.PasskeyDomain = b.config.PasskeyDomain
	client.SignInWithX, client.PasswordByMail = people.logins.HasX(), people.accounts.MailsPasswords()
	client.Monitoring.Active = a.monitoring.Active()
	calls := api.New(api.Options{
		RequestOptions: requests,
		AccountOptions: api.AccountOptions{
			Accounts: people.accounts, Approvals: people.approvals, ExternalLogins: people.logins,
			Profiles: profile.NewService(names{platform}, wallets, platform), Lists: profile.NewLists(accounts.New(b.db), b.clock),
			Protector: protector, Contact: contact.NewService(store.Contacts{DB: b.db}, b.clock, mails.support),
			SecurityLog: securitylog.Own{Log: securitylogs.New(b.db)}, Passkeys: people.passkeys,
		},
		WalletOptions: api.WalletOptions{Wallets: wallets, Proofs: people.proofs},
		MarketOptions: api.MarketOptions{
			Market: markets.service, SellerNames: o.SellerNames, Fees: markets.fees, Publisher: markets.publisher,
			Trades: tradeDesk{gasstore.New(b.db), trades, b.game},
		},
		CartOptions: carts,
		HoldingsOptions: api.HoldingsOptions{
			Kinds: b.config.Brand.Collections.Kinds(), Games: b.config.Brand.Games.Games,
			Holdings: holdings.NewService(store.Holdings{DB: b.db}, holdingsConfig(b)), Activity: newActivity(b),
			Boards: leaderboard.NewService(platform, boardsOf(b.config.Brand)...), Tariffs: b.tariffs,
		},
		RewardOptions: api.RewardOptions{
			Records: reward.Records{RecordStore: rewards.New(b.db)}, Claims: newClaims(b, people, payouts), Moves: moving,
			BurnOrigin: burnOrigin(b.goods),
			Faucet:     faucet(payouts, wallets, b.clock, o.Faucet),
		},
		PackOptions:       openings.options(b),
		WithdrawalOptions: money,
		NotificationOptions: api.NotificationOptions{
			Notifications: newNotifications(b, people), Saved: market.NewSaved(notifications.New(b.db), markets.service, b.clock),
		},
		WebstoreOptions: shop.options,
		ChainOptions: api.ChainOptions{
			GameChain: b.game, Chains: chainMetadata(b.config), Relay: relay, Nodes: chains.proxy, Art: tokens,
		},
		SystemOptions: api.SystemOptions{
			Client: client, Flags: b.switches, News: newsFor, Realtime: a.live, Health: b.health, Alive: alive(),
			Monitoring: a.monitoring, PassAddress: b.config.Monitoring.PassAddress,
		},
	})
	if a.live.nats != nil {
		b.replica["limits"] = func(ctx context.Context) error { return calls.ShareLimits(ctx, a.live.nats.Peers("counts")) }
		b.replica["console limits"] = func(ctx context.Context) error {
			return a.console.calls.ShareLimits(ctx, a.live.nats.Peers("console-counts"))
		}
	}
	if a.console, err = newConsole(b, requests, people, mails.brand.Name, client.Currency); err != nil {
		return err
	}
	handler, err := newHandler(b, calls, a.live, shop.dev, mails.brand, o.Mailbox)
	if err != nil {
		return err
	}
	if a.encryption, err = newEncryption(b, calls.Handler()); err != nil {
		return err
	}
	handler = a.console.onSite(handler)
	if a.encryption != nil {
		handler = a.encryption.oneHost(b.config.TLS.Domains, handler)
	}
	if a.server, err = a.newServer(handler); err == nil && a.encryption != nil {
		a.server.TLSConfig = a.encryption.keeper.TLS()
	}
	return err
}

// Listen listens on the configured address. Connections wait until an App serves them.
func Listen(c config.Config) (net.Listener, error) { return listenOn("LISTEN_ADDR", c.ListenAddr) }

// Addr returns the address the site listens on.
func (a *App) Addr() string { return a.listener.Addr().String() }

// newHandler combines API, realtime channel and site under one address.
func newHandler(b *base, calls *api.API, live live, shop *devshop.Shop, brand mail.Brand, mailbox bool) (http.Handler, error) {
	connect, err := live.connectOrigins(b.config.PublicURL)
	if err != nil {
		return nil, err
	}
	pages, err := site.New(b.build, site.Options{
		PublicURL: b.config.PublicURL, Registry: registryOf(b.config), Log: b.log, ConnectOrigins: connect,
		Describe: map[string]site.Describer{
			itemRoute: describeItem(calls.Market, b.config.PublicURL), openingRoute: describeOpening(calls.Packs, b.config.PublicURL),
			productRoute: describeProduct(calls.Webstore, b.config.PublicURL),
		},
		Unlisted: unlisted(calls.Flags), Absent: absent(b),
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	handler := calls.Handler()
	for _, path := range []string{"/api/", "/ofrep/", "/metadata/", "/healthz", "/readyz"} {
		mux.Handle(path, handler)
	}
	if live.hub != nil {
		mux.Handle("/client/hubs/", live.hub.Handler())
	}
	if mailbox {
		mailbox := mail.Mailbox(store.Mail{DB: b.db}, brand)
		mux.Handle("GET /dev/mail", mailbox)
		mux.Handle("GET /dev/mail/{id}", mailbox)
	}
	if shop != nil {
		mux.Handle(devShopPath+"/", shop)
	}
	mux.Handle("/", pages)
	return calls.Countries(mux), nil
}

// Run serves until ctx ends, then stops in steps: the replica is not ready but still accepts requests for DRAIN_TIME, in which proxies
// notice; players' connections are moved; requests under way are finished.
func (a *App) Run(ctx context.Context) error {
	a.countPanics()
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	group, groupCtx := errgroup.WithContext(background)
	if a.live.hub != nil {
		group.Go(func() error { return a.live.hub.Run(groupCtx) })
	}
	group.Go(func() error { return a.runWithLease(groupCtx) })
	for name, run := range a.replica {
		group.Go(func() error { return a.survive(groupCtx, name, run) })
	}
	group.Go(a.serve)
	if a.encryption != nil {
		group.Go(a.servePlain)
	}
	if a.console.server != nil {
		group.Go(func() error { return unlessClosed(a.console.server.Serve(a.console.listener)) })
	}
	if a.metrics != nil {
		group.Go(func() error { return a.serveMetrics(groupCtx) })
	}
	select {
	case <-ctx.Done():
		a.drain(groupCtx)
	case <-groupCtx.Done(): // a part failed
	}
	a.log.Info("stopping")
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	var connections sync.WaitGroup
	if a.live.hub != nil {
		connections.Go(func() { a.live.hub.Drain(closing) })
	}
	if a.encryption != nil {
		connections.Go(func() { _ = a.encryption.plain.Shutdown(closing) })
	}
	if a.console.server != nil {
		connections.Go(func() { _ = a.console.server.Shutdown(closing) })
	}
	_ = a.server.Shutdown(closing)
	connections.Wait()
	stopBackground()
	return group.Wait()
}

// closeTime is how long connections and requests under way may take to end once the replica accepts no more.
const closeTime = 10 * time.Second

// drain makes the replica unready and waits for DRAIN_TIME, unless ctx ends.
func (a *App) drain(ctx context.Context) {
	a.health.Drain()
	if a.config.DrainTime == 0 {
		return
	}
	a.log.Info("not ready; accepting requests until proxies have noticed", "for", a.config.DrainTime)
	select {
	case <-ctx.Done():
	case <-time.After(a.config.DrainTime):
	}
}

// Close closes what New opened. It must be called after Run.
func (a *App) Close() error {
	listeners := []net.Listener{a.listener, a.metrics}
	if a.encryption != nil {
		listeners = append(listeners, a.encryption.listener)
	}
	if a.console != nil {
		listeners = append(listeners, a.console.listener)
	}
	for _, l := range listeners {
		if l != nil {
			_ = l.Close() // usually closed by its server already
		}
	}
	return a.close()
}

func (a *App) serveMetrics(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{}))
	mux.Handle("GET /monitoring", rum.Operator(a.monitoring, a.log))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: a.recovered(mux), ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(serverLog{a.log}, "", 0)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(a.metrics); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("METRICS_ADDR: %w", err)
	}
	return nil
}
