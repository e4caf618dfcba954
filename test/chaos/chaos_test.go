// Package chaos_test kills the portal in the middle of a purchase, at every critical point, and checks that the
// purchase ends paid and owned, or neither, and only once.
package chaos_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// points are the crash points, in the order a purchase reaches them.
var points = []string{
	"order placed, not answered",
	"operation kept, not answered",
	"operation sent, order not told",
	"bundle kept, not signed",
	"transaction kept, not broadcast",
	"broadcast, nothing noted",
	"mined, not noted",
	"mined, operation not settled",
	"mined, not indexed",
	"indexed, not published",
	"announced, not published",
	"published, not removed",
}

const waitTimeout = 60 * time.Second

// Spec: PAY-17
func TestCrash_PurchaseSurvivesKill9AtEveryPoint(t *testing.T) {
	eachCrash(t, points, 1, buyThroughACrash)
}

// crash is a portal that is killed at a crash point once it is armed.
type crash struct {
	*testkit.Site
	point  string
	engine store.Engine
	binary string
	armed  string // the file whose presence arms the point
}

// eachCrash runs the test once for each crash point. The databases alternate, and a short run takes one point in
// stride.
func eachCrash(t *testing.T, points []string, stride int, test func(ctx context.Context, t *testing.T, c *crash)) {
	binary, err := build()
	must(t, err)
	for i, point := range points {
		if testing.Short() && i%stride != 1%stride {
			continue
		}
		engine := store.SQLite
		if i%2 == 1 {
			engine = store.PostgreSQL
		}
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			test(ctx, t, &crash{point: point, engine: engine, binary: binary, armed: filepath.Join(t.TempDir(), "armed")})
		})
	}
}

// start starts the portal with additional "NAME=value" settings.
func (c *crash) start(t *testing.T, env ...string) {
	t.Helper()
	c.Site = testkit.StartSite(t, testkit.SiteOptions{
		Binary: c.binary, Engine: c.engine, Env: append(env, "CRASH_AT="+c.point, "CRASH_ARMED="+c.armed),
	})
}

// arm lets the portal crash when it next reaches the point.
func (c *crash) arm(t *testing.T) {
	t.Helper()
	must(t, os.WriteFile(c.armed, nil, 0o600))
}

// restart waits for the crash and starts the portal again.
func (c *crash) restart(t *testing.T) {
	t.Helper()
	select {
	case <-c.Exited():
	case <-time.After(waitTimeout):
		t.Fatalf("the point was never reached\n%s", c.Log())
	}
	c.Restart()
}

// build builds the binary with the crash points, once for all tests. Linking takes seconds, half of them for debug information.
var build = sync.OnceValues(func() (string, error) {
	binary := filepath.Join("..", "..", "bin", "pantheon-crashpoints")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-tags", "crashpoints", "-o", binary, "pantheon/cmd/pantheon").
		CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Abs(binary)
})

func buyThroughACrash(ctx context.Context, t *testing.T, site *crash) {
	site.start(t)
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	// The welcome gifts reach some of the points too: the purchase begins when they have all arrived.
	testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) }, "the welcome gifts did not arrive")
	listings, err := p.Listings(ctx, "avatars", 1)
	must(t, err)
	listing := listings[0]
	must(t, p.Hold(ctx, listing))
	money := balance(ctx, t, p, p.Smart)
	sellers := balance(ctx, t, p, listing.Seller)

	site.arm(t)
	order, err := buy(ctx, p)
	if err != nil && !player.IsGone(err) {
		t.Fatalf("before the crash: %v", err)
	}
	site.restart(t)

	// If the payment was not sent, the player pays again, as the page offers; otherwise the player must not pay
	// twice.
	if order.OrderID == "" {
		order = openOrder(ctx, t, p)
	} else if order, err = p.Order(ctx, order.OrderID); err != nil {
		t.Fatal(err)
	}
	if order.OrderID == "" || order.State == "awaiting-payment" {
		order = payAgain(ctx, t, p)
	}
	testkit.Eventually(t, waitTimeout, func() bool {
		o, err := p.Order(ctx, order.OrderID)
		must(t, err)
		order = o
		return o.State == "complete" || o.State == "failed" || o.State == "expired" || o.State == "partly-complete"
	}, "the order did not end: %+v", &order)

	price, _ := new(big.Int).SetString(listing.Price, 10)
	owner := ownerOf(ctx, t, p, listing)
	paid := new(big.Int).Sub(money, balance(ctx, t, p, p.Smart))
	got := new(big.Int).Sub(balance(ctx, t, p, listing.Seller), sellers)
	if order.State != "complete" {
		t.Fatalf("the order ended as %s: %s\n%s", order.State, order.Error, site.Log())
	}
	proceeds := new(big.Int).Sub(price, royalty(ctx, t, p, listing, price))
	if owner != p.Smart || paid.Cmp(price) != 0 || got.Cmp(proceeds) != 0 {
		t.Fatalf("the order is complete, but the item is %s's, the buyer paid %s of %s and the seller got %s of %s", owner, paid,
			price, got, proceeds)
	}
	inventoryShows(ctx, t, p, listing)
}

