package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type addressCommands struct {
	List   addressListCommand   `cmd:"" help:"Print the addresses, one a line, oldest first."`
	Delete addressDeleteCommand `cmd:"" help:"Forget an address. The operators' log has its first letter and its domain."`
}

type addressListCommand struct{ printing }

// Run prints the addresses.
func (cmd addressListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		addresses, err := s.Addresses(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, addresses, func(out io.Writer) {
			for _, a := range addresses {
				printf(out, "%s\n", a.Email)
			}
		})
	})
}

type addressDeleteCommand struct {
	Address string `arg:"" help:"The address, in any spelling."`
	act
}

// Run deletes the address.
func (cmd addressDeleteCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error { return s.DeleteAddress(ctx, cmd.Address, cmd.by(con)) })
}
