package webstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/shop/woocommerce"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// products are what the tests sell.
const products = `products:
  - id: 100
    type: destiny-pack
    name: Destiny pack
    variations:
      - {id: 101, name: Bronze, price: "4.99", opens: destiny-bronze, count: 1}
      - {id: 104, name: Five, price: "21.99", opens: destiny-bronze, count: 5}
  - id: 200
    type: gold-pack
    name: InfiniGold
    variations:
      - {id: 201, name: A pouch, price: "2.99", gives: [{currency: ig, amount: 500}]}
      - {id: 202, name: For one, price: "2.99", limit: 1, gives: [{currency: ne, amount: 300}]}
      - id: 203
        name: Of June
        price: "2.99"
        from: 2026-06-01T00:00:00Z
        until: 2026-07-01T00:00:00Z
        gives: [{currency: ne, amount: 300}]
  - id: 300
    type: cosmetic
    name: Mask
    variations:
      - {id: 301, name: One, price: "7.99", gives: [{collection: game-items, token: "40", amount: 1}]}
      - {id: 302, name: Keepsake, price: "7.99", gives: [{collection: keepsakes, token: "1", amount: 1}]}
      - {id: 303, name: One each, price: "7.99", limit: 1, gives: [{collection: game-items, token: "41", amount: 1}]}
  - id: 400
    type: top-up
    name: USDC
    variations:
      - {id: 401, name: 25 USDC, price: "26.99", sends: {usdc: "25"}}
  - id: 410
    type: kod-pack
    name: KOD packs
    variations:
      - {id: 411, name: Two, price: "33.99", gives: [{currency: ig, amount: 5}], sends: {collection: chests, token: "1", amount: 2}}
`

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// card gives what can change hands after a day, and 20 EUR of it at once to players who are known.
var card = webstore.CardLimits{Delay: 24 * time.Hour, Instant: 20_000_000, PerPlayer: 500_000_000, PerDay: 5_000_000_000}

// goods are the brand's tokens.
type goods struct{}

func (goods) Transferable(slug string) bool { return slug != "keepsakes" }

func (goods) Collection(slug string) (eth.Address, onchain.ChainID, onchain.Standard, bool) {
	return eth.MustAddress(testkit.Items), testkit.GameChain, onchain.ERC1155, slug == "game-items" || slug == "chests" || slug == "keepsakes"
}

func (goods) USDC() (eth.Address, onchain.ChainID) { return usdc, testkit.GameChain }

// mints are the queues of claimer and treasury, whose transactions are done at once, or not while held, or fail.
type mints struct {
	held   bool
	fails  bool
	queued []string
	sent   []reward.Transfer
}

func (m *mints) Mint(_ context.Context, id string, _ reward.Mint) error {
	m.queued = append(m.queued, id)
	return nil
}

func (m *mints) Transfer(_ context.Context, id string, x reward.Transfer) error {
	m.queued = append(m.queued, id)
	m.sent = append(m.sent, x)
	return nil
}

func (m *mints) Outcome(_ context.Context, id string) (bool, string, error) {
	if !slices.Contains(m.queued, id) {
		return false, "", fault.New(fault.NotFound, "There is no mint %s.", id)
	}
	if m.fails {
		return false, "no such token", nil
	}
	return !m.held, "", nil
}

// counter is a shop with the portal's part beside it.
type counter struct {
	t          *testing.T
	db         *store.DB
	clock      *clock.Fake
	shop       *devshop.Shop
	refs       webstore.References
	service    *webstore.Service
	reconciler *webstore.Reconciler
	collect    *webstore.Collector
	rewards    *reward.Service
	mints      *mints
	sold       *webstore.Catalogue
	hooks      *httptest.Server
	url        string      // of the shop
	failing    atomic.Bool // whether the portal refuses webhooks
	referred   int         // hand-offs from before
	tables     *draw.Tables
	editions   map[string]int // in which packs are sold now, by kind
}

// balances are the balances of the built-in platform.
type balances struct{ accounts.Store }

func (b balances) Balance(ctx context.Context, playerID, code string) (int64, error) {
	all, err := b.Currencies(ctx, playerID)
	return all[code], err
}

func (b balances) Debit(ctx context.Context, _, playerID, code string, amount int64) error {
	_, err := b.ChangeCurrency(ctx, playerID, code, -amount)
	return err
}

func eachCounter(t *testing.T, test func(t *testing.T, c *counter)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		test(t, openCounter(t, db, clk))
	})
}

// eachShop is eachCounter with a shop that reports changed orders.
func eachShop(t *testing.T, test func(t *testing.T, c *counter)) {
	t.Helper()
	eachCounter(t, func(t *testing.T, c *counter) {
		must(t, c.reconciler.EnsureWebhooks(t.Context()))
		c.poll()
		test(t, c)
	})
}

