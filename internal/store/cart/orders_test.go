package cart_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// checkoutTest is the environment of player A's payments: an index fed by the test, a cart and the checkout.
type checkoutTest struct {
	*storetest.Indexed
	carts  *cart.Service
	orders *checkout.Service
}

// plainCalls encodes a purchase's calls as text.
type plainCalls struct{}

func (plainCalls) PurchaseCalls(_, currency eth.Address, total money.Units, lines []checkout.Item) ([]checkout.Call, error) {
	calls := []checkout.Call{{To: currency, Data: []byte("approve " + total.String())}}
	for _, l := range lines {
		calls = append(calls, checkout.Call{To: storetest.Marketplace, Data: fmt.Appendf(nil, "buy %d of %s", l.Quantity, l.Number)})
	}
	return calls, nil
}

// eachCheckout runs the test on each database. A has 10,000 base units; listings 7 and 8 offer 10 units at 1000 each, and
// listing 9 does so for five minutes only.
func eachCheckout(t *testing.T, test func(t *testing.T, d checkoutTest)) {
	t.Helper()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) { test(t, openCheckout(x)) })
}

func openCheckout(x *storetest.Indexed) checkoutTest {
	d := checkoutTest{
		Indexed: x, carts: cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{}),
		orders: checkout.NewService(cartstore.Orders{DB: x.DB, Chain: storetest.Chain}, plainCalls{}, x.Clock, storetest.Chain,
			checkout.Currency{Address: storetest.USDC, Symbol: "USDC", Decimals: 6}),
	}
	for _, player := range []string{"A", "B"} {
		x.OK(accounts.New(x.DB).RegisterPair(x.T.Context(), player, storetest.Start, nil))
	}
	short := storetest.TermsOf(storetest.Items, "9", 10)
	short.End = storetest.Start.Add(5 * time.Minute)
	x.Apply(
		storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 10_000),
		storetest.AllowAll(storetest.Items, storetest.Seller, true),
		storetest.MintItems(storetest.Seller, "1", 10), storetest.MintItems(storetest.Seller, "2", 10),
		storetest.MintItems(storetest.Seller, "9", 10),
		storetest.List("7", storetest.TermsOf(storetest.Items, "1", 10)),
		storetest.List("8", storetest.TermsOf(storetest.Items, "2", 10)), storetest.List("9", short),
	)
	x.Told()
	return d
}

func (d checkoutTest) put(player, number string, units ...int64) {
	d.T.Helper()
	for _, u := range units {
		_, err := d.carts.Add(d.T.Context(), cart.Holder{PlayerID: player}, market.Key(storetest.Chain, number), storetest.Items, &u)
		d.OK(err)
	}
}

func (d checkoutTest) start() *checkout.Order {
	d.T.Helper()
	o, err := d.orders.Start(d.T.Context(), "A", checkout.Shown{})
	d.OK(err)
	return o
}

// order reads A's order again.
func (d checkoutTest) order(id string) *checkout.Order {
	d.T.Helper()
	o, err := d.orders.Order(d.T.Context(), "A", id)
	d.OK(err)
	return o
}

func (d checkoutTest) mustBe(id string, want checkout.State) *checkout.Order {
	d.T.Helper()
	o := d.order(id)
	if o.State != want {
		d.T.Fatalf("the order is %s, want %s; timeline %v", o.State, want, o.Timeline)
	}
	if last := o.Timeline[len(o.Timeline)-1]; last.State != o.State || last.Detail == "" {
		d.T.Errorf("the timeline ends with %+v in state %s", last, o.State)
	}
	return o
}

// ends returns when A's holds expire, by listing and unit.
func (d checkoutTest) ends() []string {
	d.T.Helper()
	held, err := d.carts.Items(d.T.Context(), "A")
	d.OK(err)
	var out []string
	for _, i := range held {
		out = append(out, fmt.Sprintf("%s/%d %s", i.Number, i.Unit, i.ExpiresAt.Sub(storetest.Start)))
	}
	slices.Sort(out)
	return out
}

// mustRefuse checks a fault, and its text if one is given.
func (d checkoutTest) mustRefuse(what string, err error, code fault.Code, reason string, text ...string) {
	d.T.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || f.Reason != reason {
		d.T.Errorf("%s: %v, want a fault %s %q", what, err, code, reason)
	} else if text != nil && f.Message != text[0] {
		d.T.Errorf("%s: the player reads %q, want %q", what, f.Message, text[0])
	}
}

