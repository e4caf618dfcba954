package account_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

// settle gives a player a wallet, funds and a unit in the cart.
func (h house) settle(playerID, listing string) {
	h.t.Helper()
	testkit.AddWallet(h.t, h.db, playerID, 500_000_000)
	id := testkit.List(h.t, h.db, testkit.Offer{Number: listing, CreatedAt: h.clock.Now()})
	if _, err := cart.NewService(h.db, h.clock, cart.Options{}).Add(h.t.Context(), cart.Holder{PlayerID: playerID}, id, eth.MustAddress(testkit.Items), nil); err != nil {
		h.t.Fatal(err)
	}
	testkit.DrainOutbox(h.t, h.db, announce.Listing)
}

// noCalls is a chain on which payments consist of no calls.
type noCalls struct{}

func (noCalls) PurchaseCalls(_, _ eth.Address, _ money.Units, _ []checkout.Item) ([]checkout.Call, error) {
	return nil, nil
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
			password, code := prove(h, caller)
			if err := h.Delete(t.Context(), caller, password, code); err != nil {
				t.Fatal(proof, err)
			}
			for what, token := range map[string]string{"this session": here.Token, "the other session": there.Token} {
				_, err := h.Authenticate(t.Context(), token)
				h.mustBeSignedOut(proof+": "+what, err)
			}
			if len(h.closed.sessions) != 2 {
				t.Errorf("%s: connections of %v were closed, want of both sessions", proof, h.closed.sessions)
			}
			if _, err := h.db.Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: the player is still there: %v", proof, err)
			}
			if told := testkit.DrainOutbox(t, h.db, announce.Listing); len(told) != 1 {
				t.Errorf("%s: the browsers are told of %v, want of the unit that is free again", proof, told)
			}
			if emails := h.emails(); len(emails) != 1 || emails[0].Subject != "Your account is deleted" || emails[0].To != zeus.Email || emails[0].PlayerID != caller.PlayerID {
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
			f := fault.As(h.Delete(t.Context(), caller, try.password, try.code))
			if f == nil || f.Code != fault.Invalid || f.Reason != try.reason || len(f.Fields) != 1 || f.Fields[0].Location != try.where || try.reason == "" && f.Message != field {
				t.Errorf("%s: %+v", what, f)
			}
		}
		h.login(zeus)
	})
}

func TestDeletion_CodeAllowsFewGuessesForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		try := func(what, code string) {
			t.Helper()
			f := fault.As(h.Delete(t.Context(), caller, "", code))
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

		hera := h.caller(h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock"}).Token)
		code = h.codeFor(caller)
		if f := fault.As(h.Delete(t.Context(), hera, "", code)); f == nil || f.Reason != account.ReasonWrong {
			t.Errorf("another player's code: %v", f)
		}
		h.clock.Advance(15*time.Minute - time.Second)
		if err := h.Delete(t.Context(), caller, "", code); err != nil {
			t.Errorf("a second before its end: %v", err)
		}
	})
}

// Concurrent attempts do not exceed the limit of five.
func TestDeletion_ConcurrentGuessesCountOneByOne(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A")
		now := time.Now()
		if err := db.SaveDeletionCode(t.Context(), "A", "hash", 5, now.Add(time.Minute), email.Message{To: "a@b.co"}); err != nil {
			t.Fatal(err)
		}
		results := make([]error, 24)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { _, results[i] = db.TryDeletionCode(t.Context(), "A", now) })
		}
		wg.Wait()
		if n := len(slices.DeleteFunc(results, func(err error) bool { return err != nil })); n != 5 {
			t.Errorf("%d guesses were taken", n)
		}
	})
}

func TestDeletion_RefusedWhileAPaymentIsPending(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		orders := checkout.NewService(store.Orders{DB: h.db, Chain: testkit.GameChain}, noCalls{}, h.clock, testkit.GameChain,
			checkout.Currency{Address: eth.MustAddress(testkit.USDC), Symbol: "USDC", Decimals: 6})
		order, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{})
		if err != nil {
			t.Fatal(err)
		}
		if err := testkit.SubmitOrder(t, h.db, order.ID, eth.Keccak256([]byte("payment")), h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		f := fault.As(h.Delete(t.Context(), caller, zeus.Password, ""))
		if f == nil || f.Code != fault.Conflict || f.Reason != account.ReasonUnderWay {
			t.Fatalf("%v, want to be told that a payment is under way", f)
		}
		h.login(zeus)
		h.clock.Advance(time.Hour)
		if err := orders.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.Delete(t.Context(), caller, zeus.Password, ""); err != nil {
			t.Errorf("once it is over: %v", err)
		}
	})
}

func TestDeletion_AnUnpaidOrderDoesNotPreventIt(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.settle(caller.PlayerID, "1")
		orders := checkout.NewService(store.Orders{DB: h.db, Chain: testkit.GameChain}, noCalls{}, h.clock, testkit.GameChain,
			checkout.Currency{Address: eth.MustAddress(testkit.USDC), Symbol: "USDC", Decimals: 6})
		if _, err := orders.Start(t.Context(), caller.PlayerID, checkout.Shown{}); err != nil {
			t.Fatal(err)
		}
		if err := h.Delete(t.Context(), caller, zeus.Password, ""); err != nil {
			t.Errorf("%v, want the account deleted: nothing was paid", err)
		}
	})
}

// While PlayFab is unavailable the account is deleted here at once and for good, and PlayFab is retried until it
// succeeds: the account never exists by half.
func TestDeletion_IsFinishedOncePlayFabAnswers(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		if err := h.Delete(t.Context(), caller, zeus.Password, ""); err != nil {
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
			if _, err := h.db.Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
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
			_, err := h.db.OpenSession(t.Context(), id, account.Session{ID: "s", PlayerID: caller.PlayerID}, "h", h.clock.Now())
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

// A sign-in races with the deletion: in either order, nothing of the player is left.
func TestDeletion_SigningInWhileTheAccountIsDeletedLeavesNothing(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); err != nil && fault.As(err) == nil {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			if err := h.Delete(t.Context(), caller, zeus.Password, ""); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if _, err := h.db.Player(t.Context(), caller.PlayerID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the player is there again: %v", err)
		}
		if open, err := h.db.OpenSessions(t.Context(), caller.PlayerID, h.clock.Now()); err != nil || len(open) != 0 {
			t.Errorf("open sessions: %+v, %v", open, err)
		}
	})
}

// Without email there are no codes; the password still works as proof, and no email is sent.
func TestDeletion_WithoutMailWhatNeedsItSaysSo(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		silent := account.NewService(account.Options{
			Platform: h.platform, Sessions: h.db, Deletions: h.db, Emails: h.db, Connections: h.closed, Clock: h.clock, Key: signingKey, Site: site, NoMail: true,
		})
		c, err := silent.Register(t.Context(), zeus)
		if err != nil {
			t.Fatal(err)
		}
		caller := h.caller(c.Token)
		if err := silent.SendDeletionCode(t.Context(), caller); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a code: %v", err)
		}
		if err := silent.Delete(t.Context(), caller, zeus.Password, ""); err != nil {
			t.Errorf("by password: %v", err)
		}
		if emails := h.emails(); len(emails) != 0 {
			t.Errorf("emails were written: %+v", emails)
		}
	})
}
