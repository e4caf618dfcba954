package webstore_test

import (
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
)

var (
	usdc = eth.MustAddress(testkit.USDC)

	// treasury sends 100 USDC and 6 packs in 24 hours, and half of that to one player.
	treasury = reward.Treasury{
		Wallet: eth.MustAddress("0x00000000000000000000000000000000000074e5"), Currency: usdc,
		PerDay: 100_000_000, PerPlayer: 50_000_000, ItemsPerDay: 6, ItemsPerPlayer: 4,
	}
)

// fund sets what the treasury has, in base units of USDC and in packs.
func (c *counter) fund(currency, packs int64) {
	c.t.Helper()
	testkit.SetHolding(c.t, c.db, treasury.Wallet, testkit.USDC, onchain.ERC20, "0", currency)
	testkit.SetHolding(c.t, c.db, treasury.Wallet, testkit.Items, onchain.ERC1155, "1", packs)
}

// eachFunded is eachShop with a treasury that has plenty.
func eachFunded(t *testing.T, test func(t *testing.T, c *counter)) {
	t.Helper()
	eachShop(t, func(t *testing.T, c *counter) {
		c.fund(1_000_000_000, 100)
		test(t, c)
	})
}

// sent returns how much of a token the treasury has sent to a player.
func (c *counter) sent(player, contract string) (n int64) {
	for _, x := range c.mints.sent {
		if x.To == testkit.WalletOf(player) && x.Contract == eth.MustAddress(contract) {
			amount, _ := x.Amount.Int64()
			n += amount
		}
	}
	return n
}

func (c *counter) checkout(player string, product, variation int64) *fault.Fault {
	_, err := c.service.Checkout(c.t.Context(), player, product, variation, [32]byte{})
	return fault.As(err)
}

// Spec: SHOP-7
func TestTreasury_SendsADayAfterThePayment(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		c.order("A", one(401))
		c.order("A", one(411))
		c.reconcile()
		c.want("InfiniGold at once", c.has("A", "ig"), 5)
		c.clock.Advance(24*time.Hour - time.Second)
		c.reconcile()
		c.want("USDC before a day", c.sent("A", testkit.USDC), 0)
		c.clock.Advance(2 * time.Second)
		c.reconcile()
		c.clock.Advance(time.Minute)
		c.reconcile()
		c.want("USDC", c.sent("A", testkit.USDC), 25_000_000)
		c.want("packs", c.sent("A", testkit.Items), 2)
		for range 3 {
			c.clock.Advance(24 * time.Hour)
			c.reconcile()
		}
		c.want("transfers in all", int64(len(c.mints.sent)), 2)
		x := c.mints.sent[0]
		if x.Standard == onchain.ERC1155 {
			x = c.mints.sent[1]
		}
		if x.Chain != testkit.GameChain || x.Standard != onchain.ERC20 || x.Amount.Cmp(money.FromInt(25_000_000)) != 0 {
			t.Errorf("sent %+v", x)
		}
	})
}

// Spec: SHOP-7
func TestTreasury_RefundWithinTheDayCancelsAndALaterOneIsADebt(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		early, late := c.order("A", one(401)), c.order("B", one(401))
		c.reconcile()
		c.shop.SetStatus(early, "refunded")
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.reconcile()
		c.want("USDC of A", c.sent("A", testkit.USDC), 0)
		c.want("USDC of B", c.sent("B", testkit.USDC), 25_000_000)
		c.shop.SetStatus(late, "refunded")
		c.reconcile()
		if debts, err := c.service.Debts(t.Context(), "A"); len(debts) > 0 || err != nil {
			t.Errorf("A owes %v, %v", debts, err)
		}
		debts, err := c.service.Debts(t.Context(), "B")
		must(t, err)
		if len(debts) != 1 || debts[0].Kind != reward.KindTransfer || debts[0].Amount != 25_000_000 || debts[0].State != webstore.DebtOpen {
			t.Errorf("B owes %+v", debts)
		}
		if f := c.checkout("B", 400, 401); f == nil || f.Reason != "debt" {
			t.Errorf("B buys again: %v", f)
		}
	})
}

