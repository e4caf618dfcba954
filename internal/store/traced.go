package store

import (
	"context"
	"database/sql"
	"strings"

	"pantheon/internal/kit/trace"
	"pantheon/internal/store/gen"
)

// traced runs statements as spans of the context's trace, by the names of their queries. Their arguments are not recorded.
type traced struct{ gen.DBTX }

func (t traced) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, span := start(ctx, query)
	defer span.End()
	result, err := t.DBTX.ExecContext(ctx, query, args...)
	span.Fail(err)
	return result, err
}

func (t traced) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, span := start(ctx, query)
	defer span.End()
	rows, err := t.DBTX.QueryContext(ctx, query, args...)
	span.Fail(err)
	return rows, err
}

func (t traced) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx, span := start(ctx, query)
	defer span.End()
	return t.DBTX.QueryRowContext(ctx, query, args...)
}

// start begins the span of a query.
func start(ctx context.Context, query string) (context.Context, trace.Span) {
	name := ""
	if trace.IsRecorded(ctx) {
		name = nameOf(query)
	}
	return trace.Start(ctx, name)
}

// nameOf returns the name that sqlc has given a query, after "sql"; "sql" for any other.
func nameOf(query string) string {
	const mark = "-- name: "
	if !strings.HasPrefix(query, mark) {
		return "sql"
	}
	name, _, _ := strings.Cut(query[len(mark):], " ")
	return "sql " + name
}
