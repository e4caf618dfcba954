package main

import (
	"context"

	"pantheon/internal/app"
)

type supportRequestsCommand struct{}

// Run prints the requests, oldest first.
func (supportRequestsCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintSupportRequests(ctx, c, terminal())
}

type addressesCommand struct {
	Strike string `help:"Forget this address instead." placeholder:"ADDRESS"`
}

// Run prints the addresses, or deletes one.
func (cmd addressesCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	if cmd.Strike != "" {
		return app.StrikeAddress(ctx, c, cmd.Strike)
	}
	return app.PrintAddresses(ctx, c, terminal())
}
