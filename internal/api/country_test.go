package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/portal/country"
	"pantheon/internal/testkit"
)

const (
	proxyAddress = "10.0.0.1:4711"
	visitor      = "203.0.113.77"
)

// served are the brand's pages that are served in every country.
var served = []string{
	"/privacy-policy", "/cookie-policy", "/terms-of-use", "/king-of-destiny/terms-and-conditions", "/king-of-destiny/support/deleteaccount",
}

// guarded opens a portal behind a proxy that reports countries, with a site that serves any page.
func guarded(t *testing.T, more ...func(*api.Options)) *portal {
	t.Helper()
	places, err := country.New(country.Options{Served: served, Forbidden: []string{"CU", "IR", "KP", "SY", "VE", "RU", "BY"}})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, func(o *api.Options) {
		o.Country, o.CountryHeader = places, "CF-IPCountry"
		o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		for _, change := range more {
			change(o)
		}
	})
	mux := http.NewServeMux()
	for _, path := range []string{"/api/", "/ofrep/", "/metadata/", "/healthz", "/readyz"} {
		mux.Handle(path, p.api.Handler())
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	p.handler = p.api.Countries(mux)
	return p
}

// from returns a request from the country, through the proxy.
func from(code string, r request) request {
	r.from, r.forwarded, r.header = proxyAddress, visitor, http.Header{"Cf-Ipcountry": {code}}
	return r
}

// Spec: ACCESS-4
func TestCountry_AllCallsAreRefusedInAForbiddenCountry(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	me := p.admit("zeus", "1")
	for id, r := range routes {
		call := me.authorized(r.honest(me), r.who)
		a := p.send(from("RU", call))
		if id == "healthz" || id == "readyz" || id == "deleteAccount" || id == "sendDeletionCode" || id == "getDeletion" || id == "keepAccount" ||
			id == "keepAccountByLink" { // deleting an account is always allowed
			if a.status != max(r.status, http.StatusOK) {
				t.Errorf("%s: %d %s", id, a.status, a.text)
			}
			continue
		}
		p.mustBeProblem(id, a, http.StatusUnavailableForLegalReasons)
		if a.header.Get("Link") != `<https://portal.example>; rel="blocked-by"` || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the headers are %v", id, a.header)
		}
	}
	for _, path := range []string{
		"/api/openapi.json", "/api/nothing", "/api", "/api/x.png", "/metadata/0x1/2/image.svg", "/client/hubs/portal",
		"/client/hubs/portal.js",
	} {
		p.mustBeProblem(path, p.send(from("RU", request{method: "GET", path: path})), http.StatusUnavailableForLegalReasons)
	}
	upgrade := from("RU", request{method: "GET", path: "/client/hubs/portal?access_token=x"})
	upgrade.header.Set("Connection", "Upgrade")
	upgrade.header.Set("Upgrade", "websocket")
	p.mustBeProblem("a websocket", p.send(upgrade), http.StatusUnavailableForLegalReasons)
	if p.log.Len() > 0 {
		t.Errorf("refusals are logged: %s", p.log)
	}
}

func TestCountry_OtherCountriesGetEveryCall(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	for _, code := range []string{"DE", "XX", "T1", ""} {
		p.mustSucceed(from(code, request{method: "GET", path: "/api/config"}), http.StatusOK)
	}
}

// Spec: ACCESS-4
func TestCountry_PagesLeadToTheOneThatSaysWhy(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	for _, path := range []string{
		"/", "/login", "/kod-marketplace", "/kod-marketplace/marketplace/item/0x1/2", "/nothing/here", "/privacy-policy/more",
		"/unauthorized-country-x", "//",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			a := p.send(from("IR", request{method: method, path: path}))
			if a.status != http.StatusSeeOther || a.header.Get("Location") != "/unauthorized-country" ||
				a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s: %d %v", method, path, a.status, a.header)
			}
		}
		if a := p.send(from("DE", request{method: "GET", path: path})); a.status == http.StatusSeeOther {
			t.Errorf("%s elsewhere: %d", path, a.status)
		}
		p.mustBeProblem("posting to "+path, p.send(from("IR", request{method: "POST", path: path})), http.StatusUnavailableForLegalReasons)
	}
}

