package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Operators is the operators' store; see operator.Store.
type Operators struct{ *DB }

var _ operator.Store = Operators{}

// errUnchanged is returned by the function of an act that has nothing to change.
var errUnchanged = errors.New("store: nothing to change")

// act runs fn in one transaction and adds the entry to the operators' log in it, unless fn returns an error. It returns nil for
// errUnchanged.
func (o Operators) act(ctx context.Context, e operator.Entry, fn func(context.Context, *Tx) error) error {
	err := o.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return tx.InsertOperatorLog(ctx, gen.InsertOperatorLogParams{
			ID: rand.Text(), At: column.At(e.At), Who: e.Who, Command: e.Command, Subject: e.Subject, Detail: e.Detail, Reason: e.Reason,
		})
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

// LogOperator adds an entry alone; see operator.Log.
func (o Operators) LogOperator(ctx context.Context, e operator.Entry) error {
	return o.act(ctx, e, func(context.Context, *Tx) error { return nil })
}

// OperatorLog returns the newest entries; see operator.Log.
func (o Operators) OperatorLog(ctx context.Context, limit int) ([]operator.Entry, error) {
	out := []operator.Entry{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OperatorLog(ctx, int32(limit))
		for _, r := range rows {
			out = append(out, operator.Entry{
				At: r.At.Time, Who: r.Who, Command: r.Command, Subject: r.Subject, Detail: r.Detail, Reason: r.Reason,
			})
		}
		return err
	})
	return out, err
}

// FindPlayers returns the players that match an id, an address or a name; see operator.Players.
func (o Operators) FindPlayers(ctx context.Context, by, value string) (out []operator.Player, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FindPlayers(ctx, gen.FindPlayersParams{
			Written: value, EmailKey: account.EmailKey(value), NameKey: account.NameKey(value),
		})
		for _, r := range rows {
			p := operator.Player{ID: r.ID, Name: r.DisplayName, Email: r.Email}
			if by == operator.ByAnything || by == operator.ByID && p.ID == value ||
				by == operator.ByEmail && account.EmailKey(p.Email) == account.EmailKey(value) ||
				by == operator.ByName && account.NameKey(p.Name) == account.NameKey(value) {
				out = append(out, p)
			}
		}
		return err
	})
	return out, err
}

// Profile returns what is known of a player; see operator.Players.
func (o Operators) Profile(ctx context.Context, playerID string) (p operator.Profile, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.FrozenPlayer(ctx, playerID)
		if err != nil {
			return notFound(err, noPlayer)
		}
		if !row.FrozenAt.IsZero() {
			p.Frozen = &operator.Freeze{At: row.FrozenAt.Time, Reason: row.FrozenReason}
		}
		counts, err := q.RewardCountsOf(ctx, sql.NullString{String: playerID, Valid: true})
		for _, c := range counts {
			switch reward.State(c.State) {
			case reward.Done:
				p.Rewards.Done += c.Rewards
			case reward.Failed:
				p.Rewards.Failed += c.Rewards
			case reward.Cancelled:
				p.Rewards.Cancelled += c.Rewards
			default:
				p.Rewards.Open += c.Rewards
			}
		}
		return err
	})
	if err != nil {
		return p, err
	}
	w, err := o.Wallet(ctx, playerID)
	if err == nil {
		p.Wallet = &operator.Wallet{Smart: w.Smart, Owner: w.Owner}
	} else if !fault.Is(err, fault.NotFound) {
		return p, err
	}
	own, err := o.VerifiedWallet(ctx, playerID)
	if err == nil {
		p.Verified = &own.Address
	} else if !fault.Is(err, fault.NotFound) {
		return p, err
	}
	lists, err := o.Whitelist(ctx, playerID, o.clock.Now())
	p.Lists = make([]operator.List, len(lists))
	for i, l := range lists {
		p.Lists[i] = operator.List{Name: l.Name, Until: l.Until}
	}
	return p, err
}

