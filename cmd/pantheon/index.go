package main

import (
	"context"
	"fmt"
	"io"

	"pantheon/internal/app"
	"pantheon/internal/kit/onchain"
)

type indexCommands struct {
	Rebuild indexRebuildCommand `cmd:"" help:"Read a chain again from its first block, and then replace the portal's index of it."`
}

type indexRebuildCommand struct {
	Chain      uint64 `arg:"" help:"The chain's id. The portal goes on meanwhile with the index that it has."`
	OtherChain bool   `help:"Also replace the index of another chain with this id, as of a test network that was started anew."`
	act
	printing
}

// Run rebuilds the index.
func (cmd indexRebuildCommand) Run(ctx context.Context, con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	if err := app.RebuildIndex(ctx, c, logger(c), onchain.ChainID(cmd.Chain), cmd.OtherChain, cmd.by(con)); err != nil {
		return err
	}
	return cmd.print(con, map[string]uint64{"chain": cmd.Chain}, func(out io.Writer) {
		_, _ = fmt.Fprintf(out, "The index of chain %d is rebuilt.\n", cmd.Chain)
	})
}