// Spec: ACCESS-5
func TestCountry_LegalPagesAreServedEverywhere(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	for _, path := range []string{
		"/unauthorized-country", "/privacy-policy", "/cookie-policy", "/terms-of-use", "/king-of-destiny/terms-and-conditions",
		"/king-of-destiny/support/deleteaccount", "/privacy-policy/", "/assets/app-1.js", "/assets/clip-1.mp4", "/favicon.ico", "/robots.txt",
	} {
		if a := p.send(from("KP", request{method: "GET", path: path})); a.text != "served" {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
	}
	// Paths that only look like files are not.
	for _, path := range []string{"/assets/../api/config", "/assets/../login", "/x.png/../api/config"} {
		if a := p.send(from("KP", request{method: "GET", path: path})); a.status != http.StatusUnavailableForLegalReasons &&
			a.status != http.StatusSeeOther {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
	}
}

// Spec: ACCESS-6
func TestCountry_HeaderCountsFromTrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	for what, c := range map[string]struct {
		from    string
		values  []string
		allowed bool
	}{
		"the proxy":                           {proxyAddress, []string{"BY"}, false},
		"the proxy, in small letters":         {proxyAddress, []string{"by"}, false},
		"the browser, past the proxy":         {"198.51.100.9:1", []string{"BY"}, true},
		"the browser, to hide behind a proxy": {proxyAddress, []string{"DE", "BY"}, false},
		"nobody":                              {proxyAddress, nil, true},
	} {
		r := request{method: http.MethodGet, path: "/api/config", from: c.from, header: http.Header{"Cf-Ipcountry": c.values}}
		if a := p.send(r); (a.status == http.StatusOK) != c.allowed {
			t.Errorf("told by %s: %d %s", what, a.status, a.text)
		}
	}
	other := from("DE", request{method: http.MethodGet, path: "/api/config"})
	other.header.Set("X-Country", "BY")
	p.mustSucceed(other, http.StatusOK)
}

// Without the header, the address decides: the browser's, as for the rate limits.
// Spec: ACCESS-6
func TestCountry_BrowsersAddressIsPlacedNotTheProxys(t *testing.T) {
	t.Parallel()
	places, err := country.New(country.Options{
		Served:    served,
		Forbidden: []string{"SY"}, Ranges: testkit.CountryRanges(t, map[string]string{visitor + "/32": "SY", "10.0.0.0/8": "DE"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = places.Close() })
	p := open(t, func(o *api.Options) {
		o.Country, o.Trusted = places, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	p.handler = p.api.Countries(p.api.Handler())
	r := request{method: http.MethodGet, path: "/api/config", from: proxyAddress, forwarded: visitor}
	p.mustBeProblem("through the proxy", p.send(r), http.StatusUnavailableForLegalReasons)
	r.forwarded = "198.51.100.9, " + visitor // the browser's forged part comes first
	p.mustBeProblem("with an address made up", p.send(r), http.StatusUnavailableForLegalReasons)
	r.forwarded = ""
	p.mustSucceed(r, http.StatusOK)
	r.from = visitor + ":4711"
	p.mustBeProblem("without a proxy", p.send(r), http.StatusUnavailableForLegalReasons)
}

// A proxy that reports the port too, or no address at all, lets no forbidden country in.
// Spec: ACCESS-6
func TestCountry_UnreadableAddressIsRefusedWhereItWouldDecide(t *testing.T) {
	t.Parallel()
	places, err := country.New(country.Options{Served: served, Forbidden: []string{"SY"}, Ranges: testkit.CountryRanges(t, map[string]string{
		visitor + "/32": "SY", "2001:db8::/32": "SY", "198.51.100.0/24": "DE", "10.0.0.0/8": "DE",
	})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = places.Close() })
	p := open(t, func(o *api.Options) {
		o.Country, o.Trusted, o.CountryHeader = places, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "CF-IPCountry"
	})
	p.handler = p.api.Countries(p.api.Handler())
	for _, c := range []struct {
		name, value, told string
		served            bool
	}{
		{"X-Forwarded-For", visitor + ":51008", "", false},
		{"X-Forwarded-For", "[2001:db8::5]:443", "", false},
		{"X-Forwarded-For", "198.51.100.9:51008", "", true},
		{"X-Forwarded-For", "198.51.100.9, garbage", "", false},
		{"X-Forwarded-For", "garbage", "XX", false},
		{"X-Forwarded-For", "garbage", "DE", true},
		{"X-Forwarded-For", "garbage", "SY", false},
		{"X-Forwarded-For", "garbage", "DE, SY", false},
		{"X-Forwarded-For", "garbage", `"SY"`, false},
		{"Forwarded", `for="` + visitor + `:51008"`, "", false},
		{"Forwarded", `for="198.51.100.9:51008"`, "", true},
		{"Forwarded", "for=_hidden", "", false},
		{"Forwarded", "for=unknown", "DE", true},
	} {
		r := request{
			method: http.MethodGet, path: "/api/config", from: proxyAddress, header: http.Header{c.name: {c.value}, "Cf-Ipcountry": {c.told}},
		}
		if a := p.send(r); (a.status == http.StatusOK) != c.served || !c.served && a.status != http.StatusUnavailableForLegalReasons {
			t.Errorf("%s: %s, told %q: %d %s", c.name, c.value, c.told, a.status, a.text)
		}
	}
}

func TestCountry_WithoutCountriesEverybodyIsServed(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.handler = p.api.Countries(p.api.Handler())
	p.mustSucceed(from("KP", request{method: http.MethodGet, path: "/api/config"}), http.StatusOK)
}

func BenchmarkCountries(b *testing.B) {
	places, err := country.New(country.Options{Served: served, Forbidden: []string{"CU"}})
	if err != nil {
		b.Fatal(err)
	}
	a := api.New(api.Options{RequestOptions: api.RequestOptions{
		Country: places, CountryHeader: "CF-IPCountry", Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}})
	h := a.Countries(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	r := httptest.NewRequest(http.MethodGet, "/api/config", strings.NewReader(""))
	r.RemoteAddr = proxyAddress
	r.Header.Set("X-Forwarded-For", visitor)
	r.Header.Set("CF-IPCountry", "DE")
	w := httptest.NewRecorder()
	for b.Loop() {
		h.ServeHTTP(w, r)
	}
}
