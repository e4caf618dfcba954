package main

import (
	"context"
	"errors"
	"io"

	"pantheon/internal/app"
)

type walletCommands struct {
	Copy    walletCopyCommand    `cmd:"" help:"Copy all wallets to the second place again, such as a new one."`
	Restore walletRestoreCommand `cmd:"" help:"Insert wallets that a restored database lacks, from their copies (WALLET_COPIES_DIR)."`
}

type walletCopyCommand struct {
	act
	printing
}

// copiedWallets are wallets that are copied again, as JSON.
type copiedWallets struct {
	Wallets int64 `json:"wallets"`
}

// Run makes the portal copy all wallets.
func (cmd walletCopyCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	n, err := app.CopyWallets(ctx, c, cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, copiedWallets{n}, func(out io.Writer) { printf(out, "The portal copies %d wallets again.\n", n) })
}

type walletRestoreCommand struct {
	DryRun bool `help:"Only open every copy, and compare."`
	act
	printing
}

// Run restores wallets, and fails if copies cannot be used.
func (cmd walletRestoreCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	r, err := app.RestoreWallets(ctx, c, cmd.DryRun, cmd.by(con))
	if err != nil {
		return err
	}
	err = cmd.print(con, r, func(out io.Writer) {
		verb := "Restored"
		if cmd.DryRun {
			verb = "The database lacks"
		}
		printf(out, "Opened %d copies. %s %d wallets.\n", r.Copies-len(r.Problems), verb, len(r.Restored))
		for _, player := range r.Restored {
			printf(out, "  %s\n", player)
		}
		if len(r.Deleted) > 0 && cmd.DryRun {
			printf(out, "These accounts were deleted, and are in the database again:\n")
		} else if len(r.Deleted) > 0 {
			printf(out, "These accounts had been deleted, and were deleted again:\n")
		}
		for _, player := range r.Deleted {
			printf(out, "  %s\n", player)
		}
		for _, problem := range r.Problems {
			printf(out, "%s\n", problem)
		}
	})
	if err == nil && len(r.Problems) > 0 {
		err = errors.New("some copies cannot be used")
	}
	return err
}
