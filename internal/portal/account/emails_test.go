package account_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
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

// addEmail requests a code for an address and returns it.
func (h house) addEmail(c account.Caller, address, password string) string {
	h.t.Helper()
	if err := h.AddEmail(h.t.Context(), c, address, password); err != nil {
		h.t.Fatal(err)
	}
	return h.emailCode(address)
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
	if f == nil || f.Code != fault.Invalid || f.Reason != "wrong" || f.Message != wrongCode || len(f.Fields) != 1 || f.Fields[0].Location != "body.code" {
		h.t.Errorf("%s: %+v, want a wrong code", what, f)
	}
}

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
		if want := (account.Identity{PlayerID: caller.PlayerID, DisplayName: "Zeus", Email: "zeus@olympus.example", EmailConfirmed: true}); err != nil || id != want {
			t.Errorf("the player is %+v, %v; want %+v", id, err, want)
		}
		h.mustBeWrong("the code once more", h.ConfirmEmail(t.Context(), caller, code))
		mustFail(t, "another code", h.AddEmail(t.Context(), caller, "", ""), fault.Conflict, "Your email is confirmed already.")
		mustFail(t, "another address", h.AddEmail(t.Context(), caller, hera.Email, zeus.Password), fault.Conflict,
			"Your email is confirmed and cannot be changed here. Please write to our support.")
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
		if err := h.AddEmail(t.Context(), h.caller(h.register(hera).Token), zeus.Email, hera.Password); err != nil {
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
func TestAttack_AddingAnEmailRevealsNoAccounts(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		owner := h.caller(h.register(zeus).Token)
		caller := h.caller(h.register(hera).Token)
		rows := func() (n int64) {
			h.t.Helper()
			if err := h.db.Read(t.Context(), func(q *gen.Queries) (err error) {
				n, err = q.CountOldMails(t.Context(), gen.CountOldMailsParams{Before: 1 << 60, VoidBefore: 1 << 60})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return h.rows()<<32 + n
		}
		before := rows()
		if err := h.AddEmail(t.Context(), caller, "nobody@olympus.example", hera.Password); err != nil {
			t.Errorf("an address nobody has: %v", err)
		}
		written := rows() - before
		for _, address := range []string{zeus.Email, " ZEUS@Olympus.example "} {
			before = rows()
			if err := h.AddEmail(t.Context(), caller, address, hera.Password); err != nil {
				t.Errorf("another player's address: %v", err)
			}
			if got := rows() - before; got != written {
				t.Errorf("rows written: %x, for an address nobody has %x", got, written)
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
func TestAttack_AStolenTokenAddsNoAddress(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		if e.fake != nil { // PlayFab stores the addresses: TestEmail_OfAPlayFabPlayerIsPlayFabs
			return
		}
		const thief = "thief@underworld.example"
		caller := e.caller(e.register(zeus).Token)
		before := len(e.emails())
		for what, c := range map[string]struct{ password, message, reason string }{
			"without the password":   {"", "Please enter your password. You will sign in with the new email.", ""},
			"with a wrong password":  {"Thunder", "This is not your password.", "wrong"},
			"with an endless string": {strings.Repeat("x", 1<<20), "This is not your password.", "wrong"},
		} {
			f := fault.As(e.AddEmail(t.Context(), caller, thief, c.password))
			if f == nil || f.Code != fault.Invalid || f.Reason != c.reason || len(f.Fields) != 1 || f.Fields[0] != (fault.Field{Location: "body.password", Message: c.message}) {
				t.Errorf("%s: %+v", what, f)
			}
		}
		c, err := e.byX("1 athena")
		player := e.caller(c.Token)
		e.mustEnter(c, err)
		e.clock.Advance(10*time.Minute + time.Second)
		f := fault.As(e.AddEmail(t.Context(), player, thief, ""))
		if f == nil || f.Code != fault.Forbidden || f.Reason != "stale" || f.Message != "Please sign in once more, then add your email within ten minutes." {
			t.Errorf("to an account without an address, long after signing in: %+v", f)
		}
		if got := e.emails(); len(got) != before {
			t.Errorf("mails were written: %+v", got)
		}
	})
}

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

func TestEmail_APlayerOfXAddsAnAddressAndSignsInByIt(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		if e.fake != nil {
			return
		}
		c, err := e.byX("1 athena")
		caller := e.caller(c.Token)
		e.mustEnter(c, err)
		f := fault.As(e.AddEmail(t.Context(), caller, "", ""))
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
		mustFail(t, "a code to a new address", e.SendDeletionCode(t.Context(), athena), fault.Conflict, "Your account has no email that can be used for this yet.")
		e.clock.Advance(time.Second)
		proves("an address of a day", athena.PlayerID, "athena@example.org", true)
	})
}

// Using the emailed reset link proves that the player reads the address.
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

func TestEmail_OfAPlayFabPlayerIsPlayFabs(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		for _, address := range []string{"", zeus.Email, hera.Email} {
			f := fault.As(h.AddEmail(t.Context(), caller, address, zeus.Password))
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

func TestEmail_WithoutMailNothingIsPromised(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		silent := account.NewService(account.Options{
			Platform: h.platform, Sessions: h.db, Deletions: h.db, Emails: h.db, Connections: h.closed, Clock: h.clock, Key: signingKey, Site: site, NoMail: true,
		})
		c, err := silent.Register(t.Context(), zeus)
		if err != nil {
			t.Fatal(err)
		}
		mustFail(t, "a code", silent.AddEmail(t.Context(), h.caller(c.Token), "", ""), fault.Unavailable, "We cannot send mail just now. Please write to our support.")
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
			Platform: h.platform, Sessions: h.db, Deletions: h.db, Emails: noCodes{h.db}, Connections: h.closed, Clock: h.clock, Key: signingKey, Site: site,
			Report: h.closed.report,
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
func TestEmail_ACodeIsKeptOnlyAsAHash(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		k := &kept{Emails: h.db}
		s := account.NewService(account.Options{
			Platform: h.platform, Sessions: h.db, Deletions: h.db, Emails: k, Connections: h.closed, Clock: h.clock, Key: signingKey, Site: site,
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
