package store

import (
	"context"
	"fmt"
	"strings"

	"pantheon/internal/store/gen"
)

// sqlText builds a part of a statement. Question marks are placeholders.
type sqlText struct {
	text strings.Builder
	args []any
}

func (s *sqlText) add(text string, args ...any) {
	s.text.WriteString(text)
	s.args = append(s.args, args...)
}

func (s *sqlText) embed(part *sqlText) { s.add(part.text.String(), part.args...) }

// String returns the statement with numbered placeholders, which both engines support.
func (s *sqlText) String() string {
	var out strings.Builder
	for i, part := range strings.Split(s.text.String(), "?") {
		if i > 0 {
			fmt.Fprintf(&out, "$%d", i)
		}
		out.WriteString(part)
	}
	return out.String()
}

// in adds an IN condition on the expression added last. values must not be empty.
func in[T any](s *sqlText, values []T) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	s.add(" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

func count(ctx context.Context, db gen.DBTX, s *sqlText) (n int64, err error) {
	err = db.QueryRowContext(ctx, s.String(), s.args...).Scan(&n)
	return n, err
}
