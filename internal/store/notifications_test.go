package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/notification"
	"pantheon/internal/store/notifications"
	"pantheon/internal/testkit"
)

// mailboxes are the addresses of the players.
type mailboxes map[string]string

func (m mailboxes) ConfirmedAddress(_ context.Context, playerID string) (string, error) {
	return m[playerID], nil
}

func (x *indexed) notifications() *notification.Service {
	return notification.NewService(notification.Options{
		Store: notifications.New(x.db), Accounts: mailboxes{"A": "a@play.example"}, Clock: x.clock, Site: "https://play.example",
		Symbol: "USDC", Decimals: 6,
	})
}

// notified returns the player's notifications, newest first, as "kind listing × quantity amount", with a star if unread.
func (x *indexed) notified(player string) (lines []string) {
	x.t.Helper()
	page, next, err := x.notifications().Notifications(x.t.Context(), player, "", 100)
	x.ok(err)
	if next != "" {
		x.t.Errorf("a second page begins at %q", next)
	}
	for _, n := range page {
		line := fmt.Sprintf("%s %s × %d %s", n.Kind, n.ListingID, n.Quantity, n.Amount)
		if !n.Read {
			line += " *"
		}
		lines = append(lines, line)
	}
	return lines
}

// updates returns how many times the player's browsers were told that notifications have changed.
func (x *indexed) updates(player string) (n int) {
	for _, line := range x.told() {
		if strings.HasPrefix(line, player+": notification/update") {
			n++
		}
	}
	return n
}

func termsOfA(quantity int64) *onchain.ListingTerms {
	terms := termsOf(items, "1", quantity)
	terms.Seller = walletA
	return terms
}

// buyFromA is the sale of n units of a listing of A's, with its transfers: the payout comes last before the event.
func buyFromA(number string, n int64) []any {
	pay := func(to eth.Address, amount int64) onchain.Transfer {
		return transfer(onchain.ERC20, usdc, "0", stranger, to, amount)
	}
	return []any{
		transfer(onchain.ERC20, usdc, "0", eth.Address{}, stranger, 1000*n), moveItems(walletA, stranger, "1", n), pay(marketplace, 25*n),
		pay(walletA, 975*n),
		onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
			Seller: walletA, Contract: items, TokenID: "1", Buyer: stranger, Quantity: n, Total: money.FromInt(1000 * n)}},
	}
}

// Spec: LIVE-27, SELL-6
func TestNotification_SellerIsNotifiedOnceOfEachSale(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true), list("0", termsOfA(9)))
		x.want("before", x.notified("A"))
		x.updates("A")
		x.applyIn(txOf("a"), "", slices.Concat(buyFromA("0", 2), buyFromA("0", 1))...)
		x.want("two sales in one transaction", x.notified("A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
		if n := x.updates("A"); n != 1 {
			t.Errorf("%d updates", n)
		}
		x.rewind(start)
		x.applyIn(txOf("a"), "other", slices.Concat([]any{mintItems(stranger, "7", 1)}, buyFromA("0", 2), buyFromA("0", 1))...)
		x.want("the same in another block", x.notified("A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
		if n := x.updates("A"); n != 0 {
			t.Errorf("%d updates of the same", n)
		}
		x.want("another player", x.notified("B"))
		x.ok(x.index.Reset(t.Context(), indexChain))
		x.tip = onchain.Block{}
		x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true), list("0", termsOfA(9)))
		x.applyIn(txOf("a"), "rebuilt", slices.Concat(buyFromA("0", 2), buyFromA("0", 1))...)
		x.want("a rebuilt index", x.notified("A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
	})
}

// Spec: MARKET-19
func TestNotification_SellerIsNotifiedOnceWhenGoodsLeaveAndReturn(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(walletA, "1", 3), allowAll(items, walletA, true), list("0", termsOfA(3)))
		x.apply(moveItems(walletA, stranger, "1", 1))
		x.want("one has left", x.notified("A"))
		x.apply(moveItems(walletA, stranger, "1", 2))
		x.want("all have left", x.notified("A"), "stopped 0 × 3 1000 *")
		x.apply(moveItems(stranger, walletA, "1", 3))
		x.want("they are back", x.notified("A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")
		x.apply(moveItems(walletA, stranger, "1", 1))
		x.apply(moveItems(stranger, walletA, "1", 1))
		x.want("once more", x.notified("A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")
		x.apply(relist("0", termsOfA(3)))
		x.apply(cancel("0"))
		x.want("set again and cancelled", x.notified("A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")

		x.apply(list("1", termsOfA(2)))
		away := x.next(moveItems(walletA, stranger, "1", 3))
		x.tip = away.Blocks[0]
		back := x.next(moveItems(stranger, walletA, "1", 3))
		x.ok(x.index.ApplyBatch(t.Context(), joined([]onchain.Batch{away, back})))
		x.want("gone and back in one batch", x.notified("A")[:1], "returned 1 × 2 1000 *")
	})
}

func TestNotification_OfHistoryIsStoredButNotAnnounced(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(walletA, "1", 3), allowAll(items, walletA, true), list("0", termsOfA(3)))
		late := inTx(x.next(buyFromA("0", 1)...), txOf("late"))
		x.updates("A")
		x.clock.Advance(89 * 24 * time.Hour)
		x.ok(x.index.ApplyBatch(t.Context(), late))
		x.tip = late.Blocks[0]
		x.want("after 89 days", x.notified("A"), "sold 0 × 1 975 *")
		older := inTx(x.next(buyFromA("0", 1)...), txOf("older"))
		x.clock.Advance(91 * 24 * time.Hour)
		x.ok(x.index.ApplyBatch(t.Context(), older))
		if n := x.updates("A"); n != 0 {
			t.Errorf("%d updates", n)
		}
		x.ok(x.notifications().Sweep(t.Context()))
		x.want("after 90 more", x.notified("A"))
	})
}

