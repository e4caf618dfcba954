package account_test

import (
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/withdrawals"
	"pantheon/internal/testkit"
)

const (
	why       = "a chargeback is being looked into"
	frozenFor = "This account is frozen: a chargeback is being looked into. Please write to our support."
)

// freeze freezes a player, given as an operator gives one.
func (h house) freeze(player string) operator.FreezeResult {
	h.t.Helper()
	f, err := testkit.Operator(h.db, h.clock).Freeze(h.t.Context(), player, testkit.By(why))
	if err != nil {
		h.t.Fatal(err)
	}
	return f
}

func (h house) unfreeze(player string) *operator.Freeze {
	h.t.Helper()
	u, err := testkit.Operator(h.db, h.clock).Unfreeze(h.t.Context(), player, testkit.By("it is settled"))
	if err != nil {
		h.t.Fatal(err)
	}
	return u.Was
}

// mustBeFrozen checks that the fault has the operator's reason.
func (h house) mustBeFrozen(what string, err error, code fault.Code) {
	h.t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Reason != "frozen" || f.Message != frozenFor {
		h.t.Errorf("%s: %+v, want a fault %s %q", what, err, code, frozenFor)
	}
}

// Else a withdrawal that a thief has confirmed leaves after the thaw.
// Spec: SAFE-6
func TestFreeze_EndsWithdrawalsApprovalsLinksAndCodes(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		code, link := h.emailCode(zeus.Email), h.forget(zeus.Email)
		testkit.AddWallet(t, h.db, caller.PlayerID, 500_000_000)
		h.withdrawal(caller.PlayerID, "W")
		act := approval.Act{Kind: approval.Trade, Digest: "d"}
		h.approved(approval.Caller(caller), act)
		h.freeze(zeus.Email)
		h.unfreeze(zeus.Email)
		w, err := withdrawals.New(h.db).Request(t.Context(), caller.PlayerID, "W")
		if err != nil || w.State != withdrawal.Cancelled || w.Reason != "Your account was frozen." {
			t.Errorf("the withdrawal is %+v, %v", w, err)
		}
		_, err = accounts.New(h.db).UseApproval(t.Context(), caller.PlayerID, act.Kind, act.Digest, "1", h.clock.Now())
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("the approval can be used: %v", err)
		}
		h.mustBeWrong("the code", h.ConfirmEmail(t.Context(), caller, code))
		mustFail(t, "the link", h.ResetPassword(t.Context(), link, "lightning and rain"), fault.Invalid, account.ErrRecoveryLink.Message)
	})
}

// Spec: SAFE-5
func TestFreeze_BlocksEveryCredentialUntilUnfrozen(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		here, there := e.register(zeus), e.login(zeus)
		caller := e.caller(here.Token)
		walletToken, err := e.WalletToken(caller)
		if err != nil {
			t.Fatal(err)
		}
		testkit.DrainOutbox(t, e.db, announce.SessionEnded)
		e.clock.Advance(time.Minute)
		if f := e.freeze(zeus.Email); f.Player.ID != caller.PlayerID || f.Already || f.Sessions != 2 || f.Holds != 0 {
			t.Errorf("the operator is told %+v", f)
		}
		ended := []string{caller.SessionID}
		for what, authenticate := range map[string]func() (account.Caller, error){
			"the token":                   func() (account.Caller, error) { return e.Authenticate(t.Context(), here.Token) },
			"the token of another device": func() (account.Caller, error) { return e.Authenticate(t.Context(), there.Token) },
			"the session's authorization": func() (account.Caller, error) { return e.AuthenticateSession(t.Context(), here.SessionAuthorization) },
			"the wallet token":            func() (account.Caller, error) { return e.AuthenticateWallet(t.Context(), walletToken) },
		} {
			c, err := authenticate()
			e.mustBeFrozen(what, err, fault.Unauthorized)
			if c != (account.Caller{}) {
				t.Errorf("%s is still %+v's", what, c)
			}
		}
		if told := testkit.DrainOutbox(t, e.db, announce.SessionEnded); len(told) != 2 || !slices.Contains(told, ended[0]) {
			t.Errorf("connections of the sessions %v are closed, want of both", told)
		}

		link := e.link(caller.PlayerID, nil)
		doors := map[string]func() (account.Credentials, error){
			"email and password":   func() (account.Credentials, error) { return e.Login(t.Context(), zeus.Email, zeus.Password) },
			"a link from the game": func() (account.Credentials, error) { return e.ContextLogin(t.Context(), link, nil) },
		}
		if e.fake != nil {
			doors["a ticket of PlayFab"] = func() (account.Credentials, error) {
				return e.ContextLogin(t.Context(), e.fake.Ticket(caller.PlayerID), nil)
			}
		}
		for what, enter := range doors {
			c, err := enter()
			e.mustBeFrozen(what, err, fault.Forbidden)
			if c != (account.Credentials{}) {
				t.Errorf("%s: credentials were given", what)
			}
		}
		// A wrong password reveals nothing.
		_, err = e.Login(t.Context(), zeus.Email, "Thunder")
		mustFail(t, "a wrong password", err, fault.Unauthorized, "Invalid email or password")
		_, err = e.Register(t.Context(), account.Registration{Email: zeus.Email, DisplayName: "Somebody", Password: "lightning rods"})
		mustFail(t, "registering the address", err, fault.Conflict, "There is an account with this email already.")

		if was := e.unfreeze(zeus.Email); was == nil || was.Reason != why || !was.At.Equal(e.clock.Now()) {
			t.Errorf("the freeze was %+v", was)
		}
		_, err = e.Authenticate(t.Context(), here.Token)
		e.mustBeSignedOut("a token from before", err)
		for what, enter := range doors {
			if _, err := enter(); err != nil {
				t.Errorf("%s, after the end of it: %v", what, err)
			}
		}
	})
}

