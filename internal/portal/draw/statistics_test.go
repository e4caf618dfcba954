package draw

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// The weights of the built-in tables.
var (
	general = slices.Concat(slices.Repeat([]int64{5200}, 10), slices.Repeat([]int64{3250}, 8), slices.Repeat([]int64{1750}, 8),
		slices.Repeat([]int64{750}, 8), slices.Repeat([]int64{340}, 5), slices.Repeat([]int64{75}, 4))
	builtInWeights = map[string][]int64{
		"general":        general,
		"avatar":         {900, 90, 10},
		"god":            {2200, 2200, 2200, 1900, 400, 100, 1000},
		"destiny-bronze": {2600, 2200, 1400, 1200, 900, 600, 400, 300, 200, 140, 50, 10},
		"destiny-silver": {2000, 1700, 1500, 1200, 1000, 800, 800, 500, 220, 200, 70, 10},
		"destiny-gold":   {1800, 1500, 1500, 1400, 1000, 900, 800, 500, 350, 150, 100},
	}
)

// fairly draws by the weights from a list of all numbers below their sum, without the samplers of the package.
type fairly struct {
	r     *rand.PCG
	drops []uint8 // by number
	hits  []int64
}

func newFairly(weights []int64, seed uint64) *fairly {
	f := &fairly{r: rand.NewPCG(seed, 2026), hits: make([]int64, len(weights))}
	for i, w := range weights {
		f.drops = append(f.drops, slices.Repeat([]uint8{uint8(i)}, int(w))...)
	}
	return f
}

// series returns how often each drop is among some draws. The slice is used again. Each word of 64 bits is worth two draws:
// for sums of at most 100,000 the chances are then right within 10^-9 of themselves. It
// shares nothing, and the race detector would make it ten times slower.
//
//go:norace
func (f *fairly) series(draws int) []int64 {
	clear(f.hits)
	for ; draws > 0; draws -= 2 {
		n, rest := bits.Mul64(f.r.Uint64(), uint64(len(f.drops)))
		f.hits[f.drops[n]]++
		if draws > 1 {
			n, _ = bits.Mul64(rest, uint64(len(f.drops)))
			f.hits[f.drops[n]]++
		}
	}
	return f.hits
}

// Fair draws are called unlikely as often as the probability says, and never while there are too few of them.
// Spec: DRAW-3
func TestFit_FairDrawsAreSeldomUnlikely(t *testing.T) {
	t.Parallel()
	numbers, series, picks := []int{1, 7, 20, 50, 200, 1000, 2000, 20_000, 60_000}, 1_000_000, 4_000_000_000 // the lesser of both
	if testing.Short() {
		numbers, series, picks = []int{1, 7, 20, 50, 1000, 20_000}, 20_000, 20_000_000
	}
	for name, weights := range builtInWeights {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fair, fits := newFairly(weights, 1), NewFits([32]byte{})
			for _, draws := range numbers {
				n := min(series, picks/draws)
				tested, below5, below01 := 0, 0, 0
				for range n {
					f, ok := fits.Of(fair.series(draws), weights)
					if !ok {
						continue
					}
					tested++
					if f.P <= 0.05 {
						below5++
					}
					if f.P <= 0.001 {
						below01++
					}
				}
				if enough := draws >= fewestDraws[name]; enough && tested != n || !enough && tested > 0 {
					t.Errorf("%d of %d series of %d draws are tested", tested, n, draws)
				}
				if tested == 0 {
					continue
				}
				share5, share01 := float64(below5)/float64(n), float64(below01)/float64(n)
				most := func(p float64) float64 { return p + 4*math.Sqrt(p*(1-p)*(1/float64(n)+1.0/simulations)) }
				if share5 > most(0.05) || share01 > most(0.001) {
					t.Errorf("%d draws: p ≤ 5 %% in %.3f %%, p ≤ 0.1 %% in %.4f %% of %d fair series", draws, 100*share5, 100*share01, n)
				}
				t.Logf("%d draws: p ≤ 5 %% in %.3f %%, p ≤ 0.1 %% in %.4f %% of %d fair series", draws, 100*share5, 100*share01, n)
			}
		})
	}
}

