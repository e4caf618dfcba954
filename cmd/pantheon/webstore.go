package main

import (
	"context"

	"pantheon/internal/app"
)

type webstoreCommands struct {
	List    webstoreListCommand    `cmd:"" help:"Print the paid orders that wait for an operator, and what players owe."`
	Show    webstoreShowCommand    `cmd:"" help:"Print one paid order with its lines, notes and rewards."`
	Assign  webstoreAssignCommand  `cmd:"" help:"Give a paid order without a player to one."`
	Release webstoreReleaseCommand `cmd:"" help:"Give a player what waits of a paid order, after you have looked at it."`
	Forgive webstoreForgiveCommand `cmd:"" help:"Forgive what a player owes after refunds, and disputes of the player's payments."`
}

type webstoreListCommand struct {
	Limit int `default:"50" help:"How many of each."`
}

// Run prints what waits for an operator.
func (cmd webstoreListCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintWebstore(ctx, c, cmd.Limit, terminal())
}

type webstoreShowCommand struct {
	Order int64 `arg:"" help:"The shop's id of the order."`
}

// Run prints one order.
func (cmd webstoreShowCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintWebstoreOrder(ctx, c, cmd.Order, terminal())
}

type webstoreAssignCommand struct {
	Order  int64  `arg:"" help:"The shop's id of the order."`
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	Reason string `required:"" help:"Why; it is logged."`
}

// Run assigns an order.
func (cmd webstoreAssignCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.AssignWebstoreOrder(ctx, c, cmd.Order, cmd.Player, cmd.Reason, terminal())
}

type webstoreReleaseCommand struct {
	Order  int64  `arg:"" help:"The shop's id of the order."`
	Reason string `required:"" help:"Why; it is logged."`
}

// Run releases an order.
func (cmd webstoreReleaseCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.ReleaseWebstoreOrder(ctx, c, cmd.Order, cmd.Reason, terminal())
}

type webstoreForgiveCommand struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
	Reason string `required:"" help:"Why; it is logged."`
}

// Run forgives debts.
func (cmd webstoreForgiveCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.ForgiveWebstoreDebts(ctx, c, cmd.Player, cmd.Reason, terminal())
}
