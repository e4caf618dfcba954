package main

import (
	"context"
	"errors"
	"io"
	"os"

	"pantheon/internal/app"
)

type openingCommands struct {
	Verify verifyCommand `cmd:"" help:"Repeat the draw of an opening from its receipt."`
}

type verifyCommand struct {
	Receipt string   `arg:"" optional:"" help:"The receipt's file, - for standard input, or the id of an opening."`
	Site    string   `placeholder:"URL" help:"The portal that is asked for what it publishes of an opening; PUBLIC_URL when left out."`
	RPC     []string `name:"rpc" placeholder:"URL" help:"A JSON-RPC endpoint of a chain, for burns, tables and mints; one for each chain."`
	Beacon  string   `placeholder:"KEY" help:"The public key of the expected beacon, in hex; that of drand's quicknet when left out."`
	Strict  bool     `help:"Fail for what could not be looked up, too."`
	All     bool     `help:"Check all openings of the portal, and each against those before it."`
	Chests  string   `placeholder:"ADDRESS" help:"With --all: the contract of the packs; that of the portal's configuration when left out."`
	From    uint64   `placeholder:"BLOCK" help:"With --all: the first block whose burns open packs."`
	printing
}

// Run repeats the draw of a receipt, or of all, and compares what it names with the portal, the chains and the beacon.
func (cmd verifyCommand) Run(ctx context.Context, con *console) error {
	o := app.VerifyOptions{Site: cmd.Site, RPC: cmd.RPC, Beacon: cmd.Beacon, Strict: cmd.Strict}
	if o.Site == "" && (cmd.All || app.IsOpeningID(cmd.Receipt)) {
		c, err := con.load()
		if err != nil {
			return err
		}
		c.Complete()
		o.Site = c.PublicURL
	}
	switch {
	case cmd.All:
		return cmd.all(ctx, con, o)
	case cmd.Receipt == "":
		return errors.New("verify: name a receipt or an opening, or use --all")
	case app.IsOpeningID(cmd.Receipt):
		return cmd.one(ctx, con, cmd.Receipt, nil, o)
	}
	text, err := cmd.read()
	if err != nil {
		return err
	}
	return cmd.one(ctx, con, "", text, o)
}

func (cmd verifyCommand) one(ctx context.Context, con *console, id string, receipt []byte, o app.VerifyOptions) error {
	r, err := app.VerifyOpening(ctx, id, receipt, o)
	if r == nil {
		return err
	}
	return errors.Join(cmd.print(con, r, func(out io.Writer) {
		table(out, func(line func(string, ...any)) {
			for _, i := range r.Inputs {
				line("%s\t%s", i.Name, i.Text)
			}
			if len(r.Inputs) > 0 {
				line("")
			}
			for _, c := range r.Checks {
				line("%s\t%s\t%s", c.Name, c.State, c.Detail)
			}
		})
		printf(out, "\nWhat had been opened before, on which pity rules and limits depend, shows in all receipts together: see --all.\n")
	}), err)
}

func (cmd verifyCommand) all(ctx context.Context, con *console, o app.VerifyOptions) error {
	r, err := app.VerifyAll(ctx, cmd.Chests, cmd.From, o)
	if r == nil {
		return err
	}
	return errors.Join(cmd.print(con, r, func(out io.Writer) {
		printf(out, "%d openings, of which %d are drawn and %d wait; %d packs were burned, and %d payments recorded. %d faults.\n",
			r.Openings, r.Drawn, r.Waiting, r.Burned, r.Recorded, len(r.Faults))
		if r.Ungiven > 0 {
			printf(out, "Of %d it is unknown whether all that was drawn was given.\n", r.Ungiven)
		}
		for _, unknown := range r.Unknown {
			printf(out, "Unknown: %s\n", unknown)
		}
	}), err)
}

func (cmd verifyCommand) read() ([]byte, error) {
	if cmd.Receipt == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, maxReceipt))
	}
	return os.ReadFile(cmd.Receipt)
}

// maxReceipt is the size of the largest receipt that is read, in bytes.
const maxReceipt = 1 << 20