func openCounter(t *testing.T, db *store.DB, clk *clock.Fake) *counter {
	t.Helper()
	c := &counter{
		t: t, db: db, clock: clk, mints: &mints{}, sold: testkit.Catalogue(t, products),
		refs: webstore.NewReferences(keyset.Keys{[]byte("a key of the references")}),
	}
	sold := func() *webstore.Catalogue { return c.sold }
	c.tables, c.editions = builtIn(t), map[string]int{"destiny-bronze": 1}
	tables := func() *draw.Tables { return c.tables }
	edition := func(_ context.Context, kind string) (int, error) {
		if n, ok := c.editions[kind]; ok {
			return n, nil
		}
		return 0, fault.New(fault.Unavailable, "These packs are not on sale yet.")
	}
	receiver := &woocommerce.Receiver{Secret: "webhook secret", Refused: func() { t.Error("a webhook of the shop is refused") }}
	c.hooks = testkit.Webhooks(t, func(ctx context.Context, topic, signature string, body []byte) error {
		if c.failing.Load() {
			return errors.New("the portal is away")
		}
		return receiver.Take(ctx, topic, signature, body)
	})
	var err error
	server := httptest.NewUnstartedServer(nil)
	c.shop, err = devshop.New(devshop.Options{
		URL: "http://" + server.Listener.Addr().String(), Key: "key", Secret: "secret", Currency: "EUR", Catalogue: sold, Clock: clk,
		HTTP: c.hooks.Client(),
	})
	must(t, err)
	server.Config.Handler = c.shop
	server.Start()
	c.url = server.URL
	remote := woocommerce.New(woocommerce.Options{
		URL: server.URL, Key: "key", Secret: "secret", HookURL: c.hooks.URL, HookToken: "webhook secret", HTTP: server.Client(),
	})
	t.Cleanup(func() { c.shop.Wait(); server.Close() })
	c.service = webstore.NewService(webstore.Options{
		Store: shopstore.New(db), Name: "shop", Currency: "EUR", Catalogue: sold, References: c.refs, Tables: tables, Edition: edition,
		Deliverable: func(context.Context, string) error { return nil }, Seal: func(id string) (string, error) { return "sealed-" + id, nil },
		Treasury: treasury, Card: card, Goods: goods{}, CheckoutURL: server.URL + "/checkout/?add-to-cart={variation}&quantity=1", Clock: clk,
	})
	c.reconciler = webstore.NewReconciler(webstore.ReconcilerOptions{
		Store: shopstore.New(db), Offers: shopstore.New(db), Shop: remote, Name: "shop", Currency: "EUR", Catalogue: sold,
		References: c.refs, Goods: goods{},
		Card: card, Tables: tables, Edition: edition,
		Clock: clk, Log: slog.New(slog.DiscardHandler), Settled: func() {},
	})
	receiver.Hint = c.reconciler.Hint
	c.collect = webstore.NewCollector(shopstore.New(db), balances{accounts.New(db)})
	c.rewards = reward.NewService(rewards.New(db), c.mints, treasury, clk)
	return c
}

// refer hands a player off and returns the order reference.
func (c *counter) refer(player string, variation int64) string {
	c.t.Helper()
	return c.begin(player, variation, [32]byte{}).reference
}

// begun is a hand-off with its order reference.
type begun struct {
	webstore.Begun
	reference string
}

// begin hands a player off with a nonce.
func (c *counter) begin(player string, variation int64, nonce [32]byte) (b begun) {
	c.t.Helper()
	p, _, _ := c.sold.Variation(variation)
	var err error
	b.Begun, err = c.service.Checkout(c.t.Context(), player, p.ID, variation, nonce)
	must(c.t, err)
	u, err := url.Parse(b.URL)
	must(c.t, err)
	b.reference = u.Query().Get("orderReference")
	return b
}

// builtIn returns the built-in drop tables.
func builtIn(t *testing.T) *draw.Tables {
	t.Helper()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	must(t, err)
	return tables
}

// order places a paid order of a player and returns its id.
func (c *counter) order(player string, lines ...devshop.NewLine) int64 {
	c.t.Helper()
	id := c.shop.Place(devshop.NewOrder{Reference: c.refer(player, lines[0].Variation), Lines: lines})
	c.shop.SetStatus(id, "processing")
	return id
}

