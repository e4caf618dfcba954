package webstore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"pantheon/internal/kit/keyset"
)

// References signs and checks order references. A reference names a hand-off; the shop keeps it with the order, so that a guest
// without an account there is known too. It is safe for concurrent use.
type References struct{ keys keyset.Keys }

// NewReferences returns References with secret keys of at least 32 bytes.
func NewReferences(keys keyset.Keys) References { return References{keys} }

// newHandOffID returns the id of a new hand-off.
func newHandOffID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails, as documented
	return hex.EncodeToString(id[:])
}

// Of returns the reference of a hand-off.
func (r References) Of(handOff string) string { return handOff + "." + sign(r.keys.First(), handOff) }

// HandOff returns the hand-off that a reference names. ok is false for one that Of did not make.
func (r References) HandOff(reference string) (id string, ok bool) {
	id, signature, _ := strings.Cut(reference, ".")
	return id, r.keys.Any(func(key []byte) bool { return hmac.Equal([]byte(signature), []byte(sign(key, id))) })
}

func sign(key []byte, handOff string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("pantheon order reference, version 1: " + handOff))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}