// accept adds an operation of the player's wallet with the calls to the relay.
func (d checkoutTest) accept(player string, wallet eth.Address, op eth.Hash, calls []checkout.Call) error {
	d.T.Helper()
	batch := make([]gas.Call, len(calls))
	for i, c := range calls {
		batch[i] = gas.Call{Target: c.To, Data: c.Data}
	}
	operation := gas.Operation{
		Hash: op, Chain: storetest.Chain, EntryPoint: storetest.Marketplace, Player: player, CreatedAt: d.Clock.Now(),
		Operation: eth.UserOperation{Sender: wallet, Nonce: eth.Quantity(op), CallData: gas.EncodeCalls(batch)},
	}
	storetest.Sponsor(d.T, d.DB, operation)
	_, err := gasstore.New(d.DB).AddOperation(d.T.Context(), operation)
	return err
}

// mined applies a block in which the operation was executed, with the purchases.
func (d checkoutTest) mined(op eth.Hash, success bool, facts ...any) onchain.Block {
	d.T.Helper()
	return d.applyOne(op, success, "", facts...)
}

// applyOne adds a block with all facts in one transaction: the operation's.
func (d checkoutTest) applyOne(op eth.Hash, success bool, branch string, facts ...any) onchain.Block {
	d.T.Helper()
	b := storetest.BatchAfter(d.Tip, d.Clock.Now().Add(time.Second), branch,
		append(facts, onchain.UserOperationEvent{Hash: op, Sender: storetest.WalletA, Success: success})...)
	tx := b.Ops[0].Tx
	for i := range b.Transfers {
		b.Transfers[i].Tx = tx
	}
	for i := range b.Listings {
		b.Listings[i].Tx = tx
	}
	d.OK(d.Index.ApplyBatch(d.T.Context(), b))
	d.Clock.Advance(time.Second)
	d.Tip = b.Blocks[0]
	return d.Tip
}

func (d checkoutTest) updates() (states []string) {
	d.T.Helper()
	for _, line := range d.Told() {
		if strings.HasPrefix(line, "A: order/update ") {
			_, state, _ := strings.Cut(line, "state:")
			states = append(states, strings.TrimSuffix(state, "]"))
		}
	}
	return states
}

// Spec: PAY-7
func TestOrders_StartingToPayFixesPricesAndKeepsTheUnitsFiveMinutesLonger(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0, 1)
		d.Clock.Advance(59 * time.Second) // the index advanced the clock by one second
		d.put("A", "8", 4)
		d.Told()
		o := d.start()
		d.Want("holds", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s")
		if o.State != checkout.AwaitingPayment || o.Total.String() != "3000" || o.Wallet != storetest.WalletA || o.Chain != storetest.Chain ||
			o.Currency != storetest.USDC ||
			!o.ExpiresAt.Equal(storetest.Start.Add(15*time.Minute+time.Second)) || len(o.Items) != 2 || o.Items[0].Quantity != 2 ||
			o.Items[1].Quantity != 1 {
			t.Errorf("order %+v", o)
		}
		var calls []string
		for _, c := range o.Calls {
			calls = append(calls, c.To.String()+" "+string(c.Data))
		}
		d.Want("calls", calls, storetest.USDC.String()+" approve 3000", storetest.Marketplace.String()+" buy 2 of 7",
			storetest.Marketplace.String()+" buy 1 of 8")
		d.Want("told", d.updates(), "awaiting-payment")
		kept, err := json.Marshal(d.order(o.ID))
		d.OK(err)
		made, err := json.Marshal(o)
		d.OK(err)
		if string(kept) != string(made) {
			t.Errorf("kept as %s, made as %s", kept, made)
		}

		d.Clock.Advance(time.Minute)
		again := d.start()
		if again.ID != o.ID || !again.ExpiresAt.Equal(o.ExpiresAt) {
			t.Errorf("starting again gave order %s until %v, want %s as it was", again.ID, again.ExpiresAt, o.ID)
		}
		d.Want("holds, extended once", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s")
		if current, err := d.orders.Current(t.Context(), "A"); err != nil || current == nil || current.ID != o.ID {
			t.Errorf("the current order is %v, %v", current, err)
		}

		d.put("A", "8", 5)
		next := d.start()
		if old := d.mustBe(o.ID, checkout.Expired); next.ID == o.ID || old.Timeline[1].Detail != "Replaced by a newer order." {
			t.Errorf("the replaced order's timeline is %v", old.Timeline)
		}
		d.Want("holds of the newer order", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s", "8/5 17m0s")
	})
}

