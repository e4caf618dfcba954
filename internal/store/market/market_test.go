package market_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
)

var (
	goods      = eth.MustAddress(testkit.Items)
	usdc       = eth.MustAddress("0x00000000000000000000000000000000000000c0")
	indexStart = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// numbers returns the listings' marketplace numbers, in order.
func numbers(listings []market.Listing) string {
	out := make([]string, len(listings))
	for i, l := range listings {
		out[i] = l.ListingID
	}
	return strings.Join(out, " ")
}

func amountOf(n int64) *money.Units {
	u := money.FromInt(n)
	return &u
}

// stall is a market with a few listings of different kinds.
func stall(t *testing.T, db *store.DB) *market.Service {
	t.Helper()
	hour := func(n int) time.Time { return indexStart.Add(time.Duration(n) * time.Hour) }
	for _, o := range []testkit.Offer{
		{Number: "1", TokenID: "1", Price: 3_000_000, CreatedAt: hour(-5), Rarity: "common", RarityRank: 0, Words: "sword of dawn sky bronze",
			Traits: [][2]string{{"Material", "Sky Bronze"}, {"Power", "7"}}},
		{Number: "2", TokenID: "2", Price: 1_000_000, CreatedAt: hour(-4), Rarity: "epic", RarityRank: 3, Words: "shield of dusk 100% iron",
			Traits: [][2]string{{"Material", "Iron"}}},
		{Number: "3", TokenID: "3", Price: 2_000_000, CreatedAt: hour(-3), Rarity: "rare", RarityRank: 2, Words: "helm of dawn iron",
			Collection: "helms",
			Traits:     [][2]string{{"Material", "Iron"}, {"Power", "9"}}},
		{Number: "4", TokenID: "1", Price: 3_000_000, CreatedAt: hour(-3)},
		{
			Number: "5", TokenID: "5", Price: math.MaxInt64, CreatedAt: hour(-2), Rarity: "epic", RarityRank: 3, Words: "crown_of_kings",
			Collection: "crowns",
		},
		// Listings that are not live are not on the market.
		{Number: "90", TokenID: "3", CreatedAt: hour(-1), Status: market.Sold},
		{Number: "91", TokenID: "3", CreatedAt: hour(-1), Status: market.Cancelled},
		{Number: "92", TokenID: "3", CreatedAt: hour(-1), Invalid: true},
		{Number: "93", TokenID: "3", CreatedAt: hour(-1), Reserved: true},
		{Number: "94", TokenID: "3", CreatedAt: hour(-1), Start: hour(1)},
		{Number: "95", TokenID: "3", CreatedAt: hour(-1), End: indexStart},
		{Number: "96", TokenID: "96", CreatedAt: hour(-1), Status: market.Sold, Collection: "amulets"},
	} {
		testkit.List(t, db, o)
	}
	return market.NewService(marketstore.New(db), clock.NewFake(indexStart))
}

func TestMarket_BrowsingFindsWhatFits(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		markets := stall(t, db)
		other := eth.MustAddress("0x0000000000000000000000000000000000000721")
		for _, c := range []struct {
			what string
			q    market.Query
			want string
		}{
			{"everything, newest first", market.Query{}, "5 4 3 2 1"},
			{"newest", market.Query{Sort: market.Newest}, "5 4 3 2 1"},
			{"cheapest", market.Query{Sort: market.PriceUp}, "2 3 1 4 5"},
			{"dearest", market.Query{Sort: market.PriceDown}, "5 4 1 3 2"},
			{"rarest", market.Query{Sort: market.Rarest}, "5 2 3 4 1"},
			{"a contract", market.Query{Contract: &goods}, "5 4 3 2 1"},
			{"another contract", market.Query{Contract: &other}, ""},
			{"a collection", market.Query{Collection: "helms"}, "3"},
			{"a token", market.Query{Contract: &goods, TokenID: "1"}, "4 1"},
			{"a rarity", market.Query{Rarities: []string{"epic"}}, "5 2"},
			{"two rarities", market.Query{Rarities: []string{"common", "epic"}}, "5 4 2 1"},
			{"every rarity", market.Query{Rarities: []string{"common", "uncommon", "rare", "epic", "legendary", "mythic"}}, "5 4 3 2 1"},
			{"no such rarity", market.Query{Rarities: []string{"EPIC"}}, ""},
			{"a trait", market.Query{Traits: traits("Power")}, "4 3 1"},
			{"a trait's value", market.Query{Traits: traits("Material", "Iron")}, "3 2"},
			{"a value of another trait", market.Query{Traits: traits("Power", "Iron")}, ""},
			{"from a price", market.Query{Min: amountOf(2_000_001)}, "5 4 1"},
			{"up to a price", market.Query{Max: amountOf(2_000_000)}, "3 2"},
			{"between prices, ends included", market.Query{Min: amountOf(2_000_000), Max: amountOf(3_000_000)}, "4 3 1"},
			{"a word", market.Query{Text: "dawn"}, "4 3 1"},
			{"a word in other case", market.Query{Text: "DAWN"}, "4 3 1"},
			{"part of a word", market.Query{Text: "bron"}, "4 1"},
			{"two words", market.Query{Text: "iron dawn"}, "3"},
			{"words that do not go together", market.Query{Text: "dusk dawn"}, ""},
			{"everything at once", market.Query{
				Text: "dawn", Rarities: []string{"epic", "rare"}, Traits: traits("Power", "9"), Collection: "helms", Max: amountOf(2_000_000),
			}, "3"},
			{"the end of a word", market.Query{Text: "ronze"}, ""},
			{"a word twice", market.Query{Text: "dawn dawn"}, "4 3 1"},
			{"words apart by signs", market.Query{Text: "iron/dawn"}, "3"},
			{"signs only", market.Query{Text: "?! %_"}, ""},
			// Nothing in a search is an operator or a wildcard.
			{"a percent sign", market.Query{Text: "100%"}, "2"},
			{"a percent sign between", market.Query{Text: "da%wn"}, ""},
			{"a percent sign is no wildcard", market.Query{Text: "d%k"}, ""},
			{"an underscore is no wildcard", market.Query{Text: "d_wn"}, ""},
			{"a backslash", market.Query{Text: `dawn\`}, "4 3 1"},
			{"a quote", market.Query{Text: `'; DROP TABLE listing; --`}, ""},
		} {
			page, err := markets.Browse(t.Context(), c.q)
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
				continue
			}
			if got := numbers(page.Items); got != c.want {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
			if want := int64(len(strings.Fields(c.want))); page.Total == nil || *page.Total != (market.Total{N: want}) || page.Next != "" {
				t.Errorf("%s: total %v and next %q, want %d and none", c.what, page.Total, page.Next, want)
			}
		}
	})
}

// Totals of collections and rarities are kept and exact; others are counted.
func TestBrowse_CountedTotalIsExactUpToAThousand(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		add := func(from, to int) {
			t.Helper()
			err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				for n := from; n <= to; n++ {
					id := strconv.Itoa(n)
					err := index.AddListing(ctx, tx, gen.Listing{
						ID: "1-" + id, ChainID: 1, ListingID: id, Contract: goods, TokenID: "1", Seller: goods, Quantity: 1, Currency: goods,
						Price: money.FromInt(1), PriceRank: 1, EndAt: column.At(time.Now().Add(time.Hour)), Status: "active", Valid: true,
					}, gen.InsertTokenParams{Contract: goods, TokenID: "1", Attributes: "[]"})
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		want := func(want market.Total) {
			t.Helper()
			page, err := market.NewService(marketstore.New(db), clock.System{}).Browse(t.Context(), market.Query{Limit: 1, Max: amountOf(1)})
			if err != nil || page.Total == nil || *page.Total != want {
				t.Fatalf("%v, %v, want %v", page.Total, err, want)
			}
		}
		add(1, 1000)
		want(market.Total{N: 1000})
		add(1001, 1001)
		want(market.Total{N: 1000, AtLeast: true})
	})
}

func TestMarket_BrowsingRefusesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		markets := stall(t, db)
		first, err := markets.Browse(t.Context(), market.Query{Sort: market.PriceUp, Limit: 2})
		if err != nil || first.Next == "" {
			t.Fatal(first, err)
		}
		encode := base64.RawURLEncoding.EncodeToString
		for what, q := range map[string]market.Query{
			"no such order":             {Sort: "cheap"},
			"lowest above highest":      {Min: amountOf(2), Max: amountOf(1)},
			"a cursor of another order": {Sort: market.PriceDown, Cursor: first.Next},
			"a cursor of no order":      {Sort: market.PriceUp, Cursor: "zeus"},
			"a cursor that is no text":  {Sort: market.PriceUp, Cursor: "§"},
			"a cursor with a part less": {Sort: market.PriceUp, Cursor: encode([]byte("price-asc|7"))},
			"a cursor without a number": {Sort: market.PriceUp, Cursor: encode([]byte("price-asc|x|1337042-1"))},
		} {
			if _, err := markets.Browse(t.Context(), q); !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: %v, want an invalid fault", what, err)
			}
		}
		// A zero byte, which PostgreSQL cannot store, is a fault of the request and not of the server.
		for what, q := range map[string]market.Query{
			"word": {Text: "\x00"}, "collection": {Collection: "\x00"}, "token": {TokenID: "\x00"}, "trait": {Traits: traits("\x00", "\x00")},
			"cursor": {Sort: market.PriceUp, Cursor: encode([]byte("price-asc|7|\x00"))},
		} {
			if _, err := markets.Browse(t.Context(), q); err != nil && !fault.Is(err, fault.Invalid) {
				t.Errorf("a zero byte as %s: %v", what, err)
			}
		}
	})
}

