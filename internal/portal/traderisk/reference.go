package traderisk

import (
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

const (
	// SalesWindow is how far back sales and trades count.
	SalesWindow = 30 * 24 * time.Hour
	// minAge is how long an account must exist before what it trades or offers counts.
	minAge = 7 * 24 * time.Hour
	// maxSales is how many sales make a median at most.
	maxSales = 8
	// bendable is how many sales are no reference: of the lowest ones for selling, of the highest ones for buying. Three accounts
	// of a thief's can each sell to a bargain hunter once, or pay an honest seller too much, which makes three counted sales.
	bendable = 3
)

// Sale is a sale of a token of a kind. Its price is of one unit.
type Sale struct {
	Seller, Buyer Party
	Price         money.Units
	Time          time.Time
}

// SaleFilter lets sales through since a time, between two wallets, each of which is of a player whose account was older than
// MinAge then, or one of Own. Anybody can make any number of others.
type SaleFilter struct {
	Since  time.Time
	MinAge time.Duration
	Own    []eth.Address
}

// Offer is a listing of a token of a kind that can be bought from. Its price is of one unit.
type Offer struct {
	Seller Party
	Price  money.Units
}

// Party is a side of a trade. Since is when the account of the wallet's player was created; zero if it is no player's.
type Party struct {
	Wallet eth.Address
	Since  time.Time
}

// Deal is what a wallet traded with another one, on either side.
type Deal struct {
	With  eth.Address
	Total money.Units
}

// Bought is what a player has bought of a token.
type Bought struct {
	Highest money.Units // the highest price of one unit; zero if none was bought
	Units   int64
	Held    int64 // the units that the player's wallet holds now
}

// countedSales returns the newest sales that count for a player, at most maxSales: between accounts that were older than
// minAge, or sold by the portal; not with the player; and no wallet but the portal's in two of them, so that three accounts
// make one counted sale at most, however they trade with each other. Sales must be sorted, newest first.
func countedSales(sales []Sale, player eth.Address, own func(eth.Address) bool,
	mainly func(a, b eth.Address) (bool, error)) ([]money.Units, error) {
	var prices []money.Units
	seen := map[eth.Address]bool{player: true}
	for _, s := range sales {
		if len(prices) == maxSales {
			break
		}
		old := func(p Party) bool { return own(p.Wallet) || !p.Since.IsZero() && s.Time.Sub(p.Since) > minAge }
		if seen[s.Seller.Wallet] || seen[s.Buyer.Wallet] || s.Seller.Wallet == s.Buyer.Wallet || !old(s.Seller) || !old(s.Buyer) {
			continue
		}
		if !own(s.Seller.Wallet) && !own(s.Buyer.Wallet) {
			among, err := mainly(s.Seller.Wallet, s.Buyer.Wallet)
			if err != nil {
				return nil, err
			}
			if among {
				continue
			}
		}
		seen[s.Seller.Wallet], seen[s.Buyer.Wallet] = !own(s.Seller.Wallet), !own(s.Buyer.Wallet)
		prices = append(prices, s.Price)
	}
	return prices, nil
}

// mainlyWith reports whether at least half of what was traded was traded with one wallet.
func mainlyWith(deals []Deal, with eth.Address) bool {
	var all, among money.Units
	for _, t := range deals {
		if sum, err := all.Add(t.Total); err == nil {
			all = sum
		}
		if t.With == with {
			if sum, err := among.Add(t.Total); err == nil {
				among = sum
			}
		}
	}
	twice, err := among.Mul(2)
	return err != nil || twice.Cmp(all) >= 0
}

// saleReference is what one unit is worth when it is sold. Without precedent, Price is what can be said all the same.
type saleReference struct {
	Price     money.Units
	Precedent bool
}

// referenceForSale returns the reference for selling: the highest of the median of more than bendable sales, the lowest of
// them that is not bendable, the lowest offer of other sellers and what the player paid. An offer at a low price
// is posted in a moment, from any number of accounts, so players' offers raise the
// reference but are no precedent; the portal's are. What the player paid is one only where all that the player holds can have
// been bought.
func referenceForSale(prices []money.Units, offers []Offer, bought Bought, player eth.Address, own func(eth.Address) bool,
	now time.Time) saleReference {
	var r saleReference
	raise := func(p money.Units) {
		if p.Cmp(r.Price) > 0 {
			r.Price = p
		}
	}
	if len(prices) > bendable {
		r.Precedent = true
		slices.SortFunc(prices, money.Units.Cmp)
		raise(prices[max(len(prices)/2, bendable)])
	}
	if bought.Units > 0 {
		r.Precedent = r.Precedent || bought.Units >= bought.Held
		raise(bought.Highest)
	}
	lowest := true
	for _, o := range offers { // lowest first
		portal := own(o.Seller.Wallet)
		if o.Seller.Wallet == player || !portal && (o.Seller.Since.IsZero() || now.Sub(o.Seller.Since) <= minAge) {
			continue
		}
		if lowest || portal {
			raise(o.Price)
		}
		if lowest = false; portal {
			r.Precedent = true
			break
		}
	}
	return r
}

// referenceForPurchase returns the reference for buying: the lower of the median of more than bendable sales and the highest of
// them that is not bendable; false for none. Offers make none, as a thief can post them.
func referenceForPurchase(prices []money.Units) (money.Units, bool) {
	if len(prices) <= bendable {
		return money.Units{}, false
	}
	slices.SortFunc(prices, money.Units.Cmp)
	return prices[min((len(prices)-1)/2, len(prices)-1-bendable)], true
}
