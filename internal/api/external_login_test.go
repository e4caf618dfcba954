package api_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/social"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	"pantheon/test/contract/x"
)

var contextKey = bytes.Repeat([]byte{7}, 32)

// contextOf returns a link's one-time context for a player.
func contextOf(player string) string {
	c, err := account.NewContext(contextKey, player, opening)
	if err != nil {
		panic(err)
	}
	return c
}

// seal accepts the signature 0x01 of anybody.
type seal struct{}

func (seal) Valid(_ context.Context, _ onchain.ChainID, _ eth.Address, _ eth.Hash, signature []byte) (bool, error) {
	return bytes.Equal(signature, []byte{1}), nil
}

// nobodyAtX is X with nobody signed in.
type nobodyAtX struct{}

func (nobodyAtX) AuthorizeURL(state, _ string) string { return "https://x.example/?state=" + state }

func (nobodyAtX) Account(context.Context, string, string) (account.External, error) {
	return account.External{}, account.ErrAttempt
}

// mayCall checks that the response contains valid credentials, and returns their player.
func (p *portal) mayCall(a answer) string {
	p.t.Helper()
	var c struct {
		Success                     bool
		Token, SessionAuthorization string
	}
	if a.status != http.StatusOK {
		p.t.Fatalf("%d %s", a.status, a.text)
	}
	p.json(a, &c)
	if !c.Success || !strings.HasPrefix(c.SessionAuthorization, "Bearer ") {
		p.t.Errorf("the answer is %s", a.text)
	}
	p.mustSucceed(request{method: "GET", path: "/api/smartWallet/embedded-token", authorization: c.SessionAuthorization}, 200)
	var me struct{ AccountInfo struct{ PlayFabID string } }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: c.Token}, 200), &me)
	return me.AccountInfo.PlayFabID
}

// Spec: ACCOUNT-8
func TestExternalLogins_LinkFromTheGameSignsItsPlayerInOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.register("zeus")
	login := func(body string) answer {
		return p.send(request{method: "POST", path: "/api/proxy/auth/token/login", body: body})
	}
	body := `{"context":"` + contextOf(me.id) + `","utmParams":{"utm_source":"game","gclid":"1"}}`
	if who := p.mayCall(login(body)); who != me.id {
		t.Errorf("signed in as %s", who)
	}
	again := p.mustBeProblem("a second time", login(body), http.StatusUnauthorized)
	if again.Message != "This link from the game has expired or was used before. Please sign in here." {
		t.Error(again.Message)
	}
	for what, body := range map[string]string{
		"parameters that are no texts": `{"context":"c","utmParams":{"utm_source":7}}`,
		"a list of parameters":         `{"context":"c","utmParams":["x"]}`, "no context": `{}`,
		"a context that is no text": `{"context":7}`,
	} {
		if a := login(body); a.status != http.StatusBadRequest && a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", what, a.status, a.text)
		}
	}
}

// Spec: ACCOUNT-8
func TestExternalLogins_WithoutASecretLinksFromTheGameAreSaidNotToBeSetUp(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		o.ExternalLogins = account.NewExternalLogins(account.ExternalLoginOptions{Accounts: o.Accounts, Clock: clock.NewFake(opening)})
	})
	for _, r := range []request{
		{method: "POST", path: "/api/proxy/auth/token/login", body: `{"context":"` + contextOf("A") + `"}`},
		{method: "GET", path: "/api/auth/twitter/authorize"},
		{method: "POST", path: "/api/auth/twitter/callback", body: `{"code":"c","state":"s","binding":"b"}`},
	} {
		got := p.mustBeProblem(r.path, p.send(r), http.StatusConflict)
		if got.Reason != account.ReasonNotSetUp || !strings.Contains(got.Message, "not set up") {
			t.Errorf("%s: %+v", r.path, got)
		}
	}
}

