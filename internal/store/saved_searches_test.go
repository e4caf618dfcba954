package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store/accounts"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/notifications"
)

func (x *indexed) saved() *market.Saved {
	return market.NewSaved(notifications.New(x.db), market.NewService(marketstore.New(x.db), x.clock), x.clock)
}

// watches saves a search that alerts the player, and returns its id.
func (x *indexed) watches(player string, q market.Query) string {
	x.t.Helper()
	s, err := x.saved().Save(x.t.Context(), player, "cheap swords", q, true)
	x.ok(err)
	return s.ID
}

// alerts compares what changed with the saved searches and returns the player's notifications, newest first, as "listing × number
// price".
func (x *indexed) alerts(player string) (lines []string) {
	x.t.Helper()
	x.ok(market.NewAlerts(notifications.New(x.db), x.clock).Sweep(x.t.Context()))
	for _, line := range x.notified(player) {
		if alert, ok := strings.CutPrefix(line, "alert "); ok {
			lines = append(lines, strings.TrimSuffix(alert, " *"))
		}
	}
	return lines
}

// pricedAt are terms of the seller's for one unit of the item at a price.
func pricedAt(id string, price int64) *onchain.ListingTerms {
	terms := termsOf(items, id, 1)
	terms.PricePerToken = money.FromInt(price)
	return terms
}

func below(price int64) market.Query {
	most := money.FromInt(price)
	return market.Query{Contract: &items, TokenID: "1", Max: &most}
}

// Spec: SELL-11
func TestAlerts_PriceThatCrossesTheLimitIsToldOnce(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("0", pricedAt("1", 500)))
		x.watches("A", below(1000))
		x.want("what matched before the search", x.alerts("A"))
		x.apply(list("1", pricedAt("1", 2000)))
		x.want("above the limit", x.alerts("A"))
		x.apply(relist("1", pricedAt("1", 1000)))
		x.updates("A")
		x.want("down to the limit", x.alerts("A"), "1 × 1 1000")
		x.want("told once", x.alerts("A"), "1 × 1 1000")
		x.apply(relist("1", pricedAt("1", 900)))
		x.clock.Advance(2 * time.Hour)
		x.want("below it already", x.alerts("A"), "1 × 1 1000")
		x.apply(relist("0", pricedAt("1", 800)))
		x.want("raised, and below the limit", x.alerts("A"), "1 × 1 1000")
		x.want("another player", x.alerts("B"))
	})
}

// Spec: SELL-11
func TestAlerts_FlappingPriceIsToldOnceAnHour(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("1", pricedAt("1", 2000)))
		x.watches("A", below(1000))
		cross := func() []string {
			x.apply(relist("1", pricedAt("1", 900)))
			got := x.alerts("A")
			x.apply(relist("1", pricedAt("1", 2000)))
			x.alerts("A")
			return got
		}
		for range 8 {
			x.want("within the hour", cross(), "1 × 1 900")
			x.clock.Advance(7 * time.Minute)
		}
		x.clock.Advance(4 * time.Minute)
		x.want("after the hour", cross(), "1 × 1 900", "1 × 1 900")
	})
}

// Spec: SELL-11
func TestAlerts_ManyListingsAreOneDigestWithTheCheapest(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		most := money.FromInt(100_000)
		x.watches("A", market.Query{Collection: "helms", Max: &most}) // none is
		x.watches("A", market.Query{Max: &most})
		facts := []any{allowAll(items, seller, true)}
		for i := range 1000 {
			id := fmt.Sprint(i + 1)
			facts = append(facts, mintItems(seller, id, 1), list(fmt.Sprint(i), pricedAt(id, int64(5000-i))))
		}
		x.apply(facts...)
		x.updates("A")
		x.want("a thousand at once", x.alerts("A"), "999 × 1000 4001")
		if n := x.updates("A"); n != 1 {
			t.Errorf("%d updates, want 1", n)
		}
		x.apply(mintItems(seller, "2000", 1), list("2000", pricedAt("2000", 7)))
		x.want("within the minute", x.alerts("A"), "999 × 1000 4001")
		x.apply(mintItems(seller, "2001", 1), list("2001", pricedAt("2001", 8)))
		x.clock.Advance(time.Minute)
		x.want("after the minute", x.alerts("A"), "2000 × 2 7", "999 × 1000 4001")
	})
}

