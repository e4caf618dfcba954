package monitoring_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// meter counts in memory.
type meter struct {
	mu     sync.Mutex
	counts map[string]int
}

func (m *meter) add(what string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = map[string]int{}
	}
	m.counts[what] += n
}

func (m *meter) of(what string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts[what]
}

func (m *meter) Received(kind monitoring.Kind, events, errors int) {
	m.add("received "+string(kind), 1)
	m.add("events", events)
	m.add("errors", errors)
}
func (m *meter) Lost(_ monitoring.Kind, why monitoring.Loss) { m.add(string(why), 1) }
func (m *meter) Passed(kind monitoring.Kind)                 { m.add("passed "+string(kind), 1) }

// intake passes on the reports it receives; while hold is set, a request blocks until its context ends.
type intake struct {
	got  chan monitoring.Report
	hold bool
	fail error
}

func (i *intake) Send(ctx context.Context, r monitoring.Report) error {
	if i.hold {
		<-ctx.Done()
		return ctx.Err()
	}
	if i.fail != nil {
		return i.fail
	}
	i.got <- r
	return nil
}

// run runs the service until stop is called, which waits for it to return.
func run(t *testing.T, s *monitoring.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// trim calls Trim and fails the test on an error.
func trim(t *testing.T, s *monitoring.Service) {
	t.Helper()
	if err := s.Trim(t.Context()); err != nil {
		t.Fatal(err)
	}
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func event(n int) []byte { return fmt.Appendf(nil, `{"type":"error","n":%d}`, n) }

// Spec: MON-7
func TestService_ReportsAreKeptUntilTheyAreOldOrTooMany(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		clk, m := clock.NewFake(now), &meter{}
		s := monitoring.NewService(monitoring.Options{
			Store: store.Monitoring{DB: db}, Keep: 20, KeepFor: time.Hour, Meter: m, Clock: clk,
			Report: func(what string, err error) { t.Error(what, err) },
		})
		contentType, body := recording(t, part{"segment", "x", "xyz"}, part{"event", "blob", "{}"})
		stop := run(t, s)
		for n := range 30 {
			if err := s.Take(forward, plain, event(n), "", free); err != nil {
				t.Fatal(err)
			}
		}
		for range 5 {
			if err := s.Take(replayForward, contentType, body, "", free); err != nil {
				t.Fatal(err)
			}
		}
		stop() // queued reports are stored even on an immediate shutdown
		count := func(kind monitoring.Kind) int {
			got, err := s.Reports(t.Context(), monitoring.Filter{Kind: kind}, 100)
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		if count(monitoring.RUM) != 30 || count(monitoring.Replay) != 5 {
			t.Fatalf("kept are %d and %d", count(monitoring.RUM), count(monitoring.Replay))
		}
		trim(t, s)
		if count(monitoring.RUM) != 20 || count(monitoring.Replay) != 2 {
			t.Errorf("left are %d and %d, want the newest 20 and, of recordings, 2", count(monitoring.RUM), count(monitoring.Replay))
		}
		newest, err := s.Reports(t.Context(), monitoring.Filter{Kind: monitoring.RUM, Errors: true}, 1)
		if err != nil || string(newest[0].Events[0]) != string(event(29)) || !newest[0].ReceivedAt.Equal(now) {
			t.Errorf("the newest is %+v (%v)", newest, err)
		}
		clk.Advance(time.Hour + time.Millisecond)
		trim(t, s)
		if count("") != 0 {
			t.Errorf("%d are left after an hour", count(""))
		}
		if m.of("received rum") != 30 || m.of("received replay") != 5 || m.of("events") != 35 || m.of("errors") != 30 {
			t.Errorf("counted is %v", m.counts)
		}
	})
}

// Spec: MON-6
func TestKeep_IsBoundedInBytes(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		s := monitoring.NewService(monitoring.Options{
			Store: store.Monitoring{DB: db}, Keep: 1000, KeepBytes: 400_000, KeepFor: time.Hour, Meter: &meter{}, Clock: clock.NewFake(now),
			Report: func(what string, err error) { t.Error(what, err) },
		})
		stop := run(t, s)
		contentType, body := recording(t, part{"segment", "x", strings.Repeat("x", 30_000)}, part{"event", "blob", "{}"})
		for n := range 60 {
			if err := s.Take(forward, plain, fmt.Appendf(nil, `{"n":%d,"text":"%s"}`, n, strings.Repeat("x", 20_000)), "", free); err != nil {
				t.Fatal(err)
			}
			if err := s.Take(replayForward, contentType, body, "", free); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		for kind, want := range map[monitoring.Kind]int{monitoring.RUM: 100_000 / 20_019, monitoring.Replay: 200_000 / 40_012} {
			got, err := s.Reports(t.Context(), monitoring.Filter{Kind: kind}, 1000)
			if err != nil {
				t.Fatal(err)
			}
			// At most a sixteenth of the bound is stored before the next trim, and at least one report.
			if len(got) < want || len(got) > want+2 {
				t.Errorf("%d reports of kind %s are kept, want %d", len(got), kind, want)
			}
		}
		trim(t, s)
		got, err := s.Reports(t.Context(), monitoring.Filter{Kind: monitoring.RUM}, 1000)
		if err != nil || len(got) != 4 || !strings.HasPrefix(string(got[0].Events[0]), `{"n":59,`) ||
			!strings.HasPrefix(string(got[3].Events[0]), `{"n":56,`) {
			t.Errorf("%d reports are left (%v), want the newest four", len(got), err)
		}
	})
}