// Spec: PAY-9
func TestOrders_WhatKeepsAnOrderFromStarting(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		start := func(player string, expected *money.Units) error {
			_, err := d.orders.Start(t.Context(), player, checkout.Shown{Total: expected})
			return err
		}
		d.mustRefuse("an empty cart", start("A", nil), fault.Conflict, "empty", "Your cart is empty.")
		d.mustRefuse("nobody", start("nobody", nil), fault.NotFound, "")
		d.put("C", "7", 9)
		d.mustRefuse("no wallet", start("C", nil), fault.Conflict, "no-wallet", "Your wallet is not ready yet. Please wait a moment.")
		d.put("B", "7", 8)
		d.mustRefuse("no money", start("B", nil), fault.Conflict, "insufficient-funds", "You need 0.001 USDC and have 0.")

		d.put("A", "7", 0)
		seen := money.FromInt(999)
		d.mustRefuse("another total", start("A", &seen), fault.Conflict, "price-changed")
		d.Apply(storetest.Relist("7", func() *onchain.ListingTerms {
			c := storetest.TermsOf(storetest.Items, "1", 10)
			c.PricePerToken = money.FromInt(500)
			return c
		}()))
		seen = money.FromInt(1000)
		d.mustRefuse("a price that changed", start("A", &seen), fault.Conflict, "price-changed",
			"A price has changed: the total is now 0.0005 USDC.")
		seen = money.FromInt(500)
		d.OK(start("A", &seen))

		d.put("A", "9", 0)
		d.Clock.Advance(5 * time.Minute)
		d.mustRefuse("a sale that is over", start("A", nil), fault.Conflict, "gone",
			"Something in your cart is no longer for sale. Please remove it first.")
		d.OK(d.carts.Remove(t.Context(), "A", market.Key(storetest.Chain, "9"), 0))
		o := d.start()
		err := testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now())
		d.OK(err)
		d.mustRefuse("a payment under way", start("A", nil), fault.Conflict, "paying", "Your last payment is still on its way.")
		d.mustRefuse("taking out what is being paid", d.carts.Remove(t.Context(), "A", market.Key(storetest.Chain, "7"), 0),
			fault.Conflict, "paying")
		d.OK(d.carts.Empty(t.Context(), "A"))
		if n := len(d.ends()); n != 1 {
			t.Errorf("%d holds are left by emptying the cart, want the one being paid for", n)
		}
	})
}

// With one call more than the order's, a purchase would belong to no order: it would survive the order's end and take a
// unit that another player then holds, and the order would say that nothing was charged.
// Spec: PAY-13
func TestAttack_PurchaseWithOtherCallsThanTheOrders(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		ctx := t.Context()
		d.put("A", "7", 0)
		o := d.start()
		d.OK(d.orders.MayPay(ctx, "A", o.Calls))
		more := append(slices.Clone(o.Calls), o.Calls[0])
		d.mustRefuse("a call more", d.orders.MayPay(ctx, "A", more), fault.Conflict, "no-order")
		d.mustRefuse("a call less", d.orders.MayPay(ctx, "A", o.Calls[1:]), fault.Conflict, "no-order")
		d.mustRefuse("another player's order", d.orders.MayPay(ctx, "B", o.Calls), fault.Conflict, "no-order")
		_, err := d.orders.Cancel(ctx, "A", o.ID)
		d.OK(err)
		d.mustRefuse("a cancelled order", d.orders.MayPay(ctx, "A", o.Calls), fault.Conflict, "order-over")
		d.start()
		d.OK(d.orders.MayPay(ctx, "A", o.Calls)) // the same calls, for a new order
	})
}

