package draw

import (
	"math"
	"slices"
)

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

// Shares returns the share, 0 to 1, of each drop of the table: by weight alone, in the long run with the pity rule, and now, with
// substitutes in the place of what has run out. given is how many units of each capped item the openings of the kind have given.
func (t Table) Shares(given map[string]int64) (promised, effective, now []float64) {
	n := len(t.Drops)
	promised = make([]float64, n)
	weights, lucky, substitute := make([]int64, n), make([]bool, n), make([]int, n)
	for i, d := range t.Drops {
		promised[i] = float64(d.Weight) / float64(t.Total)
		weights[i], lucky[i], substitute[i] = d.Weight, t.Consoles(d), -1
		if t.RunOut(d, given) {
			substitute[i] = slices.IndexFunc(t.Drops, func(s Drop) bool { return s.ID == d.Substitute })
		}
	}
	after := int64(0)
	if t.Pity != nil {
		after = int64(t.Pity.After)
	}
	effective = Effective(weights, lucky, after)
	return promised, effective, Now(effective, substitute)
}
