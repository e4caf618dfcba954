package config

import (
	"cmp"
	"time"

	"pantheon/internal/kit/money"
)

// Card bounds what is given for payments by card, which can be charged back for months.
type Card struct {
	// How long after a payment in the shop tokens that can change hands, packs and USDC are given: until then a refund or a dispute
	// stops them. Currencies of the games are given at once. 24h when empty, 1m with pantheon dev.
	Delay time.Duration `env:"CARD_DELAY"`
	// How much of it, in the shop's currency, a player gets in 24 hours without that delay whose first payment is 60 days old and who
	// never disputed one.
	Instant string `env:"CARD_INSTANT" envDefault:"20"`
	// How much of it, in the shop's currency, one player can buy in 24 hours. What is paid for beyond it waits for an operator.
	PerPlayer string `env:"CARD_PER_PLAYER" envDefault:"500"`
	// How much of it all players together can buy in 24 hours.
	PerDay string `env:"CARD_PER_DAY" envDefault:"5000"`
}

// complete sets the unset delay.
func (c *Card) complete() { c.Delay = cmp.Or(c.Delay, 24*time.Hour) }

// Amounts returns the limits in millionths of the shop's currency.
func (c Card) Amounts() (instant, perPlayer, perDay int64) {
	return unitsOf(c.Instant, money.PriceDecimals), unitsOf(c.PerPlayer, money.PriceDecimals), unitsOf(c.PerDay, money.PriceDecimals)
}

func (c *Card) check(f *faults) {
	f.check(c.Delay >= time.Second && c.Delay <= 30*24*time.Hour, "CARD_DELAY", "must be from 1s to 720h")
	for name, amount := range map[string]string{"CARD_INSTANT": c.Instant, "CARD_PER_PLAYER": c.PerPlayer, "CARD_PER_DAY": c.PerDay} {
		f.check(unitsOf(amount, money.PriceDecimals) >= 0, name, "must be an amount in the shop's currency such as 20 or 19.99")
	}
}
