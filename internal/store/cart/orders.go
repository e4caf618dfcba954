package cart

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Orders is the checkout's store for the market on one chain.
type Orders struct {
	*store.DB
	Chain onchain.ChainID
}

// Checkout runs fn under the player's lock; see checkout.Store.
func (o Orders) Checkout(ctx context.Context, playerID string, fn func(context.Context, checkout.Tx) error) error {
	return o.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		return fn(ctx, checkoutTx{tx, playerID, o.Chain})
	})
}

// checkoutTx is a player's checkout within a transaction.
type checkoutTx struct {
	tx     *store.Tx
	player string
	chain  onchain.ChainID
}

func (c checkoutTx) Buyer(ctx context.Context, currency eth.Address) (b checkout.Buyer, err error) {
	r, err := c.tx.BuyerOf(ctx, gen.BuyerOfParams{ChainID: c.chain, Currency: currency, PlayerID: c.player})
	if errors.Is(err, sql.ErrNoRows) {
		return b, wallet.ErrNotReady
	}
	if err != nil {
		return b, err
	}
	b.Wallet = r.SmartAddress
	return b, b.Balance.Scan(r.Balance)
}

func (c checkoutTx) Cart(ctx context.Context, now time.Time) ([]checkout.Unit, error) {
	if c.tx.Engine() == store.PostgreSQL { // SQLite has no concurrent writers
		if err := c.tx.LockCart(ctx, c.player); err != nil {
			return nil, err
		}
	}
	rows, err := c.tx.CartUnits(ctx, gen.CartUnitsParams{PlayerID: c.player, ExpiresAt: column.At(now)})
	if err != nil {
		return nil, err
	}
	units := make([]checkout.Unit, len(rows))
	for i, r := range rows {
		units[i] = checkout.Unit{
			ListingID: r.ListingID, Number: r.Number, Unit: r.Unit, ExpiresAt: r.ExpiresAt.Time, Order: r.OrderID,
			Contract: r.Contract, TokenID: r.TokenID, Seller: r.Seller, Currency: r.Currency, Price: r.Price,
			Live: bool(r.Valid) && onchain.Open(r.StartAt.Time, r.EndAt.Time, now) && r.Unit < r.Quantity,
		}
	}
	return units, nil
}

func (c checkoutTx) KeepFor(ctx context.Context, u checkout.Unit, orderID string, until time.Time) error {
	n, err := c.tx.KeepHold(ctx, gen.KeepHoldParams{
		OrderID: orderID, ExpiresAt: column.At(until), ListingID: u.ListingID, Unit: u.Unit, PlayerID: c.player,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return checkout.ErrCartChanged
	}
	return c.tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: u.ListingID})
}

func (c checkoutTx) OpenOrder(ctx context.Context) (*checkout.Order, error) {
	row, err := c.tx.OpenOrderOf(ctx, c.player)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return OrderOf(ctx, c.tx.Queries, row)
}

func (c checkoutTx) SaveOrder(ctx context.Context, o *checkout.Order) error {
	// Limits how many unpaid orders a player can accumulate.
	if err := c.tx.DropOldUnpaidOrders(ctx, gen.DropOldUnpaidOrdersParams{
		PlayerID: c.player, Before: column.At(o.UpdatedAt.Add(-checkout.UnpaidMemory)), Keep: checkout.UnpaidKept,
	}); err != nil {
		return err
	}
	return saveOrder(ctx, c.tx, o)
}

// Order returns one of the player's orders; see checkout.Store.
func (o Orders) Order(ctx context.Context, playerID, orderID string) (order *checkout.Order, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.OrderByID(ctx, orderID)
		if err == nil && row.PlayerID != playerID {
			err = sql.ErrNoRows
		}
		if err != nil {
			return store.NotFound(err, "There is no such order.")
		}
		if order, err = OrderOf(ctx, q, row); err == nil {
			order.Received, err = receivedFor(ctx, q, order)
		}
		return err
	})
	return order, err
}

