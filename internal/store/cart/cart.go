package cart

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// ChangeCart runs fn under the player's lock; see cart.Store.
func (db Store) ChangeCart(ctx context.Context, playerID string, fn func(context.Context, cart.Tx) error) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		return fn(ctx, cartTx{tx, playerID})
	})
}

// Hold runs fn under the locks of a hold; see cart.Store.
func (db Store) Hold(ctx context.Context, by cart.Holder, listingID string, now time.Time, fn func(context.Context, cart.Tx,
	cart.Facts) error) error {
	if db.Engine() == store.PostgreSQL {
		unlock, err := db.holds.lock(ctx, listingID)
		if err != nil {
			return err
		}
		defer unlock()
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := lockHold(ctx, tx, by, listingID); err != nil {
			return err
		}
		r, err := tx.HoldFacts(ctx, gen.HoldFactsParams{PlayerID: by.PlayerID, ListingID: listingID, Network: by.Network, Now: column.At(now)})
		if errors.Is(err, sql.ErrNoRows) {
			return noFacts(ctx, tx, by.PlayerID)
		}
		if err != nil {
			return err
		}
		if frozen := store.FreezeOf(r.FrozenAt, r.FrozenReason); frozen != nil {
			return account.FrozenFault(frozen.Reason)
		}
		if r.Deleting > 0 {
			return account.ErrDeleting
		}
		facts, err := holdFacts(r)
		if err != nil {
			return err
		}
		return fn(ctx, cartTx{tx, by.PlayerID}, facts)
	})
}

// lockHold locks the player's holds; the listing, so that no sale takes the unit between the check and the hold; and the
// network, of which two players must not both take the last unit that it may hold.
func lockHold(ctx context.Context, tx *store.Tx, by cart.Holder, listingID string) error {
	if tx.Engine() == store.SQLite { // writes are serialized
		return nil
	}
	p := tx.Pipeline()
	q := p.Queries()
	if err := errors.Join(q.LockPlayerHolds(ctx, by.PlayerID), q.LockListing(ctx, listingID)); err != nil {
		return err
	}
	if by.Network != "" {
		if err := q.LockHoldNetwork(ctx, by.Network); err != nil {
			return err
		}
	}
	if err := p.Send(ctx); err != nil {
		return err
	}
	// The next statement may see a player or a listing that was created meanwhile, but it is not locked.
	if p.Changed[0] == 0 || p.Changed[1] == 0 {
		return noFacts(ctx, tx, by.PlayerID)
	}
	return nil
}

// noFacts returns why there are no facts for a hold: there is no such player, the player is frozen, or there is no such listing.
func noFacts(ctx context.Context, tx *store.Tx, playerID string) error {
	r, err := tx.FrozenPlayer(ctx, playerID)
	if err != nil {
		return store.NotFound(err, store.NoPlayer)
	}
	if frozen := store.FreezeOf(r.FrozenAt, r.FrozenReason); frozen != nil {
		return account.FrozenFault(frozen.Reason)
	}
	return fault.New(fault.NotFound, "This listing does not exist.")
}

func holdFacts(r gen.HoldFactsRow) (f cart.Facts, err error) {
	f = cart.Facts{
		Offer: cart.Offer{
			ID: r.ID, Contract: r.Contract, Seller: r.Seller, Quantity: r.Quantity, Price: r.Price,
			Start: r.StartAt.Time, End: r.EndAt.Time, Valid: r.Valid == 1,
		},
		Standing: cart.Standing{Held: int(r.Held), NetworkHeld: int(r.NetworkHeld), WaitUntil: column.Of(r.WaitUntil)},
	}
	if f.Offer.Holds, err = store.HoldsOf(r.Holds); err != nil {
		return f, err
	}
	if f.Past, err = store.EndedHoldsOf(r.Past); err != nil {
		return f, err
	}
	if r.Wallet != "" {
		f.Standing.Wallet = new(eth.Address)
		err = f.Standing.Wallet.Scan(r.Wallet)
	}
	return f, err
}

// cartTx is a player's cart within a transaction.
type cartTx struct {
	tx     *store.Tx
	player string
}

