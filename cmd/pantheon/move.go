package main

import (
	"context"
	"fmt"
	"io"

	"pantheon/internal/app"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/operator"
)

type moveCommands struct {
	Status moveStatusCommand `cmd:"" default:"withargs" help:"Print the moves and what they wait for."`
	Freeze moveFreezeCommand `cmd:"" help:"Stop all trade on a chain, and take a snapshot of what is held there."`
	Finish moveFinishCommand `cmd:"" help:"Let the portal, which must not run, move to the chain that the settings name now."`
	Give   moveGiveCommand   `cmd:"" help:"Claim what a wallet held on a chain that was left for a player who has shown to own it."`
	Retake moveRetakeCommand `cmd:"" help:"Take the snapshot of a frozen chain again."`
	Cancel moveCancelCommand `cmd:"" help:"Open a frozen chain again, of which the portal has not moved yet."`
}

type moveStatusCommand struct{ printing }

// Run prints the moves.
func (cmd moveStatusCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	moves, err := app.Moves(ctx, c)
	if err != nil {
		return err
	}
	return cmd.print(con, moves, func(out io.Writer) {
		for _, m := range moves {
			printf(out, "chain %d is %s since %s\n", m.From, m.State, moment(m.FrozenAt))
			if m.Waits != "" {
				printf(out, "  the snapshot %s\n", m.Waits)
			}
			if m.Snapshot != nil {
				printf(out, "  snapshot of block %d, %d holdings, SHA-256 %s\n", m.Snapshot.Block, m.Snapshot.Holdings, m.Snapshot.Hash)
			}
			if m.To != 0 {
				printf(out, "  moved to chain %d at %s; %d of the holdings are claimed\n", m.To, moment(m.MovedAt), m.Claimed)
			}
		}
		if len(moves) == 0 {
			printf(out, "No chain moves.\n")
		}
	})
}

// movedChain is the argument and the flags of commands that change a move.
type movedChain struct {
	Chain uint64 `arg:"" help:"The id of the chain that the portal leaves."`
	act
	printing
}

func (cmd movedChain) done(con *console, text string) error {
	return cmd.print(con, map[string]uint64{"chain": cmd.Chain}, func(out io.Writer) { printf(out, text, cmd.Chain) })
}

type moveFreezeCommand struct{ movedChain }

// Run freezes a chain.
func (cmd moveFreezeCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	if err := app.FreezeChain(ctx, c, onchain.ChainID(cmd.Chain), cmd.by(con)); err != nil {
		return err
	}
	return cmd.done(con, "Chain %d is frozen. A running portal takes the snapshot; `pantheon move` says when.\n")
}

type moveFinishCommand struct{ movedChain }

// Run finishes a move.
func (cmd moveFinishCommand) Run(ctx context.Context, con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	to, err := app.FinishMove(ctx, c, logger(c), onchain.ChainID(cmd.Chain), cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, map[string]uint64{"chain": cmd.Chain, "to": uint64(to)}, func(out io.Writer) {
		printf(out, "The portal has moved from chain %d to chain %d. Start it with these settings.\n", cmd.Chain, to)
	})
}

type moveGiveCommand struct {
	movedChain
	Owner string `arg:"" help:"The wallet that held it."`
	player
}

// Run gives a player what a wallet held.
func (cmd moveGiveCommand) Run(ctx context.Context, con *console) error {
	owner, err := eth.ParseAddress(cmd.Owner)
	if err != nil {
		return fmt.Errorf("%s is no address", cmd.Owner)
	}
	c, err := con.load()
	if err != nil {
		return err
	}
	var to operator.Player
	if err := con.lookup(ctx, func(s *operator.Service) (err error) {
		to, err = s.Find(ctx, cmd.Player)
		return err
	}); err != nil {
		return err
	}
	n, err := app.GiveMoved(ctx, c, onchain.ChainID(cmd.Chain), owner, to.ID, cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, map[string]any{"chain": cmd.Chain, "holdings": n, "player": to.ID}, func(out io.Writer) {
		printf(out, "%s gets %d holdings of %s.\n", to, n, owner.Checksum())
	})
}

type moveRetakeCommand struct{ movedChain }

// Run discards a snapshot.
func (cmd moveRetakeCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	if err := app.RetakeSnapshot(ctx, c, onchain.ChainID(cmd.Chain), cmd.by(con)); err != nil {
		return err
	}
	return cmd.done(con, "The snapshot of chain %d is taken again by a running portal.\n")
}

type moveCancelCommand struct{ movedChain }

// Run cancels a move.
func (cmd moveCancelCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	if err := app.CancelMove(ctx, c, onchain.ChainID(cmd.Chain), cmd.by(con)); err != nil {
		return err
	}
	return cmd.done(con, "Chain %d is open again.\n")
}
