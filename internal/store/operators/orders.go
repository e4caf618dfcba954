package operators

import (
	"context"

	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/gen"
)

// OrdersOf returns a player's newest orders; see operator.Orders.
func (o Store) OrdersOf(ctx context.Context, playerID string, limit int) ([]operator.Order, error) {
	out := []operator.Order{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OrdersOf(ctx, gen.OrdersOfParams{PlayerID: playerID, Limit: int32(limit)})
		for _, r := range rows {
			out = append(out, placedOrder(r))
		}
		return err
	})
	return out, err
}

func placedOrder(r gen.PurchaseOrder) operator.Order {
	return operator.Order{
		ID: r.ID, PlayerID: r.PlayerID, State: string(r.State), Total: r.Total, Currency: r.Currency, Tx: store.HashOrNil(r.TxHash),
		Error:    r.Error,
		PlacedAt: r.CreatedAt.Time,
	}
}

// Order returns an order; see operator.Orders.
func (o Store) Order(ctx context.Context, id string) (d operator.OrderDetails, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.OrderByID(ctx, id)
		if err != nil {
			return store.NotFound(err, "There is no such order.")
		}
		d.Order = placedOrder(row)
		order, err := cartstore.OrderOf(ctx, q, row)
		if err != nil {
			return err
		}
		d.Chain, d.Wallet, d.Operation, d.ExpiresAt = order.Chain, order.Wallet, store.HashOrNil(row.UserOpHash), order.ExpiresAt
		d.Trace = trace.IDOf(row.Trace)
		d.Items, d.Events = make([]operator.OrderItem, len(order.Items)), make([]operator.OrderEvent, len(order.Timeline))
		for i, item := range order.Items {
			d.Items[i] = operator.OrderItem{
				Listing: item.ListingID, Contract: item.Contract, TokenID: item.TokenID, Seller: item.Seller,
				Quantity: item.Quantity, Bought: item.Bought, Price: item.Price,
			}
		}
		for i, event := range order.Timeline {
			d.Events[i] = operator.OrderEvent{At: event.At, State: string(event.State), Detail: event.Detail}
		}
		return nil
	})
	return d, err
}
