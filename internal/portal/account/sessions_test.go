package account_test

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// Spec: ACCOUNT-18
func TestSession_PlayerSeesTheOwnSessions(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		first := h.caller(h.register(zeus).Token)
		h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
		h.clock.Advance(time.Hour)
		c, err := h.Login(account.FromBrowser(t.Context(), firefox, ""), zeus.Email, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		second := h.caller(c.Token)
		h.clock.Advance(time.Minute)
		h.caller(c.Token) // within five minutes: not recorded
		sessions, err := h.ListSessions(t.Context(), first)
		if err != nil || len(sessions) != 2 {
			t.Fatalf("%+v, %v", sessions, err)
		}
		now := h.clock.Now()
		newest, oldest := sessions[0], sessions[1]
		if newest.ID != second.SessionID || newest.Browser != "Firefox on Linux" || !newest.UsedAt.Equal(now.Add(-time.Minute)) {
			t.Errorf("the newest is %+v", newest)
		}
		if oldest.ID != first.SessionID || oldest.Browser != "" || !oldest.CreatedAt.Equal(now.Add(-61*time.Minute)) ||
			!oldest.ExpiresAt.Equal(oldest.CreatedAt.Add(24*time.Hour)) {
			t.Errorf("the oldest is %+v", oldest)
		}
		h.clock.Advance(4 * time.Minute)
		h.caller(c.Token)
		if sessions, err = h.ListSessions(t.Context(), first); err != nil || !sessions[0].UsedAt.Equal(h.clock.Now()) {
			t.Errorf("the newest was seen %v, want %v (%v)", sessions[0].UsedAt, h.clock.Now(), err)
		}
		h.clock.Advance(23 * time.Hour)
		if sessions, err = h.ListSessions(t.Context(), second); err != nil || len(sessions) != 1 {
			t.Errorf("once the first has run out: %+v, %v", sessions, err)
		}
	})
}

// Spec: ACCOUNT-18
func TestSession_PlayerEndsTheOwnSessionsAndNobodyElses(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		here, there, third := h.register(zeus), h.login(zeus), h.login(zeus)
		other := h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
		me, hera := h.caller(here.Token), h.caller(other.Token)
		for what, id := range map[string]string{
			"another player's": hera.SessionID, "unknown": "unknown", "none": "", "a player's id": hera.PlayerID,
		} {
			mustFail(t, what, h.EndSession(t.Context(), me, id), fault.NotFound, "This session has ended already.")
		}
		ended := h.caller(there.Token)
		if err := h.EndSession(t.Context(), me, ended.SessionID); err != nil {
			t.Fatal(err)
		}
		_, err := h.Authenticate(t.Context(), there.Token)
		h.mustBeSignedOut("the ended one", err)
		mustFail(t, "ended twice", h.EndSession(t.Context(), me, ended.SessionID), fault.NotFound, "This session has ended already.")
		h.clock.Advance(time.Second)
		if n, err := h.EndOtherSessions(t.Context(), me); err != nil || n != 1 {
			t.Errorf("%d others, %v", n, err)
		}
		_, err = h.Authenticate(t.Context(), third.Token)
		h.mustBeSignedOut("another one", err)
		h.caller(here.Token)
		h.caller(other.Token)
		if got := strings.Join(h.closed.sessions, " "); len(h.closed.sessions) != 2 || strings.Contains(got, me.SessionID) ||
			strings.Contains(got, hera.SessionID) {
			t.Errorf("connections of %s were closed", got)
		}
		if err := h.EndSession(t.Context(), me, me.SessionID); err != nil {
			t.Fatal(err)
		}
		_, err = h.Authenticate(t.Context(), here.Token)
		h.mustBeSignedOut("the present one", err)
	})
}

