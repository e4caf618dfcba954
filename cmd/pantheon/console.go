package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/brand"
	"pantheon/internal/config"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/request"
	"pantheon/internal/portal/operator"
)

// console is what commands read and write.
type console struct {
	out     io.Writer // for what others have written: see terminal
	raw     io.Writer // for our own words, and what moves the cursor
	environ []string

	brand *brand.Brand    // set by read
	ctx   context.Context // of the command
}

// load reads the brand and the configuration, and opens sealed secrets. Commands validate what they need of it.
func (c *console) load() (config.Config, error) {
	settings, err := c.read()
	if err == nil {
		app.OpenSecrets(c.ctx, &settings)
	}
	return settings, err
}

// read is load for commands that need no secret.
func (c *console) read() (config.Config, error) {
	folder, err := config.Lookup(c.environ, "BRAND_DIR")
	if err != nil {
		return config.Config{}, err
	}
	b, err := brand.Open(folder)
	switch {
	case err != nil && folder != "":
		return config.Config{}, fmt.Errorf("BRAND_DIR: %s:\n%w", folder, err)
	case err != nil:
		return config.Config{}, err
	}
	c.brand = b
	return config.Load(c.environ, b)
}

// loadChecked is load for commands that run or check a portal. It also validates the brand's rules, products, flags and news.
func (c *console) loadChecked() (config.Config, error) {
	settings, err := c.load()
	if err != nil || settings.BrandDir == "" { // the built-in brand was checked at build time
		return settings, err
	}
	if err := app.CheckBrand(c.brand); err != nil {
		return settings, fmt.Errorf("BRAND_DIR: %s:\n%w", settings.BrandDir, err)
	}
	return settings, nil
}

// money formats an amount of the market's currency.
func (c *console) money(amount money.Units) string {
	currency := c.brand.Collections.Currency()
	return amount.Decimal(currency.Decimals) + " " + currency.Symbol
}

// logger returns the log of a portal.
func logger(c config.Config) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		level = slog.LevelInfo // Validate reports the error
	}
	o := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(request.LogHandler{Handler: slog.NewJSONHandler(os.Stderr, o)})
	}
	return slog.New(request.LogHandler{Handler: slog.NewTextHandler(os.Stderr, o)})
}

// lookup runs a task that reads the database.
func (c *console) lookup(ctx context.Context, do func(*operator.Service) error) error {
	settings, err := c.load()
	if err != nil {
		return err
	}
	return app.Lookup(ctx, settings, do)
}

// act runs a task that changes something in the database.
func (c *console) act(ctx context.Context, do func(*operator.Service) error) error {
	settings, err := c.load()
	if err != nil {
		return err
	}
	return app.Act(ctx, settings, do)
}

// printing are the flags of commands that print data.
type printing struct {
	JSON bool `name:"json" help:"Print one JSON document instead."`
}

// print writes a value as JSON, or as text.
func (p printing) print(c *console, value any, text func(out io.Writer)) error {
	var b bytes.Buffer
	if !p.JSON {
		text(&b)
		_, err := c.out.Write(b.Bytes())
		return err
	}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := c.out.Write(escapeJSON(b.Bytes()))
	return err
}

// table writes lines in columns, which tabs separate.
func table(out io.Writer, lines func(line func(format string, values ...any))) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	lines(func(format string, values ...any) { printf(w, format+"\n", values...) })
	_ = w.Flush() // to a buffer
}

// printf writes to a buffer, which takes everything.
func printf(out io.Writer, format string, values ...any) { _, _ = fmt.Fprintf(out, format, values...) }

// act are the flags of commands that change something.
type act struct {
	Reason string `required:"" placeholder:"TEXT" help:"Why, in one line. It stands in the operators' log."`
	acting
}

// by returns who acts, and why.
func (a act) by(c *console) operator.By { return a.as(c, a.Reason) }

// acting is the flag that says who changes something.
type acting struct {
	As string `placeholder:"NAME" help:"Who you are: an operator, whose rights count, or any name while there are none. The log has it and the account of the system."`
}

// as returns who acts: the account of the system and its machine, with sudo the account that called it, after the given name.
func (a acting) as(c *console, reason string) operator.By {
	account := "unknown"
	if u, err := user.Current(); err == nil {
		account = u.Username
	}
	if caller := c.variable("SUDO_USER"); caller != "" && os.Geteuid() == 0 {
		account = caller
	}
	if host, err := os.Hostname(); err == nil {
		account += "@" + host
	}
	if a.As != "" {
		account = fmt.Sprintf("%s (%s)", a.As, account)
	}
	return operator.By{Who: account, As: a.As, Reason: reason}
}

func (c *console) variable(name string) string {
	for _, line := range c.environ {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// player is the argument of commands about one player.
type player struct {
	Player string `arg:"" help:"The player: id:ID, email:ADDRESS or name:NAME, or one of them alone."`
}

// limit is the flag of commands that print lists.
type limit struct {
	Limit int `default:"50" help:"How many of the newest, 1000 at most."`
}

// moment writes a time for a table whose column names UTC.
func moment(t time.Time) string { return t.UTC().Format(time.DateTime) }