func TestService_ReportsArePassedOnAsTheyCame(t *testing.T) {
	t.Parallel()
	i, m := &intake{got: make(chan monitoring.Report)}, &meter{}
	s := monitoring.NewService(monitoring.Options{Intake: i, Meter: m, Clock: clock.NewFake(now)})
	stop := run(t, s)
	if err := s.Take(forward, plain, []byte(view), "203.0.113.77", free); err != nil {
		t.Fatal(err)
	}
	if r := <-i.got; string(r.Body) != view || r.Address != "203.0.113.77" || r.Parameters.Get("dd-evp-origin") != "browser" ||
		r.Kind != monitoring.RUM {
		t.Errorf("passed on is %+v", r)
	}
	stop()
	if m.of("passed rum") != 1 {
		t.Errorf("counted is %v", m.counts)
	}
}

// A slow intake loses reports but neither delays requests nor exceeds the memory bound.
// Spec: MON-8
func TestService_FullQueueDropsReportsAndCountsThem(t *testing.T) {
	t.Parallel()
	m := &meter{}
	s := monitoring.NewService(monitoring.Options{
		Intake: &intake{hold: true}, Meter: m, Clock: clock.NewFake(now), Report: func(string, error) {},
	})
	stop := run(t, s)
	const taken = 1000
	for n := range taken {
		if err := s.Take(forward, plain, event(n), "", free); err != nil {
			t.Fatal(err)
		}
	}
	if lost := m.of(string(monitoring.PassQueueFull)); lost < taken-512-4 || lost > taken-512 {
		t.Errorf("%d of %d are dropped, want all but 512 and those under way", lost, taken)
	}
	stop()

	m = &meter{}
	s = monitoring.NewService(monitoring.Options{Intake: &intake{}, Meter: m, Clock: clock.NewFake(now)}) // not running
	large := []byte(strings.Repeat(`{"x":"`+strings.Repeat("x", 250<<10)+"\"}\n", 4))
	for range 20 {
		if err := s.Take(forward, plain, large, "", free); err != nil {
			t.Fatal(err)
		}
	}
	if room := 20 - m.of(string(monitoring.PassQueueFull)); room != 16 {
		t.Errorf("%d reports of a MiB have room, want 16", room)
	}
}

