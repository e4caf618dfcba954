package app

import (
	"encoding/base64"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
)

// newProtector returns what seals data that leaves the portal with its player, such as the id in the hand-off to the shop.
func newProtector(b *base) (*profile.Protector, error) {
	keys := b.keys("protected-data")
	if b.config.Shop.DataKey != "" {
		key, err := base64.StdEncoding.DecodeString(b.config.Shop.DataKey.Reveal())
		if err != nil {
			return nil, err // validated with the configuration
		}
		keys = keyset.Keys{key}
	}
	return profile.NewProtector(keys, b.clock)
}

// newActivity returns the activity service over both chains.
func newActivity(b *base) *activity.Service {
	book := store.Activity{
		DB: b.db, Chains: []onchain.ChainID{b.game, b.config.MainChain.ChainID()},
		Currencies: map[eth.Address]activity.Currency{
			b.usdc: {Symbol: b.currency().Symbol, Decimals: b.currency().Decimals},
		},
	}
	if b.config.Contracts.GOD != "" {
		book.Currencies[eth.MustAddress(b.config.Contracts.GOD)] = activity.Currency{Symbol: godSymbol, Decimals: godDecimals}
	}
	config := activity.Config{Packs: named(b.goods, "chests").address, ElderGods: named(b.goods, "elder-gods").address}
	for _, group := range byKind(b.goods) {
		var addresses []eth.Address
		for _, c := range group {
			addresses = append(addresses, c.address)
		}
		config.Kinds = append(config.Kinds, addresses)
	}
	return activity.NewService(book, config)
}
