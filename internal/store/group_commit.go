package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"sync"

	"modernc.org/sqlite"

	"pantheon/internal/kit/panics"
	"pantheon/internal/store/gen"
)

const groupSize = 128

// groupCommit combines waiting write functions into one SQLite transaction, so that they share one fsync.
type groupCommit struct {
	db         *DB
	conn       *sql.Conn // the only writer
	statements *statements
	queries    *gen.Queries
	jobs       chan *writeJob
	quit       chan struct{}
	once       sync.Once
	done       chan struct{}
}

type writeJob struct {
	ctx    context.Context
	fn     func(context.Context, *Tx) error
	outbox bool
	err    error // of fn
	result chan error
}

var errClosed = errors.New("the database is closed")

func startGroupCommit(ctx context.Context, db *DB) (*groupCommit, error) {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// Statements are prepared on the connection and not in its transactions, whose end would close them. They run in
	// the transaction that is open on the connection.
	s := newStatements(conn, math.MaxInt)
	g := &groupCommit{
		db: db, conn: conn, statements: s, queries: gen.New(traced{s}), jobs: make(chan *writeJob, groupSize), quit: make(chan struct{}),
		done: make(chan struct{}),
	}
	go g.run()
	return g, nil
}

func (g *groupCommit) stop() error {
	g.once.Do(func() { close(g.quit) })
	<-g.done
	return errors.Join(g.statements.close(), g.conn.Close())
}

// do queues the function and waits for its commit. Cancelling the context does not stop a function that has started. A panic of the
// function is raised again, as its caller's.
func (g *groupCommit) do(ctx context.Context, fn func(context.Context, *Tx) error) (outbox bool, err error) {
	defer func() {
		if p, ok := errors.AsType[*panics.Panic](err); ok {
			panic(p)
		}
	}()
	j := &writeJob{ctx: ctx, fn: fn, result: make(chan error, 1)}
	select {
	case g.jobs <- j:
	case <-ctx.Done():
		return false, ctx.Err()
	case <-g.quit:
		return false, errClosed
	}
	select {
	case err := <-j.result:
		return j.outbox, err
	case <-g.done:
		select {
		case err := <-j.result:
			return j.outbox, err
		default:
			return false, errClosed
		}
	}
}

func (g *groupCommit) run() {
	defer close(g.done)
	for {
		select {
		case j := <-g.jobs:
			g.commit(j)
		case <-g.quit:
			return
		}
	}
}

// commit runs first and any other waiting functions, up to groupSize, in one transaction.
//
// A savepoint for each function would isolate failures but costs a third of the throughput. Nearly all functions that
// fail do so before they have changed anything, and need no rollback. When one fails after a change, the transaction is
// rolled back and the functions before it run again, each in its own transaction. A failure may depend on uncommitted
// changes of earlier functions, so errors are returned after the commit too.
func (g *groupCommit) commit(first *writeJob) {
	tx, err := g.conn.BeginTx(context.Background(), nil)
	if err != nil {
		first.result <- err
		return
	}
	var done []*writeJob
	for j := first; j != nil; j = g.next(len(done)) {
		before, err := g.countChanges()
		if err == nil {
			err = g.runOne(j)
		}
		if j.err = err; err == nil {
			done = append(done, j)
			continue
		}
		// After some of its errors SQLite has already rolled everything back.
		_, broken := errors.AsType[*sqlite.Error](err)
		if after, err := g.countChanges(); broken || err != nil || after != before {
			_ = tx.Rollback() // a new transaction begins in either case
			for _, j := range done {
				j.result <- g.alone(j)
			}
			j.result <- j.err
			return
		}
		done = append(done, j)
	}
	err = tx.Commit()
	if err != nil {
		_ = tx.Rollback()
	}
	for _, j := range done {
		if err == nil {
			j.result <- j.err
		} else {
			j.result <- err
		}
	}
}

// next returns another waiting function for a transaction that has run some; nil if none waits, or the transaction is full.
func (g *groupCommit) next(run int) *writeJob {
	if run == groupSize {
		return nil
	}
	select {
	case j := <-g.jobs:
		return j
	default:
		return nil
	}
}

// countChanges returns how many rows the writing connection has changed since it was opened.
func (g *groupCommit) countChanges() (n int64, err error) {
	err = g.statements.QueryRowContext(context.Background(), "SELECT total_changes()").Scan(&n)
	return n, err
}

// alone runs one function in its own transaction.
func (g *groupCommit) alone(j *writeJob) error {
	tx, err := g.conn.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := g.runOne(j); err != nil {
		return err
	}
	return tx.Commit()
}

func (g *groupCommit) runOne(j *writeJob) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	t := &Tx{Queries: g.queries, statements: g.statements, engine: g.db.engine, clock: g.db.clock}
	// SQLite rolls the whole transaction back when a statement is interrupted: one caller's
	// cancellation must not undo the others' work.
	ctx := context.WithoutCancel(j.ctx)
	// A panic is its function's failure: this goroutine serves all callers.
	if err := panics.Call(func() error { return j.fn(ctx, t) }); err != nil {
		return err
	}
	if err := t.finish(ctx, t.Queries); err != nil {
		return err
	}
	j.outbox = len(t.announced) > 0
	return nil
}
