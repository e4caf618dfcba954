package reward

import (
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// TreasuryWindow is the time over which the limits of a Treasury count.
const TreasuryWindow = 24 * time.Hour

// Treasury is the wallet from which transfers are made, with its limits. They bound what is lost to stolen cards and to a shop
// that was broken into, so they count what was sent to all players together too.
type Treasury struct {
	Wallet         eth.Address // zero for none
	Currency       eth.Address // contract of the currency, an ERC-20 token; all else are items
	PerDay         int64       // of the currency, in base units, within TreasuryWindow
	PerPlayer      int64       // of it to one player
	ItemsPerDay    int64       // items, whatever they are, within TreasuryWindow
	ItemsPerPlayer int64       // of them to one player
}

// Asset identifies a token of one contract.
type Asset struct {
	Contract eth.Address
	TokenID  string
}

// TreasuryUse is how much of an asset some transfers take from the treasury.
type TreasuryUse struct {
	Asset
	State  State // Pending, Sending, or Done within TreasuryWindow
	Own    bool  // to the player in question; false for all others
	Recent bool  // recorded within TreasuryWindow
	Amount int64
}

// TreasuryStock is what the treasury has of the assets in question, and all that it has sent and is to send.
type TreasuryStock struct {
	Balances map[Asset]int64 // as indexed
	Uses     []TreasuryUse
}

// retryTransfer is the delay before a transfer that the treasury cannot make now is retried.
const retryTransfer = time.Minute

// MaySend returns nil if a transfer can be sent now to the player whose uses are Own, and otherwise a Conflict fault. Only one
// transfer is sent at a time, so that the balance behind it is known.
func (t Treasury) MaySend(x Transfer, s TreasuryStock) error {
	for _, u := range s.Uses {
		if u.State == Sending {
			return fault.New(fault.Conflict, "waits for another transfer from the treasury")
		}
	}
	all, own := t.sum(x.Contract, s.Uses, func(u TreasuryUse) bool { return u.State == Done })
	max, maxOwn := t.limits(x.Contract)
	amount, ok := x.Amount.Int64()
	why := ""
	switch {
	case !ok || t.Wallet.IsZero():
		why = "waits for a treasury that could send it"
	case amount > s.Balances[x.Asset()]:
		why = "waits until the treasury has enough"
	case amount > max-all || amount > maxOwn-own:
		why = "waits for the treasury's daily limits"
	default:
		return nil
	}
	f := fault.New(fault.Conflict, "%s", why)
	f.RetryAfter = retryTransfer
	return f
}

// Reasons of MayPromise's faults.
const (
	ReasonTreasuryLimit = "limit"    // the player's own
	ReasonTreasuryEmpty = "not-sold" // nobody can buy it now
)

// MayPromise returns nil if the player whose uses are Own can buy a transfer now, and otherwise a Conflict fault. The balance
// must cover it in addition to all unsent transfers, and purchases within TreasuryWindow must stay within the limits.
func (t Treasury) MayPromise(x Transfer, s TreasuryStock) error {
	a := x.Asset()
	amount, ok := x.Amount.Int64()
	left := s.Balances[a]
	for _, u := range s.Uses {
		if u.Asset == a && u.State != Done {
			left -= u.Amount
		}
	}
	all, own := t.sum(a.Contract, s.Uses, func(u TreasuryUse) bool { return u.Recent })
	max, maxOwn := t.limits(a.Contract)
	switch {
	case !ok || t.Wallet.IsZero() || amount > left || amount > max-all:
		return fault.New(fault.Conflict, "This is sold out for today. Please come back tomorrow.").WithReason(ReasonTreasuryEmpty)
	case amount > maxOwn-own:
		return fault.New(fault.Conflict, "You have bought as much of this as one player can in 24 hours. Please come back tomorrow.").
			WithReason(ReasonTreasuryLimit)
	}
	return nil
}

// limits returns how much may be sent to all players and to one, of the currency or of items.
func (t Treasury) limits(contract eth.Address) (all, own int64) {
	if contract == t.Currency {
		return t.PerDay, t.PerPlayer
	}
	return t.ItemsPerDay, t.ItemsPerPlayer
}

// sum adds up uses that count towards the same limits as a contract.
func (t Treasury) sum(contract eth.Address, uses []TreasuryUse, counts func(TreasuryUse) bool) (all, own int64) {
	for _, u := range uses {
		if (u.Contract == t.Currency) != (contract == t.Currency) || !counts(u) {
			continue
		}
		all += u.Amount
		if u.Own {
			own += u.Amount
		}
	}
	return all, own
}

// Transfer is the detail of KindTransfer: a token that the treasury sends to the player's smart wallet.
type Transfer Mint

// Content returns a grant of the token that is sent at a time at the earliest.
func (t Transfer) Content(notBefore time.Time) Content {
	return Content{Kind: KindTransfer, Detail: encode(t), NotBefore: notBefore}
}

// Asset returns what is sent.
func (t Transfer) Asset() Asset { return Asset{t.Contract, t.TokenID} }
