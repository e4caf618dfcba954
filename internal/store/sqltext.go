package store

import (
	"context"
	"fmt"
	"strings"

	"pantheon/internal/store/gen"
)

// SQLText builds a part of a statement. Question marks are placeholders.
type SQLText struct {
	text strings.Builder
	Args []any
}

// Add appends to the statement.
func (s *SQLText) Add(text string, args ...any) {
	s.text.WriteString(text)
	s.Args = append(s.Args, args...)
}

// Embed appends another part of a statement.
func (s *SQLText) Embed(part *SQLText) { s.Add(part.text.String(), part.Args...) }

// String returns the statement with numbered placeholders, which both engines support.
func (s *SQLText) String() string {
	var out strings.Builder
	for i, part := range strings.Split(s.text.String(), "?") {
		if i > 0 {
			fmt.Fprintf(&out, "$%d", i)
		}
		out.WriteString(part)
	}
	return out.String()
}

// In adds an IN condition on the expression added last. values must not be empty.
func In[T any](s *SQLText, values []T) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	s.Add(" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// Count runs a statement that selects one number.
func Count(ctx context.Context, db gen.DBTX, s *SQLText) (n int64, err error) {
	err = db.QueryRowContext(ctx, s.String(), s.Args...).Scan(&n)
	return n, err
}
