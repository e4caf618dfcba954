package notification_test

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
	"pantheon/internal/testkit/storetest"
)

// mailboxes are the addresses of the players.
type mailboxes map[string]string

func (m mailboxes) ConfirmedAddress(_ context.Context, playerID string) (string, error) {
	return m[playerID], nil
}

func notificationsOf(x *storetest.Indexed) *notification.Service {
	return notification.NewService(notification.Options{
		Store: notifications.New(x.DB), Accounts: mailboxes{"A": "a@play.example"}, Clock: x.Clock, Site: "https://play.example",
		Symbol: "USDC", Decimals: 6,
	})
}

// notified returns the player's notifications, newest first, as "kind listing × quantity amount", with a star if unread.
func notified(x *storetest.Indexed, player string) (lines []string) {
	x.T.Helper()
	page, next, err := notificationsOf(x).Notifications(x.T.Context(), player, "", 100)
	x.OK(err)
	if next != "" {
		x.T.Errorf("a second page begins at %q", next)
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
func updatesOf(x *storetest.Indexed, player string) (n int) {
	for _, line := range x.Told() {
		if strings.HasPrefix(line, player+": notification/update") {
			n++
		}
	}
	return n
}

func termsOfA(quantity int64) *onchain.ListingTerms {
	terms := storetest.TermsOf(storetest.Items, "1", quantity)
	terms.Seller = storetest.WalletA
	return terms
}

// buyFromA is the sale of n units of a listing of A's, with its transfers: the payout comes last before the event.
func buyFromA(number string, n int64) []any {
	pay := func(to eth.Address, amount int64) onchain.Transfer {
		return storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.Stranger, to, amount)
	}
	return []any{
		storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.Stranger, 1000*n),
		storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", n), pay(storetest.Marketplace, 25*n),
		pay(storetest.WalletA, 975*n),
		onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: number, Sale: &onchain.Sale{
			Seller: storetest.WalletA, Contract: storetest.Items, TokenID: "1", Buyer: storetest.Stranger, Quantity: n,
			Total: money.FromInt(1000 * n)}},
	}
}

// Spec: LIVE-27, SELL-6
func TestNotification_SellerIsNotifiedOnceOfEachSale(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintItems(storetest.WalletA, "1", 9),
			storetest.AllowAll(storetest.Items, storetest.WalletA, true), storetest.List("0", termsOfA(9)))
		x.Want("before", notified(x, "A"))
		updatesOf(x, "A")
		x.ApplyIn(storetest.TxOf("a"), "", slices.Concat(buyFromA("0", 2), buyFromA("0", 1))...)
		x.Want("two sales in one transaction", notified(x, "A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
		if n := updatesOf(x, "A"); n != 1 {
			t.Errorf("%d updates", n)
		}
		x.Rewind(start)
		x.ApplyIn(storetest.TxOf("a"), "other", slices.Concat([]any{storetest.MintItems(storetest.Stranger, "7", 1)},
			buyFromA("0", 2), buyFromA("0", 1))...)
		x.Want("the same in another block", notified(x, "A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
		if n := updatesOf(x, "A"); n != 0 {
			t.Errorf("%d updates of the same", n)
		}
		x.Want("another player", notified(x, "B"))
		x.Reset()
		x.Tip = onchain.Block{}
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(9)))
		x.ApplyIn(storetest.TxOf("a"), "rebuilt", slices.Concat(buyFromA("0", 2), buyFromA("0", 1))...)
		x.Want("a rebuilt index", notified(x, "A"), "sold 0 × 1 975 *", "sold 0 × 2 1950 *")
	})
}

// Spec: MARKET-19
func TestNotification_SellerIsNotifiedOnceWhenGoodsLeaveAndReturn(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 3), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(3)))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 1))
		x.Want("one has left", notified(x, "A"))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 2))
		x.Want("all have left", notified(x, "A"), "stopped 0 × 3 1000 *")
		x.Apply(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 3))
		x.Want("they are back", notified(x, "A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 1))
		x.Apply(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 1))
		x.Want("once more", notified(x, "A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")
		x.Apply(storetest.Relist("0", termsOfA(3)))
		x.Apply(storetest.Cancel("0"))
		x.Want("set again and cancelled", notified(x, "A"), "returned 0 × 3 1000 *", "stopped 0 × 3 1000 *")

		x.Apply(storetest.List("1", termsOfA(2)))
		away := x.Next(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 3))
		x.Tip = away.Blocks[0]
		back := x.Next(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 3))
		x.OK(x.Index.ApplyBatch(t.Context(), storetest.Joined([]onchain.Batch{away, back})))
		x.Want("gone and back in one batch", notified(x, "A")[:1], "returned 1 × 2 1000 *")
	})
}

