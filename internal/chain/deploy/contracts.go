package deploy

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// The settings that have the addresses of contracts, besides those of the brand's collections.
const (
	EntryPoint     = "ENTRY_POINT_ADDRESS"
	Implementation = "ACCOUNT_IMPLEMENTATION_ADDRESS"
	Factory        = "ACCOUNT_FACTORY_ADDRESS"
	Paymaster      = "PAYMASTER_ADDRESS"
	Marketplace    = "PIGGY_MARKETPLACE_ADDRESS"
	Currency       = "USDC_CURRENCY_CONTRACT_ADDRESS"
	GOD            = "GOD_CURRENCY_CONTRACT_ADDRESS"
)

// Params are what a portal's contracts are made with. All but Given are part of the contracts' addresses.
type Params struct {
	Owner   eth.Address   // administers all contracts
	Minters []eth.Address // may mint tokens
	Relayer eth.Address   // the only sender of what the paymaster pays for; zero for anyone, as an external bundler
	Signer  eth.Address   // signs what the paymaster pays for
	BaseURI string        // prefix of {contract}/{token id} in the URIs of tokens' metadata; ends in a slash
	Royalty Royalty       // of the collections that can change hands
	Salt    eth.Hash      // another salt makes another set of contracts

	// Given are the addresses of contracts that exist, by setting. They are used instead of new ones.
	Given map[string]eth.Address
	// Test makes a currency without value.
	Test bool
	// Cap is how much GOD can ever be minted, in base units; with nil no GOD is made.
	Cap *big.Int
}

// Royalty is the studio's share of sales (ERC-2981). It can be lowered later, but never raised.
type Royalty struct {
	Receiver    eth.Address
	BasisPoints int64 // 0 to 1,000
}

// Contract is a contract of a portal on one chain.
type Contract struct {
	Setting string // the variable that has its address; "" if none has
	Title   string // for messages
	Name    string // of the built contract, such as "Collection721"; "" for one that is none
	Address eth.Address

	// Deployment creates it; nil for one that must exist.
	Deployment *contracts.Deployment

	Collection collections.Collection // the brand's entry; zero for other contracts
}

// Contracts returns the contracts of one chain, in the order in which they are created. It fails on missing artifacts.
func Contracts(registry *collections.Registry, side collections.Chain, p Params) ([]Contract, error) {
	if side != collections.GameChain && side != collections.MainChain {
		return nil, fmt.Errorf("deploy: there is no chain %q", side)
	}
	s := set{Params: p}
	entryPoint := s.add(EntryPoint, "the EntryPoint")(contracts.DeployEntryPoint())
	implementation, factory, err := contracts.DeployAccounts()
	s.add(Implementation, "the accounts' implementation")(implementation, err)
	s.add(Factory, "the accounts' factory")(factory, err)
	owner, minters := common.Address(p.Owner), addresses(p.Minters)
	s.add(Paymaster, "the paymaster")(s.salted("PantheonPaymaster", common.Address(entryPoint), owner, common.Address(p.Signer),
		addresses(slices.DeleteFunc([]eth.Address{p.Relayer}, eth.Address.IsZero))))
	if side == collections.GameChain && (p.Test || !p.Given[Currency].IsZero()) {
		currency := registry.Currency()
		name := currency.Symbol + " (test)"
		if currency.Symbol == "USDC" {
			name = "USD Coin (test)"
		}
		s.add(Currency, "the currency")(s.salted("TestToken", name, currency.Symbol, uint8(currency.Decimals), owner, minters))
	}
	if side == collections.GameChain {
		if p.Cap != nil || !p.Given[GOD].IsZero() {
			s.add(GOD, "GOD")(s.salted("GodToken", cmp.Or(p.Cap, new(big.Int)), owner, minters))
		}
		s.marketplace()
	}
	for _, c := range registry.All() {
		if c.Chain != side {
			continue
		}
		s.add(c.Setting, c.Name)(s.salted(contractOf(c), argsOf(c, p, owner, minters)...))
		s.all[len(s.all)-1].Collection = c
	}
	return s.all, s.err
}

