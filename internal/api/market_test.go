package api_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

// Spec: MARKET-7
func TestItem_SaysHowManyThereAreOfAtMostHowMany(t *testing.T) {
	t.Parallel()
	p := open(t)
	const chain = testkit.GameChain
	testkit.List(t, p.db, testkit.Offer{Number: "1", TokenID: "1"})
	testkit.List(t, p.db, testkit.Offer{Number: "2", TokenID: "2"})
	testkit.List(t, p.db, testkit.Offer{Number: "3", TokenID: "3"})
	p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for id, minted := range map[string]int64{"1": 12, "2": 7} {
			if err := tx.PutSupply(ctx, gen.PutSupplyParams{
				ChainID: chain, Contract: eth.MustAddress(testkit.Items), TokenID: id, Minted: money.FromInt(minted), Burned: money.FromInt(2),
			}); err != nil {
				return err
			}
		}
		return tx.InsertSupplyCap(ctx, gen.InsertSupplyCapParams{
			ChainID: chain, BlockNumber: 1, Contract: eth.MustAddress(testkit.Items), TokenID: "1", MaxSupply: money.FromInt(500),
		})
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

// Spec: MARKET-11
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

// Spec: MARKET-4
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

// Spec: MARKET-15
func TestCoalesce_SharedResponsesAreTheSameForEveryCaller(t *testing.T) {
	t.Parallel()
	p := open(t)
	hera, zeus := p.admit("Hera", "7"), p.admit("Zeus", "8") // each holds a unit of a listing
	for _, path := range []string{
		"/api/marketplace/listings", "/api/marketplace/collections", "/api/marketplace/traits?collection=game-items", "/api/marketplace/sales",
	} {
		want := p.mustSucceed(request{method: "GET", path: path}, 200)
		for _, of := range []actor{hera, zeus} {
			r := request{
				method: "GET", path: path, authorization: of.token,
				header: http.Header{"X-Wallet-Address": {testkit.WalletOf(of.id).Checksum()}, "X-Fab-Id": {of.id}},
			}
			if got := p.mustSucceed(r, 200); got.text != want.text || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: a player gets %s, a visitor %s", path, got.text, want.text)
			}
		}
	}
}

