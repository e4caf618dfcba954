package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/api"
)

var linkInLetter = regexp.MustCompile(`/new-password\?token=([A-Z0-9]+)`)

// newestLetter is the text of the last letter that was written.
func (p *portal) newestLetter() string {
	p.t.Helper()
	letters, err := p.db.KeptLetters(p.t.Context(), 1)
	p.ok(err)
	if len(letters) == 0 {
		return ""
	}
	return letters[0].Text
}

func TestAForgottenPasswordIsReplacedByTheMailedLink(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	known := p.mustSucceed(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"Zeus@Olympus.example"}`}, 200)
	m := linkInLetter.FindStringSubmatch(p.newestLetter())
	if m == nil {
		t.Fatalf("the letter is %q", p.newestLetter())
	}
	unknown := p.mustSucceed(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"nobody@olympus.example"}`}, 200)
	if known.text != unknown.text || fmt.Sprint(known.header) != fmt.Sprint(unknown.header) {
		t.Errorf("a known address answers\n%v %s\nan unknown one\n%v %s", known.header, known.text, unknown.header, unknown.text)
	}
	reset := `{"token":"` + m[1] + `","password":"new thunder"}`
	p.mustSucceed(request{method: "POST", path: "/api/auth/reset-password", body: reset}, 200)
	for _, credential := range []string{zeus.token, zeus.session} {
		path := map[bool]string{true: "/api/auth/profile", false: "/api/smartWallet/embedded-token"}[credential == zeus.token]
		p.mustBeProblem("a session from before", p.send(request{method: "GET", path: path, authorization: credential}), 401)
	}
	p.mustBeProblem("the old password", p.send(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder"}`}), 401)
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"new thunder"}`}, 200)
	p.mustBeProblem("the link once more", p.send(request{method: "POST", path: "/api/auth/reset-password", body: reset}), 400)
}

func TestAPlayerChangesNameAndPassword(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	p.register("hera")
	renamed := p.mustSucceed(request{method: "PATCH", path: "/api/auth/profile", authorization: zeus.token, body: `{"displayName":"Jupiter"}`}, 200)
	if got := p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200); got.text != renamed.text || !strings.Contains(got.text, `"DisplayName":"Jupiter"`) {
		t.Errorf("renamed to %s, now %s", renamed.text, got.text)
	}
	taken := p.mustBeProblem("another's name", p.send(request{method: "PATCH", path: "/api/auth/profile", authorization: zeus.token, body: `{"displayName":"HERA"}`}), 409)
	if len(taken.Errors) != 1 || taken.Errors[0].Location != "body.displayName" {
		t.Errorf("at %+v", taken.Errors)
	}
	changed := p.mustSucceed(request{method: "POST", path: "/api/auth/password", authorization: zeus.token, body: `{"current":"thunder","password":"new thunder"}`}, 200)
	if !strings.Contains(changed.text, `"changed":true`) {
		t.Error(changed.text)
	}
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200)
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"new thunder"}`}, 200)
}