// While listings are added, removed and repriced between pages, an unchanged listing is read exactly once, and the
// order holds.
func TestMarket_PagesNeitherRepeatNorSkip(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		markets, run := market.NewService(marketstore.New(db), clock.NewFake(indexStart)), 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			collection := fmt.Sprintf("run-%d", run)
			offer := func(i int, name string) testkit.Offer {
				// Few distinct values, so that ranks are often equal.
				return testkit.Offer{
					Number: strconv.Itoa(run*1000 + i), TokenID: strconv.Itoa(run*1000 + i), Collection: collection,
					Price:      rapid.Int64Range(1, 4).Draw(rt, name+" price"),
					RarityRank: rapid.Int64Range(0, 2).Draw(rt, name+" rarity"),
					CreatedAt:  indexStart.Add(-time.Duration(rapid.IntRange(0, 3).Draw(rt, name+" age")) * time.Minute),
				}
			}
			count := rapid.IntRange(1, 14).Draw(rt, "listings")
			offers := make([]testkit.Offer, count)
			for i := range offers {
				offers[i] = offer(i, fmt.Sprint("listing ", i))
				testkit.List(t, db, offers[i])
			}
			q := market.Query{
				Collection: collection, Limit: rapid.IntRange(1, 5).Draw(rt, "page"),
				Sort: rapid.SampledFrom([]market.Sort{market.Newest, market.PriceUp, market.PriceDown, market.Rarest}).Draw(rt, "order"),
			}
			rank := func(o testkit.Offer) int64 {
				switch q.Sort {
				case market.PriceUp:
					return o.Price
				case market.PriceDown:
					return -o.Price
				case market.Rarest:
					return -int64(o.RarityRank)
				default:
					return -o.CreatedAt.UnixMilli()
				}
			}
			touched := map[string]bool{}
			seen := map[string]int{}
			var last *testkit.Offer
			for page := 0; ; page++ {
				got, err := markets.Browse(t.Context(), q)
				if err != nil {
					rt.Fatal(err)
				}
				if len(got.Items) > q.Limit || (got.Total == nil) != (page > 0) || len(got.Items) < q.Limit && got.Next != "" {
					rt.Fatalf("page %d: %d items, total %v, next %q", page, len(got.Items), got.Total, got.Next)
				}
				for _, l := range got.Items {
					i := slices.IndexFunc(offers, func(o testkit.Offer) bool { return o.Number == l.ListingID })
					o := offers[i]
					seen[o.Number]++
					if last != nil {
						order := cmp.Compare(rank(*last), rank(o))
						if order == 0 {
							order = cmp.Compare(last.Number, o.Number)
							if q.Sort != market.PriceUp {
								order = -order
							}
						}
						if order >= 0 && !touched[last.Number] {
							rt.Fatalf("%s comes after %s in the order %s", o.Number, last.Number, q.Sort)
						}
					}
					last = &o
				}
				if got.Next == "" {
					break
				}
				q.Cursor = got.Next
				switch rapid.IntRange(0, 3).Draw(rt, "meanwhile") {
				case 0: // a new one is added
					o := offer(len(offers), "new")
					offers = append(offers, o)
					touched[o.Number] = true
					testkit.List(t, db, o)
				case 1: // one is removed
					i := rapid.IntRange(0, len(offers)-1).Draw(rt, "gone")
					touched[offers[i].Number] = true
					gone := offers[i]
					gone.Status = market.Sold
					testkit.List(t, db, gone)
				case 2: // one changes its price
					i := rapid.IntRange(0, len(offers)-1).Draw(rt, "changed")
					touched[offers[i].Number] = true
					offers[i].Price = rapid.Int64Range(1, 4).Draw(rt, "price")
					testkit.List(t, db, offers[i])
				}
			}
			for _, o := range offers[:count] {
				if !touched[o.Number] && seen[o.Number] != 1 {
					rt.Fatalf("%s was read %d times", o.Number, seen[o.Number])
				}
			}
		})
	})
}

