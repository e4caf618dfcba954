package playfab_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/purse"
	fake "pantheon/test/contract/playfab"
)

const somebody = "0123456789ABCDEF"

// asks are all calls of the platform, by the PlayFab methods they use.
var asks = map[string]func(context.Context, *playfab.Platform) error{
	"Client/RegisterPlayFabUser": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.Register(ctx, zeus)
		return err
	},
	"Client/LoginWithEmailAddress": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.Login(ctx, zeus.Email, zeus.Password)
		return err
	},
	"Client/SendAccountRecoveryEmail": func(ctx context.Context, p *playfab.Platform) error { return p.SendRecovery(ctx, zeus.Email) },
	"Server/GetTime":                  func(ctx context.Context, p *playfab.Platform) error { return p.Check(ctx) },
	"Server/AuthenticateSessionTicket": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.PlayerByTicket(ctx, "ticket")
		return err
	},
	"Server/GetUserAccountInfo": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.Player(ctx, somebody)
		return err
	},
	"Server/GetPlayerCombinedInfo": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.Currencies(ctx, somebody)
		return err
	},
	"Server/AddUserVirtualCurrency": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.ChangeBalance(ctx, somebody, "gt", 1)
		return err
	},
	"Server/SubtractUserVirtualCurrency": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.ChangeBalance(ctx, somebody, "gt", -1)
		return err
	},
	"Server/UpdatePlayerStatistics": func(ctx context.Context, p *playfab.Platform) error { return p.SetScore(ctx, somebody, "kod", 1) },
	"Server/GetLeaderboard": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.Leaderboard(ctx, "kod", 1, 10)
		return err
	},
	"Server/GetLeaderboardAroundUser": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.LeaderboardAround(ctx, "kod", somebody, 10)
		return err
	},
	"Admin/GetPlayerIdFromAuthToken": func(ctx context.Context, p *playfab.Platform) error {
		_, err := p.ResetPassword(ctx, "token", "new thunder", unchecked)
		return err
	},
	"Admin/UpdateUserTitleDisplayName": func(ctx context.Context, p *playfab.Platform) error { return p.Rename(ctx, somebody, "Zeus") },
	"Admin/DeleteMasterPlayerAccount":  func(ctx context.Context, p *playfab.Platform) error { return p.DeletePlayer(ctx, somebody) },
}

// A login is never retried, and a call that is not idempotent only if nothing happened.
// Spec: PLAYFAB-3
func TestFailures_OnlyWhatIsSafeIsRepeated(t *testing.T) {
	t.Parallel()
	throttled := []*fake.Error{
		fake.APIClientRequestRateLimitExceeded, fake.APIConcurrentRequestLimitExceeded, fake.ConcurrentEditError, fake.DataUpdateRateExceeded,
	}
	away := []*fake.Error{fake.DownstreamServiceUnavailable, fake.ServiceUnavailable}
	others := []*fake.Error{
		fake.InternalServerError, fake.InvalidParams, fake.AccountNotFound, fake.AccountBanned, fake.NotAuthenticated, fake.InvalidTitleID,
		fake.ProductDisabledForTitle, fake.InvalidAPIEndpoint, fake.APIRequestLimitExceeded,
	}
	never := []string{"Client/RegisterPlayFabUser", "Client/LoginWithEmailAddress", "Client/SendAccountRecoveryEmail"}
	whereNothingHappened := []string{"Server/AddUserVirtualCurrency", "Server/SubtractUserVirtualCurrency", "Server/UpdatePlayerStatistics"}
	for name, ask := range asks {
		for _, e := range slices.Concat(throttled, away, others) {
			h := newTitle(t, fake.Options{})
			h.fake.Break(fake.Fault{Answer: fake.Refuse(e)})
			_ = ask(t.Context(), h.Platform)
			want := int64(1)
			if !slices.Contains(never, name) && (slices.Contains(throttled, e) ||
				slices.Contains(away, e) && !slices.Contains(whereNothingHappened, name)) {
				want = 4
			}
			if n := h.sent.Load(); n != want {
				t.Errorf("%s after %s: %d requests, want %d", name, e.Name, n, want)
			}
			h.Close()
		}
		h := newTitle(t, fake.Options{})
		h.fake.Break(fake.Fault{Answer: fake.Cut()})
		_ = ask(t.Context(), h.Platform)
		if n := h.sent.Load(); n != 1 {
			t.Errorf("%s without an answer: %d requests, want 1", name, n)
		}
	}
}

