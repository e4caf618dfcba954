package api_test

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"pantheon/internal/api"
)

var codeInMail = regexp.MustCompile(`\n    (\d{8})\n`)

// emailConfirmed returns the profile's value.
func (p *portal) emailConfirmed(a actor) bool {
	p.t.Helper()
	var me struct{ EmailConfirmed *bool }
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: a.token}, 200), &me)
	if me.EmailConfirmed == nil {
		p.t.Fatal("the profile does not say whether the email is confirmed")
	}
	return *me.EmailConfirmed
}

func (p *portal) addEmail(a actor, body, from string) answer {
	p.t.Helper()
	return p.send(request{
		method: "POST", path: "/api/auth/email/add", authorization: a.token, body: body, from: "10.0.0.1:1", forwarded: from,
	})
}

func (p *portal) confirmEmail(a actor, code string) answer {
	p.t.Helper()
	return p.send(request{method: "POST", path: "/api/auth/email/confirm", authorization: a.token, body: `{"code":"` + code + `"}`})
}

// Spec: ACCOUNT-7
func TestEmail_IsConfirmedByItsCalls(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	if p.emailConfirmed(zeus) {
		t.Error("confirmed without a code")
	}
	if a := p.addEmail(zeus, `{}`, ""); a.status != 200 ||
		strings.TrimSpace(a.text) != `{"success":true,"message":"A mail is on its way to this address. Its code is good for 15 minutes."}` {
		t.Errorf("asking for a code: %d %s", a.status, a.text)
	}
	wrong := p.mustBeProblem("a wrong code", p.confirmEmail(zeus, "none"), 400)
	if wrong.Reason != "wrong" || len(wrong.Errors) != 1 || wrong.Errors[0].Location != "body.code" ||
		wrong.Message != "This code is wrong or too old. Please check it, or ask for a new one." {
		t.Errorf("a wrong code: %+v", wrong)
	}
	m := codeInMail.FindStringSubmatch(p.newestEmail())
	if m == nil {
		t.Fatalf("the mail is %q", p.newestEmail())
	}
	if a := p.confirmEmail(zeus, m[1]); a.status != 200 ||
		strings.TrimSpace(a.text) != `{"success":true,"message":"Your email is confirmed."}` {
		t.Errorf("confirming: %d %s", a.status, a.text)
	}
	if !p.emailConfirmed(zeus) {
		t.Error("the profile does not say that it is confirmed")
	}
	if again := p.mustBeProblem("another code", p.addEmail(zeus, `{}`, ""), 409); again.Reason != "confirmed" {
		t.Errorf("another code: %+v", again)
	}
}

// Spec: ACCOUNT-20
func TestAttack_ResponseDoesNotRevealWhetherAnEmailIsTaken(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.register("zeus")
	hera := p.register("hera")
	var answers []string
	for _, address := range []string{"nobody@olympus.example", "zeus@olympus.example", "hera@olympus.example"} {
		if address != "hera@olympus.example" {
			p.approve(hera, p.mustBeProblem(address, p.addEmail(hera, `{"email":"`+address+`"}`, ""), 409))
		}
		a := p.addEmail(hera, `{"email":"`+address+`"}`, "")
		answers = append(answers, fmt.Sprint(a.status, a.header, a.text))
	}
	if !strings.HasPrefix(answers[0], "200") || answers[0] != answers[1] || answers[0] != answers[2] {
		t.Errorf("the answers differ:\n%s", strings.Join(answers, "\n"))
	}
}

// Emails are limited per sender and per recipient, however many accounts request them.
// Spec: ACCOUNT-20
func TestEmail_NobodyIsFloodedWithCodes(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		o.Limits.EmailsPerHour = 2
		o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	zeus, hera, iris := p.register("zeus"), p.register("hera"), p.register("iris")
	const here, elsewhere = "203.0.113.7", "198.51.100.7"
	for range 2 {
		if a := p.addEmail(zeus, `{}`, here); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	third := p.addEmail(zeus, `{}`, here)
	p.mustBeProblem("the third of one player", third, 429)
	if third.header.Get("Retry-After") != "3600" {
		t.Errorf("Retry-After %q", third.header.Get("Retry-After"))
	}
	const victim = `{"email":"victim@underworld.example"}`
	for _, a := range []actor{hera, iris} {
		p.approve(a, p.mustBeProblem("without approval", p.addEmail(a, victim, elsewhere), 409))
		if a := p.addEmail(a, victim, elsewhere); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.text)
		}
	}
	p.mustBeProblem("the third to one address", p.addEmail(zeus, victim, elsewhere), 429)
	// Unsent emails do not count.
	for range 3 {
		p.mustBeProblem("no address", p.addEmail(hera, `{"email":"zeus@"}`, elsewhere), 400)
	}
	if a := p.addEmail(hera, `{}`, elsewhere); a.status != 200 {
		t.Errorf("the second of another player: %d %s", a.status, a.text)
	}
}

