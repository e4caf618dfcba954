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
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
)

// PrintLetters writes the letters to the support, the oldest first.
func PrintLetters(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		letters, err := letterbox(db).Letters(ctx)
		for _, l := range letters {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n\n    %s\n\n", l.CreatedAt.UTC().Format(time.DateTime), l.Topic, l.Email, strings.ReplaceAll(l.Message, "\n", "\n    "))
		}
		return err
	})
}

// PrintAddresses writes the addresses that were left for the day the game opens, one a line, the oldest first.
func PrintAddresses(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		addresses, err := letterbox(db).Addresses(ctx)
		for _, a := range addresses {
			_, _ = fmt.Fprintln(w, a.Email)
		}
		return err
	})
}

// StrikeAddress forgets one of those addresses. An unknown one is an error.
func StrikeAddress(ctx context.Context, c config.Config, address string) error {
	return withStore(ctx, c, func(db *store.DB) error {
		struck, err := letterbox(db).Strike(ctx, address)
		if err == nil && !struck {
			return errors.New("this address is not on the list")
		}
		return err
	})
}

func letterbox(db *store.DB) *contact.Service { return contact.NewService(db, clock.System{}, "") }

// PrintArrivals writes what links from games said about where players come from, the oldest first: when, who, and the
// link's parameters as JSON.
func PrintArrivals(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		arrivals, err := db.Arrivals(ctx)
		for _, a := range arrivals {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n", a.At.Format(time.DateTime), a.PlayerID, a.Parameters)
		}
		return err
	})
}

// ReportScore takes a game's word for a score, to the configured game platform.
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

// PutOnList puts a player on a list until a time, zero for no end.
func PutOnList(ctx context.Context, c config.Config, list, playerID string, until time.Time) error {
	return withStore(ctx, c, func(db *store.DB) error {
		return profile.NewLists(db, clock.System{}).Put(ctx, playerID, list, until)
	})
}

// StrikeFromList takes a player off a list. Who is not on it is an error.
func StrikeFromList(ctx context.Context, c config.Config, list, playerID string) error {
	return withStore(ctx, c, func(db *store.DB) error {
		struck, err := profile.NewLists(db, clock.System{}).Strike(ctx, playerID, list)
		if err == nil && !struck {
			return fmt.Errorf("this player is not on the list %q", list)
		}
		return err
	})
}

// withStore opens the configured database for one task, beside a portal that may be running.
func withStore(ctx context.Context, c config.Config, do func(*store.DB) error) (err error) {
	db, err := store.Open(ctx, store.Options{URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
