package market

import "pantheon/internal/kit/money"

// PriceRank returns the sort rank of a price in base units, which fits 63 bits. Below 2^62 it is the price. From there on it is made of the
// price's bit length and its highest 54 bits, so that it keeps the order of prices to 16 digits.
func PriceRank(u money.Units) int64 {
	const exact, digits = 62, 54
	b := u.Big()
	length := b.BitLen()
	if length <= exact {
		return b.Int64()
	}
	leading := b.Rsh(b, uint(length-digits)).Int64() &^ (1 << (digits - 1)) // the highest bit is always set
	return 1<<exact | int64(length-exact)<<(digits-1) | leading
}
