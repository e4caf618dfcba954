package testkit

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// Connect opens a plain connection to a database.
func Connect(t *testing.T, driver, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Explain runs an EXPLAIN statement and returns the steps of the plan: the last column of its rows.
func Explain(t *testing.T, db *sql.DB, text string, args ...any) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text, args...)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, strings.TrimSpace(fmt.Sprint(*values[len(values)-1].(*any))))
	}
	return steps
}
