package app

import (
	"bytes"
	"context"
	"encoding/hex"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
	"pantheon/internal/testkit"
)

// sky is a beacon with a round every 3 s, whose mirrors have a right clock of their own.
type sky struct {
	*testing.T
	signer *beacon.Signer
	clock  *clock.Fake
}

var skyGenesis = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// newSky returns a beacon whose round 1201 has just been published.
func newSky(t *testing.T) *sky {
	t.Helper()
	return &sky{t, beacon.NewSigner([32]byte{1}), clock.NewFake(skyGenesis.Add(time.Hour))}
}

func (s *sky) schedule() draw.Schedule {
	return draw.Schedule{Genesis: skyGenesis, Period: 3 * time.Second}
}

// mirror starts a mirror of the rounds that a signer signs, and returns it with a switch that turns it off.
func (s *sky) mirror(signer *beacon.Signer, c clock.Clock) (address string, off *atomic.Bool) {
	s.Helper()
	rounds := (&beacon.Server{Signer: signer, Genesis: skyGenesis, Period: 3 * time.Second, Clock: c}).Handler()
	off = new(atomic.Bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if off.Load() {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		rounds.ServeHTTP(w, r)
	}))
	s.Cleanup(server.Close)
	return server.URL, off
}

// watched is a beaconClock with its metrics and its log.
type watched struct {
	*beaconClock
	t        *testing.T
	registry *prometheus.Registry
	said     *bytes.Buffer
}

func (s *sky) watch(ours clock.Clock, mirrors ...string) *watched {
	s.Helper()
	w := &watched{t: s.T, registry: prometheus.NewRegistry(), said: &bytes.Buffer{}}
	w.beaconClock = &beaconClock{
		latest: beacon.NewClient(mirrors, s.signer.PublicKey()).Latest, schedule: s.schedule(), clock: ours,
		log: slog.New(slog.NewTextHandler(w.said, nil)),
	}
	if err := w.measure(w.registry); err != nil {
		s.Fatal(err)
	}
	return w
}

// finds compares, and checks the metrics, /readyz and the log: one line that has said, or none for "".
func (w *watched) finds(what string, skew, age float64, problem, said string) {
	w.t.Helper()
	w.said.Reset()
	if err := w.compare(w.t.Context()); err != nil {
		w.t.Errorf("%s: %v", what, err)
	}
	for name, want := range map[string]float64{"pantheon_beacon_clock_skew_seconds": skew, "pantheon_beacon_last_round_age_seconds": age} {
		if got := gauge(w.t, w.registry, name); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			w.t.Errorf("%s: %s is %v, want %v", what, name, got, want)
		}
	}
	got := ""
	if f := fault.As(w.check(w.t.Context())); f != nil {
		got = f.Message
	}
	if got != problem {
		w.t.Errorf("%s: /readyz says %q, want %q", what, got, problem)
	}
	lines := strings.Count(w.said.String(), "\n")
	if said == "" && lines != 0 || said != "" && (lines != 1 || !strings.Contains(w.said.String(), said)) {
		w.t.Errorf("%s: the log says %q, want %q", what, w.said, said)
	}
}

const agrees = "this server's clock agrees"

// Spec: DRAW-16
func TestBeaconClock_ThatIsBehindIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	ours := clock.NewFake(s.clock.Now())
	mirror, _ := s.mirror(s.signer, s.clock)
	w := s.watch(ours, mirror)
	w.finds("right", 0, 0, "", "")
	ours.Advance(-time.Millisecond)
	w.finds("a millisecond behind", -0.001, 0, "", "")
	ours.Advance(-2999 * time.Millisecond)
	w.finds("a period behind", -3, 0, "", "")
	ours.Advance(-time.Second)
	const behind = "this server's clock is at least 4s behind the beacon"
	w.finds("more than a period behind", -4, 0, behind, behind)
	w.finds("still", -4, 0, behind, "")
	ours.Advance(-time.Hour)
	w.finds("further", -3604, 0, "this server's clock is at least 1h0m4s behind the beacon", "")
	ours.Advance(time.Hour + 4*time.Second)
	w.finds("right again", 0, 0, "", agrees)
}

// Spec: DRAW-16
func TestBeaconClock_ThatIsTwoPeriodsBehindIsToldAtAnyTime(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	mirror, _ := s.mirror(s.signer, s.clock)
	for range 30 {
		w := s.watch(clock.NewFake(s.clock.Now().Add(-6*time.Second)), mirror)
		if err := w.compare(t.Context()); err != nil || w.check(t.Context()) == nil {
			t.Errorf("%s after a round it is not told: %v", s.clock.Now().Sub(skyGenesis)%(3*time.Second), err)
		}
		s.clock.Advance(100 * time.Millisecond)
	}
}

