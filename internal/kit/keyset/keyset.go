// Package keyset has secret keys that can be replaced while what was made with the former one is still valid.
package keyset

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// Keys are the keys of one purpose: the first signs and encrypts, all of them verify and decrypt.
type Keys [][]byte

// First returns the key that signs; nil if there is none.
func (k Keys) First() []byte {
	if len(k) == 0 {
		return nil
	}
	return k[0]
}

// Any reports whether a key fulfils a condition.
func (k Keys) Any(matches func(key []byte) bool) bool {
	for _, key := range k {
		if matches(key) {
			return true
		}
	}
	return false
}

// minBytes is the length of the shortest secret.
const minBytes = 32

// Parse reads secrets of at least 32 bytes in base64, separated by commas. Two may not be equal.
func Parse(text string) (Keys, error) {
	var keys Keys
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		switch {
		case err != nil || len(key) < minBytes:
			return nil, errors.New("a secret is not base64 of at least 32 bytes")
		case seen[string(key)]:
			return nil, errors.New("a secret is there twice")
		}
		seen[string(key)] = true
		keys = append(keys, key)
	}
	return keys, nil
}

// Derive returns the keys of a purpose, of 32 bytes each, by HKDF-SHA256 (RFC 5869).
func (k Keys) Derive(purpose string) Keys {
	out := make(Keys, len(k))
	for i, secret := range k {
		key, err := hkdf.Key(sha256.New, secret, nil, "pantheon "+purpose, 32)
		if err != nil {
			panic(fmt.Sprintf("keyset: deriving a key of 32 bytes: %v", err)) // fails only for excessive lengths
		}
		out[i] = key
	}
	return out
}

// id returns the kid of a key (RFC 7515, 4.1.4). It is one hash, as each request's token is verified, and reveals nothing of a random key.
func id(key []byte) string {
	hash := sha256.Sum256(append([]byte("key id "), key...))
	return hex.EncodeToString(hash[:8])
}

// SignJWT returns a token with the claims (HS256), which names its key.
func (k Keys) SignJWT(claims jwt.Claims) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	t.Header["kid"] = id(k.First())
	return t.SignedString(k.First())
}

// All is a jwt.Keyfunc for tokens of others, whose names of keys mean nothing here: it returns all keys.
func (k Keys) All(*jwt.Token) (any, error) {
	var set jwt.VerificationKeySet
	for _, key := range k {
		set.Keys = append(set.Keys, key)
	}
	return set, nil
}

// Find is a jwt.Keyfunc: it returns the key that a token names, and all keys for a token that names none.
func (k Keys) Find(t *jwt.Token) (any, error) {
	kid, named := t.Header["kid"]
	var set jwt.VerificationKeySet
	for _, key := range k {
		if !named || kid == id(key) {
			set.Keys = append(set.Keys, key)
		}
	}
	if len(set.Keys) == 0 {
		return nil, errors.New("the token's key is unknown")
	}
	return set, nil
}