// reconcile lets the portal poll, reconcile, give and collect until nothing changes.
func (c *counter) reconcile() {
	c.t.Helper()
	c.shop.Wait()
	c.poll()
	for range 3 {
		must(c.t, c.reconciler.Step(c.t.Context()))
		if _, err := c.rewards.Step(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
		must(c.t, c.collect.Step(c.t.Context()))
	}
}

func (c *counter) poll() {
	c.t.Helper()
	must(c.t, c.reconciler.Poll(c.t.Context()))
}

func (c *counter) has(player, code string) int64 {
	c.t.Helper()
	all, err := accounts.New(c.db).Currencies(c.t.Context(), player)
	must(c.t, err)
	return all[code]
}

// recorded returns an order as the portal has it; ok is false for none.
func (c *counter) recorded(id int64) (o webstore.Order, ok bool) {
	c.t.Helper()
	must(c.t, shopstore.New(c.db).SettleOrder(c.t.Context(), webstore.Hint{OrderID: id}, time.Time{},
		func(ctx context.Context, tx webstore.Tx) (err error) {
			o, ok, err = tx.Order(ctx)
			return err
		}))
	return o, ok
}

// line returns the id of an order's line.
func (c *counter) line(order int64, number int) int64 {
	c.t.Helper()
	o, ok := c.shop.Order(order)
	if !ok {
		c.t.Fatalf("there is no order %d", order)
	}
	return o.Lines[number].ID
}

func one(variation int64) devshop.NewLine { return devshop.NewLine{Variation: variation, Quantity: 1} }

func units(variation, n int64) devshop.NewLine {
	return devshop.NewLine{Variation: variation, Quantity: n}
}

func (c *counter) want(what string, got, want int64) {
	c.t.Helper()
	if got != want {
		c.t.Errorf("%s: %d, want %d", what, got, want)
	}
}

// Spec: SHOP-4
func TestOrder_PaidLineIsGivenOnce(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.shop.SetTrouble(devshop.Trouble{Twice: true})
		id := c.order("A", units(201, 3), one(302))
		for range 3 {
			c.reconcile()
			c.shop.SetStatus(id, "completed")
			c.clock.Advance(2 * time.Minute)
			must(t, c.reconciler.Hint(t.Context(), id))
		}
		c.want("InfiniGold", c.has("A", "ig"), 1500)
		c.want("mints", int64(len(c.mints.queued)), 1)
		if o, _ := c.recorded(id); o.PlayerID != "A" || o.Problem != "" || len(o.Notes) > 0 || !o.PaidAt.Equal(opening) {
			t.Errorf("recorded %+v", o)
		}
	})
}

func TestOrder_UnpaidOneGivesNothing(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.shop.Place(devshop.NewOrder{Reference: c.refer("A", 201), Lines: []devshop.NewLine{one(201)}})
		for _, status := range []string{"pending", "on-hold", "failed", "cancelled", "refunded"} {
			c.shop.SetStatus(id, status)
			c.reconcile()
			if _, ok := c.recorded(id); ok || c.has("A", "ig") != 0 {
				t.Errorf("an order that is %s is recorded", status)
			}
		}
		c.clock.Advance(time.Hour) // the payment comes late
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		c.want("InfiniGold after an hour", c.has("A", "ig"), 500)
	})
}

func TestOrder_PollFindsWhatNoWebhookTold(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		c.shop.SetTrouble(devshop.Trouble{Lose: true})
		for range 230 { // three pages, all of one second
			c.order("A", one(201))
		}
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 230*500)
	})
}

// The same second: the order is paid just after it was fetched, and the shop's time of the change is the same.
func TestOrder_PollFindsASecondChangeOfTheSameSecond(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		id := c.shop.Place(devshop.NewOrder{Reference: c.refer("A", 201), Lines: []devshop.NewLine{one(201)}})
		c.reconcile()
		c.shop.SetTrouble(devshop.Trouble{Lose: true})
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
	})
}

// ahead is a shop whose clock is a year ahead.
type ahead struct{ webstore.Shop }

func (s ahead) Changes(ctx context.Context, since time.Time, page int) ([]webstore.Change, bool, error) {
	changes, more, err := s.Shop.Changes(ctx, since, page)
	for i := range changes {
		changes[i].At = changes[i].At.AddDate(1, 0, 0)
	}
	return changes, more, err
}

func TestOrder_ShopClockThatWasAheadHidesNoLaterOrders(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		c.order("A", one(201))
		o := c.reconciler.ReconcilerOptions
		o.Shop = ahead{o.Shop}
		must(t, webstore.NewReconciler(o).Poll(t.Context()))
		c.clock.Advance(time.Hour)
		c.shop.SetTrouble(devshop.Trouble{Lose: true})
		c.order("A", one(201))
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
	})
}

func TestOrder_PollLeavesOutWhatIsSettled(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		c.order("A", one(201))
		c.clock.Advance(2 * time.Minute)
		c.reconcile()
		c.poll()
		if hints, err := shopstore.New(c.db).DueHints(t.Context(), c.clock.Now(), 10); len(hints) > 0 || err != nil {
			t.Errorf("%v, %v", hints, err)
		}
	})
}

// asked is a shop that remembers since when changes were asked for.
type asked struct {
	webstore.Shop
	since []time.Time
}

func (s *asked) Changes(ctx context.Context, since time.Time, page int) ([]webstore.Change, bool, error) {
	s.since = append(s.since, since)
	return s.Shop.Changes(ctx, since, page)
}

