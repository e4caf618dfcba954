// Package world creates the development world on the development chains: it deploys the contracts, always at the same
// addresses, and fills the marketplace with the listings of demo sellers.
//
// Deploy and Seed check the chain before they act. They can be called at every start, do nothing when everything
// exists, and resume where a killed process stopped. They must not run concurrently on one chain. They use
// the wallets of package devnet, whose keys are public.
package world

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Addresses are the contracts of a world. GOD and Marketplace are zero on the main chain.
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

// contractOf returns the name of a collection's contract in the development world.
func contractOf(c collections.Collection) string {
	switch {
	case c.Soulbound && c.Standard == onchain.ERC721:
		return "Soulbound721"
	case c.Soulbound:
		return "Soulbound1155"
	case c.Standard == onchain.ERC721:
		return "Collection721"
	case c.Burn == collections.OpenPack:
		return "Chests"
	}
	return "Collection1155"
}

// royalty is the studio's share of every sale in the development world, in basis points.
const royalty = 250

// argsOf are the arguments of the collection's constructor.
func argsOf(c collections.Collection, manager common.Address, minters []common.Address) []any {
	args := []any{c.Development.Name, c.Development.Symbol, constructorBaseURI, manager, minters}
	if c.Standard == onchain.ERC721 {
		args = append(args, big.NewInt(c.Development.Cap))
	}
	if !c.Soulbound {
		args = append(args, common.Address(devnet.WalletOf(devnet.Studio).Address), big.NewInt(royalty))
	}
	return args
}

// plan is the content of a world: deployments in dependency order, and the resulting addresses.
type plan struct {
	deployments []contracts.Deployment
	addresses   Addresses
	err         error
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
		for _, d := range p.deployments {
			address := d.Address()
			all = append(all, address[:]...)
		}
	}
	return eth.Keccak256(all).String(), nil
}

// newPlan computes the plan of a chain's world. It fails if artifacts are missing.
func newPlan(registry *collections.Registry, side collections.Chain) (*plan, error) {
	if side != collections.GameChain && side != collections.MainChain {
		return nil, fmt.Errorf("world: there is no chain %q", side)
	}
	p := &plan{addresses: Addresses{Collections: map[string]eth.Address{}, tradable: map[string]string{}}}
	manager := common.Address(devnet.WalletOf(devnet.Manager).Address)
	minters := []common.Address{manager, common.Address(devnet.WalletOf(devnet.Claimer).Address)}

	p.addresses.EntryPoint = p.add(contracts.DeployEntryPoint())
	implementation, factory, err := contracts.DeployAccounts()
	p.addresses.AccountImplementation = p.add(implementation, err)
	p.addresses.AccountFactory = p.add(factory, err)
	p.addresses.Paymaster = p.deploy("PantheonPaymaster",
		common.Address(p.addresses.EntryPoint), manager, common.Address(devnet.WalletOf(devnet.PaymasterSigner).Address),
		[]common.Address{common.Address(devnet.WalletOf(devnet.GasRelayer).Address)})
	currency := registry.Currency()
	p.addresses.decimals = currency.Decimals
	name := currency.Symbol + " (test)"
	if currency.Symbol == "USDC" {
		name = "USD Coin (test)"
	}
	p.addresses.USDC = p.deploy("TestToken", name, currency.Symbol, uint8(currency.Decimals), manager, minters)
	if side == collections.GameChain {
		p.addresses.GOD = p.deploy("GodToken", godCap(), manager, minters)
		p.addresses.Marketplace = p.marketplace()
	}
	for _, c := range registry.All() {
		if c.Chain != side {
			continue
		}
		p.addresses.Collections[c.Slug] = p.deploy(contractOf(c), argsOf(c, manager, minters)...)
		if c.Burn == collections.OpenPack {
			p.addresses.packs = c.Slug
		}
		if c.Tradable {
			p.addresses.tradable[c.Slug] = contractOf(c)
		}
	}
	return p, p.err
}

// godCap is the maximum supply of GOD in the development world: one billion, in base units.
func godCap() *big.Int { return new(big.Int).Mul(big.NewInt(1_000_000_000), big.NewInt(params.Ether)) }

// marketplace adds MarketplaceV3: the listing functions as an extension, the router that dispatches to them, and a
// clone of the router, because the router itself cannot be initialised.
func (p *plan) marketplace() eth.Address {
	var none common.Address // no native currency, no royalty registry
	logic := p.deploy("DirectListingsLogic", none)
	built, err := contracts.Artifact("DirectListingsLogic")
	if err != nil {
		p.err = err
		return eth.Address{}
	}
	extension := contracts.IExtensionExtension{Metadata: contracts.IExtensionExtensionMetadata{
		Name: built.Name, Implementation: common.Address(logic),
	}}
	for _, name := range sortedKeys(built.ABI.Methods) {
		if strings.HasPrefix(name, "_") {
			continue // belongs to the router's context, not to the listings
		}
		method := built.ABI.Methods[name]
		extension.Functions = append(extension.Functions, contracts.IExtensionExtensionFunction{
			FunctionSelector: [4]byte(method.ID), FunctionSignature: method.Sig,
		})
	}
	router := p.deploy("MarketplaceV3", contracts.MarketplaceV3MarketplaceConstructorParams{
		Extensions: []contracts.IExtensionExtension{extension},
	})
	return p.add(contracts.DeployClone("the marketplace", router), nil)
}

// deploy adds a contract by name and returns its address.
func (p *plan) deploy(name string, args ...any) eth.Address {
	return p.add(contracts.Deploy(name, args...))
}

// add adds a deployment and returns its address; the first error is kept.
func (p *plan) add(d contracts.Deployment, err error) eth.Address {
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return eth.Address{}
	}
	p.deployments = append(p.deployments, d)
	return d.Address()
}
