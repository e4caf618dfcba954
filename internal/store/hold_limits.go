package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// endedHold is a hold that has been removed without a purchase. Times are in milliseconds.
type endedHold struct {
	player, listing string
	began, ended    int64
}

// endedBy returns a hold that is removed now, and may have expired before.
func endedBy(now time.Time, player, listing string, began, expires column.Time) endedHold {
	return endedHold{player, listing, column.Millis(began.Time), min(column.Millis(expires.Time), column.Millis(now))}
}

// countHolds records the duration of removed holds, for the limits of the cart. Holds that are removed together must be
// passed together.
func (tx *Tx) countHolds(ctx context.Context, ended ...endedHold) error {
	slices.SortFunc(ended, func(a, b endedHold) int {
		return cmp.Or(cmp.Compare(a.player, b.player), cmp.Compare(a.listing, b.listing), cmp.Compare(a.began, b.began))
	})
	for _, h := range ended {
		if err := tx.countHold(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// countHold records the duration of a hold. Time during which the player held several units of the listing counts once:
// periods that other rows cover are skipped, and the time of a unit that is still held is included up to now. Holds may
// be counted in any order: an expired hold is counted when it is swept, possibly after a later one.
func (tx *Tx) countHold(ctx context.Context, h endedHold) error {
	end := column.At(column.Of(h.ended))
	known, err := tx.ListingHeldUntil(ctx, gen.ListingHeldUntilParams{PlayerID: h.player, ListingID: h.listing, Now: end})
	if err != nil {
		return err
	}
	began := h.began
	if known.Began > 0 {
		began = min(began, known.Began)
	}
	began = max(began, known.Forgiven)
	counted, err := tx.HoldTimesWithin(ctx, gen.HoldTimesWithinParams{
		PlayerID: h.player, ListingID: h.listing, Began: column.At(column.Of(began)), Ended: end,
	})
	if err != nil {
		return err
	}
	counted = append(counted, gen.HoldTimesWithinRow{BeganAt: end, EndedAt: end})
	unitTime := h.ended - h.began
	for i, c := range counted {
		if last := i == len(counted)-1; began < column.Millis(c.BeganAt.Time) || last {
			row := gen.InsertHoldTimeParams{
				PlayerID: h.player, ListingID: h.listing, BeganAt: column.At(column.Of(min(began, h.ended))), EndedAt: c.BeganAt,
			}
			if last { // even if its interval is empty: the unit's time always counts
				row.UnitTime = unitTime
			}
			if err := tx.InsertHoldTime(ctx, row); err != nil {
				return err
			}
		}
		began = max(began, column.Millis(c.EndedAt.Time))
	}
	return tx.beginWait(ctx, h)
}

// forgiveHolds excludes a player's past holds of a listing from that listing's limit, because the player has bought
// from it.
func (tx *Tx) forgiveHolds(ctx context.Context, player, listing string) error {
	if err := tx.SettleHoldTime(ctx, gen.SettleHoldTimeParams{PlayerID: player, ListingID: listing}); err != nil {
		return err
	}
	now := column.At(tx.clock.Now()) // current holds count from here
	return tx.InsertHoldTime(ctx, gen.InsertHoldTimeParams{PlayerID: player, ListingID: listing, BeganAt: now, EndedAt: now, Bought: true})
}

// beginWait starts a waiting period if the hold exceeded the limit.
func (tx *Tx) beginWait(ctx context.Context, h endedHold) error {
	row, err := tx.HoldWait(ctx, h.player)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	last, ended := cart.Wait{Step: int(row.Step), Until: row.EndsAt.Time}, column.Of(h.ended)
	held, err := tx.UnitTimeSince(ctx, gen.UnitTimeSinceParams{PlayerID: h.player, EndedAt: column.At(last.CountsFrom(ended))})
	if err != nil {
		return err
	}
	wait, ok := last.Next(ended, time.Duration(held)*time.Millisecond)
	if !ok {
		return nil
	}
	return tx.BeginHoldWait(ctx, gen.BeginHoldWaitParams{
		PlayerID: h.player, Step: int64(wait.Step), EndsAt: column.At(wait.Until), BeganAt: h.ended,
	})
}

// forgetHolds deletes rows that no longer affect the limits.
func (tx *Tx) forgetHolds(ctx context.Context, now time.Time) error {
	if err := tx.DropOldHoldTimes(ctx, column.At(now.Add(-cart.Memory))); err != nil {
		return err
	}
	if err := tx.DropOldHoldWaits(ctx, column.At(cart.ForgottenWaits(now))); err != nil {
		return err
	}
	if err := tx.DropEndedHolds(ctx, column.At(now)); err != nil {
		return err
	}
	if tx.engine == SQLite { // never needed there
		return nil
	}
	return tx.DropIdleHoldNetworks(ctx)
}

// followFunds records the money received that may cover holds, and returns the players whose balance fell, sorted. It runs
// before any listing is written: on PostgreSQL a hold locks the player before the listing, and so must this.
func (c *change) followFunds(ctx context.Context) (spenders []string, err error) {
	if c.rules.HoldCurrency == nil {
		return nil, nil
	}
	now := c.tx.clock.Now()
	if err := c.tx.DropOldRecentFunds(ctx, column.At(now.Add(-cart.FundsAge))); err != nil {
		return nil, err
	}
	for k, b := range c.balances {
		if k.contract != *c.rules.HoldCurrency {
			continue
		}
		switch b.delta.Sign() {
		case 1:
			// The server's time, not the block's: other players get the full cart.FundsAge even if the index is behind.
			p := gen.InsertRecentFundsParams{Wallet: k.owner, Amount: b.delta.String(), ArrivedAt: column.Millis(now)}
			if err := c.tx.InsertRecentFunds(ctx, p); err != nil {
				return nil, err
			}
		case -1:
			player, err := c.tx.PlayerOfWallet(ctx, k.owner)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return nil, err
			}
			spenders = append(spenders, player)
		}
	}
	slices.Sort(spenders)
	if c.tx.engine == SQLite { // writes are serialized
		return spenders, nil
	}
	for _, player := range spenders {
		if _, err := c.tx.TakeHoldTurn(ctx, player); err != nil {
			return nil, err
		}
	}
	return spenders, nil
}

// endUncovered ends the holds that a player's money no longer covers.
func (c *change) endUncovered(ctx context.Context, player string) error {
	now := c.tx.clock.Now()
	rows, err := c.tx.FundedHolds(ctx, gen.FundedHoldsParams{PlayerID: player, ExpiresAt: column.At(now)})
	if err != nil || len(rows) == 0 {
		return err
	}
	var balance money.Units
	buyer, err := c.tx.BuyerOf(ctx, gen.BuyerOfParams{ChainID: c.chain, Currency: *c.rules.HoldCurrency, PlayerID: player})
	if err == nil {
		err = balance.Scan(buyer.Balance)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	holds, byUnit := make([]cart.Funded, len(rows)), map[unitKey]gen.FundedHoldsRow{}
	for i, r := range rows {
		holds[i] = cart.Funded{ListingID: r.ListingID, Unit: r.Unit, Price: r.Price, HeldAt: r.HeldAt.Time}
		byUnit[unitKey{r.ListingID, r.Unit}] = r
		if holds[i].Paying, err = c.tx.isBeingPaid(ctx, r.OrderID); err != nil {
			return err
		}
	}
	uncovered, err := cart.Uncovered(holds, balance)
	if err != nil {
		return err
	}
	var ended []endedHold
	var orders []string
	for _, h := range uncovered {
		r := byUnit[unitKey{h.ListingID, h.Unit}]
		dropped, err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: h.ListingID, Unit: h.Unit})
		if err != nil {
			return err
		}
		orders = append(orders, dropped...)
		ended = append(ended, endedBy(now, player, h.ListingID, r.HeldAt, r.ExpiresAt))
		if err := c.tellHoldEnded(ctx, player, r.Number, r.Contract, h.Unit, projection.HoldUncovered); err != nil {
			return err
		}
		if err := c.tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: h.ListingID}); err != nil {
			return err
		}
	}
	if err := c.tx.endOrders(ctx, orders, checkout.UncoveredText); err != nil {
		return err
	}
	return c.tx.countHolds(ctx, ended...)
}

