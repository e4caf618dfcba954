// Package checkout turns a cart into a purchase: it fixes prices, keeps the units while the player pays, and tracks
// the payment until the chain settles it. The chain is authoritative: a purchase on chain completes its order,
// whatever the order's state.
package checkout

import (
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// State is an order's state.
type State string

// The states of an order.
const (
	AwaitingPayment State = "awaiting-payment" // prices fixed, units kept, nothing sent
	Submitted       State = "submitted"        // the relay has accepted the player's operation
	Confirming      State = "confirming"       // included in a transaction
	Complete        State = "complete"         // everything was bought on chain
	PartlyComplete  State = "partly-complete"  // some of it was bought on chain
	Failed          State = "failed"           // nothing was bought; Error says why
	Expired         State = "expired"          // it ended unpaid; Error says why
)

// next lists the ordinary transitions; see State.
var next = map[State][]State{
	AwaitingPayment: {Submitted, Expired},
	Submitted:       {Confirming, Failed},
	Confirming:      {Failed},
}

// Open reports whether the state is not final.
func (s State) Open() bool { return s == AwaitingPayment || s == Submitted || s == Confirming }

// Paying reports whether a payment may be pending.
func (s State) Paying() bool { return s == Submitted || s == Confirming }

// Order is one purchase.
type Order struct {
	ID         string
	PlayerID   string
	Wallet     eth.Address // the smart account that pays and receives
	Chain      onchain.ChainID
	Currency   eth.Address
	Total      money.Units
	State      State
	UserOpHash *eth.Hash
	TxHash     *eth.Hash
	// SettledBlock is the block whose events settled the order; 0 while it is open.
	SettledBlock uint64
	Error        string
	Items        []Item
	// Received is what the sellers got of what was paid; nil if the order has not bought anything, or not all payouts are known.
	// Only Service.Order sets it.
	Received  *money.Units
	Calls     []Call
	Timeline  []Event
	CreatedAt time.Time
	UpdatedAt time.Time
	ExpiresAt time.Time // how long the units are kept
}

// Update returns the message that notifies the player's browsers of the order's state.
func (o *Order) Update() announce.Realtime {
	return announce.Realtime{ChannelID: "order", Type: "update", Payload: struct {
		OrderID string `json:"orderId"`
		State   State  `json:"state"`
	}{o.ID, o.State}}
}

// Item is one line of an order: some units of one listing.
type Item struct {
	ListingID string // the listing's id in the portal
	Number    string // the marketplace's own listing number
	Contract  eth.Address
	TokenID   string
	Seller    eth.Address
	Quantity  int64
	Price     money.Units // of one unit
	Bought    int64       // units bought on chain
}

// Call is one call the player's smart account makes.
type Call struct {
	To    eth.Address `json:"to"`
	Value money.Units `json:"value"`
	Data  eth.Bytes   `json:"data"`
}

// Event is one entry of an order's timeline.
type Event struct {
	State  State
	At     time.Time
	Detail string
}

// errState is returned for a transition that the order's state does not allow.
var errState = fault.New(fault.Conflict, "This order has moved on. Please reload it.").WithReason("state")

// move makes an ordinary transition and adds it to the timeline. It returns a fault.Conflict if the state does not
// allow it.
func (o *Order) move(to State, at time.Time, detail string) error {
	if !slices.Contains(next[o.State], to) {
		return errState
	}
	o.enter(to, at, detail)
	return nil
}

func (o *Order) enter(to State, at time.Time, detail string) {
	o.State, o.UpdatedAt = to, at
	o.Timeline = append(o.Timeline, Event{State: to, At: at, Detail: detail})
}

// confirm records that a transaction includes the operation.
func (o *Order) confirm(tx eth.Hash, at time.Time) error {
	if o.State == Confirming && o.TxHash != nil && *o.TxHash == tx {
		return nil
	}
	if o.State == Confirming {
		o.TxHash = &tx // the transaction was replaced by one with a higher fee
		return nil
	}
	if err := o.move(Confirming, at, "Waiting for the chain"); err != nil {
		return err
	}
	o.TxHash = &tx
	return nil
}

// fail records that the operation failed, with a reason for the player.
func (o *Order) fail(reason string, at time.Time) error {
	if err := o.move(Failed, at, reason); err != nil {
		return err
	}
	o.Error = reason
	return nil
}

// expire ends an unpaid order, with a reason for the player.
func (o *Order) expire(at time.Time, reason string) error {
	if err := o.move(Expired, at, reason); err != nil {
		return err
	}
	o.Error = reason
	return nil
}

// End ends an order that awaits its payment, because it lost a unit or a price changed. It reports whether it did: an
// order that is being paid or has ended does not change.
func (o *Order) End(reason string, at time.Time) bool { return o.expire(at, reason) == nil }

// errOver is returned for a payment of an order that no longer awaits one.
var errOver = over("This order is no longer waiting for its payment. Please look at your cart again.")

func over(message string) *fault.Fault {
	return fault.New(fault.Conflict, "%s", message).WithReason("order-over")
}

// errNoOrder is returned for a purchase that matches none of the player's orders.
var errNoOrder = fault.New(fault.Conflict, "This purchase does not match any of your orders. Please pay on the checkout page.").
	WithReason("no-order")

// MayBePaid returns nil while the order awaits its payment, and otherwise a fault.Conflict with reason "order-over":
// a cancelled order cannot be bought, and no order can be paid twice.
func (o *Order) MayBePaid(now time.Time) error {
	if o.State == AwaitingPayment && o.ExpiresAt.After(now) {
		return nil
	}
	return errOver
}

// Accept records that the relay accepted the operation that pays for the order. Recording the same operation again is
// not an error. It returns a fault.Conflict if another operation pays for the order or the order has ended.
func (o *Order) Accept(op eth.Hash, at time.Time) error {
	if o.UserOpHash != nil && *o.UserOpHash == op {
		return nil
	}
	if err := o.move(Submitted, at, "Payment sent"); err != nil {
		return err
	}
	o.UserOpHash = &op
	return nil
}

// Outcome is the result of an order's operation on chain.
type Outcome struct {
	Block   uint64
	Tx      eth.Hash
	Success bool
	Bought  map[string]int64 // units that the order's wallet bought in the operation's transaction, by listing id
}

// Settle ends the order with the outcome on chain, whatever its state. It reports whether anything changed.
func (o *Order) Settle(c Outcome, at time.Time) bool {
	if o.SettledBlock != 0 {
		return false
	}
	var wanted, bought int64
	for i := range o.Items {
		item := &o.Items[i]
		item.Bought = min(item.Quantity, c.Bought[item.ListingID])
		wanted, bought = wanted+item.Quantity, bought+item.Bought
	}
	o.TxHash, o.SettledBlock = &c.Tx, c.Block
	switch {
	case c.Success && bought == wanted:
		o.Error = ""
		o.enter(Complete, at, "Bought")
	case c.Success && bought > 0:
		o.Error = partlyText
		o.enter(PartlyComplete, at, o.Error)
	default:
		if o.Error == "" {
			o.Error = refusedText
		}
		if o.State != Failed {
			o.enter(Failed, at, o.Error)
		}
	}
	return true
}

// Unsettle reverts the outcome of a block that a reorganisation removed: the payment is pending again.
func (o *Order) Unsettle(at time.Time) {
	o.SettledBlock, o.Error = 0, ""
	for i := range o.Items {
		o.Items[i].Bought = 0
	}
	o.enter(Confirming, at, "The chain is checking again")
}
