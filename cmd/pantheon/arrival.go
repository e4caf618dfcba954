package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type arrivalCommands struct {
	List arrivalListCommand `cmd:"" help:"Print the arrivals, oldest first: time, player, and the link's parameters as JSON."`
}

type arrivalListCommand struct{ printing }

// Run prints the arrivals.
func (cmd arrivalListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		arrivals, err := s.Arrivals(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, arrivals, func(out io.Writer) {
			for _, a := range arrivals {
				printf(out, "%s  %s  %s\n", moment(a.At), a.PlayerID, a.Parameters)
			}
		})
	})
}
