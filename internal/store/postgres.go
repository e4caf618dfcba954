package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"pantheon/internal/kit/fault"
	"pantheon/internal/store/gen"
)

// ErrReadOnly means that PostgreSQL accepts no writes; /readyz shows it.
var ErrReadOnly = fault.New(fault.Unavailable, "is read-only")

// failover replaces the connections that were opened before PostgreSQL moved to another server. The old server may go on as a
// standby: their sessions stay open, and read-only. It is safe for concurrent use.
type failover struct {
	generation atomic.Int64 // of the connections that are opened now
	replaced   atomic.Int64 // when the generation last changed because of a read-only session, in nanoseconds
	dropped    atomic.Int64 // the same because of a session that the server had ended
}

// failoverPause is the shortest time between two replacements: while the new server is read-only too, connections are kept.
const failoverPause = time.Second

const generationKey = "generation"

// opened marks a new connection.
func (f *failover) opened(_ context.Context, conn *pgx.Conn) error {
	conn.PgConn().CustomData()[generationKey] = f.generation.Load()
	return nil
}

// reused makes the pool discard a connection of an older generation.
func (f *failover) reused(_ context.Context, conn *pgx.Conn) error {
	if f.isOld(conn) {
		return driver.ErrBadConn
	}
	return nil
}

func (f *failover) isOld(conn *pgx.Conn) bool {
	return conn.PgConn().CustomData()[generationKey] != f.generation.Load()
}

// replace is called for a connection that turned out to be read-only. It reports whether a new connection may be better.
func (f *failover) replace(conn *sql.Conn) bool {
	old := false
	_ = conn.Raw(func(raw any) error { // a connection that was lost meanwhile is replaced anyway
		if c, ok := raw.(*stdlib.Conn); ok {
			old = f.isOld(c.Conn())
		}
		return nil
	})
	if old {
		return true
	}
	last, now := f.replaced.Load(), time.Now().UnixNano()
	if now-last < int64(failoverPause) || !f.replaced.CompareAndSwap(last, now) {
		return false
	}
	f.generation.Add(1)
	return true
}

// ended is called when the server has ended a session, as it does with all of them when it stops. The others in the pool are replaced.
func (f *failover) ended() {
	last, now := f.dropped.Load(), time.Now().UnixNano()
	if now-last >= int64(failoverPause) && f.dropped.CompareAndSwap(last, now) {
		f.generation.Add(1)
	}
}

// isEnded reports whether err is that of a session which the server had ended: admin_shutdown, crash_shutdown, idle_session_timeout, or a
// connection that was closed. The statement did not run, unless it was the last of its transaction.
func isEnded(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "57P01" || pg.Code == "57P02" || pg.Code == "57P05"
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, net.ErrClosed)
}

// replaced is a pool whose statements run once more, on a new connection, after the server has ended the first one's session. They must
// only read.
type replaced struct {
	*sql.DB
	failover *failover
}

func (r replaced) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := r.DB.QueryContext(ctx, query, args...)
	if err != nil && isEnded(err) && ctx.Err() == nil {
		r.failover.ended()
		return r.DB.QueryContext(ctx, query, args...)
	}
	return rows, err
}

func (r replaced) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	row := r.DB.QueryRowContext(ctx, query, args...)
	if err := row.Err(); err != nil && isEnded(err) && ctx.Err() == nil {
		r.failover.ended()
		return r.DB.QueryRowContext(ctx, query, args...)
	}
	return row
}

// isReadOnly reports whether err is PostgreSQL's read_only_sql_transaction.
func isReadOnly(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "25006"
}

// explainPooler says what to do about an error of prepared statements that a pooler causes: invalid_sql_statement_name or
// duplicate_prepared_statement.
func explainPooler(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && (pg.Code == "26000" || pg.Code == "42P05") {
		return fmt.Errorf("a pooler between the portal and PostgreSQL does not keep prepared statements: "+
			"set default_query_exec_mode=cache_describe in DATABASE_URL, or pool_mode=session in PgBouncer: %w", err)
	}
	return err
}

