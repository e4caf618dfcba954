package account_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/withdrawals"
	"pantheon/internal/testkit"
)

var notMeLink = regexp.MustCompile(`This was not me:\n\nhttps://portal\.example/portal/not-me\?token=([A-Z2-7]{26})\n`)

// notices returns the emails to an address with a subject, the newest first.
func (h house) notices(to, subject string) (found []email.Queued) {
	h.t.Helper()
	for _, m := range h.emails() {
		if m.To == to && m.Subject == subject {
			found = append(found, m)
		}
	}
	return found
}

// tokenOf returns the token of a notice's link.
func (h house) tokenOf(m email.Queued) string {
	h.t.Helper()
	found := notMeLink.FindStringSubmatch(m.Text)
	if found == nil {
		h.t.Fatalf("the mail has no link:\n%s", m.Text)
	}
	return found[1]
}

// confirmed registers a player whose address is confirmed.
func (h house) confirmed(r account.Registration) (account.Credentials, account.Caller) {
	h.t.Helper()
	c := h.register(r)
	caller := h.caller(c.Token)
	if h.fake == nil { // PlayFab's addresses count as confirmed
		if err := h.ConfirmEmail(h.t.Context(), caller, h.emailCode(r.Email)); err != nil {
			h.t.Fatal(err)
		}
	}
	return c, caller
}

const (
	newBrowser   = "Somebody signed in from another browser"
	newPassword  = "Your password was changed"
	signedOut    = "You were signed out elsewhere"
	emailChanged = "The email of your account was changed"
)

// from returns a context of a sign-in from a browser.
func (h house) from(browser string) context.Context {
	return account.FromBrowser(h.t.Context(), "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0", browser)
}

// signIn signs in from a browser and fails the test if that is refused.
func (h house) signIn(browser string) account.Credentials {
	h.t.Helper()
	c, err := h.Login(h.from(browser), zeus.Email, zeus.Password)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// notMe returns the token of the notice about a sign-in from a browser that is new to zeus.
func (h house) notMe(browser string) string {
	h.t.Helper()
	h.signIn(browser)
	return h.tokenOf(h.notices(zeus.Email, newBrowser)[0])
}

// passkey adds a passkey to the player of a session.
func (h house) passkey(c approval.Caller, name string, at time.Time) {
	h.t.Helper()
	act := approval.Act{Kind: approval.AddPasskey, Digest: approval.DigestOfPasskey(name)}
	h.approved(c, act)
	db := accounts.New(h.db)
	_, err := db.UseApproval(h.t.Context(), c.PlayerID, act.Kind, act.Digest, approval.UseOfPasskey, h.clock.Now())
	if err == nil {
		err = db.AddPasskey(h.t.Context(), passkey.Caller(c), name, passkey.Passkey{
			ID: name, PlayerID: c.PlayerID, Name: name, CreatedAt: at,
		}, nil)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h house) mustFreeze(token string) account.SelfFrozen {
	h.t.Helper()
	f, err := h.NotMe(h.t.Context(), token)
	if err != nil {
		h.t.Fatal(err)
	}
	return f
}

const bySelf = "You have frozen this account by the link in our email. To use it again, do what our email about it says."

// Spec: SAFE-3
func TestNotice_SignInFromANewBrowserIsMailedOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		if _, err := h.Register(h.from("first"), zeus); err != nil {
			t.Fatal(err)
		}
		if h.fake == nil {
			id, _, err := accounts.New(h.db).AccountByEmail(t.Context(), zeus.Email)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.ConfirmEmail(t.Context(), account.Caller{PlayerID: id.PlayerID}, h.emailCode(zeus.Email)); err != nil {
				t.Fatal(err)
			}
		}
		h.signIn("first")
		if got := h.notices(zeus.Email, newBrowser); len(got) != 0 {
			t.Errorf("the registering browser was reported: %+v", got)
		}
		h.signIn("second")
		h.signIn("second")
		h.clock.Advance(399 * 24 * time.Hour)
		h.signIn("second")
		got := h.notices(zeus.Email, newBrowser)
		if len(got) != 1 || !strings.Contains(got[0].Text, "    Firefox on Linux, 1 March 2026, 12:00 UTC\n") {
			t.Fatalf("the mails are %+v", got)
		}
		h.tokenOf(got[0])
		h.clock.Advance(400*24*time.Hour + time.Minute)
		if err := h.ForgetStale(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.signIn("second")
		if n := len(h.notices(zeus.Email, newBrowser)); n != 2 {
			t.Errorf("%d mails after 400 days, want another", n)
		}
	})
}

