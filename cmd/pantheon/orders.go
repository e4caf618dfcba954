package main

import (
	"context"

	"pantheon/internal/app"
)

type ordersCommand struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	Limit  int    `default:"20" help:"How many of the newest."`
}

// Run prints a player's orders.
func (cmd ordersCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintOrders(ctx, c, cmd.Player, cmd.Limit, terminal())
}
