package api_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pantheon/internal/api"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/passkeytest"
)

const (
	operateURL = "https://operate.example"
	helped     = "00000000000000A1" // a player
)

// gasOf has no budgets.
type gasOf struct{}

func (gasOf) GasBudgets(context.Context, time.Time) ([]operator.GasBudget, error) { return nil, nil }

// office is the console on a database with a player.
type office struct {
	t       *testing.T
	api     *api.API
	handler http.Handler
	team    *operator.Team
	db      *store.DB
	clock   *clock.Fake
}

func openOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t, db: testkit.Database(t, store.SQLite), clock: clock.NewFake(opening)}
	testkit.AddPlayers(t, o.db, 0, helped)
	ops := operators.New(o.db)
	keys, err := passkey.NewService(passkey.Options{
		Store: operators.Passkeys{Store: ops}, Owners: operators.Owners{Store: ops}, Clock: o.clock, Keys: keyset.Keys{[]byte("operators")},
		Domain: "operate.example", Site: operateURL, Brand: "Pantheon",
	})
	o.ok(err)
	o.team = operator.NewTeam(operator.TeamOptions{Store: ops, Passkeys: operators.Verifier{Service: keys}, Clock: o.clock, URL: operateURL})
	o.api, err = api.NewConsole(api.ConsoleOptions{
		RequestOptions: api.RequestOptions{
			Log: slog.New(slog.DiscardHandler), Clock: o.clock, PublicURL: operateURL, Limits: api.Limits{LoginsPerMinute: 1000},
		},
		Team: o.team, Passkeys: keys,
		Operators: operator.NewService(operator.Options{
			Store: ops, Clock: o.clock, Gas: gasOf{}, ShopName: "shop", FrozenText: func(r string) string { return r },
		}),
		SecurityLog: securitylogs.New(o.db), Health: health.New(slog.New(slog.DiscardHandler), nil),
		Currency: api.ClientCurrency{Symbol: "USDC", Decimals: 6}, URL: operateURL,
	})
	o.ok(err)
	o.handler = o.api.Handler()
	return o
}

