// Package monitoring takes what the players' browsers report of themselves: how pages behave, which errors came up, and
// recordings of some visits. Reports are kept in the portal's own database, within bounds, and are passed on to an intake
// where one is configured.
//
// Take only checks and queues; Run does the rest. Where a queue is full, reports are dropped and counted: monitoring never
// keeps a request waiting and never takes more than its share of memory. A Service is safe for concurrent use.
package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// Kept is a report as it is kept.
type Kept struct {
	Kind       Kind
	Session    string
	Errors     int
	ReceivedAt time.Time
	Events     []json.RawMessage
}

// Filter selects kept reports; its zero value is all of them.
type Filter struct {
	Kind    Kind
	Session string
	Errors  bool // only those with errors in them
}

// Store keeps reports.
type Store interface {
	// KeepReports keeps all of them or none.
	KeepReports(ctx context.Context, reports []Kept) error
	// DeleteReportsBefore removes what was received before the time.
	DeleteReportsBefore(ctx context.Context, before time.Time) error
	// TrimReports removes, of one kind, what is beyond the newest so many, or beyond the newest so many bytes.
	TrimReports(ctx context.Context, kind Kind, most int, mostBytes int64) error
	// Reports returns the newest reports first, at most limit.
	Reports(ctx context.Context, f Filter, limit int) ([]Kept, error)
}

// Intake is where reports are passed on to.
type Intake interface {
	// Send passes one report on. It must give up by itself after a while. Its error must not contain the key.
	Send(ctx context.Context, r Report) error
}

// Meter counts what becomes of reports.
type Meter interface {
	// Received counts a report that was taken, and its events.
	Received(kind Kind, events, errors int)
	// Lost counts a report that was not kept or not passed on.
	Lost(kind Kind, why Loss)
	// Passed counts a report that was passed on.
	Passed(kind Kind)
}

// Loss says why a report was lost.
type Loss string

// The losses.
const (
	KeepQueueFull Loss = "keep queue full"
	NotKept       Loss = "not kept"
	PassQueueFull Loss = "pass queue full"
	NotPassed     Loss = "not passed on"
)

// Options are what the service is made of.
type Options struct {
	Store     Store
	Keep      int           // how many reports are kept, and a tenth as many recordings; 0 keeps none
	KeepBytes int64         // how much of them, in bytes: half of it recordings, a quarter each of the other kinds; 0 for no bound
	KeepFor   time.Duration // for how long
	Intake    Intake        // nil for none
	Meter     Meter
	Clock     clock.Clock
	// Report hears of a store or an intake that fails.
	Report func(what string, err error)
}

const (
	queueLength = 512
	queueBytes  = 16 << 20
	keepAtOnce  = 64
	senders     = 4
	trimEvery   = time.Minute
	// Once 1/trimAfter of KeepBytes has been written, old reports are trimmed without waiting for the timer.
	trimAfter = 16
	// keepTime and trimTime are the timeouts of one write and of one trim. Shutdown does not cancel them.
	keepTime = 3 * time.Second
	trimTime = 10 * time.Second
)

// queue holds reports that wait, within bounds of number and size.
type queue struct {
	waiting chan Report
	bytes   atomic.Int64
}

func newQueue() *queue { return &queue{waiting: make(chan Report, queueLength)} }

// put reports whether there was room.
func (q *queue) put(r Report) bool {
	if q.bytes.Add(r.size()) > queueBytes {
		q.bytes.Add(-r.size())
		return false
	}
	select {
	case q.waiting <- r:
		return true
	default:
		q.bytes.Add(-r.size())
		return false
	}
}

// taken makes room for what was received from waiting.
func (q *queue) taken(r Report) { q.bytes.Add(-r.size()) }

func (r Report) size() int64 {
	n := len(r.Body)
	for _, e := range r.Events {
		n += len(e)
	}
	return int64(n)
}

// Service is the capability.
type Service struct {
	Options
	toKeep, toPass *queue
	untrimmed      int64 // bytes kept since the last trim; keepAll's alone

	keeping, trimming, passing trouble
}

// trouble is told of once, not with every report it hits, and again after it was over.
type trouble struct{ now atomic.Bool }

func (t *trouble) tell(report func(string, error), what string, err error) {
	if was := t.now.Swap(err != nil); err != nil && !was {
		report(what, err)
	}
}

// NewService returns the capability. Run must be running for reports to go anywhere.
func NewService(o Options) *Service {
	if o.KeepBytes == 0 {
		o.KeepBytes = math.MaxInt64
	}
	return &Service{Options: o, toKeep: newQueue(), toPass: newQueue()}
}

// Active reports whether anybody looks at reports at all.
func (s *Service) Active() bool { return s.Keep > 0 || s.Intake != nil }