func TestFailures_RetriesSucceed(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	id := h.register(zeus)
	h.fake.Break(fake.Fault{Call: "Server/AddUserVirtualCurrency", Times: 3, Answer: fake.Refuse(fake.ConcurrentEditError)})
	if n, err := h.ChangeBalance(t.Context(), id.PlayerID, "gt", 7); err != nil || n != 7 {
		t.Errorf("%d, %v", n, err)
	}
	if n := h.fake.Balance(id.PlayerID, "gt"); n != 7 {
		t.Errorf("the balance is %d", n)
	}
}

// Retries stop when the caller's context ends.
func TestFailures_RetriesStopWithTheContext(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.Pause = time.Hour })
	h.fake.Break(fake.Fault{Answer: fake.Slow(2)})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := h.Currencies(ctx, somebody)
		ended <- err
	}()
	cancel()
	if err := <-ended; err == nil {
		t.Error("want an error")
	}
}

func TestFailures_ThrottledCallReturnsTheTimeToWait(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	h.fake.Break(fake.Fault{Answer: fake.Slow(90)})
	_, err := h.Currencies(t.Context(), somebody)
	mustFail(t, "throttled", err, fault.TooMany, "The game's accounts are busy. Please try again in 2 minutes.")
	if f := fault.As(err); f.RetryAfter != 90*time.Second || h.sent.Load() != 1 {
		t.Errorf("wait %v after %d requests", f.RetryAfter, h.sent.Load())
	}
	h.fake.Heal()
	h.fake.Break(fake.Fault{Answer: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7") // from a gateway, without an envelope
		w.WriteHeader(http.StatusTooManyRequests)
	}})
	_, err = h.Currencies(t.Context(), somebody)
	if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.RetryAfter != 7*time.Second {
		t.Errorf("by a gateway: %v", err)
	}
}

// All players sign in from the portal's address: after PlayFab throttles it, further attempts would only prolong
// that.
// Spec: PLAYFAB-3
func TestFailures_RefusedLoginsPauseSignInsUntilTheRetryTime(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{Logins: fake.Limit{Calls: 3, Window: time.Minute}})
	h.register(zeus)
	for range 2 {
		if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); err != nil {
			t.Fatal(err)
		}
	}
	h.clock.Advance(50 * time.Second)
	for range 3 {
		_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
		if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.RetryAfter != 10*time.Second {
			t.Errorf("%v, want to wait 10 s", err)
		}
	}
	_, err := h.Register(t.Context(), account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
	mustFail(t, "registrations count too", err, fault.TooMany, "Many players are signing in just now. Please try again in a minute.")
	if n := h.sent.Load(); n != 4 {
		t.Errorf("%d requests, want 3 answered and 1 refused", n)
	}
	if log := h.log.String(); strings.Count(log, "PlayFab refuses logins") != 1 {
		t.Errorf("the operator reads\n%s", log)
	}
	if _, err := h.Currencies(t.Context(), somebody); !fault.Is(err, fault.NotFound) {
		t.Errorf("calls with the key go on: %v", err)
	}
	h.clock.Advance(10 * time.Second)
	if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); err != nil {
		t.Errorf("after the time: %v", err)
	}
}

