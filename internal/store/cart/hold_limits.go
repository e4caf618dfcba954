package cart

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// EndedHold is a hold that has been removed without a purchase. Times are in milliseconds.
type EndedHold struct {
	player, listing string
	began, ended    int64
}

// EndedBy returns a hold that is removed now, and may have expired before.
func EndedBy(now time.Time, player, listing string, began, expires column.Time) EndedHold {
	return EndedHold{player, listing, column.Millis(began.Time), min(column.Millis(expires.Time), column.Millis(now))}
}

// CountHolds records the duration of removed holds, for the limits of the cart. Holds that are removed together must be
// passed together.
func CountHolds(ctx context.Context, tx *store.Tx, ended ...EndedHold) error {
	slices.SortFunc(ended, func(a, b EndedHold) int {
		return cmp.Or(cmp.Compare(a.player, b.player), cmp.Compare(a.listing, b.listing), cmp.Compare(a.began, b.began))
	})
	for _, h := range ended {
		if err := countHold(ctx, tx, h); err != nil {
			return err
		}
	}
	return nil
}

// countHold records the duration of a hold. Time during which the player held several units of the listing counts once:
// periods that other rows cover are skipped, and the time of a unit that is still held is included up to now. Holds may
// be counted in any order: an expired hold is counted when it is swept, possibly after a later one.
func countHold(ctx context.Context, tx *store.Tx, h EndedHold) error {
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
	return beginWait(ctx, tx, h)
}

// ForgiveHolds excludes a player's past holds of a listing from that listing's limit, because the player has bought
// from it.
func ForgiveHolds(ctx context.Context, tx *store.Tx, player, listing string) error {
	if err := tx.SettleHoldTime(ctx, gen.SettleHoldTimeParams{PlayerID: player, ListingID: listing}); err != nil {
		return err
	}
	now := column.At(tx.Clock().Now()) // current holds count from here
	return tx.InsertHoldTime(ctx, gen.InsertHoldTimeParams{PlayerID: player, ListingID: listing, BeganAt: now, EndedAt: now, Bought: true})
}

// beginWait starts a waiting period if the hold exceeded the limit.
func beginWait(ctx context.Context, tx *store.Tx, h EndedHold) error {
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
func forgetHolds(ctx context.Context, tx *store.Tx, now time.Time) error {
	if err := tx.DropOldHoldTimes(ctx, column.At(now.Add(-cart.Memory))); err != nil {
		return err
	}
	if err := tx.DropOldHoldWaits(ctx, column.At(cart.ForgottenWaits(now))); err != nil {
		return err
	}
	if err := tx.DropEndedHolds(ctx, column.At(now)); err != nil {
		return err
	}
	if tx.Engine() == store.SQLite { // never needed there
		return nil
	}
	return tx.DropIdleHoldNetworks(ctx)
}

// IsBeingPaid reports whether a payment for the order is in progress.
func IsBeingPaid(ctx context.Context, tx *store.Tx, orderID string) (bool, error) {
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
	return hasPayment(ctx, tx, order)
}

// keepPaidHolds extends the holds of an order until a time, if a payment for it is in progress.
func keepPaidHolds(ctx context.Context, tx *store.Tx, o *checkout.Order, until time.Time) error {
	paid, err := hasPayment(ctx, tx, o)
	if !paid || err != nil {
		return err
	}
	return tx.KeepOrderHolds(ctx, gen.KeepOrderHoldsParams{ExpiresAt: column.At(until), OrderID: o.ID})
}

// hasPayment reports whether the operation that pays for the order may still succeed.
func hasPayment(ctx context.Context, tx *store.Tx, o *checkout.Order) (bool, error) {
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
