package store_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// eachEmpty runs a test for each engine with a new, empty database: how to open it, and a connection beside the store.
func eachEmpty(t *testing.T, test func(*testing.T, store.Options, *sql.DB)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			o := testkit.EmptyDatabaseOptions(t, engine)
			driver, dsn := "sqlite", "file:"+o.Path+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"
			if engine == store.PostgreSQL {
				driver, dsn = "pgx", o.URL
			}
			raw, err := sql.Open(driver, dsn)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = raw.Close() })
			test(t, o, raw)
		})
	}
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// texts returns the first column of a query's rows.
func texts(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// relations returns the names of all tables, indexes and views of a database.
func relations(t *testing.T, db *sql.DB, o store.Options) []string {
	t.Helper()
	if o.URL == "" {
		return texts(t, db, "SELECT name FROM sqlite_master ORDER BY name")
	}
	return texts(t, db, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname")
}

func reopen(t *testing.T, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func closeDB(t *testing.T, db *store.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// goose's table, as the development builds had it.
const developmentVersions = "CREATE TABLE goose_db_version (id BIGINT PRIMARY KEY, version_id BIGINT NOT NULL, is_applied BOOLEAN NOT NULL)"

// Spec: RUN-7
func TestOpen_DatabaseOfADevelopmentBuildIsRefusedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		exec(t, raw, developmentVersions,
			"INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (1, 0, TRUE), (2, 1, TRUE), (3, 98, TRUE)",
			"CREATE TABLE player (id TEXT PRIMARY KEY, display_name TEXT NOT NULL)",
			"INSERT INTO player (id, display_name) VALUES ('P', 'Ada')")
		before := relations(t, raw, o)
		for range 2 {
			_, err := store.Open(t.Context(), o)
			const want = "database: it was made by a development build from before the first release: start with an empty one (DATA_DIR or " +
				"DATABASE_URL)"
			if err == nil || err.Error() != want {
				t.Fatalf("the error is %v, want %s", err, want)
			}
		}
		if after := relations(t, raw, o); !slices.Equal(after, before) {
			t.Errorf("the database has %v, want %v as before", after, before)
		}
		if got := texts(t, raw, "SELECT id || ' ' || display_name FROM player"); !slices.Equal(got, []string{"P Ada"}) {
			t.Errorf("the players are %v", got)
		}
		if got := texts(t, raw, "SELECT version_id FROM goose_db_version ORDER BY id"); !slices.Equal(got, []string{"0", "1", "98"}) {
			t.Errorf("the versions are %v", got)
		}
	})
}

// A development build that is started on a release's database creates its own table and fails at the first migration.
// Spec: RUN-7
func TestOpen_DatabaseSurvivesTheStartOfADevelopmentBuild(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		closeDB(t, reopen(t, o))
		exec(t, raw, developmentVersions, "INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (1, 0, TRUE)")
		closeDB(t, reopen(t, o))
	})
}

// Spec: RUN-7
func TestOpen_DatabaseOfANewerVersionIsUsedAsItIs(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		closeDB(t, reopen(t, o))
		exec(t, raw, "ALTER TABLE player ADD COLUMN later BIGINT NOT NULL DEFAULT 5",
			"CREATE TABLE later (id TEXT PRIMARY KEY)",
			"INSERT INTO schema_version (version_id, is_applied) VALUES (9998, TRUE), (9999, TRUE)")
		tables, versions := relations(t, raw, o), texts(t, raw, "SELECT version_id FROM schema_version ORDER BY id")
		db := reopen(t, o)
		if err := db.Write(t.Context(), storetest.InsertPlayer("A")); err != nil {
			t.Fatal(err)
		}
		if !playerExists(t, db, "A") {
			t.Error("the player was not written")
		}
		closeDB(t, db)
		if got := relations(t, raw, o); !slices.Equal(got, tables) {
			t.Errorf("the database has %v, want %v as before", got, tables)
		}
		if got := texts(t, raw, "SELECT version_id FROM schema_version ORDER BY id"); !slices.Equal(got, versions) {
			t.Errorf("the versions are %v, want %v as before", got, versions)
		}
		if got := texts(t, raw, "SELECT id || ' ' || later FROM player"); !slices.Equal(got, []string{"A 5"}) {
			t.Errorf("the players are %v", got)
		}
	})
}

// The tables that SQLite clusters keep their indexes, and what depends on them works.
func TestMigration_TablesOfHoldsAreClustered(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		db := reopen(t, o)
		t.Cleanup(func() { _ = db.Close() })
		if o.URL == "" {
			clustered := texts(t, raw, "SELECT name FROM pragma_table_list WHERE wr = 1 AND name NOT LIKE 'token_search_%' ORDER BY name")
			if want := []string{"cart_hold", "listing_version", "outbox"}; !slices.Equal(clustered, want) {
				t.Errorf("%v are WITHOUT ROWID, want %v", clustered, want)
			}
		}
		all := relations(t, raw, o)
		for _, index := range []string{"cart_hold_expiry", "cart_hold_network", "cart_hold_player"} {
			if !slices.Contains(all, index) {
				t.Errorf("there is no index %s in %s", index, strings.Join(all, ", "))
			}
		}
		if err := db.Write(t.Context(), storetest.InsertPlayer("P")); err != nil {
			t.Fatal(err)
		}
		exec(t, raw,
			"INSERT INTO token (contract, token_id, collection, name, kind, rarity, rarity_rank, attributes, words) VALUES ('0xc', '1', "+
				"'avatars', 'One', 'avatar', 'rare', 2, '[]', 'one')",
			`INSERT INTO listing (id, chain_id, listing_id, contract, token_id, seller, quantity, currency, price, price_rank,
				start_at, end_at, reserved, status, valid, created_at, updated_at)
				VALUES ('1-7', 1, '7', '0xc', '1', '0xs', 3, '0xu', '5', 5, 0, 9, 0, 'active', 1, 1, 1)`,
			"INSERT INTO cart_hold (listing_id, unit, player_id, held_at, expires_at, price, order_id, network) VALUES ('1-7', 2, 'P', 100, 200, "+
				"'5', 'O', 'N')",
			"INSERT INTO listing_version (listing_id, version) VALUES ('1-7', 41)",
			"INSERT INTO outbox (id, topic, target, payload, created_at) VALUES ('0190', 'listing', '', '1-7', 77)")
		row := func(want, query string) {
			t.Helper()
			if got := texts(t, raw, query); !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		row("1-7 2 P 100 200 5 O N", "SELECT listing_id || ' ' || unit || ' ' || player_id || ' ' || held_at || ' ' || expires_at || ' ' || "+
			"price || ' ' || order_id || ' ' || network FROM cart_hold")
		row("2 P 100 200", "SELECT holds FROM listing_card")
		row("41", "SELECT version FROM listing_card")
		row("0190 listing  1-7 77", "SELECT id || ' ' || topic || ' ' || target || ' ' || payload || ' ' || created_at FROM outbox")
		// A deleted player's holds go with the player.
		exec(t, raw, "DELETE FROM player")
		row("0", "SELECT COUNT(*) FROM cart_hold")
	})
}
