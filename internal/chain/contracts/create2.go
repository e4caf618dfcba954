package contracts

import (
	"encoding/hex"
	"slices"

	"pantheon/internal/kit/eth"
)

// Deployer is Arachnid's deterministic deployment proxy, present at this address on practically every chain. A call to
// it with salt ‖ creation code makes the contract at Create2Address(Deployer, salt, code).
// https://github.com/Arachnid/deterministic-deployment-proxy
var Deployer = eth.MustAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// EntryPoint v0.7 stands at the same address on every chain, because all deploy it with this salt.
// https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.7.0
var (
	EntryPointAddress = eth.MustAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032")
	EntryPointSalt    = mustHash("0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3")
)

// Create2Address returns where CREATE2 puts a contract (EIP-1014).
func Create2Address(deployer eth.Address, salt eth.Hash, initCode []byte) eth.Address {
	codeHash := eth.Keccak256(initCode)
	hash := eth.Keccak256([]byte{0xff}, deployer[:], salt[:], codeHash[:])
	return eth.Address(hash[12:])
}

// CloneInitCode returns the creation code of a minimal proxy that delegates every call to implementation (EIP-1167).
func CloneInitCode(implementation eth.Address) []byte {
	return slices.Concat(
		mustHex("3d602d80600a3d3981f3363d3d373d3d3d363d73"), implementation[:], mustHex("5af43d82803e903d91602b57fd5bf3"))
}

// mustHex decodes a constant.
func mustHex(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

// mustHash reads a constant.
func mustHash(s string) eth.Hash {
	h, err := eth.ParseHash(s)
	if err != nil {
		panic(err)
	}
	return h
}
