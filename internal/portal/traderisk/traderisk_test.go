package traderisk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

const day = 24 * time.Hour

type orderOf = traderisk.Order

// each runs a test on both databases, in a market with ten old accounts and five sales of token 1, most at 10 USDC.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Parallel()
	testkit.EachDatabaseAt(t, began, func(t *testing.T, db *store.DB, c *clock.Fake) {
		w := newWorld(t, db, c, false)
		w.join(60*day, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "victim", "thief")
		w.sell("a", "b", "1", 9, 3*day)
		w.sell("c", "d", "1", 10, 2*day)
		w.sell("e", "f", "1", 30, day)
		w.sell("g", "h", "1", 10, day)
		w.sell("i", "j", "1", 10, day)
		// They trade with others too.
		for _, pair := range []string{"ac", "bd", "ce", "df", "ea", "fb", "gi", "hj", "ig", "jh"} {
			w.sell(pair[:1], pair[1:], "2", 100, 5*day)
		}
		test(t, w)
	})
}

func (w *world) wants(what string, signed bool, player string, orders ...orderOf) {
	w.t.Helper()
	if got := w.charge(player, orders...); got != signed {
		w.t.Errorf("%s: signed without an approval: %v, want %v", what, got, signed)
	}
}

// A stolen session neither gives an item away nor pays with all that the victim has.
func TestTradeRisk_ATrifleForEverythingNeedsAnApproval(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wants("four items given away", false, "victim", selling("1", 0.000001, 4))
		w.wants("a trifle for everything", false, "victim", buying(w.offer("thief", "1", 500, 1), 500))
		w.wants("a usual sale", true, "victim", selling("1", 10, 4))
		w.wants("a usual purchase", true, "victim", buying(w.offer("thief", "1", 10, 1), 10))
	})
}

// What is below the reference adds up over 24 hours, to 25 USDC and not to 25.000001.
func TestTradeRisk_SmallLossesAddUpForADay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wants("two of 4 below", true, "victim", selling("1", 6, 2))
		w.wants("three of 4 below", true, "victim", selling("1", 6, 3))
		w.wants("6 below", false, "victim", selling("1", 4, 1))
		w.wants("5 below", true, "victim", selling("1", 5, 1))
		w.wants("0.000001 below", false, "victim", selling("1", 9.999999, 1))
		w.wants("nothing below", true, "victim", selling("1", 10, 1))
		w.clock.Advance(day - time.Millisecond)
		w.wants("0.000001 below, a moment too early", false, "victim", selling("1", 9.999999, 1))
		w.clock.Advance(2 * time.Millisecond)
		w.wants("a day later", true, "victim", selling("1", 5, 5))
	})
}

// Four sales count for a purchase; three are no precedent, nor are offers.
func TestTradeRisk_APurchaseNeedsFourSales(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.sell("a", "d", "3", 40, day)
		w.sell("b", "e", "3", 40, day)
		for _, seller := range []string{"a", "b", "c", "d", "e"} {
			w.offer(seller, "3", 40, 1)
		}
		w.sell("c", "f", "3", 40, day)
		w.wants("after three sales", false, "victim", buying(w.offer("thief", "3", 40, 1), 40))
		w.sell("g", "h", "3", 40, day)
		w.clock.Advance(time.Minute)
		w.wants("after four sales", true, "victim", buying(w.offer("thief", "3", 40, 1), 40))
		w.clock.Advance(29 * day)
		w.wants("a month later", false, "victim", buying(w.offer("thief", "3", 40, 1), 40))
	})
}

// An item of unknown worth counts 25 USDC, whatever it is sold for and whatever a thief offers it for.
func TestTradeRisk_AnUnknownItemCountsTwentyFive(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.join(8*day, "second", "third")
		for _, seller := range []string{"thief", "second", "third"} {
			w.offer(seller, "9", 0.01, 1)
		}
		w.wants("two", false, "victim", selling("9", 1000, 2))
		w.wants("one", true, "victim", selling("9", 0.01, 1))
		w.wants("another one", false, "victim", selling("9", 0.01, 1))
	})
}

// What the portal asks is a precedent for a sale. What players ask is none, however many they are: that costs nothing.
func TestTradeRisk_OffersOfThePortalAreAPrecedent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.offer("manager", "10", 50, 1)
		w.wants("at the portal's price", true, "victim", selling("10", 50, 10))
		w.wants("26 below", false, "victim", selling("10", 24, 1))
		for _, seller := range []string{"a", "b", "c", "d"} {
			w.offer(seller, "11", 0.01, 1)
		}
		w.wants("at what four others ask", false, "victim", selling("11", 0.01, 2))
	})
}

