package api_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

var linkInEmail = regexp.MustCompile(`/new-password\?token=([A-Z0-9]+)`)

// newestEmail returns the text of the last queued email.
func (p *portal) newestEmail() string {
	p.t.Helper()
	emails, err := store.Mail{DB: p.db}.RecentEmails(p.t.Context(), 1)
	p.ok(err)
	if len(emails) == 0 {
		return ""
	}
	return emails[0].Text
}

// Spec: ACCOUNT-13
func TestSettings_ForgottenPasswordIsReplacedByTheMailedLink(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	known := p.mustSucceed(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"Zeus@Olympus.example"}`}, 200)
	m := linkInEmail.FindStringSubmatch(p.newestEmail())
	if m == nil {
		t.Fatalf("the email is %q", p.newestEmail())
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
	p.mustBeProblem("the old password", p.send(request{
		method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder and rain"}`,
	}), 401)
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"new thunder"}`}, 200)
	p.mustBeProblem("the link once more", p.send(request{method: "POST", path: "/api/auth/reset-password", body: reset}), 400)
}

// Spec: ACCOUNT-15
func TestSettings_PlayerChangesNameAndPassword(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	p.register("hera")
	renamed := p.mustSucceed(request{
		method: "PATCH", path: "/api/auth/profile", authorization: zeus.token, body: `{"displayName":"Jupiter"}`,
	}, 200)
	if got := p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200); got.text != renamed.text ||
		!strings.Contains(got.text, `"DisplayName":"Jupiter"`) {
		t.Errorf("renamed to %s, now %s", renamed.text, got.text)
	}
	taken := p.mustBeProblem("another's name", p.send(request{
		method: "PATCH", path: "/api/auth/profile", authorization: zeus.token, body: `{"displayName":"HERA"}`,
	}), 409)
	if len(taken.Errors) != 1 || taken.Errors[0].Location != "body.displayName" {
		t.Errorf("at %+v", taken.Errors)
	}
	changed := p.mustSucceed(request{
		method: "POST", path: "/api/auth/password", authorization: zeus.token,
		body: `{"current":"thunder and rain","password":"new thunder"}`,
	}, 200)
	if !strings.Contains(changed.text, `"changed":true`) {
		t.Error(changed.text)
	}
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200)
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"new thunder"}`}, 200)
}

