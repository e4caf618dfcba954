// Package health tracks the parts that a replica depends on: whether each works, and which features of the site are impaired by one
// that does not.
//
// A replica is ready while the parts that it cannot answer without work. Others may fail: then it is degraded, and stays ready, as
// they are shared by all replicas, and taking every replica out of the proxy would turn a part's failure into an outage.
package health

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/panics"
	"pantheon/internal/kit/periodic"
)

// Feature is what players cannot use, or not fully, while a part fails. Clients may meet features that they do not know.
type Feature string

// The features.
const (
	Trading Feature = "trading" // buying and selling, and whatever else the game chain does
	Wallets Feature = "wallets" // what the main chain does
	Live    Feature = "live"    // changes are not shown as they happen
	Packs   Feature = "packs"   // opening packs
	Sponsor Feature = "gas"     // gas is not paid for players
	Account Feature = "account" // signing in and currencies, where another platform has them
)

// Check is a part that is checked.
type Check struct {
	Name string
	// Run returns nil if the part works. Of its error only a fault's message is shown to the public; the log has the rest.
	Run func(context.Context) error
	// Required means that a replica cannot answer without the part.
	Required bool
	// Impairs is the feature that the part's failure impairs; "" for none.
	Impairs Feature
}

// The states of a replica.
const (
	StateReady    = "ready"    // all parts work
	StateDegraded = "degraded" // it answers, and some part fails
	StateUnready  = "unready"  // it cannot answer, or is about to stop
)

// Report is the state of a replica and its parts.
type Report struct {
	State  string
	Checks map[string]string // "ok", or what is wrong, by part
}

// Ready reports whether the replica should get requests.
func (r Report) Ready() bool { return r.State != StateUnready }

const (
	// Interval is how often Run checks all parts.
	Interval = 5 * time.Second
	// recent is how long Recent caches a report.
	recent = 500 * time.Millisecond
	// timeout is the timeout of a round of checks.
	timeout = 2 * time.Second
	// replica is the name under which a report says that the replica stops.
	replica = "replica"
)

// Monitor checks the parts. It is safe for concurrent use; see New.
type Monitor struct {
	log     *slog.Logger
	observe func(part string, works bool)

	mu       sync.Mutex
	checks   []Check
	states   map[string]*state // by part
	round    *round            // under way; nil for none
	last     *round            // the last one that has ended; nil before the first
	ended    time.Time         // when it did
	draining bool
}

// state is the last result of a part's check.
type state struct {
	err   error
	since time.Time // of the first failure in a row
}

// round is a run of all checks, whose report is shared by those who ask meanwhile.
type round struct {
	done   chan struct{}
	report Report
}

// New returns a monitor without parts. It calls observe, unless nil, with each result of a check.
func New(log *slog.Logger, observe func(part string, works bool)) *Monitor {
	if observe == nil {
		observe = func(string, bool) {}
	}
	return &Monitor{log: log, observe: observe, states: map[string]*state{}}
}

// Add adds parts. Names must be unique.
func (m *Monitor) Add(checks ...Check) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checks = append(m.checks, checks...)
}

// Checks returns the parts.
func (m *Monitor) Checks() []Check {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.checks)
}

// Run checks all parts every Interval, until ctx ends. The first time is after one Interval: parts that are starting have not failed.
func (m *Monitor) Run(ctx context.Context) error {
	return periodic.Run(ctx, Interval, func(ctx context.Context) error { m.Report(ctx); return nil }, func(error) {})
}

// Drain makes the replica unready: it is about to stop.
func (m *Monitor) Drain() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draining = true
}

// Draining reports whether Drain was called.
func (m *Monitor) Draining() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.draining
}

// Impaired returns the features that failing parts impaired when they were last checked, sorted.
func (m *Monitor) Impaired() []Feature {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []Feature{}
	for _, c := range m.checks {
		if s := m.states[c.Name]; c.Impairs != "" && s != nil && s.err != nil {
			out = append(out, c.Impairs)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Recent returns a cached report of a ready replica for half a second, so that callers cannot overload the parts. Other reports are not
// cached: a load balancer would count one failure several times.
func (m *Monitor) Recent(ctx context.Context) Report {
	m.mu.Lock()
	r := m.last
	isRecent := r != nil && r.report.Ready() && time.Since(m.ended) < recent
	m.mu.Unlock()
	if !isRecent {
		return m.Report(ctx)
	}
	return m.now(r.report)
}

// Report checks all parts, at once, for two seconds at most. Concurrent calls share a round of checks.
func (m *Monitor) Report(ctx context.Context) Report {
	m.mu.Lock()
	r := m.round
	if r == nil {
		r = &round{done: make(chan struct{})}
		m.round = r
		go m.check(context.WithoutCancel(ctx), r)
	}
	m.mu.Unlock()
	<-r.done
	return m.now(r.report)
}

// now is a report with what has changed since.
func (m *Monitor) now(r Report) Report {
	if m.Draining() {
		r.State = StateUnready
	}
	return r
}

// check runs all checks for a round.
func (m *Monitor) check(ctx context.Context, r *round) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	checks := m.Checks()
	answers := make([]chan error, len(checks))
	for i, c := range checks {
		answers[i] = make(chan error, 1)
		go func() { answers[i] <- panics.Call(func() error { return c.Run(ctx) }) }()
	}
	results := make([]error, len(checks))
	for i := range checks {
		select {
		case results[i] = <-answers[i]:
		case <-ctx.Done(): // also of a check that does not heed it
			select {
			case results[i] = <-answers[i]:
			default:
				results[i] = ctx.Err()
			}
		}
	}
	r.report = Report{State: StateReady, Checks: make(map[string]string, len(checks)+1)}
	for i, c := range checks {
		err := results[i]
		r.report.Checks[c.Name] = text(err)
		switch {
		case err != nil && c.Required:
			r.report.State = StateUnready
		case err != nil && r.report.State == StateReady:
			r.report.State = StateDegraded
		}
		m.note(c, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.draining {
		r.report.State, r.report.Checks[replica] = StateUnready, "stopping"
	}
	m.round, m.last, m.ended = nil, r, time.Now()
	close(r.done)
}

// text is what the public may know of an error.
func text(err error) string {
	if err == nil {
		return "ok"
	}
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "failing"
}

// note keeps a result, and logs it if the part's state has changed.
func (m *Monitor) note(c Check, err error) {
	m.observe(c.Name, err == nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	was := cmp.Or(m.states[c.Name], &state{})
	now := &state{err: err, since: was.since}
	m.states[c.Name] = now
	switch {
	case err == nil && was.err != nil:
		m.log.Info("part works again", "part", c.Name, "failed for", time.Since(was.since).Round(time.Millisecond))
	case err != nil && (was.err == nil || kind(err) != kind(was.err)):
		if was.err == nil {
			now.since = time.Now()
		}
		level := slog.LevelWarn
		if c.Required {
			level = slog.LevelError
		}
		m.log.Log(context.Background(), level, "part fails", "part", c.Name, "error", err)
	}
}

// kind is the text of an error without its figures, which change from check to check.
func kind(err error) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text(err))
}
