package main

import (
	"context"
	"io"

	"pantheon/internal/app"
)

type migrateCommand struct {
	DryRun bool `help:"Say only what would be done."`
	printing
}

// Run brings the schema up to date.
func (cmd migrateCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	from, to, err := app.Migrate(ctx, c, cmd.DryRun)
	if err != nil {
		return err
	}
	done := struct {
		From    int64 `json:"from"`
		To      int64 `json:"to"`
		Changed bool  `json:"changed"`
	}{from, to, from < to && !cmd.DryRun}
	return cmd.print(con, done, func(out io.Writer) {
		switch {
		case from >= to:
			printf(out, "The schema has version %d: there is nothing to do.\n", from)
		case cmd.DryRun:
			printf(out, "The schema has version %d; this program brings it to %d.\n", from, to)
		default:
			printf(out, "The schema was brought from version %d to %d.\n", from, to)
		}
	})
}
