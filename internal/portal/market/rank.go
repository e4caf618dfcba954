package market

import "pantheon/internal/kit/money"

// PriceRank is the sort rank of a price: the price itself below 2^62, and above, in the same order, a number of its length and its
// highest 54 bits, which are exact to 16 digits. So currencies with 18 decimals sort as others do.
func PriceRank(u money.Units) int64 {
	const exact, digits = 62, 54
	b := u.Big()
	length := b.BitLen()
	if length <= exact {
		return b.Int64()
	}
	leading := b.Rsh(b, uint(length-digits)).Int64() &^ (1 << (digits - 1)) // without the highest bit, which is always set
	return 1<<exact | int64(length-exact)<<(digits-1) | leading
}
