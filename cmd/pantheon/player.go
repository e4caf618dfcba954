package main

import (
	"context"
	"errors"
	"io"
	"time"

	"pantheon/internal/portal/operator"
)

type playerCommands struct {
	Show       playerShowCommand     `cmd:"" help:"Print what the portal knows of a player."`
	Freeze     playerFreezeCommand   `cmd:"" help:"Freeze a player: no sign-in, hold, payment or signature, until unfreeze."`
	Unfreeze   playerUnfreezeCommand `cmd:"" help:"Let a frozen player in again."`
	Frozen     playerFrozenCommand   `cmd:"" help:"Print which players are frozen, since when and why."`
	Score      playerScoreCommand    `cmd:"" help:"Report what a player has scored in a game."`
	Whitelist  whitelistCommands     `cmd:"" help:"Put a player on a list, or take one off."`
	SignInLink playerLinkCommand     `cmd:"" help:"Print an address that signs a player in once, as a link from the game does."`
}

type playerShowCommand struct {
	player
	printing
}

// Run prints what the portal knows of a player.
func (cmd playerShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		p, err := s.Player(ctx, cmd.Player)
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) {
			printf(out, "player   %s\n", p.Player)
			if p.Frozen != nil {
				printf(out, "frozen   %s\n", whyFrozen(*p.Frozen))
			}
			if p.Wallet != nil {
				printf(out, "wallet   %s (smart), %s (embedded)\n", p.Wallet.Smart.Checksum(), p.Wallet.Owner.Checksum())
			}
			if p.Verified != nil {
				printf(out, "verified %s\n", p.Verified.Checksum())
			}
			for _, l := range p.Lists {
				printf(out, "list     %s%s\n", l.Name, until(l.Until))
			}
			r := p.Rewards
			printf(out, "rewards  %d done, %d failed, %d cancelled, %d open\n", r.Done, r.Failed, r.Cancelled, r.Open)
		})
	})
}

// whyFrozen formats the reason of a freeze.
func whyFrozen(f operator.Freeze) string {
	if f.BySelf() {
		return "self-frozen: the owner pressed \"This was not me\" in an email"
	}
	return f.Reason
}

// until formats the end of something; "" for none.
func until(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " until " + moment(t) + " UTC"
}

type playerFreezeCommand struct {
	player
	Reason string `required:"" placeholder:"TEXT" help:"Why, in one line. The player reads it, and it stands in the operators' log."`
	acting
	printing
}

// Run freezes the player.
func (cmd playerFreezeCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		f, err := s.Freeze(ctx, cmd.Player, cmd.as(con, cmd.Reason))
		if err != nil {
			return err
		}
		return cmd.print(con, f, func(out io.Writer) {
			if f.Already {
				printf(out, "%s is frozen already, since %s UTC. The reason is now: %s\n", f.Player, moment(f.At), f.Reason)
				return
			}
			printf(out, "%s is frozen. Sessions ended: %d. Holds ended: %d.\nThe player reads: %s\nPayments that the chain has already go on.\n",
				f.Player, f.Sessions, f.Holds, f.Shown)
		})
	})
}

type playerUnfreezeCommand struct {
	player
	act
	printing
}

// Run lifts the player's freeze.
func (cmd playerUnfreezeCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		u, err := s.Unfreeze(ctx, cmd.Player, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, u, func(out io.Writer) {
			if u.Was == nil {
				printf(out, "%s is not frozen.\n", u.Player)
				return
			}
			printf(out, "%s is no longer frozen. The account was frozen since %s UTC: %s\n", u.Player, moment(u.Was.At), whyFrozen(*u.Was))
		})
	})
}

type playerFrozenCommand struct{ printing }

// Run prints the frozen players, the longest frozen first.
func (cmd playerFrozenCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		frozen, err := s.FrozenPlayers(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, frozen, func(out io.Writer) {
			for _, f := range frozen {
				printf(out, "%s UTC  %s  %s\n", moment(f.At), f.Player, whyFrozen(f.Freeze))
			}
		})
	})
}

type playerScoreCommand struct {
	player
	Board string `arg:"" help:"The leaderboard: kod or mount-olympus."`
	Score int64  `arg:"" help:"What the player has scored; a board keeps the player's best."`
	act
	printing
}

// Run reports a score, like a game's server.
func (cmd playerScoreCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		p, err := s.ReportScore(ctx, cmd.Player, cmd.Board, cmd.Score, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) { printf(out, "%s has scored %d on %s.\n", p, cmd.Score, cmd.Board) })
	})
}

type whitelistCommands struct {
	Add    whitelistAddCommand    `cmd:"" help:"Put a player on a list, or change until when."`
	Remove whitelistRemoveCommand `cmd:"" help:"Take a player off a list."`
}

type whitelistAddCommand struct {
	player
	List  string `arg:"" help:"The list's name, such as presale."`
	Until string `help:"The day on which it ends, such as 2027-01-31; without an end when left out." placeholder:"DAY"`
	act
	printing
}

// Run puts the player on the list.
func (cmd whitelistAddCommand) Run(ctx context.Context, con *console) (err error) {
	var end time.Time
	if cmd.Until != "" {
		if end, err = time.Parse(time.DateOnly, cmd.Until); err != nil {
			return errors.New("--until: write a day as 2027-01-31")
		}
	}
	return con.act(ctx, func(s *operator.Service) error {
		p, err := s.PutOnList(ctx, cmd.Player, cmd.List, end, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) { printf(out, "%s is on the list %s%s.\n", p, cmd.List, until(end)) })
	})
}

type whitelistRemoveCommand struct {
	player
	List string `arg:"" help:"The list's name."`
	act
	printing
}

// Run takes the player off the list.
func (cmd whitelistRemoveCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		p, err := s.TakeOffList(ctx, cmd.Player, cmd.List, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) { printf(out, "%s is no longer on the list %s.\n", p, cmd.List) })
	})
}

type playerLinkCommand struct {
	player
	Page string `default:"/" help:"Page that the address leads to." placeholder:"PATH"`
	act
	printing
}

// Run prints the address.
func (cmd playerLinkCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		l, err := s.SignInLink(ctx, cmd.Player, cmd.Page, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, l, func(out io.Writer) { printf(out, "%s\n", l.URL) })
	})
}
