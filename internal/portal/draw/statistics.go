package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
)

// Fit is the result of Pearson's test of draws against weights.
type Fit struct {
	Statistic float64 // the sum of (drawn - expected)² / expected over all drops
	Degrees   int     // of freedom: drops less one
	P         float64 // the probability of a statistic at least as large if the draws follow the weights, 0 to 1
	// Simulated says where P is from: simulated series, so that it is at least 1/100,001; or the chi-square distribution.
	Simulated bool
}

// FitOf tests how often each drop was drawn freely against the weights. ok is false if that says nothing: with fewer than
// two drops, no draw, or too few draws by Cochran's rule, which wants an expected count of 1 or more of each drop, and of 5
// or more of at least 80 % of them. It is false too for a negative count, a weight below 1, and sums above 2^53-1.
//
// P is (1+n)/(1+100,000), where n of 100,000 simulated series of as many draws have a statistic at least as large. It is
// rounded up by at most 0.2 % of itself above 1 %. The same counts, weights and seed give the same result. A simulation takes
// about 7 ms for each drop, however many draws there are. See Fits for repeated tests. With many draws of each drop P is by
// the chi-square distribution, see largeEnough.
func FitOf(hits, weights []int64, seed [32]byte) (f Fit, ok bool) {
	return fit(hits, weights, func(draws int64, expected []float64) []float64 {
		return simulate(weights, draws, expected, fitKey(weights, draws, seed))
	})
}

// fit is FitOf with a function that returns the null distribution as simulate does.
func fit(hits, weights []int64, null func(draws int64, expected []float64) []float64) (f Fit, ok bool) {
	draws, counted := countable(hits)
	total, weighed := countable(weights)
	if len(hits) != len(weights) || len(hits) < 2 || draws == 0 || !counted || !weighed || slices.Min(weights) < 1 {
		return Fit{}, false
	}
	expected, least, few := make([]float64, len(weights)), math.Inf(1), 0
	for i, w := range weights {
		expected[i] = float64(draws) * float64(w) / float64(total)
		least = min(least, expected[i])
		if expected[i] < 5 {
			few++
		}
	}
	if least < 1 || 5*few > len(expected) {
		return Fit{}, false
	}
	f = Fit{Degrees: len(hits) - 1, Simulated: least < largeEnough(len(hits))}
	for i, n := range hits {
		f.Statistic += deviation(n, expected[i])
	}
	if f.Simulated {
		f.P = upperShare(null(draws, expected), f.Statistic)
	} else {
		f.P = upperGamma(float64(f.Degrees)/2, f.Statistic/2)
	}
	return f, true
}

// countable returns the sum of the values. ok is false if one is negative or the sum is above 2^53-1.
func countable(values []int64) (total int64, ok bool) {
	for _, v := range values {
		if v < 0 || v > 1<<53-1-total {
			return 0, false
		}
		total += v
	}
	return total, true
}

func deviation(n int64, expected float64) float64 {
	d := float64(n) - expected
	return d * d / expected
}

// largeEnough returns the smallest expected count from which on the chi-square distribution is used: its probabilities of 0.1 %
// and more are then within about 3 % of the true ones. Two drops have few distinct statistics and need more draws.
func largeEnough(drops int) float64 {
	if drops == 2 {
		return 10_000
	}
	return 500
}

// Fits tests as FitOf does. It keeps the 256 null distributions that were used last, so that repeated tests of as many draws
// by the same weights cost nothing. It is safe for concurrent use. One simulation runs at a time, and one only for the same
// draws and weights.
type Fits struct {
	seed       [32]byte
	simulating sync.Mutex
	mu         sync.Mutex
	nulls      map[[32]byte]*null
	uses       uint64 // of all nulls
}

type null struct {
	once       sync.Once
	statistics []float64
	used       uint64 // when, in uses
}

// keptNulls bounds what Fits keeps to about 7 MB.
const keptNulls = 256

// NewFits returns Fits with the seed of all simulations.
func NewFits(seed [32]byte) *Fits { return &Fits{seed: seed, nulls: map[[32]byte]*null{}} }

// Of is FitOf with the seed of the Fits.
func (f *Fits) Of(hits, weights []int64) (Fit, bool) {
	return fit(hits, weights, func(draws int64, expected []float64) []float64 {
		key := fitKey(weights, draws, f.seed)
		n := f.null(key)
		n.once.Do(func() {
			f.simulating.Lock()
			defer f.simulating.Unlock()
			n.statistics = simulate(weights, draws, expected, key)
		})
		return n.statistics
	})
}

