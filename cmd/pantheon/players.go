package main

import (
	"context"
	"fmt"
	"time"

	"pantheon/internal/app"
)

type playerCommand struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
}

// Run prints what the portal knows of a player.
func (cmd playerCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintPlayer(ctx, c, cmd.Player, terminal())
}

type scoreCommand struct {
	Board  string `required:"" help:"The leaderboard: kod or mount-olympus."`
	Player string `required:"" help:"The player's id (PlayFabId)."`
	Score  int64  `required:"" help:"What the player has scored; a board keeps the player's best."`
}

// Run reports a score, like a game's server.
func (cmd scoreCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	return app.ReportScore(ctx, c, cmd.Board, cmd.Player, cmd.Score)
}

type whitelistCommand struct {
	List   string `required:"" help:"The list's name, such as presale."`
	Player string `required:"" help:"The player's id (PlayFabId)."`
	Until  string `help:"The day on which it ends, such as 2027-01-31; without an end when left out." placeholder:"DAY" xor:"what"`
	Strike bool   `help:"Take the player off the list instead." xor:"what"`
}

// Run adds a player to a list, or removes one.
func (cmd whitelistCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	if cmd.Strike {
		return app.StrikeFromList(ctx, c, cmd.List, cmd.Player)
	}
	var until time.Time
	if cmd.Until != "" {
		if until, err = time.Parse(time.DateOnly, cmd.Until); err != nil {
			return fmt.Errorf("--until: write a day as 2027-01-31")
		}
	}
	return app.PutOnList(ctx, c, cmd.List, cmd.Player, until)
}

type freezeCommand struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	Reason string `arg:"" help:"Why, on one line; the player reads it."`
}

// Run freezes the player.
func (cmd freezeCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.FreezePlayer(ctx, c, cmd.Player, cmd.Reason, terminal())
}

type unfreezeCommand struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
}

// Run lifts the player's freeze.
func (cmd unfreezeCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.UnfreezePlayer(ctx, c, cmd.Player, terminal())
}

type frozenCommand struct{}

// Run prints the frozen players.
func (frozenCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintFrozen(ctx, c, terminal())
}
