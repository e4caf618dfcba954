package app

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/catalogue"
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store/rewards"
)

// treasuryOf returns the treasury with its limits; the zero Treasury if there is none.
func treasuryOf(all config.Config, w portalWallets) (t reward.Treasury) {
	c := all.Treasury
	if len(w.treasury) == 0 {
		return t
	}
	t = reward.Treasury{
		Wallet: w.treasury[0].Address(), Currency: eth.MustAddress(all.Contracts.USDC), ItemsPerDay: int64(c.ItemsPerDay),
		ItemsPerPlayer: int64(c.ItemsPerPlayer),
	}
	t.PerDay, t.PerPlayer = c.USDC()
	return t
}

// checkSend checks that the treasury can send something; see webstore.Checks.
func checkSend(t reward.Treasury, c *catalogue.Catalogue, s webstore.Send) error {
	if t.Wallet.IsZero() {
		return errors.New("needs a treasury (TREASURY_PRIVATE_KEY)")
	}
	if s.USDC != "" {
		if n, ok := s.Units(); !ok || n < 1 || n > min(t.PerDay, t.PerPlayer) {
			return fmt.Errorf("%q is no amount of USDC within TREASURY_USDC_PER_DAY and TREASURY_USDC_PER_PLAYER", s.USDC)
		}
		return nil
	}
	if s.Collection != webstore.PackCollection {
		return fmt.Errorf("the treasury sends USDC and tokens of %s only", webstore.PackCollection)
	}
	if s.Amount < 1 || s.Amount > min(t.ItemsPerDay, t.ItemsPerPlayer) {
		return fmt.Errorf("%d are not within the limits of TREASURY_ITEMS_PER_DAY and TREASURY_ITEMS_PER_PLAYER", s.Amount)
	}
	_, err := c.Describe(s.Collection, s.Token)
	return err
}

// measureTreasury registers the metric of how much USDC the treasury has.
func measureTreasury(b *base) error {
	usdc := reward.Transfer{Chain: b.game, Contract: b.treasury.Currency, TokenID: "0"}
	return b.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "pantheon", Subsystem: "treasury", Name: "usdc", Help: "USDC in the treasury: NaN when the database does not tell.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), measureTime)
		defer cancel()
		s, err := rewards.New(b.db).TreasuryStock(ctx, b.treasury.Wallet, []reward.Transfer{usdc}, "")
		if err != nil {
			return math.NaN()
		}
		return float64(s.Balances[usdc.Asset()]) / math.Pow10(b.currency().Decimals)
	}))
}
