package store

import (
	"context"
	"database/sql"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
)

// The migration that clusters SQLite's tables keeps their rows, and what depends on the tables works afterwards.
func TestMigration_ClusteredTablesKeepTheirRows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "old.db")
	old, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, old, files, goose.WithGoMigrations(engineMigrations(SQLite)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), 54); err != nil {
		t.Fatal(err)
	}
	if _, err := old.ExecContext(t.Context(), `
		INSERT INTO player (id, display_name, email, created_at) VALUES ('P', 'Ada', '', 1);
		INSERT INTO token (contract, token_id, collection, name, kind, rarity, rarity_rank, attributes, words) VALUES ('0xc', '1', 'avatars', 'One', 'avatar', 'rare', 2, '[]', 'one');
		INSERT INTO listing (id, chain_id, listing_id, contract, token_id, seller, quantity, currency, price, price_rank, start_at, end_at, reserved, status, valid, created_at, updated_at)
			VALUES ('1-7', 1, '7', '0xc', '1', '0xs', 3, '0xu', '5', 5, 0, 9, 0, 'active', 1, 1, 1);
		INSERT INTO cart_hold (listing_id, unit, player_id, held_at, expires_at, price, order_id, network) VALUES ('1-7', 2, 'P', 100, 200, '5', 'O', 'N');
		INSERT INTO listing_version (listing_id, version) VALUES ('1-7', 41);
		INSERT INTO outbox (id, topic, target, payload, created_at) VALUES ('0190', 'listing', '', '1-7', 77)`); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}

	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	row := func(want, query string) {
		t.Helper()
		var got string
		if err := db.reader.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", query, got, err, want)
		}
	}
	row("1-7 2 P 100 200 5 O N", "SELECT listing_id || ' ' || unit || ' ' || player_id || ' ' || held_at || ' ' || expires_at || ' ' || price || ' ' || order_id || ' ' || network FROM cart_hold")
	row("2 P 100 200", "SELECT holds FROM listing_card")
	row("41", "SELECT version FROM listing_card")
	row("0190 listing  1-7 77", "SELECT id || ' ' || topic || ' ' || target || ' ' || payload || ' ' || created_at FROM outbox")
	// A deleted player's holds still go with the player.
	if err := db.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		_, err := tx.statements.ExecContext(ctx, "DELETE FROM player")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	row("0", "SELECT COUNT(*) FROM cart_hold")
}

// The migration that begins the log of payments can be undone and made again.
func TestMigration_PaymentRecordsGoDownAndUpAgain(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "new.db")+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithGoMigrations(engineMigrations(SQLite)...))
	if err != nil {
		t.Fatal(err)
	}
	const line = "INSERT INTO shop_line (order_id, id, variation_id, name, quantity) VALUES (1, 2, 101, 'Bronze', 1)"
	for _, step := range []func() error{
		func() error { _, err := p.UpTo(t.Context(), 98); return err },
		func() error {
			_, err := db.ExecContext(t.Context(), "INSERT INTO shop_order (id, number, status, paid_at, problem, notes, hand_offs, updated_at) VALUES (1, '1', 'completed', 1, '', '[]', '[]', 1); "+line)
			return err
		},
		func() error { _, err := p.DownTo(t.Context(), 97); return err },
		func() error { _, err := p.UpTo(t.Context(), 98); return err },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	var edition int
	var nonce string
	if err := db.QueryRowContext(t.Context(), "SELECT edition, nonce FROM shop_line").Scan(&edition, &nonce); err != nil || edition != 0 || nonce != "" {
		t.Errorf("a line has edition %d and nonce %q: %v", edition, nonce, err)
	}
}