func TestOrder_PollBeginsTenMinutesBeforeTheLastChange(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		last := c.clock.Now()
		c.clock.Advance(time.Hour)
		o := c.reconciler.ReconcilerOptions
		shop := &asked{Shop: o.Shop}
		o.Shop = shop
		must(t, webstore.NewReconciler(o).Poll(t.Context()))
		if len(shop.since) != 1 || !shop.since[0].Equal(last.Add(-10*time.Minute)) {
			t.Errorf("asked for changes since %v, want ten minutes before %v", shop.since, last)
		}
	})
}

func TestOrder_IsRetriedAfterTheShopIsDownOrThrottles(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		id := c.order("A", one(201))
		must(t, c.reconciler.Hint(t.Context(), id))
		c.shop.SetTrouble(devshop.Trouble{Down: true})
		if err := c.reconciler.Step(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while the shop is down: %v", err)
		}
		c.clock.Advance(time.Hour)
		c.shop.SetTrouble(devshop.Trouble{Refuses: 1})
		if err := c.reconciler.Step(t.Context()); !fault.Is(err, fault.TooMany) {
			t.Errorf("while the shop refuses: %v", err)
		}
		must(t, c.reconciler.Step(t.Context())) // too early: the shop is not asked
		c.want("InfiniGold before the time that the shop named", c.has("A", "ig"), 0)
		c.clock.Advance(time.Second)
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
	})
}

func TestOrder_DisabledHookIsEnabledAgain(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		must(t, c.reconciler.EnsureWebhooks(t.Context()))
		if n := len(c.shop.Hooks()); n != 4 {
			t.Fatalf("%d hooks, want 4", n)
		}
		c.failing.Store(true)
		id := c.shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{one(201)}})
		status := func() string {
			c.shop.Wait()
			for _, h := range c.shop.Hooks() {
				if h.Topic == "order.updated" {
					return h.Status
				}
			}
			return "missing"
		}
		for n := 1; n <= 7; n++ {
			if got := status(); got != "active" {
				t.Fatalf("after %d failures it is %s", n-1, got)
			}
			c.shop.SetStatus(id, "on-hold")
		}
		if got := status(); got != "disabled" {
			t.Fatalf("after seven failures it is %s", got)
		}
		must(t, c.reconciler.EnsureWebhooks(t.Context()))
		if got := status(); got != "active" {
			t.Errorf("mended, it is %s", got)
		}
	})
}

func TestOrder_WithoutAPlayerWaitsForAnOperator(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		forged := c.refer("A", 201)
		forged = forged[:len(forged)-1] + map[bool]string{true: "A", false: "B"}[!strings.HasSuffix(forged, "A")]
		for _, n := range []struct {
			reference, currency, problem string
		}{
			{"", "", "The order has no valid reference of a player."},
			{forged, "", "The order has no valid reference of a player."},
			{c.refer("A", 201), "USD", "The order is in USD and not in EUR."},
		} {
			id := c.shop.Place(devshop.NewOrder{Reference: n.reference, Currency: n.currency, Lines: []devshop.NewLine{one(201)}})
			c.shop.SetStatus(id, "processing")
			c.reconcile()
			o, ok := c.recorded(id)
			if !ok || o.PlayerID != "" || o.Problem != n.problem {
				t.Errorf("%q: recorded %v %+v", n.problem, ok, o)
			}
		}
		two := c.shop.Place(devshop.NewOrder{Reference: c.refer("A", 201), Lines: []devshop.NewLine{one(201)}})
		c.shop.Edit(two, func(o *devshop.Order) {
			o.Lines[0].Meta = append(o.Lines[0].Meta, devshop.Meta{Key: woocommerce.ReferenceKey, Value: c.refer("B", 201)})
			o.Status = "processing"
		})
		c.reconcile()
		if o, _ := c.recorded(two); o.PlayerID != "" || o.Problem != "The order has references of several players." {
			t.Errorf("recorded %+v", o)
		}
		c.want("what A has", c.has("A", "ig"), 0)

		must(t, operators.New(c.db).AssignShopOrder(t.Context(), two, "B", "shop", byHand))
		c.reconcile()
		c.want("what B has once it is B's", c.has("B", "ig"), 500)
		if err := (operators.New(c.db)).AssignShopOrder(t.Context(), two, "A", "shop", byHand); !fault.Is(err, fault.Conflict) {
			t.Errorf("assigned twice: %v", err)
		}
		c.reconcile()
		c.want("what A has", c.has("A", "ig"), 0)
	})
}

func TestOrder_OfOtherGoodsIsIgnored(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 9, Quantity: 1, Total: "5.00"}}})
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		if o, ok := c.recorded(id); ok {
			t.Errorf("recorded %+v", o)
		}
	})
}

