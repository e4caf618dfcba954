package api_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

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

func TestFees_AreThoseOfTheChainForTokensThatExist(t *testing.T) {
	t.Parallel()
	p := open(t)
	testkit.List(t, p.db, testkit.Offer{Number: "4", TokenID: "4"})
	testkit.List(t, p.db, testkit.Offer{Number: "5", TokenID: "5"})
	ask := func(query string, status int) answer {
		t.Helper()
		return p.mustSucceed(request{method: "GET", path: "/api/marketplace/fees?" + query}, status)
	}
	var fees struct{ PlatformBps, RoyaltyBps int }
	p.json(ask("contract="+testkit.Items+"&tokenId=4", 200), &fees)
	if fees.PlatformBps != 100 || fees.RoyaltyBps != 250 {
		t.Errorf("the fees are %+v, want 100 and 250", fees)
	}
	ask("contract="+testkit.Items+"&tokenId=5", 503)
	ask("contract="+testkit.Items+"&tokenId=404", 404)
	ask("contract="+testkit.USDC+"&tokenId=4", 404)
	ask("contract=0x12&tokenId=4", 400)
	ask("contract="+testkit.Items+"&tokenId=-1", 400)
	ask("tokenId=4", 400)
}

func TestMarket_RaritiesAreRepeatedOrSeparatedByCommas(t *testing.T) {
	t.Parallel()
	p := open(t)
	for i, rarity := range []string{"common", "rare", "epic", "mythic"} {
		testkit.List(t, p.db, testkit.Offer{Number: "70" + string(rune('0'+i)), TokenID: "70" + string(rune('0'+i)), Rarity: rarity})
	}
	for query, want := range map[string]string{
		"rarity=epic":                         "epic",
		"rarity=rare&rarity=mythic":           "mythic rare",
		"rarity=rare,mythic":                  "mythic rare",
		"rarity=rare,mythic&rarity=rare,,":    "mythic rare",
		"rarity=uncommon":                     "",
		"rarity=EPIC":                         "",
		"rarity=epic,rare,mythic&sort=rarity": "mythic epic rare",
	} {
		var page struct {
			Items []struct {
				TokenID  string
				Metadata struct{ Rarity string }
			}
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?limit=100&" + query}, 200), &page)
		var got []string
		for _, it := range page.Items {
			if strings.HasPrefix(it.TokenID, "70") {
				got = append(got, it.Metadata.Rarity)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("?%s finds %q, want %q", query, got, want)
		}
	}
}

// Counting many matches of a search would be slow: the page says "1,000+".
func TestMarket_TotalOfManyMatchesIsALowerBound(t *testing.T) {
	t.Parallel()
	p := open(t)
	for i := range 2200 {
		words := "thunder"
		if i < 1000 {
			words += " echo"
		}
		testkit.List(t, p.db, testkit.Offer{
			Number: strconv.Itoa(100_000 + i), TokenID: strconv.Itoa(100_000 + i), Collection: "vault", Words: words, Price: int64(i+1) * 1_000_000,
			CreatedAt: time.UnixMilli(int64(i * 7919 % 2200)),
		})
	}
	for query, want := range map[string]struct {
		total   int
		atLeast bool
	}{
		"collection=vault":           {2200, false},
		"q=thunder":                  {1000, true},
		"q=thunder&collection=vault": {1000, true},
		"q=echo":                     {1000, false},
		"q=thunder&min=5&max=14":     {10, false},
		"q=silence":                  {0, false},
	} {
		var page struct {
			Total        int
			TotalAtLeast bool
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?" + query}, 200), &page)
		if page.Total != want.total || page.TotalAtLeast != want.atLeast {
			t.Errorf("?%s: total %d, at least: %t; want %d, %t", query, page.Total, page.TotalAtLeast, want.total, want.atLeast)
		}
	}
}
