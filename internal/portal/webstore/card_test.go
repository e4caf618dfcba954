package webstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

// given reports whether all grants of an order were given.
func (c *counter) given(order int64) bool {
	c.t.Helper()
	states := c.states(order)
	return len(states) > 0 && !slices.ContainsFunc(states, func(s reward.State) bool { return s != reward.Done })
}

// Spec: SHOP-8
func TestCard_WhatCanChangeHandsIsGivenAfterADay(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		mask, keepsake, gold := c.order("A", one(301)), c.order("A", one(302)), c.order("A", one(201))
		for _, minutes := range []time.Duration{0, 24*60 - 1} {
			c.clock.Advance(minutes * time.Minute)
			c.reconcile()
			if c.given(mask) || !c.given(keepsake) || !c.given(gold) {
				t.Fatalf("after %d minutes: mask %v, soulbound keepsake %v, currency %v", minutes, c.given(mask), c.given(keepsake), c.given(gold))
			}
		}
		c.clock.Advance(2 * time.Minute)
		c.reconcile()
		if !c.given(mask) {
			t.Error("the mask is not given after a day")
		}
	})
}

// The fraud of a stolen card: tokens by card, whose payment ends before a day has passed.
// Spec: SHOP-8
func TestCard_RefundOrDisputeWithinTheDayStopsIt(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		refunded, disputed := c.order("A", units(301, 3)), c.order("B", units(301, 3))
		c.reconcile()
		c.clock.Advance(23 * time.Hour)
		c.shop.SetStatus(refunded, "refunded")
		c.shop.SetStatus(disputed, "on-hold")
		c.reconcile()
		c.clock.Advance(72 * time.Hour)
		c.pass(2)
		c.want("mints", int64(len(c.mints.queued)), 0)
		if debts, err := c.service.Debts(t.Context(), "A"); len(debts) > 0 || err != nil {
			t.Errorf("A owes %v, %v", debts, err)
		}
		c.shop.SetStatus(disputed, "processing") // the player won
		c.reconcile()
		c.want("mints once the dispute ended", int64(len(c.mints.queued)), 3)
	})
}

// A pack is drawn at once, so that its receipt is bound to the payment; the tokens in it wait.
// Spec: SHOP-8
func TestCard_TokensOfADrawnPackWaitAndItsCurrenciesDoNot(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(101))
		c.reconcile()
		openings, err := rewards.New(c.db).WaitingOpenings(t.Context(), 10)
		must(t, err)
		if len(openings) != 1 || !openings[0].GiveAt.Equal(opening.Add(24*time.Hour)) {
			t.Fatalf("openings of order %d: %+v", id, openings)
		}
	})
}

// first places a small order that makes a player known, and lets days pass.
func (c *counter) known(player string, days int) int64 {
	c.t.Helper()
	id := c.past(player, one(201))
	c.reconcile()
	c.clock.Advance(time.Duration(days) * 24 * time.Hour)
	return id
}

// Spec: SHOP-8
func TestCard_KnownPlayerGetsALittleAtOnce(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		c.known("A", 59)
		early := c.order("A", one(301))
		c.reconcile()
		if c.given(early) {
			t.Error("59 days after the first payment it is given at once")
		}
		c.clock.Advance(25 * time.Hour)
		var at []bool
		for range 3 { // 7.99 each, and 20 at once in a day
			id := c.past("A", one(301))
			c.reconcile()
			at = append(at, c.given(id))
		}
		if !slices.Equal(at, []bool{true, true, false}) {
			t.Errorf("given at once: %v", at)
		}
		if id := c.past("A", units(301, 3)); c.given(id) {
			t.Error("23.97 are given at once")
		}
		c.clock.Advance(25 * time.Hour)
		next := c.past("A", units(301, 2))
		c.reconcile()
		if !c.given(next) {
			t.Error("the next day it is not given at once")
		}
	})
}