func TestOrder_UnknownVariationIsGivenOnceTheCatalogueHasIt(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(201), devshop.NewLine{Variation: 999, Quantity: 1, Total: "1.00"})
		c.reconcile()
		o, _ := c.recorded(id)
		if c.has("A", "ig") != 500 || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "variation 999, which the catalogue does not have") {
			t.Errorf("has %d, recorded %+v", c.has("A", "ig"), o)
		}
		c.clock.Advance(2 * time.Minute)
		c.reconcile() // whose polls leave the order out from then on
		c.sold = testkit.Catalogue(t, products+
			`  - {id: 990, type: gold-pack, name: Late, variations: [{id: 999, name: One, price: "1.00", gives: [{currency: fa, amount: 7}]}]}`+"\n")
		c.clock.Advance(time.Hour) // the shop reports nothing
		c.reconcile()
		c.want("fate", c.has("A", "fa"), 7)
		c.want("InfiniGold", c.has("A", "ig"), 500)
	})
}

func TestOrder_WhatWasPaidFirstCounts(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", units(201, 2))
		c.reconcile()
		c.shop.Edit(id, func(o *devshop.Order) {
			o.Lines[0].Quantity = 9
			o.Lines = append(o.Lines, devshop.Line{ID: 77, Name: "More", Variation: 201, Quantity: 4, Total: "0.00"})
		})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
		if o, _ := c.recorded(id); len(o.Notes) != 2 || !strings.Contains(o.Notes[0], "to 9 of variation 201") ||
			!strings.Contains(o.Notes[1], "added after the payment") {
			t.Errorf("notes %q", o.Notes)
		}
		c.shop.Edit(id, func(o *devshop.Order) { o.Lines = nil })
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
	})
}

func TestOrder_MalformedQuantitiesWaitForAnOperatorAlone(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(201), units(201, 0), units(201, -3), units(201, 1001))
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
		o, _ := c.recorded(id)
		var waits []string
		for _, l := range o.Lines {
			waits = append(waits, l.Waits)
		}
		want := []string{"", `a quantity of "0" cannot be given`, `a quantity of "-3" cannot be given`, `a quantity of "1001" cannot be given`}
		if !slices.Equal(waits, want) || o.PlayerID != "A" {
			t.Errorf("recorded %+v", o)
		}
		backlog, err := testkit.Operator(c.db, c.clock).ShopBacklog(t.Context(), 10)
		must(t, err)
		c.want("orders that wait for an operator", int64(len(backlog.Orders)), 1)
		c.shop.Edit(id, func(o *devshop.Order) { o.Lines[1].Quantity = 2 }) // the shop is mended
		c.reconcile()
		c.want("InfiniGold once a quantity can be read", c.has("A", "ig"), 1500)
	})
}

func TestOrder_PriceThatChangedIsNoted(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", devshop.NewLine{Variation: 201, Quantity: 2, Total: "3.00"})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
		if o, _ := c.recorded(id); len(o.Notes) != 1 || !strings.HasSuffix(o.Notes[0], "paid 3.00, the webstore shows 5.98.") {
			t.Errorf("notes %q", o.Notes)
		}
	})
}

// Spec: SHOP-10
func TestLimit_CountsUnitsOverAllHandOffs(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		references := []string{c.refer("A", 202), c.refer("A", 202), c.refer("A", 202)}
		var orders []int64
		for _, r := range references {
			id := c.shop.Place(devshop.NewOrder{Reference: r, Lines: []devshop.NewLine{units(202, 10)}})
			c.shop.SetStatus(id, "processing")
			orders = append(orders, id)
			c.reconcile()
		}
		c.want("nectar of one unit", c.has("A", "ne"), 300)
		if references[1] != references[0] || references[2] != references[0] {
			t.Errorf("a player with a limit of 1 has the open hand-offs %q", references)
		}
		first, _ := c.recorded(orders[0])
		last, _ := c.recorded(orders[2])
		if l := first.Lines[0]; l.Given != 1 || l.Waiting() != 9 || l.Waits != "the player has paid for 10 in all, and the limit is 1" {
			t.Errorf("the first order: %+v", l)
		}
		if l := last.Lines[0]; l.Given != 0 || l.Waiting() != 10 || l.Waits != "the player has paid for 30 in all, and the limit is 1" {
			t.Errorf("the last order: %+v", l)
		}
		c.shop.Refund(orders[0], map[int64]int64{c.line(orders[0], 0): 9}) // what waits is paid back
		c.shop.SetStatus(orders[1], "refunded")
		c.reconcile()
		c.want("nectar after the refunds", c.has("A", "ne"), 300)
		if debts, err := c.service.Debts(t.Context(), "A"); len(debts) > 0 || err != nil {
			t.Errorf("debts of what was never given: %v, %v", debts, err)
		}
		must(t, operators.New(c.db).ReleaseShopOrder(t.Context(), orders[2], byHand))
		c.reconcile()
		c.want("nectar that the operator released", c.has("A", "ne"), 300+10*300)
		if err := (operators.New(c.db)).ReleaseShopOrder(t.Context(), orders[2], byHand); !fault.Is(err, fault.Conflict) {
			t.Errorf("released twice: %v", err)
		}
	})
}

