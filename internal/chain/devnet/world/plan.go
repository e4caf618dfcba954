// Package world creates the development world on the development chains: it deploys the contracts, always at the same
// addresses, and fills the marketplace with the listings of demo sellers.
//
// Deploy and Seed check the chain before they act. They can be called at every start, do nothing when everything
// exists, and resume where a killed process stopped. They must not run concurrently on one chain. They use
// the wallets of package devnet, whose keys are public.
package world

import (
	"math/big"

	"github.com/ethereum/go-ethereum/params"

	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
)

// Addresses are the contracts of a world. USDC, GOD and Marketplace are zero on the main chain.
type Addresses struct {
	EntryPoint            eth.Address
	AccountImplementation eth.Address
	AccountFactory        eth.Address
	Paymaster             eth.Address
	USDC                  eth.Address
	GOD                   eth.Address
	Marketplace           eth.Address
	Collections           map[string]eth.Address // by slug

	decimals int               // of the market's currency
	packs    string            // the slug of the collection of packs; "" for none
	tradable map[string]string // the contract of each collection that can be listed, by slug: Collection721, Collection1155 or Chests
}

// constructorBaseURI is the metadata URI passed to the constructors. It is part of the contracts' addresses, so it is
// the same wherever the site listens; Options.BaseURI is set afterwards.
const constructorBaseURI = "http://localhost:8080/metadata/"

// royalty is the studio's share of every sale in the development world, in basis points.
const royalty = 250

// plan is the content of a world: its contracts in the order in which they are created, and their addresses.
type plan struct {
	contracts []deploy.Contract
	addresses Addresses
}

// Fingerprint identifies the contracts of the development world: a hash of the addresses on both chains, which depend
// on the contracts' code and settings. It fails if artifacts are missing.
func Fingerprint(registry *collections.Registry) (string, error) {
	var all []byte
	for _, side := range []collections.Chain{collections.GameChain, collections.MainChain} {
		p, err := newPlan(registry, side)
		if err != nil {
			return "", err
		}
		all = append(all, side...)
		for _, c := range p.contracts {
			all = append(all, c.Address[:]...)
		}
	}
	return eth.Keccak256(all).String(), nil
}

// newPlan computes the plan of a chain's world. It fails if artifacts are missing.
func newPlan(registry *collections.Registry, side collections.Chain) (*plan, error) {
	manager := devnet.WalletOf(devnet.Manager).Address
	list, err := deploy.Contracts(registry, side, deploy.Params{
		Owner: manager, Minters: []eth.Address{manager, devnet.WalletOf(devnet.Claimer).Address},
		Relayer: devnet.WalletOf(devnet.GasRelayer).Address, Signer: devnet.WalletOf(devnet.PaymasterSigner).Address,
		BaseURI: constructorBaseURI, Royalty: deploy.Royalty{Receiver: devnet.WalletOf(devnet.Studio).Address, BasisPoints: royalty},
		Test: true, Cap: godCap(),
	})
	if err != nil {
		return nil, err
	}
	p := &plan{contracts: list, addresses: Addresses{
		Collections: map[string]eth.Address{}, decimals: registry.Currency().Decimals, tradable: map[string]string{},
	}}
	settings := map[string]*eth.Address{
		deploy.EntryPoint: &p.addresses.EntryPoint, deploy.Implementation: &p.addresses.AccountImplementation,
		deploy.Factory: &p.addresses.AccountFactory, deploy.Paymaster: &p.addresses.Paymaster, deploy.Currency: &p.addresses.USDC,
		deploy.GOD: &p.addresses.GOD, deploy.Marketplace: &p.addresses.Marketplace,
	}
	for _, c := range list {
		if address, ok := settings[c.Setting]; ok {
			*address = c.Address
		}
		of := c.Collection
		if of.Slug == "" {
			continue
		}
		p.addresses.Collections[of.Slug] = c.Address
		if of.Burn == collections.OpenPack {
			p.addresses.packs = of.Slug
		}
		if of.Tradable {
			p.addresses.tradable[of.Slug] = c.Name
		}
	}
	return p, nil
}

// godCap is the maximum supply of GOD in the development world: one billion, in base units.
func godCap() *big.Int { return new(big.Int).Mul(big.NewInt(1_000_000_000), big.NewInt(params.Ether)) }
