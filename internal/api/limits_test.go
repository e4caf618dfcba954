package api

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The limiter counts the calls of this window, and those of the previous one in proportion to its part of the last
// minute.
func TestRateLimits_RefusalNamesTheFirstSecondWithRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 300).Draw(t, "limit")
		n := rapid.IntRange(1, 300).Draw(t, "n")
		current, previous := rapid.IntRange(0, limit).Draw(t, "current"), rapid.IntRange(0, limit).Draw(t, "previous")
		elapsed := rapid.Float64Range(0, 59.999).Draw(t, "elapsed")
		seconds, ever := untilRoom(limit-n, current, previous, elapsed)
		if ever != (n <= limit) {
			t.Fatalf("ever is %v", ever)
		}
		if !ever {
			return
		}
		rate := func(after int) float64 {
			at, in, before := elapsed+float64(after), current, previous
			for ; at >= 60; at -= 60 {
				in, before = 0, in
			}
			return float64(before)*(60-at)/60 + float64(in)
		}
		if math.Round(rate(seconds))+float64(n) > float64(limit) {
			t.Fatalf("after %d seconds there is no room", seconds)
		}
		if seconds > 1 && rate(seconds-1)+float64(n) < float64(limit)-1e-6 {
			t.Fatalf("there was room before %d seconds", seconds)
		}
	})
}
