package contracts

import (
	"encoding/binary"
	"slices"

	"pantheon/internal/kit/eth"
)

// The EIP-712 domain name and version of PantheonAccount, under which its owner signs messages and typed data
// (ERC-7739). The domain's chain id is the chain's and its verifying contract the account.
const (
	AccountDomainName    = "PantheonAccount"
	AccountDomainVersion = "1"
)

// ImplementationSlot is the storage slot of an account's implementation address (ERC-1967).
var ImplementationSlot = mustHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")

// AccountSalt returns the salt by which the factory creates the account of an owner: the owner in the upper 160 bits,
// the index in the lower 96. A player's account has index 0.
func AccountSalt(owner eth.Address, index uint64) eth.Hash {
	var salt eth.Hash
	copy(salt[:], owner[:])
	binary.BigEndian.PutUint64(salt[24:], index)
	return salt
}

// AccountAddress returns the address of an owner's account, deployed or not.
func AccountAddress(factory, implementation, owner eth.Address, index uint64) eth.Address {
	return Create2Address(factory, AccountSalt(owner, index), accountInitCode(implementation))
}

// AccountCode returns the code of a deployed account, for state overrides that simulate one that is not deployed yet;
// such an override must also set ImplementationSlot.
func AccountCode() []byte {
	return mustHex(
		"363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3")
}

// accountInitCode is the creation code of Solady's minimal ERC-1967 proxy: it stores the implementation and returns
// AccountCode.
func accountInitCode(implementation eth.Address) []byte {
	return slices.Concat(mustHex("603d3d8160223d3973"), implementation[:], mustHex("60095155f3"), AccountCode())
}