func TestNotice_FiftyBrowsersAreRemembered(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, me := h.confirmed(zeus)
		h.signIn("the first")
		id, err := accounts.New(h.db).Player(t.Context(), me.PlayerID)
		if err != nil {
			t.Fatal(err)
		}
		others := func(from, to int) {
			for i := from; i < to; i++ {
				h.clock.Advance(time.Minute)
				name := fmt.Sprint("browser ", i)
				s := account.Session{
					ID: name, PlayerID: me.PlayerID, BrowserHash: name, CreatedAt: h.clock.Now(), ExpiresAt: h.clock.Now().Add(time.Hour),
				}
				if _, err := accounts.New(h.db).OpenSession(t.Context(), id, s, name, h.clock.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}
		others(0, 49)
		h.signIn("the first")
		if n := len(h.notices(zeus.Email, newBrowser)); n != 1 {
			t.Errorf("%d mails with 50 browsers, want 1", n)
		}
		others(49, 99)
		h.signIn("the first")
		if n := len(h.notices(zeus.Email, newBrowser)); n != 2 {
			t.Errorf("%d mails after 50 others, want 2", n)
		}
	})
}

// An unconfirmed address may be a stranger's.
func TestNotice_SignInsAreNotMailedToAnUnconfirmedAddress(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.register(zeus)
		h.signIn("another")
		if _, err := h.EndOtherSessions(t.Context(), h.caller(h.signIn("another").Token)); err != nil {
			t.Fatal(err)
		}
		if got := h.emails(); len(got) != 1 { // the code of the registration
			t.Errorf("the mails are %+v", got)
		}
	})
}

// Five, so that what the owner has done a moment ago does not hide what a thief does.
// Spec: SAFE-3
func TestNotice_FiveOfAKindInAnHour(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.confirmed(zeus)
		for _, browser := range "abcdefgh" {
			h.signIn(string(browser))
		}
		if n := len(h.notices(zeus.Email, newBrowser)); n != 5 {
			t.Errorf("%d mails, want 5", n)
		}
		if _, err := h.EndOtherSessions(t.Context(), h.caller(h.signIn("a").Token)); err != nil {
			t.Fatal(err)
		}
		if n := len(h.notices(zeus.Email, signedOut)); n != 1 {
			t.Errorf("%d mails of another kind, want 1", n)
		}
		h.clock.Advance(time.Hour)
		h.signIn("i")
		if n := len(h.notices(zeus.Email, newBrowser)); n != 6 {
			t.Errorf("%d mails after an hour, want 6", n)
		}
	})
}

