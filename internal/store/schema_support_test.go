package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// contracting are changes that a program of the release before stumbles over: it reads what is gone, or writes rows that are refused.
var contracting = regexp.MustCompile(
	`(?i)\b(DROP\s+(TABLE|COLUMN)|RENAME\b|ALTER\s+COLUMN|SET\s+NOT\s+NULL|ADD\s+CONSTRAINT|ADD\s+(CHECK|FOREIGN))`)

// bareColumn is a new column that must be given, and has no default for a program that does not know it.
var bareColumn = regexp.MustCompile(`(?i)ADD\s+COLUMN[^;]*\bNOT\s+NULL\b[^;]*`)

// A migration lets programs of the release before work on: it adds. What contracts raises schema_support in the same file, one release
// after what takes its place.
func TestSchema_MigrationsLetTheReleaseBeforeWorkOn(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) < 19 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) < "00020" { // before the rule
			continue
		}
		if problem := contracts(string(text)); problem != "" {
			t.Errorf("%s: %s", file, problem)
		}
	}
	for sql, want := range map[string]bool{
		"ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '';": false, "CREATE TABLE a (b TEXT NOT NULL);": false,
		"ALTER TABLE a ADD COLUMN b TEXT NOT NULL;": true, "ALTER TABLE a RENAME COLUMN b TO c;": true, "DROP TABLE a;": true,
		"ALTER TABLE a DROP COLUMN b;": true, "ALTER TABLE a\n  DROP COLUMN b; UPDATE schema_support SET oldest = 21;": false,
	} {
		if (contracts(sql) != "") != want {
			t.Errorf("%q contracts: %q", sql, contracts(sql))
		}
	}
}

// contracts returns what of a migration's SQL an older program stumbles over; "" for nothing.
func contracts(sql string) string {
	sql = regexp.MustCompile(`(?m)--.*$`).ReplaceAllString(sql, "")
	if strings.Contains(sql, "UPDATE schema_support SET oldest") {
		return ""
	}
	if found := contracting.FindString(sql); found != "" {
		return found
	}
	for _, found := range bareColumn.FindAllString(sql, -1) {
		if !strings.Contains(strings.ToUpper(found), "DEFAULT") {
			return found
		}
	}
	return ""
}

// A database that the next release has expanded is used; one that it has contracted is refused, with what to do.
// Spec: RUN-7
func TestSchema_ANewerOneIsRefusedOnceItHasLeftThisProgramBehind(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		open := func() error {
			db, err := store.Open(t.Context(), o)
			if err != nil {
				return err
			}
			return db.Close()
		}
		if err := open(); err != nil {
			t.Fatal(err)
		}
		exec(t, raw, "INSERT INTO schema_version (version_id, is_applied) VALUES (99, true)")
		for _, access := range []store.Access{store.Migrate, store.ReadWrite, store.ReadOnly} {
			o.Access = access
			if err := open(); err != nil {
				t.Errorf("access %d of an expanded one: %v", access, err)
			}
		}
		exec(t, raw, "UPDATE schema_support SET oldest = 98")
		for _, access := range []store.Access{store.Migrate, store.ReadWrite, store.ReadOnly} {
			o.Access = access
			const want = "database: its schema has version 99, which needs a program for version 98 or later; this one is for 30: start the " +
				"version of the portal that migrated it, or restore a backup from before"
			if err := open(); err == nil || err.Error() != want {
				t.Errorf("access %d of a contracted one: %v", access, err)
			}
		}
	})
}

// A change of a table waits for those who use it, and all others for the change: a dump would stop the portal.
// Spec: RUN-7
func TestSchema_AMigrationGivesWayToLongTransactions(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.PostgreSQL)
	raw := testkit.Connect(t, "pgx", o.URL)
	exec(t, raw, "DELETE FROM schema_version WHERE version_id >= 20", "DROP TABLE replica", "DROP TABLE attempt", "DROP TABLE schema_support",
		"DROP TABLE chain_move, move_supply, move_holding", "DROP TABLE security_entry, security_chain, security_network_key",
		"DROP TABLE passkey, passkey_answer", "DROP TABLE operator, operator_invitation, operator_passkey, operator_session",
		"DROP INDEX player_frozen, player_email, player_display_name",
		"DROP TABLE gas_recovered", "ALTER TABLE gas_sender DROP COLUMN known_block",
		"DROP INDEX lease_fence", "DROP INDEX purchase_order_updated", "DROP FUNCTION lease_taken, lease_released CASCADE",
		"DROP INDEX wallet_copy_due", "DROP INDEX wallet_copied", "DROP INDEX deleted_player_unrecorded",
		"ALTER TABLE wallet DROP COLUMN copy_due_at",
		"ALTER TABLE deleted_player DROP COLUMN recorded_at", "ALTER TABLE wallet DROP COLUMN sealed_by",
		"ALTER TABLE lease DROP COLUMN process", "ALTER TABLE lease DROP COLUMN fence",
		"ALTER TABLE outbox DROP COLUMN trace", "ALTER TABLE purchase_order DROP COLUMN trace",
		"ALTER TABLE gas_operation DROP COLUMN trace", "ALTER TABLE gas_transaction DROP COLUMN trace")
	dump, err := testkit.Connect(t, "pgx", o.URL).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dump.ExecContext(t.Context(), "LOCK TABLE lease IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() {
		db, err := store.Open(t.Context(), o)
		if err == nil {
			err = db.Close()
		}
		migrated <- err
	}()
	// Readers of the table get their turn within the time for which the migration waits, whatever the dump does.
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_, err := raw.ExecContext(ctx, "SELECT 1 FROM lease")
		cancel()
		if err != nil {
			t.Fatalf("a reader waits: %v", err)
		}
		select {
		case err := <-migrated:
			t.Fatalf("migrated below the dump: %v", err)
		case <-time.After(time.Second):
		}
	}
	if err := errors.Join(dump.Rollback(), <-migrated); err != nil {
		t.Error(err)
	}
}
