// Package eth provides the few Ethereum types that the product's rules need, without a dependency on a node:
// addresses with their checksum, hashes, Keccak-256 and ERC-4337 user operations.
package eth

import (
	"bytes"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/sha3"

	"pantheon/internal/kit/fault"
)

// Address is the 20-byte address of an account. In text it is 0x and 40 hex digits.
type Address [20]byte

// Hash is a 32-byte Keccak-256 hash.
type Hash [32]byte

// ErrAddress is returned for text that is not an address; players see its message.
var ErrAddress = fault.New(fault.Invalid, "Invalid address")

// ParseAddress parses 0x and 40 hex digits: all lower case, or mixed case that matches the EIP-55 checksum.
// It returns ErrAddress for anything else, including all upper case.
func ParseAddress(s string) (Address, error) {
	var a Address
	if len(s) != 42 || s[0] != '0' || s[1] != 'x' {
		return a, ErrAddress
	}
	if _, err := hex.Decode(a[:], []byte(s[2:])); err != nil {
		return Address{}, ErrAddress
	}
	if s != strings.ToLower(s) && s != a.Checksum() {
		return Address{}, ErrAddress
	}
	return a, nil
}

// MustAddress is ParseAddress for constants; it panics on a malformed one.
func MustAddress(s string) Address {
	a, err := ParseAddress(s)
	if err != nil {
		panic(fmt.Sprintf("eth: %q: %v", s, err))
	}
	return a
}

// Checksum returns the address in mixed case (EIP-55).
func (a Address) Checksum() string {
	out := a.checksum()
	return string(out[:])
}

// checksums keeps the last address of each slot with its checksum: a page of listings repeats few addresses many times.
var checksums [1024]atomic.Pointer[checksummed]

type checksummed struct {
	address Address
	text    [42]byte
}

func (a Address) checksum() [42]byte {
	slot := &checksums[(int(a[18])<<8|int(a[19]))%len(checksums)]
	if c := slot.Load(); c != nil && c.address == a {
		return c.text
	}
	c := &checksummed{a, a.eip55()}
	slot.Store(c)
	return c.text
}

func (a Address) eip55() (out [42]byte) {
	out[0], out[1] = '0', 'x'
	hex.Encode(out[2:], a[:])
	sum := Keccak256(out[2:])
	for i := 2; i < len(out); i++ {
		nibble := sum[(i-2)/2]
		if i%2 == 0 {
			nibble >>= 4
		}
		if out[i] >= 'a' && nibble&0xf >= 8 {
			out[i] -= 'a' - 'A'
		}
	}
	return out
}

// String returns the address in lower case, the form that is stored and compared.
func (a Address) String() string { return "0x" + hex.EncodeToString(a[:]) }

// IsZero reports whether a is the zero address, from which tokens are minted and to which they are burned.
func (a Address) IsZero() bool { return a == Address{} }

// MarshalText writes the EIP-55 form.
func (a Address) MarshalText() ([]byte, error) {
	out := a.checksum()
	return out[:], nil
}

// UnmarshalText reads an address as ParseAddress does.
func (a *Address) UnmarshalText(b []byte) (err error) {
	*a, err = ParseAddress(string(b))
	return err
}

// Value stores the address in lower case.
func (a Address) Value() (driver.Value, error) { return a.String(), nil }

// Scan reads a stored address. An empty text, which stands for none, is read as the zero address.
func (a *Address) Scan(src any) (err error) {
	s, ok := src.(string)
	if !ok {
		return fmt.Errorf("eth: cannot read %T as an address", src)
	}
	if s == "" {
		*a = Address{}
		return nil
	}
	*a, err = ParseAddress(s)
	return err
}

// ParseHash reads 0x and 64 hex digits of either case.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if len(s) != 66 || s[0] != '0' || s[1] != 'x' {
		return h, fault.New(fault.Invalid, "Invalid hash")
	}
	if _, err := hex.Decode(h[:], []byte(s[2:])); err != nil {
		return Hash{}, fault.New(fault.Invalid, "Invalid hash")
	}
	return h, nil
}

// String writes 0x and 64 lower-case hex digits.
func (h Hash) String() string { return "0x" + hex.EncodeToString(h[:]) }

// IsZero reports whether all 32 bytes are zero.
func (h Hash) IsZero() bool { return h == Hash{} }

// Value stores the hash in lower case. The zero hash, which stands for none, is stored as an empty text.
func (h Hash) Value() (driver.Value, error) {
	if h.IsZero() {
		return "", nil
	}
	return h.String(), nil
}

// Scan reads a stored hash.
func (h *Hash) Scan(src any) (err error) {
	s, ok := src.(string)
	if !ok {
		return fmt.Errorf("eth: cannot read %T as a hash", src)
	}
	if s == "" {
		*h = Hash{}
		return nil
	}
	*h, err = ParseHash(s)
	return err
}

// MarshalText writes the hash as String does.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads a hash as ParseHash does.
func (h *Hash) UnmarshalText(b []byte) (err error) {
	*h, err = ParseHash(string(b))
	return err
}

// Keccak256 hashes the concatenation of the parts.
func Keccak256(parts ...[]byte) Hash {
	d := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		d.Write(p)
	}
	var h Hash
	d.Sum(h[:0])
	return h
}

// Personal returns the message with the prefix that wallets add before signing: personal_sign, EIP-191 version E.
func Personal(message []byte) []byte {
	return fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d%s", len(message), message)
}

// MessageHash returns the hash that a wallet signs for the message.
func MessageHash(message []byte) Hash { return Keccak256(Personal(message)) }

// Bytes is binary data encoded in JSON as 0x and hex digits.
type Bytes []byte

// String writes 0x and hex digits.
func (b Bytes) String() string { return "0x" + hex.EncodeToString(b) }

// MarshalText writes 0x and hex digits.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Value stores the bytes in their text form.
func (b Bytes) Value() (driver.Value, error) { return b.String(), nil }

// Scan reads stored bytes.
func (b *Bytes) Scan(src any) error {
	s, ok := src.(string)
	if !ok {
		return fmt.Errorf("eth: cannot read %T as bytes", src)
	}
	return b.UnmarshalText([]byte(s))
}

// UnmarshalText reads 0x and an even number of hex digits.
func (b *Bytes) UnmarshalText(text []byte) error {
	digits, ok := bytes.CutPrefix(text, []byte("0x"))
	if !ok {
		return fault.New(fault.Invalid, "Binary data must be written as 0x and hex digits")
	}
	out := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(out, digits); err != nil {
		return fault.New(fault.Invalid, "Binary data must be written as 0x and an even number of hex digits")
	}
	*b = out
	return nil
}
