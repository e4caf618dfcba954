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
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
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

// PutOnList adds a player to a list until a time, zero for no end.
func PutOnList(ctx context.Context, c config.Config, list, playerID string, until time.Time) error {
	return withStore(ctx, c, func(db *store.DB) error {
		return profile.NewLists(db, clock.System{}).Put(ctx, playerID, list, until)
	})
}

// StrikeFromList removes a player from a list. It is an error if the player is not on it.
func StrikeFromList(ctx context.Context, c config.Config, list, playerID string) error {
	return withStore(ctx, c, func(db *store.DB) error {
		struck, err := profile.NewLists(db, clock.System{}).Strike(ctx, playerID, list)
		if err == nil && !struck {
			return fmt.Errorf("this player is not on the list %q", list)
		}
		return err
	})
}

// FreezePlayer freezes a player, given by id, email or name, and writes what was ended. The reason is shown to the
// player.
func FreezePlayer(ctx context.Context, c config.Config, player, reason string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		f, err := account.NewFreezer(db, clock.System{}).Freeze(ctx, player, reason)
		if err != nil {
			return err
		}
		if f.Already {
			_, err = fmt.Fprintf(w, "%s is frozen already, since %s. The reason is now: %s\n", inWords(f.Identity), since(f.Freeze), f.Reason)
			return err
		}
		_, err = fmt.Fprintf(w, "%s is frozen. Sessions ended: %d. Holds ended: %d.\nThe player reads: %s\nPayments that the chain has already go on.\n",
			inWords(f.Identity), f.Sessions, f.Holds, account.FrozenFault(f.Reason).Message)
		return err
	})
}

// UnfreezePlayer lifts a player's freeze, and writes the result.
func UnfreezePlayer(ctx context.Context, c config.Config, player string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		id, was, err := account.NewFreezer(db, clock.System{}).Unfreeze(ctx, player)
		if err != nil {
			return err
		}
		if was == nil {
			_, err = fmt.Fprintf(w, "%s is not frozen.\n", inWords(id))
			return err
		}
		_, err = fmt.Fprintf(w, "%s is no longer frozen. The account was frozen since %s: %s\n", inWords(id), since(*was), was.Reason)
		return err
	})
}

// PrintFrozen writes the frozen players, the longest frozen first, with time, player and reason.
func PrintFrozen(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		frozen, err := account.NewFreezer(db, clock.System{}).List(ctx)
		for _, f := range frozen {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n", since(f.Freeze), inWords(f.Identity), f.Reason)
		}
		return err
	})
}

// inWords formats a player for an operator.
func inWords(id account.Identity) string {
	if id.Email == "" {
		return fmt.Sprintf("%s (%s)", id.PlayerID, id.DisplayName)
	}
	return fmt.Sprintf("%s (%s, %s)", id.PlayerID, id.DisplayName, id.Email)
}

func since(f account.Freeze) string { return f.At.UTC().Format(time.DateTime) + " UTC" }

// withStore opens the configured database for one task, while a portal may be running.
func withStore(ctx context.Context, c config.Config, do func(*store.DB) error) (err error) {
	db, err := store.Open(ctx, store.Options{URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, databaseFile), Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
