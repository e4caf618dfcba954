package profile

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
)

// ProtectedFor is how long protected data is valid.
const ProtectedFor = time.Hour

// MaxProtected is the maximum number of bytes that can be protected at once.
const MaxProtected = 1024

// Protector encrypts data that a player passes to a third party that shares the key, such as the player id for the
// shop. Only holders of the key can read or create it. It is safe for concurrent use.
type Protector struct {
	aeads []cipher.AEAD // the first encrypts
	clock clock.Clock
}

// NewProtector returns a Protector with keys of 32 bytes (AES-256-GCM).
func NewProtector(keys keyset.Keys, c clock.Clock) (*Protector, error) {
	p := &Protector{clock: c}
	for _, key := range keys {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		p.aeads = append(p.aeads, aead)
	}
	return p, nil
}

// nonceSize is the length of a nonce of AES-GCM, in bytes.
const nonceSize = 12

// sealed is the plaintext: the value with its player and expiry.
type sealed struct {
	PlayerID string `json:"player"`
	Value    string `json:"value"`
	Expires  int64  `json:"exp"` // Unix seconds
}

// Seal encrypts a value for one player and one purpose. The result opens for that purpose only, contains the player
// id, and is valid for an hour. Sealing the same value twice gives different texts.
func (p *Protector) Seal(purpose, playerID, value string) (string, error) {
	if value == "" || len(value) > MaxProtected {
		return "", fault.InvalidFields("There is nothing here that can be protected.",
			fault.Field{Location: "body.value", Message: "Must be a text of 1 to 1024 bytes."})
	}
	plain, err := json.Marshal(sealed{playerID, value, p.clock.Now().Add(ProtectedFor).Unix()})
	if err != nil {
		return "", err
	}
	nonce := make([]byte, nonceSize)
	_, _ = rand.Read(nonce) // never fails, as documented
	return base64.RawURLEncoding.EncodeToString(p.aeads[0].Seal(nonce, nonce, plain, associated(purpose))), nil
}

// Open decrypts what Seal returned for the purpose, and returns the player id and the value. It returns fault.Invalid
// for anything else. Callers must rely on the player id: the value is whatever that player's browser asked to
// protect.
func (p *Protector) Open(purpose, text string) (playerID, value string, err error) {
	refused := fault.New(fault.Invalid, "This link has run out or was changed. Please start again from the portal.")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < nonceSize {
		return "", "", refused
	}
	var plain []byte
	for _, aead := range p.aeads {
		if plain, err = aead.Open(nil, raw[:nonceSize], raw[nonceSize:], associated(purpose)); err == nil {
			break
		}
	}
	if err != nil {
		return "", "", refused
	}
	var s sealed
	if err := json.Unmarshal(plain, &s); err != nil || s.Expires <= p.clock.Now().Unix() {
		return "", "", refused
	}
	return s.PlayerID, s.Value, nil
}

func associated(purpose string) []byte {
	return []byte("pantheon protected data, version 1: " + purpose)
}
