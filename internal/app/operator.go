package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/store"
)

// PrintSupportRequests writes the support requests, oldest first.
func PrintSupportRequests(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		requests, err := contactService(db).SupportRequests(ctx)
		for _, r := range requests {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n\n    %s\n\n", r.CreatedAt.UTC().Format(time.DateTime), r.Topic, r.Email, strings.ReplaceAll(r.Message, "\n", "\n    "))
		}
		return err
	})
}

// PrintAddresses writes the pre-registered addresses, one per line, oldest first.
func PrintAddresses(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		addresses, err := contactService(db).Addresses(ctx)
		for _, a := range addresses {
			_, _ = fmt.Fprintln(w, a.Email)
		}
		return err
	})
}

// StrikeAddress deletes one of those addresses. An unknown one is an error.
func StrikeAddress(ctx context.Context, c config.Config, address string) error {
	return withStore(ctx, c, func(db *store.DB) error {
		struck, err := contactService(db).Strike(ctx, address)
		if err == nil && !struck {
			return errors.New("this address is not on the list")
		}
		return err
	})
}

func contactService(db *store.DB) *contact.Service { return contact.NewService(db, clock.System{}, "") }

// PrintArrivals writes what links from games said about where players come from, oldest first: the time, the player,
// and the link's parameters as JSON.
func PrintArrivals(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		arrivals, err := db.Arrivals(ctx)
		for _, a := range arrivals {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n", a.At.Format(time.DateTime), a.PlayerID, a.Parameters)
		}
		return err
	})
}

// ReportScore reports a game's score to the configured game platform.
func ReportScore(ctx context.Context, c config.Config, board, playerID string, score int64) error {
	return withStore(ctx, c, func(db *store.DB) error {
		if c.GamePlatform == config.PlatformPlayFab {
			platform := newPlayFab(c, db, playfab.Options{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
			defer platform.Close()
			return leaderboard.NewService(platform).Report(ctx, board, playerID, score)
		}
		platform, err := local.New(db, local.Options{})
		if err != nil {
			return err
		}
		return leaderboard.NewService(platform).Report(ctx, board, playerID, score)
	})
}

// withStore opens the configured database for one task, while a portal may be running.
func withStore(ctx context.Context, c config.Config, do func(*store.DB) error) (err error) {
	db, err := store.Open(ctx, store.Options{URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, databaseFile), Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
