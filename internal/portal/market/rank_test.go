package market_test

import (
	"cmp"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
)

func TestPriceRank_IsInTheOrderOfPrices(t *testing.T) {
	t.Parallel()
	for price, want := range map[string]int64{
		"0": 0, "12500000": 12_500_000, "4611686018427387903": 4_611_686_018_427_387_903, // 2^62-1
		"4611686018427387904": 4_620_693_217_682_128_896,
	} {
		if got := market.PriceRank(money.MustParse(price)); got != want {
			t.Errorf("%s: %d, want %d", price, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.SliceOfN(rapid.Byte(), 0, 32)
		a, err := money.FromBig(new(big.Int).SetBytes(one.Draw(t, "a")))
		if err != nil {
			t.Fatal(err)
		}
		b, err := money.FromBig(new(big.Int).SetBytes(one.Draw(t, "b")))
		if err != nil {
			t.Fatal(err)
		}
		if order := cmp.Compare(market.PriceRank(a), market.PriceRank(b)); order != 0 && order != a.Cmp(b) {
			t.Fatalf("%s and %s are in the order %d", a, b, order)
		}
		more, err := money.FromBig(new(big.Int).Add(new(big.Int).Lsh(a.Big(), 1), big.NewInt(1)))
		if err == nil && market.PriceRank(more) <= market.PriceRank(a) {
			t.Fatalf("%s is not above %s", more, a)
		}
		if market.PriceRank(a) < 0 {
			t.Fatalf("%s has a negative rank", a)
		}
	})
}
