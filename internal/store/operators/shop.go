package operators

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
)

// ShopBacklog returns what waits in the webstore; see operator.Shop.
func (o Store) ShopBacklog(ctx context.Context, limit int) (b operator.ShopBacklog, err error) {
	counts, err := shopstore.New(o.DB).ShopBacklog(ctx)
	if err != nil {
		return b, err
	}
	b = operator.ShopBacklog{
		Reported: counts.Hints, Since: counts.Since, Waiting: counts.Problems,
		Failed: []operator.ShopHint{}, Orders: []operator.ShopOrder{}, Debts: []operator.Debt{},
	}
	err = o.Read(ctx, func(q *gen.Queries) error {
		hints, err := q.FailedShopHints(ctx, int32(limit))
		if err != nil {
			return err
		}
		for _, h := range hints {
			b.Failed = append(b.Failed, operator.ShopHint{OrderID: h.OrderID, Since: h.HeardAt.Time, Attempts: h.Attempts, Error: h.Error})
		}
		rows, err := q.ShopProblems(ctx, int32(limit))
		if err != nil {
			return err
		}
		orders, err := shopstore.ShopOrdersOf(ctx, q, rows)
		for _, order := range orders {
			b.Orders = append(b.Orders, paidOrder(order))
		}
		return err
	})
	if err != nil {
		return b, err
	}
	debts, err := shopstore.New(o.DB).OpenDebts(ctx, webstore.Debt{}, limit)
	for _, d := range debts {
		b.Debts = append(b.Debts, operator.Debt{
			PlayerID: d.PlayerID, State: string(d.State), Amount: d.Amount, Kind: d.Kind, Detail: json.RawMessage(d.Detail), Source: d.Source,
		})
	}
	return b, err
}

// paidOrder returns an order as operators see it, without its references.
func paidOrder(o webstore.Order) operator.ShopOrder {
	out := operator.ShopOrder{
		ID: o.ID, Number: o.Number, Status: string(o.Status), PlayerID: o.PlayerID, PaidAt: o.PaidAt, DisputedAt: o.DisputedAt,
		Problem: o.Problem, Notes: append([]string{}, o.Notes...), Refers: []operator.Reference{}, Lines: make([]operator.ShopLine, len(o.Lines)),
	}
	for i, l := range o.Lines {
		out.Lines[i] = operator.ShopLine{
			ID: l.ID, Variation: l.Variation, Name: l.Name, Quantity: l.Quantity, Back: l.Back, Waiting: l.Waiting(), Waits: l.Waits,
			Unknown: l.Contents == nil,
		}
	}
	return out
}

// ShopOrder returns a paid order with its rewards; see operator.Shop.
func (o Store) ShopOrder(ctx context.Context, id int64, shop string) (out operator.ShopOrder, rewards []reward.Record, err error) {
	order, err := shopstore.New(o.DB).ShopOrderByID(ctx, id)
	if err != nil {
		return out, nil, err
	}
	out = paidOrder(order)
	for _, id := range order.HandOffs {
		r, err := o.referenceOf(ctx, id)
		if err != nil {
			return out, nil, err
		}
		out.Refers = append(out.Refers, r)
	}
	rewards, err = shopstore.New(o.DB).RewardsOf(ctx, order.Sources(shop))
	return out, rewards, err
}

// referenceOf returns whom a reference of an order names.
func (o Store) referenceOf(ctx context.Context, handOff string) (r operator.Reference, err error) {
	h, err := shopstore.New(o.DB).HandOffByID(ctx, handOff)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		return r, err
	}
	_, err = accounts.New(o.DB).Player(ctx, h.PlayerID)
	if r = (operator.Reference{PlayerID: h.PlayerID}); fault.Is(err, fault.NotFound) {
		r.Deleted, err = true, nil
	}
	return r, err
}

// AssignShopOrder gives a paid order without a player to one; see operator.Shop.
func (o Store) AssignShopOrder(ctx context.Context, id int64, playerID, shop string, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockShopOrder(ctx, id); err != nil {
			return err
		}
		o, known, err := shopstore.ShopOrder(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !known:
			return fault.New(fault.NotFound, "There is no paid order %d.", id)
		case o.PlayerID != "":
			return fault.New(fault.Conflict, "This order is player %s's.", o.PlayerID)
		}
		if _, err := tx.Player(ctx, playerID); err != nil {
			return store.NotFound(err, "There is no such player.")
		}
		at := tx.Clock().Now()
		owner := sql.NullString{String: playerID, Valid: true}
		if _, err := tx.Queries.AssignShopOrder(ctx, gen.AssignShopOrderParams{PlayerID: owner, UpdatedAt: column.At(at), ID: id}); err != nil {
			return err
		}
		for _, source := range o.Sources(shop) {
			n, err := tx.OwnReward(ctx, gen.OwnRewardParams{PlayerID: owner, UpdatedAt: column.At(at), Source: source})
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			err = errors.Join(tx.ReleaseGrants(ctx, source), rewards.WithholdIfOwing(ctx, tx, source, playerID),
				rewards.RewardMoved(ctx, tx, source))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ReleaseShopOrder gives a player what waits of a paid order; see operator.Shop.
func (o Store) ReleaseShopOrder(ctx context.Context, id int64, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockShopOrder(ctx, id); err != nil {
			return err
		}
		o, known, err := shopstore.ShopOrder(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !known:
			return fault.New(fault.NotFound, "There is no paid order %d.", id)
		case o.PlayerID == "":
			return fault.New(fault.Conflict, "This order has no player: assign it first.")
		case !o.Waits():
			return fault.New(fault.Conflict, "Nothing of this order waits.")
		}
		at := column.At(tx.Clock().Now())
		if _, err := tx.ReleaseShopLines(ctx, id); err != nil {
			return err
		}
		if _, err := tx.Queries.ReleaseShopOrder(ctx, gen.ReleaseShopOrderParams{UpdatedAt: at, ID: id}); err != nil {
			return err
		}
		// The order is settled once more, which gives what is released.
		return tx.PutShopHint(ctx, gen.PutShopHintParams{OrderID: id, HeardAt: at})
	})
}

// ForgiveShopDebts forgives a player's open debts and disputes; see operator.Shop.
func (o Store) ForgiveShopDebts(ctx context.Context, playerID string, e operator.Entry) (n, disputes int64, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		disputes, err = tx.ForgiveDisputes(ctx, gen.ForgiveDisputesParams{
			UpdatedAt: column.At(tx.Clock().Now()), PlayerID: sql.NullString{String: playerID, Valid: true},
		})
		if err != nil {
			return err
		}
		if n, err = tx.Queries.ForgiveShopDebts(ctx, gen.ForgiveShopDebtsParams{
			UpdatedAt: column.At(tx.Clock().Now()), PlayerID: playerID,
		}); err != nil {
			return err
		}
		return rewards.ReleaseWithheld(ctx, tx, playerID)
	})
	return n, disputes, err
}
