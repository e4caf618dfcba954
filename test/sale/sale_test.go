// Package sale_test has players compete through the whole portal and a real chain: more players than packs buy at the same time,
// and buyers and sellers in three browsers contend for the same items.
package sale_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/app"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

const (
	waitTimeout = 2 * time.Minute

	players  = 200
	godPacks = 50          // for sale in the demo market
	price    = 150_000_000 // of one, in base units of USDC
	pocket   = 500_000_000 // what each player has

	godPackID = "3" // the token of the god pack's first edition
)

// Spec: PACK-8
func TestSale_OfAllWhoBuyTheLastPacksExactlyAsManyGetOne(t *testing.T) {
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) { sellOut(t, engine) })
	}
}

func sellOut(t *testing.T, engine store.Engine) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	base := open(t, engine)
	buyers := make([]*player.Player, players)
	var group errgroup.Group
	group.SetLimit(16)
	for i := range buyers {
		group.Go(func() (err error) {
			if buyers[i], err = player.Register(ctx, base); err != nil {
				return err
			}
			return buyers[i].Call(ctx, http.MethodPost, "/api/auth/packs/confirm-age", nil, nil)
		})
	}
	must(t, group.Wait())
	for _, b := range buyers {
		testkit.Eventually(t, waitTimeout, func() bool {
			has, err := b.InWallet(ctx)
			return err == nil && has == "500"
		}, "the money did not arrive")
	}
	var listing player.Listing
	testkit.Eventually(t, waitTimeout, func() bool {
		var offered int
		listing, offered = godPack(ctx, t, buyers[0])
		return offered == godPacks
	}, "the god packs are not on the shelf")
	counters := counters(ctx, t, buyers[0])
	results := race(ctx, t, buyers, listing)

	sold := 0
	for i, b := range buyers {
		r := results[i]
		paid, got := pocket-balance(ctx, t, b), owned(ctx, t, b, listing)
		switch {
		case r.state == "complete" && paid == price && got == 1:
			sold++
		case r.state == "" && paid == 0 && got == 0 && (told(r.refused, "held", "All of these are in other players' carts.") ||
			told(r.refused, "gone", "This is no longer for sale.")):
		default:
			t.Errorf("player %d: order %q, %v; paid %d and got %d", i, r.state, r.refused, paid, got)
		}
	}
	if sold != godPacks {
		t.Errorf("%d players got a pack, want %d", sold, godPacks)
	}
	soldOut(ctx, t, buyers, results, listing, counters)
}

// result is what became of one player's attempt: the order's final state, or why there is none.
type result struct {
	state   string
	refused error
}

// race makes all players buy one pack of the listing concurrently, like the page: hold, order, pay.
func race(ctx context.Context, t *testing.T, buyers []*player.Player, listing player.Listing) []result {
	t.Helper()
	results := make([]result, len(buyers))
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i, b := range buyers {
		wg.Go(func() {
			<-start
			for {
				// Who is asked to try again in a moment does.
				if results[i].refused = b.Hold(ctx, listing); !busy(results[i].refused) || ctx.Err() != nil {
					break
				}
			}
			if results[i].refused == nil {
				results[i].state = pay(ctx, t, b)
				return
			}
			if _, err := b.Checkout(ctx); !told(err, "empty", "Your cart is empty.") {
				t.Errorf("an order without a pack: %v", err)
			}
		})
	}
	close(start)
	wg.Wait()
	return results
}

