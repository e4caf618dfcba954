package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/testkit"
)

func locations(p problem) (out []string) {
	for _, e := range p.Errors {
		out = append(out, e.Location)
	}
	slices.Sort(out)
	return out
}

// Spec: API-3
func TestProblem_BadBodiesAreProblemsThatNameEveryFault(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	const register, add = "/api/auth/register", "/api/auth/marketplace/cart/addToCart"
	for _, c := range []struct {
		what, path, body string
		status           int
		want             []string
	}{
		{"no body", register, "", 400, nil},
		{"not JSON", register, "email=zeus", 400, []string{"body"}},
		{"cut JSON", register, `{"email":"a@b.co"`, 400, []string{"body"}},
		{"an array", register, `[]`, 400, []string{"body"}},
		{"null", register, `null`, 400, []string{"body"}},
		{"a text", register, `"zeus"`, 400, []string{"body"}},
		{"nothing in it", register, `{}`, 400, []string{"body.displayName", "body.email", "body.password"}},
		{
			"nothing in something", add, `{"playFabId":"{player}","newItem":{}}`, 400,
			[]string{"body.newItem.assetContractAddress", "body.newItem.listingId"},
		},
		{
			"wrong types", register, `{"email":1,"displayName":true,"password":["x"]}`, 400,
			[]string{"body.displayName", "body.email", "body.password"},
		},
		{
			"unknown fields", register, `{"email":"a@b.co","displayName":"Zeus","password":"thunder and rain","admin":true,"role":1}`, 400,
			[]string{"body.admin", "body.role"},
		},
		{
			"every rule broken", register, `{"email":"a","displayName":"a","password":"a"}`, 400,
			[]string{"body.displayName", "body.email", "body.password"},
		},
		{"nested wrong types", add, `{"playFabId":"x","newItem":{"listingId":7,"assetContractAddress":false,"index":"first"}}`, 400,
			[]string{"body.newItem.assetContractAddress", "body.newItem.index", "body.newItem.listingId"}},
		{
			"a fraction", add, `{"playFabId":"{player}","newItem":{"listingId":"1","assetContractAddress":"{items}","index":0.5}}`, 400,
			[]string{"body.newItem.index"},
		},
		{
			"a number without end", add,
			`{"playFabId":"{player}","newItem":{"listingId":"1","assetContractAddress":"{items}","index":99999999999999999999999}}`, 400,
			[]string{"body.newItem.index"},
		},
		{
			"not a number", add, `{"playFabId":"{player}","newItem":{"listingId":"first","assetContractAddress":"{items}"}}`, 400,
			[]string{"body.newItem.listingId"},
		},
		{
			"not an address", add, `{"playFabId":"{player}","newItem":{"listingId":"1","assetContractAddress":"0x12"}}`, 400,
			[]string{"body.newItem.assetContractAddress"},
		},
		{"wrong checksum", add,
			`{"playFabId":"{player}","newItem":{"listingId":"1","assetContractAddress":"0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359"}}`, 400,
			[]string{"body.newItem.assetContractAddress"}},
		{"not a price", "/api/auth/marketplace/checkout", `{"playFabId":"{player}","expectedTotal":"-1"}`, 400, []string{"body.expectedTotal"}},
		{"an empty order and price", "/api/auth/marketplace/checkout", `{"playFabId":"{player}","orderId":"","expectedTotal":""}`, 400,
			[]string{"body.expectedTotal", "body.orderId"}},
		{"not a hash", "/api/auth/marketplace/checkout/{order}/submitted", `{"userOpHash":"0x12"}`, 400, []string{"body.userOpHash"}},
		{"too large", register, `{"email":"` + strings.Repeat("z", 64<<10-11) + `"}`, 413, nil}, // 64 KiB and a byte
		{"too deep", register, strings.Repeat(`{"email":`, 20_000/9) + "1" + strings.Repeat("}", 20_000/9), 400, nil},
	} {
		a := p.send(request{method: "POST", path: fill(c.path, zeus), body: fill(c.body, zeus), authorization: zeus.token})
		got := p.mustBeProblem(c.what, a, c.status)
		if c.want != nil && !slices.Equal(locations(got), c.want) {
			t.Errorf("%s names %v, want %v: %s", c.what, locations(got), c.want, a.text)
		}
		for _, e := range got.Errors {
			if e.Message == "" {
				t.Errorf("%s: a fault without words: %s", c.what, a.text)
			}
		}
	}
}

