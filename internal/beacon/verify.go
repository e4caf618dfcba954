// Package beacon reads a public randomness beacon that speaks drand's protocol, and verifies every round.
//
// Supported is the scheme bls-unchained-g1-rfc9380 of drand's quicknet: BLS signatures on BLS12-381 with signatures in G1
// and keys in G2. A round's signature signs the round's number alone, so nobody can choose it.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// Sizes of compressed points, in bytes.
const (
	keySize       = 96 // a point of G2
	signatureSize = 48 // a point of G1
)

// dst is the domain separation tag of the scheme (RFC 9380, as drand uses it).
const dst = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

// PublicKey checks the signatures of one beacon.
type PublicKey struct {
	point bls.G2Affine
	bytes [keySize]byte
}

// ParsePublicKey reads a compressed point of G2.
func ParsePublicKey(b []byte) (*PublicKey, error) {
	k := &PublicKey{}
	if len(b) != keySize {
		return nil, fmt.Errorf("beacon: a public key has %d bytes, not %d", keySize, len(b))
	}
	if _, err := k.point.SetBytes(b); err != nil {
		return nil, fmt.Errorf("beacon: the public key is no point of the group: %w", err)
	}
	if k.point.IsInfinity() {
		return nil, errors.New("beacon: the public key is the point at infinity")
	}
	copy(k.bytes[:], b)
	return k, nil
}

// Bytes returns the compressed point.
func (k *PublicKey) Bytes() []byte { return k.bytes[:] }

// errSignature is returned for a signature that is not the beacon's for the round.
var errSignature = errors.New("beacon: the signature is not the beacon's for this round")

// Randomness checks a round's signature and returns the round's randomness, the SHA-256 of the signature.
func (k *PublicKey) Randomness(round uint64, signature []byte) (randomness [32]byte, err error) {
	if len(signature) != signatureSize {
		return randomness, errSignature
	}
	var s bls.G1Affine
	if _, err := s.SetBytes(signature); err != nil || s.IsInfinity() { // also checks that it is in the subgroup
		return randomness, errSignature
	}
	message, err := messageOf(round)
	if err != nil {
		return randomness, err
	}
	// e(H(m), key) = e(s, g2), as e(H(m), key) · e(s, -g2) = 1.
	_, _, _, g2 := bls.Generators()
	g2.Neg(&g2)
	if ok, err := bls.PairingCheck([]bls.G1Affine{message, s}, []bls.G2Affine{k.point, g2}); err != nil || !ok {
		return randomness, errSignature
	}
	return sha256.Sum256(signature), nil
}

// VerifyRound checks a round's signature with a beacon's compressed public key and returns the round's randomness.
func VerifyRound(publicKey []byte, round uint64, signature []byte) (randomness [32]byte, err error) {
	key, err := ParsePublicKey(publicKey)
	if err != nil {
		return randomness, err
	}
	return key.Randomness(round, signature)
}

// messageOf returns what the beacon signs for a round, as a point of G1.
func messageOf(round uint64) (bls.G1Affine, error) {
	digest := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return bls.HashToG1(digest[:], []byte(dst))
}
