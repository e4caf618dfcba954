package account_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	fake "pantheon/test/contract/playfab"
)

// emails returns the queued emails, newest first.
func (h house) emails() []email.Queued {
	h.t.Helper()
	emails, err := (store.Mail{DB: h.db}).RecentEmails(h.t.Context(), 100)
	if err != nil {
		h.t.Fatal(err)
	}
	return emails
}

// mustHaveWritten fails the test unless the newest email has the subject and recipient.
func (h house) mustHaveWritten(to, subject string) email.Queued {
	h.t.Helper()
	emails := h.emails()
	if len(emails) == 0 || emails[0].To != to || emails[0].Subject != subject || emails[0].State != email.Pending {
		h.t.Fatalf("the emails are %+v, want %q to %s", emails, subject, to)
	}
	return emails[0]
}

var tokenInLink = regexp.MustCompile(`https://portal\.example/new-password\?token=([A-Z0-9]+)\n`)

// forget requests a link and returns its token, on any platform.
func (h house) forget(address string) string {
	h.t.Helper()
	if err := h.ForgotPassword(h.t.Context(), address); err != nil {
		h.t.Fatal(err)
	}
	if h.fake != nil {
		mails := h.fake.Mails()
		return mails[len(mails)-1].Token
	}
	m := tokenInLink.FindStringSubmatch(h.mustHaveWritten(strings.ToLower(strings.TrimSpace(address)), "Choose a new password").Text)
	if m == nil {
		h.t.Fatal("the email has no link")
	}
	return m[1]
}

// Spec: ACCOUNT-14
func TestRecovery_ForgottenPasswordIsReplacedOnceAndEndsEverySession(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		caller := h.caller(c.Token)
		other := h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
		token := h.forget(" ZEUS@Olympus.example ")
		h.clock.Advance(time.Minute)
		if err := h.ResetPassword(t.Context(), token, "new thunder"); err != nil {
			t.Fatal(err)
		}
		_, err := h.Authenticate(t.Context(), c.Token)
		h.mustBeSignedOut("token from before", err)
		_, err = h.AuthenticateSession(t.Context(), c.SessionAuthorization)
		h.mustBeSignedOut("session from before", err)
		if len(h.closed.sessions) != 1 || h.closed.sessions[0] != caller.SessionID {
			t.Errorf("connections of %v were closed, want of %s", h.closed.sessions, caller.SessionID)
		}
		h.caller(other.Token)
		h.mustHaveWritten(zeus.Email, "Your password was changed")

		_, err = h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "the old password", err, fault.Unauthorized, "Invalid email or password")
		if _, err := h.Login(t.Context(), zeus.Email, "new thunder"); err != nil {
			t.Errorf("the new password: %v", err)
		}
		err = h.ResetPassword(t.Context(), token, "newer thunder")
		mustFail(t, "the link a second time", err, fault.Invalid, account.ErrRecoveryLink.Message)
	})
}

// Spec: ACCOUNT-14
func TestRecovery_LinkForANewPasswordLastsHalfAnHour(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		first, second := h.forget(zeus.Email), h.forget(zeus.Email)
		h.clock.Advance(30*time.Minute - time.Second)
		if err := h.ResetPassword(t.Context(), first, "new thunder"); err != nil {
			t.Errorf("a second before its end, with a newer one in the mail: %v", err)
		}
		h.clock.Advance(time.Second)
		err := h.ResetPassword(t.Context(), second, "newer thunder")
		mustFail(t, "after half an hour", err, fault.Invalid, account.ErrRecoveryLink.Message)

		third := h.forget(zeus.Email)
		h.clock.Advance(30 * time.Minute)
		err = h.ResetPassword(t.Context(), third, "newer thunder")
		mustFail(t, "after half an hour, and no other was used", err, fault.Invalid, account.ErrRecoveryLink.Message)
	})
}

// One of several concurrent uses of a link succeeds. On the built-in platform a new password also invalidates the
// other links.
// Spec: ACCOUNT-14
func TestRecovery_LinkIsUsedOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		earlier, token := h.forget(zeus.Email), h.forget(zeus.Email)
		errs := make([]error, 6)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = h.ResetPassword(t.Context(), token, "new thunder") })
		}
		wg.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
			} else {
				mustFail(t, "another one", err, fault.Invalid, account.ErrRecoveryLink.Message)
			}
		}
		if done != 1 {
			t.Errorf("the link worked %d times", done)
		}
		if h.fake == nil { // PlayFab's other links stay valid
			mustFail(t, "a link from before", h.ResetPassword(t.Context(), earlier, "newer thunder"), fault.Invalid, account.ErrRecoveryLink.Message)
		}
	})
}