// buy pays the cart like the page. The order is empty if the response to the checkout did not arrive.
func buy(ctx context.Context, p *player.Player) (player.Order, error) {
	order, err := p.Checkout(ctx)
	if err != nil {
		return player.Order{}, err
	}
	return order, send(ctx, p, order)
}

// send signs and sends the payment of an order.
func send(ctx context.Context, p *player.Player, order player.Order) error {
	op, err := p.Prepare(ctx, order.Calls)
	if err == nil {
		_, err = p.Send(ctx, op)
	}
	return err
}

// payAgain pays an order that still awaits payment. If its payment turns out to be pending, a second one is refused,
// and the order shows the outcome.
func payAgain(ctx context.Context, t *testing.T, p *player.Player) player.Order {
	t.Helper()
	order, err := buy(ctx, p)
	if err != nil {
		t.Logf("paying again was refused: %v", err)
	}
	if order.OrderID == "" {
		order = openOrder(ctx, t, p)
	}
	if order.OrderID == "" {
		t.Fatalf("there is no order: %v", err)
	}
	return order
}

// openOrder returns the player's open order, or an empty one.
func openOrder(ctx context.Context, t *testing.T, p *player.Player) player.Order {
	t.Helper()
	var current struct{ Order *player.Order }
	must(t, p.Call(ctx, "GET", "/api/auth/marketplace/checkout", nil, &current))
	if current.Order == nil {
		return player.Order{}
	}
	return *current.Order
}

func giftsArrived(ctx context.Context, t *testing.T, p *player.Player) bool {
	t.Helper()
	gifts := map[string]int{"listPiggyBanks": 2, "listPacks": 1, "listElderGods": 1, "listArks": 1, "listImmortals": 1, "listPowerPacks": 1}
	for list, number := range gifts {
		var held struct{ Total int }
		must(t, p.Call(ctx, "GET", "/api/auth/nft/"+list, nil, &held))
		if held.Total < number {
			return false
		}
	}
	var passes struct{ Total int }
	must(t, p.Call(ctx, "GET", "/api/auth/nft/listPasses", nil, &passes))
	return passes.Total == 2 && balance(ctx, t, p, p.Smart).Sign() > 0
}

// ownerOf returns the on-chain owner of the listed token.
func ownerOf(ctx context.Context, t *testing.T, p *player.Player, l player.Listing) eth.Address {
	t.Helper()
	id, _ := new(big.Int).SetString(l.TokenID, 10)
	token, err := eth.QuantityFromBig(id)
	must(t, err)
	owner, err := p.OwnerOf(ctx, l.Contract, token)
	must(t, err)
	return owner
}

// royalty is the royalty of a sale of the listing at the price (ERC-2981).
func royalty(ctx context.Context, t *testing.T, p *player.Player, l player.Listing, price *big.Int) *big.Int {
	t.Helper()
	id, _ := new(big.Int).SetString(l.TokenID, 10)
	answer, err := p.EthCall(ctx, l.Contract, contracts.NewCollection1155().PackRoyaltyInfo(id, price))
	must(t, err)
	info, err := contracts.NewCollection1155().UnpackRoyaltyInfo(answer)
	must(t, err)
	return info.Amount
}

func inventoryShows(ctx context.Context, t *testing.T, p *player.Player, l player.Listing) {
	t.Helper()
	testkit.Eventually(t, waitTimeout, func() bool {
		var held struct {
			Items []struct {
				Contract eth.Address `json:"contract"`
				TokenID  string      `json:"tokenId"`
			}
		}
		must(t, p.Call(ctx, "GET", "/api/auth/nft/listAvatars", nil, &held))
		for _, item := range held.Items {
			if item.Contract == l.Contract && item.TokenID == l.TokenID {
				return true
			}
		}
		return false
	}, "the inventory does not show the item")
}

func balance(ctx context.Context, t *testing.T, p *player.Player, of eth.Address) *big.Int {
	t.Helper()
	s, err := p.Balance(ctx, p.Config.Currency.Address, of)
	must(t, err)
	n, _ := new(big.Int).SetString(s, 10)
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