// Spec: ACCOUNT-21
func TestEmail_WrongCodesAndPasswordsCount(t *testing.T) {
	t.Parallel()
	p, _ := guesses(t)
	hera, iris := p.register("hera"), p.register("iris")
	for range 3 {
		p.mustBeProblem("a wrong code", p.confirmEmail(hera, "none"), 400)
	}
	p.mustBeProblem("the fourth code", p.confirmEmail(hera, "none"), 429)
	needed := p.mustBeProblem("another address", p.addEmail(iris, `{"email":"thief@underworld.example"}`, ""), 409)
	confirm := "/api/auth/approvals/" + needed.Details["approvalId"] + "/confirm"
	for range 3 {
		p.mustBeProblem("a wrong password", p.send(post(confirm, `{"password":"wrong"}`).by(iris)), 400)
	}
	p.mustBeProblem("the fourth password", p.send(post(confirm, `{"password":"thunder and rain"}`).by(iris)), 429)
}

func TestEmail_EveryWrongFieldIsNamed(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	for body, where := range map[string]string{
		`{"email":"zeus@"}`: "body.email", `{"email":7}`: "body.email", `{"email":["m4rk3r"]}`: "body.email",
		`{"email":"m4rk3r\u0000@olympus.example"}`:                           "body.email",
		`{"email":"` + strings.Repeat("m4rk3r", 1000) + `@olympus.example"}`: "body.email", `{"m4rk3r":1}`: "body.m4rk3r",
	} {
		a := p.addEmail(zeus, body, "")
		got := p.mustBeProblem(body, a, 400)
		if len(got.Errors) != 1 || got.Errors[0].Location != where || got.Errors[0].Message == "" {
			t.Errorf("%.40s: named is %+v", body, got.Errors)
		}
		if where != "body.m4rk3r" && strings.Contains(a.text, "m4rk3r") {
			t.Errorf("%.40s: the answer repeats what was sent: %s", body, a.text)
		}
	}
}

// Spec: ACCOUNT-21
func TestEmail_AConfirmedOneIsReplacedByItsCalls(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.register("zeus"), p.register("hera")
	p.addEmail(zeus, `{}`, "")
	if a := p.confirmEmail(zeus, codeInMail.FindStringSubmatch(p.newestEmail())[1]); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	const sky = `{"email":"zeus@sky.example"}`
	needed := p.mustBeProblem("without approval", p.addEmail(zeus, sky, ""), 409)
	if needed.Reason != "approval-needed" || needed.Details["kind"] != "email-change" || needed.Details["way"] != "code" ||
		needed.Details["sentTo"] != "z•••@olympus.example" ||
		needed.Message != "Please enter the code that we have sent to z•••@olympus.example." {
		t.Errorf("the refusal is %+v", needed)
	}
	confirm := "/api/auth/approvals/" + needed.Details["approvalId"] + "/confirm"
	code := codeInMail.FindStringSubmatch(p.newestEmail())[1]
	p.mustBeProblem("another session", p.send(post(confirm, `{"code":"`+code+`"}`).by(p.enter("zeus"))), 404)
	p.mustBeProblem("another player", p.send(post(confirm, `{"code":"`+code+`"}`).by(hera)), 404)
	p.mustBeProblem("nobody", p.send(post(confirm, `{"code":"`+code+`"}`).by(actor{})), 401)
	p.mustSucceed(post(confirm, `{"code":"`+code+`"}`).by(zeus), 200)
	if a := p.addEmail(zeus, sky, ""); a.status != 200 {
		t.Fatalf("with approval: %d %s", a.status, a.text)
	}
	code = codeInMail.FindStringSubmatch(p.newestEmail())[1]
	p.mustBeProblem("another player's", p.confirmEmail(hera, code), 400)
	if a := p.confirmEmail(zeus, code); a.status != 200 {
		t.Errorf("confirming: %d %s", a.status, a.text)
	}
	p.mustBeProblem("the old address",
		p.send(post("/api/auth/login", `{"email":"zeus@olympus.example","password":"thunder and rain"}`)(actor{})), 401)
	p.mustSucceed(post("/api/auth/login", `{"email":"zeus@sky.example","password":"thunder and rain"}`)(actor{}), 200)
}