// Spec: API-3
func TestProblem_BadParametersAreProblems(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	for path, want := range map[string][]string{
		"/api/marketplace/listings?sort=cheap&limit=101":                   {"query.limit", "query.sort"},
		"/api/marketplace/listings?limit=zero":                             {"query.limit"},
		"/api/marketplace/listings?min=x":                                  {"query.min"},
		"/api/marketplace/listings?max=1.1234567":                          {"query.max"},
		"/api/marketplace/listings?min=2&max=1":                            {"query.min"},
		"/api/marketplace/listings?rarity=a,b,c,d&rarity=e,f,g":            {"query.rarity"},
		"/api/marketplace/listings?cursor=zeus":                            {"query.cursor"},
		"/api/marketplace/listings?collection=0x12":                        {"query.collection"},
		"/api/marketplace/listings?q=" + strings.Repeat("z", 101):          {"query.q"},
		"/api/marketplace/items/0x12/1":                                    {"path.contract"},
		"/api/marketplace/items/" + testkit.Items + "/first":               {"path.tokenId"},
		"/api/auth/nft/listArks?limit=0":                                   {"query.limit"},
		"/api/auth/nft/listArks?cursor=zeus":                               {"query.cursor"},
		"/api/proxy/chains/game":                                           {"path.chainId"},
		"/api/auth/marketplace/checkout/" + strings.Repeat("O", 65):        {"path.orderId"},
		"/api/marketplace/listings?min=" + strings.Repeat("9", 100) + ".5": {"query.min"},
	} {
		a := p.send(request{method: "GET", path: path, authorization: zeus.token})
		if got := locations(p.mustBeProblem(path, a, http.StatusBadRequest)); !slices.Equal(got, want) {
			t.Errorf("%s names %v, want %v: %s", path, got, want, a.text)
		}
	}
}

// The market's filters are refused by the same rules in an address and in the body of a saved search; each names its own place.
// Spec: SELL-9
func TestProblem_FiltersAreNamedWhereTheyAre(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	traits, values := make([]string, 11), make([]string, 11)
	for i := range traits {
		traits[i], values[i] = fmt.Sprint("trait", i), fmt.Sprint("Edge:", i)
	}
	for what, c := range map[string]struct {
		filters map[string]any
		want    string // the filter; "" if they are accepted
	}{
		"min above max":             {map[string]any{"min": "2", "max": "1"}, "min"},
		"a price in words":          {map[string]any{"max": "ten"}, "max"},
		"eleven traits":             {map[string]any{"trait": traits}, "trait"},
		"eleven values of a trait":  {map[string]any{"trait": values}, "trait"},
		"ten traits":                {map[string]any{"trait": traits[:10]}, ""},
		"a rarity of 21 characters": {map[string]any{"rarity": []string{strings.Repeat("z", 21)}}, "rarity"},
		"a seller who is none":      {map[string]any{"seller": "0x12"}, "seller"},
		"a contract that is none":   {map[string]any{"collection": "0x12"}, "collection"},
	} {
		query := url.Values{}
		for name, value := range c.filters {
			switch value := value.(type) {
			case string:
				query.Set(name, value)
			case []string:
				query[name] = value
			}
		}
		body, err := json.Marshal(map[string]any{"name": what, "filters": c.filters, "alerts": true})
		p.ok(err)
		for place, r := range map[string]request{
			"query.":        {method: "GET", path: "/api/marketplace/listings?" + query.Encode()},
			"body.filters.": {method: "POST", path: "/api/auth/marketplace/searches", body: string(body), authorization: zeus.token},
		} {
			a := p.send(r)
			if c.want == "" {
				if a.status != http.StatusOK {
					t.Errorf("%s: %d %s", what, a.status, a.text)
				}
				continue
			}
			if got := locations(p.mustBeProblem(what, a, http.StatusBadRequest)); !slices.Equal(got, []string{place + c.want}) {
				t.Errorf("%s: %s names %v, want %s%s", what, r.path, got, place, c.want)
			}
		}
	}
}