// lockListing locks out the index and other players until the transaction ends.
func (c cartTx) lockListing(ctx context.Context, listingID string) error {
	if c.tx.Engine() == store.SQLite { // writes are serialized
		return nil
	}
	return c.tx.LockListing(ctx, listingID)
}

func (c cartTx) Confirmed(ctx context.Context) (bool, error) {
	p, err := store.ProofsOf(ctx, c.tx.Queries, c.player)
	return p.Reachable(), err
}

func (c cartTx) NetworkEnd(ctx context.Context, network string, now time.Time) (time.Time, error) {
	end, err := c.tx.NetworkHoldEnd(ctx, gen.NetworkHoldEndParams{Network: network, ExpiresAt: column.At(now)})
	return column.Of(end), err
}

func (c cartTx) Funds(ctx context.Context, currency cart.Currency, now, since time.Time) (f cart.Funds, err error) {
	rows, err := c.tx.HoldFunds(ctx, gen.HoldFundsParams{
		ChainID: currency.Chain, Currency: currency.Address, PlayerID: c.player, Since: column.At(since), Now: column.At(now),
	})
	if err != nil {
		return f, err
	}
	for _, r := range rows {
		switch r.Kind {
		case "balance":
			f.Balance = r.Amount
		case "recent":
			f.Recent = append(f.Recent, cart.Arrival{Amount: r.Amount, At: column.Of(r.At)})
		case "held":
			if f.Held, err = f.Held.Add(r.Amount); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

func (c cartTx) Holds(ctx context.Context, listingID string) ([]cart.Hold, error) {
	rows, err := c.tx.ListingHolds(ctx, listingID)
	holds := make([]cart.Hold, len(rows))
	for i, r := range rows {
		holds[i] = cart.Hold{Unit: r.Unit, PlayerID: r.PlayerID, HeldAt: r.HeldAt.Time, ExpiresAt: r.ExpiresAt.Time}
	}
	return holds, err
}

// Shelf returns a listing's offer and holds; see cart.Store.
func (db Store) Shelf(ctx context.Context, listingID string) (s cart.Shelf, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		shelf, err := q.ListingShelf(ctx, listingID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		s.Valid, s.Quantity = shelf.Valid == 1, shelf.Quantity
		s.Holds, err = store.HoldsOf(shelf.Holds)
		return err
	})
	return s, err
}

func (c cartTx) Take(ctx context.Context, i cart.Item, network string) (bool, error) {
	hold := gen.TakeFreeUnitParams{
		ListingID: i.ListingID, Unit: i.Unit, PlayerID: c.player, HeldAt: column.At(i.HeldAt), ExpiresAt: column.At(i.ExpiresAt), Price: i.Price,
		Network: network,
	}
	// Two statements cost less than one INSERT … DO UPDATE, for which SQLite keeps a statement journal. If several
	// players run one at the same time, it succeeds for only one.
	n, err := c.tx.TakeFreeUnit(ctx, hold)
	if n == 1 || err != nil {
		return n == 1, err
	}
	n, err = c.tx.TakeExpiredUnit(ctx, gen.TakeExpiredUnitParams(hold))
	return n == 1, err
}

func (c cartTx) Release(ctx context.Context, listingID string, unit int64, now time.Time) (bool, error) {
	// The index must not move another hold of the player to the unit meanwhile.
	if err := c.lockListing(ctx, listingID); err != nil {
		return false, err
	}
	rows, err := c.tx.ReleaseHold(ctx, gen.ReleaseHoldParams{ListingID: listingID, Unit: unit, PlayerID: c.player})
	if err != nil {
		return false, err
	}
	if len(rows) > 0 {
		r := rows[0]
		if err := CountHolds(ctx, c.tx, EndedBy(now, r.PlayerID, r.ListingID, r.HeldAt, r.ExpiresAt)); err != nil {
			return false, err
		}
		return true, EndOrders(ctx, c.tx, []string{r.OrderID}, checkout.ReleasedText)
	}
	if _, err := c.tx.HoldOf(ctx, gen.HoldOfParams{ListingID: listingID, Unit: unit, PlayerID: c.player}); err == nil {
		return false, cart.ErrPaying
	}
	return false, nil
}

func (c cartTx) ReleaseAll(ctx context.Context, now time.Time) (listingIDs []string, err error) {
	rows, err := c.tx.ReleaseHolds(ctx, c.player)
	if err != nil {
		return nil, err
	}
	ended, orders := make([]EndedHold, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		listingIDs = append(listingIDs, r.ListingID)
		ended[i], orders[i] = EndedBy(now, r.PlayerID, r.ListingID, r.HeldAt, r.ExpiresAt), r.OrderID
	}
	if err := CountHolds(ctx, c.tx, ended...); err != nil {
		return nil, err
	}
	return listingIDs, EndOrders(ctx, c.tx, orders, checkout.ReleasedText)
}

func (c cartTx) Lapse(ctx context.Context, listingID string, h cart.Hold, now time.Time) error {
	rows, err := c.tx.DropExpiredHold(ctx, gen.DropExpiredHoldParams{
		ListingID: listingID, Unit: h.Unit, PlayerID: h.PlayerID, ExpiresAt: column.At(now),
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := CountHolds(ctx, c.tx, EndedBy(now, r.PlayerID, r.ListingID, r.HeldAt, r.ExpiresAt)); err != nil {
			return err
		}
		if err := EndOrders(ctx, c.tx, []string{r.OrderID}, checkout.HoldEndedText); err != nil {
			return err
		}
	}
	return nil
}

func (c cartTx) Announce(ctx context.Context, listingID string) error {
	return c.tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: listingID})
}

// Cart returns the player's unexpired holds; see cart.Store.
func (db Store) Cart(ctx context.Context, playerID string, now time.Time) (items []cart.Item, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.CartItems(ctx, gen.CartItemsParams{PlayerID: playerID, ExpiresAt: column.At(now)})
		items = make([]cart.Item, len(rows))
		for i, r := range rows {
			items[i] = cart.Item{
				ListingID: r.ListingID, Number: r.Number, Contract: r.Contract, Unit: r.Unit, Price: r.Price,
				HeldAt: r.HeldAt.Time, ExpiresAt: r.ExpiresAt.Time, OrderID: r.OrderID,
			}
		}
		return err
	})
	return items, err
}