// A failure to close connections does not keep sessions from ending; all are attempted, even if the request is
// cancelled.
// Spec: ACCOUNT-19
func TestSession_EndEvenIfTheirConnectionsCannotBeClosed(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		here := h.caller(h.register(zeus).Token)
		another := func() string {
			s := account.Session{ID: rand.Text(), PlayerID: here.PlayerID, CreatedAt: h.clock.Now(), ExpiresAt: h.clock.Now().Add(24 * time.Hour)}
			if _, err := accounts.New(h.db).OpenSession(t.Context(), account.Identity{
				PlayerID: here.PlayerID, DisplayName: zeus.DisplayName, Email: zeus.Email,
			}, s, s.ID, h.clock.Now()); err != nil {
				t.Fatal(err)
			}
			return s.ID
		}
		h.closed.err = errors.New("the messages are away")
		mustEnd := func(what string, sessions int, err error) {
			t.Helper()
			if err != nil || len(h.closed.sessions) != sessions || len(h.closed.reports) != sessions {
				t.Errorf("%s: %v; of %d sessions the connections of %v were to be closed, reported are %v", what, err, sessions,
					h.closed.sessions, h.closed.reports)
			}
			for _, err := range h.closed.reports {
				if !errors.Is(err, h.closed.err) {
					t.Errorf("%s: reported is %v", what, err)
				}
			}
			h.closed.sessions, h.closed.reports = nil, nil
		}
		mustEnd("one", 1, h.EndSession(t.Context(), here, another()))
		another()
		another()
		h.clock.Advance(time.Second)
		n, err := h.EndOtherSessions(t.Context(), here)
		mustEnd("the others", 2, err)
		if n != 2 {
			t.Errorf("%d others ended, want 2", n)
		}
		another()
		h.clock.Advance(time.Second)
		mustEnd("a new password", 2, h.ResetPassword(t.Context(), h.forget(zeus.Email), "new thunder"))
		c, err := h.Login(t.Context(), zeus.Email, "new thunder")
		if err != nil {
			t.Fatal(err)
		}
		mustEnd("signing out", 1, h.Logout(t.Context(), h.caller(c.Token)))
		if c, err = h.Login(t.Context(), zeus.Email, "new thunder"); err != nil {
			t.Fatal(err)
		}
		mustEnd("the account", 1, h.delete(h.caller(c.Token), "new thunder", ""))
	})
}

// rows counts the stored sessions, links and codes.
func (h house) rows() int64 {
	h.t.Helper()
	var n int32
	if err := h.db.Read(h.t.Context(), func(q *gen.Queries) (err error) {
		all := h.clock.Now().Add(1000 * time.Hour).UnixMilli()
		n, err = q.CountStale(h.t.Context(), gen.CountStaleParams{
			SessionsBefore: column.At(time.UnixMilli(all)), Before: column.At(time.UnixMilli(all)),
		})
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
	return int64(n)
}

// Spec: ACCOUNT-19
func TestSession_ExpiredDataIsDeleted(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		h.clock.Advance(10 * time.Hour)
		c := h.login(zeus)
		h.codeFor(h.caller(c.Token))
		h.forget(zeus.Email)
		if err := h.ForgetStale(t.Context()); err != nil { // the registration's code
			t.Fatal(err)
		}
		kept := h.rows()
		if err := h.ForgetStale(t.Context()); err != nil || h.rows() != kept {
			t.Errorf("of %d rows %d are left while all are good (%v)", kept, h.rows(), err)
		}
		for _, at := range []struct{ minutes, kept int64 }{{74, kept}, {2, kept - 1}} { // the code expired an hour ago after 75 minutes
			h.clock.Advance(time.Duration(at.minutes) * time.Minute)
			if err := h.ForgetStale(t.Context()); err != nil || h.rows() != at.kept {
				t.Errorf("%d rows are left, want %d (%v)", h.rows(), at.kept, err)
			}
		}
		h.clock.Advance(13*time.Hour + 45*time.Minute) // link and code expired more than an hour ago, and so did the first session
		if err := h.ForgetStale(t.Context()); err != nil || h.rows() != 3 {
			t.Errorf("%d rows are left, want both sessions, of which the player's book tells, and a notice's link (%v)", h.rows(), err)
		}
		h.caller(c.Token)
		h.clock.Advance(90*24*time.Hour - time.Hour) // the first session expired 90 days ago
		if err := h.ForgetStale(t.Context()); err != nil || h.rows() != 1 {
			t.Errorf("%d rows are left, want the second session (%v)", h.rows(), err)
		}
	})
}