// The same id means something else in each collection.
// Spec: SELL-9
func TestSavedSearch_OfATokenNeedsItsContract(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	save := func(filters string) answer {
		return p.send(request{
			method: "POST", path: "/api/auth/marketplace/searches", body: `{"name":"swords","filters":` + filters + `,"alerts":true}`,
			authorization: zeus.token,
		})
	}
	for _, filters := range []string{`{"tokenId":"7"}`, `{"tokenId":"7","max":"5"}`, `{"tokenId":"7","collection":"game-items"}`} {
		if got := locations(p.mustBeProblem(filters, save(filters), http.StatusBadRequest)); !slices.Equal(got,
			[]string{"body.filters.tokenId"}) {
			t.Errorf("%s names %v", filters, got)
		}
	}
	for _, filters := range []string{
		`{"tokenId":"7","contract":"` + testkit.Items + `"}`, `{"tokenId":"7","collection":"` + testkit.Items + `"}`,
		`{"tokenId":"","q":"sword"}`,
	} {
		if a := save(filters); a.status != http.StatusOK {
			t.Errorf("%s: %d %s", filters, a.status, a.text)
		}
	}
}

// marker is used as every value in a request; no response and no log may contain it. It is too long for a name, which
// a response would rightly repeat.
const marker = "hunter2SecretMarkerOfZeus"

// poison replaces one value after the other, at any depth, by each poison, and returns the bodies.
func poison(t *testing.T, body string, poisons ...any) (out []string) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(body), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		object, ok := v.(map[string]any)
		if !ok {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			was := object[key]
			for _, p := range poisons {
				object[key] = p
				b, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, string(b))
			}
			object[key] = was
			walk(was)
		}
	}
	walk(root)
	return out
}

// Spec: API-4
func TestProblem_NeverEchoesTheInput(t *testing.T) {
	t.Parallel()
	for id, r := range routes {
		p := open(t) // some calls sign the player out, whatever they contain
		zeus := p.admit("zeus", "1")
		call := zeus.authorized(r.honest(zeus), r.who)
		bodies := []string{
			`{"password":"` + marker + `"`, `{"` + marker, marker, `"` + marker + `"`, `["` + marker + `"]`, `{"secret":"` + marker + `"}`,
			`{"email":"` + marker + `","email":"` + marker + "\x00" + `"}`,
		}
		if call.body != "" {
			bodies = append(bodies, poison(t, call.body, marker, []any{marker}, map[string]any{"value": marker},
				marker+strings.Repeat("!", 5000))...)
		}
		if call.method == http.MethodGet {
			bodies = nil
			for _, query := range []string{"limit", "sort", "cursor", "q", "min", "max", "collection", "trait", "rarity", "wallet", "environment"} {
				poisoned := call
				poisoned.path, _, _ = strings.Cut(call.path, "?")
				poisoned.path += "?" + query + "=" + marker
				mustKeepQuiet(t, p, id+" "+query, p.send(poisoned))
			}
			poisoned := call
			poisoned.path = strings.ReplaceAll(strings.ReplaceAll(call.path, testkit.Items, marker), "1337042", marker)
			poisoned.path = strings.ReplaceAll(poisoned.path, zeus.order, marker)
			mustKeepQuiet(t, p, id, p.send(poisoned))
		}
		for _, body := range bodies {
			poisoned := call
			poisoned.body = body
			mustKeepQuiet(t, p, id+" "+body[:min(len(body), 300)], p.send(poisoned))
		}
		call.authorization = "Bearer " + marker
		mustKeepQuiet(t, p, id, p.send(call))
	}
}

func mustKeepQuiet(t *testing.T, p *portal, what string, a answer) {
	t.Helper()
	if strings.Contains(a.text, marker) || strings.Contains(fmt.Sprint(a.header), marker) {
		t.Errorf("%s is answered with what was sent: %d %s", what, a.status, a.text)
	}
	if strings.Contains(p.log.String(), marker) {
		t.Errorf("%s: logged: %s", what, p.log)
		p.log.Reset()
	}
	if a.status >= 500 {
		t.Errorf("%s: %d %s", what, a.status, a.text)
	}
	if a.status >= 400 && !strings.Contains(a.text, `"errorCode":`) { // OFREP has its own error format
		p.mustBeProblem(what, a, a.status)
	}
}

// Spec: API-3
func TestProblem_UnknownPathsAndMethodsAreProblems(t *testing.T) {
	t.Parallel()
	p := open(t)
	for _, path := range []string{"/api/", "/api/auth", "/api/auth/unknown", "/api/auth/login/", "/metadata/", "/metadata/0x12"} {
		p.mustBeProblem(path, p.send(request{method: "GET", path: path}), http.StatusNotFound)
	}
	for path, allow := range map[string]string{
		"/api/auth/login": "POST", "/api/auth/currencies": "GET", "/api/openapi.json": "GET", "/healthz": "GET",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "ZEUS"} {
			if method == allow {
				continue
			}
			a := p.send(request{method: method, path: path})
			p.mustBeProblem(method+" "+path, a, http.StatusMethodNotAllowed)
			if got := a.header.Values("Allow"); !slices.Equal(got, []string{allow}) {
				t.Errorf("%s %s: Allow %v, want %s", method, path, got, allow)
			}
		}
	}
	a := p.send(request{method: "PUT", path: "/api/auth/marketplace/checkout"})
	p.mustBeProblem("a path of two methods", a, http.StatusMethodNotAllowed)
	if got := a.header.Values("Allow"); !slices.Equal(got, []string{"GET", "POST"}) {
		t.Errorf("Allow %v, want GET and POST", got)
	}
}

