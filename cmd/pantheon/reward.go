package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type rewardCommands struct {
	List   rewardListCommand   `cmd:"" help:"Print rewards, the newest first."`
	Show   rewardShowCommand   `cmd:"" help:"Print one reward with its grants."`
	Redo   rewardRedoCommand   `cmd:"" help:"Give what failed of a reward again, under the same source."`
	Assign rewardAssignCommand `cmd:"" help:"Give a reward whose wallet no player has registered to a player."`
}

type rewardListCommand struct {
	Player  string `help:"Those of a player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	State   string `enum:",${states}" default:"" help:"Those in a state: ${states}; open for all but the three before it."`
	Unowned bool   `help:"Those of wallets that no player has registered."`
	limit
	printing
}

// Run prints rewards.
func (cmd rewardListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		rewards, err := s.Rewards(ctx, cmd.Player, operator.Find{State: cmd.State, Unowned: cmd.Unowned, Limit: cmd.Limit})
		if err != nil {
			return err
		}
		return cmd.print(con, rewards, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("earned (UTC)\torigin\tstate\tplayer\tsource\terror")
				for _, r := range rewards {
					line("%s\t%s\t%s\t%s\t%s\t%s", moment(r.EarnedAt), r.Origin, r.State, ownerOf(r), r.Source, r.Error)
				}
			})
		})
	})
}

// ownerOf says whose a reward is: its player, or the wallet that waits for one.
func ownerOf(r operator.Reward) string {
	switch {
	case r.PlayerID != "":
		return r.PlayerID
	case r.Wallet.IsZero():
		return "nobody"
	}
	return "wallet " + r.Wallet.Checksum()
}

// rewardSource is the argument of commands about one reward.
type rewardSource struct {
	Source string `arg:"" help:"The reward's source."`
}

type rewardShowCommand struct {
	rewardSource
	printing
}

// Run prints one reward.
func (cmd rewardShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		r, err := s.Reward(ctx, cmd.Source)
		if err != nil {
			return err
		}
		return cmd.print(con, r, func(out io.Writer) {
			printf(out, "source   %s\norigin   %s\nstate    %s\nowner    %s\nearned   %s\nrecorded %s\nchanged  %s\ndetail   %s\n",
				r.Source, r.Origin, r.State, ownerOf(r), moment(r.EarnedAt), moment(r.CreatedAt), moment(r.UpdatedAt), r.Detail)
			if r.Error != "" {
				printf(out, "error    %s\n", r.Error)
			}
			for i, g := range r.Grants {
				printf(out, "grant %d  %s  %s  %s  %s\n", i, g.State, g.Kind, g.Detail, g.Error)
			}
		})
	})
}

type rewardRedoCommand struct {
	rewardSource
	EvenIfGiven bool `help:"Also what the player may have, as the game platform's answer was lost. Look up the balance there."`
	act
	printing
}

// Run gives failed grants again.
func (cmd rewardRedoCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		n, err := s.RedoReward(ctx, cmd.Source, cmd.EvenIfGiven, cmd.by(con))
		if err != nil {
			return err
		}
		done := struct {
			Source string `json:"source"`
			Grants int    `json:"grants"`
		}{cmd.Source, n}
		return cmd.print(con, done, func(out io.Writer) {
			printf(out, "%d grants of %s are given again; a running portal begins within a second.\n", n, cmd.Source)
		})
	})
}

type rewardAssignCommand struct {
	rewardSource
	player
	act
	printing
}

// Run assigns a reward.
func (cmd rewardAssignCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		p, err := s.AssignReward(ctx, cmd.Source, cmd.Player, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) { printf(out, "%s is %s's now.\n", cmd.Source, p) })
	})
}
