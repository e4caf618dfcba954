// Package store keeps the portal's data in SQLite or PostgreSQL with one set of SQL.
//
// All writes go through DB.Write, which runs a function in one transaction; all reads outside a transaction
// go through DB.Read. On SQLite a single goroutine owns the only writing connection and commits the waiting
// functions in groups, so that they share one fsync. A DB is safe for concurrent use; Close ends it.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"path/filepath"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the SQLite driver, as "sqlite"

	"pantheon/internal/kit/clock"
	"pantheon/internal/store/gen"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Engine is one of the two supported databases.
type Engine string

// The supported engines.
const (
	SQLite     Engine = "sqlite"
	PostgreSQL Engine = "postgresql"
)

const (
	readConnections     = 4  // SQLite readers never wait for the writer in WAL mode
	postgresConnections = 16 // two cores saturate well below this
)

// Options configure Open.
type Options struct {
	// URL is a postgres:// URL; empty for SQLite.
	URL string
	// Path is the SQLite file; used when URL is empty.
	Path string
	// Clock provides the time of written rows; the system clock when nil.
	Clock clock.Clock
	// NoSync leaves SQLite's writes to the operating system: the last ones may be lost when the machine crashes, but
	// not when the process does. For tests only.
	NoSync bool
	// OnOutbox, when set, is called after a commit that wrote outbox rows. It must not block.
	OnOutbox func()
}

// DB is an open, migrated database.
type DB struct {
	engine   Engine
	writer   *sql.DB
	reader   *sql.DB  // the same as writer on PostgreSQL
	prepared gen.DBTX // the reader, with statements kept prepared
	browsing gen.DBTX // the same for queries of the market, of which only some are kept
	reads    *gen.Queries
	clock    clock.Clock
	onOutbox func()
	browse   browseLimits

	// SQLite only
	statements []*statements // of the readers
	group      *groupCommit

	failover failover // PostgreSQL only
}

// Open connects, brings the schema up to date and returns the database.
// It fails when the database cannot be reached, and leaves one of a development build from before the first release as it is. A
// database that a newer version has migrated is used as it is, so that replicas can be replaced one after the other.
func Open(ctx context.Context, o Options) (*DB, error) {
	db := &DB{engine: SQLite, clock: o.Clock, onOutbox: o.OnOutbox, browse: defaultBrowseLimits}
	if db.clock == nil {
		db.clock = clock.System{}
	}
	if db.onOutbox == nil {
		db.onOutbox = func() {}
	}
	var err error
	if o.URL != "" {
		db.engine = PostgreSQL
		err = db.openPostgres(ctx, o.URL)
	} else {
		err = db.openSQLite(o.Path, o.NoSync)
	}
	if err == nil {
		err = db.migrate(ctx)
	}
	if err == nil {
		err = db.openQueries(ctx)
	}
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("database: %w", explainPooler(err))
	}
	return db, nil
}

// Engine returns the database's engine.
func (db *DB) Engine() Engine { return db.engine }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return classify(db.reader.PingContext(ctx))
}

// Close finishes the writes in progress and closes all connections.
func (db *DB) Close() error {
	var errs []error
	if db.group != nil {
		errs = append(errs, db.group.stop())
	}
	for _, s := range db.statements {
		errs = append(errs, s.close())
	}
	if db.reader != nil && db.reader != db.writer {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.Close())
	}
	return errors.Join(errs...)
}