func TestProblem_ResponsesForbidSniffingAndCaching(t *testing.T) {
	t.Parallel()
	p := open(t)
	for _, path := range []string{
		"/api/config", "/api/auth/profile", "/api/unknown", "/healthz", "/metadata/" + testkit.Items + "/1/image.svg",
	} {
		a := p.send(request{method: "GET", path: path})
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: headers %v", path, a.header)
		}
		if strings.HasPrefix(path, "/api/") && a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, a.header.Get("Cache-Control"))
		}
	}
	image := p.send(request{method: "GET", path: "/metadata/" + testkit.Items + "/1/image.svg"})
	if got := image.header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'none'") || !strings.Contains(got, "sandbox") {
		t.Errorf("a picture may run scripts: %q", got)
	}
}

// Internal errors are not shown; the reason is in the log.
// Spec: API-4
func TestProblem_InternalErrorsTellNothing(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		o.Faucet = func(context.Context, string) error { return errors.New("dial tcp 10.1.2.3:5432: password " + marker) }
	})
	zeus := p.admit("zeus", "1")
	a := p.send(request{method: "POST", path: "/api/dev/faucet", authorization: zeus.token})
	p.mustBeProblem("faucet", a, http.StatusInternalServerError)
	if strings.Contains(a.text, "10.1.2.3") || strings.Contains(a.text, marker) {
		t.Errorf("the answer tells %s", a.text)
	}
	if !strings.Contains(a.text, `"Something went wrong on our side. Please try again in a moment."`) {
		t.Errorf("the player reads %s", a.text)
	}
	if !strings.Contains(p.log.String(), "10.1.2.3") {
		t.Error("the log does not tell what happened")
	}
}

// What is waited for in vain, with a time of its own, is unavailable and no fault of the portal.
// Spec: API-4
func TestProblem_TimeoutsMayBeTriedAgain(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		o.Faucet = func(context.Context, string) error {
			return fmt.Errorf("reading the chain: %w", context.DeadlineExceeded)
		}
	})
	zeus := p.admit("zeus", "1")
	a := p.send(request{method: "POST", path: "/api/dev/faucet", authorization: zeus.token})
	p.mustBeProblem("faucet", a, http.StatusServiceUnavailable)
	if !strings.Contains(a.text, `"This took too long. Please try again in a moment."`) {
		t.Errorf("the player reads %s", a.text)
	}
	if !strings.Contains(p.log.String(), "reading the chain") {
		t.Error("the log does not tell what happened")
	}
}

// readyz returns the answer of /readyz where the parts have these results.
func readyz(t *testing.T, checks ...health.Check) (status int, got api.Readiness, text string) {
	p := open(t, func(o *api.Options) {
		o.Health = health.New(slog.New(slog.DiscardHandler), nil)
		o.Health.Add(checks...)
	})
	a := p.send(request{method: "GET", path: "/readyz"})
	p.json(a, &got)
	return a.status, got, a.text
}

