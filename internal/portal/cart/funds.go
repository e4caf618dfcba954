package cart

import (
	"cmp"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/words"
)

// Need is what a player must have to hold something.
type Need string

// What a hold may need.
const (
	NeedNothing Need = "none"
	NeedEmail   Need = "email" // a confirmed email address
	NeedFunds   Need = "funds" // money in the wallet for everything the player holds
)

// Currency is what the market trades in.
type Currency struct {
	Chain    onchain.ChainID
	Address  eth.Address
	Symbol   string
	Decimals int
}

// Funds are what a player's wallet has, and what it is to pay for.
type Funds struct {
	Balance money.Units // by the index, recent money included
	Recent  []Arrival   // money that came in lately
	Held    money.Units // what the held units cost now
}

// Arrival is money that came into a wallet.
type Arrival struct {
	Amount money.Units
	At     time.Time
}

// mayPay checks that the wallet covers everything the player holds and a unit at the price.
func (s *Service) mayPay(f Funds, wallet eth.Address, price money.Units, now time.Time) error {
	needed, err := f.Held.Add(price)
	if err != nil {
		return err
	}
	if needed.Cmp(f.Balance) > 0 {
		return s.lacking(wallet, needed, f.Balance)
	}
	// The balance covers it, but what came in lately does not count yet.
	var recent money.Units
	for _, a := range f.Recent {
		if recent, err = recent.Add(a.Amount); err != nil {
			return err
		}
	}
	covered := func() (bool, error) {
		total, err := needed.Add(recent)
		return total.Cmp(f.Balance) <= 0, err
	}
	if ok, err := covered(); ok || err != nil {
		return err
	}
	oldestFirst := slices.SortedFunc(slices.Values(f.Recent), func(a, b Arrival) int { return a.At.Compare(b.At) })
	for _, a := range oldestFirst {
		if recent, err = recent.Sub(a.Amount); err != nil {
			return err
		}
		ok, err := covered()
		if err != nil {
			return err
		}
		if ok {
			wait := a.At.Add(FundsAge).Sub(now)
			return fault.Wait(wait, "Your %s has only just arrived. You can hold this with it in %s.", s.currency.Symbol, words.Duration(wait)).
				WithReason(ReasonFundsRecent)
		}
	}
	return nil
}

// lacking says how much is missing and where to send it.
func (s *Service) lacking(wallet eth.Address, needed, balance money.Units) error {
	missing, err := needed.Sub(balance)
	if err != nil {
		return err
	}
	c, where := s.currency, "Send it to your wallet"
	details := map[string]string{
		"missing": missing.Decimal(c.Decimals), "needed": needed.Decimal(c.Decimals), "balance": balance.Decimal(c.Decimals),
		"currency": c.Symbol, "depositAddress": wallet.Checksum(),
	}
	if s.faucet != "" {
		where, details["faucet"] = "Get some from the faucet, or send it to your wallet", s.faucet
	}
	return fault.New(fault.Conflict, "You need %s %s more to hold this. %s %s.", details["missing"], c.Symbol, where, wallet.Checksum()).
		WithReason(ReasonFunds).WithDetails(details)
}

// Funded is a hold that its player's money has to cover.
type Funded struct {
	ListingID string
	Unit      int64
	HeldAt    time.Time
	Price     money.Units // as it is now
	Paying    bool        // a payment for it is on its way
}

// Uncovered returns the holds that end when a wallet has no more than the balance: the newest, as many as are needed for
// the balance to cover the rest. Holds for which a payment is on its way stay.
func Uncovered(holds []Funded, balance money.Units) (ended []Funded, err error) {
	var total money.Units
	for _, h := range holds {
		if total, err = total.Add(h.Price); err != nil {
			return nil, err
		}
	}
	newestFirst := slices.Clone(holds)
	slices.SortFunc(newestFirst, func(a, b Funded) int {
		return cmp.Or(b.HeldAt.Compare(a.HeldAt), cmp.Compare(b.ListingID, a.ListingID), cmp.Compare(b.Unit, a.Unit))
	})
	for _, h := range newestFirst {
		if total.Cmp(balance) <= 0 {
			break
		}
		if h.Paying {
			continue
		}
		if total, err = total.Sub(h.Price); err != nil {
			return nil, err
		}
		ended = append(ended, h)
	}
	return ended, nil
}
