package checkout

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
)

const (
	// PayTime is how much starting to pay extends each hold, once.
	PayTime = 5 * time.Minute
	// SettleTime is how long a submitted payment may be pending before the order fails.
	SettleTime = 15 * time.Minute
	// UnpaidMemory and UnpaidKept limit how many orders that ended unpaid are stored: those of the last hour, and the newest
	// hundred before it.
	UnpaidMemory = time.Hour
	UnpaidKept   = 100
)

// Unit is one unit in the player's cart, with the current state of its listing.
type Unit struct {
	ListingID string
	Number    string
	Unit      int64
	ExpiresAt time.Time
	Order     string // the order that extended the hold; "" for none
	Contract  eth.Address
	TokenID   string
	Seller    eth.Address
	Currency  eth.Address
	Price     money.Units
	Live      bool
}

// Buyer is the player who pays.
type Buyer struct {
	Wallet  eth.Address
	Balance money.Units // in the market's currency
}

// Tx is checkout's view of a transaction that locks the player's holds.
type Tx interface {
	// Buyer returns fault.Conflict while the player has no smart wallet.
	Buyer(ctx context.Context, currency eth.Address) (Buyer, error)
	// Cart returns the player's unexpired holds.
	Cart(ctx context.Context, now time.Time) ([]Unit, error)
	// KeepFor links the unit's hold to the order and extends it to the given time. It returns ErrCartChanged if the hold has ended
	// meanwhile, as a sale on the chain ends it.
	KeepFor(ctx context.Context, u Unit, orderID string, until time.Time) error
	// OpenOrder returns the player's unpaid order, or nil.
	OpenOrder(ctx context.Context) (*Order, error)
	// SaveOrder inserts or updates the order with its items and timeline, and notifies the player's browsers.
	SaveOrder(ctx context.Context, o *Order) error
}

// Store stores the orders.
type Store interface {
	// Checkout runs fn in one transaction that locks the player's holds. fn may be retried.
	Checkout(ctx context.Context, playerID string, fn func(context.Context, Tx) error) error
	// Order returns fault.NotFound for an unknown order and for another player's.
	Order(ctx context.Context, playerID, orderID string) (*Order, error)
	// ChangeOrder loads the order, calls fn and saves the order, in one transaction; it keeps the units of a paying
	// order until the given time. It returns fault.NotFound for an unknown order. fn may be retried.
	ChangeOrder(ctx context.Context, orderID string, keepUntil time.Time, fn func(*Order) error) error
	// OrderByCalls returns the player's order with exactly these calls: the one that awaits its payment, or else the
	// newest; nil for none. Items and timeline are not loaded.
	OrderByCalls(ctx context.Context, playerID string, calls []Call) (*Order, error)
	// OrderByOperation returns fault.NotFound if no order has the operation.
	OrderByOperation(ctx context.Context, op eth.Hash) (*Order, error)
	// OverdueOrders returns the ids of the open orders that are past their expiry.
	OverdueOrders(ctx context.Context, now time.Time, limit int) ([]string, error)
}

// Chain encodes the calls of a purchase.
type Chain interface {
	// PurchaseCalls returns the calls by which the wallet buys the items: one approval of the total, then one
	// purchase per listing.
	PurchaseCalls(wallet, currency eth.Address, total money.Units, items []Item) ([]Call, error)
}

// Currency is the currency of the market.
type Currency struct {
	Address  eth.Address
	Symbol   string
	Decimals int
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store    Store
	chain    Chain
	clock    clock.Clock
	chainID  onchain.ChainID
	currency Currency
}

// NewService returns a Service for the market on one chain.
func NewService(s Store, c Chain, clk clock.Clock, id onchain.ChainID, currency Currency) *Service {
	return &Service{store: s, chain: c, clock: clk, chainID: id, currency: currency}
}

// Shown is what the page displayed when the player confirmed the payment. Nothing is compared with the zero value.
type Shown struct {
	OrderID string       // the displayed unpaid order; "" if the page displayed the cart
	Units   []ShownUnit  // every displayed unit in the cart; nil if not given
	Total   *money.Units // the displayed total; nil if not given
}

