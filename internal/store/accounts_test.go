package store

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
)

// Whatever names a player goes with the player, by the schema itself; what does not is named here, with its reason.
func TestAccounts_EveryTableThatNamesAPlayerLetsGoWithThem(t *testing.T) {
	t.Parallel()
	exempt := []string{
		"deleted_player", // keeps the id alone, so that nobody comes back in under it
		"sponsorship",    // goes when its operation settles: what is spent outlives the account
		"mail",           // goes by DeletePlayerMails; the farewell stays until it is sent
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
	for _, table := range query("SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'player_id' ORDER BY 1") {
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