// Of orders started and cancelled again and again, a hundred that ended more than an hour ago are kept.
// Spec: PAY-18
func TestOrders_OfThoseThatEndedUnpaidAHundredAreKept(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		ctx := t.Context()
		for range 110 {
			d.put("A", "7", 0)
			_, err := d.orders.Cancel(ctx, "A", d.start().ID)
			d.OK(err)
			d.OK(d.carts.Empty(ctx, "A"))
		}
		count := func(table string) string { return d.Rows("SELECT COUNT(*) FROM " + table)[0] }
		if got := count("purchase_order"); got != "110" {
			t.Errorf("%s orders are kept within the hour, want 110", got)
		}
		d.Clock.Advance(61 * time.Minute)
		d.put("A", "7", 0)
		d.start()
		if got := count("purchase_order"); got != "101" {
			t.Errorf("%s orders are kept, want a hundred and the new one", got)
		}
		if got := count("order_item"); got != "101" {
			t.Errorf("%s items are kept, want 101", got)
		}
	})
}

// Spec: PAY-11, PAY-13
func TestOrders_FollowsItsOperation(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		ctx := t.Context()
		d.put("A", "7", 0)
		o := d.start()
		d.updates()

		_, err := d.orders.Order(ctx, "B", o.ID)
		d.mustRefuse("another's order", err, fault.NotFound, "")
		_, err = d.orders.Submitted(ctx, "B", o.ID, storetest.Payment(1))
		d.mustRefuse("asking for another's order", err, fault.NotFound, "")
		_, err = d.orders.Submitted(ctx, "A", "unknown", storetest.Payment(1))
		d.mustRefuse("an unknown order", err, fault.NotFound, "")
		_, err = d.orders.Submitted(ctx, "A", o.ID, storetest.Payment(1))
		d.mustRefuse("an operation that the relay has not accepted", err, fault.Conflict, "not-paid")
		d.mustBe(o.ID, checkout.AwaitingPayment)

		// The relay is given operations: with other calls, of another wallet, and finally the order's.
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(7), o.Calls[:1]))
		other := slices.Clone(o.Calls)
		other[1].Data = []byte("buy 2 of 7")
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(8), other))
		d.OK(d.accept("B", storetest.WalletB, storetest.Payment(9), o.Calls))
		d.mustBe(o.ID, checkout.AwaitingPayment)
		d.Clock.Advance(time.Minute)
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls))
		if got := d.mustBe(o.ID, checkout.Submitted); got.UserOpHash == nil || *got.UserOpHash != storetest.Payment(1) {
			t.Errorf("operation %v", got.UserOpHash)
		}
		d.Want("holds while paying", d.ends(), "7/0 16m1s")
		_, err = d.orders.Submitted(ctx, "A", o.ID, storetest.Payment(1))
		d.OK(err)
		_, err = d.orders.Submitted(ctx, "A", o.ID, storetest.Payment(2))
		d.mustRefuse("another operation", err, fault.Conflict, "not-paid")
		d.mustRefuse("a second payment", d.accept("A", storetest.WalletA, storetest.Payment(2), o.Calls), fault.Conflict, "order-over")
		if got := d.order(o.ID); *got.UserOpHash != storetest.Payment(1) {
			t.Error("a second operation took the place of the first")
		}

		d.OK(d.orders.OperationSent(ctx, storetest.Payment(6), eth.Keccak256([]byte("tx"))))
		d.OK(d.orders.OperationFailed(ctx, storetest.Payment(6), "unknown"))
		for _, tx := range []string{"first", "first", "with a higher fee"} {
			d.OK(d.orders.OperationSent(ctx, storetest.Payment(1), eth.Keccak256([]byte(tx))))
			if got := d.mustBe(o.ID, checkout.Confirming); *got.TxHash != eth.Keccak256([]byte(tx)) {
				t.Errorf("transaction %v, want the %s", got.TxHash, tx)
			}
		}
		_, err = d.orders.Submitted(ctx, "A", o.ID, storetest.Payment(1))
		d.OK(err)
		d.mustBe(o.ID, checkout.Confirming)
		d.OK(d.orders.OperationFailed(ctx, storetest.Payment(1), "The item has gone."))
		if got := d.mustBe(o.ID, checkout.Failed); got.Error != "The item has gone." {
			t.Errorf("error %q", got.Error)
		}
		d.OK(d.orders.OperationSent(ctx, storetest.Payment(1), eth.Keccak256([]byte("late"))))
		d.OK(d.orders.OperationFailed(ctx, storetest.Payment(1), "again"))
		got := d.mustBe(o.ID, checkout.Failed)
		var timeline []string
		for _, e := range got.Timeline {
			timeline = append(timeline, string(e.State))
		}
		d.Want("timeline", timeline, "awaiting-payment", "submitted", "confirming", "failed")
		d.Want("told", slices.Compact(d.updates()), "submitted", "confirming", "failed")
		if again := d.start(); again.ID == o.ID {
			t.Error("the failed order cannot be followed by another")
		}
	})
}

