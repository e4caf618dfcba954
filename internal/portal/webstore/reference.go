package webstore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// References signs and checks order references. A reference names a hand-off; the shop keeps it with the order, so that a guest
// without an account there is known too. It is safe for concurrent use.
type References struct{ key []byte }

// NewReferences returns References with a secret key of at least 32 bytes.
func NewReferences(key []byte) References { return References{key} }

// newHandOffID returns the id of a new hand-off.
func newHandOffID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails, as documented
	return hex.EncodeToString(id[:])
}

// Of returns the reference of a hand-off.
func (r References) Of(handOff string) string { return handOff + "." + r.sign(handOff) }

// HandOff returns the hand-off that a reference names. ok is false for one that Of did not make.
func (r References) HandOff(reference string) (id string, ok bool) {
	id, signature, _ := strings.Cut(reference, ".")
	return id, hmac.Equal([]byte(signature), []byte(r.sign(id)))
}

func (r References) sign(handOff string) string {
	h := hmac.New(sha256.New, r.key)
	h.Write([]byte("pantheon order reference, version 1: " + handOff))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}
