package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// eachAccess runs f for both ways of opening a database that leave its schema alone.
func eachAccess(o store.Options, f func(store.Options)) {
	for _, o.Access = range []store.Access{store.ReadWrite, store.ReadOnly} {
		f(o)
	}
}

func mustNotOpen(t *testing.T, o store.Options, want string) {
	t.Helper()
	db, err := store.Open(t.Context(), o)
	if err == nil {
		closeDB(t, db)
	}
	if err == nil || err.Error() != want {
		t.Errorf("access %d: %v, want %s", o.Access, err, want)
	}
}

func TestAccess_MissingFileIsNotMade(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, path := range []string{filepath.Join(folder, "pantheon.db"), filepath.Join(folder, "below", "pantheon.db")} {
		eachAccess(store.Options{Path: path}, func(o store.Options) {
			mustNotOpen(t, o, "database: there is none at "+path+", set DATA_DIR or DATABASE_URL as for the portal: file does not exist")
			if _, err := store.Open(t.Context(), o); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v is not fs.ErrNotExist", err)
			}
		})
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
		t.Errorf("the folder has %v, %v", files, err)
	}
}

func TestAccess_OlderSchemasAreRefusedAndLeftAsTheyAre(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		exec(t, raw, "CREATE TABLE other (id TEXT PRIMARY KEY)") // else SQLite has no file
		before := relations(t, raw, o)
		eachAccess(o, func(o store.Options) {
			mustNotOpen(t, o, "database: it has no tables of the portal: run `pantheon migrate` of this version, or start it with MIGRATE=auto")
		})
		if after := relations(t, raw, o); !slices.Equal(after, before) {
			t.Errorf("the database has %v, want %v as before", after, before)
		}
		closeDB(t, reopen(t, o))
		exec(t, raw, "DELETE FROM schema_version WHERE version_id > 4")
		before = texts(t, raw, "SELECT version_id FROM schema_version ORDER BY id")
		eachAccess(o, func(o store.Options) {
			mustNotOpen(t, o, "database: its schema has version 4, which is older than 30: run `pantheon migrate` of this version, "+
				"or start it with MIGRATE=auto")
		})
		if after := texts(t, raw, "SELECT version_id FROM schema_version ORDER BY id"); !slices.Equal(after, before) {
			t.Errorf("the versions are %v, want %v as before", after, before)
		}
		exec(t, raw, "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, TRUE)") // a newer version's
		eachAccess(o, func(o store.Options) { closeDB(t, reopen(t, o)) })
	})
}

func TestAccess_DatabaseOfADevelopmentBuildIsRefused(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		exec(t, raw, developmentVersions)
		eachAccess(o, func(o store.Options) {
			mustNotOpen(t, o, "database: it was made by a development build from before the first release: "+
				"start with an empty one (DATA_DIR or DATABASE_URL)")
		})
	})
}

func TestAccess_ReadOnlyReadsOnly(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		closeDB(t, reopen(t, o))
		exec(t, raw, "INSERT INTO player (id, display_name, email, created_at) VALUES ('A', 'Ada', '', 0)")
		if o.URL == "" {
			if err := raw.Close(); err != nil { // SQLite removes the files of the log with the last connection
				t.Fatal(err)
			}
		}
		o.Access = store.ReadOnly
		db := reopen(t, o)
		if !playerExists(t, db, "A") {
			t.Error("the player is not found")
		}
		if err := db.Write(t.Context(), storetest.InsertPlayer("B")); err == nil {
			t.Error("a player was written")
		}
		if err := db.Read(t.Context(), func(q *gen.Queries) error {
			return q.InsertPlayer(t.Context(), gen.InsertPlayerParams{ID: "C", DisplayName: "C"})
		}); err == nil {
			t.Error("a player was written by a query")
		}
		closeDB(t, db)
		if o.URL == "" {
			if files, err := os.ReadDir(filepath.Dir(o.Path)); err != nil || len(files) != 1 {
				t.Errorf("the folder has %v, %v", files, err)
			}
		}
		o.Access = store.ReadWrite
		db = reopen(t, o)
		if err := db.Write(t.Context(), storetest.InsertPlayer("B")); err != nil {
			t.Error(err)
		}
		if playerExists(t, db, "C") {
			t.Error("a player was written by a query")
		}
		closeDB(t, db)
	})
}

// A pooler gives the sessions of a lookup to the portal.
func TestAccess_ReadOnlyLeavesNoReadOnlySessionsBehind(t *testing.T) {
	t.Parallel()
	url := testkit.Pooler(t, testkit.DatabaseOptions(t, store.PostgreSQL).URL)
	portal := reopen(t, store.Options{URL: url})
	t.Cleanup(func() { closeDB(t, portal) })
	for i := range 6 {
		id := fmt.Sprint("P", i)
		if err := portal.Write(t.Context(), storetest.InsertPlayer(id)); err != nil {
			t.Error(err)
		}
		lookup := reopen(t, store.Options{URL: url, Access: store.ReadOnly})
		if !playerExists(t, lookup, id) {
			t.Errorf("%s is not found", id)
		}
		closeDB(t, lookup)
	}
}

// A standby serves lookups.
func TestAccess_ReadOnlyNeedsNoRightToWrite(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	raw, err := sql.Open("pgx", o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	exec(t, raw, "INSERT INTO player (id, display_name, email, created_at) VALUES ('A', 'Ada', '', 0)",
		"ALTER DATABASE "+texts(t, raw, "SELECT current_database()")[0]+" SET default_transaction_read_only = on")
	o.Access = store.ReadOnly
	lookup := reopen(t, o)
	defer closeDB(t, lookup)
	if !playerExists(t, lookup, "A") {
		t.Error("the player is not found")
	}
}
