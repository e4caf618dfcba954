package money_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pantheon/internal/kit/money"
)

// amount draws any amount of 256 bits.
func amount(t *rapid.T, name string) money.Units {
	b := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, name))
	u, err := money.FromBig(b)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func highest(t testing.TB) money.Units {
	t.Helper()
	u, err := money.FromBig(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Spec: ITEM-12
func TestUnits_AmountsSurviveEveryForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := amount(t, "amount")
		decimals := rapid.IntRange(0, 36).Draw(t, "decimals")
		parsed, err := money.Parse(u.String())
		if err != nil || parsed.Cmp(u) != 0 {
			t.Fatalf("%s is read as %s, %v", u, parsed, err)
		}
		text := u.Decimal(decimals)
		if strings.Contains(text, ".") && strings.HasSuffix(text, "0") {
			t.Fatalf("%s has trailing zeros", text)
		}
		if len(u.String()) <= 78-decimals {
			if parsed, err = money.ParseDecimal(text, decimals); err != nil || parsed.Cmp(u) != 0 {
				t.Fatalf("%s with %d decimals is read as %s, %v", text, decimals, parsed, err)
			}
		}
		var stored, written money.Units
		v, err := u.Value()
		if err != nil || stored.Scan(v) != nil || stored.Cmp(u) != 0 || stored.Scan([]byte(u.String())) != nil || stored.Cmp(u) != 0 {
			t.Fatalf("stored as %v, read as %s", v, stored)
		}
		b, err := json.Marshal(u)
		if err != nil || string(b) != `"`+u.String()+`"` || json.Unmarshal(b, &written) != nil || written.Cmp(u) != 0 {
			t.Fatalf("written as %s, read as %s", b, written)
		}
		if got := u.Big(); got.Cmp(written.Big()) != 0 {
			t.Fatalf("big %s", got)
		}
	})
}

// Spec: ITEM-12
func TestUnits_ArithmeticIsThatOfIntegersAndNeverWraps(t *testing.T) {
	t.Parallel()
	limit := highest(t).Big()
	fits := func(b *big.Int) bool { return b.Sign() >= 0 && b.Cmp(limit) <= 0 }
	rapid.Check(t, func(t *rapid.T) {
		a, b := amount(t, "a"), amount(t, "b")
		n := rapid.Int64().Draw(t, "n")
		for what, c := range map[string]struct {
			want *big.Int
			got  func() (money.Units, error)
		}{
			"a+b": {new(big.Int).Add(a.Big(), b.Big()), func() (money.Units, error) { return a.Add(b) }},
			"a-b": {new(big.Int).Sub(a.Big(), b.Big()), func() (money.Units, error) { return a.Sub(b) }},
			"a×n": {new(big.Int).Mul(a.Big(), big.NewInt(n)), func() (money.Units, error) { return a.Mul(n) }},
		} {
			got, err := c.got()
			if (err == nil) != fits(c.want) || err == nil && got.Big().Cmp(c.want) != 0 {
				t.Fatalf("%s of %s, %s, %d is %s, %v", what, a, b, n, got, err)
			}
		}
		if n > 0 {
			if want := new(big.Int).Div(a.Big(), big.NewInt(n)); a.Div(n).Big().Cmp(want) != 0 {
				t.Fatalf("%s/%d is %s", a, n, a.Div(n))
			}
		}
		if a.Cmp(b) != a.Big().Cmp(b.Big()) || a.IsZero() != (a.Big().Sign() == 0) {
			t.Fatalf("%s compared with %s: %d", a, b, a.Cmp(b))
		}
	})
}

func TestUnits_DecimalsOfACurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		decimals int
		want     string // base units; "" when refused
		canon    string // the formatted amount
	}{
		{"0", 6, "0", "0"},
		{"12.5", 6, "12500000", "12.5"},
		{"12.50", 6, "12500000", "12.5"},
		{"0.000001", 6, "1", "0.000001"},
		{"007", 6, "7000000", "7"},
		{"7", 0, "7", "7"},
		{"0.0000001", 6, "", ""},
		{"1.0", 0, "", ""},
		{"", 6, "", ""},
		{".5", 6, "", ""},
		{"5.", 6, "", ""},
		{"1.2.3", 6, "", ""},
		{"-1", 6, "", ""},
		{"+1", 6, "", ""},
		{"1e3", 6, "", ""},
		{"1,5", 6, "", ""},
		{" 1", 6, "", ""},
		{"１", 6, "", ""},
		{"0x10", 6, "", ""},
		{strings.Repeat("9", 72), 6, "", ""}, // beyond 2^256
		{strings.Repeat("9", 79), 6, "", ""},
	} {
		u, err := money.ParseDecimal(c.text, c.decimals)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%q of %d decimals is read as %s", c.text, c.decimals, u)
		case c.want != "" && (err != nil || u.String() != c.want || u.Decimal(c.decimals) != c.canon):
			t.Errorf("%q of %d decimals is %s or %s, %v; want %s and %s", c.text, c.decimals, u, u.Decimal(c.decimals), err, c.want, c.canon)
		}
	}
}

// No one is shown money they do not have.
func TestUnits_FixedPlacesRoundDown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		units            string
		decimals, places int
		want             string
	}{
		{"0", 6, 2, "0.00"}, {"1999999", 6, 2, "1.99"}, {"1500000", 6, 4, "1.5000"}, {"9", 6, 4, "0.0000"}, {"1999999", 6, 0, "1"},
		{"5", 0, 2, "5.00"}, {"123456789", 6, 6, "123.456789"}, {"123456789", 6, 8, "123.45678900"},
	} {
		if got := money.MustParse(c.units).Fixed(c.decimals, c.places); got != c.want {
			t.Errorf("%s of %d decimals with %d places is %s, want %s", c.units, c.decimals, c.places, got, c.want)
		}
	}
}

func TestUnits_WhatIsNotAnAmount(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "-1", "+1", "1.0", "1e3", "0x1", " 1", "1 ", "١", new(big.Int).Lsh(big.NewInt(1), 256).String(), strings.Repeat("0", 79),
	} {
		if u, err := money.Parse(s); err == nil {
			t.Errorf("%q is read as %s", s, u)
		}
		var u money.Units
		if u.UnmarshalText([]byte(s)) == nil {
			t.Errorf("%q is unmarshalled as %s", s, u)
		}
	}
	for _, b := range []*big.Int{nil, big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 256)} {
		if u, err := money.FromBig(b); err == nil {
			t.Errorf("%v is taken as %s", b, u)
		}
	}
	var u money.Units
	if u.Scan(nil) == nil || u.Scan(int64(7)) == nil || u.Scan("x") == nil {
		t.Error("something else is scanned as an amount")
	}
	if n, ok := highest(t).Int64(); ok {
		t.Errorf("2^256-1 fits 63 bits as %d", n)
	}
	if n, ok := (money.Units{}).Int64(); !ok || n != 0 {
		t.Error("the zero value is not 0")
	}
}

// Changing a big integer that an amount was made from, or returned, does not change the amount.
func TestUnits_AmountsDoNotChange(t *testing.T) {
	t.Parallel()
	b := big.NewInt(7)
	u, err := money.FromBig(b)
	if err != nil {
		t.Fatal(err)
	}
	b.SetInt64(8)
	u.Big().SetInt64(9)
	if u.String() != "7" {
		t.Errorf("7 became %s", u)
	}
}