type unitKey struct {
	listing string
	unit    int64
}

// isBeingPaid reports whether a payment for the order is in progress.
func (tx *Tx) isBeingPaid(ctx context.Context, orderID string) (bool, error) {
	if orderID == "" {
		return false, nil
	}
	row, err := tx.OrderByID(ctx, orderID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	order, err := orderRow(row)
	if err != nil || !order.State.Paying() {
		return false, err
	}
	return tx.hasPayment(ctx, order)
}

// keepPaidHolds extends the holds of an order until a time, if a payment for it is in progress.
func (tx *Tx) keepPaidHolds(ctx context.Context, o *checkout.Order, until time.Time) error {
	paid, err := tx.hasPayment(ctx, o)
	if !paid || err != nil {
		return err
	}
	return tx.KeepOrderHolds(ctx, gen.KeepOrderHoldsParams{ExpiresAt: column.At(until), OrderID: o.ID})
}

// hasPayment reports whether the operation that pays for the order may still succeed.
func (tx *Tx) hasPayment(ctx context.Context, o *checkout.Order) (bool, error) {
	if o.UserOpHash == nil {
		return false, nil
	}
	row, err := tx.GasOperation(ctx, *o.UserOpHash)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	state := gas.OperationState(row.State)
	return err == nil && state != gas.OperationDropped && state != gas.OperationFailed, err
}
