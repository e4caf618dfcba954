package kms

import (
	"context"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"pantheon/internal/kit/eth"
)

// Signer signs with a secp256k1 key that stays in its service. It is safe for concurrent use.
type Signer struct {
	uri     string
	service service
	key     *secp256k1.PublicKey
	address eth.Address
}

// OpenSigner asks the service for a key's address.
func OpenSigner(ctx context.Context, uri string, o Options) (*Signer, error) {
	s, err := open(ctx, uri, o)
	if err != nil {
		return nil, err
	}
	der, err := call(ctx, s, uri, patient, s.publicKey)
	if err != nil {
		return nil, err
	}
	key, err := parsePublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	hash := eth.Keccak256(key.SerializeUncompressed()[1:])
	return &Signer{uri, s, key, eth.Address(hash[12:])}, nil
}

// Address returns the key's address.
func (s *Signer) Address() eth.Address { return s.address }

// SignHash returns r ‖ s ‖ v over a hash, with v 0 or 1 and s in the lower half (EIP-2).
func (s *Signer) SignHash(ctx context.Context, hash eth.Hash) ([]byte, error) {
	der, err := call(ctx, s.service, s.uri, prompt, func(ctx context.Context) ([]byte, error) { return s.service.sign(ctx, hash) })
	if err != nil {
		return nil, err
	}
	signature, err := recoverable(der, hash, s.key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.uri, err)
	}
	return signature, nil
}

// The object identifiers of an elliptic curve's public key (RFC 5480), and of secp256k1 (SEC 2).
var (
	ecPublicKey    = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	curveSecp256k1 = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
)

// parsePublicKey parses a SubjectPublicKeyInfo, for which crypto/x509 does not know the curve.
func parsePublicKey(der []byte) (*secp256k1.PublicKey, error) {
	var info struct {
		Algorithm struct{ Algorithm, Curve asn1.ObjectIdentifier }
		Key       asn1.BitString
	}
	rest, err := asn1.Unmarshal(der, &info)
	if err != nil || len(rest) > 0 || !info.Algorithm.Algorithm.Equal(ecPublicKey) || !info.Algorithm.Curve.Equal(curveSecp256k1) {
		return nil, errors.New("it is no key of the curve secp256k1 (ECC_SECG_P256K1, EC_SIGN_SECP256K1_SHA256)")
	}
	return secp256k1.ParsePubKey(info.Key.RightAlign())
}

// recoverable turns a signature in DER into one from which the key can be recovered.
func recoverable(der []byte, hash eth.Hash, key *secp256k1.PublicKey) ([]byte, error) {
	var sig struct{ R, S *big.Int }
	if rest, err := asn1.Unmarshal(der, &sig); err != nil || len(rest) > 0 || sig.R.Sign() <= 0 || sig.S.Sign() <= 0 ||
		sig.R.Cmp(secp256k1.S256().N) >= 0 || sig.S.Cmp(secp256k1.S256().N) >= 0 {
		return nil, errors.New("the service's signature is malformed")
	}
	if half := new(big.Int).Rsh(secp256k1.S256().N, 1); sig.S.Cmp(half) > 0 {
		sig.S.Sub(secp256k1.S256().N, sig.S)
	}
	out := make([]byte, 65)
	sig.R.FillBytes(out[:32])
	sig.S.FillBytes(out[32:64])
	for v := range byte(2) {
		compact := append([]byte{27 + v}, out[:64]...)
		if found, _, err := ecdsa.RecoverCompact(compact, hash[:]); err == nil && found.IsEqual(key) {
			out[64] = v
			return out, nil
		}
	}
	return nil, errors.New("the service's signature is not by its key")
}