// Spec: SELL-6
func TestNotification_SellerIsNotifiedOnceThatTimeIsOver(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		ends := func(after time.Duration) *onchain.ListingTerms {
			terms := termsOfA(1)
			terms.End = x.clock.Now().Add(after)
			return terms
		}
		strangers := ends(time.Hour)
		strangers.Seller = stranger
		x.apply(mintItems(walletA, "1", 9), mintItems(stranger, "1", 9), allowAll(items, walletA, true), allowAll(items, stranger, true))
		x.apply(list("0", ends(time.Hour)), list("1", ends(time.Hour)), list("2", ends(2*time.Hour)), list("3", strangers),
			list("4", ends(time.Hour)), cancel("1"))
		sweep := func() { x.ok(x.notifications().Sweep(t.Context())) }
		sweep()
		x.want("before their time", x.notified("A"))
		x.clock.Advance(time.Hour)
		x.updates("A")
		sweep()
		x.want("before its last blocks are read", x.notified("A"))
		x.apply()
		sweep()
		sweep()
		x.want("the first", x.notified("A"), "expired 4 × 1 1000 *", "expired 0 × 1 1000 *")
		if n := x.updates("A"); n != 1 {
			t.Errorf("%d updates", n)
		}
		x.clock.Advance(25*time.Hour + time.Minute) // an outage of more than a day
		x.apply()
		sweep()
		x.want("long after the second", x.notified("A"), "expired 4 × 1 1000 *", "expired 0 × 1 1000 *")
	})
}

func TestNotification_LapsedListingEndsInSilence(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		terms := termsOfA(1)
		terms.End = x.clock.Now().Add(time.Hour)
		x.apply(mintItems(walletA, "1", 1), allowAll(items, walletA, true), list("0", terms))
		x.apply(moveItems(walletA, stranger, "1", 1))
		x.clock.Advance(time.Hour)
		x.apply()
		x.ok(x.notifications().Sweep(t.Context()))
		x.want("gone", x.notified("A"), "stopped 0 × 1 1000 *")
		x.apply(moveItems(stranger, walletA, "1", 1))
		x.want("back after its time", x.notified("A"), "stopped 0 × 1 1000 *")

		terms.End = x.clock.Now().Add(time.Hour)
		x.apply(list("1", terms))
		x.apply(moveItems(walletA, stranger, "1", 1))
		x.apply(moveItems(stranger, walletA, "1", 1))
		x.clock.Advance(time.Hour)
		x.apply()
		x.ok(x.notifications().Sweep(t.Context()))
		x.want("gone and back", x.notified("A")[:2], "returned 1 × 1 1000 *", "stopped 1 × 1 1000 *")

		terms.End = x.clock.Now().Add(time.Hour)
		x.apply(list("2", terms))
		x.clock.Advance(time.Hour)
		x.apply(moveItems(walletA, stranger, "1", 1))
		x.want("gone after its time", x.notified("A")[:1], "returned 1 × 1 1000 *")
	})
}