func TestMarket_CollectionsShowWhatIsListedAndItsFloor(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		found, err := stall(t, db).Collections(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range found {
			floor := "nothing"
			if c.Floor != nil {
				floor = c.Floor.String()
			}
			got = append(got, fmt.Sprintf("%s: %d from %s", c.Slug, c.Listed, floor))
			if c.Contract != goods {
				t.Errorf("contract %v", c.Contract)
			}
		}
		want := []string{
			"amulets: 0 from nothing", "crowns: 1 from 9223372036854775807", "game-items: 3 from 1000000", "helms: 1 from 2000000",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestMarket_ListingShowsItsRunningHoldsOnly(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk := clock.NewFake(indexStart)
		testkit.AddPlayers(t, db, 0, "A", "B")
		id := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: 3, CreatedAt: indexStart})
		carts, markets := cart.NewService(cartstore.New(db), clk, cart.Options{}), market.NewService(marketstore.New(db), clk)
		hold := func(player string, unit int64) {
			t.Helper()
			if _, err := carts.Add(t.Context(), cart.Holder{PlayerID: player}, id, goods, &unit); err != nil {
				t.Fatal(err)
			}
		}
		show := func() string {
			t.Helper()
			l, err := markets.Listing(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, h := range l.Holds {
				fmt.Fprintf(&b, "%d %s %s, ", h.Unit, h.PlayerID, h.ExpiresAt.Sub(indexStart))
			}
			return fmt.Sprintf("%sfree %d", b.String(), l.FreeUnit())
		}
		hold("B", 2)
		clk.Advance(time.Minute)
		hold("A", 0)
		if got := show(); got != "0 A 11m0s, 2 B 10m0s, free 1" {
			t.Error(got)
		}
		hold("A", 1)
		if got := show(); got != "0 A 11m0s, 1 A 11m0s, 2 B 10m0s, free -1" {
			t.Error(got)
		}
		clk.Advance(9 * time.Minute) // B's hold has expired, though it has not been swept
		if got := show(); got != "0 A 11m0s, 1 A 11m0s, free 2" {
			t.Error(got)
		}
		if _, err := markets.Listing(t.Context(), "1337042-404"); !fault.Is(err, fault.NotFound) {
			t.Errorf("an unknown listing: %v", err)
		}
	})
}

