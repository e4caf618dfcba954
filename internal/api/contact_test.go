package api_test

import (
	"net/http"
	"strings"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/store/operators"
)

// Spec: PLAYER-6
func TestContact_PreRegisteringTwiceAnswersTheSame(t *testing.T) {
	t.Parallel()
	p := open(t)
	leave := func(email string) answer {
		return p.send(request{method: http.MethodPost, path: "/api/pre-register", body: `{"email":"` + email + `"}`})
	}
	first, again := leave("Zeus@Olympus.example"), leave(" zeus@olympus.EXAMPLE")
	if first.status != http.StatusCreated || again.status != first.status || again.text != first.text {
		t.Errorf("first %d %s, again %d %s", first.status, first.text, again.status, again.text)
	}
	kept, err := operators.New(p.db).Addresses(t.Context())
	if err != nil || len(kept) != 1 || kept[0].Email != "Zeus@Olympus.example" {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// Spec: PLAYER-7
func TestContact_SupportRequestNamesEveryBrokenRule(t *testing.T) {
	t.Parallel()
	p := open(t)
	a := p.send(request{method: http.MethodPost, path: "/api/support", body: `{"email":"zeus","topic":"weather","message":"rain"}`})
	p.mustBeProblem("a broken request", a, http.StatusBadRequest)
	for _, field := range []string{"body.email", "body.topic", "body.message"} {
		if !strings.Contains(a.text, `"`+field+`"`) {
			t.Errorf("%s is not named in %s", field, a.text)
		}
	}
}

func TestContact_SupportRequestsOfOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	const perMinute = 3
	for _, id := range []string{"preRegister", "writeToSupport"} {
		p := open(t, func(o *api.Options) { o.Limits.ContactsPerMinute = perMinute })
		refusal, refused := limited(p, func(int) request { return routes[id].honest(actor{}) }, perMinute)
		if !refused {
			t.Errorf("%s may be called without end", id)
			continue
		}
		p.mustBeProblem(id, refusal, http.StatusTooManyRequests)
	}
}
