package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kms"
)

// DeployOptions say what a portal's contracts are made with, besides the configuration: the wallets and endpoints of serve, and the
// addresses of contracts that exist.
type DeployOptions struct {
	Chains  []string // game, main; both when empty
	Owner   eth.Address
	Former  []eth.Address // who loses all rights
	Signer  eth.Address   // of the paymaster; that of PAYMASTER_SIGNER_PRIVATE_KEY when zero
	Minters []eth.Address // besides the claimer
	BaseURI string        // PUBLIC_URL/metadata/ when ""
	// The studio's share of sales, in basis points, and who receives it; the owner when zero.
	Royalty         int64
	RoyaltyReceiver eth.Address
	Salt            string
	// TestCurrency makes a currency without value. GOD is how much GOD can ever be minted, in whole units; 0 makes none.
	TestCurrency bool
	GOD          int64
	// Packs is how many packs of a kind can ever be minted, by token id: the drop tables of these kinds are fixed.
	Packs map[string]int64
	// Gas is how much gas the paymaster's deposit is filled up for, and each wallet for a third of it; 0 fills none.
	Gas uint64
}

// Deployment is what is to be on the chains.
type Deployment struct {
	sides []deploySide
	kms   kms.Options
}

type deploySide struct {
	name   string // the setting's prefix: GAME or MAIN
	chain  config.Chain
	client *rpc.Client
	wanted deploy.Wanted
}

// DeployStep is a transaction that is missing.
type DeployStep = deploy.Step

// DeployPlan is what is missing on one chain.
type DeployPlan struct {
	deploy.Plan
	Chain     string // its name
	ChainID   uint64
	Contracts []deploy.Contract
}

