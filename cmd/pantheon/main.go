// Command pantheon is the portal: one binary that serves the site, the API, the realtime channel, the wallets, the gas
// relay and the chain index, and the commands of those who operate it: nouns, then verbs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type commands struct {
	Development development `embed:""`

	Serve   serveCommand   `cmd:"" help:"Start on the configured database, message service and chains."`
	Config  configCommand  `cmd:"" help:"Print the configuration in force, secrets hidden."`
	Check   checkCommand   `cmd:"" help:"Try every connection of the configuration."`
	Migrate migrateCommand `cmd:"" help:"Bring the database's schema up to date."`
	Version versionCommand `cmd:"" help:"Print what this binary was built from."`
	Health  healthCommand  `cmd:"" help:"Ask the replica that listens on this machine whether it is ready."`

	Deploy   deployCommands   `cmd:"" help:"The portal's contracts on a chain: create them, fill its wallets, compare."`
	Player   playerCommands   `cmd:"" help:"Players: what is known of one, freezing, lists, scores, links that sign in."`
	Order    orderCommands    `cmd:"" help:"Players' orders on the market."`
	Reward   rewardCommands   `cmd:"" help:"What players have earned: show it, give what failed again, assign what waits for a player."`
	Shop     shopCommands     `cmd:"" help:"Paid orders of the webstore: those that wait for an operator, and what players owe."`
	Gas      gasCommands      `cmd:"" help:"What is paid for players' gas today."`
	Odds     oddsCommands     `cmd:"" help:"The game's rules and the drop tables of packs."`
	Opening  openingCommands  `cmd:"" help:"Openings of packs."`
	Brand    brandCommands    `cmd:"" help:"What a studio replaces to make the portal its own."`
	Token    tokenCommands    `cmd:"" help:"Tokens that are described by their contracts."`
	Index    indexCommands    `cmd:"" help:"What the portal reads from the chains."`
	Move     moveCommands     `cmd:"" help:"Moving to another chain: what players hold is taken over."`
	Key      keyCommands      `cmd:"" help:"The key that seals the players' wallets."`
	Wallet   walletCommands   `cmd:"" help:"The players' wallets and their copies."`
	Backup   backupCommands   `cmd:"" help:"Backups of the database."`
	Rehearse rehearseCommand  `cmd:"" help:"Restore a backup aside, rebuild the index, and compare all with chains and copies."`
	Support  supportCommands  `cmd:"" help:"What people wrote to the support."`
	Address  addressCommands  `cmd:"" help:"Addresses left for the day the game opens."`
	Arrival  arrivalCommands  `cmd:"" help:"What links from games said about where players come from."`
	Operator operatorCommands `cmd:"" help:"Who operates the portal, with which rights, and what they did."`
	Audit    auditCommands    `cmd:"" help:"The security log: who did what, when and from where."`

	Verify verifyCommand `cmd:"" hidden:"" help:"The same as opening verify."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	cli := parser(ctx, &console{out: terminal{os.Stdout}, raw: os.Stdout, environ: os.Environ()})
	command, err := cli.Parse(os.Args[1:])
	cli.FatalIfErrorf(err)
	if err := command.Run(); err != nil {
		_, _ = fmt.Fprintln(terminal{os.Stderr}, err)
		stop()
		os.Exit(1)
	}
}

// parser returns the parser of the command line, whose commands run in a console.
func parser(ctx context.Context, c *console) *kong.Kong {
	c.ctx = ctx
	return kong.Must(&commands{}, kong.Name("pantheon"), kong.Description("Portal and marketplace of a blockchain game."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(c), kong.UsageOnError(),
		kong.Vars{"states": "pending,drawn,sending,done,failed,cancelled,open"})
}