// PutOnList adds a player to a list; see operator.Players.
func (o Operators) PutOnList(ctx context.Context, playerID string, l operator.List, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Player(ctx, playerID); err != nil {
			return notFound(err, noPlayer)
		}
		return tx.PutWhitelistEntry(ctx, gen.PutWhitelistEntryParams{PlayerID: playerID, List: l.Name, UntilAt: column.At(l.Until)})
	})
}

// TakeOffList removes a player from a list; see operator.Players.
func (o Operators) TakeOffList(ctx context.Context, playerID, list string, e operator.Entry) (was bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		n, err := tx.DropWhitelistEntry(ctx, gen.DropWhitelistEntryParams{PlayerID: playerID, List: list})
		was = n > 0
		return unlessChanged(n, err)
	})
	return was, err
}

// unlessChanged returns errUnchanged if a statement has changed no row.
func unlessChanged(n int64, err error) error {
	if err == nil && n == 0 {
		return errUnchanged
	}
	return err
}

// PutScore stores a score as PutScore of the DB does.
func (o Operators) PutScore(ctx context.Context, playerID, board string, score int64, e operator.Entry) error {
	return o.act(ctx, e, putScore(playerID, board, score))
}

// KeepTables keeps drop tables as KeepTables of the DB does.
func (o Operators) KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error, e operator.Entry) error {
	return o.act(ctx, e, keepTables(tables, follows))
}

// OrdersOf returns a player's newest orders; see operator.Orders.
func (o Operators) OrdersOf(ctx context.Context, playerID string, limit int) ([]operator.Order, error) {
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
		ID: r.ID, PlayerID: r.PlayerID, State: string(r.State), Total: r.Total, Currency: r.Currency, Tx: hashOrNil(r.TxHash), Error: r.Error,
		PlacedAt: r.CreatedAt.Time,
	}
}

// Order returns an order; see operator.Orders.
func (o Operators) Order(ctx context.Context, id string) (d operator.OrderDetails, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.OrderByID(ctx, id)
		if err != nil {
			return notFound(err, "There is no such order.")
		}
		d.Order = placedOrder(row)
		order, err := orderOf(ctx, q, row)
		if err != nil {
			return err
		}
		d.Chain, d.Wallet, d.Operation, d.ExpiresAt = order.Chain, order.Wallet, hashOrNil(row.UserOpHash), order.ExpiresAt
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

// FindRewards returns rewards; see operator.Rewards.
func (o Operators) FindRewards(ctx context.Context, f operator.Find) (out []reward.Record, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		p := gen.FindRewardsParams{OfPlayer: f.PlayerID, InState: f.State, PageSize: int64(f.Limit)}
		if f.Unowned {
			p.Unowned = 1
		}
		rows, err := q.FindRewards(ctx, p)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r, err := recordOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// RewardRecord returns a reward; see operator.Rewards.
func (o Operators) RewardRecord(ctx context.Context, source string) (r reward.Record, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.Reward(ctx, source)
		if err != nil {
			return notFound(err, "There is no such reward.")
		}
		r, err = recordOf(ctx, q, row)
		return err
	})
	return r, err
}

// RedoReward gives failed grants again; see operator.Rewards.
func (o Operators) RedoReward(ctx context.Context, source string, e operator.Entry) (grants int, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		n, err := tx.RedoGrants(ctx, gen.RedoGrantsParams{UpdatedAt: column.At(e.At), Source: source})
		grants = int(n)
		if err := unlessChanged(n, err); err != nil {
			return err
		}
		row, err := tx.Reward(ctx, source)
		if err != nil {
			return err
		}
		if reward.Origin(row.Origin) == reward.FromWebstore && row.PlayerID.Valid {
			if err := tx.withholdIfOwing(ctx, source, row.PlayerID.String); err != nil {
				return err
			}
		}
		return tx.followGrants(ctx, source, e.At)
	})
	return grants, err
}