// Spec: SELL-11
func TestAlerts_WhatIsGoneOwnOrOldIsNotTold(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), mintItems(walletA, "1", 9), allowAll(items, seller, true), allowAll(items, walletA, true))
		id := x.watches("A", below(1000))
		own := pricedAt("1", 10)
		own.Seller = walletA
		x.apply(list("0", own))
		x.want("the player's own", x.alerts("A"))
		x.apply(list("1", pricedAt("1", 20)))
		x.apply(cancel("1"))
		x.want("cancelled before it was told", x.alerts("A"))

		later := pricedAt("1", 30)
		later.Start = x.clock.Now().Add(time.Hour)
		x.apply(list("2", later))
		x.want("not for sale yet", x.alerts("A"))
		x.clock.Advance(time.Hour)
		x.want("its time has come", x.alerts("A"), "2 × 1 30")

		old := x.next(list("3", pricedAt("1", 40)))
		x.clock.Advance(time.Hour + 2*time.Second)
		x.ok(x.index.ApplyBatch(t.Context(), old))
		x.tip = old.Blocks[0]
		x.want("read an hour late", x.alerts("A"), "2 × 1 30")

		x.ok(x.saved().Change(t.Context(), "A", id, "no alerts", false))
		x.apply(list("4", pricedAt("1", 50)))
		x.want("switched off", x.alerts("A"), "2 × 1 30")
		x.ok(x.saved().Change(t.Context(), "A", id, "alerts", true))
		before := x.tip
		x.apply(list("5", pricedAt("1", 60)))
		x.want("switched on", x.alerts("A"), "5 × 1 60", "2 × 1 30")
		x.rewind(before)
		x.applyIn(txOf("again"), "other", list("5", pricedAt("1", 60)))
		x.clock.Advance(2 * time.Minute)
		x.want("the same after a reorganisation", x.alerts("A"), "5 × 1 60", "2 × 1 30")
	})
}

func TestAlerts_ListingThatStopsMatchingBeforeItsAlertIsSentAlertsWhenItMatchesAgain(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("1", pricedAt("1", 2000)), list("2", pricedAt("1", 2000)))
		x.watches("A", below(1000))
		x.apply(relist("1", pricedAt("1", 500)))
		x.want("the first", x.alerts("A"), "1 × 1 500")
		x.apply(relist("2", pricedAt("1", 600)))
		x.want("within the minute", x.alerts("A"), "1 × 1 500")
		x.apply(relist("2", pricedAt("1", 2000)))
		x.clock.Advance(time.Minute)
		x.want("it matches no more", x.alerts("A"), "1 × 1 500")
		x.apply(relist("2", pricedAt("1", 700)))
		x.want("it matches again", x.alerts("A"), "2 × 1 700", "1 × 1 500")
	})
}

func TestAlerts_ListingThatMatchesThreeSearchesIsToldOnce(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true))
		for _, limit := range []int64{1000, 900, 800} {
			x.watches("A", below(limit))
		}
		x.watches("B", below(1000))
		x.apply(list("1", pricedAt("1", 500)))
		x.want("three searches of one player", x.alerts("A"), "1 × 1 500")
		x.want("another player", x.alerts("B"), "1 × 1 500")
		x.clock.Advance(time.Minute)
		x.want("a minute later", x.alerts("A"), "1 × 1 500")
		x.apply(list("2", pricedAt("1", 850)))
		x.want("another listing, of two searches", x.alerts("A"), "2 × 1 850", "1 × 1 500")
		x.clock.Advance(time.Minute)
		x.apply(relist("2", pricedAt("1", 700)))
		x.want("it is cheap enough for the third search", x.alerts("A"), "2 × 1 700", "2 × 1 850", "1 × 1 500")
	})
}

func TestAlerts_StartThatIsMovedAlertsAtItsTime(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true))
		x.watches("A", below(1000))
		starts := func(after time.Duration) *onchain.ListingTerms {
			terms := pricedAt("1", 500)
			terms.Start = x.clock.Now().Add(after)
			return terms
		}
		x.apply(list("1", starts(time.Hour)))
		x.apply(relist("1", starts(2*time.Hour)))
		x.clock.Advance(time.Hour)
		x.want("at the first time", x.alerts("A"))
		x.clock.Advance(time.Hour)
		x.want("at the second", x.alerts("A"), "1 × 1 500")
	})
}

func TestAlerts_SearchesThatWereSwitchedOffKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true), list("0", pricedAt("1", 2000)))
		ids := []string{}
		for range 50 {
			ids = append(ids, x.watches("A", below(1000)))
		}
		x.apply(relist("0", pricedAt("1", 900)))
		x.alerts("A")
		x.apply(list("1", pricedAt("1", 800)))
		x.alerts("A") // recorded, and due after the minute
		for _, id := range ids {
			x.ok(x.saved().Change(t.Context(), "A", id, "off", false))
		}
		x.want("left to send", x.rows("SELECT search_id FROM search_alert WHERE sent = 0"))
		x.watches("B", below(1000))
		x.apply(list("2", pricedAt("1", 700)))
		x.want("another player", x.alerts("B"), "2 × 1 700")
		x.ok(x.saved().Delete(t.Context(), "A", ids[0]))
		x.clock.Advance(3 * time.Hour)
		x.alerts("A")
		x.want("after hours", x.rows("SELECT search_id FROM search_alert"))
	})
}

// Spec: SELL-11
func TestAlerts_AreEmailedWithTheSearchsName(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.ok(x.notifications().SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		x.apply(mintItems(seller, "1", 9), allowAll(items, seller, true))
		x.watches("A", below(1_000_000))
		x.apply(list("0", pricedAt("1", 500_000)))
		x.alerts("A")
		x.ok(x.notifications().Sweep(t.Context()))
		x.want("emails", x.rows("SELECT recipient, subject FROM mail"), "a@play.example cheap swords: Sword of Dawn 1 for 0.5 USDC.")
	})
}

