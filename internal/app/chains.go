package app

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/holdings"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
)

// devPoll is how often the development chains are polled for a new head; they are in the same process.
const devPoll = 20 * time.Millisecond

// endpointsInterval is how often the endpoints of a chain with several are compared.
const endpointsInterval = 5 * time.Second

// gasStore stores operations and transactions.
type gasStore interface {
	gas.Operations
	gas.Transactions
	gas.Accounts
}

// chainRPC is the RPC interface of queue and relay.
type chainRPC = txqueue.RPC

// chainParts are the parts of one chain.
type chainParts struct {
	name            string
	finalitySetting string // the variable of its finality
	config          config.Chain
	impairs         health.Feature // by its failure
	rpc             *rpc.Client
	reads           *rpc.Client // for browsers; see readClient
	index           *index.Index
	indexer         *indexer.Indexer
	queue           *txqueue.Queue
}

// chains are the chains of the portal.
type chains struct {
	of    map[onchain.ChainID]*chainParts
	index *index.Index
	proxy *rpc.Proxy
}

// newChains opens the endpoints of both chains and builds what reads them and what sends transactions.
func newChains(ctx context.Context, b *base, endpoints map[onchain.ChainID]*rpc.Client) (chains, error) {
	out := chains{of: map[onchain.ChainID]*chainParts{}, index: newIndex(b, b.db)}
	var watches contractMetrics
	metrics, err := indexer.NewMetrics(b.registry)
	if err != nil {
		return out, err
	}
	for _, c := range []*chainParts{
		{name: "game chain", finalitySetting: "GAME_CHAIN_FINALITY", config: b.config.GameChain, impairs: health.Trading, index: out.index},
		{name: "main chain", finalitySetting: "MAIN_CHAIN_FINALITY", config: b.config.MainChain, impairs: health.Wallets, index: out.index},
	} {
		chain := c.config
		c.rpc = endpoints[chain.ChainID()]
		if c.rpc == nil {
			o, err := endpointOf(b, c.name, chain)
			if err != nil {
				return out, err
			}
			if c.rpc, err = rpc.New(o); err != nil {
				return out, err
			}
		}
		b.onClose(func() error { c.rpc.Close(); return nil })
		if c.reads, err = readClient(b, c.name, chain, endpoints[chain.ChainID()]); err != nil {
			return out, err
		}
		b.onClose(func() error { c.reads.Close(); return nil })
		if c.indexer, err = newIndexer(ctx, b, chain, c.rpc, endpoints[chain.ChainID()] != nil, out.index, metrics); err != nil {
			return out, err
		}
		if c.queue, err = newQueue(b, chain, c.rpc, out.index); err != nil {
			return out, err
		}
		out.of[chain.ChainID()] = c
		contracts, err := watchContracts(b, c, endpoints[chain.ChainID()] != nil)
		if err != nil {
			return out, err
		}
		watches = append(watches, contracts)
		b.leader[c.name+" indexer"], b.leader[c.name+" transactions"] = contracts.after(c.indexer.Run), contracts.after(c.queue.Run)
		b.health.Add(health.Check{Name: c.name, Run: c.check, Impairs: c.impairs},
			health.Check{Name: c.name + " history", Run: c.checkHistory})
		if len(c.rpc.Problems()) > 1 {
			b.replica[c.name+" endpoints"] = func(ctx context.Context) error { return c.rpc.Watch(ctx, endpointsInterval, b.log) }
			b.health.Add(health.Check{Name: c.name + " endpoints", Run: c.checkEndpoints})
		}
		if len(c.reads.Problems()) > 1 {
			b.replica[c.name+" reads"] = func(ctx context.Context) error { return c.reads.Watch(ctx, endpointsInterval, b.log) }
		}
		if chain.ReadRPCURL != "" {
			b.health.Add(health.Check{Name: c.name + " reads", Run: c.checkReads})
		}
	}
	if err := b.registry.Register(watches); err != nil {
		return out, err
	}
	out.proxy, err = newProxy(b, out.of)
	return out, err
}

// endpointOf returns the options of a client of a chain's endpoint.
func endpointOf(b *base, name string, chain config.Chain) (rpc.Options, error) {
	tip, err := chain.Tip()
	urls := chain.Endpoints()
	return rpc.Options{
		Name: name, ChainID: chain.ChainID(), URL: urls[0], More: urls[1:], LeastTip: tip.Big(), MaxHeadAge: chain.MaxHeadAge,
		Clock: b.clock,
	}, err
}