// openWithX opens a portal with sign-in through X, and a fake of X.
func openWithX(t *testing.T) (*portal, *x.Server) {
	t.Helper()
	const redirect = "https://portal.example/auth/callback/twitter"
	site := x.New(x.Options{ClientID: "app", ClientSecret: "secret", Redirect: redirect}, x.Person{ID: "44196397", Username: "zeus"})
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	provider := social.NewX(social.XOptions{ClientID: "app", ClientSecret: "secret", Redirect: redirect, URL: server.URL})
	t.Cleanup(provider.Close)
	p := open(t)
	platform, err := local.New(accounts.New(p.db), local.Options{Cost: local.TestCost, Clock: p.clock})
	p.ok(err)
	p.api.ExternalLogins = account.NewExternalLogins(account.ExternalLoginOptions{
		Accounts: p.api.Accounts, Platform: platform, Attempts: accounts.New(p.db), Clock: p.clock, X: provider,
	})
	return p, site
}

// begin begins a sign-in and follows the redirect; it returns the binding and the parameters of the redirect back.
func (p *portal) begin() (binding string, back url.Values) {
	p.t.Helper()
	var attempt struct{ URL, Binding string }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/twitter/authorize"}, 200), &attempt)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	in, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, attempt.URL, http.NoBody)
	p.ok(err)
	out, err := client.Do(in)
	p.ok(err)
	defer out.Body.Close()
	to, err := url.Parse(out.Header.Get("Location"))
	if err != nil || to.Host != "portal.example" || to.Path != "/auth/callback/twitter" {
		p.t.Fatalf("X answers %s and sends to %q, %v", out.Status, to, err)
	}
	return attempt.Binding, to.Query()
}

func (p *portal) finish(code, state, binding string) answer {
	p.t.Helper()
	return p.send(request{
		method: "POST", path: "/api/auth/twitter/callback",
		body: `{"code":"` + code + `","state":"` + state + `","binding":"` + binding + `"}`,
	})
}

// Spec: ACCOUNT-11
func TestExternalLogins_SomebodyOfXIsTheSamePlayerEachTime(t *testing.T) {
	t.Parallel()
	p, site := openWithX(t)
	enter := func() string {
		binding, back := p.begin()
		return p.mayCall(p.finish(back.Get("code"), back.Get("state"), binding))
	}
	first := enter()
	site.SignIn(x.Person{ID: "44196397", Username: "renamed_there"}, false)
	if again := enter(); again != first {
		t.Errorf("%s came back as %s", first, again)
	}
	site.SignIn(x.Person{ID: "7", Username: "zeus"}, false)
	if other := enter(); other == first {
		t.Error("somebody else of the same handle is the same player")
	}
	var out struct {
		AccountInfo struct{ TitleInfo struct{ DisplayName string } }
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: p.tokenOf(site, "44196397")}, 200), &out)
	if out.AccountInfo.TitleInfo.DisplayName != "zeus" {
		t.Errorf("the player is called %q", out.AccountInfo.TitleInfo.DisplayName)
	}
}

// tokenOf signs in a user of X and returns the token.
func (p *portal) tokenOf(site *x.Server, id string) string {
	p.t.Helper()
	site.SignIn(x.Person{ID: id, Username: "anybody"}, false)
	binding, back := p.begin()
	var c struct{ Token string }
	p.json(p.finish(back.Get("code"), back.Get("state"), binding), &c)
	return c.Token
}

