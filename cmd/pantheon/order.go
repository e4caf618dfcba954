package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type orderCommands struct {
	List orderListCommand `cmd:"" help:"Print a player's orders, the newest first."`
	Show orderShowCommand `cmd:"" help:"Print one order with its items and what has happened to it."`
}

type orderListCommand struct {
	player
	Limit int `default:"20" help:"How many of the newest, 1000 at most."`
	printing
}

// Run prints a player's orders.
func (cmd orderListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		orders, err := s.Orders(ctx, cmd.Player, cmd.Limit)
		if err != nil {
			return err
		}
		return cmd.print(con, orders, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("placed (UTC)\torder\tstate\ttotal\ttransaction\terror")
				for _, o := range orders {
					tx := ""
					if o.Tx != nil {
						tx = o.Tx.String()
					}
					line("%s\t%s\t%s\t%s\t%s\t%s", moment(o.PlacedAt), o.ID, o.State, con.money(o.Total), tx, o.Error)
				}
			})
		})
	})
}

type orderShowCommand struct {
	Order string `arg:"" help:"The order's id."`
	printing
}

// Run prints one order.
func (cmd orderShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		o, err := s.Order(ctx, cmd.Order)
		if err != nil {
			return err
		}
		return cmd.print(con, o, func(out io.Writer) {
			printf(out, "order    %s\nplayer   %s\nstate    %s\ntotal    %s\nwallet   %s on chain %d\nplaced   %s\nexpires  %s\n",
				o.ID, o.PlayerID, o.State, con.money(o.Total), o.Wallet.Checksum(), o.Chain, moment(o.PlacedAt), moment(o.ExpiresAt))
			if o.Operation != nil {
				printf(out, "operation %s\n", o.Operation)
			}
			if o.Tx != nil {
				printf(out, "transaction %s\n", o.Tx)
			}
			if o.Trace != "" {
				printf(out, "trace    %s\n", o.Trace)
			}
			if o.Error != "" {
				printf(out, "error    %s\n", o.Error)
			}
			for _, i := range o.Items {
				printf(out, "item     %d × token %s of %s, listing %s, %s each, bought %d\n",
					i.Quantity, i.TokenID, i.Contract.Checksum(), i.Listing, con.money(i.Price), i.Bought)
			}
			for _, e := range o.Events {
				printf(out, "event    %s  %s  %s\n", moment(e.At), e.State, e.Detail)
			}
		})
	})
}
