package traderisk_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

// Sums of a currency with 18 decimals are exact to a millionth; totals too large to sum are left out.
func TestDeals_OfACurrencyWith18DecimalsAreSummed(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
		one, two := testkit.WalletOf("one"), testkit.WalletOf("two")
		sale := func(block int64, seller, buyer eth.Address, total string) {
			err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertSale(ctx, gen.InsertSaleParams{
					ChainID: testkit.GameChain, BlockNumber: block, TxHash: eth.Hash{31: byte(block)}, Time: column.At(now), ListingID: "0",
					Contract: eth.MustAddress(testkit.Items), TokenID: "1", Seller: seller, Buyer: buyer, Currency: usdc, Quantity: 1,
					Total: money.MustParse(total), UnitPrice: money.MustParse(total),
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		sale(1, one, two, "1500000000000000000")
		sale(2, one, two, "250000000000000000000001")
		sale(3, one, two, "999999999999") // less than a millionth
		sale(4, one, two, "999999999999999000000000000")
		sale(5, one, two, "10000000000000000000000000000000000")
		sale(6, two, one, "3000000000000000000")
		deals, err := store.TradeRisk{DB: db, Chain: testkit.GameChain, Decimals: 18}.Deals(t.Context(), one, usdc, now)
		want := []traderisk.Deal{
			{With: two, Total: money.MustParse("1000250001499999000000000000")}, {With: two, Total: money.MustParse("3000000000000000000")},
		}
		same := func(a, b traderisk.Deal) bool { return a.With == b.With && a.Total.Cmp(b.Total) == 0 }
		if err != nil || !slices.EqualFunc(deals, want, same) {
			t.Errorf("%v, %v, want %v", deals, err, want)
		}
	})
}