// Spec: ACCOUNT-14
func TestRecovery_InvalidLinksAreRefused(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		token := h.forget(zeus.Email)
		for _, s := range []string{
			"", " ", token + "A", token[1:], strings.ToLower(token) + "x", "a\x00b", "a\nb", "ä", strings.Repeat("A", 4096), "' OR 1=1 --",
		} {
			mustFail(t, s, h.ResetPassword(t.Context(), s, "new thunder"), fault.Invalid, account.ErrRecoveryLink.Message)
		}
		for password, message := range map[string]string{
			"": "Please choose a password.", "1234567": "A new password has 8 to 100 characters.",
			strings.Repeat("päss", 26): "A new password has 8 to 100 characters.",
			"Password1":                "This password is easy to guess. Try three unrelated words, and leave out your name and email.",
		} {
			f := fault.As(h.ResetPassword(t.Context(), token, password))
			if f == nil || len(f.Fields) != 1 || f.Fields[0] != (fault.Field{Location: "body.password", Message: message}) {
				t.Errorf("password %q: %v", password, f)
			}
		}
		if err := h.ResetPassword(t.Context(), token, "new thunder"); err != nil {
			t.Errorf("after all that the link does not work any more: %v", err)
		}
	})
}

// The response reveals nothing about an address: it is the same, and as much is written.
// Spec: ACCOUNT-13
func TestRecovery_NobodyLearnsWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		if err := h.ForgotPassword(t.Context(), zeus.Email); err != nil {
			t.Error(err)
		}
		emails := len(h.emails())
		if err := h.ForgotPassword(t.Context(), "nobody@olympus.example"); err != nil {
			t.Error(err)
		}
		if got := h.emails(); len(got) != emails {
			t.Errorf("an email to an unknown address: %+v", got[0])
		}
		for _, s := range []string{"", "zeus", "zeus@", "ze\x00us@olympus.example"} {
			if f := fault.As(h.ForgotPassword(t.Context(), s)); f == nil || f.Code != fault.Invalid || f.Fields[0].Location != "body.email" {
				t.Errorf("%q: %v", s, f)
			}
		}
	})
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.register(zeus)
		rows := func() (n int64) {
			if err := h.db.Read(t.Context(), func(q *gen.Queries) (err error) {
				links, err := q.CountStale(t.Context(), gen.CountStaleParams{Before: column.At(time.UnixMilli(1 << 60))})
				mails, err2 := q.CountOldMails(t.Context(), gen.CountOldMailsParams{
					Before: column.At(time.UnixMilli(1 << 60)), VoidBefore: column.At(time.UnixMilli(1 << 60)),
				})
				n = int64(links)<<32 + mails
				return errors.Join(err, err2)
			}); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := rows()
		h.forget(zeus.Email)
		known := rows() - before
		if err := h.ForgotPassword(t.Context(), "nobody@olympus.example"); err != nil {
			t.Fatal(err)
		}
		if unknown := rows() - before - known; unknown != known {
			t.Errorf("%x rows are written for an unknown address, %x for a known one", unknown, known)
		}
	})
}

// Only the token's hash is stored, and after sending, only the fact that there was an email.
// Spec: ACCOUNT-14
func TestRecovery_LinksTokenIsKeptOnlyAsAHash(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		h.register(zeus)
		token := h.forget(zeus.Email)
		if _, err := accounts.New(h.db).RecoveryLink(t.Context(), token, h.clock.Now()); !fault.Is(err, fault.NotFound) {
			t.Errorf("the token is kept as it is: %v", err)
		}
		if err := (store.Mail{DB: h.db}).FinishEmail(t.Context(), h.emails()[0].ID, email.Sent, ""); err != nil {
			t.Fatal(err)
		}
		if l := h.emails()[0]; l.Text != "" || l.To != "" || l.State != email.Sent {
			t.Errorf("of the sent email is kept %+v", l)
		}
	})
}

