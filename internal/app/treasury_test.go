package app

import (
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
)

func TestTreasury_SendsWhatItHasWithinItsLimitsOnly(t *testing.T) {
	t.Parallel()
	treasury := reward.Treasury{
		Wallet: eth.Address{1}, PerDay: 100_000_000, PerPlayer: 50_000_000, ItemsPerDay: 10, ItemsPerPlayer: 20, // in base units
	}
	for what, test := range map[string]struct {
		send webstore.Send
		want string
	}{
		"USDC":           {webstore.Send{USDC: "50"}, ""},
		"the least USDC": {webstore.Send{USDC: "0.000001"}, ""},
		"more USDC than a player": {
			webstore.Send{USDC: "50.000001"}, `"50.000001" is no amount of USDC within TREASURY_USDC_PER_DAY and TREASURY_USDC_PER_PLAYER`,
		},
		"no USDC": {
			webstore.Send{USDC: "0"}, `"0" is no amount of USDC within TREASURY_USDC_PER_DAY and TREASURY_USDC_PER_PLAYER`,
		},
		"negative USDC": {
			webstore.Send{USDC: "-5"}, `"-5" is no amount of USDC within TREASURY_USDC_PER_DAY and TREASURY_USDC_PER_PLAYER`,
		},
		"too many decimals": {
			webstore.Send{USDC: "1.0000001"}, `"1.0000001" is no amount of USDC within TREASURY_USDC_PER_DAY and TREASURY_USDC_PER_PLAYER`,
		},
		"KOD packs": {webstore.Send{Collection: "chests", Token: "1", Amount: 10}, ""},
		"more than all in a day": {
			webstore.Send{Collection: "chests", Token: "1", Amount: 11},
			"11 are not within the limits of TREASURY_ITEMS_PER_DAY and TREASURY_ITEMS_PER_PLAYER",
		},
		"no KOD packs": {
			webstore.Send{Collection: "chests", Token: "1"},
			"0 are not within the limits of TREASURY_ITEMS_PER_DAY and TREASURY_ITEMS_PER_PLAYER",
		},
		"other tokens": {
			webstore.Send{Collection: "avatars", Token: "1", Amount: 1}, "the treasury sends USDC and tokens of chests only",
		},
		"a KOD pack that is none":   {webstore.Send{Collection: "chests", Token: "99", Amount: 1}, `unknown token "99" in chests`},
		"a token that is no number": {webstore.Send{Collection: "chests", Token: "x", Amount: 1}, `unknown token "x" in chests`},
	} {
		got := ""
		if err := checkSend(treasury, brandtest.Pantheon().Catalogue, test.send); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
	if err := checkSend(reward.Treasury{}, brandtest.Pantheon().Catalogue, webstore.Send{USDC: "1"}); err == nil ||
		err.Error() != "needs a treasury (TREASURY_PRIVATE_KEY)" {
		t.Errorf("without a treasury: %v", err)
	}
}
