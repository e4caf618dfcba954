package market_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// Spec: SELL-4
func TestOwnListings_TellWhatBecameOfEach(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		now := clock.NewFake(storetest.Start)
		at := func(n int) time.Time { return storetest.Start.Add(time.Duration(n) * time.Hour) }
		for i, o := range []testkit.Offer{
			{Number: "1"},
			{Number: "2", Start: at(1)}, // begins later
			{Number: "3", Status: market.Sold},
			{Number: "4", Status: market.Cancelled},
			{Number: "5", End: at(0)},
			{Number: "6", Invalid: true},
			{Number: "7", Invalid: true, End: at(0)},
			{Number: "8", End: at(2)},
			{Number: "9", Seller: storetest.WalletB},
		} {
			if o.Seller.IsZero() {
				o.Seller = storetest.WalletA
			}
			o.CreatedAt = at(-20 + i)
			testkit.List(t, db, o)
		}
		markets := market.NewService(marketstore.New(db), now)
		want := func(stage market.Stage, limit int, numbers string) {
			t.Helper()
			var got []string
			q := market.OwnQuery{Seller: storetest.WalletA, Stage: stage, Limit: limit}
			for {
				page, err := markets.OwnListings(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range page.Items {
					if stage != "" && l.Stage != stage {
						t.Errorf("%s is %q among the %q", l.ListingID, l.Stage, stage)
					}
					got = append(got, l.ListingID)
				}
				if page.Next == "" {
					break
				}
				q.Cursor = page.Next
			}
			if strings.Join(got, " ") != numbers {
				t.Errorf("%q in pages of %d: %v, want %s", stage, limit, got, numbers)
			}
		}
		for _, limit := range []int{1, 2, 100} {
			want("", limit, "8 7 6 5 4 3 2 1")
			want(market.StageLive, limit, "8 2 1")
			want(market.StageSold, limit, "3")
			want(market.StageEnded, limit, "7 5 4")
			want(market.StageInvalid, limit, "6")
		}
		now.Advance(2 * time.Hour)
		want(market.StageLive, 100, "2 1")
		want(market.StageEnded, 100, "8 7 5 4")

		first, err := markets.OwnListings(t.Context(), market.OwnQuery{Seller: storetest.WalletA, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []market.OwnQuery{
			{Seller: storetest.WalletA, Stage: "gone"}, {Seller: storetest.WalletA, Cursor: "x"},
			{Seller: storetest.WalletA, Stage: market.StageLive, Cursor: first.Next},
		} {
			if _, err := markets.OwnListings(t.Context(), q); !fault.Is(err, fault.Invalid) {
				t.Errorf("%+v: %v", q, err)
			}
		}
	})
}

// Spec: SELL-4
func TestOwnListings_HaveWhatTheSellerGot(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		pay := func(to eth.Address, n int64) onchain.Transfer {
			return storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, to, n)
		}
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("4", storetest.TermsOf(storetest.Items, "1", 6)), storetest.List("5", storetest.TermsOf(storetest.Items, "1", 1)))
		// Two sales in one transaction: fees go first, the payout last.
		facts := append([]any{pay(storetest.Seller, 7), pay(storetest.Stranger, 50), pay(storetest.Seller, 1950)},
			storetest.Buy("4", "1", storetest.WalletA, 2)...)
		facts = append(facts, pay(storetest.Stranger, 25), pay(storetest.Seller, 975))
		facts = append(facts, storetest.Buy("5", "1", storetest.WalletA, 1)...)
		x.ApplyIn(eth.Keccak256([]byte("both")), "", facts...)
		x.ApplyIn(eth.Keccak256([]byte("free")), "", storetest.Buy("4", "1", storetest.WalletB, 1)...) // no payout was seen
		markets := market.NewService(marketstore.New(x.DB), x.Clock)
		page, err := markets.OwnListings(t.Context(), market.OwnQuery{Seller: storetest.Seller, Limit: 10})
		x.OK(err)
		var got []string
		for _, l := range page.Items {
			line := fmt.Sprintf("%s %s left %d sold %d for %s:", l.ListingID, l.Stage, l.Quantity, l.Sold, l.Received)
			for _, s := range l.Sales {
				received := "?"
				if s.Received != nil {
					received = s.Received.String()
				}
				line += fmt.Sprintf(" %d at %s got %s", s.Quantity, s.Total, received)
			}
			got = append(got, line)
		}
		slices.Sort(got)
		x.Want("own listings", got,
			"4 live left 3 sold 3 for 1950: 1 at 1000 got ? 2 at 2000 got 1950",
			"5 sold left 0 sold 1 for 975: 1 at 1000 got 975")

		own, err := markets.Own(t.Context(), storetest.Seller, storetest.Items, "1")
		x.OK(err)
		if own.Owned.String() != "5" || own.Offered.String() != "3" {
			t.Errorf("the seller has %+v, want 5 of which 3 are listed", own)
		}
		none, err := markets.Own(t.Context(), storetest.Stranger, storetest.Items, "2")
		x.OK(err)
		if !none.Owned.IsZero() || !none.Offered.IsZero() {
			t.Errorf("the stranger has %+v", none)
		}
	})
}
