package store

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
)

// The schema deletes every row that refers to a player together with the player; exceptions are listed with a reason.
// Spec: SAFE-9
func TestAccounts_EveryTableThatNamesAPlayerLetsGoWithThem(t *testing.T) {
	t.Parallel()
	exempt := []string{
		"deleted_player", // keeps only the id, so that it cannot be used again
		"sponsorship",    // deleted when its operation settles: the spending outlives the account
		"shop_order",     // stays without its player
		"shop_hand_off",  // keeps the id for a year: operators must be able to tell whose order one is that is paid later
		"mail",           // deleted by DeletePlayerMails; the farewell stays until it is sent
	}
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "test.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	query := func(q string, args ...any) (out []string) {
		rows, err := db.reader.QueryContext(t.Context(), q, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var s sql.NullString
			if err := rows.Scan(&s); err != nil {
				t.Fatal(err)
			}
			out = append(out, s.String)
		}
		return out
	}
	found := 0
	for _, table := range query("SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = " +
		"'player_id' ORDER BY 1") {
		found++
		goes := query(`SELECT on_delete FROM pragma_foreign_key_list(?) WHERE "table" = 'player' AND "from" = 'player_id'`, table)
		if !slices.Equal(goes, []string{"CASCADE"}) && !slices.Contains(exempt, table) {
			t.Errorf("%s.player_id stays when the player goes: %v", table, goes)
		}
	}
	if found < 10 {
		t.Errorf("only %d tables name a player", found)
	}
}