// Whoever floods the history of a token with sales that do not count, from no account or from a few, erases no precedent.
func TestTradeRisk_FloodOfSalesErasesNoPrecedent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.join(60*day, "victim2", "victim3")
		w.sell("a", "b", "9", 1000, 30*time.Hour)
		w.sell("c", "d", "9", 1000, 29*time.Hour)
		w.sell("e", "f", "9", 1000, 29*time.Hour)
		w.sell("manager", "victim2", "9", 1000, 28*time.Hour)
		for _, seller := range []string{"a", "b", "c", "d", "e", "f"} { // they trade with others, too
			w.sell("manager", seller, "8", 5000, 40*time.Hour)
		}
		w.wants("before", false, "victim", selling("9", 0.01, 1))
		w.join(8*day, "t1", "t2", "t3")
		w.join(day, "new")
		for n := range 75 {
			for pair, seller := range []string{"outsider", "t1", "t2", "new"} {
				w.sell(seller, []string{"outsider", "t2", "t1", "t3"}[pair], "9", 0.01, time.Duration(n)*time.Minute)
			}
		}
		w.clock.Advance(time.Minute)
		w.wants("an item of 1000 for nothing", false, "victim", selling("9", 0.01, 1))
		w.wants("at its price", true, "victim", selling("9", 990, 1))
		w.wants("bought at its price", true, "victim3", buying(w.offer("c", "9", 150, 1), 150))
	})
}

// Eight old accounts agree on a price among themselves, and any number of new ones sell at it.
func TestTradeRisk_AllSellersTogetherAreBounded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ring := []string{"r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"}
		w.join(8*day, ring...)
		for i, seller := range ring {
			w.sell(seller, ring[(i+1)%8], "9", 200+float64(i%2), time.Duration(8-i)*time.Hour)
		}
		paid := 0
		for n := range 20 {
			seller := fmt.Sprintf("s%d", n)
			w.join(time.Minute, seller)
			if w.charge("victim", buying(w.offer(seller, "9", 200, 1), 200)) {
				paid += 200
			}
		}
		if paid != 1000 {
			t.Errorf("%d USDC without an approval, want 1000", paid)
		}
		w.clock.Advance(25 * time.Hour)
		w.wants("a day later", true, "victim", buying(w.offer("s0", "9", 200, 1), 200))
	})
}

// Who bought an item may sell it for what it cost. A trifle bought once says nothing about others that were not bought.
func TestTradeRisk_WhatWasPaidIsAPrecedentForWhatWasBought(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.sell("a", "victim", "9", 60, 3*day)
		testkit.SetHolding(t, w.db, testkit.WalletOf("victim"), testkit.Items, "erc1155", "9", 1)
		w.wants("for what it cost", true, "victim", selling("9", 60, 1))
		w.wants("for 30 less", false, "victim", selling("9", 30, 1))
		w.sell("thief", "victim", "12", 0.01, time.Hour)
		testkit.SetHolding(t, w.db, testkit.WalletOf("victim"), testkit.Items, "erc1155", "12", 8)
		w.wants("dropped ones for a trifle", false, "victim", selling("12", 0.01, 2))
	})
}

// Three accounts cannot make a price by trading with each other, nor can new ones.
func TestTradeRisk_WashSalesMakeNoPrice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.join(8*day, "t1", "t2", "t3")
		w.join(6*day, "n1", "n2", "n3", "n4", "n5", "n6")
		for _, pair := range []string{"t1 t2", "t2 t3", "t3 t1", "t2 t1", "n1 n2", "n3 n4", "n5 n6"} {
			seller, buyer, _ := strings.Cut(pair, " ")
			w.sell(seller, buyer, "9", 400, time.Hour)
			w.sell(seller, buyer, "1", 400, time.Hour)
		}
		w.wants("without other sales", false, "victim", buying(w.offer("t1", "9", 400, 1), 400))
		w.wants("among honest sales", false, "victim", buying(w.offer("t1", "1", 100, 1), 100))
	})
}