// newPolicies returns the policies for players' sponsored calls, one per chain.
func newPolicies(b *base) ([]*gas.Policy, error) {
	k := b.config.Contracts
	policy := func(chain config.Chain, c gas.Contracts) (*gas.Policy, error) {
		budget, err := budgetOf(b.config.Relay, chain, eth.MustAddress(b.config.Wallets.Manager), b.currency().Units(knownTotal))
		if err != nil {
			return nil, err
		}
		for _, t := range b.goods {
			if t.chain != chain.ChainID() {
				continue
			}
			switch {
			case t.Tradable && t.Standard == onchain.ERC721:
				c.Tradable721 = append(c.Tradable721, t.address)
			case t.Tradable:
				c.Tradable1155 = append(c.Tradable1155, t.address)
			}
			switch {
			case t.Soulbound:
			case t.Standard == onchain.ERC721:
				c.Sendable721 = append(c.Sendable721, t.address)
			default:
				c.Sendable1155 = append(c.Sendable1155, t.address)
			}
			switch {
			case t.Burnable() && t.Standard == onchain.ERC721:
				c.Burnable721 = append(c.Burnable721, t.address)
			case t.Burnable():
				c.Burnable1155 = append(c.Burnable1155, t.address)
			}
		}
		return &gas.Policy{
			Chain: chain.ChainID(), EntryPoint: eth.MustAddress(k.EntryPoint), Factory: eth.MustAddress(k.AccountFactory),
			Implementation: eth.MustAddress(k.AccountImplementation), Allowed: gas.AllowedCalls(c), MaxCalls: gas.MaxCalls, MaxGas: gas.MaxGas,
			Budget: budget, Currency: c.Currency, Paymaster: eth.MustAddress(b.config.Paymaster(chain)),
			PaymasterSigners: walletAddresses(b.wallets.signer), ExternalPaymaster: chain.PaymasterURL != "",
		}, nil
	}
	game, err := policy(b.config.GameChain, gas.Contracts{Marketplace: eth.MustAddress(k.PiggyMarketplace), Currency: eth.MustAddress(k.USDC),
		Money: moneyOf(k)})
	if err != nil {
		return nil, err
	}
	main, err := policy(b.config.MainChain, gas.Contracts{})
	return []*gas.Policy{game, main}, err
}

// knownTotal is gas.Budget.KnownTotal in whole units of the market's currency.
const knownTotal = 1

// budgetOf returns the gas budget of a chain.
func budgetOf(r config.Relay, chain config.Chain, manager eth.Address, known money.Units) (gas.Budget, error) {
	total, network, player, err := chain.Gas()
	return gas.Budget{
		PlayerPerMinute: int64(r.OpsPerMinute),
		Player:          gas.Allowance{Operations: int64(r.OpsPerDay), Wei: player},
		Network:         gas.Allowance{Operations: orUnbounded(r.OpsNetwork), Wei: network},
		Total:           gas.Allowance{Operations: orUnbounded(r.OpsTotal), Wei: total},
		Seller:          manager,
		KnownTotal:      known,
	}, err
}

// orUnbounded converts a limit for which 0 means none.
func orUnbounded(n int) int64 {
	if n == 0 {
		return math.MaxInt32
	}
	return int64(n)
}

// newIndex returns the store that the indexers write to.
func newIndex(b *base, db *store.DB) *index.Index {
	burns := burnsOf(b)
	k := b.config.Contracts
	var holdCurrency *eth.Address
	if cart.Need(b.config.HoldsNeed) == cart.NeedFunds {
		usdc := eth.MustAddress(k.USDC)
		holdCurrency = &usdc
	}
	game, main := b.config.GameChain.ChainID(), b.config.MainChain.ChainID()
	return index.New(db, index.Options{Describer: b.gallery, Publisher: publisherOf(b), Rounds: scheduleOf(b.config.Beacon),
		Chains: map[onchain.ChainID]index.ChainRules{
			game: {
				Marketplace: eth.MustAddress(k.PiggyMarketplace), Currencies: []eth.Address{eth.MustAddress(k.USDC)},
				Rules: projection.Rules{
					Packs: named(b.goods, "chests").address, Manager: eth.MustAddress(b.config.Wallets.Manager), Burns: burns[game],
					Symbol: b.currency().Symbol, Decimals: b.currency().Decimals,
				},
				HoldCurrency: holdCurrency, RewardsFrom: b.config.GameChain.RewardsFrom,
			},
			main: {Rules: projection.Rules{Burns: burns[main]}, RewardsFrom: b.config.MainChain.RewardsFrom},
		}})
}

