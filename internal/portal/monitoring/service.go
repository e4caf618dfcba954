// Package monitoring receives the reports of the players' browsers: page performance, errors, and recordings of some
// sessions. Reports are stored in the portal's own database, within bounds, and are forwarded to an intake if one is
// configured.
//
// Take only checks and queues; Run does the rest. If a queue is full, reports are dropped and counted: monitoring
// never blocks a request and its memory is bounded. A Service is safe for concurrent use.
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

// Kept is a stored report.
type Kept struct {
	Kind       Kind
	Session    string
	Errors     int
	ReceivedAt time.Time
	Events     []json.RawMessage
}

// Filter selects stored reports; its zero value selects all.
type Filter struct {
	Kind    Kind
	Session string
	Errors  bool // only reports with errors
}

// Store stores reports.
type Store interface {
	// KeepReports stores all of the reports or none.
	KeepReports(ctx context.Context, reports []Kept) error
	// DeleteReportsBefore deletes reports received before the given time.
	DeleteReportsBefore(ctx context.Context, before time.Time) error
	// TrimReports deletes the oldest reports of one kind beyond a number of reports or a number of bytes.
	TrimReports(ctx context.Context, kind Kind, most int, mostBytes int64) error
	// Reports returns at most limit reports, newest first.
	Reports(ctx context.Context, f Filter, limit int) ([]Kept, error)
}

// Intake is the destination to which reports are forwarded.
type Intake interface {
	// Send forwards one report. It must have its own timeout. Its error must not contain the key.
	Send(ctx context.Context, r Report) error
}

// Meter counts what happens to reports.
type Meter interface {
	// Received counts a received report and its events.
	Received(kind Kind, events, errors int)
	// Lost counts a report that was not stored or not forwarded.
	Lost(kind Kind, why Loss)
	// Passed counts a forwarded report.
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

// Options are the dependencies and settings of the Service.
type Options struct {
	Store     Store
	Keep      int           // how many reports are stored, and a tenth as many recordings; 0 stores none
	KeepBytes int64         // their size in bytes: half for recordings, a quarter for each other kind; 0 for no limit
	KeepFor   time.Duration // retention time
	Intake    Intake        // nil for none
	Meter     Meter
	Clock     clock.Clock
	// Report receives the errors of the store and the intake.
	Report func(what string, err error)
}

const (
	queueLength = 512
	queueBytes  = 16 << 20
	keepAtOnce  = 64
	senders     = 4
	trimEvery   = time.Minute
	// Once 1/trimAfter of KeepBytes has been written, old reports are trimmed before the timer fires.
	trimAfter = 16
	// keepTime and trimTime are the timeouts of one write and of one trim. Shutdown does not cancel them.
	keepTime = 3 * time.Second
	trimTime = 10 * time.Second
	// A write that fails, such as while the database is busy, is retried: meanwhile reports wait in the queue. Reports that cannot
	// be written at all must not hold up the others for ever.
	keepAttempts = 10
	keepPause    = time.Second
)

// queue holds waiting reports, bounded in number and size.
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

// taken frees the space of a report that was received from waiting.
func (q *queue) taken(r Report) { q.bytes.Add(-r.size()) }

func (r Report) size() int64 {
	n := len(r.Body)
	for _, e := range r.Events {
		n += len(e)
	}
	return int64(n)
}

// Service implements the capability.
type Service struct {
	Options
	toKeep, toPass *queue
	untrimmed      int64 // bytes stored since the last trim; only used by keepAll

	keeping, trimming, passing trouble
}

// trouble reports a failure once, not for every report it affects, and again after a recovery.
type trouble struct{ now atomic.Bool }

func (t *trouble) tell(report func(string, error), what string, err error) {
	if was := t.now.Swap(err != nil); err != nil && !was {
		report(what, err)
	}
}

// NewService returns a Service. Reports are processed only while Run runs.
func NewService(o Options) *Service {
	if o.KeepBytes == 0 {
		o.KeepBytes = math.MaxInt64
	}
	return &Service{Options: o, toKeep: newQueue(), toPass: newQueue()}
}

// Active reports whether reports are stored or forwarded at all.
func (s *Service) Active() bool { return s.Keep > 0 || s.Intake != nil }

// Take checks a report and queues it; see Read for the parameters and faults. address is the browser's, if the intake
// is to receive it; "" otherwise. It returns fault.NotFound if monitoring is off.
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

// Reports returns at most limit stored reports, newest first.
func (s *Service) Reports(ctx context.Context, f Filter, limit int) ([]Kept, error) {
	return s.Store.Reports(ctx, f, limit)
}

// Run stores and forwards queued reports until ctx ends; it then stores those still waiting to be stored.
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

// keep stores the report, and others that wait, in one batch. Once ctx has ended it tries only once.
func (s *Service) keep(ctx context.Context, r Report) {
	reports, now := []Report{r}, s.Clock.Now()
	for len(reports) < keepAtOnce && len(s.toKeep.waiting) > 0 { // this is the only receiver
		reports = append(reports, <-s.toKeep.waiting)
	}
	kept := make([]Kept, len(reports))
	for i, r := range reports {
		s.toKeep.taken(r)
		s.untrimmed += r.size()
		kept[i] = Kept{Kind: r.Kind, Session: r.Session, Errors: r.Errors, ReceivedAt: now, Events: r.Events}
	}
	for attempt := 1; ; attempt++ {
		err := s.write(ctx, kept)
		s.keeping.tell(s.Report, "monitoring reports are not kept", err)
		if err == nil {
			return
		}
		if attempt == keepAttempts || ctx.Err() != nil {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(keepPause):
		}
	}
	for _, r := range reports {
		s.Meter.Lost(r.Kind, NotKept)
	}
}

func (s *Service) write(ctx context.Context, reports []Kept) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return s.Store.KeepReports(ctx, reports)
}

// trimMuch trims early if much has been stored since the last trim.
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

// Trim deletes reports that are too old or exceed the bounds.
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