func TestService_FailuresAreToldOnceAndCountedEachTime(t *testing.T) {
	t.Parallel()
	told := make(chan string, 100)
	m := &meter{}
	db := testkit.Database(t, store.SQLite)
	s := monitoring.NewService(monitoring.Options{
		Store: broken{store.Monitoring{DB: db}}, Keep: 10, KeepFor: time.Hour, Intake: &intake{fail: errors.New("no")}, Meter: m,
		Clock:  clock.NewFake(now),
		Report: func(what string, _ error) { told <- what },
	})
	stop := run(t, s)
	for n := range 5 {
		if err := s.Take(forward, plain, event(n), "", free); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Eventually(t, 10*time.Second, func() bool { return m.of(string(monitoring.NotPassed)) == 5 }, "reports are not tried")
	stop()
	if m.of(string(monitoring.NotKept)) != 5 || len(told) != 2 {
		t.Errorf("counted is %v, told was %d times", m.counts, len(told))
	}
}

func TestTrim_ThatFailsIsToldAndTriedAgain(t *testing.T) {
	t.Parallel()
	told := make(chan error, 100)
	db := &untrimmable{Monitoring: store.Monitoring{DB: testkit.Database(t, store.SQLite)}}
	s := monitoring.NewService(monitoring.Options{
		Store: db, Keep: 10, KeepBytes: 16, KeepFor: time.Hour, Meter: &meter{}, Clock: clock.NewFake(now),
		Report: func(_ string, err error) { told <- err },
	})
	stop := run(t, s)
	for n := range 3 {
		if err := s.Take(forward, plain, event(n), "", free); err != nil {
			t.Fatal(err)
		}
		// At the start, and after each report.
		testkit.Eventually(t, 10*time.Second, func() bool { return db.attempts.Load() == int64(n+2)*int64(len(monitoring.Kinds())) },
			"trim %d is not tried", n)
	}
	stop()
	if err := <-told; !errors.Is(err, context.DeadlineExceeded) || len(told) != 0 {
		t.Errorf("told was %v, and %d more", err, len(told))
	}
}

// untrimmable keeps all reports: each trim takes too long.
type untrimmable struct {
	store.Monitoring
	attempts atomic.Int64
}

func (u *untrimmable) TrimReports(context.Context, monitoring.Kind, int, int64) error {
	u.attempts.Add(1)
	return context.DeadlineExceeded
}

func TestService_ReportsWaitWhileTheDatabaseIsBusy(t *testing.T) {
	t.Parallel()
	m := &meter{}
	db := &busy{Monitoring: store.Monitoring{DB: testkit.Database(t, store.SQLite)}}
	s := monitoring.NewService(monitoring.Options{
		Store: db, Keep: 10, KeepFor: time.Hour, Meter: m, Clock: clock.NewFake(now), Report: func(string, error) {},
	})
	stop := run(t, s)
	defer stop()
	if err := s.Take(forward, plain, event(1), "", free); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 10*time.Second, func() bool {
		kept, err := s.Reports(t.Context(), monitoring.Filter{}, 10)
		return err == nil && len(kept) == 1
	}, "the report is not kept")
	if m.of(string(monitoring.NotKept)) != 0 {
		t.Errorf("counted is %v", m.counts)
	}
}

// busy keeps nothing the first time.
type busy struct {
	store.Monitoring
	attempts atomic.Int64
}

func (b *busy) KeepReports(ctx context.Context, reports []monitoring.Kept) error {
	if b.attempts.Add(1) == 1 {
		return context.DeadlineExceeded
	}
	return b.Monitoring.KeepReports(ctx, reports)
}

// broken keeps nothing.
type broken struct{ store.Monitoring }

func (broken) KeepReports(context.Context, []monitoring.Kept) error { return errors.New("disk full") }

func TestService_RefusesReportsWhenMonitoringIsOff(t *testing.T) {
	t.Parallel()
	s := monitoring.NewService(monitoring.Options{Meter: &meter{}, Clock: clock.NewFake(now)})
	if err := s.Take(forward, plain, []byte(view), "", free); !fault.Is(err, fault.NotFound) || s.Active() {
		t.Errorf("taken: %v", err)
	}
	stop := run(t, s)
	stop()
}
