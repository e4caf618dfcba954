package health_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
)

// part is a part whose state a test sets.
type part struct{ err atomic.Pointer[error] }

func (p *part) set(err error)             { p.err.Store(&err) }
func (p *part) run(context.Context) error { return *p.err.Load() }

func newPart() *part {
	p := &part{}
	p.set(nil)
	return p
}

// Spec: RUN-9
func TestMonitor_IsUnreadyWithoutWhatItRequiresAndDegradedWithoutTheRest(t *testing.T) {
	t.Parallel()
	database, chain := newPart(), newPart()
	m := health.New(slog.New(slog.DiscardHandler), nil)
	m.Add(health.Check{Name: "database", Run: database.run, Required: true},
		health.Check{Name: "chain", Run: chain.run, Impairs: health.Trading})
	lost := fault.New(fault.Unavailable, "cannot be reached")
	for _, c := range []struct {
		database, chain error
		state           string
		impaired        []health.Feature
	}{
		{nil, nil, "ready", nil},
		{nil, lost, "degraded", []health.Feature{"trading"}},
		{lost, nil, "unready", nil},
		{lost, lost, "unready", []health.Feature{"trading"}},
	} {
		database.set(c.database)
		chain.set(c.chain)
		r := m.Report(t.Context())
		if r.State != c.state || r.Ready() != (c.state != "unready") || !slices.Equal(m.Impaired(), c.impaired) {
			t.Errorf("database %v, chain %v: %+v, %v", c.database, c.chain, r, m.Impaired())
		}
	}
}

func TestMonitor_DrainingIsUnreadyAtOnce(t *testing.T) {
	t.Parallel()
	m := health.New(slog.New(slog.DiscardHandler), nil)
	if r := m.Report(t.Context()); r.State != "ready" {
		t.Fatalf("%+v", r)
	}
	m.Drain()
	if r := m.Report(t.Context()); r.State != "unready" || r.Checks["replica"] != "stopping" {
		t.Errorf("%+v", r)
	}
}

// A log line for each change, and none for each check: probes ask every second.
func TestMonitor_LogsChangesOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var observed []bool
		chain := newPart()
		m := health.New(slog.New(slog.NewTextHandler(&log, nil)), func(_ string, works bool) { observed = append(observed, works) })
		m.Add(health.Check{Name: "chain", Run: chain.run})
		logs := func(when string, err error, want ...string) {
			t.Helper()
			log.Reset()
			chain.set(err)
			for range 3 {
				m.Report(t.Context())
			}
			lines := strings.Split(strings.TrimSpace(log.String()), "\n")
			if len(want) == 0 && log.Len() > 0 || len(want) > 0 && len(lines) != 1 {
				t.Errorf("%s: logged %q", when, lines)
			}
			for _, w := range want {
				if !strings.Contains(log.String(), w) {
					t.Errorf("%s: logged %q, want %q", when, lines, w)
				}
			}
		}
		behind := func(blocks int) error { return fault.New(fault.Unavailable, "%d blocks behind", blocks) }
		logs("works", nil)
		logs("fails", errors.New("dial 10.1.2.3"), "part fails", "part=chain", "10.1.2.3", "level=WARN")
		logs("for another reason", behind(300), "300 blocks behind")
		logs("with another figure", behind(301))
		time.Sleep(time.Minute) // of synctest's fake clock
		logs("works again", nil, "part works again", `"failed for"=1m0s`)
		if want := []bool{true, true, true, false}; !slices.Equal(observed[:4], want) {
			t.Errorf("observed %v", observed)
		}
	})
}

func TestMonitor_ConcurrentReportsShareARoundOfChecks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		m := health.New(slog.New(slog.DiscardHandler), nil)
		m.Add(health.Check{Name: "slow", Run: func(context.Context) error {
			runs.Add(1)
			time.Sleep(time.Second) // of synctest's fake clock
			return nil
		}})
		for range 50 {
			go m.Report(t.Context())
		}
		synctest.Wait()
		m.Report(t.Context())
		if n := runs.Load(); n != 1 {
			t.Errorf("%d rounds, want 1", n)
		}
	})
}

// One part that hangs, or panics, does not keep the others' results.
func TestMonitor_AHangingPartFailsAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := health.New(slog.New(slog.DiscardHandler), nil)
		stubborn := make(chan struct{})
		defer close(stubborn)
		m.Add(health.Check{Name: "hangs", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
			health.Check{Name: "ignores the timeout", Run: func(context.Context) error { <-stubborn; return nil }},
			health.Check{Name: "panics", Run: func(context.Context) error { panic("broken") }}, health.Check{Name: "works", Run: newPart().run})
		began := time.Now()
		r := m.Report(t.Context())
		if took := time.Since(began); took != 2*time.Second || r.Checks["hangs"] != "failing" || r.Checks["panics"] != "failing" ||
			r.Checks["works"] != "ok" {
			t.Errorf("%+v after %v", r, took)
		}
	})
}

// However often anybody asks, the parts are asked twice a second at most.
func TestMonitor_RecentAsksThePartsSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := health.New(slog.New(slog.DiscardHandler), nil)
		var asked atomic.Int64
		database := newPart()
		m.Add(health.Check{Name: "chain", Run: func(context.Context) error { asked.Add(1); return nil }},
			health.Check{Name: "database", Run: database.run, Required: true})
		for range 100 {
			if r := m.Recent(t.Context()); r.State != "ready" {
				t.Fatalf("%+v", r)
			}
			time.Sleep(10 * time.Millisecond) // of the bubble's clock
		}
		if n := asked.Load(); n != 2 {
			t.Errorf("asked %d times in a second, want 2", n)
		}
		time.Sleep(time.Second) // the cached report expires
		database.set(errors.New("away"))
		if r := m.Recent(t.Context()); r.State != "unready" {
			t.Errorf("without the database: %+v", r)
		}
		database.set(nil)
		if r := m.Recent(t.Context()); r.State != "ready" {
			t.Errorf("with the database again: %+v", r)
		}
		m.Drain()
		if r := m.Recent(t.Context()); r.State != "unready" {
			t.Errorf("draining: %+v", r)
		}
	})
}