// Every field that is missing, empty, of another type, too long or nonsensical is named, with a message; no submitted
// value is echoed. Only credentials that are present are not named: the response must not tell which of them was
// wrong.
// Spec: API-3
func TestSettings_EveryWrongFieldOfTheAccountsCallsIsNamed(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	const marker = "m4rk3r"
	long := marker + strings.Repeat("x", 5000)
	const email, text, password, address, number = "email", "text", "password", "address", "number"
	type field struct{ name, kind, good string }
	mail, newPassword := field{"email", email, `"a@b.co"`}, field{"password", password, `"lightning rods"`}
	for path, c := range map[string]struct {
		method string
		fields []field
		// secrets are the fields of credentials, with the status of a refused text.
		secrets map[string]int
	}{
		"/api/auth/register":        {"POST", []field{mail, {"displayName", text, `"Somebody"`}, newPassword}, nil},
		"/api/auth/login":           {"POST", []field{mail, newPassword}, map[string]int{"password": 401}},
		"/api/auth/forgot-password": {"POST", []field{mail}, nil},
		"/api/auth/reset-password":  {"POST", []field{{"token", text, `"AAAA"`}, newPassword}, map[string]int{"token": 400}},
		"/api/auth/profile":         {"PATCH", []field{{"displayName", text, `"Somebody"`}}, nil},
		"/api/auth/password":        {"POST", []field{{"current", password, `"thunder and rain"`}, newPassword}, nil},
		"/api/auth/email/confirm":   {"POST", []field{{"code", text, `"12345678"`}}, nil},
		"/api/proxy/auth/token/login": {"POST", []field{
			{"context", text, `"` + contextOf(zeus.id) + `"`}, {"utmParams", "object", `{"utm_source":"game"}`},
		},
			map[string]int{"context": 401}},
		"/api/auth/twitter/callback": {"POST", []field{{"code", text, `"c"`}, {"state", text, `"s"`}, {"binding", text, `"b"`}},
			map[string]int{"code": 401, "state": 401, "binding": 401}},
		"/api/auth/wallet/challenge": {"POST", []field{{"address", address, `"` + testkit.Items + `"`}, {"chainId", number, "1337042"}}, nil},
		"/api/auth/wallet/verify":    {"POST", []field{{"message", text, `"hello"`}, {"signature", address, `"0x00"`}}, nil},
		"/api/auth/protectedData":    {"POST", []field{{"value", password, `"x"`}, {"action", text, `"encrypt"`}}, nil},
		"/api/pre-register":          {"POST", []field{mail}, nil},
		"/api/support":               {"POST", []field{mail, {"topic", text, `"wallet"`}, {"message", text, `"Where is my seed phrase?"`}}, nil},
	} {
		for _, wrong := range c.fields {
			values := map[string]string{
				"missing": "", "null": "null", "true": "true", "a list": `["` + marker + `"]`, "an object": `{"a":["` + marker + `"]}`,
			}
			texts := map[string]string{
				"empty": `""`, "too long": `"` + long + `"`, "a zero byte": `"` + marker + `\u0000"`, "an escape": `"` + marker + `\u001b[2J"`,
				"half a character": `"` + marker + `\ud800"`,
			}
			switch wrong.kind {
			case number:
				values["a fraction"], values["another"], values["without end"] = "0.5", "7", strings.Repeat("9", 100)
			case "object":
				delete(values, "missing") // the field is optional
				delete(values, "null")
			case password: // it may contain anything
				values["a number"], values["empty"], values["too long"] = "12345678", texts["empty"], texts["too long"]
			default:
				values["a number"] = "12345678"
				maps.Copy(values, texts)
			}
			for what, value := range values {
				var parts []string
				for _, f := range c.fields {
					switch {
					case f.name != wrong.name:
						parts = append(parts, fmt.Sprintf("%q:%s", f.name, f.good))
					case value != "":
						parts = append(parts, fmt.Sprintf("%q:%s", f.name, value))
					}
				}
				a := p.send(request{method: c.method, path: path, authorization: zeus.token, body: "{" + strings.Join(parts, ",") + "}"})
				name := fmt.Sprintf("%s with %s %s", path, wrong.name, what)
				if strings.Contains(a.text, marker) {
					t.Errorf("%s: the answer repeats what was sent: %s", name, a.text)
				}
				_, isText := texts[what]
				if status, secret := c.secrets[wrong.name]; secret && isText && a.status == status {
					if got := p.mustBeProblem(name, a, status); len(got.Errors) > 0 {
						t.Errorf("%s: the answer tells what was wrong: %s", name, a.text)
					}
					continue
				}
				got := p.mustBeProblem(name, a, 400)
				at := ""
				for _, e := range got.Errors {
					if at = e.Location; e.Message == "" || strings.Contains(e.Message, "expected") {
						t.Errorf("%s: no words for a person: %s", name, a.text)
					}
				}
				if want := "body." + wrong.name; len(got.Errors) != 1 ||
					at != want && !strings.HasPrefix(at, want+".") && !strings.HasPrefix(at, want+"[") {
					t.Errorf("%s: named is %+v", name, got.Errors)
				}
			}
		}
	}
	if p.log.Len() > 0 {
		t.Errorf("logged: %.500s", p.log)
	}
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}, 200)
}

