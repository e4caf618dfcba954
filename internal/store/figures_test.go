package store_test

import (
	"database/sql"
	"fmt"
	"maps"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
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
		if q := f.Operations[1]; q.Waiting != 0 || !q.Oldest.IsZero() || len(f.Pending[1])+len(f.Sent[1]) != 0 {
			t.Errorf("%+v", f)
		}
		for i, state := range []string{"pending", "pending", "pending", "sent", "mined"} {
			sender := eth.Address{19: byte(i/2 + 1)}
			exec(t, raw, fmt.Sprintf("INSERT INTO gas_transaction (id, chain_id, sender, target, value, data, gas_limit, state, created_at, "+
				"updated_at) VALUES ('t%d', 1, '%s', '0x02', '0', '0x', 0, '%s', %d, 1)", i, sender, state, 9_000_000+i))
		}
		if f, err = db.Figures(t.Context(), now, 1, 2); err != nil {
			t.Fatal(err)
		}
		pending := map[eth.Address]store.Queue{
			{19: 1}: {Waiting: 2, Oldest: time.UnixMilli(9_000_000)}, {19: 2}: {Waiting: 1, Oldest: time.UnixMilli(9_000_002)},
		}
		sent := map[eth.Address]store.Queue{{19: 2}: {Waiting: 1, Oldest: time.UnixMilli(9_000_003)}}
		if !maps.Equal(f.Pending[1], pending) || !maps.Equal(f.Sent[1], sent) || len(f.Pending[2])+len(f.Sent[2]) != 0 {
			t.Errorf("pending %+v, sent %+v", f.Pending, f.Sent)
		}
	})
}