// Spec: SELL-7
func TestNotification_SeenIsReadWithAllOlderOnesAndNoOthers(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true), list("0", termsOfA(9)))
		s := x.notifications()
		for n := int64(1); n <= 3; n++ {
			x.applyIn(txOf(fmt.Sprint(n)), "", buyFromA("0", n)...)
		}
		page, next, err := s.Notifications(t.Context(), "A", "", 2)
		x.ok(err)
		if len(page) != 2 || page[0].Quantity != 3 || page[1].Quantity != 2 || next == "" {
			t.Fatalf("%+v, %q", page, next)
		}
		rest, end, err := s.Notifications(t.Context(), "A", next, 2)
		x.ok(err)
		if len(rest) != 1 || rest[0].Quantity != 1 || end != "" {
			t.Fatalf("the second page: %+v, %q", rest, end)
		}
		unread := func() int64 {
			n, err := s.Unread(t.Context(), "A")
			x.ok(err)
			return n
		}
		x.updates("A")
		x.ok(s.Read(t.Context(), "B", notification.ID(page[0])))
		if n := unread(); n != 3 {
			t.Errorf("another player has read them: %d are unread", n)
		}
		x.ok(s.Read(t.Context(), "A", notification.ID(page[1])))
		x.want("read", x.notified("A"), "sold 0 × 3 2925 *", "sold 0 × 2 1950", "sold 0 × 1 975")
		if n := unread(); n != 1 {
			t.Errorf("%d are unread", n)
		}
		if n := x.updates("A"); n != 1 {
			t.Errorf("%d updates", n)
		}
		for _, id := range []string{"", "1", "%%%"} {
			if err := s.Read(t.Context(), "A", id); err == nil {
				t.Errorf("%q was read", id)
			}
		}
	})
}

// Spec: SELL-8
func TestNotification_UnreadAreEmailedTogetherIfWanted(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		s := x.notifications()
		x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true), list("0", termsOfA(9)))
		sell := func(name string) { x.applyIn(txOf(name), "", buyFromA("0", 1)...) }
		emails := func() []string {
			x.t.Helper()
			x.ok(s.Sweep(t.Context()))
			return x.rows("SELECT recipient, subject FROM mail ORDER BY created_at, id")
		}
		sell("unwanted")
		x.want("unwanted", emails())
		x.ok(s.SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		x.want("older than the choice", emails())
		sell("first")
		one := "a@play.example Sold: Sword of Dawn 1. You received 0.000975 USDC."
		x.want("the first", emails(), one)
		sell("second")
		sell("third")
		x.want("within ten minutes", emails(), one)
		x.clock.Advance(10 * time.Minute)
		two := "a@play.example 2 notifications about your listings"
		x.want("after ten minutes", emails(), one, two)
		x.want("once", emails(), one, two)

		sell("read")
		x.clock.Advance(10 * time.Minute)
		page, _, err := s.Notifications(t.Context(), "A", "", 1)
		x.ok(err)
		x.ok(s.Read(t.Context(), "A", notification.ID(page[0])))
		x.want("read on the site", emails(), one, two)
		sell("late")
		x.clock.Advance(24*time.Hour + time.Minute)
		x.want("after an outage of more than a day", emails(), one, two)
		x.ok(s.SetSettings(t.Context(), "A", notification.Settings{}))
		sell("no longer wanted")
		x.clock.Advance(10 * time.Minute)
		x.want("no longer wanted", emails(), one, two)
		if got, err := s.Settings(t.Context(), "A"); err != nil || got.Email {
			t.Errorf("%+v, %v", got, err)
		}

		x.ok(s.SetSettings(t.Context(), "B", notification.Settings{Email: true})) // without an address
		x.ok(notifications.New(x.db).EmailNotifications(t.Context(), "A", x.clock.Now().Add(-time.Hour), x.clock.Now(),
			func([]notification.Notification) email.Message {
				t.Error("an email that is not wanted is composed")
				return email.Message{}
			}))
	})
}

func TestNotification_PlayersWithoutAddressDoNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		s := x.notifications()
		x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true), list("0", termsOfA(9)))
		x.ok(s.SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		for i := range 100 { // a whole batch, before A in its order
			id := fmt.Sprintf("0%03d", i)
			testkit.AddPlayers(t, x.db, 0, id)
			x.ok(s.SetSettings(t.Context(), id, notification.Settings{Email: true}))
			x.exec("INSERT INTO notification (player_id, key, kind, listing_id, contract, token_id, quantity, amount, tx_hash, " +
				"created_at) VALUES ('" + id +
				"', 'k', 'sold', '0', '" + items.String() + "', '1', 1, '1', '', " + fmt.Sprint(x.clock.Now().UnixMilli()) + ")")
		}
		x.applyIn(txOf("sale"), "", buyFromA("0", 1)...)
		x.ok(s.Sweep(t.Context()))
		x.ok(s.Sweep(t.Context()))
		x.want("emails", x.rows("SELECT recipient FROM mail"), "a@play.example")
		x.want("left to email", x.rows("SELECT player_id FROM notification WHERE emailed = 0"))
	})
}
