package cart_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

// desk is a cart for one test.
type desk struct {
	t     *testing.T
	db    *store.DB
	clock *clock.Fake
	carts *cart.Service
}

func eachDesk(t *testing.T, need cart.Need, test func(d desk)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		test(desk{t, db, clk, cart.NewService(cartstore.New(db), clk, needing(need))})
	})
}

func (d desk) add(player, listing string) error {
	_, err := d.carts.Add(d.t.Context(), cart.Holder{PlayerID: player, Network: "203.0.113.0/24"}, listing, items, nil)
	return err
}

func (d desk) hold(player, listing string, n int) {
	d.t.Helper()
	for range n {
		if err := d.add(player, listing); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d desk) letGo(player string) {
	d.t.Helper()
	if err := d.carts.Empty(d.t.Context(), player); err != nil {
		d.t.Fatal(err)
	}
}

// lapse lets all current holds expire.
func (d desk) lapse() {
	d.t.Helper()
	d.clock.Advance(10 * time.Minute)
	if err := d.carts.Sweep(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d desk) mustWait(what string, err error, reason string, wait time.Duration, text string) {
	d.t.Helper()
	if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.Reason != reason || f.RetryAfter != wait || f.Message != text {
		d.t.Errorf("%s: %+v, want to wait %v for the reason %q: %s", what, f, wait, reason, text)
	}
}

func (d desk) mustHold(what string, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Errorf("%s: %v", what, err)
	}
}

// Spec: CART-15
func TestCart_MoreThan15MinutesOfHoldsOfAListingMeanAnHoursWait(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		listing, other := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 3}), testkit.List(d.t, d.db, testkit.Offer{Number: "2"})
		const hour = "You have had this in your cart for more than 15 minutes without buying it. You can add it again in an hour."

		d.hold("player", listing, 2) // at the same time, which counts once
		d.lapse()
		d.clock.Advance(time.Minute)
		d.hold("player", listing, 1)
		d.clock.Advance(5 * time.Minute)
		d.letGo("player")
		d.mustHold("after exactly 15 minutes", d.add("player", listing))
		d.clock.Advance(time.Millisecond)
		d.mustWait("while the hold runs", d.add("player", listing), "listing-time", time.Hour+10*time.Minute-time.Millisecond,
			"You have had this in your cart for more than 15 minutes without buying it. You can add it again in an hour and 10 minutes.")
		d.letGo("player")
		d.mustWait("a millisecond more", d.add("player", listing), "listing-time", time.Hour, hour)
		d.mustHold("another listing", d.add("player", other))
		d.clock.Advance(time.Hour - time.Millisecond)
		d.mustWait("just before the hour is over", d.add("player", listing), "listing-time", time.Millisecond,
			"You have had this in your cart for more than 15 minutes without buying it. You can add it again in a minute.")
		d.clock.Advance(time.Millisecond)
		d.mustHold("after the hour", d.add("player", listing))
	})
}

func TestCart_HoldsOfAListingAreForgottenAfterTwoHours(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 3})
		d.hold("player", listing, 1)
		d.lapse()
		d.clock.Advance(105 * time.Minute)
		d.hold("player", listing, 1)
		d.lapse() // two hours reach back to the middle of the first hold: fifteen minutes
		d.mustHold("ten minutes, of which five are forgotten, and ten", d.add("player", listing))
	})
}

func TestCart_BuyingForgivesTheTimeThatAListingWasHeld(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "buyer")
		ledger := openLedger(d.t, d.db, d.clock, cart.NeedNothing, shop)
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 9, Seller: shop})
		d.hold("buyer", listing, 1)
		d.lapse()
		d.hold("buyer", listing, 1)
		d.clock.Advance(9 * time.Minute)
		ledger.block(bought("1", shop, testkit.WalletOf("buyer"), 1, 1_000_000)...)
		d.mustHold("one more after 19 minutes and a purchase", d.add("buyer", listing))
		d.lapse()
		d.mustHold("and again, ten minutes later", d.add("buyer", listing))
	})
}

