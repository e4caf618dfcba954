package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// followFunds records the money received that may cover holds, and returns the players whose balance fell, sorted. It runs
// before any listing is written: on PostgreSQL a hold locks the player before the listing, and so must this.
func (c *change) followFunds(ctx context.Context) (spenders []string, err error) {
	if c.rules.HoldCurrency == nil {
		return nil, nil
	}
	now := c.tx.Clock().Now()
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
	if c.tx.Engine() == store.SQLite { // writes are serialized
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
	now := c.tx.Clock().Now()
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
		if holds[i].Paying, err = cartstore.IsBeingPaid(ctx, c.tx, r.OrderID); err != nil {
			return err
		}
	}
	uncovered, err := cart.Uncovered(holds, balance)
	if err != nil {
		return err
	}
	var ended []cartstore.EndedHold
	var orders []string
	for _, h := range uncovered {
		r := byUnit[unitKey{h.ListingID, h.Unit}]
		dropped, err := c.tx.DropUnit(ctx, gen.DropUnitParams{ListingID: h.ListingID, Unit: h.Unit})
		if err != nil {
			return err
		}
		orders = append(orders, dropped...)
		ended = append(ended, cartstore.EndedBy(now, player, h.ListingID, r.HeldAt, r.ExpiresAt))
		if err := c.tellHoldEnded(ctx, player, r.Number, r.Contract, h.Unit, projection.HoldUncovered); err != nil {
			return err
		}
		if err := c.tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: h.ListingID}); err != nil {
			return err
		}
	}
	if err := cartstore.EndOrders(ctx, c.tx, orders, checkout.UncoveredText); err != nil {
		return err
	}
	return cartstore.CountHolds(ctx, c.tx, ended...)
}

type unitKey struct {
	listing string
	unit    int64
}
