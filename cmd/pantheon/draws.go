package main

import (
	"os"

	"pantheon/internal/app"
)

type verifyCommand struct {
	File []byte `arg:"" type:"filecontent" help:"The receipt's file; - for standard input."`
}

// Run repeats the draw of a receipt.
func (cmd verifyCommand) Run() error { return app.VerifyReceipt(cmd.File, os.Stdout) }

type oddsCommands struct {
	Check    oddsCheckCommand    `cmd:"" help:"Check drop tables and print the odds."`
	Simulate oddsSimulateCommand `cmd:"" help:"Draw from drop tables many times, and print what was promised beside what was drawn."`
}

type oddsCheckCommand struct {
	File string `arg:"" optional:"" type:"existingfile" help:"A YAML file of drop tables; the built-in ones when left out."`
}

// Run checks the tables.
func (cmd oddsCheckCommand) Run() error { return app.CheckOdds(cmd.File, os.Stdout) }

type oddsSimulateCommand struct {
	File  string `arg:"" optional:"" type:"existingfile" help:"A YAML file of drop tables; the built-in ones when left out."`
	Draws int    `short:"n" default:"1000000" help:"How often each table is drawn from."`
}

// Run draws from the tables.
func (cmd oddsSimulateCommand) Run() error {
	return app.SimulateOdds(cmd.File, max(cmd.Draws, 1), os.Stdout)
}
