package app

import (
	"context"
	"fmt"
	"io"
	"os/user"
	"text/tabwriter"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
)

// operatorEntry returns the log's entry of a command that is run now.
func operatorEntry(command, subject, reason string) reward.Entry {
	who := "unknown"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	return reward.Entry{At: clock.System{}.Now(), Who: who, Command: command, Subject: subject, Reason: reason}
}

// PrintOperatorLog writes the newest commands by which operators changed something.
func PrintOperatorLog(ctx context.Context, c config.Config, limit int, w io.Writer) error {
	return withStore(ctx, c, func(db *store.DB) error {
		entries, err := db.OperatorLog(ctx, limit)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "time (UTC)\twho\tcommand\tsubject\treason")
		for _, e := range entries {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", e.At.UTC().Format(time.DateTime), e.Who, e.Command, e.Subject, e.Reason)
		}
		return out.Flush()
	})
}
