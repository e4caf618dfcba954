package config

import (
	"slices"

	"pantheon/internal/kit/money"
)

// Treasury configures the wallet from which USDC and KOD packs are sent that were bought in the shop.
type Treasury struct {
	// Private key of the treasury: a wallet of its own on the game chain with USDC, KOD packs and gas money, from which is sent what was
	// bought of them in the shop. Empty where the shop sells none.
	Key Secret `env:"TREASURY_PRIVATE_KEY" kind:"optional key"`
	// How much USDC the treasury sends in 24 hours, and how much players can buy.
	PerDay string `env:"TREASURY_USDC_PER_DAY" envDefault:"5000"`
	// How much of it one player can buy.
	PerPlayer string `env:"TREASURY_USDC_PER_PLAYER" envDefault:"500"`
	// How many KOD packs the treasury sends in 24 hours, and how many players can buy.
	ItemsPerDay int `env:"TREASURY_ITEMS_PER_DAY" envDefault:"200" min:"0"`
	// How many of them one player can buy.
	ItemsPerPlayer int `env:"TREASURY_ITEMS_PER_PLAYER" envDefault:"20" min:"0"`
}

// USDC returns the limits of USDC, in its base units.
func (t Treasury) USDC() (perDay, perPlayer int64) {
	return unitsOf(t.PerDay, money.USDCDecimals), unitsOf(t.PerPlayer, money.USDCDecimals)
}

// unitsOf returns a decimal amount in base units; -1 if it is none, or too large.
func unitsOf(text string, decimals int) int64 {
	amount, err := money.ParseDecimal(text, decimals)
	if err != nil {
		return -1
	}
	if n, ok := amount.Int64(); ok {
		return n
	}
	return -1
}

func (t *Treasury) check(f *faults, w Wallets) {
	others := slices.Concat(w.ManagerKey.Keys(), w.ClaimerKey.Keys(), w.GasRelayerKey.Keys(), w.PaymasterKey.Keys())
	shared := slices.ContainsFunc(t.Key.Keys(), func(key string) bool { return slices.Contains(others, key) })
	f.check(!shared, "TREASURY_PRIVATE_KEY", "must be the key of a wallet of its own")
	for name, amount := range map[string]string{"TREASURY_USDC_PER_DAY": t.PerDay, "TREASURY_USDC_PER_PLAYER": t.PerPlayer} {
		f.check(unitsOf(amount, money.USDCDecimals) >= 0, name, "must be an amount with at most 6 decimals")
	}
}
