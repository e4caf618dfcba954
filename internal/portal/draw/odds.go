package draw

import "math"

// Effective returns the share, 0 to 1, that each drop has in the long run of one wallet's draws: free draws by weight, but
// after `after` draws in a row without a lucky drop the next is among the lucky ones alone, by their weights. With after
// below 1, or no lucky drop, these are the shares by weight. Weights are at least 1; lucky is as long as they are.
func Effective(weights []int64, lucky []bool, after int64) []float64 {
	total, fortunate := 0.0, 0.0
	for i, w := range weights {
		total += float64(w)
		if lucky[i] {
			fortunate += float64(w)
		}
	}
	pitied := 0.0 // the share of draws by the pity rule
	if after > 0 && fortunate > 0 {
		// A cycle ends with a lucky drop. It has a draw k, from 0 to after, with the probability miss^k, and these add up to
		// its mean length. Draw `after` is the pitied one.
		q := fortunate / total
		logMiss := math.Log1p(-q)
		pitied = math.Exp(float64(after)*logMiss) * q / -math.Expm1(float64(after+1)*logMiss)
	}
	shares := make([]float64, len(weights))
	for i, w := range weights {
		shares[i] = (1 - pitied) * float64(w) / total
		if lucky[i] && pitied > 0 {
			shares[i] += pitied * float64(w) / fortunate
		}
	}
	return shares
}

// Now returns the shares with that of each drop that has run out moved to its substitute. substitute has the index of the
// substitute of each drop that has run out, which has not run out itself, and -1 for all others.
func Now(shares []float64, substitute []int) []float64 {
	now := make([]float64, len(shares))
	for i, share := range shares {
		if substitute[i] >= 0 {
			now[substitute[i]] += share
		} else {
			now[i] += share
		}
	}
	return now
}
