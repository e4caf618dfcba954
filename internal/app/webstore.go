package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/config"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/reload"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
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

// shop sells the webstore's products.
type shop struct {
	options api.WebstoreOptions
	dev     *devshop.Shop // nil with another shop
}

// newWebstore returns the webstore; there is none without a shop.
func newWebstore(b *base, platform platform, protector *profile.Protector, openings openings, payouts *reward.Service,
	dev bool) (out shop, err error) {
	c := b.config.Shop
	if c.URL == "" {
		return out, nil
	}
	balances, ok := platform.gamePlatform.(purse.Platform)
	if !ok {
		return out, errors.New("the game platform keeps no balances")
	}
	catalogue, err := reload.Open(c.Products, "", nil, func(file string, text []byte) (*webstore.Catalogue, error) {
		return webstore.ParseCatalogue(section.Over(file, text, b.config.Brand.Products), webstore.Checks{
			Grant: func(g draw.Grant) error { return checkGrant(b.config.Brand, g) },
			Opens: func(kind string) error { return checkOpens(b.tables(), kind) },
			Send:  func(send webstore.Send) error { return checkSend(b.treasury, b.config.Brand.Catalogue, send) },
		})
	}, func(err error) { b.log.Error("webstore's products rejected, keeping the previous ones", "error", err) })
	if err != nil {
		return out, settingFault("WEBSTORE_FILE", c.Products, err)
	}
	b.replica["webstore catalogue"] = catalogue.Run
	references := webstore.NewReferences(b.keys("order-references"))
	out.options.ReturnURLs = c.ReturnURLs
	out.options.Webstore = webstore.NewService(webstore.Options{
		Store: shopstore.New(b.db), Name: c.Name, Currency: c.Currency, Catalogue: catalogue.Current, References: references, Tables: b.tables,
		Edition:     openings.packs.InShopNow,
		Deliverable: deliverable{accounts.New(b.db)}.check,
		Seal:        func(playerID string) (string, error) { return protector.Seal(api.ShopPurpose, playerID, playerID) },
		Treasury:    b.treasury, Card: cardLimits(b.config.Card), Goods: newBrandGoods(b), CheckoutURL: c.CheckoutURL, Clock: b.clock,
	})
	remote := woocommerce.New(woocommerce.Options{
		URL: c.URL, Key: c.Key.Reveal(), Secret: c.Secret.Reveal(), HookURL: b.config.PublicURL + webhookPath,
		HookToken: c.WebhookSecret.Reveal(), Report: func(err error) { b.log.Warn("the shop's answer was left out in part", "error", err) },
	})
	reconciler := webstore.NewReconciler(webstore.ReconcilerOptions{
		Store: crashable[webstore.SettleStore](shopstore.New(b.db)), Offers: shopstore.New(b.db), Shop: remote, Name: c.Name,
		Currency: c.Currency, Catalogue: catalogue.Last,
		References: references, Goods: newBrandGoods(b), Card: cardLimits(b.config.Card), Tables: b.tables,
		Edition: openings.packs.InShopNow, Clock: b.clock, Log: b.log, Settled: func() { openings.opener.Wake(); payouts.Wake() },
	})
	b.lead("webstore orders", reconciler.Run)
	b.lead("webstore poll", every(c.PollInterval, reconciler.Poll))
	b.lead("webstore prices", everyAtOnce(webstore.PriceInterval, reconciler.Price))
	b.lead("webstore hooks", everyAtOnce(webstore.HookInterval, reconciler.EnsureWebhooks))
	changes := purse.NewService(store.Purse{DB: b.db}, balances, b.clock,
		func(err error) { b.log.Error("a balance needs manual review", "error", err) })
	collector := webstore.NewCollector(crashable[webstore.DebtStore](shopstore.New(b.db)), shopPurse{balances, changes})
	b.lead("webstore debts", every(webstore.DebtInterval, collector.Step))
	refused := prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: "pantheon", Subsystem: "webstore", Name: "webhooks_refused_total", Help: "Webhooks without a valid signature.",
	})
	if err := b.registry.Register(refused); err != nil {
		return out, err
	}
	out.options.ShopHooks = &woocommerce.Receiver{Secret: c.WebhookSecret.Reveal(), Hint: reconciler.Hint, Refused: refused.Inc}
	if dev {
		out.dev, err = devshop.New(devshop.Options{
			Path: devShopPath, URL: c.URL, Key: c.Key.Reveal(), Secret: c.Secret.Reveal(), Currency: c.Currency, Catalogue: catalogue.Current,
			Clock: b.clock, Return: b.config.PublicURL + "/webstore/orders/%s", File: filepath.Join(b.config.DataDir, "devshop.json"),
		})
		if err != nil {
			return out, err
		}
	}
	if !b.treasury.Wallet.IsZero() {
		if err := measureTreasury(b); err != nil {
			return out, err
		}
	}
	return out, measureWebstore(b)
}

func cardLimits(c config.Card) webstore.CardLimits {
	r := webstore.CardLimits{Delay: c.Delay}
	r.Instant, r.PerPlayer, r.PerDay = c.Amounts()
	return r
}

// checkOpens checks that there are drop tables of a kind that is bought in the shop.
func checkOpens(tables *draw.Tables, kind string) error {
	if !packs.InShop(kind) {
		return fmt.Errorf("packs of the kind %q are opened by burning them", kind)
	}
	for _, t := range tables.All() {
		if t.Kind == kind {
			return nil
		}
	}
	return fmt.Errorf("there are no drop tables of the kind %q", kind)
}

// deliverable knows to whom something can be delivered.
type deliverable struct{ accounts accounts.Store }

// check says why nothing could be delivered to a player.
func (d deliverable) check(ctx context.Context, playerID string) error {
	w, err := d.accounts.Wallet(ctx, playerID)
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

// measureWebstore registers the metrics of what was paid and is not settled.
func measureWebstore(b *base) error {
	for _, g := range []struct {
		name, help string
		of         func(shopstore.ShopBacklog) float64
	}{
		{
			"orders_waiting", "Orders that may have changed in the shop and are to be fetched: NaN when the database does not tell.",
			func(s shopstore.ShopBacklog) float64 { return float64(s.Hints) },
		},
		{
			"oldest_order_seconds", "How long the oldest of them has waited.",
			func(s shopstore.ShopBacklog) float64 { return b.waiting(s.Since).Seconds() },
		},
		{"orders_with_problems", "Paid orders that wait for an operator.", func(s shopstore.ShopBacklog) float64 { return float64(s.Problems) }},
	} {
		err := b.registry.Register(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Namespace: "pantheon", Subsystem: "webstore", Name: g.name, Help: g.help}, func() float64 {
				ctx, cancel := context.WithTimeout(context.Background(), measureTime)
				defer cancel()
				s, err := shopstore.New(b.db).ShopBacklog(ctx)
				if err != nil {
					return math.NaN()
				}
				return g.of(s)
			}))
		if err != nil {
			return err
		}
	}
	return nil
}