// null returns the distribution of a key, whose statistics may be missing yet. A new one takes the place of the one that was
// not used for the longest time.
func (f *Fits) null(key [32]byte) *null {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.uses++
	n := f.nulls[key]
	if n == nil {
		if len(f.nulls) == keptNulls {
			oldest, since := key, f.uses
			for k, other := range f.nulls {
				if other.used < since {
					oldest, since = k, other.used
				}
			}
			delete(f.nulls, oldest)
		}
		n = &null{}
		f.nulls[key] = n
	}
	n.used = f.uses
	return n
}

// fitKey tells null distributions apart, and seeds the simulation of each.
func fitKey(weights []int64, draws int64, seed [32]byte) [32]byte {
	b := binary.BigEndian.AppendUint64(seed[:], uint64(draws))
	for _, w := range weights {
		b = binary.BigEndian.AppendUint64(b, uint64(w))
	}
	return sha256.Sum256(b)
}

// simulations is the number of series of a null distribution. The standard error of a probability of 0.1 % is then 0.01 %.
const simulations = 100_000

// simulate returns statistics of simulated series of draws by the weights, from the largest: of ranks only, as they take
// little room and are all that the upper tail needs.
func simulate(weights []int64, draws int64, expected []float64, seed [32]byte) []float64 {
	r := rand.NewChaCha8(seed)
	rest, _ := countable(weights)
	shares := make([]chance, len(weights)-1) // of each drop but the last in what the drops before it leave
	for i := range shares {
		shares[i] = newChance(weights[i], rest)
		rest -= weights[i]
	}
	all := make([]float64, simulations)
	for s := range all {
		left, statistic := draws, 0.0
		for i, share := range shares {
			n := share.hits(r, left)
			statistic += deviation(n, expected[i])
			left -= n
		}
		all[s] = statistic + deviation(left, expected[len(shares)])
	}
	slices.Sort(all)
	kept := make([]float64, len(ranks))
	for i, rank := range ranks {
		kept[i] = all[simulations-1-rank]
	}
	return kept
}

// ranks are those of the simulated statistics that are kept, from 0 for the largest: all below 1,000, and then so many that
// from one to the next it is 0.2 %.
var ranks = func() (ranks []int) {
	for r := 0; r < simulations; r += max(1, r/500) {
		ranks = append(ranks, r)
	}
	return ranks
}()

// upperShare returns the share of the statistics that simulate has returned, and of the observed one itself, that are at
// least as large as the observed one. Statistics that differ by rounding only are equal.
func upperShare(kept []float64, observed float64) float64 {
	least := observed - 1e-9*(1+observed)
	i := sort.Search(len(kept), func(i int) bool { return kept[i] < least })
	if i == len(kept) {
		return 1
	}
	return float64(1+ranks[i]) / (1 + simulations)
}

// chance draws from binomial distributions of one probability.
type chance struct {
	p       float64 // the probability, or its complement if that is smaller: at most 1/2
	flipped bool    // p is the complement
	odds    float64 // p / (1-p)
	logMiss float64 // log(1-p)
}

// newChance returns the chance of n among all, 0 < n < all.
func newChance(n, all int64) chance {
	c := chance{flipped: n > all-n}
	if c.flipped {
		n = all - n
	}
	c.p = float64(n) / float64(all)
	c.odds = float64(n) / float64(all-n)
	c.logMiss = math.Log1p(-c.p)
	return c
}

// hits draws the number of hits in n trials.
func (c chance) hits(r *rand.ChaCha8, n int64) (hits int64) {
	if float64(n)*c.p < 10 {
		hits = c.invert(r, n)
	} else {
		hits = c.reject(r, n)
	}
	if c.flipped {
		return n - hits
	}
	return hits
}

// uniform returns a number from 0 to 1, without 1.
func uniform(r *rand.ChaCha8) float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// invert draws for n·p < 10: it sums up the probabilities of 0, 1, 2 … hits to a uniform number.
func (c chance) invert(r *rand.ChaCha8, n int64) int64 {
	none := math.Exp(float64(n) * c.logMiss)
	a := float64(n+1) * c.odds
	most := min(n, 120) // more has a probability below 10^-80
	for {
		u, p := uniform(r), none
		for k := int64(0); k <= most; {
			if u < p {
				return k
			}
			u -= p
			k++
			p *= a/float64(k) - c.odds
		}
	}
}

