package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
)

// RewardsFilter selects the rewards of PrintRewards.
type RewardsFilter struct {
	Player  string // an id, an email or a name; "" for all
	State   string // see reward.Find
	Unowned bool
	Limit   int
}

// PrintRewards writes rewards, newest first.
func PrintRewards(ctx context.Context, c config.Config, f RewardsFilter, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		find := reward.Find{State: f.State, Unowned: f.Unowned, Limit: f.Limit}
		if f.Player != "" {
			id, err := onePlayer(ctx, db, f.Player)
			if err != nil {
				return err
			}
			find.PlayerID = id.PlayerID
		}
		rewards, err := db.FindRewards(ctx, find)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "earned (UTC)\torigin\tstate\tplayer\tsource\terror")
		for _, r := range rewards {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", r.EarnedAt.UTC().Format(time.DateTime), r.Origin, r.State, ownerOf(r), r.Source, r.Error)
		}
		return out.Flush()
	})
}

// ownerOf says whose a reward is: its player, or the wallet that waits for one.
func ownerOf(r reward.Record) string {
	switch {
	case r.PlayerID != "":
		return r.PlayerID
	case r.Wallet.IsZero():
		return "nobody"
	}
	return "wallet " + r.Wallet.Checksum()
}

// PrintReward writes one reward with its grants.
func PrintReward(ctx context.Context, c config.Config, source string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		r, err := db.RewardRecord(ctx, source)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(w, "source   %s\norigin   %s\nstate    %s\nowner    %s\nearned   %s\nrecorded %s\nchanged  %s\ndetail   %s\n", r.Source, r.Origin, r.State, ownerOf(r),
			r.EarnedAt.UTC().Format(time.DateTime), r.CreatedAt.UTC().Format(time.DateTime), r.UpdatedAt.UTC().Format(time.DateTime), r.Detail)
		if r.Error != "" {
			_, _ = fmt.Fprintf(w, "error    %s\n", r.Error)
		}
		for i, g := range r.Given {
			_, _ = fmt.Fprintf(w, "grant %d  %s  %s  %s  %s\n", i, g.State, g.Kind, g.Detail, g.Error)
		}
		return nil
	})
}

// RedoReward gives what failed of a reward again, under the same source. It refuses a reward of which the player may have a
// failed grant already, because the game platform's answer was lost, unless evenIfGiven is set.
func RedoReward(ctx context.Context, c config.Config, source, reason string, evenIfGiven bool, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		r, err := db.RewardRecord(ctx, source)
		if err != nil {
			return err
		}
		for i, g := range r.Given {
			if g.State == reward.Failed && g.Error == purse.ErrUnclear.Message && !evenIfGiven {
				return fmt.Errorf("it is not known whether the player has grant %d (%s): look up the balance on the game platform and, if it was not given, use --even-if-given", i, g.Detail)
			}
		}
		n, err := reward.Redo(ctx, db, source, operatorEntry("rewards redo", source, reason))
		if err == nil {
			_, err = fmt.Fprintf(w, "%d grants of %s are given again; a running portal begins within a second.\n", n, source)
		}
		return err
	})
}

// AssignReward gives a reward whose wallet has no player to a player: an id, an email or a name.
func AssignReward(ctx context.Context, c config.Config, source, player, reason string, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		id, err := onePlayer(ctx, db, player)
		if err != nil {
			return err
		}
		if r, err := db.RewardRecord(ctx, source); err == nil && r.Origin == reward.FromWebstore {
			return errors.New("this reward is of an order of the webstore: assign the whole order by webstore assign")
		}
		if err := reward.Assign(ctx, db, source, id.PlayerID, operatorEntry("rewards assign", source, id.PlayerID+": "+reason)); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s is %s's now.\n", source, inWords(id))
		return err
	})
}