// Spec: SAFE-3
func TestNotice_NewPasswordEndedSessionsAndAnotherEmailAreMailed(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, caller := h.confirmed(zeus)
		if _, err := h.EndOtherSessions(t.Context(), caller); err != nil {
			t.Fatal(err)
		}
		if got := h.notices(zeus.Email, signedOut); len(got) != 0 {
			t.Errorf("mailed, though nothing ended: %+v", got)
		}
		h.signIn("a")
		if _, err := h.EndOtherSessions(t.Context(), caller); err != nil {
			t.Fatal(err)
		}
		if _, err := h.ChangePassword(t.Context(), caller, zeus.Password, "lightning and rain"); err != nil {
			t.Fatal(err)
		}
		for _, subject := range []string{signedOut, newPassword} {
			got := h.notices(zeus.Email, subject)
			if len(got) != 1 {
				t.Fatalf("%q was mailed %d times", subject, len(got))
			}
			h.tokenOf(got[0])
		}

		// Nobody has confirmed the address that is replaced.
		other := h.caller(h.register(hera).Token)
		if err := h.ConfirmEmail(t.Context(), other, h.addEmail(other, "juno@rome.example", hera.Password)); err != nil {
			t.Fatal(err)
		}
		if got := h.notices("juno@rome.example", emailChanged); len(got) != 1 {
			t.Errorf("the new address got %+v", got)
		}
		if got := h.notices(hera.Email, emailChanged); len(got) != 1 || notMeLink.MatchString(got[0].Text) {
			t.Errorf("the unconfirmed old one got %+v", got)
		}
	})
}

// Spec: SAFE-4
func TestNotice_TheLinkEndsSessionsWithdrawalsAndApprovalsAndFreezes(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		mine, me := h.confirmed(zeus)
		h.settle(me.PlayerID, "1")
		token := h.notMe("the thief's")
		stolen := h.signIn("the thief's")
		thief := approval.Caller(h.caller(stolen.Token))
		h.withdrawal(me.PlayerID, "W")
		act := approval.Act{Kind: approval.Trade, Digest: "d"}
		h.approved(thief, act)
		h.passkey(thief, "old", h.clock.Now().Add(-2*time.Hour))
		h.passkey(thief, "the thief's", h.clock.Now())

		h.clock.Advance(time.Minute)
		f := h.mustFreeze(token)
		if got, err := accounts.New(h.db).Passkeys(t.Context(), me.PlayerID); err != nil || len(got) != 0 {
			t.Errorf("the passkeys are %+v, %v", got, err)
		}
		if !f.BySelf() || f.Restored || len(f.Sessions) != 3 {
			t.Errorf("the result is %+v", f)
		}
		for what, c := range map[string]account.Credentials{"the owner's session": mine, "the thief's session": stolen} {
			_, err := h.Authenticate(t.Context(), c.Token)
			mustFail(t, what, err, fault.Unauthorized, bySelf)
		}
		_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "signing in", err, fault.Forbidden, bySelf)
		w, err := withdrawals.New(h.db).Request(t.Context(), me.PlayerID, "W")
		if err != nil || w.State != withdrawal.Cancelled || w.Reason != "You froze your account." {
			t.Errorf("the withdrawal is %+v, %v", w, err)
		}
		_, err = accounts.New(h.db).UseApproval(t.Context(), me.PlayerID, act.Kind, act.Digest, "1", h.clock.Now())
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("the approval can be used: %v", err)
		}
		if held := h.held(me.PlayerID); held != 0 {
			t.Errorf("%d units are held", held)
		}
		text := h.mustHaveWritten(zeus.Email, "Your account is frozen").Text
		if !strings.Contains(text, "https://portal.example/forgot-password\n") || notMeLink.MatchString(text) {
			t.Errorf("the mail is\n%s", text)
		}

		before := len(h.emails())
		if again := h.mustFreeze(token); !again.At.Equal(f.At) || !again.BySelf() || len(h.emails()) != before {
			t.Errorf("pressed again: %+v, %d mails more", again, len(h.emails())-before)
		}
		if frozen, err := testkit.Operator(h.db, h.clock).FrozenPlayers(t.Context()); err != nil || len(frozen) != 1 || !frozen[0].BySelf() {
			t.Errorf("the operator sees %+v, %v", frozen, err)
		}
	})
}

