// Package siwe formats and parses the sign-in messages (EIP-4361) with which a player proves ownership of a wallet.
// It is pure computation and supports only the form that the portal itself writes; it rejects all others.
package siwe

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// MaxLength is the maximum length of a message in bytes; the portal's have some 400.
const MaxLength = 2048

// version is the only version of EIP-4361 messages.
const version = "1"

// ErrForm is returned for a text that the portal cannot have written.
var ErrForm = fault.InvalidFields("This is not the message you were asked to sign. Please start again.",
	fault.Field{Location: "body.message", Message: "This is not the message you were asked to sign."}).WithReason("message")

// Message is the message to sign. Times have a resolution of one second.
type Message struct {
	Domain    string // host, and port if there is one, of the requesting site
	Address   eth.Address
	Statement string // what the player agrees to, one line of ASCII
	URI       string // URI of the requesting site
	Chain     onchain.ChainID
	Nonce     string // at least 8 letters and digits
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// String formats the message according to EIP-4361.
func (m Message) String() string {
	return fmt.Sprintf("%s wants you to sign in with your Ethereum account:\n%s\n\n%s\n\nURI: %s\nVersion: %s\nChain ID: %d\nNonce: "+
		"%s\nIssued At: %s\nExpiration Time: %s",
		m.Domain, m.Address.Checksum(), m.Statement, m.URI, version, m.Chain, m.Nonce, written(m.IssuedAt), written(m.ExpiresAt))
}

func written(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// form matches the portal's messages: all fields, each on its line, and no others.
var form = regexp.MustCompile(`^([!-~]{1,255}) wants you to sign in with your Ethereum account:\n(0x[0-9a-fA-F]{40})\n\n([ ` +
	`-~]{1,512})\n\n` +
	`URI: ([!-~]{1,255})\nVersion: 1\nChain ID: ([1-9][0-9]{0,18})\nNonce: ([a-zA-Z0-9]{8,64})\nIssued At: ([0-9TZ:-]{20})\nExpiration ` +
	`Time: ([0-9TZ:-]{20})$`)

// Parse parses a message. It returns ErrForm unless the text is, byte for byte, what String returns.
func Parse(text string) (Message, error) {
	if len(text) > MaxLength {
		return Message{}, ErrForm
	}
	f := form.FindStringSubmatch(text)
	if f == nil {
		return Message{}, ErrForm
	}
	m := Message{Domain: f[1], Statement: f[3], URI: f[4], Nonce: f[6]}
	address, err := eth.ParseAddress(f[2])
	chain, chainErr := strconv.ParseUint(f[5], 10, 64)
	issued, issuedErr := time.Parse(time.RFC3339, f[7])
	expires, expiresErr := time.Parse(time.RFC3339, f[8])
	if err != nil || chainErr != nil || issuedErr != nil || expiresErr != nil {
		return Message{}, ErrForm
	}
	m.Address, m.Chain, m.IssuedAt, m.ExpiresAt = address, onchain.ChainID(chain), issued.UTC(), expires.UTC()
	if m.String() != text { // such as an address with a wrong checksum or the 31st of February
		return Message{}, ErrForm
	}
	return m, nil
}
