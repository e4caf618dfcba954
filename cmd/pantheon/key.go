package main

import (
	"context"
	"io"

	"pantheon/internal/app"
)

type keyCommands struct {
	Init keyInitCommand `cmd:"" help:"Make the key that seals the players' wallets, for a new portal. It never replaces one."`
}

type keyInitCommand struct {
	act
	printing
}

// Run creates the key file.
func (cmd keyInitCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	k, err := app.InitKey(ctx, c, cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, k, func(out io.Writer) {
		printf(out, "Made the signer key %s, fingerprint %s.\n", k.Path, k.Fingerprint)
		printf(out, "Back it up apart from the database, and give every replica the same file: "+
			"without it the players' wallets cannot be opened.\n")
		if !k.Logged {
			printf(out, "Note: there is no database with the operators' log yet, so this is not logged.\n")
		}
		for _, warning := range k.Warnings {
			printf(out, "Note: %s.\n", warning)
		}
	})
}
