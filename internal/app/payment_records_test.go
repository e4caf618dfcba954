package app

import (
	"bytes"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

// Until a record is anchored, its pack is not drawn: operators hear of it, and /readyz shows it.
// Spec: DRAW-5
func TestPaymentRecords_ThatAreNotAnchoredAreReported(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), func(t *testing.T, db *store.DB, now *clock.Fake) {
		var log bytes.Buffer
		a := &base{db: db, clock: now, registry: prometheus.NewRegistry(), log: slog.New(slog.NewTextHandler(&log, nil))}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(a.measure())
		sell := func(order uint64) {
			t.Helper()
			_, err := testkit.AddPurchaseOpening(t.Context(), db, draw.Purchase{Shop: "shop", Order: order},
				projection.Pack{Kind: "destiny-gold", Edition: 1}, now.Now(), 0)
			must(err)
		}
		wants := func(when string, age float64, warning string) {
			t.Helper()
			if got := gauge(t, a.registry, "pantheon_payment_records_oldest_age_seconds"); got != age {
				t.Errorf("%s: %v s, want %v", when, got, age)
			}
			log.Reset()
			a.warnOfRecords(t.Context())
			if got := log.String(); (got == "") != (warning == "") || !strings.Contains(got, warning) {
				t.Errorf("%s: warned of %q, want %q", when, got, warning)
			}
			err := a.anchored(t.Context())
			if f := fault.As(err); (err == nil) != (warning == "") || err != nil && (f == nil || f.Code != fault.Unavailable) {
				t.Errorf("%s: /readyz says %v", when, err)
			}
		}
		wants("nothing sold", 0, "")
		sell(1)
		now.Advance(time.Minute)
		sell(2)
		now.Advance(4 * time.Minute)
		wants("two wait", 300, "")
		now.Advance(time.Second)
		wants("for too long", 301, "oldest=5m1s")
		anchor := packs.RecordAnchor{Number: 1, Begun: now.Now()}
		must(rewards.New(db).BeginRecordAnchor(t.Context(), anchor))
		wants("the anchor is on its way", 301, "oldest=5m1s")
		anchor.Fixed = packs.Fixed{Chain: 1, Tx: eth.Hash{1}, Block: 5}
		must(rewards.New(db).MoveRecordAnchor(t.Context(), anchor, 0))
		wants("the first is in a block", 241, "")
		must(rewards.New(db).BeginRecordAnchor(t.Context(), packs.RecordAnchor{Number: 2, Begun: now.Now()}))
		anchor.Number = 2
		must(rewards.New(db).MoveRecordAnchor(t.Context(), anchor, 0))
		wants("both are", 0, "")
	})
}

func TestPaymentRecords_AgeIsUnknownWithoutADatabase(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), testkit.DatabaseOptions(t, store.SQLite))
	if err != nil {
		t.Fatal(err)
	}
	a := &base{db: db, clock: clock.System{}, registry: prometheus.NewRegistry()}
	if err := a.measure(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := gauge(t, a.registry, "pantheon_payment_records_oldest_age_seconds"); !math.IsNaN(got) {
		t.Errorf("%v, want NaN", got)
	}
}
