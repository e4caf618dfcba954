// Package money provides amounts in base units: whole numbers of the smallest part of a currency or token, never
// floats.
package money

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"strings"
)

// maxBits is the width of an EVM word: no token amount is larger than uint256.
const maxBits = 256

// USDCDecimals is how many decimals USDC has, on every chain.
const USDCDecimals = 6

// PriceDecimals is how many decimals amounts of the shop's currency are kept with: shops may have prices in parts of a cent.
const PriceDecimals = 6

// Units is an immutable, non-negative amount in base units, at most 2^256-1. The zero value is 0.
// It is stored as decimal text, because neither database has a number type of exactly 256 bits.
type Units struct{ v *big.Int }

// FromInt returns n base units; it panics when n is negative, which is a programming error.
func FromInt(n int64) Units {
	if n < 0 {
		panic("money: negative amount")
	}
	return Units{big.NewInt(n)}
}

// FromBig returns a copy of b. It fails when b is nil, negative or wider than 256 bits.
func FromBig(b *big.Int) (Units, error) {
	if b == nil || b.Sign() < 0 || b.BitLen() > maxBits {
		return Units{}, fmt.Errorf("money: %v is not an amount between 0 and 2^256-1", b)
	}
	return Units{new(big.Int).Set(b)}, nil
}

// Parse parses base units in decimal digits.
func Parse(s string) (Units, error) {
	if s == "" || len(s) > 78 || strings.Trim(s, "0123456789") != "" {
		return Units{}, fmt.Errorf("money: %.80q is not a whole number of base units", s)
	}
	b, _ := new(big.Int).SetString(s, 10)
	return FromBig(b)
}

// MustParse is Parse for constants; it panics on a malformed one.
func MustParse(s string) Units {
	u, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

// ParseDecimal parses an amount such as "12.5" of a currency with the given number of decimals (0–36).
// More fractional digits than the currency has are rejected, not rounded.
func ParseDecimal(s string, decimals int) (Units, error) {
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" || len(frac) > decimals || strings.HasSuffix(s, ".") {
		return Units{}, fmt.Errorf("money: %.80q is not an amount with at most %d decimals", s, decimals)
	}
	return Parse(whole + frac + strings.Repeat("0", decimals-len(frac)))
}

// Big returns a copy as a big integer.
func (u Units) Big() *big.Int {
	if u.v == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(u.v)
}

// String returns the base units in decimal digits.
func (u Units) String() string {
	if u.v == nil {
		return "0"
	}
	return u.v.String()
}

// Int64 returns the amount and whether it fits.
func (u Units) Int64() (int64, bool) {
	if u.v == nil {
		return 0, true
	}
	return u.v.Int64(), u.v.IsInt64()
}

// IsZero reports whether the amount is 0.
func (u Units) IsZero() bool { return u.v == nil || u.v.Sign() == 0 }

// Cmp returns -1, 0 or +1 as u is less than, equal to or greater than o.
func (u Units) Cmp(o Units) int { return u.ref().Cmp(o.ref()) }

// Add returns u+o; it fails on overflow of 256 bits.
func (u Units) Add(o Units) (Units, error) { return FromBig(new(big.Int).Add(u.ref(), o.ref())) }

// Sub returns u-o; it fails when o is greater than u.
func (u Units) Sub(o Units) (Units, error) { return FromBig(new(big.Int).Sub(u.ref(), o.ref())) }

// Mul returns u×n; it fails on overflow of 256 bits or a negative n.
func (u Units) Mul(n int64) (Units, error) {
	return FromBig(new(big.Int).Mul(u.ref(), big.NewInt(n)))
}

// Div returns u/n rounded down, for n > 0.
func (u Units) Div(n int64) Units { return Units{new(big.Int).Div(u.ref(), big.NewInt(n))} }

// Decimal formats the amount of a currency with the given number of decimals, exactly and without
// trailing zeros: 1500000 of 6 decimals is "1.5".
func (u Units) Decimal(decimals int) string {
	s := u.String()
	if decimals == 0 {
		return s
	}
	if pad := decimals + 1 - len(s); pad > 0 {
		s = strings.Repeat("0", pad) + s
	}
	whole, frac := s[:len(s)-decimals], strings.TrimRight(s[len(s)-decimals:], "0")
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}

// Fixed formats the amount with exactly places fractional digits, rounding down: no one is shown money they do not
// have.
func (u Units) Fixed(decimals, places int) string {
	whole, frac, _ := strings.Cut(u.Decimal(decimals), ".")
	if len(frac) < places {
		frac += strings.Repeat("0", places-len(frac))
	}
	if places == 0 {
		return whole
	}
	return whole + "." + frac[:places]
}

// MarshalText returns decimal digits, so that JSON carries a string without loss of precision.
func (u Units) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads decimal digits.
func (u *Units) UnmarshalText(b []byte) (err error) {
	*u, err = Parse(string(b))
	return err
}

// Value stores the amount as text.
func (u Units) Value() (driver.Value, error) { return u.String(), nil }

// Scan reads an amount stored as text.
func (u *Units) Scan(src any) (err error) {
	switch s := src.(type) {
	case string:
		*u, err = Parse(s)
	case []byte:
		*u, err = Parse(string(s))
	default:
		err = fmt.Errorf("money: cannot read %T as an amount", src)
	}
	return err
}

func (u Units) ref() *big.Int {
	if u.v == nil {
		return new(big.Int)
	}
	return u.v
}