// PlayFab has three throttling errors, and may omit the time to wait.
// Spec: PLAYFAB-3
func TestFailures_EveryThrottlingOfALoginLetsNobodySignInForAWhile(t *testing.T) {
	t.Parallel()
	for _, e := range []*fake.Error{
		fake.APIRequestLimitExceeded, fake.APIClientRequestRateLimitExceeded, fake.APIConcurrentRequestLimitExceeded,
	} {
		for seconds, want := range map[int]time.Duration{0: 8 * time.Second, 20: 20 * time.Second} {
			h := newTitle(t, fake.Options{})
			h.register(zeus)
			named := *e
			named.RetryAfter = seconds
			h.fake.Break(fake.Fault{Times: 1, Answer: fake.Refuse(&named)})
			asked := h.sent.Load()
			for range 3 {
				_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
				if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.RetryAfter != want {
					t.Errorf("%s: %v, want to wait %v", e.Name, err, want)
				}
			}
			if n := h.sent.Load() - asked; n != 1 {
				t.Errorf("%s: %d requests, want 1", e.Name, n)
			}
			h.clock.Advance(want)
			if _, err := h.Login(t.Context(), zeus.Email, zeus.Password); err != nil {
				t.Errorf("%s: after the time: %v", e.Name, err)
			}
		}
	}
}

// Spec: PLAYFAB-3
func TestFailures_LoginsHaveABudget(t *testing.T) {
	t.Parallel()
	const perMinute = 30
	h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.LoginsPerMinute = perMinute })
	id := h.register(zeus)
	signedIn := 1
	for range 61 {
		for {
			_, err := h.Login(t.Context(), zeus.Email, zeus.Password)
			if err == nil {
				signedIn++
				continue
			}
			if f := fault.As(err); f == nil || f.Code != fault.TooMany || f.RetryAfter <= 0 || f.RetryAfter > 2*time.Second {
				t.Fatalf("%v, want to wait up to 2 s", err)
			}
			break
		}
		if _, err := h.Player(t.Context(), id.PlayerID); err != nil {
			t.Fatal("calls with the key have no budget:", err)
		}
		h.clock.Advance(time.Second)
	}
	if signedIn < perMinute || signedIn > perMinute+perMinute/10 {
		t.Errorf("%d logins in a minute, want %d", signedIn, perMinute)
	}
}

// For any invalid response the player is told to retry, and nothing changes.
// Spec: PLAYFAB-3
func TestFailures_MalformedResponsesCountAsNone(t *testing.T) {
	t.Parallel()
	answers := map[string]http.HandlerFunc{
		"nothing":                 fake.Text(200, ""),
		"a page":                  fake.Text(200, "<html>hunter2</html>"),
		"a page of a gateway":     fake.Text(502, "<html>Bad gateway hunter2</html>"),
		"an empty envelope":       fake.Text(200, "{}"),
		"null":                    fake.Text(200, "null"),
		"a list":                  fake.Text(200, "[1,2]"),
		"no data":                 fake.Text(200, `{"code":200,"status":"OK"}`),
		"data null":               fake.Text(200, `{"code":200,"status":"OK","data":null}`),
		"data a text":             fake.Text(200, `{"code":200,"status":"OK","data":"hunter2"}`),
		"success with status 500": fake.Text(500, `{"code":200,"status":"OK","data":{}}`),
		"an envelope's 500":       fake.Text(200, `{"code":500,"status":"OK","data":{}}`),
		"two answers":             fake.Text(200, `{"code":200,"status":"OK","data":{}}{"code":200,"status":"OK","data":{}}`),
		"half an answer":          fake.Text(200, `{"code":200,"status":"OK","data":{"PlayFabId":"01234`),
		"a cut body":              fake.Truncated(`{"code":200,"status":"OK","data":{"PlayFabId":"0123456789ABCDEF"}}`),
		"a cut connection":        fake.Cut(),
		"silence":                 fake.Silence(),
		"a redirection": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"an answer without end": fake.Text(200, `{"code":200,"status":"OK","data":{"X":"`+strings.Repeat("x", 1<<20)+`"}}`),
		"PlayFab's own trouble": fake.Refuse(fake.InternalServerError),
	}
	for what, answer := range answers {
		for name, ask := range asks {
			t.Run(what+"/"+name, func(t *testing.T) {
				t.Parallel()
				h := newTitle(t, fake.Options{}, func(o *playfab.Options) {
					if what == "silence" {
						o.Timeout = 20 * time.Millisecond
					}
				})
				h.fake.Break(fake.Fault{Answer: answer})
				err := ask(t.Context(), h.Platform)
				if !fault.Is(err, fault.Unavailable) {
					t.Errorf("%v, want unavailable", err)
				}
				if text := err.Error(); strings.Contains(text, "hunter2") {
					t.Errorf("quotes the answer: %s", text)
				}
			})
		}
	}
}

