package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/operator"
)

type gasCommands struct {
	Show  gasShowCommand  `cmd:"" help:"Print what of each chain's gas budget is spent today and what is left."`
	Raise gasRaiseCommand `cmd:"" help:"Add to today's gas budget of a chain."`
	Topup gasTopupCommand `cmd:"" help:"Send gas money to the portal's wallets and to the paymaster's deposit."`
}

type gasShowCommand struct{ printing }

// Run prints the budgets.
func (cmd gasShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		budgets, err := s.Gas(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, budgets, func(out io.Writer) { writeGas(out, budgets...) })
	})
}

func writeGas(out io.Writer, budgets ...operator.GasBudget) {
	table(out, func(line func(string, ...any)) {
		line("chain\tday (UTC)\tbudget\traised by\tspent\tby newcomers\tleft\toperations\tleft")
		for _, b := range budgets {
			name, budget, left, operations := "no setting's", "unknown", "unknown", "unknown"
			if b.Limits != nil {
				name, budget, left, operations = b.Chain, native(b.Limits.Budget), native(b.Limits.Left), fmt.Sprint(b.Limits.OperationsLeft)
			}
			line("%s (%d)\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s", name, b.ChainID, b.Day.Format(time.DateOnly), budget, native(b.Raised), native(b.Spent),
				native(b.Newcomers), left, b.Operations, operations)
		}
	})
}

// native formats an amount of a chain's own currency.
func native(wei money.Units) string { return wei.Decimal(18) }

type gasRaiseCommand struct {
	Chain      string `arg:"" help:"The chain: game or main."`
	Amount     string `arg:"" optional:"" default:"0" help:"By how much, in the chain's own currency, such as 0.05."`
	Operations int64  `help:"By how many operations."`
	act
	printing
}

// Run raises a budget for today.
func (cmd gasRaiseCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		b, err := s.RaiseGas(ctx, cmd.Chain, cmd.Amount, cmd.Operations, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, b, func(out io.Writer) { writeGas(out, b) })
	})
}

type gasTopupCommand struct {
	Key string `required:"" placeholder:"FILE|URI" help:"Key that pays for it: a file, or the URI of a key at a KMS."`
	Gas uint64 `default:"600000000" help:"For how much gas the deposit is filled up, and each wallet for a third, if less than half is left."`
	sending
}

// Run fills up the wallets and deposits.
func (cmd gasTopupCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	chains, err := app.NewTopUps(ctx, c, cmd.Gas)
	if err != nil {
		return err
	}
	var all []app.DeployPlan
	for _, d := range chains {
		defer d.Close()
		left, _, failed := cmd.send(ctx, con, d, cmd.Key, nil)
		all, err = append(all, left...), errors.Join(err, failed)
	}
	if err != nil {
		return err
	}
	return cmd.print(con, planned(all), func(out io.Writer) { printf(out, "The wallets and deposits have gas money.\n") })
}