// Spec: SHOP-8
func TestCard_PlayerWhoEverDisputedIsNeverKnown(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"on-hold", "failed"} {
		t.Run(status, func(t *testing.T) {
			eachFunded(t, func(t *testing.T, c *counter) {
				c.known("A", 1)
				disputed := c.known("A", 1)
				c.shop.SetStatus(disputed, status)
				c.reconcile()
				c.shop.SetStatus(disputed, "processing")
				c.clock.Advance(90 * 24 * time.Hour)
				c.reconcile()
				_, err := accounts.New(c.db).ChangeCurrency(t.Context(), "A", "ig", 500) // the debt of the failed one
				must(t, err)
				c.reconcile()
				id := c.past("A", one(301))
				c.reconcile()
				if c.given(id) {
					t.Error("it is given at once")
				}
			})
		})
	}
}

// A payment that was paid back makes nobody known.
func TestCard_RefundedPaymentDoesNotCount(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		c.shop.SetStatus(c.known("A", 61), "refunded")
		c.reconcile()
		id := c.past("A", one(301))
		c.reconcile()
		if c.given(id) {
			t.Error("it is given at once")
		}
	})
}

// Spec: SHOP-8
func TestCard_DailyLimitsInValueHoldForOnePlayerAndForAll(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		limits := webstore.CardLimits{Delay: 24 * time.Hour, PerPlayer: 16_000_000, PerDay: 40_000_000}
		c.service.Card, c.reconciler.Card = limits, limits
		references := []string{c.refer("A", 301), c.refer("A", 301), c.refer("A", 301)}
		var waiting []int64
		for i, r := range references {
			id := c.shop.Place(devshop.NewOrder{Reference: r, Lines: []devshop.NewLine{one(301)}})
			c.shop.SetStatus(id, "processing")
			c.reconcile()
			if o, _ := c.recorded(id); (o.Lines[0].Waits == "more than can be bought in 24 hours") != (i == 2) {
				t.Errorf("order %d: %+v", i+1, o.Lines[0])
			}
			waiting = append(waiting, id)
			if f := c.checkout("A", 300, 301); (f != nil && f.Reason == "limit") != (i >= 1) {
				t.Errorf("A buys again after %d purchases: %v", i+1, f)
			}
		}
		if f := c.checkout("A", 200, 201); f != nil {
			t.Errorf("currencies have no such limit: %v", f)
		}
		shelves, _, err := c.service.Products(t.Context(), webstore.Cosmetics, "A")
		must(t, err)
		if i := shelves[0].Items[0]; i.Refused == "" || i.GivenAfter != 24*time.Hour {
			t.Errorf("shown to A as %+v", i)
		}
		c.past("B", units(301, 2))
		testkit.AddPlayers(t, c.db, 0, "C")
		c.past("C", one(301))
		c.reconcile()
		if f := c.checkout("C", 300, 301); f == nil || f.Reason != "not-sold" {
			t.Errorf("beyond what all can buy: %v", f)
		}
		c.clock.Advance(25 * time.Hour)
		c.pass(2)
		c.want("masks", int64(len(c.mints.queued)), 2+2+1)
		must(t, operators.New(c.db).ReleaseShopOrder(t.Context(), waiting[2], byHand))
		c.pass(2)
		c.want("masks with the one that was released", int64(len(c.mints.queued)), 6)
	})
}

// Of a line whose quantity was raised beyond the product's limit, what is given counts as bought.
func TestCard_WhatIsGivenOfALineBeyondTheLimitCounts(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		limits := webstore.CardLimits{Delay: 24 * time.Hour, PerPlayer: 40_000_000, PerDay: 23_970_000}
		c.service.Card, c.reconciler.Card = limits, limits
		testkit.AddPlayers(t, c.db, 0, "C", "D")
		for _, player := range []string{"A", "B"} {
			id := c.past(player, units(303, 2))
			c.reconcile()
			if o, _ := c.recorded(id); o.Lines[0].Given != 1 || o.Lines[0].Waits != "the player has paid for 2 in all, and the limit is 1" {
				t.Errorf("%s: %+v", player, o.Lines[0])
			}
		}
		c.past("C", one(303))
		c.reconcile()
		if f := c.checkout("D", 300, 303); f == nil || f.Reason != "not-sold" {
			t.Errorf("beyond what all can buy: %v", f)
		}
	})
}

