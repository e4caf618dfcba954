package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/preflight"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
)

// How much gas the wallets should be able to pay, and the paymaster's deposit: for some hundred transactions. Below it the log and
// /readyz tell.
const (
	senderGas  = 100_000_000
	depositGas = 300_000_000
)

// expected returns what the configuration says of a chain. It must be valid, and its game rules as well.
func expected(c config.Config, w portalWallets, chain config.Chain) (preflight.Expected, error) {
	k, isGame := c.Contracts, chain.ID == c.GameChain.ID
	of := func(setting, address string) preflight.Contract {
		return preflight.Contract{Setting: setting, Address: eth.MustAddress(address)}
	}
	x := preflight.Expected{
		Chain: chain.ChainID(), EntryPoint: of("ENTRY_POINT_ADDRESS", k.EntryPoint), Factory: of("ACCOUNT_FACTORY_ADDRESS", k.AccountFactory),
		Implementation: of("ACCOUNT_IMPLEMENTATION_ADDRESS", k.AccountImplementation), DepositGas: depositGas,
		Claimer: preflight.Wallet{Contract: of("CLAIMER_BACKEND_WALLET", c.Wallets.Claimer), Gas: senderGas},
	}
	if chain.BundlerURL == "" {
		x.Relayer = preflight.Wallet{Contract: of("GAS_RELAYER_BACKEND_WALLET", c.Wallets.GasRelayer), Gas: senderGas}
	}
	if chain.PaymasterURL == "" {
		x.Paymaster, x.Signer = of("PAYMASTER_ADDRESS", k.Paymaster), w.signer[0].Address()
	} else {
		setting := map[bool]string{true: "GAME", false: "MAIN"}[isGame] + "_CHAIN_PAYMASTER_ADDRESS"
		x.Paymaster = of(setting, chain.PaymasterAddress)
	}
	x.Spares = spares("CLAIMER_PRIVATE_KEY", w.claimer)
	x.Others = spares("GAS_RELAYER_PRIVATE_KEY", w.relayer)
	minted, err := mintedSlugs(c)
	if err != nil {
		return x, err
	}
	for _, t := range collectionsOf(c) {
		if t.chain == chain.ChainID() {
			x.Tokens = append(x.Tokens, preflight.Token{
				Contract: preflight.Contract{Setting: t.Setting, Address: t.address}, Standard: t.Standard, Tradable: t.Tradable,
				Minted: minted[t.Slug],
			})
		}
	}
	if !isGame {
		return x, nil
	}
	x.Marketplace = of("PIGGY_MARKETPLACE_ADDRESS", k.PiggyMarketplace)
	x.Tokens = append(x.Tokens, preflight.Token{Contract: of("USDC_CURRENCY_CONTRACT_ADDRESS", k.USDC), Standard: onchain.ERC20,
		Decimals: c.Brand.Collections.Currency().Decimals})
	if k.GOD != "" {
		x.Tokens = append(x.Tokens, preflight.Token{Contract: of("GOD_CURRENCY_CONTRACT_ADDRESS", k.GOD), Standard: onchain.ERC20,
			Decimals: godDecimals, Minted: true})
	}
	if len(w.treasury) > 0 {
		treasury := preflight.Contract{Setting: "TREASURY_PRIVATE_KEY", Address: w.treasury[0].Address()}
		x.Others = append(x.Others, preflight.Wallet{Contract: treasury, Gas: senderGas})
		x.Others = append(x.Others, spares("TREASURY_PRIVATE_KEY", w.treasury)...)
	}
	return x, nil
}

// spares returns the wallets of a setting besides the first, which is in use.
func spares(setting string, wallets []txqueue.Wallet) (out []preflight.Wallet) {
	for i, w := range wallets {
		if i > 0 {
			of := preflight.Contract{Setting: spareSetting(setting, i), Address: w.Address()}
			out = append(out, preflight.Wallet{Contract: of, Gas: senderGas, Spare: true})
		}
	}
	return out
}

// spareSetting names a key of a setting that lists several, by its index.
func spareSetting(setting string, i int) string { return fmt.Sprintf("%s (%d)", setting, i+1) }