// ShownUnit is one unit as displayed.
type ShownUnit struct {
	Number   string // the marketplace's own listing number
	Contract eth.Address
	Price    money.Units
}

// Reasons of the conflicts that Start returns if the page was out of date.
const (
	reasonCartChanged  = "cart-changed"
	reasonPriceChanged = "price-changed"
)

// ErrCartChanged means that a cart is not what its player was shown.
var ErrCartChanged = fault.New(fault.Conflict, "Your cart has changed since this page was shown. Please check it again.").
	WithReason(reasonCartChanged)

// Start creates an order from the player's cart and keeps its units while the player pays. The units are compared
// with those displayed, so that the player is not charged for anything the page did not show. An unpaid order of the
// same units at the same prices is returned unchanged; another unpaid order ends. If the page displayed an order,
// that order is returned, or refused if it can no longer be paid.
//
// It returns fault.Conflict with a reason: "empty", "paying" (an earlier payment is pending), "gone" (something is no
// longer for sale), "cart-changed", "price-changed", "order-over" or "insufficient-funds"; and the errors of Buyer.
func (s *Service) Start(ctx context.Context, playerID string, shown Shown) (*Order, error) {
	now := s.clock.Now()
	var order *Order
	var refused error // returned after the transaction, which must commit the order's end
	err := s.store.Checkout(ctx, playerID, func(ctx context.Context, tx Tx) error {
		order, refused = nil, nil
		old, err := tx.OpenOrder(ctx)
		if err != nil {
			return err
		}
		if old != nil && old.State.Paying() {
			return fault.New(fault.Conflict, "Your last payment is still on its way.").WithReason("paying")
		}
		units, err := tx.Cart(ctx, now)
		if err != nil {
			return err
		}
		if shown.OrderID != "" {
			if order, refused, err = s.resume(ctx, tx, old, shown.OrderID, units, now); refused != nil || err != nil {
				return err
			}
			_, err = s.payer(ctx, tx, order.Total)
			return err
		}
		items, total, err := s.price(units)
		if err != nil {
			return err
		}
		if err := s.compare(units, total, shown); err != nil {
			return err
		}
		buyer, err := s.payer(ctx, tx, total)
		if err != nil {
			return err
		}
		if old != nil && sameItems(old.Items, items) && old.ExpiresAt.After(now) {
			order = old
			return nil
		}
		if old != nil {
			if err := s.end(ctx, tx, old, replacedText, now); err != nil {
				return err
			}
		}
		order, err = s.open(ctx, tx, playerID, buyer.Wallet, units, items, total, now)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return order, nil
}

// resume returns the displayed unpaid order. If it can no longer be paid as displayed, resume refuses and ends it.
func (s *Service) resume(ctx context.Context, tx Tx, old *Order, orderID string, units []Unit,
	now time.Time) (order *Order, refused, err error) {
	if old == nil || old.ID != orderID || !old.ExpiresAt.After(now) {
		return nil, errOver, nil
	}
	kept := slices.DeleteFunc(units, func(u Unit) bool { return u.Order != old.ID })
	items, _, refused := s.price(kept)
	switch {
	case refused != nil && fault.As(refused) == nil:
		return nil, nil, refused
	case refused != nil:
		return nil, over(GoneText), s.end(ctx, tx, old, GoneText, now)
	case !sameItems(old.Items, items):
		return nil, over(PriceChangedText), s.end(ctx, tx, old, PriceChangedText, now)
	}
	return old, nil, nil
}

func (s *Service) end(ctx context.Context, tx Tx, o *Order, reason string, now time.Time) error {
	if err := o.expire(now, reason); err != nil {
		return err
	}
	return tx.SaveOrder(ctx, o)
}

// compare returns a fault.Conflict unless as many units of each listing are in the cart as displayed, at the displayed prices. Which
// units these are does not matter: each sale of a listing may move the holds of others to other units.
func (s *Service) compare(units []Unit, total money.Units, shown Shown) error {
	changed := fault.New(fault.Conflict, "A price has changed: the total is now %s %s.", s.amount(total), s.currency.Symbol).
		WithReason(reasonPriceChanged)
	if shown.Units != nil {
		rest, price := slices.Clone(shown.Units), true
		same := len(units) == len(rest)
		for _, u := range units {
			i := slices.IndexFunc(rest, func(x ShownUnit) bool { return x.Number == u.Number && x.Contract == u.Contract })
			if i < 0 {
				same = false
				break
			}
			price = price && rest[i].Price.Cmp(u.Price) == 0
			rest = slices.Delete(rest, i, i+1)
		}
		switch {
		case !same:
			return ErrCartChanged
		case !price:
			return changed
		}
	}
	if shown.Total != nil && shown.Total.Cmp(total) != 0 {
		return changed
	}
	return nil
}

// payer returns the buyer, or a fault.Conflict if the total exceeds the buyer's balance.
func (s *Service) payer(ctx context.Context, tx Tx, total money.Units) (Buyer, error) {
	buyer, err := tx.Buyer(ctx, s.currency.Address)
	if err == nil && buyer.Balance.Cmp(total) < 0 {
		err = fault.New(fault.Conflict, "You need %s %s and have %s.", s.amount(total), s.currency.Symbol, s.amount(buyer.Balance)).
			WithReason("insufficient-funds")
	}
	return buyer, err
}

func (s *Service) open(ctx context.Context, tx Tx, playerID string, wallet eth.Address, units []Unit, items []Item, total money.Units,
	now time.Time) (*Order, error) {
	calls, err := s.chain.PurchaseCalls(wallet, s.currency.Address, total, items)
	if err != nil {
		return nil, err
	}
	o := &Order{
		ID: rand.Text(), PlayerID: playerID, Wallet: wallet, Chain: s.chainID, Currency: s.currency.Address,
		Total: total, Items: items, Calls: calls, CreatedAt: now,
	}
	o.enter(AwaitingPayment, now, "Order placed")
	for i := range units {
		if units[i].Order == "" {
			units[i].ExpiresAt = units[i].ExpiresAt.Add(PayTime)
		}
		if i == 0 || units[i].ExpiresAt.Before(o.ExpiresAt) {
			o.ExpiresAt = units[i].ExpiresAt
		}
	}
	if err := tx.SaveOrder(ctx, o); err != nil {
		return nil, err
	}
	for _, u := range units {
		if err := tx.KeepFor(ctx, u, o.ID, u.ExpiresAt); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// price groups the units by listing, in a fixed order, and returns their total.
func (s *Service) price(units []Unit) (items []Item, total money.Units, err error) {
	if len(units) == 0 {
		return nil, total, fault.New(fault.Conflict, "Your cart is empty.").WithReason("empty")
	}
	for _, u := range units {
		if !u.Live || u.Currency != s.currency.Address {
			return nil, total, fault.New(fault.Conflict, "Something in your cart is no longer for sale. Please remove it first.").WithReason("gone")
		}
		if total, err = total.Add(u.Price); err != nil {
			return nil, total, err
		}
		if i := slices.IndexFunc(items, func(i Item) bool { return i.ListingID == u.ListingID }); i >= 0 {
			items[i].Quantity++
			continue
		}
		items = append(items, Item{
			ListingID: u.ListingID, Number: u.Number, Contract: u.Contract, TokenID: u.TokenID, Seller: u.Seller, Quantity: 1, Price: u.Price,
		})
	}
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.ListingID, b.ListingID) })
	return items, total, nil
}

func sameItems(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(x, y Item) bool {
		return x.ListingID == y.ListingID && x.Quantity == y.Quantity && x.Price.Cmp(y.Price) == 0
	})
}

