package main

import (
	"context"
	"io"
	"strings"

	"pantheon/internal/portal/operator"
)

type supportCommands struct {
	List supportListCommand `cmd:"" help:"Print the requests, oldest first."`
}

type supportListCommand struct{ printing }

// Run prints the requests.
func (cmd supportListCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		requests, err := s.SupportRequests(ctx)
		if err != nil {
			return err
		}
		return cmd.print(con, requests, func(out io.Writer) {
			for _, r := range requests {
				printf(out, "%s  %s  %s\n\n    %s\n\n", moment(r.CreatedAt), r.Topic, r.Email, strings.ReplaceAll(r.Message, "\n", "\n    "))
			}
		})
	})
}
