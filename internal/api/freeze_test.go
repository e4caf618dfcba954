package api_test

import (
	"net/http"
	"testing"

	"pantheon/internal/testkit"
	"pantheon/test/contract/x"
)

const frozenFor = "This account is frozen: a chargeback is being looked into. Please write to our support."

func (p *portal) freeze(player string) {
	p.t.Helper()
	_, err := testkit.Operator(p.db, p.clock).Freeze(p.t.Context(), player, testkit.By("a chargeback is being looked into"))
	p.ok(err)
}

func (p *portal) mustBeFrozen(what string, a answer, status int) {
	p.t.Helper()
	if got := p.mustBeProblem(what, a, status); got.Reason != "frozen" || got.Message != frozenFor {
		p.t.Errorf("%s: %+v", what, got)
	}
}

// Each call with a credential of a frozen player is refused with the reason: holds, payments, signatures, the wallet
// and the realtime channel among them.
// Spec: SAFE-5
func TestFreeze_RefusesEveryCallOfThePlayerWithTheReason(t *testing.T) {
	t.Parallel()
	p := open(t, closedMarket(t))
	me, other := p.admit("zeus", "1"), p.admit("hera", "2")
	p.freeze(me.id)
	calls := 0
	for id, r := range routes {
		if r.who == anybody {
			continue
		}
		calls++
		a := p.send(me.authorized(r.honest(me), r.who))
		p.mustBeFrozen(id, a, http.StatusUnauthorized)
		if a.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", id)
		}
	}
	if calls < 40 {
		t.Errorf("only %d calls were tried", calls)
	}
	p.mustSucceed(request{method: "GET", path: "/api/auth/marketplace/cart", authorization: other.token}, 200)
}

// Spec: SAFE-5
func TestFreeze_IsToldAtSignInToWhoHasTheCredentials(t *testing.T) {
	t.Parallel()
	p, site := openWithX(t)
	site.SignIn(x.Person{ID: "44196397", Username: "athena"}, false)
	binding, back := p.begin()
	athena := p.mayCall(p.finish(back.Get("code"), back.Get("state"), binding))
	zeus := p.register("zeus")
	p.freeze(zeus.id)
	p.freeze(athena)
	login := func(password string) answer {
		return p.send(request{method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"` + password + `"}`})
	}
	p.mustBeFrozen("the right password", login("thunder and rain"), http.StatusForbidden)
	if got := p.mustBeProblem("a wrong password", login("lightning rods"),
		http.StatusUnauthorized); got.Message != "Invalid email or password" || got.Reason != "" {
		t.Errorf("a wrong password: %+v", got)
	}
	binding, back = p.begin()
	p.mustBeFrozen("X", p.finish(back.Get("code"), back.Get("state"), binding), http.StatusForbidden)

	p = open(t)
	hera := p.register("hera")
	p.freeze(hera.id)
	p.mustBeFrozen("a link from the game", p.send(routes["tokenLogin"].honest(hera)), http.StatusForbidden)
}
