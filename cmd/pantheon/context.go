package main

import (
	"context"
	"fmt"
	"time"

	"pantheon/internal/app"
)

type contextCommand struct {
	Player string `required:"" help:"The player's id (PlayFabId)." placeholder:"ID"`
	Page   string `default:"/" help:"Page that the address leads to." placeholder:"PATH"`
}

// Run prints the address.
func (cmd contextCommand) Run() error {
	c, _, err := load()
	if err != nil {
		return err
	}
	link, err := app.ContextLink(c, cmd.Player, cmd.Page, time.Now())
	if err == nil {
		fmt.Println(link)
	}
	return err
}

type arrivalsCommand struct{}

// Run prints the arrivals, oldest first.
func (arrivalsCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	return app.PrintArrivals(ctx, c, terminal())
}
