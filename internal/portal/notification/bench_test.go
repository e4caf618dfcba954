package notification_test

import (
	"fmt"
	"testing"

	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/notifications"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// One listing is compared with 10,000 saved searches without a token, contract or collection.
func BenchmarkAlerts(b *testing.B) {
	const searches, each = 10_000, 50
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			x := storetest.OpenIndex(b, engine)
			var players []string
			for i := range searches / each {
				players = append(players, fmt.Sprintf("%016X", i+1))
			}
			testkit.AddPlayers(b, x.DB, 0, players...)
			for i := range searches {
				most := money.FromInt(int64(i + 1))
				watches(x, players[i/each], market.Query{Text: "sword", Rarities: []string{"rare", "epic"}, Max: &most})
			}
			x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
				storetest.List("1", pricedAt("1", 5_000_000)))
			alerts, price := market.NewAlerts(notifications.New(x.DB), x.Clock), int64(5_000_000)
			for b.Loop() {
				price++
				x.Apply(storetest.Relist("1", pricedAt("1", price)))
				x.OK(alerts.Sweep(b.Context()))
			}
		})
	}
}
