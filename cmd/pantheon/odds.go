package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"pantheon/internal/app"
	"pantheon/internal/config"
)

type oddsCommands struct {
	Check    oddsCheckCommand    `cmd:"" help:"Check the game's rules and print the odds."`
	Simulate oddsSimulateCommand `cmd:"" help:"Draw from drop tables many times, and print what was promised beside what was drawn."`
	Announce oddsAnnounceCommand `cmd:"" help:"Check drop tables, and keep their new editions: from then on they can never change."`
}

// rulesFile is the argument of commands that read rules of the game.
type rulesFile struct {
	File string `arg:"" optional:"" type:"existingfile" help:"A YAML file of the game's rules; else GAME_RULES_FILE or the brand's."`
}

// load reads the configuration, whose rules are those of the named file if there is a name.
func (f rulesFile) load(con *console) (config.Config, error) {
	c, err := con.load()
	c.GameRules = cmp.Or(f.File, c.GameRules)
	return c, err
}

type oddsCheckCommand struct {
	rulesFile
	printing
}

// Run checks the tables.
func (cmd oddsCheckCommand) Run(con *console) error {
	c, err := cmd.load(con)
	if err != nil {
		return err
	}
	tables, err := app.CheckOdds(c)
	if err != nil {
		return err
	}
	return cmd.print(con, tables, func(out io.Writer) {
		table(out, func(line func(string, ...any)) {
			for _, t := range tables {
				line("%s, edition %d, SHA-256 %s", t.Kind, t.Edition, t.Hash)
				if t.Pity != nil {
					line("after %d openings without it, the next is %s or rarer", t.Pity.After, t.Pity.Rarity)
				}
				for _, d := range t.Drops {
					line("  %s\t%s\t%.4f %%", d.Name, d.Rarity, d.Chance)
				}
			}
		})
	})
}

type oddsSimulateCommand struct {
	rulesFile
	Draws int `short:"n" default:"1000000" help:"How often each table is drawn from."`
	printing
}

// Run draws from the tables.
func (cmd oddsSimulateCommand) Run(con *console) error {
	c, err := cmd.load(con)
	if err != nil {
		return err
	}
	tables, err := app.SimulateOdds(c, max(cmd.Draws, 1))
	if err != nil {
		return err
	}
	return cmd.print(con, tables, func(out io.Writer) {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, t := range tables {
			printf(w, "%s %d\tpromised\tpicked freely\tgiven, of %d, %d by the pity rule\t\n", t.Kind, t.Edition, t.Draws, t.Pitied)
			for _, d := range t.Drops {
				printf(w, "%s\t%.3f %%\t%.3f %%\t%d\t\n", d.Name, d.Promised, d.Picked, d.Given)
			}
		}
		_ = w.Flush() // to a buffer
	})
}

type oddsAnnounceCommand struct {
	File string `arg:"" type:"existingfile" help:"A YAML file of the game's rules, with all drop tables: the known editions, and new ones."`
	act
	printing
}

// Run keeps the tables.
func (cmd oddsAnnounceCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	tables, err := app.KeepOdds(ctx, c, cmd.File, cmd.by(con))
	if err != nil {
		return err
	}
	return cmd.print(con, tables, func(out io.Writer) {
		for _, t := range tables {
			where := "a wallet of the portal fixes it"
			if t.Token != "" {
				where = fmt.Sprintf("to be fixed for token %s", t.Token)
			}
			printf(out, "%s, edition %d, SHA-256 %s: %s\n", t.Kind, t.Edition, t.Hash, where)
		}
	})
}
