package cart

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

const (
	HoldTime = 10 * time.Minute // a hold's duration
	MaxUnits = 20               // units a player may hold at once
)

// Reasons of the conflicts this package returns.
const (
	ReasonHeld       = "held"
	ReasonSoldOut    = "sold-out"
	ReasonOwnListing = "own-listing"
	ReasonFull       = "cart-full"
	ReasonGone       = "gone"
)

// Offer is the cart's view of a listing and its holds.
type Offer struct {
	ID       string
	Contract eth.Address
	Seller   eth.Address
	Quantity int64
	Price    money.Units
	Valid    bool // can be bought from within its time window
	Start    time.Time
	End      time.Time
	Holds    []Hold // of all units by their numbers, expired ones included
}

// live reports whether the offer can be bought at the given time.
func (o Offer) live(now time.Time) bool {
	return o.Valid && onchain.Open(o.Start, o.End, now)
}

// Hold is a hold of one of a listing's units, expired or not.
type Hold struct {
	Unit      int64
	PlayerID  string
	HeldAt    time.Time
	ExpiresAt time.Time
}

// Holder is the player who requests a unit, and an opaque tag of the player's network (an IPv4 /24 or an IPv6 /56),
// "" if unknown.
type Holder struct {
	PlayerID string
	Network  string
}

// Standing is what the rules need to know about a player.
type Standing struct {
	Wallet      *eth.Address // the registered smart account; nil if there is none yet
	Held        int          // units held now
	NetworkHeld int          // units held now by players of the network; 0 if the network is unknown
	WaitUntil   time.Time    // when the player's wait for holding much without buying ends
}

// Facts are what the rules need to know about a player who wants to hold a unit of a listing.
type Facts struct {
	Offer    Offer
	Standing Standing
	Past     []EndedHold // of the listing, by the times when they ended
}

// Add holds a unit of the listing for the player: the given one, or any free one if unit is nil. A unit that the
// player already holds is returned unchanged: adding it again does not extend the hold. contract must be the
// listing's.
//
// It returns fault.NotFound for an unknown listing; fault.Conflict with a Reason if the unit is held by another
// player, sold out or the player's own, if the cart is full, or if the player lacks what a hold needs; fault.TooMany
// with a Reason and the time to wait if a limit is reached.
func (s *Service) Add(ctx context.Context, by Holder, listingID string, contract eth.Address, unit *int64) (Item, error) {
	now := s.clock.Now()
	var item Item
	err := s.store.Hold(ctx, by, listingID, now, func(ctx context.Context, tx Tx, facts Facts) (err error) {
		offer := facts.Offer
		if offer.Contract != contract {
			return fault.New(fault.NotFound, "This listing does not exist.")
		}
		if own, ok := ownHold(offer.Holds, by.PlayerID, unit, now); ok {
			item = Item{ListingID: listingID, Contract: contract, Unit: own.Unit, ExpiresAt: own.ExpiresAt}
			return nil
		}
		if err := s.mayHold(ctx, tx, by, facts, unit, now); err != nil {
			return err
		}
		item, err = s.take(ctx, tx, by, offer, unit, now)
		if err != nil {
			return err
		}
		return tx.Announce(ctx, listingID)
	})
	return item, err
}

// ownHold returns the player's current hold of the requested unit. A request for any free unit never matches.
func ownHold(holds []Hold, playerID string, unit *int64, now time.Time) (Hold, bool) {
	if unit == nil {
		return Hold{}, false
	}
	i := slices.IndexFunc(holds, func(h Hold) bool {
		return h.Unit == *unit && h.PlayerID == playerID && h.ExpiresAt.After(now)
	})
	if i < 0 {
		return Hold{}, false
	}
	return holds[i], true
}

// mayHold checks every rule except that the unit is free.
func (s *Service) mayHold(ctx context.Context, tx Tx, by Holder, facts Facts, unit *int64, now time.Time) error {
	offer, standing := facts.Offer, facts.Standing
	if !offer.live(now) {
		return fault.New(fault.Conflict, "This is no longer for sale.").WithReason(ReasonGone)
	}
	if unit != nil && (*unit < 0 || *unit >= offer.Quantity) {
		return fault.New(fault.Conflict, "This one has been sold.").WithReason(ReasonSoldOut)
	}
	switch {
	case standing.Wallet != nil && *standing.Wallet == offer.Seller:
		return fault.New(fault.Conflict, "This is your own listing.").WithReason(ReasonOwnListing)
	case standing.Held >= MaxUnits:
		return fault.New(fault.Conflict, "Your cart is full: it holds %d items.", MaxUnits).WithReason(ReasonFull)
	}
	if wait := standing.WaitUntil.Sub(now); wait > 0 {
		return fault.Wait(wait, "You have had many items in your cart without buying them. You can add the next one in %s.",
			humanize.Duration(wait)).
			WithReason(ReasonUnitTime)
	}
	if err := mayHoldOf(facts, by.PlayerID, now); err != nil {
		return err
	}
	if standing.NetworkHeld >= NetworkUnits {
		return networkFull(ctx, tx, by.Network, now)
	}
	return s.mayAfford(ctx, tx, standing, offer.Price, now)
}