// NewDeployment returns what is to be on the chains. The error lists everything that is missing or malformed.
func NewDeployment(ctx context.Context, c config.Config, o DeployOptions) (_ *Deployment, err error) {
	c.Complete()
	var faults []error
	wallet := func(setting, value string) eth.Address {
		a, err := eth.ParseAddress(value)
		if err != nil || a.IsZero() {
			faults = append(faults, fmt.Errorf("%s: must be an address (0x and 40 hex digits)", setting))
		}
		return a
	}
	p := deploy.Params{
		Owner: o.Owner, Signer: o.Signer, BaseURI: o.BaseURI,
		Royalty: deploy.Royalty{Receiver: o.RoyaltyReceiver, BasisPoints: o.Royalty},
		Salt:    eth.Keccak256([]byte("pantheon"), []byte(o.Salt)), Test: o.TestCurrency, Given: map[string]eth.Address{},
	}
	claimer, manager := wallet("CLAIMER_BACKEND_WALLET", c.Wallets.Claimer), wallet("MANAGER_BACKEND_WALLET", c.Wallets.Manager)
	retired, err := c.Wallets.Former()
	if err != nil {
		faults = append(faults, errors.New("CLAIMER_FORMER_WALLETS: must be addresses, separated by commas"))
	}
	o.Former = append(slices.Clone(o.Former), retired...)
	claimers, err := walletsOf(ctx, c, "CLAIMER_PRIVATE_KEY", c.Wallets.ClaimerKey, claimer, o.Former...)
	if err != nil {
		faults = append(faults, err)
	}
	p.Minters = append(slices.Clone(claimers), o.Minters...)
	if c.Wallets.GasRelayer != "" || c.GameChain.BundlerURL == "" || c.MainChain.BundlerURL == "" {
		p.Relayer = wallet("GAS_RELAYER_BACKEND_WALLET", c.Wallets.GasRelayer)
	}
	if p.BaseURI == "" {
		p.BaseURI = c.PublicURL + "/metadata/"
	}
	if !strings.HasSuffix(p.BaseURI, "/") {
		p.BaseURI += "/"
	}
	if p.Signer.IsZero() {
		key, _, _ := strings.Cut(c.Wallets.PaymasterKey.Reveal(), ",")
		if w, err := openWallet(ctx, kmsOptions(c), key); err != nil {
			faults = append(faults, fmt.Errorf("PAYMASTER_SIGNER_PRIVATE_KEY: %w; or --paymaster-signer its address", err))
		} else {
			p.Signer = w.Address()
		}
	}
	if p.Royalty.Receiver.IsZero() {
		p.Royalty.Receiver = p.Owner
	}
	if o.Royalty < 0 || o.Royalty > 1000 {
		faults = append(faults, errors.New("--royalty: must be from 0 to 1000 basis points"))
	}
	if p.Owner.IsZero() {
		faults = append(faults, errors.New("--owner: must be the address that will own the contracts, such as a multisig"))
	}
	if c.Environment == "prod" && o.TestCurrency {
		faults = append(faults, errors.New("--test-currency: makes money without value, and ENVIRONMENT is prod"))
	}
	if o.GOD < 0 {
		faults = append(faults, errors.New("--god: must be how much can ever be minted"))
	}
	if o.GOD > 0 {
		p.Cap = new(big.Int).Mul(big.NewInt(o.GOD), new(big.Int).Exp(big.NewInt(10), big.NewInt(godDecimals), nil))
	}
	given := map[string]string{
		deploy.EntryPoint: c.Contracts.EntryPoint, deploy.Factory: c.Contracts.AccountFactory, deploy.Paymaster: c.Contracts.Paymaster,
		deploy.Implementation: c.Contracts.AccountImplementation, deploy.Marketplace: c.Contracts.PiggyMarketplace,
		deploy.Currency: c.Contracts.USDC, deploy.GOD: c.Contracts.GOD,
	}
	for _, collection := range c.Brand.Collections.All() {
		given[collection.Setting] = c.Contracts.Collections[collection.Slug]
	}
	for setting, value := range given {
		if value != "" {
			p.Given[setting] = wallet(setting, value)
		}
	}
	faults = append(faults, missingCurrencies(c, o, p)...)
	tables, err := packTables(c, o.Packs)
	if err != nil {
		faults = append(faults, err)
	}
	d := &Deployment{kms: kmsOptions(c)}
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	for _, side := range []struct {
		is     collections.Chain
		prefix string
		chain  config.Chain
	}{{collections.GameChain, "GAME", c.GameChain}, {collections.MainChain, "MAIN", c.MainChain}} {
		if len(o.Chains) > 0 && !slices.Contains(o.Chains, string(side.is)) {
			continue
		}
		client, err := deployClient(string(side.is), side.chain)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s_CHAIN_RPC_URL: %w", side.prefix, err))
			continue
		}
		w := deploy.Wanted{Chain: side.chain.ChainID(), Params: p, Former: o.Former, Decimals: c.Brand.Collections.Currency().Decimals}
		d.sides = append(d.sides, deploySide{side.prefix, side.chain, client, w})
		if len(faults) > 0 {
			continue
		}
		s := &d.sides[len(d.sides)-1]
		if s.wanted.Contracts, err = deploy.Contracts(c.Brand.Collections, side.is, p); err != nil {
			return nil, err
		}
		if side.is == collections.GameChain {
			s.wanted.Tables = tables
		}
		if side.chain.BundlerURL != "" { // it sends from wallets of its own
			s.wanted.Relayer, s.wanted.Former = eth.Address{}, append(slices.Clone(o.Former), p.Relayer)
		}
		if o.Gas > 0 {
			s.wanted.Gas = gasMoney(side.is, o.Gas, []eth.Address{s.wanted.Relayer}, claimers, manager)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return d, nil
}

// walletsOf returns the wallet in use and those of further keys, without former ones. One key alone need not be known here.
func walletsOf(
	ctx context.Context, c config.Config, setting string, secret config.Secret, inUse eth.Address, former ...eth.Address,
) ([]eth.Address, error) {
	out, keys := []eth.Address{inUse}, secret.Keys()
	if len(keys) < 2 {
		return out, nil
	}
	for _, key := range keys {
		w, err := openWallet(ctx, kmsOptions(c), key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setting, err)
		}
		if a := w.Address(); !slices.Contains(out, a) && !slices.Contains(former, a) {
			out = append(out, a)
		}
	}
	return out, nil
}