// Spec: SHOP-10
func TestCard_UnderpaidLineWaitsForAnOperatorWhereItCanBeSold(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		for what, o := range map[string]struct {
			devshop.NewOrder
			waits string
		}{
			"paid in full": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 2, Total: "15.98"}}}, "",
			},
			"with tax in the price": {
				devshop.NewOrder{TaxIncluded: true, Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "6.71", Tax: "1.28"}}}, "",
			},
			"with tax on top": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "7.99", Tax: "1.52"}}}, "",
			},
			"sold without the tax in the price": {
				devshop.NewOrder{TaxIncluded: true, Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "6.71"}}}, "",
			},
			"a cent off for each unit, by rounding": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 3, Total: "23.94"}}}, "",
			},
			"with a coupon": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "0.08"}}}, "paid 0.08, the webstore shows 7.99",
			},
			"with a coupon, tax in the price": {
				devshop.NewOrder{TaxIncluded: true, Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "3.36", Tax: "0.64"}}},
				"paid 4.00, the webstore shows 7.99",
			},
			"net where the price is net, tax not ours": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "6.71", Tax: "1.28"}}},
				"paid 6.71, the webstore shows 7.99",
			},
			"USDC": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 401, Quantity: 1, Total: "1.00"}}}, "paid 1.00, the webstore shows 26.99",
			},
			"packs": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 411, Quantity: 1, Total: "1.00"}}}, "paid 1.00, the webstore shows 33.99",
			},
			"what is drawn": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 101, Quantity: 1, Total: "1.00"}}}, "paid 1.00, the webstore shows 4.99",
			},
			"an amount that is none": {
				devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 301, Quantity: 1, Total: "much"}}}, `paid "much", the webstore shows 7.99`,
			},
			"currencies, which are given": {devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 201, Quantity: 1, Total: "1.00"}}}, ""},
		} {
			o.Reference = c.referPast("A", o.Lines[0].Variation)
			c.clock.Advance(25 * time.Hour)
			id := c.shop.Place(o.NewOrder)
			c.shop.SetStatus(id, "processing")
			c.reconcile()
			recorded, _ := c.recorded(id)
			if l := recorded.Lines[0]; l.Waits != o.waits || (l.Given == 0) != (o.waits != "") {
				t.Errorf("%s: %+v", what, l)
			}
			if noted := len(recorded.Notes) > 0; noted != strings.HasPrefix(what, "currencies") {
				t.Errorf("%s: notes %q", what, recorded.Notes)
			}
		}
		fee := c.shop.Place(devshop.NewOrder{Reference: c.referPast("A", 301), Lines: []devshop.NewLine{one(301)}})
		c.shop.Edit(fee, func(o *devshop.Order) { o.Total, o.Status = "0.50", "processing" })
		c.reconcile()
		if o, _ := c.recorded(fee); o.Lines[0].Waits != `paid "0.50" for the whole order, which is less than for its lines` {
			t.Errorf("with a negative fee: %+v", o.Lines[0])
		}
	})
}

// Spec: SHOP-11
func TestArrears_DebtBlocksUntilItIsForgiven(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(301))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.reconcile()
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"); err != nil {
			t.Errorf("before the refund: %v", err)
		}
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		f := fault.As(webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"))
		if f == nil || f.Code != fault.Conflict || f.Reason != "debt" {
			t.Errorf("with a debt: %v", f)
		}
		if f := c.checkout("A", 200, 201); f == nil || f.Reason != "debt" {
			t.Errorf("buying with a debt: %v", f)
		}
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "B"); err != nil {
			t.Errorf("another player: %v", err)
		}
		if n, _, err := (operators.New(c.db)).ForgiveShopDebts(t.Context(), "A", byHand); n != 1 || err != nil {
			t.Fatalf("forgiven: %d, %v", n, err)
		}
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"); err != nil {
			t.Errorf("forgiven: %v", err)
		}
	})
}

// What is taken back costs what the card paid for it: of each unit its part of the line, and of each thing in it an equal share.
func TestDebt_CostsItsShareOfTheLine(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		payments := webstore.NewPayments(webstore.PaymentOptions{Store: shopstore.New(c.db), Chain: testkit.GameChain, Token: usdc,
			Rate: 1_000_000})
		cost := func(player string) string {
			t.Helper()
			p, err := payments.Due(t.Context(), player)
			must(t, err)
			return p.Amount.String()
		}
		gold, packs := c.order("A", units(201, 3)), c.order("B", one(411))
		c.reconcile()
		c.clock.Advance(25 * time.Hour)
		c.reconcile()
		_, err := accounts.New(c.db).ChangeCurrency(t.Context(), "A", "ig", -1250) // of 1500
		must(t, err)
		c.shop.SetStatus(gold, "refunded")
		c.shop.SetStatus(packs, "refunded")
		c.reconcile()
		// 250 of 500 of one unit at 2.99 were taken back, and none of the two others.
		if got := cost("A"); got != "7475000" {
			t.Errorf("2.5 of 3 pouches cost %s", got)
		}
		// The currency of 411 was taken back whole; its two packs are the other half of 33.99.
		if got := cost("B"); got != "16995000" {
			t.Errorf("the packs cost %s", got)
		}
	})
}

