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
func Hash(key []byte, purpose, code string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose + " " + strings.Join(strings.Fields(code), "")))
	return hex.EncodeToString(mac.Sum(nil))
}

// Equal compares two hashes in constant time.
func Equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
