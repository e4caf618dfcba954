package app

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/art"
	"pantheon/internal/config"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/reload"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/shop/woocommerce"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	shopstore "pantheon/internal/store/webstore"
)

// webhookPath is where the shop's webhooks go.
const webhookPath = "/api/webhooks/woocommerce"

// devShopPath is where the development shop is.
const devShopPath = "/dev/shop"

// shopParts are what sells the webstore's products; nil without a shop.
type shopParts struct {
	catalogue  *reload.File[*webstore.Catalogue]
	service    *webstore.Service
	reconciler *webstore.Reconciler
	collector  *webstore.Collector
	receiver   *woocommerce.Receiver
	dev        *devshop.Shop // nil with another shop
	pollPeriod time.Duration
}

// buildWebstore builds the webstore if there is a shop.
func (a *App) buildWebstore(key []byte, drawings *art.Catalogue, goods []collection, gallery *gallery, platform gamePlatform, dev bool,
	to *api.Options) error {
	c := a.config.Shop
	if c.URL == "" {
		return nil
	}
	s := &shopParts{pollPeriod: c.PollInterval}
	var err error
	s.catalogue, err = reload.Open(c.Products, "", nil, func(file string, text []byte) (*webstore.Catalogue, error) {
		return webstore.ParseCatalogue(file, text, webstore.Checks{
			Grant: func(g draw.Grant) error { return checkGrant(drawings, g) }, Opens: a.checkOpens,
			Send: func(send webstore.Send) error { return checkSend(a.treasury, drawings, send) },
		})
	}, func(err error) { a.log.Error("webstore's products rejected, keeping the previous ones", "error", err) })
	if err != nil {
		return fmt.Errorf("WEBSTORE_FILE: %w", err)
	}
	references := webstore.NewReferences(deriveKey(key, "order-references"))
	s.service = webstore.NewService(webstore.Options{
		Store: shopstore.New(a.db), Name: c.Name, Currency: c.Currency, Catalogue: s.catalogue.Current, References: references, Tables: a.tables,
		Edition:     a.packs.InShopNow,
		Deliverable: a.deliverable, Seal: func(playerID string) (string, error) { return to.Protector.Seal(api.ShopPurpose, playerID, playerID) },
		Treasury: a.treasury, Card: cardLimits(a.config.Card), Goods: a.brandGoods(goods, gallery), CheckoutURL: c.CheckoutURL, Clock: a.clock,
	})
	remote := woocommerce.New(woocommerce.Options{
		URL: c.URL, Key: c.Key.Reveal(), Secret: c.Secret.Reveal(), HookURL: a.config.PublicURL + webhookPath,
		HookToken: c.WebhookSecret.Reveal(), Report: func(err error) { a.log.Warn("the shop's answer was left out in part", "error", err) },
	})
	s.reconciler = webstore.NewReconciler(webstore.ReconcilerOptions{
		Store: crashable[webstore.SettleStore](shopstore.New(a.db)), Offers: shopstore.New(a.db), Shop: remote, Name: c.Name,
		Currency: c.Currency, Catalogue: s.catalogue.Last,
		References: references, Goods: a.brandGoods(goods, gallery), Card: cardLimits(a.config.Card), Tables: a.tables,
		Edition: a.packs.InShopNow, Clock: a.clock, Log: a.log, Settled: func() { a.opener.Wake(); a.rewards.Wake() },
	})
	balances, ok := platform.(purse.Platform)
	if !ok {
		return fmt.Errorf("the game platform keeps no balances")
	}
	changes := purse.NewService(store.Purse{DB: a.db}, balances, a.clock,
		func(err error) { a.log.Error("a balance needs manual review", "error", err) })
	s.collector = webstore.NewCollector(crashable[webstore.DebtStore](shopstore.New(a.db)), shopPurse{balances, changes})
	refused := prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "pantheon", Subsystem: "webstore", Name: "webhooks_refused_total", Help: "Webhooks without a valid signature.",
	})
	if err := a.registry.Register(refused); err != nil {
		return err
	}
	s.receiver = &woocommerce.Receiver{Secret: c.WebhookSecret.Reveal(), Hint: s.reconciler.Hint, Refused: refused.Inc}
	if dev {
		s.dev, err = devshop.New(devshop.Options{
			Path: devShopPath, URL: c.URL, Key: c.Key.Reveal(), Secret: c.Secret.Reveal(), Currency: c.Currency, Catalogue: s.catalogue.Current,
			Clock: a.clock, Return: a.config.PublicURL + "/webstore/orders/%s", File: filepath.Join(a.config.DataDir, "devshop.json"),
		})
		if err != nil {
			return err
		}
	}
	a.shop = s
	to.Webstore, to.ShopHooks, to.ReturnURLs = s.service, s.receiver, c.ReturnURLs
	if !a.treasury.Wallet.IsZero() {
		if err := a.measureTreasury(); err != nil {
			return err
		}
	}
	return a.measureWebstore()
}