// deployClient returns the client of a chain. It uses one endpoint: what was just sent is not known to another yet.
func deployClient(name string, chain config.Chain) (*rpc.Client, error) {
	tip, err := chain.Tip()
	if err != nil {
		return nil, errors.New("LEAST_TIP: must be an amount of gwei such as 30")
	}
	return rpc.New(rpc.Options{Name: name, ChainID: chain.ChainID(), URL: chain.Endpoints()[0], LeastTip: tip.Big()})
}

// gasMoney returns what should be able to pay for gas on a chain: the first relayer and claimer are in use. A wallet of two roles needs the
// money of both.
func gasMoney(side collections.Chain, gas uint64, relayers, claimers []eth.Address, manager eth.Address) []deploy.Money {
	out := []deploy.Money{{Title: "the paymaster's deposit", Gas: gas}}
	var wallets []deploy.Money
	for _, role := range []struct {
		address, key string // settings
		wallets      []eth.Address
	}{
		{"GAS_RELAYER_BACKEND_WALLET", "GAS_RELAYER_PRIVATE_KEY", relayers},
		{"CLAIMER_BACKEND_WALLET", "CLAIMER_PRIVATE_KEY", claimers},
	} {
		for i, wallet := range role.wallets {
			title := role.address
			if i > 0 {
				title = spareSetting(role.key, i)
			}
			if !wallet.IsZero() { // an external bundler needs no relayer
				wallets = append(wallets, deploy.Money{Title: title, Wallet: wallet})
			}
		}
	}
	if side == collections.GameChain {
		wallets = append(wallets, deploy.Money{Title: "MANAGER_BACKEND_WALLET", Wallet: manager})
	}
	for _, m := range wallets {
		i := slices.IndexFunc(out, func(other deploy.Money) bool { return other.Wallet == m.Wallet })
		if i < 0 {
			i = len(out)
			out = append(out, m)
		}
		out[i].Gas += gas / 3
	}
	return out
}

// NewTopUps returns a deployment of each chain that only fills up the wallets and the paymaster's deposit of a portal whose contracts
// exist: one that fails does not stop the other.
func NewTopUps(ctx context.Context, c config.Config, gas uint64) (out []*Deployment, err error) {
	c.Complete()
	if err := c.Validate(); err != nil {
		return nil, err
	}
	w := c.Wallets
	relayers, relayerErr := walletsOf(ctx, c, "GAS_RELAYER_PRIVATE_KEY", w.GasRelayerKey, optionalAddress(w.GasRelayer))
	claimers, claimerErr := walletsOf(ctx, c, "CLAIMER_PRIVATE_KEY", w.ClaimerKey, eth.MustAddress(w.Claimer))
	if err := errors.Join(relayerErr, claimerErr); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		is     collections.Chain
		prefix string
		chain  config.Chain
	}{{collections.GameChain, "GAME", c.GameChain}, {collections.MainChain, "MAIN", c.MainChain}} {
		client, err := deployClient(string(side.is), side.chain)
		if err != nil {
			return nil, fmt.Errorf("%s_CHAIN_RPC_URL: %w", side.prefix, err)
		}
		of := relayers
		if side.chain.BundlerURL != "" { // it sends from wallets of its own
			of = nil
		}
		money := gasMoney(side.is, gas, of, claimers, eth.MustAddress(w.Manager))
		deposits := []deploy.Contract{{Setting: deploy.EntryPoint, Name: "EntryPoint", Address: eth.MustAddress(c.Contracts.EntryPoint)}}
		if side.chain.PaymasterURL == "" {
			deposits = append(deposits, deploy.Contract{
				Setting: deploy.Paymaster, Name: "PantheonPaymaster", Address: optionalAddress(c.Contracts.Paymaster),
			})
		} else {
			money = money[1:] // the service's paymaster has its own
		}
		out = append(out, &Deployment{kms: kmsOptions(c), sides: []deploySide{{side.prefix, side.chain, client, deploy.Wanted{
			Chain: side.chain.ChainID(), TopUp: true, Contracts: deposits, Gas: money,
		}}}})
	}
	return out, nil
}

