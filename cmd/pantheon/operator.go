package main

import (
	"context"
	"io"

	"pantheon/internal/portal/operator"
)

type operatorCommands struct {
	Log operatorLogCommand `cmd:"" help:"Print what operators changed, who and why, the newest first."`
}

type operatorLogCommand struct {
	limit
	printing
}

// Run prints the operators' log.
func (cmd operatorLogCommand) Run(ctx context.Context, con *console) error {
	return con.lookup(ctx, func(s *operator.Service) error {
		entries, err := s.Log(ctx, cmd.Limit)
		if err != nil {
			return err
		}
		return cmd.print(con, entries, func(out io.Writer) {
			table(out, func(line func(string, ...any)) {
				line("time (UTC)\twho\tcommand\tsubject\tdetail\treason")
				for _, e := range entries {
					line("%s\t%s\t%s\t%s\t%s\t%s", moment(e.At), e.Who, e.Command, oneLine(e.Subject), oneLine(e.Detail), oneLine(e.Reason))
				}
			})
		})
	})
}