// Spec: PAY-11
func TestOrders_OverdueOrdersEnd(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		ctx := t.Context()
		d.put("A", "7", 0)
		o := d.start()
		d.Clock.Advance(15*time.Minute - time.Millisecond)
		d.OK(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.AwaitingPayment)
		d.Clock.Advance(time.Millisecond)
		d.OK(d.orders.Sweep(ctx))
		if got := d.mustBe(o.ID, checkout.Expired); got.Error != "The order was not paid in time. Nothing was charged." {
			t.Errorf("the player reads %q", got.Error)
		}
		err := testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now())
		d.mustRefuse("paying an expired order", err, fault.Conflict, "state", "This order has moved on. Please reload it.")
		if current, err := d.orders.Current(ctx, "A"); err != nil || current != nil {
			t.Errorf("the current order is %v, %v", current, err)
		}

		d.OK(d.carts.Sweep(ctx))
		d.put("A", "7", 1)
		o = d.start()
		err = testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(2), d.Clock.Now())
		d.OK(err)
		d.Clock.Advance(10 * time.Minute)
		d.OK(d.orders.OperationSent(ctx, storetest.Payment(2), eth.Keccak256([]byte("tx"))))
		d.Clock.Advance(15*time.Minute - time.Millisecond) // counted again from the transaction
		d.OK(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.Confirming)
		d.Clock.Advance(time.Millisecond)
		d.OK(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.Failed)

		// The chain's outcome is final, however late it comes.
		d.mined(storetest.Payment(2), true, storetest.Buy("7", "1", storetest.WalletA, 1)...)
		if got := d.mustBe(o.ID, checkout.Complete); got.Error != "" || got.Items[0].Bought != 1 {
			t.Errorf("order %+v", got)
		}
	})
}

// Spec: PAY-12
func TestOrders_ChainSettlesOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what    string
		success bool
		facts   func() []any
		want    checkout.State
		bought  []int64
	}{
		{
			"all bought", true, func() []any {
				return append(storetest.Buy("7", "1", storetest.WalletA, 2), storetest.Buy("8", "2", storetest.WalletA, 1)...)
			}, checkout.Complete,
			[]int64{2, 1},
		},
		{"bought in several sales", true, func() []any {
			return append(append(storetest.Buy("7", "1", storetest.WalletA, 1), storetest.Buy("7", "1", storetest.WalletA, 1)...),
				storetest.Buy("8", "2", storetest.WalletA, 1)...)
		}, checkout.Complete, []int64{2, 1}},
		{"one listing bought", true, func() []any { return storetest.Buy("8", "2", storetest.WalletA, 1) }, checkout.PartlyComplete,
			[]int64{0, 1}},
		{
			"fewer bought", true, func() []any {
				return append(storetest.Buy("7", "1", storetest.WalletA, 1), storetest.Buy("8", "2", storetest.WalletA, 1)...)
			},
			checkout.PartlyComplete, []int64{1, 1},
		},
		{"nothing bought", true, func() []any { return nil }, checkout.Failed, []int64{0, 0}},
		{
			"bought by somebody else", true, func() []any {
				return append(storetest.Buy("7", "1", storetest.WalletB, 2), storetest.Buy("8", "2", storetest.WalletB, 1)...)
			},
			checkout.Failed, []int64{0, 0},
		},
		{"reverted", false, func() []any { return nil }, checkout.Failed, []int64{0, 0}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			eachCheckout(t, func(t *testing.T, d checkoutTest) {
				d.put("A", "7", 0, 1)
				d.put("A", "8", 0)
				o := d.start()
				err := testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now())
				d.OK(err)
				before := d.Tip
				d.updates()
				block := d.mined(storetest.Payment(1), c.success, c.facts()...)
				got := d.mustBe(o.ID, c.want)
				if got.SettledBlock != block.Number || got.TxHash == nil || (got.Error == "") != (c.want == checkout.Complete) {
					t.Errorf("order %+v", got)
				}
				for i, n := range c.bought {
					if got.Items[i].Bought != n {
						t.Errorf("line %d: %d bought, want %d", i, got.Items[i].Bought, n)
					}
				}
				d.Want("told", d.updates(), string(c.want))

				// Later reports of the relay change nothing.
				d.OK(d.orders.OperationFailed(t.Context(), storetest.Payment(1), "late"))
				d.OK(d.orders.OperationSent(t.Context(), storetest.Payment(1), eth.Hash{}))
				d.OK(d.orders.Sweep(t.Context()))
				d.mustBe(o.ID, c.want)

				// A reorganisation removes the block: the payment is in progress again, and is mined again.
				d.Rewind(before)
				got = d.mustBe(o.ID, checkout.Confirming)
				if got.SettledBlock != 0 || got.Error != "" || got.Items[0].Bought != 0 || got.Items[1].Bought != 0 {
					t.Errorf("after the rewind: %+v", got)
				}
				if !got.ExpiresAt.Equal(d.Clock.Now().Add(15 * time.Minute)) {
					t.Errorf("after the rewind the order waits until %v", got.ExpiresAt)
				}
				d.applyOne(storetest.Payment(1), true, "other branch",
					append(storetest.Buy("7", "1", storetest.WalletA, 2), storetest.Buy("8", "2", storetest.WalletA, 1)...)...)
				d.mustBe(o.ID, checkout.Complete)
			})
		})
	}
}