func TestNotification_OfHistoryIsStoredButNotAnnounced(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 3), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(3)))
		late := storetest.InTx(x.Next(buyFromA("0", 1)...), storetest.TxOf("late"))
		updatesOf(x, "A")
		x.Clock.Advance(89 * 24 * time.Hour)
		x.OK(x.Index.ApplyBatch(t.Context(), late))
		x.Tip = late.Blocks[0]
		x.Want("after 89 days", notified(x, "A"), "sold 0 × 1 975 *")
		older := storetest.InTx(x.Next(buyFromA("0", 1)...), storetest.TxOf("older"))
		x.Clock.Advance(91 * 24 * time.Hour)
		x.OK(x.Index.ApplyBatch(t.Context(), older))
		if n := updatesOf(x, "A"); n != 0 {
			t.Errorf("%d updates", n)
		}
		x.OK(notificationsOf(x).Sweep(t.Context()))
		x.Want("after 90 more", notified(x, "A"))
	})
}

// Spec: SELL-6
func TestNotification_SellerIsNotifiedOnceThatTimeIsOver(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		ends := func(after time.Duration) *onchain.ListingTerms {
			terms := termsOfA(1)
			terms.End = x.Clock.Now().Add(after)
			return terms
		}
		strangers := ends(time.Hour)
		strangers.Seller = storetest.Stranger
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.MintItems(storetest.Stranger, "1", 9),
			storetest.AllowAll(storetest.Items, storetest.WalletA, true), storetest.AllowAll(storetest.Items, storetest.Stranger, true))
		x.Apply(storetest.List("0", ends(time.Hour)), storetest.List("1", ends(time.Hour)), storetest.List("2", ends(2*time.Hour)),
			storetest.List("3", strangers),
			storetest.List("4", ends(time.Hour)), storetest.Cancel("1"))
		sweep := func() { x.OK(notificationsOf(x).Sweep(t.Context())) }
		sweep()
		x.Want("before their time", notified(x, "A"))
		x.Clock.Advance(time.Hour)
		updatesOf(x, "A")
		sweep()
		x.Want("before its last blocks are read", notified(x, "A"))
		x.Apply()
		sweep()
		sweep()
		x.Want("the first", notified(x, "A"), "expired 4 × 1 1000 *", "expired 0 × 1 1000 *")
		if n := updatesOf(x, "A"); n != 1 {
			t.Errorf("%d updates", n)
		}
		x.Clock.Advance(25*time.Hour + time.Minute) // an outage of more than a day
		x.Apply()
		sweep()
		x.Want("long after the second", notified(x, "A"), "expired 4 × 1 1000 *", "expired 0 × 1 1000 *")
	})
}

func TestNotification_LapsedListingEndsInSilence(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		terms := termsOfA(1)
		terms.End = x.Clock.Now().Add(time.Hour)
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 1), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", terms))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 1))
		x.Clock.Advance(time.Hour)
		x.Apply()
		x.OK(notificationsOf(x).Sweep(t.Context()))
		x.Want("gone", notified(x, "A"), "stopped 0 × 1 1000 *")
		x.Apply(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 1))
		x.Want("back after its time", notified(x, "A"), "stopped 0 × 1 1000 *")

		terms.End = x.Clock.Now().Add(time.Hour)
		x.Apply(storetest.List("1", terms))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 1))
		x.Apply(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 1))
		x.Clock.Advance(time.Hour)
		x.Apply()
		x.OK(notificationsOf(x).Sweep(t.Context()))
		x.Want("gone and back", notified(x, "A")[:2], "returned 1 × 1 1000 *", "stopped 1 × 1 1000 *")

		terms.End = x.Clock.Now().Add(time.Hour)
		x.Apply(storetest.List("2", terms))
		x.Clock.Advance(time.Hour)
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.Stranger, "1", 1))
		x.Want("gone after its time", notified(x, "A")[:1], "returned 1 × 1 1000 *")
	})
}

