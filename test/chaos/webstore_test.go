package chaos_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/contract/playfab"
	"pantheon/test/player"
)

// Variations of the built-in products.
const (
	pouch   = 201 // 500 InfiniGold
	tenUSDC = 231
	set     = 311 // two items
	destiny = 101 // a pack to be drawn
)

// openShop starts a shop outside the portal and returns it with the settings by which a portal finds it.
func openShop(t *testing.T) (*devshop.Shop, []string) {
	t.Helper()
	products := testkit.Catalogue(t, "")
	server := httptest.NewUnstartedServer(nil)
	at := "http://" + server.Listener.Addr().String()
	shop, err := devshop.New(devshop.Options{
		URL: at, Key: "consumer-key", Secret: "consumer-secret", Currency: "EUR", Catalogue: func() *webstore.Catalogue { return products },
		Clock: clock.System{},
	})
	must(t, err)
	server.Config.Handler = shop
	server.Start()
	t.Cleanup(func() { shop.Wait(); server.Close() })
	return shop, []string{
		"SHOP_URL=" + at, "SHOP_KEY=consumer-key", "SHOP_SECRET=consumer-secret", "SHOP_WEBHOOK_SECRET=webhook-secret", "SHOP_POLL_INTERVAL=1s",
	}
}

// shopper is a player who buys in the shop.
type shopper struct {
	*player.Player
	kept   map[int64]int64  // units paid for and not paid back, by variation
	before map[string]int64 // tokens before the first order
}

// refer goes to the shop for a variation and returns the order reference.
func (s *shopper) refer(ctx context.Context, product, variation int64) (string, error) {
	var out struct{ URL string }
	if err := s.Call(ctx, "POST", "/api/auth/webstore/checkout",
		map[string]int64{"productId": product, "variationId": variation}, &out); err != nil {
		return "", err
	}
	u, err := url.Parse(out.URL)
	if err != nil {
		return "", err
	}
	return u.Query().Get("orderReference"), nil
}

func (s *shopper) currencies(ctx context.Context) (map[string]int64, error) {
	var balances struct{ Currencies map[string]int64 }
	err := s.Call(ctx, "GET", "/api/auth/currencies", nil, &balances)
	return balances.Currencies, err
}

// shopPoints are the crash points of an order of the webstore.
var shopPoints = []string{
	"webhook received, not kept", "webhook kept, not answered", "order fetched, not settled", "order settled, not given", "debt not moved",
	"debt moved",
}

func TestCrash_ShopOrderSurvivesKill9AtEveryPoint(t *testing.T) {
	eachCrash(t, shopPoints, 3, func(ctx context.Context, t *testing.T, site *crash) {
		shop, env := openShop(t)
		site.start(t, env...)
		s := arrive(ctx, t, site.Site)
		first, second := s.order(ctx, t, shop, 200, pouch, 2), s.order(ctx, t, shop, 200, pouch, 1)
		site.arm(t)
		shop.SetStatus(first, "processing")
		if site.point == "debt not moved" || site.point == "debt moved" {
			testkit.Eventually(t, waitTimeout, func() bool { c, _ := s.currencies(ctx); return c["ig"] == 1000 }, "the order is not given")
			shop.SetStatus(first, "refunded")
		}
		site.restart(t)
		shop.SetStatus(second, "processing")
		shop.SetStatus(first, "refunded")
		var has map[string]int64
		testkit.Eventually(t, waitTimeout, func() bool {
			has, _ = s.currencies(ctx)
			return has["ig"] == 500 && s.owes(ctx) == 0
		}, "the player has %v", &has)
	})
}

// transferPoints are the crash points of what the treasury sends.
var transferPoints = []string{"transfer not begun", "transfer begun", "transfer not queued", "transfer queued"}

// Spec: SHOP-7, SHOP-13
func TestCrash_TreasuryTransferSurvivesKill9AtEveryPoint(t *testing.T) {
	eachCrash(t, transferPoints, 4, func(ctx context.Context, t *testing.T, site *crash) {
		shop, env := openShop(t)
		site.start(t, append(env, "CARD_DELAY=1s")...)
		s := arrive(ctx, t, site.Site)
		var has string // USDC in base units, by the chain
		holds := func(want string) func() bool {
			return func() bool { has, _ = s.Balance(ctx, s.Config.Currency.Address, s.Smart); return has == want }
		}
		// The treasury's products are sold out until its money is indexed, which is before the starter kit's.
		testkit.Eventually(t, waitTimeout, func() bool {
			has, _ = s.InWallet(ctx)
			return has == "500"
		}, "the player has %v of the starter kit", &has)
		first, second := s.order(ctx, t, shop, 230, tenUSDC, 2), s.order(ctx, t, shop, 230, tenUSDC, 1)
		site.arm(t)
		shop.SetStatus(first, "processing")
		site.restart(t)
		shop.SetStatus(second, "processing")
		testkit.Eventually(t, waitTimeout, holds("530000000"), "the player has %v", &has)
	})
}