func TestHandOff_IsDroppedAfterAYear(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		old := c.begin("A", 201, [32]byte{}).ID
		c.clock.Advance(2 * 24 * time.Hour)
		newer := c.begin("A", 201, [32]byte{}).ID
		c.clock.Advance(364 * 24 * time.Hour)
		c.order("B", one(201)) // whose change moves the poll on
		c.reconcile()
		if _, err := shopstore.New(c.db).HandedOff(t.Context(), "A", old); !fault.Is(err, fault.NotFound) {
			t.Errorf("a hand-off of 366 days: %v", err)
		}
		if _, err := shopstore.New(c.db).HandedOff(t.Context(), "A", newer); err != nil {
			t.Errorf("a hand-off of 364 days: %v", err)
		}
	})
}

// states returns the states of the rewards of an order's units.
func (c *counter) states(order int64) (out []reward.State) {
	c.t.Helper()
	o, _ := c.recorded(order)
	records, err := shopstore.New(c.db).RewardsOf(c.t.Context(), o.Sources("shop"))
	must(c.t, err)
	for _, r := range records {
		out = append(out, r.State)
	}
	return out
}

func TestRefund_CancelsWhatWasNotSent(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", units(201, 3))
		c.shop.Wait()
		must(t, c.reconciler.Step(t.Context())) // recorded, and nothing given yet
		c.shop.Refund(id, map[int64]int64{c.line(id, 0): 2})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
		if states := c.states(id); !slices.Equal(states, []reward.State{"done", "cancelled", "cancelled"}) {
			t.Errorf("the units are %v", states)
		}
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		c.want("InfiniGold after all was refunded", c.has("A", "ig"), 0)
		if debts, err := c.service.Debts(t.Context(), "A"); len(debts) > 0 || err != nil {
			t.Errorf("debts %v, %v", debts, err)
		}
	})
}

func TestRefund_CancelsAMintThatHadFailed(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.mints.fails = true
		id := c.order("A", one(302))
		c.reconcile()
		if got := c.states(id); !slices.Equal(got, []reward.State{"failed"}) {
			t.Fatalf("the mint is %v", got)
		}
		c.shop.SetStatus(id, "refunded")
		c.shop.Wait()
		must(t, c.reconciler.Step(t.Context()))
		c.want("owed", c.owed("A"), 0) // at once, and not only when debts are collected
		c.mints.fails = false
		c.reconcile()
		if got := c.states(id); !slices.Equal(got, []reward.State{"cancelled"}) {
			t.Errorf("the mint is %v", got)
		}
	})
}

func TestRefund_TakesCurrenciesDownToZeroAndTheRestIsADebt(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", units(201, 2))
		c.reconcile()
		_, err := accounts.New(c.db).ChangeCurrency(t.Context(), "A", "ig", -700) // spent
		must(t, err)
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 0)
		debts, err := c.service.Debts(t.Context(), "A")
		must(t, err)
		c.want("owed", owedOf(debts), 700)

		// A player who owes can buy nothing more, and what was bought before waits.
		if _, err := c.service.Checkout(t.Context(), "A", 200, 201, [32]byte{}); !fault.Is(err, fault.Conflict) {
			t.Errorf("buying with a debt: %v", err)
		}
		later := c.shop.Place(devshop.NewOrder{Reference: c.referPast("A", 201), Lines: []devshop.NewLine{one(201)}})
		c.shop.SetStatus(later, "processing")
		c.reconcile()
		c.want("InfiniGold with a debt", c.has("A", "ig"), 0)
		_, err = accounts.New(c.db).ChangeCurrency(t.Context(), "A", "ig", 1000) // earned in the game
		must(t, err)
		c.reconcile()
		c.want("InfiniGold once the debt is settled", c.has("A", "ig"), 300+500)
	})
}

func owedOf(debts []webstore.Debt) (sum int64) {
	for _, d := range debts {
		sum += d.Amount
	}
	return sum
}

// referPast returns the reference of a hand-off from before.
func (c *counter) referPast(player string, variation int64) string {
	c.t.Helper()
	c.referred++
	h := webstore.HandOff{ID: fmt.Sprintf("past%d", c.referred), PlayerID: player, Variation: variation, At: c.clock.Now()}
	p, _, _ := c.sold.Variation(variation)
	h.Chance = p.Type.IsChance()
	must(c.t, shopstore.New(c.db).AddHandOff(c.t.Context(), h))
	return c.refs.Of(h.ID)
}