// Every field that is missing, empty, of another type or too long is named; nothing that was sent comes back.
func TestEveryWrongFieldOfTheAccountsCallsIsNamed(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	const marker = "m4rk3r"
	long := marker + strings.Repeat("x", 300)
	calls := map[string]struct {
		method string
		fields []string
	}{
		"/api/auth/register":        {"POST", []string{"email", "displayName", "password"}},
		"/api/auth/login":           {"POST", []string{"email", "password"}},
		"/api/auth/forgot-password": {"POST", []string{"email"}},
		"/api/auth/reset-password":  {"POST", []string{"token", "password"}},
		"/api/auth/profile":         {"PATCH", []string{"displayName"}},
		"/api/auth/password":        {"POST", []string{"current", "password"}},
		"/api/auth/delete-account":  {"POST", []string{"password", "code"}},
	}
	good := map[string]string{"email": "a@b.co", "displayName": "Somebody", "password": "lightning", "token": "AAAA", "current": "thunder", "code": "000000"}
	for path, c := range calls {
		optional := path == "/api/auth/delete-account"
		for _, wrong := range c.fields {
			for what, value := range map[string]string{
				"missing": "", "null": "null", "a number": "12345678", "a list": `["` + marker + `"]`, "an object": `{"a":"` + marker + `"}`,
				"true": "true", "empty": `""`, "too long": `"` + long + `"`, "a zero byte": `"` + marker + `\u0000"`, "an escape": `"` + marker + `\u001b[2J"`,
				"half a character": `"` + marker + `\ud800"`,
			} {
				if (wrong == "password" || wrong == "current") && slices.Contains([]string{"a zero byte", "an escape", "half a character"}, what) {
					continue // a password may hold anything
				}
				var parts []string
				for _, f := range c.fields {
					switch {
					case f != wrong && !optional:
						parts = append(parts, fmt.Sprintf("%q:%q", f, good[f]))
					case f == wrong && value != "":
						parts = append(parts, fmt.Sprintf("%q:%s", f, value))
					}
				}
				a := p.send(request{method: c.method, path: path, authorization: zeus.token, body: "{" + strings.Join(parts, ",") + "}"})
				name := fmt.Sprintf("%s with %s %s", path, wrong, what)
				if a.status != 400 && a.status != 401 {
					t.Errorf("%s: %d %s", name, a.status, a.text)
				}
				p.mustBeProblem(name, a, a.status)
				if strings.Contains(a.text, marker) {
					t.Errorf("%s: the answer repeats what was sent: %s", name, a.text)
				}
			}
		}
	}
	if p.log.Len() > 0 {
		t.Errorf("logged: %.500s", p.log)
	}
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200)
}

func TestAPlayerSeesAndEndsTheOwnSessions(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder"}`,
		header: http.Header{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}}}, 200)
	var list struct {
		Items []struct {
			ID, Browser string
			Current     bool
		}
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/sessions", authorization: zeus.token}, 200), &list)
	if len(list.Items) != 2 {
		t.Fatalf("%+v", list.Items)
	}
	for _, s := range list.Items {
		if s.Current != (s.ID == zeus.sid) || !s.Current && s.Browser != "Firefox on Linux" {
			t.Errorf("%+v", s)
		}
	}
	if a := p.mustSucceed(request{method: "POST", path: "/api/auth/sessions/end-others", authorization: zeus.token}, 200); !strings.Contains(a.text, `"ended":1`) {
		t.Error(a.text)
	}
	p.mustSucceed(request{method: "DELETE", path: "/api/auth/sessions/" + zeus.sid, authorization: zeus.token}, 200)
	p.mustBeProblem("its token", p.send(request{method: "GET", path: "/api/auth/sessions", authorization: zeus.token}), 401)
}

func TestAnAccountIsDeletedByItsCalls(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.register("zeus"), p.register("hera")
	p.mustSucceed(request{method: "POST", path: "/api/auth/delete-account/code", authorization: zeus.token}, 200)
	code := regexp.MustCompile(`\d{8}`).FindString(p.newestLetter())
	wrong := p.mustBeProblem("another player with the code", p.send(request{method: "POST", path: "/api/auth/delete-account", authorization: hera.token, body: `{"code":"` + code + `"}`}), 400)
	if wrong.Reason != "wrong" || len(wrong.Errors) != 1 || wrong.Errors[0].Location != "body.code" {
		t.Errorf("%+v", wrong)
	}
	p.mustSucceed(request{method: "POST", path: "/api/auth/delete-account", authorization: zeus.token, body: `{"code":"` + code + `"}`}, 200)
	p.mustBeProblem("the token", p.send(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}), 401)
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: hera.token}, 200)
	p.register("zeus") // name and address are free
}