// Responses that are well formed but cannot be correct.
// Spec: PLAYFAB-3
func TestFailures_AnswersThatCannotBeTrueAreRefused(t *testing.T) {
	t.Parallel()
	const me, other = somebody, "FEDCBA9876543210"
	info := func(id string) string { return `{"PlayFabId":"` + id + `","TitleInfo":{"DisplayName":"Zeus"}}` }
	for name, list := range map[string][]string{
		"Client/RegisterPlayFabUser": {
			`{}`, `{"PlayFabId":""}`, `{"PlayFabId":"abc"}`, `{"PlayFabId":"` + strings.Repeat("A", 21) + `"}`, `{"PlayFabId":7}`,
		},
		"Client/LoginWithEmailAddress": {
			`{}`, `{"PlayFabId":"` + me + `"}`, `{"PlayFabId":"` + me + `","InfoResultPayload":{"AccountInfo":` + info(other) + `}}`,
			`{"InfoResultPayload":{"AccountInfo":` + info(me) + `}}`,
		},
		"Server/GetUserAccountInfo":        {`{}`, `{"UserInfo":null}`, `{"UserInfo":` + info(other) + `}`, `{"UserInfo":` + info("../x") + `}`},
		"Server/AuthenticateSessionTicket": {`{}`, `{"UserInfo":{}}`, `{"UserInfo":` + info("zeus") + `}`, `{"IsSessionTicketExpired":"no"}`},
		"Server/GetPlayerCombinedInfo": {
			`{}`, `{"PlayFabId":"` + other + `"}`, `{"PlayFabId":"` + me + `","InfoResultPayload":{"UserVirtualCurrency":{"gt":1.5}}}`,
			`{"PlayFabId":"` + me + `","InfoResultPayload":{"UserVirtualCurrency":{"gt":2147483648}}}`,
			`{"PlayFabId":"` + me + `","InfoResultPayload":{"UserVirtualCurrency":{"gold":1}}}`,
		},
		"Server/AddUserVirtualCurrency": {
			`{}`, `{"PlayFabId":"` + other + `","VirtualCurrency":"gt","BalanceChange":1,"Balance":1}`,
			`{"PlayFabId":"` + me + `","VirtualCurrency":"nt","BalanceChange":1,"Balance":1}`,
			`{"PlayFabId":"` + me + `","VirtualCurrency":"gt","BalanceChange":1}`,
			`{"PlayFabId":"` + me + `","VirtualCurrency":"gt","BalanceChange":1,"Balance":1e99}`,
		},
		"Server/GetLeaderboard": {
			`{"Leaderboard":[{"PlayFabId":"` + me + `","StatValue":1}]}`, `{"Leaderboard":[{"PlayFabId":"` + me + `","Position":-1}]}`,
			`{"Leaderboard":[{"Position":1}]}`,
			`{"Leaderboard":[{"PlayFabId":"` + me + `","Position":1},{"PlayFabId":"` + other + `","Position":1}]}`,
			`{"Leaderboard":[` + strings.Repeat(`{"PlayFabId":"A","Position":0},`, 100) + `{"PlayFabId":"A","Position":0}]}`,
		},
		"Admin/GetPlayerIdFromAuthToken": {`{}`, `{"PlayFabId":"zeus"}`},
	} {
		for _, data := range list {
			h := newTitle(t, fake.Options{})
			h.fake.Break(fake.Fault{Call: name, Answer: fake.Text(200, `{"code":200,"status":"OK","data":`+data+`}`)})
			if err := asks[name](t.Context(), h.Platform); !fault.Is(err, fault.Unavailable) {
				t.Errorf("%s answered %.80s: %v, want unavailable", name, data, err)
			}
		}
	}
}