// The message of each rule, as shown at the field.
// Spec: API-3
func TestSettings_EachRuleOfARegistrationHasItsWords(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.mustSucceed(request{
		method: "POST", path: "/api/auth/register",
		body: `{"email":"Zeus+Games@Olympus.example","displayName":"Zeus","password":"thunder and rain"}`,
	}, 201)
	const (
		missing, noText        = "Please fill this in.", "This must be a text."
		noEmail, email         = "Please enter your email.", "This does not look like an email address."
		noName, length, unseen = "Please choose a name.", "A name has 3 to 20 characters.", "This name has characters that cannot be shown."
		alphabet               = "Please write your name in one widely used alphabet."
		noPassword, size       = "Please choose a password.", "A new password has 8 to 100 characters."
		emailTaken, nameTaken  = "There is an account with this email already.", "This name is taken."
	)
	for _, c := range []struct {
		field, value, want string
		status             int
	}{
		{"email", "", missing, 400},
		{"email", "7", noText, 400},
		{"email", "null", noText, 400},
		{"email", `""`, noEmail, 400},
		{"email", `"  "`, noEmail, 400},
		{"email", `"zeus"`, email, 400},
		{"email", `"zeus@olympus"`, email, 400},
		{"email", `"` + strings.Repeat("z", 255) + `@olympus.example"`, email, 400},
		{"email", `"ze\u0000us@olympus.example"`, email, 400},
		{"email", `"ze\u001bus@olympus.example"`, email, 400},
		{"email", `"zeus@olympus.example\nBcc: hera@olympus.example"`, email, 400},
		{"email", `"zeus+games@olympus.example"`, emailTaken, 409},
		{"email", `" ZEUS+GAMES@OLYMPUS.EXAMPLE "`, emailTaken, 409},
		{"email", `"zeus@olympus.example"`, "", 201},
		{"displayName", "", missing, 400},
		{"displayName", `["Zeus"]`, noText, 400},
		{"displayName", `""`, noName, 400},
		{"displayName", `"   "`, noName, 400},
		{"displayName", `"Ze"`, length, 400},
		{"displayName", `"` + strings.Repeat("z", 21) + `"`, length, 400},
		{"displayName", `"Ze\u0000us"`, unseen, 400},
		{"displayName", `"Ze\u202eus"`, unseen, 400},
		{"displayName", `"Ze\nus"`, unseen, 400},
		{"displayName", `"..."`, "A name needs a letter or a digit.", 400},
		{"displayName", `"ZEUS"`, nameTaken, 409},
		{"displayName", `"Zеus"`, nameTaken, 409}, // with a Cyrillic letter
		{"displayName", `"Ζeus"`, nameTaken, 409}, // with a Greek one
		{"displayName", `"ΖΕՍՏ"`, nameTaken, 409}, // with Greek and Armenian ones
		{"displayName", `"ꓜꓰꓴꓢ"`, alphabet, 400},  // in Lisu
		{"displayName", `"Зeвс"`, alphabet, 400},  // Cyrillic with a Latin letter
		{"displayName", `"Зевс"`, "", 201},
		{"displayName", `"Zeüs"`, "", 201},
		{"password", "", missing, 400},
		{"password", "true", noText, 400},
		{"password", `""`, noPassword, 400},
		{"password", `"12345"`, size, 400},
		{"password", `"` + strings.Repeat("p0", 51) + `"`, size, 400},
		{"password", `"PassWord"`, "This password is easy to guess. Try three unrelated words, and leave out your name and email.", 400},
		{"password", `"\u0000\u001b tab\t end"`, "", 201},
	} {
		var parts []string
		for _, name := range []string{"email", "displayName", "password"} {
			value := map[string]string{
				"email": fmt.Sprintf("%q", rand.Text()+"@olympus.example"), "displayName": fmt.Sprintf("%q", "Zz"+rand.Text()[:12]),
				"password": `"lightning rods"`,
			}[name]
			if name == c.field {
				value = c.value
			}
			if value != "" {
				parts = append(parts, fmt.Sprintf("%q:%s", name, value))
			}
		}
		a := p.send(request{method: "POST", path: "/api/auth/register", body: "{" + strings.Join(parts, ",") + "}"})
		if c.want == "" {
			if a.status != c.status {
				t.Errorf("%s %.40s: %d %s", c.field, c.value, a.status, a.text)
			}
			continue
		}
		got := p.mustBeProblem(c.field+" "+c.value, a, c.status)
		if len(got.Errors) != 1 || got.Errors[0].Location != "body."+c.field || got.Errors[0].Message != c.want {
			t.Errorf("%s %.40s: %+v, want %q", c.field, c.value, got.Errors, c.want)
		}
	}
}

