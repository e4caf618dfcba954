package app

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// gauge returns the value of the only registered metric.
func gauge(t *testing.T, r *prometheus.Registry) (name string, value float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%d metrics, %v", len(families), err)
	}
	return families[0].GetName(), families[0].GetMetric()[0].GetGauge().GetValue()
}

// An unsent message delays all later ones: the metric shows its age.
func TestReadiness_AgeOfWhatWaitsInTheOutboxIsMeasured(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	options := testkit.DatabaseOptions(t, store.SQLite)
	options.Clock = now
	db, err := store.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	a := &App{db: db, clock: now, registry: prometheus.NewRegistry()}
	if err := a.measure(); err != nil {
		t.Fatal(err)
	}
	announced := func(id string) {
		t.Helper()
		if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: id})
		}); err != nil {
			t.Fatal(err)
		}
	}
	wants := func(when string, want float64) {
		t.Helper()
		if name, got := gauge(t, a.registry); name != "pantheon_outbox_oldest_age_seconds" || got != want {
			t.Errorf("%s: %s is %v, want %v", when, name, got, want)
		}
	}
	wants("empty", 0)
	announced("1")
	now.Advance(90 * time.Second)
	announced("2")
	wants("two wait", 90)
	rows, err := db.Announcements(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Announced(t.Context(), rows[0].ID); err != nil {
		t.Fatal(err)
	}
	now.Advance(time.Second)
	wants("one waits", 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, got := gauge(t, a.registry); !math.IsNaN(got) {
		t.Errorf("without a database: %v, want NaN", got)
	}
}