func TestRefund_TokensStayAndAreADebtThatAnOperatorForgives(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.mints.held = true
		id := c.order("A", one(302))
		c.reconcile()
		c.shop.SetStatus(id, "refunded") // while the mint is on its way
		c.reconcile()
		if debts, _ := c.service.Debts(t.Context(), "A"); len(debts) != 1 || debts[0].State != webstore.DebtSending {
			t.Fatalf("debts %+v", debts)
		}
		c.mints.held = false
		c.reconcile()
		if debts, _ := c.service.Debts(t.Context(), "A"); len(debts) != 1 || debts[0].State != webstore.DebtOpen ||
			debts[0].Kind != reward.KindMint {
			t.Fatalf("debts %+v", debts)
		}
		n, _, err := operators.New(c.db).ForgiveShopDebts(t.Context(), "A", byHand)
		must(t, err)
		c.want("forgiven", n, 1)
		c.order("A", one(201))
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 500)
	})
}

func TestRefund_OfAMintThatFailsIsNoDebt(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.mints.held = true
		id := c.order("A", one(302))
		c.reconcile()
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		c.mints.fails = true
		c.reconcile()
		c.want("owed", c.owed("A"), 0)
	})
}

func TestRefund_BeforeThePortalKnewOfThePaymentGivesNothing(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		c.shop.SetTrouble(devshop.Trouble{Lose: true})
		id := c.order("A", units(201, 3))
		c.shop.Refund(id, map[int64]int64{c.line(id, 0): 1})
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
		whole := c.order("A", one(201))
		c.shop.SetStatus(whole, "refunded")
		c.reconcile()
		c.want("InfiniGold", c.has("A", "ig"), 1000)
	})
}

func TestOrder_PacksAreRecordedWhenTheyArePaidFor(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.clock.Advance(1500 * time.Millisecond)
		id := c.order("A", one(104))
		c.shop.Wait()
		must(t, c.reconciler.Step(t.Context()))
		openings, err := rewards.New(c.db).WaitingOpenings(t.Context(), 10)
		must(t, err)
		if len(openings) != 5 {
			t.Fatalf("%d openings, want 5", len(openings))
		}
		for unit, o := range openings {
			// Recorded 1.5 s after 12:00:00, so at 12:00:02 in whole seconds. The anchor of the record will decide the round.
			want := draw.Purchase{Shop: "shop", Order: uint64(id), Line: uint64(c.line(id, 0)), Unit: uint64(unit)}
			if o.Origin != want || !o.At.Equal(opening.Add(2*time.Second)) || o.Round != 0 {
				t.Errorf("opening %+v, want of %s", o, want)
			}
		}
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		records, err := shopstore.New(c.db).RewardsOf(t.Context(), []string{openings[0].ID})
		must(t, err)
		if len(records) != 1 || records[0].State != reward.Cancelled {
			t.Errorf("a pack that was refunded before its draw: %+v", records)
		}
	})
}

// Spec: SHOP-3
func TestCheckout_RefusesWhatCannotBeDelivered(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		buy := func(product, variation int64) error {
			_, err := c.service.Checkout(t.Context(), "A", product, variation, [32]byte{})
			return err
		}
		for what, check := range map[string]struct {
			product, variation int64
			code               fault.Code
			reason             string
		}{
			"an unknown variation":           {200, 555, fault.NotFound, ""},
			"a variation of another product": {100, 201, fault.NotFound, ""},
			"one whose sale has not begun":   {200, 203, fault.Conflict, "not-sold"},
		} {
			if f := fault.As(buy(check.product, check.variation)); f == nil || f.Code != check.code || f.Reason != check.reason {
				t.Errorf("%s: %v", what, f)
			}
		}
		c.order("A", one(202))
		c.reconcile()
		if f := fault.As(buy(200, 202)); f == nil || f.Reason != "limit" {
			t.Errorf("beyond the limit: %v", f)
		}
		c.clock.Advance(100 * 24 * time.Hour)
		must(t, buy(200, 203))
		c.clock.Advance(30 * 24 * time.Hour)
		if f := fault.As(buy(200, 203)); f == nil || f.Reason != "not-sold" {
			t.Errorf("after its sale: %v", f)
		}
	})
}

func TestProducts_HaveTheShopsPricesAndWhatItHasLeft(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		items := func() (of map[int64]webstore.Item, old time.Time) {
			shelves, old, err := c.service.Products(t.Context(), webstore.GoldPacks, "")
			must(t, err)
			of = map[int64]webstore.Item{}
			for _, s := range shelves {
				for _, i := range s.Items {
					of[i.ID] = i
				}
			}
			return of, old
		}
		if of, old := items(); of[201].Price != "2.99" || of[201].SoldOut || !old.IsZero() {
			t.Errorf("before the shop answered: %+v, %v", of[201], old)
		}
		c.shop.SetOffer(webstore.Offer{Variation: 201, Price: "3.5", InStock: true})
		c.shop.SetOffer(webstore.Offer{Variation: 202, Price: "2.99"})
		must(t, c.reconciler.Price(t.Context()))
		if of, _ := items(); of[201].Price != "3.50" || of[201].SoldOut || !of[202].SoldOut {
			t.Errorf("%+v, %+v", of[201], of[202])
		}
		if _, err := c.service.Checkout(t.Context(), "A", 200, 202, [32]byte{}); fault.As(err) == nil ||
			fault.As(err).Message != "This is sold out." {
			t.Errorf("buying what is sold out: %v", err)
		}
		c.shop.SetTrouble(devshop.Trouble{Down: true})
		c.shop.SetOffer(webstore.Offer{Variation: 201, Price: "9.99", InStock: true})
		c.clock.Advance(31 * time.Minute)
		if err := c.reconciler.Price(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("while the shop is down: %v", err)
		}
		if of, old := items(); of[201].Price != "3.50" || !old.Equal(opening) {
			t.Errorf("the last good prices: %+v of %v", of[201], old)
		}
	})
}

