package main

import (
	"context"

	"pantheon/internal/app"
)

type rewardsCommands struct {
	List   rewardsListCommand   `cmd:"" help:"Print rewards, the newest first."`
	Show   rewardsShowCommand   `cmd:"" help:"Print one reward with its grants."`
	Redo   rewardsRedoCommand   `cmd:"" help:"Give what failed of a reward again, under the same source."`
	Assign rewardsAssignCommand `cmd:"" help:"Give a reward whose wallet no player has registered to a player."`
}

type rewardsListCommand struct {
	Player  string `help:"Those of a player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	State   string `help:"Those in a state: pending, drawn, sending, done, failed, cancelled, or open for all that are none of the last three." enum:",pending,drawn,sending,done,failed,cancelled,open" default:""`
	Unowned bool   `help:"Those of wallets that no player has registered."`
	Limit   int    `default:"50" help:"How many of the newest."`
}

// Run prints rewards.
func (cmd rewardsListCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintRewards(ctx, c, app.RewardsFilter{Player: cmd.Player, State: cmd.State, Unowned: cmd.Unowned, Limit: cmd.Limit}, terminal())
}

type rewardsShowCommand struct {
	Source string `arg:"" help:"The reward's source."`
}

// Run prints one reward.
func (cmd rewardsShowCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintReward(ctx, c, cmd.Source, terminal())
}

type rewardsRedoCommand struct {
	Source      string `arg:"" help:"The reward's source."`
	Reason      string `required:"" help:"Why; it is logged."`
	EvenIfGiven bool   `help:"Also what the player may have already, because the game platform's answer was lost. Look up the balance there first."`
}

// Run gives failed grants again.
func (cmd rewardsRedoCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.RedoReward(ctx, c, cmd.Source, cmd.Reason, cmd.EvenIfGiven, terminal())
}

type rewardsAssignCommand struct {
	Source string `arg:"" help:"The reward's source."`
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	Reason string `required:"" help:"Why; it is logged."`
}

// Run assigns a reward.
func (cmd rewardsAssignCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.AssignReward(ctx, c, cmd.Source, cmd.Player, cmd.Reason, terminal())
}