// For a balance change it matters whether it certainly did not happen or may have happened.
func TestFailures_UncertainBalanceChangesAreReported(t *testing.T) {
	t.Parallel()
	uncertain := map[string]http.HandlerFunc{
		"cut": fake.Cut(), "a page": fake.Text(502, "<html>"), "nonsense": fake.Text(200, "{}"),
		"PlayFab's trouble": fake.Refuse(fake.InternalServerError),
		"a dependency":      fake.Refuse(fake.DownstreamServiceUnavailable), "unavailable": fake.Refuse(fake.ServiceUnavailable),
		"an error nobody knows": fake.Refuse(&fake.Error{HTTP: 400, Code: 4711, Name: "SomethingNew"}),
	}
	certain := map[string]http.HandlerFunc{
		"throttled": fake.Slow(60), "edited": fake.Refuse(fake.ConcurrentEditError), "no such player": fake.Refuse(fake.AccountNotFound),
		"no such currency": fake.Refuse(fake.InvalidVirtualCurrency), "wrong key": fake.Refuse(fake.NotAuthenticated),
		"no economy":      fake.Refuse(fake.ProductDisabledForTitle),
		"a gateway's 429": fake.Text(429, "slow down"),
	}
	for _, name := range []string{"Server/AddUserVirtualCurrency", "Server/SubtractUserVirtualCurrency"} {
		check := func(what string, answer http.HandlerFunc, want bool) {
			h := newTitle(t, fake.Options{})
			h.fake.Break(fake.Fault{Answer: answer})
			err := asks[name](t.Context(), h.Platform)
			f := fault.As(err)
			if got := f != nil && f.Reason == purse.ReasonUncertain; err == nil || got != want {
				t.Errorf("%s, %s: %v; want uncertain: %v", name, what, err, want)
			}
		}
		for what, answer := range uncertain {
			check(what, answer, true)
		}
		for what, answer := range certain {
			check(what, answer, false)
		}
		nobody := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.URL = unreachable(t) })
		err := asks[name](t.Context(), nobody.Platform)
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Reason == purse.ReasonUncertain {
			t.Errorf("%s, never sent: %v", name, err)
		}
	}
}

// unreachable returns an address on which nobody listens.
func unreachable(t *testing.T) string {
	server := httptest.NewServer(nil)
	server.Close()
	return server.URL
}

// The key gives full access: it is sent only with the calls that need it, and only to the configured address.
func TestFailures_KeyGoesOnlyWhereItIsNeeded(t *testing.T) {
	t.Parallel()
	const key = "hunter2"
	var mu sync.Mutex
	got := map[string]string{}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirection was followed") }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got[strings.TrimPrefix(r.URL.Path, "/")] = r.Header.Get("X-SecretKey")
		mu.Unlock()
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.SecretKey, o.URL = key, server.URL+"/" })
	for name, ask := range asks {
		if err := ask(t.Context(), h.Platform); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
		want := key
		if strings.HasPrefix(name, "Client/") {
			want = ""
		}
		if sent, asked := got[name]; !asked || sent != want {
			t.Errorf("%s: asked %v, with the key %q; want %q", name, asked, sent, want)
		}
	}
}