// paymentPoints are the crash points of a payment of debts.
var paymentPoints = []string{
	"operation kept, not answered", "bundle kept, not signed", "broadcast, nothing noted", "mined, not noted", "mined, operation not settled",
}

// What the card paid for is refunded after it was given. Until it is paid for in USDC, a session can send nothing else, and it is
// paid once.
// Spec: SHOP-11
func TestCrash_DebtPaymentSurvivesKill9AtEveryPoint(t *testing.T) {
	eachCrash(t, paymentPoints, 5, func(ctx context.Context, t *testing.T, site *crash) {
		shop, env := openShop(t)
		site.start(t, append(env, "CARD_DELAY=1s")...)
		s := arrive(ctx, t, site.Site)
		usdc := s.Config.Currency.Address
		var has string // USDC in base units, by the chain
		holds := func(want string) func() bool {
			return func() bool { has, _ = s.Balance(ctx, usdc, s.Smart); return has == want }
		}
		testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, s.Player) }, "the welcome gifts did not arrive")
		id := s.order(ctx, t, shop, 230, tenUSDC, 1)
		shop.SetStatus(id, "processing")
		testkit.Eventually(t, waitTimeout, holds("510000000"), "the player has %v", &has)
		shop.SetStatus(id, "refunded")

		var payment struct {
			Total string
			Calls []player.Call
		}
		testkit.Eventually(t, waitTimeout, func() bool {
			return s.Call(ctx, "GET", "/api/auth/webstore/debts/payment", nil, &payment) == nil
		}, "the player owes nothing")
		if payment.Total != "10" || len(payment.Calls) != 1 {
			t.Fatalf("the payment is %+v", payment)
		}
		pay := payment.Calls[0]
		more, away := slices.Clone(pay.Data), slices.Clone(pay.Data)
		more[len(more)-1]++
		away[4+12]++
		for what, calls := range map[string][]player.Call{
			"more": {{To: usdc, Data: more}}, "to somebody else": {{To: usdc, Data: away}}, "twice": {pay, pay},
		} {
			if _, err := s.Prepare(ctx, calls); err == nil {
				t.Errorf("%s is signed", what)
			}
		}

		op, err := s.Prepare(ctx, payment.Calls)
		must(t, err)
		site.arm(t)
		if _, err := s.Send(ctx, op); err != nil && !player.IsGone(err) {
			t.Fatal(err)
		}
		site.restart(t)
		testkit.Eventually(t, waitTimeout, func() bool { return s.owes(ctx) == 0 }, "the debt is not settled")
		testkit.Eventually(t, waitTimeout, holds("500000000"), "the player has %v", &has)
		if _, err := s.Prepare(ctx, payment.Calls); err == nil {
			t.Error("the payment is signed again")
		}
	})
}

// arrive registers a shopper.
func arrive(ctx context.Context, t *testing.T, site *testkit.Site) *shopper {
	t.Helper()
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	return &shopper{Player: p, kept: map[int64]int64{}}
}

// order places an order that is not paid yet.
func (s *shopper) order(ctx context.Context, t *testing.T, shop *devshop.Shop, product, variation, quantity int64) int64 {
	t.Helper()
	reference, err := s.refer(ctx, product, variation)
	must(t, err)
	return shop.Place(devshop.NewOrder{Reference: reference, Lines: []devshop.NewLine{{Variation: variation, Quantity: quantity}}})
}

// tokens returns how many of each token that products give the player has.
func (s *shopper) tokens(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	for _, list := range []string{"listGameItems", "listAvatars", "listPiggyBanks"} {
		held, err := s.Holdings(ctx, list)
		if err != nil {
			return nil, err
		}
		for _, h := range held {
			n, _ := strconv.ParseInt(h.Amount, 10, 64)
			out[h.Contract.String()+"/"+h.TokenID] += n
		}
	}
	return out, nil
}

// owes returns how many debts the player has; -1 if the site does not answer.
func (s *shopper) owes(ctx context.Context) int {
	var out struct{ Debts []struct{} }
	if err := s.Call(ctx, "GET", "/api/auth/webstore/orders", nil, &out); err != nil {
		return -1
	}
	return len(out.Debts)
}

