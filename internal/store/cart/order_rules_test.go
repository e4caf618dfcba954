package cart_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// orderSteps are all permitted state transitions of an order. The chain may end a paying or given-up order from any
// state, and a reorganisation reverses that.
var orderSteps = map[checkout.State][]checkout.State{
	checkout.AwaitingPayment: {checkout.Submitted, checkout.Expired},
	checkout.Submitted:       {checkout.Confirming, checkout.Failed, checkout.Complete, checkout.PartlyComplete},
	checkout.Confirming:      {checkout.Failed, checkout.Complete, checkout.PartlyComplete},
	checkout.Failed:          {checkout.Complete, checkout.PartlyComplete, checkout.Confirming},
	checkout.Complete:        {checkout.Confirming},
	checkout.PartlyComplete:  {checkout.Confirming},
	checkout.Expired:         {},
}

// mining is a block with the operation of an order, as the model records it.
type mining struct {
	parent onchain.Block
	order  string
	bought int64
}

// orderMachine drives player A's orders through random sequences of steps.
type orderMachine struct {
	checkoutTest
	run     int
	listing int
	ids     []string            // all orders, oldest first
	ops     map[string]eth.Hash // by order
	blocks  []mining            // blocks with an operation, oldest first
	ended   map[string]bool     // orders settled by the chain in its current state
}

func (m *orderMachine) id(t *rapid.T) string {
	if len(m.ids) == 0 {
		t.Skip("there is no order")
	}
	return rapid.SampledFrom(m.ids).Draw(t, "order")
}

func (m *orderMachine) conflictOr(t *rapid.T, err error) bool {
	if err != nil && !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
	return err == nil
}

// begin adds a unit of a new listing to the cart, if there is room, and starts a checkout.
func (m *orderMachine) begin(t *rapid.T) {
	if rapid.Bool().Draw(t, "another item") {
		m.listing++
		number, token := fmt.Sprint(m.listing), fmt.Sprint(m.listing)
		m.Apply(storetest.MintItems(storetest.Seller, token, 1), storetest.List(number, storetest.TermsOf(storetest.Items, token, 1)))
		_, err := m.carts.Add(m.T.Context(), cart.Holder{PlayerID: "A"}, market.Key(storetest.Chain, number), storetest.Items, nil)
		if err != nil && fault.As(err) == nil {
			t.Fatal(err)
		}
	}
	o, err := m.orders.Start(m.T.Context(), "A", checkout.Shown{})
	if m.conflictOr(t, err) && !slices.Contains(m.ids, o.ID) {
		m.ids = append(m.ids, o.ID)
	}
}

func (m *orderMachine) submit(t *rapid.T) {
	id := m.id(t)
	op := eth.Keccak256(fmt.Appendf(nil, "%d %s %d", m.run, id, rapid.IntRange(0, 1).Draw(t, "operation")))
	before := m.order(id)
	err := testkit.SubmitOrder(m.T, m.DB, id, op, m.Clock.Now())
	want := before.State == checkout.AwaitingPayment || before.UserOpHash != nil && *before.UserOpHash == op
	if m.conflictOr(t, err) != want {
		t.Fatalf("submitting an order that is %s: %v", before.State, err)
	}
	if err == nil {
		m.ops[id] = op
	}
}

func (m *orderMachine) sent(t *rapid.T) {
	id := m.id(t)
	tx := eth.Keccak256([]byte{byte(rapid.IntRange(0, 2).Draw(t, "transaction"))})
	if err := m.orders.OperationSent(m.T.Context(), m.ops[id], tx); err != nil {
		t.Fatal(err)
	}
}

func (m *orderMachine) failed(t *rapid.T) {
	if err := m.orders.OperationFailed(m.T.Context(), m.ops[m.id(t)], "The relay gave up."); err != nil {
		t.Fatal(err)
	}
}

