package securitylog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/periodic"
)

// Store keeps the log.
type Store interface {
	Reader
	// Extend adds the oldest entries that are not in the chain to it, at most limit, and returns how many it added.
	Extend(ctx context.Context, limit int) (int, error)
	// Prune removes the oldest entries of the chain that are older than a time, at most limit, and returns how many. It keeps the hash of
	// the last one, and adds an entry that says so to the chain. It returns ErrBroken, and removes nothing, if one of them was changed:
	// that would hide it. It also deletes the keys of networks' tags of earlier months than that of now.
	Prune(ctx context.Context, before, now time.Time, limit int) (int, error)
	// CopyFormer copies operators' acts since a time from the operator log of the previous version, and deletes older ones there.
	CopyFormer(ctx context.Context, since time.Time) error
}

// ErrBroken means that the chain is not as it was written: `pantheon audit verify` says where.
var ErrBroken = errors.New("security log: the oldest entries are not as they were written, and are kept: run pantheon audit verify")

// Files keeps published heads apart from the database.
type Files interface {
	List(ctx context.Context, prefix string) ([]string, error)
	Write(ctx context.Context, name string, content []byte) error
}

const (
	extendInterval  = time.Second
	publishInterval = time.Minute
	copyInterval    = time.Hour
	batch           = 500
)

// Options configure a Service.
type Options struct {
	Store Store
	Files Files         // nil: heads are only written to the log of the process
	Keep  time.Duration // how long entries are kept
	Clock clock.Clock
	Log   *slog.Logger
}

// Service chains entries, publishes heads and removes what is old. One process of all runs it.
type Service struct {
	o         Options
	published Head
	nextHead  time.Time
	nextCopy  time.Time
	nextPrune time.Time
}

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o: o} }

// Run chains, publishes and prunes until ctx ends. Errors are reported and what failed is tried again.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.RunAtOnce(ctx, extendInterval, s.step, report)
}

func (s *Service) step(ctx context.Context) error {
	errs := []error{s.extend(ctx)}
	now := s.o.Clock.Now()
	if !now.Before(s.nextCopy) {
		s.nextCopy = now.Add(copyInterval)
		errs = append(errs, s.o.Store.CopyFormer(ctx, now.Add(-s.o.Keep)))
	}
	if !now.Before(s.nextPrune) {
		n, err := s.o.Store.Prune(ctx, now.Add(-s.o.Keep), now, batch)
		if err != nil || n < batch { // else the next step goes on
			s.nextPrune = now.Add(copyInterval)
		}
		errs = append(errs, err)
	}
	if !now.Before(s.nextHead) {
		s.nextHead = now.Add(publishInterval)
		errs = append(errs, s.publish(ctx, now))
	}
	return errors.Join(errs...)
}

func (s *Service) extend(ctx context.Context) error {
	for {
		n, err := s.o.Store.Extend(ctx, batch)
		if err != nil {
			return fmt.Errorf("security log: chaining: %w", err)
		}
		if n < batch {
			return nil
		}
	}
}

// publish writes the newest head to the log, and to the files if there are any, unless it was published.
func (s *Service) publish(ctx context.Context, now time.Time) error {
	head, _, err := s.o.Store.Chain(ctx)
	if err != nil || head == s.published {
		return err
	}
	if s.o.Files != nil {
		if err := s.o.Files.Write(ctx, PublishedHead{Head: head, At: now}.file(), nil); err != nil {
			return fmt.Errorf("security log: publishing its head: %w", err)
		}
	}
	s.o.Log.InfoContext(ctx, "security log", "head", head.String())
	s.published = head
	return nil
}

// PublishedHead is a head that left the database.
type PublishedHead struct {
	Head
	At time.Time // when; zero if that is not known
}

const (
	folder     = "security-log/"
	fileOfHead = folder + "%020d-%s-%s"
	timeOfHead = "20060102T150405Z"
)

// file returns the name of the file that publishes the head. The name is all there is to it: no other head has the same, so that none
// replaces it.
func (h PublishedHead) file() string {
	return fmt.Sprintf(fileOfHead, h.Sequence, h.Hash, h.At.UTC().Format(timeOfHead))
}

// Published returns the heads that were published to files.
func Published(ctx context.Context, f Files) (out []PublishedHead, err error) {
	names, err := f.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		sequence, rest, _ := strings.Cut(strings.TrimPrefix(name, folder), "-")
		hash, at, _ := strings.Cut(rest, "-")
		h := PublishedHead{}
		if h.Sequence, err = strconv.ParseInt(sequence, 10, 64); err == nil {
			h.At, err = time.Parse(timeOfHead, at)
		}
		if h.Hash = hash; err != nil || h.file() != name {
			return nil, fmt.Errorf("%s is no head of the security log: remove it", name)
		}
		out = append(out, h)
	}
	return out, nil
}

// ParseHead reads a head in the form of Head.String.
func ParseHead(text string) (h Head, err error) {
	sequence, hash, ok := strings.Cut(text, ":")
	if _, err := fmt.Sscanf(sequence, "%d", &h.Sequence); err != nil || !ok || h.Sequence < 1 || len(hash) != 64 {
		return h, fmt.Errorf("%q is no head of the security log: write it as it is in the log, SEQUENCE:HASH", text)
	}
	h.Hash = hash
	return h, nil
}