// fewestDraws is from how many draws on Cochran's rule holds for the built-in tables.
var fewestDraws = map[string]int{
	"general":        1471, // 35 of the 43 are expected 5 times
	"avatar":         500,
	"god":            125,  // 6 of 7
	"destiny-bronze": 1000, // the rarest is expected once
	"destiny-silver": 1000,
	"destiny-gold":   143, // 9 of 11
}

func TestFit_NeedsAsManyDrawsAsCochransRule(t *testing.T) {
	t.Parallel()
	for name, weights := range builtInWeights {
		for draws, want := range map[int]bool{1: false, fewestDraws[name] - 1: false, fewestDraws[name]: true} {
			hits := make([]int64, len(weights))
			hits[0] = int64(draws)
			if f, ok := fit(hits, weights, func(int64, []float64) []float64 { return make([]float64, len(ranks)) }); ok != want {
				t.Errorf("%s: %d draws: %+v, %t", name, draws, f, ok)
			}
		}
	}
}

// A drop that comes half as often as promised is found: the rarest of each table.
func TestFit_HalfTheWeightIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rarest, draws int }{
		"avatar":         {2, 50_000},
		"god":            {5, 50_000},
		"destiny-gold":   {10, 50_000},
		"destiny-bronze": {11, 250_000},
		"destiny-silver": {11, 250_000},
		"general":        {42, 800_000}, // expected 600 times
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			weights := builtInWeights[name]
			promised, drawn := make([]int64, len(weights)), make([]int64, len(weights))
			for i, w := range weights {
				promised[i], drawn[i] = 2*w, 2*w
			}
			drawn[c.rarest], drawn[0] = weights[c.rarest], 2*weights[0]+weights[c.rarest]
			unfair, fits := newFairly(drawn, 1), NewFits([32]byte{})
			for range 10 {
				if f, ok := fits.Of(unfair.series(c.draws), promised); !ok || f.P > 0.001 {
					t.Errorf("%+v, %t", f, ok)
				}
			}
		})
	}
}

func TestFit_OfWhatIsNoSeries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ hits, weights []int64 }{
		"nothing":            {},
		"one drop":           {[]int64{100}, []int64{1}},
		"no draw":            {[]int64{0, 0}, []int64{1, 1}},
		"more drops":         {[]int64{50, 50, 50}, []int64{1, 1}},
		"more weights":       {[]int64{50, 50}, []int64{1, 1, 1}},
		"a negative count":   {[]int64{-1, 101}, []int64{1, 1}},
		"a weight of 0":      {[]int64{50, 50, 0}, []int64{1, 1, 0}},
		"a negative weight":  {[]int64{50, 50}, []int64{-1, 2}},
		"too many draws":     {[]int64{math.MaxInt64, math.MaxInt64}, []int64{1, 1}},
		"too large a sum":    {[]int64{50, 50}, []int64{math.MaxInt64, math.MaxInt64}},
		"one expected less":  {[]int64{99, 0}, []int64{99, 1}},
		"a third below five": {[]int64{50, 50, 4}, []int64{50, 50, 4}},
	} {
		if f, ok := FitOf(c.hits, c.weights, [32]byte{}); ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// The probabilities are those of published tables of the chi-square distribution.
func TestStatistics_ChiSquareIsThatOfTheTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, weights []int64
		statistic, p  float64
		degrees       int
	}{
		{[]int64{50_000, 50_000}, []int64{1, 1}, 0, 1, 1},
		{[]int64{50_000 + 200, 50_000 - 200}, []int64{1, 1}, 1.6, 0.2059, 1},
		{[]int64{10_000 - 120, 10_000 + 60, 10_000 + 60}, []int64{1, 1, 1}, 2.16, 0.3396, 2},
		{[]int64{1600, 1800, 1600, 1400, 1200, 1200}, []int64{8, 9, 8, 7, 6, 6}, 0, 1, 5},
		{[]int64{2000 + 100, 1000 - 50, 1000 - 50}, []int64{2, 1, 1}, 10, 0.006738, 2},
		{[]int64{100_000, 0}, []int64{1, 1}, 100_000, 0, 1},
	} {
		f, ok := FitOf(c.hits, c.weights, [32]byte{})
		if !ok || f.Simulated || math.Abs(f.Statistic-c.statistic) > 1e-6 || f.Degrees != c.degrees || math.Abs(f.P-c.p) > 0.0001 {
			t.Errorf("%v: %+v, %t; want %v, %d, %v", c.hits, f, ok, c.statistic, c.degrees, c.p)
		}
	}
	for _, c := range []struct{ degrees, x, p float64 }{
		{1, 3.841, 0.05}, {1, 10.828, 0.001}, {2, 5.991, 0.05}, {6, 22.458, 0.001}, {10, 18.307, 0.05}, {42, 58.124, 0.05},
		{100, 149.449, 0.001},
	} {
		if p := upperGamma(c.degrees/2, c.x/2); math.Abs(p/c.p-1) > 0.001 {
			t.Errorf("%v degrees, %v: %v, want %v", c.degrees, c.x, p, c.p)
		}
	}
}