// openPostgres connects, and checks the database's encoding. Behind a pooler such as PgBouncer, statements are not kept prepared, as
// the next transaction may run on another of its connections, unless the URL has default_query_exec_mode.
func (db *DB) openPostgres(ctx context.Context, dsn string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		// The driver's error may contain the URL, and with it the password.
		return errors.New("DATABASE_URL is not a usable postgres:// URL")
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // only read
	var (
		pid      uint32
		encoding string
	)
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid(), current_setting('server_encoding')", pgx.QueryExecModeExec).
		Scan(&pid, &encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("its encoding is %s and must be UTF8: create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0", encoding)
	}
	// A pooler answers the start of a session itself, with a process id of its own.
	db.pooled = pid != conn.PgConn().PID()
	if db.pooled && !strings.Contains(dsn, "default_query_exec_mode=") {
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	db.config = config
	open := func() *sql.DB {
		return stdlib.OpenDB(*config, stdlib.OptionAfterConnect(db.failover.opened), stdlib.OptionResetSession(db.failover.reused))
	}
	db.probe = open()
	db.probe.SetMaxOpenConns(1)
	db.writer = open()
	db.writer.SetMaxOpenConns(postgresConnections)
	db.writer.SetMaxIdleConns(postgresConnections)
	db.writer.SetConnMaxIdleTime(5 * time.Minute)
	db.reader = db.writer
	return nil
}

// connectTimeout is how long a server may take to accept a connection, unless the URL has connect_timeout.
const connectTimeout = 5 * time.Second

const postgresAttempts = 8

// writePostgres runs fn in a transaction, again after a serialisation failure or deadlock, and once more after a failover.
func (db *DB) writePostgres(ctx context.Context, fn func(context.Context, *Tx) error) (outbox bool, err error) {
	moved := false
	for range postgresAttempts {
		var replaced bool
		outbox, replaced, err = db.tryPostgres(ctx, fn)
		if !isRetryable(err) && (!replaced || moved || ctx.Err() != nil) {
			return outbox, err
		}
		moved = moved || replaced
	}
	return outbox, err
}

// conn returns a connection of the pool. While many old ones are replaced, the pool may run into more of them than it skips by
// itself; nothing has been sent on them.
func (db *DB) conn(ctx context.Context) (conn *sql.Conn, err error) {
	for range postgresConnections {
		if conn, err = db.writer.Conn(ctx); !errors.Is(err, driver.ErrBadConn) {
			break
		}
	}
	return conn, err
}

// tryPostgres runs fn in a transaction. It reports in replaced that the connection was read-only or its session ended before the commit,
// and that another one will be used next.
func (db *DB) tryPostgres(ctx context.Context, fn func(context.Context, *Tx) error) (outbox, replaced bool, err error) {
	conn, err := db.conn(ctx)
	if err != nil {
		return false, false, err
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	tx := &postgresTx{conn: conn}
	defer tx.rollback(ctx) // no effect after a commit
	t := &Tx{Queries: gen.New(traced{tx}), statements: traced{tx}, postgres: tx, engine: db.engine, clock: db.clock}
	err = fn(ctx, t)
	committing := false
	if err == nil {
		commit := &pipeline{tx: tx}
		if err = t.finish(ctx, commit.Queries()); err == nil {
			committing = true // it may have been committed although the answer is lost
			err = commit.commit(ctx)
		}
	}
	err = tx.reason(ctx, err)
	if err != nil && !committing && isEnded(err) {
		db.failover.ended()
		return false, true, err
	}
	return err == nil && len(t.announced) > 0, isReadOnly(err) && db.failover.replace(conn), err
}

// Ready returns fault.Unavailable if the database does not answer, or accepts no writes.
func (db *DB) Ready(ctx context.Context) error {
	if db.engine != PostgreSQL {
		return db.Ping(ctx)
	}
	err := db.checkWritable(ctx)
	if errors.Is(err, ErrReadOnly) || err != nil && isEnded(err) && ctx.Err() == nil {
		err = db.checkWritable(ctx) // on a new connection, if the old one was replaced or had ended
	}
	return Classify(err)
}

func (db *DB) checkWritable(ctx context.Context) error {
	conn, err := db.probe.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	var readOnly string
	if err := conn.QueryRowContext(ctx, "SELECT current_setting('transaction_read_only')").Scan(&readOnly); err != nil {
		return err
	}
	if readOnly == "on" {
		db.failover.replace(conn)
		return ErrReadOnly
	}
	return nil
}