// AssignReward gives a reward to a player; see operator.Rewards.
func (o Operators) AssignReward(ctx context.Context, source, playerID string, e operator.Entry) (assigned bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		n, err := tx.AssignReward(ctx, gen.AssignRewardParams{
			PlayerID: sql.NullString{String: playerID, Valid: true}, UpdatedAt: column.At(e.At), Source: source,
		})
		assigned = n > 0
		if err := unlessChanged(n, err); err != nil {
			return err
		}
		if err := tx.ReleaseGrants(ctx, source); err != nil {
			return err
		}
		return tx.rewardMoved(ctx, source)
	})
	return assigned, err
}

// ShopBacklog returns what waits in the webstore; see operator.Shop.
func (o Operators) ShopBacklog(ctx context.Context, limit int) (b operator.ShopBacklog, err error) {
	counts, err := o.DB.ShopBacklog(ctx)
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
		orders, err := shopOrdersOf(ctx, q, rows)
		for _, order := range orders {
			b.Orders = append(b.Orders, paidOrder(order))
		}
		return err
	})
	if err != nil {
		return b, err
	}
	debts, err := o.OpenDebts(ctx, webstore.Debt{}, limit)
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
func (o Operators) ShopOrder(ctx context.Context, id int64, shop string) (out operator.ShopOrder, rewards []reward.Record, err error) {
	order, err := o.ShopOrderByID(ctx, id)
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
	rewards, err = o.RewardsOf(ctx, order.Sources(shop))
	return out, rewards, err
}

// referenceOf returns whom a reference of an order names.
func (o Operators) referenceOf(ctx context.Context, handOff string) (r operator.Reference, err error) {
	h, err := o.HandOffByID(ctx, handOff)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		return r, err
	}
	_, err = o.Player(ctx, h.PlayerID)
	if r = (operator.Reference{PlayerID: h.PlayerID}); fault.Is(err, fault.NotFound) {
		r.Deleted, err = true, nil
	}
	return r, err
}

// Chains returns the chains that the portal follows; see operator.GasRaises.
func (o Operators) Chains(ctx context.Context) (out []onchain.ChainID, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		ids, err := q.ChainsOfCursors(ctx)
		for _, id := range ids {
			out = append(out, onchain.ChainID(id))
		}
		return err
	})
	return out, err
}

// RaiseGas adds to a chain's budget; see operator.GasRaises.
func (o Operators) RaiseGas(ctx context.Context, chain onchain.ChainID, operations int64, wei money.Units, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		return tx.RaiseGasBudget(ctx, gen.RaiseGasBudgetParams{
			ChainID: chain, StartsAt: column.At(e.At.Truncate(gas.Day)), Operations: operations, Gwei: gas.Gwei(wei),
		})
	})
}

// SupportRequests returns the stored support requests; see operator.Contacts.
func (o Operators) SupportRequests(ctx context.Context) ([]operator.SupportRequest, error) {
	out := []operator.SupportRequest{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SupportRequests(ctx)
		for _, r := range rows {
			out = append(out, operator.SupportRequest{ID: r.ID, Email: r.Email, Topic: r.Topic, Message: r.Message, CreatedAt: r.CreatedAt.Time})
		}
		return err
	})
	return out, err
}

// Addresses returns the stored addresses; see operator.Contacts.
func (o Operators) Addresses(ctx context.Context) ([]operator.Address, error) {
	out := []operator.Address{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PreRegistrations(ctx)
		for _, r := range rows {
			out = append(out, operator.Address{Email: r.Email, CreatedAt: r.CreatedAt.Time})
		}
		return err
	})
	return out, err
}

// DeleteAddress deletes an address; see operator.Contacts.
func (o Operators) DeleteAddress(ctx context.Context, key string, e operator.Entry) (existed bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *Tx) error {
		n, err := tx.DeletePreRegistration(ctx, key)
		existed = n > 0
		return unlessChanged(n, err)
	})
	return existed, err
}

// Arrivals returns the stored arrivals; see operator.Contacts.
func (o Operators) Arrivals(ctx context.Context) ([]operator.Arrival, error) {
	out := []operator.Arrival{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Arrivals(ctx)
		for _, r := range rows {
			out = append(out, operator.Arrival{PlayerID: r.PlayerID, At: r.At.Time, Parameters: json.RawMessage(r.Parameters)})
		}
		return err
	})
	return out, err
}
