package main

import (
	"context"
	"errors"
	"io"
	"os"

	"pantheon/internal/app"
)

type verifyCommand struct {
	Receipt string   `arg:"" optional:"" help:"The receipt's file, - for standard input, or the id of an opening."`
	Site    string   `help:"The portal that is asked for what it publishes of an opening; PUBLIC_URL when left out." placeholder:"URL"`
	RPC     []string `name:"rpc" help:"A JSON-RPC endpoint of a chain, with which burns, tables and mints are compared; several for several chains." placeholder:"URL"`
	Beacon  string   `help:"The public key of the expected beacon, in hex; that of drand's quicknet when left out." placeholder:"KEY"`
	Strict  bool     `help:"Fail for what could not be looked up, too."`
	All     bool     `help:"Check all openings of the portal, and each against those before it."`
	Chests  string   `help:"With --all: the contract of the packs; that of the portal's public configuration when left out." placeholder:"ADDRESS"`
	From    uint64   `help:"With --all: the first block whose burns open packs." placeholder:"BLOCK"`
}

// Run repeats the draw of a receipt, or of all, and compares what it names with the portal, the chains and the beacon.
func (cmd verifyCommand) Run(ctx context.Context) error {
	o := app.VerifyOptions{Site: cmd.Site, RPC: cmd.RPC, Beacon: cmd.Beacon, Strict: cmd.Strict}
	if o.Site == "" && (cmd.All || app.IsOpeningID(cmd.Receipt)) {
		c, _, err := load()
		if err != nil {
			return err
		}
		c.Complete()
		o.Site = c.PublicURL
	}
	switch {
	case cmd.All:
		return app.VerifyAll(ctx, cmd.Chests, cmd.From, o, terminal())
	case cmd.Receipt == "":
		return errors.New("verify: name a receipt or an opening, or use --all")
	case app.IsOpeningID(cmd.Receipt):
		return app.VerifyOpening(ctx, cmd.Receipt, nil, o, terminal())
	}
	text, err := cmd.read()
	if err != nil {
		return err
	}
	return app.VerifyOpening(ctx, "", text, o, terminal())
}

func (cmd verifyCommand) read() ([]byte, error) {
	if cmd.Receipt == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, maxReceipt))
	}
	return os.ReadFile(cmd.Receipt)
}

// maxReceipt is the size of the largest receipt that is read, in bytes.
const maxReceipt = 1 << 20

type oddsCommands struct {
	Announce oddsAnnounceCommand `cmd:"" help:"Check that drop tables may take the place of the known ones, and keep their new editions: they can never change from then on."`
	Check    oddsCheckCommand    `cmd:"" help:"Check the game's rules and print the odds."`
	Simulate oddsSimulateCommand `cmd:"" help:"Draw from drop tables many times, and print what was promised beside what was drawn."`
}

type oddsCheckCommand struct {
	File string `arg:"" optional:"" type:"existingfile" help:"A YAML file of the game's rules; that of GAME_RULES_FILE, or the built-in ones, when left out."`
}

// Run checks the tables.
func (cmd oddsCheckCommand) Run() error {
	file, err := rulesFile(cmd.File)
	if err != nil {
		return err
	}
	return app.CheckOdds(file, terminal())
}

// rulesFile returns the named file, or the configured one if there is no name.
func rulesFile(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	c, _, err := load()
	return c.GameRules, err
}

type oddsAnnounceCommand struct {
	File string `arg:"" type:"existingfile" help:"A YAML file of the game's rules, with all drop tables: the known editions as they are, and new ones."`
}

// Run keeps the tables.
func (cmd oddsAnnounceCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.KeepOdds(ctx, c, cmd.File, terminal())
}

type oddsSimulateCommand struct {
	File  string `arg:"" optional:"" type:"existingfile" help:"A YAML file of the game's rules; that of GAME_RULES_FILE, or the built-in ones, when left out."`
	Draws int    `short:"n" default:"1000000" help:"How often each table is drawn from."`
}

// Run draws from the tables.
func (cmd oddsSimulateCommand) Run() error {
	file, err := rulesFile(cmd.File)
	if err != nil {
		return err
	}
	return app.SimulateOdds(file, max(cmd.Draws, 1), terminal())
}