// The chain may settle the order before the browser reports which operation pays.
// Spec: PAY-12
func TestOrders_IsSettledOnce(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		o := d.start()
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls))
		d.mined(storetest.Payment(1), true, storetest.Buy("7", "1", storetest.WalletA, 1)...)
		first := d.mustBe(o.ID, checkout.Complete)
		d.mined(storetest.Payment(1), false)
		if got := d.mustBe(o.ID, checkout.Complete); len(got.Timeline) != len(first.Timeline) || got.SettledBlock != first.SettledBlock {
			t.Errorf("settled again: %+v", got)
		}
		if n := len(d.ends()); n != 0 {
			t.Errorf("%d holds are left of what was bought", n)
		}
	})
}

// A purchase by the same wallet in another transaction of the block is not the order's.
func TestOrders_OnlyTheOperationsTransactionCounts(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		o := d.start()
		err := testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now())
		d.OK(err)
		// apply puts each fact into its own transaction.
		d.Apply(append(storetest.Buy("7", "1", storetest.WalletA, 1),
			onchain.UserOperationEvent{Hash: storetest.Payment(1), Sender: storetest.WalletA, Success: true})...)
		if got := d.mustBe(o.ID, checkout.Failed); got.Items[0].Bought != 0 {
			t.Errorf("order %+v", got)
		}
	})
}

// Spec: PAY-4
func TestOrders_KnowWhatTheSellersGot(t *testing.T) {
	t.Parallel()
	pay := func(to eth.Address, n int64) any {
		return storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, to, n)
	}
	sale := func(listing, token string, n int64, payout ...any) []any {
		return append(payout, storetest.Buy(listing, token, storetest.WalletA, n)...)
	}
	for what, c := range map[string]struct {
		facts []any
		want  string
	}{
		"all bought": {
			append(sale("7", "1", 2, pay(storetest.Stranger, 50), pay(storetest.Seller, 1950)),
				sale("8", "2", 1, pay(storetest.Seller, 900))...), "2850",
		},
		"in several sales": {append(sale("7", "1", 1, pay(storetest.Seller, 975)),
			sale("7", "1", 1, pay(storetest.Seller, 970))...), "1945"},
		"one listing bought":    {sale("8", "2", 1, pay(storetest.Seller, 975)), "975"},
		"a payout is not known": {append(sale("8", "2", 1), sale("7", "1", 1, pay(storetest.Seller, 975))...), "unknown"},
		"nothing bought":        {nil, "unknown"},
		"bought by another":     {storetest.Buy("7", "1", storetest.WalletB, 2), "unknown"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			eachCheckout(t, func(t *testing.T, d checkoutTest) {
				d.put("A", "7", 0, 1)
				d.put("A", "8", 0)
				o := d.start()
				d.OK(testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now()))
				known := func() string {
					if received := d.order(o.ID).Received; received != nil {
						return received.String()
					}
					return "unknown"
				}
				if got := known(); got != "unknown" {
					t.Errorf("before the sale the sellers got %s", got)
				}
				before := d.Tip
				d.mined(storetest.Payment(1), true, c.facts...)
				if got := known(); got != c.want {
					t.Errorf("the sellers got %s, want %s", got, c.want)
				}
				d.Rewind(before)
				if got := known(); got != "unknown" {
					t.Errorf("after the rewind the sellers got %s", got)
				}
			})
		})
	}
}

