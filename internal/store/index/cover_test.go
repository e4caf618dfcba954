package index_test

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
	"pantheon/internal/testkit/storetest"
)

// offered returns what can be bought: "listing units".
func offeredBy(x *storetest.Indexed) []string {
	x.T.Helper()
	return x.Rows("SELECT listing_id, quantity FROM listing WHERE valid = 1 ORDER BY id")
}

// An item that is listed twice, past the portal, is on offer once; which listing counts follows from the facts alone, in batches
// of any size and after a reorganisation.
// Spec: MARKET-18
func TestCover_UniqueItemIsOnOfferOnce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
			storetest.AllowAll(storetest.Avatars, storetest.Seller, true))
		steps := []struct {
			name  string
			facts []any
			want  []string
		}{
			{"listed", []any{storetest.List("0", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"0 1"}},
			{"listed again", []any{storetest.List("1", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"0 1"}},
			{"and a third time", []any{storetest.List("2", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"0 1"}},
			{"its terms are set", []any{storetest.Relist("1", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"0 1"}},
			{"the first is cancelled", []any{storetest.Cancel("0")}, []string{"1 1"}},
			{"it goes elsewhere", []any{storetest.MoveAvatar(storetest.Seller, storetest.Stranger, "7")}, nil},
			{"it comes back: the seller has to say so", []any{storetest.MoveAvatar(storetest.Stranger, storetest.Seller, "7")}, nil},
			{"of the third", []any{storetest.Relist("2", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"2 1"}},
			{"of the second, which is older", []any{storetest.Relist("1", storetest.TermsOf(storetest.Avatars, "7", 1))}, []string{"1 1"}},
			{"it is sold from the third", []any{storetest.MoveAvatar(storetest.Seller, storetest.WalletA, "7"),
				onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "2",
					Sale: &onchain.Sale{
						Seller: storetest.Seller, Contract: storetest.Avatars, TokenID: "7", Buyer: storetest.WalletA, Quantity: 1,
						Total: storetest.TermsOf(storetest.Avatars, "7", 1).PricePerToken,
					}}}, nil},
		}
		var batches []onchain.Batch
		var blocks []onchain.Block
		for _, s := range steps {
			b := x.Next(s.facts...)
			batches = append(batches, b)
			blocks = append(blocks, x.Apply(s.facts...))
			x.Want(s.name, offeredBy(x), s.want...)
		}
		for i := len(steps) - 2; i >= 0; i-- {
			x.Rewind(blocks[i])
			x.Want("rewound to: "+steps[i].name, offeredBy(x), steps[i].want...)
		}
		x.Rewind(start)
		for i, s := range steps { // as one batch
			x.OK(x.Index.ApplyBatch(t.Context(), storetest.Joined(batches[:i+1])))
			x.Want("at once: "+s.name, offeredBy(x), s.want...)
			x.Rewind(start)
		}
	})
}

// Spec: MARKET-18
func TestCover_ListingOffersWhatIsLeftForIt(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 8), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("9", storetest.TermsOf(storetest.Items, "1", 5)))
		x.Apply(storetest.List("10", storetest.TermsOf(storetest.Items, "1", 5)))
		x.Want("eight for ten", offeredBy(x), "10 3", "9 5")
		x.Apply(storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 3))
		x.Want("five for ten", offeredBy(x), "9 5")
		x.Apply(storetest.MintItems(storetest.Seller, "1", 1))
		x.Want("one more", offeredBy(x), "10 1", "9 5")
		x.Apply(storetest.Buy("9", "1", storetest.WalletA, 5)...)
		x.Want("the first is sold", offeredBy(x), "10 1")
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9))
		x.Want("there are enough, but for four of the second the seller has to say so", offeredBy(x), "10 1")
		x.Apply(storetest.Relist("10", storetest.TermsOf(storetest.Items, "1", 5)))
		x.Want("the seller says so", offeredBy(x), "10 5")
	})
}

