package api_test

import (
	"context"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

func TestItem_SaysHowManyThereAreOfAtMostHowMany(t *testing.T) {
	t.Parallel()
	p := open(t)
	const chain = int64(testkit.GameChain)
	testkit.List(t, p.db, testkit.Offer{Number: "1", TokenID: "1"})
	testkit.List(t, p.db, testkit.Offer{Number: "2", TokenID: "2"})
	testkit.List(t, p.db, testkit.Offer{Number: "3", TokenID: "3"})
	p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for id, minted := range map[string]string{"1": "12", "2": "7"} {
			if err := tx.PutSupply(ctx, gen.PutSupplyParams{ChainID: chain, Contract: testkit.Items, TokenID: id, Minted: minted, Burned: "2"}); err != nil {
				return err
			}
		}
		return tx.InsertSupplyCap(ctx, gen.InsertSupplyCapParams{ChainID: chain, BlockNumber: 1, Contract: testkit.Items, TokenID: "1", MaxSupply: "500"})
	}))
	for id, want := range map[string]string{"1": "token 10 500", "2": "token 5 ", "3": ""} {
		var item struct {
			Supply *struct{ Of, Existing, Max string }
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/" + id}, 200), &item)
		got := ""
		if s := item.Supply; s != nil {
			got = s.Of + " " + s.Existing + " " + s.Max
		}
		if got != want {
			t.Errorf("item %s: %q, want %q", id, got, want)
		}
	}
}