// Order returns one of the player's orders; fault.NotFound for any other.
func (s *Service) Order(ctx context.Context, playerID, orderID string) (*Order, error) {
	return s.store.Order(ctx, playerID, orderID)
}

// Current returns the player's open order, or nil. A reloaded page resumes it.
func (s *Service) Current(ctx context.Context, playerID string) (order *Order, err error) {
	err = s.store.Checkout(ctx, playerID, func(ctx context.Context, tx Tx) error {
		order, err = tx.OpenOrder(ctx)
		return err
	})
	return order, err
}

// Submitted returns the order if the operation is the one that pays for it. The relay marks the order submitted in
// the transaction that accepts the operation; this call changes nothing. It returns fault.NotFound for another
// player's order and fault.Conflict with reason "not-paid" for an operation that the relay has not accepted for it.
func (s *Service) Submitted(ctx context.Context, playerID, orderID string, op eth.Hash) (*Order, error) {
	o, err := s.store.Order(ctx, playerID, orderID)
	if err == nil && (o.UserOpHash == nil || *o.UserOpHash != op) {
		return nil, fault.New(fault.Conflict, "We have not received a payment for this order.").WithReason("not-paid")
	}
	return o, err
}

// Cancel ends the player's unpaid order; its units stay in the cart until their holds end. Cancelling an ended order
// changes nothing. It returns fault.NotFound for another player's order and fault.Conflict with reason "paying" while
// a payment is pending.
func (s *Service) Cancel(ctx context.Context, playerID, orderID string) (*Order, error) {
	now := s.clock.Now()
	err := s.store.Checkout(ctx, playerID, func(ctx context.Context, tx Tx) error {
		old, err := tx.OpenOrder(ctx)
		if err != nil || old == nil || old.ID != orderID {
			return err
		}
		if old.State.Paying() {
			return fault.New(fault.Conflict, "The payment for this order is on its way and cannot be stopped.").WithReason("paying")
		}
		return s.end(ctx, tx, old, cancelledText, now)
	})
	if err != nil {
		return nil, err
	}
	return s.store.Order(ctx, playerID, orderID)
}

