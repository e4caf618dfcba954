package market_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
)

// Two wallets.
var (
	walletA = eth.MustAddress("0x000000000000000000000000000000000000aaaa")
	walletB = eth.MustAddress("0x000000000000000000000000000000000000bbbb")
)

// browseQueries are queries of the market with every filter, alone and together, in every order.
func browseQueries() (out []market.Query) {
	contract, low, high := eth.MustAddress(testkit.Items), amountOf(2), amountOf(9)
	for _, order := range []market.Sort{market.Newest, market.PriceUp, market.PriceDown, market.Rarest} {
		for _, q := range []market.Query{
			{}, {Contract: &contract}, {Collection: "helms"}, {TokenID: "1"}, {Contract: &contract, TokenID: "1"}, {Text: "iron helm"},
			{Rarities: []string{"epic"}}, {Rarities: []string{"epic", "rare"}}, {Traits: traits("Power")}, {Traits: traits("Power", "9")},
			{Min: low}, {Max: high},
			{Traits: traits("Power", "8", "9")}, {Traits: append(traits("Material", "Iron"), traits("Power", "9")...)}, {Seller: &contract},
			{Free: true},
			{Seller: &contract, Free: true, Collection: "helms"},
			{Grouped: true}, {Grouped: true, Free: true, Collection: "helms"}, {Grouped: true, Text: "helm", Min: low},
			{Cheapest: true}, {Cheapest: true, Free: true}, {Cheapest: true, Collection: "helms", Seller: &contract},
			{Cheapest: true, Text: "helm", Min: low, Max: high},
			{Collection: "helms", Rarities: []string{"rare"}}, {Collection: "helms", Traits: traits("Power", "9"), Max: high},
			{
				Contract: &contract, Collection: "helms", TokenID: "3", Text: "helm", Rarities: []string{"epic", "rare"},
				Traits: traits("Power", "9"), Min: low, Max: high,
			},
		} {
			q.Sort, q.Limit = order, 10
			out = append(out, q)
		}
	}
	return out
}

// A page of the market scans its listings in the order of an index, and finds candidates by an index.
func TestPlans_OfBrowsingReadIndexes(t *testing.T) {
	t.Parallel()
	ofSQLite := func(what string, steps []string, sorts bool) error {
		for _, step := range steps {
			scan := strings.HasPrefix(step, "SCAN ") && !strings.HasPrefix(step, "SCAN l USING ") && !strings.Contains(step, "VIRTUAL TABLE") &&
				step != "SCAN k" && step != "SCAN m" && !strings.HasPrefix(step, "SCAN (")
			if scan || !sorts && strings.Contains(step, "TEMP B-TREE") {
				return fmt.Errorf("%s: %s", what, strings.Join(steps, "; "))
			}
		}
		return nil
	}
	ofPostgreSQL := func(what string, steps []string, sorts bool) error {
		for _, step := range steps {
			if strings.Contains(step, "Seq Scan") || !sorts && strings.HasPrefix(strings.TrimPrefix(step, "->  "), "Sort") {
				return fmt.Errorf("%s: %s", what, strings.Join(steps, "; "))
			}
		}
		return nil
	}
	for _, c := range []struct {
		engine          store.Engine
		driver, explain string
		check           func(what string, steps []string, sorts bool) error
		settings        []string
	}{
		{store.SQLite, "sqlite", "EXPLAIN QUERY PLAN ", ofSQLite, nil},
		{store.PostgreSQL, "pgx", "EXPLAIN ", ofPostgreSQL, []string{"enable_seqscan = off"}},
	} {
		t.Run(string(c.engine), func(t *testing.T) {
			t.Parallel()
			db, plain := openPlain(t, c.engine, c.driver, c.settings...)
			kinds := map[string]int{}
			for _, q := range browseQueries() {
				statements, err := marketstore.New(db).BrowseStatements(t.Context(), q, indexStart)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range statements {
					kinds[s.What]++
					if c.engine == store.PostgreSQL {
						// Gathering may sort, and reads the search's index by a bitmap.
						settings := strings.ReplaceAll(marketstore.IndexOrderSettings, "SET LOCAL", "SET")
						if s.Sorts {
							settings = strings.ReplaceAll(settings, "= off", "= on") + "; SET enable_seqscan = off"
						}
						if _, err := plain.ExecContext(t.Context(), settings); err != nil {
							t.Fatal(err)
						}
					}
					if err := c.check(fmt.Sprintf("%s of %+v", s.What, q), testkit.Explain(t, plain, c.explain+s.Text, s.Args...), s.Sorts); err != nil {
						t.Error(err)
					}
				}
			}
			if want := []string{
				"begin key", "begin scan", "candidates", "count candidates", "count entries", "count matches", "go on key", "go on scan",
			}; !slices.Equal(slices.Sorted(maps.Keys(kinds)), want) {
				t.Errorf("plans of %v, want %v", slices.Sorted(maps.Keys(kinds)), want)
			}
		})
	}
}