// Spec: SELL-9
func TestSavedSearches_AreBoundedAndTheirPlayersAlone(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		s := x.saved()
		low, high, other := money.FromInt(5), money.FromInt(2_500_000), eth.MustAddress("0x00000000000000000000000000000000000005e1")
		q := market.Query{
			Contract: &items, Collection: "helms", TokenID: "1", Text: "dawn", Rarities: []string{"epic", "rare"}, Seller: &other, Free: true,
			Min: &low, Max: &high, Traits: []market.TraitFilter{{Name: "Metal", Values: []string{"Gold", "Sky: Bronze"}}, {Name: "Power"}},
			Sort: market.PriceUp, Cursor: "x", Limit: 7,
		}
		first, err := s.Save(t.Context(), "A", "  everything  at once ", q, false)
		x.ok(err)
		found, err := s.Searches(t.Context(), "A")
		x.ok(err)
		q.Sort, q.Cursor, q.Limit = "", "", 0
		if len(found) != 1 || fmt.Sprintf("%+v", found[0].Query.Traits) != fmt.Sprintf("%+v", q.Traits) ||
			found[0].Name != "everything at once" ||
			found[0].Query.Min.Cmp(low) != 0 || found[0].Query.Max.Cmp(high) != 0 || *found[0].Query.Seller != other || !found[0].Query.Free ||
			found[0].Query.Text != "dawn" {
			t.Errorf("%+v", found)
		}
		for what, err := range map[string]error{
			"change": s.Change(t.Context(), "B", first.ID, "mine", true), "delete": s.Delete(t.Context(), "B", first.ID),
			"change none": s.Change(t.Context(), "A", "none", "mine", true),
		} {
			if !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		for _, name := range []string{"", "   ", strings.Repeat("x", 61), "a\x00b", "a\u202eb"} {
			if _, err := s.Save(t.Context(), "A", name, q, false); !fault.Is(err, fault.Invalid) {
				t.Errorf("the name %q: %v", name, err)
			}
		}
		for what, q := range map[string]market.Query{
			"no filter": {}, "no word": {Text: "!!!"}, "a long rarity": {Rarities: []string{strings.Repeat("<", 21)}},
		} {
			if _, err := s.Save(t.Context(), "A", what, q, true); !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if _, err := s.Save(t.Context(), "A", "upside down", market.Query{Min: &high, Max: &low}, false); !fault.Is(err, fault.Invalid) {
			t.Errorf("a lowest price above the highest: %v", err)
		}
		for range 49 {
			_, err := s.Save(t.Context(), "A", "more", below(1), true)
			x.ok(err)
		}
		if _, err := s.Save(t.Context(), "A", "one too many", below(1), true); !fault.Is(err, fault.Conflict) {
			t.Errorf("the 51st: %v", err)
		}
		x.ok(s.Delete(t.Context(), "A", first.ID))
		_, err = s.Save(t.Context(), "A", "in its place", below(1), true)
		x.ok(err)
		_, err = accounts.New(x.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.clock.Now()})
		x.ok(err)
		x.want("after the player's deletion", x.rows("SELECT id FROM saved_search"))
	})
}

// Spec: SELL-10
func TestWatchlist_ShowsTheCheapestListingAndIsBounded(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		s := x.saved()
		x.apply(mintItems(seller, "1", 9), mintItems(seller, "2", 9), allowAll(items, seller, true), list("0", pricedAt("1", 500)),
			list("1", pricedAt("1", 400)))
		show := func(player string) (lines []string) {
			found, err := s.Watched(t.Context(), player)
			x.ok(err)
			for _, w := range found {
				line := w.Token.TokenID + " none"
				if w.Cheapest != nil {
					line = w.Token.TokenID + " " + w.Cheapest.ListingID
				}
				lines = append(lines, line)
			}
			return lines
		}
		for _, id := range []string{"1", "2", "1"} {
			x.ok(s.Watch(t.Context(), "A", items, id))
			x.clock.Advance(time.Second)
		}
		x.want("watched", show("A"), "2 none", "1 1")
		x.want("another player's", show("B"))
		x.ok(s.Unwatch(t.Context(), "B", items, "1"))
		x.apply(cancel("1"))
		x.want("the cheapest is gone", show("A"), "2 none", "1 0")
		x.ok(s.Unwatch(t.Context(), "A", items, "1"))
		x.want("one is left", show("A"), "2 none")
		if err := s.Watch(t.Context(), "A", items, "404"); !fault.Is(err, fault.NotFound) {
			t.Errorf("a token that does not exist: %v", err)
		}
		facts := []any{}
		for i := range 200 {
			facts = append(facts, mintItems(seller, fmt.Sprint(1000+i), 1))
		}
		x.apply(facts...)
		for i := range 199 {
			x.ok(s.Watch(t.Context(), "A", items, fmt.Sprint(1000+i)))
		}
		if err := s.Watch(t.Context(), "A", items, "1199"); !fault.Is(err, fault.Conflict) {
			t.Errorf("the 201st: %v", err)
		}
		if n := len(show("A")); n != 200 {
			t.Errorf("%d are watched, want 200", n)
		}
	})
}
