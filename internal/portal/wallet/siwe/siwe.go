// Package siwe writes and reads the sign-in messages (EIP-4361) by which a player proves to hold a wallet. It is pure
// computation and knows the one form that the portal itself writes: what has another form is nobody's message.
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

// MaxLength bounds a message, in bytes; the portal's have some 400.
const MaxLength = 2048

// version is the only version of the messages there is.
const version = "1"

// ErrForm is returned for a text that the portal cannot have written.
var ErrForm = fault.InvalidFields("This is not the message you were asked to sign. Please start again.",
	fault.Field{Location: "body.message", Message: "This is not the message you were asked to sign."}).WithReason("message")

// Message is what is signed. Times are kept to the second.
type Message struct {
	Domain    string // host, and port where there is one, of the site that asks
	Address   eth.Address
	Statement string // what the player agrees to, in one line of ASCII
	URI       string // address of the site that asks
	Chain     onchain.ChainID
	Nonce     string // at least 8 letters and digits
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// String writes the message as EIP-4361 says.
func (m Message) String() string {
	return fmt.Sprintf("%s wants you to sign in with your Ethereum account:\n%s\n\n%s\n\nURI: %s\nVersion: %s\nChain ID: %d\nNonce: %s\nIssued At: %s\nExpiration Time: %s",
		m.Domain, m.Address.Checksum(), m.Statement, m.URI, version, m.Chain, m.Nonce, written(m.IssuedAt), written(m.ExpiresAt))
}

func written(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// form is a message of the portal's: each field on its line, all of them, and no others.
var form = regexp.MustCompile(`^([!-~]{1,255}) wants you to sign in with your Ethereum account:\n(0x[0-9a-fA-F]{40})\n\n([ -~]{1,512})\n\n` +
	`URI: ([!-~]{1,255})\nVersion: 1\nChain ID: ([1-9][0-9]{0,18})\nNonce: ([a-zA-Z0-9]{8,64})\nIssued At: ([0-9TZ:-]{20})\nExpiration Time: ([0-9TZ:-]{20})$`)

// Parse reads a message. It returns ErrForm unless the text is, byte for byte, what String would write.
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
	if m.String() != text { // an address without its checksum, a date such as the 31st of February
		return Message{}, ErrForm
	}
	return m, nil
}
