package account_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

var hera = account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"}

// emailCode returns the code in the newest email, which must be to the address.
func (h house) emailCode(address string) string {
	h.t.Helper()
	m := codeLine.FindStringSubmatch(h.mustHaveWritten(address, "Your code to confirm your email").Text)
	if m == nil {
		h.t.Fatal("the mail has no code of eight digits")
	}
	return m[1]
}

// addEmail requests a code for an address, which the player approves, and returns it. The password approves it where the present
// address is not confirmed.
func (h house) addEmail(c account.Caller, address, password string) string {
	h.t.Helper()
	err := h.AddEmail(h.t.Context(), c, address)
	if f := fault.As(err); f != nil && f.Reason == approval.ReasonNeeded {
		h.approveEmail(c, f.Details, password)
		err = h.AddEmail(h.t.Context(), c, address)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return h.emailCode(address)
}

const emailApproval = "Your code for another email address"

// approveEmail confirms the approval of another address by the way that it names.
func (h house) approveEmail(c account.Caller, needed map[string]string, password string) {
	h.t.Helper()
	proof := approval.Confirmation{Password: password}
	if needed["way"] == "code" {
		proof.Code = h.approvalCode()
	}
	if err := h.approvals.Confirm(h.t.Context(), approval.Caller(c), needed["approvalId"], proof); err != nil {
		h.t.Fatal(err)
	}
}

// approvalCode returns the code of the newest email that approves another address.
func (h house) approvalCode() string {
	h.t.Helper()
	for _, m := range h.emails() {
		if m.Subject == emailApproval {
			return codeLine.FindStringSubmatch(m.Text)[1]
		}
	}
	h.t.Fatal("no approval was mailed")
	return ""
}

// mustNeed requests a code for an address and returns the approval that it needs, by a way.
func (h house) mustNeed(c account.Caller, address, way string) map[string]string {
	h.t.Helper()
	f := fault.As(h.AddEmail(h.t.Context(), c, address))
	if f == nil || f.Code != fault.Conflict || f.Reason != "approval-needed" || f.Details["kind"] != "email-change" ||
		f.Details["way"] != way {
		h.t.Fatalf("%s: %+v, want an approval by %s", address, f, way)
	}
	return f.Details
}

func (h house) mustCount(what, playerID string, want bool) {
	h.t.Helper()
	if got, err := h.Confirmed(h.t.Context(), playerID); err != nil || got != want {
		h.t.Errorf("%s: counts as confirmed: %v, %v; want %v", what, got, err, want)
	}
}

const wrongCode = "This code is wrong or too old. Please check it, or ask for a new one."

// mustBeWrong checks that a code was refused as wrong.
func (h house) mustBeWrong(what string, err error) {
	h.t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != fault.Invalid || f.Reason != "wrong" || f.Message != wrongCode || len(f.Fields) != 1 ||
		f.Fields[0].Location != "body.code" {
		h.t.Errorf("%s: %+v, want a wrong code", what, f)
	}
}

// Spec: ACCOUNT-21
func TestEmail_OfARegistrationIsConfirmedByTheMailedCode(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		if n := len(h.emails()); n != 1 {
			t.Errorf("%d mails were written, want one", n)
		}
		code := h.emailCode(zeus.Email)
		h.mustCount("before", caller.PlayerID, false)
		if err := h.ConfirmEmail(t.Context(), caller, " "+code[:4]+" "+code[4:]+"\n"); err != nil {
			t.Fatal(err)
		}
		h.mustCount("after", caller.PlayerID, true)
		id, err := h.Player(t.Context(), caller)
		if want := (account.Identity{
			PlayerID: caller.PlayerID, DisplayName: "Zeus", Email: "zeus@olympus.example", EmailConfirmed: true,
		}); err != nil || id != want {
			t.Errorf("the player is %+v, %v; want %+v", id, err, want)
		}
		h.mustBeWrong("the code once more", h.ConfirmEmail(t.Context(), caller, code))
		mustFail(t, "another code", h.AddEmail(t.Context(), caller, ""), fault.Conflict, "Your email is confirmed already.")
	})
}