// Spec: SAFE-5
func TestFreeze_BlocksSignInByX(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		player := e.identity(e.byX("1 athena"))
		e.freeze(player.DisplayName)
		_, err := e.byX("1 renamed")
		e.mustBeFrozen("by X", err, fault.Forbidden)
		e.unfreeze(player.PlayerID)
		if who := e.mustEnter(e.byX("1 again")); who != player.PlayerID {
			t.Errorf("%s comes back as %s", player.PlayerID, who)
		}
	})
}

// A password reset does not lift the freeze.
func TestFreeze_OutlastsANewPassword(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		h.freeze("Zeus")
		if err := h.ResetPassword(t.Context(), h.forget(zeus.Email), "new thunder"); err != nil {
			t.Fatal(err)
		}
		_, err := h.Login(t.Context(), zeus.Email, "new thunder")
		h.mustBeFrozen("with the new password", err, fault.Forbidden)
	})
}

// A credential that ended before the freeze reveals nothing about the account.
// Spec: SAFE-5
func TestFreeze_IsNotToldToSessionsThatEndedBefore(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		c := h.register(zeus)
		if err := h.Logout(t.Context(), h.caller(c.Token)); err != nil {
			t.Fatal(err)
		}
		old := h.login(zeus)
		h.clock.Advance(time.Second)
		h.freeze(zeus.Email)
		_, err := h.Authenticate(t.Context(), c.Token)
		h.mustBeSignedOut("a token that was logged out", err)
		h.clock.Advance(24 * time.Hour)
		_, err = h.AuthenticateSession(t.Context(), old.SessionAuthorization)
		h.mustBeSignedOut("a session that has expired", err)
	})
}

// A sign-in races with the freeze: in either order, no session stays open.
// Spec: SAFE-5
func TestFreeze_LeavesNoSessionThatIsOpenedMeanwhile(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.whileSigningIn(func() { h.freeze(caller.PlayerID) })
		if open, err := accounts.New(h.db).OpenSessions(t.Context(), caller.PlayerID, h.clock.Now()); err != nil || len(open) != 0 {
			t.Errorf("open sessions: %+v, %v", open, err)
		}
	})
}

// Spec: SAFE-5
func TestFreeze_EndsHoldsAndTakesNoNewOnes(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		id := testkit.List(t, h.db, testkit.Offer{Number: "2", Quantity: 2, CreatedAt: h.clock.Now()})
		holds := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{})
		add := func() error {
			_, err := holds.Add(t.Context(), cart.Holder{PlayerID: caller.PlayerID}, id, eth.MustAddress(testkit.Items), nil)
			return err
		}
		for range 2 {
			if err := add(); err != nil {
				t.Fatal(err)
			}
		}
		testkit.DrainOutbox(t, h.db, announce.Listing)
		if f := h.freeze(caller.PlayerID); f.Holds != 3 {
			t.Errorf("the operator is told of %d holds, want 3", f.Holds)
		}
		told := testkit.DrainOutbox(t, h.db, announce.Listing)
		slices.Sort(told)
		if want := []string{"1337042-1", "1337042-2"}; !slices.Equal(told, want) {
			t.Errorf("the browsers are told of %v, want of %v", told, want)
		}
		if items, err := holds.Items(t.Context(), caller.PlayerID); err != nil || len(items) != 0 {
			t.Errorf("the cart has %+v, %v", items, err)
		}
		// Requests that were authenticated before the freeze and complete after it.
		h.mustBeFrozen("a hold", add(), fault.Forbidden)
		orders := h.orders()
		_, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{})
		h.mustBeFrozen("a payment", err, fault.Forbidden)
		_, err = accounts.New(h.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: caller.PlayerID, At: h.clock.Now()})
		h.mustBeFrozen("leaving for good", err, fault.Forbidden)
		h.unfreeze(caller.PlayerID)
		if err := add(); err != nil {
			t.Errorf("a hold after the end of it: %v", err)
		}
	})
}