func (db *DB) openSQLite(path string, noSync bool) (err error) {
	// FULL: money and chain data must survive a loss of power, which NORMAL does not promise in WAL mode.
	synchronous := "synchronous(FULL)"
	if noSync {
		synchronous = "synchronous(OFF)"
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	dsn := func(extra ...string) string {
		q := url.Values{"_pragma": append([]string{
			"journal_mode(WAL)",
			synchronous,
			"busy_timeout(10000)",
			"foreign_keys(1)",
			"cache_size(-32000)",
		}, extra...)}
		return "file:" + (&url.URL{Path: abs}).EscapedPath() + "?" + q.Encode()
	}
	// A deferred transaction that starts to write can fail at once with SQLITE_BUSY; an immediate one waits.
	if db.writer, err = sql.Open("sqlite", dsn()+"&_txlock=immediate"); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	if db.reader, err = sql.Open("sqlite", dsn("query_only(1)")); err != nil {
		return err
	}
	db.reader.SetMaxOpenConns(readConnections)
	db.reader.SetMaxIdleConns(readConnections)
	return nil
}

// migrationLock is the advisory lock under which a PostgreSQL database is migrated; an arbitrary number.
const migrationLock = 7_266_683_616

// Where the version of the schema is kept. The development builds from before the first release, whose versions meant something
// else, kept it in a table of another name.
const (
	versionTable            = "schema_version"
	developmentVersionTable = "goose_db_version"
)

var errDevelopment = errors.New(
	"it was made by a development build from before the first release: start with an empty one (DATA_DIR or DATABASE_URL)")

func (db *DB) migrate(ctx context.Context) error {
	dialect := goose.DialectSQLite3
	if db.engine == PostgreSQL {
		dialect = goose.DialectPostgres
		// Replicas that start at the same time migrate one after the other. The lock ends with its transaction.
		turn, err := db.writer.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = turn.Rollback() }() // it has changed nothing
		if _, err := turn.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
	}
	if err := db.refuseDevelopment(ctx); err != nil {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, db.writer, files,
		goose.WithTableName(versionTable), goose.WithGoMigrations(engineMigrations(db.engine)...))
	if err != nil {
		return err
	}
	// On SQLite another process may migrate at the same time: a migration that it completes first fails here, and those after it
	// remain.
	for last := int64(-1); ; {
		version, err := p.GetDBVersion(ctx)
		if err != nil {
			return err
		}
		if _, err = p.Up(ctx); err == nil || version == last {
			return err
		}
		last = version
	}
}

// refuseDevelopment fails for a database that a development build from before the first release has migrated. One that has the
// release's table as well was made by a release: a development build that was started on it got no further than its own table.
func (db *DB) refuseDevelopment(ctx context.Context) error {
	tables := "sqlite_master WHERE name = "
	if db.engine == PostgreSQL {
		tables = "pg_tables WHERE schemaname = current_schema() AND tablename = "
	}
	var refused bool
	err := db.writer.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+tables+"'"+developmentVersionTable+"') "+
		"AND NOT EXISTS (SELECT 1 FROM "+tables+"'"+versionTable+"')").Scan(&refused)
	if err == nil && refused {
		err = errDevelopment
	}
	return err
}

func (db *DB) openQueries(ctx context.Context) (err error) {
	if db.engine == PostgreSQL {
		db.prepared, db.browsing = db.writer, db.writer // pgx caches prepared statements per connection
		db.reads = gen.New(db.prepared)
		return nil
	}
	db.statements = []*statements{newStatements(db.reader, math.MaxInt), newStatements(db.reader, maxBrowseStatements)}
	db.prepared, db.browsing = db.statements[0], db.statements[1]
	db.reads = gen.New(db.prepared)
	db.group, err = startGroupCommit(ctx, db)
	return err
}

// Tx is one transaction: the generated queries, bound to it.
type Tx struct {
	*gen.Queries
	statements gen.DBTX // for statements with lists
	engine     Engine
	clock      clock.Clock
	postgres   *postgresTx // nil on SQLite

	announced []gen.InsertOutboxParams // written last; they wake the outbox after the commit
	changed   []string                 // ids of the listings that were announced
}

// Write runs fn in one transaction and commits it when fn returns nil. It may run fn again, on PostgreSQL after a
// serialisation failure or deadlock and on SQLite after another function of its group failed, so fn must not have
// effects outside the database. Faults that fn returns are returned unchanged; a database that cannot be reached or
// written is reported as fault.Unavailable.
func (db *DB) Write(ctx context.Context, fn func(context.Context, *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var (
		outbox bool
		err    error
	)
	if db.group != nil {
		outbox, err = db.group.do(ctx, fn)
	} else {
		outbox, err = db.writePostgres(ctx, fn)
	}
	if err != nil {
		return classify(err)
	}
	if outbox {
		db.onOutbox()
	}
	return nil
}

// Read runs fn with queries outside a transaction; errors are returned as by Write.
func (db *DB) Read(ctx context.Context, fn func(*gen.Queries) error) error {
	return classify(fn(db.reads))
}
