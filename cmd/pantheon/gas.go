package main

import (
	"context"

	"pantheon/internal/app"
)

type gasCommand struct {
	Show  gasShowCommand  `cmd:"" default:"1" help:"Print what of each chain's gas budget is spent today and what is left."`
	Raise gasRaiseCommand `cmd:"" help:"Add to today's gas budget of a chain."`
}

type gasShowCommand struct{}

// Run prints the budgets.
func (gasShowCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	return app.PrintGas(ctx, c, terminal())
}

type gasRaiseCommand struct {
	Chain      string `arg:"" help:"The chain: game or main."`
	Amount     string `arg:"" optional:"" default:"0" help:"By how much, in the chain's own currency, such as 0.05."`
	Operations int64  `help:"By how many operations."`
}

// Run raises a budget for today.
func (cmd gasRaiseCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	return app.RaiseGas(ctx, c, cmd.Chain, cmd.Amount, cmd.Operations)
}