// receivedFor returns what the sellers got for an order; see checkout.Order.
func receivedFor(ctx context.Context, q *gen.Queries, o *checkout.Order) (*money.Units, error) {
	if o.SettledBlock == 0 || o.TxHash == nil {
		return nil, nil
	}
	sales, err := q.OrderPayouts(ctx, gen.OrderPayoutsParams{
		ChainID: o.Chain, BlockNumber: int64(o.SettledBlock), TxHash: *o.TxHash, Buyer: o.Wallet,
	})
	if err != nil {
		return nil, err
	}
	var received *money.Units
	for _, item := range o.Items {
		if item.Bought == 0 {
			continue
		}
		known := false
		for _, s := range sales {
			if s.ListingID != item.Number {
				continue
			}
			payout, err := store.UnitsOrNil(s.Received)
			if payout == nil || err != nil {
				return nil, err
			}
			if received == nil {
				received = new(money.Units)
			}
			if *received, err = received.Add(*payout); err != nil {
				return nil, err
			}
			known = true
		}
		if !known {
			return nil, nil
		}
	}
	return received, nil
}

// ChangeOrder loads, changes and saves an order; see checkout.Store.
func (o Orders) ChangeOrder(ctx context.Context, orderID string, keepUntil time.Time, fn func(*checkout.Order) error) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return changeOrder(ctx, tx, orderID, keepUntil, fn) })
}

func changeOrder(ctx context.Context, tx *store.Tx, orderID string, keepUntil time.Time, fn func(*checkout.Order) error) error {
	order, err := lockedOrder(ctx, tx, orderID)
	if err != nil {
		return err
	}
	before := order.State
	if err := fn(order); err != nil {
		return err
	}
	if order.State.Paying() && order.State != before {
		order.ExpiresAt = keepUntil
		if err := keepPaidHolds(ctx, tx, order, keepUntil); err != nil {
			return err
		}
	}
	return saveOrder(ctx, tx, order)
}

// lockedOrder returns an order and locks it until the transaction ends; fault.NotFound for an unknown one.
func lockedOrder(ctx context.Context, tx *store.Tx, orderID string) (*checkout.Order, error) {
	if _, err := tx.LockOrder(ctx, orderID); err != nil {
		return nil, err
	}
	row, err := tx.OrderByID(ctx, orderID)
	if err != nil {
		return nil, store.NotFound(err, "There is no such order.")
	}
	return OrderOf(ctx, tx.Queries, row)
}

// OrderByCalls returns the order with the calls that awaits payment, or the newest one; see checkout.Store.
func (o Orders) OrderByCalls(ctx context.Context, playerID string, calls []checkout.Call) (order *checkout.Order, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		order, err = orderByCalls(ctx, q, playerID, calls)
		return err
	})
	return order, err
}

func orderByCalls(ctx context.Context, q *gen.Queries, playerID string, calls []checkout.Call) (*checkout.Order, error) {
	_, hash, err := callsText(calls)
	if err != nil {
		return nil, err
	}
	row, err := q.OrderByCalls(ctx, gen.OrderByCallsParams{PlayerID: playerID, CallsHash: hash})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return orderRow(row)
}

// callsText encodes calls for storage, and returns the hash by which an order is found.
func callsText(calls []checkout.Call) (text, hash string, err error) {
	b, err := json.Marshal(calls)
	sum := sha256.Sum256(b)
	return string(b), hex.EncodeToString(sum[:]), err
}

