package store_test

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
)

// events returns all events of a token as lines, read in pages.
func (x *indexed) events(contract eth.Address, id string, limit int) (lines []string) {
	x.t.Helper()
	names := map[eth.Address]string{seller: "seller", walletA: "A", walletB: "B", stranger: "stranger"}
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
	markets := market.NewService(marketstore.New(x.db), clock.NewFake(indexStart))
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := markets.Events(x.t.Context(), market.EventQuery{Contract: contract, TokenID: id, Cursor: cursor, Limit: limit})
		x.ok(err)
		if len(page.Items) > limit {
			x.t.Fatalf("%d events on a page of %d", len(page.Items), limit)
		}
		for _, e := range page.Items {
			if seen[e.ID] {
				x.t.Errorf("the id %s is there twice", e.ID)
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
	eachIndex(t, func(t *testing.T, x *indexed) {
		gift := termsOf(items, "1", 3)
		gift.Currency = avatars // not one of the market's
		x.apply(mintItems(seller, "1", 9), mintItems(seller, "2", 9), allowAll(items, seller, true), list("4", termsOf(items, "1", 9)))
		x.apply(relist("4", priced(termsOf(items, "1", 9), 700)), list("5", termsOf(items, "2", 1)))
		x.apply(relist("4", priced(termsOf(items, "1", 8), 700)))
		before := x.applyIn(eth.Hash{7}, "", buy("4", "1", walletA, 2)...)
		x.apply(moveItems(walletA, walletB, "1", 1), relist("4", gift))
		x.apply(cancel("4"), moveItems(walletB, eth.Address{}, "1", 1))
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
			x.want(fmt.Sprintf("pages of %d", limit), x.events(items, "1", limit), want...)
		}
		x.want("another token", x.events(items, "2", 10), "listed seller>- 1 for 1000, before - 5", "minted ->seller 9 for -, before -")
		x.rewind(before)
		x.want("after a reorganisation", x.events(items, "1", 3), want[4:]...)
	})
}

// Transfers of sales do not show, so a page of many sales reads more than it shows.
// Spec: MARKET-9
func TestEvents_OfManySalesAreReadPageByPage(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 90), allowAll(items, seller, true), list("4", termsOf(items, "1", 90)))
		want := []string{"listed seller>- 90 for 1000, before - 4", "minted ->seller 90 for -, before -"}
		for i := range 30 {
			x.applyIn(eth.Hash{1, byte(i)}, "", buy("4", "1", walletA, 1)...)
			want = append(want, "sold seller>A 1 for 1000, before - 4")
			if i%10 == 9 {
				x.apply(moveItems(walletA, walletB, "1", 1))
				want = append(want, "transferred A>B 1 for -, before -")
			}
		}
		slices.Reverse(want[2:])
		want = slices.Concat(want[2:], want[:2])
		for _, limit := range []int{1, 2, 7, 30, 100} {
			x.want(fmt.Sprintf("pages of %d", limit), x.events(items, "1", limit), want...)
		}
	})
}

func TestEvents_RefuseWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), transfer(onchain.ERC20, usdc, "0", eth.Address{}, walletA, 1))
		markets := market.NewService(marketstore.New(x.db), clock.NewFake(indexStart))
		for what, c := range map[string]struct {
			q    market.EventQuery
			kind fault.Code
		}{
			"an unknown token":      {market.EventQuery{Contract: items, TokenID: "2"}, fault.NotFound},
			"money":                 {market.EventQuery{Contract: usdc, TokenID: "0"}, fault.NotFound},
			"a cursor that is none": {market.EventQuery{Contract: items, TokenID: "1", Cursor: "§"}, fault.Invalid},
			"a cursor of listings":  {market.EventQuery{Contract: items, TokenID: "1", Cursor: "bmV3ZXN0fDd8MTMzNzA0Mi0x"}, fault.Invalid},
			// newest|7|1337042-1
			"a cursor with no place": {market.EventQuery{Contract: items, TokenID: "1", Cursor: "ZXZlbnRzfDd8eC55"}, fault.Invalid}, // events|7|x.y
		} {
			if _, err := markets.Events(t.Context(), c.q); !fault.Is(err, c.kind) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestNames_AreThoseOfPlayersWithTheirSmartWallets(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		names, err := marketstore.New(x.db).Names(t.Context(), []eth.Address{walletA, stranger, walletB, seller})
		x.ok(err)
		if len(names) != 2 || names[walletA] != "A" || names[walletB] != "B" {
			t.Errorf("the names are %v", names)
		}
		if names, err = marketstore.New(x.db).Names(t.Context(), nil); err != nil || len(names) != 0 {
			t.Errorf("the names of nobody are %v: %v", names, err)
		}
	})
}