// missingCurrencies returns what to do about currencies that are neither given nor to be made.
func missingCurrencies(c config.Config, o DeployOptions, p deploy.Params) (faults []error) {
	if len(o.Chains) > 0 && !slices.Contains(o.Chains, string(collections.GameChain)) {
		return nil
	}
	if p.Given[deploy.Currency].IsZero() && !o.TestCurrency {
		faults = append(faults, fmt.Errorf("%s: must be the address of %s; on a test network --test-currency makes one without value",
			deploy.Currency, c.Brand.Collections.Currency().Symbol))
	}
	if _, ok := c.Brand.Collections.Of("elder-gods"); ok && p.Given[deploy.GOD].IsZero() && o.GOD == 0 {
		faults = append(faults, fmt.Errorf("%s: must be its address, or --god how much can ever be minted: the vaults of the brand's gods "+
			"pay in it", deploy.GOD))
	}
	return faults
}

// packTables returns what is to be fixed for kinds of packs.
func packTables(c config.Config, packs map[string]int64) (out []deploy.Table, err error) {
	if len(packs) == 0 {
		return nil, nil
	}
	rules, err := readRules(c.Brand, c.GameRules)
	if err != nil {
		return nil, settingFault("GAME_RULES_FILE", c.GameRules, err)
	}
	known := map[string][32]byte{}
	for _, t := range rules.tables.All() {
		if t.Token != "" {
			known[t.Token] = t.Hash()
		}
	}
	for token, most := range packs {
		hash, ok := known[token]
		id, parseErr := money.Parse(token)
		if !ok || parseErr != nil || most < 1 {
			err = errors.Join(err, fmt.Errorf("--pack %s=%d: must be the token of a pack of the game's rules, and how many can ever be minted",
				token, most))
			continue
		}
		out = append(out, deploy.Table{TokenID: id, Table: hash, Max: most})
	}
	slices.SortFunc(out, func(a, b deploy.Table) int { return a.TokenID.Cmp(b.TokenID) })
	return out, err
}

// Close closes the connections.
func (d *Deployment) Close() {
	for _, s := range d.sides {
		s.client.Close()
	}
}

// Plan returns what is missing on each chain. from pays for what anyone can send; it may be zero.
func (d *Deployment) Plan(ctx context.Context, from eth.Address) (out []DeployPlan, err error) {
	multisig := false
	for _, s := range d.sides {
		plan, err := deploy.MakePlan(ctx, s.client, s.wanted, from)
		if err != nil {
			return out, fmt.Errorf("%s_CHAIN_RPC_URL: %w", s.name, err)
		}
		multisig = multisig || plan.IsContract
		out = append(out, DeployPlan{Plan: plan, Chain: s.chain.Name, ChainID: s.chain.ID, Contracts: s.wanted.Contracts})
	}
	for i, p := range out {
		if owner := d.sides[i].wanted.Owner; multisig && !p.IsContract {
			out[i].Problems = append(p.Problems, fmt.Sprintf("--owner: %s is a contract on the other chain, but there is none on chain %d: "+
				"create the multisig there as well, or deploy one chain at a time", owner.Checksum(), p.ChainID))
		} else if !owner.IsZero() && !p.IsContract {
			out[i].Notes = append(p.Notes, fmt.Sprintf("--owner: %s is an ordinary wallet, not a multisig", owner.Checksum()))
		}
	}
	return out, nil
}

// DeployKey is the wallet that pays for a deployment.
type DeployKey struct{ wallet txqueue.Wallet }