// AcceptPayment marks the order that the operation pays for as submitted, in the transaction that accepts the
// operation: an order cannot be both cancelled and paid. It returns the fault of checkout.Order.MayBePaid.
func AcceptPayment(ctx context.Context, tx *store.Tx, op gas.Operation) error {
	decoded, err := gas.DecodeCalls(op.Operation.CallData)
	if err != nil {
		return err
	}
	calls, err := CheckoutCalls(decoded)
	if err != nil {
		return err
	}
	order, err := orderByCalls(ctx, tx.Queries, op.Player, calls)
	if order == nil || err != nil {
		return err
	}
	if err := order.MayBePaid(op.CreatedAt); err != nil {
		return err
	}
	return changeOrder(ctx, tx, order.ID, op.CreatedAt.Add(checkout.SettleTime), func(o *checkout.Order) error {
		return o.Accept(op.Hash, op.CreatedAt)
	})
}

// CheckoutCalls converts an account's calls to those of orders.
func CheckoutCalls(calls []gas.Call) ([]checkout.Call, error) {
	out := make([]checkout.Call, len(calls))
	for i, c := range calls {
		value, err := money.FromBig(c.Value.Big())
		if err != nil {
			return nil, err
		}
		out[i] = checkout.Call{To: c.Target, Value: value, Data: c.Data}
	}
	return out, nil
}

// EndOrders ends those of the orders that are unpaid, because they lost a unit or a price changed. Empty ids are
// skipped.
func EndOrders(ctx context.Context, tx *store.Tx, ids []string, reason string) error {
	slices.Sort(ids) // in a fixed order, so that two transactions cannot deadlock
	for _, id := range slices.Compact(ids) {
		if id == "" {
			continue
		}
		order, err := lockedOrder(ctx, tx, id)
		if err != nil {
			return err
		}
		if !order.End(reason, tx.Clock().Now()) {
			continue
		}
		if err := saveOrder(ctx, tx, order); err != nil {
			return err
		}
	}
	return nil
}

// OrderByOperation returns the order an operation pays for; see checkout.Store.
func (o Orders) OrderByOperation(ctx context.Context, op eth.Hash) (order *checkout.Order, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.OrderByOperation(ctx, op)
		if err != nil {
			return store.NotFound(err, "There is no such order.")
		}
		order, err = OrderOf(ctx, q, row)
		return err
	})
	return order, err
}

// OverdueOrders returns the open orders whose time has passed; see checkout.Store.
func (o Orders) OverdueOrders(ctx context.Context, now time.Time, limit int) (ids []string, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		ids, err = q.OverdueOrders(ctx, gen.OverdueOrdersParams{ExpiresAt: column.At(now), Limit: int32(limit)})
		return err
	})
	return ids, err
}

