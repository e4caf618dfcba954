package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/passkey"
	"pantheon/internal/testkit/passkeytest"
)

// secret is what a page keeps while it adds a passkey.
const secret = "a secret of more than twenty letters"

// options returns the options of a browser's call.
func (p *portal) options(r request) []byte {
	p.t.Helper()
	var o struct{ Options json.RawMessage }
	p.json(p.mustSucceed(r, 200), &o)
	return o.Options
}

// device returns one with a passkey of the player's.
func (p *portal) device(me actor) *passkeytest.Authenticator {
	p.t.Helper()
	device := &passkeytest.Authenticator{Origin: "https://portal.example"}
	begin := post("/api/auth/passkeys/options", `{"commitment":"`+passkey.Commitment(secret)+`"}`).by(me)
	p.approve(me, p.mustBeProblem("without approval", p.send(begin), http.StatusConflict))
	body := `{"secret":"` + secret + `","name":"Phone","response":` + string(device.Create(p.t, p.options(begin))) + `}`
	p.mustSucceed(post("/api/auth/passkeys", body).by(me), 201)
	p.clock.Advance(time.Minute) // from now on it confirms
	return device
}

// Spec: ACCOUNT-29, ACCOUNT-30, SAFE-15
func TestPasskeys_SignInAndApprove(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, hera := p.admit("zeus", "1"), p.register("hera")
	device := p.device(me)
	var list struct{ Items []map[string]any }
	p.json(p.mustSucceed(callOf(get("/api/auth/passkeys")).by(me), 200), &list)
	if len(list.Items) != 1 || list.Items[0]["name"] != "Phone" || list.Items[0]["id"] != device.ID() || list.Items[0]["synced"] != false {
		t.Errorf("zeus has %v", list.Items)
	}
	p.json(p.mustSucceed(callOf(get("/api/auth/passkeys")).by(hera), 200), &list)
	if len(list.Items) != 0 {
		t.Errorf("hera has %v", list.Items)
	}

	signed := `{"response":` + string(device.Get(t, p.options(get("/api/auth/login/passkey")(actor{})))) + `}`
	var in struct{ Token string }
	p.json(p.mustSucceed(post("/api/auth/login/passkey", signed)(actor{}), 200), &in)
	p.mustBeProblem("the answer again", p.send(post("/api/auth/login/passkey", signed)(actor{})), http.StatusForbidden)
	var profile struct{ AccountInfo struct{ PlayFabID string } }
	again := actor{token: in.Token}
	p.json(p.mustSucceed(callOf(get("/api/auth/profile")).by(again), 200), &profile)
	if profile.AccountInfo.PlayFabID != me.id {
		t.Errorf("signed in as %q, want %q", profile.AccountInfo.PlayFabID, me.id)
	}

	// A stolen session meets the passkey.
	remove := request{method: http.MethodDelete, path: "/api/auth/passkeys/" + device.ID(), authorization: again.token}
	needed := p.mustBeProblem("removing", p.send(remove), http.StatusConflict)
	if needed.Reason != "approval-needed" || needed.Details["way"] != "passkey" || needed.Details["kind"] != "passkey-remove" ||
		needed.Message != "Please confirm this with your passkey." {
		t.Errorf("the refusal is %+v", needed)
	}
	confirm := func(by actor, body string) answer {
		return p.send(post("/api/auth/approvals/"+needed.Details["approvalId"]+"/confirm", body).by(by))
	}
	p.mustBeProblem("a password", confirm(again, `{"password":"thunder and rain"}`), http.StatusForbidden)
	p.mustBeProblem("an odd answer", confirm(again, `{"passkey":[1,{"a":"b"}]}`), http.StatusForbidden)
	p.mustBeProblem("a long answer", confirm(again, `{"passkey":"`+strings.Repeat("a", 20_000)+`"}`), http.StatusBadRequest)
	challenge := callOf(get("/api/auth/passkeys/challenge")).by(again)
	if a := confirm(again, `{"passkey":`+string(device.Get(t, p.options(challenge)))+`}`); a.status != 200 {
		t.Errorf("the passkey: %d %s", a.status, a.text)
	}
	p.mustSucceed(remove, 200)
	p.mustBeProblem("a challenge without a passkey", p.send(challenge), http.StatusConflict)
}

// Whoever has lost the passkey approves by a code.
// Spec: SAFE-2
func TestPasskeys_CodeIsTheWayWithoutIt(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	device := p.device(me)
	remove := request{method: http.MethodDelete, path: "/api/auth/passkeys/" + device.ID(), authorization: me.token}
	needed := p.mustBeProblem("removing", p.send(remove), http.StatusConflict)
	var instead struct{ ApprovalID, Way, Kind string }
	p.json(p.mustSucceed(post("/api/auth/approvals/"+needed.Details["approvalId"]+"/code", "").by(me), 200), &instead)
	if instead.Way != "code" || instead.Kind != "passkey-remove" {
		t.Errorf("instead of the passkey: %+v", instead)
	}
	p.approve(me, problem{Details: map[string]string{"approvalId": instead.ApprovalID, "way": "code"}})
	p.mustSucceed(remove, 200)
}
