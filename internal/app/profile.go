package app

import (
	"context"
	"encoding/base64"

	"pantheon/internal/api"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
)

// buildPlayers builds what players see of themselves and of others.
func (a *App) buildPlayers(ctx context.Context, o Options, key []byte, platform leaderboard.Platform, goods []collection,
	to *api.Options) (err error) {
	if a.playfab == nil && o.Standings != nil {
		if err := accounts.New(a.db).SeedScores(ctx, o.Standings, a.clock.Now()); err != nil {
			return err
		}
	}
	protect := deriveKey(key, "protected-data")
	if a.config.Shop.DataKey != "" {
		if protect, err = base64.StdEncoding.DecodeString(a.config.Shop.DataKey.Reveal()); err != nil {
			return err // validated with the configuration
		}
	}
	if to.Protector, err = profile.NewProtector(protect, a.clock); err != nil {
		return err
	}
	to.Tariffs = a.tariffs
	to.Lists = profile.NewLists(accounts.New(a.db), a.clock)
	to.Boards = leaderboard.NewService(platform)
	to.Activity = a.activity(goods)
	return nil
}

// activity returns the activity service over both chains.
func (a *App) activity(goods []collection) *activity.Service {
	k := a.config.Contracts
	usdc, god := eth.MustAddress(k.USDC), eth.MustAddress(k.GOD)
	book := store.Activity{
		DB: a.db, Chains: []onchain.ChainID{a.config.GameChain.ChainID(), a.config.MainChain.ChainID()},
		Currencies: map[eth.Address]activity.Currency{
			usdc: {Symbol: currencySymbol, Decimals: currencyDecimals}, god: {Symbol: godSymbol, Decimals: godDecimals},
		},
	}
	config := activity.Config{Packs: named(goods, "chests").address, ElderGods: named(goods, "elder-gods").address}
	for _, group := range byKind(goods) {
		var addresses []eth.Address
		for _, c := range group {
			addresses = append(addresses, c.address)
		}
		config.Kinds = append(config.Kinds, addresses)
	}
	return activity.NewService(book, config)
}
