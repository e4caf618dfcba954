package app

import (
	"context"
	"fmt"
	"io"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
)

// PrintPlayer writes what the portal knows of a player: an id, an email or a name.
func PrintPlayer(ctx context.Context, c config.Config, player string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		id, err := onePlayer(ctx, db, player)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(w, "player   %s\n", inWords(id))
		if reason, frozen, err := db.Frozen(ctx, id.PlayerID); err != nil {
			return err
		} else if frozen {
			_, _ = fmt.Fprintf(w, "frozen   %s\n", freezeInWords(reason))
		}
		if pair, err := db.Wallet(ctx, id.PlayerID); err == nil {
			_, _ = fmt.Fprintf(w, "wallet   %s (smart), %s (embedded)\n", pair.Smart.Checksum(), pair.Owner.Checksum())
		}
		if own, err := db.VerifiedWallet(ctx, id.PlayerID); err == nil {
			_, _ = fmt.Fprintf(w, "verified %s\n", own.Address.Checksum())
		}
		counts := map[string]int{}
		rewards, err := db.FindRewards(ctx, reward.Find{PlayerID: id.PlayerID, Limit: 1000})
		for _, r := range rewards {
			counts[string(r.State)]++
		}
		_, _ = fmt.Fprintf(w, "rewards  %d done, %d failed, %d open (of the newest 1000)\n", counts["done"], counts["failed"], len(rewards)-counts["done"]-counts["failed"])
		return err
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
		_, err = fmt.Fprintf(w, "%s is no longer frozen. The account was frozen since %s: %s\n", inWords(id), since(*was), freezeInWords(was.Reason))
		return err
	})
}

// PrintFrozen writes the frozen players, the longest frozen first, with time, player and reason.
func PrintFrozen(ctx context.Context, c config.Config, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		frozen, err := account.NewFreezer(db, clock.System{}).List(ctx)
		for _, f := range frozen {
			_, _ = fmt.Fprintf(w, "%s  %s  %s\n", since(f.Freeze), inWords(f.Identity), freezeInWords(f.Reason))
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

// freezeInWords formats the reason of a freeze.
func freezeInWords(reason string) string {
	if (account.Freeze{Reason: reason}).BySelf() {
		return "self-frozen: the owner pressed \"This was not me\" in an email"
	}
	return reason
}

func since(f account.Freeze) string { return f.At.UTC().Format(time.DateTime) + " UTC" }

// onePlayer returns the player whom an id, email or name means.
func onePlayer(ctx context.Context, db *store.DB, written string) (account.Identity, error) {
	return account.NewFreezer(db, clock.System{}).Find(ctx, written)
}
