package app

import (
	"context"

	"pantheon/internal/api"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/ark"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
)

// buildPlayers makes what players see of themselves and of others.
func (a *App) buildPlayers(ctx context.Context, o Options, key []byte, platform leaderboard.Platform, collections []collection, to *api.Options) (err error) {
	if a.playfab == nil && o.Standings != nil {
		if err := a.db.SeedScores(ctx, o.Standings, a.clock.Now()); err != nil {
			return err
		}
	}
	if to.Protector, err = profile.NewProtector(deriveKey(key, "protected-data"), a.clock); err != nil {
		return err
	}
	if to.Arks, err = ark.LoadTariff(); err != nil {
		return err
	}
	to.Lists = profile.NewLists(a.db, a.clock)
	to.Boards = leaderboard.NewService(platform)
	to.Activity = a.activity(collections)
	return nil
}

// activity tells what players did on both chains.
func (a *App) activity(collections []collection) *activity.Service {
	k := a.config.Contracts
	usdc, god := eth.MustAddress(k.USDC), eth.MustAddress(k.GOD)
	book := store.Activity{
		DB: a.db, Chains: []onchain.ChainID{a.config.GameChain.ChainID(), a.config.MainChain.ChainID()},
		Currencies: map[eth.Address]activity.Currency{
			usdc: {Symbol: currencySymbol, Decimals: currencyDecimals}, god: {Symbol: godSymbol, Decimals: godDecimals},
		},
	}
	config := activity.Config{Packs: eth.MustAddress(k.Chests), ElderGods: eth.MustAddress(k.ElderGods)}
	goods := a.holdingsConfig(collections)
	for _, contracts := range goods.Kinds {
		var kind []eth.Address
		for _, c := range contracts {
			kind = append(kind, c.Address)
		}
		config.Kinds = append(config.Kinds, kind)
	}
	config.Kinds = append(config.Kinds, []eth.Address{goods.CommunityPasses.Address, goods.UltimatePasses.Address})
	return activity.NewService(book, config)
}