// MayPay returns nil if the calls are those of the player's order that awaits its payment. Otherwise it returns a
// fault.Conflict, with reason "order-over" if the order no longer awaits it, and "no-order" if the calls match no
// order. Additional calls are refused because they could buy after the order's end or despite other players' holds.
func (s *Service) MayPay(ctx context.Context, playerID string, calls []Call) error {
	o, err := s.store.OrderByCalls(ctx, playerID, calls)
	if err != nil {
		return err
	}
	if o == nil {
		return errNoOrder
	}
	return o.MayBePaid(s.clock.Now())
}

// OperationSent records that a transaction includes the operation.
func (s *Service) OperationSent(ctx context.Context, op, tx eth.Hash) error {
	return s.changeByOperation(ctx, op, func(o *Order, now time.Time) error { return o.confirm(tx, now) })
}

// OperationFailed records that the operation was dropped or failed, and why.
func (s *Service) OperationFailed(ctx context.Context, op eth.Hash, reason string) error {
	return s.changeByOperation(ctx, op, func(o *Order, now time.Time) error { return o.fail(reason, now) })
}

func (s *Service) changeByOperation(ctx context.Context, op eth.Hash, change func(*Order, time.Time) error) error {
	o, err := s.store.OrderByOperation(ctx, op)
	if fault.Is(err, fault.NotFound) {
		return nil // the operation does not pay for an order
	}
	if err != nil {
		return err
	}
	now := s.clock.Now()
	err = s.store.ChangeOrder(ctx, o.ID, now.Add(SettleTime), func(o *Order) error { return change(o, now) })
	if fault.Is(err, fault.Conflict) {
		return nil // already settled on chain
	}
	return err
}

const (
	sweepInterval = time.Second
	sweepBatch    = 100
)

// Run ends overdue orders, once a second, until ctx ends. Errors of the store are reported and retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.Run(ctx, sweepInterval, s.Sweep, report)
}

// Sweep ends all overdue orders: unpaid ones expire, payments that never arrived fail.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	ids, err := s.store.OverdueOrders(ctx, now, sweepBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := s.store.ChangeOrder(ctx, id, now, func(o *Order) error {
			switch {
			case o.ExpiresAt.After(now):
				return nil
			case o.State == AwaitingPayment:
				return o.expire(now, notPaidText)
			default:
				return o.fail("The payment did not arrive in time. If it still does, the items are yours.", now)
			}
		})
		if err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

func (s *Service) amount(u money.Units) string { return u.Decimal(s.currency.Decimals) }
