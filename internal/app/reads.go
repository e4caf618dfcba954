package app

import (
	"time"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store/accounts"
)

// readTimeout is the timeout of one request to an endpoint on behalf of browsers.
const readTimeout = 5 * time.Second

// buildProxy builds the handler of browsers' chain reads; the chains' parts must exist.
func newProxy(b *base, chains map[onchain.ChainID]*chainParts) (*rpc.Proxy, error) {
	metrics, err := rpc.NewReadMetrics(b.registry)
	if err != nil {
		return nil, err
	}
	limits := b.config.Reads
	o := rpc.ProxyOptions{
		Chains: map[onchain.ChainID]rpc.ReadChain{}, IsPlayers: accounts.New(b.db).IsPlayersWallet,
		AtOnce: limits.AtOnce, Wait: limits.Wait, CallGas: limits.CallGas, Blocks: limits.Blocks, Metrics: metrics,
	}
	for id, c := range chains {
		o.Chains[id] = rpc.ReadChain{Client: c.reads, Contracts: readable(b.config, id, b.goods)}
	}
	return rpc.NewProxy(o), nil
}

// readClient returns the client for browsers' reads. It is separate, so that reads do not use up the connections of
// the portal's own work. An in-process chain has no connections; its client serves both.
func readClient(b *base, name string, chain config.Chain, inProcess *rpc.Client) (*rpc.Client, error) {
	if inProcess != nil && chain.ReadRPCURL == "" {
		return inProcess, nil
	}
	o, err := endpointOf(b, name+" reads", chain)
	if err != nil {
		return nil, err
	}
	urls := chain.ReadEndpoints()
	o.URL, o.More = urls[0], urls[1:]
	o.Timeout, o.Connections = readTimeout, b.config.Reads.AtOnce+1 // one polls for the newest block
	return rpc.New(o)
}

// readable returns the contracts of a chain that browsers may read, with the allowed functions of each.
func readable(c config.Config, chain onchain.ChainID, goods []collection) map[eth.Address]rpc.Functions {
	k := c.Contracts
	out := map[eth.Address]rpc.Functions{
		eth.MustAddress(k.AccountImplementation): nil,
		eth.MustAddress(k.AccountFactory):        contracts.FactoryViews(),
		eth.MustAddress(k.EntryPoint):            contracts.EntryPointViews(),
	}
	if k.Paymaster != "" {
		out[eth.MustAddress(k.Paymaster)] = nil
	}
	if chain == c.GameChain.ChainID() {
		out[eth.MustAddress(k.PiggyMarketplace)] = contracts.MarketplaceViews()
		out[eth.MustAddress(k.USDC)] = contracts.TokenViews(onchain.ERC20)
		if k.GOD != "" {
			out[eth.MustAddress(k.GOD)] = contracts.TokenViews(onchain.ERC20)
		}
	}
	for _, t := range goods {
		if t.chain == chain {
			out[t.address] = contracts.TokenViews(t.Standard)
		}
	}
	return out
}