// The time of holds counts, not the number of changes.
func TestCart_ChoosingBackAndForthIsNotLimited(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1"})
		for i := range 100 {
			d.mustHold(fmt.Sprint("time ", i), d.add("player", listing))
			d.clock.Advance(2 * time.Second)
			d.letGo("player")
		}
	})
}

// A player who held the last unit for a while must leave it to others for a minute.
func TestCart_TheLastUnitIsLeftToOthersForAMinute(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "one", "two")
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 2})
		const text = "You have just had the last one, so others can take it first. You can add it again in a minute."
		d.hold("two", listing, 1)
		d.hold("one", listing, 1)
		d.clock.Advance(4 * time.Minute)
		d.letGo("one")
		d.mustHold("after exactly four minutes", d.add("one", listing))
		d.clock.Advance(time.Second)
		d.letGo("one")
		d.mustWait("a second more", d.add("one", listing), "others-first", time.Minute, text)
		d.clock.Advance(59 * time.Second)
		d.mustWait("a second before the minute is over", d.add("one", listing), "others-first", time.Second, text)
		d.letGo("two")
		d.mustHold("where there is another one", d.add("one", listing))
		d.letGo("one")
		d.hold("two", listing, 1)
		d.clock.Advance(time.Minute)
		d.mustHold("after the minute", d.add("one", listing))
	})
}

// Spec: CART-16
func TestCart_MoreThan100UnitMinutesMeanALongerWaitEachTime(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "careful", "careless")
		var listings []string
		for i := range 40 {
			listings = append(listings, testkit.List(d.t, d.db, testkit.Offer{Number: fmt.Sprint(i), Quantity: 40}))
		}
		next := 0
		listing := func() string { next++; return listings[next%len(listings)] }

		d.hold("careful", listing(), 10)
		d.lapse()
		d.mustHold("ten units for ten minutes", d.add("careful", listing()))
		d.letGo("careful")
		for _, step := range []struct {
			wait time.Duration
			text string
		}{{10 * time.Minute, "10 minutes"}, {30 * time.Minute, "30 minutes"}, {120 * time.Minute, "2 hours"}, {120 * time.Minute, "2 hours"}} {
			d.hold("careless", listing(), 20)
			d.clock.Advance(5*time.Minute + time.Second)
			d.letGo("careless") // 20 times 5:01
			text := "You have had many items in your cart without buying them. You can add the next one in " + step.text + "."
			d.mustWait("too much", d.add("careless", listing()), "unit-time", step.wait, text)
			d.clock.Advance(step.wait - time.Second)
			d.mustWait("almost over", d.add("careless", listing()), "unit-time", time.Second,
				"You have had many items in your cart without buying them. You can add the next one in a minute.")
			d.clock.Advance(time.Second)
		}
		d.clock.Advance(24 * time.Hour)
		d.hold("careless", listing(), 20)
		d.lapse()
		d.mustWait("after a day without a wait", d.add("careless", listing()), "unit-time", 10*time.Minute,
			"You have had many items in your cart without buying them. You can add the next one in 10 minutes.")
	})
}

func TestCart_UnitMinutesAreForgottenAfterAnHour(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		one, two := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 40}),
			testkit.List(d.t, d.db, testkit.Offer{Number: "2", Quantity: 40})
		d.hold("player", one, 10)
		d.lapse()
		d.clock.Advance(50 * time.Minute)
		d.hold("player", two, 10)
		d.lapse() // the first ten ended an hour ago
		d.mustHold("a hundred minutes twice, an hour apart", d.add("player", two))
	})
}

// Spec: CART-17
func TestCart_PlayersOfOneNetworkHoldSixtyUnitsTogether(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		players := names("player", 4)
		testkit.AddPlayers(d.t, d.db, 0, players...)
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 200})
		for _, p := range players[:3] {
			d.hold(p, listing, 20)
			d.clock.Advance(time.Minute)
		}
		d.mustWait("the 61st", d.add(players[3], listing), "network-full", 7*time.Minute, "Players on your network hold 60 items together, "+
			"which is as many as can be. One of them is free in 7 minutes at the latest.")
		for _, network := range []string{"198.51.100.0/24", "2001:db8:0:100::/56", ""} {
			_, err := d.carts.Add(d.t.Context(), cart.Holder{PlayerID: players[3], Network: network}, listing, items, nil)
			d.mustHold("from network "+network, err)
		}
		d.mustWait("still from the full network", d.add(players[3], listing), "network-full", 7*time.Minute,
			"Players on your network hold 60 items together, "+
				"which is as many as can be. One of them is free in 7 minutes at the latest.")
		held, err := d.carts.Items(d.t.Context(), players[0])
		if err != nil || d.carts.Remove(d.t.Context(), players[0], listing, held[0].Unit) != nil {
			d.t.Fatal(err)
		}
		d.mustHold("in the place of one that was let go", d.add(players[3], listing))
	})
}