// Many orders are paid and some refunded while webhooks are lost, doubled and late, the shop is away and refuses calls, and the
// portal is killed: every paid unit is given once, every refund is settled, and nothing unpaid is given.
// Spec: DRAW-5, SHOP-13
func TestCrash_ManyShopOrdersSurviveRandomKills(t *testing.T) {
	players, orders, kills := 10, 100, 20 // orders of each player
	if testing.Short() {
		players, orders, kills = 4, 12, 3
	}
	eachPlatform(t, func(t *testing.T, engine store.Engine, _ *playfab.Server, env []string) {
		shop, settings := openShop(t)
		env = append(append(env, settings...), "LIMIT_LOGINS=0", "DEV_BLOCK_LEAD=1m", "LIMIT_CART_CHANGES=0", "LIMIT_CHAIN_READS=0",
			"LIMIT_READS=0", "CARD_DELAY=1s")
		shopWhileKilled(t, testkit.StartSite(t, testkit.SiteOptions{Engine: engine, Env: env}), shop, players, orders, kills)
	})
}

// paid is an order that was paid.
type paid struct {
	by        *shopper
	id        int64
	variation int64
	quantity  int64
}

func shopWhileKilled(t *testing.T, site *testkit.Site, shop *devshop.Shop, players, orders, kills int) {
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Minute)
	defer cancel()
	var all []*shopper
	var placed, unpaid []paid
	for range players {
		s := arrive(ctx, t, site)
		testkit.Eventually(t, waitTimeout, func() bool { return s.offers(ctx, "destiny-bronze") }, "the packs' drop table is not fixed")
		testkit.Eventually(t, 5*waitTimeout, func() bool { return giftsArrived(ctx, t, s.Player) && allDone(ctx, t, s.Player, 18) },
			"the welcome gifts did not arrive")
		var err error
		s.before, err = s.tokens(ctx)
		must(t, err)
		all = append(all, s)
		for i := range orders {
			o := paid{by: s, variation: pouch, quantity: 1 + rand.Int64N(3)}
			product := int64(200)
			switch {
			case i%12 == 0: // a player can buy few of them
				o.variation, o.quantity, product = set, 1, 310
			case i%6 == 1:
				o.variation, product = destiny, 100
			}
			if o.variation == set && i >= 36 {
				o.variation, product = pouch, 200
			}
			if o.variation == destiny {
				must(t, confirmAge(ctx, s))
			}
			o.id = s.order(ctx, t, shop, product, o.variation, o.quantity)
			if i%10 == 9 {
				unpaid = append(unpaid, o)
				continue
			}
			placed = append(placed, o)
		}
	}
	rand.Shuffle(len(placed), func(i, j int) { placed[i], placed[j] = placed[j], placed[i] })
	troubles := []devshop.Trouble{{}, {Lose: true}, {Twice: true}, {Delay: 300 * time.Millisecond}, {Down: true}, {Refuses: 5}}
	share := len(placed)/kills + 1
	for i := range kills {
		shop.SetTrouble(troubles[i%len(troubles)])
		for _, o := range placed[min(i*share, len(placed)):min((i+1)*share, len(placed))] {
			shop.SetStatus(o.id, []string{"processing", "completed"}[rand.IntN(2)])
			o.by.kept[o.variation] += o.quantity
			if o.variation == pouch && rand.IntN(4) == 0 { // refunded before or after it was given
				back := 1 + rand.Int64N(o.quantity)
				kept, _ := shop.Order(o.id)
				shop.Refund(o.id, map[int64]int64{kept.Lines[0].ID: back})
				o.by.kept[o.variation] -= back
			}
		}
		for _, o := range unpaid {
			shop.SetStatus(o.id, []string{"on-hold", "failed", "cancelled", "pending"}[rand.IntN(4)])
		}
		select {
		case <-time.After(time.Duration(200+rand.IntN(1500)) * time.Millisecond):
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
		site.Kill()
		site.Restart()
	}
	shop.SetTrouble(devshop.Trouble{})
	packs := int64(0)
	for _, s := range all {
		s.count(ctx, t)
		packs += s.kept[destiny]
	}
	checkLog(ctx, t, all[0].Player, packs)
}