// An address of an international domain is mailed in ASCII (RFC 5891), however it is typed.
func TestEmail_OfAnInternationalDomainIsMailedInASCII(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		const ascii = "zeus@xn--e1afmkfd.xn--p1ai"
		typed := zeus
		typed.Email = "zeus@пример.рф"
		c := h.caller(h.register(typed).Token)
		code := h.emailCode(ascii)
		if err := h.ConfirmEmail(t.Context(), c, code); err != nil {
			t.Fatal(err)
		}
		if err := h.ForgotPassword(t.Context(), "zeus@Пример.РФ"); err != nil {
			t.Fatal(err)
		}
		h.mustHaveWritten(ascii, "Choose a new password")
	})
}

func TestEmail_MailSaysWhatToDo(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.register(zeus)
		code := h.emailCode(zeus.Email)
		want := `Hello,

This code confirms that this is the email address of your account at portal.example:

    ` + code + `

Enter it in your settings:

https://portal.example/portal/edit

It is good for 15 minutes.
If you have no account there, somebody typed your address by mistake. You need not do anything; tell the code to nobody.

-- 
portal.example
`
		if got := h.emails()[0].Text; got != want {
			t.Errorf("the mail is\n%s", got)
		}
		other := h.caller(h.register(hera).Token)
		h.approveEmail(other, h.mustNeed(other, zeus.Email, "password"), hera.Password)
		if err := h.AddEmail(t.Context(), other, zeus.Email); err != nil {
			t.Fatal(err)
		}
		want = `Hello,

Somebody with another account at portal.example asked to use your email address there.
It belongs to your account, so nothing has changed.

If it was you, sign in to the account that has this address:

https://portal.example/login

If you do not know its password, choose a new one:

https://portal.example/forgot-password

If it was not you, you need not do anything.

-- 
portal.example
`
		if got := h.mustHaveWritten(zeus.Email, "Your email has an account already").Text; got != want {
			t.Errorf("the mail is\n%s", got)
		}
	})
}

// Spec: ACCOUNT-21
func TestEmail_CodeAllowsFewGuessesForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		first := h.emailCode(zeus.Email)
		code := h.addEmail(caller, zeus.Email, "")
		if first != code {
			h.mustBeWrong("the code before the newest one", h.ConfirmEmail(t.Context(), caller, first))
		}
		code = h.addEmail(caller, zeus.Email, "")
		for _, guess := range []string{"", "x", "<" + code + ">", strings.Repeat("1", 1<<16), "12345678901"} {
			h.mustBeWrong("a guess", h.ConfirmEmail(t.Context(), caller, guess))
		}
		h.mustBeWrong("the right code after five guesses", h.ConfirmEmail(t.Context(), caller, code))

		code = h.addEmail(caller, zeus.Email, "")
		h.clock.Advance(15 * time.Minute)
		h.mustBeWrong("after a quarter of an hour", h.ConfirmEmail(t.Context(), caller, code))

		code = h.addEmail(caller, zeus.Email, "")
		other := h.caller(h.register(hera).Token)
		h.mustBeWrong("another player's code", h.ConfirmEmail(t.Context(), other, code))
		if f := fault.As(h.delete(caller, "", code)); f == nil || f.Reason != "wrong" {
			t.Errorf("the code deletes the account: %v", f)
		}
		h.clock.Advance(15*time.Minute - time.Second)
		if err := h.ConfirmEmail(t.Context(), caller, code); err != nil {
			t.Errorf("a second before its end: %v", err)
		}
	})
}

// Concurrent attempts count as much as sequential ones.
// Spec: ACCOUNT-21
func TestEmail_ConcurrentGuessesCountOneByOne(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		guess := func(n int) {
			var wg sync.WaitGroup
			for range n {
				wg.Go(func() { h.mustBeWrong("a guess", h.ConfirmEmail(t.Context(), caller, "x")) })
			}
			wg.Wait()
		}
		code := h.emailCode(zeus.Email)
		guess(5)
		h.mustBeWrong("the right code after five guesses at once", h.ConfirmEmail(t.Context(), caller, code))
		code = h.addEmail(caller, zeus.Email, "")
		guess(4)
		if err := h.ConfirmEmail(t.Context(), caller, code); err != nil {
			t.Errorf("the right code after four: %v", err)
		}
	})
}