// Of many players of one network who request units concurrently, exactly as many as allowed get one.
func TestCart_TheLimitOfANetworkHoldsAgainstManyAtOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		players := names("player", 80)
		testkit.AddPlayers(d.t, d.db, 0, players...)
		listing := func(i int) string { return fmt.Sprint(i) }
		ids := map[string]string{}
		for i := range 4 { // on PostgreSQL those who take units of different listings do not wait for each other
			ids[listing(i)] = testkit.List(d.t, d.db, testkit.Offer{Number: listing(i), Quantity: 40})
		}
		var wg sync.WaitGroup
		results := make([]error, len(players))
		for i, p := range players {
			wg.Go(func() { results[i] = d.add(p, ids[listing(i%4)]) })
		}
		wg.Wait()
		got := 0
		for _, err := range results {
			if err == nil {
				got++
			} else if f := fault.As(err); f == nil || f.Reason != "network-full" {
				d.t.Error(err)
			}
		}
		if got != 60 {
			d.t.Errorf("%d units are held, want 60", got)
		}
	})
}

func TestCart_AHoldMayNeedAConfirmedAddress(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedEmail, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1"})
		if f := fault.As(d.add("player", listing)); f == nil || f.Code != fault.Conflict || f.Reason != "email-unconfirmed" ||
			f.Message != "Please confirm your email address first. Then you can add items to your cart." {
			d.t.Errorf("without one: %+v", f)
		}
		testkit.ConfirmEmail(d.t, d.db, "player")
		d.mustHold("with one", d.add("player", listing))
	})
}

// The rule is the one for sponsorship, so that players are not asked for what they cannot do: PlayFab stores its
// players' addresses.
func TestCart_APlayerForWhomTheGamePlatformVouchesNeedsNoConfirmedAddress(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedEmail, func(d desk) {
		testkit.AddPlatformPlayer(d.t, d.db, "player")
		testkit.AddWallet(d.t, d.db, "player", 0)
		d.mustHold("without one", d.add("player", testkit.List(d.t, d.db, testkit.Offer{Number: "1"})))
	})
}

// Spec: CART-18
func TestCart_AHoldMayNeedTheMoneyForEverythingThatIsHeld(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedFunds, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 4_000_000, "player")
		one := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 9, Price: 1_700_000})
		d.hold("player", one, 2)
		f := fault.As(d.add("player", one))
		wallet := testkit.WalletOf("player").Checksum()
		if f == nil || f.Code != fault.Conflict || f.Reason != "insufficient-funds" ||
			f.Message != "You need 1.1 USDC more to add this. Send it to your wallet "+wallet+"." {
			d.t.Fatalf("the third: %+v", f)
		}
		want := map[string]string{"missing": "1.1", "needed": "5.1", "balance": "4", "currency": "USDC", "depositAddress": wallet}
		if !maps.Equal(f.Details, want) {
			d.t.Errorf("details %v, want %v", f.Details, want)
		}
		d.letGo("player")
		d.hold("player", one, 1)

		testkit.AddPlayers(d.t, d.db, 1_700_000, "exact")
		d.mustHold("just enough", d.add("exact", one))
		if err := d.db.Write(d.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "newcomer", DisplayName: "newcomer"})
		}); err != nil {
			d.t.Fatal(err)
		}
		if f := fault.As(d.add("newcomer", one)); f == nil || f.Reason != "no-wallet" {
			d.t.Errorf("without a wallet: %+v", f)
		}
	})
}