// checkLog checks that the public log of payments has a record for each pack, that none was changed, and that there is an anchor.
func checkLog(ctx context.Context, t *testing.T, reader *player.Player, packs int64) {
	t.Helper()
	var log []draw.LoggedRecord
	hashes, anchors := map[uint64]string{}, map[uint64]string{}
	read := func() bool {
		log = nil
		for {
			var page struct {
				Records []struct {
					draw.Record
					RecordedAt time.Time `json:"recordedAt"`
					Hash       string
				}
				Anchors []struct {
					Number uint64
					Hash   string
				}
			}
			must(t, reader.Call(ctx, "GET", fmt.Sprintf("/api/packs/records?limit=500&after=%d", len(log)), nil, &page))
			for _, r := range page.Records {
				r.Record.RecordedAt = r.RecordedAt.Unix()
				hash, err := hex.DecodeString(r.Hash)
				must(t, err)
				log = append(log, draw.LoggedRecord{Record: r.Record, Hash: [32]byte(hash)})
				hashes[r.Number] = r.Hash
			}
			for _, a := range page.Anchors {
				anchors[a.Number] = a.Hash
			}
			if len(page.Records) == 0 {
				return len(anchors) > 0 || packs == 0
			}
		}
	}
	testkit.Eventually(t, waitTimeout, read, "the log of payments has no anchor")
	must(t, draw.VerifyRecords(draw.LoggedRecord{}, log))
	if int64(len(log)) != packs {
		t.Errorf("%d packs are recorded, want %d", len(log), packs)
	}
	for number, hash := range anchors {
		if hash != hashes[number] {
			t.Errorf("record %d has the hash %s and the anchor %s", number, hashes[number], hash)
		}
	}
}

// offers reports whether packs of a kind are sold, which they are once their drop table is fixed.
func (s *shopper) offers(ctx context.Context, kind string) bool {
	var odds struct {
		Tables []struct {
			Kind   string
			OnSale bool
		}
	}
	if err := s.Call(ctx, "GET", "/api/packs/odds", nil, &odds); err != nil {
		return false
	}
	for _, t := range odds.Tables {
		if t.Kind == kind && t.OnSale {
			return true
		}
	}
	return false
}

func confirmAge(ctx context.Context, s *shopper) error {
	return s.Call(ctx, "POST", "/api/auth/packs/confirm-age", map[string]string{}, nil)
}

// count waits until what the player paid for is given, and compares it with the balances and the items in the wallet.
func (s *shopper) count(ctx context.Context, t *testing.T) {
	t.Helper()
	var last struct{ Missing string }
	testkit.Eventually(t, 3*waitTimeout, func() bool {
		last.Missing = s.missing(ctx)
		return last.Missing == ""
	}, "%+v", &last)
}

// missing says what differs from what the player paid for; "" if nothing does.
func (s *shopper) missing(ctx context.Context) string {
	var page struct {
		Items []struct {
			Lines   []struct{ VariationID, Quantity, Refunded int64 }
			Rewards []struct {
				State  string
				Grants []struct{ Kind, Currency, Amount, Contract, TokenID string }
			}
		}
		Debts      []struct{}
		NextCursor string
	}
	bought, want, items := map[int64]int64{}, map[string]int64{}, map[string]int64{}
	for cursor := ""; ; cursor = page.NextCursor {
		page.NextCursor, page.Items = "", nil
		if err := s.Call(ctx, "GET", "/api/auth/webstore/orders?limit=50&cursor="+cursor, nil, &page); err != nil {
			return err.Error()
		}
		for _, o := range page.Items {
			for _, l := range o.Lines {
				bought[l.VariationID] += l.Quantity - l.Refunded
				if l.VariationID == pouch {
					want["ig"] += 500 * (l.Quantity - l.Refunded)
				}
			}
			for _, r := range o.Rewards {
				if r.State != "done" && r.State != "cancelled" {
					return "a reward is " + r.State
				}
				for _, g := range r.Grants {
					n, _ := strconv.ParseInt(g.Amount, 10, 64)
					if g.Kind == "token" {
						items[strings.ToLower(g.Contract)+"/"+g.TokenID] += n
					} else if o.Lines[0].VariationID != pouch {
						want[g.Currency] += n
					}
				}
			}
		}
		if page.NextCursor == "" {
			break
		}
	}
	if len(page.Debts) > 0 {
		return fmt.Sprintf("%d debts are open", len(page.Debts))
	}
	for variation, n := range s.kept {
		if bought[variation] != n {
			return fmt.Sprintf("%d units of %d are recorded, want %d", bought[variation], variation, n)
		}
	}
	for code, n := range kitCurrencies {
		want[code] += n
	}
	has, err := s.currencies(ctx)
	if err != nil {
		return err.Error()
	}
	for code, n := range want {
		if has[code] != n {
			return fmt.Sprintf("%d %s, want %d", has[code], code, n)
		}
	}
	tokens, err := s.tokens(ctx)
	if err != nil {
		return err.Error()
	}
	for id, n := range tokens {
		items[id] += s.before[id] - n
	}
	for id, n := range items {
		if n != 0 {
			return fmt.Sprintf("%d items %s are missing", n, id)
		}
	}
	return ""
}
