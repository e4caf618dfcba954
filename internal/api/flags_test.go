package api_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/collections"
	"pantheon/internal/portal/flags"
	"pantheon/internal/testkit"
)

// flagsWith serves the default flags with one of them changed: rules is the YAML below its key.
func flagsWith(t *testing.T, key, rules string) func(*api.Options) {
	t.Helper()
	var b strings.Builder
	b.WriteString("flags:\n")
	for _, k := range flags.Keys() {
		fmt.Fprintf(&b, "  - key: %q\n", k)
		if k == key {
			b.WriteString(rules)
		} else {
			fmt.Fprintf(&b, "    enabled: %v\n", k != flags.Maintenance)
		}
	}
	path := filepath.Join(t.TempDir(), "flags.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := flags.New(t.Context(), flags.Options{Path: path, Environment: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return func(o *api.Options) { o.Flags = s }
}

const evaluated = "/api/proxy/feature-flag/getEvaluatedFeatureFlags"

// Spec: FLAG-2
func TestFlags_AreThoseOfTheEnvironmentAndProjectAskedFor(t *testing.T) {
	t.Parallel()
	p := open(t,
		flagsWith(t, flags.Maintenance, "    enabled: false\n    rules:\n      - {environments: [stage], projects: [portal], enabled: true}\n"))
	for query, want := range map[string]string{
		"":                                    `{"enabled":false,"value":false,"variant":"off","reason":"DEFAULT"}`,
		"?environment=stage":                  `{"enabled":false,"value":false,"variant":"off","reason":"DEFAULT"}`,
		"?environment=stage&project=portal":   `{"enabled":true,"value":true,"variant":"on","reason":"TARGETING_MATCH"}`,
		"?environment=%E2%98%83&project=none": `{"enabled":false,"value":false,"variant":"off","reason":"DEFAULT"}`,
	} {
		var got struct{ Flags map[string]json.RawMessage }
		p.json(p.mustSucceed(request{method: "GET", path: evaluated + query}, 200), &got)
		if string(got.Flags[flags.Maintenance]) != want || len(got.Flags) != len(flags.Keys()) {
			t.Errorf("%q: %d flags, maintenance is %s", query, len(got.Flags), got.Flags[flags.Maintenance])
		}
	}
	p.mustBeProblem("a long environment", p.send(request{method: "GET", path: evaluated + "?environment=" + strings.Repeat("x", 41)}),
		http.StatusBadRequest)
}

// A share is a share of the players: each signed-in player is in it or not; visitors never are.
// Spec: FLAG-6
func TestFlags_ForAShareOfAllPlayersKnowsWhoAsks(t *testing.T) {
	t.Parallel()
	p := open(t, flagsWith(t, flags.PowerPacks, "    enabled: false\n    rules:\n      - {percent: 100, enabled: true}\n"))
	zeus := p.register("zeus")
	for authorization, want := range map[string]bool{
		"": false, "not a token": false, zeus.token: true, "Bearer " + zeus.token: true, zeus.session: false,
	} {
		var got struct{ Flags map[string]flags.Flag }
		p.json(p.mustSucceed(request{method: "GET", path: evaluated, authorization: authorization}, 200), &got)
		if got.Flags[flags.PowerPacks].Enabled != want {
			t.Errorf("with %q it is %v", authorization, got.Flags[flags.PowerPacks])
		}
	}
}

// Spec: FLAG-7
func TestFlags_SwitchedOffPurchaseStartsNoCheckoutAndReadingGoesOn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "flags.yaml")
	good, err := os.ReadFile("../../brands/pantheon/flags.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t)
	me := p.admit("zeus", "1")
	off := strings.Replace(string(good), "key: purchase\n    enabled: true", "key: purchase\n    enabled: false", 1)
	if err := os.WriteFile(file, []byte(off), 0o600); err != nil {
		t.Fatal(err)
	}
	closed, err := flags.New(t.Context(), flags.Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	p.api.Flags = closed
	start := request{method: "POST", path: "/api/auth/marketplace/checkout", authorization: me.token, body: `{"playFabId":"` + me.id + `"}`}
	got := p.mustBeProblem("starting to pay", p.send(start), http.StatusConflict)
	if got.Reason != flags.ReasonPaused || !strings.HasPrefix(got.Message, "Buying is paused") {
		t.Errorf("the problem is %+v", got)
	}
	start.authorization = ""
	p.mustBeProblem("starting to pay without a token", p.send(start), http.StatusUnauthorized)
	for id, r := range routes {
		if call := r.honest(me); call.method == http.MethodGet && id != "logout" {
			if r.before != nil {
				r.before(p, me)
			}
			if a := p.send(me.authorized(call, r.who)); a.status != cmp.Or(r.status, http.StatusOK) {
				t.Errorf("%s: %d %s", id, a.status, a.text)
			}
		}
	}
	if p.log.Len() > 0 {
		t.Errorf("a switch that is off was logged as a failure: %s", p.log)
	}
}

// Spec: BURN-2
func TestFlags_SwitchedOffPowerPacksLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for enabled, want := range map[string]int64{"true": 1, "false": 0} {
		p := open(t, flagsWith(t, flags.PowerPacks, "    enabled: "+enabled+"\n"))
		me := p.admit("zeus", "1")
		for _, kind := range []collections.Kind{collections.PowerPacks, collections.Arks} {
			testkit.Give(t, p.db, testkit.WalletOf(me.id), shelves[kind], "1", 1)
		}
		for list, n := range map[string]int64{"listPowerPacks": want, "listArks": 1} {
			var got struct {
				Total int64
				Items []json.RawMessage
			}
			p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/nft/" + list, authorization: me.token}, 200), &got)
			if got.Total != n || int64(len(got.Items)) != n || got.Items == nil {
				t.Errorf("with power packs %s %s has %d", enabled, list, got.Total)
			}
		}
	}
}

