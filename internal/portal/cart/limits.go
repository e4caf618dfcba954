package cart

import (
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
)

// The limits on holding. They count time, not how often a unit is held or released.
const (
	// Per listing: a player who held units of it for more than ListingTime within ListingWindow, without buying any,
	// cannot hold any for ListingWait.
	ListingTime   = 15 * time.Minute
	ListingWindow = 2 * time.Hour
	ListingWait   = time.Hour

	// A player who has held units of a listing for more than TurnAfter must leave its last free unit to others for
	// TurnTime. A hold lasts HoldTime, and checkout.PayTime more once its buyer pays, so nobody blocks a listing for longer
	// than TurnAfter plus both.
	TurnAfter = 4 * time.Minute
	TurnTime  = time.Minute

	// Overall: unbought holds that ended within UnitWindow and together lasted more than UnitTime impose a wait.
	UnitTime   = 100 * time.Minute
	UnitWindow = time.Hour
	FirstWait  = 10 * time.Minute
	SecondWait = 30 * time.Minute
	LaterWait  = 2 * time.Hour
	// waitMemory is how long after a wait the next one is longer.
	waitMemory = 24 * time.Hour

	// NetworkUnits is how many units the players of one network may hold together.
	NetworkUnits = 60
)

// FundsAge is how long money must have been in a wallet before it counts for a hold: while money moves between
// accounts, other players have a minute to take the unit.
const FundsAge = time.Minute

// Memory is how long ended holds count towards the limits.
const Memory = ListingWindow + ListingWait

// Fault reasons, one per limit.
const (
	ReasonListingTime = "listing-time" // held units of the listing for too long
	ReasonTurn        = "others-first" // the last unit is left to others for a minute
	ReasonUnitTime    = "unit-time"    // held too much without buying
	ReasonNetwork     = "network-full" // the network's players hold too much
	ReasonFunds       = "insufficient-funds"
	ReasonFundsRecent = "funds-recent" // enough money, but some of it is too recent
	ReasonEmail       = "email-unconfirmed"
	ReasonNoWallet    = "no-wallet"
)

// Wait is the last wait imposed on a player for holding much without buying. The zero value means none.
type Wait struct {
	Step  int // number of consecutive waits, from 1
	Until time.Time
}

// CountsFrom returns the time after which holds must have ended to count towards the next wait, given a hold that
// ended at the given time. Holds that ended before or during the last wait no longer count.
func (w Wait) CountsFrom(ended time.Time) time.Time {
	if from := ended.Add(-UnitWindow); from.After(w.Until) {
		return from
	}
	return w.Until
}

// Next returns the wait that begins at a time, given how long the unbought holds that ended since CountsFrom lasted
// together; false if there is none. The first wait is FirstWait, the second SecondWait, and all later ones LaterWait,
// until the player has had none for waitMemory.
func (w Wait) Next(at time.Time, held time.Duration) (Wait, bool) {
	if held <= UnitTime || w.Until.After(at) {
		return Wait{}, false
	}
	step := 1
	if at.Sub(w.Until) < waitMemory {
		step = w.Step + 1
	}
	length := FirstWait
	switch {
	case step == 2:
		length = SecondWait
	case step > 2:
		length = LaterWait
	}
	return Wait{Step: step, Until: at.Add(length)}, true
}

// ForgottenWaits returns the time before which ended waits no longer count.
func ForgottenWaits(now time.Time) time.Time { return now.Add(-waitMemory) }

// EndedHold is the time that an ended hold added to how long the player held units of its listing: the ended holds of a
// player and a listing do not overlap.
type EndedHold struct {
	Began  time.Time
	Ended  time.Time
	Bought bool // the player has bought of the listing since
}

// past is how long a player held units of a listing without buying any.
type past struct {
	held    time.Duration
	lastEnd time.Time // when the last of these holds ended; zero if it is too long ago
	counted time.Time // time before this is in held or forgiven; current holds count from here
}

// pastOf sums up the ended holds within ListingWindow before until; the zero time means the end of the last of them.
func pastOf(ended []EndedHold, until time.Time) (p past) {
	if len(ended) == 0 {
		return p
	}
	p.counted = ended[len(ended)-1].Ended
	for _, h := range ended {
		if !h.Bought {
			p.lastEnd = h.Ended
		}
	}
	if until.IsZero() {
		until = p.lastEnd
	}
	since := until.Add(-ListingWindow)
	for _, h := range ended {
		if began := clock.Later(h.Began, since); !h.Bought && h.Ended.After(began) {
			p.held += h.Ended.Sub(began)
		}
	}
	if !p.lastEnd.After(since) {
		p.lastEnd = time.Time{}
	}
	return p
}

// mayHoldOf checks the limits on one listing.
func mayHoldOf(facts Facts, playerID string, now time.Time) error {
	var upTo time.Time
	offer := facts.Offer
	began, end, holding := running(offer.Holds, playerID, now)
	if holding {
		upTo = now
	}
	past := pastOf(facts.Past, upTo)
	held := past.held
	if holding {
		held += now.Sub(clock.Later(began, past.counted))
	} else {
		end = past.lastEnd
	}
	if wait := end.Add(ListingWait).Sub(now); held > ListingTime && wait > 0 {
		return fault.Wait(wait, "You have had this in your cart for more than %s without buying it. You can add it again in %s.",
			humanize.Duration(ListingTime), humanize.Duration(wait)).
			WithReason(ReasonListingTime)
	}
	free := offer.Quantity - int64(heldUnits(offer.Holds, now))
	if wait := past.lastEnd.Add(TurnTime).Sub(now); held > TurnAfter && wait > 0 && free == 1 {
		return fault.Wait(wait, "You have just had the last one, so others can take it first. You can add it again in %s.",
			humanize.Duration(wait)).
			WithReason(ReasonTurn)
	}
	return nil
}

// running returns since when the player has been holding units of the listing, and when the last of these holds ends.
func running(holds []Hold, playerID string, now time.Time) (began, until time.Time, ok bool) {
	for _, h := range holds {
		if h.PlayerID != playerID || !h.ExpiresAt.After(now) {
			continue
		}
		if !ok || h.HeldAt.Before(began) {
			began = h.HeldAt
		}
		if h.ExpiresAt.After(until) {
			until = h.ExpiresAt
		}
		ok = true
	}
	return began, until, ok
}