// OpenKey returns the wallet of a private key in a file, which may be sealed, or of a key at a key management service, by its URI.
func (d *Deployment) OpenKey(ctx context.Context, from string) (DeployKey, error) {
	return openDeployKey(ctx, d.kms, from)
}

func openDeployKey(ctx context.Context, o kms.Options, from string) (DeployKey, error) {
	key := from
	if !kms.IsURI(from) {
		text, err := os.ReadFile(from)
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			return DeployKey{}, fmt.Errorf("--key: must be a file that can be read, or a key's URI: %w", at.Err) // it may be the key itself
		}
		if err != nil {
			return DeployKey{}, err
		}
		if kms.IsSealed(string(text)) {
			if text, err = kms.Unseal(ctx, string(text), o); err != nil {
				return DeployKey{}, fmt.Errorf("%s: %w", from, err)
			}
		}
		key = strings.TrimSpace(string(text))
	}
	w, err := openWallet(ctx, o, key)
	if err != nil {
		return DeployKey{}, fmt.Errorf("%s: %w", from, err)
	}
	return DeployKey{w}, nil
}

// Address returns the wallet's address.
func (k DeployKey) Address() eth.Address { return k.wallet.Address() }

// The pace of a deployment.
const (
	deployPoll     = time.Second
	deployPatience = time.Minute
)

// Apply sends what the key can send on each chain, and returns what is missing then. All chains are looked at, and the plans confirmed,
// before anything is sent. With maxFee nil up to five times the price of gas that the plans have is offered. Progress is written to out.
func (d *Deployment) Apply(
	ctx context.Context, key DeployKey, maxFee *big.Int, confirm func([]DeployPlan) error, out io.Writer,
) (left []DeployPlan, err error) {
	plans, err := d.Plan(ctx, key.Address())
	if err != nil {
		return nil, err
	}
	senders := make([]deploy.Sender, len(plans))
	missing := false
	for i, p := range plans {
		if len(p.Problems) > 0 {
			return plans, nil // the caller shows them
		}
		steps := p.For(key.Address())
		_, _, values := p.Cost(steps)
		senders[i] = deploy.Sender{
			RPC: d.sides[i].client, Wallet: key.wallet, MaxFee: maxFee, Poll: deployPoll, Patience: deployPatience,
			Budget: values.Add(values, new(big.Int).Rsh(values, 1)), // gas may become dearer meanwhile
			Sent: func(step deploy.Step, r deploy.Receipt) {
				_, _ = fmt.Fprintf(out, "  %s: %s, block %d, %d gas\n", step.Title, r.Hash, r.Block, r.GasUsed)
			},
		}
		if maxFee == nil {
			senders[i].MaxFee = deploy.DefaultMaxFee(p.Price)
			if tip, err := d.sides[i].chain.Tip(); err == nil { // below it the node takes nothing
				senders[i].MaxFee.Add(senders[i].MaxFee, tip.Big())
			}
		}
		if missing = missing || len(steps) > 0; len(steps) > 0 {
			if err := senders[i].Affords(ctx, p.Plan, steps); err != nil {
				return plans, fmt.Errorf("%s: %w", p.Chain, err)
			}
		}
	}
	if !missing {
		return plans, nil
	}
	if err := confirm(plans); err != nil {
		return plans, err
	}
	for i, s := range d.sides {
		_, _ = fmt.Fprintf(out, "%s (%d)\n", s.chain.Name, s.chain.ID)
		if plans[i].Plan, err = senders[i].Apply(ctx, s.wanted); err != nil {
			return plans, fmt.Errorf("%s: %w", s.chain.Name, err)
		}
	}
	return plans, nil
}

