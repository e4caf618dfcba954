package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"

	"pantheon/internal/app"
	"pantheon/internal/config"
)

type serveCommand struct{}

// Run starts the portal on external services.
func (serveCommand) Run(ctx context.Context, con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	log := logger(c)
	c.Complete()
	for _, warning := range app.KeyWarnings(c) {
		log.Warn(warning)
	}
	return run(ctx, con, c, app.Options{Log: log})
}

func run(ctx context.Context, con *console, c config.Config, o app.Options) (err error) {
	if err := c.Validate(); err != nil {
		return err
	}
	for _, warning := range c.Warnings() {
		o.Log.Warn(warning)
	}
	a, err := app.New(ctx, c, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if c.DatabaseURL == "" && os.Getenv("GOMAXPROCS") == "" {
		// The embedded database's only writer spends a third of its time in fsync. The runtime is slow to reuse the
		// processor of a goroutine that blocks in a system call, so an additional one keeps the cores busy.
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
	_, _ = fmt.Fprintf(con.raw, "\n  Pantheon is open: %s\n", c.PublicURL)
	if o.Mailbox {
		_, _ = fmt.Fprintf(con.raw, "  Emails sent:      %s/dev/mail\n", c.PublicURL)
	}
	if o.DevShop {
		_, _ = fmt.Fprintf(con.raw, "  Development shop: %s/dev/shop/\n", c.PublicURL)
	}
	_, _ = fmt.Fprintln(con.raw)
	return a.Run(ctx)
}

type configCommand struct {
	Markdown bool `xor:"form" help:"Print the table of all variables instead, as in docs/configuration.md."`
	JSON     bool `name:"json" xor:"form" help:"Print one JSON document instead: an object of the variables."`
}

// Run prints the configuration.
func (cmd configCommand) Run(con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	if cmd.Markdown {
		_, err := io.WriteString(con.out, config.Markdown(c.Brand))
		return err
	}
	c.Complete()
	err = printing{cmd.JSON}.print(con, c.Values(), func(out io.Writer) { printf(out, "%s", c.Print()) })
	return errors.Join(err, c.Validate())
}

type checkCommand struct{ printing }

// connection is the result of a check.
type connection struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Note  string `json:"note,omitzero"`
	Error string `json:"error,omitzero"`
}

// Run checks every connection and reports each.
func (cmd checkCommand) Run(ctx context.Context, con *console) error {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	c.Complete()
	if err := c.Validate(); err != nil {
		return err
	}
	var results []connection
	for _, warning := range c.Warnings() {
		results = append(results, connection{Name: "settings", OK: true, Note: warning})
	}
	failed := 0
	for _, r := range app.CheckConnections(ctx, c) {
		result := connection{Name: r.Name, OK: r.Err == nil, Note: r.Note}
		if r.Err != nil {
			result.Error = r.Err.Error()
			failed++
		}
		results = append(results, result)
	}
	if err := cmd.print(con, results, func(out io.Writer) {
		for _, r := range results {
			state := "ok"
			if r.Note != "" {
				state = r.Note
			}
			if r.Error != "" {
				state = r.Error
			}
			printf(out, "%-12s %s\n", r.Name, state)
		}
	}); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of the connections do not work", failed)
	}
	return nil
}

type versionCommand struct{ printing }

// Run prints the version.
func (cmd versionCommand) Run(con *console) error {
	v, err := app.GetVersion()
	if err != nil {
		return err
	}
	return cmd.print(con, v, func(out io.Writer) {
		commit := cmp.Or(v.Commit, "unknown")
		if v.Modified {
			commit += " with changed files"
		}
		printf(out, "pantheon %s\ncommit   %s\ngo       %s\nschema   %d\n", v.Version, commit, v.Go, v.Schema)
		for _, name := range slices.Sorted(maps.Keys(v.Contracts)) {
			printf(out, "contract %-17s code hash %s\n", name, v.Contracts[name])
		}
	})
}
