// Command pantheon is the portal: one binary that serves the site, the API, the realtime channel, the wallets, the gas
// relay and the chain index.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"pantheon/internal/app"
	"pantheon/internal/config"
)

type commands struct {
	Dev    devCommand    `cmd:"" help:"Start with everything embedded: database, messages, chains, demo world."`
	Chain  chainCommand  `cmd:"" help:"Start the development chains alone, for portals, games, wallets and indexers that share them."`
	Serve  serveCommand  `cmd:"" help:"Start on the configured database, message service and chains."`
	Config configCommand `cmd:"" help:"Print the configuration in force, secrets hidden."`
	Check  checkCommand  `cmd:"" help:"Try every connection of the configuration."`
	Keys   keysCommands  `cmd:"" help:"The key that seals the players' wallets."`

	Gas             gasCommand             `cmd:"" help:"Show or raise what is paid for players' gas today."`
	Context         contextCommand         `cmd:"" help:"Print an address that signs a player in once, as a link from the game does."`
	SupportRequests supportRequestsCommand `cmd:"" help:"Print what people wrote to the support."`
	Score           scoreCommand           `cmd:"" help:"Report what a player has scored in a game."`
	Arrivals        arrivalsCommand        `cmd:"" help:"Print what links from games said about where players come from."`
	Whitelist       whitelistCommand       `cmd:"" help:"Put a player on a list, or strike one out."`
	Addresses       addressesCommand       `cmd:"" help:"Print the addresses left for the day the game opens, one a line."`
	Freeze          freezeCommand          `cmd:"" help:"Freeze a player: no sign-in, hold, payment or signature, until unfreeze. What the player owns stays."`
	Unfreeze        unfreezeCommand        `cmd:"" help:"Let a frozen player in again."`
	Player          playerCommand          `cmd:"" help:"Print what the portal knows of a player."`
	Orders          ordersCommand          `cmd:"" help:"Print a player's orders."`
	Rewards         rewardsCommands        `cmd:"" help:"What players have earned: show it, give what failed again, assign what waits for a player."`
	Webstore        webstoreCommands       `cmd:"" help:"Paid orders of the webstore: those that wait for an operator, and what players owe."`
	OperatorLog     operatorLogCommand     `cmd:"" help:"Print what operators changed by commands of rewards and webstore."`
	Verify          verifyCommand          `cmd:"" help:"Repeat the draw of an opening from its receipt."`
	Odds            oddsCommands           `cmd:"" help:"The drop tables of packs."`
	Frozen          frozenCommand          `cmd:"" help:"Print which players are frozen, since when and why."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c commands
	cli := kong.Parse(&c, kong.Name("pantheon"), kong.Description("Portal and marketplace of a blockchain game."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.UsageOnError())
	if err := cli.Run(); err != nil {
		_, _ = fmt.Fprintln(app.Terminal(os.Stderr), err)
		stop()
		os.Exit(1)
	}
}

// terminal is where commands print what others have written.
func terminal() io.Writer { return app.Terminal(os.Stdout) }

// load reads and completes the configuration; the caller validates it, as dev sets more first.
func load() (config.Config, *slog.Logger, error) {
	c, err := config.Load(os.Environ())
	if err != nil {
		return c, nil, err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		level = slog.LevelInfo // Validate reports the error
	}
	return c, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})), nil
}

type devCommand struct{}

// Run starts the portal with everything embedded.
func (devCommand) Run(ctx context.Context) (err error) {
	c, log, err := load()
	if err != nil {
		return err
	}
	o := app.Options{Log: log}
	// Listen first: an address in use should be reported before the demo world is created.
	if o.Listener, err = app.Listen(c); err != nil {
		return err
	}
	defer func() { _ = o.Listener.Close() }() // usually closed by the portal already
	world, err := app.StartDevelopment(ctx, &c, &o, os.Stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, world.Close()) }()
	return run(ctx, c, o)
}

type chainCommand struct {
	Game string   `default:"127.0.0.1:8545" placeholder:"ADDRESS" help:"Where the game chain answers JSON-RPC, over HTTP and WebSocket: 127.0.0.1:8545 by default."`
	Main string   `default:"127.0.0.1:8546" placeholder:"ADDRESS" help:"Where the main chain does: 127.0.0.1:8546 by default."`
	Host []string `placeholder:"NAME" help:"A name by which other machines call the chains, besides localhost, and whose pages may call them; * lets any name call, without pages."`
}

// Run starts the development chains. Calls that arrive before the demo world is complete wait for it.
func (cmd chainCommand) Run(ctx context.Context) (err error) {
	c, _, err := load()
	if err != nil {
		return err
	}
	var listeners [2]net.Listener
	for i, address := range []string{cmd.Game, cmd.Main} {
		// Listen first: an address in use should be reported before the demo world is created.
		if listeners[i], err = net.Listen("tcp", address); err != nil {
			return err
		}
		defer func() { _ = listeners[i].Close() }() // usually closed by Serve already
	}
	chains, err := app.StartChains(ctx, c, os.Stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, chains.Close()) }()
	fmt.Printf("\n  Game chain: http://%s\n  Main chain: http://%s\n\n", listeners[0].Addr(), listeners[1].Addr())
	return chains.Serve(ctx, listeners, cmd.Host)
}

type serveCommand struct{}

// Run starts the portal on external services.
func (serveCommand) Run(ctx context.Context) error {
	c, log, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	for _, warning := range app.KeyWarnings(c) {
		log.Warn(warning)
	}
	return run(ctx, c, app.Options{Log: log})
}

func run(ctx context.Context, c config.Config, o app.Options) (err error) {
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
	fmt.Printf("\n  Pantheon is open: %s\n", c.PublicURL)
	if o.Mailbox {
		fmt.Printf("  Emails sent:      %s/dev/mail\n", c.PublicURL)
	}
	if o.DevShop {
		fmt.Printf("  Development shop: %s/dev/shop/\n", c.PublicURL)
	}
	fmt.Println()
	return a.Run(ctx)
}

type configCommand struct {
	Markdown bool `help:"Print the table of all variables instead, as in docs/configuration.md."`
}

// Run prints the configuration.
func (cmd configCommand) Run() error {
	if cmd.Markdown {
		fmt.Print(config.Markdown())
		return nil
	}
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	fmt.Print(c.Print())
	return c.Validate()
}

type checkCommand struct{}

// Run checks every connection and reports each.
func (checkCommand) Run(ctx context.Context) error {
	c, _, err := load()
	if err != nil {
		return err
	}
	c.Complete()
	if err := c.Validate(); err != nil {
		return err
	}
	for _, warning := range c.Warnings() {
		fmt.Printf("%-12s %s\n", "settings", warning)
	}
	failed := 0
	for _, r := range app.CheckConnections(ctx, c) {
		state := "ok"
		if r.Note != "" {
			state = r.Note
		}
		if r.Err != nil {
			state = r.Err.Error()
			failed++
		}
		fmt.Printf("%-12s %s\n", r.Name, state)
	}
	if failed > 0 {
		return fmt.Errorf("%d of the connections do not work", failed)
	}
	return nil
}
