package account_test

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

// settle gives a player a wallet, funds and a unit in the cart.
func (h house) settle(playerID, listing string) {
	h.t.Helper()
	testkit.AddWallet(h.t, h.db, playerID, 500_000_000)
	id := testkit.List(h.t, h.db, testkit.Offer{Number: listing, CreatedAt: h.clock.Now()})
	if _, err := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{}).
		Add(h.t.Context(), cart.Holder{PlayerID: playerID}, id, eth.MustAddress(testkit.Items), nil); err != nil {
		h.t.Fatal(err)
	}
	testkit.DrainOutbox(h.t, h.db, announce.Listing)
}

// noCalls is a chain on which payments consist of no calls.
type noCalls struct{}

func (noCalls) PurchaseCalls(_, _ eth.Address, _ money.Units, _ []checkout.Item) ([]checkout.Call, error) {
	return nil, nil
}

// orders is the checkout before that chain.
func (h house) orders() *checkout.Service {
	return checkout.NewService(cartstore.Orders{DB: h.db, Chain: testkit.GameChain}, noCalls{}, h.clock, testkit.GameChain,
		checkout.Currency{Address: eth.MustAddress(testkit.USDC), Symbol: "USDC", Decimals: 6})
}

var codeLine = regexp.MustCompile(`\n    (\d{8})\n`)

// codeFor requests a code and reads it from the email.
func (h house) codeFor(c account.Caller) string {
	h.t.Helper()
	if err := h.SendDeletionCode(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	m := codeLine.FindStringSubmatch(h.mustHaveWritten(zeus.Email, "Your code for deleting your account").Text)
	if m == nil {
		h.t.Fatal("the email has no code of eight digits")
	}
	return m[1]
}

// Spec: SAFE-9
func TestDeletion_AccountIsDeletedWithAllThatIsKeptOfIt(t *testing.T) {
	t.Parallel()
	for proof, prove := range map[string]func(h house, c account.Caller) (password, code string){
		"by password": func(house, account.Caller) (string, string) { return zeus.Password, "" },
		"by code":     func(h house, c account.Caller) (string, string) { return "", " " + h.codeFor(c) + " " },
	} {
		eachHouse(t, func(t *testing.T, h house) {
			here, there := h.register(zeus), h.login(zeus)
			caller := h.caller(here.Token)
			h.forget(zeus.Email)
			h.settle(caller.PlayerID, "1")
			testkit.SetFunds(t, h.db, caller.PlayerID, 0)
			password, code := prove(h, caller)
			if err := h.delete(caller, password, code); err != nil {
				t.Fatal(proof, err)
			}
			for what, token := range map[string]string{"this session": here.Token, "the other session": there.Token} {
				_, err := h.Authenticate(t.Context(), token)
				h.mustBeSignedOut(proof+": "+what, err)
			}
			if len(h.closed.sessions) != 2 {
				t.Errorf("%s: connections of %v were closed, want of both sessions", proof, h.closed.sessions)
			}
			if _, err := accounts.New(h.db).Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: the player is still there: %v", proof, err)
			}
			if told := testkit.DrainOutbox(t, h.db, announce.Listing); len(told) != 1 {
				t.Errorf("%s: the browsers are told of %v, want of the unit that is free again", proof, told)
			}
			if emails := h.emails(); len(emails) != 1 || emails[0].Subject != "Your account is deleted" || emails[0].To != zeus.Email ||
				emails[0].PlayerID != caller.PlayerID {
				t.Errorf("%s: of the emails are kept %+v, want the farewell alone", proof, emails)
			}
			if err := h.FinishDeletions(t.Context()); err != nil {
				t.Error(proof, err)
			}
			if h.fake != nil && h.fake.Count("Admin/DeleteMasterPlayerAccount") != 1 {
				t.Errorf("%s: PlayFab was not asked to delete the account", proof)
			}
			if err := h.FinishDeletions(t.Context()); err != nil || h.fake != nil && h.fake.Count("Admin/DeleteMasterPlayerAccount") != 1 {
				t.Errorf("%s: PlayFab is asked again: %v", proof, err)
			}
			_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
			mustFail(t, proof+": signing in", err, fault.Unauthorized, "Invalid email or password")
			if again := h.caller(h.register(zeus).Token); again.PlayerID == caller.PlayerID {
				t.Error(proof, "the new account has the old id")
			}
		})
	}
}

