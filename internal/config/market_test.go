package config_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/brand"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
)

// inGems returns the brand with another currency.
func inGems(t *testing.T) *brand.Brand {
	t.Helper()
	registry, err := os.ReadFile("../../brands/pantheon/collections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := *brandtest.Pantheon()
	b.Collections, err = collections.Parse("collections.yaml",
		[]byte(strings.Replace(string(registry), "{symbol: USDC, decimals: 6}", "{symbol: GEM, decimals: 18}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestConfig_WarnsOfDollarDefaultsInAnotherCurrency(t *testing.T) {
	t.Parallel()
	c, _ := load(t, complete())
	named := func() bool {
		return slices.ContainsFunc(c.Warnings(), func(w string) bool { return strings.HasPrefix(w, "the market's currency is GEM, ") })
	}
	if named() {
		t.Errorf("with USDC: %q", c.Warnings())
	}
	c.Brand, c.Trades.OneSeller = inGems(t), "3"
	want := "the market's currency is GEM, and these defaults are meant for US dollars: TRADE_RISK_PER_DAY 25, " +
		"TRADE_RISK_UNKNOWN 25, LISTING_PRICE_MIN 0.01, WITHDRAWAL_USDC_PER_DAY 5000"
	if !slices.Contains(c.Warnings(), want) {
		t.Errorf("%q, want %q", c.Warnings(), want)
	}
}

// Larger amounts do not fit the columns.
func TestConfig_LimitsOfTradesAreNineMillionAtMost(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"TRADE_RISK_PER_DAY", "TRADE_RISK_UNKNOWN", "TRADE_ONE_SELLER"} {
		env := complete()
		env[name] = "9000000"
		if _, faults := load(t, env); faults != nil {
			t.Errorf("%q", faults)
		}
		env[name] = "9000000.000001"
		if _, faults := load(t, env); !slices.Equal(faults, []string{name + ": must be at most 9000000"}) {
			t.Errorf("%q", faults)
		}
	}
}