// Either password or code is accepted as the proof; without both, the password is requested.
// Spec: SAFE-9
func TestSettings_RefusedProofOfADeletionIsExplained(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	for body, want := range map[string]string{
		`{}`: "body.password", `{"password":""}`: "body.password", `{"code":""}`: "body.password", `{"password":1}`: "body.password",
		`{"code":["1"]}`: "body.code",
		`{"code":true}`:  "body.code", `{"password":"wrong"}`: "body.password", `{"code":"00000000"}`: "body.code",
		`{"code":"\u0000"}`: "body.code", `{"proof":"x"}`: "body.proof",
		`{"password":"` + strings.Repeat("p", 5000) + `"}`: "body.password", `{"code":"` + strings.Repeat("1", 5000) + `"}`: "body.code",
	} {
		got := p.mustBeProblem(body, p.send(request{
			method: "POST", path: "/api/auth/delete-account", authorization: zeus.token, body: body,
		}), 400)
		if len(got.Errors) != 1 || got.Errors[0].Location != want || got.Errors[0].Message == "" {
			t.Errorf("%.60s: named is %+v, want %s", body, got.Errors, want)
		}
	}
	for id, status := range map[string]int{"none": 404, strings.Repeat("x", 65): 400, "%00": 404, "%ff": 404} {
		got := p.mustBeProblem("session "+id, p.send(request{
			method: "DELETE", path: "/api/auth/sessions/" + id, authorization: zeus.token,
		}), status)
		if status == 400 && (len(got.Errors) != 1 || got.Errors[0].Location != "path.id" || got.Errors[0].Message == "") {
			t.Errorf("session %s: named is %+v", id, got.Errors)
		}
	}
}

// Spec: ACCOUNT-18
func TestSettings_PlayerSeesAndEndsTheOwnSessions(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	p.mustSucceed(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder and rain"}`,
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
	if a := p.mustSucceed(request{
		method: "POST", path: "/api/auth/sessions/end-others", authorization: zeus.token,
	}, 200); !strings.Contains(a.text, `"ended":1`) {
		t.Error(a.text)
	}
	p.mustSucceed(request{method: "DELETE", path: "/api/auth/sessions/" + zeus.sid, authorization: zeus.token}, 200)
	p.mustBeProblem("its token", p.send(request{method: "GET", path: "/api/auth/sessions", authorization: zeus.token}), 401)
}

// Spec: SAFE-9
func TestSettings_AccountIsDeletedByItsCalls(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.register("zeus"), p.register("hera")
	p.mustSucceed(request{method: "POST", path: "/api/auth/delete-account/code", authorization: zeus.token}, 200)
	code := regexp.MustCompile(`\d{8}`).FindString(p.newestEmail())
	wrong := p.mustBeProblem("another player with the code",
		p.send(request{method: "POST", path: "/api/auth/delete-account", authorization: hera.token, body: `{"code":"` + code + `"}`}), 400)
	if wrong.Reason != "wrong" || len(wrong.Errors) != 1 || wrong.Errors[0].Location != "body.code" {
		t.Errorf("%+v", wrong)
	}
	p.mustSucceed(request{method: "POST", path: "/api/auth/delete-account", authorization: zeus.token, body: `{"code":"` + code + `"}`}, 200)
	p.mustBeProblem("the token", p.send(request{method: "GET", path: "/api/auth/profile", authorization: zeus.token}), 401)
	p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: hera.token}, 200)
	p.register("zeus") // name and address are available
}

