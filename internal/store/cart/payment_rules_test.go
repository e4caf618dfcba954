package cart_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// pricedCalls encodes a purchase's calls as text, with what the marketplace checks: the total of each listing.
type pricedCalls struct{}

func (pricedCalls) PurchaseCalls(_, currency eth.Address, total money.Units, lines []checkout.Item) ([]checkout.Call, error) {
	calls := []checkout.Call{{To: currency, Data: []byte("approve " + total.String())}}
	for _, l := range lines {
		calls = append(calls, checkout.Call{To: storetest.Marketplace,
			Data: fmt.Appendf(nil, "buy %d of %s at %s", l.Quantity, l.Number, l.Price)})
	}
	return calls, nil
}

// line is what a page shows of a listing: the number of units and their price.
type line struct {
	quantity int64
	price    string
}

// screen is what one tab shows at the checkout: an order that awaits payment, or the cart.
type screen struct {
	order string
	units []checkout.ShownUnit
	lines map[string]line // by listing number
}

// click is a press of the pay button, and the resulting calls.
type click struct {
	shown map[string]line
	calls []checkout.Call
}

// paymentMachine drives player A in two tabs whose screens may be stale.
type paymentMachine struct {
	checkoutTest
	run      int
	ops      int
	listings []string // numbers
	offered  map[string]line
	tabs     [2]screen
	signed   []click // signed, not yet sent
	accepted map[eth.Hash]click
	bought   int
}

func (m *paymentMachine) must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// refused reports whether a rule refused a call; any other error fails the test.
func (m *paymentMachine) refused(t *rapid.T, err error) bool {
	if err != nil && fault.As(err) == nil {
		t.Fatal(err)
	}
	return err != nil
}

func (m *paymentMachine) tab(t *rapid.T) *screen {
	return &m.tabs[rapid.IntRange(0, 1).Draw(t, "tab")]
}

func (m *paymentMachine) listing(t *rapid.T) string {
	return rapid.SampledFrom(m.listings).Draw(t, "listing")
}

func (m *paymentMachine) hold(t *rapid.T) {
	_, err := m.carts.Add(m.T.Context(), cart.Holder{PlayerID: "A"}, market.Key(storetest.Chain, m.listing(t)), storetest.Items, nil)
	m.refused(t, err)
}

func (m *paymentMachine) release(t *rapid.T) {
	held, err := m.carts.Items(m.T.Context(), "A")
	m.must(t, err)
	if len(held) == 0 {
		t.Skip("the cart is empty")
	}
	i := rapid.SampledFrom(held).Draw(t, "unit")
	m.refused(t, m.carts.Remove(m.T.Context(), "A", i.ListingID, i.Unit))
}

func (m *paymentMachine) empty(t *rapid.T) { m.must(t, m.carts.Empty(m.T.Context(), "A")) }

// reload refreshes a tab: it shows the order that awaits payment, else the cart.
func (m *paymentMachine) reload(t *rapid.T) {
	s := m.tab(t)
	*s = screen{lines: map[string]line{}}
	o, err := m.orders.Current(m.T.Context(), "A")
	m.must(t, err)
	if o != nil {
		s.order = o.ID
		for _, i := range o.Items {
			s.lines[i.Number] = line{i.Quantity, i.Price.String()}
		}
		return
	}
	held, err := m.carts.Items(m.T.Context(), "A")
	m.must(t, err)
	for _, i := range held {
		price := m.offered[i.Number].price
		units, err := money.Parse(price)
		m.must(t, err)
		s.units = append(s.units, checkout.ShownUnit{Number: i.Number, Contract: i.Contract, Price: units})
		s.lines[i.Number] = line{s.lines[i.Number].quantity + 1, price}
	}
}

