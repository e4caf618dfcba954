package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
)

// offered returns what can be bought: "listing units".
func (x *indexed) offered() []string {
	x.t.Helper()
	return x.rows("SELECT listing_id, quantity FROM listing WHERE valid = 1 ORDER BY id")
}

// An item that is listed twice, past the portal, is on offer once; which listing counts follows from the facts alone, in batches
// of any size and after a reorganisation.
// Spec: MARKET-18
func TestCover_UniqueItemIsOnOfferOnce(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(moveAvatar(eth.Address{}, seller, "7"), allowAll(avatars, seller, true))
		steps := []struct {
			name  string
			facts []any
			want  []string
		}{
			{"listed", []any{list("0", termsOf(avatars, "7", 1))}, []string{"0 1"}},
			{"listed again", []any{list("1", termsOf(avatars, "7", 1))}, []string{"0 1"}},
			{"and a third time", []any{list("2", termsOf(avatars, "7", 1))}, []string{"0 1"}},
			{"its terms are set", []any{relist("1", termsOf(avatars, "7", 1))}, []string{"0 1"}},
			{"the first is cancelled", []any{cancel("0")}, []string{"1 1"}},
			{"it goes elsewhere", []any{moveAvatar(seller, stranger, "7")}, nil},
			{"it comes back: the seller has to say so", []any{moveAvatar(stranger, seller, "7")}, nil},
			{"of the third", []any{relist("2", termsOf(avatars, "7", 1))}, []string{"2 1"}},
			{"of the second, which is older", []any{relist("1", termsOf(avatars, "7", 1))}, []string{"1 1"}},
			{"it is sold from the third", []any{moveAvatar(seller, walletA, "7"), onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "2",
				Sale: &onchain.Sale{
					Seller: seller, Contract: avatars, TokenID: "7", Buyer: walletA, Quantity: 1, Total: termsOf(avatars, "7", 1).PricePerToken,
				}}}, nil},
		}
		var batches []onchain.Batch
		var blocks []onchain.Block
		for _, s := range steps {
			b := x.next(s.facts...)
			batches = append(batches, b)
			blocks = append(blocks, x.apply(s.facts...))
			x.want(s.name, x.offered(), s.want...)
		}
		for i := len(steps) - 2; i >= 0; i-- {
			x.rewind(blocks[i])
			x.want("rewound to: "+steps[i].name, x.offered(), steps[i].want...)
		}
		x.rewind(start)
		for i, s := range steps { // as one batch
			x.ok(x.index.ApplyBatch(t.Context(), joined(batches[:i+1])))
			x.want("at once: "+s.name, x.offered(), s.want...)
			x.rewind(start)
		}
	})
}

// Spec: MARKET-18
func TestCover_ListingOffersWhatIsLeftForIt(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 8), allowAll(items, seller, true), list("9", termsOf(items, "1", 5)))
		x.apply(list("10", termsOf(items, "1", 5)))
		x.want("eight for ten", x.offered(), "10 3", "9 5")
		x.apply(moveItems(seller, stranger, "1", 3))
		x.want("five for ten", x.offered(), "9 5")
		x.apply(mintItems(seller, "1", 1))
		x.want("one more", x.offered(), "10 1", "9 5")
		x.apply(buy("9", "1", walletA, 5)...)
		x.want("the first is sold", x.offered(), "10 1")
		x.apply(mintItems(seller, "1", 9))
		x.want("there are enough, but for four of the second the seller has to say so", x.offered(), "10 1")
		x.apply(relist("10", termsOf(items, "1", 5)))
		x.want("the seller says so", x.offered(), "10 5")
	})
}

// A listing whose time is over offers nothing, so that its item can be listed again.
func TestCover_ListingWhoseTimeIsOverCoversNothing(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		short := termsOf(avatars, "7", 1)
		short.End = x.clock.Now().Add(time.Minute)
		x.apply(moveAvatar(eth.Address{}, seller, "7"), allowAll(avatars, seller, true), list("0", short), list("1", termsOf(avatars, "7", 1)))
		x.want("both", x.offered(), "0 1")
		x.clock.Advance(time.Minute)
		x.apply()
		x.want("the first is over", x.offered(), "1 1")
	})
}

// The second listing of an item that somebody holds can be neither held nor ordered.
// Spec: MARKET-18
func TestCover_OneItemIsHeldOnce(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(moveAvatar(eth.Address{}, seller, "7"), allowAll(avatars, seller, true), list("0", termsOf(avatars, "7", 1)),
			list("1", termsOf(avatars, "7", 1)))
		carts := cart.NewService(cartstore.New(x.db), x.clock, cart.Options{})
		_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "A"}, market.Key(indexChain, "0"), avatars, nil)
		x.ok(err)
		_, err = carts.Add(t.Context(), cart.Holder{PlayerID: "B"}, market.Key(indexChain, "1"), avatars, nil)
		if f := fault.As(err); f == nil || f.Reason != "gone" {
			t.Errorf("the same item in another listing: %v, want gone", err)
		}
		if err := carts.MayBuy(t.Context(), "B", market.Key(indexChain, "1"), 1); fault.As(err) == nil || fault.As(err).Reason != "gone" {
			t.Errorf("buying it from there: %v, want gone", err)
		}
	})
}

// A hold of what is no longer covered ends, its holder is notified, and everybody sees the listings change.
func TestCover_HoldOfWhatIsNoLongerCoveredEnds(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 3), allowAll(items, seller, true), list("0", termsOf(items, "1", 1)), list("1", termsOf(items, "1", 2)))
		x.hold("0", 0, "A", 30)
		x.hold("1", 0, "B", 20)
		x.hold("1", 1, "C", 10)
		x.told()
		x.apply(moveItems(seller, stranger, "1", 1))
		x.want("holds", x.holds(), "1337042-0 0 A", "1337042-1 0 B")
		x.want("announcements", x.told(), endedHoldOf("1", "C", 1, "The seller now offers fewer of these, so one has left your cart."),
			"listing 1337042-1")
		x.apply(moveItems(seller, stranger, "1", 1))
		x.want("holds", x.holds(), "1337042-0 0 A")
		x.want("announcements", x.told(), endedHoldOf("1", "B", 0, "This can't be bought any more, so it has left your cart."),
			"listing 1337042-1")
		x.apply(mintItems(seller, "1", 2))
		x.want("announcements", x.told(), "listing-new 1337042-1")
		x.want("holds", x.holds(), "1337042-0 0 A")
	})
}

func endedHoldOf(number, player string, unit int, text string) string {
	return fmt.Sprintf("%s: listing/hold-ended map[assetContractAddress:%s index:%d listingId:%s message:%s]", player,
		items.Checksum(), unit, number, text)
}

// Whatever is listed of a token, its units on offer are those that the seller has.
func TestCover_ManyListingsOfOneItemAreOneOffer(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		facts := []any{mintItems(seller, "1", 1), allowAll(items, seller, true)}
		for n := range 31 {
			facts = append(facts, list(fmt.Sprint(n), termsOf(items, "1", 1)))
		}
		x.apply(facts...)
		page, err := marketstore.New(x.db).LiveListings(t.Context(), market.Query{Sort: market.Newest, Limit: 24}, x.clock.Now())
		x.ok(err)
		if len(page.Items) != 1 || !slices.ContainsFunc(page.Items, func(l market.Listing) bool { return l.ListingID == "0" }) {
			t.Errorf("the market shows %d listings of one item", len(page.Items))
		}
	})
}