// Spec: SHOP-5
func TestHandOff_WaitsForItsOrder(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		begun := c.begin("A", 201, [32]byte{})
		address, handOff := begun.URL, begun.ID
		if !strings.Contains(address, "/checkout/?add-to-cart=201&encryptedFabId=sealed-A&orderReference="+handOff+".") {
			t.Errorf("the player is led to %s", address)
		}
		if _, _, paid, err := c.service.Waiting(t.Context(), "A", handOff); paid || err != nil {
			t.Errorf("before the payment: %v, %v", paid, err)
		}
		if _, _, _, err := c.service.Waiting(t.Context(), "B", handOff); !fault.Is(err, fault.NotFound) {
			t.Errorf("another player's: %v", err)
		}
		id := c.shop.Place(devshop.NewOrder{Reference: c.refs.Of(handOff), Lines: []devshop.NewLine{one(201)}})
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		_, r, paid, err := c.service.Waiting(t.Context(), "A", handOff)
		must(t, err)
		if !paid || r.ID != id || len(r.Rewards) != 1 || r.Rewards[0].State != reward.Done {
			t.Errorf("after the payment: %v, %+v", paid, r)
		}
	})
}

// Spec: LIVE-16, LIVE-17
func TestOrder_PlayerIsNotifiedOfItsRewards(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.order("A", one(201))
		c.reconcile()
		var told []string
		for _, text := range testkit.DrainOutbox(t, c.db, announce.Message) {
			var m struct {
				ChannelID, Type string
				Payload         json.RawMessage
			}
			must(t, json.Unmarshal([]byte(text), &m))
			if m.ChannelID == "webstore" {
				told = append(told, m.Type+" "+string(m.Payload))
			}
		}
		want := []string{
			`refetch-products {"userId":"A"}`,
			`kod-pack-reward {"success":true,"error":"","variationId":201,"packReward":null,"packOtherRewards":[{"kind":"currency",` +
				`"detail":{"code":"ig","amount":500}}]}`,
			`refetch-products {"userId":"A"}`,
		}
		if !slices.Equal(told, want) {
			t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	})
}

var errCrash = errors.New("the process died here")

// dying is a shop or a store that dies at a point, once.
func TestOrder_CrashAtAnyPointGivesNothingTwiceAndLosesNothing(t *testing.T) {
	t.Parallel()
	eachCounter(t, func(t *testing.T, c *counter) {
		c.poll()
		for point := range 8 {
			before := c.has("A", "ig")
			c.shop.SetTrouble(devshop.Trouble{Lose: true})
			c.order("A", units(201, 2))
			left := point
			die := func() {
				if left--; left == -1 {
					panic(errCrash)
				}
			}
			func() {
				defer func() {
					if p := recover(); p != nil && p != errCrash {
						panic(p)
					}
				}()
				c.crashing(die)
			}()
			c.reconcile()
			c.want(fmt.Sprintf("InfiniGold after a crash at point %d", point), c.has("A", "ig")-before, 1000)
		}
	})
}

// crashing polls and reconciles with a store that calls die around each of its steps.
func (c *counter) crashing(die func()) {
	s := *c.reconciler
	o := s.ReconcilerOptions
	o.Store = mortal{shopstore.New(c.db), die}
	reconciler := webstore.NewReconciler(o)
	_ = reconciler.Poll(c.t.Context())
	_ = reconciler.Step(c.t.Context())
}

type mortal struct {
	shopstore.Store
	die func()
}

func (m mortal) Hint(ctx context.Context, changes []webstore.Change, at time.Time) error {
	m.die()
	err := m.Store.Hint(ctx, changes, at)
	m.die()
	return err
}

func (m mortal) SettleOrder(ctx context.Context, h webstore.Hint, changed time.Time, fn func(context.Context, webstore.Tx) error) error {
	m.die()
	err := m.Store.SettleOrder(ctx, h, changed, fn)
	m.die()
	return err
}

func (m mortal) SetPolledUntil(ctx context.Context, until time.Time) error {
	m.die()
	err := m.Store.SetPolledUntil(ctx, until)
	m.die()
	return err
}
