package app

import (
	"fmt"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/claim"
)

// claims returns the service of claims.
func (a *App) claims(goods []collection) (*claim.Service, error) {
	seasons, err := claim.OpenSeasons(a.config.SeasonsFile, func(err error) { a.log.Error("seasons file rejected", "error", err) })
	if err != nil {
		return nil, fmt.Errorf("SEASONS_FILE: %w", err)
	}
	contract := func(slug string) claim.Contract {
		c := named(goods, slug)
		return claim.Contract{Chain: c.chain, Address: c.address}
	}
	return claim.NewService(claim.Options{
		Store: a.db, Seasons: seasons, Clock: a.clock, Gods: contract("elder-gods"), Avatars: contract("season-avatars"),
		GOD:     claim.Contract{Chain: a.config.GameChain.ChainID(), Address: eth.MustAddress(a.config.Contracts.GOD)},
		Claimed: a.rewards.Wake,
	}), nil
}