// SettleOrders ends the orders whose operations are in the batch, with the outcome on the chain.
func SettleOrders(ctx context.Context, tx *store.Tx, b onchain.Batch) error {
	for _, op := range b.Ops {
		row, err := tx.OrderByOperation(ctx, op.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		ctx, span := trace.Follow(ctx, row.Trace, "settle order")
		defer span.End() // with the batch
		order, err := OrderOf(ctx, tx.Queries, row)
		if err != nil {
			return err
		}
		bought := map[string]int64{}
		for _, e := range b.Listings {
			if e.Kind == onchain.ListingSold && e.Tx == op.Tx && e.Sale.Buyer == order.Wallet {
				bought[market.Key(b.Chain, e.ListingID)] += e.Sale.Quantity
			}
		}
		if order.Settle(checkout.Outcome{Block: op.Block, Tx: op.Tx, Success: op.Success, Bought: bought}, tx.Clock().Now()) {
			if err := saveOrder(ctx, tx, order); err != nil {
				return err
			}
		}
	}
	return nil
}

// UnsettleOrders reverts the outcomes of orders that come from blocks above the ancestor.
func UnsettleOrders(ctx context.Context, tx *store.Tx, chain onchain.ChainID, ancestor int64) error {
	rows, err := tx.OrdersSettledAfter(ctx, gen.OrdersSettledAfterParams{ChainID: chain, SettledBlock: ancestor})
	if err != nil {
		return err
	}
	orders, err := ordersOf(ctx, tx.Queries, rows)
	if err != nil {
		return err
	}
	for _, o := range orders {
		now := tx.Clock().Now()
		o.Unsettle(now)
		o.ExpiresAt = now.Add(checkout.SettleTime)
		if err := saveOrder(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}

func saveOrder(ctx context.Context, tx *store.Tx, o *checkout.Order) error {
	calls, hash, err := callsText(o.Calls)
	if err != nil {
		return err
	}
	p := gen.SaveOrderParams{
		ID: o.ID, PlayerID: o.PlayerID, Wallet: o.Wallet, ChainID: o.Chain, Currency: o.Currency, Total: o.Total,
		State: o.State, Error: o.Error, SettledBlock: int64(o.SettledBlock), Calls: calls, CallsHash: hash,
		CreatedAt: column.At(o.CreatedAt), UpdatedAt: column.At(o.UpdatedAt), ExpiresAt: column.At(o.ExpiresAt), Trace: trace.Parent(ctx),
	}
	if o.UserOpHash != nil {
		p.UserOpHash = *o.UserOpHash
	}
	if o.TxHash != nil {
		p.TxHash = *o.TxHash
	}
	if err := tx.Queries.SaveOrder(ctx, p); err != nil {
		return err
	}
	for i, item := range o.Items {
		if err := tx.SaveOrderItem(ctx, gen.SaveOrderItemParams{
			OrderID: o.ID, Line: int64(i), ListingID: item.ListingID, Number: item.Number, Contract: item.Contract, TokenID: item.TokenID,
			Seller: item.Seller, Quantity: item.Quantity, Price: item.Price, Bought: item.Bought,
		}); err != nil {
			return err
		}
	}
	for i, e := range o.Timeline {
		if err := tx.SaveOrderEvent(ctx, gen.SaveOrderEventParams{
			OrderID: o.ID, Seq: int64(i), State: e.State, At: column.At(e.At), Detail: e.Detail,
		}); err != nil {
			return err
		}
	}
	a, err := announce.ToPlayer(o.PlayerID, o.Update())
	if err != nil {
		return err
	}
	return tx.Announce(ctx, a)
}

func ordersOf(ctx context.Context, q *gen.Queries, rows []gen.PurchaseOrder) ([]*checkout.Order, error) {
	orders := make([]*checkout.Order, len(rows))
	for i, row := range rows {
		var err error
		if orders[i], err = OrderOf(ctx, q, row); err != nil {
			return nil, err
		}
	}
	return orders, nil
}

// orderRow converts the row of an order, without its items and timeline.
func orderRow(r gen.PurchaseOrder) (*checkout.Order, error) {
	o := &checkout.Order{
		ID: r.ID, PlayerID: r.PlayerID, Wallet: r.Wallet, Chain: r.ChainID, Currency: r.Currency, Total: r.Total, State: r.State,
		UserOpHash: store.HashOrNil(r.UserOpHash), TxHash: store.HashOrNil(r.TxHash), SettledBlock: uint64(r.SettledBlock), Error: r.Error,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, ExpiresAt: r.ExpiresAt.Time,
	}
	return o, json.Unmarshal([]byte(r.Calls), &o.Calls)
}

// OrderOf converts a row to an order with its units.
func OrderOf(ctx context.Context, q *gen.Queries, r gen.PurchaseOrder) (*checkout.Order, error) {
	o, err := orderRow(r)
	if err != nil {
		return nil, err
	}
	items, err := q.OrderItems(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for _, i := range items {
		o.Items = append(o.Items, checkout.Item{
			ListingID: i.ListingID, Number: i.Number, Contract: i.Contract, TokenID: i.TokenID, Seller: i.Seller,
			Quantity: i.Quantity, Price: i.Price, Bought: i.Bought,
		})
	}
	events, err := q.OrderEvents(ctx, r.ID)
	for _, e := range events {
		o.Timeline = append(o.Timeline, checkout.Event{State: e.State, At: e.At.Time, Detail: e.Detail})
	}
	return o, err
}