// Spec: SAFE-9
func TestDeletion_InvalidProofsAreRefused(t *testing.T) {
	t.Parallel()
	const field = "Please check what you entered."
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		code := h.codeFor(caller)
		wrong := strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
		for what, try := range map[string]struct{ password, code, where, reason string }{
			"nothing":                  {"", "", "body.password", ""},
			"blanks":                   {"", "  ", "body.password", ""},
			"a wrong password":         {"Thunder", "", "body.password", account.ReasonWrong},
			"a wrong password, a code": {"Thunder", code, "body.password", account.ReasonWrong},
			"a wrong code":             {"", wrong, "body.code", account.ReasonWrong},
			"a code with letters":      {"", "<" + code + ">", "body.code", account.ReasonWrong},
			"a code without end":       {"", strings.Repeat("1", 1<<16), "body.code", account.ReasonWrong},
		} {
			f := fault.As(h.delete(caller, try.password, try.code))
			if f == nil || f.Code != fault.Invalid || f.Reason != try.reason || len(f.Fields) != 1 || f.Fields[0].Location != try.where ||
				try.reason == "" && f.Message != field {
				t.Errorf("%s: %+v", what, f)
			}
		}
		h.login(zeus)
	})
}

// Spec: SAFE-9
func TestDeletion_CodeAllowsFewGuessesForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		try := func(what, code string) {
			t.Helper()
			f := fault.As(h.delete(caller, "", code))
			if f == nil || f.Reason != account.ReasonWrong {
				t.Fatalf("%s: %v", what, f)
			}
		}
		first := h.codeFor(caller)
		code := h.codeFor(caller)
		if first != code {
			try("the code before the newest one", first)
		}
		code = h.codeFor(caller)
		for _, c := range []string{"x", "x", "x", "x", "x"} {
			try("a guess", c)
		}
		try("the right code after five guesses", code)

		code = h.codeFor(caller)
		h.clock.Advance(15 * time.Minute)
		try("after a quarter of an hour", code)

		hera := h.caller(h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"}).Token)
		code = h.codeFor(caller)
		if f := fault.As(h.delete(hera, "", code)); f == nil || f.Reason != account.ReasonWrong {
			t.Errorf("another player's code: %v", f)
		}
		h.clock.Advance(15*time.Minute - time.Second)
		if err := h.delete(caller, "", code); err != nil {
			t.Errorf("a second before its end: %v", err)
		}
	})
}

// Spec: SAFE-9
func TestDeletion_RefusedWhileAPaymentIsPending(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		orders := h.orders()
		order, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{})
		if err != nil {
			t.Fatal(err)
		}
		if err := testkit.SubmitOrder(t, h.db, order.ID, eth.Keccak256([]byte("payment")), h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		testkit.SetFunds(t, h.db, caller.PlayerID, 0)
		f := fault.As(h.delete(caller, zeus.Password, ""))
		if f == nil || f.Code != fault.Conflict || f.Reason != account.ReasonUnderWay {
			t.Fatalf("%v, want to be told that a payment is under way", f)
		}
		h.login(zeus)
		h.clock.Advance(time.Hour)
		if err := orders.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.delete(caller, zeus.Password, ""); err != nil {
			t.Errorf("once it is over: %v", err)
		}
	})
}

func TestDeletion_AnUnpaidOrderDoesNotPreventIt(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		orders := h.orders()
		if _, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{}); err != nil {
			t.Fatal(err)
		}
		testkit.SetFunds(t, h.db, caller.PlayerID, 0)
		if err := h.delete(caller, zeus.Password, ""); err != nil {
			t.Errorf("%v, want the account deleted: nothing was paid", err)
		}
	})
}

