package account_test

import (
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

const (
	thiefs   = "thief@evil.example"
	tooEarly = "A new password has to wait"
)

// eachTakeover runs the test with a player of X whose session, of nine minutes ago, added a thief's address.
func eachTakeover(t *testing.T, test func(t *testing.T, e entrance, stolen account.Caller)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) {
		e := openEntrance(t, "local", db, c)
		creds, err := e.byX("1 athena")
		e.mustEnter(creds, err)
		stolen := e.caller(creds.Token)
		c.Advance(9 * time.Minute)
		if err := e.ConfirmEmail(t.Context(), stolen, e.addEmail(stolen, thiefs, "")); err != nil {
			t.Fatal(err)
		}
		test(t, e, stolen)
	})
}

// Spec: SAFE-4
func TestAttack_ANewAddressOfAPlayerOfXResetsNoPassword(t *testing.T) {
	t.Parallel()
	eachTakeover(t, func(t *testing.T, e entrance, _ account.Caller) {
		for _, later := range []time.Duration{0, 24*time.Hour - time.Second} {
			e.clock.Advance(later)
			if err := e.ForgotPassword(t.Context(), thiefs); err != nil {
				t.Fatal(err)
			}
		}
		if got := e.notices(thiefs, "Choose a new password"); len(got) != 0 {
			t.Fatalf("a link was mailed: %+v", got)
		}
		if got := e.notices(thiefs, tooEarly); len(got) != 2 || !strings.Contains(got[0].Text, "Please ask again after 2 March 2026, 12:09 UTC") {
			t.Errorf("the mails are %+v", got)
		}
		e.clock.Advance(time.Second)
		if err := e.ResetPassword(t.Context(), e.forget(thiefs), zeus.Password); err != nil {
			t.Errorf("after a day: %v", err)
		}
	})
}

// The owner signs in by X within a day of the theft.
// Spec: SAFE-4
func TestAttack_APlayerOfXReplacesAThiefsAddress(t *testing.T) {
	t.Parallel()
	eachTakeover(t, func(t *testing.T, e entrance, stolen account.Caller) {
		creds, err := e.byX("1 once more")
		e.mustEnter(creds, err)
		if _, err := e.EndOtherSessions(t.Context(), stolen); err != nil { // mails the thief's address a notice
			t.Fatal(err)
		}
		link := e.tokenOf(e.notices(thiefs, signedOut)[0])
		_, err = e.NotMe(t.Context(), link)
		if f := fault.As(err); f == nil || f.Message != account.ErrNotMeTooNew.Message {
			t.Errorf("the thief's link while the address is the account's: %v", err)
		}

		e.clock.Advance(23 * time.Hour)
		creds, err = e.byX("1 the next day")
		e.mustEnter(creds, err)
		owner := e.caller(creds.Token)
		if err := e.ConfirmEmail(t.Context(), owner, e.addEmail(owner, zeus.Email, "")); err != nil {
			t.Fatal(err)
		}
		got := e.notices(thiefs, emailChanged)
		if len(got) != 2 { // that it is the account's, and that it is not any more
			t.Fatalf("the thief's address got %+v", got)
		}
		for _, m := range got {
			if notMeLink.MatchString(m.Text) {
				t.Errorf("the thief got a link:\n%s", m.Text)
			}
		}
		e.clock.Advance(24 * time.Hour)
		if _, err := e.NotMe(t.Context(), link); err != error(account.ErrNotMeLink) {
			t.Errorf("the thief's link later: %v", err)
		}
		e.mustHaveEmail(owner.PlayerID, zeus.Email)
	})
}

// Else the freeze could not be lifted for a day, in which the player cannot sign in by X either.
func TestAttack_ARestoredAddressOfAPlayerOfXResetsThePasswordAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) {
		e := openEntrance(t, "local", db, c)
		creds, err := e.byX("1 athena")
		e.mustEnter(creds, err)
		me := e.caller(creds.Token)
		if err := e.ConfirmEmail(t.Context(), me, e.addEmail(me, zeus.Email, "")); err != nil {
			t.Fatal(err)
		}
		c.Advance(24 * time.Hour)
		old, _ := e.changeEmail(me.PlayerID, zeus.Email, thiefs)
		c.Advance(time.Hour)
		if f := e.mustFreeze(old); !f.Restored {
			t.Errorf("the result is %+v", f)
		}
		c.Advance(time.Second)
		if err := e.ResetPassword(t.Context(), e.forget(zeus.Email), zeus.Password); err != nil {
			t.Fatal(err)
		}
		e.login(zeus)
	})
}

// A password may have been set by a new address.
// Spec: SAFE-4
func TestAttack_OnlyAnExternalLoginProvesByItsTime(t *testing.T) {
	t.Parallel()
	eachTakeover(t, func(t *testing.T, e entrance, stolen account.Caller) {
		const message = "Please sign in with X or from the game, then do this within ten minutes."
		e.clock.Advance(24 * time.Hour)
		if err := e.ResetPassword(t.Context(), e.forget(thiefs), zeus.Password); err != nil {
			t.Fatal(err)
		}
		creds, err := e.Login(t.Context(), thiefs, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.SignedInAt(t.Context(), e.caller(creds.Token))
		mustFail(t, "signed in by the password", err, fault.Forbidden, message)
		for what, enter := range map[string]func() (account.Credentials, error){
			"X": func() (account.Credentials, error) { return e.byX("1 later") },
			"the game": func() (account.Credentials, error) {
				return e.ContextLogin(t.Context(), e.link(stolen.PlayerID, nil), nil)
			},
		} {
			creds, err := enter()
			e.mustEnter(creds, err)
			if at, err := e.SignedInAt(t.Context(), e.caller(creds.Token)); !at.Equal(e.clock.Now()) || err != nil {
				t.Errorf("signed in by %s: %v, %v", what, at, err)
			}
		}
	})
}

func TestAttack_AFreshPasswordSessionApprovesNothingByANewAddress(t *testing.T) {
	t.Parallel()
	eachTakeover(t, func(t *testing.T, e entrance, stolen account.Caller) {
		if _, err := e.platform.SetPassword(t.Context(), account.Identity{PlayerID: stolen.PlayerID}, zeus.Password, ""); err != nil {
			t.Fatal(err)
		}
		creds, err := e.Login(t.Context(), thiefs, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		thief := e.caller(creds.Token)
		for _, kind := range []approval.Kind{approval.ConnectWallet, approval.DisconnectWallet, approval.ChangeEmail, approval.Deletion} {
			_, err := e.approvals.Request(t.Context(), approval.Caller(thief), approval.Act{Kind: kind, Digest: "d"})
			if f := fault.As(err); f == nil || f.Code != fault.Forbidden || f.Reason != "stale" {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}
