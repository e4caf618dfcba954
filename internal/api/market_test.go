package api_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
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

// sellOnce lists a token by a player's wallet, and records its sale to another's with the events around it.
func (p *portal) sellOnce(seller, buyer eth.Address) {
	p.t.Helper()
	const chain = int64(testkit.GameChain)
	testkit.List(p.t, p.db, testkit.Offer{Number: "1", TokenID: "1", Seller: seller})
	testkit.SetHolding(p.t, p.db, buyer, testkit.Items, onchain.ERC1155, "1", 2)
	terms := `{"seller":"` + seller.String() + `","contract":"` + testkit.Items + `","tokenId":"1","quantity":3,"currency":"` + testkit.USDC +
		`","pricePerToken":"%s","start":"2026-01-01T00:00:00Z","end":"2027-01-01T00:00:00Z"}`
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		event := func(block int64, kind, detail string) error {
			return tx.InsertListingEvent(ctx, gen.InsertListingEventParams{
				ChainID: chain, BlockNumber: block, TxHash: eth.Hash{byte(block)}.String(), Time: opening.UnixMilli() + block, ListingID: "1", Kind: kind,
				Detail: detail, Contract: testkit.Items, TokenID: "1",
			})
		}
		return errors.Join(
			event(1, "new", fmt.Sprintf(terms, "2500000")),
			event(2, "updated", fmt.Sprintf(terms, "1500000")),
			event(3, "sold", `{"seller":"`+seller.String()+`","contract":"`+testkit.Items+`","tokenId":"1","buyer":"`+buyer.String()+`","quantity":2,"total":"3000000"}`),
			tx.InsertSale(ctx, gen.InsertSaleParams{
				ChainID: chain, BlockNumber: 3, TxHash: eth.Hash{3}.String(), Time: opening.UnixMilli() + 3, ListingID: "1", Contract: testkit.Items, TokenID: "1",
				Seller: seller.String(), Buyer: buyer.String(), Currency: testkit.USDC, Quantity: 2, Total: "3000000", UnitPrice: "1500000",
			}),
			tx.InsertTransfer(ctx, gen.InsertTransferParams{
				ChainID: chain, BlockNumber: 4, TxHash: eth.Hash{4}.String(), Time: opening.UnixMilli() + 4, Contract: testkit.Items, Standard: "erc1155", TokenID: "1",
				FromAddress: buyer.String(), ToAddress: eth.MustAddress(testkit.USDC).String(), Amount: "1",
			}))
	}))
}

// Display names are public, as on leaderboards; nothing else of a player is.
func TestItem_NamesPlayersWithoutIDOrEmail(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.register("zeus"), p.register("hera")
	testkit.AddWallet(t, p.db, zeus.id, 0)
	testkit.AddWallet(t, p.db, hera.id, 0)
	p.sellOnce(testkit.WalletOf(zeus.id), testkit.WalletOf(hera.id))
	for _, path := range []string{"", "/activity", "/history"} {
		answer := p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/1" + path}, 200)
		for _, secret := range []string{zeus.id, hera.id, "olympus.example", testkit.OwnerOf(zeus.id).Checksum()} {
			if strings.Contains(strings.ToLower(answer.text), strings.ToLower(secret)) {
				t.Errorf("%q tells %s: %s", path, secret, answer.text)
			}
		}
		var got struct{ Names map[string]string }
		p.json(answer, &got)
		want := map[string]string{testkit.WalletOf(zeus.id).Checksum(): "zeus", testkit.WalletOf(hera.id).Checksum(): "hera"}
		if path != "/history" && !maps.Equal(got.Names, want) {
			t.Errorf("%q names %v, want %v", path, got.Names, want)
		}
	}
}

func TestItem_ActivityTellsPricesOfTheMarketsCurrency(t *testing.T) {
	t.Parallel()
	p := open(t)
	seller, buyer := eth.MustAddress("0x00000000000000000000000000000000000000f1"), eth.MustAddress("0x00000000000000000000000000000000000000f2")
	p.sellOnce(seller, buyer)
	type event struct{ Kind, From, To, Quantity, Price, Before string }
	var page struct {
		Items      []event
		NextCursor string
	}
	ask := func(query string) []event {
		page.Items, page.NextCursor = nil, ""
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/1/activity?" + query}, 200), &page)
		return page.Items
	}
	want := []event{
		{"transferred", buyer.Checksum(), eth.MustAddress(testkit.USDC).Checksum(), "1", "", ""},
		{"sold", seller.Checksum(), buyer.Checksum(), "2", "1.5", ""},
		{"repriced", seller.Checksum(), "", "3", "1.5", "2.5"},
		{"listed", seller.Checksum(), "", "3", "2.5", ""},
	}
	if got := ask(""); !slices.Equal(got, want) || page.NextCursor != "" {
		t.Errorf("the activity is\n%v, want\n%v", got, want)
	}
	got := ask("limit=3")
	if got = slices.Concat(got, ask("limit=3&cursor="+page.NextCursor)); !slices.Equal(got, want) {
		t.Errorf("two pages are\n%v, want\n%v", got, want)
	}
	for query, status := range map[string]int{"/1/activity?limit=101": 400, "/1/activity?limit=0": 400, "/1/activity?cursor=x": 400, "/404/activity": 404} {
		p.mustBeProblem(query, p.send(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + query}), status)
	}
}

func TestItem_SaysWhatItIsAndWhatItIsGoodFor(t *testing.T) {
	t.Parallel()
	p := open(t)
	testkit.List(t, p.db, testkit.Offer{Number: "1", TokenID: "1"})
	testkit.List(t, p.db, testkit.Offer{Number: "2", TokenID: "404"}) // not in the catalogue
	for id, want := range map[string]string{"1": "Drawn at noon. A weapon.", "404": " "} {
		var item struct{ Description, Use string }
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/" + id}, 200), &item)
		if got := item.Description + " " + item.Use; got != want {
			t.Errorf("item %s: %q, want %q", id, got, want)
		}
	}
}

func TestHistory_HasAThousandSalesAndSaysWhetherThereAreMore(t *testing.T) {
	t.Parallel()
	p := open(t)
	sell := func(from, to int64) {
		p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			var errs []error
			for i := from; i < to; i++ {
				errs = append(errs, tx.InsertSale(ctx, gen.InsertSaleParams{
					ChainID: int64(testkit.GameChain), BlockNumber: i, TxHash: eth.Hash{1}.String(), Time: i, ListingID: "1", Contract: testkit.Items, TokenID: "1",
					Seller: testkit.Items, Buyer: testkit.Items, Currency: testkit.USDC, Quantity: 1, Total: "3000000", UnitPrice: "3000000",
				}))
			}
			return errors.Join(errs...)
		}))
	}
	ask := func() (n int, more bool) {
		var history struct {
			Items []struct{ Price string }
			More  bool
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/1/history"}, 200), &history)
		return len(history.Items), history.More
	}
	sell(0, 1000)
	if n, more := ask(); n != 1000 || more {
		t.Errorf("%d of 1,000 sales, more: %t", n, more)
	}
	sell(1000, 1001)
	if n, more := ask(); n != 1000 || !more {
		t.Errorf("%d of 1,001 sales, more: %t", n, more)
	}
}
