// Package passkeytest has an authenticator in software, for tests of passkeys.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
)

// Flags of authenticator data (WebAuthn Level 3, section 6.1).
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	attested     = 1 << 6
)

// Authenticator is a device with a browser. It has no passkeys to begin with. A copy of it is a cloned device.
type Authenticator struct {
	Origin string // the browser's page
	// Domain is the domain for which the device signs; "" for the one that is asked for.
	Domain     string
	Unverified bool // the player does not unlock the device
	Nameless   bool // answers do not name the user
	// Count is the counter of signatures; negative for a device that does not count.
	Count int64

	id, user []byte
	key      *ecdsa.PrivateKey
}

// bytes are in JSON as base64url without padding.
type bytes []byte

func (b bytes) MarshalText() ([]byte, error) {
	return []byte(base64.RawURLEncoding.EncodeToString(b)), nil
}

func (b *bytes) UnmarshalText(text []byte) (err error) {
	*b, err = base64.RawURLEncoding.DecodeString(string(text))
	return err
}

type options struct {
	Challenge bytes  `json:"challenge"`
	Domain    string `json:"rpId"`
	RP        struct {
		ID string `json:"id"`
	} `json:"rp"`
	User struct {
		ID bytes `json:"id"`
	} `json:"user"`
}

func read(t testing.TB, text []byte) (o options) {
	t.Helper()
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// Create makes a passkey by the options of the server, and returns the browser's response.
func (a *Authenticator) Create(t testing.TB, creation []byte) []byte {
	t.Helper()
	o := read(t, creation)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a.key, a.user, a.id = key, o.User.ID, make([]byte, 32)
	_, _ = rand.Read(a.id)
	point, err := key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		t.Fatal(err)
	}
	cose := encode(t, map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]}) // ES256 (RFC 9053)
	data := a.data(o.RP.ID, attested)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(append(data, a.id...), cose...)
	return a.response(t, map[string]any{
		"clientDataJSON":    a.client(t, "webauthn.create", o),
		"attestationObject": bytes(encode(t, map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})),
	})
}

// Get answers a challenge, and returns the browser's response.
func (a *Authenticator) Get(t testing.TB, request []byte) []byte {
	t.Helper()
	o := read(t, request)
	if a.Count >= 0 {
		a.Count++
	}
	data, client := a.data(o.Domain, 0), a.client(t, "webauthn.get", o)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{"clientDataJSON": client, "authenticatorData": bytes(data), "signature": bytes(signature)}
	if !a.Nameless {
		out["userHandle"] = bytes(a.user)
	}
	return a.response(t, out)
}

// ID returns the passkey's id.
func (a *Authenticator) ID() string { return base64.RawURLEncoding.EncodeToString(a.id) }

// Own makes the device claim to be another user.
func (a *Authenticator) Own(user string) { a.user = []byte(user) }

func (a *Authenticator) data(domain string, flags byte) []byte {
	if a.Domain != "" {
		domain = a.Domain
	}
	hash := sha256.Sum256([]byte(domain))
	if flags |= userPresent; !a.Unverified {
		flags |= userVerified
	}
	return binary.BigEndian.AppendUint32(append(hash[:], flags), uint32(max(a.Count, 0)))
}

func (a *Authenticator) client(t testing.TB, kind string, o options) bytes {
	t.Helper()
	b, err := json.Marshal(map[string]any{"type": kind, "challenge": o.Challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (a *Authenticator) response(t testing.TB, response map[string]any) []byte {
	t.Helper()
	b, err := json.Marshal(map[string]any{
		"id": a.ID(), "rawId": a.ID(), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := webauthncbor.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