func (o *office) ok(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// staff is an operator's browser.
type staff struct {
	*office
	name   string
	cookie *http.Cookie
	device *passkeytest.Authenticator
}

// send sends a request with the browser's cookie, and returns status and body.
func (s *staff) send(method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, operateURL+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if s.cookie != nil {
		r.AddCookie(s.cookie)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if s.cookie = c; c.MaxAge < 0 {
			s.cookie = nil
		}
	}
	return w.Code, w.Body.String()
}

// must fails the test unless a request gets the status, and returns the body.
func (s *staff) must(status int, method, path, body string) string {
	s.t.Helper()
	got, text := s.send(method, path, body)
	if got != status {
		s.t.Fatalf("%s: %s %s: %d, want %d: %s", s.name, method, path, got, status, text)
	}
	return text
}

// reason returns the reason of a problem.
func reason(text string) string {
	var p struct{ Reason string }
	_ = json.Unmarshal([]byte(text), &p)
	return p.Reason
}

func (s *staff) options(text string) []byte {
	s.t.Helper()
	var o struct{ Options json.RawMessage }
	s.ok(json.Unmarshal([]byte(text), &o))
	return o.Options
}

// hire returns the browser of an operator who has joined by an invitation.
func (o *office) hire(name string, r operator.Role) *staff {
	o.t.Helper()
	i, err := o.team.Add(o.t.Context(), name, r, operator.By{Who: "root@db-1", Reason: "starts today"})
	o.ok(err)
	s := &staff{office: o, name: name, device: &passkeytest.Authenticator{Origin: operateURL}}
	_, token, _ := strings.Cut(i.URL, "#")
	made := s.device.Create(o.t, s.options(s.must(200, http.MethodPost, "/api/operate/join/options", `{"token":"`+token+`"}`)))
	s.must(200, http.MethodPost, "/api/operate/join", `{"token":"`+token+`","passkeyName":"Key","response":`+string(made)+`}`)
	return s
}

// answer returns the body with what the operator's passkey answers.
func (s *staff) answer() string {
	s.t.Helper()
	return `{"response":` + string(s.device.Get(s.t, s.options(s.must(200, http.MethodGet, "/api/operate/confirm", "")))) + `}`
}

func (s *staff) confirm() {
	s.t.Helper()
	s.must(200, http.MethodPost, "/api/operate/confirm", s.answer())
}

// operated is a call of the console: who may make it, and a request.
type operated struct {
	may  string // roles besides owner, "all" for every operator, "visitor" for who is not signed in
	acts bool   // whether it needs a confirmation
	path string // with method; "{player}" and "{operator}" are filled in
	body string
}

// calls are all calls of the console, by operation id.
var calls = map[string]operated{
	"consoleBeginSignIn":   {may: "visitor", path: "GET sign-in"},
	"consoleSignIn":        {may: "visitor", path: "POST sign-in", body: `{"response":{}}`},
	"consoleBeginJoin":     {may: "visitor", path: "POST join/options", body: `{"token":"none"}`},
	"consoleJoin":          {may: "visitor", path: "POST join", body: `{"token":"none","response":{}}`},
	"consoleGetSession":    {may: "all", path: "GET session"},
	"consoleBeginConfirm":  {may: "all", path: "GET confirm"},
	"consoleConfirm":       {may: "all", path: "POST confirm", body: `{"response":{}}`},
	"consoleListPasskeys":  {may: "all", path: "GET passkeys"},
	"consoleBeginPasskey":  {may: "all", path: "POST passkeys/options", body: `{"response":{}}`},
	"consoleAddPasskey":    {may: "all", path: "POST passkeys", body: `{"name":"Phone","response":{}}`},
	"consoleRemovePasskey": {may: "all", path: "POST passkeys/none/remove", body: `{"response":{}}`},
	"consoleSignOut":       {may: "all", path: "POST sign-out"},
	"consoleGetHome":       {may: "support economy security", path: "GET home"},
	"consoleSearchPlayers": {may: "support economy security", path: "POST players/search", body: `{"search":"x"}`},
	"consoleListFrozen":    {may: "support economy security", path: "GET frozen"},
	"consoleGetPlayer":     {may: "support economy security", path: "GET players/{player}"},
	"consoleGetOrder":      {may: "support economy security", path: "GET orders/none"},
	"consoleListRewards":   {may: "support economy security", path: "GET rewards?state=failed"},
	"consoleGetShop":       {may: "support economy", path: "GET shop"},
	"consoleGetShopOrder":  {may: "support economy", path: "GET shop/orders/1"},
	"consoleGetGas":        {may: "support economy security", path: "GET gas"},
	"consoleListSupport":   {may: "support", path: "GET support"},
	"consoleGetLog":        {may: "security", path: "GET log"},
	"consoleListOperators": {may: "security", path: "GET operators"},
	"consoleFreezePlayer": {
		may: "support security", acts: true, path: "POST players/{player}/freeze",
		body: `{"reason":"looks stolen"}`,
	},
	"consoleUnfreezePlayer": {may: "security", acts: true, path: "POST players/{player}/unfreeze", body: `{"reason":"was not"}`},
	"consolePutOnList": {
		may: "economy", acts: true, path: "POST players/{player}/lists",
		body: `{"reason":"won","list":"beta"}`,
	},
	"consoleTakeOffList": {
		may: "economy", acts: true, path: "POST players/{player}/lists/remove",
		body: `{"reason":"over","list":"beta"}`,
	},
	"consoleSetScore": {
		may: "economy", acts: true, path: "POST players/none/score",
		body: `{"reason":"lost","board":"kod","score":1}`,
	},
	"consoleForgivePlayer": {may: "economy", acts: true, path: "POST players/{player}/forgive", body: `{"reason":"our fault"}`},
	"consoleRedoReward": {
		may: "support economy", acts: true, path: "POST rewards/redo",
		body: `{"reason":"node is back","source":"none"}`,
	},
	"consoleAssignReward": {
		may: "economy", acts: true, path: "POST rewards/assign",
		body: `{"reason":"wrote","source":"none","player":"id:{player}"}`,
	},
	"consoleAssignShopOrder": {
		may: "economy", acts: true, path: "POST shop/orders/1/assign",
		body: `{"reason":"wrote","player":"id:{player}"}`,
	},
	"consoleReleaseShopOrder": {may: "economy", acts: true, path: "POST shop/orders/1/release", body: `{"reason":"paid"}`},
	"consoleRaiseGas":         {may: "economy", acts: true, path: "POST gas/game", body: `{"reason":"busy day","amount":"0.1"}`},
	"consoleAddOperator": {
		acts: true, path: "POST operators",
		body: `{"reason":"starts","name":"New {role}","role":"support","response":{}}`,
	},
	"consoleInviteOperator":  {acts: true, path: "POST operators/{operator}/invitation", body: `{"reason":"lost the key","response":{}}`},
	"consoleSetOperatorRole": {acts: true, path: "PATCH operators/{operator}", body: `{"reason":"moves","role":"economy","response":{}}`},
	"consoleRemoveOperator":  {acts: true, path: "POST operators/{operator}/remove", body: `{"reason":"leaves"}`},
}

// Spec: OPERATE-4
func TestConsole_EachCallIsForThoseWithTheRightOnly(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, item := range openOffice(t).api.OpenAPI().Paths {
		ids = append(ids, operationIDs(item)...)
	}
	slices.Sort(ids)
	if want := slices.Sorted(maps.Keys(calls)); !slices.Equal(ids, want) {
		t.Fatalf("the console has the calls\n%q, the table\n%q", ids, want)
	}
	o := openOffice(t)
	target, err := o.team.Add(t.Context(), "Target", operator.Support, operator.By{Who: "root@db-1", Reason: "starts today"})
	o.ok(err)
	roles := []operator.Role{"", operator.Support, operator.Economy, operator.Security, operator.Owner}
	for _, role := range roles {
		s := &staff{office: o, name: "nobody"}
		if role != "" {
			s = o.hire("The "+string(role), role)
		}
		signOut := "consoleSignOut"
		for _, id := range append(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == signOut }), signOut) {
			c := calls[id]
			method, path, _ := strings.Cut(c.path, " ")
			fill := strings.NewReplacer("{player}", helped, "{operator}", target.Operator.ID, "{role}", string(role))
			status, text := s.send(method, "/api/operate/"+fill.Replace(path), fill.Replace(c.body))
			// A call that was let through may find nothing.
			through := status < 300 || slices.Contains([]int{400, 404, 409}, status) ||
				status == 403 && reason(text) != "role" && reason(text) != "confirm"
			want := c.may == "visitor" || role == operator.Owner || role != "" && (c.may == "all" || strings.Contains(c.may, string(role)))
			switch {
			case want && !through:
				t.Errorf("%s is refused to %s: %d %s", id, s.name, status, text)
			case !want && role == "" && status != http.StatusUnauthorized, !want && role != "" && (status != 403 || reason(text) != "role"):
				t.Errorf("%s as %s: %d %s", id, s.name, status, text)
			}
		}
	}
}

