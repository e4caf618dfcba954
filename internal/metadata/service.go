package metadata

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/panics"
)

// Stage is what is read next of a token.
type Stage string

// The stages, in their order.
const (
	StageURI      Stage = "uri"      // its URI, from the contract
	StageDocument Stage = "document" // what the URI leads to
	StagePicture  Stage = "picture"  // what the document's image leads to
)

// Entry is what is known of a token, and what is read next.
type Entry struct {
	Contract eth.Address
	TokenID  string // decimal
	Chain    onchain.ChainID
	Standard onchain.Standard

	Stage      Stage
	Host       string // that is asked next; see HostChain
	URI        string // as the contract gave it last
	Document   *Document
	ETag       string
	Picture    string // the key of the picture; "" for none
	PictureURI string // that it was read from
	ReadAt     time.Time
	DueAt      time.Time
	Failures   int    // since all was read last
	Reason     string // of the last failure
}

// Hosts that are none of the web's.
const (
	HostChain   = "" // the chain, for URIs
	hostIPFS    = "ipfs"
	hostArweave = "arweave"
	hostData    = "data" // for what is in the URI itself
)

// Store keeps what is known of tokens.
type Store interface {
	// Hosts returns the hosts that something is due from, but those that are left alone.
	Hosts(ctx context.Context, now time.Time) ([]string, error)
	// Due returns what is due from a host, the longest due first.
	Due(ctx context.Context, host string, now time.Time, limit int) ([]Entry, error)
	// Save stores what an entry has become; was is what it was when it was read. With described, the token's name and traits are new,
	// and the market shows them. It changes nothing if the entry was to be read anew meanwhile.
	Save(ctx context.Context, was, now Entry, described bool) error
	// Rest leaves a host alone until a time; how often it failed in a row is counted. Resume asks it again, and counts anew.
	Rest(ctx context.Context, host string, failures int, until time.Time) error
	Resume(ctx context.Context, host string) error
	// Failures returns how often a host has failed in a row.
	Failures(ctx context.Context, host string) (int, error)
}

// Chain asks contracts for the URIs of their tokens.
type Chain interface {
	// URIs returns the tokens' URIs, or why a contract has none, in the order of the entries, which are of one chain. The error is that of
	// the endpoint.
	URIs(ctx context.Context, chain onchain.ChainID, entries []Entry) ([]URI, error)
}

// URI is a contract's answer.
type URI struct {
	Text string
	Err  error // why there is none; nil if there is
}

// Pictures keeps pictures.
type Pictures interface {
	// Has reports whether there is a picture.
	Has(ctx context.Context, key string) (bool, error)
	Put(ctx context.Context, p Picture) error
}

// Options configure a Service.
type Options struct {
	Store    Store
	Chain    Chain
	Fetcher  *Fetcher
	Pictures Pictures
	Gateways Gateways
	Clock    clock.Clock
	Refresh  time.Duration // the age at which metadata is read again
	Own      []string      // the portal's own addresses, from which it does not read
	// Read counts what was read: the stage, and "ok", "unchanged" or "failed".
	Read func(stage Stage, result string)
}

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
	picturesAtOnce = 8   // of all hosts
	readsAtOnce    = 6   // of one host
	batch          = 120 // entries of one host at a time
	maxDocument    = 1 << 20
	maxPicture     = 20 << 20
	firstBackoff   = 15 * time.Second
	finalBackoff   = time.Hour // the first after what asking again does not mend soon
	maxBackoff     = 24 * time.Hour
	maxFinal       = 14 * 24 * time.Hour
	hostBackoff    = 5 * time.Second
	maxHostPause   = time.Hour
	maxHostFaults  = 10 // after that many failures in a row the pause is the longest
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
	type result struct {
		host string
		err  error
	}
	results, running := make(chan result), map[string]bool{}
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
		for _, host := range hosts {
			if running[host] || len(running) == hostsAtOnce {
				continue
			}
			running[host] = true
			go func() {
				results <- result{host, panics.Call(func() error { return s.readHost(ctx, host, report) })}
			}()
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(pollInterval):
		case r := <-results:
			delete(running, r.host)
			if r.err != nil && ctx.Err() == nil {
				report(r.err)
				select { // not at once again
				case <-ctx.Done():
				case <-time.After(pollInterval):
				}
			}
		}
	}
	return nil
}

