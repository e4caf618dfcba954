//go:build !nodev

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"

	"pantheon/internal/app"
)

// development are the commands of the development world.
type development struct {
	Dev   devCommand   `cmd:"" help:"Start with everything embedded: database, messages, chains, demo world."`
	Chain chainCommand `cmd:"" help:"Start the development chains alone, for portals, games, wallets and indexers that share them."`
}

type devCommand struct{}

// Run starts the portal with everything embedded.
func (devCommand) Run(ctx context.Context, con *console) (err error) {
	c, err := con.loadChecked()
	if err != nil {
		return err
	}
	if c.TLS.Enabled() {
		return errors.New("TLS_DOMAIN: pantheon dev serves http only; unset it, or use pantheon serve")
	}
	o := app.Options{Log: logger(c), RequestLevel: slog.LevelDebug}
	// Listen first: an address in use should be reported before the demo world is created.
	if o.Listener, err = app.Listen(c); err != nil {
		return err
	}
	defer func() { _ = o.Listener.Close() }() // usually closed by the portal already
	world, err := app.StartDevelopment(ctx, &c, &o, con.raw)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, world.Close()) }()
	return run(ctx, con, c, o)
}

type chainCommand struct {
	Game string   `default:"127.0.0.1:8545" help:"Where the game chain answers JSON-RPC, over HTTP and WebSocket."`
	Main string   `default:"127.0.0.1:8546" help:"Where the main chain does."`
	Host []string `placeholder:"NAME" help:"A name by which other machines and their pages call the chains; * for any name, without pages."`
}

// Run starts the development chains. Calls that arrive before the demo world is complete wait for it.
func (cmd chainCommand) Run(ctx context.Context, con *console) (err error) {
	c, err := con.loadChecked()
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
	base := cmd.metadataBase(listeners[0].Addr().(*net.TCPAddr).Port)
	chains, err := app.StartChains(ctx, c, base, con.raw)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, chains.Close()) }()
	_, _ = fmt.Fprintf(con.raw, "\n  Game chain: http://%s\n  Main chain: http://%s\n", listeners[0].Addr(), listeners[1].Addr())
	_, _ = fmt.Fprintf(con.raw, "  Tokens are described below %s/metadata/\n\n", base)
	return chains.Serve(ctx, listeners, cmd.Host)
}

// metadataBase returns the address by which portals read the tokens' metadata: by the first name without an asterisk that --host
// gives, if any.
func (cmd chainCommand) metadataBase(port int) string {
	host, _, err := net.SplitHostPort(cmd.Game)
	if ip := net.ParseIP(host); err != nil || host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	for _, name := range slices.Backward(cmd.Host) {
		if !strings.Contains(name, "*") {
			host = name
		}
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(port))
}