func (m *orderMachine) pass(t *rapid.T) {
	m.Clock.Advance(time.Duration(rapid.IntRange(1, 20).Draw(t, "minutes")) * time.Minute)
	if err := m.carts.Sweep(m.T.Context()); err != nil {
		t.Fatal(err)
	}
	if err := m.orders.Sweep(m.T.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range m.ids {
		if o := m.order(id); o.State.Open() && !o.ExpiresAt.After(m.Clock.Now()) {
			t.Fatalf("order %s is still %s, %v after its time", id, o.State, m.Clock.Now().Sub(o.ExpiresAt))
		}
	}
}

// mine executes an order's operation in its own block, buying some of the ordered units.
func (m *orderMachine) mine(t *rapid.T) {
	id := m.id(t)
	op, paid := m.ops[id]
	if !paid || m.ended[id] {
		t.Skip("the chain has no operation of it to execute")
	}
	o := m.order(id)
	var facts []any
	bought := int64(0)
	success := rapid.IntRange(0, 3).Draw(t, "success") > 0
	for _, item := range o.Items {
		if success && rapid.IntRange(0, 3).Draw(t, "still there") > 0 {
			facts = append(facts, storetest.Buy(item.Number, item.TokenID, storetest.WalletA, item.Quantity)...)
			bought += item.Quantity
		}
	}
	m.blocks = append(m.blocks, mining{parent: m.Tip, order: id, bought: bought})
	m.applyOne(op, success, fmt.Sprint(m.run, len(m.blocks), m.Clock.Now()), facts...)
	m.ended[id] = true
	want := checkout.PartlyComplete
	switch bought {
	case 0:
		want = checkout.Failed
	case ordered(o):
		want = checkout.Complete
	}
	if got := m.order(id); got.State != want || got.SettledBlock == 0 {
		t.Fatalf("the chain says that %d of %d were bought, the order is %s", bought, ordered(o), got.State)
	}
}

func ordered(o *checkout.Order) (n int64) {
	for _, i := range o.Items {
		n += i.Quantity
	}
	return n
}

// reorganise removes the last blocks that carried operations.
func (m *orderMachine) reorganise(t *rapid.T) {
	if len(m.blocks) == 0 {
		t.Skip("there is nothing to take back")
	}
	from := rapid.IntRange(0, len(m.blocks)-1).Draw(t, "back to")
	m.Rewind(m.blocks[from].parent)
	for _, b := range m.blocks[from:] {
		delete(m.ended, b.order)
		if got := m.order(b.order); got.State != checkout.Confirming || got.SettledBlock != 0 || got.Error != "" {
			t.Fatalf("after the reorganisation the order is %s, %q", got.State, got.Error)
		}
	}
	m.blocks = m.blocks[:from]
}

func (m *orderMachine) check(t *rapid.T) {
	open := 0
	for _, id := range m.ids {
		o := m.order(id)
		if o.State == checkout.AwaitingPayment {
			open++
		}
		if last := o.Timeline[len(o.Timeline)-1]; last.State != o.State {
			t.Fatalf("order %s is %s, its timeline ends with %s", id, o.State, last.State)
		}
		if o.Timeline[0].State != checkout.AwaitingPayment {
			t.Fatalf("the timeline begins with %s", o.Timeline[0].State)
		}
		for i, e := range o.Timeline[1:] {
			before := o.Timeline[i]
			if !slices.Contains(orderSteps[before.State], e.State) && before.State != e.State || e.At.Before(before.At) {
				t.Fatalf("order %s went from %s to %s: %v", id, before.State, e.State, o.Timeline)
			}
		}
		if (o.SettledBlock != 0) != m.ended[id] {
			t.Fatalf("order %s is settled by block %d; the chain has spoken: %v", id, o.SettledBlock, m.ended[id])
		}
		if o.State == checkout.Complete && !m.ended[id] || o.State == checkout.PartlyComplete && !m.ended[id] {
			t.Fatalf("order %s is %s without the chain's word", id, o.State)
		}
		if op, paid := m.ops[id]; paid && (o.UserOpHash == nil || *o.UserOpHash != op) {
			t.Fatalf("order %s has lost its operation", id)
		}
	}
	if open > 1 {
		t.Fatalf("%d orders wait to be paid", open)
	}
}

func TestOrders_Rules(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			m := &orderMachine{checkoutTest: openCheckout(storetest.OpenIndex(t, engine)), listing: 100}
			m.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 1_000_000_000))
			rapid.Check(t, func(rt *rapid.T) {
				// End the orders that the previous run left open, and let its lapses expire.
				m.Clock.Advance(3 * time.Hour)
				m.OK(m.carts.Sweep(t.Context()))
				m.OK(m.orders.Sweep(t.Context()))
				m.Told()
				m.run++
				m.ids, m.ops, m.blocks, m.ended = nil, map[string]eth.Hash{}, nil, map[string]bool{}
				rt.Repeat(map[string]func(*rapid.T){
					"": m.check, "start": m.begin, "submit": m.submit, "sent": m.sent, "failed": m.failed, "time passes": m.pass, "mine": m.mine,
					"reorganise": m.reorganise,
				})
			})
		})
	}
}
