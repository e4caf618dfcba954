package securitylog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
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
	// the last one. It also deletes the keys of networks' tags of earlier months than that of now.
	Prune(ctx context.Context, before, now time.Time, limit int) (int, error)
	// CopyFormer copies operators' acts since a time that the version before this one logged elsewhere.
	CopyFormer(ctx context.Context, since time.Time) error
}

// Files keeps published heads apart from the database.
type Files interface {
	List(ctx context.Context, prefix string) ([]string, error)
	Read(ctx context.Context, name string) ([]byte, error)
	Write(ctx context.Context, name string, content []byte) error
}

const (
	extendInterval  = time.Second
	publishInterval = time.Minute
	pruneInterval   = time.Hour
	batch           = 500
	formerWindow    = 2 * time.Hour // how far back the former version's entries are looked for
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
	nextPrune time.Time
}

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o: o} }

// Run chains, publishes and prunes until ctx ends. Errors are reported and what failed is tried again.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.RunAtOnce(ctx, extendInterval, s.step, report)
}

func (s *Service) step(ctx context.Context) error {
	for {
		n, err := s.o.Store.Extend(ctx, batch)
		if err != nil {
			return fmt.Errorf("security log: chaining: %w", err)
		}
		if n < batch {
			break
		}
	}
	now := s.o.Clock.Now()
	var errs []error
	if !now.Before(s.nextHead) {
		s.nextHead = now.Add(publishInterval)
		errs = append(errs, s.publish(ctx, now))
	}
	if !now.Before(s.nextPrune) {
		s.nextPrune = now.Add(pruneInterval)
		errs = append(errs, s.o.Store.CopyFormer(ctx, now.Add(-formerWindow)), s.prune(ctx, now))
	}
	return errors.Join(errs...)
}

// publish writes the newest head to the log, and to the files if there are any, unless it was published.
func (s *Service) publish(ctx context.Context, now time.Time) error {
	head, _, err := s.o.Store.Chain(ctx)
	if err != nil || head == s.published {
		return err
	}
	if s.o.Files != nil {
		text, err := json.Marshal(struct {
			Head
			At time.Time `json:"at"`
		}{head, now.UTC()})
		if err != nil {
			return err
		}
		if err := s.o.Files.Write(ctx, fileOf(head.Sequence), text); err != nil {
			return fmt.Errorf("security log: publishing its head: %w", err)
		}
	}
	s.o.Log.InfoContext(ctx, "security log", "head", head.String())
	s.published = head
	return nil
}

func (s *Service) prune(ctx context.Context, now time.Time) error {
	for {
		n, err := s.o.Store.Prune(ctx, now.Add(-s.o.Keep), now, batch)
		if err != nil || n < batch {
			return err
		}
	}
}

// folder has the published heads, one a file, named by their sequence.
const folder = "security-log"

func fileOf(sequence int64) string { return fmt.Sprintf("%s/%020d.json", folder, sequence) }

// Published reads the heads that were published to files.
func Published(ctx context.Context, f Files) (out []Head, err error) {
	names, err := f.List(ctx, folder+"/")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Ext(name) != ".json" {
			continue
		}
		text, err := f.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		var h Head
		if err := json.Unmarshal(text, &h); err != nil {
			return nil, fmt.Errorf("%s is no head of the security log: %w", name, err)
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