// Spec: MARKET-26
func TestMarket_CollectionsHaveWhatTheirContractsSay(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.admit("Zeus", "8") // holds a unit of a listing
	got := p.mustSucceed(request{method: "GET", path: "/api/marketplace/collections"}, 200)
	if !strings.Contains(got.text, `"slug":"game-items"`) || !strings.Contains(got.text, `"description":"Tools of the trade."`) {
		t.Errorf("the collections are %s", got.text)
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

// Spec: MARKET-4
func TestMarket_ListsAreNarrowedByTraitsSellerAndWhatIsFree(t *testing.T) {
	t.Parallel()
	p := open(t)
	seller := eth.MustAddress("0x00000000000000000000000000000000000005e1")
	for i, traits := range [][][2]string{
		{{"Metal", "Iron"}, {"Power", "1"}}, {{"Metal", "Gold"}, {"Power", "1"}}, {{"Metal", "Gold"}, {"Power", "2"}},
		{{"Metal", "Sky: Bronze"}, {"Power", "2"}},
	} {
		o := testkit.Offer{
			Number: fmt.Sprint("90", i), TokenID: fmt.Sprint("90", i), Collection: "forge", Traits: traits, Price: int64(i+1) * 1_000_000,
		}
		if i > 1 {
			o.Seller = seller
		}
		testkit.List(t, p.db, o)
	}
	if a := p.add(p.admit("zeus", "8"), "901", ""); a.status != 200 {
		t.Fatalf("the second is not held: %d %s", a.status, a.text)
	}
	for query, want := range map[string]string{
		"trait=Metal:Gold":                                 "901 902",
		"trait=Metal:Gold&trait=Metal:Iron":                "900 901 902",
		"trait=Metal:Gold&trait=Power:1":                   "901",
		"trait=Metal:Gold&trait=Power:1&trait=Power:2":     "901 902",
		"trait=Metal:Sky:%20Bronze":                        "903",
		"trait=Power":                                      "900 901 902 903",
		"trait=Metal:gold":                                 "",
		"seller=" + seller.String():                        "902 903",
		"free=true":                                        "900 902 903",
		"free=true&trait=Power:1":                          "900",
		"free=true&seller=" + seller.String() + "&max=3.5": "902",
	} {
		var page struct {
			Items []struct{ TokenID string }
			Total int
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?collection=forge&sort=price-asc&" + query}, 200), &page)
		var got []string
		for _, it := range page.Items {
			got = append(got, it.TokenID)
		}
		if strings.Join(got, " ") != want || page.Total != len(got) {
			t.Errorf("?%s finds %q of %d, want %q", query, got, page.Total, want)
		}
	}
	for _, bad := range []string{
		"seller=0x12", "free=maybe", "trait=" + strings.Repeat("x", 101), "trait=a" + strings.Repeat("&trait=a", 50),
		"trait=t0" + many("&trait=t%d", 11),
		"trait=t:0" + many("&trait=t:%d", 11), "q=" + strings.Repeat("x", 10_000), "cursor=" + strings.Repeat("x", 401), "cursor=forged",
	} {
		p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?" + bad}, 400)
	}
	for _, odd := range []string{
		`"`, `*`, `NEAR(a b)`, `a" OR "b`, `'; DROP TABLE listing; --`, `a & !b | c:*`, "\u202e", "\x01", "a\u200fb", `\`, "%", "_",
	} {
		p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?q=" + url.QueryEscape(odd) + "&trait=" + url.QueryEscape(odd)}, 200)
	}
	var page struct{ NextCursor string }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?limit=1"}, 200), &page)
	p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?limit=1&sort=price-asc&cursor=" + page.NextCursor}, 400)
}

// Spec: MARKET-10
func TestOffers_KeepTheRequestedOrderWithTheCheapestOfEach(t *testing.T) {
	t.Parallel()
	p := open(t)
	for _, o := range []testkit.Offer{
		{Number: "920", TokenID: "92", Price: 2_000_000}, {Number: "921", TokenID: "92", Price: 1_000_000},
		{Number: "930", TokenID: "93", Price: 4_000_000, Invalid: true},
	} {
		testkit.List(t, p.db, o)
	}
	read := func(query string, status int) (got []string) {
		var offers struct {
			Items []struct {
				Contract, TokenID string
				Metadata          struct{ Name string }
				Cheapest          *struct{ ListingID, Price string }
			}
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items" + query}, status), &offers)
		for _, o := range offers.Items {
			line := o.TokenID + " not for sale"
			if o.Cheapest != nil {
				line = fmt.Sprintf("%s: %s for %s", o.TokenID, o.Cheapest.ListingID, o.Cheapest.Price)
			}
			if o.Metadata.Name == "" || !strings.EqualFold(o.Contract, testkit.Items) {
				line += " of nothing"
			}
			got = append(got, line)
		}
		return got
	}
	item := func(id string) string { return testkit.Items + ":" + id }
	const cheapest92 = "92: 921 for 1"
	for query, want := range map[string][]string{
		"?item=" + item("93") + "&item=" + item("92"):  {"93 not for sale", cheapest92},
		"?item=" + item("92") + "&item=" + item("93"):  {cheapest92, "93 not for sale"},
		"?item=" + item("404") + "&item=" + item("92"): {cheapest92},
		"?item=" + item("404"):                         nil,
		"?item=" + item("92") + strings.Repeat("&item="+item("92"), 19): slices.Repeat([]string{cheapest92},
			20),
		"?item=0x00000000000000000000000000000000000000ff:92&item=" + item("092") + "&item=" + item("92"): {cheapest92},
	} {
		if got := read(query, 200); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{
		"", "?item=", "?item=" + testkit.Items, "?item=92", "?item=" + item(""), "?item=" + item("-1"), "?item=" + item("9%00"),
		"?item=" + item(strings.Repeat("9", 79)),
		"?item=" + item("92:1"), "?item=0x0:1", "?item=" + item("92") + "," + item("93"),
		"?item=" + item("92") + strings.Repeat("&item="+item("92"), 20),
	} {
		read(query, 400)
	}
	many := p.mustBeProblem("21 tokens", p.send(request{
		method: "GET", path: "/api/marketplace/items?item=" + strings.Repeat(item("92")+"&item=", 20) + item("92"),
	}), 400)
	if len(many.Errors) != 1 || many.Errors[0].Message != "This must have at most 20 entries." {
		t.Errorf("21 tokens: %+v", many.Errors)
	}
	var figures struct {
		Tokens []struct {
			TokenID, Floor, LastSale string
			Offers                   int
		}
	}
	p.json(p.mustSucceed(request{
		method: "GET", path: "/api/marketplace/items?item=" + item("92") + "&item=" + item("92") + "&item=" + item("93"),
	}, 200), &figures)
	if got := fmt.Sprint(figures.Tokens); got != "[{92 1  2} {93   0}]" {
		t.Errorf("figures %s, want those of 92 and of 93 once each", got)
	}
}

// Spec: MARKET-5
func TestMarket_OneListingOfEachTokenIsItsCheapestFreeOne(t *testing.T) {
	t.Parallel()
	p := open(t)
	seller := eth.MustAddress("0x00000000000000000000000000000000000005e1")
	for _, o := range []testkit.Offer{
		{Number: "920", TokenID: "92", Price: 2_000_000}, {Number: "921", TokenID: "92", Price: 3_000_000},
		{Number: "922", TokenID: "92", Price: 3_000_000},
		{Number: "923", TokenID: "92", Price: 5_000_000, Seller: seller}, {Number: "930", TokenID: "93", Price: 4_000_000},
	} {
		o.Collection = "mint"
		testkit.List(t, p.db, o)
	}
	zeus := p.admit("zeus", "8")
	for _, number := range []string{"920", "930"} {
		if a := p.add(zeus, number, ""); a.status != 200 {
			t.Fatalf("%s is not held: %d %s", number, a.status, a.text)
		}
	}
	p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSale(ctx, gen.InsertSaleParams{
			ChainID: testkit.GameChain, TxHash: eth.Hash{1}, Time: column.At(time.UnixMilli(1)), ListingID: "1",
			Contract: eth.MustAddress(testkit.Items), TokenID: "92", Currency: eth.MustAddress(testkit.USDC), Quantity: 2,
			Total: money.FromInt(15000000), UnitPrice: money.FromInt(7500000),
		})
	}))
	const figures92, figures93 = "92: 4 from 2, sold for 7.5", "93: 1 from 4, sold for "
	for query, want := range map[string][]string{
		"":                        {"920 921 922 930 923", figures92, figures93},
		"cheapest=true":           {"921 930", figures92, figures93},
		"cheapest=true&free=true": {"921", figures92},
		"cheapest=true&max=2":     {"920", figures92},
		"cheapest=true&min=3.5":   {"930 923", figures93, figures92},
		"cheapest=true&seller=" + seller.String(): {"923", figures92},
	} {
		var page struct {
			Items  []struct{ ListingID string }
			Tokens []struct {
				TokenID         string
				Offers          int
				Floor, LastSale string
			}
			Total int
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?collection=mint&sort=price-asc&" + query}, 200), &page)
		var numbers []string
		for _, l := range page.Items {
			numbers = append(numbers, l.ListingID)
		}
		got := []string{strings.Join(numbers, " ")}
		for _, f := range page.Tokens {
			got = append(got, fmt.Sprintf("%s: %d from %s, sold for %s", f.TokenID, f.Offers, f.Floor, f.LastSale))
		}
		if !slices.Equal(got, want) || page.Total != len(numbers) {
			t.Errorf("?%s finds %q of %d, want %q", query, got, page.Total, want)
		}
	}
}

// One account cannot fill the first page with one item.
func TestMarket_TheNewestHaveASellersEqualOffersOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	seller := eth.MustAddress("0x00000000000000000000000000000000000005e1")
	for i, o := range []testkit.Offer{
		{Number: "950", Price: 2_000_000}, {Number: "951", Price: 2_000_000}, {Number: "952", Price: 2_000_000},
		{Number: "953", Price: 3_000_000},
		{Number: "954", Price: 2_000_000, Seller: seller}, {Number: "955", Price: 2_000_000, TokenID: "96"},
	} {
		o.Collection, o.TokenID, o.CreatedAt = "mint", cmp.Or(o.TokenID, "95"), time.UnixMilli(int64(i))
		testkit.List(t, p.db, o)
	}
	list := func(query string) (numbers string, total int) {
		var page struct {
			Items []struct{ ListingID string }
			Total int
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/listings?collection=mint&" + query}, 200), &page)
		for _, l := range page.Items {
			numbers += " " + l.ListingID
		}
		return numbers, page.Total
	}
	for query, want := range map[string]string{
		"": " 955 954 953 950", "sort=price-asc": " 950 951 952 954 955 953", "seller=" + seller.String(): " 954",
	} {
		if got, total := list(query); got != want || query == "" && total != 6 {
			t.Errorf("?%s finds%s of %d, want%s", query, got, total, want)
		}
	}
	if a := p.add(p.admit("zeus", "8"), "950", ""); a.status != 200 {
		t.Fatalf("950 is not held: %d %s", a.status, a.text)
	}
	if got, _ := list(""); got != " 955 954 953 951 950" {
		t.Errorf("with the oldest held there are%s", got)
	}
}

// many repeats a format with the numbers below n.
func many(format string, n int) (out string) {
	for i := range n {
		out += fmt.Sprintf(format, i)
	}
	return out
}

// Spec: MARKET-6
func TestTraits_AreCountedByTheListingsOfACollection(t *testing.T) {
	t.Parallel()
	p := open(t)
	for i, traits := range [][][2]string{{{"Metal", "Iron"}}, {{"Metal", "Gold"}, {"Age", "Old"}}, {{"Metal", "Gold"}}} {
		number := fmt.Sprint("91", i)
		testkit.List(t, p.db, testkit.Offer{Number: number, TokenID: number, Collection: "smithy", Traits: traits})
	}
	testkit.List(t, p.db, testkit.Offer{
		Number: "919", TokenID: "919", Collection: "smithy", Traits: [][2]string{{"Metal", "Lead"}}, Invalid: true,
	})
	for query, want := range map[string]string{
		"smithy": `{"items":[{"name":"Age","values":[{"value":"Old","listed":1}]},{"name":"Metal","values":[{"value":"Gold","listed":2},` +
			`{"value":"Iron","listed":1}]}]}`,
		"unknown": `{"items":[]}`,
	} {
		if got := strings.TrimSpace(p.mustSucceed(request{
			method: "GET", path: "/api/marketplace/traits?collection=" + query,
		}, 200).text); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	p.mustSucceed(request{method: "GET", path: "/api/marketplace/traits"}, 400)
}

// Spec: MARKET-6
func TestSales_AreReadNewestFirstPageByPage(t *testing.T) {
	t.Parallel()
	p := open(t)
	for i, collection := range []string{"bows", "bows", "axes"} {
		testkit.List(t, p.db, testkit.Offer{Number: fmt.Sprint("92", i), TokenID: fmt.Sprint("92", i), Collection: collection})
	}
	sell := func(block int64, tokenID, currency string) gen.InsertSaleParams {
		return gen.InsertSaleParams{
			ChainID: testkit.GameChain, BlockNumber: block, TxHash: eth.Hash{31: byte(block)},
			Time: column.At(time.UnixMilli(4_000_000_000_000 + block/2)), ListingID: tokenID, Contract: eth.MustAddress(testkit.Items),
			TokenID: tokenID, Seller: eth.MustAddress(testkit.Items), Buyer: eth.MustAddress(testkit.USDC), Currency: eth.MustAddress(currency),
			Quantity: 1, Total: money.FromInt(2500000), UnitPrice: money.FromInt(2500000),
		}
	}
	p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for block := range int64(9) {
			if err := tx.InsertSale(ctx, sell(block, fmt.Sprint("92", block%3), testkit.USDC)); err != nil {
				return err
			}
		}
		return tx.InsertSale(ctx, sell(9, "920", eth.Address{}.String()))
	}))
	read := func(query string, limit int) (blocks []string) {
		cursor := ""
		for range 20 {
			var page struct {
				Items []struct {
					TxHash, TokenID, UnitPrice string
					Metadata                   struct{ Collection string }
				}
				NextCursor string
			}
			p.json(p.mustSucceed(request{
				method: "GET", path: fmt.Sprintf("/api/marketplace/sales?limit=%d&cursor=%s%s", limit, cursor, query),
			}, 200), &page)
			if len(page.Items) > limit {
				t.Fatalf("%d items, want at most %d", len(page.Items), limit)
			}
			for _, s := range page.Items {
				if s.UnitPrice != "2.50" && s.UnitPrice != "2.5" {
					t.Errorf("sold for %s, want 2.5", s.UnitPrice)
				}
				blocks = append(blocks, s.TxHash[len(s.TxHash)-1:])
			}
			if cursor = page.NextCursor; cursor == "" {
				return blocks
			}
		}
		t.Fatal("the pages do not end")
		return nil
	}
	for _, limit := range []int{1, 2, 9, 100} {
		if got := strings.Join(read("", limit), ""); got != "876543210" {
			t.Errorf("pages of %d: %s", limit, got)
		}
		if got := strings.Join(read("&collection=axes", limit), ""); got != "852" {
			t.Errorf("axes in pages of %d: %s", limit, got)
		}
	}
	for _, bad := range []string{
		"x", base64.RawURLEncoding.EncodeToString([]byte("sales|1|x")), base64.RawURLEncoding.EncodeToString([]byte("newest|1|1 1 1")),
	} {
		p.mustSucceed(request{method: "GET", path: "/api/marketplace/sales?cursor=" + bad}, 400)
	}
}

// sellOnce lists a token by a player's wallet, and records its sale to another's with the events around it.
func (p *portal) sellOnce(seller, buyer eth.Address) {
	p.t.Helper()
	const chain = testkit.GameChain
	testkit.List(p.t, p.db, testkit.Offer{Number: "1", TokenID: "1", Seller: seller})
	testkit.SetHolding(p.t, p.db, buyer, testkit.Items, onchain.ERC1155, "1", 2)
	terms := `{"seller":"` + seller.String() + `","contract":"` + testkit.Items + `","tokenId":"1","quantity":3,"currency":"` + testkit.USDC +
		`","pricePerToken":"%s","start":"2026-01-01T00:00:00Z","end":"2027-01-01T00:00:00Z"}`
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		event := func(block int64, kind, detail string) error {
			return tx.InsertListingEvent(ctx, gen.InsertListingEventParams{
				ChainID: chain, BlockNumber: block, TxHash: eth.Hash{byte(block)},
				Time: column.At(opening.Add(time.Duration(block) * time.Millisecond)), ListingID: "1", Kind: kind, Detail: detail,
				Contract: testkit.Items, TokenID: "1",
			})
		}
		return errors.Join(
			event(1, "new", fmt.Sprintf(terms, "2500000")),
			event(2, "updated", fmt.Sprintf(terms, "1500000")),
			event(3, "sold", `{"seller":"`+seller.String()+`","contract":"`+testkit.Items+`","tokenId":"1","buyer":"`+buyer.String()+
				`","quantity":2,"total":"3000000"}`),
			tx.InsertSale(ctx, gen.InsertSaleParams{
				ChainID: chain, BlockNumber: 3, TxHash: eth.Hash{3}, Time: column.At(opening.Add(3 * time.Millisecond)), ListingID: "1",
				Contract: eth.MustAddress(testkit.Items), TokenID: "1", Seller: seller, Buyer: buyer, Currency: eth.MustAddress(testkit.USDC),
				Quantity: 2, Total: money.FromInt(3000000), UnitPrice: money.FromInt(1500000),
			}),
			tx.InsertTransfer(ctx, gen.InsertTransferParams{
				ChainID: chain, BlockNumber: 4, TxHash: eth.Hash{4}, Time: column.At(opening.Add(4 * time.Millisecond)),
				Contract: eth.MustAddress(testkit.Items), Standard: "erc1155", TokenID: "1", FromAddress: buyer,
				ToAddress: eth.MustAddress(testkit.USDC), Amount: money.FromInt(1),
			}))
	}))
}

// Display names are public, as on leaderboards; nothing else of a player is.
// Spec: MARKET-7, MARKET-9
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

// Sellers of the development world are not players, but have names.
// Spec: PLAYER-8
func TestItem_NamesSellersWhoAreNotPlayers(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.sellOnce(demoSeller, eth.MustAddress("0x00000000000000000000000000000000000000f2"))
	for _, path := range []string{"", "/activity"} {
		var got struct{ Names map[string]string }
		p.json(p.mustSucceed(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + "/1" + path}, 200), &got)
		if want := map[string]string{demoSeller.Checksum(): "Kyra"}; !maps.Equal(got.Names, want) {
			t.Errorf("%q names %v, want %v", path, got.Names, want)
		}
	}
}

// Spec: MARKET-9
func TestItem_ActivityTellsPricesOfTheMarketsCurrency(t *testing.T) {
	t.Parallel()
	p := open(t)
	seller, buyer := eth.MustAddress("0x00000000000000000000000000000000000000f1"),
		eth.MustAddress("0x00000000000000000000000000000000000000f2")
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
	for query, status := range map[string]int{
		"/1/activity?limit=101": 400, "/1/activity?limit=0": 400, "/1/activity?cursor=x": 400, "/404/activity": 404,
	} {
		p.mustBeProblem(query, p.send(request{method: "GET", path: "/api/marketplace/items/" + testkit.Items + query}), status)
	}
}

// Spec: MARKET-7
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

// Spec: MARKET-8
func TestHistory_HasAThousandSalesAndSaysWhetherThereAreMore(t *testing.T) {
	t.Parallel()
	p := open(t)
	sell := func(from, to int64) {
		p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			var errs []error
			for i := from; i < to; i++ {
				errs = append(errs, tx.InsertSale(ctx, gen.InsertSaleParams{
					ChainID: testkit.GameChain, BlockNumber: i, TxHash: eth.Hash{1}, Time: column.At(time.UnixMilli(i)), ListingID: "1",
					Contract: eth.MustAddress(testkit.Items), TokenID: "1", Seller: eth.MustAddress(testkit.Items),
					Buyer: eth.MustAddress(testkit.Items), Currency: eth.MustAddress(testkit.USDC), Quantity: 1, Total: money.FromInt(3000000),
					UnitPrice: money.FromInt(3000000),
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

// Spec: MARKET-2
func TestLiveListings_AreThoseOfTheCollectionTheTokenAndTheLimit(t *testing.T) {
	t.Parallel()
	p := open(t)
	for i, token := range []string{"1", "2", "1", "115792089237316195423570985008687907853269984665640564039457584007913129639935"} {
		testkit.List(t, p.db, testkit.Offer{Number: strconv.Itoa(i + 1), TokenID: token, CreatedAt: opening.Add(time.Duration(i-9) * time.Hour)})
	}
	for query, want := range map[string]string{
		`{}`:                                 "4 3 2 1",
		`{"limit":3}`:                        "4 3 2",
		`{"assetContractAddress":"{items}"}`: "4 3 2 1",
		`{"assetContractAddress":"` + packs.Checksum() + `"}`: "",
		`{"tokenId":"1"}`:         "3 1",
		`{"tokenId":1}`:           "3 1",
		`{"tokenId":1,"limit":1}`: "3",
		`{"tokenId":3}`:           "",
		`{"tokenId":null}`:        "4 3 2 1",
		`{"assetContractAddress":"{items}","tokenId":2}`:                                               "2",
		`{"tokenId":2,"assetContractAddress":"` + packs.Checksum() + `"}`:                              "",
		`{"tokenId":115792089237316195423570985008687907853269984665640564039457584007913129639935}`:   "4",
		`{"tokenId":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}`: "4",
		`{"tokenId":2,"listingId":7,"page":{"size":1},"sort":"price"}`:                                 "2",
	} {
		var found struct{ Data []struct{ ListingID string } }
		r := request{method: "POST", path: "/api/marketplace/liveListings/getLiveListings", body: fill(query, actor{})}
		p.json(p.mustSucceed(r, 200), &found)
		var got []string
		for _, l := range found.Data {
			got = append(got, l.ListingID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	for _, query := range []string{
		`{"tokenId":1.5}`, `{"tokenId":-1}`, `{"tokenId":1e3}`, `{"tokenId":{}}`, `{"tokenId":true}`,
		`{"tokenId":"` + strings.Repeat("1", 79) + `"}`,
		`{"limit":-1}`, `{"limit":101}`, `{"assetContractAddress":"zeus"}`,
	} {
		p.mustBeProblem(query, p.send(request{method: "POST", path: "/api/marketplace/liveListings/getLiveListings", body: query}), 400)
	}
}
