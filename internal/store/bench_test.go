package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/notifications"
	"pantheon/internal/testkit"
)

// benchMarket fills a market with n live listings of 20 units each.
func benchMarket(b *testing.B, db *store.DB, n int) (ids []string) {
	b.Helper()
	for i := range n {
		ids = append(ids, testkit.List(b, db, testkit.Offer{
			Number: fmt.Sprint(i), TokenID: fmt.Sprint(i % 90), Price: int64(1_000_000 + i), Quantity: 20,
			Words: "sword of dawn sky bronze", Traits: [][2]string{{"Material", "Sky Bronze"}, {"Power", "7"}, {"Kind", "Sword"}},
		}))
	}
	return ids
}

// A page of thirty listings, as the market page requests it.
func BenchmarkPageOfListings(b *testing.B) {
	db := testkit.Database(b, store.SQLite)
	benchMarket(b, db, 1000)
	markets := market.NewService(marketstore.New(db), clock.NewFake(indexStart))
	b.ReportAllocs()
	for b.Loop() {
		page, err := markets.Browse(b.Context(), market.Query{Limit: 30})
		if err != nil || len(page.Items) != 30 || page.Total.N != 1000 {
			b.Fatalf("%d listings, %v", len(page.Items), err)
		}
	}
}

// Holds by many players at once; each is a durable commit.
func BenchmarkHold(b *testing.B) {
	db := testkit.Database(b, store.SQLite)
	const count = 5000 // listings, and players with 20 holds each
	ids := benchMarket(b, db, count)
	fake := clock.NewFake(indexStart)
	carts := cart.NewService(cartstore.New(db), fake, cart.Options{})
	var players []string
	for i := range count {
		players = append(players, fmt.Sprintf("%016X", i))
	}
	testkit.AddPlayers(b, db, 0, players...)
	var turn atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := int(turn.Add(1) - 1)
			unit := int64(n / count)
			if unit >= 20 {
				b.Error("more holds than units: run it with a shorter -benchtime")
				return
			}
			if _, err := carts.Add(b.Context(), cart.Holder{PlayerID: players[n%count]}, ids[(n*7)%count], goods, &unit); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// One listing is compared with 10,000 saved searches without a token, contract or collection.
func BenchmarkAlerts(b *testing.B) {
	const searches, each = 10_000, 50
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			x := openIndex(b, engine)
			var players []string
			for i := range searches / each {
				players = append(players, fmt.Sprintf("%016X", i+1))
			}
			testkit.AddPlayers(b, x.db, 0, players...)
			for i := range searches {
				most := money.FromInt(int64(i + 1))
				x.watches(players[i/each], market.Query{Text: "sword", Rarities: []string{"rare", "epic"}, Max: &most})
			}
			x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("1", pricedAt("1", 5_000_000)))
			alerts, price := market.NewAlerts(notifications.New(x.db), x.clock), int64(5_000_000)
			for b.Loop() {
				price++
				x.apply(relist("1", pricedAt("1", price)))
				x.ok(alerts.Sweep(b.Context()))
			}
		})
	}
}
