package store

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"pantheon/internal/store/gen"
)

// statements runs SQLite's queries as prepared statements. A query is prepared when it is first run and kept until close:
// preparing takes SQLite several times as long as running. It is safe for concurrent use.
type statements struct {
	gen.DBTX     // a *sql.DB or a *sql.Conn
	max      int // further queries run without being prepared

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

// maxBrowseStatements bounds the statements of the market's filters: callers choose their combination.
const maxBrowseStatements = 256

func newStatements(db gen.DBTX, max int) *statements {
	return &statements{DBTX: db, max: max, prepared: map[string]*sql.Stmt{}}
}

// statement returns the prepared query; nil if it is to be run without.
func (s *statements) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt, full := s.prepared[query], len(s.prepared) >= s.max
	s.mu.RUnlock()
	if stmt != nil || full {
		return stmt, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.prepared[query]; stmt != nil || len(s.prepared) >= s.max {
		return stmt, nil
	}
	stmt, err := s.PrepareContext(ctx, positional(query))
	if err == nil {
		s.prepared[query] = stmt
	}
	return stmt, err
}

var placeholder = regexp.MustCompile(`\$[0-9]+`)

// positional replaces the placeholders $1, $2, … by question marks if they come in this order, each once. SQLite takes $1 for a
// name, which its driver looks up among all arguments: the time of a statement grows with the square of their number.
func positional(query string) string {
	n := 0
	for _, p := range placeholder.FindAllString(query, -1) {
		n++
		if p != "$"+strconv.Itoa(n) {
			return query
		}
	}
	return placeholder.ReplaceAllString(query, "?")
}

// SelectRows runs a statement that selects all columns of a table or view, in their order, which are the fields of the generated
// type.
func SelectRows[T any](ctx context.Context, db gen.DBTX, s *SQLText) (out []T, err error) {
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row T
		fields := reflect.ValueOf(&row).Elem()
		columns := make([]any, fields.NumField())
		for i := range columns {
			columns[i] = fields.Field(i).Addr().Interface()
		}
		if err := rows.Scan(columns...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// Padded repeats the last value of a list until the list has one of a few lengths, so that statements with such lists can be kept
// prepared. The list must not be empty.
func Padded[T any](list []T) []T {
	for _, length := range []int{1, 10, 30, 100, 250} {
		if len(list) <= length {
			return slices.Concat(list, slices.Repeat(list[len(list)-1:], length-len(list)))
		}
	}
	return list
}

func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return s.DBTX.ExecContext(ctx, query, args...)
	}
	return stmt.ExecContext(ctx, args...)
}

func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return s.DBTX.QueryContext(ctx, query, args...)
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := s.statement(ctx, query)
	if stmt == nil || err != nil {
		return s.DBTX.QueryRowContext(ctx, query, args...) // its Scan returns the error
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	clear(s.prepared)
	return errors.Join(errs...)
}