// Take checks a report and queues it; see Read for the parameters and their faults. address is the browser's, for an
// intake that is to know it; "" otherwise. It returns fault.NotFound where monitoring is off.
func (s *Service) Take(forward, contentType string, body []byte, address string, spend Spend) error {
	if !s.Active() {
		return fault.New(fault.NotFound, "Nothing is monitored here.")
	}
	r, err := Read(forward, contentType, body, spend)
	if err != nil {
		return err
	}
	r.Address = address
	s.Meter.Received(r.Kind, len(r.Events), r.Errors)
	toKeep, toPass := r, r
	toKeep.Body, toKeep.Address, toPass.Events = nil, "", nil
	if s.Keep > 0 && !s.toKeep.put(toKeep) {
		s.Meter.Lost(r.Kind, KeepQueueFull)
	}
	if s.Intake != nil && !s.toPass.put(toPass) {
		s.Meter.Lost(r.Kind, PassQueueFull)
	}
	return nil
}

// Reports returns kept reports, the newest first, at most limit.
func (s *Service) Reports(ctx context.Context, f Filter, limit int) ([]Kept, error) {
	return s.Store.Reports(ctx, f, limit)
}

// Run keeps and passes on what was taken, until ctx ends; what waits to be kept by then is kept.
func (s *Service) Run(ctx context.Context) error {
	var group errgroup.Group
	if s.Keep > 0 {
		group.Go(func() error { s.keepAll(ctx); return nil })
	}
	if s.Intake != nil {
		for range senders {
			group.Go(func() error { s.passAll(ctx); return nil })
		}
	}
	return group.Wait()
}

func (s *Service) keepAll(ctx context.Context) {
	timer := time.NewTicker(trimEvery)
	defer timer.Stop()
	s.trim(ctx)
	for {
		select {
		case r := <-s.toKeep.waiting:
			s.keep(ctx, r)
			s.trimMuch(ctx)
		case <-timer.C:
			s.trim(ctx)
		case <-ctx.Done():
			for {
				select {
				case r := <-s.toKeep.waiting:
					s.keep(ctx, r)
				default:
					s.trimMuch(ctx)
					return
				}
			}
		}
	}
}

// keep keeps the report, and others that wait, in one go.
func (s *Service) keep(ctx context.Context, r Report) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	reports, now := []Report{r}, s.Clock.Now()
	for len(reports) < keepAtOnce && len(s.toKeep.waiting) > 0 { // nobody else receives
		reports = append(reports, <-s.toKeep.waiting)
	}
	kept := make([]Kept, len(reports))
	for i, r := range reports {
		s.toKeep.taken(r)
		s.untrimmed += r.size()
		kept[i] = Kept{Kind: r.Kind, Session: r.Session, Errors: r.Errors, ReceivedAt: now, Events: r.Events}
	}
	err := s.Store.KeepReports(ctx, kept)
	s.keeping.tell(s.Report, "monitoring reports are not kept", err)
	if err != nil {
		for _, r := range reports {
			s.Meter.Lost(r.Kind, NotKept)
		}
	}
}

// trimMuch trims if so much has been kept since the last trim that the timer is not waited for.
func (s *Service) trimMuch(ctx context.Context) {
	if s.untrimmed > s.KeepBytes/trimAfter {
		s.trim(ctx)
	}
}

func (s *Service) trim(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), trimTime)
	defer cancel()
	err := s.Trim(ctx)
	if err == nil {
		s.untrimmed = 0
	}
	s.trimming.tell(s.Report, "old monitoring reports are not removed", err)
}

// Trim removes what is too old or too much.
func (s *Service) Trim(ctx context.Context) error {
	errs := []error{s.Store.DeleteReportsBefore(ctx, s.Clock.Now().Add(-s.KeepFor))}
	for _, kind := range Kinds() {
		most, bytes := s.Keep, s.KeepBytes/4
		if kind == Replay { // they are large
			most, bytes = max(1, most/10), s.KeepBytes/2
		}
		errs = append(errs, s.Store.TrimReports(ctx, kind, most, bytes))
	}
	return errors.Join(errs...)
}

func (s *Service) passAll(ctx context.Context) {
	for {
		select {
		case r := <-s.toPass.waiting:
			s.toPass.taken(r)
			err := s.Intake.Send(ctx, r)
			if err != nil {
				s.Meter.Lost(r.Kind, NotPassed)
			} else {
				s.Meter.Passed(r.Kind)
			}
			if ctx.Err() == nil {
				s.passing.tell(s.Report, "monitoring reports are not passed on", err)
			}
		case <-ctx.Done():
			return
		}
	}
}