// reject draws for n·p ≥ 10, by transformed rejection: algorithm BTRS of Hörmann, The generation of binomial random
// variates, Journal of Statistical Computation and Simulation 46 (1993).
func (c chance) reject(r *rand.ChaCha8, trials int64) int64 {
	n := float64(trials)
	spread := math.Sqrt(n * c.p * (1 - c.p))
	b := 1.15 + 2.53*spread
	a := -0.0873 + 0.0248*b + 0.01*c.p
	centre := n*c.p + 0.5
	squeeze := 0.92 - 4.2/b
	for {
		v := uniform(r)
		u := uniform(r) - 0.5
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + centre)
		if us >= 0.07 && v <= squeeze {
			return int64(k)
		}
		if k < 0 || k > n {
			continue
		}
		v = math.Log(v * (2.83 + 5.1/b) * spread / (a/(us*us) + b))
		m := math.Floor((n + 1) * c.p)
		if v <= (m+0.5)*math.Log((m+1)/(c.odds*(n-m+1)))+(n+1)*math.Log1p((k-m)/(n-k+1))+
			(k+0.5)*math.Log(c.odds*(n-k+1)/(k+1))+stirling(m)+stirling(n-m)-stirling(k)-stirling(n-k) {
			return int64(k)
		}
	}
}

// stirling returns log(k!) - log(sqrt(2π)·(k+1)^(k+1/2)·e^-(k+1)), to 10^-9.
func stirling(k float64) float64 {
	if k < float64(len(stirlings)) {
		return stirlings[int(k)]
	}
	k++
	return (1.0/12 - (1.0/360-1.0/1260/(k*k))/(k*k)) / k
}

var stirlings = func() (s [16]float64) {
	for k := range s {
		log, _ := math.Lgamma(float64(k + 1))
		x := float64(k + 1)
		s[k] = log - 0.5*math.Log(2*math.Pi) - (x-0.5)*math.Log(x) + x
	}
	return s
}()

// Interval returns the exact 95 % confidence interval of a probability, given hits among draws, 0 <= hits <= draws (Clopper
// and Pearson): it contains the probability in at least 95 % of all series, and is below or above it in at most 2.5 % each.
func Interval(hits, draws int64) (low, high float64) {
	if hits > draws-hits { // few misses: as exactly as few hits
		low, high = Interval(draws-hits, draws)
		return 1 - high, 1 - low
	}
	const outside = 0.025
	low, high = 0, 1
	h, n := float64(hits), float64(draws)
	if hits > 0 {
		low = edge(h/n, 0, func(p float64) bool { return incompleteBeta(p, h, n-h+1) > outside }) // of hits or more
	}
	if hits < draws {
		high = edge(h/n, 1, func(p float64) bool { return incompleteBeta(p, h+1, n-h) < 1-outside }) // of more than hits
	}
	return low, high
}

// edge returns where inside turns false between the share and an end, 0 or 1: to a millionth of itself and of its distance
// from the share.
func edge(share, end float64, inside func(float64) bool) float64 {
	inner, outer := share, end
	for {
		middle := (inner + outer) / 2
		if math.Abs(outer-inner) <= 1e-6*min(middle, math.Abs(middle-share)) || middle == inner || middle == outer {
			return middle
		}
		if inside(middle) {
			inner = middle
		} else {
			outer = middle
		}
	}
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, b) for a and b of 1 and more, by its continued fraction
// (Abramowitz and Stegun, 26.5.8).
func incompleteBeta(x, a, b float64) float64 {
	if x <= 0 || x >= 1 {
		return min(max(x, 0), 1)
	}
	if x > (a+1)/(a+b+2) { // the fraction converges slowly
		return 1 - incompleteBeta(1-x, b, a)
	}
	const steps, precision, tiny = 100_000, 1e-10, 1e-300
	logA, _ := math.Lgamma(a)
	logB, _ := math.Lgamma(b)
	logAB, _ := math.Lgamma(a + b)
	away := func(v float64) float64 { // from zero
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	fraction := d
	for m := 1.0; m < steps; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+even*d), away(1+even/c)
		fraction *= c * d
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+odd*d), away(1+odd/c)
		fraction *= c * d
		if math.Abs(c*d-1) < precision {
			break
		}
	}
	return math.Exp(logAB-logA-logB+a*math.Log(x)+b*math.Log1p(-x)) * fraction / a
}

// upperGamma returns the regularised upper incomplete gamma function Q(a, x): by its series below a+1, else by its
// continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31).
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	const steps, precision = 10_000, 1e-12
	logGamma, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		term := 1 / a
		sum := term
		for n := 1.0; n < steps && term > sum*precision; n++ {
			term *= x / (a + n)
			sum += term
		}
		return max(0, 1-scale*sum)
	}
	b, c := x+1-a, 1e300
	d := 1 / b
	h := d
	for n := 1.0; n < steps; n++ {
		an := -n * (n - a)
		b += 2
		d = 1 / (an*d + b)
		c = b + an/c
		delta := c * d
		h *= delta
		if math.Abs(delta-1) < precision {
			break
		}
	}
	return scale * h
}
