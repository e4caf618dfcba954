package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
)

// ReportScore takes a game's word for a score, to the configured game platform, beside a portal that may be running.
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

// withStore opens the configured database for one task.
func withStore(ctx context.Context, c config.Config, do func(*store.DB) error) (err error) {
	db, err := store.Open(ctx, store.Options{URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, "pantheon.db"), Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