// guesses is a portal behind a proxy that lets three wrong passwords pass.
func guesses(t *testing.T) (p *portal, try func(from, email, password string) answer) {
	t.Helper()
	p = open(t, func(o *api.Options) {
		o.Limits.TriesPerQuarter, o.Limits.MailsPerHour = 3, 2
		o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	p.register("zeus")
	return p, func(from, email, password string) answer {
		return p.send(request{method: "POST", path: "/api/auth/login", body: `{"email":"` + email + `","password":"` + password + `"}`, from: "10.0.0.1:1", forwarded: from})
	}
}

const zeusMail = "zeus@olympus.example"

// Wrong passwords count for one account from one network. Nobody locks out the owner, who comes from another one.
func TestWrongPasswordsCountForOneAccountFromOneNetwork(t *testing.T) {
	t.Parallel()
	p, try := guesses(t)
	for i := range 3 {
		p.mustBeProblem("a guess", try(fmt.Sprintf("203.0.113.%d", i), zeusMail, "wrong"), 401)
	}
	refused := try("203.0.113.200", "ZEUS@olympus.example", "thunder")
	p.mustBeProblem("the right password after three wrong ones", refused, 429)
	if refused.header.Get("Retry-After") != "900" {
		t.Errorf("Retry-After %q", refused.header.Get("Retry-After"))
	}
	if a := try("198.51.100.7", zeusMail, "thunder"); a.status != 200 {
		t.Errorf("the owner from another network: %d %s", a.status, a.text)
	}
	p.mustBeProblem("another account from that network", try("203.0.113.1", "hera@olympus.example", "wrong"), 401)
	for i := range 3 {
		p.mustBeProblem("a guess by IPv6", try(fmt.Sprintf("2001:db8:0:1%d::%d", i, i), zeusMail, "wrong"), 401)
	}
	p.mustBeProblem("one more from the same line", try("2001:db8:0:1f::1", zeusMail, "wrong"), 429)
	if a := try("2001:db8:1::1", zeusMail, "thunder"); a.status != 200 {
		t.Errorf("the owner by IPv6: %d %s", a.status, a.text)
	}
}

func TestRightPasswordsDoNotCount(t *testing.T) {
	t.Parallel()
	p, try := guesses(t)
	for range 10 {
		if a := try("203.0.113.1", zeusMail, "thunder"); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("a wrong one then", try("203.0.113.1", zeusMail, "wrong"), 401)
}

func TestNobodyIsFloodedWithLetters(t *testing.T) {
	t.Parallel()
	p, _ := guesses(t)
	ask := func(from string) answer {
		return p.send(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"` + zeusMail + `"}`, from: "10.0.0.1:1", forwarded: from})
	}
	for range 2 {
		if a := ask("203.0.113.1"); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("a third letter", ask("203.0.113.2"), 429)
	if a := ask("198.51.100.7"); a.status != 200 {
		t.Errorf("the owner from another network: %d %s", a.status, a.text)
	}
}

func TestWrongCodesAndPresentPasswordsCountToo(t *testing.T) {
	t.Parallel()
	p, _ := guesses(t)
	hera := p.register("hera")
	for _, c := range []struct{ path, body string }{
		{"/api/auth/password", `{"current":"wrong","password":"new thunder"}`}, {"/api/auth/delete-account", `{"password":"wrong"}`}, {"/api/auth/delete-account", `{"code":"000000"}`},
	} {
		p.mustBeProblem(c.path, p.send(request{method: "POST", path: c.path, body: c.body, authorization: hera.token}), 400)
	}
	p.mustBeProblem("after three wrong ones", p.send(request{method: "POST", path: "/api/auth/delete-account", body: `{"password":"thunder"}`, authorization: hera.token}), 429)
	// What is not even tried does not count.
	iris := p.register("iris")
	for range 5 {
		p.mustBeProblem("too short", p.send(request{method: "POST", path: "/api/auth/password", body: `{"current":"thunder","password":"x"}`, authorization: iris.token}), 400)
	}
	p.mustSucceed(request{method: "POST", path: "/api/auth/password", body: `{"current":"thunder","password":"new thunder"}`, authorization: iris.token}, 200)
}
