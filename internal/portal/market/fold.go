package market

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Folded is the state that a listing's events produce. The zero value is a listing that was never created. It is a
// plain value: the same events give the same state, in whatever batches they are applied.
type Folded struct {
	onchain.ListingTerms // as last set; Quantity is what is left
	Status               Status
	CreatedAt, UpdatedAt time.Time // times of the blocks of the first and the last event that changed it
}

// Fold applies a listing's events, which must be in the order of their positions.
func Fold(events []onchain.ListingEvent) Folded {
	var f Folded
	for _, e := range events {
		f = f.After(e)
	}
	return f
}

// Exists reports whether the listing was created.
func (f Folded) Exists() bool { return f.Status != "" }

// After returns the state after one more event. An event that the contract cannot emit in this state changes nothing:
// a second creation, or any event of a listing that was never created or has ended.
func (f Folded) After(e onchain.ListingEvent) Folded {
	if e.Kind == onchain.ListingCreated && !f.Exists() {
		return Folded{ListingTerms: *e.Terms, Status: Active, CreatedAt: e.Time, UpdatedAt: e.Time}
	}
	if f.Status != Active {
		return f
	}
	switch e.Kind {
	case onchain.ListingUpdated:
		f.ListingTerms = *e.Terms
	case onchain.ListingCancelled:
		f.Status = Cancelled
	case onchain.ListingSold:
		f.Quantity = max(f.Quantity-e.Sale.Quantity, 0)
		if f.Quantity == 0 {
			f.Status = Sold
		}
	default:
		return f
	}
	f.UpdatedAt = e.Time
	return f
}

// PaidIn returns the currency of a sale from the listing, which the marketplace's event does not contain: the
// listing's own if the price is the listed one, or else the zero address, as the seller accepted another currency.
func (f Folded) PaidIn(s onchain.Sale) eth.Address {
	if total, err := f.PricePerToken.Mul(s.Quantity); err != nil || total.Cmp(s.Total) != 0 {
		return eth.Address{}
	}
	return f.Currency
}

// Payout returns what a sale gave its seller, in base units of the currency; false if no payout is among the transfers. These
// must be in order and include all of the sale's block. The marketplace pays its own fee and the royalty first and the seller
// last, and then emits the event of the sale, which is at the given position.
func Payout(transfers []onchain.Transfer, sale onchain.Position, currency, seller eth.Address) (amount money.Units, ok bool) {
	end, _ := slices.BinarySearchFunc(transfers, sale, func(t onchain.Transfer, at onchain.Position) int {
		return cmp.Or(cmp.Compare(t.Block, at.Block), cmp.Compare(t.LogIndex, at.LogIndex))
	})
	for _, t := range slices.Backward(transfers[:end]) {
		if t.Block != sale.Block || t.Tx != sale.Tx {
			break
		}
		if t.Contract == currency && t.To == seller {
			return t.Amount, true
		}
	}
	return amount, false
}

// Backing is the on-chain state that decides how many of a listing's units can be bought.
type Backing struct {
	Held     money.Units // how many of the token the seller holds
	Approved bool        // the marketplace may transfer them
	Currency bool        // the listing's currency is one of the portal's
}

// Offerable reports whether anybody could buy from the listing, regardless of its goods and of the time window. A listing
// reserved for chosen buyers cannot be bought from, nor can one with a price of zero: the marketplace requires a royalty
// (ERC-2981) to be less than the price.
func (f Folded) Offerable(b Backing) bool {
	return f.Status == Active && !f.Reserved && !f.PricePerToken.IsZero() && b.Currency
}

// Available returns how many units the marketplace may transfer, at most math.MaxInt64.
func (b Backing) Available() int64 {
	if !b.Approved {
		return 0
	}
	if n, ok := b.Held.Int64(); ok {
		return n
	}
	return math.MaxInt64
}

// Cover distributes a seller's available units of a token over the seller's listings of it, which must be in the order of their
// creation, and returns how many units of each are covered. wanted is how many each would offer. A unit covers one listing, so
// that what is covered can be bought whatever else is bought.
func Cover(available int64, wanted []int64) []int64 {
	covered := make([]int64, len(wanted))
	for i, n := range wanted {
		covered[i] = min(n, available)
		available -= covered[i]
	}
	return covered
}

// Purchase is what one player bought from a listing.
type Purchase struct {
	PlayerID string
	Quantity int64
}

// Kept is a hold, as Reseat sees it.
type Kept struct {
	Hold
	Paying bool // an order is paying for it
}

// Reseating is the effect of a change on a listing's holds. Every hold is in at most one of the lists; holds in none
// stay.
type Reseating struct {
	Spent  []Kept // bought by their holder
	Lapsed []Kept // had already expired
	Ended  []Kept // no unit is left for them; their holders must be notified
	Moved  []Move
}

// Move moves a hold to another unit of its listing.
type Move struct {
	Kept
	To int64
}

// Reseat assigns units to the holds of a listing that has quantity units left, 0 if it can no longer be bought.
//
// It first removes as many of a buyer's own holds as were bought: those being paid for, then the oldest. Then it
// removes holds that have expired by now. If there are still more holds than units, the youngest end. Holds of units
// that no longer exist move to the lowest free ones; all others stay.
func Reseat(holds []Kept, quantity int64, bought []Purchase, now time.Time) Reseating {
	var r Reseating
	left := slices.Clone(holds)
	slices.SortFunc(left, oldestFirst)
	r.Spent, left = spend(left, bought)
	left = slices.DeleteFunc(left, func(k Kept) bool {
		expired := !k.ExpiresAt.After(now)
		if expired {
			r.Lapsed = append(r.Lapsed, k)
		}
		return expired
	})
	if excess := int64(len(left)) - quantity; excess > 0 {
		seated := len(left) - int(excess)
		r.Ended, left = slices.Clone(left[seated:]), left[:seated]
	}
	taken := make(map[int64]bool, len(left))
	for _, k := range left {
		taken[k.Unit] = true
	}
	free := int64(0)
	slices.SortFunc(left, func(a, b Kept) int { return cmp.Compare(a.Unit, b.Unit) })
	for _, k := range left {
		if k.Unit < quantity {
			continue
		}
		for taken[free] {
			free++
		}
		taken[free] = true
		r.Moved = append(r.Moved, Move{Kept: k, To: free})
	}
	return r
}

// spend removes the buyers' own holds from left, which must be oldest first.
func spend(left []Kept, bought []Purchase) (spent, rest []Kept) {
	owed := make(map[string]int64, len(bought))
	for _, p := range bought {
		owed[p.PlayerID] += p.Quantity
	}
	for _, paying := range []bool{true, false} {
		left = slices.DeleteFunc(left, func(k Kept) bool {
			if k.Paying != paying || owed[k.PlayerID] == 0 {
				return false
			}
			owed[k.PlayerID]--
			spent = append(spent, k)
			return true
		})
	}
	return spent, left
}

// oldestFirst orders holds by the time the unit was taken; of two at the same time, the one with the higher unit is
// younger.
func oldestFirst(a, b Kept) int {
	return cmp.Or(a.HeldAt.Compare(b.HeldAt), cmp.Compare(a.Unit, b.Unit))
}