// WriteBatches writes what others than the key's wallet can send now as files for Safe's Transaction Builder, and returns the files' names.
// What an earlier run wrote to the folder is removed: it may have been sent, and must not be sent again.
func (d *Deployment) WriteBatches(plans []DeployPlan, key eth.Address, folder string) (files []string, err error) {
	for i, p := range plans {
		name := strings.ToLower(d.sides[i].name)
		old, err := filepath.Glob(filepath.Join(folder, name+"-0x*.json"))
		if err != nil {
			return files, err
		}
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				return files, err
			}
		}
		for _, by := range p.Others(key) {
			theirs := slices.DeleteFunc(p.For(by), func(s deploy.Step) bool { return s.By != by }) // what anyone can send is sent once
			written, err := d.writeBatch(i, by, theirs, filepath.Join(folder, name+"-"+by.Checksum()))
			if err != nil {
				return files, err
			}
			files = append(files, written...)
		}
	}
	return files, nil
}

// WriteAll writes what a wallet can send now, and that of others.
func (d *Deployment) WriteAll(plans []DeployPlan, wallet eth.Address, folder string) (files []string, err error) {
	if files, err = d.WriteBatches(plans, wallet, folder); err != nil {
		return files, err
	}
	for i, p := range plans {
		written, err := d.writeBatch(i, wallet, p.For(wallet), filepath.Join(folder, strings.ToLower(d.sides[i].name)+"-"+wallet.Checksum()))
		if err != nil {
			return files, err
		}
		files = append(files, written...)
	}
	return files, nil
}

func (d *Deployment) writeBatch(side int, by eth.Address, steps []deploy.Step, prefix string) (files []string, err error) {
	batches, err := deploy.Batches(d.sides[side].wanted.Chain, by, "Pantheon, "+d.sides[side].chain.Name, steps)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(prefix), 0o755); err != nil {
		return nil, err
	}
	for n, text := range batches {
		file := fmt.Sprintf("%s-%d.json", prefix, n+1)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

// settingsHeader is the first line of a file of settings.
const settingsHeader = "# Written by pantheon deploy; pantheon check compares it with the chains."

// readSettings reads what an earlier run has written. It fails if the file is not of this command, or has other addresses on the same
// chain: the contracts there may have tokens of players.
func (d *Deployment) readSettings(file string) (map[string]string, error) {
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if len(before) > 0 && !strings.HasPrefix(string(before), settingsHeader) {
		return nil, fmt.Errorf("%s exists, and was not written by pantheon deploy: --settings names another file", file)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(before)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			values[name] = value
		}
	}
	for _, s := range d.sides {
		if id := values[s.name+"_CHAIN_ID"]; id != "" && id != strconv.FormatUint(s.chain.ID, 10) {
			delete(values, s.name+"_CHAIN_START_BLOCK")
			continue
		}
		for _, c := range s.wanted.Contracts {
			if old := values[c.Setting]; old != "" && old != c.Address.Checksum() {
				return nil, fmt.Errorf("%s has another address for %s, %s: load it with your settings to go on with these contracts, or name another "+
					"file with --settings for new ones", file, c.Setting, old)
			}
		}
	}
	return values, nil
}