// Simulated probabilities are within four standard errors of exact ones.
func TestFit_SimulatedProbabilitiesAreTheExactOnes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, weights []int64
		p             float64
	}{
		{[]int64{5, 5}, []int64{1, 1}, 1},
		{[]int64{8, 2}, []int64{1, 1}, 112.0 / 1024},
		{[]int64{0, 10}, []int64{1, 1}, 2.0 / 1024},
		{[]int64{15, 5}, []int64{3, 1}, 1},
		{[]int64{20, 0}, []int64{3, 1}, exactly([]int64{20, 0}, []int64{3, 1})},
		{[]int64{5, 5, 5}, []int64{1, 1, 1}, 1},
		{[]int64{10, 3, 2}, []int64{1, 1, 1}, exactly([]int64{10, 3, 2}, []int64{1, 1, 1})},
		{[]int64{40, 2, 8}, []int64{35, 8, 7}, exactly([]int64{40, 2, 8}, []int64{35, 8, 7})},
		{[]int64{66, 28, 6}, []int64{75, 20, 5}, exactly([]int64{66, 28, 6}, []int64{75, 20, 5})},
		{[]int64{400, 80, 20}, []int64{420, 70, 10}, exactly([]int64{400, 80, 20}, []int64{420, 70, 10})},
	} {
		f, ok := FitOf(c.hits, c.weights, [32]byte{1})
		if !ok || !f.Simulated || math.Abs(f.P-c.p) > 4*math.Sqrt(c.p*(1-c.p)/simulations)+0.002*c.p+1.0/simulations {
			t.Errorf("%v of %v: %+v, %t, want %v", c.hits, c.weights, f, ok, c.p)
		}
	}
}

// exactly returns the probability of a statistic at least as large, of two or three drops: over all series.
func exactly(hits, weights []int64) (p float64) {
	draws, _ := countable(hits)
	total, _ := countable(weights)
	if len(hits) == 2 {
		hits, weights = append(slices.Clone(hits), 0), append(slices.Clone(weights), 0)
	}
	log := func(n, w int64) float64 { // log(w^n / n!)
		if n == 0 {
			return 0
		}
		factorial, _ := math.Lgamma(float64(n + 1))
		return float64(n)*math.Log(float64(w)/float64(total)) - factorial
	}
	statistic := func(counts ...int64) (x float64) {
		for i, n := range counts {
			if weights[i] > 0 {
				x += deviation(n, float64(draws*weights[i])/float64(total))
			}
		}
		return x
	}
	all, _ := math.Lgamma(float64(draws + 1))
	observed := statistic(hits...)
	for a := range draws + 1 {
		for b := range draws + 1 - a {
			if c := draws - a - b; (c == 0 || weights[2] > 0) && statistic(a, b, c) >= observed-1e-9 {
				p += math.Exp(all + log(a, weights[0]) + log(b, weights[1]) + log(c, weights[2]))
			}
		}
	}
	return p
}