// Spec: ACCOUNT-19
func TestSession_RunWorksFromItsStartUntilItIsStopped(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		if err := h.delete(caller, zeus.Password, ""); err != nil {
			t.Fatal(err)
		}
		hera := account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"}
		h.register(hera)
		h.clock.Advance(92 * 24 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- h.Run(ctx, func(err error) { t.Error(err) }) }()
		testkit.Eventually(t, 10*time.Second, func() bool {
			due, err := accounts.New(h.db).DeletionsDue(t.Context(), h.clock.Now(), 1)
			return err == nil && len(due) == 0 && h.rows() == 0
		}, "the deletion was not passed on, or an old session is still kept")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Spec: ACCOUNT-18
func TestSession_BrowsersAreDescribedInPlainWords(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		firefox: "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 " +
			"Safari/537.36": "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 " +
			"Edg/140.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 " +
			"Safari/605.1.15": "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 " +
			"Safari/604.1": "Chrome on iPhone",
		"Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile " +
			"Safari/537.36": "Samsung Internet on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 " +
			"Safari/537.36": "Chrome on ChromeOS",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0": "Opera on Linux",
		"": "", "curl/8.5.0": "", "<script>alert(1)</script>": "", "\x00\xff": "",
	} {
		if got := account.Browser(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

// A program that signs in endlessly fills neither the list of sessions nor the stored arrivals.
// Spec: ACCOUNT-19
func TestSession_PlayerHasFiftySessionsAtMostTheNewestOnes(t *testing.T) {
	t.Parallel()
	eachEntrance(t, func(t *testing.T, e entrance) {
		first := e.register(zeus)
		caller := e.caller(first.Token)
		var last account.Credentials
		for range 60 {
			e.clock.Advance(time.Second)
			text := e.link(caller.PlayerID, func(c *jwt.RegisteredClaims) { c.ID = rand.Text() })
			var err error
			if last, err = e.ContextLogin(t.Context(), text, map[string]string{"utm_source": "game"}); err != nil {
				t.Fatal(err)
			}
		}
		sessions, err := e.ListSessions(t.Context(), e.caller(last.Token))
		if err != nil || len(sessions) != 50 {
			t.Errorf("%d sessions, %v", len(sessions), err)
		}
		_, err = e.Authenticate(t.Context(), first.Token)
		e.mustBeSignedOut("the oldest", err)
		if len(e.closed.sessions) != 11 || e.closed.sessions[0] != caller.SessionID {
			t.Errorf("connections of %v were closed, want of the eleven oldest sessions", e.closed.sessions)
		}
		if kept, err := (operators.New(e.db)).Arrivals(t.Context()); err != nil || len(kept) != 20 {
			t.Errorf("%d arrivals are kept, %v", len(kept), err)
		}
	})
}

// Every end of a session is announced in the same transaction: its connections close even if the process dies then.
// Spec: LIVE-29
func TestSession_EveryEndIsAnnounced(t *testing.T) {
	t.Parallel()
	for what, end := range map[string]func(t *testing.T, h house, c, other account.Caller) (ended []account.Caller){
		"signing out": func(t *testing.T, h house, c, _ account.Caller) []account.Caller {
			for range 2 { // the second changes nothing
				if err := h.Logout(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}
			return []account.Caller{c}
		},
		"ending one": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			if err := h.EndSession(t.Context(), c, other.SessionID); err != nil {
				t.Fatal(err)
			}
			return []account.Caller{other}
		},
		"ending the others": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			if _, err := h.EndOtherSessions(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			return []account.Caller{other}
		},
		"a new password": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			changed, err := h.ChangePassword(t.Context(), c, zeus.Password, "lightning rods")
			if err != nil {
				t.Fatal(err)
			}
			if !changed { // only by a link, which has not been used
				return nil
			}
			return []account.Caller{other}
		},
		"a forgotten password": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			if err := h.ResetPassword(t.Context(), h.forget(zeus.Email), "lightning rods"); err != nil {
				t.Fatal(err)
			}
			return []account.Caller{c, other}
		},
		"deletion": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			if err := h.delete(c, zeus.Password, ""); err != nil {
				t.Fatal(err)
			}
			return []account.Caller{c, other}
		},
		"fifty more": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			for range 50 {
				h.clock.Advance(time.Second)
				h.login(zeus)
			}
			return []account.Caller{c, other}
		},
		"its time": func(t *testing.T, h house, c, other account.Caller) []account.Caller {
			h.clock.Advance(24*time.Hour - time.Millisecond)
			if err := h.EndExpired(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := h.announced(); len(got) != 0 {
				t.Errorf("%v have ended before their time", got)
			}
			h.clock.Advance(time.Millisecond)
			for range 2 {
				if err := h.EndExpired(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			return []account.Caller{c, other}
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			eachHouse(t, func(t *testing.T, h house) {
				c, other := h.caller(h.register(zeus).Token), h.caller(h.login(zeus).Token)
				var want []string
				for _, ended := range end(t, h, c, other) {
					want = append(want, ended.SessionID)
				}
				got := h.announced()
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("announced is the end of %v, want of %v", got, want)
				}
			})
		})
	}
}

func TestSession_AnExpiryOfLongAgoIsNotAnnounced(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		h.clock.Advance(time.Millisecond)
		recent := h.caller(h.login(zeus).Token)
		h.clock.Advance(48 * time.Hour)
		if n, err := accounts.New(h.db).EndExpired(t.Context(), h.clock.Now(), 10); n != 2 || err != nil {
			t.Fatalf("%d sessions ended (%v), want both", n, err)
		}
		if got := h.announced(); !slices.Equal(got, []string{recent.SessionID}) {
			t.Errorf("announced is the end of %v, want of %s only", got, recent.SessionID)
		}
		if n, err := accounts.New(h.db).EndExpired(t.Context(), h.clock.Now(), 10); n != 0 || err != nil {
			t.Errorf("%d sessions ended again (%v)", n, err)
		}
	})
}

// announced returns the sessions whose end was announced.
func (h house) announced() (sessions []string) {
	h.t.Helper()
	rows, err := store.Outbox{DB: h.db}.Announcements(h.t.Context(), 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range rows {
		if r.Topic == announce.SessionEnded {
			sessions = append(sessions, r.Payload)
		}
	}
	slices.Sort(sessions)
	return sessions
}