// The player's own sales never count.
func TestTradeRisk_OwnSalesDoNotCount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, other := range []string{"a", "b", "c", "d"} {
			w.sell("victim", other, "9", 1, day)
			w.sell(other, "victim", "10", 400, day)
		}
		w.wants("at the price of own sales", false, "victim", selling("9", 1, 2))
		w.wants("at the price of own purchases", false, "victim", buying(w.offer("thief", "10", 150, 1), 150))
	})
}

// A listing that is made cheaper counts like a new one, one that is not does not; more units count.
func TestTradeRisk_AChangedListingCountsWhereItGetsCheaper(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		listing := w.offer("victim", "1", 100, 4)
		w.wants("all of them cheap", false, "victim", repricing(listing, 1, 4))
		w.wants("raised", true, "victim", repricing(listing, 120, 4))
		w.wants("lowered to the usual price", true, "victim", repricing(listing, 10, 4))
	})
}

// An update sets a listing's quantity, so it can restore units that were sold: each update counts all units.
func TestTradeRisk_AChangedListingIsNotRefilledForFree(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wants("two cheap ones", true, "victim", selling("1", 1, 2))
		cheap := w.offer("victim", "1", 1, 2)
		w.wants("as many again, at the same price", false, "victim", repricing(cheap, 1, 2))
		w.wants("as many again, a little dearer", false, "victim", repricing(cheap, 2, 2))
		w.wants("as many again, at the usual price", true, "victim", repricing(cheap, 10, 2))
	})
}

// Three accounts pay honest sellers far too much, once each. What they paid is no precedent for what a victim buys from them.
func TestTradeRisk_ThreeOverpaidSalesMakeNoPrice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.join(8*day, "t1", "t2", "t3")
		for i, buyer := range []string{"t1", "t2", "t3"} {
			seller := []string{"a", "b", "c"}[i]
			w.sell(seller, buyer, "9", 60, time.Hour)
			w.sell(buyer, seller, "2", 100, 2*time.Hour)
			w.sell(buyer, "j", "2", 300, 3*time.Hour)
		}
		w.wants("of a kind that nobody else bought", false, "victim", buying(w.offer("t1", "9", 60, 1), 60))
		w.sell("d", "e", "9", 1, time.Hour)
		w.clock.Advance(time.Minute)
		w.wants("of a kind that was bought once before", false, "victim", buying(w.offer("t2", "9", 60, 1), 60))
		w.wants("at the price of then", true, "victim", buying(w.offer("t3", "9", 1, 1), 1))
	})
}

// Three accounts sell to honest bargain hunters, once each. What they ask is no precedent for what a victim has.
func TestTradeRisk_ThreeBargainsMakeNoPrice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.join(8*day, "t1", "t2", "t3")
		for i, seller := range []string{"t1", "t2", "t3"} {
			hunter := []string{"a", "b", "c"}[i]
			w.sell(seller, hunter, "9", 0.01, time.Hour)
			w.sell(hunter, seller, "2", 100, 2*time.Hour)
			w.sell(seller, "j", "2", 300, 3*time.Hour)
		}
		w.wants("two of a kind that nobody else sold", false, "victim", selling("9", 0.01, 2))
		w.sell("d", "e", "9", 80, time.Hour)
		w.clock.Advance(time.Minute)
		w.wants("one of a kind that was sold once before", false, "victim", selling("9", 50, 1))
		w.wants("one at the price of then", true, "victim", selling("9", 80, 1))
	})
}

// One seller gets at most 200 USDC a day from one player for usual prices; more counts.
func TestTradeRisk_OneSellerGetsTwoHundredADay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 20 {
			w.wants("a usual purchase", true, "victim", buying(w.offer("thief", "1", 10, 1), 10))
		}
		w.wants("of the portal", true, "victim", buying(w.offer("manager", "1", 10, 1), 10))
		w.wants("of another seller", true, "victim", buying(w.offer("a", "1", 10, 1), 10))
		w.wants("10 beyond", true, "victim", buying(w.offer("thief", "1", 10, 1), 10))
		w.wants("20 beyond", true, "victim", buying(w.offer("thief", "1", 10, 1), 10))
		w.wants("30 beyond", false, "victim", buying(w.offer("thief", "1", 10, 1), 10))
	})
}

// What the portal sells counts nothing, whatever it costs.
func TestTradeRisk_ThePortalSellsAtAnyPrice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wants("a purchase from the portal", true, "victim", buying(w.offer("manager", "77", 5000, 1), 5000))
	})
}