func TestFit_IsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	hits, weights := []int64{140, 40, 20}, []int64{75, 17, 8}
	f, _ := FitOf(hits, weights, [32]byte{1})
	again, _ := FitOf(hits, weights, [32]byte{1})
	other, _ := FitOf(hits, weights, [32]byte{2})
	if f != again || f.P == other.P || math.Abs(f.P-other.P) > 0.01 {
		t.Errorf("%+v, again %+v, by another seed %+v", f, again, other)
	}
	if kept, _ := NewFits([32]byte{1}).Of(hits, weights); kept != f {
		t.Errorf("%+v, want %+v", kept, f)
	}
}

func TestFits_SimulateOnceForManyCallers(t *testing.T) {
	t.Parallel()
	weights, fits := []int64{75, 17, 8}, NewFits([32]byte{})
	want, _ := FitOf([]int64{140, 40, 20}, weights, [32]byte{})
	simulated := fits.null(fitKey(weights, 200, [32]byte{}))
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			if f, ok := fits.Of([]int64{140, 40, 20}, weights); f != want || !ok {
				t.Errorf("%+v, %t, want %+v", f, ok, want)
			}
		})
	}
	callers.Wait()
	first := &simulated.statistics[0]
	if _, ok := fits.Of([]int64{150, 30, 20}, weights); !ok || len(fits.nulls) != 1 || &simulated.statistics[0] != first {
		t.Errorf("%d simulations, %t", len(fits.nulls), ok)
	}
}

func TestFits_KeepsTheLatest(t *testing.T) {
	t.Parallel()
	fits := NewFits([32]byte{})
	key := func(n int) [32]byte { return [32]byte{byte(n), byte(n >> 8)} }
	often := fits.null(key(0))
	for n := range 1000 {
		fits.null(key(1 + n))
		if fits.null(key(0)) != often || len(fits.nulls) > 256 {
			t.Fatalf("after %d more: %d", 1+n, len(fits.nulls))
		}
	}
	for n := 1000; n > 1000-255; n-- {
		if fits.nulls[key(n)] == nil {
			t.Errorf("%d was not kept", n)
		}
	}
}

func TestBinomial_HasTheExactProbabilities(t *testing.T) {
	t.Parallel()
	samples := 5_000_000
	if testing.Short() {
		samples = 100_000
	}
	for i, c := range []struct{ p, all, trials int64 }{
		{1, 2, 1}, {1, 2, 5}, {1, 2, 19}, {1, 2, 20}, {49, 100, 20}, {49, 100, 21}, {99, 100, 20}, {99, 100, 2000}, {3, 10, 9},
		{1, 10, 99}, {1, 10, 100}, {1, 100, 150}, {1, 100, 1100}, {9, 10, 500}, {1, 3, 100}, {52, 1000, 20_000}, {75, 100_000, 2000},
		{75, 100_000, 13_334}, {75, 100_000, 60_000}, {1, 1_000_000, 1_000_000}, {1, 1_000_000, 11_000_000},
		{1, 2, 1_000_000}, {1, 1e12, 2e12}, {1, 1e12, 2e13}, {1e12 - 1, 1e12, 1e13}, {1, 1000, 1e9},
	} {
		t.Run(fmt.Sprintf("%d of %d, %d trials", c.p, c.all, c.trials), func(t *testing.T) {
			t.Parallel()
			r, share := rand.NewChaCha8([32]byte{byte(i)}), newChance(c.p, c.all)
			first, probabilities := binomial(float64(c.p)/float64(c.all), float64(c.all-c.p)/float64(c.all), c.trials)
			counts := make([]int64, len(probabilities)+1)
			for range samples {
				n := share.hits(r, c.trials)
				if n < 0 || n > c.trials {
					t.Fatalf("%d hits in %d trials", n, c.trials)
				}
				if n -= first; n < 0 || n >= int64(len(probabilities)) {
					n = int64(len(probabilities))
				}
				counts[n]++
			}
			if out := counts[len(probabilities)]; out > 0 {
				t.Errorf("%d of %d are where one of 10^9 is expected", out, samples)
			}
			x, cells, expected, observed := 0.0, 0, 0.0, int64(0)
			for i, p := range probabilities { // in cells of at least 10, and of at least 1 % of the samples in long lists
				expected += p * float64(samples)
				observed += counts[i]
				if expected >= 10 && (len(probabilities) < 500 || expected >= 0.01*float64(samples)) {
					x += deviation(observed, expected)
					cells++
					expected, observed = 0, 0
				}
			}
			if p := upperGamma(float64(cells-1)/2, x/2); p < 1e-5 {
				t.Errorf("chi-square is %.1f in %d cells: p = %v", x, cells, p)
			}
		})
	}
}

