package app

import (
	"pantheon/internal/config"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/rewards"
)

// newClaims returns the service of claims.
func newClaims(b *base, people *people, payouts *reward.Service) *claim.Service {
	contract := func(slug string) claim.Contract {
		c := named(b.goods, slug)
		return claim.Contract{Chain: c.chain, Address: c.address}
	}
	o := claim.Options{
		Store: rewards.New(b.db), Seasons: b.seasons, Clock: b.clock, Gods: contract("elder-gods"), Avatars: contract("season-avatars"),
		Claimed: b.wakeups.broadcast("payouts", payouts.Wake),
	}
	if b.config.Contracts.GOD != "" {
		o.GOD = claim.Contract{Chain: b.game, Address: eth.MustAddress(b.config.Contracts.GOD)}
	}
	gods := named(b.goods, "elder-gods")
	o.ByContract = func(tokenID string) bool { return !b.gallery.knowsRarity(gods, tokenID) }
	if b.config.Relay.SponsorNeeds == config.SponsorNeedsEmail {
		o.Reachable = people.Confirmed
	}
	return claim.NewService(o)
}