// soldOut checks that everything that counts packs agrees that no god packs are left, and that latecomers are told.
func soldOut(ctx context.Context, t *testing.T, buyers []*player.Player, results []result, listing player.Listing, counters *counted) {
	t.Helper()
	if _, left := godPack(ctx, t, player.Visitor(buyers[0].Base())); left != 0 {
		t.Errorf("getProducts offers %d god packs", left)
	}
	listings, err := buyers[0].Listings(ctx, "chests", 100)
	must(t, err)
	for _, l := range listings {
		if l.TokenID == godPackID {
			t.Errorf("the market still has listing %s", l.ListingID)
		}
	}
	if n := onChain(ctx, t, buyers[0], listing); n != 0 {
		t.Errorf("the marketplace contract still offers %d", n)
	}
	testkit.Eventually(t, waitTimeout, func() bool {
		n := counters.all()
		return len(n) > 0 && n[len(n)-1] == 0
	}, "the counters of inventory-change: %v", counters)
	for i, n := range counters.all() {
		if i > 0 && n > counters.all()[i-1] {
			t.Errorf("the counters rise: %v", counters.all())
			break
		}
	}
	for i, b := range buyers {
		held, err := b.Holdings(ctx, "listPacks")
		must(t, err)
		if (len(held) == 1 && held[0].TokenID == godPackID && held[0].Amount == "1") != (results[i].state == "complete") || len(held) > 1 {
			t.Errorf("player %d, whose order is %q, has the packs %v", i, results[i].state, held)
		}
		if results[i].state == "" && i%10 == 0 {
			if err := b.Hold(ctx, listing); !told(err, "gone", "This is no longer for sale.") {
				t.Errorf("afterwards: %v", err)
			}
		}
	}
}

// open runs the portal on an engine until the test ends, with players who get money alone, and returns its address.
func open(t *testing.T, engine store.Engine) string {
	t.Helper()
	address, err := testkit.FreeAddress()
	must(t, err)
	run(t, engine, address, "http://"+address, nil, func(o *app.Options) {
		usdc := *o.Faucet
		o.Welcome = func(w wallet.Wallet) []wallet.Gift {
			money := reward.Mint{
				Chain: usdc.Chain, Contract: usdc.Contract, Standard: usdc.Standard, TokenID: "0", Amount: money.FromInt(pocket), To: w.Smart,
			}.Content()
			return []wallet.Gift{{Source: "starter/" + w.PlayerID + "/usdc", Kind: money.Kind, Detail: money.Detail}}
		}
	})
	return "http://" + address
}