// press presses the pay button of a tab. The order must be what the tab shows; signing may fail or be delayed.
func (m *paymentMachine) press(t *rapid.T) {
	s := m.tab(t)
	if s.order == "" && len(s.units) == 0 {
		t.Skip("the page shows nothing to pay")
	}
	o, err := m.orders.Start(m.T.Context(), "A", checkout.Shown{OrderID: s.order, Units: s.units})
	if m.refused(t, err) {
		return
	}
	got := map[string]line{}
	for _, i := range o.Items {
		got[i.Number] = line{i.Quantity, i.Price.String()}
	}
	if !maps.Equal(got, s.lines) {
		t.Fatalf("the page showed %v, the order is of %v", s.lines, got)
	}
	if rapid.IntRange(0, 2).Draw(t, "signing") == 0 {
		return // signing failed
	}
	m.signed = append(m.signed, click{maps.Clone(s.lines), o.Calls})
}

// send sends a signed operation to the relay, possibly long after it was signed.
func (m *paymentMachine) send(t *rapid.T) {
	if len(m.signed) == 0 {
		t.Skip("nothing is signed")
	}
	i := rapid.IntRange(0, len(m.signed)-1).Draw(t, "operation")
	c := m.signed[i]
	m.signed = slices.Delete(m.signed, i, i+1)
	m.ops++
	op := eth.Keccak256(fmt.Appendf(nil, "%d %d", m.run, m.ops))
	before, err := m.orders.Current(m.T.Context(), "A")
	m.must(t, err)
	if m.refused(t, m.accept("A", storetest.WalletA, op, c.calls)) {
		return
	}
	if before == nil || before.State != checkout.AwaitingPayment {
		t.Fatalf("a payment was accepted while no order waited for one: %v", before)
	}
	if after := m.order(before.ID); after.State != checkout.Submitted || *after.UserOpHash != op {
		t.Fatalf("the paid order is %s", after.State)
	}
	m.accepted[op] = c
}

func (m *paymentMachine) cancel(t *rapid.T) {
	s := m.tab(t)
	if s.order == "" {
		t.Skip("the page shows no order")
	}
	o, err := m.orders.Cancel(m.T.Context(), "A", s.order)
	if !m.refused(t, err) && o.State == checkout.AwaitingPayment {
		t.Fatal("the cancelled order still waits for its payment")
	}
}

func (m *paymentMachine) pass(t *rapid.T) {
	m.Clock.Advance(time.Duration(rapid.IntRange(1, 8).Draw(t, "minutes")) * time.Minute)
	if rapid.Bool().Draw(t, "orders first") {
		m.must(t, m.orders.Sweep(m.T.Context()))
	}
	m.must(t, m.carts.Sweep(m.T.Context()))
	m.must(t, m.orders.Sweep(m.T.Context()))
}

// reprice sets the price of a listing, possibly to the same one.
func (m *paymentMachine) reprice(t *rapid.T) {
	number := m.listing(t)
	price := int64(rapid.IntRange(1, 2).Draw(t, "price"))
	terms := storetest.TermsOf(storetest.Items, number, m.offered[number].quantity)
	terms.PricePerToken = money.FromInt(price)
	m.Apply(storetest.Relist(number, terms))
	m.offered[number] = line{m.offered[number].quantity, fmt.Sprint(price)}
}

// sell sells a unit to a buyer outside the portal.
func (m *paymentMachine) sell(t *rapid.T) {
	number := m.listing(t)
	o := m.offered[number]
	if o.quantity == 0 {
		t.Skip("it is sold out")
	}
	m.offered[number] = line{o.quantity - 1, o.price}
	m.Apply(storetest.Buy(number, number, storetest.WalletB, 1)...)
}

// mine executes an accepted operation as the marketplace would. The purchase must match the screen.
func (m *paymentMachine) mine(t *rapid.T) {
	if len(m.accepted) == 0 {
		t.Skip("no payment is on its way")
	}
	ops := slices.SortedFunc(maps.Keys(m.accepted), func(a, b eth.Hash) int { return strings.Compare(a.String(), b.String()) })
	op := rapid.SampledFrom(ops).Draw(t, "operation")
	c := m.accepted[op]
	delete(m.accepted, op)
	bought, facts, success := map[string]line{}, []any{}, true
	for _, call := range c.calls[1:] {
		var quantity int64
		var number, price string
		if _, err := fmt.Sscanf(string(call.Data), "buy %d of %s at %s", &quantity, &number, &price); err != nil {
			t.Fatal(err)
		}
		o := m.offered[number]
		if o.quantity < quantity || o.price != price {
			success = false
			break
		}
		bought[number] = line{quantity, price}
		facts = append(facts, storetest.Buy(number, number, storetest.WalletA, quantity)...)
	}
	if !success {
		facts, bought = nil, nil
	}
	for number, b := range bought {
		o := m.offered[number]
		m.offered[number] = line{o.quantity - b.quantity, o.price}
	}
	m.applyOne(op, success, fmt.Sprint(m.run, m.ops, m.Clock.Now()), facts...)
	if success {
		m.bought++
		if !maps.Equal(bought, c.shown) {
			t.Fatalf("the page showed %v when pay was pressed, the chain says that %v were bought", c.shown, bought)
		}
	}
	for _, o := range m.recent(t) {
		if o.UserOpHash != nil && *o.UserOpHash == op && o.SettledBlock == 0 {
			t.Fatalf("the chain has spoken, the order is %s", o.State)
		}
	}
}

