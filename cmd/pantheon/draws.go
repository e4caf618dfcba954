package main

import (
	"context"
	"io"
	"os"

	"pantheon/internal/app"
)

type verifyCommand struct {
	Receipt string `arg:"" help:"The receipt's file, - for standard input, or the id of an opening."`
	Site    string `help:"The portal that is asked for the receipt of an id; PUBLIC_URL when left out." placeholder:"URL"`
}

// Run repeats the draw of a receipt.
func (cmd verifyCommand) Run(ctx context.Context) error {
	text, err := cmd.read(ctx)
	if err != nil {
		return err
	}
	return app.VerifyReceipt(text, terminal())
}

func (cmd verifyCommand) read(ctx context.Context) ([]byte, error) {
	switch {
	case cmd.Receipt == "-":
		return io.ReadAll(io.LimitReader(os.Stdin, maxReceipt))
	case !app.IsOpeningID(cmd.Receipt):
		return os.ReadFile(cmd.Receipt)
	case cmd.Site == "":
		c, _, err := load()
		if err != nil {
			return nil, err
		}
		c.Complete()
		cmd.Site = c.PublicURL
	}
	return app.FetchReceipt(ctx, cmd.Site, cmd.Receipt)
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
