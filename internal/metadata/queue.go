package metadata

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	kitfault "pantheon/internal/kit/fault"
	"pantheon/internal/kit/panics"
)

// Service reads the metadata of tokens.
type Service struct {
	o    Options
	wake chan struct{}
	// Large things in memory are bounded: pictures that are read, and pictures that are decoded.
	reading, drawing *semaphore.Weighted
}

// NewService returns the service.
func NewService(o Options) *Service {
	if o.Read == nil {
		o.Read = func(Stage, string) {}
	}
	return &Service{o, make(chan struct{}, 1), semaphore.NewWeighted(picturesAtOnce), semaphore.NewWeighted(1)}
}

const (
	pollInterval   = 2 * time.Second // between looks at what is due
	hostsAtOnce    = 12
	readsAtOnce    = 6   // of one host
	picturesAtOnce = 8   // of all hosts
	batch          = 120 // entries of one host at a time
	mostFailures   = 20  // in a row, of one host, after which it is left alone
	maxDocument    = 1 << 20
	maxPicture     = 20 << 20
	firstBackoff   = 15 * time.Second
	finalBackoff   = time.Hour // the first after what asking again does not mend soon
	maxBackoff     = 24 * time.Hour
	maxFinal       = 14 * 24 * time.Hour
	hostBackoff    = 5 * time.Second
	maxHostPause   = time.Hour
	maxHostFaults  = 10 // after that many failures in a row the pause is the longest
	// maxGatewayPause bounds the pause of what many collections are read by.
	maxGatewayPause = time.Minute
)

// Wake makes Run look at once at what is due.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run reads what is due until ctx ends. What goes wrong is reported, and it continues. Hosts are read side by side: a slow one keeps no
// other waiting.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	results, running, last := make(chan string), map[string]bool{}, ""
	defer func() {
		for range running {
			<-results
		}
	}()
	for ctx.Err() == nil {
		hosts, err := s.o.Store.Hosts(ctx, s.o.Clock.Now())
		if err != nil && ctx.Err() == nil {
			report(err)
		}
		for _, host := range after(hosts, last) {
			if running[host] || len(running) == hostsAtOnce {
				continue
			}
			running[host], last = true, host
			go func() {
				s.work(ctx, host, report)
				results <- host
			}()
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(pollInterval):
		case host := <-results:
			delete(running, host)
		}
	}
	return nil
}

// after returns hosts, which are sorted, beginning after one of them, so that all have their turn.
func after(hosts []string, last string) []string {
	i, _ := slices.BinarySearch(hosts, last+"\x00")
	return slices.Concat(hosts[i:], hosts[:i])
}

// work reads a batch from a host. After an error of the portal's own it waits, so that the host is not tried again at once.
func (s *Service) work(ctx context.Context, host string, report func(error)) {
	err := panics.Call(func() error { return s.readHost(ctx, host, report) })
	if err == nil || ctx.Err() != nil {
		return
	}
	report(err)
	select {
	case <-ctx.Done():
	case <-time.After(pollInterval):
	}
}

// readHost reads a batch of what is due from a host, several at once, until the host has to be left alone.
func (s *Service) readHost(ctx context.Context, host string, report func(error)) error {
	entries, err := s.o.Store.Due(ctx, host, s.o.Clock.Now(), batch)
	if err != nil || len(entries) == 0 {
		return err
	}
	if strings.HasPrefix(host, chainPrefix) {
		return s.readURIs(ctx, entries, report)
	}
	failures, err := s.o.Store.Failures(ctx, host)
	if err != nil {
		return err
	}
	if failures > 0 {
		entries = entries[:1] // tries whether the host is back
	}
	var (
		stop     atomic.Pointer[Fault] // why the host is to be left alone
		failed   atomic.Int32          // in a row
		errs     = make([]error, len(entries))
		pictures = semaphore.NewWeighted(max(1, picturesAtOnce/4)) // so that others have some, too
		group    errgroup.Group
	)
	group.SetLimit(readsAtOnce)
	for i, e := range entries {
		group.Go(func() error {
			if stop.Load() != nil || ctx.Err() != nil {
				return nil
			}
			err := panics.Call(func() error {
				return s.guard(ctx, e, report, func() error { return s.read(ctx, e, pictures) })
			})
			f, isFault := errors.AsType[*Fault](err)
			switch {
			case !isFault:
				failed.Store(0)
				errs[i] = err
			case f.Final && f.RetryAfter == 0: // the host is well, and has answered
				failed.Store(0)
			case f.Overloaded || f.RetryAfter > 0 || failed.Add(1) >= mostFailures:
				stop.CompareAndSwap(nil, f)
			}
			return nil
		})
	}
	_ = group.Wait()
	err = errors.Join(errs...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f := stop.Load(); f != nil {
		pause := f.RetryAfter // if it keeps its word
		if pause == 0 || failures > 0 {
			pause = max(pause, backoff(hostBackoff, failures, maxHostPause))
		}
		if isGateway(host) {
			pause = min(pause, maxGatewayPause)
		}
		return errors.Join(err, s.o.Store.Pause(ctx, host, min(failures+1, maxHostFaults), s.o.Clock.Now().Add(pause)))
	}
	if err == nil && failures > 0 {
		err = s.o.Store.Resume(ctx, host)
	}
	return err
}

// readURIs asks contracts for the URIs of tokens that are due, which are of one chain.
func (s *Service) readURIs(ctx context.Context, entries []Entry, report func(error)) error {
	uris, err := s.o.Chain.URIs(ctx, entries[0].Chain, entries)
	if err != nil {
		return err
	}
	errs := make([]error, len(entries))
	for i, e := range entries {
		err := s.guard(ctx, e, report, func() error { return s.locate(ctx, e, uris[i]) })
		if _, isFault := errors.AsType[*Fault](err); !isFault {
			errs[i] = err
		}
	}
	return errors.Join(errs...)
}

// guard reads an entry. One at which the portal itself fails has failed, so that it does not come up again at once, before all others.
// A *Fault is that of the entry's host.
func (s *Service) guard(ctx context.Context, e Entry, report func(error), read func() error) error {
	err := panics.Call(read)
	if _, isFault := errors.AsType[*Fault](err); err == nil || isFault || ctx.Err() != nil {
		return err
	}
	if kitfault.Is(err, kitfault.Unavailable) { // of the database or the picture store: not the fault of this entry
		return err
	}
	report(err)
	if err := s.fail(ctx, e, &Fault{Reason: "the portal could not read it"}); err != nil {
		if _, isFault := errors.AsType[*Fault](err); !isFault {
			return err
		}
	}
	return nil
}

// backoff doubles a wait with each failure.
func backoff(first time.Duration, failures int, longest time.Duration) time.Duration {
	return min(first<<min(failures, 14), longest)
}
