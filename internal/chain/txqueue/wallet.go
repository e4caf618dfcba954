package txqueue

import (
	"context"
	"crypto/ecdsa"

	"github.com/ethereum/go-ethereum/crypto"

	"pantheon/internal/kit/eth"
)

// Wallet signs for one of the portal's own addresses. It must be safe for concurrent use.
type Wallet interface {
	Address() eth.Address
	// SignHash returns r ‖ s ‖ v over the hash, with v 0 or 1.
	SignHash(ctx context.Context, hash eth.Hash) ([]byte, error)
}

// KeyWallet is a wallet whose key is in memory.
type KeyWallet struct{ key *ecdsa.PrivateKey }

// NewKeyWallet returns the wallet of a key.
func NewKeyWallet(key *ecdsa.PrivateKey) KeyWallet { return KeyWallet{key} }

// Address returns the key's address.
func (w KeyWallet) Address() eth.Address { return eth.Address(crypto.PubkeyToAddress(w.key.PublicKey)) }

// SignHash signs; see Wallet.
func (w KeyWallet) SignHash(_ context.Context, hash eth.Hash) ([]byte, error) {
	return crypto.Sign(hash[:], w.key)
}
