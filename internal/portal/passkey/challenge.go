package passkey

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Purposes of challenges. An answer to a challenge of one purpose is not one to another.
const signIn = "sign-in"

func adding(c Caller, commitment string) string {
	return "add " + c.PlayerID + " " + c.SessionID + " " + commitment
}

func approval(c Caller) string { return "approve " + c.PlayerID + " " + c.SessionID }

// Commitment returns the SHA-256 of a secret, base64url: what is shown before the secret itself.
func Commitment(secret string) string {
	hash := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}

// Lengths of the parts of a challenge in bytes.
const (
	nonceBytes  = 16
	expiryBytes = 8
	macBytes    = 32
)

// challenge returns a new challenge: random bytes, when it expires, and a MAC of both and of its purpose.
func (s *Service) challenge(purpose string) []byte {
	c := make([]byte, nonceBytes, nonceBytes+expiryBytes+macBytes)
	_, _ = rand.Read(c) // never fails, as documented
	c = binary.BigEndian.AppendUint64(c, uint64(s.o.Clock.Now().Add(ChallengeTTL).Unix()))
	return append(c, mac(s.o.Keys.First(), c, purpose)...)
}

func mac(key, head []byte, purpose string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(head)
	m.Write([]byte(purpose))
	return m.Sum(nil)
}

// check returns when a challenge of the purpose expires; ErrRefused for any other, and ErrOver for one that has expired.
func (s *Service) check(challenge, purpose string) (expires time.Time, err error) {
	c, err := base64.RawURLEncoding.Strict().DecodeString(challenge)
	if err != nil || len(c) != nonceBytes+expiryBytes+macBytes {
		return expires, ErrRefused
	}
	head, sum := c[:nonceBytes+expiryBytes], c[nonceBytes+expiryBytes:]
	if !s.o.Keys.Any(func(key []byte) bool { return hmac.Equal(sum, mac(key, head, purpose)) }) {
		return expires, ErrRefused
	}
	expires = time.Unix(int64(binary.BigEndian.Uint64(head[nonceBytes:])), 0)
	if !s.o.Clock.Now().Before(expires) {
		return expires, ErrOver
	}
	return expires, nil
}
