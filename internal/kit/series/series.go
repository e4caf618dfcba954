// Package series divides the ids of new tokens into series. What a token is follows from its series, which is part of its id,
// so the meaning of an id can be fixed for ever before there is any such token.
package series

import "strconv"

const (
	// Size is how many ids a series has.
	Size = 10_000_000_000_000
	// Max is the largest series. Larger ids than it has are not exact in JavaScript's numbers.
	Max = 899
)

// Of returns the series of a token's id, decimal: from 1 to Max, or 0 for an id that is of none.
func Of(tokenID string) int64 {
	id, err := strconv.ParseInt(tokenID, 10, 64)
	if err != nil || id < 0 || id/Size > Max {
		return 0
	}
	return id / Size
}

// ID returns the id, decimal, with number n of a series. n must be below Size.
func ID(series int64, n uint64) string { return strconv.FormatInt(series*Size+int64(n), 10) }
