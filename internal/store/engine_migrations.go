package store

import (
	"context"
	"database/sql"
	_ "embed"

	"github.com/pressly/goose/v3"
)

// The SQL that creates the index of the full-text search over the words of "token". Both engines keep it up to date themselves.
var (
	//go:embed search/sqlite_schema.sql
	sqliteSearchSchema string
	//go:embed search/postgresql_schema.sql
	postgresSearchSchema string
)

// SQLite stores a table beside the index of its primary key, unless it is WITHOUT ROWID. These tables are written with each hold
// and read by key or by its first column, so that one structure instead of two halves the cost.
var clusteredTables = []string{"cart_hold", "listing_version", "outbox"}

// Programs for schema 19 know no fencing number: they leave it as it is when they take the lease, and delete the row to release it, so that
// numbers would begin again. While such replicas run beside this version's, the database raises the number for them. It goes together with
// the support of schema 19.
const fenceBefore = `
CREATE FUNCTION lease_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	NEW.fence := OLD.fence + 1;
	NEW.process := '';
	RETURN NEW;
END $$;
CREATE TRIGGER lease_taken BEFORE UPDATE ON lease FOR EACH ROW
	WHEN (NEW.holder <> OLD.holder AND NEW.fence = OLD.fence) EXECUTE FUNCTION lease_taken();
CREATE FUNCTION lease_released() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	UPDATE lease SET expires_at = 0 WHERE name = OLD.name;
	RETURN NULL;
END $$;
CREATE TRIGGER lease_released BEFORE DELETE ON lease FOR EACH ROW EXECUTE FUNCTION lease_released();`

// engineMigrations returns the migrations whose SQL differs between the engines. Migrations of files have other versions.
func engineMigrations(e Engine) []*goose.Migration {
	return []*goose.Migration{
		goose.NewGoMigration(16, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			if e == SQLite {
				for _, table := range clusteredTables {
					if err := cluster(ctx, tx, table); err != nil {
						return err
					}
				}
			}
			schema := sqliteSearchSchema
			if e == PostgreSQL {
				schema = postgresSearchSchema
			}
			_, err := tx.ExecContext(ctx, schema)
			return err
		}}, nil),
		goose.NewGoMigration(22, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			if e == SQLite { // which has one process
				return nil
			}
			_, err := tx.ExecContext(ctx, fenceBefore)
			return err
		}}, nil),
	}
}

// cluster makes an empty SQLite table WITHOUT ROWID.
func cluster(ctx context.Context, tx *sql.Tx, table string) error {
	rows, err := tx.QueryContext(ctx, "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC", table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var schema []string // the table, and its indexes
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		schema = append(schema, text)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	schema[0] += " WITHOUT ROWID"
	for _, text := range append([]string{"DROP TABLE " + table}, schema...) {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}