func (m *paymentMachine) recent(t *rapid.T) []*checkout.Order {
	var ids []string
	rows, err := m.Raw.QueryContext(m.T.Context(),
		"SELECT id FROM purchase_order WHERE player_id = 'A' ORDER BY created_at DESC, id DESC LIMIT 20")
	m.must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		m.must(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	m.must(t, rows.Err())
	recent := make([]*checkout.Order, len(ids))
	for i, id := range ids {
		recent[i] = m.order(id)
	}
	return recent
}

// shop holds a unit, reloads and presses pay, the most common sequence.
func (m *paymentMachine) shop(t *rapid.T) {
	m.hold(t)
	m.reload(t)
	m.press(t)
}

// settle sends a payment and mines one.
func (m *paymentMachine) settle(t *rapid.T) {
	m.send(t)
	m.mine(t)
}

// buy shops and settles in one step.
func (m *paymentMachine) buy(t *rapid.T) {
	m.shop(t)
	m.settle(t)
}

// check compares the order that awaits payment with the cart: all its units are held, at its prices.
func (m *paymentMachine) check(t *rapid.T) {
	o, err := m.orders.Current(m.T.Context(), "A")
	m.must(t, err)
	if o == nil || o.State != checkout.AwaitingPayment || !o.ExpiresAt.After(m.Clock.Now()) {
		return
	}
	held, err := m.carts.Items(m.T.Context(), "A")
	m.must(t, err)
	units := map[string]int64{}
	for _, i := range held {
		if i.OrderID == o.ID {
			units[i.Number]++
		}
	}
	for _, i := range o.Items {
		if units[i.Number] != i.Quantity {
			t.Fatalf("%d units of %s wait to be paid, %d are held for it", i.Quantity, i.Number, units[i.Number])
		}
		if now := m.offered[i.Number].price; now != i.Price.String() {
			t.Fatalf("%s waits to be paid at %s, its price is %s", i.Number, i.Price, now)
		}
	}
}

// A purchase buys what was on the screen when the player pressed pay, whatever happens in two tabs, failed signatures,
// reloads, price changes and expiries in between.
// Spec: PAY-8
func TestCheckout_WhatIsPaidIsWhatIsShown(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			m := &paymentMachine{checkoutTest: openCheckout(storetest.OpenIndex(t, engine))}
			m.orders = checkout.NewService(cartstore.Orders{DB: m.DB, Chain: storetest.Chain}, pricedCalls{}, m.Clock, storetest.Chain,
				checkout.Currency{Address: storetest.USDC, Symbol: "USDC", Decimals: 6})
			number := 100
			rapid.Check(t, func(rt *rapid.T) {
				m.Clock.Advance(3 * time.Hour)
				m.OK(m.carts.Sweep(t.Context()))
				m.OK(m.orders.Sweep(t.Context()))
				m.OK(m.carts.Empty(t.Context(), "A"))
				m.Told()
				m.run++
				m.listings, m.offered = nil, map[string]line{}
				m.tabs, m.signed, m.accepted = [2]screen{}, nil, map[eth.Hash]click{}
				for range 3 {
					number++
					n := fmt.Sprint(number)
					terms := storetest.TermsOf(storetest.Items, n, 2)
					terms.PricePerToken = money.FromInt(1)
					terms.Start, terms.End = m.Clock.Now(), m.Clock.Now().Add(24*time.Hour)
					m.Apply(storetest.MintItems(storetest.Seller, n, 2), storetest.List(n, terms))
					m.listings, m.offered[n] = append(m.listings, n), line{2, "1"}
				}
				rt.Repeat(map[string]func(*rapid.T){
					"": m.check, "hold": m.hold, "release": m.release, "empty": m.empty, "reload": m.reload, "press pay": m.press, "send": m.send,
					"cancel": m.cancel, "time passes": m.pass, "reprice": m.reprice, "sell": m.sell, "mine": m.mine,
					"shop": m.shop, "settle": m.settle, "buy": m.buy,
				})
				m.buy(rt) // even a short run of few walks has purchases
			})
			if m.bought == 0 {
				t.Error("nothing was ever bought: the model is not exercised")
			}
		})
	}
}

