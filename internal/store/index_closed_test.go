package store_test

import (
	"context"
	"testing"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
)

// Nothing is bought from the wallet of an account that is deleted or will be, whatever is listed when, also past the portal: the money
// would go where nobody has the key.
// Spec: SAFE-10
func TestDeletion_ListingsOfADeletedSellerAreNeverSold(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		start := x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true))
		terms := termsOf(items, "1", 1)
		terms.Seller = walletA
		x.apply(list("0", terms))
		x.hold("0", 0, "B", 0)
		x.want("on sale", x.offered(), "0 1")
		carts := cart.NewService(cartstore.New(x.db), x.clock, cart.Options{})
		buyable := func() error { return carts.MayBuy(t.Context(), "B", market.Key(indexChain, "0"), 1) }
		x.ok(buyable())

		request := account.RequestedDeletion{PlayerID: "A", At: x.clock.Now(), Due: x.clock.Now().Add(time.Hour)}
		_, err := accounts.New(x.db).RequestDeletion(t.Context(), request)
		x.ok(err)
		for what, err := range map[string]error{"paying": buyable(), "holding": func() error {
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "C"}, market.Key(indexChain, "0"), items, nil)
			return err
		}()} {
			if f := fault.As(err); f == nil || f.Code != fault.Conflict {
				t.Errorf("%s before the next block: %v", what, err)
			}
		}
		x.apply()
		x.want("off the market", x.offered())
		x.want("and out of the cart", x.holds())
		x.apply(list("1", terms))
		x.want("listed past the portal", x.offered())

		kept, err := accounts.New(x.db).CancelDeletion(t.Context(), "A")
		x.ok(err)
		if !kept {
			t.Error("there was no deletion")
		}
		x.apply()
		x.want("kept", x.offered(), "0 1", "1 1")
		x.ok(buyable())

		_, err = accounts.New(x.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.clock.Now()})
		x.ok(err)
		x.apply()
		x.want("deleted", x.offered())
		x.apply(list("2", terms), mintItems(walletA, "1", 5))
		x.want("listed after the deletion", x.offered())
		x.rewind(start)
		x.apply(list("3", terms))
		x.want("on another branch", x.offered())
		x.ok(x.index.Reset(t.Context(), indexChain))
		x.tip = onchain.Block{}
		x.apply(mintItems(walletA, "1", 9), mintItems(walletB, "1", 9), allowAll(items, walletA, true), allowAll(items, walletB, true))
		other := termsOf(items, "1", 1)
		other.Seller = walletB
		x.apply(list("0", terms), list("1", other), list("2", terms))
		x.want("a rebuilt index", x.offered(), "1 1")
	})
}

// While an account is frozen its wallet is closed, whoever froze it. The thaw reopens it.
// Spec: SAFE-6
func TestFreeze_ListingsOfAFrozenSellerAreNotSold(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		x.apply(mintItems(walletA, "1", 9), allowAll(items, walletA, true))
		terms := termsOf(items, "1", 1)
		terms.Seller = walletA
		x.apply(list("0", terms))
		carts := cart.NewService(cartstore.New(x.db), x.clock, cart.Options{})
		closed := func(what string) {
			t.Helper()
			if f := fault.As(carts.MayBuy(t.Context(), "B", market.Key(indexChain, "0"), 1)); f == nil || f.Code != fault.Conflict {
				t.Errorf("%s, before the next block: %v", what, f)
			}
			x.apply()
			x.want(what, x.offered())
		}
		open := func(what string) {
			t.Helper()
			x.apply()
			x.want(what, x.offered(), "0 1")
			x.hold("0", 0, "B", 0)
			x.ok(carts.MayBuy(t.Context(), "B", market.Key(indexChain, "0"), 1))
		}
		freezer := testkit.Operator(x.db, x.clock)
		requestDeletion := func() {
			t.Helper()
			now := x.clock.Now()
			_, err := accounts.New(x.db).RequestDeletion(t.Context(), account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(time.Hour)})
			x.ok(err)
		}

		open("listed")
		_, err := freezer.Freeze(t.Context(), "id:A", testkit.By("Stolen."))
		x.ok(err)
		closed("frozen by an operator")
		_, err = freezer.Unfreeze(t.Context(), "id:A", testkit.By("It was found."))
		x.ok(err)
		open("thawed by an operator")

		// The freeze cancels the deletion, which must not reopen the wallet.
		requestDeletion()
		closed("about to be deleted")
		m := email.NewNotice("https://portal.example", "A notice", 0, "test", 0)
		m.To, m.PlayerID = "a@example.org", "A"
		x.ok(x.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, m) }))
		freeze := func() {
			t.Helper()
			_, err := accounts.New(x.db).FreezeByNotice(t.Context(), account.SelfFreeze{TokenHash: m.Notice.TokenHash, At: x.clock.Now()})
			x.ok(err)
		}
		freeze()
		closed("frozen by a notice")
		freeze()
		closed("frozen twice")
		if due, err := accounts.New(x.db).DeletionDue(t.Context(), "A"); !due.IsZero() || err != nil {
			t.Errorf("it is still to be deleted: %v, %v", due, err)
		}
		now := x.clock.Now()
		_, err = accounts.New(x.db).EndSessions(t.Context(),
			account.EndSessions{PlayerID: "A", At: now, Since: now, PasswordChanged: true, Thaw: true})
		x.ok(err)
		open("thawed by a new password")
	})
}

// A deletion is requested once: a repeated request returns the date of the first.
func TestDeletion_IsNotCarriedOutBeforeItIsDue(t *testing.T) {
	t.Parallel()
	eachIndex(t, func(t *testing.T, x *indexed) {
		now := x.clock.Now()
		due, err := accounts.New(x.db).RequestDeletion(t.Context(), account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(time.Hour)})
		x.ok(err)
		again, err := accounts.New(x.db).RequestDeletion(t.Context(),
			account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(2 * time.Hour)})
		x.ok(err)
		if !again.Equal(due) {
			t.Errorf("%v and %v", due, again)
		}
		for player, at := range map[string]time.Time{"A": now.Add(time.Hour - time.Millisecond), "B": now.Add(time.Hour)} {
			if _, err := accounts.New(x.db).DeletePlayer(t.Context(), account.DeletedPlayer{
				PlayerID: player, At: at, Requested: true,
			}); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", player, err)
			}
		}
		_, err = accounts.New(x.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: now.Add(time.Hour), Requested: true})
		x.ok(err)
	})
}