// openPlain opens a database with a small market, and a plain connection to it with PostgreSQL's settings.
func openPlain(t *testing.T, engine store.Engine, driver string, settings ...string) (*store.DB, *sql.DB) {
	t.Helper()
	o := testkit.DatabaseOptions(t, engine)
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	stall(t, db)
	plain := testkit.Connect(t, driver, cmp.Or(o.URL, o.Path))
	for _, setting := range settings {
		if _, err := plain.ExecContext(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	return db, plain
}

// The cheapest listing of a token, its number of offers and its last sale are read from indexes that list a token's listings by
// price and its sales by time.
func TestPlans_OfATokensOffersReadIndexesInOrder(t *testing.T) {
	t.Parallel()
	tokens := []market.TokenKey{{Contract: walletA, TokenID: "1"}, {Contract: walletB, TokenID: "2"}}
	for _, c := range []struct {
		engine          store.Engine
		driver, explain string
		settings        []string
	}{
		{store.SQLite, "sqlite", "EXPLAIN QUERY PLAN ", nil},
		{store.PostgreSQL, "pgx", "EXPLAIN ", []string{"enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off"}},
	} {
		t.Run(string(c.engine), func(t *testing.T) {
			t.Parallel()
			db, plain := openPlain(t, c.engine, c.driver, c.settings...)
			check := func(s marketstore.Statement, indexes ...string) {
				t.Helper()
				plan := strings.Join(testkit.Explain(t, plain, c.explain+s.Text, s.Args...), "\n")
				for _, index := range indexes {
					if !strings.Contains(plan, index) {
						t.Errorf("%s of %v without %s:\n%s", s.What, s.Args, index, plan)
					}
				}
				for _, bad := range []string{"TEMP B-TREE", "Sort", "Seq Scan", "SCAN o", "SCAN s"} {
					if strings.Contains(plan, bad) {
						t.Errorf("%s of %v: %s in\n%s", s.What, s.Args, bad, plan)
					}
				}
			}
			check(marketstore.FiguresStatement(tokens, indexStart), "listing_token_price", "sale_token")
			for _, c := range []struct {
				index string
				query market.Query
			}{
				{"listing_token_price", market.Query{Cheapest: true, Min: amountOf(2), Max: amountOf(9)}},
				{"listing_seller_token", market.Query{Cheapest: true, Seller: &walletA}},
				{"listing_seller_token", market.Query{Grouped: true}},
			} {
				q := c.query
				q.Sort, q.Limit = market.PriceDown, 10
				statements, err := marketstore.New(db).BrowseStatements(t.Context(), q, indexStart)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range statements {
					if strings.HasSuffix(s.What, "scan") {
						check(s, c.index)
					}
				}
			}
		})
	}
}

// Names are looked up by address, without reading the others.
func TestPlans_OfNamesReadIndexes(t *testing.T) {
	t.Parallel()
	names := marketstore.NamesStatement(walletA, walletB)
	for _, c := range []struct {
		engine          store.Engine
		driver, explain string
		settings        []string
		bad             []string
	}{
		{store.SQLite, "sqlite", "EXPLAIN QUERY PLAN ", nil, []string{"SCAN ", "TEMP B-TREE"}},
		{
			store.PostgreSQL, "pgx", "EXPLAIN ",
			[]string{"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off"},
			[]string{"Seq Scan"},
		},
	} {
		t.Run(string(c.engine), func(t *testing.T) {
			t.Parallel()
			_, plain := openPlain(t, c.engine, c.driver, c.settings...)
			plan := strings.Join(testkit.Explain(t, plain, c.explain+names.Text, names.Args...), "; ")
			for _, bad := range c.bad {
				if strings.Contains(plan, bad) {
					t.Errorf("%s in %s", bad, plan)
				}
			}
		})
	}
}