// While PlayFab is unavailable the account is deleted here at once and for good, and PlayFab is retried until it
// succeeds: the account never exists by half.
// Spec: SAFE-9
func TestDeletion_IsFinishedOncePlayFabAnswers(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		if err := h.delete(caller, zeus.Password, ""); err != nil {
			t.Fatal(err)
		}
		for what, answer := range brokenAnswers() {
			h.fake.Break(fake.Fault{Call: "Admin/DeleteMasterPlayerAccount", Answer: answer})
			if err := h.FinishDeletions(t.Context()); err == nil || strings.Contains(err.Error(), zeus.Email) {
				t.Errorf("%s: %v", what, err)
			}
			h.fake.Heal()
			_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
			mustFail(t, what+": signing in meanwhile", err, fault.Forbidden, account.ErrDeleted.Message)
			if _, err := accounts.New(h.db).Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: half an account is kept: %v", what, err)
			}
			h.clock.Advance(time.Hour)
		}
		// The deletion succeeds but the response is lost: the retry finds no account.
		h.fake.Break(fake.Fault{Call: "Admin/DeleteMasterPlayerAccount", Times: 1, Applied: true, Answer: fake.Cut()})
		if err := h.FinishDeletions(t.Context()); err == nil {
			t.Error("a lost answer is taken for a good one")
		}
		h.clock.Advance(time.Hour)
		asked := h.fake.Count("Admin/DeleteMasterPlayerAccount")
		for range 2 {
			if err := h.FinishDeletions(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n := h.fake.Count("Admin/DeleteMasterPlayerAccount") - asked; n != 1 {
			t.Errorf("PlayFab was asked %d times after it answered", n)
		}
		h.clock.Advance(29 * 24 * time.Hour)
		if err := h.ForgetStale(t.Context()); err != nil {
			t.Fatal(err)
		}
		open := func() error {
			id := account.Identity{PlayerID: caller.PlayerID, DisplayName: "Zeus"}
			_, err := accounts.New(h.db).OpenSession(t.Context(), id, account.Session{ID: "s", PlayerID: caller.PlayerID}, "h", h.clock.Now())
			return err
		}
		if err := open(); !fault.Is(err, fault.Forbidden) {
			t.Errorf("the id opens a session: %v", err)
		}
		h.clock.Advance(24 * time.Hour)
		if err := h.ForgetStale(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := open(); err != nil {
			t.Errorf("after thirty days the id is still remembered: %v", err)
		}
	})
}

// whileSigningIn calls step while Zeus signs in several times.
func (h house) whileSigningIn(step func()) {
	h.t.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := h.Login(h.t.Context(), zeus.Email, zeus.Password); err != nil && fault.As(err) == nil {
				h.t.Error(err)
			}
		})
	}
	wg.Go(step)
	wg.Wait()
}

// A sign-in races with the deletion: in either order, nothing of the player is left.
// Spec: SAFE-9
func TestDeletion_SigningInWhileTheAccountIsDeletedLeavesNothing(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.whileSigningIn(func() {
			if err := h.delete(caller, zeus.Password, ""); err != nil {
				t.Error(err)
			}
		})
		if _, err := accounts.New(h.db).Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the player is there again: %v", err)
		}
		if open, err := accounts.New(h.db).OpenSessions(t.Context(), caller.PlayerID, h.clock.Now()); err != nil || len(open) != 0 {
			t.Errorf("open sessions: %+v, %v", open, err)
		}
	})
}

// Without email there are no codes; the password still works as proof, and no email is sent.
func TestDeletion_WithoutMailWhatNeedsItSaysSo(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		silent := account.NewService(account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db), Emails: accounts.New(h.db),
			Connections: h.closed, Clock: h.clock, Keys: keyset.Keys{signingKey},
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Site: site, NoMail: true,
		})
		c, err := silent.Register(t.Context(), zeus)
		if err != nil {
			t.Fatal(err)
		}
		caller := h.caller(c.Token)
		if err := silent.SendDeletionCode(t.Context(), caller); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a code: %v", err)
		}
		if err := (house{Service: silent, t: t}).delete(caller, zeus.Password, ""); err != nil {
			t.Errorf("by password: %v", err)
		}
		if emails := h.emails(); len(emails) != 0 {
			t.Errorf("emails were written: %+v", emails)
		}
	})
}

