package contracts

import (
	"encoding/hex"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/kit/eth"
)

// Deployer is Arachnid's deterministic deployment proxy, present at this address on practically every chain. A call to
// it with salt ‖ creation code creates the contract at Create2Address(Deployer, salt, code).
// https://github.com/Arachnid/deterministic-deployment-proxy
var Deployer = eth.MustAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// Deployment is a contract that is created by a call to Deployer, always at the same address.
type Deployment struct {
	Name     string // of the contract, for messages
	Salt     eth.Hash
	InitCode []byte // creation bytecode with the constructor's arguments
}

// Deploy returns the deployment of a built contract with salt 0. It fails if the artifact is missing or the
// arguments do not match the constructor.
func Deploy(name string, args ...any) (Deployment, error) {
	built, err := Artifact(name)
	if err != nil {
		return Deployment{}, err
	}
	code, err := built.InitCode(args...)
	return Deployment{Name: name, InitCode: code}, err
}

// DeployEntryPoint returns the deployment of EntryPoint v0.7, with the salt that puts it at the same address on every chain.
// https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.7.0
func DeployEntryPoint() (Deployment, error) {
	d, err := Deploy("EntryPoint")
	d.Salt = mustHash("0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3")
	return d, err
}

// DeployAccounts returns the deployments of the implementation of the players' accounts and of their factory.
func DeployAccounts() (implementation, factory Deployment, err error) {
	implementation, err = Deploy("PantheonAccount")
	if err != nil {
		return implementation, factory, err
	}
	factory, err = Deploy("ERC4337Factory", common.Address(implementation.Address()))
	return implementation, factory, err
}

// Address returns the contract's address once it is deployed.
func (d Deployment) Address() eth.Address { return Create2Address(Deployer, d.Salt, d.InitCode) }

// Call returns the data of the call to Deployer that creates the contract. The call fails if the contract exists.
func (d Deployment) Call() []byte { return slices.Concat(d.Salt[:], d.InitCode) }

// Create2Address returns the address of a contract created by CREATE2 (EIP-1014).
func Create2Address(deployer eth.Address, salt eth.Hash, initCode []byte) eth.Address {
	codeHash := eth.Keccak256(initCode)
	hash := eth.Keccak256([]byte{0xff}, deployer[:], salt[:], codeHash[:])
	return eth.Address(hash[12:])
}

// FirstOf returns the address of the first contract that a contract creates (EIP-161: contracts begin with nonce 1).
func FirstOf(creator eth.Address) eth.Address {
	return eth.Address(crypto.CreateAddress(common.Address(creator), 1))
}

// mustHex decodes a constant; it panics on malformed input.
func mustHex(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

// mustHash decodes a constant; it panics on malformed input.
func mustHash(s string) eth.Hash {
	h, err := eth.ParseHash(s)
	if err != nil {
		panic(err)
	}
	return h
}
