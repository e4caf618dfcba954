package app

import (
	marketstore "pantheon/internal/store/market"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/market"
	"pantheon/internal/store/notifications"
)

// markets are the services of the market.
type markets struct {
	service   *market.Service
	publisher market.Publisher
	fees      *market.FeeBook
}

// newMarket returns the services of the market, and looks for what saved searches match.
func newMarket(b *base, chains chains) markets {
	b.lead("alerts", market.NewAlerts(crashable[market.AlertStore](notifications.New(b.db)), b.clock).Run)
	return markets{
		service: market.NewService(marketstore.New(b.db), b.clock), publisher: publisherOf(b),
		fees: market.NewFeeBook(marketFees{chains.of[b.game].rpc, eth.MustAddress(b.config.Contracts.PiggyMarketplace)}, b.clock),
	}
}

func publisherOf(b *base) market.Publisher {
	return market.Publisher{TagKey: b.keys("cart-tags").First(), Decimals: b.currency().Decimals}
}
