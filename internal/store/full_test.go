package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/kit/fault"
	"pantheon/internal/store/gen"
)

// A full disk, as SQLite reports it: the database must not grow.
func TestDiskFull_FullDiskIsUnavailableAndRecoversByItself(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "pantheon.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	limit := func(pages string) {
		t.Helper()
		if _, err := db.group.conn.ExecContext(t.Context(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
	}
	write := func(i int) error {
		return db.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: fmt.Sprint(i), DisplayName: strings.Repeat("x", 2000)})
		})
	}
	limit("1") // SQLite uses the present size instead
	var failed error
	written := 0
	for ; failed == nil && written < 10_000; written++ {
		failed = write(written)
	}
	if !fault.Is(failed, fault.Unavailable) {
		t.Fatalf("a full disk gave %v", failed)
	}
	if strings.Contains(fault.As(failed).Message, "SQL") {
		t.Fatalf("the player is told %q", fault.As(failed).Message)
	}
	limit("1000000")
	if err := write(written); err != nil {
		t.Fatal("with room again:", err)
	}
}

// Requests in progress when the process closes the database fail as unavailable, not as internal errors.
func TestDiskFull_ClosedDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "pantheon.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"ping":  db.Ping(t.Context()),
		"read":  db.Read(t.Context(), func(q *gen.Queries) error { _, err := q.OutboxBatch(t.Context(), 1); return err }),
		"write": db.Write(t.Context(), func(context.Context, *Tx) error { return nil }),
	} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