// Neither the response nor the sent email reveals whether an address has an account; the owner of the address is
// notified.
// Spec: ACCOUNT-20
func TestAttack_AddingAnEmailRevealsNoAccounts(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		owner := h.caller(h.register(zeus).Token)
		caller := h.caller(h.register(hera).Token)
		rows := func() (n int64) {
			h.t.Helper()
			if err := h.db.Read(t.Context(), func(q *gen.Queries) (err error) {
				n, err = q.CountOldMails(t.Context(), gen.CountOldMailsParams{
					Before: column.At(time.UnixMilli(1 << 60)), VoidBefore: column.At(time.UnixMilli(1 << 60)),
				})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return h.rows()<<32 + n
		}
		// The same is written for an approval, and for the mail that follows, whoever has the address.
		requested := func(address string) (written [2]int64) {
			t.Helper()
			before := rows()
			needed := h.mustNeed(caller, address, "password")
			written[0] = rows() - before
			h.approveEmail(caller, needed, hera.Password)
			before = rows()
			if err := h.AddEmail(t.Context(), caller, address); err != nil {
				t.Errorf("%s: %v", address, err)
			}
			written[1] = rows() - before
			return written
		}
		free := requested("nobody@olympus.example")
		for _, address := range []string{zeus.Email, " ZEUS@Olympus.example "} {
			if got := requested(address); got != free {
				t.Errorf("%s: rows written: %x, for an address nobody has %x", address, got, free)
			}
		}
		l := h.emails()[0]
		if l.Subject != "Your email has an account already" || l.PlayerID != owner.PlayerID || codeLine.MatchString(l.Text) {
			t.Errorf("the owner is written %+v", l)
		}
		for _, code := range []string{"", "00000000"} {
			h.mustBeWrong("a code for another player's address", h.ConfirmEmail(t.Context(), caller, code))
		}
		h.login(zeus)
		h.mustCount("who asked", caller.PlayerID, false)
	})
}

// A stolen token must not give lasting access: passwords are reset through the account's address.
// Spec: ACCOUNT-20
func TestAttack_AStolenTokenAddsNoAddress(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		if e.fake != nil { // PlayFab stores the addresses: TestEmail_OfAPlayFabPlayerIsPlayFabs
			return
		}
		const thief = "thief@underworld.example"
		caller := e.caller(e.register(zeus).Token)
		needed := e.mustNeed(caller, thief, "password")
		for what, password := range map[string]string{
			"without the password": "", "with a wrong password": "Thunder", "with an endless string": strings.Repeat("x", 1<<20),
		} {
			f := fault.As(e.approvals.Confirm(t.Context(), approval.Caller(caller), needed["approvalId"], approval.Confirmation{Password: password}))
			want := fault.Field{Location: "body.password", Message: "This is not your password."}
			if f == nil || f.Code != fault.Invalid || f.Reason != "wrong" || len(f.Fields) != 1 || f.Fields[0] != want {
				t.Errorf("%s: %+v", what, f)
			}
		}
		e.mustNeed(caller, thief, "password")

		_, confirmed := e.confirmed(hera)
		needed = e.mustNeed(confirmed, thief, "code")
		mine := e.caller(e.login(hera).Token)
		for what, c := range map[string]account.Caller{"by a guess": confirmed, "in another session": mine, "by another player": caller} {
			for _, proof := range []approval.Confirmation{{Code: "00000000"}, {Password: hera.Password}} {
				if err := e.approvals.Confirm(t.Context(), approval.Caller(c), needed["approvalId"], proof); err == nil {
					t.Errorf("%s: approved by %+v", what, proof)
				}
			}
		}

		c, err := e.byX("1 athena")
		player := e.caller(c.Token)
		e.mustEnter(c, err)
		e.clock.Advance(10*time.Minute + time.Second)
		f := fault.As(e.AddEmail(t.Context(), player, thief))
		if f == nil || f.Code != fault.Forbidden || f.Reason != "stale" ||
			f.Message != "Please sign in once more, then do this within ten minutes." {
			t.Errorf("to an account without an address, long after signing in: %+v", f)
		}
		for _, m := range e.emails() {
			if m.To == thief {
				t.Errorf("mailed to the thief: %+v", m)
			}
		}
	})
}

