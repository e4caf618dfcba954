package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock under which a PostgreSQL database is migrated; an arbitrary number.
const migrationLock = 7_266_683_616

// Where the version of the schema is kept. The development builds from before the first release, whose versions meant something
// else, kept it in a table of another name.
const (
	versionTable            = "schema_version"
	developmentVersionTable = "goose_db_version"
)

// supportTable has one row: the oldest version of the schema whose programs can still use the database.
const supportTable = "schema_support"

var errDevelopment = errors.New(
	"it was made by a development build from before the first release: start with an empty one (DATA_DIR or DATABASE_URL)")

// SchemaError is the error of a database whose schema is older than this program's.
type SchemaError struct {
	Version int64 // 0 for a database without tables of the portal
	Needed  int64
}

// Error says what the operator can do.
func (e *SchemaError) Error() string {
	const advice = "run `pantheon migrate` of this version, or start it with MIGRATE=auto"
	if e.Version == 0 {
		return "it has no tables of the portal: " + advice
	}
	return fmt.Sprintf("its schema has version %d, which is older than %d: %s", e.Version, e.Needed, advice)
}

// NewerSchemaError is the error of a database that a newer program has migrated so far that this one can no longer use it.
type NewerSchemaError struct {
	Version int64 // of the database
	Oldest  int64 // that programs must have
	Own     int64 // of this program
}

// Error says what the operator can do.
func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("its schema has version %d, which needs a program for version %d or later; this one is for %d: start the version of "+
		"the portal that migrated it, or restore a backup from before", e.Version, e.Oldest, e.Own)
}

// SchemaVersion returns the version of the schema that this program needs.
func SchemaVersion() int64 {
	var newest int64
	files, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is correct
	for _, name := range files {
		version, err := goose.NumericComponent(name)
		if err != nil {
			panic(err) // embedded files, of which a test reads the names
		}
		newest = max(newest, version)
	}
	for _, m := range engineMigrations(SQLite) {
		newest = max(newest, m.Version)
	}
	return newest
}

// openSchema migrates the database if it may, and fails unless its schema is one that this program can use.
func (db *DB) openSchema(ctx context.Context) error {
	if err := db.refuseDevelopment(ctx); err != nil {
		return err
	}
	version, oldest, err := db.schema(ctx)
	own := SchemaVersion()
	switch {
	case err != nil:
		return err
	case oldest > own:
		return &NewerSchemaError{Version: version, Oldest: oldest, Own: own}
	case version >= own:
		return nil
	case db.access != Migrate:
		return &SchemaError{Version: version, Needed: own}
	}
	return db.migrate(ctx)
}

// Schema returns the version of the database's schema.
func (db *DB) Schema(ctx context.Context) (int64, error) {
	version, _, err := db.schema(ctx)
	return version, err
}

// schema returns the version of the database's schema, 0 for none, and the oldest that its programs must have.
func (db *DB) schema(ctx context.Context) (version, oldest int64, err error) {
	from := db.writer
	if db.group != nil {
		from = db.reader // the writer's connection is the group's
	}
	for _, v := range []struct {
		table, query string
		value        *int64
	}{
		{versionTable, "SELECT COALESCE(MAX(version_id), 0) FROM " + versionTable, &version},
		{supportTable, "SELECT COALESCE(MAX(oldest), 0) FROM " + supportTable, &oldest},
	} {
		var exists bool
		err := from.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+db.tables()+"'"+v.table+"')").Scan(&exists)
		if err == nil && exists {
			err = from.QueryRowContext(ctx, v.query).Scan(v.value)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return version, oldest, nil
}

const (
	// migrationWait is how long a change of a table waits for those who use it. All that come after it wait as well, so it gives up
	// and tries again later: a long transaction, such as a dump, must not stop the portal.
	migrationWait = 3 * time.Second
	// migrationPause is the time between two attempts, and migrationAttempts their number.
	migrationPause    = 2 * time.Second
	migrationAttempts = 30
)

// migrate brings the schema up to date.
func (db *DB) migrate(ctx context.Context) error {
	changing := db.writer
	if db.engine == PostgreSQL {
		// Replicas that start at the same time migrate one after the other. The lock ends with its transaction.
		turn, err := db.writer.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = turn.Rollback() }() // it has changed nothing
		if _, err := turn.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		changing = db.openMigrator()
		defer func() { _ = changing.Close() }() // all is committed or rolled back
	}
	p, err := db.migrations(changing)
	if err != nil {
		return err
	}
	// On SQLite another process may migrate at the same time: a migration that it completes first fails here, and those after it
	// remain.
	for last, waits := int64(-1), 0; ; {
		version, err := p.GetDBVersion(ctx)
		if err != nil {
			return err
		}
		_, err = p.Up(ctx)
		switch {
		case err == nil:
			return nil
		case isLockTimeout(err) && waits < migrationAttempts:
			waits++
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(migrationPause):
			}
			continue
		case version == last:
			return err
		}
		last = version
	}
}

// openMigrator returns a pool whose statements wait for locks for migrationWait at most. Behind a pooler they wait without limit: other
// clients would get the sessions with the setting.
func (db *DB) openMigrator() *sql.DB {
	return stdlib.OpenDB(*db.config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		if db.pooled {
			return nil
		}
		_, err := conn.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", migrationWait.Milliseconds()))
		return err
	}))
}

// isLockTimeout reports whether err is PostgreSQL's lock_not_available.
func isLockTimeout(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "55P03"
}

// migrations returns what migrates the database through a pool.
func (db *DB) migrations(changing *sql.DB) (*goose.Provider, error) {
	dialect := goose.DialectSQLite3
	if db.engine == PostgreSQL {
		dialect = goose.DialectPostgres
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, changing, files,
		goose.WithTableName(versionTable), goose.WithGoMigrations(engineMigrations(db.engine)...))
}

// refuseDevelopment fails for a database that a development build from before the first release has migrated. One that has the
// release's table as well was made by a release: a development build that was started on it got no further than its own table.
func (db *DB) refuseDevelopment(ctx context.Context) error {
	tables := db.tables()
	var refused bool
	err := db.writer.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+tables+"'"+developmentVersionTable+"') "+
		"AND NOT EXISTS (SELECT 1 FROM "+tables+"'"+versionTable+"')").Scan(&refused)
	if err == nil && refused {
		err = errDevelopment
	}
	return err
}

// tables is where the engine lists its tables, up to the name of one.
func (db *DB) tables() string {
	if db.engine == PostgreSQL {
		return "pg_tables WHERE schemaname = current_schema() AND tablename = "
	}
	return "sqlite_master WHERE name = "
}