// mintedSlugs returns the collections of which rewards mint tokens: drops of packs, products of the webstore, and avatars.
func mintedSlugs(c config.Config) (map[string]bool, error) {
	out := map[string]bool{"season-avatars": true}
	rules, err := readRules(c.Brand, c.GameRules)
	if err != nil {
		return nil, settingFault("GAME_RULES_FILE", c.GameRules, err)
	}
	add := func(g draw.Grant) error { out[g.Collection] = true; return nil }
	for _, t := range rules.tables.All() {
		for _, d := range t.Drops {
			for _, g := range d.Gives {
				_ = add(g)
			}
		}
	}
	if c.Shop.URL == "" {
		return out, nil
	}
	var text []byte
	if c.Shop.Products != "" {
		if text, err = os.ReadFile(c.Shop.Products); err != nil {
			return nil, settingFault("WEBSTORE_FILE", c.Shop.Products, err)
		}
	}
	_, err = webstore.ParseCatalogue(section.Over(c.Shop.Products, text, c.Brand.Products), webstore.Checks{
		Grant: add, Send: func(webstore.Send) error { return nil }, Opens: func(string) error { return nil },
	})
	return out, err
}

// accepts reports whether the operator accepts findings of a severity.
func accepts(c config.Config) func(preflight.Severity) bool {
	return func(s preflight.Severity) bool {
		return s == preflight.Empty && slices.Contains(c.AcceptRisks, config.RiskEmptyWallets) ||
			s == preflight.Unknown && slices.Contains(c.AcceptRisks, config.RiskUnknownContracts)
	}
}

const (
	// contractsInterval is how often the contracts and balances of a chain are looked at, and contractsRetry after a failure.
	contractsInterval = time.Minute
	contractsRetry    = 5 * time.Second
	// preflightTimeout is how long the start waits for a chain's answers.
	preflightTimeout = 5 * time.Second
)

// contractWatch compares what is configured on a chain with what is there. It is safe for concurrent use.
type contractWatch struct {
	name     string
	rpc      *rpc.Client
	expected preflight.Expected
	accepts  func(preflight.Severity) bool
	log      *slog.Logger
	passed   chan struct{} // closed once the contracts were found to be right

	mu       sync.Mutex
	first    preflight.Result // that passed
	findings []preflight.Finding
	balances []preflight.Balance
	late     error // why there is no result yet
}

// watchContracts compares the contracts of a chain with the configuration. It fails if they do not fit. If the endpoint does not answer,
// the chain's background work waits until it does and they fit. Later findings are logged and reported only.
func watchContracts(b *base, c *chainParts, embedded bool) (*contractWatch, error) {
	x, err := expected(b.config, b.wallets, c.config)
	if err != nil {
		return nil, err
	}
	w := &contractWatch{name: c.name, rpc: c.rpc, expected: x, accepts: accepts(b.config), log: b.log, passed: make(chan struct{})}
	if embedded {
		w.accepts = func(preflight.Severity) bool { return true } // it was made for the configuration
	}
	ctx, cancel := context.WithTimeout(context.Background(), preflightTimeout)
	defer cancel()
	if err := w.look(ctx); err != nil && !errors.Is(err, errLate) {
		return nil, fmt.Errorf("%s:\n%w", c.name, err)
	}
	b.replica[c.name+" contracts"] = w.run
	b.health.Add(health.Check{Name: c.name + " contracts", Run: w.check, Impairs: c.impairs})
	return w, nil
}

// errLate means that the contracts were not looked at yet.
var errLate = errors.New("the endpoint does not answer")