// Spec: ACCOUNT-7
func TestFlags_ProfileSaysWhetherTheEmbeddedWalletIsOfferedOutsideTheMarketplace(t *testing.T) {
	t.Parallel()
	offered := func(p *portal) bool {
		var got struct{ EnableEmbeddedInCorpSite *bool }
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/profile", authorization: p.register("zeus").token}, 200), &got)
		return got.EnableEmbeddedInCorpSite != nil && *got.EnableEmbeddedInCorpSite
	}
	for rules, want := range map[string]bool{
		"    enabled: true\n":  true,
		"    enabled: false\n": false,
		"    enabled: false\n    rules:\n      - {percent: 100, enabled: true}\n": true, // of the players
	} {
		if got := offered(open(t, flagsWith(t, "enableEmbeddedInCorpSite", rules))); got != want {
			t.Errorf("%q: %v", rules, got)
		}
	}
	byDefault, err := flags.New(t.Context(), flags.Options{Default: brandtest.Pantheon().Flags.Text})
	if err != nil {
		t.Fatal(err)
	}
	if offered(open(t, func(o *api.Options) { o.Flags = byDefault })) {
		t.Error("it is offered unless an operator says otherwise")
	}
}

type ofrepFlag struct {
	Key, Reason, Variant    string
	Value                   *bool
	ErrorCode, ErrorDetails string
}

// Spec: FLAG-8
func TestFlags_OFREPAnswersAllFlags(t *testing.T) {
	t.Parallel()
	p := open(t, closedMarket(t))
	const path = "/ofrep/v1/evaluate/flags"
	a := p.mustSucceed(request{method: "POST", path: path, body: `{"context":{"targetingKey":"A","anything":[1]}}`}, 200)
	var got struct{ Flags []ofrepFlag }
	p.json(a, &got)
	var keys []string
	for _, f := range got.Flags {
		keys = append(keys, f.Key)
		if f.Value == nil || *f.Value != (f.Key != flags.Maintenance && f.Key != flags.PublicMarket && f.Key != flags.OfferEmbedded) ||
			f.Reason != "STATIC" || f.Variant != map[bool]string{true: "on", false: "off"}[*f.Value] {
			t.Errorf("%+v", f)
		}
	}
	want := slices.Sorted(slices.Values(flags.Keys()))
	etag := a.header.Get("ETag")
	if !slices.Equal(keys, want) || a.header.Get("Content-Type") != "application/json" || len(etag) < 10 || etag[0] != '"' {
		t.Errorf("the flags are %v, the headers %v", keys, a.header)
	}
	for _, header := range []string{etag, "W/" + etag, `"other", ` + etag, "*"} {
		again := p.ofrep(path, `{}`, header)
		if again.status != http.StatusNotModified || again.text != "" || again.header.Get("ETag") != etag {
			t.Errorf("If-None-Match: %s: %d %q %v", header, again.status, again.text, again.header)
		}
	}
	for _, header := range []string{"", `"other"`, strings.Trim(etag, `"`)} {
		if again := p.ofrep(path, "", header); again.status != http.StatusOK || again.text != a.text {
			t.Errorf("If-None-Match: %s: %d %q", header, again.status, again.text)
		}
	}
	changed := open(t, flagsWith(t, flags.AllowClaims, "    enabled: false\n"))
	if again := changed.ofrep(path, "{}", etag); again.status != http.StatusOK || again.header.Get("ETag") == etag {
		t.Errorf("other flags: %d %v", again.status, again.header)
	}
}