// A payment already accepted still completes.
// Spec: SAFE-5
func TestFreeze_LetsAcceptedPaymentsGoOn(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		orders := h.orders()
		order, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{})
		if err != nil {
			t.Fatal(err)
		}
		op, tx := eth.Keccak256([]byte("operation")), eth.Keccak256([]byte("transaction"))
		if err := testkit.SubmitOrder(t, h.db, order.ID, op, h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		if f := h.freeze(caller.PlayerID); f.Holds != 0 {
			t.Errorf("%d holds of a payment under way ended", f.Holds)
		}
		if err := orders.OperationSent(t.Context(), op, tx); err != nil {
			t.Fatal(err)
		}
		order, err = orders.Order(t.Context(), caller.PlayerID, order.ID)
		if err != nil || order.State != checkout.Confirming || order.Total.Cmp(money.MustParse("1000000")) != 0 {
			t.Errorf("the order is %+v, %v", order, err)
		}
		items, err := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{}).Items(t.Context(), caller.PlayerID)
		if err != nil || len(items) != 1 {
			t.Errorf("the units of the payment: %+v, %v", items, err)
		}
	})
}

// Spec: SAFE-7
func TestFreeze_TwiceChangesTheReasonOnly(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		f := testkit.Operator(h.db, h.clock)
		if was := h.unfreeze("Zeus"); was != nil {
			t.Errorf("a freeze that there was not: %+v", was)
		}
		since := h.clock.Now()
		h.freeze("Zeus")
		h.clock.Advance(time.Hour)
		again, err := f.Freeze(t.Context(), "Zeus", testkit.By("a chargeback was confirmed."))
		if err != nil || !again.Already || !again.At.Equal(since) || again.Sessions != 0 || again.Holds != 0 {
			t.Errorf("%+v, %v", again, err)
		}
		_, err = h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "signing in", err, fault.Forbidden, "This account is frozen: a chargeback was confirmed. Please write to our support.")
		list, err := f.FrozenPlayers(t.Context())
		if err != nil || len(list) != 1 || list[0].Player.ID != caller.PlayerID || list[0].Reason != "a chargeback was confirmed." ||
			!list[0].At.Equal(since) {
			t.Errorf("the list is %+v, %v", list, err)
		}
		if reason, frozen, err := h.Frozen(t.Context(), caller.PlayerID); err != nil || !frozen || reason != "a chargeback was confirmed." {
			t.Errorf("%q, %v, %v", reason, frozen, err)
		}
		h.unfreeze("Zeus")
		if list, err := f.FrozenPlayers(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("the list is %+v, %v", list, err)
		}
		if reason, frozen, err := h.Frozen(t.Context(), caller.PlayerID); err != nil || frozen || reason != "" {
			t.Errorf("%q, %v, %v", reason, frozen, err)
		}
		if _, _, err := h.Frozen(t.Context(), "0123456789ABCDEF"); !fault.Is(err, fault.NotFound) {
			t.Errorf("nobody: %v", err)
		}
	})
}

// A link issued before a freeze is valid after it if it was not used: the refused sign-in did not consume it.
func TestFreeze_UsesUpNoLink(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		me := e.caller(e.register(zeus).Token).PlayerID
		e.freeze(me)
		e.clock.Advance(time.Second)
		link := e.link(me, func(c *jwt.RegisteredClaims) { c.ID = "after" })
		_, err := e.ContextLogin(t.Context(), link, nil)
		e.mustBeFrozen("while it lasts", err, fault.Forbidden)
		e.unfreeze(me)
		if who := e.mustEnter(e.ContextLogin(t.Context(), link, nil)); who != me {
			t.Errorf("signed in as %s", who)
		}
	})
}