// run runs the portal on an engine until the test ends: it listens on an address and is known under a URL. A nil clock is the
// system's. change, if any, changes the options that the development world has set.
func run(t *testing.T, engine store.Engine, address, url string, c clock.Clock,
	change func(*app.Options)) (config.Config, *app.Development) {
	t.Helper()
	env := []string{
		"DATA_DIR=" + t.TempDir(), "LISTEN_ADDR=" + address, "PUBLIC_URL=" + url, "SPONSOR_NEEDS=none", "DRAIN_TIME=1s",
		"LIMIT_LOGINS=0", "LIMIT_MAILS=0", "LIMIT_CART_CHANGES=0", "LIMIT_SIGNATURES=0", "LIMIT_CHAIN_READS=0", "LIMIT_READS=0",
		"TRADE_RISK_PER_DAY=1000000", "DEV_BLOCK_LEAD=1m", "DEV_BEACON_PORT=0",
	}
	if engine == store.PostgreSQL {
		env = append(env, "DATABASE_URL="+testkit.DatabaseOptions(t, engine).URL)
	}
	settings, err := config.Load(env, brandtest.Pantheon())
	must(t, err)
	o := app.Options{Log: slog.New(slog.DiscardHandler), PasswordCost: local.TestCost, Clock: c}
	if c == nil {
		o.Clock = clock.System{}
	}
	world, err := app.StartDevelopment(t.Context(), &settings, &o, io.Discard)
	must(t, err)
	if change != nil {
		change(&o)
	}
	a, err := app.New(t.Context(), settings, o)
	must(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, a.Close(), world.Close()); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	testkit.Eventually(t, waitTimeout, func() bool {
		response, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, "the portal is not ready")
	return settings, world
}

// pay pays the player's cart and returns the order's final state.
func pay(ctx context.Context, t *testing.T, b *player.Player) string {
	order, err := b.Checkout(ctx)
	if err != nil {
		t.Error(err)
		return "none"
	}
	op, err := b.Prepare(ctx, order.Calls)
	if err == nil {
		_, err = b.Send(ctx, op)
	}
	if err != nil {
		t.Error(err)
		return "unpaid"
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		switch order, err = b.Order(ctx, order.OrderID); {
		case err != nil:
			t.Error(err)
			return "lost"
		case order.State == "complete" || order.State == "partly-complete" || order.State == "failed" || order.State == "expired":
			return order.State
		}
		select {
		case <-ctx.Done():
			return order.State
		case <-tick.C:
		}
	}
}

// godPack returns the listing of god packs and how many getProducts says are for sale.
func godPack(ctx context.Context, t *testing.T, b *player.Player) (l player.Listing, available int) {
	t.Helper()
	var shelf struct {
		Products []struct {
			ProductID string
			Contract  eth.Address
			Available int
			Offer     *struct{ ListingID string }
		}
	}
	must(t, b.Call(ctx, http.MethodGet, "/api/marketplace/getProducts", nil, &shelf))
	for _, p := range shelf.Products {
		if p.ProductID != godPackID {
			continue
		}
		if (p.Offer == nil) != (p.Available == 0) {
			t.Errorf("an offer %+v of %d packs", p.Offer, p.Available)
		}
		if p.Offer != nil {
			l.ListingID = p.Offer.ListingID
		}
		l.Contract, l.TokenID = p.Contract, p.ProductID
		return l, p.Available
	}
	t.Fatal("there are no god packs on the shelf")
	return l, 0
}

// onChain returns how many units of the listing the marketplace contract offers.
func onChain(ctx context.Context, t *testing.T, b *player.Player, l player.Listing) int64 {
	t.Helper()
	id, _ := new(big.Int).SetString(l.ListingID, 10)
	market := contracts.NewDirectListingsLogic()
	answer, err := b.EthCall(ctx, b.Config.Contracts.Marketplace, market.PackGetListing(id))
	must(t, err)
	listing, err := market.UnpackGetListing(answer)
	must(t, err)
	return listing.Quantity.Int64()
}

// balance returns how much USDC the player has.
func balance(ctx context.Context, t *testing.T, b *player.Player) int64 {
	t.Helper()
	text, err := b.Balance(ctx, b.Config.Currency.Address, b.Smart)
	must(t, err)
	n, err := money.Parse(text)
	must(t, err)
	return n.Big().Int64()
}

// owned returns how many of the listing's tokens the player has on the chain.
func owned(ctx context.Context, t *testing.T, b *player.Player, l player.Listing) int64 {
	t.Helper()
	id, _ := new(big.Int).SetString(l.TokenID, 10)
	answer, err := b.EthCall(ctx, l.Contract, contracts.NewCollection1155().PackBalanceOf(common.Address(b.Smart), id))
	must(t, err)
	n, err := contracts.NewCollection1155().UnpackBalanceOf(answer)
	must(t, err)
	return n.Int64()
}

// counted holds the numbers of god packs in the inventory-change messages, in order.
type counted struct {
	mu   sync.Mutex
	seen []int64
}

func (c *counted) all() []int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]int64(nil), c.seen...)
}

// counters follows the inventory-change messages until the test ends.
func counters(ctx context.Context, t *testing.T, b *player.Player) *counted {
	t.Helper()
	messages, err := b.Messages(ctx)
	must(t, err)
	c := &counted{}
	go func() {
		for m := range messages {
			if m.ChannelID != "kod-pack" || m.Type != "inventory-change" {
				continue
			}
			var remaining packs.Remaining
			if err := json.Unmarshal(m.Payload, &remaining); err != nil {
				t.Error(err)
			}
			c.mu.Lock()
			c.seen = append(c.seen, remaining.God)
			c.mu.Unlock()
		}
	}()
	return c
}

// busy reports whether too many players wanted the listing at that moment.
func busy(err error) bool {
	var refused *player.Error
	return errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable &&
		strings.Contains(refused.Body, "Very many players want this just now. Please try again in a moment.")
}

// told reports whether an error is the API's conflict with the reason and the text.
func told(err error, reason, text string) bool {
	var refused *player.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		return false
	}
	var body map[string]any
	return json.Unmarshal([]byte(refused.Body), &body) == nil && body["reason"] == reason && strings.Contains(refused.Body, text)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
