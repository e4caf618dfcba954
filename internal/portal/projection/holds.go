package projection

import (
	"fmt"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

// HoldEnd is the reason why a hold ended before its expiry.
type HoldEnd int

// The reasons.
const (
	HoldGone      HoldEnd = iota // the unit can no longer be bought
	HoldSold                     // another player bought it
	HoldCancelled                // the seller cancelled the listing
	HoldFewer                    // the seller offers fewer units
	HoldUncovered                // the player spent the money that covered it
	HoldMoving                   // the chain is frozen, because the portal moves to another one
)

var holdEndTexts = map[HoldEnd]string{
	HoldGone:      "This can't be bought any more, so it has left your cart.",
	HoldSold:      "Somebody else bought this just now, so it has left your cart.",
	HoldCancelled: "The seller took this off the market, so it has left your cart.",
	HoldFewer:     "The seller now offers fewer of these, so one has left your cart.",
	HoldMoving:    "The game is moving to a new chain, so this has left your cart.",
	HoldUncovered: "Your wallet no longer has the money for this, so it has left your cart.",
}

// WhyHoldEnded returns why a change of a listing ended holds of it. cancelled and sold say whether the change cancelled the
// listing or sold units.
func WhyHoldEnded(after Offer, cancelled, sold bool) HoldEnd {
	switch {
	case cancelled:
		return HoldCancelled
	case sold:
		return HoldSold
	case after.Valid:
		return HoldFewer
	default:
		return HoldGone
	}
}

// Hold is a unit that a player held.
type Hold struct {
	PlayerID string
	Number   string // the listing's number on the marketplace
	Contract eth.Address
	Unit     int64
}

// HoldEnded returns the effects of a hold that ended before its expiry.
func HoldEnded(h Hold, why HoldEnd) Effects {
	return h.ended(holdEndTexts[why])
}

// PriceRaised returns the effects of a hold that ended because the price of one unit rose.
func (r Rules) PriceRaised(h Hold, before, after money.Units) Effects {
	return h.ended(fmt.Sprintf("The seller raised the price from %s to %s %s, so this has left your cart.",
		before.Decimal(r.Decimals), after.Decimal(r.Decimals), r.Symbol))
}

func (h Hold) ended(text string) Effects {
	return told(message(h.PlayerID, "listing", "hold-ended", struct {
		ListingID string      `json:"listingId"`
		Contract  eth.Address `json:"assetContractAddress"`
		Index     int64       `json:"index"` // the unit that was held
		Message   string      `json:"message"`
	}{h.Number, h.Contract, h.Unit, text}))
}
