package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"pantheon/internal/store/gen"
)

// postgresTx is a transaction on one connection, as the generated queries use a database. Unlike sql.Tx it begins with its
// first statement and ends with its last ones: a pipeline sends BEGIN or COMMIT together with other statements. Each round
// trip that is saved makes the transaction shorter, and with it the time for which it holds its locks.
type postgresTx struct {
	conn   *sql.Conn
	begun  bool
	failed error // why the connection was closed
}

// idle is the status of a connection that is in no transaction (PostgreSQL, "Message Formats", ReadyForQuery).
const idle = 'I'

// endTimeout limits a commit or rollback, which does not end with its caller.
const endTimeout = 10 * time.Second

// idleTimeout is how long a process may leave a transaction: what one that is suspended, or cut off, has locked must not stop the others.
const idleTimeout = 30 * time.Second

// endIfIdle is the statement that bounds how long a process may leave the transaction.
func endIfIdle(d time.Duration) string {
	return fmt.Sprintf("SET LOCAL idle_in_transaction_session_timeout = %d", d.Milliseconds())
}

// EndIfIdle makes PostgreSQL end the transaction if nothing is sent in it for so long, instead of 30 seconds.
func (tx *Tx) EndIfIdle(ctx context.Context, d time.Duration) error {
	if tx.engine != PostgreSQL {
		return nil
	}
	_, err := tx.postgres.ExecContext(ctx, endIfIdle(d))
	return err
}

func (t *postgresTx) begin(ctx context.Context) error {
	if t.begun || t.failed != nil {
		return t.failed
	}
	if _, err := t.conn.ExecContext(ctx, "BEGIN; "+endIfIdle(idleTimeout)); err != nil {
		return t.abandon(err)
	}
	t.begun = true
	return nil
}

// abandon closes the connection when no transaction is open on it after a failure: no later statement may run outside it.
func (t *postgresTx) abandon(err error) error {
	t.failed = err
	_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	return err
}

// reason returns why a write has failed with an error: the driver and the pool hide that the caller has left, or that the
// connection was closed.
func (t *postgresTx) reason(ctx context.Context, err error) error {
	if t.failed != nil {
		err = t.failed
	}
	if ctx.Err() != nil && (errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)) {
		return ctx.Err()
	}
	return err
}

// rollback undoes the transaction unless it has ended. The pool discards a connection on which that fails.
func (t *postgresTx) rollback(ctx context.Context) {
	if !t.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	_, _ = t.conn.ExecContext(ctx, "ROLLBACK")
}

func (t *postgresTx) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return t.conn.ExecContext(ctx, statement, args...)
}

func (t *postgresTx) PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return t.conn.PrepareContext(ctx, statement)
}

func (t *postgresTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return t.conn.QueryContext(ctx, query, args...)
}

func (t *postgresTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	_ = t.begin(ctx) // when it fails, so does the query, for another reason: its connection is closed
	return t.conn.QueryRowContext(ctx, query, args...)
}

// pipeline collects statements that are sent together. The server runs them one after the other, and none after one that
// fails.
type pipeline struct {
	tx      *postgresTx
	batch   pgx.Batch
	Changed []int64 // rows changed by each statement
}

// Pipeline returns an empty pipeline of the transaction; PostgreSQL only.
func (tx *Tx) Pipeline() *pipeline { return &pipeline{tx: tx.postgres} }

// Queries returns queries that are added to the pipeline. Only those without a result can be used.
func (p *pipeline) Queries() *gen.Queries { return gen.New(pipelined{p}) }

// Send runs the statements in the transaction.
func (p *pipeline) Send(ctx context.Context) error {
	if p.tx.failed != nil {
		return p.tx.failed
	}
	batch := &p.batch
	if !p.tx.begun {
		batch = &pgx.Batch{}
		batch.Queue("BEGIN")
		batch.Queue(endIfIdle(idleTimeout))
		batch.QueuedQueries = append(batch.QueuedQueries, p.batch.QueuedQueries...)
	}
	err := p.tx.conn.Raw(func(driver any) error {
		conn, ok := driver.(*stdlib.Conn)
		if !ok {
			return errPipeline
		}
		err := conn.Conn().SendBatch(ctx, batch).Close()
		p.tx.begun = conn.Conn().PgConn().TxStatus() != idle
		return err
	})
	if err != nil && !p.tx.begun {
		return p.tx.abandon(err)
	}
	return err
}

// count notes how many rows a statement has changed, or selected.
func (p *pipeline) count(tag pgconn.CommandTag) error {
	p.Changed = append(p.Changed, tag.RowsAffected())
	return nil
}

// commit runs the statements and commits the transaction. From then on it does not end with its caller, who would not learn
// whether it was committed.
func (p *pipeline) commit(ctx context.Context) error {
	if p.tx.failed != nil {
		return p.tx.failed
	}
	if !p.tx.begun && p.batch.Len() == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	var tag string
	p.batch.Queue("COMMIT").Exec(func(t pgconn.CommandTag) error {
		tag = t.String()
		return nil
	})
	if err := p.Send(ctx); err != nil {
		return err
	}
	// A transaction in which a statement has failed is rolled back by COMMIT.
	if tag != "COMMIT" {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

var errPipeline = errors.New("a pipeline has statements without results only")

// pipelined is a pipeline as the generated queries use a database.
type pipelined struct{ *pipeline }

func (p pipelined) ExecContext(_ context.Context, statement string, args ...any) (sql.Result, error) {
	p.batch.Queue(statement, args...).Exec(p.count)
	return driver.ResultNoRows, nil
}

func (pipelined) PrepareContext(context.Context, string) (*sql.Stmt, error) { return nil, errPipeline }

func (pipelined) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, errPipeline
}

func (pipelined) QueryRowContext(context.Context, string, ...any) *sql.Row { panic(errPipeline) }