func cardLimits(c config.Card) webstore.CardLimits {
	r := webstore.CardLimits{Delay: c.Delay}
	r.Instant, r.PerPlayer, r.PerDay = c.Amounts()
	return r
}

// checkOpens checks that there are drop tables of a kind that is bought in the shop.
func (a *App) checkOpens(kind string) error {
	if !packs.InShop(kind) {
		return fmt.Errorf("packs of the kind %q are opened by burning them", kind)
	}
	for _, t := range a.tables().All() {
		if t.Kind == kind {
			return nil
		}
	}
	return fmt.Errorf("there are no drop tables of the kind %q", kind)
}

// deliverable says why nothing could be delivered to a player.
func (a *App) deliverable(ctx context.Context, playerID string) error {
	w, err := accounts.New(a.db).Wallet(ctx, playerID)
	if err == nil && w.StoredAt.IsZero() || fault.Is(err, fault.NotFound) {
		return wallet.ErrNotReady
	}
	return err
}

// shopPurse implements webstore.Purse.
type shopPurse struct {
	purse.Platform
	*purse.Service
}

// roles returns the background work of the webstore.
func (s *shopParts) roles(report func(string) func(error)) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"webstore orders": func(ctx context.Context) error { return s.reconciler.Run(ctx, report("webstore orders")) },
		"webstore poll": func(ctx context.Context) error {
			return periodic.Run(ctx, s.pollPeriod, s.reconciler.Poll, report("webstore poll"))
		},
		"webstore debts": func(ctx context.Context) error {
			return periodic.Run(ctx, webstore.DebtInterval, s.collector.Step, report("webstore debts"))
		},
		"webstore prices": func(ctx context.Context) error {
			return periodic.RunAtOnce(ctx, webstore.PriceInterval, s.reconciler.Price, report("webstore prices"))
		},
		"webstore hooks": func(ctx context.Context) error {
			return periodic.RunAtOnce(ctx, webstore.HookInterval, s.reconciler.EnsureWebhooks, report("webstore hooks"))
		},
	}
}

// measureWebstore registers the metrics of what was paid and is not settled.
func (a *App) measureWebstore() error {
	for _, g := range []struct {
		name, help string
		of         func(shopstore.ShopBacklog) float64
	}{
		{
			"orders_waiting", "Orders that may have changed in the shop and are to be fetched: NaN when the database does not tell.",
			func(b shopstore.ShopBacklog) float64 { return float64(b.Hints) },
		},
		{
			"oldest_order_seconds", "How long the oldest of them has waited.",
			func(b shopstore.ShopBacklog) float64 { return a.waiting(b.Since).Seconds() },
		},
		{"orders_with_problems", "Paid orders that wait for an operator.", func(b shopstore.ShopBacklog) float64 { return float64(b.Problems) }},
	} {
		err := a.registry.Register(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Namespace: "pantheon", Subsystem: "webstore", Name: g.name, Help: g.help}, func() float64 {
				ctx, cancel := context.WithTimeout(context.Background(), measureTime)
				defer cancel()
				b, err := shopstore.New(a.db).ShopBacklog(ctx)
				if err != nil {
					return math.NaN()
				}
				return g.of(b)
			}))
		if err != nil {
			return err
		}
	}
	return nil
}