// delete deletes an account in which nothing is.
func (h house) delete(c account.Caller, password, code string) error {
	_, err := h.Delete(h.t.Context(), c, account.DeletionProof{Password: password, Code: code})
	return err
}

// valuables are USDC, and the items of tests.
func valuables(t account.Token) (*account.Currency, bool) {
	switch t.Contract.String() {
	case strings.ToLower(testkit.USDC):
		return &account.Currency{Symbol: "USDC", Decimals: 6}, true
	case strings.ToLower(testkit.Items):
		return nil, true
	}
	return nil, false
}

const typed = "I give all this up"

// rich registers a player with 480 USDC, three items and a listing.
func (h house) rich() account.Caller {
	h.t.Helper()
	c := h.caller(h.register(zeus).Token)
	h.forget(zeus.Email)
	testkit.AddWallet(h.t, h.db, c.PlayerID, 480_000_000)
	wallet := testkit.WalletOf(c.PlayerID)
	testkit.SetHolding(h.t, h.db, wallet, testkit.Items, "erc1155", "1", 3)
	testkit.List(h.t, h.db, testkit.Offer{Number: "9", Seller: wallet, CreatedAt: h.clock.Now()})
	return c
}

// mustHaveKey checks that the key of the player's wallet is there.
func (h house) mustHaveKey(what string, c account.Caller) {
	h.t.Helper()
	if _, sealed, _, err := (gasstore.New(h.db)).SealedKey(h.t.Context(), c.PlayerID); err != nil || sealed != "sealed" {
		h.t.Fatalf("%s: the key is %q, %v", what, sealed, err)
	}
}

func (h house) giveUp(c account.Caller) time.Time {
	h.t.Helper()
	due, err := h.Delete(h.t.Context(), c, account.DeletionProof{Password: zeus.Password, GiveUp: typed})
	if err != nil {
		h.t.Fatal(err)
	}
	return due
}

var keepLink = regexp.MustCompile(`/king-of-destiny/support/deleteaccount\?token=(\S+)`)

// A stolen session alone destroys nothing; and with proof 480 USDC stay within reach for seven days.
// Spec: SAFE-10
func TestDeletion_SessionWithoutProofCannotDestroyTheKey(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		for what, p := range map[string]account.DeletionProof{
			"nothing": {}, "the words": {GiveUp: typed}, "a wrong password": {Password: "Thunder", GiveUp: typed},
			"a wrong code":                   {Code: "12345678", GiveUp: typed},
			"the password without the words": {Password: zeus.Password}, "other words": {Password: zeus.Password, GiveUp: "i give all this up"},
		} {
			if due, err := h.Delete(t.Context(), c, p); err == nil || !due.IsZero() {
				t.Errorf("%s: %v, %v", what, due, err)
			}
			h.mustHaveKey(what, c)
		}
		if due, err := h.DeletionDue(t.Context(), c.PlayerID); err != nil || !due.IsZero() {
			t.Errorf("a deletion is under way: %v, %v", due, err)
		}
		h.giveUp(c)
		h.clock.Advance(7*24*time.Hour - time.Second)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.mustHaveKey("a second before the end of the grace", c)
	})
}

