package cart_test

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
	"pantheon/internal/testkit/storetest"
)

// card returns listing 7 as it is published.
func (d checkoutTest) card() market.Listing {
	d.T.Helper()
	l, err := marketstore.New(d.DB).Listing(d.T.Context(), market.Key(storetest.Chain, "7"), d.Clock.Now())
	d.OK(err)
	return l
}

// Spec: LIVE-25
func TestListing_VersionGrowsWithEveryChange(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		id := market.Key(storetest.Chain, "7")
		dearer := storetest.TermsOf(storetest.Items, "1", 10)
		dearer.PricePerToken, _ = dearer.PricePerToken.Mul(2)
		offered := d.Tip
		for _, change := range []struct {
			what string
			do   func()
		}{
			{"a unit is held", func() { d.put("A", "7", 3) }},
			{"another player holds one", func() { d.put("B", "7", 4) }},
			{"a unit is let go", func() { d.OK(d.carts.Remove(t.Context(), "A", id, 3)) }},
			{"a cart is emptied", func() { d.OK(d.carts.Empty(t.Context(), "B")) }},
			{"a unit is held to be paid for", func() { d.put("A", "7", 5) }},
			{"payment starts, which extends the hold", func() { d.start() }},
			{"the hold lapses", func() { d.Clock.Advance(16 * time.Minute); d.OK(d.carts.Sweep(t.Context())) }},
			{"the price changes", func() { d.Apply(storetest.Relist("7", dearer)) }},
			{"a unit is sold", func() { d.Apply(storetest.Buy("7", "1", storetest.Stranger, 1)...) }},
			{"the goods are no longer backed", func() { d.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, false)) }},
			{"they are again", func() { d.Apply(storetest.AllowAll(storetest.Items, storetest.Seller, true)) }},
			{"the seller takes it back", func() { d.Apply(storetest.Cancel("7")) }},
			{"a reorganisation undoes all that", func() { d.Rewind(offered) }},
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
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintItems(storetest.Seller, "1", 3), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		var last int64
		for range 3 {
			x.Apply(storetest.List("0", storetest.TermsOf(storetest.Items, "1", 3)))
			l, err := marketstore.New(x.DB).Listing(t.Context(), market.Key(storetest.Chain, "0"), x.Clock.Now())
			x.OK(err)
			if l.Version <= last {
				t.Errorf("version %d after %d", l.Version, last)
			}
			last = l.Version
			x.Rewind(start)
		}
	})
}

// Changes of two listings, in any order within their transactions, neither deadlock nor share a version.
func TestListing_VersionsCountConcurrentChanges(t *testing.T) {
	t.Parallel()
	eachCheckout(t, func(t *testing.T, d checkoutTest) {
		const writers, rounds = 8, 20
		ids := []string{market.Key(storetest.Chain, "7"), market.Key(storetest.Chain, "8")}
		before := d.card().Version
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for r := range rounds {
					err := d.DB.Write(context.Background(), func(ctx context.Context, tx *store.Tx) error {
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