// Spec: ACCOUNT-20
func TestEmail_AnotherAddressTakesThePlaceOfOneThatIsNotConfirmed(t *testing.T) {
	t.Parallel()
	const right = "zeus@sky.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		link := h.forget(zeus.Email)
		code := h.addEmail(caller, right, zeus.Password)
		h.login(zeus) // nothing has changed yet
		if _, err := h.Login(t.Context(), right, zeus.Password); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("by the new address before it is confirmed: %v", err)
		}
		if err := h.ConfirmEmail(t.Context(), caller, code); err != nil {
			t.Fatal(err)
		}
		h.mustCount("after", caller.PlayerID, true)
		if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("by the old address: %v", err)
		}
		c, err := h.Login(t.Context(), strings.ToUpper(right), zeus.Password)
		if err != nil || h.caller(c.Token).PlayerID != caller.PlayerID {
			t.Errorf("by the new address: %v", err)
		}
		mustFail(t, "the link that went to the old address", h.ResetPassword(t.Context(), link, "new thunder"), fault.Invalid,
			"This link has expired or was used before. Please ask for a new one.")
		h.register(account.Registration{Email: zeus.Email, DisplayName: "Iris", Password: "rainbow bridge"}) // the old address is available
	})
}

// Spec: ACCOUNT-20
func TestEmail_APlayerOfXAddsAnAddressAndSignsInByIt(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		if e.fake != nil {
			return
		}
		c, err := e.byX("1 athena")
		caller := e.caller(c.Token)
		e.mustEnter(c, err)
		f := fault.As(e.AddEmail(t.Context(), caller, ""))
		if f == nil || len(f.Fields) != 1 || f.Fields[0] != (fault.Field{Location: "body.email", Message: "Please enter your email."}) {
			t.Errorf("no address: %+v", f)
		}
		if err := e.ConfirmEmail(t.Context(), caller, e.addEmail(caller, zeus.Email, "")); err != nil {
			t.Fatal(err)
		}
		for _, password := range []string{"x", "thunder and rain"} {
			_, err := e.Login(t.Context(), zeus.Email, password)
			mustFail(t, "while there is no password", err, fault.Unauthorized, "Invalid email or password")
		}
		e.clock.Advance(24 * time.Hour)
		if err := e.ResetPassword(t.Context(), e.forget(zeus.Email), zeus.Password); err != nil {
			t.Fatal(err)
		}
		if who := e.caller(e.login(zeus).Token).PlayerID; who != caller.PlayerID {
			t.Errorf("by the address comes %s, want %s", who, caller.PlayerID)
		}
		if who := e.mustEnter(e.byX("1 renamed")); who != caller.PlayerID {
			t.Errorf("by X comes %s, want %s", who, caller.PlayerID)
		}
	})
}

// A stolen session can add the thief's address. For a day it does not prove who the player is, nor does a password set by it.
func TestEmail_AnAddedAddressProvesNothingForADay(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		proves := func(what, playerID, mailbox string, password bool) {
			t.Helper()
			if got, err := e.ProvingMailbox(t.Context(), playerID); got != mailbox || err != nil {
				t.Errorf("%s: the mailbox is %q, %v; want %q", what, got, err, mailbox)
			}
			if got, err := e.HasPassword(t.Context(), playerID); got != password || err != nil {
				t.Errorf("%s: there is a password: %t, %v", what, got, err)
			}
		}
		if e.fake != nil {
			return
		}
		registered := e.caller(e.register(zeus).Token)
		proves("a registration's address", registered.PlayerID, zeus.Email, true)
		if err := e.ConfirmEmail(t.Context(), registered, e.addEmail(registered, zeus.Email, "")); err != nil {
			t.Fatal(err)
		}
		proves("a registration's address, confirmed", registered.PlayerID, zeus.Email, true)

		c, err := e.byX("1 athena")
		athena := e.caller(c.Token)
		e.mustEnter(c, err)
		proves("no address", athena.PlayerID, "", false)
		if err := e.ConfirmEmail(t.Context(), athena, e.addEmail(athena, "athena@example.org", "")); err != nil {
			t.Fatal(err)
		}
		e.clock.Advance(24*time.Hour - time.Second)
		proves("a new address", athena.PlayerID, "", false)
		mustFail(t, "a code to a new address", e.SendDeletionCode(t.Context(), athena), fault.Conflict,
			"Your account has no email that can be used for this yet.")
		e.clock.Advance(time.Second)
		proves("an address of a day", athena.PlayerID, "athena@example.org", true)
	})
}

