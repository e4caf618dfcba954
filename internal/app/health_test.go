package app

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// gauge returns the value of a registered metric.
func gauge(t *testing.T, r *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
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
	a := &base{db: db, clock: now, registry: prometheus.NewRegistry()}
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
		if got := gauge(t, a.registry, "pantheon_outbox_oldest_age_seconds"); got != want {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	wants("empty", 0)
	announced("1")
	now.Advance(90 * time.Second)
	announced("2")
	wants("two wait", 90)
	rows, err := (store.Outbox{DB: db}).Announcements(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := (store.Outbox{DB: db}).Announced(t.Context(), rows[0].ID); err != nil {
		t.Fatal(err)
	}
	now.Advance(time.Second)
	wants("one waits", 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pantheon_outbox_oldest_age_seconds", "pantheon_rewards_failed", "pantheon_rewards_oldest_age_seconds"} {
		if got := gauge(t, a.registry, name); !math.IsNaN(got) {
			t.Errorf("%s without a database: %v, want NaN", name, got)
		}
	}
}

// A reward that fails reaches its player only if an operator hears of it: by the metrics and, once, by the log.
// Spec: BURN-10
func TestRewards_FailedAndLateOnesAreReportedToTheOperator(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), func(t *testing.T, db *store.DB, now *clock.Fake) {
		testkit.AddPlayers(t, db, 0, "zeus")
		var log bytes.Buffer
		a := &base{db: db, clock: now, registry: prometheus.NewRegistry(), log: slog.New(slog.NewTextHandler(&log, nil))}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(a.measure())
		earned := func(source, player string) {
			t.Helper()
			must(rewards.New(db).AddReward(t.Context(), reward.Reward{
				Source: source, Origin: reward.FromGift, PlayerID: player, Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 1}.Content()},
			}, now.Now()))
		}
		fail := func(source string) {
			t.Helper()
			due, err := rewards.New(db).DueGrants(t.Context(), reward.Due{State: reward.Pending, By: now.Now(), Limit: 10})
			must(err)
			for _, g := range due {
				if g.Source == source {
					_, err := rewards.New(db).MoveGrant(t.Context(), g, reward.Failed, "no such token", now.Now())
					must(err)
				}
			}
		}
		var warned int64
		wants := func(when string, failed, age float64, said ...string) {
			t.Helper()
			if got := gauge(t, a.registry, "pantheon_rewards_failed"); got != failed {
				t.Errorf("%s: %v have failed, want %v", when, got, failed)
			}
			if got := gauge(t, a.registry, "pantheon_rewards_oldest_age_seconds"); got != age {
				t.Errorf("%s: the oldest waits for %v s, want %v", when, got, age)
			}
			log.Reset()
			warned = a.warnOfRewards(t.Context(), warned)
			if lines := strings.Count(log.String(), "level=WARN"); lines != len(said) {
				t.Errorf("%s: warned of %s, want %q", when, log.String(), said)
			}
			for _, s := range said {
				if !strings.Contains(log.String(), s) {
					t.Errorf("%s: warned of %s, want %q", when, log.String(), s)
				}
			}
		}
		wants("nothing earned", 0, 0)
		earned("unowned", "")
		now.Advance(time.Hour)
		wants("a reward of a wallet without a player", 0, 0)
		earned("first", "zeus")
		earned("second", "zeus")
		now.Advance(time.Minute)
		wants("two wait", 0, 60)
		fail("first")
		wants("one has failed", 1, 60, "failed=1 new=1")
		wants("it is known", 1, 60)
		now.Advance(5 * time.Minute)
		wants("the other waits", 1, 360, "oldest=6m0s")
		fail("second")
		wants("both have failed", 2, 0, "failed=2 new=1")
	})
}