// binomial returns the probabilities of first and more hits, by the ratio of each to the one before. It leaves out what has
// a probability below 10^-9 at both ends.
func binomial(p, miss float64, trials int64) (first int64, probabilities []float64) {
	n, mode := float64(trials), int64(float64(trials)*p)
	next := func(k int64) float64 { return (n - float64(k)) / float64(k+1) * p / miss } // of k+1 to k
	low, high := []float64{}, []float64{1}
	for k, x := mode, next(mode); x > 1e-13 && k < trials; k, x = k+1, x*next(k+1) {
		high = append(high, x)
	}
	first = mode
	for x := 1.0; first > 0; first-- {
		if x /= next(first - 1); x < 1e-13 {
			break
		}
		low = append(low, x)
	}
	slices.Reverse(low)
	probabilities = append(low, high...)
	sum := 0.0
	for _, x := range probabilities {
		sum += x
	}
	for i := range probabilities {
		probabilities[i] /= sum
	}
	return first, probabilities
}

// The intervals are those of R's binom.test.
func TestInterval_IsClopperAndPearsons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, draws int64
		low, high   float64
	}{
		{0, 0, 0, 1}, {0, 10, 0, 0.3084971}, {5, 10, 0.1870861, 0.8129139}, {10, 10, 0.6915029, 1}, {3, 20, 0.03207094, 0.3789268},
		{1, 1000, 2.531749e-05, 0.005558924},
	} {
		if low, high := Interval(c.hits, c.draws); math.Abs(low-c.low) > 1e-6*c.low || math.Abs(high-c.high) > 1e-6*c.high {
			t.Errorf("%d of %d: %v to %v, want %v to %v", c.hits, c.draws, low, high, c.low, c.high)
		}
	}
}

// At the lower end as many hits and more have a probability of 2.5 %, at the upper end as many and fewer.
func TestInterval_LeavesOutTwoAndAHalfPercentAtEachEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hits, draws int64 }{
		{1, 1}, {1, 2}, {2, 7}, {1, 50}, {40, 50}, {75, 100_000}, {52_000, 1_000_000}, {999_999, 1_000_000}, {1, 1e9}, {5e8, 1e9},
	} {
		low, high := Interval(c.hits, c.draws)
		first, probabilities := binomial(low, 1-low, c.draws)
		above, below := 0.0, 0.0
		for i, p := range probabilities {
			if first+int64(i) >= c.hits {
				above += p
			}
		}
		if c.hits < c.draws {
			first, probabilities = binomial(high, 1-high, c.draws)
			for i, p := range probabilities {
				if first+int64(i) <= c.hits {
					below += p
				}
			}
		}
		if math.Abs(above-0.025) > 1e-5 || c.hits < c.draws && math.Abs(below-0.025) > 1e-5 {
			t.Errorf("%d of %d: %v to %v: %v and %v are outside", c.hits, c.draws, low, high, below, above)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	for _, draws := range []int64{4000, 20_000, 600_000} {
		b.Run(fmt.Sprintf("simulated, 43 drops, %d draws", draws), func(b *testing.B) {
			hits := make([]int64, len(general))
			for i, w := range general {
				hits[i] = draws * w / 100_000
			}
			for i := range b.N {
				FitOf(hits, general, [32]byte{byte(i)})
			}
		})
	}
	b.Run("kept, 43 drops", func(b *testing.B) {
		fits := NewFits([32]byte{})
		fits.Of(general, general)
		for b.Loop() {
			fits.Of(general, general)
		}
	})
}

func BenchmarkInterval(b *testing.B) {
	for b.Loop() {
		Interval(52_000, 1_000_000)
	}
}
