// Package store keeps the portal's data in SQLite or PostgreSQL with one set of SQL.
//
// All writes go through DB.Write, which runs a function in one transaction; all reads outside a transaction
// go through DB.Read. On SQLite a single goroutine owns the only writing connection and commits the waiting
// functions in groups, so that they share one fsync. A DB is safe for concurrent use; Close ends it.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the SQLite driver, as "sqlite"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/trace"
	"pantheon/internal/store/gen"
)

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
	// Access is what Open may change; Migrate when zero.
	Access Access
	// NoSync leaves SQLite's writes to the operating system: the last ones may be lost when the machine crashes, but
	// not when the process does. For tests only.
	NoSync bool
	// OnOutbox, when set, is called after a commit that wrote outbox rows. It must not block.
	OnOutbox func()
}

// Access says what Open and the DB may change.
type Access int

// The kinds of access. Only Migrate creates a file and brings the schema up to date; the others refuse what Migrate has not.
const (
	Migrate Access = iota
	ReadWrite
	ReadOnly
)

// DB is an open, migrated database.
type DB struct {
	engine   Engine
	access   Access
	writer   *sql.DB
	reader   *sql.DB  // the same as writer on PostgreSQL
	prepared gen.DBTX // the reader, with statements kept prepared
	browsing gen.DBTX // the same for queries of the market, of which only some are kept
	reads    *gen.Queries
	clock    clock.Clock
	onOutbox func()
	snapshot *sql.Tx // the transaction of a database that is only read; nil for others

	// SQLite only
	source     string        // of a connection that may write
	statements []*statements // of the readers
	group      *groupCommit

	// PostgreSQL only
	probe    *sql.DB // of one connection, for Ready: a pool that is in use is no failure
	failover failover
	config   *pgx.ConnConfig
	pooled   bool // a pooler is between
}

// Open connects, brings the schema up to date if it may, and returns the database.
// It fails when the database cannot be reached, and leaves one of a development build from before the first release as it is. A
// database that the next version has migrated is used as it is, so that replicas can be replaced one after the other, unless its
// schema no longer fits: then it fails with a NewerSchemaError. Without Migrate it fails with fs.ErrNotExist for a missing file of
// SQLite, and with a SchemaError for an older schema or none.
//
// A DB that is ReadOnly is one transaction on PostgreSQL, which ends with ctx, and not safe for concurrent use.
func Open(ctx context.Context, o Options) (*DB, error) {
	db := &DB{engine: SQLite, access: o.Access, clock: o.Clock, onOutbox: o.OnOutbox}
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
		err = db.openSchema(ctx)
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

// Clock returns the clock of written rows.
func (db *DB) Clock() clock.Clock { return db.clock }

// Reader runs queries outside a transaction.
func (db *DB) Reader() *sql.DB { return db.reader }

// Prepared is Reader with statements kept prepared: for those whose text is always the same.
func (db *DB) Prepared() gen.DBTX { return db.prepared }

// Browsing is Reader for statements of many different texts, of which only some are kept prepared.
func (db *DB) Browsing() gen.DBTX { return db.browsing }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return Classify(db.reader.PingContext(ctx))
}

// Close finishes the writes in progress and closes all connections.
func (db *DB) Close() error {
	var errs []error
	if db.snapshot != nil {
		_ = db.snapshot.Rollback() // it has changed nothing
	}
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
	if db.probe != nil {
		errs = append(errs, db.probe.Close())
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
	mode := "rwc"
	if db.access != Migrate {
		if _, err := os.Stat(abs); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is none at %s, set DATA_DIR or DATABASE_URL as for the portal: %w", abs, fs.ErrNotExist)
		} else if err != nil {
			return err
		}
		mode = "rw"
	}
	dsn := func(pragmas ...string) string {
		q := url.Values{"mode": {mode}, "_pragma": append(pragmas, "busy_timeout(10000)", "foreign_keys(1)", "cache_size(-32000)")}
		return "file:" + (&url.URL{Path: abs}).EscapedPath() + "?" + q.Encode()
	}
	if db.access == ReadOnly {
		// Not mode=ro: such a connection leaves files of the write-ahead log behind that it cannot delete.
		db.reader, err = sql.Open("sqlite", dsn("query_only(1)"))
		db.writer = db.reader
		return err
	}
	db.source = dsn("journal_mode(WAL)", synchronous) + "&_txlock=immediate"
	// A deferred transaction that starts to write can fail at once with SQLITE_BUSY; an immediate one waits.
	if db.writer, err = sql.Open("sqlite", db.source); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	if db.reader, err = sql.Open("sqlite", dsn("journal_mode(WAL)", synchronous, "query_only(1)")); err != nil {
		return err
	}
	db.reader.SetMaxOpenConns(readConnections)
	db.reader.SetMaxIdleConns(readConnections)
	return nil
}

func (db *DB) openQueries(ctx context.Context) (err error) {
	if db.access == ReadOnly {
		return db.openReadOnly(ctx)
	}
	if db.engine == PostgreSQL {
		reads := traced{replaced{db.writer, &db.failover}} // pgx caches prepared statements per connection
		db.prepared, db.browsing = reads, reads
		db.reads = gen.New(db.prepared)
		return nil
	}
	db.statements = []*statements{newStatements(db.reader, math.MaxInt), newStatements(db.reader, maxBrowseStatements)}
	db.prepared, db.browsing = traced{db.statements[0]}, traced{db.statements[1]}
	db.reads = gen.New(db.prepared)
	db.group, err = startGroupCommit(ctx, db)
	return err
}

// openReadOnly makes all reads part of one transaction: a pooler may give the session to the portal afterwards, which must not find it
// set to read-only.
func (db *DB) openReadOnly(ctx context.Context) (err error) {
	if db.snapshot, err = db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return err
	}
	db.prepared, db.browsing, db.reads = db.snapshot, db.snapshot, gen.New(db.snapshot)
	return nil
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

// Clock returns the clock of written rows.
func (tx *Tx) Clock() clock.Clock { return tx.clock }

// Engine returns the database's engine.
func (tx *Tx) Engine() Engine { return tx.engine }

// Statements runs statements with lists.
func (tx *Tx) Statements() gen.DBTX { return tx.statements }

// Write runs fn in one transaction and commits it when fn returns nil. It may run fn again, on PostgreSQL after a
// serialisation failure or deadlock and on SQLite after another function of its group failed, so fn must not have
// effects outside the database. Faults that fn returns are returned unchanged; a database that cannot be reached or
// written is reported as fault.Unavailable.
func (db *DB) Write(ctx context.Context, fn func(context.Context, *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.access == ReadOnly {
		return errors.New("store: a write to a database that was opened to be read")
	}
	fn = fenced(ctx, fn)
	ctx, span := trace.Start(ctx, "write")
	defer span.End()
	var (
		outbox bool
		err    error
	)
	if db.group != nil {
		outbox, err = db.group.do(ctx, fn)
	} else {
		outbox, err = db.writePostgres(ctx, fn)
	}
	span.Fail(err)
	if err != nil {
		return Classify(err)
	}
	if outbox {
		db.onOutbox()
	}
	return nil
}

// Read runs fn with queries outside a transaction; errors are returned as by Write.
func (db *DB) Read(ctx context.Context, fn func(*gen.Queries) error) error {
	return Classify(fn(db.reads))
}
