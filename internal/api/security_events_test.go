package api_test

import (
	"slices"
	"strings"
	"testing"

	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
)

// Each change of an account is listed once, with its actor. What is done by a mailed link is a visitor's: anybody may have used it.
// Spec: PLAYER-9
func TestSecurityEvents_TellWhatAnAccountWentThrough(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	testkit.AddWallet(t, p.db, zeus.id, 0)
	const address = "/api/auth/address-book/0x00000000000000000000000000000000000000d1"
	login := func(password string, status int) {
		t.Helper()
		r := request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"` + password + `"}`}
		if status != 200 {
			p.mustBeProblem("a wrong password", p.send(r), status)
			return
		}
		var c struct{ Token string }
		p.json(p.mustSucceed(r, status), &c)
		zeus.token = c.Token
	}
	do := func(method, path, body string) {
		t.Helper()
		p.mustSucceed(request{method: method, path: path, body: body, authorization: zeus.token}, 200)
	}
	do("PATCH", "/api/auth/profile", `{"displayName":"Jupiter"}`)
	do("PATCH", "/api/auth/profile", `{"displayName":"Jupiter"}`)
	for range 2 {
		do("PUT", address, `{"label":"Mine"}`)
	}
	for range 2 {
		do("DELETE", address, "")
	}
	do("POST", "/api/auth/password", `{"current":"thunder and rain","password":"new thunder"}`)
	login("thunder and rain", 401)
	login("new thunder", 200)
	do("POST", "/api/auth/sessions/end-others", "")
	p.mustSucceed(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"zeus@olympus.example"}`}, 200)
	m := linkInEmail.FindStringSubmatch(p.newestEmail())
	if m == nil {
		t.Fatalf("the email is %q", p.newestEmail())
	}
	p.mustSucceed(request{method: "POST", path: "/api/auth/reset-password", body: `{"token":"` + m[1] + `","password":"third thunder"}`}, 200)
	login("third thunder", 200)
	do("POST", "/api/auth/delete-account", `{"password":"third thunder"}`)

	var log struct {
		Items []struct{ Event, By string }
	}
	hera := p.register("hera")
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/security-events?limit=100", authorization: hera.token}, 200), &log)
	if len(log.Items) != 2 {
		t.Errorf("another player reads %+v", log.Items)
	}
	var got []string
	for _, e := range p.securityLog(zeus.id) {
		got = append(got, string(e.Kind)+" "+string(e.Event))
	}
	want := []string{
		"player account.created", "player session.opened", "player account.renamed", "player address.saved", "player address.forgotten",
		"player password.changed", "visitor password.refused", "player session.opened", "player sessions.ended",
		"visitor recovery.requested", "visitor email.confirmed", "visitor password.changed", "visitor sessions.ended",
		"player session.opened", "player account.deleted",
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the log says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// securityLog returns what concerns a player, as operators read it.
func (p *portal) securityLog(playerID string) []securitylog.Entry {
	p.t.Helper()
	entries, err := securitylogs.New(p.db).Entries(p.t.Context(), securitylog.Filter{Subject: playerID, Limit: 100})
	p.ok(err)
	return entries
}
