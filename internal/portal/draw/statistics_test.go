package draw_test

import (
	"math"
	"testing"

	"pantheon/internal/portal/draw"
)

// The probabilities are those of published tables of the chi-square distribution.
func TestStatistics_ChiSquareIsThatOfTheTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		drawn, weights []int64
		statistic, p   float64
		degrees        int
	}{
		{[]int64{50, 50}, []int64{1, 1}, 0, 1, 1},
		{[]int64{60, 40}, []int64{1, 1}, 4, 0.0455, 1},
		{[]int64{44, 56, 50}, []int64{1, 1, 1}, 1.44, 0.4868, 2},
		{[]int64{16, 18, 16, 14, 12, 12}, []int64{1, 1, 1, 1, 1, 1}, 2, 0.8491, 5},
		{[]int64{100, 0}, []int64{1, 1}, 100, 0, 1},
	} {
		statistic, degrees, p, ok := draw.ChiSquare(c.drawn, c.weights)
		if !ok || math.Abs(statistic-c.statistic) > 0.001 || degrees != c.degrees || math.Abs(p-c.p) > 0.0001 {
			t.Errorf("%v: %v, %d, %v, %v; want %v, %d, %v", c.drawn, statistic, degrees, p, ok, c.statistic, c.degrees, c.p)
		}
	}
	if _, _, _, ok := draw.ChiSquare([]int64{0, 0}, []int64{1, 1}); ok {
		t.Error("a test of no draws")
	}
}

func TestStatistics_IntervalIsWilsons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, draws int64
		low, high   float64
	}{{0, 0, 0, 1}, {0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {1, 1000, 0.0002, 0.0056}} {
		if low, high := draw.Interval(c.hits, c.draws); math.Abs(low-c.low) > 0.0001 || math.Abs(high-c.high) > 0.0001 {
			t.Errorf("%d of %d: %v to %v, want %v to %v", c.hits, c.draws, low, high, c.low, c.high)
		}
	}
}
