package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type shopCommands struct {
	List    shopListCommand    `cmd:"" help:"Print the paid orders that wait for an operator, and what players owe."`
	Show    shopShowCommand    `cmd:"" help:"Print one paid order with its lines, notes and rewards."`
	Assign  shopAssignCommand  `cmd:"" help:"Give a paid order without a player to one."`
	Release shopReleaseCommand `cmd:"" help:"Give a player what waits of a paid order, after you have looked at it."`
	Forgive shopForgiveCommand `cmd:"" help:"Forgive what a player owes after refunds, and disputes of the player's payments."`
}

type shopListCommand struct {
	Limit int `default:"50" help:"How many of each, 1000 at most."`
	printing
}

// Run prints what waits for an operator, the oldest first.
func (cmd shopListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		b, err := s.ShopBacklog(ctx, cmd.Limit)
		if err != nil {
			return err
		}
		return cmd.print(con, b, func(out io.Writer) {
			oldest := "none"
			if !b.Since.IsZero() {
				oldest = moment(b.Since)
			}
			printf(out, "reported and not fetched: %d, oldest %s\n", b.Reported, oldest)
			for _, h := range b.Failed {
				printf(out, "  order %d since %s, tried %d times: %s\n", h.OrderID, moment(h.Since), h.Attempts, oneLine(h.Error))
			}
			printf(out, "paid and waiting for an operator: %d\n\n", b.Waiting)
			table(out, func(line func(string, ...any)) {
				line("paid (UTC)\torder\tstatus\tproblem")
				for _, o := range b.Orders {
					line("%s\t%d\t%s\t%s", moment(o.PaidAt), o.ID, o.Status, oneLine(o.Why()))
				}
				line("\nplayer\tstate\towed\tof\treward")
				for _, d := range b.Debts {
					line("%s\t%s\t%d\t%s %s\t%s", d.PlayerID, d.State, d.Amount, d.Kind, d.Detail, d.Source)
				}
			})
		})
	})
}

// shopOrder is the argument of commands about one paid order.
type shopOrder struct {
	Order int64 `arg:"" help:"The shop's id of the order."`
}

type shopShowCommand struct {
	shopOrder
	printing
}

// Run prints one order.
func (cmd shopShowCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		o, err := s.ShopOrder(ctx, cmd.Order)
		if err != nil {
			return err
		}
		return cmd.print(con, o, func(out io.Writer) { writeShopOrder(out, o) })
	})
}

func writeShopOrder(out io.Writer, o operator.ShopOrder) {
	player := o.PlayerID
	if player == "" {
		player = "nobody"
	}
	printf(out, "order    %d (%s)\nstatus   %s\nplayer   %s\npaid     %s\n", o.ID, oneLine(o.Number), o.Status, player, moment(o.PaidAt))
	if why := o.Why(); why != "" {
		printf(out, "problem  %s\n", oneLine(why))
	}
	if !o.DisputedAt.IsZero() {
		printf(out, "disputed %s\n", moment(o.DisputedAt))
	}
	for _, r := range o.Refers {
		switch {
		case r.PlayerID == "":
			printf(out, "refers   to player unknown\n")
		case r.Deleted:
			printf(out, "refers   to player %s, who has deleted the account\n", r.PlayerID)
		default:
			printf(out, "refers   to player %s\n", r.PlayerID)
		}
	}
	for _, l := range o.Lines {
		unknown := ""
		if l.Unknown {
			unknown = ", not given: the catalogue does not know it"
		}
		printf(out, "line     %d: %d × %s (variation %d), taken back %d, waiting %d%s\n",
			l.ID, l.Quantity, oneLine(l.Name), l.Variation, l.Back, l.Waiting, unknown)
	}
	for _, n := range o.Notes {
		printf(out, "note     %s\n", oneLine(n))
	}
	for _, r := range o.Rewards {
		printf(out, "reward   %s  %s  %s\n", r.State, r.Source, r.Error)
	}
}

type shopAssignCommand struct {
	shopOrder
	player
	act
	printing
}

// Run assigns an order.
func (cmd shopAssignCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		p, err := s.AssignShopOrder(ctx, cmd.Order, cmd.Player, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, p, func(out io.Writer) { printf(out, "Order %d is %s's now.\n", cmd.Order, p) })
	})
}

type shopReleaseCommand struct {
	shopOrder
	act
	printing
}

// Run releases an order.
func (cmd shopReleaseCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		if err := s.ReleaseShopOrder(ctx, cmd.Order, cmd.by(con)); err != nil {
			return err
		}
		done := struct {
			Order int64 `json:"order"`
		}{cmd.Order}
		return cmd.print(con, done, func(out io.Writer) { printf(out, "What waited of order %d is given.\n", cmd.Order) })
	})
}

type shopForgiveCommand struct {
	player
	act
	printing
}

// Run forgives debts.
func (cmd shopForgiveCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		f, err := s.ForgiveShopDebts(ctx, cmd.Player, cmd.by(con))
		if err != nil {
			return err
		}
		return cmd.print(con, f, func(out io.Writer) {
			printf(out, "%d debts of %s are forgiven, and %d disputed payments.\n", f.Debts, f.Player, f.Disputes)
		})
	})
}
