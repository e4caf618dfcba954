package store_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// walked are the queries that may read a table from end to end, or all of a chain's rows of it.
var walked = map[string]string{
	// Few rows, however many players and listings there are.
	"AdvanceChainCursor": "a row for each chain", "ChainCursor": "a row for each chain", "ResetChainCursor": "a row for each chain",
	"ChainsOfCursors":   "a row for each chain",
	"RewindChainCursor": "a row for each chain", "LockSettling": "a row for each chain", "MoveSettled": "a row for each chain",
	"RewindSettled": "a row for each chain", "SkipSettled": "a row for each chain", "ExpiredListings": "a row for each chain",
	"UnsettledBurnsOf": "a row for each chain", "LockOpenings": "one row", "LockTreasury": "one row",
	"DropCounts": "a row for each drop", "DropTables": "a row for each drop table", "AllItemsGiven": "a row for each token that packs give",
	"TableAnchors": "a row for each drop table", "ShopOffers": "a row for each offer of the shop",
	"FailedShopHints":   "the orders that could not be settled",
	"DeleteTokenTables": "a row for each kind of pack",
	"DropShopOffers":    "a row for each offer of the shop", "RarityCounts": "a row for each rarity of each collection",
	"MonitoringReports": "as many as are kept", "ChainBlocks": "as many as are kept", "PruneChainBlocks": "as many as are kept",
	"OutboxBatch": "in order, those of one batch", "TokenSupply": "the caps of one token",
	"WaitingOpenings": "in order, those of one batch", "OpeningsWaiting": "in order, those of one batch",
	"BoughtBefore": "the units of one order", "Activity": "the entries of one player", "RewardPace": "the rewards of one minute",
	"CountStale":    "what is kept until the next cleanup",
	"OffersOfToken": "the 200 that its subquery finds by an index", "OffersOfRarity": "the 200 that its subquery finds by an index",
	"SalesOfToken": "the 200 that its subquery finds by an index", "SalesOfRarity": "the 2000 that its subquery finds by an index",
	// Indexes that contain only the rows in question.
	"FrozenGasOperations": "those queued", "QueuedGasOperations": "those queued", "MinedGasTransactions": "those mined",
	"PendingGasTransactions": "those pending",
	"SentGasTransactions":    "those sent", "UnsettledGasBundles": "those sent", "UntoldGasOperations": "those untold",
	"RewardBacklog": "those failed",
	"ShopBacklog":   "those with a problem", "ShopProblems": "those with a problem", "UnbegunByCollection": "those that have not begun",
	"EndedByCollection": "those that have ended", "SearchesToAlert": "those unsent", "UnsettledWallets": "those unsettled",
	// Cleanups, once in a while.
	"ForgetDeletions": "a cleanup", "DropIdleHoldNetworks": "a cleanup", "DropOldHoldWaits": "a cleanup",
	"DropOldRecentFunds": "a cleanup", "CountOldMails": "a cleanup", "DeleteOldMails": "a cleanup",
	"DeletePlayerMails":                 "when an account is deleted",
	"DeleteMonitoringReportsBeyondSize": "a cleanup",
	// Commands of the operator.
	"PreRegistrations": "a command", "SupportRequests": "a command", "Arrivals": "a command",
	"FindPlayers": "a command", "FrozenPlayers": "a command",
	"KeptMails": "a command", "OpeningIDs": "a command", "FindRewards": "a command", "OperatorLog": "a command", "TreasuryUses": "a command",
	"OldestWallet": "a command", "ForgiveShopDebts": "a command", "UnknownShopLines": "a command",
	// When the index is rebuilt.
	"DeleteHoldings": "a rebuild", "DeleteListings": "a rebuild", "DeleteSupplies": "a rebuild", "DeleteUnseenTokens": "a rebuild",
	"DeleteUnseenTokenTraits": "a rebuild", "HeldUnitsOfChain": "a rebuild", "ClearRarityCounts": "a rebuild", "CountRarities": "a rebuild",
	"CountListedRarities": "a rebuild", "ClearTraitCounts": "a rebuild", "CountTraits": "a rebuild",
}

type query struct {
	name, text string
	parameters int
}

// locks are queries that PostgreSQL alone runs, and SQLite cannot parse.
var locks = []string{"LockListing", "LockPlayerHolds", "TakeHoldTurn"}

var (
	queryName = regexp.MustCompile(`^-- name: (\w+) `)
	parameter = regexp.MustCompile(`\$(\d+)`)
	// whole is a step of SQLite that reads a table or a chain's part of it; it does not read the one row of a SELECT without FROM.
	whole = regexp.MustCompile(`^SCAN (\w+)( USING .*)?$|^SEARCH \w+ USING .*\(chain_id=\?\)$`)
)

// queries returns all generated queries.
func queries(t *testing.T) (found []query) {
	t.Helper()
	files, err := filepath.Glob("gen/*.sql.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated queries: %v", err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			if m := queryName.FindStringSubmatch(text); m != nil {
				q := query{name: m[1], text: text}
				for _, p := range parameter.FindAllStringSubmatch(text, -1) {
					n, _ := strconv.Atoi(p[1])
					q.parameters = max(q.parameters, n)
				}
				found = append(found, q)
			}
			return true
		})
	}
	return found
}

// explain returns the steps of a plan: the last column of its rows.
func explain(t *testing.T, db *sql.DB, text string, args ...any) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text, args...)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, strings.TrimSpace(fmt.Sprint(*values[len(values)-1].(*any))))
	}
	return steps
}

