package series_test

import (
	"testing"

	"pantheon/internal/kit/series"
)

func TestSeries_OfIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int64{
		"0": 0, "1": 0, "9999999999999": 0, "10000000000000": 1, "19999999999999": 1, "8990000000000000": 899, "8999999999999999": 899,
		"9000000000000000": 0, "-10000000000000": 0, "": 0, "x": 0,
		"115792089237316195423570985008687907853269984665640564039457584007913129639935": 0,
	} {
		if got := series.Of(id); got != want {
			t.Errorf("series of %q is %d, want %d", id, got, want)
		}
	}
	if id := series.ID(16, 9_999_999_999_999); id != "169999999999999" {
		t.Errorf("the last id of series 16 is %s", id)
	}
}
