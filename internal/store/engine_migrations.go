package store

import (
	"context"
	"database/sql"
	_ "embed"

	"github.com/pressly/goose/v3"
)

//go:embed sqlite/clustered_tables.sql
var sqliteClusteredTables string

// engineMigrations returns the migrations whose SQL differs between the engines. Migrations of files have other versions.
func engineMigrations(e Engine) []*goose.Migration {
	s := searches[e]
	clustered := ""
	if e == SQLite {
		clustered = sqliteClusteredTables
	}
	return []*goose.Migration{
		goose.NewGoMigration(46, runSQL(s.schema), runSQL(s.drop)),
		goose.NewGoMigration(53, runSQL(s.prefixes), runSQL("")), // the index may have more prefixes than it needs
		goose.NewGoMigration(55, runSQL(clustered), runSQL("")),  // the tables hold the same
	}
}

func runSQL(text string) *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	}}
}