// Spec: SELL-7
func TestNotification_SeenIsReadWithAllOlderOnesAndNoOthers(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(9)))
		s := notificationsOf(x)
		for n := int64(1); n <= 3; n++ {
			x.ApplyIn(storetest.TxOf(fmt.Sprint(n)), "", buyFromA("0", n)...)
		}
		page, next, err := s.Notifications(t.Context(), "A", "", 2)
		x.OK(err)
		if len(page) != 2 || page[0].Quantity != 3 || page[1].Quantity != 2 || next == "" {
			t.Fatalf("%+v, %q", page, next)
		}
		rest, end, err := s.Notifications(t.Context(), "A", next, 2)
		x.OK(err)
		if len(rest) != 1 || rest[0].Quantity != 1 || end != "" {
			t.Fatalf("the second page: %+v, %q", rest, end)
		}
		unread := func() int64 {
			n, err := s.Unread(t.Context(), "A")
			x.OK(err)
			return n
		}
		updatesOf(x, "A")
		x.OK(s.Read(t.Context(), "B", notification.ID(page[0])))
		if n := unread(); n != 3 {
			t.Errorf("another player has read them: %d are unread", n)
		}
		x.OK(s.Read(t.Context(), "A", notification.ID(page[1])))
		x.Want("read", notified(x, "A"), "sold 0 × 3 2925 *", "sold 0 × 2 1950", "sold 0 × 1 975")
		if n := unread(); n != 1 {
			t.Errorf("%d are unread", n)
		}
		if n := updatesOf(x, "A"); n != 1 {
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
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		s := notificationsOf(x)
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(9)))
		sell := func(name string) { x.ApplyIn(storetest.TxOf(name), "", buyFromA("0", 1)...) }
		emails := func() []string {
			x.T.Helper()
			x.OK(s.Sweep(t.Context()))
			return x.Rows("SELECT recipient, subject FROM mail ORDER BY created_at, id")
		}
		sell("unwanted")
		x.Want("unwanted", emails())
		x.OK(s.SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		x.Want("older than the choice", emails())
		sell("first")
		one := "a@play.example Sold: Sword of Dawn 1. You received 0.000975 USDC."
		x.Want("the first", emails(), one)
		sell("second")
		sell("third")
		x.Want("within ten minutes", emails(), one)
		x.Clock.Advance(10 * time.Minute)
		two := "a@play.example 2 notifications about your listings"
		x.Want("after ten minutes", emails(), one, two)
		x.Want("once", emails(), one, two)

		sell("read")
		x.Clock.Advance(10 * time.Minute)
		page, _, err := s.Notifications(t.Context(), "A", "", 1)
		x.OK(err)
		x.OK(s.Read(t.Context(), "A", notification.ID(page[0])))
		x.Want("read on the site", emails(), one, two)
		sell("late")
		x.Clock.Advance(24*time.Hour + time.Minute)
		x.Want("after an outage of more than a day", emails(), one, two)
		x.OK(s.SetSettings(t.Context(), "A", notification.Settings{}))
		sell("no longer wanted")
		x.Clock.Advance(10 * time.Minute)
		x.Want("no longer wanted", emails(), one, two)
		if got, err := s.Settings(t.Context(), "A"); err != nil || got.Email {
			t.Errorf("%+v, %v", got, err)
		}

		x.OK(s.SetSettings(t.Context(), "B", notification.Settings{Email: true})) // without an address
		x.OK(notifications.New(x.DB).Email(t.Context(), "A", x.Clock.Now().Add(-time.Hour), x.Clock.Now(),
			func([]notification.Notification) email.Message {
				t.Error("an email that is not wanted is composed")
				return email.Message{}
			}))
	})
}

func TestNotification_PlayersWithoutAddressDoNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		s := notificationsOf(x)
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true),
			storetest.List("0", termsOfA(9)))
		x.OK(s.SetSettings(t.Context(), "A", notification.Settings{Email: true}))
		for i := range 100 { // a whole batch, before A in its order
			id := fmt.Sprintf("0%03d", i)
			testkit.AddPlayers(t, x.DB, 0, id)
			x.OK(s.SetSettings(t.Context(), id, notification.Settings{Email: true}))
			x.Exec("INSERT INTO notification (player_id, key, kind, listing_id, contract, token_id, quantity, amount, tx_hash, " +
				"created_at) VALUES ('" + id +
				"', 'k', 'sold', '0', '" + storetest.Items.String() + "', '1', 1, '1', '', " + fmt.Sprint(x.Clock.Now().UnixMilli()) + ")")
		}
		x.ApplyIn(storetest.TxOf("sale"), "", buyFromA("0", 1)...)
		x.OK(s.Sweep(t.Context()))
		x.OK(s.Sweep(t.Context()))
		x.Want("emails", x.Rows("SELECT recipient FROM mail"), "a@play.example")
		x.Want("left to email", x.Rows("SELECT player_id FROM notification WHERE emailed = 0"))
	})
}