// Using the emailed reset link proves that the player reads the address.
// Spec: ACCOUNT-22
func TestEmail_IsConfirmedByAMailedLinkForANewPassword(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		pending := h.addEmail(caller, "zeus@sky.example", zeus.Password)
		if err := h.ResetPassword(t.Context(), h.forget(zeus.Email), "new thunder"); err != nil {
			t.Fatal(err)
		}
		h.mustCount("after", caller.PlayerID, true)
		c, err := h.Login(t.Context(), zeus.Email, "new thunder")
		if err != nil {
			t.Fatal(err)
		}
		h.mustBeWrong("a code from before the new password", h.ConfirmEmail(t.Context(), h.caller(c.Token), pending))
	})
}

func TestEmail_ANewPasswordEndsTheCodesFromBefore(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		pending := h.addEmail(caller, "zeus@sky.example", zeus.Password)
		if _, err := h.ChangePassword(t.Context(), caller, zeus.Password, "new thunder"); err != nil {
			t.Fatal(err)
		}
		h.mustBeWrong("a code from before", h.ConfirmEmail(t.Context(), caller, pending))
		h.mustCount("after", caller.PlayerID, false)
	})
}

// If two players request codes for a free address, it goes to the one who confirms first.
// Spec: ACCOUNT-21
func TestEmail_AddressBelongsToOnePlayer(t *testing.T) {
	t.Parallel()
	const wanted = "olympus@sky.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		callers := []account.Caller{h.caller(h.register(zeus).Token), h.caller(h.register(hera).Token)}
		passwords := []string{zeus.Password, hera.Password}
		codes, errs := make([]string, len(callers)), make([]error, len(callers))
		for i, c := range callers {
			codes[i] = h.addEmail(c, wanted, passwords[i])
		}
		var wg sync.WaitGroup
		for i, c := range callers {
			wg.Go(func() { errs[i] = h.ConfirmEmail(t.Context(), c, codes[i]) })
		}
		wg.Wait()
		got := 0
		for i, err := range errs {
			if err == nil {
				got++
				h.mustCount("the first", callers[i].PlayerID, true)
				continue
			}
			mustFail(t, "the second", err, fault.Conflict, "There is an account with this email already. Please sign in to that one.")
			h.mustCount("the second", callers[i].PlayerID, false)
		}
		if got != 1 {
			t.Errorf("%d players confirmed one address", got)
		}
	})
}

// The single definition of a reachable player.
// Spec: ACCOUNT-22
func TestEmail_WhoCountsAsConfirmed(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		elsewhere := e.fake != nil
		registered := e.caller(e.register(zeus).Token)
		e.mustCount("who registered", registered.PlayerID, elsewhere)
		e.mustCount("who signs in with X", e.mustEnter(e.byX("1 athena")), true)
		e.mustEnter(e.ContextLogin(t.Context(), e.link(registered.PlayerID, nil), nil))
		e.mustCount("who came by a link from the game", registered.PlayerID, true)
		e.mustCount("nobody", "0123456789ABCDEF", false)
		if elsewhere {
			return
		}
		other := e.caller(e.register(hera).Token)
		e.login(hera)
		e.mustCount("who signs in again", other.PlayerID, false)
		if err := e.ConfirmEmail(t.Context(), other, e.addEmail(other, hera.Email, "")); err != nil {
			t.Fatal(err)
		}
		e.mustCount("who confirmed", other.PlayerID, true)
		testkit.AddPlatformPlayer(t, e.db, "ABCDEF0123456789")
		e.mustCount("whose account the game platform keeps", "ABCDEF0123456789", true)
	})
}

// Spec: SELL-8
func TestEmail_OnlyAConfirmedAddressIsAMailboxForNews(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		caller := e.caller(e.register(zeus).Token)
		mustBe := func(what, want string) {
			t.Helper()
			if got, err := e.ConfirmedMailbox(t.Context(), caller.PlayerID); err != nil || got != want {
				t.Errorf("%s: %q, %v", what, got, err)
			}
		}
		if e.fake != nil {
			mustBe("at the game platform", zeus.Email)
			return
		}
		mustBe("registered", "")
		// The game vouches for the player, and not for the address.
		e.mustEnter(e.ContextLogin(t.Context(), e.link(caller.PlayerID, nil), nil))
		mustBe("by a link from the game", "")
		if err := e.ConfirmEmail(t.Context(), caller, e.addEmail(caller, zeus.Email, "")); err != nil {
			t.Fatal(err)
		}
		mustBe("confirmed", zeus.Email)
	})
}