func TestNotice_NoOtherTokenFreezes(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, me := h.confirmed(zeus)
		token := h.notMe("a")
		recovery := h.forget(zeus.Email)
		for what, wrong := range map[string]string{
			"none": "", "a guess": strings.Repeat("A", 26), "a part": token[:25], "another case": strings.ToLower(token),
			"a password reset": recovery, "too much": strings.Repeat(token, 100), "not text": "\x00",
		} {
			if _, err := h.NotMe(t.Context(), wrong); err != error(account.ErrNotMeLink) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if err := h.ResetPassword(t.Context(), token, "lightning and rain"); !fault.Is(err, fault.Invalid) {
			t.Errorf("as a password reset: %v", err)
		}
		h.clock.Advance(30 * 24 * time.Hour)
		if _, err := h.NotMe(t.Context(), token); err != error(account.ErrNotMeLink) {
			t.Errorf("after 30 days: %v", err)
		}
		if _, frozen, err := h.Frozen(t.Context(), me.PlayerID); frozen || err != nil {
			t.Errorf("frozen: %v, %v", frozen, err)
		}
		h.clock.Advance(2 * time.Hour)
		if err := h.ForgetStale(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.db.Read(t.Context(), func(q *gen.Queries) error {
			last, err := q.LastNoticeAt(t.Context(), me.PlayerID)
			if last != 0 {
				t.Error("the link is kept")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// The token of the link that forgot-password mails is the code.
// Spec: SAFE-4
func TestNotice_ThawNeedsTheMailedCodeAndANewPassword(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.confirmed(zeus)
		before := h.forget(zeus.Email)
		token := h.notMe("the thief's")
		h.clock.Advance(time.Second)
		h.mustFreeze(token)
		h.clock.Advance(time.Second)
		if h.fake == nil { // PlayFab's links cannot be revoked; they are mailed to the owner alone, as all others
			mustFail(t, "a code from before", h.ResetPassword(t.Context(), before, "lightning and rain"), fault.Invalid,
				account.ErrRecoveryLink.Message)
		}
		code := h.forget(zeus.Email)
		if err := h.ResetPassword(t.Context(), code, ""); !fault.Is(err, fault.Invalid) {
			t.Errorf("without a password: %v", err)
		}
		if err := h.ResetPassword(t.Context(), strings.Repeat("A", 26), "lightning and rain"); !fault.Is(err, fault.Invalid) {
			t.Errorf("without the code: %v", err)
		}
		_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "meanwhile", err, fault.Forbidden, bySelf)
		if err := h.ResetPassword(t.Context(), code, "lightning and rain"); err != nil {
			t.Fatal(err)
		}
		_, err = h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "the old password", err, fault.Unauthorized, "Invalid email or password")
		if _, err := h.Login(t.Context(), zeus.Email, "lightning and rain"); err != nil {
			t.Errorf("thawed: %v", err)
		}
	})
}

// PlayFab's own page for new passwords tells the portal nothing.
// Spec: SAFE-4
func TestNotice_WhereNewPasswordsAreChosenElsewhereTheSupportThaws(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		h.confirmed(zeus)
		token := h.notMe("the thief's")
		s := testkit.Accounts(h.db, account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db), Emails: accounts.New(h.db),
			Notices: accounts.New(h.db), Connections: h.closed, Clock: h.clock,
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Keys: keyset.Keys{signingKey}, Site: site, ThawBySupport: true,
		})
		if f, err := s.NotMe(t.Context(), token); err != nil || !f.BySupport {
			t.Errorf("the result is %+v, %v", f, err)
		}
		text := h.mustHaveWritten(zeus.Email, "Your account is frozen").Text
		if !strings.Contains(text, "first choose a new password with this email address, then write to our support:\n\n"+
			"https://portal.example/forgot-password\nhttps://portal.example/king-of-destiny/support\n") {
			t.Errorf("the mail is\n%s", text)
		}
	})
}

