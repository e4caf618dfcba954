package main

import (
	"context"

	"pantheon/internal/app"
)

type operatorLogCommand struct {
	Limit int `default:"50" help:"How many of the newest."`
}

// Run prints the log of operators' commands.
func (cmd operatorLogCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintOperatorLog(ctx, c, cmd.Limit, terminal())
}