// Spec: ACCOUNT-20
func TestEmail_OfAPlayFabPlayerIsPlayFabs(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		for _, address := range []string{"", zeus.Email, hera.Email} {
			f := fault.As(h.AddEmail(t.Context(), caller, address))
			if f == nil || f.Code != fault.Conflict || f.Reason != "elsewhere" ||
				f.Message != "Your email belongs to your account in the game and is kept there. You do not have to confirm it here." {
				t.Errorf("%q: %+v", address, f)
			}
		}
		if emails := h.emails(); len(emails) != 0 {
			t.Errorf("mails were written: %+v", emails)
		}
	})
}

// Spec: ACCOUNT-20
func TestEmail_WithoutMailNothingIsPromised(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
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
		mustFail(t, "a code", silent.AddEmail(t.Context(), h.caller(c.Token), ""), fault.Unavailable,
			"We cannot send mail just now. Please write to our support.")
		if emails := h.emails(); len(emails) != 0 {
			t.Errorf("mails were written: %+v", emails)
		}
	})
}

// noCodes is a database that fails to store codes.
type noCodes struct{ account.Emails }

func (noCodes) SaveEmailCode(context.Context, account.EmailCode) error {
	return fault.New(fault.Unavailable, "The disk is full.")
}

// If the code cannot be emailed, the account exists nevertheless, and another code can be requested.
func TestEmail_ARegistrationStandsWhenItsCodeCannotBeMailed(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		s := account.NewService(account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db), Emails: noCodes{accounts.New(h.db)},
			Connections: h.closed, Clock: h.clock, Keys: keyset.Keys{signingKey},
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Site: site, Report: h.closed.report,
		})
		c, err := s.Register(t.Context(), zeus)
		if err != nil || len(h.closed.reports) != 1 {
			t.Fatalf("%v; reported: %v", err, h.closed.reports)
		}
		h.addEmail(h.caller(c.Token), zeus.Email, "")
	})
}

// kept records the stored codes.
type kept struct {
	account.Emails
	codes []account.EmailCode
}

func (k *kept) SaveEmailCode(ctx context.Context, c account.EmailCode) error {
	k.codes = append(k.codes, c)
	return k.Emails.SaveEmailCode(ctx, c)
}

// Stored codes are hashed with a key: the database alone does not reveal them.
// Spec: ACCOUNT-21
func TestEmail_ACodeIsKeptOnlyAsAHash(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		k := &kept{Emails: accounts.New(h.db)}
		s := account.NewService(account.Options{
			Platform: h.platform, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db), Emails: k, Connections: h.closed,
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Clock: h.clock, Keys: keyset.Keys{signingKey}, Site: site,
		})
		if _, err := s.Register(t.Context(), zeus); err != nil {
			t.Fatal(err)
		}
		code := h.emailCode(zeus.Email)
		if hash := k.codes[0].Hash; len(hash) != 64 || strings.Contains(hash, code) || hash == account.HashSecret(code) {
			t.Errorf("kept is %s of the code %s", hash, code)
		}
	})
}

// changed replaces the player's confirmed address and returns the token of the notice to the old one.
func (h house) changed(c account.Caller, from, to string) (notMe string) {
	h.t.Helper()
	if err := h.ConfirmEmail(h.t.Context(), c, h.addEmail(c, to, "")); err != nil {
		h.t.Fatal(err)
	}
	return h.tokenOf(h.notices(from, emailChanged)[0])
}