// A line of which the portal never recorded the value costs nothing that a player could pay.
func TestDebt_OfALineWithoutItsValueHasNoPrice(t *testing.T) {
	t.Parallel()
	eachFunded(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(302))
		c.reconcile()
		must(t, shopstore.New(c.db).SettleOrder(t.Context(), webstore.Hint{OrderID: id}, time.Time{},
			func(ctx context.Context, tx webstore.Tx) error {
				o, _, err := tx.Order(ctx)
				o.Lines[0].Value = 1
				return errors.Join(err, tx.PutOrder(ctx, o))
			}))
		c.shop.SetStatus(id, "refunded")
		c.reconcile()
		payments := webstore.NewPayments(webstore.PaymentOptions{Store: shopstore.New(c.db), Chain: testkit.GameChain, Token: usdc,
			Rate: 1_000_000})
		if _, err := payments.Due(t.Context(), "A"); !fault.Is(err, fault.Conflict) || c.owed("A") == 0 {
			t.Errorf("due %v", err)
		}
	})
}

// Spec: SHOP-11
func TestArrears_DisputedOrderBlocksUntilItIsDecidedOrForgiven(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.order("A", one(201))
		c.reconcile()
		c.shop.SetStatus(id, "on-hold")
		c.reconcile()
		f := fault.As(webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"))
		if f == nil || f.Reason != "dispute" || !strings.Contains(f.Message, fmt.Sprintf("order %d is disputed", id)) {
			t.Errorf("disputed: %v", f)
		}
		if f := c.checkout("A", 200, 201); f == nil || f.Reason != "dispute" {
			t.Errorf("buying with a disputed order: %v", f)
		}
		c.shop.SetStatus(id, "completed")
		c.reconcile()
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"); err != nil {
			t.Errorf("decided: %v", err)
		}
		c.shop.SetStatus(id, "on-hold")
		c.reconcile()
		if _, disputes, err := (operators.New(c.db)).ForgiveShopDebts(t.Context(), "A", byHand); disputes != 1 || err != nil {
			t.Fatalf("forgiven: %d, %v", disputes, err)
		}
		c.reconcile()
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"); err != nil {
			t.Errorf("forgiven: %v", err)
		}
	})
}

// A bank transfer that is awaited is on hold before it is paid, which is no dispute.
func TestArrears_OrderThatWasNeverPaidDisputesNothing(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		id := c.shop.Place(devshop.NewOrder{Reference: c.refer("A", 201), Lines: []devshop.NewLine{one(201)}})
		c.shop.SetStatus(id, "on-hold")
		c.reconcile()
		if err := webstore.CheckArrears(t.Context(), shopstore.New(c.db), "A"); err != nil {
			t.Error(err)
		}
	})
}

// Spec: SHOP-12
func TestOrder_OfADeletedPlayerNamesThePlayer(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, c *counter) {
		reference := c.refer("A", 201)
		_, err := accounts.New(c.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: c.clock.Now()})
		must(t, err)
		id := c.shop.Place(devshop.NewOrder{Reference: reference, Lines: []devshop.NewLine{one(201)}})
		c.shop.SetStatus(id, "processing")
		c.reconcile()
		want := "It is the order of player A, who has deleted the account. Refund it in the shop, or assign it to an account that the " +
			"player has now."
		if o, _ := c.recorded(id); o.PlayerID != "" || o.Problem != want {
			t.Errorf("recorded %+v", o)
		}
		must(t, operators.New(c.db).AssignShopOrder(t.Context(), id, "B", "shop", byHand))
		c.reconcile()
		c.want("InfiniGold of the player's other account", c.has("B", "ig"), 500)
	})
}
