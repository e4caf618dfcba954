package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"

	"pantheon/internal/store/gen"
)

// statements runs queries as prepared statements. A query is prepared when it is first run and kept until close:
// preparing takes SQLite several times as long as running. It is safe for concurrent use.
type statements struct {
	gen.DBTX // a *sql.DB or a *sql.Conn

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

func newStatements(db gen.DBTX) *statements {
	return &statements{DBTX: db, prepared: map[string]*sql.Stmt{}}
}

func (s *statements) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt := s.prepared[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.prepared[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.PrepareContext(ctx, query)
	if err == nil {
		s.prepared[query] = stmt
	}
	return stmt, err
}

// padded repeats the last value of a list until the list has one of a few lengths, so that statements with such lists can be kept
// prepared. The list must not be empty.
func padded[T any](list []T) []T {
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
	return stmt.ExecContext(ctx, args...)
}

func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := s.statement(ctx, query)
	if err != nil {
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
