package contracts

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/kit/eth"
)

// Mint20 returns the call that mints amount base units of a TestToken or GodToken. The sender needs the minter role, as for the
// other mints. It fails on an amount that is not a uint256.
func Mint20(to eth.Address, amount *big.Int) ([]byte, error) {
	if err := uint256("amount", amount); err != nil {
		return nil, err
	}
	return NewTestToken().TryPackMint(common.Address(to), amount)
}

// Mint721 returns the call that mints one token of a Collection721; on chain it reverts when the token exists.
// It fails on a token id that is not a uint256.
func Mint721(to eth.Address, tokenID *big.Int) ([]byte, error) {
	if err := uint256("token id", tokenID); err != nil {
		return nil, err
	}
	return NewCollection721().TryPackMint(common.Address(to), tokenID)
}

// Mint1155 returns the call that mints copies of one token of a Collection1155. It fails on a token id or an amount
// that is not a uint256.
func Mint1155(to eth.Address, tokenID, amount *big.Int) ([]byte, error) {
	if err := uint256("token id", tokenID); err != nil {
		return nil, err
	}
	if err := uint256("amount", amount); err != nil {
		return nil, err
	}
	return NewCollection1155().TryPackMint(common.Address(to), tokenID, amount, nil)
}

// uint256 checks that a number fits: the packer would silently truncate it.
func uint256(what string, n *big.Int) error {
	if n == nil || n.Sign() < 0 || n.BitLen() > 256 {
		return fmt.Errorf("contracts: %s %v is not between 0 and 2^256-1", what, n)
	}
	return nil
}

// SignatureCheck returns the data of an eth_call without a recipient that verifies a signature over a hash by any kind
// of account: ERC-6492 for one not deployed yet, ERC-1271 for a contract, else ECDSA. SignatureValid reads the answer.
// A call that reverts (go-ethereum: error code 3) means an invalid signature; any other failure means that the check
// could not be made.
func SignatureCheck(signer eth.Address, hash eth.Hash, signature []byte) ([]byte, error) {
	validator, err := Artifact("SignatureValidator")
	if err != nil {
		return nil, err
	}
	return validator.InitCode(common.Address(signer), [32]byte(hash), signature)
}

// SignatureValid reports whether the result of a SignatureCheck call is that of a valid signature: one byte, 0x01.
func SignatureValid(answer []byte) bool { return bytes.Equal(answer, []byte{1}) }

// Call returns the data of a call: the selector of a function's signature, and arguments of one word each.
func Call(signature string, words ...eth.Hash) []byte {
	selector := eth.Keccak256([]byte(signature))
	data := selector[:4:4]
	for _, w := range words {
		data = append(data, w[:]...)
	}
	return data
}

// CallBytes returns the data of a call of a function whose only argument is bytes.
func CallBytes(signature string, argument []byte) []byte {
	offset, length := eth.Hash(eth.NewQuantity(32)), eth.Hash(eth.NewQuantity(uint64(len(argument))))
	return append(append(Call(signature, offset, length), argument...), make([]byte, -len(argument)&31)...)
}