// SweepHolds ends expired holds; see cart.Store.
func (db Store) SweepHolds(ctx context.Context, now time.Time, limit int) (n int, err error) {
	var idle bool
	if idle, err = db.noExpiredHolds(ctx, now); idle || err != nil {
		return 0, err
	}
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows, err := tx.DropExpiredHolds(ctx, gen.DropExpiredHoldsParams{Now: column.At(now), Batch: int32(limit)})
		if err != nil {
			return err
		}
		n = len(rows)
		changed, ended, orders := map[string]bool{}, make([]EndedHold, n), make([]string, n)
		for i, r := range rows {
			ended[i], orders[i] = EndedBy(now, r.PlayerID, r.ListingID, r.HeldAt, r.ExpiresAt), r.OrderID
			if changed[r.ListingID] {
				continue
			}
			changed[r.ListingID] = true
			if err := tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: r.ListingID}); err != nil {
				return err
			}
		}
		if err := CountHolds(ctx, tx, ended...); err != nil {
			return err
		}
		if err := EndOrders(ctx, tx, orders, checkout.HoldEndedText); err != nil {
			return err
		}
		return forgetHolds(ctx, tx, now)
	})
	return n, err
}

// noExpiredHolds spares the sweeper a write, and so an fsync, when there is nothing to do.
func (db Store) noExpiredHolds(ctx context.Context, now time.Time) (none bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err := q.CountExpiredHolds(ctx, column.At(now))
		none = n == 0
		return err
	})
	return none, err
}

// EndHolds ends the player's holds except those with an accepted payment in progress, and returns their number.
func EndHolds(ctx context.Context, tx *store.Tx, playerID string, at time.Time) (int, error) {
	cart := cartTx{tx, playerID}
	listings, err := cart.ReleaseAll(ctx, at)
	if err != nil {
		return 0, err
	}
	units := len(listings)
	slices.Sort(listings)
	for _, id := range slices.Compact(listings) {
		if err := cart.Announce(ctx, id); err != nil {
			return 0, err
		}
	}
	return units, nil
}