// Spec: ACCOUNT-11
func TestExternalLogins_SignInByXIsTheBrowsersThatBeganItOnceAndInTime(t *testing.T) {
	t.Parallel()
	p, site := openWithX(t)
	binding, back := p.begin()
	otherBinding, otherBack := p.begin()
	const message = "This took too long, or it began in another browser. Please try again."
	refused := func(what string, a answer, status int) {
		t.Helper()
		if got := p.mustBeProblem(what, a, status); status == http.StatusUnauthorized && got.Message != message {
			t.Errorf("%s: %s", what, got.Message)
		}
	}
	refused("in another browser", p.finish(back.Get("code"), back.Get("state"), otherBinding), http.StatusUnauthorized)
	refused("without what the browser keeps", p.finish(back.Get("code"), back.Get("state"), ""), http.StatusUnauthorized)
	refused("with a state nobody gave out", p.finish(back.Get("code"), "s", binding), http.StatusUnauthorized)
	refused("with another's code", p.finish(otherBack.Get("code"), back.Get("state"), binding), http.StatusUnauthorized)
	refused("after a wrong code", p.finish(back.Get("code"), back.Get("state"), binding), http.StatusUnauthorized)
	refused("without a code", p.finish("", otherBack.Get("state"), otherBinding), http.StatusUnauthorized)

	binding, back = p.begin()
	p.mayCall(p.finish(back.Get("code"), back.Get("state"), binding))
	refused("a second time", p.finish(back.Get("code"), back.Get("state"), binding), http.StatusUnauthorized)

	binding, back = p.begin()
	site.Break(http.StatusServiceUnavailable)
	refused("while X is away", p.finish(back.Get("code"), back.Get("state"), binding), http.StatusServiceUnavailable)
	site.Break(0)

	binding, back = p.begin()
	p.clock.Advance(10 * time.Minute)
	refused("after ten minutes", p.finish(back.Get("code"), back.Get("state"), binding), http.StatusUnauthorized)
	site.SignIn(x.Person{ID: "1", Username: "hera"}, true)
	if _, back = p.begin(); back.Get("error") != "access_denied" || back.Has("code") {
		t.Errorf("who says no comes back with %v", back)
	}
}

// Spec: ACCOUNT-7, ITEM-10
func TestExternalLogins_WhatAVerifiedWalletHoldsIsListedWithTheRestAndSaysWhereItIs(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	own := eth.MustAddress("0x00000000000000000000000000000000000000d1")
	testkit.Give(t, p.db, testkit.WalletOf(me.id), items, "1", 1)
	testkit.Give(t, p.db, own, items, "1", 2)
	type wallet struct {
		UserVerifiedWallet *struct{ WalletAddress string }
	}
	list := func() (out struct {
		Total int
		Items []struct{ TokenID, Amount, Wallet string }
	}) {
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/nft/listGameItems", authorization: me.token}, 200), &out)
		return out
	}
	if l := list(); l.Total != 1 || len(l.Items) != 1 || l.Items[0].Wallet != "smart" {
		t.Errorf("before: %+v", l)
	}
	var challenge struct{ Message string }
	p.json(p.mustSucceed(request{method: "POST", path: "/api/auth/wallet/challenge", authorization: me.token,
		body: `{"address":"` + own.Checksum() + `","chainId":1337042}`}, 200), &challenge)
	body := `{"message":"` + strings.ReplaceAll(challenge.Message, "\n", `\n`) + `","signature":"0x01"}`
	var proven wallet
	p.json(p.mustSucceedApproved(me, request{
		method: "POST", path: "/api/auth/wallet/verify", authorization: me.token, body: body,
	}, 200), &proven)
	profile := func() (w wallet) {
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: me.token}, 200), &w)
		return w
	}
	if w := profile(); proven.UserVerifiedWallet == nil || w.UserVerifiedWallet == nil ||
		*w.UserVerifiedWallet != *proven.UserVerifiedWallet || w.UserVerifiedWallet.WalletAddress != own.Checksum() {
		t.Errorf("the profile says %+v, the answer %+v", w.UserVerifiedWallet, proven.UserVerifiedWallet)
	}
	if l := list(); l.Total != 3 || len(l.Items) != 2 || l.Items[0].Wallet != "smart" || l.Items[1].Wallet != "verified" ||
		l.Items[1].Amount != "2" {
		t.Errorf("connected: %+v", l)
	}
	for what, body := range map[string]string{
		"used before": body, "a signature that is none": `{"message":"m","signature":"xyz"}`, "half a byte": `{"message":"m","signature":"0x1"}`,
	} {
		p.mustBeProblem(what, p.send(request{method: "POST", path: "/api/auth/wallet/verify", authorization: me.token, body: body}),
			http.StatusBadRequest)
	}
	a := p.mustSucceedApproved(me, request{method: "DELETE", path: "/api/auth/wallet", authorization: me.token}, 200)
	if w := profile(); w.UserVerifiedWallet != nil || strings.Contains(a.text, "userVerifiedWallet") {
		t.Errorf("disconnected: %+v, %s", w.UserVerifiedWallet, a.text)
	}
	if l := list(); l.Total != 1 {
		t.Errorf("disconnected: %+v", l)
	}
}