// guesses opens a portal behind a proxy that allows three wrong passwords.
func guesses(t *testing.T) (p *portal, try func(from, email, password string) answer) {
	t.Helper()
	p = open(t, func(o *api.Options) {
		o.Limits.AttemptsPerQuarter, o.Limits.EmailsPerHour = 3, 2
		o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	p.register("zeus")
	return p, func(from, email, password string) answer {
		return p.send(request{
			method: "POST", path: "/api/auth/login", body: `{"email":"` + email + `","password":"` + password + `"}`, from: "10.0.0.1:1",
			forwarded: from,
		})
	}
}

const zeusMail = "zeus@olympus.example"

// Wrong passwords count per account and network. They do not lock out the owner, who uses another network.
// Spec: ACCOUNT-24
func TestSettings_WrongPasswordsCountForOneAccountFromOneNetwork(t *testing.T) {
	t.Parallel()
	p, try := guesses(t)
	for i := range 3 {
		p.mustBeProblem("a guess", try(fmt.Sprintf("203.0.113.%d", i), zeusMail, "wrong"), 401)
	}
	refused := try("203.0.113.200", "ZEUS@olympus.example", "thunder and rain")
	p.mustBeProblem("the right password after three wrong ones", refused, 429)
	if refused.header.Get("Retry-After") != "900" {
		t.Errorf("Retry-After %q", refused.header.Get("Retry-After"))
	}
	if a := try("198.51.100.7", zeusMail, "thunder and rain"); a.status != 200 {
		t.Errorf("the owner from another network: %d %s", a.status, a.text)
	}
	p.mustBeProblem("another account from that network", try("203.0.113.1", "hera@olympus.example", "wrong"), 401)
	for i := range 3 {
		p.mustBeProblem("a guess by IPv6", try(fmt.Sprintf("2001:db8:0:1%d::%d", i, i), zeusMail, "wrong"), 401)
	}
	p.mustBeProblem("one more from the same line", try("2001:db8:0:1f::1", zeusMail, "wrong"), 429)
	if a := try("2001:db8:1::1", zeusMail, "thunder and rain"); a.status != 200 {
		t.Errorf("the owner by IPv6: %d %s", a.status, a.text)
	}
}

// Spec: ACCOUNT-24
func TestSettings_RightPasswordsDoNotCount(t *testing.T) {
	t.Parallel()
	p, try := guesses(t)
	for range 10 {
		if a := try("203.0.113.1", zeusMail, "thunder and rain"); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("a wrong one then", try("203.0.113.1", zeusMail, "wrong"), 401)
}

// Spec: ACCOUNT-13
func TestSettings_NobodyIsFloodedWithEmails(t *testing.T) {
	t.Parallel()
	p, _ := guesses(t)
	ask := func(from string) answer {
		return p.send(request{
			method: "POST", path: "/api/auth/forgot-password", body: `{"email":"` + zeusMail + `"}`, from: "10.0.0.1:1", forwarded: from,
		})
	}
	for range 2 {
		if a := ask("203.0.113.1"); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("a third email", ask("203.0.113.2"), 429)
	if a := ask("198.51.100.7"); a.status != 200 {
		t.Errorf("the owner from another network: %d %s", a.status, a.text)
	}
}

// sender is a game platform that can be unavailable.
type sender struct {
	account.Platform
	away bool
}

var errAway = fault.New(fault.Unavailable, "The game's accounts are away.")

func (s *sender) SendRecovery(ctx context.Context, address string) error {
	if s.away {
		return errAway
	}
	return s.Platform.SendRecovery(ctx, address)
}

func (s *sender) Player(ctx context.Context, id string) (account.Identity, error) {
	if s.away {
		return account.Identity{}, errAway
	}
	return s.Platform.Player(ctx, id)
}

// Emails that could not be sent do not count. It is the same for an address without an account.
// Spec: ACCOUNT-13, SAFE-9
func TestSettings_EmailsThatCouldNotBeSentDoNotCount(t *testing.T) {
	t.Parallel()
	platform := &sender{}
	p := open(t, func(o *api.Options) {
		db := testkit.Database(t, store.SQLite)
		local, err := local.New(accounts.New(db), local.Options{Cost: local.TestCost, Site: "https://portal.example", Clock: o.Clock})
		if err != nil {
			t.Fatal(err)
		}
		platform.Platform = local
		o.Accounts = testkit.Accounts(db, account.Options{
			Platform: platform, Sessions: accounts.New(db), Deletions: accounts.New(db), Emails: accounts.New(db),
			Notices: accounts.New(db), Connections: realtime{}, Clock: o.Clock,
			Keys: keyset.Keys{[]byte("0123456789abcdef0123456789abcdef")},
		})
		o.Limits.EmailsPerHour = 2
	})
	var zeus struct{ Token string }
	p.json(p.mustSucceed(request{
		method: "POST", path: "/api/auth/register",
		body: `{"email":"zeus@olympus.example","displayName":"Zeus","password":"thunder and rain"}`,
	}, 201), &zeus)
	for what, ask := range map[string]request{
		"a link":                {method: "POST", path: "/api/auth/forgot-password", body: `{"email":"` + zeusMail + `"}`},
		"a link for nobody":     {method: "POST", path: "/api/auth/forgot-password", body: `{"email":"nobody@olympus.example"}`},
		"a code for a deletion": {method: "POST", path: "/api/auth/delete-account/code", authorization: zeus.Token},
	} {
		platform.away = true
		for range 5 {
			p.mustBeProblem(what+" while the sender is away", p.send(ask), 503)
		}
		platform.away = false
		for range 2 {
			if a := p.send(ask); a.status != 200 {
				t.Errorf("%s once it is back: %d %s", what, a.status, a.text)
			}
		}
		p.mustBeProblem(what+", the third", p.send(ask), 429)
	}
	for range 5 {
		p.mustBeProblem("what is no address", p.send(request{method: "POST", path: "/api/auth/forgot-password", body: `{"email":"zeus@"}`}), 400)
	}
}

// Spec: ACCOUNT-24
func TestSettings_WrongCodesAndPresentPasswordsCountToo(t *testing.T) {
	t.Parallel()
	p, _ := guesses(t)
	hera := p.register("hera")
	for _, c := range []struct{ path, body string }{
		{"/api/auth/password", `{"current":"wrong","password":"new thunder"}`}, {"/api/auth/delete-account", `{"password":"wrong"}`},
		{"/api/auth/delete-account", `{"code":"000000"}`},
	} {
		p.mustBeProblem(c.path, p.send(request{method: "POST", path: c.path, body: c.body, authorization: hera.token}), 400)
	}
	p.mustBeProblem("after three wrong ones", p.send(request{
		method: "POST", path: "/api/auth/delete-account", body: `{"password":"thunder and rain"}`, authorization: hera.token,
	}), 429)
	// Refused attempts do not count.
	iris := p.register("iris")
	for range 5 {
		p.mustBeProblem("too short", p.send(request{
			method: "POST", path: "/api/auth/password", body: `{"current":"thunder and rain","password":"x"}`, authorization: iris.token,
		}), 400)
	}
	p.mustSucceed(request{
		method: "POST", path: "/api/auth/password", body: `{"current":"thunder and rain","password":"new thunder"}`,
		authorization: iris.token,
	}, 200)
}

// If passwords are changed through an emailed link only, a request counts as an email. A wrong password does not.
// Spec: ACCOUNT-16
func TestSettings_LinksForAChangeOfPasswordCountAsEmails(t *testing.T) {
	t.Parallel()
	title := fake.New(fake.Options{})
	server := httptest.NewServer(title)
	t.Cleanup(server.Close)
	p := open(t, func(o *api.Options) {
		db := testkit.Database(t, store.SQLite)
		platform := playfab.New(playfab.Options{
			TitleID: title.TitleID(), SecretKey: title.SecretKey(), URL: server.URL, Known: accounts.New(db), Clock: o.Clock,
			Log: slog.New(slog.DiscardHandler),
		})
		t.Cleanup(platform.Close)
		o.Accounts = testkit.Accounts(db, account.Options{
			Platform: platform, Sessions: accounts.New(db), Deletions: accounts.New(db), Emails: accounts.New(db),
			Notices: accounts.New(db), Connections: realtime{}, Clock: o.Clock,
			Keys: keyset.Keys{[]byte("0123456789abcdef0123456789abcdef")},
		})
		o.Limits.EmailsPerHour = 2
	})
	var zeus struct{ Token string }
	p.json(p.mustSucceed(routes["register"].honest(actor{}), 201), &zeus)
	change := func(current string) answer {
		return p.send(request{
			method: "POST", path: "/api/auth/password", authorization: zeus.Token,
			body: `{"current":"` + current + `","password":"new thunder"}`,
		})
	}
	for range 3 {
		p.mustBeProblem("a wrong password", change("wrong"), 400)
	}
	for range 2 {
		if a := change("thunder and rain"); a.status != 200 || !strings.Contains(a.text, `"changed":false`) {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("a third email", change("thunder and rain"), 429)
	if n := len(title.Mails()); n != 2 {
		t.Errorf("%d emails were mailed", n)
	}
}

func TestPubSubAccess_FollowsTheRequestsHost(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	var out api.PubSubAccess
	p.json(p.mustSucceed(request{
		method: http.MethodGet, path: "http://127.0.0.1:8080/api/auth/pubSubAccessToken", authorization: zeus.token,
	}, http.StatusOK), &out)
	if !strings.HasPrefix(out.URL, "ws://127.0.0.1:8080/client/hubs/portal") {
		t.Error(out.URL)
	}
}