// Spec: RUN-9
func TestReadiness_NamesThePartsThatFail(t *testing.T) {
	t.Parallel()
	status, got, text := readyz(t,
		health.Check{Name: "database", Run: func(context.Context) error { return nil }, Required: true},
		health.Check{Name: "game chain", Run: func(context.Context) error { return errors.New("401 for key " + marker) }},
		health.Check{Name: "messages", Run: func(context.Context) error {
			return fault.New(fault.Unavailable, "cannot be reached").Because(errors.New(marker))
		}},
		// One that never answers does not prevent the others' results.
		health.Check{Name: "main chain", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
	)
	want := map[string]string{"database": "ok", "messages": "cannot be reached", "game chain": "failing", "main chain": "failing"}
	if status != http.StatusOK || !got.Ready || got.State != "degraded" || !maps.Equal(got.Checks, want) || strings.Contains(text, marker) {
		t.Errorf("%d %s", status, text)
	}
}

// Spec: RUN-9
func TestReadiness_OnlyRequiredPartsMakeAReplicaUnready(t *testing.T) {
	t.Parallel()
	lost := func(context.Context) error { return fault.New(fault.Unavailable, "cannot be reached") }
	for _, required := range []bool{false, true} {
		status, got, text := readyz(t, health.Check{Name: "part", Run: lost, Required: required})
		want, state := http.StatusOK, "degraded"
		if required {
			want, state = http.StatusServiceUnavailable, "unready"
		}
		if status != want || got.Ready == required || got.State != state || got.Checks["part"] != "cannot be reached" {
			t.Errorf("required %v: %d %s", required, status, text)
		}
	}
}

// Spec: RUN-9
func TestStatus_NamesTheImpairedFeatures(t *testing.T) {
	t.Parallel()
	lost := func(context.Context) error { return errors.New(marker) }
	p := open(t, func(o *api.Options) {
		o.Health = health.New(slog.New(slog.DiscardHandler), nil)
		o.Health.Add(health.Check{Name: "game chain", Run: lost, Impairs: health.Trading},
			health.Check{Name: "contracts", Run: lost, Impairs: health.Trading},
			health.Check{Name: "messages", Run: func(context.Context) error { return nil }, Impairs: health.Live})
	})
	for _, want := range []string{`{"impaired":[]}`, `{"impaired":["trading"]}`} { // before the first round of checks, and after it
		if a := p.send(request{method: "GET", path: "/api/status"}); a.status != http.StatusOK || strings.TrimSpace(a.text) != want {
			t.Errorf("%d %s, want %s", a.status, a.text, want)
		}
		p.send(request{method: "GET", path: "/readyz"})
	}
}

// limited sends the request until it is refused by the rate limit, and returns the refusal. The limit is per minute:
// ten times as many always exceed it.
func limited(p *portal, r func(i int) request, perMinute int) (answer, bool) {
	for i := range 10 * perMinute {
		if a := p.send(r(i)); a.status == http.StatusTooManyRequests {
			return a, true
		}
	}
	return answer{}, false
}

// Spec: API-5
func TestProblem_TooManyCallsHaveToWait(t *testing.T) {
	t.Parallel()
	const perMinute = 3
	login := func(from, forwarded func(i int) string) func(i int) request {
		return func(i int) request {
			return request{
				method: "POST", path: "/api/auth/login", body: `{"email":"x","password":"x"}`, from: from(i), forwarded: forwarded(i),
			}
		}
	}
	always := func(s string) func(int) string { return func(int) string { return s } }
	each := func(format string) func(int) string { return func(i int) string { return fmt.Sprintf(format, i+1) } }
	for _, c := range []struct {
		what    string
		trusted []string
		call    func(i int) request
		limited bool
	}{
		{"one address", nil, login(always("192.0.2.1:1000"), always("")), true},
		{"one address with many ports", nil, login(each("192.0.2.1:%d"), always("")), true},
		{"one IPv6 address", nil, login(each("[2001:db8::1]:%d"), always("")), true},
		{"many lines of one household by IPv6", nil, login(each("[2001:db8:0:1%02d::1]:1000"), always("")), true},
		{"households by IPv6", nil, login(each("[2001:db8:%d::1]:1000"), always("")), false},
		{"many addresses", nil, login(each("192.0.2.%d:1000"), always("")), false},
		{"X-Forwarded-For from anybody is not believed", nil, login(always("192.0.2.1:1000"), each("198.51.100.%d")), true},
		{"X-Forwarded-For from a stranger is not believed", []string{"10.0.0.0/8"}, login(always("192.0.2.1:1000"), each("198.51.100.%d")), true},
		{"behind a proxy many addresses are many", []string{"10.0.0.0/8"}, login(always("10.0.0.1:1000"), each("198.51.100.%d")), false},
		{"behind a proxy one is one", []string{"10.0.0.0/8"}, login(each("10.0.0.%d:1000"), always("198.51.100.1")), true},
		{
			"what the client claims before the proxy is not believed", []string{"10.0.0.0/8"},
			login(always("10.0.0.1:1000"), each("203.0.113.%d, 198.51.100.1")), true,
		},
		{
			"a chain of trusted proxies is followed", []string{"10.0.0.0/8"}, login(always("10.0.0.1:1000"), each("198.51.100.%d, 10.9.9.9")),
			false,
		},
		{"a proxy that names nobody is one address", []string{"10.0.0.0/8"}, login(always("10.0.0.1:1000"), always("unknown")), true},
		{"behind a proxy that adds ports one is one", []string{"10.0.0.0/8"}, login(always("10.0.0.1:1000"), each("198.51.100.1:%d")), true},
		{
			"behind a proxy that adds ports many are many", []string{"10.0.0.0/8"}, login(always("10.0.0.1:1000"), each("198.51.100.%d:51008")),
			false,
		},
		{"an IPv4 proxy on an IPv6 socket", []string{"10.0.0.0/8"}, login(always("[::ffff:10.0.0.1]:1000"), each("198.51.100.%d")), false},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			p := open(t, func(o *api.Options) {
				o.Limits.LoginsPerMinute = perMinute
				for _, r := range c.trusted {
					o.Trusted = append(o.Trusted, netip.MustParsePrefix(r))
				}
			})
			a, refused := limited(p, c.call, perMinute)
			if refused != c.limited {
				t.Fatalf("refused: %v, want %v", refused, c.limited)
			}
			if !refused {
				return
			}
			p.mustBeProblem(c.what, a, http.StatusTooManyRequests)
			if after := a.header.Get("Retry-After"); after == "" || after == "0" {
				t.Errorf("Retry-After %q", after)
			}
		})
	}
}

