package notification_test

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
	"pantheon/internal/testkit/storetest"
)

func saved(x *storetest.Indexed) *market.Saved {
	return market.NewSaved(notifications.New(x.DB), market.NewService(marketstore.New(x.DB), x.Clock), x.Clock)
}

// watches saves a search that alerts the player, and returns its id.
func watches(x *storetest.Indexed, player string, q market.Query) string {
	x.T.Helper()
	s, err := saved(x).Save(x.T.Context(), player, "cheap swords", q, true)
	x.OK(err)
	return s.ID
}

// alerts compares what changed with the saved searches and returns the player's notifications, newest first, as "listing × number
// price".
func alerts(x *storetest.Indexed, player string) (lines []string) {
	x.T.Helper()
	x.OK(market.NewAlerts(notifications.New(x.DB), x.Clock).Sweep(x.T.Context()))
	for _, line := range notified(x, player) {
		if alert, ok := strings.CutPrefix(line, "alert "); ok {
			lines = append(lines, strings.TrimSuffix(alert, " *"))
		}
	}
	return lines
}

// pricedAt are terms of the seller's for one unit of the item at a price.
func pricedAt(id string, price int64) *onchain.ListingTerms {
	terms := storetest.TermsOf(storetest.Items, id, 1)
	terms.PricePerToken = money.FromInt(price)
	return terms
}

func below(price int64) market.Query {
	most := money.FromInt(price)
	return market.Query{Contract: &storetest.Items, TokenID: "1", Max: &most}
}

// Spec: SELL-11
func TestAlerts_PriceThatCrossesTheLimitIsToldOnce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", pricedAt("1", 500)))
		watches(x, "A", below(1000))
		x.Want("what matched before the search", alerts(x, "A"))
		x.Apply(storetest.List("1", pricedAt("1", 2000)))
		x.Want("above the limit", alerts(x, "A"))
		x.Apply(storetest.Relist("1", pricedAt("1", 1000)))
		updatesOf(x, "A")
		x.Want("down to the limit", alerts(x, "A"), "1 × 1 1000")
		x.Want("told once", alerts(x, "A"), "1 × 1 1000")
		x.Apply(storetest.Relist("1", pricedAt("1", 900)))
		x.Clock.Advance(2 * time.Hour)
		x.Want("below it already", alerts(x, "A"), "1 × 1 1000")
		x.Apply(storetest.Relist("0", pricedAt("1", 800)))
		x.Want("raised, and below the limit", alerts(x, "A"), "1 × 1 1000")
		x.Want("another player", alerts(x, "B"))
	})
}

// Spec: SELL-11
func TestAlerts_FlappingPriceIsToldOnceAnHour(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("1", pricedAt("1", 2000)))
		watches(x, "A", below(1000))
		cross := func() []string {
			x.Apply(storetest.Relist("1", pricedAt("1", 900)))
			got := alerts(x, "A")
			x.Apply(storetest.Relist("1", pricedAt("1", 2000)))
			alerts(x, "A")
			return got
		}
		for range 8 {
			x.Want("within the hour", cross(), "1 × 1 900")
			x.Clock.Advance(7 * time.Minute)
		}
		x.Clock.Advance(4 * time.Minute)
		x.Want("after the hour", cross(), "1 × 1 900", "1 × 1 900")
	})
}

// Spec: SELL-11
func TestAlerts_ManyListingsAreOneDigestWithTheCheapest(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		most := money.FromInt(100_000)
		watches(x, "A", market.Query{Collection: "helms", Max: &most}) // none is
		watches(x, "A", market.Query{Max: &most})
		facts := []any{storetest.AllowAll(storetest.Items, storetest.Seller, true)}
		for i := range 1000 {
			id := fmt.Sprint(i + 1)
			facts = append(facts, storetest.MintItems(storetest.Seller, id, 1), storetest.List(fmt.Sprint(i), pricedAt(id, int64(5000-i))))
		}
		x.Apply(facts...)
		updatesOf(x, "A")
		x.Want("a thousand at once", alerts(x, "A"), "999 × 1000 4001")
		if n := updatesOf(x, "A"); n != 1 {
			t.Errorf("%d updates, want 1", n)
		}
		x.Apply(storetest.MintItems(storetest.Seller, "2000", 1), storetest.List("2000", pricedAt("2000", 7)))
		x.Want("within the minute", alerts(x, "A"), "999 × 1000 4001")
		x.Apply(storetest.MintItems(storetest.Seller, "2001", 1), storetest.List("2001", pricedAt("2001", 8)))
		x.Clock.Advance(time.Minute)
		x.Want("after the minute", alerts(x, "A"), "2000 × 2 7", "999 × 1000 4001")
	})
}

