package store_test

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	marketstore "pantheon/internal/store/market"
)

// card returns listing 7 as it is published.
func (d checkoutTest) card() market.Listing {
	d.t.Helper()
	l, err := marketstore.New(d.db).Listing(d.t.Context(), market.Key(indexChain, "7"), d.clock.Now())
	d.ok(err)
	return l
}

// Spec: LIVE-25
func TestListing_VersionGrowsWithEveryChange(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		id := market.Key(indexChain, "7")
		dearer := termsOf(items, "1", 10)
		dearer.PricePerToken, _ = dearer.PricePerToken.Mul(2)
		offered := d.tip
		for _, change := range []struct {
			what string
			do   func()
		}{
			{"a unit is held", func() { d.put("A", "7", 3) }},
			{"another player holds one", func() { d.put("B", "7", 4) }},
			{"a unit is let go", func() { d.ok(d.carts.Remove(t.Context(), "A", id, 3)) }},
			{"a cart is emptied", func() { d.ok(d.carts.Empty(t.Context(), "B")) }},
			{"a unit is held to be paid for", func() { d.put("A", "7", 5) }},
			{"payment starts, which extends the hold", func() { d.start() }},
			{"the hold lapses", func() { d.clock.Advance(16 * time.Minute); d.ok(d.carts.Sweep(t.Context())) }},
			{"the price changes", func() { d.apply(relist("7", dearer)) }},
			{"a unit is sold", func() { d.apply(buy("7", "1", stranger, 1)...) }},
			{"the goods are no longer backed", func() { d.apply(allowAll(items, seller, false)) }},
			{"they are again", func() { d.apply(allowAll(items, seller, true)) }},
			{"the seller takes it back", func() { d.apply(cancel("7")) }},
			{"a reorganisation undoes all that", func() { d.rewind(offered) }},
		} {
			before := d.card()
			change.do()
			after := d.card()
			if after.Version <= before.Version {
				t.Errorf("when %s the version goes from %d to %d", change.what, before.Version, after.Version)
			}
			if after.Version, before.Version = 0, 0; reflect.DeepEqual(before, after) {
				t.Errorf("when %s nothing changes", change.what)
			}
		}
		if before := d.card().Version; before == 0 {
			t.Error("version 0 after changes")
		}
	})
}

// A listing that a reorganisation removes and restores keeps counting its versions: from version 1, clients would ignore it.
func TestListing_VersionOutlivesAReorganisation(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintItems(seller, "1", 3), allowAll(items, seller, true))
		var last int64
		for range 3 {
			x.apply(list("0", termsOf(items, "1", 3)))
			l, err := marketstore.New(x.db).Listing(t.Context(), market.Key(indexChain, "0"), x.clock.Now())
			x.ok(err)
			if l.Version <= last {
				t.Errorf("version %d after %d", l.Version, last)
			}
			last = l.Version
			x.rewind(start)
		}
	})
}

// Changes of two listings, in any order within their transactions, neither deadlock nor share a version.
func TestListing_VersionsCountConcurrentChanges(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		const writers, rounds = 8, 20
		ids := []string{market.Key(indexChain, "7"), market.Key(indexChain, "8")}
		before := d.card().Version
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for r := range rounds {
					err := d.db.Write(context.Background(), func(ctx context.Context, tx *store.Tx) error {
						for i := range ids {
							if err := tx.Announce(ctx, announce.Announcement{Topic: announce.Listing, Payload: ids[(i+w+r)%2]}); err != nil {
								return err
							}
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if got := d.card().Version - before; got != writers*rounds {
			t.Errorf("%d changes counted, want %d", got, writers*rounds)
		}
	})
}
