package api_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
)

var approvalCode = regexp.MustCompile(`\n    (\d{8})\n`)

// approve confirms the approval that a refusal names, by the newest email's code.
func (p *portal) approve(me actor, needed problem) {
	p.t.Helper()
	confirm := post("/api/auth/approvals/"+needed.Details["approvalId"]+"/confirm", `{"password":"thunder and rain"}`)
	if needed.Details["way"] == "password" {
		p.mustSucceed(confirm.by(me), 200)
		return
	}
	mails, err := store.Mail{DB: p.db}.RecentEmails(p.t.Context(), 1)
	p.ok(err)
	code := approvalCode.FindStringSubmatch(mails[0].Text)
	if code == nil {
		p.t.Fatalf("no code in %q", mails[0].Text)
	}
	p.mustSucceed(post("/api/auth/approvals/"+needed.Details["approvalId"]+"/confirm", `{"code":"`+code[1]+`"}`).by(me), 200)
}

// mustSucceedApproved sends a request that needs an approval, approves it, and repeats it.
func (p *portal) mustSucceedApproved(me actor, r request, status int) answer {
	p.t.Helper()
	p.approve(me, p.mustBeProblem("without approval", p.send(r), http.StatusConflict))
	return p.mustSucceed(r, status)
}

// by returns the request as one of the player's.
func (call callOf) by(me actor) request {
	r := call(me)
	r.authorization = me.token
	return r
}

// enter opens another session of the player, such as a stolen one.
func (p *portal) enter(name string) actor {
	p.t.Helper()
	var c struct{ Token string }
	p.json(p.mustSucceed(post("/api/auth/login", `{"email":"`+name+`@olympus.example","password":"thunder and rain"}`)(actor{}), 200), &c)
	return actor{token: c.Token}
}

// signed is the body that connects a wallet, signed by it.
func (p *portal) signed(me actor, w eth.Address) string {
	p.t.Helper()
	var challenge struct{ Message string }
	p.json(p.mustSucceed(post("/api/auth/wallet/challenge", `{"address":"`+w.Checksum()+`","chainId":1337042}`).by(me), 200), &challenge)
	return `{"message":"` + strings.ReplaceAll(challenge.Message, "\n", `\n`) + `","signature":"0x01"}`
}

var thiefs = eth.MustAddress("0x00000000000000000000000000000000000000d2")

// Spec: WALLET-19
func TestApproval_AStolenSessionConnectsAndDisconnectsNoWallet(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	stolen := p.enter("zeus")
	needed := p.mustBeProblem("connecting", p.send(post("/api/auth/wallet/verify", p.signed(stolen, thiefs)).by(stolen)), http.StatusConflict)
	if needed.Reason != "approval-needed" || needed.Details["way"] != "code" || needed.Details["kind"] != "wallet-connect" ||
		needed.Details["sentTo"] != "z•••@olympus.example" ||
		needed.Message != "Please enter the code that we have sent to z•••@olympus.example." {
		t.Errorf("the refusal is %+v", needed)
	}
	p.mustBeProblem("a guess", p.send(post("/api/auth/approvals/"+needed.Details["approvalId"]+"/confirm", `{"code":"00000000"}`).by(stolen)),
		http.StatusBadRequest)
	p.mustBeProblem("another session", p.send(post("/api/auth/approvals/"+needed.Details["approvalId"]+"/confirm", `{"code":"00000000"}`).
		by(me)), http.StatusNotFound)

	own := eth.MustAddress("0x00000000000000000000000000000000000000d1")
	p.mustSucceedApproved(me, post("/api/auth/wallet/verify", p.signed(me, own)).by(me), 200)
	disconnect := request{method: http.MethodDelete, path: "/api/auth/wallet", authorization: stolen.token}
	p.mustBeProblem("disconnecting", p.send(disconnect), http.StatusConflict)
	another := p.mustBeProblem("another wallet", p.send(post("/api/auth/wallet/verify", p.signed(stolen, thiefs)).by(stolen)),
		http.StatusConflict)
	if another.Reason != "connected" {
		t.Errorf("another wallet: %+v", another)
	}
}

// Without email and password a sign-in of the last ten minutes is the only proof: a stolen session that is older has none.
func TestApproval_WithoutEmailAFreshSignInConnectsTheWallet(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	p.ok(p.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SetEmail(ctx, gen.SetEmailParams{PlayerID: me.id})
		return err
	}))
	fromGame := func() actor {
		link, err := account.NewContext(contextKey, me.id, p.clock.Now())
		p.ok(err)
		var c struct{ Token string }
		p.json(p.mustSucceed(request{method: "POST", path: "/api/proxy/auth/token/login", body: `{"context":"` + link + `"}`}, 200), &c)
		return actor{id: me.id, token: c.Token}
	}
	older := fromGame()
	p.clock.Advance(10*time.Minute + time.Millisecond)
	for message, caller := range map[string]actor{
		"Please sign in once more, then do this within ten minutes.":               older,
		"Please sign in with X or from the game, then do this within ten minutes.": p.enter("zeus"),
	} {
		caller.id = me.id
		verify := post("/api/auth/wallet/verify", p.signed(caller, thiefs)).by(caller)
		refused := p.mustBeProblem("an older session", p.send(verify), http.StatusForbidden)
		if refused.Reason != "stale" || refused.Message != message {
			t.Errorf("the refusal is %+v, want %s", refused, message)
		}
	}
	fresh := fromGame()
	p.mustSucceed(post("/api/auth/wallet/verify", p.signed(fresh, thiefs)).by(fresh), 200)
	p.clock.Advance(10*time.Minute + time.Millisecond)
	p.mustBeProblem("disconnecting later", p.send(request{method: http.MethodDelete, path: "/api/auth/wallet", authorization: fresh.token}),
		http.StatusForbidden)
}
