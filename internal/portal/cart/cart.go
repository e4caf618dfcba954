// Package cart holds units of listings for the players who are about to buy them.
//
// A unit has at most one hold. A hold lasts HoldTime by the server's clock; starting to pay extends it once.
// Changes of one player's holds are serialized, and taking a unit is one guarded statement, so that exactly one of
// several concurrent players gets it. Limits on how long players and networks hold without buying keep anybody from
// blocking the market.
package cart

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/periodic"
)

// ErrPaying means that a unit cannot be released, because the player is paying for it.
var ErrPaying = fault.New(fault.Conflict, "Your payment for this is on its way.").WithReason("paying")

// Item is one unit in a player's cart.
type Item struct {
	ListingID string // the listing's id in the portal: chain id, dash, number
	Number    string // the marketplace's own listing number
	Contract  eth.Address
	Unit      int64
	HeldAt    time.Time
	ExpiresAt time.Time
	Price     money.Units // what one cost when it was put in
	OrderID   string      // the order that is paying for it; "" for none
}

// Tx is the cart's view of a transaction that locks the player's holds.
type Tx interface {
	// Confirmed reports whether the player counts as reachable. Sponsorship uses the same rule; see
	// account.Service.Confirmed.
	Confirmed(ctx context.Context) (bool, error)
	// NetworkEnd returns when the first hold of the network's players ends.
	NetworkEnd(ctx context.Context, network string, now time.Time) (time.Time, error)
	// Funds returns the balance of the player's wallet, and what it received since the given time.
	Funds(ctx context.Context, c Currency, now, since time.Time) (Funds, error)
	// Holds returns all holds of a listing as they are now, expired ones included.
	Holds(ctx context.Context, listingID string) ([]Hold, error)
	// Take holds the unit if it is free or its hold has expired. It reports whether the player got it.
	Take(ctx context.Context, i Item, network string) (bool, error)
	// Release ends the player's hold of the unit and counts its time. It reports whether there was one.
	Release(ctx context.Context, listingID string, unit int64, now time.Time) (bool, error)
	// ReleaseAll ends all holds of the player that have no pending payment, counts their time, and returns their
	// listings.
	ReleaseAll(ctx context.Context, now time.Time) (listingIDs []string, err error)
	// Lapse ends an expired hold and counts its time.
	Lapse(ctx context.Context, listingID string, h Hold, now time.Time) error
	// Announce notifies all clients, after the commit, that the listing's holds changed.
	Announce(ctx context.Context, listingID string) error
}

// Store stores the holds.
type Store interface {
	// ChangeCart runs fn in one transaction that locks the player's holds. fn may be retried.
	ChangeCart(ctx context.Context, playerID string, fn func(context.Context, Tx) error) error
	// Hold is ChangeCart for a unit of a listing: it also locks the listing, so that no unit is sold meanwhile, and the
	// network, so that its other players take none. It returns fault.NotFound for an unknown player or listing.
	Hold(ctx context.Context, by Holder, listingID string, now time.Time, fn func(context.Context, Tx, Facts) error) error
	// Cart returns the player's unexpired holds, oldest first.
	Cart(ctx context.Context, playerID string, now time.Time) ([]Item, error)
	// Shelf returns a listing's offer and all its holds; the zero Shelf for an unknown listing.
	Shelf(ctx context.Context, listingID string) (Shelf, error)
	// SweepHolds ends at most limit expired holds, counts their time and announces the listings; it returns how many
	// it ended.
	SweepHolds(ctx context.Context, now time.Time, limit int) (int, error)
}

// Shelf is what a listing offers, and who holds it.
type Shelf struct {
	Valid    bool  // can be bought from within its time window
	Quantity int64 // units on offer; those left if it is not valid, 0 for an unknown listing
	Holds    []Hold
}

// Options configure the requirements of a hold.
type Options struct {
	Need     Need     // NeedNothing if empty
	Currency Currency // the currency that NeedFunds checks
	Faucet   string   // the faucet's API call; "" if there is none
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store    Store
	clock    clock.Clock
	need     Need
	currency Currency
	faucet   string
}

// NewService returns a Service.
func NewService(s Store, c clock.Clock, o Options) *Service {
	return &Service{store: s, clock: c, need: cmp.Or(o.Need, NeedNothing), currency: o.Currency, faucet: o.Faucet}
}

// Remove ends the player's hold of a unit. It returns fault.NotFound if the player does not hold it, and
// fault.Conflict while its payment is pending.
func (s *Service) Remove(ctx context.Context, playerID, listingID string, unit int64) error {
	now := s.clock.Now()
	return s.store.ChangeCart(ctx, playerID, func(ctx context.Context, tx Tx) error {
		released, err := tx.Release(ctx, listingID, unit, now)
		if err != nil {
			return err
		}
		if !released {
			return fault.New(fault.NotFound, "This is not in your cart.")
		}
		return tx.Announce(ctx, listingID)
	})
}

// Empty ends all holds of the player except those with a pending payment.
func (s *Service) Empty(ctx context.Context, playerID string) error {
	now := s.clock.Now()
	return s.store.ChangeCart(ctx, playerID, func(ctx context.Context, tx Tx) error {
		ids, err := tx.ReleaseAll(ctx, now)
		if err != nil {
			return err
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if err := tx.Announce(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Items returns the player's holds, oldest first.
func (s *Service) Items(ctx context.Context, playerID string) ([]Item, error) {
	return s.store.Cart(ctx, playerID, s.clock.Now())
}

// MayBuy returns fault.Conflict if the player must not buy n units of the listing: with ReasonGone if it is not on offer, with
// ReasonSoldOut if it offers fewer, and with ReasonHeld if other players hold too many of them. The player need not hold any.
func (s *Service) MayBuy(ctx context.Context, playerID, listingID string, n int64) error {
	shelf, err := s.store.Shelf(ctx, listingID)
	if err != nil {
		return err
	}
	switch {
	case !shelf.Valid:
		return fault.New(fault.Conflict, "This is no longer for sale.").WithReason(ReasonGone)
	case n > shelf.Quantity:
		return fault.New(fault.Conflict, "Only %d left.", shelf.Quantity).WithReason(ReasonSoldOut)
	}
	now := s.clock.Now()
	var others int64
	for _, h := range shelf.Holds {
		if h.PlayerID != playerID && h.ExpiresAt.After(now) {
			others++
		}
	}
	if n > shelf.Quantity-others {
		return fault.New(fault.Conflict, "Somebody else has this in their cart.").WithReason(ReasonHeld)
	}
	return nil
}

const (
	sweepInterval = time.Second
	sweepBatch    = 500
)

// Run ends expired holds, once a second, until ctx ends. Errors of the store are reported and retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.Run(ctx, sweepInterval, s.Sweep, report)
}

// Sweep ends all expired holds.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		n, err := s.store.SweepHolds(ctx, s.clock.Now(), sweepBatch)
		if n < sweepBatch || err != nil {
			return err
		}
	}
}
