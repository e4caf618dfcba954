package config_test

import "testing"

func TestTreasury_WrongValuesAreNamed(t *testing.T) {
	t.Parallel()
	wantFaults(t, map[string]setting{
		"no treasury":       {"TREASURY_PRIVATE_KEY", "", ""},
		"the claimer's key": {"TREASURY_PRIVATE_KEY", complete()["CLAIMER_PRIVATE_KEY"], "must be the key of a wallet of its own"},
		"no key": {"TREASURY_PRIVATE_KEY", "0x12", "must be a private key (0x and 64 hex digits) " +
			"or a key that signs at a key management service (aws-kms://…, gcp-kms://…)"},
		"too many decimals": {"TREASURY_USDC_PER_DAY", "0.0000001", "must be an amount with at most 6 decimals"},
		"no amount":         {"TREASURY_USDC_PER_PLAYER", "much", "must be an amount with at most 6 decimals"},
		"more than can be":  {"TREASURY_USDC_PER_PLAYER", "10000000000000", "must be an amount with at most 6 decimals"},
		"a negative number": {"TREASURY_ITEMS_PER_DAY", "-1", "must not be negative"},
	})
	env := complete()
	env["TREASURY_USDC_PER_PLAYER"] = "0.5"
	c, _ := load(t, env)
	if day, player := c.Treasury.USDC(); day != 5_000_000_000 || player != 500_000 {
		t.Errorf("limits of %d and %d base units", day, player)
	}
}

func TestTreasury_HasLimitsWhenNoneAreSet(t *testing.T) {
	t.Parallel()
	c, faults := load(t, complete())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	day, player := c.Treasury.USDC()
	if day != 5_000_000_000 || player != 500_000_000 {
		t.Errorf("%d base units of USDC in a day, %d for a player; want 5,000 and 500 USDC", day, player)
	}
	if c.Treasury.ItemsPerDay != 200 || c.Treasury.ItemsPerPlayer != 20 {
		t.Errorf("%d KOD packs in a day, %d for a player; want 200 and 20", c.Treasury.ItemsPerDay, c.Treasury.ItemsPerPlayer)
	}
}
