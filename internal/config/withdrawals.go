package config

import "time"

// Withdrawals limit what players take out of their wallets.
type Withdrawals struct {
	// How long a confirmed withdrawal waits before it can be sent, except one to the player's own verified wallet; and every withdrawal
	// after a new password or a newly verified wallet.
	Delay time.Duration `env:"WITHDRAWAL_DELAY" envDefault:"24h"`
	// How long a withdrawal waits instead that was confirmed by a passkey. A passkey confirms once it has been there for WITHDRAWAL_DELAY.
	PasskeyDelay time.Duration `env:"WITHDRAWAL_PASSKEY_DELAY" envDefault:"1h"`
	// How much of the market's currency a player can withdraw in 24 hours; 0 for no limit.
	USDC string `env:"WITHDRAWAL_USDC_PER_DAY" envDefault:"5000"`
	// How much GOD a player can withdraw in 24 hours; 0 for no limit.
	GOD string `env:"WITHDRAWAL_GOD_PER_DAY" envDefault:"0"`
	// How many items a player can withdraw in 24 hours.
	Items int `env:"WITHDRAWAL_ITEMS_PER_DAY" envDefault:"100" min:"0"`
}

func (w *Withdrawals) check(f *faults, decimals int) {
	f.check(w.Delay >= 0 && w.Delay <= 30*24*time.Hour, "WITHDRAWAL_DELAY", "must be from 0s to 720h")
	f.check(w.PasskeyDelay >= 10*time.Minute && w.PasskeyDelay <= 30*24*time.Hour, "WITHDRAWAL_PASSKEY_DELAY", "must be from 10m to 720h")
	f.amount(decimals, "WITHDRAWAL_USDC_PER_DAY", w.USDC)
	f.amount(18, "WITHDRAWAL_GOD_PER_DAY", w.GOD)
}
