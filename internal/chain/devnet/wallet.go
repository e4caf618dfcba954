package devnet

import (
	"crypto/ecdsa"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/knownkeys"
)

// Role names a development wallet.
type Role string

// The portal's own wallets.
const (
	Deployer        Role = "deployer"         // sends the contracts' deployments
	Manager         Role = "manager"          // administers the contracts, mints, and sells the KOD packs
	Claimer         Role = "claimer"          // mints what players win and claim
	GasRelayer      Role = "gas relayer"      // sends the players' user operations to the EntryPoint
	PaymasterSigner Role = "paymaster signer" // signs what the paymaster sponsors
	Studio          Role = "studio"           // receives the royalties; has no ether and sends nothing
	Treasury        Role = "treasury"         // sends what players bought in the shop; see world.Fund
)

// Sellers is the number of demo sellers.
const Sellers = 8

// Seller returns the role of the n-th demo seller, from 1 to Sellers.
func Seller(n int) Role { return Role(fmt.Sprintf("seller %d", n)) }

// Wallet is a key with its address.
type Wallet struct {
	Role    Role
	Address eth.Address
	Key     *ecdsa.PrivateKey
}

// WalletOf returns the development wallet of a role. Its key is public (see kit/knownkeys), so it is for development
// chains only.
func WalletOf(role Role) Wallet {
	seed := knownkeys.Development(string(role))
	key, err := crypto.ToECDSA(seed[:])
	if err != nil {
		panic(fmt.Sprintf("devnet: no key for %q: %v", role, err)) // happens for one in 2^128 roles
	}
	return Wallet{Role: role, Address: eth.Address(crypto.PubkeyToAddress(key.PublicKey)), Key: key}
}

// Wallets returns all wallets that are funded in the genesis.
func Wallets() []Wallet {
	roles := []Role{Deployer, Manager, Claimer, GasRelayer, PaymasterSigner}
	for n := 1; n <= Sellers; n++ {
		roles = append(roles, Seller(n))
	}
	wallets := make([]Wallet, len(roles))
	for i, role := range roles {
		wallets[i] = WalletOf(role)
	}
	return wallets
}

// common converts the address to go-ethereum's type.
func (w Wallet) common() common.Address { return common.Address(w.Address) }
