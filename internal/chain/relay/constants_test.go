package relay

import (
	"testing"
	"time"
)

// The allowed excess over our estimates, and the bounds of bundles: the other tests show that a bound exists, but not
// its value.
// Spec: GAS-1
func TestRelay_LimitsAreTheProductsNumbers(t *testing.T) {
	t.Parallel()
	for name, number := range map[string]struct{ got, want int }{
		"gas beyond the estimate of the calls": {callGasMargin, 50_000}, "gas beyond the other estimates": {gasMargin, 10_000},
		"a share of the data's gas": {dataMargin, 4}, "times the base fee": {baseFeeMargin, 3}, "times the tip": {tipMargin, 2},
		"least fee":              {leastFee, 10_000_000},
		"operations of a bundle": {maxBundle, 48}, "bytes of a bundle": {maxBundleData, 98_304}, "gas of a bundle": {maxBundleGas, 15_000_000},
		"reverts of an operation": {maxReverts, 3}, "accounts to blame": {maxBlamed, 4096}, "blocks searched": {searchBlocks, 1000},
		"seconds of blame": {int(blameTime / time.Second), 600}, "seconds until a sponsorship is released": {int(releaseAfter / time.Second), 60},
	} {
		if number.got != number.want {
			t.Errorf("%s: %d, want %d", name, number.got, number.want)
		}
	}
}