// A listing whose time is over offers nothing, so that its item can be listed again.
func TestCover_ListingWhoseTimeIsOverCoversNothing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		short := storetest.TermsOf(storetest.Avatars, "7", 1)
		short.End = x.Clock.Now().Add(time.Minute)
		x.Apply(storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
			storetest.AllowAll(storetest.Avatars, storetest.Seller, true), storetest.List("0", short),
			storetest.List("1", storetest.TermsOf(storetest.Avatars, "7", 1)))
		x.Want("both", offeredBy(x), "0 1")
		x.Clock.Advance(time.Minute)
		x.Apply()
		x.Want("the first is over", offeredBy(x), "1 1")
	})
}

// The second listing of an item that somebody holds can be neither held nor ordered.
// Spec: MARKET-18
func TestCover_OneItemIsHeldOnce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
			storetest.AllowAll(storetest.Avatars, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Avatars, "7", 1)),
			storetest.List("1", storetest.TermsOf(storetest.Avatars, "7", 1)))
		carts := cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{})
		_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "A"}, market.Key(storetest.Chain, "0"), storetest.Avatars, nil)
		x.OK(err)
		_, err = carts.Add(t.Context(), cart.Holder{PlayerID: "B"}, market.Key(storetest.Chain, "1"), storetest.Avatars, nil)
		if f := fault.As(err); f == nil || f.Reason != "gone" {
			t.Errorf("the same item in another listing: %v, want gone", err)
		}
		if err := carts.MayBuy(t.Context(), "B", market.Key(storetest.Chain, "1"), 1); fault.As(err) == nil || fault.As(err).Reason != "gone" {
			t.Errorf("buying it from there: %v, want gone", err)
		}
	})
}

// When a listing loses its backing, its holds end, the holders are notified, and the updated listings are published.
func TestCover_HoldOfWhatIsNoLongerCoveredEnds(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 3), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 1)), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 2)))
		x.Hold("0", 0, "A", 30)
		x.Hold("1", 0, "B", 20)
		x.Hold("1", 1, "C", 10)
		x.Told()
		x.Apply(storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1))
		x.Want("holds", x.Holds(), "1337042-0 0 A", "1337042-1 0 B")
		x.Want("announcements", x.Told(), endedHoldOf("1", "C", 1, "The seller now offers fewer of these, so one has left your cart."),
			"listing 1337042-1")
		x.Apply(storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1))
		x.Want("holds", x.Holds(), "1337042-0 0 A")
		x.Want("announcements", x.Told(), endedHoldOf("1", "B", 0, "This can't be bought any more, so it has left your cart."),
			"listing 1337042-1")
		x.Apply(storetest.MintItems(storetest.Seller, "1", 2))
		x.Want("announcements", x.Told(), "listing-new 1337042-1")
		x.Want("holds", x.Holds(), "1337042-0 0 A")
	})
}

func endedHoldOf(number, player string, unit int, text string) string {
	return fmt.Sprintf("%s: listing/hold-ended map[assetContractAddress:%s index:%d listingId:%s message:%s]", player,
		storetest.Items.Checksum(), unit, number, text)
}

// Whatever is listed of a token, its units on offer are those that the seller has.
func TestCover_ManyListingsOfOneItemAreOneOffer(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		facts := []any{storetest.MintItems(storetest.Seller, "1", 1), storetest.AllowAll(storetest.Items, storetest.Seller, true)}
		for n := range 31 {
			facts = append(facts, storetest.List(fmt.Sprint(n), storetest.TermsOf(storetest.Items, "1", 1)))
		}
		x.Apply(facts...)
		page, err := marketstore.New(x.DB).LiveListings(t.Context(), market.Query{Sort: market.Newest, Limit: 24}, x.Clock.Now())
		x.OK(err)
		if len(page.Items) != 1 || !slices.ContainsFunc(page.Items, func(l market.Listing) bool { return l.ListingID == "0" }) {
			t.Errorf("the market shows %d listings of one item", len(page.Items))
		}
	})
}
