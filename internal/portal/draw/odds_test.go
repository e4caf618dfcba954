package draw_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
)

// Spec: DRAW-3
func TestEffective_IsTheShareInTheLongRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		weights []int64
		lucky   []bool
		after   int64
		want    []float64
	}{
		"every second at the latest": {[]int64{1, 1}, []bool{false, true}, 1, []float64{1.0 / 3, 2.0 / 3}},
		"8 % and after 19":           {[]int64{92, 6, 2}, []bool{false, true, true}, 19, []float64{0.901394, 0.0739548, 0.0246516}},
		"15 % and after 9": {[]int64{8500, 400, 100, 1000}, []bool{false, true, true, true}, 9,
			[]float64{0.813230, 0.0498054, 0.0124514, 0.124514}},
		"no rule":                     {[]int64{3, 1}, []bool{false, true}, 0, []float64{0.75, 0.25}},
		"a rule of less than nothing": {[]int64{3, 1}, []bool{false, true}, -1, []float64{0.75, 0.25}},
		"no lucky drop":               {[]int64{3, 1}, []bool{false, false}, 5, []float64{0.75, 0.25}},
		"all lucky":                   {[]int64{3, 1}, []bool{true, true}, 5, []float64{0.75, 0.25}},
		"almost never lucky":          {[]int64{1e12 - 1, 1}, []bool{false, true}, 1, []float64{0.5, 0.5}},
		"the rule hardly ever counts": {[]int64{1, 1}, []bool{false, true}, 1e6, []float64{0.5, 0.5}},
		"nothing":                     {nil, nil, 5, []float64{}},
	} {
		got := draw.Effective(c.weights, c.lucky, c.after)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestEffective_IsThatOfAChainOfDraws(t *testing.T) {
	t.Parallel()
	draws := 10_000_000
	if testing.Short() {
		draws = 200_000
	}
	for name, c := range map[string]struct {
		weights []int64
		lucky   []bool
		after   int64
	}{
		"8 % and after 19":   {[]int64{5200, 3250, 750, 600, 140, 60}, []bool{false, false, false, true, true, true}, 19},
		"15 % and after 9":   {[]int64{2200, 2200, 2200, 1900, 400, 100, 1000}, []bool{false, false, false, false, true, true, true}, 9},
		"0.1 % and after 99": {[]int64{999, 1}, []bool{false, true}, 99},
		"90 % and after 1":   {[]int64{80, 10, 10}, []bool{true, false, true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2026))
			counts, without := make([]int, len(c.weights)), int64(0)
			for range draws {
				pitied, sum := without >= c.after, int64(0)
				for i, w := range c.weights {
					if !pitied || c.lucky[i] {
						sum += w
					}
				}
				n := r.Int64N(sum)
				for i, w := range c.weights {
					if pitied && !c.lucky[i] {
						continue
					}
					if n < w {
						counts[i]++
						without++
						if c.lucky[i] {
							without = 0
						}
						break
					}
					n -= w
				}
			}
			for i, share := range draw.Effective(c.weights, c.lucky, c.after) {
				// The rule makes the shares vary less than those of independent draws.
				got, bound := float64(counts[i])/float64(draws), 4*math.Sqrt(share*(1-share)/float64(draws))
				if math.Abs(got-share) > bound {
					t.Errorf("drop %d: %v, within %v of %v", i, share, bound, got)
				}
			}
		})
	}
}

func TestNow_MovesSharesToSubstitutes(t *testing.T) {
	t.Parallel()
	shares := []float64{0.5, 0.25, 0.125, 0.125}
	for _, c := range []struct {
		substitute []int
		want       []float64
	}{
		{[]int{-1, -1, -1, -1}, []float64{0.5, 0.25, 0.125, 0.125}},
		{[]int{-1, -1, -1, 1}, []float64{0.5, 0.375, 0.125, 0}},
		{[]int{2, -1, -1, 2}, []float64{0, 0.25, 0.75, 0}},
		{[]int{-1, 0, 0, 0}, []float64{1, 0, 0, 0}},
	} {
		if got := draw.Now(shares, c.substitute); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.substitute, got, c.want)
		}
	}
	if !slices.Equal(shares, []float64{0.5, 0.25, 0.125, 0.125}) {
		t.Errorf("the shares have become %v", shares)
	}
}

// The built-in god packs: 15 % by weight are mythic, one of ten openings is at the latest, and 1,000 elder gods are given, in whose place
// there are glasses then.
func TestTable_SharesFollowFromPityAndFromWhatHasRunOut(t *testing.T) {
	t.Parallel()
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	god, _ := tables.OfToken("3")
	same := func(got, want []float64) bool {
		return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	}
	inLongRun := []float64{0.2104828, 0.2104828, 0.2104828, 0.1817806, 0.0498054, 0.0124514, 0.1245144}
	for given, withSubstitutes := range map[int64][]float64{
		999:  inLongRun,
		1000: {0.2104828, 0.2104828, 0.2104828, 0.1817806, 0.1743198, 0.0124514, 0},
	} {
		promised, effective, now := god.Shares(map[string]int64{"elder-gods": given})
		if !same(promised, []float64{0.22, 0.22, 0.22, 0.19, 0.04, 0.01, 0.1}) || !same(effective, inLongRun) || !same(now, withSubstitutes) {
			t.Errorf("after %d: %v, %v, %v", given, promised, effective, now)
		}
	}
}