// Spec: SAFE-4
func TestNotice_AnOperatorsFreezeStays(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		for _, operatorFirst := range []bool{true, false} {
			who := zeus
			if !operatorFirst {
				who = hera
			}
			h.confirmed(who)
			if _, err := h.Login(h.from("the thief's"), who.Email, who.Password); err != nil {
				t.Fatal(err)
			}
			token := h.tokenOf(h.notices(who.Email, newBrowser)[0])
			h.clock.Advance(time.Second)
			if operatorFirst {
				h.freeze(who.Email)
				if f := h.mustFreeze(token); f.BySelf() || f.Reason != why {
					t.Errorf("the freeze is %+v", f)
				}
			} else {
				h.mustFreeze(token)
				h.freeze(who.Email)
			}
			h.clock.Advance(time.Second)
			if err := h.ForgotPassword(t.Context(), who.Email); err != nil {
				t.Fatal(err)
			}
			if err := h.ResetPassword(t.Context(), h.resetToken(who.Email), "lightning and rain"); err != nil {
				t.Fatal(err)
			}
			_, err := h.Login(t.Context(), who.Email, "lightning and rain")
			h.mustBeFrozen("after a new password", err, fault.Forbidden)
		}
	})
}

// Whoever is signed in while the owner presses must not thaw the account by a request that began before.
func TestNotice_ARequestFromBeforeTheFreezeDoesNotLiftIt(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, me := h.confirmed(zeus)
		token, since := h.notMe("a"), h.clock.Now()
		h.clock.Advance(time.Second)
		h.mustFreeze(token)
		for _, e := range []account.EndSessions{
			{PlayerID: me.PlayerID, Since: since, At: h.clock.Now(), PasswordChanged: true, Thaw: true},
			{PlayerID: me.PlayerID, Since: h.clock.Now().Add(time.Second), At: h.clock.Now().Add(time.Second), PasswordChanged: true},
		} {
			if _, err := accounts.New(h.db).EndSessions(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if _, frozen, err := h.Frozen(t.Context(), me.PlayerID); !frozen || err != nil {
				t.Errorf("%+v: frozen %v, %v", e, frozen, err)
			}
		}
	})
}

