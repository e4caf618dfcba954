package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"

	"pantheon/internal/app"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
)

type deployCommands struct {
	Plan    deployPlanCommand    `cmd:"" help:"Compare what the portal needs with what the chains have. Sends nothing."`
	Apply   deployApplyCommand   `cmd:"" help:"Create what is missing, and write the settings. What was interrupted is resumed by doing it again."`
	Keys    deployKeysCommand    `cmd:"" help:"Make the keys of a new portal's wallets, each in a file of its own."`
	Sources deploySourcesCommand `cmd:"" help:"Write the contracts' sources as block explorers verify them."`
}

// deployFlags say what is wanted. Wallets, endpoints and the addresses of contracts that exist are settings.
type deployFlags struct {
	Chain           []string         `enum:"game,main" placeholder:"game|main" help:"On which chain; both by default."`
	Owner           address          `required:"" placeholder:"ADDRESS" help:"Who owns and administers the contracts: a multisig in production."`
	Former          []address        `placeholder:"ADDRESS" help:"Wallets that lose all their rights: former owners, minters, relayers; those of CLAIMER_FORMER_WALLETS do anyway."`
	PaymasterSigner address          `placeholder:"ADDRESS" help:"The address of PAYMASTER_SIGNER_PRIVATE_KEY, where that is not set."`
	Minter          []address        `placeholder:"ADDRESS" help:"Who may mint tokens besides the wallets of CLAIMER_BACKEND_WALLET and CLAIMER_PRIVATE_KEY."`
	Royalty         int64            `required:"" placeholder:"POINTS" help:"The studio's share of sales in basis points, 250 for 2.5 %. It is never raised."`
	RoyaltyReceiver address          `placeholder:"ADDRESS" help:"Who receives it; the owner by default."`
	BaseURI         string           `name:"base-uri" placeholder:"URL" help:"Where tokens' metadata is; PUBLIC_URL/metadata/ by default."`
	TestCurrency    bool             `help:"Make a currency without value, for a test network."`
	God             int64            `placeholder:"UNITS" help:"Make GOD, of which so many units can ever be minted."`
	Pack            map[string]int64 `placeholder:"TOKEN=MOST" help:"Fix the drop table of a kind of pack, and how many can ever be minted. For ever."`
	Gas             uint64           `default:"600000000" help:"For how much gas the deposit is filled up, and each wallet for a third, if they can pay for less than half; 0 for none."`
	Salt            string           `placeholder:"TEXT" help:"Another text makes another set of contracts."`
}

// address is an address in a flag.
type address struct{ eth.Address }

// UnmarshalText parses an address in lower case or with a right checksum.
func (a *address) UnmarshalText(text []byte) error { return a.Address.UnmarshalText(text) }

func list(in []address) (out []eth.Address) {
	for _, a := range in {
		out = append(out, a.Address)
	}
	return out
}

func (f deployFlags) open(ctx context.Context, con *console) (*app.Deployment, error) {
	c, err := con.loadChecked()
	if err != nil {
		return nil, err
	}
	return app.NewDeployment(ctx, c, app.DeployOptions{
		Chains: f.Chain, Owner: f.Owner.Address, Former: list(f.Former), Signer: f.PaymasterSigner.Address, Minters: list(f.Minter),
		BaseURI: f.BaseURI, Royalty: f.Royalty, RoyaltyReceiver: f.RoyaltyReceiver.Address, Salt: f.Salt, TestCurrency: f.TestCurrency,
		GOD: f.God, Packs: f.Pack, Gas: f.Gas,
	})
}

type deployPlanCommand struct {
	deployFlags
	From address `placeholder:"ADDRESS" help:"Who will pay for it, for better estimates."`
	printing
}

// plannedStep is a step as JSON.
type plannedStep struct {
	Title string      `json:"title"`
	By    eth.Address `json:"by,omitzero"`
	Gas   uint64      `json:"gas"`
	Raw   eth.Bytes   `json:"raw,omitempty"`
}

// plannedChain is a plan as JSON.
type plannedChain struct {
	Chain     string                 `json:"chain"`
	ChainID   uint64                 `json:"chainId"`
	Contracts map[string]eth.Address `json:"contracts"`
	Steps     []plannedStep          `json:"steps"`
	Problems  []string               `json:"problems"`
	Notes     []string               `json:"notes"`
}

// Run prints the plan. It fails if there are problems.
func (cmd deployPlanCommand) Run(ctx context.Context, con *console) error {
	d, err := cmd.open(ctx, con)
	if err != nil {
		return err
	}
	defer d.Close()
	plans, err := d.Plan(ctx, cmd.From.Address)
	if err != nil {
		return err
	}
	if err := cmd.print(con, planned(plans), func(out io.Writer) { writePlans(out, plans) }); err != nil {
		return err
	}
	return problemsOf(plans)
}