// Spec: SAFE-8
func TestDeletion_RefusalNamesWhatIsInTheAccount(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		_, err := h.Delete(t.Context(), c, account.DeletionProof{Password: zeus.Password})
		f := fault.As(err)
		if f == nil || f.Code != fault.Conflict || f.Reason != "not-empty" ||
			f.Message != "There is still something in your account: 480 USDC, 3 items, 1 listing. Take it out first, or give it up." ||
			!maps.Equal(f.Details, map[string]string{"money": "480 USDC", "items": "3", "listings": "1"}) {
			t.Fatalf("%+v", f)
		}
		list, err := h.Belongings(t.Context(), c.PlayerID)
		if err != nil || !slices.Equal(list, []account.Belonging{
			{Kind: "money", Amount: "480", Currency: "USDC"}, {Kind: "items", Amount: "3"}, {Kind: "listings", Amount: "1"},
		}) {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// What arrives between the answer and the deletion counts.
func TestDeletion_IsRefusedForWhatArrivesAtTheLastMoment(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.caller(h.register(zeus).Token)
		testkit.AddWallet(t, h.db, c.PlayerID, 1)
		late := testkit.Accounts(h.db, account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: lateMoney{accounts.New(h.db)}, Emails: accounts.New(h.db),
			Connections: h.closed, Clock: h.clock,
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Keys: keyset.Keys{signingKey}, Site: site, Valuables: valuables,
		})
		_, err := late.Delete(t.Context(), c, account.DeletionProof{Password: zeus.Password})
		if f := fault.As(err); f == nil || f.Reason != "not-empty" {
			t.Errorf("%v", err)
		}
		h.mustHaveKey("after the refusal", c)
	})
}

// lateMoney has nothing when it is first looked at.
type lateMoney struct{ account.Deletions }

func (lateMoney) Belongings(context.Context, string, time.Time) (account.Belongings, error) {
	return account.Belongings{}, nil
}

func TestDeletion_IsRefusedWhileTheIndexMayNotKnowWhatThereIs(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		c := h.caller(h.register(zeus).Token)
		blind := testkit.Accounts(h.db, account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db), Emails: accounts.New(h.db),
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Connections: h.closed, Clock: h.clock, Keys: keyset.Keys{signingKey}, Site: site,
			IndexReady: func(context.Context) error { return errors.New("behind") },
		})
		if _, err := blind.Delete(t.Context(), c, account.DeletionProof{Password: zeus.Password}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%v", err)
		}
	})
}

// Spec: SAFE-10
func TestDeletion_GivenUpAccountIsDeletedOnceAfterSevenDays(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		due := h.giveUp(c)
		if want := h.clock.Now().Add(7 * 24 * time.Hour); !due.Equal(want) {
			t.Errorf("due %v, want %v", due, want)
		}
		text := h.mustHaveWritten(zeus.Email, "Your account will be deleted").Text
		for _, want := range []string{"    480 USDC\n    3 items\n    1 listing\n", "8 March 2026, 12:00 UTC"} {
			if !strings.Contains(text, want) {
				t.Errorf("the email lacks %q:\n%s", want, text)
			}
		}
		h.login(zeus) // until then the player can sign in
		h.clock.Advance(time.Hour)
		if again := h.giveUp(c); !again.Equal(due) {
			t.Errorf("requested again: due %v, want %v", again, due)
		}
		h.clock.Advance(7*24*time.Hour - time.Hour)
		errs := make([]error, 4)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = h.EndGrace(t.Context()) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
		if _, err := accounts.New(h.db).Player(t.Context(), c.PlayerID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the player is still there: %v", err)
		}
		if emails := h.emails(); len(emails) != 1 || emails[0].Subject != "Your account is deleted" {
			t.Errorf("kept emails: %+v, want the farewell once", emails)
		}
	})
}

// Spec: SAFE-10
func TestDeletion_GivenUpAccountIsDeletedEvenIfItIsGoneOnThePlatform(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		c := h.rich()
		h.giveUp(c)
		if err := h.platform.DeletePlayer(t.Context(), c.PlayerID); err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(7 * 24 * time.Hour)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := accounts.New(h.db).Player(t.Context(), c.PlayerID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the player is still there: %v", err)
		}
	})
}

