// Package emailcode makes one-time codes that are emailed and typed in, and the hashes under which they are stored.
package emailcode

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"

	"pantheon/internal/kit/humanize"
	"pantheon/internal/kit/keyset"
)

const (
	// TTL is the lifetime of a code.
	TTL = 15 * time.Minute
	// Attempts is the number of attempts that a code allows.
	Attempts = 5
)

// Lifetime is TTL in words: "15 minutes".
func Lifetime() string { return humanize.Duration(TTL) }

const count = 100_000_000 // all codes of 8 digits

// New returns a random code of 8 digits.
func New() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(count))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%08d", n), nil
}

// Hash returns the hash of a code as typed, in hex, without regard to whitespace. A code is valid only for its purpose, which
// names all that the code is bound to. The hash is keyed, because the codes are few enough to try them all: the database alone
// does not reveal them.
func Hash(keys keyset.Keys, purpose, code string) string { return hash(keys.First(), purpose, code) }

func hash(key []byte, purpose, code string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose + " " + strings.Join(strings.Fields(code), "")))
	return hex.EncodeToString(mac.Sum(nil))
}

// Matches reports whether a hash is that of a code, as typed, with one of the keys. It compares in constant time.
func Matches(keys keyset.Keys, purpose, code, stored string) bool {
	return keys.Any(func(key []byte) bool {
		return subtle.ConstantTimeCompare([]byte(hash(key, purpose, code)), []byte(stored)) == 1
	})
}