// readURIs asks contracts for the URIs that are due.
func (s *Service) readURIs(ctx context.Context, report func(error)) error {
	entries, err := s.o.Store.Due(ctx, HostChain, s.o.Clock.Now(), batch)
	if err != nil {
		return err
	}
	byChain := map[onchain.ChainID][]Entry{}
	for _, e := range entries {
		byChain[e.Chain] = append(byChain[e.Chain], e)
	}
	var errs []error
	for chain, entries := range byChain {
		uris, err := s.o.Chain.URIs(ctx, chain, entries)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for i, e := range entries {
			errs = append(errs, s.guard(ctx, e, report, func() error { return s.locate(ctx, e, uris[i]) }))
		}
	}
	return errors.Join(errs...)
}

// locate goes on from a token's URI: to its document, or to the next time if the document cannot have changed.
func (s *Service) locate(ctx context.Context, was Entry, uri URI) error {
	now := was
	if uri.Err != nil {
		return s.fail(ctx, was, uri.Err)
	}
	location, err := s.o.Gateways.Locate(WithID(uri.Text, was.TokenID))
	if err == nil && location.Data == nil && len(uri.Text) > maxImageURI {
		err = fault("the URI is longer than %d bytes", maxImageURI)
	}
	if err != nil {
		return s.fail(ctx, was, err)
	}
	if s.isOwn(location) {
		return s.fail(ctx, was, fault("the contract names this portal"))
	}
	if uri.Text == was.URI && location.Immutable && was.Document != nil {
		return s.follow(ctx, was, now, was.Document.Image, false) // its picture may be missing, or may change
	}
	if uri.Text != was.URI {
		now.ETag = ""
	}
	now.URI = keep(uri.Text)
	now.Stage, now.Host, now.DueAt = StageDocument, hostOf(location), s.o.Clock.Now()
	s.o.Read(StageURI, "ok")
	if location.Data != nil { // which is not kept, as it may be long
		return s.describe(ctx, was, now, Answer{Body: location.Data})
	}
	return s.o.Store.Save(ctx, was, now, false)
}

// keep returns a URI as it is kept: of data URIs, which may be long, only that they are.
func keep(uri string) string {
	if len(uri) > maxImageURI {
		return keptData
	}
	return uri
}

// keptData stands for a data URI that is not kept.
const keptData = "data:"

// rest ends a reading: the next is by age.
func (s *Service) rest(ctx context.Context, was, now Entry) error {
	now.Stage, now.Host, now.Failures, now.Reason = StageURI, HostChain, 0, ""
	now.DueAt = s.o.Clock.Now().Add(s.o.Refresh)
	return s.o.Store.Save(ctx, was, now, false)
}

// readHost reads a batch of what is due from a host, several at once, until the host is to be left alone.
func (s *Service) readHost(ctx context.Context, host string, report func(error)) error {
	if host == HostChain {
		return s.readURIs(ctx, report)
	}
	entries, err := s.o.Store.Due(ctx, host, s.o.Clock.Now(), batch)
	if err != nil {
		return err
	}
	failures, err := s.o.Store.Failures(ctx, host)
	if err != nil {
		return err
	}
	if failures > 0 {
		entries = entries[:min(1, len(entries))] // tries whether the host is back
	}
	var tired atomic.Pointer[Fault]
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	for _, e := range entries {
		group.Go(func() error {
			if tired.Load() != nil || groupCtx.Err() != nil {
				return nil
			}
			err := s.guard(groupCtx, e, report, func() error { return s.read(groupCtx, e) })
			if f, ok := errors.AsType[*Fault](err); ok {
				tired.CompareAndSwap(nil, f)
				return nil
			}
			return err
		})
	}
	err = group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f := tired.Load(); f != nil {
		pause := f.RetryAfter // if it keeps its word
		if pause == 0 || failures > 0 {
			pause = max(pause, backoff(hostBackoff, failures, maxHostPause))
		}
		return errors.Join(err, s.o.Store.Rest(ctx, host, min(failures+1, maxHostFaults), s.o.Clock.Now().Add(pause)))
	}
	if err == nil && failures > 0 {
		err = s.o.Store.Resume(ctx, host)
	}
	return err
}

