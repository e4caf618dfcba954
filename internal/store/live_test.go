package store_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// goods are the items of the development chain.
var goods = eth.MustAddress(testkit.Items)

// All reads of listings agree on what can be bought: what is shown can be held, and what is held can be paid.
// Spec: MARKET-16
func TestLive_EveryReaderAgrees(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, storetest.Start, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		seller := eth.MustAddress("0x00000000000000000000000000000000000000a1")
		variants := []struct {
			what   string
			change func(*testkit.Offer)
			live   bool
		}{
			{"an active listing", func(*testkit.Offer) {}, true},
			{"one that is sold out", func(o *testkit.Offer) { o.Status = market.Sold }, false},
			{"one that is cancelled", func(o *testkit.Offer) { o.Status = market.Cancelled }, false},
			{"one whose goods are gone", func(o *testkit.Offer) { o.Invalid = true }, false},
			{"one for chosen buyers", func(o *testkit.Offer) { o.Reserved = true }, false},
			{"one that begins within the lead of a chain's clock", func(o *testkit.Offer) { o.Start = storetest.Start.Add(time.Minute) }, true},
			{"one that begins later", func(o *testkit.Offer) { o.Start = storetest.Start.Add(time.Minute + time.Millisecond) }, false},
			{"one that ends now", func(o *testkit.Offer) { o.End = storetest.Start }, false},
			{"one that ends later", func(o *testkit.Offer) { o.End = storetest.Start.Add(time.Millisecond) }, true},
		}
		carts, markets := cart.NewService(cartstore.New(db), clk, cart.Options{}), market.NewService(marketstore.New(db), clk)
		for i, v := range variants {
			n := strconv.Itoa(i + 1)
			holder, other := "holder"+n, "other"+n
			testkit.AddPlayers(t, db, 0, holder, other)
			offer := testkit.Offer{Number: n, TokenID: n, Seller: seller, Quantity: 2, Collection: "shelf-" + n}
			id := testkit.List(t, db, offer)
			unit := int64(0)
			if _, err := carts.Add(t.Context(), cart.Holder{PlayerID: holder}, id, goods, &unit); err != nil {
				t.Fatal(err)
			}
			v.change(&offer)
			testkit.List(t, db, offer)

			agrees := func(reader string, got bool) {
				t.Helper()
				if got != v.live {
					t.Errorf("%s: %s says %v", v.what, reader, got)
				}
			}
			for _, sort := range []market.Sort{market.Newest, market.PriceUp, market.PriceDown, market.Rarest} {
				page, err := markets.Browse(t.Context(), market.Query{Collection: offer.Collection, Sort: sort})
				if err != nil {
					t.Fatal(err)
				}
				agrees("the market in order of "+string(sort), len(page.Items) == 1)
				agrees("the total", page.Total != nil && page.Total.N == 1)
			}
			listing, err := markets.Listing(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			agrees("the listing's page", listing.Live(storetest.Start))
			collections, err := markets.Collections(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			figures := slices.IndexFunc(collections, func(c market.Collection) bool { return c.Slug == offer.Collection })
			agrees("the collection's figures", figures >= 0 && collections[figures].Listed == 1)
			packs, err := rewards.Packs{DB: db, Chain: testkit.GameChain, Chests: goods, Seller: seller}.PacksForSale(t.Context(), storetest.Start)
			if err != nil {
				t.Fatal(err)
			}
			agrees("the stock of packs", packs[n] == 2)
			err = cartstore.Orders{DB: db, Chain: testkit.GameChain}.Checkout(t.Context(), holder, func(ctx context.Context, tx checkout.Tx) error {
				units, err := tx.Cart(ctx, storetest.Start)
				agrees("the checkout", len(units) == 1 && units[0].Live)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = carts.Add(t.Context(), cart.Holder{PlayerID: other}, id, goods, nil)
			agrees("the cart", err == nil)
		}
	})
}