// Limits count what is bought and not sent yet; what was bought beyond them by several hand-offs is sent on later days.
// Spec: SHOP-7
func TestTreasury_LimitsOfADayHoldForBuyingAndForSending(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		references := []string{c.refer("A", 401), c.refer("A", 401), c.refer("A", 401)}
		for i, r := range references {
			c.shop.SetStatus(c.shop.Place(devshop.NewOrder{Reference: r, Lines: []devshop.NewLine{one(401)}}), "processing")
			c.reconcile()
			f := c.checkout("A", 400, 401)
			if beyond := i >= 1; beyond != (f != nil && f.Code == fault.Conflict && f.Reason == "limit") {
				t.Errorf("A buys again after %d purchases: %v", i+1, f)
			}
		}
		if f := c.checkout("B", 400, 401); f != nil {
			t.Errorf("B buys within the limits: %v", f)
		}
		c.order("B", one(401))
		c.reconcile()
		if f := c.checkout("B", 400, 401); f == nil || f.Reason != "not-sold" {
			t.Errorf("beyond what all can buy: %v", f)
		}
		shelves, _, err := c.service.Products(t.Context(), webstore.TopUps, "")
		must(t, err)
		if got := shelves[0].Items[0].Refused; got != "This is sold out for today. Please come back tomorrow." {
			t.Errorf("shown as %q", got)
		}
		c.clock.Advance(23*time.Hour + 59*time.Minute)
		if f := c.checkout("A", 400, 401); f == nil || f.Reason != "not-sold" {
			t.Errorf("A buys again within the day: %v", f)
		}
		c.clock.Advance(2 * time.Minute)
		for range 10 {
			c.reconcile()
			c.clock.Advance(time.Minute)
		}
		c.want("USDC of A after a day", c.sent("A", testkit.USDC), 50_000_000)
		c.want("USDC of B after a day", c.sent("B", testkit.USDC), 25_000_000)
		if f := c.checkout("A", 400, 401); f != nil {
			t.Errorf("A buys the next day: %v", f)
		}
		c.clock.Advance(23 * time.Hour)
		c.reconcile()
		c.want("USDC of A within the next day", c.sent("A", testkit.USDC), 50_000_000)
		c.clock.Advance(time.Hour)
		for range 10 {
			c.reconcile()
			c.clock.Advance(time.Minute)
		}
		c.want("USDC of A after two days", c.sent("A", testkit.USDC), 75_000_000)
		c.want("USDC of B after two days", c.sent("B", testkit.USDC), 25_000_000)
	})
}

func TestTreasury_EmptyOneSellsNothingAndSendsOnceItHasEnough(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		c.fund(49_999_999, 1)
		if f := c.checkout("A", 410, 411); f == nil || f.Reason != "not-sold" {
			t.Errorf("two packs of one: %v", f)
		}
		c.order("A", one(401))
		c.reconcile()
		if f := c.checkout("B", 400, 401); f == nil || f.Reason != "not-sold" {
			t.Errorf("what A was promised is promised to B: %v", f)
		}
		c.fund(24_999_999, 0)
		c.clock.Advance(25 * time.Hour)
		c.reconcile()
		c.want("USDC that the treasury does not have", c.sent("A", testkit.USDC), 0)
		c.fund(25_000_000, 0)
		c.clock.Advance(2 * time.Minute)
		c.reconcile()
		c.want("USDC", c.sent("A", testkit.USDC), 25_000_000)
	})
}

func TestTreasury_SendsOneTransferAtATime(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		c.order("A", one(401))
		c.order("B", one(401))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.mints.held = true
		c.reconcile()
		c.clock.Advance(time.Hour)
		c.reconcile()
		c.want("transfers while the first is on its way", int64(len(c.mints.sent)), 1)
		c.mints.held = false
		c.reconcile()
		c.clock.Advance(time.Minute)
		c.reconcile()
		c.want("transfers", int64(len(c.mints.sent)), 2)
	})
}

// Neither an operator who assigns an order nor the end of a debt shortens the wait.
func TestTreasury_DelayHoldsForOrdersThatWaited(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		entry := operator.Entry{At: c.clock.Now(), Who: "me", Command: "assign", Reason: "asked"}
		stray := c.shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{one(401)}})
		c.shop.SetStatus(stray, "processing")
		c.reconcile()
		must(t, operators.New(c.db).AssignShopOrder(t.Context(), stray, "A", "shop", entry))
		reference := c.refer("B", 401)
		token := c.order("B", one(302))
		c.reconcile()
		c.shop.SetStatus(token, "refunded")
		c.reconcile()
		c.shop.SetStatus(c.shop.Place(devshop.NewOrder{Reference: reference, Lines: []devshop.NewLine{one(401)}}), "processing")
		c.reconcile()
		if _, _, err := (operators.New(c.db)).ForgiveShopDebts(t.Context(), "B", entry); err != nil {
			t.Fatal(err)
		}
		c.clock.Advance(23 * time.Hour)
		c.reconcile()
		c.want("transfers before a day", int64(len(c.mints.sent)), 0)
		c.clock.Advance(2 * time.Hour)
		c.reconcile()
		c.clock.Advance(time.Minute)
		c.reconcile()
		c.want("USDC of A", c.sent("A", testkit.USDC), 25_000_000)
		c.want("USDC of B", c.sent("B", testkit.USDC), 25_000_000)
	})
}
