package store_test

import (
	"database/sql"
	"maps"
	"testing"
	"time"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/internal/testkit/storetest"
)

func TestFigures_CountWhatWaits(t *testing.T) {
	t.Parallel()
	eachEmpty(t, func(t *testing.T, o store.Options, raw *sql.DB) {
		db := reopen(t, o)
		t.Cleanup(func() { closeDB(t, db) })
		now := time.UnixMilli(10_000_000)
		if err := db.Write(t.Context(), storetest.InsertPlayer("P")); err != nil {
			t.Fatal(err)
		}
		order := func(id, state string, updated string) {
			t.Helper()
			exec(t, raw, "INSERT INTO purchase_order (id, player_id, wallet, chain_id, currency, total, state, calls, created_at, updated_at, "+
				"expires_at) VALUES ('"+id+"', 'P', '0x01', 1, '0x02', '5', '"+state+"', '[]', 1, "+updated+", 1)")
		}
		order("a", "complete", "9999000")
		order("b", "complete", "9998000")
		order("c", "failed", "9999000")
		order("d", "complete", "1000") // more than an hour ago
		order("e", "confirming", "9990000")
		f, err := db.Figures(t.Context(), now, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"complete": 2, "failed": 1, "confirming": 1}
		if !maps.Equal(f.Orders, want) || !f.PaidSince.Equal(time.UnixMilli(9_990_000)) || f.Holds != 0 {
			t.Errorf("%+v", f)
		}
		for what, q := range map[string]map[onchain.ChainID]store.Queue{"pending": f.Pending, "sent": f.Sent, "operations": f.Operations} {
			if q[1].Waiting != 0 || !q[1].Oldest.IsZero() {
				t.Errorf("%s: %+v", what, q)
			}
		}
	})
}