// set collects contracts, and the first error.
type set struct {
	Params
	all []Contract
	err error
}

// add returns a function that adds a contract, unless its address is given, and returns its address.
func (s *set) add(setting, title string) func(contracts.Deployment, error) eth.Address {
	return func(d contracts.Deployment, err error) eth.Address {
		c := Contract{Setting: setting, Title: title, Name: d.Name, Address: d.Address(), Deployment: &d}
		if given := s.Given[setting]; !given.IsZero() && given != c.Address {
			c.Address, c.Deployment, err = given, nil, nil
		}
		if err != nil && s.err == nil {
			s.err = err
		}
		s.all = append(s.all, c)
		return c.Address
	}
}

// salted returns a deployment with the salt. A given contract needs no arguments of its own.
func (s *set) salted(name string, args ...any) (contracts.Deployment, error) {
	d, err := contracts.Deploy(name, args...)
	d.Name, d.Salt = name, s.Salt
	return d, err
}

// marketplace adds MarketplaceV3: the listing functions as an extension, the router that dispatches to them, and a clone of the router,
// because the router itself cannot be initialised.
func (s *set) marketplace() {
	logic, err := contracts.Deploy("DirectListingsLogic", common.Address{}) // no native currency
	var router, d contracts.Deployment
	if err == nil {
		router, err = routerOf(logic.Address())
	}
	if err == nil {
		d, err = s.salted("MarketplaceDeployment", common.Address(router.Address()), common.Address(s.Owner))
	}
	if err != nil && s.err == nil {
		s.err = err
	}
	c := Contract{Setting: Marketplace, Title: "the marketplace", Address: contracts.FirstOf(d.Address()), Deployment: &d}
	if given := s.Given[Marketplace]; !given.IsZero() && given != c.Address {
		c.Address, c.Deployment = given, nil
	} else {
		s.add("", "the marketplace's listings")(logic, nil)
		s.add("", "the marketplace's router")(router, nil)
	}
	s.all = append(s.all, c)
}

func routerOf(logic eth.Address) (contracts.Deployment, error) {
	built, err := contracts.Artifact("DirectListingsLogic")
	if err != nil {
		return contracts.Deployment{}, err
	}
	extension := contracts.IExtensionExtension{Metadata: contracts.IExtensionExtensionMetadata{
		Name: built.Name, Implementation: common.Address(logic),
	}}
	for _, name := range slices.Sorted(maps.Keys(built.ABI.Methods)) {
		if strings.HasPrefix(name, "_") {
			continue // belongs to the router's context, not to the listings
		}
		method := built.ABI.Methods[name]
		extension.Functions = append(extension.Functions, contracts.IExtensionExtensionFunction{
			FunctionSelector: [4]byte(method.ID), FunctionSignature: method.Sig,
		})
	}
	return contracts.Deploy("MarketplaceV3", contracts.MarketplaceV3MarketplaceConstructorParams{
		Extensions: []contracts.IExtensionExtension{extension},
	})
}

// contractOf returns the name of a collection's contract.
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

// argsOf are the arguments of the constructor of a collection's contract.
func argsOf(c collections.Collection, p Params, owner common.Address, minters []common.Address) []any {
	args := []any{c.Contract.Name, c.Contract.Symbol, p.BaseURI, owner, minters}
	if c.Standard == onchain.ERC721 {
		args = append(args, big.NewInt(c.Contract.Cap))
	}
	if !c.Soulbound {
		args = append(args, common.Address(p.Royalty.Receiver), big.NewInt(p.Royalty.BasisPoints))
	}
	return args
}

func addresses(in []eth.Address) []common.Address {
	out := make([]common.Address, len(in))
	for i, a := range in {
		out[i] = common.Address(a)
	}
	return out
}
