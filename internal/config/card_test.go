package config_test

import (
	"testing"
	"time"
)

func TestCard_WrongValuesAreNamed(t *testing.T) {
	t.Parallel()
	wantFaults(t, map[string]setting{
		"no delay":          {"CARD_DELAY", "", ""},
		"a negative delay":  {"CARD_DELAY", "-1h", "must be from 1s to 720h"},
		"a delay too long":  {"CARD_DELAY", "721h", "must be from 1s to 720h"},
		"nothing at once":   {"CARD_INSTANT", "0", ""},
		"no amount":         {"CARD_INSTANT", "much", "must be an amount in the shop's currency such as 20 or 19.99"},
		"a negative amount": {"CARD_PER_PLAYER", "-1", "must be an amount in the shop's currency such as 20 or 19.99"},
		"too many decimals": {"CARD_PER_DAY", "0.0000001", "must be an amount in the shop's currency such as 20 or 19.99"},
	})
}

func TestCard_HasLimitsWhenNoneAreSet(t *testing.T) {
	t.Parallel()
	c, faults := load(t, complete())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	instant, player, day := c.Card.Amounts()
	if c.Card.Delay != 24*time.Hour || instant != 20_000_000 || player != 500_000_000 || day != 5_000_000_000 {
		t.Errorf("%v, %d at once, %d for a player, %d in a day; want 24h, 20, 500 and 5,000 with six decimals", c.Card.Delay,
			instant, player, day)
	}
}