// Spec: SAFE-11
func TestDeletion_IsCancelledByTheOwnerOrTheMailedLink(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		h.giveUp(c)
		token := keepLink.FindStringSubmatch(h.mustHaveWritten(zeus.Email, "Your account will be deleted").Text)[1]
		if err := h.MayTrade(t.Context(), c.PlayerID); fault.As(err) == nil || fault.As(err).Reason != "deleting" {
			t.Errorf("trading meanwhile: %v", err)
		}
		for what, err := range map[string]error{"no token": h.KeepByToken(t.Context(), ""), "another": h.KeepByToken(t.Context(), "x"+token)} {
			if !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", what, err)
			}
		}
		hera := h.caller(h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"}).Token)
		if err := h.Keep(t.Context(), hera); !fault.Is(err, fault.NotFound) {
			t.Errorf("another player: %v", err)
		}
		if err := h.KeepByToken(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		if err := h.KeepByToken(t.Context(), token); !fault.Is(err, fault.NotFound) {
			t.Errorf("the link again: %v", err)
		}
		h.giveUp(c)
		if err := h.Keep(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(8 * 24 * time.Hour)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.mustHaveKey("kept", c)
		if err := h.MayTrade(t.Context(), c.PlayerID); err != nil {
			t.Error(err)
		}
	})
}

// The approval of a deletion that was cancelled is not good for another.
func TestDeletion_CodeIsGoodOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		p := account.DeletionProof{Code: h.codeFor(c), GiveUp: typed}
		if _, err := h.Delete(t.Context(), c, p); err != nil {
			t.Fatal(err)
		}
		if err := h.Keep(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if due, err := h.Delete(t.Context(), c, p); err == nil {
			t.Errorf("the code again: %v", due)
		}
	})
}

// A code approves the loss that its email names, and no other.
func TestDeletion_CodeIsForWhatItsEmailNames(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		p := account.DeletionProof{Code: h.codeFor(c), GiveUp: typed}
		testkit.SetFunds(t, h.db, c.PlayerID, 900_000_000)
		if due, err := h.Delete(t.Context(), c, p); err == nil {
			t.Errorf("900 USDC instead of 480: %v", due)
		}
	})
}

func TestDeletion_FreezeCancelsIt(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		h.giveUp(c)
		if _, err := testkit.Operator(h.db, h.clock).Freeze(t.Context(), "id:"+c.PlayerID, testkit.By("This was not me")); err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(8 * 24 * time.Hour)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.mustHaveKey("frozen", c)
	})
}

// Whoever is about to leave holds nothing, and what they held is free.
func TestDeletion_NothingIsHeldUntilItsEnd(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		id := testkit.List(t, h.db, testkit.Offer{Number: "1", CreatedAt: h.clock.Now()})
		carts := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{})
		hold := func() error {
			_, err := carts.Add(t.Context(), cart.Holder{PlayerID: c.PlayerID}, id, eth.MustAddress(testkit.Items), nil)
			return err
		}
		if err := hold(); err != nil {
			t.Fatal(err)
		}
		h.giveUp(c)
		if held, err := carts.Items(t.Context(), c.PlayerID); err != nil || len(held) != 0 {
			t.Errorf("still held: %+v, %v", held, err)
		}
		if f := fault.As(hold()); f == nil || f.Reason != "deleting" {
			t.Errorf("a hold: %v", f)
		}
	})
}

// An operation that is not settled at the end of the grace is waited for.
func TestDeletion_WaitsForWhatIsInFlight(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.rich()
		id := testkit.List(t, h.db, testkit.Offer{Number: "1", CreatedAt: h.clock.Now()})
		if _, err := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{}).
			Add(t.Context(), cart.Holder{PlayerID: c.PlayerID}, id, eth.MustAddress(testkit.Items), nil); err != nil {
			t.Fatal(err)
		}
		orders := h.orders()
		order, err := orders.Start(t.Context(), c.PlayerID, checkout.Shown{})
		if err != nil {
			t.Fatal(err)
		}
		if err := testkit.SubmitOrder(t, h.db, order.ID, eth.Keccak256([]byte("payment")), h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.giveUp(c)
		h.clock.Advance(7 * 24 * time.Hour)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.mustHaveKey("while a payment is under way", c)
		if err := orders.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(time.Minute)
		if err := h.EndGrace(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := accounts.New(h.db).Player(t.Context(), c.PlayerID); !fault.Is(err, fault.NotFound) {
			t.Errorf("once it is over: %v", err)
		}
	})
}
