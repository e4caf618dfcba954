package store_test

import (
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
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// checkoutTest is the environment of player A's payments: an index fed by the test, a cart and the checkout.
type checkoutTest struct {
	*indexed
	carts  *cart.Service
	orders *checkout.Service
}

// plainCalls encodes a purchase's calls as text.
type plainCalls struct{}

func (plainCalls) PurchaseCalls(_, currency eth.Address, total money.Units, lines []checkout.Item) ([]checkout.Call, error) {
	calls := []checkout.Call{{To: currency, Data: []byte("approve " + total.String())}}
	for _, l := range lines {
		calls = append(calls, checkout.Call{To: marketplace, Data: fmt.Appendf(nil, "buy %d of %s", l.Quantity, l.Number)})
	}
	return calls, nil
}

// eachCheckout runs the test on each database. A has 10,000 base units; listings 7 and 8 offer 10 units at 1000 each, and
// listing 9 does so for five minutes only.
func eachCheckout(t *testing.T, test func(t *testing.T, d checkoutTest)) {
	t.Helper()
	eachIndex(t, func(t *testing.T, x *indexed) { test(t, openCheckout(x)) })
}

func openCheckout(x *indexed) checkoutTest {
	d := checkoutTest{
		indexed: x, carts: cart.NewService(cartstore.New(x.db), x.clock, cart.Options{}),
		orders: checkout.NewService(cartstore.Orders{DB: x.db, Chain: indexChain}, plainCalls{}, x.clock, indexChain,
			checkout.Currency{Address: usdc, Symbol: "USDC", Decimals: 6}),
	}
	for _, player := range []string{"A", "B"} {
		x.ok(accounts.New(x.db).RegisterPair(x.t.Context(), player, indexStart, nil))
	}
	short := termsOf(items, "9", 10)
	short.End = indexStart.Add(5 * time.Minute)
	x.apply(
		transfer(onchain.ERC20, usdc, "0", eth.Address{}, walletA, 10_000), allowAll(items, seller, true),
		mintItems(seller, "1", 10), mintItems(seller, "2", 10), mintItems(seller, "9", 10),
		list("7", termsOf(items, "1", 10)), list("8", termsOf(items, "2", 10)), list("9", short),
	)
	x.told()
	return d
}

func (d checkoutTest) put(player, number string, units ...int64) {
	d.t.Helper()
	for _, u := range units {
		_, err := d.carts.Add(d.t.Context(), cart.Holder{PlayerID: player}, market.Key(indexChain, number), items, &u)
		d.ok(err)
	}
}

func (d checkoutTest) start() *checkout.Order {
	d.t.Helper()
	o, err := d.orders.Start(d.t.Context(), "A", checkout.Shown{})
	d.ok(err)
	return o
}

// order reads A's order again.
func (d checkoutTest) order(id string) *checkout.Order {
	d.t.Helper()
	o, err := d.orders.Order(d.t.Context(), "A", id)
	d.ok(err)
	return o
}

func (d checkoutTest) mustBe(id string, want checkout.State) *checkout.Order {
	d.t.Helper()
	o := d.order(id)
	if o.State != want {
		d.t.Fatalf("the order is %s, want %s; timeline %v", o.State, want, o.Timeline)
	}
	if last := o.Timeline[len(o.Timeline)-1]; last.State != o.State || last.Detail == "" {
		d.t.Errorf("the timeline ends with %+v in state %s", last, o.State)
	}
	return o
}

// ends returns when A's holds expire, by listing and unit.
func (d checkoutTest) ends() []string {
	d.t.Helper()
	held, err := d.carts.Items(d.t.Context(), "A")
	d.ok(err)
	var out []string
	for _, i := range held {
		out = append(out, fmt.Sprintf("%s/%d %s", i.Number, i.Unit, i.ExpiresAt.Sub(indexStart)))
	}
	slices.Sort(out)
	return out
}

// mustRefuse checks a fault, and its text if one is given.
func (d checkoutTest) mustRefuse(what string, err error, code fault.Code, reason string, text ...string) {
	d.t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || f.Reason != reason {
		d.t.Errorf("%s: %v, want a fault %s %q", what, err, code, reason)
	} else if text != nil && f.Message != text[0] {
		d.t.Errorf("%s: the player reads %q, want %q", what, f.Message, text[0])
	}
}

// accept adds an operation of the player's wallet with the calls to the relay.
func (d checkoutTest) accept(player string, wallet eth.Address, op eth.Hash, calls []checkout.Call) error {
	d.t.Helper()
	batch := make([]gas.Call, len(calls))
	for i, c := range calls {
		batch[i] = gas.Call{Target: c.To, Data: c.Data}
	}
	operation := gas.Operation{
		Hash: op, Chain: indexChain, EntryPoint: marketplace, Player: player, CreatedAt: d.clock.Now(),
		Operation: eth.UserOperation{Sender: wallet, Nonce: eth.Quantity(op), CallData: gas.EncodeCalls(batch)},
	}
	sponsor(d.t, d.db, operation)
	_, err := gasstore.New(d.db).AddOperation(d.t.Context(), operation)
	return err
}

func payment(n byte) eth.Hash { return eth.Keccak256([]byte{'o', 'p', n}) }

// mined applies a block in which the operation was executed, with the purchases.
func (d checkoutTest) mined(op eth.Hash, success bool, facts ...any) onchain.Block {
	d.t.Helper()
	return d.applyOne(op, success, "", facts...)
}

// applyOne adds a block with all facts in one transaction: the operation's.
func (d checkoutTest) applyOne(op eth.Hash, success bool, branch string, facts ...any) onchain.Block {
	d.t.Helper()
	b := batchAfter(d.tip, d.clock.Now().Add(time.Second), branch,
		append(facts, onchain.UserOperationEvent{Hash: op, Sender: walletA, Success: success})...)
	tx := b.Ops[0].Tx
	for i := range b.Transfers {
		b.Transfers[i].Tx = tx
	}
	for i := range b.Listings {
		b.Listings[i].Tx = tx
	}
	d.ok(d.index.ApplyBatch(d.t.Context(), b))
	d.clock.Advance(time.Second)
	d.tip = b.Blocks[0]
	return d.tip
}

func (d checkoutTest) updates() (states []string) {
	d.t.Helper()
	for _, line := range d.told() {
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
		d.clock.Advance(59 * time.Second) // the index advanced the clock by one second
		d.put("A", "8", 4)
		d.told()
		o := d.start()
		d.want("holds", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s")
		if o.State != checkout.AwaitingPayment || o.Total.String() != "3000" || o.Wallet != walletA || o.Chain != indexChain ||
			o.Currency != usdc ||
			!o.ExpiresAt.Equal(indexStart.Add(15*time.Minute+time.Second)) || len(o.Items) != 2 || o.Items[0].Quantity != 2 ||
			o.Items[1].Quantity != 1 {
			t.Errorf("order %+v", o)
		}
		var calls []string
		for _, c := range o.Calls {
			calls = append(calls, c.To.String()+" "+string(c.Data))
		}
		d.want("calls", calls, usdc.String()+" approve 3000", marketplace.String()+" buy 2 of 7", marketplace.String()+" buy 1 of 8")
		d.want("told", d.updates(), "awaiting-payment")
		kept, err := json.Marshal(d.order(o.ID))
		d.ok(err)
		made, err := json.Marshal(o)
		d.ok(err)
		if string(kept) != string(made) {
			t.Errorf("kept as %s, made as %s", kept, made)
		}

		d.clock.Advance(time.Minute)
		again := d.start()
		if again.ID != o.ID || !again.ExpiresAt.Equal(o.ExpiresAt) {
			t.Errorf("starting again gave order %s until %v, want %s as it was", again.ID, again.ExpiresAt, o.ID)
		}
		d.want("holds, extended once", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s")
		if current, err := d.orders.Current(t.Context(), "A"); err != nil || current == nil || current.ID != o.ID {
			t.Errorf("the current order is %v, %v", current, err)
		}

		d.put("A", "8", 5)
		next := d.start()
		if old := d.mustBe(o.ID, checkout.Expired); next.ID == o.ID || old.Timeline[1].Detail != "Replaced by a newer order." {
			t.Errorf("the replaced order's timeline is %v", old.Timeline)
		}
		d.want("holds of the newer order", d.ends(), "7/0 15m1s", "7/1 15m1s", "8/4 16m0s", "8/5 17m0s")
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
		d.apply(relist("7", func() *onchain.ListingTerms {
			c := termsOf(items, "1", 10)
			c.PricePerToken = money.FromInt(500)
			return c
		}()))
		seen = money.FromInt(1000)
		d.mustRefuse("a price that changed", start("A", &seen), fault.Conflict, "price-changed",
			"A price has changed: the total is now 0.0005 USDC.")
		seen = money.FromInt(500)
		d.ok(start("A", &seen))

		d.put("A", "9", 0)
		d.clock.Advance(5 * time.Minute)
		d.mustRefuse("a sale that is over", start("A", nil), fault.Conflict, "gone",
			"Something in your cart is no longer for sale. Please remove it first.")
		d.ok(d.carts.Remove(t.Context(), "A", market.Key(indexChain, "9"), 0))
		o := d.start()
		err := testkit.SubmitOrder(t, d.db, o.ID, payment(1), d.clock.Now())
		d.ok(err)
		d.mustRefuse("a payment under way", start("A", nil), fault.Conflict, "paying", "Your last payment is still on its way.")
		d.mustRefuse("taking out what is being paid", d.carts.Remove(t.Context(), "A", market.Key(indexChain, "7"), 0), fault.Conflict, "paying")
		d.ok(d.carts.Empty(t.Context(), "A"))
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
		d.ok(d.orders.MayPay(ctx, "A", o.Calls))
		more := append(slices.Clone(o.Calls), o.Calls[0])
		d.mustRefuse("a call more", d.orders.MayPay(ctx, "A", more), fault.Conflict, "no-order")
		d.mustRefuse("a call less", d.orders.MayPay(ctx, "A", o.Calls[1:]), fault.Conflict, "no-order")
		d.mustRefuse("another player's order", d.orders.MayPay(ctx, "B", o.Calls), fault.Conflict, "no-order")
		_, err := d.orders.Cancel(ctx, "A", o.ID)
		d.ok(err)
		d.mustRefuse("a cancelled order", d.orders.MayPay(ctx, "A", o.Calls), fault.Conflict, "order-over")
		d.start()
		d.ok(d.orders.MayPay(ctx, "A", o.Calls)) // the same calls, for a new order
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
			d.ok(err)
			d.ok(d.carts.Empty(ctx, "A"))
		}
		count := func(table string) string { return d.rows("SELECT COUNT(*) FROM " + table)[0] }
		if got := count("purchase_order"); got != "110" {
			t.Errorf("%s orders are kept within the hour, want 110", got)
		}
		d.clock.Advance(61 * time.Minute)
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
		_, err = d.orders.Submitted(ctx, "B", o.ID, payment(1))
		d.mustRefuse("asking for another's order", err, fault.NotFound, "")
		_, err = d.orders.Submitted(ctx, "A", "unknown", payment(1))
		d.mustRefuse("an unknown order", err, fault.NotFound, "")
		_, err = d.orders.Submitted(ctx, "A", o.ID, payment(1))
		d.mustRefuse("an operation that the relay has not accepted", err, fault.Conflict, "not-paid")
		d.mustBe(o.ID, checkout.AwaitingPayment)

		// The relay is given operations: with other calls, of another wallet, and finally the order's.
		d.ok(d.accept("A", walletA, payment(7), o.Calls[:1]))
		other := slices.Clone(o.Calls)
		other[1].Data = []byte("buy 2 of 7")
		d.ok(d.accept("A", walletA, payment(8), other))
		d.ok(d.accept("B", walletB, payment(9), o.Calls))
		d.mustBe(o.ID, checkout.AwaitingPayment)
		d.clock.Advance(time.Minute)
		d.ok(d.accept("A", walletA, payment(1), o.Calls))
		if got := d.mustBe(o.ID, checkout.Submitted); got.UserOpHash == nil || *got.UserOpHash != payment(1) {
			t.Errorf("operation %v", got.UserOpHash)
		}
		d.want("holds while paying", d.ends(), "7/0 16m1s")
		_, err = d.orders.Submitted(ctx, "A", o.ID, payment(1))
		d.ok(err)
		_, err = d.orders.Submitted(ctx, "A", o.ID, payment(2))
		d.mustRefuse("another operation", err, fault.Conflict, "not-paid")
		d.mustRefuse("a second payment", d.accept("A", walletA, payment(2), o.Calls), fault.Conflict, "order-over")
		if got := d.order(o.ID); *got.UserOpHash != payment(1) {
			t.Error("a second operation took the place of the first")
		}

		d.ok(d.orders.OperationSent(ctx, payment(6), eth.Keccak256([]byte("tx"))))
		d.ok(d.orders.OperationFailed(ctx, payment(6), "unknown"))
		for _, tx := range []string{"first", "first", "with a higher fee"} {
			d.ok(d.orders.OperationSent(ctx, payment(1), eth.Keccak256([]byte(tx))))
			if got := d.mustBe(o.ID, checkout.Confirming); *got.TxHash != eth.Keccak256([]byte(tx)) {
				t.Errorf("transaction %v, want the %s", got.TxHash, tx)
			}
		}
		_, err = d.orders.Submitted(ctx, "A", o.ID, payment(1))
		d.ok(err)
		d.mustBe(o.ID, checkout.Confirming)
		d.ok(d.orders.OperationFailed(ctx, payment(1), "The item has gone."))
		if got := d.mustBe(o.ID, checkout.Failed); got.Error != "The item has gone." {
			t.Errorf("error %q", got.Error)
		}
		d.ok(d.orders.OperationSent(ctx, payment(1), eth.Keccak256([]byte("late"))))
		d.ok(d.orders.OperationFailed(ctx, payment(1), "again"))
		got := d.mustBe(o.ID, checkout.Failed)
		var timeline []string
		for _, e := range got.Timeline {
			timeline = append(timeline, string(e.State))
		}
		d.want("timeline", timeline, "awaiting-payment", "submitted", "confirming", "failed")
		d.want("told", slices.Compact(d.updates()), "submitted", "confirming", "failed")
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
		d.clock.Advance(15*time.Minute - time.Millisecond)
		d.ok(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.AwaitingPayment)
		d.clock.Advance(time.Millisecond)
		d.ok(d.orders.Sweep(ctx))
		if got := d.mustBe(o.ID, checkout.Expired); got.Error != "The order was not paid in time. Nothing was charged." {
			t.Errorf("the player reads %q", got.Error)
		}
		err := testkit.SubmitOrder(t, d.db, o.ID, payment(1), d.clock.Now())
		d.mustRefuse("paying an expired order", err, fault.Conflict, "state", "This order has moved on. Please reload it.")
		if current, err := d.orders.Current(ctx, "A"); err != nil || current != nil {
			t.Errorf("the current order is %v, %v", current, err)
		}

		d.ok(d.carts.Sweep(ctx))
		d.put("A", "7", 1)
		o = d.start()
		err = testkit.SubmitOrder(t, d.db, o.ID, payment(2), d.clock.Now())
		d.ok(err)
		d.clock.Advance(10 * time.Minute)
		d.ok(d.orders.OperationSent(ctx, payment(2), eth.Keccak256([]byte("tx"))))
		d.clock.Advance(15*time.Minute - time.Millisecond) // counted again from the transaction
		d.ok(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.Confirming)
		d.clock.Advance(time.Millisecond)
		d.ok(d.orders.Sweep(ctx))
		d.mustBe(o.ID, checkout.Failed)

		// The chain's outcome is final, however late it comes.
		d.mined(payment(2), true, buy("7", "1", walletA, 1)...)
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
			"all bought", true, func() []any { return append(buy("7", "1", walletA, 2), buy("8", "2", walletA, 1)...) }, checkout.Complete,
			[]int64{2, 1},
		},
		{"bought in several sales", true, func() []any {
			return append(append(buy("7", "1", walletA, 1), buy("7", "1", walletA, 1)...), buy("8", "2", walletA, 1)...)
		}, checkout.Complete, []int64{2, 1}},
		{"one listing bought", true, func() []any { return buy("8", "2", walletA, 1) }, checkout.PartlyComplete, []int64{0, 1}},
		{
			"fewer bought", true, func() []any { return append(buy("7", "1", walletA, 1), buy("8", "2", walletA, 1)...) },
			checkout.PartlyComplete, []int64{1, 1},
		},
		{"nothing bought", true, func() []any { return nil }, checkout.Failed, []int64{0, 0}},
		{
			"bought by somebody else", true, func() []any { return append(buy("7", "1", walletB, 2), buy("8", "2", walletB, 1)...) },
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
				err := testkit.SubmitOrder(t, d.db, o.ID, payment(1), d.clock.Now())
				d.ok(err)
				before := d.tip
				d.updates()
				block := d.mined(payment(1), c.success, c.facts()...)
				got := d.mustBe(o.ID, c.want)
				if got.SettledBlock != block.Number || got.TxHash == nil || (got.Error == "") != (c.want == checkout.Complete) {
					t.Errorf("order %+v", got)
				}
				for i, n := range c.bought {
					if got.Items[i].Bought != n {
						t.Errorf("line %d: %d bought, want %d", i, got.Items[i].Bought, n)
					}
				}
				d.want("told", d.updates(), string(c.want))

				// Later reports of the relay change nothing.
				d.ok(d.orders.OperationFailed(t.Context(), payment(1), "late"))
				d.ok(d.orders.OperationSent(t.Context(), payment(1), eth.Hash{}))
				d.ok(d.orders.Sweep(t.Context()))
				d.mustBe(o.ID, c.want)

				// A reorganisation removes the block: the payment is in progress again, and is mined again.
				d.rewind(before)
				got = d.mustBe(o.ID, checkout.Confirming)
				if got.SettledBlock != 0 || got.Error != "" || got.Items[0].Bought != 0 || got.Items[1].Bought != 0 {
					t.Errorf("after the rewind: %+v", got)
				}
				if !got.ExpiresAt.Equal(d.clock.Now().Add(15 * time.Minute)) {
					t.Errorf("after the rewind the order waits until %v", got.ExpiresAt)
				}
				d.applyOne(payment(1), true, "other branch", append(buy("7", "1", walletA, 2), buy("8", "2", walletA, 1)...)...)
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
		d.ok(d.accept("A", walletA, payment(1), o.Calls))
		d.mined(payment(1), true, buy("7", "1", walletA, 1)...)
		first := d.mustBe(o.ID, checkout.Complete)
		d.mined(payment(1), false)
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
		err := testkit.SubmitOrder(t, d.db, o.ID, payment(1), d.clock.Now())
		d.ok(err)
		// apply puts each fact into its own transaction.
		d.apply(append(buy("7", "1", walletA, 1), onchain.UserOperationEvent{Hash: payment(1), Sender: walletA, Success: true})...)
		if got := d.mustBe(o.ID, checkout.Failed); got.Items[0].Bought != 0 {
			t.Errorf("order %+v", got)
		}
	})
}

// Spec: PAY-4
func TestOrders_KnowWhatTheSellersGot(t *testing.T) {
	t.Parallel()
	pay := func(to eth.Address, n int64) any { return transfer(onchain.ERC20, usdc, "0", walletA, to, n) }
	sale := func(listing, token string, n int64, payout ...any) []any {
		return append(payout, buy(listing, token, walletA, n)...)
	}
	for what, c := range map[string]struct {
		facts []any
		want  string
	}{
		"all bought": {
			append(sale("7", "1", 2, pay(stranger, 50), pay(seller, 1950)), sale("8", "2", 1, pay(seller, 900))...), "2850",
		},
		"in several sales":      {append(sale("7", "1", 1, pay(seller, 975)), sale("7", "1", 1, pay(seller, 970))...), "1945"},
		"one listing bought":    {sale("8", "2", 1, pay(seller, 975)), "975"},
		"a payout is not known": {append(sale("8", "2", 1), sale("7", "1", 1, pay(seller, 975))...), "unknown"},
		"nothing bought":        {nil, "unknown"},
		"bought by another":     {buy("7", "1", walletB, 2), "unknown"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			eachCheckout(t, func(t *testing.T, d checkoutTest) {
				d.put("A", "7", 0, 1)
				d.put("A", "8", 0)
				o := d.start()
				d.ok(testkit.SubmitOrder(t, d.db, o.ID, payment(1), d.clock.Now()))
				known := func() string {
					if received := d.order(o.ID).Received; received != nil {
						return received.String()
					}
					return "unknown"
				}
				if got := known(); got != "unknown" {
					t.Errorf("before the sale the sellers got %s", got)
				}
				before := d.tip
				d.mined(payment(1), true, c.facts...)
				if got := known(); got != c.want {
					t.Errorf("the sellers got %s, want %s", got, c.want)
				}
				d.rewind(before)
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
			d.clock.Advance(15*time.Minute + time.Second)
			d.ok(d.carts.Sweep(d.t.Context()))
		}, "The hold ran out before you paid. Nothing was charged."},
		"taken by another player once it has expired": {func(d checkoutTest) {
			d.clock.Advance(15*time.Minute + time.Second)
			d.put("B", "7", 0)
		}, "The hold ran out before you paid. Nothing was charged."},
		"no longer covered by the player's money": {func(d checkoutTest) {
			d.apply(transfer(onchain.ERC20, usdc, "0", walletA, stranger, 9_500))
		}, "Your wallet no longer has the money for this order. Nothing was charged."},
		"ended by a freeze": {func(d checkoutTest) {
			_, err := testkit.Operator(d.db, d.clock).Freeze(d.t.Context(), "A", testkit.By("under review"))
			d.ok(err)
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
				d.want("told", d.updates(), "expired")
				if f := fault.As(d.accept("A", walletA, payment(1), o.Calls)); f == nil || f.Reason != "order-over" && f.Reason != "frozen" {
					t.Errorf("its payment: %v", f)
				}
			})
		})
	}
}