// WriteSettings writes the addresses, and the blocks from which the chains are indexed, to a file of settings. What an earlier run has
// written of the other chain is kept, and so is an earlier block. The chains must have been looked at; see Plan.
func (d *Deployment) WriteSettings(ctx context.Context, file string) error {
	values, err := d.readSettings(file)
	if err != nil {
		return err
	}
	out := settingsHeader + "\n"
	for _, s := range d.sides {
		values[s.name+"_CHAIN_ID"] = strconv.FormatUint(s.chain.ID, 10)
		for _, c := range s.wanted.Contracts {
			if c.Setting != "" {
				values[c.Setting] = c.Address.Checksum()
			}
		}
		start := s.name + "_CHAIN_START_BLOCK"
		block, err := deploy.StartBlock(ctx, s.client, s.wanted.Contracts)
		known, unknown := strconv.ParseUint(values[start], 10, 64)
		switch {
		case err == nil && (unknown != nil || block < known):
			values[start] = strconv.FormatUint(block, 10)
		case err != nil && unknown != nil:
			out += "# " + start + " is not known, as the endpoint keeps no old state: set it to the block before the oldest contract.\n"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out += name + "=" + values[name] + "\n"
	}
	if err := os.WriteFile(file+".new", []byte(out), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file) // at once: a block that is lost may not be found again
}

// DeploySource is what block explorers ask for to verify a contract's sources.
type DeploySource struct {
	ChainID   uint64      `json:"chainId"`
	Address   eth.Address `json:"address"`
	Contract  string      `json:"contract"`  // file and name
	Compiler  string      `json:"compiler"`  // version, such as v0.8.37+commit.…
	Input     string      `json:"input"`     // file of the compiler's input, in the standard JSON form
	Arguments eth.Bytes   `json:"arguments"` // of the constructor, ABI-encoded
}

// WriteSources writes the compiler's inputs to a folder, and returns what belongs to each contract that we compile.
func (d *Deployment) WriteSources(folder string) (out []DeploySource, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, s := range d.sides {
		for _, c := range s.wanted.Contracts {
			if c.Name == "" || c.Deployment == nil {
				continue
			}
			built, err := contracts.Artifact(c.Name)
			if err != nil {
				return nil, err
			}
			if built.Source.Input == "" { // its makers have verified it
				continue
			}
			text, err := contracts.Input(built.Source.Input)
			if err != nil {
				return nil, err
			}
			file := filepath.Join(folder, built.Source.Input)
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return nil, err
			}
			out = append(out, DeploySource{
				ChainID: s.chain.ID, Address: c.Address, Contract: built.Source.File + ":" + c.Name, Compiler: "v" + built.Source.Compiler,
				Input: file, Arguments: c.Deployment.InitCode[len(built.Bytecode):],
			})
		}
	}
	return out, nil
}

// Ether formats wei in units of a chain's own currency.
func Ether(wei *big.Int) string { return deploy.Ether(wei) }

// WalletKey is a wallet's key in a file.
type WalletKey struct {
	File           string      `json:"file"`
	Address        eth.Address `json:"address"`
	Setting        string      `json:"setting,omitzero"`        // that names the file; "" for the deployer's
	AddressSetting string      `json:"addressSetting,omitzero"` // that has the address; "" for none
}

// MakeWalletKeys makes the keys of a new portal's wallets, each in a file that only its owner can read, sealed with a key of a key
// management service unless its URI is "". Keys that exist are kept.
func MakeWalletKeys(ctx context.Context, c config.Config, folder, uri string) (keys []WalletKey, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for _, k := range []WalletKey{
		{File: "manager.key", Setting: "MANAGER_PRIVATE_KEY_FILE", AddressSetting: "MANAGER_BACKEND_WALLET"},
		{File: "claimer.key", Setting: "CLAIMER_PRIVATE_KEY_FILE", AddressSetting: "CLAIMER_BACKEND_WALLET"},
		{File: "gas-relayer.key", Setting: "GAS_RELAYER_PRIVATE_KEY_FILE", AddressSetting: "GAS_RELAYER_BACKEND_WALLET"},
		{File: "paymaster-signer.key", Setting: "PAYMASTER_SIGNER_PRIVATE_KEY_FILE"},
		{File: "deployer.key"},
	} {
		k.File = filepath.Join(folder, k.File)
		if err := makeWalletKey(ctx, c, k.File, uri); err != nil {
			return nil, err
		}
		key, err := openDeployKey(ctx, kmsOptions(c), k.File)
		if err != nil {
			return nil, err
		}
		k.Address = key.Address()
		keys = append(keys, k)
	}
	return keys, nil
}

func makeWalletKey(ctx context.Context, c config.Config, path, uri string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	key, err := crypto.GenerateKey()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("0x%x", crypto.FromECDSA(key))
	if uri != "" {
		if text, err = kms.Seal(ctx, uri, []byte(text), kmsOptions(c)); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, text)
	return errors.Join(err, f.Sync(), f.Close())
}