// Spec: MARKET-10
func TestTokenOffers_HaveTheCheapestLiveListing(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, o := range []testkit.Offer{
			{Number: "1", TokenID: "1", Price: 300}, {Number: "2", TokenID: "1", Price: 200}, {Number: "3", TokenID: "1", Price: 100, Invalid: true},
			{Number: "4", TokenID: "1", Price: 90, End: indexStart}, {Number: "5", TokenID: "2", Price: 80, Status: market.Cancelled},
		} {
			testkit.List(t, db, o)
		}
		var tokens []market.TokenKey
		for _, id := range []string{"2", "404", "1", "2"} {
			tokens = append(tokens, market.TokenKey{Contract: goods, TokenID: id})
		}
		offers, err := marketstore.New(db).TokenOffers(t.Context(), tokens, indexStart)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range offers {
			line := o.Token.TokenID + ": none"
			if o.Cheapest != nil {
				line = o.Token.TokenID + ": " + o.Cheapest.ListingID
			}
			got = append(got, line)
		}
		if want := []string{"2: none", "1: 2", "2: none"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// A hundred of a token's offers are counted at most, and each token of a page has its figures once.
func TestFigures_AHundredOffersAreCountedAtMost(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		var tokens []market.TokenKey
		for token := 1; token <= 11; token++ {
			id := strconv.Itoa(token)
			tokens = append(tokens, market.TokenKey{Contract: goods, TokenID: id})
			for n := range map[int]int{1: 101, 2: 100}[token] {
				testkit.List(t, db, testkit.Offer{Number: fmt.Sprint(1000*token + n), TokenID: id, Price: int64(500 - n)})
			}
		}
		figures, err := marketstore.New(db).Figures(t.Context(), tokens, indexStart)
		if err != nil || len(figures) != 11 {
			t.Fatalf("figures of %d tokens, %v", len(figures), err)
		}
		for i, want := range []string{"1: 100 from 400", "2: 100 from 401", "3: 0 from nothing"} {
			got := fmt.Sprintf("%s: %d from nothing", figures[i].TokenID, figures[i].Offers)
			if f := figures[i].Floor; f != nil {
				got = fmt.Sprintf("%s: %d from %s", figures[i].TokenID, figures[i].Offers, f)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}