// indexed returns the contracts of a chain that are read into the index.
func indexed(c config.Config, chain config.Chain) indexer.Contracts {
	k := c.Contracts
	read := indexer.Contracts{
		EntryPoint: eth.MustAddress(k.EntryPoint), Paymasters: []eth.Address{eth.MustAddress(c.Paymaster(chain))},
		Tokens: map[eth.Address]onchain.Standard{},
	}
	if chain.ID == c.GameChain.ID {
		read.Marketplace, read.Currency = eth.MustAddress(k.PiggyMarketplace), eth.MustAddress(k.USDC)
		for _, money := range moneyOf(k) {
			read.Tokens[money] = onchain.ERC20
		}
	}
	for _, t := range collectionsOf(c) {
		if t.chain == chain.ChainID() {
			read.Tokens[t.address] = t.Standard
		}
	}
	return read
}

// newIndexer returns the indexer of a chain. The index of an embedded chain follows its contracts, whatever they are; any other is
// left alone if it was read from other ones.
func newIndexer(
	ctx context.Context, b *base, chain config.Chain, client *rpc.Client, embedded bool, index *index.Index, metrics *indexer.Metrics,
) (*indexer.Indexer, error) {
	contracts := indexed(b.config, chain)
	if !embedded {
		if err := index.Fits(ctx, chain.ChainID(), contracts.Sources(chain.StartBlock)); err != nil {
			return nil, err
		}
	}
	return indexer.New(indexer.Options{
		Chain: chain.ChainID(), RPC: client, Store: crashable[indexer.Store](index), Contracts: contracts, Start: chain.StartBlock,
		Rebuild: embedded, Confirmations: chain.Depth(), Poll: chain.PollInterval, Clock: b.clock, Log: b.log, Metrics: metrics,
	})
}

// holdingsConfig returns the contracts of each kind of goods.
func holdingsConfig(b *base) holdings.Config {
	contract := func(c collection) holdings.Contract { return holdings.Contract{Chain: c.chain, Address: c.address} }
	kinds := map[collections.Kind][]holdings.Contract{}
	for kind, group := range byKind(b.goods) {
		for _, c := range group {
			kinds[kind] = append(kinds[kind], contract(c))
		}
	}
	game := b.config.GameChain.ChainID()
	config := holdings.Config{
		Kinds: kinds, CommunityPasses: contract(named(b.goods, "passes-community")), UltimatePasses: contract(named(b.goods, "passes-ultimate")),
		Currencies: []holdings.Currency{
			{
				Contract: holdings.Contract{Chain: game, Address: eth.MustAddress(b.config.Contracts.USDC)}, Symbol: b.currency().Symbol,
				Decimals: b.currency().Decimals,
			},
		},
	}
	if b.config.Contracts.GOD != "" {
		config.Currencies = append(config.Currencies, holdings.Currency{
			Contract: holdings.Contract{Chain: game, Address: eth.MustAddress(b.config.Contracts.GOD)}, Symbol: godSymbol, Decimals: godDecimals,
		})
	}
	return config
}

// moneyOf returns the currencies of the game chain: the market's, and GOD where there is any.
func moneyOf(k config.Contracts) []eth.Address {
	money := []eth.Address{eth.MustAddress(k.USDC)}
	if k.GOD != "" {
		money = append(money, eth.MustAddress(k.GOD))
	}
	return money
}

// mintCall encodes the call that mints a reward.
func mintCall(m reward.Mint) ([]byte, error) {
	id, ok := new(big.Int).SetString(m.TokenID, 10)
	if !ok {
		return nil, fault.New(fault.Invalid, "malformed token id")
	}
	switch m.Standard {
	case onchain.ERC20:
		return contracts.Mint20(m.To, m.Amount.Big())
	case onchain.ERC721:
		return contracts.Mint721(m.To, id)
	case onchain.ERC1155:
		return contracts.Mint1155(m.To, id, m.Amount.Big())
	}
	return nil, fault.New(fault.Invalid, "unknown token standard")
}

