package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Contracts are the addresses of the contracts that the portal uses.
type Contracts struct {
	// The MarketplaceV3 contract (game chain).
	PiggyMarketplace string `env:"PIGGY_MARKETPLACE_ADDRESS" kind:"address"`
	// The market's currency, an ERC-20 with the decimals that the brand says (game chain).
	USDC string `env:"USDC_CURRENCY_CONTRACT_ADDRESS" kind:"address"`
	// GOD, ERC-20 with 18 decimals (game chain); a brand with vaults needs it.
	GOD         string `env:"GOD_CURRENCY_CONTRACT_ADDRESS" kind:"optional address"`
	Collections CollectionAddresses
	// ERC-4337 EntryPoint v0.7, on both chains; wallets accept the canonical one only.
	EntryPoint string `env:"ENTRY_POINT_ADDRESS" kind:"address" envDefault:"0x0000000071727De22E5E9d8BAf0edAc6f37da032"`
	// Factory of the players' smart accounts, on both chains.
	AccountFactory string `env:"ACCOUNT_FACTORY_ADDRESS" kind:"address"`
	// What the players' smart accounts run, on both chains.
	AccountImplementation string `env:"ACCOUNT_IMPLEMENTATION_ADDRESS" kind:"address"`
	// PantheonPaymaster that pays the players' gas, on both chains. Its list of relayers names GAS_RELAYER_BACKEND_WALLET, and nobody on
	// a chain with a BUNDLER_URL. Not needed where both chains have a PAYMASTER_URL.
	Paymaster string `env:"PAYMASTER_ADDRESS" kind:"optional address"`
}

// CollectionAddresses are the addresses of the collections' contracts, by slug. The brand's registry
// defines the variable of each.
type CollectionAddresses map[string]string

// Of returns the address of a collection. The configuration must be valid, and the slug that of a collection.
func (c CollectionAddresses) Of(slug string) eth.Address { return eth.MustAddress(c[slug]) }

// variables lists the variables of the addresses.
func (c CollectionAddresses) variables(registry *collections.Registry) (out []Variable) {
	for _, collection := range registry.All() {
		standard := map[onchain.Standard]string{onchain.ERC721: "ERC-721", onchain.ERC1155: "ERC-1155"}[collection.Standard]
		if collection.Soulbound {
			standard = "soulbound " + standard
		}
		out = append(out, Variable{
			Name: collection.Setting, Doc: fmt.Sprintf("%s, %s (%s chain).", collection.Name, standard, collection.Chain),
			kind: "address", value: c[collection.Slug], typ: reflect.TypeFor[string](),
		})
	}
	return out
}

// Wallets are the portal's own wallets: their public addresses and their secret keys.
type Wallets struct {
	// Wallet that lists the portal's own goods.
	Manager string `env:"MANAGER_BACKEND_WALLET" kind:"address"`
	// Wallet that mints drops, claims and grants.
	Claimer string `env:"CLAIMER_BACKEND_WALLET" kind:"address"`
	// Wallet that sends the players' operations and holds the gas money. Not needed, nor its key, where both chains have a BUNDLER_URL.
	GasRelayer string `env:"GAS_RELAYER_BACKEND_WALLET" kind:"optional address"`
	// Private key of the manager wallet: 0x and 64 hex digits, or the URI of a secp256k1 key at a key management service. While a wallet is
	// replaced, the keys of both, separated by a comma: the former one finishes what it began.
	ManagerKey Secret `env:"MANAGER_PRIVATE_KEY" kind:"key"`
	// Private key of the claimer wallet; as above.
	ClaimerKey Secret `env:"CLAIMER_PRIVATE_KEY" kind:"key"`
	// Comma-separated addresses of former claimer wallets whose keys are not named any more: the public audit accepts what they anchored, and
	// pantheon deploy takes their rights.
	FormerClaimers []string `env:"CLAIMER_FORMER_WALLETS"`
	// Private key of the gas relayer wallet; as above.
	GasRelayerKey Secret `env:"GAS_RELAYER_PRIVATE_KEY" kind:"optional key"`
	// Private key whose signature the paymaster accepts; as above. What a former one has signed is accepted. Not needed where both chains
	// have a PAYMASTER_URL.
	PaymasterKey Secret `env:"PAYMASTER_SIGNER_PRIVATE_KEY" kind:"optional key"`
}

// checkGasParts adds what is missing of the relay's own parts, on a chain without external ones.
func (c *Config) checkGasParts(f *faults) {
	relays := c.GameChain.BundlerURL == "" || c.MainChain.BundlerURL == ""
	pays := c.GameChain.PaymasterURL == "" || c.MainChain.PaymasterURL == ""
	f.check(c.Wallets.GasRelayer != "" || !relays, "GAS_RELAYER_BACKEND_WALLET", "must be "+addressForm)
	f.check(c.Wallets.GasRelayerKey != "" || !relays, "GAS_RELAYER_PRIVATE_KEY", "must be "+keyForm)
	f.check(c.Contracts.Paymaster != "" || !pays, "PAYMASTER_ADDRESS", "must be "+addressForm)
	f.check(c.Wallets.PaymasterKey != "" || !pays, "PAYMASTER_SIGNER_PRIVATE_KEY", "must be "+keyForm)
}

// Former returns the former claimer wallets, or an error for one that is malformed.
func (w Wallets) Former() (out []eth.Address, err error) {
	for _, text := range w.FormerClaimers {
		a, err := eth.ParseAddress(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

func (w Wallets) check(f *faults) {
	former, err := w.Former()
	claimer, _ := eth.ParseAddress(w.Claimer) // which is checked by its tag
	f.check(err == nil && !slices.Contains(former, claimer), "CLAIMER_FORMER_WALLETS",
		"must be addresses, separated by commas, and not have CLAIMER_BACKEND_WALLET")
}
