package main

import (
	"context"
	"fmt"
	"io"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
)

type indexCommands struct {
	Rebuild indexRebuildCommand `cmd:"" help:"Let the portal discard its index of a chain and read the chain again."`
}

type indexRebuildCommand struct {
	Chain uint64 `arg:"" help:"The chain's id. Until it is read, the market lacks what is on it, and what is held in carts is let go."`
	act
	printing
}

// Run discards the index.
func (cmd indexRebuildCommand) Run(ctx context.Context, con *console) error {
	return con.act(ctx, func(s *operator.Service) error {
		if err := s.RebuildIndex(ctx, onchain.ChainID(cmd.Chain), cmd.by(con)); err != nil {
			return err
		}
		return cmd.print(con, map[string]uint64{"chain": cmd.Chain}, func(out io.Writer) {
			_, _ = fmt.Fprintf(out, "Chain %d is read again from its first block, once it has a new one.\n", cmd.Chain)
		})
	})
}
