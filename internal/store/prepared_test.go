package store_test

import (
	"strconv"
	"testing"

	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// Callers choose filters, sizes and orders, and each combination is a statement.
func TestBrowse_PreparedStatementsAreBounded(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	for i := range 3 {
		testkit.List(t, db, testkit.Offer{Number: strconv.Itoa(i), CreatedAt: storetest.Start})
	}
	for limit := 1; limit <= market.MaxPage; limit++ {
		for _, sort := range []market.Sort{market.Newest, market.PriceUp, market.PriceDown, market.Rarest} {
			page, err := marketstore.New(db).LiveListings(t.Context(), market.Query{Sort: sort, Limit: limit}, storetest.Start)
			if err != nil || len(page.Items) != min(limit, 3) {
				t.Fatalf("%d by %s: %d listings, %v", limit, sort, len(page.Items), err)
			}
		}
	}
	if n := db.PreparedBrowseStatements(); n != 256 {
		t.Errorf("%d statements are prepared, want 256", n)
	}
}
