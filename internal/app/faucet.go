package app

import (
	"context"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
)

// faucet gives test money to players with a wallet; m is nil for none.
func faucet(payouts *reward.Service, wallets *wallet.Service, now clock.Clock, m *reward.Mint) func(context.Context, string) error {
	if m == nil {
		return nil
	}
	return func(ctx context.Context, playerID string) error {
		_, smart, err := wallets.Pair(ctx, playerID)
		if err != nil {
			return err
		}
		if smart == nil {
			return wallet.ErrNotReady
		}
		gift := *m
		gift.To = *smart
		return payouts.Grant(ctx, reward.Reward{
			Source: "faucet/" + playerID + "/" + now.Now().Format(time.RFC3339Nano), PlayerID: playerID,
			Origin: reward.FromFaucet, Grants: []reward.Content{gift.Content()},
		})
	}
}