// A login in progress with the old password opens no session after the new one is set.
// Spec: ACCOUNT-14
func TestRecovery_LoginFromBeforeANewPasswordOpensNoSessionAfterIt(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		proven := h.clock.Now()
		h.clock.Advance(time.Second)
		if _, err := h.EndOtherSessions(t.Context(), caller); err != nil {
			t.Fatal(err)
		}
		id, err := h.Player(t.Context(), caller)
		if err != nil {
			t.Fatal(err)
		}
		s := account.Session{ID: "late", PlayerID: id.PlayerID, CreatedAt: h.clock.Now(), ExpiresAt: h.clock.Now().Add(time.Hour)}
		_, err = accounts.New(h.db).OpenSession(t.Context(), id, s, "hash", proven)
		h.mustBeSignedOut("a late session", err)
		if _, err := accounts.New(h.db).OpenSession(t.Context(), id, s, "hash", h.clock.Now()); err != nil {
			t.Errorf("a session from after it: %v", err)
		}
	})
}

// If PlayFab fails, the player gets an error and nothing changes.
func TestRecovery_ResetThatPlayFabDoesNotAnswerChangesNothingHere(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		c := h.register(zeus)
		token := h.forget(zeus.Email)
		for what, call := range map[string]func() error{
			"Server/SendCustomAccountRecoveryEmail": func() error { return h.ForgotPassword(t.Context(), zeus.Email) },
			"Admin/GetPlayerIdFromAuthToken":        func() error { return h.ResetPassword(t.Context(), token, "new thunder") },
			"Admin/UpdateUserTitleDisplayName":      func() error { return h.Rename(t.Context(), h.caller(c.Token), "Jupiter") },
		} {
			for _, answer := range brokenAnswers() {
				h.fake.Break(fake.Fault{Call: what, Answer: answer})
				if err := call(); !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.TooMany) {
					t.Errorf("%s: %v", what, err)
				}
				h.fake.Heal()
			}
		}
		h.caller(c.Token)
		if id, err := accounts.New(h.db).Player(context.Background(), h.caller(c.Token).PlayerID); err != nil || id.DisplayName != "Zeus" {
			t.Errorf("the name here is %+v, %v", id, err)
		}
		if err := h.ResetPassword(t.Context(), token, "new thunder"); err != nil {
			t.Errorf("once PlayFab answers again: %v", err)
		}
	})
}

// withoutAddresses is a game platform that does not return players.
type withoutAddresses struct{ gamePlatform }

var errNoAnswer = errors.New("no answer")

func (withoutAddresses) Player(context.Context, string) (account.Identity, error) {
	return account.Identity{}, errNoAnswer
}

// Sessions end after a new password even if there is no address to notify. The missing email is reported.
func TestRecovery_NewPasswordWithoutAnEmailEndsTheSessionsAndIsReported(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		c := h.register(zeus)
		token := h.forget(zeus.Email)
		emails := len(h.emails())
		h.clock.Advance(time.Minute)
		silent := account.NewService(account.Options{
			Platform: withoutAddresses{h.platform}, Sessions: accounts.New(h.db), Deletions: accounts.New(h.db),
			Emails: accounts.New(h.db), Connections: h.closed, Clock: h.clock,
			SupportPage: "/king-of-destiny/support", DeletionPage: "/king-of-destiny/support/deleteaccount",
			Keys: keyset.Keys{signingKey}, Site: site, Report: h.closed.report,
		})
		if err := silent.ResetPassword(t.Context(), token, "new thunder"); err != nil {
			t.Fatal(err)
		}
		_, err := h.Authenticate(t.Context(), c.Token)
		h.mustBeSignedOut("a session from before", err)
		if len(h.closed.reports) != 1 || !errors.Is(h.closed.reports[0], errNoAnswer) {
			t.Errorf("reported are %v", h.closed.reports)
		}
		if got := h.emails(); len(got) != emails {
			t.Errorf("an email was written: %+v", got[0])
		}
	})
}

// If it is unknown whether the password has changed, all sessions end: the player has proven to read the address, and
// a retry may say that the link was used.
func TestRecovery_ResetWithUnknownOutcomeEndsEverySession(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		for what, answer := range brokenAnswers() {
			r := account.Registration{
				Email: fmt.Sprintf("%x@olympus.example", what), DisplayName: fmt.Sprintf("Zeus %.6x", what), Password: "thunder and rain",
			}
			c := h.register(r)
			token := h.forget(r.Email)
			h.clock.Advance(time.Minute)
			h.fake.Break(fake.Fault{Call: "Admin/ResetPassword", Applied: true, Answer: answer})
			if err := h.ResetPassword(t.Context(), token, "new thunder"); !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.TooMany) {
				t.Errorf("%s: %v", what, err)
			} else if fault.Is(err, fault.Unavailable) {
				_, err := h.Authenticate(t.Context(), c.Token)
				h.mustBeSignedOut(what, err)
			}
			h.fake.Heal()
		}
	})
}