// guard reads an entry. One at which reading panics has failed, so that it does not come up again at once, before all others.
func (s *Service) guard(ctx context.Context, e Entry, report func(error), read func() error) error {
	err := panics.Call(read)
	if p, ok := errors.AsType[*panics.Panic](err); ok {
		report(p)
		return s.fail(ctx, e, fault("reading it fails"))
	}
	return err
}

// read reads what is due of a token from its host. A *Fault means that the host is to be left alone.
func (s *Service) read(ctx context.Context, e Entry) error {
	if e.Stage == StagePicture {
		return s.readPicture(ctx, e)
	}
	location, err := s.o.Gateways.Locate(WithID(e.URI, e.TokenID))
	if err != nil {
		return s.fail(ctx, e, err)
	}
	answer, err := s.o.Fetcher.Fetch(ctx, location, maxDocument, e.ETag)
	if f, ok := errors.AsType[*Fault](err); ok && f.TooLarge { // some collections name a picture in the place of a document
		return s.described(ctx, e, e, Document{Image: e.URI}, "")
	}
	if err != nil {
		return s.fail(ctx, e, err)
	}
	if answer.Unchanged && e.Document != nil {
		s.o.Read(StageDocument, "unchanged")
		now := e
		now.ReadAt = s.o.Clock.Now()
		return s.follow(ctx, e, now, e.Document.Image, false)
	}
	return s.describe(ctx, e, e, answer)
}

// describe reads a document, stores what the token is, and goes on to its picture.
func (s *Service) describe(ctx context.Context, was, now Entry, answer Answer) error {
	document, err := documentOf(answer, now.URI)
	if err != nil {
		return s.fail(ctx, was, err)
	}
	return s.described(ctx, was, now, document, answer.ETag)
}

// described stores a document, and goes on to its picture.
func (s *Service) described(ctx context.Context, was, now Entry, document Document, etag string) error {
	s.o.Read(StageDocument, "ok")
	image := document.Image
	document.Image = keep(image)
	now.Document, now.ETag, now.ReadAt = &document, etag, s.o.Clock.Now()
	return s.follow(ctx, was, now, image, true)
}

// follow goes on from a document to its picture, or to the next time if it has none or the portal has it.
func (s *Service) follow(ctx context.Context, was, now Entry, image string, described bool) error {
	location, err := s.o.Gateways.Locate(WithID(image, now.TokenID))
	switch {
	case image == "" || err == nil && s.isOwn(location):
		now.Picture, now.PictureURI = "", ""
	case now.Picture != "" && now.PictureURI == keep(image) && (image == keptData || location.Data == nil && location.Immutable):
		err = nil // the portal has it
	case err == nil && location.Data == nil:
		now.Stage, now.Host, now.DueAt = StagePicture, hostOf(location), s.o.Clock.Now()
		return s.o.Store.Save(ctx, was, now, described)
	case err == nil:
		err = s.draw(ctx, &now, location.Data)
	}
	if f, ok := errors.AsType[*Fault](err); ok { // the token has its name all the same
		now.Picture, now.PictureURI, now.Reason, now.Failures = "", "", f.Reason, was.Failures+1
	} else if err != nil {
		return err
	} else {
		now.Reason, now.Failures = "", 0
	}
	now.Stage, now.Host, now.DueAt = StageURI, HostChain, s.o.Clock.Now().Add(s.o.Refresh)
	return s.o.Store.Save(ctx, was, now, described)
}

