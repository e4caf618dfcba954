package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/contact"
	"pantheon/internal/store"
)

// PrintLetters writes the letters to the support, the oldest first.
func PrintLetters(ctx context.Context, c config.Config, w io.Writer) error {
	return withContact(ctx, c, func(s *contact.Service) error {
		letters, err := s.Letters(ctx)
		for _, l := range letters {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n\n    %s\n\n", l.CreatedAt.UTC().Format(time.DateTime), l.Topic, l.Email, strings.ReplaceAll(l.Message, "\n", "\n    "))
		}
		return err
	})
}

// PrintAddresses writes the addresses that were left for the day the game opens, one a line, the oldest first.
func PrintAddresses(ctx context.Context, c config.Config, w io.Writer) error {
	return withContact(ctx, c, func(s *contact.Service) error {
		addresses, err := s.Addresses(ctx)
		for _, a := range addresses {
			_, _ = fmt.Fprintln(w, a.Email)
		}
		return err
	})
}

// StrikeAddress forgets one of those addresses. An unknown one is an error.
func StrikeAddress(ctx context.Context, c config.Config, address string) error {
	return withContact(ctx, c, func(s *contact.Service) error {
		struck, err := s.Strike(ctx, address)
		if err == nil && !struck {
			return errors.New("this address is not on the list")
		}
		return err
	})
}

// withContact opens the configured database for one task, beside a portal that may be running.
func withContact(ctx context.Context, c config.Config, do func(*contact.Service) error) (err error) {
	db, err := store.Open(ctx, store.Options{URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(contact.NewService(db, clock.System{}, ""))
}