// Spec: OPERATE-3
func TestConsole_WhatChangesSomethingNeedsAConfirmation(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	s := o.hire("Ada", operator.Owner)
	o.clock.Advance(6 * time.Minute)
	for id, c := range calls {
		if c.may == "visitor" || id == "consoleSignOut" {
			continue
		}
		method, path, _ := strings.Cut(c.path, " ")
		status, text := s.send(method, "/api/operate/"+strings.ReplaceAll(path, "{player}", helped), c.body)
		if asked := status == 403 && reason(text) == "confirm"; asked != c.acts {
			t.Errorf("%s without a confirmation: %d %s", id, status, text)
		}
	}
	s.must(403, http.MethodPost, "/api/operate/passkeys/options", `{"response":{}}`) // which needs an answer of its own
	freeze := "/api/operate/players/" + helped + "/freeze"
	s.must(403, http.MethodPost, freeze, `{"reason":"looks stolen"}`)
	s.confirm()
	if text := s.must(200, http.MethodPost, freeze, `{"reason":"looks stolen"}`); !strings.Contains(text, `"already":false`) {
		t.Errorf("the act that was refused was done: %s", text)
	}
	entries, err := securitylogs.New(o.db).Entries(t.Context(), securitylog.Filter{Event: "player freeze", Limit: 10})
	if err != nil || len(entries) != 1 || entries[0].Actor != "Ada" || entries[0].Reason != "looks stolen" || entries[0].Session == "" {
		t.Errorf("the log has %+v, %v", entries, err)
	}
}

