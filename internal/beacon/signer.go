package beacon

import (
	"crypto/sha256"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Signer signs the rounds of a beacon of one's own, for development and tests. It is no source of public randomness:
// whoever has its seed knows all rounds.
type Signer struct {
	secret *big.Int
	public *PublicKey
}

// NewSigner returns the signer whose key follows from the seed.
func NewSigner(seed [32]byte) *Signer {
	digest := sha256.Sum256(append([]byte("pantheon/beacon/key"), seed[:]...))
	var scalar fr.Element
	scalar.SetBytes(digest[:])
	s := &Signer{secret: scalar.BigInt(new(big.Int))}
	_, _, _, g2 := bls.Generators()
	var public bls.G2Affine
	public.ScalarMultiplication(&g2, s.secret)
	compressed := public.Bytes()
	s.public = &PublicKey{point: public, bytes: compressed}
	return s
}

// PublicKey returns the key that checks the signer's rounds.
func (s *Signer) PublicKey() *PublicKey { return s.public }

// Sign returns a round's signature.
func (s *Signer) Sign(round uint64) ([]byte, error) {
	message, err := messageOf(round)
	if err != nil {
		return nil, err
	}
	var signature bls.G1Affine
	signature.ScalarMultiplication(&message, s.secret)
	b := signature.Bytes()
	return b[:], nil
}