// An unpaid order ends with the first of its holds, whatever ends that.
func TestOrders_UnpaidOneEndsWithItsHold(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		end    func(d checkoutTest)
		reason string
	}{
		"swept before the order is": {func(d checkoutTest) {
			d.Clock.Advance(15*time.Minute + time.Second)
			d.OK(d.carts.Sweep(d.T.Context()))
		}, "The hold ran out before you paid. Nothing was charged."},
		"taken by another player once it has expired": {func(d checkoutTest) {
			d.Clock.Advance(15*time.Minute + time.Second)
			d.put("B", "7", 0)
		}, "The hold ran out before you paid. Nothing was charged."},
		"no longer covered by the player's money": {func(d checkoutTest) {
			d.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.Stranger, 9_500))
		}, "Your wallet no longer has the money for this order. Nothing was charged."},
		"ended by a freeze": {func(d checkoutTest) {
			_, err := testkit.Operator(d.DB, d.Clock).Freeze(d.T.Context(), "A", testkit.By("under review"))
			d.OK(err)
		}, "Your cart changed, so this order ended. Nothing was charged."},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			eachCheckout(t, func(t *testing.T, d checkoutTest) {
				d = d.needFunds()
				d.put("A", "7", 0)
				o := d.start()
				d.updates()
				c.end(d)
				if got := d.mustBe(o.ID, checkout.Expired); got.Error != c.reason {
					t.Errorf("the order says %q, want %q", got.Error, c.reason)
				}
				d.Want("told", d.updates(), "expired")
				f := fault.As(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls))
				if f == nil || f.Reason != "order-over" && f.Reason != "frozen" {
					t.Errorf("its payment: %v", f)
				}
			})
		})
	}
}

func TestOrders_PurchaseThatTheIndexMissedIsSettledByAReplacement(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		shadow := openCheckout(storetest.OpenIndex(t, store.SQLite))
		d.put("A", "7", 0)
		o := d.start()
		d.OK(testkit.SubmitOrder(t, d.DB, o.ID, storetest.Payment(1), d.Clock.Now()))
		b := storetest.InTx(d.Next(append(storetest.Buy("7", "1", storetest.WalletA, 1),
			onchain.UserOperationEvent{Hash: storetest.Payment(1), Sender: storetest.WalletA, Success: true})...), storetest.TxOf("paid"))
		d.OK(shadow.Index.ApplyBatch(t.Context(), b))
		b.Ops, b.Listings, b.Transfers = nil, nil, nil
		d.OK(d.Index.ApplyBatch(t.Context(), b))
		d.mustBe(o.ID, checkout.Submitted)
		d.Replace(shadow.Indexed)
		if got := d.mustBe(o.ID, checkout.Complete); got.Items[0].Bought != 1 {
			t.Errorf("%+v", got.Items)
		}
		d.Want("holds", d.Holds())
	})
}

// The index ends holds without the player's turn: one may be gone between reading the cart and ordering it.
func TestCheckout_HoldThatEndsMeanwhileIsNoFault(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		orders := cartstore.Orders{DB: d.DB, Chain: storetest.Chain}
		err := orders.Checkout(t.Context(), "A", func(ctx context.Context, tx checkout.Tx) error {
			units, err := tx.Cart(ctx, d.Clock.Now())
			if err != nil || len(units) != 1 {
				t.Fatalf("the cart has %v: %v", units, err)
			}
			units[0].Unit = 5 // which is not held
			return tx.KeepFor(ctx, units[0], "order", d.Clock.Now().Add(time.Minute))
		})
		if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != "cart-changed" {
			t.Errorf("ordering what is not held any more: %v", err)
		}
	})
}