// Spec: API-5
func TestProblem_ResponseHasTheRemainingCalls(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Limits.LoginsPerMinute = 60 })
	a := p.send(request{method: "POST", path: "/api/auth/login", body: `{"email":"x","password":"x"}`, from: "[2001:db8::1]:1000"})
	limit, left := a.header.Get("RateLimit-Policy"), a.header.Get("RateLimit")
	if limit != `"network";q=60;w=60` || !regexp.MustCompile(`^"network";r=59;t=([1-9]|[1-5][0-9]|60)$`).MatchString(left) {
		t.Errorf("%s of %s calls are left, want 59 of 60", left, limit)
	}
}

// Spec: API-5
func TestProblem_PlayersLimitsAreTheirOwn(t *testing.T) {
	t.Parallel()
	const perMinute = 3
	p := open(t, func(o *api.Options) { o.Limits.CartPerMinute, o.Limits.SigningPerMinute = perMinute, perMinute })
	zeus, hera := p.register("zeus"), p.register("hera")
	for _, id := range []string{"emptyCart", "startCheckout", "signMessage", "bundler"} {
		r := routes[id]
		refusal, refused := limited(p, func(int) request { return zeus.authorized(r.honest(zeus), r.who) }, perMinute)
		if !refused {
			t.Errorf("%s may be called without end", id)
			continue
		}
		p.mustBeProblem(id, refusal, http.StatusTooManyRequests)
		if a := p.send(hera.authorized(r.honest(hera), r.who)); a.status == http.StatusTooManyRequests {
			t.Errorf("%s: one player's calls count against another", id)
		}
	}
}

// A wait imposed by the cart's rules is returned with its duration.
func TestProblem_WaitingTimeIsToldInWholeSeconds(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	testkit.List(t, p.db, testkit.Offer{Number: "1", Quantity: 20})
	add := routes["addToCart"].honest(actor{id: zeus.id, listing: "1"})
	for range 11 {
		p.mustSucceed(zeus.authorized(add, player), 200)
	}
	p.clock.Advance(10 * time.Minute)
	if _, err := cartstore.New(p.db).SweepHolds(t.Context(), p.clock.Now(), 100); err != nil {
		t.Fatal(err)
	}
	p.clock.Advance(time.Minute + time.Millisecond)
	a := p.send(zeus.authorized(add, player))
	p.mustBeProblem("after eleven lapses", a, http.StatusTooManyRequests)
	if got := a.header.Get("Retry-After"); got != "540" {
		t.Errorf("Retry-After %q, want 540: the rest of ten minutes, rounded up", got)
	}
}

// Spec: API-8
func TestProblem_ContractIsServed(t *testing.T) {
	t.Parallel()
	p := open(t)
	a := p.mustSucceed(request{method: "GET", path: "/api/openapi.json"}, 200)
	var doc struct {
		OpenAPI string
		Paths   map[string]any
	}
	p.json(a, &doc)
	if !strings.HasPrefix(doc.OpenAPI, "3.") || len(doc.Paths) == 0 || a.header.Get("Content-Type") != "application/openapi+json" {
		t.Errorf("served %s with %d paths as %s", doc.OpenAPI, len(doc.Paths), a.header.Get("Content-Type"))
	}
}