// changeEmail makes an address the account's, as a change that was approved by a code to the old one does. It returns the
// tokens of the notices to the old address and to the new one.
func (h house) changeEmail(playerID, from, to string) (old, current string) {
	h.t.Helper()
	h.clock.Advance(time.Second)
	err := h.db.Write(h.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for _, step := range []func() error{
			func() error { return tx.Post(ctx, changeNotice(playerID, from)) },
			func() error {
				_, err := tx.SetEmailKey(ctx, gen.SetEmailKeyParams{EmailKey: to, PlayerID: playerID})
				return err
			},
			func() error {
				_, err := tx.SetEmail(ctx, gen.SetEmailParams{Email: to, At: column.At(h.clock.Now()), PlayerID: playerID})
				return err
			},
			func() error { return tx.Post(ctx, changeNotice(playerID, to)) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.tokenOf(h.notices(from, emailChanged)[0]), h.tokenOf(h.notices(to, emailChanged)[0])
}

func changeNotice(playerID, to string) email.Message {
	m := email.NewNotice(site, emailChanged, 0, "email", 5)
	m.To, m.PlayerID = to, playerID
	return m
}

func (h house) mustHaveEmail(playerID, want string) {
	h.t.Helper()
	id, err := accounts.New(h.db).Player(h.t.Context(), playerID)
	if err != nil || id.Email != want || !id.EmailConfirmed {
		h.t.Errorf("the player is %+v, %v; want the confirmed address %s", id, err, want)
	}
}

// Spec: SAFE-4
func TestNotice_TheOldAddressTakesTheAccountBack(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, me := h.confirmed(zeus)
		old, thiefs := h.changeEmail(me.PlayerID, zeus.Email, "thief@evil.example")
		_, later := h.changeEmail(me.PlayerID, "thief@evil.example", "hidden@evil.example")
		reset := func(address string) string {
			if err := h.ForgotPassword(t.Context(), address); err != nil {
				t.Fatal(err)
			}
			return h.resetToken(address)
		}
		theirs := reset("hidden@evil.example")

		// Neither of the thief's links takes it from the owner.
		h.mustFreeze(later)
		if f := h.mustFreeze(thiefs); f.Restored {
			t.Errorf("the thief's new address is restored: %+v", f)
		}
		f := h.mustFreeze(old)
		if !f.Restored || !f.BySelf() {
			t.Errorf("the result is %+v", f)
		}
		h.mustHaveEmail(me.PlayerID, zeus.Email)
		for what, token := range map[string]string{"the thief's": thiefs, "the thief's later one": later} {
			if _, err := h.NotMe(t.Context(), token); err != error(account.ErrNotMeLink) {
				t.Errorf("%s link: %v", what, err)
			}
		}
		mustFail(t, "the thief's code", h.ResetPassword(t.Context(), theirs, "mine forever"), fault.Invalid, account.ErrRecoveryLink.Message)
		if f := h.mustFreeze(old); f.Restored {
			t.Errorf("pressed again: %+v", f)
		}
		h.mustHaveEmail(me.PlayerID, zeus.Email)

		h.clock.Advance(time.Second)
		if err := h.ResetPassword(t.Context(), reset(zeus.Email), "lightning and rain"); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Login(t.Context(), zeus.Email, "lightning and rain"); err != nil {
			t.Error(err)
		}
	})
}

// Spec: SAFE-4
func TestNotice_OnlyAnAddressOfADayIsRestored(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]bool{24*time.Hour - time.Second: false, 24 * time.Hour: true} {
		t.Run(age.String(), func(t *testing.T) {
			t.Parallel()
			eachHouseOn(t, "local", func(t *testing.T, h house) {
				_, me := h.confirmed(zeus)
				h.changeEmail(me.PlayerID, zeus.Email, "second@olympus.example")
				h.clock.Advance(age - time.Second)
				second, _ := h.changeEmail(me.PlayerID, "second@olympus.example", "third@olympus.example")
				h.clock.Advance(48 * time.Hour)
				if f := h.mustFreeze(second); f.Restored != want {
					t.Errorf("the result is %+v", f)
				}
			})
		})
	}
}

// Else a thief would register the old address, and the owner could not take it back.
func TestNotice_AnOldAddressIsReservedWhileItsLinkWorks(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, me := h.confirmed(zeus)
		_, other := h.confirmed(hera)
		old, _ := h.changeEmail(me.PlayerID, zeus.Email, "thief@evil.example")
		again := account.Registration{Email: zeus.Email, DisplayName: "Somebody", Password: "lightning and rain"}
		_, err := h.Register(t.Context(), again)
		mustFail(t, "registering it", err, fault.Conflict, "There is an account with this email already.")
		if err := h.ConfirmEmail(t.Context(), other, h.codeTo(other.PlayerID, zeus.Email)); !fault.Is(err, fault.Conflict) {
			t.Errorf("adding it to another account: %v", err)
		}
		if f := h.mustFreeze(old); !f.Restored {
			t.Errorf("the result is %+v", f)
		}
		h.changeEmail(me.PlayerID, zeus.Email, "other@olympus.example")
		h.clock.Advance(30 * 24 * time.Hour)
		if _, err := h.Register(t.Context(), again); err != nil {
			t.Errorf("after 30 days: %v", err)
		}
	})
}

// A stranger's address that was typed by mistake gets mails until it is replaced. The stranger must not get the account.
func TestNotice_AnAddressThatNobodyConfirmedIsNotRestored(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		if _, err := h.ChangePassword(t.Context(), caller, zeus.Password, "lightning and rain"); err != nil {
			t.Fatal(err)
		}
		strangers := h.tokenOf(h.notices(zeus.Email, newPassword)[0])
		if err := h.ConfirmEmail(t.Context(), caller, h.addEmail(caller, hera.Email, "lightning and rain")); err != nil {
			t.Fatal(err)
		}
		if f := h.mustFreeze(strangers); f.Restored {
			t.Errorf("the result is %+v", f)
		}
		h.mustHaveEmail(caller.PlayerID, hera.Email)
	})
}

