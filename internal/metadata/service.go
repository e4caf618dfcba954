package metadata

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// OfContract stands in the place of a token's id for what a contract says of itself (ERC-7572): its description and its picture.
const OfContract = ""

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
	TokenID  string // decimal, or OfContract
	Chain    onchain.ChainID
	Standard onchain.Standard

	Stage      Stage
	Host       string // that is asked next: of the web, or one of the others below
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

// Hosts that are none of the web's, which have no blanks and a dot or a port.
const (
	chainPrefix = "chain "
	hostIPFS    = "ipfs"
	hostArweave = "arweave"
	hostData    = "data" // for what is in the URI itself
)

// HostOf returns the host of a chain, which is asked for URIs.
func HostOf(chain onchain.ChainID) string { return chainPrefix + strconv.FormatUint(uint64(chain), 10) }

func isGateway(host string) bool { return host == hostIPFS || host == hostArweave }

// Store keeps what is known of tokens.
type Store interface {
	// Hosts returns the hosts that something is due from, but those that are left alone.
	Hosts(ctx context.Context, now time.Time) ([]string, error)
	// Due returns what is due from a host, the longest due first.
	Due(ctx context.Context, host string, now time.Time, limit int) ([]Entry, error)
	// Save stores what an entry has become; was is what it was when it was read. With described, the token's name and traits are new,
	// and the market shows them. It changes nothing if a refresh was requested meanwhile.
	Save(ctx context.Context, was, now Entry, described bool) error
	// Pause leaves a host alone until a time, and stores how often it has failed in a row. Resume ends that, and resets the count.
	Pause(ctx context.Context, host string, failures int, until time.Time) error
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

// largePicture is the size in bytes above which decoding a picture may need much memory.
const largePicture = 256 << 10

// locate goes on from a token's URI: to its document, or to the next time if the document cannot have changed.
func (s *Service) locate(ctx context.Context, was Entry, uri URI) error {
	now := was
	if uri.Err != nil {
		return s.fail(ctx, was, uri.Err)
	}
	text := WithID(tidy(uri.Text), was.TokenID)
	location, err := s.o.Gateways.Locate(text)
	if err == nil && location.Data == nil && len(text) > maxImageURI {
		err = fault("the URI is longer than %d bytes", maxImageURI)
	}
	if err != nil {
		return s.fail(ctx, was, err)
	}
	if s.isOwn(location) {
		return s.fail(ctx, was, fault("the contract names this portal"))
	}
	if kept := keep(tidy(uri.Text)); kept != was.URI {
		now.URI, now.ETag = kept, ""
	} else if location.Immutable && was.Document != nil && was.Document.Image != keptData {
		return s.follow(ctx, was, now, was.Document.Image, false) // its picture may be missing, or may change
	}
	now.Stage, now.Host, now.DueAt = StageDocument, location.Host, s.o.Clock.Now()
	s.o.Read(StageURI, "ok")
	if location.Data != nil { // which is not kept, as it may be long
		return s.describe(ctx, was, now, Answer{Body: location.Data}, text)
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

// finish ends a refresh; the next is due by age.
func (s *Service) finish(ctx context.Context, was, now Entry) error {
	now.Stage, now.Host, now.Failures, now.Reason = StageURI, HostOf(was.Chain), 0, ""
	now.DueAt = s.o.Clock.Now().Add(s.o.Refresh)
	return s.o.Store.Save(ctx, was, now, false)
}

// read reads what is due of a token from its host. A *Fault means that the host is to be left alone.
func (s *Service) read(ctx context.Context, e Entry, pictures *semaphore.Weighted) error {
	if e.Stage == StagePicture {
		return s.readPicture(ctx, e, pictures)
	}
	location, err := s.o.Gateways.Locate(WithID(e.URI, e.TokenID))
	if err != nil {
		return s.fail(ctx, e, err)
	}
	answer, err := s.o.Fetcher.Fetch(ctx, location, maxDocument, e.ETag)
	if f, ok := errors.AsType[*Fault](err); ok && isPicture(f.Head) { // some collections name a picture in the place of a document
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
	return s.describe(ctx, e, e, answer, e.URI)
}

// describe reads a document, stores what the token is, and goes on to its picture.
func (s *Service) describe(ctx context.Context, was, now Entry, answer Answer, uri string) error {
	document, err := documentOf(answer, uri)
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
		now.Picture, now.PictureURI, err = "", "", nil
	case err == nil && location.Data == nil && location.Immutable && s.hasPicture(ctx, now, image):
	case err == nil && location.Data == nil:
		now.Stage, now.Host, now.DueAt = StagePicture, location.Host, s.o.Clock.Now()
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
	now.Stage, now.Host, now.DueAt = StageURI, HostOf(was.Chain), s.o.Clock.Now().Add(s.o.Refresh)
	return s.o.Store.Save(ctx, was, now, described)
}

// hasPicture reports whether the portal has the picture of a URI.
func (s *Service) hasPicture(ctx context.Context, e Entry, uri string) bool {
	if e.Picture == "" || e.PictureURI != uri {
		return false
	}
	has, err := s.o.Pictures.Has(ctx, e.Picture)
	return has && err == nil
}

// documentOf reads an answer: a document, or a picture where collections name one in its place.
func documentOf(answer Answer, uri string) (Document, error) {
	if isSVG(answer.Body) || isPicture(answer.Body) {
		return Document{Image: uri}, nil
	}
	return Parse(answer.Body)
}

// readPicture reads the picture of a token.
func (s *Service) readPicture(ctx context.Context, was Entry, pictures *semaphore.Weighted) error {
	now := was
	location, err := s.o.Gateways.Locate(WithID(was.Document.Image, was.TokenID))
	if err != nil {
		return s.fail(ctx, was, err)
	}
	for _, places := range []*semaphore.Weighted{pictures, s.reading} {
		if err := places.Acquire(ctx, 1); err != nil {
			return err
		}
		defer places.Release(1)
	}
	answer, err := s.o.Fetcher.Fetch(ctx, location, maxPicture, "")
	if err != nil {
		return s.fail(ctx, was, err)
	}
	if len(answer.Body) > largePicture { // if decoding it kills the process, it must not be first in the queue again
		later := was
		later.DueAt = s.o.Clock.Now().Add(firstBackoff)
		if err := s.o.Store.Save(ctx, was, later, false); err != nil {
			return err
		}
		was = later
	}
	if err := s.draw(ctx, &now, answer.Body); err != nil {
		return s.fail(ctx, was, err)
	}
	s.o.Read(StagePicture, "ok")
	now.PictureURI = was.Document.Image
	return s.finish(ctx, was, now)
}

// draw re-encodes and stores a picture. A *Fault means that it is none.
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

// fail stores that a stage failed, and when it is tried again. It returns the fault for its host, and errors of the portal itself as they
// are.
func (s *Service) fail(ctx context.Context, was Entry, err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		return err
	}
	s.o.Read(was.Stage, "failed")
	now := was
	now.Failures, now.Reason = was.Failures+1, clean(strings.ToValidUTF8(f.Reason, "?"), 300)
	wait := backoff(firstBackoff, was.Failures, maxBackoff)
	if f.Final {
		wait = backoff(finalBackoff, was.Failures, maxFinal)
	}
	now.DueAt = s.o.Clock.Now().Add(max(wait, f.RetryAfter))
	if now.Stage == StagePicture && f.Final { // the document may name another picture by then
		now.Stage, now.Host = StageURI, HostOf(was.Chain)
	}
	if err := s.o.Store.Save(ctx, was, now, false); err != nil {
		return err
	}
	if isGateway(was.Host) && f.Timeout {
		return nil // nobody has this content; the gateways are well
	}
	return f
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
