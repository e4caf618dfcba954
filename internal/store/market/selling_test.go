package market_test

import (
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/selling"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit/storetest"
)

// promised returns the prices that bind a seller of a token, with the seconds for which they do.
func promised(x *storetest.Indexed, wallet eth.Address, contract eth.Address, id string) (lines []string) {
	x.T.Helper()
	stock, err := marketstore.Selling{DB: x.DB, Chain: storetest.Chain}.Stock(x.T.Context(), wallet,
		selling.Token{Contract: contract, ID: id}, x.Clock.Now())
	x.OK(err)
	for _, p := range stock.Promises {
		lines = append(lines, fmt.Sprintf("%s for %v", p.Price, p.Until.Sub(x.Clock.Now())))
	}
	return lines
}

// Whatever act of a seller ends a hold, its price binds the seller, and who gets the item, until the hold would have ended.
func TestSelling_EndedHoldBindsItsSeller(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		facts []any
		bound []eth.Address
	}{
		{"cancelled", []any{storetest.Cancel("0")}, []eth.Address{storetest.Seller}},
		{"sent to an account of the seller", []any{storetest.MoveAvatar(storetest.Seller, storetest.WalletA, "7")},
			[]eth.Address{storetest.Seller, storetest.WalletA}},
		{"no longer approved", []any{storetest.AllowAll(storetest.Avatars, storetest.Seller, false)}, []eth.Address{storetest.Seller}},
		{"raised", []any{storetest.Relist("0", func() *onchain.ListingTerms {
			dearer := storetest.TermsOf(storetest.Avatars, "7", 1)
			dearer.PricePerToken = money.FromInt(2000)
			return dearer
		}())}, []eth.Address{storetest.Seller}},
		{"nothing", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
				x.Apply(storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
					storetest.AllowAll(storetest.Avatars, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Avatars, "7", 1)))
				x.Hold("0", 0, "B", 60)
				x.Apply(test.facts...)
				for _, wallet := range []eth.Address{storetest.Seller, storetest.WalletA, storetest.Stranger} {
					var want []string
					for _, bound := range test.bound {
						if bound == wallet {
							want = []string{"1000 for 8m59s"}
						}
					}
					x.Want(wallet.String(), promised(x, wallet, storetest.Avatars, "7"), want...)
				}
				x.Clock.Advance(9 * time.Minute)
				x.Want("when it is over", promised(x, storetest.Seller, storetest.Avatars, "7"))
			})
		})
	}
}

func TestSelling_StoreKnowsWhatIsListedAndHeld(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 7), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 5)), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 5)))
		x.Hold("0", 2, "B", 60)
		s := marketstore.Selling{DB: x.DB, Chain: storetest.Chain}
		stock, err := s.Stock(t.Context(), storetest.Seller, selling.Token{Contract: storetest.Items, ID: "1"}, x.Clock.Now())
		x.OK(err)
		if stock.Owned.String() != "7" || len(stock.Listings) != 2 {
			t.Fatalf("%+v", stock)
		}
		found, err := s.Listings(t.Context(), []string{"1", "0", "404"}, x.Clock.Now())
		x.OK(err)
		if len(found) != 2 || found[0].Offered != 2 || found[0].Left != 5 || len(found[0].Held) != 0 || found[1].Offered != 5 ||
			len(found[1].Held) != 1 ||
			found[0].Seller != storetest.Seller || found[0].Contract != storetest.Items || found[0].ID != "1" || found[0].Price.String() != "1000" {
			t.Errorf("%+v", found)
		}
	})
}
