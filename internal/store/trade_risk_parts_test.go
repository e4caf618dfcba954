package store

import (
	"testing"

	"pantheon/internal/kit/money"
)

// Stored amounts are rounded up to a millionth.
func TestTradeRisk_AmountsAreStoredInMillionthsRoundedUp(t *testing.T) {
	t.Parallel()
	const ether = "000000000000000000"
	for _, c := range []struct {
		decimals       int
		amount, stored string
	}{
		{6, "0", "0"}, {6, "25000000", "25000000"}, {2, "2500", "2500"}, {18, "25" + ether, "25" + ether},
		{18, "1", "1000000000000"}, {18, "1000000000000", "1000000000000"}, {18, "1000000000001", "2000000000000"},
		{18, "8000000" + ether, "8000000" + ether},
		// Capped, so that sums fit 63 bits.
		{18, "1000000000000" + ether, "9223372036854000000000000"}, {6, "10000000000000000000", "9223372036854"},
	} {
		risk := TradeRisk{Decimals: c.decimals}
		got, err := risk.whole(risk.parts(money.MustParse(c.amount)))
		if err != nil || got.String() != c.stored {
			t.Errorf("%s with %d decimals: %s, %v, want %s", c.amount, c.decimals, got, err, c.stored)
		}
	}
}