// Neither errors nor logs contain the key, a password or an email, even if PlayFab itself quotes them.
// Spec: PLAYFAB-3
func TestFailures_ErrorsAndLogsKeepSecrets(t *testing.T) {
	t.Parallel()
	quotes := func(secrets ...string) *fake.Error {
		text := strings.Join(secrets, " ")
		return &fake.Error{HTTP: 400, Code: 4711, Name: text, Message: text, Details: map[string][]string{text: {text}}}
	}
	for name, ask := range asks {
		h := newTitle(t, fake.Options{})
		secrets := []string{h.fake.SecretKey(), zeus.Password, zeus.Email}
		for _, answer := range []http.HandlerFunc{
			fake.Refuse(quotes(secrets...)), fake.Text(500, strings.Join(secrets, " ")), fake.Cut(), fake.Slow(30),
			fake.Refuse(fake.NotAuthenticated),
		} {
			h.fake.Break(fake.Fault{Answer: answer, Times: 1})
			err := ask(t.Context(), h.Platform)
			for _, secret := range secrets {
				if err != nil && strings.Contains(err.Error(), secret) || strings.Contains(h.log.String(), secret) {
					t.Errorf("%s shows %s: %v\n%s", name, secret, err, h.log)
				}
			}
			h.fake.Heal()
		}
	}
}

func TestFailures_ConfigurationErrorsAreNotFaults(t *testing.T) {
	t.Parallel()
	for _, e := range []*fake.Error{fake.NotAuthenticated, fake.InvalidTitleID, fake.ProductDisabledForTitle, fake.InvalidAPIEndpoint} {
		h := newTitle(t, fake.Options{})
		h.fake.Break(fake.Fault{Answer: fake.Refuse(e)})
		_, err := h.Currencies(t.Context(), somebody)
		if err == nil || fault.As(err) != nil || !strings.Contains(err.Error(), e.Name) {
			t.Errorf("%s: %v, want an error for the log that names it", e.Name, err)
		}
	}
}

func TestFailures_CancelledCallReturnsTheContextError(t *testing.T) {
	t.Parallel()
	h := newTitle(t, fake.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Currencies(ctx, somebody); !errors.Is(err, context.Canceled) || fault.As(err) != nil {
		t.Errorf("%v, want the caller's own reason", err)
	}
}

// Whatever PlayFab responds, each call returns a valid player, a fault or an error.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"code":200,"status":"OK","data":{"PlayFabId":"0123456789ABCDEF","UserInfo":{"PlayFabId":"0123456789ABCDEF"}}}`)
	f.Add(200, `{"code":200,"data":{"Leaderboard":[{"PlayFabId":"A","Position":0}],"Balance":1,"BalanceChange":1}}`)
	f.Add(400, `{"code":400,"status":"BadRequest","error":"InvalidParams","errorCode":1000,"errorDetails":{"Email":["x"]}}`)
	f.Add(429, `{"code":429,"errorCode":1199,"retryAfterSeconds":-5}`)
	f.Add(500, "")
	var status int
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fake.Text(status, body)(w, r) }))
	f.Cleanup(server.Close)
	f.Fuzz(func(t *testing.T, s int, b string) {
		if s < 200 || s > 599 {
			return
		}
		status, body = s, b
		h := newTitle(t, fake.Options{}, func(o *playfab.Options) { o.URL, o.Pause = server.URL, time.Nanosecond })
		for name, ask := range asks {
			if err := ask(t.Context(), h.Platform); err != nil && err.Error() == "" {
				t.Errorf("%s: an error without words", name)
			}
		}
		if id, err := h.Login(t.Context(), zeus.Email, zeus.Password); (err == nil) != (id.PlayerID != "" && id.DisplayName != "") {
			t.Errorf("signed in as %+v, %v", id, err)
		}
	})
}
