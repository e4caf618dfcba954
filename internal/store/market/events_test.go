package market_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit/storetest"
)

// events returns all events of a token as lines, read in pages.
func eventsOf(x *storetest.Indexed, contract eth.Address, id string, limit int) (lines []string) {
	x.T.Helper()
	names := map[eth.Address]string{storetest.Seller: "seller", storetest.WalletA: "A", storetest.WalletB: "B", storetest.Stranger: "stranger"}
	name := func(a *eth.Address) string {
		if a == nil {
			return "-"
		}
		return names[*a]
	}
	amount := func(u *money.Units) string {
		if u == nil {
			return "-"
		}
		return u.String()
	}
	markets := market.NewService(marketstore.New(x.DB), clock.NewFake(storetest.Start))
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := markets.Events(x.T.Context(), market.EventQuery{Contract: contract, TokenID: id, Cursor: cursor, Limit: limit})
		x.OK(err)
		if len(page.Items) > limit {
			x.T.Fatalf("%d events on a page of %d", len(page.Items), limit)
		}
		for _, e := range page.Items {
			if seen[e.ID] {
				x.T.Errorf("the id %s is there twice", e.ID)
			}
			seen[e.ID] = true
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s>%s %s for %s, before %s %s", e.Kind, name(e.From), name(e.To), e.Quantity,
				amount(e.Price), amount(e.Before), e.ListingID)))
		}
		if cursor = page.Next; cursor == "" {
			return lines
		}
	}
}

func priced(terms *onchain.ListingTerms, price int64) *onchain.ListingTerms {
	terms.PricePerToken = money.FromInt(price)
	return terms
}

// Spec: MARKET-9
func TestEvents_OfATokenAreThoseOfTheChainNewestFirst(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		gift := storetest.TermsOf(storetest.Items, "1", 3)
		gift.Currency = storetest.Avatars // not one of the market's
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.MintItems(storetest.Seller, "2", 9),
			storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("4", storetest.TermsOf(storetest.Items, "1", 9)))
		x.Apply(storetest.Relist("4", priced(storetest.TermsOf(storetest.Items, "1", 9), 700)),
			storetest.List("5", storetest.TermsOf(storetest.Items, "2", 1)))
		x.Apply(storetest.Relist("4", priced(storetest.TermsOf(storetest.Items, "1", 8), 700)))
		before := x.ApplyIn(eth.Hash{7}, "", storetest.Buy("4", "1", storetest.WalletA, 2)...)
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 1), storetest.Relist("4", gift))
		x.Apply(storetest.Cancel("4"), storetest.MoveItems(storetest.WalletB, eth.Address{}, "1", 1))
		want := []string{
			"burned B>- 1 for -, before -",
			"cancelled seller>- 0 for -, before - 4",
			"repriced seller>- 3 for 1000, before - 4",
			"transferred A>B 1 for -, before -",
			"sold seller>A 2 for -, before - 4", // not at the listed price: in an unknown currency
			"changed seller>- 8 for 700, before - 4",
			"repriced seller>- 9 for 700, before 1000 4",
			"listed seller>- 9 for 1000, before - 4",
			"minted ->seller 9 for -, before -",
		}
		for limit := 1; limit <= 10; limit++ {
			x.Want(fmt.Sprintf("pages of %d", limit), eventsOf(x, storetest.Items, "1", limit), want...)
		}
		x.Want("another token", eventsOf(x, storetest.Items, "2", 10), "listed seller>- 1 for 1000, before - 5",
			"minted ->seller 9 for -, before -")
		x.Rewind(before)
		x.Want("after a reorganisation", eventsOf(x, storetest.Items, "1", 3), want[4:]...)
	})
}

// Transfers of sales do not show, so a page of many sales reads more than it shows.
// Spec: MARKET-9
func TestEvents_OfManySalesAreReadPageByPage(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 90), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("4", storetest.TermsOf(storetest.Items, "1", 90)))
		want := []string{"listed seller>- 90 for 1000, before - 4", "minted ->seller 90 for -, before -"}
		for i := range 30 {
			x.ApplyIn(eth.Hash{1, byte(i)}, "", storetest.Buy("4", "1", storetest.WalletA, 1)...)
			want = append(want, "sold seller>A 1 for 1000, before - 4")
			if i%10 == 9 {
				x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 1))
				want = append(want, "transferred A>B 1 for -, before -")
			}
		}
		slices.Reverse(want[2:])
		want = slices.Concat(want[2:], want[:2])
		for _, limit := range []int{1, 2, 7, 30, 100} {
			x.Want(fmt.Sprintf("pages of %d", limit), eventsOf(x, storetest.Items, "1", limit), want...)
		}
	})
}

func TestEvents_RefuseWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9),
			storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 1))
		markets := market.NewService(marketstore.New(x.DB), clock.NewFake(storetest.Start))
		for what, c := range map[string]struct {
			q    market.EventQuery
			kind fault.Code
		}{
			"an unknown token":      {market.EventQuery{Contract: storetest.Items, TokenID: "2"}, fault.NotFound},
			"money":                 {market.EventQuery{Contract: storetest.USDC, TokenID: "0"}, fault.NotFound},
			"a cursor that is none": {market.EventQuery{Contract: storetest.Items, TokenID: "1", Cursor: "§"}, fault.Invalid},
			"a cursor of listings":  {market.EventQuery{Contract: storetest.Items, TokenID: "1", Cursor: "bmV3ZXN0fDd8MTMzNzA0Mi0x"}, fault.Invalid},
			// newest|7|1337042-1
			"a cursor with no place": {market.EventQuery{Contract: storetest.Items, TokenID: "1", Cursor: "ZXZlbnRzfDd8eC55"},
				fault.Invalid}, // events|7|x.y
		} {
			if _, err := markets.Events(t.Context(), c.q); !fault.Is(err, c.kind) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestNames_AreThoseOfPlayersWithTheirSmartWallets(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		names, err := marketstore.New(x.DB).Names(t.Context(),
			[]eth.Address{storetest.WalletA, storetest.Stranger, storetest.WalletB, storetest.Seller})
		x.OK(err)
		if len(names) != 2 || names[storetest.WalletA] != "A" || names[storetest.WalletB] != "B" {
			t.Errorf("the names are %v", names)
		}
		if names, err = marketstore.New(x.DB).Names(t.Context(), nil); err != nil || len(names) != 0 {
			t.Errorf("the names of nobody are %v: %v", names, err)
		}
	})
}
