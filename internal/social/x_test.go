package social_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"go.uber.org/goleak"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/social"
	"pantheon/test/contract/x"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	redirect = "https://portal.example/auth/callback/twitter"
	verifier = "0123456789012345678901234567890123456789012"
)

var zeus = x.Person{ID: "44196397", Username: "zeus"}

// open starts a fake of X with an app, with or without a secret.
func open(t *testing.T, secret string) (*social.X, *x.Server) {
	t.Helper()
	site := x.New(x.Options{ClientID: "app", ClientSecret: secret, Redirect: redirect}, zeus)
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	app := social.NewX(social.XOptions{ClientID: "app", ClientSecret: secret, Redirect: redirect, URL: server.URL})
	t.Cleanup(app.Close)
	return app, site
}

// code returns the code with which X redirects the browser back.
func code(t *testing.T, app *social.X) string {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, app.AuthorizeURL("state", verifier), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || response.StatusCode != http.StatusFound || back.Query().Get("state") != "state" {
		t.Fatalf("X answers %s, %v", response.Status, err)
	}
	return back.Query().Get("code")
}

// Spec: ACCOUNT-11
func TestX_CodeTellsWhoItIsOnceAndOnlyWithItsVerifier(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", "secret"} {
		app, _ := open(t, secret)
		c := code(t, app)
		if who, err := app.Account(t.Context(), c, verifier); err != nil || who != (account.External{ID: zeus.ID, Handle: zeus.Username}) {
			t.Errorf("%+v, %v", who, err)
		}
		for what, redeem := range map[string][2]string{
			"a second time": {c, verifier}, "another verifier": {code(t, app), verifier + "x"}, "no code": {"", verifier},
		} {
			if who, err := app.Account(t.Context(), redeem[0], redeem[1]); !errors.Is(err, account.ErrAttempt) || who != (account.External{}) {
				t.Errorf("%s: %+v, %v", what, who, err)
			}
		}
	}
}

func TestX_FailureOfXIsReportedAsUnavailable(t *testing.T) {
	t.Parallel()
	app, site := open(t, "secret")
	c := code(t, app)
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusFound, http.StatusOK} {
		site.Break(status)
		if _, err := app.Account(t.Context(), c, verifier); !fault.Is(err, fault.Unavailable) {
			t.Errorf("HTTP %d: %v", status, err)
		}
	}
	site.Break(0)
	stranger := social.NewX(social.XOptions{ClientID: "app", ClientSecret: "wrong", Redirect: redirect, URL: "http://127.0.0.1:1"})
	defer stranger.Close()
	if _, err := stranger.Account(t.Context(), c, verifier); !fault.Is(err, fault.Unavailable) {
		t.Errorf("nobody there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := app.Account(ctx, c, verifier); err == nil {
		t.Error("a caller who has left is answered")
	}
}

// A response without a valid user signs nobody in.
func TestX_NonsenseSignsNobodyIn(t *testing.T) {
	t.Parallel()
	for what, user := range map[string]string{
		"no user": `{}`, "no id": `{"data":{"username":"zeus"}}`, "an id that is no number": `{"data":{"id":"zeus"}}`,
		"a number as text is wanted": `{"data":{"id":44}}`,
		"no JSON":                    `<html>`, "a list": `[]`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/2/oauth2/token" {
				_, _ = w.Write([]byte(`{"access_token":"t","token_type":"bearer"}`))
				return
			}
			_, _ = w.Write([]byte(user))
		}))
		app := social.NewX(social.XOptions{ClientID: "app", URL: server.URL})
		if who, err := app.Account(t.Context(), "code", verifier); !fault.Is(err, fault.Unavailable) || who != (account.External{}) {
			t.Errorf("%s: %+v, %v", what, who, err)
		}
		app.Close()
		server.Close()
	}
}