// Money that moves between accounts to cover one hold after the other counts only after a minute.
func TestCart_MoneyCountsAMinuteAfterItArrived(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedFunds, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		wallet, bank := testkit.WalletOf("player"), eth.MustAddress("0x00000000000000000000000000000000000ba0c0")
		ledger := openLedger(d.t, d.db, d.clock, cart.NeedFunds)
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 9})
		ledger.block(paid(bank, wallet, 1_000_000))
		d.clock.Advance(20 * time.Second)
		ledger.block(paid(bank, wallet, 1_500_000))
		const text = "Your USDC has only just arrived. You can add this with it in a minute."
		d.mustWait("with the first money", d.add("player", listing), "funds-recent", 40*time.Second, text)
		d.clock.Advance(40*time.Second - time.Millisecond)
		d.mustWait("a moment before the minute is over", d.add("player", listing), "funds-recent", time.Millisecond, text)
		d.clock.Advance(time.Millisecond)
		d.mustHold("a minute after the first money", d.add("player", listing))
		d.mustWait("another one", d.add("player", listing), "funds-recent", 20*time.Second, text)
		dear := testkit.List(d.t, d.db, testkit.Offer{Number: "2", Price: 9_000_000})
		if f := fault.As(d.add("player", dear)); f == nil || f.Reason != "insufficient-funds" {
			d.t.Errorf("more than there is: %+v", f)
		}
		d.clock.Advance(20 * time.Second)
		d.mustHold("a minute after the second", d.add("player", listing))
	})
}

// Holds that a wallet no longer covers end with the transfer, newest first.
// Spec: CART-18
func TestCart_HoldsThatTheBalanceNoLongerCoversEnd(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedFunds, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 3_000_000, "player", "other")
		ledger := openLedger(d.t, d.db, d.clock, cart.NeedFunds, shop)
		var listings []string
		for i := range 3 {
			listings = append(listings, testkit.List(d.t, d.db, testkit.Offer{Number: fmt.Sprint(i), Seller: shop}))
			d.hold("player", listings[i], 1)
			d.clock.Advance(time.Second)
		}
		held := func() (ids []string) {
			all, err := d.carts.Items(d.t.Context(), "player")
			if err != nil {
				d.t.Fatal(err)
			}
			for _, i := range all {
				ids = append(ids, i.ListingID)
			}
			return ids
		}
		told := func() (listings, messages []string) {
			rows, err := (store.Outbox{DB: d.db}).Announcements(d.t.Context(), 100)
			if err != nil {
				d.t.Fatal(err)
			}
			var ids []string
			for _, r := range rows {
				ids = append(ids, r.ID)
				switch {
				case r.Topic == announce.Listing:
					listings = append(listings, r.Payload)
				case r.Topic == announce.Message && strings.Contains(r.Payload, "hold-ended"):
					messages = append(messages, r.Payload)
				}
			}
			if err := (store.Outbox{DB: d.db}).Announced(d.t.Context(), ids...); err != nil {
				d.t.Fatal(err)
			}
			return listings, messages
		}
		told()

		ledger.block(paid(testkit.WalletOf("player"), testkit.WalletOf("other"), 1))
		if got := held(); !slices.Equal(got, listings[:2]) {
			d.t.Errorf("held after a transfer: %v, want the oldest two", got)
		}
		updated, messages := told()
		if !slices.Equal(updated, listings[2:]) || len(messages) != 1 || !strings.Contains(messages[0], `"listingId":"2"`) ||
			!strings.Contains(messages[0], "Your wallet no longer has the money for this, so it has left your cart.") {
			d.t.Errorf("told %v, %v", updated, messages)
		}
		d.mustHold("who has the money", d.add("other", listings[2]))
		told()

		terms := onchain.ListingTerms{
			Seller: shop, Contract: items, TokenID: "1", Quantity: 1, Currency: usdc, PricePerToken: money.FromInt(2_000_000),
			Start: time.UnixMilli(0), End: onchain.MaxTime(),
		}
		ledger.block(onchain.ListingEvent{Kind: onchain.ListingUpdated, ListingID: "0", Terms: &terms})
		if got := held(); !slices.Equal(got, listings[1:2]) {
			d.t.Errorf("held after a price rose: %v, want only the other one", got)
		}
		if _, messages := told(); len(messages) != 1 ||
			!strings.Contains(messages[0], "The seller raised the price from 1 to 2 USDC, so this has left your cart.") {
			d.t.Errorf("told %v", messages)
		}
		if got := unitTime(d.t, d.db, "player"); got != time.Second {
			d.t.Errorf("%v count, want only the time of the hold that ended by the player's own doing", got)
		}

		// A purchase uses up its own money and its hold.
		ledger.block(bought("1", shop, testkit.WalletOf("player"), 1, 1_000_000)...)
		if _, messages := told(); len(messages) != 0 || len(held()) != 0 {
			d.t.Errorf("after buying it: %v are held, told %v", held(), messages)
		}
	})
}