// resetToken returns the token of the newest password reset link, on any platform.
func (h house) resetToken(address string) string {
	h.t.Helper()
	if h.fake != nil {
		mails := h.fake.Mails()
		return mails[len(mails)-1].Token
	}
	return tokenInLink.FindStringSubmatch(h.notices(address, "Choose a new password")[0].Text)[1]
}

// withdrawal stores a withdrawal that awaits its confirmation.
func (h house) withdrawal(playerID, id string) {
	h.t.Helper()
	r := withdrawal.Request{
		ID: id, PlayerID: playerID, From: testkit.WalletOf(playerID), CreatedAt: h.clock.Now(), ExpiresAt: h.clock.Now().Add(time.Hour),
	}
	err := withdrawals.New(h.db).Update(h.t.Context(), func(ctx context.Context, tx withdrawal.Tx) error { return tx.Insert(ctx, r) })
	if err != nil {
		h.t.Fatal(err)
	}
}

// approved stores a confirmed approval.
func (h house) approved(c approval.Caller, a approval.Act) {
	h.t.Helper()
	now := h.clock.Now()
	if _, err := accounts.New(h.db).SaveApproval(h.t.Context(), approval.Record{
		ID: "approval of " + a.Digest, Caller: c, Act: a, Way: approval.ByPassword, CreatedAt: now, ConfirmedAt: now,
		ExpiresAt: now.Add(10 * time.Minute),
	}, nil, 0, now); err != nil {
		h.t.Fatal(err)
	}
}

// held returns how many units a player holds.
func (h house) held(playerID string) int {
	h.t.Helper()
	items, err := cart.NewService(cartstore.New(h.db), h.clock, cart.Options{}).Items(h.t.Context(), playerID)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(items)
}

// codeTo stores a code for an address, as of before the address was reserved, and returns it.
func (h house) codeTo(playerID, address string) string {
	h.t.Helper()
	const code = "12345678"
	id, err := accounts.New(h.db).Player(h.t.Context(), playerID)
	if err != nil {
		h.t.Fatal(err)
	}
	err = accounts.New(h.db).SaveEmailCode(h.t.Context(), account.EmailCode{
		PlayerID: playerID, Email: address, Hash: emailcode.Hash(keyset.Keys{signingKey}, "email "+playerID+" "+id.Email+" true false", code),
		Attempts: 5, Expires: h.clock.Now().Add(time.Minute),
		Message: email.Message{To: address, PlayerID: playerID},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return code
}

// Whoever needs the mailbox or an operator may not be the one who added them.
// Spec: ACCOUNT-29
func TestPasskeys_AreRemovedByANewPasswordByMailAndByAFreeze(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		me := h.caller(h.register(zeus).Token)
		left := func(what string, want int) {
			t.Helper()
			if got, err := accounts.New(h.db).Passkeys(t.Context(), me.PlayerID); err != nil || len(got) != want {
				t.Errorf("%s: %d passkeys, %v, want %d", what, len(got), err, want)
			}
		}
		h.passkey(approval.Caller(me), "first", h.clock.Now())
		left("before", 1)
		if err := h.ResetPassword(t.Context(), h.forget(zeus.Email), "lightning and rain"); err != nil {
			t.Fatal(err)
		}
		left("after a new password by mail", 0)
		c, err := h.Login(t.Context(), zeus.Email, "lightning and rain")
		if err != nil {
			t.Fatal(err)
		}
		h.passkey(approval.Caller(h.caller(c.Token)), "second", h.clock.Now())
		left("added again", 1)
		h.freeze(zeus.Email)
		left("after a freeze", 0)
	})
}
