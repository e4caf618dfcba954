package store_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// walked are the queries that may read a table from end to end, or all of a chain's rows of it.
var walked = map[string]string{
	// Few rows, however many players and listings there are.
	"AdvanceChainCursor": "a row for each chain", "ChainCursor": "a row for each chain", "ResetChainCursor": "a row for each chain",
	"ChainsOfCursors": "a row for each chain", "UnsettledListings": "those unsettled",
	"UnconfiguredListings": "those of contracts that are not configured", "ContractMetadata": "a row for each contract",
	"LockChainCursor": "a row for each chain", "SetChainSources": "a row for each chain",
	"ReplaceChainCursor": "a row for each chain", "RaiseChainGeneration": "a row for each chain", "SetChainSource": "one row",
	"ChainSources": "a row for each contract", "DeleteChainSources": "a row for each contract",
	"AdvanceChainSources": "a row for each contract", "RewindChainSources": "a row for each contract",
	"DueMetadataHosts":  "a row for each host",
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
	"RecentSecurityEntries":   "those that its subquery finds by an index",
	"RecentSecurityEntriesOf": "those that its subquery finds by an index",
	"SalesOfToken":            "the 200 that its subquery finds by an index", "SalesOfRarity": "the 2000 that its subquery finds by an index",
	"WaitingOperations": "once for an index that is rebuilt",
	// Indexes that contain only the rows in question.
	"FrozenGasOperations": "those queued", "QueuedGasOperations": "those queued", "MinedGasTransactions": "those mined",
	"PendingGasTransactions": "those pending", "PendingGasSenders": "those pending", "CountMetadata": "those unknown, and those that failed",
	"UncopiedWallets": "those that are not copied", "OldestDueCopy": "those that are not copied", "CopiedWallet": "those copied",
	"CopyAllWallets": "a command", "CountHoldings": "a command", "GasSenders": "the wallets of the portal",
	"TokenMovements":      "the wallets of the portal",
	"UnrecordedDeletions": "those that are not recorded", "SentGasTransactions": "those sent",
	"UnsettledGasBundles": "those sent", "UntoldGasOperations": "those untold",
	"RewardBacklog": "those failed",
	"ShopBacklog":   "those with a problem", "ShopProblems": "those with a problem", "UnbegunByCollection": "those that have not begun",
	"EndedByCollection": "those that have ended", "SearchesToAlert": "those unsent", "UnsettledWallets": "those unsettled",
	// Cleanups, once in a while.
	"DeleteStaleAttempts": "a cleanup",
	"ForgetDeletions":     "a cleanup", "UnusedPictures": "a cleanup", "DropIdleHoldNetworks": "a cleanup", "DropOldHoldWaits": "a cleanup",
	"DropOldRecentFunds": "a cleanup", "CountOldMails": "a cleanup", "DeleteOldMails": "a cleanup",
	"DeletePlayerMails":                 "when an account is deleted",
	"DeleteMonitoringReportsBeyondSize": "a cleanup",
	// Commands of the operator.
	"CountWalletsBySeal": "a command, and a start", "WalletsSealedOtherwise": "a command",
	"NameSeals": "a command", "RequireNamedSeals": "one row",
	"PreRegistrations": "a command", "SupportRequests": "a command", "Arrivals": "a command",
	"FailingMetadata": "a command",
	"FrozenPlayers":   "those frozen",
	// Operators, who are few.
	"Operators": "the operators", "HasOperators": "one row", "DropOperatorInvitations": "the operators",
	"DropOperatorSessions": "the operators",
	"OverOperatorSessions": "the operators", "NewestSupportRequests": "one page, in order", "FailedRewards": "those failed",
	"UnownedRewards": "those without a player", "NeedsPerson": "what waits, up to a number",
	"KeptMails": "a command", "OpeningIDs": "a command", "FindRewards": "a command", "TreasuryUses": "a command",
	"OldestWallet": "a command", "ForgiveShopDebts": "a command", "UnknownShopLines": "a command",
	"Replicas": "a few rows", "ForgetReplicas": "a few rows",
	"CountQueuedOperations": "what waits", "CountSentTransactions": "what waits", "CountTransactions": "what waits",
	// When a chain is left.
	"Moves": "a row for each chain that is left", "MoveTraffic": "what waits", "CapsOf": "once", "DropChainCursor": "once",
	"LastMinedOn": "once", "PortalMovesAfter": "once", "RedirectNotifications": "once", "RedirectVaultClaims": "once", "UnitsHeldOn": "once",
	"UnpaidOrdersOn": "once", "WithdrawalsOn": "once", "CountUnfinalAnchors": "once", "FollowMove": "once", "FollowContract": "once",
	"RedirectCurrency": "once", "UnbindDebts": "once", "FormerTables": "a row for each chain that is left",
	"PlayerBelongings": "a row for each chain that is left",
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
var locks = []string{"LockCart", "LockListing", "LockPlayerHolds", "LockUnits", "LockWithdrawal", "TakeHoldTurn"}

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

// No query reads a table that grows, except those of the list. SQLite's plans depend on the schema alone.
func TestPlans_OfSQLiteReadNoWholeTable(t *testing.T) {
	t.Parallel()
	db := testkit.Connect(t, "sqlite", testkit.DatabaseOptions(t, store.SQLite).Path)
	seen := map[string]bool{}
	for _, q := range queries(t) {
		if slices.Contains(locks, q.name) {
			continue
		}
		args := make([]any, q.parameters)
		for i := range args {
			args[i] = 1
		}
		for _, step := range testkit.Explain(t, db, "EXPLAIN QUERY PLAN "+q.text, args...) {
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
	db := testkit.Connect(t, "pgx", testkit.DatabaseOptions(t, store.PostgreSQL).URL)
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
		for _, step := range testkit.Explain(t, db, fmt.Sprintf("EXPLAIN EXECUTE q%d%s", i, args)) {
			if strings.Contains(step, "Seq Scan on") && walked[q.name] == "" {
				t.Errorf("%s: %s", q.name, step)
			}
		}
	}
}

// Events of a token are read in order, without reading the others.
func TestPlans_OfATokensEventsReadIndexes(t *testing.T) {
	t.Parallel()
	lite := testkit.Connect(t, "sqlite", testkit.DatabaseOptions(t, store.SQLite).Path)
	check := func(what string, steps []string, bad ...string) {
		for _, step := range steps {
			for _, b := range bad {
				if strings.Contains(step, b) {
					t.Errorf("%s: %s", what, strings.Join(steps, "; "))
				}
			}
		}
	}
	big := testkit.Connect(t, "pgx", testkit.DatabaseOptions(t, store.PostgreSQL).URL)
	for _, setting := range []string{
		"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off",
	} {
		if _, err := big.ExecContext(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range queries(t) {
		if q.name != "TokenListingEvents" && q.name != "TokenTransfers" {
			continue
		}
		args := make([]any, q.parameters)
		for i := range args {
			args[i] = 1
		}
		check(q.name, testkit.Explain(t, lite, "EXPLAIN QUERY PLAN "+q.text, args...), "SCAN ", "TEMP B-TREE", "sale_token",
			"sale_buyer", "sale_seller")
		if _, err := big.ExecContext(t.Context(), "PREPARE "+q.name+" AS "+q.text); err != nil {
			t.Fatal(err)
		}
		steps := testkit.Explain(t, big, "EXPLAIN EXECUTE "+q.name+"("+strings.TrimSuffix(strings.Repeat("NULL,", q.parameters), ",")+")")
		check(q.name, steps, "Seq Scan", "sale_token", "sale_buyer", "sale_seller")
		for _, step := range steps {
			if strings.HasPrefix(strings.TrimPrefix(step, "->  "), "Sort") {
				t.Errorf("%s sorts: %s", q.name, strings.Join(steps, "; "))
			}
		}
	}
}