func (p *portal) ofrep(path, body, ifNoneMatch string) answer {
	p.t.Helper()
	return p.send(request{method: "POST", path: path, body: body, header: http.Header{"If-None-Match": {ifNoneMatch}}})
}

// Spec: FLAG-8
func TestFlags_OFREPAnswersOneFlag(t *testing.T) {
	t.Parallel()
	p := open(t, flagsWith(t, flags.AllowClaims,
		"    enabled: true\n    rules:\n      - {environments: [stage], enabled: false}\n      - {percent: 100, enabled: false}\n"))
	for body, want := range map[string]string{
		"":                                    `{"key":"claims","value":true,"reason":"DEFAULT","variant":"on"}`,
		`{}`:                                  `{"key":"claims","value":true,"reason":"DEFAULT","variant":"on"}`,
		`{"context":null}`:                    `{"key":"claims","value":true,"reason":"DEFAULT","variant":"on"}`,
		`{"context":{"environment":"stage"}}`: `{"key":"claims","value":false,"reason":"TARGETING_MATCH","variant":"off"}`,
		`{"context":{"targetingKey":"A"}}`:    `{"key":"claims","value":false,"reason":"SPLIT","variant":"off"}`,
		`{"context":{"targetingKey":null},"x":1}`: `{"key":"claims","value":true,"reason":"DEFAULT","variant":"on"}`,
	} {
		a := p.mustSucceed(request{method: "POST", path: "/ofrep/v1/evaluate/flags/claims", body: body}, 200)
		if strings.TrimSpace(a.text) != want {
			t.Errorf("%s: %s, want %s", body, a.text, want)
		}
	}
}

// Spec: FLAG-8
func TestFlags_OFREPRefusesInItsOwnWords(t *testing.T) {
	t.Parallel()
	p := open(t)
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"context":`, 400, "PARSE_ERROR"},
		{`[]`, 400, "PARSE_ERROR"},
		{`null`, 400, "PARSE_ERROR"},
		{`"` + marker + `"`, 400, "PARSE_ERROR"},
		{`{"context":[]}`, 400, "INVALID_CONTEXT"},
		{`{"context":"` + marker + `"}`, 400, "INVALID_CONTEXT"},
		{`{"context":{"targetingKey":7}}`, 400, "INVALID_CONTEXT"},
		{`{"context":{"environment":{"` + marker + `":1}}}`, 400, "INVALID_CONTEXT"},
	} {
		for path, key := range map[string]string{"/ofrep/v1/evaluate/flags": "", "/ofrep/v1/evaluate/flags/purchase": "purchase"} {
			a := p.send(request{method: "POST", path: path, body: c.body})
			var got ofrepFlag
			p.json(a, &got)
			if a.status != c.status || got.ErrorCode != c.code || got.Key != key || got.ErrorDetails == "" ||
				a.header.Get("Content-Type") != "application/json" || strings.Contains(a.text, marker) {
				t.Errorf("%s %s: %d %s", path, c.body, a.status, a.text)
			}
		}
	}
	var got ofrepFlag
	a := p.send(request{method: "POST", path: "/ofrep/v1/evaluate/flags/none", body: "{}"})
	p.json(a, &got)
	if a.status != http.StatusNotFound || got.Key != "none" || got.ErrorCode != "FLAG_NOT_FOUND" {
		t.Errorf("no such flag: %d %s", a.status, a.text)
	}
	p.mustBeProblem("a body beyond the limit", p.send(request{
		method: "POST", path: "/ofrep/v1/evaluate/flags", body: `{"context":{"x":"` + strings.Repeat("x", 65<<10) + `"}}`,
	}), http.StatusRequestEntityTooLarge)
	p.mustBeProblem("another method", p.send(request{method: "GET", path: "/ofrep/v1/evaluate/flags"}), http.StatusMethodNotAllowed)
}
