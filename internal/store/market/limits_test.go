package market

import (
	"testing"

	"pantheon/internal/portal/market"
)

// With one card per kind each row costs a search for its token's cheapest listing.
func TestBrowse_OneCardPerKindScansFewerRows(t *testing.T) {
	t.Parallel()
	for cheapest, want := range map[bool][2]int{false: {1000, 2000}, true: {200, 1000}} {
		b := browser{limits: defaultBrowseLimits, q: market.Query{Cheapest: cheapest}}
		if got := [2]int{b.firstScan(), b.longScan()}; got != want {
			t.Errorf("Cheapest %t: scans of %v rows, want %v", cheapest, got, want)
		}
	}
}