func TestCart_PlayersWithoutMoneyReadOfTheFaucetIfThereIsOne(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		o := needing(cart.NeedFunds)
		o.Faucet = "/api/dev/faucet"
		d := desk{t, db, clk, cart.NewService(cartstore.New(db), clk, o)}
		testkit.AddPlayers(t, db, 0, "player")
		f := fault.As(d.add("player", testkit.List(t, db, testkit.Offer{Number: "1"})))
		want := "You need 1 USDC more to add this. Get some from the faucet, or send it to your wallet " +
			testkit.WalletOf("player").Checksum() + "."
		if f == nil || f.Message != want || f.Details["faucet"] != "/api/dev/faucet" {
			t.Errorf("%+v, want %s", f, want)
		}
	})
}

// The time of an expired hold counts even if another hold of the listing, begun later, ended before the sweep.
func TestCart_ExpiredHoldCountsRegardlessOfTheSweepsOrder(t *testing.T) {
	t.Parallel()
	eachDesk(t, cart.NeedNothing, func(d desk) {
		testkit.AddPlayers(d.t, d.db, 0, "player")
		listing := testkit.List(d.t, d.db, testkit.Offer{Number: "1", Quantity: 3})
		d.hold("player", listing, 1)
		d.clock.Advance(10*time.Minute - time.Second)
		later, err := d.carts.Add(d.t.Context(), cart.Holder{PlayerID: "player", Network: "203.0.113.0/24"}, listing, items, nil)
		d.mustHold("a second unit", err)
		d.clock.Advance(2 * time.Second) // the first has expired and is not swept yet
		if err := d.carts.Remove(d.t.Context(), "player", listing, later.Unit); err != nil {
			d.t.Fatal(err)
		}
		if err := d.carts.Sweep(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
		d.hold("player", listing, 1)
		d.clock.Advance(5 * time.Minute) // 15:01 in all
		d.letGo("player")
		d.mustWait("after 15 minutes and a second", d.add("player", listing), "listing-time", time.Hour,
			"You have had this in your cart for more than 15 minutes without buying it. You can add it again in an hour.")
	})
}

// The refusal of one more unit of a listing names whose carts hold them all.
func TestCart_RefusalSaysWhoseCartsHaveThem(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, clk *clock.Fake) {
		carts := cart.NewService(cartstore.New(db), clk, cart.Options{})
		testkit.AddPlayers(t, db, 0, "own", "other")
		listing := testkit.List(t, db, testkit.Offer{Number: "1", Quantity: 3})
		add := func(player string) string {
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: player}, listing, items, nil)
			if err == nil {
				return ""
			}
			if f := fault.As(err); f != nil && f.Reason == "held" {
				return f.Message
			}
			return err.Error()
		}
		for range 3 {
			if got := add("own"); got != "" {
				t.Fatal(got)
			}
		}
		if got := add("own"); got != "You have all of these in your cart already." {
			t.Errorf("all are the player's own: %q", got)
		}
		if got := add("other"); got != "All of these are in other players' carts." {
			t.Errorf("all are another's: %q", got)
		}
		if err := carts.Remove(t.Context(), "own", listing, 1); err != nil {
			t.Fatal(err)
		}
		if got := add("other"); got != "" {
			t.Fatal(got)
		}
		if got := add("own"); got != "You have 2 of these in your cart. Other players have the rest in theirs." {
			t.Errorf("two are the player's own: %q", got)
		}
	})
}