// Spec: OPERATE-2
func TestConsole_TheSessionIsACookieOfThisOriginOnly(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	s := o.hire("Ada", operator.Owner)
	c := s.cookie
	if c.Name != "__Host-operator" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" ||
		c.MaxAge != 12*60*60 {
		t.Errorf("the cookie is %+v", c)
	}
	freeze := "/api/operate/players/" + helped + "/freeze"
	for what, headers := range map[string][]string{
		"another site":       {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"a sibling's page":   {"Sec-Fetch-Site", "same-site", "Origin", "https://www.operate.example"},
		"an older browser's": {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
	} {
		if status, text := s.send(http.MethodPost, freeze, `{"reason":"looks stolen"}`, headers...); status != 403 || reason(text) != "" {
			t.Errorf("%s: %d %s", what, status, text)
		}
	}
	if text := s.must(200, http.MethodGet, "/api/operate/session", ""); strings.Contains(text, c.Value) {
		t.Error("the token is in a response")
	}
	copied := *s
	s.must(200, http.MethodPost, "/api/operate/sign-out", "")
	if s.cookie != nil {
		t.Error("the cookie is kept")
	}
	copied.must(401, http.MethodGet, "/api/operate/session", "")
	answer := s.device.Get(t, s.options(s.must(200, http.MethodGet, "/api/operate/sign-in", "")))
	s.must(200, http.MethodPost, "/api/operate/sign-in", `{"response":`+string(answer)+`}`)
	s.must(200, http.MethodGet, "/api/operate/session", "")
	s.must(403, http.MethodPost, "/api/operate/sign-in", `{"response":`+string(answer)+`}`)
}

// Spec: OPERATE-2
func TestConsole_AnOpenTabEndsWithItsOperator(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	owner, tab := o.hire("Ada", operator.Owner), o.hire("Grace", operator.Support)
	var list struct{ Items []operator.Operator }
	o.ok(json.Unmarshal([]byte(owner.must(200, http.MethodGet, "/api/operate/operators", "")), &list))
	grace := list.Items[slices.IndexFunc(list.Items, func(o operator.Operator) bool { return o.Name == "Grace" })].ID
	tab.must(403, http.MethodGet, "/api/operate/log", "")
	refused, err := securitylogs.New(o.db).Entries(t.Context(), securitylog.Filter{Event: "audit list", Limit: 10})
	if err != nil || len(refused) != 1 || refused[0].Actor != "Grace" || refused[0].Refusal == "" {
		t.Errorf("the log has %+v, %v", refused, err)
	}
	owner.must(403, http.MethodPatch, "/api/operate/operators/"+grace, `{"role":"security","reason":"moves","response":{}}`)
	owner.must(200, http.MethodPatch, "/api/operate/operators/"+grace, `{"role":"security","reason":"moves",`+owner.answer()[1:])
	tab.must(200, http.MethodGet, "/api/operate/log", "")
	owner.must(200, http.MethodPost, "/api/operate/operators/"+grace+"/remove", `{"reason":"leaves"}`)
	tab.must(401, http.MethodGet, "/api/operate/log", "")
	tab.must(401, http.MethodPost, "/api/operate/players/"+helped+"/freeze", `{"reason":"revenge"}`)
}

// A copied session gets no passkey of its own, and a removed passkey no session.
// Spec: OPERATE-3
func TestConsole_APasskeyIsAddedAndRemovedForAnAnswerOfOne(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	s := o.hire("Ada", operator.Owner)
	s.must(403, http.MethodPost, "/api/operate/passkeys/options", `{"response":{}}`) // although the session is confirmed
	second := &passkeytest.Authenticator{Origin: operateURL}
	made := second.Create(t, s.options(s.must(200, http.MethodPost, "/api/operate/passkeys/options", s.answer())))
	s.must(201, http.MethodPost, "/api/operate/passkeys", `{"name":"Phone","response":`+string(made)+`}`)
	s.must(403, http.MethodPost, "/api/operate/passkeys/"+second.ID()+"/remove", `{"response":{}}`)
	stolen := &staff{office: o, name: "thief", device: second}
	in := second.Get(t, stolen.options(stolen.must(200, http.MethodGet, "/api/operate/sign-in", "")))
	stolen.must(200, http.MethodPost, "/api/operate/sign-in", `{"response":`+string(in)+`}`)
	s.must(200, http.MethodPost, "/api/operate/passkeys/"+second.ID()+"/remove", s.answer())
	stolen.must(401, http.MethodGet, "/api/operate/session", "")
	s.must(401, http.MethodGet, "/api/operate/session", "")
}

// Spec: OPERATE-2
func TestConsole_IsOffWithoutPasskeys(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	off, err := passkey.NewService(passkey.Options{Store: operators.Passkeys{Store: operators.New(db)}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := api.NewConsole(api.ConsoleOptions{
		RequestOptions: api.RequestOptions{Log: slog.New(slog.DiscardHandler), Clock: clock.System{}},
		Team: operator.NewTeam(operator.TeamOptions{
			Store: operators.New(db), Passkeys: operators.Verifier{Service: off}, Clock: clock.System{},
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &staff{office: &office{t: t, handler: a.Handler()}, name: "nobody"}
	if text := s.must(409, http.MethodGet, "/api/operate/sign-in", ""); reason(text) != "not-set-up" {
		t.Errorf("it says %s", text)
	}
	s.must(401, http.MethodGet, "/api/operate/session", "")
}

func operationIDs(item *huma.PathItem) (out []string) {
	for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if op != nil {
			out = append(out, op.OperationID)
		}
	}
	return out
}