func networkFull(ctx context.Context, tx Tx, network string, now time.Time) error {
	end, err := tx.NetworkEnd(ctx, network, now)
	if err != nil {
		return err
	}
	wait := end.Sub(now)
	return fault.Wait(wait,
		"Players on your network hold %d items together, which is as many as can be. One of them is free in %s at the latest.",
		NetworkUnits, humanize.Duration(wait)).WithReason(ReasonNetwork)
}

// mayAfford checks that the player meets a hold's requirements.
func (s *Service) mayAfford(ctx context.Context, tx Tx, standing Standing, price money.Units, now time.Time) error {
	switch s.need {
	case NeedEmail:
		confirmed, err := tx.Confirmed(ctx)
		if err != nil {
			return err
		}
		if !confirmed {
			return fault.New(fault.Conflict, "Please confirm your email address first. Then you can add items to your cart.").WithReason(ReasonEmail)
		}
	case NeedFunds:
		if standing.Wallet == nil {
			return fault.New(fault.Conflict, "Your wallet is not ready yet. Please wait a moment.").WithReason(ReasonNoWallet)
		}
		funds, err := tx.Funds(ctx, s.currency, now, now.Add(-FundsAge))
		if err != nil {
			return err
		}
		return s.mayPay(funds, *standing.Wallet, price, now)
	}
	return nil
}

// heldUnits returns how many of the holds are unexpired.
func heldUnits(holds []Hold, now time.Time) (n int) {
	for _, h := range holds {
		if h.ExpiresAt.After(now) {
			n++
		}
	}
	return n
}

// candidates is how many free units are considered at once, so that players who want any unit rarely compete for the
// same one.
const candidates = 16

func (s *Service) take(ctx context.Context, tx Tx, by Holder, offer Offer, unit *int64, now time.Time) (Item, error) {
	for holds := offer.Holds; ; {
		free := freeUnits(holds, offer.Quantity, unit, now)
		if len(free) == 0 {
			return Item{}, allHeld(holds, by.PlayerID, unit, now)
		}
		rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
		for _, u := range free {
			if i := slices.IndexFunc(holds, func(h Hold) bool { return h.Unit == u }); i >= 0 {
				if err := tx.Lapse(ctx, offer.ID, holds[i], now); err != nil {
					return Item{}, err
				}
			}
			item := Item{ListingID: offer.ID, Contract: offer.Contract, Unit: u, HeldAt: now, ExpiresAt: now.Add(HoldTime), Price: offer.Price}
			got, err := tx.Take(ctx, item, by.Network)
			if got || err != nil {
				return item, err
			}
		}
		var err error
		if holds, err = tx.Holds(ctx, offer.ID); err != nil {
			return Item{}, err
		}
	}
}

// allHeld returns the conflict of a request for a unit when none is free: the one requested, or all if unit is nil.
func allHeld(holds []Hold, playerID string, unit *int64, now time.Time) error {
	own, others := 0, 0
	for _, h := range holds {
		switch {
		case !h.ExpiresAt.After(now):
		case h.PlayerID == playerID:
			own++
		default:
			others++
		}
	}
	message := "All of these are in other players' carts."
	switch {
	case unit != nil:
		message = "Somebody else has this in their cart."
	case others == 0:
		message = "You have all of these in your cart already."
	case own > 0:
		message = fmt.Sprintf("You have %d of these in your cart. Other players have the rest in theirs.", own)
	}
	return fault.New(fault.Conflict, "%s", message).WithReason(ReasonHeld)
}

// freeUnits returns at most candidates of the lowest free units, or only the wanted one, if it is free.
func freeUnits(holds []Hold, quantity int64, wanted *int64, now time.Time) []int64 {
	held := make(map[int64]bool, len(holds))
	for _, h := range holds {
		if h.ExpiresAt.After(now) {
			held[h.Unit] = true
		}
	}
	if wanted != nil {
		if held[*wanted] {
			return nil
		}
		return []int64{*wanted}
	}
	var free []int64
	for u := int64(0); u < quantity && len(free) < candidates; u++ {
		if !held[u] {
			free = append(free, u)
		}
	}
	return free
}