// Spec: DRAW-16
func TestBeaconClock_ThatIsAheadOrALateBeaconIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	ours := clock.NewFake(s.clock.Now())
	mirror, _ := s.mirror(s.signer, s.clock)
	w := s.watch(ours, mirror)
	ours.Advance(2999 * time.Millisecond)
	w.finds("before the next round", 0, 2.999, "", "")
	ours.Advance(3001 * time.Millisecond)
	w.finds("two periods after the newest", 3, 6, "", "")
	ours.Advance(time.Second)
	const late = "the beacon's next round is overdue by 4s: the beacon is late, or this server's clock ahead"
	w.finds("more than two periods after", 4, 7, late, late)
	w.finds("still", 4, 7, late, "")
	s.clock.Advance(7 * time.Second)
	w.finds("the beacon has caught up", 0, 1, "", agrees)
}

// What the request takes is not held against the beacon.
func TestBeaconClock_SlowAnswersAreNotLate(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	ours := clock.NewFake(s.clock.Now())
	rounds := (&beacon.Server{Signer: s.signer, Genesis: skyGenesis, Period: 3 * time.Second, Clock: s.clock}).Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rounds.ServeHTTP(w, r)
		s.clock.Advance(10 * time.Second)
		ours.Advance(10 * time.Second)
	}))
	t.Cleanup(server.Close)
	s.watch(ours, server.URL).finds("an answer after 10 s", 0, 10, "", "")
}

// Spec: DRAW-16
func TestBeaconClock_BelievesTheNewestRoundOfAllMirrors(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	stale, _ := s.mirror(s.signer, clock.NewFake(s.clock.Now().Add(-time.Minute)))
	lies, _ := s.mirror(beacon.NewSigner([32]byte{2}), clock.NewFake(s.clock.Now().Add(time.Hour)))
	right, off := s.mirror(s.signer, s.clock)
	w := s.watch(clock.NewFake(s.clock.Now()), stale, lies, right)
	w.finds("one that is right", 0, 0, "", "")
	off.Store(true)
	const late = "the beacon's next round is overdue by 57s: the beacon is late, or this server's clock ahead"
	w.finds("only one that is stale", 57, 60, late, late)
	off.Store(false)
	w.finds("the right one again", 0, 0, "", agrees)
	// A wrong signature proves nothing, of whatever round.
	nan := math.NaN()
	const lost = "no mirror of the beacon answers"
	s.watch(s.clock, lies).finds("only one that lies", nan, nan, lost, lost)
}

// Spec: DRAW-16
func TestBeaconClock_SilenceIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	mirror, off := s.mirror(s.signer, s.clock)
	w := s.watch(s.clock, mirror)
	if err := w.check(t.Context()); err != nil {
		t.Errorf("before it has asked: %v", err)
	}
	nan := math.NaN()
	off.Store(true)
	const lost = "no mirror of the beacon answers"
	w.finds("nobody has ever answered", nan, nan, lost, lost)
	off.Store(false)
	w.finds("the first answer", 0, 0, "", agrees)
	off.Store(true)
	s.clock.Advance(30 * time.Second)
	w.finds("silence", nan, 30, lost, lost)
	s.clock.Advance(30 * time.Second)
	w.finds("still", nan, 60, lost, "")
	off.Store(false)
	w.finds("an answer", 0, 0, "", agrees)
}

// The whole portal has the check, which makes no replica unready, and the metrics.
func TestBeaconClock_IsPartOfThePortal(t *testing.T) {
	t.Parallel()
	s := newSky(t)
	mirror, _ := s.mirror(s.signer, s.clock)
	portal, c := configure(t, map[string]string{
		"BEACON_URL": mirror, "BEACON_PUBLIC_KEY": hex.EncodeToString(s.signer.PublicKey().Bytes()),
		"BEACON_GENESIS": "1767225600", "BEACON_PERIOD": "3",
	})
	options := portal.options()
	options.Clock = clock.NewFake(s.clock.Now().Add(-10 * time.Second))
	a := portal.start(c, options)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.replica["beacon clock"](ctx) }()
	t.Cleanup(func() { stop(); <-done })
	testkit.Eventually(t, time.Minute, func() bool { return gauge(t, a.registry, "pantheon_beacon_clock_skew_seconds") == -10 },
		"the skew is not -10 s")
	for _, c := range a.health.Checks() {
		if c.Name == "draws" && !c.Required && fault.Is(c.Run(t.Context()), fault.Unavailable) {
			return
		}
	}
	t.Error("/readyz has no line about draws")
}

func TestBeaconClock_ComparesEvery30Seconds(t *testing.T) {
	t.Parallel()
	if beaconInterval != 30*time.Second {
		t.Errorf("the interval is %s", beaconInterval)
	}
}