// An approval is good for exactly these calls in one operation, and uses nothing of the budget.
func TestTradeRisk_AnApprovalIsForOneOperation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		op := w.operation("victim", selling("1", 0.01, 50))
		if f := fault.As(w.trades.Allow(t.Context(), op)); f == nil || f.Reason != "trade-approval" {
			t.Fatal("it needs no approval:", f)
		}
		w.approve(op.Digest)
		if err := w.trades.Charge(t.Context(), op); err != nil {
			t.Fatal(err)
		}
		if err := w.trades.Allow(t.Context(), op); err != nil {
			t.Error("the relay refuses what was signed:", err)
		}
		again := w.operation("victim", op.Orders...)
		again.Digest = op.Digest
		if err := w.trades.Charge(t.Context(), again); fault.As(err) == nil {
			t.Error("the approval is good for another operation:", err)
		}
		w.wants("the whole budget", true, "victim", selling("1", 5, 5))
	})
}

func TestNotice_AnApprovedTradeIsMailedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.address = "zeus@olympus.example"
		w.wants("a usual sale", true, "victim", selling("1", 9, 1))
		op := w.operation("victim", selling("1", 0.01, 50))
		w.approve(op.Digest)
		for range 2 { // signed again, with other fees
			if err := w.trades.Charge(t.Context(), op); err != nil {
				t.Fatal(err)
			}
		}
		mails, err := store.Mail{DB: w.db}.RecentEmails(t.Context(), 10)
		if err != nil || len(mails) != 1 || mails[0].To != "zeus@olympus.example" || mails[0].Subject != "You have approved an unusual trade" ||
			!strings.Contains(mails[0].Text, "\n    Sell 50 × ") ||
			!strings.Contains(mails[0].Text, "https://portal.example/portal/not-me?token=") {
			t.Errorf("the mails are %+v, %v", mails, err)
		}
	})
}

// The same operation is charged once, however often it is signed. One with other calls and the same nonce counts as the
// larger one: only one of both can succeed.
func TestTradeRisk_ANonceIsChargedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		op := w.operation("victim", selling("1", 5, 4))
		for range 3 {
			if err := w.trades.Charge(t.Context(), op); err != nil {
				t.Fatal(err)
			}
		}
		smaller := op
		smaller.Orders = []orderOf{selling("1", 9, 1)}
		if err := w.trades.Charge(t.Context(), smaller); err != nil {
			t.Fatal(err)
		}
		w.wants("6 more", false, "victim", selling("1", 4, 1))
		w.wants("5 more", true, "victim", selling("1", 5, 1))
	})
}

// Windows that sign at once do not share one budget twice.
func TestTradeRisk_ManyWindowsShareOneBudget(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		signed := make(chan bool)
		const windows = 16
		for range windows {
			op := w.operation("victim", selling("1", 0.01, 1))
			go func() { signed <- w.trades.Charge(t.Context(), op) == nil }()
		}
		n := 0
		for range windows {
			if <-signed {
				n++
			}
		}
		if n != 2 { // 9.99 each
			t.Errorf("%d of %d were signed, want 2", n, windows)
		}
	})
}

// A unique token has the reference of its rarity.
func TestTradeRisk_UniqueTokensCompareByRarity(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, began, func(t *testing.T, db *store.DB, c *clock.Fake) {
		w := newWorld(t, db, c, true)
		w.join(60*day, "a", "b", "c", "d", "e", "f", "g", "h", "victim", "thief")
		for token := 1; token <= 5; token++ { // testkit.List describes them as rare
			w.end(w.offer("a", fmt.Sprint(token), 1, 1))
		}
		for i, pair := range []string{"ab", "cd", "ef", "gh"} {
			w.sell(pair[:1], pair[1:], fmt.Sprint(i+1), 50, day)
			w.sell(pair[1:], "manager", "1", 500, 2*day)
			w.sell(pair[:1], "manager", "1", 500, 2*day)
		}
		w.wants("another rare one for a trifle", false, "victim", selling("5", 1, 1))
		w.wants("another rare one", true, "victim", selling("5", 50, 1))
		w.wants("bought at the usual price", true, "victim", buying(w.offer("thief", "5", 50, 1), 50))
		cheap := w.offer("victim", "5", 10, 1)
		w.wants("a cheap one, dearer", true, "victim", repricing(cheap, 12, 1))
		w.wants("a cheap one, cheaper", false, "victim", repricing(cheap, 9, 1))
		w.end(cheap)
		w.wants("a cheap one that had ended", false, "victim", repricing(cheap, 12, 1))
	})
}