// Spec: ACCOUNT-20
func TestEmail_AConfirmedAddressIsReplacedByCodesToBoth(t *testing.T) {
	t.Parallel()
	const sky = "zeus@sky.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, caller := h.confirmed(zeus)
		link := h.forget(zeus.Email)
		needed := h.mustNeed(caller, " "+sky+" ", "code")
		if needed["sentTo"] != "z•••@olympus.example" {
			t.Errorf("the code was sent to %s", needed["sentTo"])
		}
		text := h.mustHaveWritten(zeus.Email, emailApproval).Text
		if !strings.Contains(text, "This code confirms that you want to change your email address at portal.example:\n\n    "+sky+"\n\n") ||
			!notMeLink.MatchString(text) {
			t.Errorf("the mail is\n%s", text)
		}
		if n := len(h.notices(sky, "Your code to confirm your email")); n != 0 {
			t.Errorf("%d codes were mailed to the new address without approval", n)
		}
		h.approveEmail(caller, needed, "")
		code := h.addEmail(caller, sky, "")
		h.login(zeus) // nothing has changed yet
		trade := approval.Act{Kind: approval.Trade, Digest: "d"}
		waiting, err := h.approvals.Request(t.Context(), approval.Caller(caller), trade)
		if err != nil {
			t.Fatal(err)
		}
		old := codeLine.FindStringSubmatch(h.mustHaveWritten(zeus.Email, "Your code for a trade").Text)[1]
		if err := h.ConfirmEmail(t.Context(), caller, code); err != nil {
			t.Fatal(err)
		}
		h.mustHaveEmail(caller.PlayerID, sky)
		for address, isOld := range map[string]bool{zeus.Email: true, sky: false} {
			if got := h.notices(address, emailChanged); len(got) != 1 || notMeLink.MatchString(got[0].Text) != isOld {
				t.Errorf("the mails to %s are %+v", address, got)
			}
		}
		if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("by the old address: %v", err)
		}
		if _, err := h.Login(t.Context(), sky, zeus.Password); err != nil {
			t.Errorf("by the new address: %v", err)
		}
		mustFail(t, "a reset link of the old address", h.ResetPassword(t.Context(), link, "new thunder"), fault.Invalid,
			account.ErrRecoveryLink.Message)
		err = h.approvals.Confirm(t.Context(), approval.Caller(caller), waiting.ID, approval.Confirmation{Code: old})
		if f := fault.As(err); f == nil || f.Reason != "over" {
			t.Errorf("a code of the old address: %v", err)
		}
	})
}

// Neither the new address, nor the password, which may have been set by it, nor a sign-in by that.
// Spec: ACCOUNT-20
func TestEmail_AReplacedAddressProvesNothingForADay(t *testing.T) {
	t.Parallel()
	const sky = "zeus@sky.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		for _, isConfirmed := range []bool{true, false} {
			who, to := zeus, sky
			if !isConfirmed {
				who, to = hera, "juno@rome.example"
			}
			caller := h.caller(h.register(who).Token)
			if isConfirmed {
				if err := h.ConfirmEmail(t.Context(), caller, h.emailCode(who.Email)); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.ConfirmEmail(t.Context(), caller, h.addEmail(caller, to, who.Password)); err != nil {
				t.Fatal(err)
			}
			c, err := h.Login(t.Context(), to, who.Password)
			if err != nil {
				t.Fatal(err)
			}
			caller = h.caller(c.Token) // freshly signed in
			if mailbox, err := h.ProvingMailbox(t.Context(), caller.PlayerID); mailbox != "" || err != nil {
				t.Errorf("the mailbox is %q, %v", mailbox, err)
			}
			noWay := func(what string, err error) {
				t.Helper()
				if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != "no-approval" {
					t.Errorf("%s: %v", what, err)
				}
			}
			for _, kind := range []approval.Kind{
				approval.Trade, approval.Withdrawal, approval.ConnectWallet, approval.DisconnectWallet, approval.ChangeEmail, approval.Deletion,
			} {
				_, err := h.approvals.Request(t.Context(), approval.Caller(caller), approval.Act{Kind: kind, Digest: "d"})
				noWay(string(kind), err)
			}
			noWay("another address", h.AddEmail(t.Context(), caller, "thief@underworld.example"))
			noWay("deletion by the password", h.delete(caller, who.Password, ""))
			noWay("deletion without it", h.delete(caller, "", ""))
			mustFail(t, "a code for it", h.SendDeletionCode(t.Context(), caller), fault.Conflict,
				"Your account has no email that can be used for this yet.")

			h.clock.Advance(24 * time.Hour)
			c, err = h.Login(t.Context(), to, who.Password)
			if err != nil {
				t.Fatal(err)
			}
			h.mustNeed(h.caller(c.Token), "another@sky.example", "code")
		}
	})
}