// documentOf reads an answer: a document, or a picture where collections name one in its place.
func documentOf(answer Answer, uri string) (Document, error) {
	if isSVG(answer.Body) || isPicture(answer.Body) {
		return Document{Image: uri}, nil
	}
	return Parse(answer.Body)
}

// readPicture reads the picture of a token.
func (s *Service) readPicture(ctx context.Context, was Entry) error {
	now := was
	location, err := s.o.Gateways.Locate(WithID(was.Document.Image, was.TokenID))
	if err != nil {
		return s.fail(ctx, was, err)
	}
	if err := s.reading.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.reading.Release(1)
	answer, err := s.o.Fetcher.Fetch(ctx, location, maxPicture, "")
	if err != nil {
		return s.fail(ctx, was, err)
	}
	if err := s.draw(ctx, &now, answer.Body); err != nil {
		return s.fail(ctx, was, err)
	}
	s.o.Read(StagePicture, "ok")
	now.PictureURI = was.Document.Image
	return s.rest(ctx, was, now)
}

// draw encodes a picture anew and keeps it. A *Fault means that it is none.
func (s *Service) draw(ctx context.Context, e *Entry, source []byte) error {
	key := keyOf(source)
	known, err := s.o.Pictures.Has(ctx, key)
	if err != nil {
		return err
	}
	if !known {
		if err := s.drawing.Acquire(ctx, 1); err != nil {
			return err
		}
		defer s.drawing.Release(1)
		picture, err := Render(source)
		if err != nil {
			return err
		}
		if err := s.o.Pictures.Put(ctx, picture); err != nil {
			return err
		}
	}
	e.Picture, e.PictureURI = key, keep(e.Document.Image)
	return nil
}

// fail stores that a stage failed, and when it is tried again. It returns the fault if the host is to be left alone, and errors of the
// portal itself, which count for nothing.
func (s *Service) fail(ctx context.Context, was Entry, err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		return err
	}
	s.o.Read(was.Stage, "failed")
	now := was
	now.Failures, now.Reason = was.Failures+1, cut(f.Reason, 300)
	wait := backoff(firstBackoff, was.Failures, maxBackoff)
	if f.Final {
		wait = backoff(finalBackoff, was.Failures, maxFinal)
	}
	now.DueAt = s.o.Clock.Now().Add(max(wait, f.RetryAfter))
	if now.Stage == StagePicture && f.Final { // the picture may be named anew
		now.Stage, now.Host = StageURI, HostChain
	}
	if err := s.o.Store.Save(ctx, was, now, false); err != nil {
		return err
	}
	if f.Overloaded || f.RetryAfter > 0 {
		return f
	}
	return nil
}

// backoff doubles a wait with each failure.
func backoff(first time.Duration, failures int, longest time.Duration) time.Duration {
	return min(first<<min(failures, 30), longest)
}

// isOwn reports whether a location is this portal, which would ask itself.
func (s *Service) isOwn(l Location) bool {
	for _, address := range l.Addresses {
		for _, own := range s.o.Own {
			if address == own || strings.HasPrefix(address, own+"/") {
				return true
			}
		}
	}
	return false
}

// hostOf returns what is asked for a location, by which failures are counted.
func hostOf(l Location) string {
	if l.Data != nil {
		return hostData
	}
	u, err := url.Parse(l.Addresses[0])
	switch {
	case err != nil:
		return hostData
	case l.Immutable && strings.Contains(u.Path, "/ipfs/") || strings.Contains(u.Host, ".ipfs."):
		return hostIPFS
	case l.Immutable:
		return hostArweave
	}
	return strings.ToLower(u.Host)
}
