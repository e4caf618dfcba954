package index_test

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
	"pantheon/internal/testkit/storetest"
)

// Nothing is bought from the wallet of an account that is deleted or will be, whatever is listed when, also past the portal: the money
// would go where nobody has the key.
// Spec: SAFE-10
func TestDeletion_ListingsOfADeletedSellerAreNeverSold(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true))
		terms := storetest.TermsOf(storetest.Items, "1", 1)
		terms.Seller = storetest.WalletA
		x.Apply(storetest.List("0", terms))
		x.Hold("0", 0, "B", 0)
		x.Want("on sale", offeredBy(x), "0 1")
		carts := cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{})
		buyable := func() error { return carts.MayBuy(t.Context(), "B", market.Key(storetest.Chain, "0"), 1) }
		x.OK(buyable())

		request := account.RequestedDeletion{PlayerID: "A", At: x.Clock.Now(), Due: x.Clock.Now().Add(time.Hour)}
		_, err := accounts.New(x.DB).RequestDeletion(t.Context(), request)
		x.OK(err)
		for what, err := range map[string]error{"paying": buyable(), "holding": func() error {
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: "C"}, market.Key(storetest.Chain, "0"), storetest.Items, nil)
			return err
		}()} {
			if f := fault.As(err); f == nil || f.Code != fault.Conflict {
				t.Errorf("%s before the next block: %v", what, err)
			}
		}
		x.Apply()
		x.Want("off the market", offeredBy(x))
		x.Want("and out of the cart", x.Holds())
		x.Apply(storetest.List("1", terms))
		x.Want("listed past the portal", offeredBy(x))

		kept, err := accounts.New(x.DB).CancelDeletion(t.Context(), "A")
		x.OK(err)
		if !kept {
			t.Error("there was no deletion")
		}
		x.Apply()
		x.Want("kept", offeredBy(x), "0 1", "1 1")
		x.OK(buyable())

		_, err = accounts.New(x.DB).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: x.Clock.Now()})
		x.OK(err)
		x.Apply()
		x.Want("deleted", offeredBy(x))
		x.Apply(storetest.List("2", terms), storetest.MintItems(storetest.WalletA, "1", 5))
		x.Want("listed after the deletion", offeredBy(x))
		x.Rewind(start)
		x.Apply(storetest.List("3", terms))
		x.Want("on another branch", offeredBy(x))
		x.Reset()
		x.Tip = onchain.Block{}
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.MintItems(storetest.WalletB, "1", 9),
			storetest.AllowAll(storetest.Items, storetest.WalletA, true), storetest.AllowAll(storetest.Items, storetest.WalletB, true))
		other := storetest.TermsOf(storetest.Items, "1", 1)
		other.Seller = storetest.WalletB
		x.Apply(storetest.List("0", terms), storetest.List("1", other), storetest.List("2", terms))
		x.Want("a rebuilt index", offeredBy(x), "1 1")
	})
}

// While an account is frozen its wallet is closed, whoever froze it. The thaw reopens it.
// Spec: SAFE-6
func TestFreeze_ListingsOfAFrozenSellerAreNotSold(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 9), storetest.AllowAll(storetest.Items, storetest.WalletA, true))
		terms := storetest.TermsOf(storetest.Items, "1", 1)
		terms.Seller = storetest.WalletA
		x.Apply(storetest.List("0", terms))
		carts := cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{})
		closed := func(what string) {
			t.Helper()
			if f := fault.As(carts.MayBuy(t.Context(), "B", market.Key(storetest.Chain, "0"), 1)); f == nil || f.Code != fault.Conflict {
				t.Errorf("%s, before the next block: %v", what, f)
			}
			x.Apply()
			x.Want(what, offeredBy(x))
		}
		open := func(what string) {
			t.Helper()
			x.Apply()
			x.Want(what, offeredBy(x), "0 1")
			x.Hold("0", 0, "B", 0)
			x.OK(carts.MayBuy(t.Context(), "B", market.Key(storetest.Chain, "0"), 1))
		}
		freezer := testkit.Operator(x.DB, x.Clock)
		requestDeletion := func() {
			t.Helper()
			now := x.Clock.Now()
			_, err := accounts.New(x.DB).RequestDeletion(t.Context(), account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(time.Hour)})
			x.OK(err)
		}

		open("listed")
		_, err := freezer.Freeze(t.Context(), "id:A", testkit.By("Stolen."))
		x.OK(err)
		closed("frozen by an operator")
		_, err = freezer.Unfreeze(t.Context(), "id:A", testkit.By("It was found."))
		x.OK(err)
		open("thawed by an operator")

		// The freeze cancels the deletion, which must not reopen the wallet.
		requestDeletion()
		closed("about to be deleted")
		m := email.NewNotice("https://portal.example", "A notice", 0, "test", 0)
		m.To, m.PlayerID = "a@example.org", "A"
		x.OK(x.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, m) }))
		freeze := func() {
			t.Helper()
			_, err := accounts.New(x.DB).FreezeByNotice(t.Context(), account.SelfFreeze{TokenHash: m.Notice.TokenHash, At: x.Clock.Now()})
			x.OK(err)
		}
		freeze()
		closed("frozen by a notice")
		freeze()
		closed("frozen twice")
		if due, err := accounts.New(x.DB).DeletionDue(t.Context(), "A"); !due.IsZero() || err != nil {
			t.Errorf("it is still to be deleted: %v, %v", due, err)
		}
		now := x.Clock.Now()
		_, err = accounts.New(x.DB).EndSessions(t.Context(),
			account.EndSessions{PlayerID: "A", At: now, Since: now, PasswordChanged: true, Thaw: true})
		x.OK(err)
		open("thawed by a new password")
	})
}

// A deletion is requested once: a repeated request returns the date of the first.
func TestDeletion_IsNotCarriedOutBeforeItIsDue(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		now := x.Clock.Now()
		due, err := accounts.New(x.DB).RequestDeletion(t.Context(), account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(time.Hour)})
		x.OK(err)
		again, err := accounts.New(x.DB).RequestDeletion(t.Context(),
			account.RequestedDeletion{PlayerID: "A", At: now, Due: now.Add(2 * time.Hour)})
		x.OK(err)
		if !again.Equal(due) {
			t.Errorf("%v and %v", due, again)
		}
		for player, at := range map[string]time.Time{"A": now.Add(time.Hour - time.Millisecond), "B": now.Add(time.Hour)} {
			if _, err := accounts.New(x.DB).DeletePlayer(t.Context(), account.DeletedPlayer{
				PlayerID: player, At: at, Requested: true,
			}); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", player, err)
			}
		}
		_, err = accounts.New(x.DB).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: now.Add(time.Hour), Requested: true})
		x.OK(err)
	})
}