// run looks again and again until ctx ends.
func (w *contractWatch) run(ctx context.Context) error {
	for {
		wait := contractsInterval
		if err := w.look(ctx); errors.Is(err, errLate) {
			wait = contractsRetry
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// look looks at the chain and keeps what it finds. It returns errLate if the endpoint does not answer, and before anything has
// passed, why the portal must not work with these contracts.
func (w *contractWatch) look(ctx context.Context) error {
	_, err := w.rpc.Check(ctx)
	switch {
	case errors.Is(err, rpc.ErrWrongChain) && !w.hasPassed():
		return err
	case errors.Is(err, rpc.ErrStale): // it answers
		err = nil
	}
	var result preflight.Result
	if err == nil {
		result, err = preflight.Check(ctx, w.rpc, w.expected)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.late = err
		return fmt.Errorf("%w: %w", errLate, err)
	}
	w.late = nil
	if !w.hasPassed() {
		if err := result.Refuses(w.accepts); err != nil {
			w.note(result.Findings)
			return err
		}
		w.first = result
		close(w.passed)
	}
	w.note(append(result.Changed(w.first), result.Findings...))
	w.balances = result.Balances
	return nil
}

func (w *contractWatch) hasPassed() bool {
	select {
	case <-w.passed:
		return true
	default:
		return false
	}
}

// note keeps the findings and logs those that are new or gone. The caller holds w.mu.
func (w *contractWatch) note(now []preflight.Finding) {
	isKnown := func(in []preflight.Finding) func(preflight.Finding) bool {
		return func(f preflight.Finding) bool {
			return slices.ContainsFunc(in, func(g preflight.Finding) bool { return g.Setting == f.Setting && g.Severity == f.Severity })
		}
	}
	for _, f := range now {
		if !isKnown(w.findings)(f) {
			level := slog.LevelWarn
			if f.Severity > preflight.Notice {
				level = slog.LevelError
			}
			w.log.Log(context.Background(), level, "chain does not fit the configuration", "chain", w.name, "setting", f.Setting, "problem", f.Text)
		}
	}
	for _, f := range w.findings {
		if !isKnown(now)(f) {
			w.log.Info("chain fits the configuration again", "chain", w.name, "setting", f.Setting, "was", f.Text)
		}
	}
	w.findings = now
}

// check names the setting of the worst finding that is a failure. What it is, the log says: /readyz is public.
func (w *contractWatch) check(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.late != nil && !w.hasPassed() {
		return fault.New(fault.Unavailable, "not compared with the chain yet, as its endpoint does not answer").Because(w.late)
	}
	for _, f := range w.findings {
		if w.fails(f) {
			return fault.New(fault.Unavailable, "%s does not fit the chain: the log says why", f.Setting).Because(errors.New(f.Text))
		}
	}
	return nil
}

// fails reports whether a finding is a failure, and nothing that is normal or accepted.
func (w *contractWatch) fails(f preflight.Finding) bool {
	return f.Severity > preflight.Notice && !w.accepts(f.Severity)
}

// after returns background work that begins once the contracts have passed.
func (w *contractWatch) after(run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return nil
		case <-w.passed:
			return run(ctx)
		}
	}
}

var (
	balanceMetric = describe("gas_balance", "What pays for gas, in the chain's own currency: of wallets by the setting "+
		"that names them, (2) for its second key, and of the paymaster's deposit at the EntryPoint.", "chain", "setting")
	findingMetric = describe("chain_findings", "How many things on a chain do not fit the configuration, without those that "+
		"ACCEPT_RISKS accepts; the log names them.", "chain", "severity")
)

// contractMetrics collects what the watches have found.
type contractMetrics []*contractWatch

// Describe implements prometheus.Collector.
func (contractMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- balanceMetric
	out <- findingMetric
}

// Collect implements prometheus.Collector.
func (m contractMetrics) Collect(out chan<- prometheus.Metric) {
	for _, w := range m {
		findings, balances := w.found()
		chain := fmt.Sprint(w.expected.Chain)
		for _, b := range balances {
			wei, _ := new(big.Float).SetInt(b.Wei).Float64()
			out <- prometheus.MustNewConstMetric(balanceMetric, prometheus.GaugeValue, wei/1e18, chain, b.Setting)
		}
		count := map[preflight.Severity]float64{}
		for _, f := range findings {
			if f.Severity == preflight.Notice || w.fails(f) {
				count[f.Severity]++
			}
		}
		for s := preflight.Notice; s <= preflight.Wrong; s++ {
			out <- prometheus.MustNewConstMetric(findingMetric, prometheus.GaugeValue, count[s], chain, s.String())
		}
	}
}

func (w *contractWatch) found() ([]preflight.Finding, []preflight.Balance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.findings, w.balances
}

// checkContracts compares a chain with the configuration, for pantheon check. Notices come as the note.
func checkContracts(ctx context.Context, c config.Config, chain config.Chain, client *rpc.Client) (note string, err error) {
	wallets, err := openWallets(ctx, c)
	if err != nil {
		return "", err
	}
	x, err := expected(c, wallets, chain)
	if err != nil {
		return "", err
	}
	result, err := preflight.Check(ctx, client, x)
	if err != nil {
		return "", err
	}
	var notes []string
	for _, f := range result.Findings {
		if f.Severity == preflight.Notice || accepts(c)(f.Severity) {
			notes = append(notes, f.String())
		}
	}
	return strings.Join(notes, "\n"), result.Refuses(accepts(c))
}