// The purchase that went wrong: A is held, paying fails, the cart is emptied, B is held at the same price, and the page
// still shows A's order.
// Spec: PAY-8
func TestAttack_WrongItemIsBought(t *testing.T) {
	t.Parallel()
	for _, price := range []int64{1000, 2000} {
		eachCheckout(t, func(t *testing.T, d checkoutTest) {
			terms := storetest.TermsOf(storetest.Items, "2", 10)
			terms.PricePerToken = money.FromInt(price)
			d.Apply(storetest.Relist("8", terms))
			d.put("A", "7", 0)
			a := d.start()
			d.OK(d.carts.Empty(t.Context(), "A"))
			d.put("A", "8", 0)
			if got := d.mustBe(a.ID, checkout.Expired); got.Error != "Your cart changed, so this order ended. Nothing was charged." {
				t.Errorf("the order says %q", got.Error)
			}
			_, err := d.orders.Start(t.Context(), "A", checkout.Shown{OrderID: a.ID})
			d.mustRefuse("paying the order that the page shows", err, fault.Conflict, "order-over")
			d.mustRefuse("its payment, signed before", d.accept("A", storetest.WalletA, storetest.Payment(1), a.Calls), fault.Conflict, "order-over")
			if current, err := d.orders.Current(t.Context(), "A"); current != nil || err != nil {
				t.Errorf("the page would show order %v, %v, want the cart", current, err)
			}
			shown := checkout.ShownUnit{Number: "8", Contract: storetest.Items, Price: money.FromInt(price)}
			b, err := d.orders.Start(t.Context(), "A", checkout.Shown{Units: []checkout.ShownUnit{shown}})
			d.OK(err)
			if len(b.Items) != 1 || b.Items[0].Number != "8" {
				t.Errorf("the new order is of %v", b.Items)
			}
		})
	}
}

// Spec: PAY-10
func TestCheckout_EndsTheOrderThatLostAUnitOrItsPrice(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		for what, c := range map[string]struct {
			change func()
			reason string
		}{
			"a unit released": {
				func() { d.OK(d.carts.Remove(t.Context(), "A", market.Key(storetest.Chain, "7"), 0)) },
				"Your cart changed, so this order ended. Nothing was charged.",
			},
			"a price raised": {func() {
				terms := storetest.TermsOf(storetest.Items, "1", 10)
				terms.PricePerToken = money.FromInt(1001)
				d.Apply(storetest.Relist("7", terms))
			}, "A price changed, so this order ended. Nothing was charged."},
			"the listing cancelled": {func() { d.Apply(storetest.Cancel("8")) },
				"Something in this order is no longer for sale. Nothing was charged."},
		} {
			d.put("A", "7", 0)
			if what == "the listing cancelled" {
				d.put("A", "8", 0)
			}
			o := d.start()
			d.updates()
			c.change()
			if got := d.mustBe(o.ID, checkout.Expired); got.Error != c.reason {
				t.Errorf("%s: the order says %q", what, got.Error)
			}
			d.Want(what+": told", d.updates(), "expired")
			d.OK(d.carts.Empty(t.Context(), "A"))
			terms := storetest.TermsOf(storetest.Items, "1", 10)
			d.Apply(storetest.Relist("7", terms))
		}
	})
}