func connect(t *testing.T, driver, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// No query reads a table that grows, except those of the list. SQLite's plans depend on the schema alone.
func TestPlans_OfSQLiteReadNoWholeTable(t *testing.T) {
	t.Parallel()
	db := connect(t, "sqlite", testkit.DatabaseOptions(t, store.SQLite).Path)
	seen := map[string]bool{}
	for _, q := range queries(t) {
		if slices.Contains(locks, q.name) {
			continue
		}
		args := make([]any, q.parameters)
		for i := range args {
			args[i] = 1
		}
		for _, step := range explain(t, db, "EXPLAIN QUERY PLAN "+q.text, args...) {
			if !whole.MatchString(step) || strings.HasPrefix(step, "SCAN CONSTANT") {
				continue
			}
			seen[q.name] = true
			if walked[q.name] == "" {
				t.Errorf("%s: %s", q.name, step)
			}
		}
	}
	if len(seen) == 0 {
		t.Error("no plan was read")
	}
}

// PostgreSQL prefers an index even to a small table here, so what is read whole has none that fits.
func TestPlans_OfPostgreSQLReadNoWholeTable(t *testing.T) {
	t.Parallel()
	db := connect(t, "pgx", testkit.DatabaseOptions(t, store.PostgreSQL).URL)
	for _, setting := range []string{"plan_cache_mode = force_generic_plan", "enable_seqscan = off"} {
		if _, err := db.ExecContext(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	for i, q := range queries(t) {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf("PREPARE q%d AS %s", i, q.text)); err != nil {
			t.Errorf("%s: %v", q.name, err)
			continue
		}
		args := ""
		if q.parameters > 0 {
			args = "(" + strings.TrimSuffix(strings.Repeat("NULL,", q.parameters), ",") + ")"
		}
		for _, step := range explain(t, db, fmt.Sprintf("EXPLAIN EXECUTE q%d%s", i, args)) {
			if strings.Contains(step, "Seq Scan on") && walked[q.name] == "" {
				t.Errorf("%s: %s", q.name, step)
			}
		}
	}
}

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
				statements, err := db.BrowseStatements(t.Context(), q, indexStart)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range statements {
					kinds[s.What]++
					if c.engine == store.PostgreSQL {
						// Gathering may sort, and reads the search's index by a bitmap.
						settings := strings.ReplaceAll(store.IndexOrderSettings, "SET LOCAL", "SET")
						if s.Sorts {
							settings = strings.ReplaceAll(settings, "= off", "= on") + "; SET enable_seqscan = off"
						}
						if _, err := plain.ExecContext(t.Context(), settings); err != nil {
							t.Fatal(err)
						}
					}
					if err := c.check(fmt.Sprintf("%s of %+v", s.What, q), explain(t, plain, c.explain+s.Text, s.Args...), s.Sorts); err != nil {
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
	plain := connect(t, driver, cmp.Or(o.URL, o.Path))
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
			check := func(s store.Statement, indexes ...string) {
				t.Helper()
				plan := strings.Join(explain(t, plain, c.explain+s.Text, s.Args...), "\n")
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
			check(store.FiguresStatement(tokens, indexStart), "listing_token_price", "sale_token")
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
				statements, err := db.BrowseStatements(t.Context(), q, indexStart)
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

// Names are looked up by address, and events of a token are read in order, without reading the others.
func TestPlans_OfATokensPageReadIndexes(t *testing.T) {
	t.Parallel()
	names := store.NamesStatement(walletA, walletB)
	lite := connect(t, "sqlite", testkit.DatabaseOptions(t, store.SQLite).Path)
	check := func(what string, steps []string, bad ...string) {
		for _, step := range steps {
			for _, b := range bad {
				if strings.Contains(step, b) {
					t.Errorf("%s: %s", what, strings.Join(steps, "; "))
				}
			}
		}
	}
	check("names", explain(t, lite, "EXPLAIN QUERY PLAN "+names.Text, names.Args...), "SCAN ", "TEMP B-TREE")
	big := connect(t, "pgx", testkit.DatabaseOptions(t, store.PostgreSQL).URL)
	for _, setting := range []string{
		"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off",
	} {
		if _, err := big.ExecContext(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	check("names", explain(t, big, "EXPLAIN "+names.Text, names.Args...), "Seq Scan")
	for _, q := range queries(t) {
		if q.name != "TokenListingEvents" && q.name != "TokenTransfers" {
			continue
		}
		args := make([]any, q.parameters)
		for i := range args {
			args[i] = 1
		}
		check(q.name, explain(t, lite, "EXPLAIN QUERY PLAN "+q.text, args...), "SCAN ", "TEMP B-TREE", "sale_token", "sale_buyer", "sale_seller")
		if _, err := big.ExecContext(t.Context(), "PREPARE "+q.name+" AS "+q.text); err != nil {
			t.Fatal(err)
		}
		steps := explain(t, big, "EXPLAIN EXECUTE "+q.name+"("+strings.TrimSuffix(strings.Repeat("NULL,", q.parameters), ",")+")")
		check(q.name, steps, "Seq Scan", "sale_token", "sale_buyer", "sale_seller")
		for _, step := range steps {
			if strings.HasPrefix(strings.TrimPrefix(step, "->  "), "Sort") {
				t.Errorf("%s sorts: %s", q.name, strings.Join(steps, "; "))
			}
		}
	}
}
