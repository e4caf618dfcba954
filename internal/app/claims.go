package app

import (
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/claim"
	"pantheon/internal/store/rewards"
)

// claims returns the service of claims.
func (a *App) claims(goods []collection) *claim.Service {
	contract := func(slug string) claim.Contract {
		c := named(goods, slug)
		return claim.Contract{Chain: c.chain, Address: c.address}
	}
	o := claim.Options{
		Store: rewards.New(a.db), Seasons: a.seasons, Clock: a.clock, Gods: contract("elder-gods"), Avatars: contract("season-avatars"),
		GOD:     claim.Contract{Chain: a.config.GameChain.ChainID(), Address: eth.MustAddress(a.config.Contracts.GOD)},
		Claimed: a.rewards.Wake,
	}
	if a.config.Relay.SponsorNeeds == config.SponsorNeedsEmail {
		o.Reachable = a.accounts.Confirmed
	}
	return claim.NewService(o)
}
