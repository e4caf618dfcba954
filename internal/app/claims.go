package app

import (
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/claim"
)

// claims returns the service of claims.
func (a *App) claims(goods []collection) *claim.Service {
	contract := func(slug string) claim.Contract {
		c := named(goods, slug)
		return claim.Contract{Chain: c.chain, Address: c.address}
	}
	return claim.NewService(claim.Options{
		Store: a.db, Seasons: a.seasons, Clock: a.clock, Gods: contract("elder-gods"), Avatars: contract("season-avatars"),
		GOD:     claim.Contract{Chain: a.config.GameChain.ChainID(), Address: eth.MustAddress(a.config.Contracts.GOD)},
		Claimed: a.rewards.Wake,
	})
}