// A sale gives the place of what was sold to a hold of another unit, while that hold's player goes to the checkout.
func TestCheckout_FindsTheHoldsThatASaleMoves(t *testing.T) {
	t.Parallel()
	d := openCheckout(storetest.OpenIndex(t, store.PostgreSQL))
	d.put("A", "7", 1)
	sale, err := d.Raw.BeginTx(t.Context(), nil)
	d.OK(err)
	_, err = sale.ExecContext(t.Context(), "UPDATE cart_hold SET unit = 0 WHERE unit = 1")
	d.OK(err)
	started := make(chan error, 1)
	go func() {
		_, err := d.orders.Start(t.Context(), "A", checkout.Shown{})
		started <- err
	}()
	testkit.Eventually(t, time.Minute, func() bool { return d.Waiting(1) }, "the checkout does not wait for the sale")
	d.OK(sale.Commit())
	d.OK(<-started)
	d.Want("holds", d.ends(), "7/0 15m1s")
}

// Spec: CART-20
func TestCheckout_RaisedPriceEndsTheHoldsButThoseBeingPaidFor(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0)
		o := d.start()
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls))
		d.put("B", "7", 1)
		terms := storetest.TermsOf(storetest.Items, "1", 10)
		terms.PricePerToken = money.FromInt(1001)
		d.Apply(storetest.Relist("7", terms))
		d.Want("holds", d.Holds(), "1337042-7 0 A")
		d.mustBe(o.ID, checkout.Submitted)
	})
}

// Spec: PAY-5
func TestCheckout_CancelKeepsTheUnits(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		ctx := t.Context()
		d.put("A", "7", 0)
		o := d.start()
		_, err := d.orders.Cancel(ctx, "B", o.ID)
		d.mustRefuse("another player's order", err, fault.NotFound, "")
		d.mustBe(o.ID, checkout.AwaitingPayment)
		for range 2 { // cancelling again changes nothing
			got, err := d.orders.Cancel(ctx, "A", o.ID)
			d.OK(err)
			if got.State != checkout.Expired || got.Error != "You cancelled this order. Nothing was charged." {
				t.Errorf("cancelled: %s, %q", got.State, got.Error)
			}
		}
		d.Want("holds", d.ends(), "7/0 15m1s")
		d.mustRefuse("its payment", d.accept("A", storetest.WalletA, storetest.Payment(1), o.Calls), fault.Conflict, "order-over")

		paid := d.start()
		d.OK(d.accept("A", storetest.WalletA, storetest.Payment(2), paid.Calls))
		_, err = d.orders.Cancel(ctx, "A", paid.ID)
		d.mustRefuse("cancelling what is being paid", err, fault.Conflict, "paying")
	})
}

// Spec: PAY-8
func TestCheckout_ComparesUnitByUnit(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		d.put("A", "7", 0, 1)
		unit := func(number string, price int64) checkout.ShownUnit {
			return checkout.ShownUnit{Number: number, Contract: storetest.Items, Price: money.FromInt(price)}
		}
		for what, c := range map[string]struct {
			units  []checkout.ShownUnit
			reason string
		}{
			"another listing at the same price": {[]checkout.ShownUnit{unit("7", 1000), unit("8", 1000)}, "cart-changed"},
			"one unit fewer":                    {[]checkout.ShownUnit{unit("7", 1000)}, "cart-changed"},
			"one unit more":                     {[]checkout.ShownUnit{unit("7", 1000), unit("7", 1000), unit("7", 1000)}, "cart-changed"},
			"another price, same total":         {[]checkout.ShownUnit{unit("7", 900), unit("7", 1100)}, "price-changed"},
			"another contract": {
				[]checkout.ShownUnit{unit("7", 1000), {Number: "7", Contract: storetest.USDC, Price: money.FromInt(1000)}}, "cart-changed",
			},
		} {
			_, err := d.orders.Start(t.Context(), "A", checkout.Shown{Units: c.units})
			d.mustRefuse(what, err, fault.Conflict, c.reason)
		}
		_, err := d.orders.Start(t.Context(), "A", checkout.Shown{Units: []checkout.ShownUnit{unit("7", 1000), unit("7", 1000)}})
		d.OK(err)
	})
}
