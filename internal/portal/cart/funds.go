package cart

import (
	"cmp"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/humanize"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Need is a requirement that a player must meet to hold something.
type Need string

// The requirements.
const (
	NeedNothing Need = "none"
	NeedEmail   Need = "email" // a confirmed email address
	NeedFunds   Need = "funds" // enough money in the wallet for everything the player holds
)

// Currency is the currency of the market.
type Currency struct {
	Chain    onchain.ChainID
	Address  eth.Address
	Symbol   string
	Decimals int
}

// Funds are the money in a player's wallet and the price of what the player holds.
type Funds struct {
	Balance money.Units // as indexed, recent money included
	Recent  []Arrival   // money received recently
	Held    money.Units // current price of the held units
}

// Arrival is a payment received by a wallet.
type Arrival struct {
	Amount money.Units
	At     time.Time
}

// mayPay checks that the wallet covers everything the player holds plus one unit at the price.
func (s *Service) mayPay(f Funds, wallet eth.Address, price money.Units, now time.Time) error {
	needed, err := f.Held.Add(price)
	if err != nil {
		return err
	}
	if needed.Cmp(f.Balance) > 0 {
		return s.lacking(wallet, needed, f.Balance)
	}
	// The balance is enough, but recent money does not count yet.
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
			return fault.Wait(wait, "Your %s has only just arrived. You can add this with it in %s.", s.currency.Symbol, humanize.Duration(wait)).
				WithReason(ReasonFundsRecent)
		}
	}
	return nil
}

// lacking returns the fault that says how much is missing and where to send it.
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
	return fault.New(fault.Conflict, "You need %s %s more to add this. %s %s.", details["missing"], c.Symbol, where, wallet.Checksum()).
		WithReason(ReasonFunds).WithDetails(details)
}

// Funded is a hold that the player's money must cover.
type Funded struct {
	ListingID string
	Unit      int64
	HeldAt    time.Time
	Price     money.Units // current price
	Paying    bool        // a payment is pending
}

// Uncovered returns the holds to end if a wallet has only the given balance: the newest ones, as many as necessary
// for the balance to cover the rest. Holds with a pending payment stay.
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