// welcome returns the gifts for a newly registered pair, and wakes the service that gives them; gifts may be nil.
func welcome(b *base, payouts *reward.Service, gifts func(wallet.Wallet) []wallet.Gift) func(wallet.Wallet) []wallet.Gift {
	if gifts == nil {
		return nil
	}
	wake := b.wakeups.broadcast("payouts", payouts.Wake)
	return func(w wallet.Wallet) []wallet.Gift {
		defer wake()
		return gifts(w)
	}
}

// clientConfig returns the public part of the configuration, with all claimer wallets; nothing secret is in it.
func clientConfig(c config.Config, claimers []eth.Address, o Options) api.ClientConfig {
	k, w, currency := c.Contracts, c.Wallets, c.Brand.Collections.Currency()
	collections := addressesOf(k.Collections)
	var god eth.Address
	if k.GOD != "" {
		god = eth.MustAddress(k.GOD)
	}
	marketplace := eth.MustAddress(k.PiggyMarketplace)
	var piggyMarketplace eth.Address
	if _, ok := collections["piggy-banks"]; ok { // as the brands with piggy banks have called it
		piggyMarketplace = marketplace
	}
	at := func(slug string) eth.Address { return collections[slug] } // zero where the brand has no such collection
	chain := func(s config.Chain) api.ClientChain {
		return api.ClientChain{
			ID: s.ChainID(), Name: s.Name, ExplorerURL: s.ExplorerURL, PollInterval: max(50, s.PollInterval.Milliseconds()),
			EntryPoint: eth.MustAddress(k.EntryPoint), AccountFactory: eth.MustAddress(k.AccountFactory),
			Implementation: eth.MustAddress(k.AccountImplementation),
		}
	}
	return api.ClientConfig{
		Environment: c.Environment, ClientID: account.WalletClientID, GameChain: chain(c.GameChain), MainChain: chain(c.MainChain),
		Faucet: o.Faucet != nil, Mailbox: o.Mailbox,
		Monitoring: api.ClientMonitoring{ApplicationID: c.Monitoring.ApplicationID},
		Listings: api.ClientListings{
			MinPrice: c.Listings.Price(currency.Decimals).Decimal(currency.Decimals), AtOnce: c.Listings.AtOnce, Live: c.Listings.Live,
		},
		Collections: collections, ClaimerBackendWallets: claimers,
		Currency: api.ClientCurrency{Address: eth.MustAddress(k.USDC), Symbol: currency.Symbol, Decimals: currency.Decimals},
		Contracts: api.ClientContracts{
			Marketplace: marketplace, PiggyMarketplace: piggyMarketplace, PiggyCollection: at("piggy-banks"),
			AvatarCollection: at("avatars"), SeasonAvatarsCollection: at("season-avatars"),
			ManagerBackendWallet: eth.MustAddress(w.Manager), ClaimerBackendWallet: eth.MustAddress(w.Claimer),
			GasRelayerBackendWallet: optionalAddress(w.GasRelayer), USDC: eth.MustAddress(k.USDC), GOD: god,
			PiggySoulbound: at("piggy-soulbound"), GameItems: at("game-items"), ElderGods: at("elder-gods"), Chests: at("chests"),
		},
	}
}

func addressesOf(collections config.CollectionAddresses) map[string]eth.Address {
	out := map[string]eth.Address{}
	for slug := range collections {
		out[slug] = collections.Of(slug)
	}
	return out
}

// chainMetadata describes both chains in the format of public chain lists.
func chainMetadata(of config.Config) []api.ChainMetadata {
	var out []api.ChainMetadata
	for slug, c := range map[string]config.Chain{"game": of.GameChain, "main": of.MainChain} {
		m := api.ChainMetadata{
			ChainID: c.ChainID(), Name: c.Name, Slug: slug, Testnet: of.Environment != "prod",
			NativeCurrency: api.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18},
			RPC:            []string{fmt.Sprintf("/api/proxy/rpc/%d", c.ID)}, Explorers: []api.ChainExplorer{},
		}
		if c.ID == polygon {
			m.NativeCurrency = api.NativeCurrency{Name: "POL", Symbol: "POL", Decimals: 18}
		}
		if c.ExplorerURL != "" {
			m.Explorers = append(m.Explorers, api.ChainExplorer{Name: c.Name, URL: c.ExplorerURL})
		}
		out = append(out, m)
	}
	return out
}

// polygon is the chain whose gas is not paid in ether.
const polygon = 137