// Spec: ACCOUNT-20
func TestAttack_AnApprovedAddressIsNoOther(t *testing.T) {
	t.Parallel()
	const sky, thief = "zeus@sky.example", "thief@underworld.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, caller := h.confirmed(zeus)
		stolen := h.caller(h.login(zeus).Token)
		h.approveEmail(caller, h.mustNeed(caller, sky, "code"), "")
		h.mustNeed(caller, thief, "code")
		h.mustNeed(stolen, thief, "code")
		h.mustNeed(caller, "ZEUS@sky.example", "code") // another mailbox on some servers

		// In two tabs of one browser the later request counts.
		first, second := h.mustNeed(caller, thief, "code"), h.mustNeed(caller, "zeus@clouds.example", "code")
		err := h.approvals.Confirm(t.Context(), approval.Caller(caller), first["approvalId"], approval.Confirmation{Code: h.approvalCode()})
		if f := fault.As(err); f == nil || f.Reason != "over" {
			t.Errorf("the earlier of two requests: %v", err)
		}
		h.approveEmail(caller, second, "")

		// Both approved ones were for the place of the first address.
		code := h.addEmail(caller, sky, "")
		h.clock.Advance(9 * time.Minute)
		if err := h.AddEmail(t.Context(), caller, sky); err != nil {
			t.Errorf("another mail to the approved address: %v", err)
		}
		h.mustBeWrong("the code before the newest one", h.ConfirmEmail(t.Context(), caller, code))
		if err := h.ConfirmEmail(t.Context(), caller, h.emailCode(sky)); err != nil {
			t.Fatal(err)
		}
		if f := fault.As(h.AddEmail(t.Context(), caller, "zeus@clouds.example")); f == nil || f.Reason != "no-approval" {
			t.Errorf("the other approved address, after the change: %v", f)
		}
	})
}

// The password replaces an address only while nobody has confirmed it.
// Spec: ACCOUNT-20
func TestAttack_APasswordIsGoodOnlyAgainstAnUnconfirmedAddress(t *testing.T) {
	t.Parallel()
	const thief = "thief@underworld.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.approveEmail(caller, h.mustNeed(caller, thief, "password"), zeus.Password)
		code := h.addEmail(caller, thief, zeus.Password)

		// The owner confirms the address by a code that approves something else.
		asked, err := h.approvals.Request(t.Context(), approval.Caller(caller), approval.Act{Kind: approval.Trade, Digest: "d"})
		if err != nil {
			t.Fatal(err)
		}
		proof := approval.Confirmation{Code: codeLine.FindStringSubmatch(h.mustHaveWritten(zeus.Email, "Your code for a trade").Text)[1]}
		if err := h.approvals.Confirm(t.Context(), approval.Caller(caller), asked.ID, proof); err != nil {
			t.Fatal(err)
		}
		h.mustBeWrong("the code from before", h.ConfirmEmail(t.Context(), caller, code))
		h.mustNeed(caller, thief, "code")
		h.mustHaveEmail(caller.PlayerID, zeus.Email)
	})
}

// Spec: ACCOUNT-20
func TestAttack_NotMeEndsAChangeOfTheAddress(t *testing.T) {
	t.Parallel()
	const thief, hidden = "thief@underworld.example", "hidden@underworld.example"
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		_, caller := h.confirmed(zeus)
		needed := h.mustNeed(caller, thief, "code")
		link := h.tokenOf(h.notices(zeus.Email, emailApproval)[0])
		h.approveEmail(caller, needed, "")
		code := h.addEmail(caller, thief, "")
		h.clock.Advance(time.Second)
		h.mustFreeze(link)
		if err := h.ConfirmEmail(t.Context(), caller, code); err == nil {
			t.Error("a request that was under way changed the address")
		}
		h.mustHaveEmail(caller.PlayerID, zeus.Email)

		h.clock.Advance(time.Second)
		if err := h.ResetPassword(t.Context(), h.forget(zeus.Email), zeus.Password); err != nil {
			t.Fatal(err)
		}
		caller = h.caller(h.login(zeus).Token)
		h.mustBeWrong("the code after the thaw", h.ConfirmEmail(t.Context(), caller, code))

		// Changed twice, as fast as it goes.
		old := h.changed(caller, zeus.Email, thief)
		h.clock.Advance(24 * time.Hour)
		c, err := h.Login(t.Context(), thief, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		later := h.changed(h.caller(c.Token), thief, hidden)
		h.clock.Advance(time.Second)
		if f := h.mustFreeze(old); !f.Restored {
			t.Errorf("the result is %+v", f)
		}
		h.mustHaveEmail(caller.PlayerID, zeus.Email)
		if _, err := h.NotMe(t.Context(), later); err != error(account.ErrNotMeLink) {
			t.Errorf("the thief's link: %v", err)
		}
	})
}
