package webstore

import (
	"context"
	"strings"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

// CardWindow is the time over which the limits of CardLimits count.
const CardWindow = 24 * time.Hour

// trustAge is how old a player's first payment must be for CardLimits.Instant.
const trustAge = 60 * 24 * time.Hour

// CardLimits bound what is lost to stolen cards: a payment can be charged back for months, and what can change hands is sold by
// then. They apply to that alone: to tokens that are not soulbound, packs and USDC. Amounts are in millionths of the shop's
// currency, and count within CardWindow.
type CardLimits struct {
	Delay     time.Duration // after the first record of a payment, before it is given
	Instant   int64         // of it without the delay to a player whose first payment is trustAge old and who never disputed one
	PerPlayer int64         // of it to one player
	PerDay    int64         // of it to all players
}

// CardUse is what a player paid for by card.
type CardUse struct {
	First    time.Time // of the oldest payment that still stands; zero for none
	Disputed bool      // whether a payment was ever disputed or charged back
	Instant  int64     // given without the delay within CardWindow
	Own      int64     // bought within CardWindow of what can change hands
	All      int64     // the same by all players
}

// add counts a purchase that is given at a time.
func (u *CardUse) add(value int64, paidAt, giveAt time.Time) {
	u.Own += value
	u.All += value
	if giveAt.Equal(paidAt) {
		u.Instant += value
	}
}

// delay returns how long after its payment something of a value is given.
func (l CardLimits) delay(value int64, u CardUse, now time.Time) time.Duration {
	if !u.First.IsZero() && !u.Disputed && now.Sub(u.First) >= trustAge && value <= l.Instant-u.Instant {
		return 0
	}
	return l.Delay
}

// mayBuy returns nil if a player can buy something of a value now, and otherwise a Conflict fault.
func (l CardLimits) mayBuy(value int64, u CardUse) error {
	switch {
	case value > l.PerDay-u.All:
		return fault.New(fault.Conflict, "This is sold out for today. Please come back tomorrow.").WithReason(ReasonNotSold)
	case value > l.PerPlayer-u.Own:
		return fault.New(fault.Conflict, "You have bought as much of this as one player can in 24 hours. Please come back tomorrow.").
			WithReason(ReasonLimit)
	}
	return nil
}

// amountOf reads an amount of the shop's currency in millionths; ok is false for anything that is none. Further digits are cut.
func amountOf(text string) (n int64, ok bool) {
	if whole, part, found := strings.Cut(text, "."); found && len(part) > money.PriceDecimals {
		text = whole + "." + part[:money.PriceDecimals]
	}
	u, err := money.ParseDecimal(text, money.PriceDecimals)
	if err != nil {
		return 0, false
	}
	n, ok = u.Int64()
	return n, ok && n <= maxAmount
}

// maxAmount bounds amounts, so that those of a line can be added up.
const maxAmount = 1e15

// inWords writes an amount with at least two digits after the point.
func inWords(amount int64) string {
	text := money.FromInt(amount).Decimal(money.PriceDecimals)
	whole, part, _ := strings.Cut(text, ".")
	return whole + "." + part + strings.Repeat("0", max(0, 2-len(part)))
}

// ArrearsStore reads what is open of a player's payments.
type ArrearsStore interface {
	// Arrears returns how many debts a player has that are not settled, and the number of an order whose payment is disputed;
	// "" for none.
	Arrears(ctx context.Context, playerID string) (debts int64, disputed string, err error)
}

// CheckArrears returns a Conflict fault with ReasonDebt or ReasonDispute while a player owes something to the webstore, or a
// payment of theirs is disputed. Until that is settled, nothing that the card paid for may be turned into money: the player
// cannot send, list, or buy by card.
func CheckArrears(ctx context.Context, s ArrearsStore, playerID string) error {
	debts, disputed, err := s.Arrears(ctx, playerID)
	switch {
	case err != nil:
		return err
	case debts > 0:
		return fault.New(fault.Conflict, "The shop paid you back for something that you still have or have spent. Until that is settled, you "+
			"cannot send, list or buy anything, here or in the webstore. "+
			"Your webstore orders show what you owe, and you can pay it there.").WithReason(ReasonDebt)
	case disputed != "":
		return fault.New(fault.Conflict, "The payment of your webstore order %s is disputed at your bank or card company. Until that is "+
			"decided, you cannot send, list or buy anything, here or in the webstore. "+
			"If you did not mean to dispute it, tell your bank, and write to our support.", disputed).WithReason(ReasonDispute)
	}
	return nil
}
