package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
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
	markets := market.NewService(marketstore.New(db), clock.NewFake(storetest.Start))
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
	fake := clock.NewFake(storetest.Start)
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