// planned returns plans for JSON.
func planned(plans []app.DeployPlan) []plannedChain {
	out := make([]plannedChain, len(plans))
	for i, p := range plans {
		out[i] = plannedChain{Chain: p.Chain, ChainID: p.ChainID, Contracts: map[string]eth.Address{}, Problems: p.Problems, Notes: p.Notes}
		for _, c := range p.Contracts {
			if c.Setting != "" {
				out[i].Contracts[c.Setting] = c.Address
			}
		}
		for _, s := range p.Steps {
			out[i].Steps = append(out[i].Steps, plannedStep{s.Title, s.By, s.Gas, s.Raw})
		}
	}
	return out
}

// problemsOf returns the problems of plans as an error; nil for none.
func problemsOf(plans []app.DeployPlan) error {
	var all []string
	for _, p := range plans {
		for _, problem := range p.Problems {
			all = append(all, p.Chain+": "+problem)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return errors.New("This must be solved first:\n  - " + strings.Join(all, "\n  - "))
}

func writePlans(out io.Writer, plans []app.DeployPlan) {
	for _, p := range plans {
		writePlan(out, p)
	}
}

// writePlan writes a plan: what is wrong, what is missing and what it costs.
func writePlan(out io.Writer, p app.DeployPlan) {
	printf(out, "%s (%d)\n", p.Chain, p.ChainID)
	for _, note := range p.Notes {
		printf(out, "  note: %s\n", note)
	}
	for _, c := range p.Contracts {
		if c.Setting != "" {
			printf(out, "  %s=%s\n", c.Setting, c.Address.Checksum())
		}
	}
	if len(p.Steps) == 0 && len(p.Problems) == 0 {
		printf(out, "  Nothing is missing.\n\n")
	}
	if len(p.Steps) == 0 {
		return
	}
	printf(out, "  %s:\n", missing(len(p.Steps)))
	for _, s := range p.Steps {
		by := ""
		if !s.By.IsZero() {
			by = ", by " + s.By.Checksum()
		}
		printf(out, "  - %s (about %d gas%s)\n", s.Title, s.Gas, by)
		if len(s.Raw) > 0 {
			printf(out, "    anyone can send this transaction: %s\n", s.Raw)
		}
	}
	gas, fees, values := p.Cost(p.Steps)
	printf(out, "  About %d gas, %s at today's price, and %s for wallets and deposit, in the chain's own currency.\n\n", gas, app.Ether(fees),
		app.Ether(values))
}

func missing(n int) string {
	if n == 1 {
		return "1 transaction is missing"
	}
	return fmt.Sprintf("%d transactions are missing", n)
}

type deployApplyCommand struct {
	deployFlags
	Key      string  `xor:"sender" required:"" placeholder:"FILE|URI" help:"Key that pays for it: a file, or the URI of a key at a KMS."`
	Unsigned address `xor:"sender" required:"" placeholder:"ADDRESS" help:"Send nothing: write all transactions for this wallet, such as a multisig."`
	Folder   string  `default:"transactions" help:"Where transactions are written that others must send, in the format of Safe's Transaction Builder."`
	Settings string  `default:"deployment.env" help:"File of settings that the addresses are written to."`
	sending
}

// sending are the flags of commands that send transactions.
type sending struct {
	MaxFee string `placeholder:"GWEI" help:"The most that is offered for a unit of gas."`
	Yes    bool   `help:"Do not ask."`
	printing
}

// maxFee returns the most that is offered for a unit of gas, in wei; nil for any price.
func (s sending) maxFee() (*big.Int, error) {
	if s.JSON && !s.Yes {
		return nil, errors.New("--json needs --yes: there is nobody to ask")
	}
	if s.MaxFee == "" {
		return nil, nil
	}
	const gwei = 9 // decimals
	fee, err := money.ParseDecimal(s.MaxFee, gwei)
	if err != nil {
		return nil, errors.New("--max-fee: must be an amount of gwei such as 30")
	}
	return fee.Big(), nil
}

// send sends what a key can send, and returns what is missing then. before is called once it is confirmed; it may be nil.
func (s sending) send(
	ctx context.Context, con *console, d *app.Deployment, from string, before func() error,
) (left []app.DeployPlan, key app.DeployKey, err error) {
	maxFee, err := s.maxFee()
	if err != nil {
		return nil, key, err
	}
	if key, err = d.OpenKey(ctx, from); err != nil {
		return nil, key, err
	}
	progress := con.raw
	if s.JSON {
		progress = io.Discard
	}
	left, err = d.Apply(ctx, key, maxFee, func(plans []app.DeployPlan) error {
		if err := s.confirm(con, plans, key.Address()); err != nil || before == nil {
			return err
		}
		return before()
	}, progress)
	if err == nil {
		err = problemsOf(left)
	}
	return left, key, err
}

// confirm shows what is about to be sent, and asks unless told not to.
func (s sending) confirm(con *console, plans []app.DeployPlan, wallet eth.Address) error {
	if s.JSON {
		return nil
	}
	for _, p := range plans {
		steps := p.For(wallet)
		gas, fees, values := p.Cost(steps)
		printf(con.out, "%s (%d): %s, about %d gas, %s at today's price, and %s for wallets and deposit.\n", p.Chain, p.ChainID,
			missing(len(steps)), gas, app.Ether(fees), app.Ether(values))
		for _, note := range p.Notes {
			printf(con.out, "  note: %s\n", note)
		}
	}
	if s.Yes {
		return nil
	}
	printf(con.out, "Send them? [y/N] ")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // at its end there is no answer
	if answer := strings.ToLower(strings.TrimSpace(line)); answer == "y" || answer == "yes" {
		return nil
	}
	return errors.New("nothing was sent")
}

// deployed is the result of an apply as JSON.
type deployed struct {
	Settings     string         `json:"settings"`
	Transactions []string       `json:"transactions"`
	Left         []plannedChain `json:"left"`
}

// Run sends what is missing, or writes it down.
func (cmd deployApplyCommand) Run(ctx context.Context, con *console) error {
	d, err := cmd.open(ctx, con)
	if err != nil {
		return err
	}
	defer d.Close()
	if !cmd.Unsigned.IsZero() {
		return cmd.write(ctx, con, d)
	}
	left, key, err := cmd.send(ctx, con, d, cmd.Key, func() error { return d.WriteSettings(ctx, cmd.Settings) })
	if err != nil {
		return err
	}
	if err := d.WriteSettings(ctx, cmd.Settings); err != nil {
		return err
	}
	files, err := d.WriteBatches(left, key.Address(), cmd.Folder)
	if err != nil {
		return err
	}
	return cmd.tell(con, left, files)
}

// write writes unsigned transactions for a wallet that signs elsewhere.
func (cmd deployApplyCommand) write(ctx context.Context, con *console, d *app.Deployment) error {
	plans, err := d.Plan(ctx, cmd.Unsigned.Address)
	if err != nil {
		return err
	}
	if err := problemsOf(plans); err != nil {
		return err
	}
	if err := d.WriteSettings(ctx, cmd.Settings); err != nil {
		return err
	}
	files, err := d.WriteAll(plans, cmd.Unsigned.Address, cmd.Folder)
	if err != nil {
		return err
	}
	return cmd.tell(con, plans, files)
}

func (cmd deployApplyCommand) tell(con *console, left []app.DeployPlan, files []string) error {
	return cmd.print(con, deployed{cmd.Settings, files, planned(left)}, func(out io.Writer) {
		if !cmd.Unsigned.IsZero() {
			writePlans(out, left)
		}
		printf(out, "The settings are in %s.\n", cmd.Settings)
		if len(files) == 0 {
			return
		}
		printf(out, "What is left to be sent is in\n")
		for _, file := range files {
			printf(out, "  %s\n", file)
		}
		printf(out, "Open each in Safe's Transaction Builder, or send its transactions in order, and then run pantheon deploy plan.\n")
	})
}

type deployKeysCommand struct {
	Folder string `arg:"" help:"The folder; it is made."`
	KMS    string `name:"kms" placeholder:"URI" help:"Seal them with this key of a key management service."`
	printing
}

// Run makes the keys, and prints the settings that name them. Files that exist are kept.
func (cmd deployKeysCommand) Run(ctx context.Context, con *console) error {
	c, err := con.load()
	if err != nil {
		return err
	}
	keys, err := app.MakeWalletKeys(ctx, c, cmd.Folder, cmd.KMS)
	if err != nil {
		return err
	}
	return cmd.print(con, keys, func(out io.Writer) {
		for _, k := range keys {
			if k.Setting == "" {
				printf(out, "# %s is the wallet %s. It pays for pantheon deploy apply --key: send gas money to it.\n", k.File,
					k.Address.Checksum())
				continue
			}
			if k.AddressSetting != "" {
				printf(out, "%s=%s\n", k.AddressSetting, k.Address.Checksum())
			} else {
				printf(out, "# The address of the next is %s.\n", k.Address.Checksum())
			}
			printf(out, "%s=%s\n", k.Setting, k.File)
		}
	})
}

type deploySourcesCommand struct {
	Folder string `arg:"" help:"The folder; it is made."`
	deployFlags
	printing
}

// Run writes the sources.
func (cmd deploySourcesCommand) Run(ctx context.Context, con *console) error {
	d, err := cmd.open(ctx, con)
	if err != nil {
		return err
	}
	defer d.Close()
	sources, err := d.WriteSources(cmd.Folder)
	if err != nil {
		return err
	}
	return cmd.print(con, sources, func(out io.Writer) {
		for _, s := range sources {
			printf(out, "chain %d, %s\n  contract   %s\n  compiler   %s\n  input      %s\n  arguments  %s\n", s.ChainID, s.Address.Checksum(),
				s.Contract, s.Compiler, s.Input, s.Arguments)
		}
	})
}
