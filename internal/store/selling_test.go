package store_test

import (
	"fmt"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/selling"
	marketstore "pantheon/internal/store/market"
)

// promised returns the prices that bind a seller of a token, with the seconds for which they do.
func (x *indexed) promised(wallet eth.Address, contract eth.Address, id string) (lines []string) {
	x.t.Helper()
	stock, err := marketstore.Selling{DB: x.db, Chain: indexChain}.Stock(x.t.Context(), wallet,
		selling.Token{Contract: contract, ID: id}, x.clock.Now())
	x.ok(err)
	for _, p := range stock.Promises {
		lines = append(lines, fmt.Sprintf("%s for %v", p.Price, p.Until.Sub(x.clock.Now())))
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
		{"cancelled", []any{cancel("0")}, []eth.Address{seller}},
		{"sent to an account of the seller", []any{moveAvatar(seller, walletA, "7")}, []eth.Address{seller, walletA}},
		{"no longer approved", []any{allowAll(avatars, seller, false)}, []eth.Address{seller}},
		{"raised", []any{relist("0", func() *onchain.ListingTerms {
			dearer := termsOf(avatars, "7", 1)
			dearer.PricePerToken = money.FromInt(2000)
			return dearer
		}())}, []eth.Address{seller}},
		{"nothing", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			eachIndex(t, func(t *testing.T, x *indexed) {
				x.apply(moveAvatar(eth.Address{}, seller, "7"), allowAll(avatars, seller, true), list("0", termsOf(avatars, "7", 1)))
				x.hold("0", 0, "B", 60)
				x.apply(test.facts...)
				for _, wallet := range []eth.Address{seller, walletA, stranger} {
					var want []string
					for _, bound := range test.bound {
						if bound == wallet {
							want = []string{"1000 for 8m59s"}
						}
					}
					x.want(wallet.String(), x.promised(wallet, avatars, "7"), want...)
				}
				x.clock.Advance(9 * time.Minute)
				x.want("when it is over", x.promised(seller, avatars, "7"))
			})
		})
	}
}

func TestSelling_StoreKnowsWhatIsListedAndHeld(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 7), allowAll(items, seller, true), list("0", termsOf(items, "1", 5)), list("1", termsOf(items, "1", 5)))
		x.hold("0", 2, "B", 60)
		s := marketstore.Selling{DB: x.db, Chain: indexChain}
		stock, err := s.Stock(t.Context(), seller, selling.Token{Contract: items, ID: "1"}, x.clock.Now())
		x.ok(err)
		if stock.Owned.String() != "7" || len(stock.Listings) != 2 {
			t.Fatalf("%+v", stock)
		}
		found, err := s.Listings(t.Context(), []string{"1", "0", "404"}, x.clock.Now())
		x.ok(err)
		if len(found) != 2 || found[0].Offered != 2 || found[0].Left != 5 || len(found[0].Held) != 0 || found[1].Offered != 5 ||
			len(found[1].Held) != 1 ||
			found[0].Seller != seller || found[0].Contract != items || found[0].ID != "1" || found[0].Price.String() != "1000" {
			t.Errorf("%+v", found)
		}
	})
}