// Spec: SELL-11
func TestAlerts_WhatIsGoneOwnOrOldIsNotTold(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.MintItems(storetest.WalletA, "1", 9),
			storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.AllowAll(storetest.Items, storetest.WalletA, true))
		id := watches(x, "A", below(1000))
		own := pricedAt("1", 10)
		own.Seller = storetest.WalletA
		x.Apply(storetest.List("0", own))
		x.Want("the player's own", alerts(x, "A"))
		x.Apply(storetest.List("1", pricedAt("1", 20)))
		x.Apply(storetest.Cancel("1"))
		x.Want("cancelled before it was told", alerts(x, "A"))

		later := pricedAt("1", 30)
		later.Start = x.Clock.Now().Add(time.Hour)
		x.Apply(storetest.List("2", later))
		x.Want("not for sale yet", alerts(x, "A"))
		x.Clock.Advance(time.Hour)
		x.Want("its time has come", alerts(x, "A"), "2 × 1 30")

		old := x.Next(storetest.List("3", pricedAt("1", 40)))
		x.Clock.Advance(time.Hour + 2*time.Second)
		x.OK(x.Index.ApplyBatch(t.Context(), old))
		x.Tip = old.Blocks[0]
		x.Want("read an hour late", alerts(x, "A"), "2 × 1 30")

		x.OK(saved(x).Change(t.Context(), "A", id, "no alerts", false))
		x.Apply(storetest.List("4", pricedAt("1", 50)))
		x.Want("switched off", alerts(x, "A"), "2 × 1 30")
		x.OK(saved(x).Change(t.Context(), "A", id, "alerts", true))
		before := x.Tip
		x.Apply(storetest.List("5", pricedAt("1", 60)))
		x.Want("switched on", alerts(x, "A"), "5 × 1 60", "2 × 1 30")
		x.Rewind(before)
		x.ApplyIn(storetest.TxOf("again"), "other", storetest.List("5", pricedAt("1", 60)))
		x.Clock.Advance(2 * time.Minute)
		x.Want("the same after a reorganisation", alerts(x, "A"), "5 × 1 60", "2 × 1 30")
	})
}

func TestAlerts_ListingThatStopsMatchingBeforeItsAlertIsSentAlertsWhenItMatchesAgain(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("1", pricedAt("1", 2000)), storetest.List("2", pricedAt("1", 2000)))
		watches(x, "A", below(1000))
		x.Apply(storetest.Relist("1", pricedAt("1", 500)))
		x.Want("the first", alerts(x, "A"), "1 × 1 500")
		x.Apply(storetest.Relist("2", pricedAt("1", 600)))
		x.Want("within the minute", alerts(x, "A"), "1 × 1 500")
		x.Apply(storetest.Relist("2", pricedAt("1", 2000)))
		x.Clock.Advance(time.Minute)
		x.Want("it matches no more", alerts(x, "A"), "1 × 1 500")
		x.Apply(storetest.Relist("2", pricedAt("1", 700)))
		x.Want("it matches again", alerts(x, "A"), "2 × 1 700", "1 × 1 500")
	})
}

func TestAlerts_ListingThatMatchesThreeSearchesIsToldOnce(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		for _, limit := range []int64{1000, 900, 800} {
			watches(x, "A", below(limit))
		}
		watches(x, "B", below(1000))
		x.Apply(storetest.List("1", pricedAt("1", 500)))
		x.Want("three searches of one player", alerts(x, "A"), "1 × 1 500")
		x.Want("another player", alerts(x, "B"), "1 × 1 500")
		x.Clock.Advance(time.Minute)
		x.Want("a minute later", alerts(x, "A"), "1 × 1 500")
		x.Apply(storetest.List("2", pricedAt("1", 850)))
		x.Want("another listing, of two searches", alerts(x, "A"), "2 × 1 850", "1 × 1 500")
		x.Clock.Advance(time.Minute)
		x.Apply(storetest.Relist("2", pricedAt("1", 700)))
		x.Want("it is cheap enough for the third search", alerts(x, "A"), "2 × 1 700", "2 × 1 850", "1 × 1 500")
	})
}

func TestAlerts_StartThatIsMovedAlertsAtItsTime(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		watches(x, "A", below(1000))
		starts := func(after time.Duration) *onchain.ListingTerms {
			terms := pricedAt("1", 500)
			terms.Start = x.Clock.Now().Add(after)
			return terms
		}
		x.Apply(storetest.List("1", starts(time.Hour)))
		x.Apply(storetest.Relist("1", starts(2*time.Hour)))
		x.Clock.Advance(time.Hour)
		x.Want("at the first time", alerts(x, "A"))
		x.Clock.Advance(time.Hour)
		x.Want("at the second", alerts(x, "A"), "1 × 1 500")
	})
}

func TestAlerts_SearchesThatWereSwitchedOffKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", pricedAt("1", 2000)))
		ids := []string{}
		for range 50 {
			ids = append(ids, watches(x, "A", below(1000)))
		}
		x.Apply(storetest.Relist("0", pricedAt("1", 900)))
		alerts(x, "A")
		x.Apply(storetest.List("1", pricedAt("1", 800)))
		alerts(x, "A") // recorded, and due after the minute
		for _, id := range ids {
			x.OK(saved(x).Change(t.Context(), "A", id, "off", false))
		}
		x.Want("left to send", x.Rows("SELECT search_id FROM search_alert WHERE sent = 0"))
		watches(x, "B", below(1000))
		x.Apply(storetest.List("2", pricedAt("1", 700)))
		x.Want("another player", alerts(x, "B"), "2 × 1 700")
		x.OK(saved(x).Delete(t.Context(), "A", ids[0]))
		x.Clock.Advance(3 * time.Hour)
		alerts(x, "A")
		x.Want("after hours", x.Rows("SELECT search_id FROM search_alert"))
	})
}

// Spec: SELL-11
func TestAlerts_AreEmailedWithTheSearchsName(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.OK(notificationsOf(x).SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		watches(x, "A", below(1_000_000))
		x.Apply(storetest.List("0", pricedAt("1", 500_000)))
		alerts(x, "A")
		x.OK(notificationsOf(x).Sweep(t.Context()))
		x.Want("emails", x.Rows("SELECT recipient, subject FROM mail"), "a@play.example cheap swords: Sword of Dawn 1 for 0.5 USDC.")
	})
}

// Spec: SELL-9
func TestSavedSearches_AreBoundedAndTheirPlayersAlone(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		s := saved(x)
		low, high, other := money.FromInt(5), money.FromInt(2_500_000), eth.MustAddress("0x00000000000000000000000000000000000005e1")
		q := market.Query{
			Contract: &storetest.Items, Collection: "helms", TokenID: "1", Text: "dawn", Rarities: []string{"epic", "rare"},
			Seller: &other, Free: true,
			Min: &low, Max: &high, Traits: []market.TraitFilter{{Name: "Metal", Values: []string{"Gold", "Sky: Bronze"}}, {Name: "Power"}},
			Sort: market.PriceUp, Cursor: "x", Limit: 7,
		}
		first, err := s.Save(t.Context(), "A", "  everything  at once ", q, false)
		x.OK(err)
		found, err := s.Searches(t.Context(), "A")
		x.OK(err)
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
			x.OK(err)
		}
		if _, err := s.Save(t.Context(), "A", "one too many", below(1), true); !fault.Is(err, fault.Conflict) {
			t.Errorf("the 51st: %v", err)
		}
		x.OK(s.Delete(t.Context(), "A", first.ID))
		_, err = s.Save(t.Context(), "A", "in its place", below(1), true)
		x.OK(err)
		_, err = accounts.New(x.DB).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.Clock.Now()})
		x.OK(err)
		x.Want("after the player's deletion", x.Rows("SELECT id FROM saved_search"))
	})
}

// Spec: SELL-10
func TestWatchlist_ShowsTheCheapestListingAndIsBounded(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		s := saved(x)
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.MintItems(storetest.Seller, "2", 9),
			storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.List("0", pricedAt("1", 500)),
			storetest.List("1", pricedAt("1", 400)))
		show := func(player string) (lines []string) {
			found, err := s.Watched(t.Context(), player)
			x.OK(err)
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
			x.OK(s.Watch(t.Context(), "A", storetest.Items, id))
			x.Clock.Advance(time.Second)
		}
		x.Want("watched", show("A"), "2 none", "1 1")
		x.Want("another player's", show("B"))
		x.OK(s.Unwatch(t.Context(), "B", storetest.Items, "1"))
		x.Apply(storetest.Cancel("1"))
		x.Want("the cheapest is gone", show("A"), "2 none", "1 0")
		x.OK(s.Unwatch(t.Context(), "A", storetest.Items, "1"))
		x.Want("one is left", show("A"), "2 none")
		if err := s.Watch(t.Context(), "A", storetest.Items, "404"); !fault.Is(err, fault.NotFound) {
			t.Errorf("a token that does not exist: %v", err)
		}
		facts := []any{}
		for i := range 200 {
			facts = append(facts, storetest.MintItems(storetest.Seller, fmt.Sprint(1000+i), 1))
		}
		x.Apply(facts...)
		for i := range 199 {
			x.OK(s.Watch(t.Context(), "A", storetest.Items, fmt.Sprint(1000+i)))
		}
		if err := s.Watch(t.Context(), "A", storetest.Items, "1199"); !fault.Is(err, fault.Conflict) {
			t.Errorf("the 201st: %v", err)
		}
		if n := len(show("A")); n != 200 {
			t.Errorf("%d are watched, want 200", n)
		}
	})
}
