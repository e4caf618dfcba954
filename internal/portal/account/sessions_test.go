package account_test

import (
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

func TestAPlayerSeesTheOwnSessions(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		first := h.caller(h.register(zeus).Token)
		h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock"})
		h.clock.Advance(time.Hour)
		c, err := h.Login(account.FromBrowser(t.Context(), firefox), zeus.Email, zeus.Password)
		if err != nil {
			t.Fatal(err)
		}
		second := h.caller(c.Token)
		h.clock.Advance(time.Minute)
		h.caller(c.Token) // within five minutes: not noted
		sessions, err := h.ListSessions(t.Context(), first)
		if err != nil || len(sessions) != 2 {
			t.Fatalf("%+v, %v", sessions, err)
		}
		now := h.clock.Now()
		newest, oldest := sessions[0], sessions[1]
		if newest.ID != second.SessionID || newest.Browser != "Firefox on Linux" || !newest.UsedAt.Equal(now.Add(-time.Minute)) {
			t.Errorf("the newest is %+v", newest)
		}
		if oldest.ID != first.SessionID || oldest.Browser != "" || !oldest.CreatedAt.Equal(now.Add(-61*time.Minute)) || !oldest.ExpiresAt.Equal(oldest.CreatedAt.Add(24*time.Hour)) {
			t.Errorf("the oldest is %+v", oldest)
		}
		h.clock.Advance(5 * time.Minute)
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

func TestAPlayerEndsTheOwnSessionsAndNobodyElses(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		here, there, third := h.register(zeus), h.login(zeus), h.login(zeus)
		other := h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock"})
		me, hera := h.caller(here.Token), h.caller(other.Token)
		for what, id := range map[string]string{"another player's": hera.SessionID, "unknown": "unknown", "none": "", "a player's id": hera.PlayerID} {
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
		if got := strings.Join(h.closed.sessions, " "); len(h.closed.sessions) != 2 || strings.Contains(got, me.SessionID) || strings.Contains(got, hera.SessionID) {
			t.Errorf("connections of %s were closed", got)
		}
		if err := h.EndSession(t.Context(), me, me.SessionID); err != nil {
			t.Fatal(err)
		}
		_, err = h.Authenticate(t.Context(), here.Token)
		h.mustBeSignedOut("the present one", err)
	})
}

func TestWhatRanOutIsForgotten(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		h.clock.Advance(10 * time.Hour)
		c := h.login(zeus)
		h.codeFor(h.caller(c.Token))
		h.forget(zeus.Email)
		count := func() (n int64) {
			if err := h.db.Read(t.Context(), func(q *gen.Queries) error {
				stale, err := q.CountStale(t.Context(), gen.CountStaleParams{Before: h.clock.Now().Add(1000 * time.Hour).UnixMilli(), DeletedBefore: 0})
				n = int64(stale)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return n
		}
		kept := count()
		if err := h.ForgetStale(t.Context()); err != nil || count() != kept {
			t.Errorf("of %d rows %d are left while all are good (%v)", kept, count(), err)
		}
		h.clock.Advance(15*time.Hour + time.Minute) // the first session ran out an hour ago; link and code did long before
		if err := h.ForgetStale(t.Context()); err != nil || count() != 1 {
			t.Errorf("%d rows are left, want the second session (%v)", count(), err)
		}
		h.clock.Advance(-2 * time.Hour)
		h.caller(c.Token)
	})
}

func TestRunWorksUntilItIsStopped(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- h.Run(ctx, func(err error) { t.Error(err) }) }()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestBrowsersAreDescribedInPlainWords(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		firefox: "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                            "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":              "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15":                      "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1":     "Chrome on iPhone",
		"Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": "Samsung Internet on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                             "Chrome on ChromeOS",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0":                        "Opera on Linux",
		"": "", "curl/8.5.0": "", "<script>alert(1)</script>": "", "\x00\xff": "",
	} {
		if got := account.Browser(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

// A program that signs in without end fills neither the list of sessions nor the memory of where the player came from.
func TestAPlayerHasFiftySessionsAtMostTheNewestOnes(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		e := openEntrance(t, "local", db)
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
		var kept int
		err = db.Read(t.Context(), func(q *gen.Queries) error {
			rows, err := q.ArrivalsOf(t.Context(), caller.PlayerID)
			kept = len(rows)
			return err
		})
		if err != nil || kept != 20 {
			t.Errorf("%d arrivals are kept, %v", kept, err)
		}
	})
}
