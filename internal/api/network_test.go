package api

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// behind returns an API behind proxies in 10.0.0.0/8 and fd00::/8, and its log.
func behind(forwardedHeader string) (*API, *bytes.Buffer) {
	var log bytes.Buffer
	return &API{Options: Options{RequestOptions: RequestOptions{
		Log: slog.New(slog.NewTextHandler(&log, nil)), ForwardedHeader: forwardedHeader,
		Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("fe80::/10")},
	}}}, &log
}

func requestFrom(peer string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/api/config", nil)
	r.RemoteAddr = peer
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

const proxy = "10.0.0.1:4711"

// Spec: ACCESS-8
func TestClient_AddressIsReadInTheSpellingsOfProxies(t *testing.T) {
	t.Parallel()
	const xff, forwarded = "X-Forwarded-For", "Forwarded"
	for _, c := range []struct {
		want    string
		peer    string
		headers []string
	}{
		{"198.51.100.9", "198.51.100.9:51008", nil},
		{"198.51.100.9", "[::ffff:198.51.100.9]:51008", nil},
		{"2001:db8::5", "[2001:db8::5]:51008", nil},
		{"fe80::1", "[fe80::1%eth0]:51008", nil},
		{"198.51.100.9", "198.51.100.9:51008", []string{xff, "203.0.113.7"}}, // no proxy of ours
		{"10.0.0.1", proxy, nil},
		{"10.0.0.1", proxy, []string{xff, " "}},

		{"203.0.113.7", proxy, []string{xff, "203.0.113.7"}},
		{"203.0.113.7", proxy, []string{xff, "203.0.113.7:51008"}},
		{"203.0.113.7", proxy, []string{xff, `"203.0.113.7:51008"`}},
		{"203.0.113.7", proxy, []string{xff, `" 203.0.113.7 "`}},
		{"203.0.113.7", proxy, []string{xff, "::ffff:203.0.113.7"}},
		{"203.0.113.7", proxy, []string{xff, "[::ffff:203.0.113.7]:443"}},
		{"203.0.113.7", proxy, []string{xff, "[::ffff:cb00:7107]"}},
		{"203.0.113.7", proxy, []string{xff, "[203.0.113.7]:443"}},
		{"2001:db8::5", proxy, []string{xff, "2001:db8::5"}},
		{"2001:db8::5", proxy, []string{xff, "[2001:db8::5]"}},
		{"2001:db8::5", proxy, []string{xff, "[2001:db8::5]:443"}},
		{"2001:db8::5", proxy, []string{xff, "2001:DB8:0::5%eth0"}},
		{"2001:db8::5", proxy, []string{xff, "[2001:db8::5%25eth0]:443"}},
		{"203.0.113.7", proxy, []string{xff, "192.0.2.1, 203.0.113.7 ,\t10.0.0.2"}},
		{"203.0.113.7", proxy, []string{xff, "192.0.2.1", xff, "203.0.113.7", xff, "[fd00::2]:80"}},
		{"203.0.113.7", proxy, []string{xff, `garbage, "192.0.2.1, 203.0.113.7`}}, // an unpaired quote of the browser's
		{"203.0.113.7", "[::ffff:10.0.0.1]:4711", []string{xff, "203.0.113.7"}},
		{"203.0.113.7", "[fe80::1%eth0]:4711", []string{xff, "203.0.113.7"}},
		{"10.0.0.3", proxy, []string{xff, "10.0.0.3, 10.0.0.2"}},

		{"203.0.113.7", proxy, []string{forwarded, "for=203.0.113.7"}},
		{"203.0.113.7", proxy, []string{forwarded, `FOR="203.0.113.7:51008"; Proto=https ;by=10.0.0.1`}},
		{"203.0.113.7", proxy, []string{forwarded, `host="a,b;for=x";for="\203.0.113.7"`}},
		{"2001:db8::5", proxy, []string{forwarded, `proto=https;for="[2001:db8::5]:443"`}},
		{"2001:db8::5", proxy, []string{forwarded, `For="[2001:db8::5]:_port"`}},
		{"203.0.113.7", proxy, []string{forwarded, "for=192.0.2.1", forwarded, "for=203.0.113.7, for=10.0.0.2"}},
		{"203.0.113.7", proxy, []string{forwarded, `for="192.0.2.1, for=203.0.113.7`}}, // an unpaired quote of the browser's
		{"203.0.113.7", proxy, []string{forwarded, `for="\", for=203.0.113.7`}},
		{"203.0.113.7", proxy, []string{xff, "203.0.113.7", forwarded, "for=192.0.2.1"}}, // the browser sent the other

		// Unknown.
		{"", "@", nil},
		{"", proxy, []string{xff, "203.0.113.7, unknown"}},
		{"", proxy, []string{xff, "203.0.113.7,"}},
		{"", proxy, []string{xff, "203.0.113.7, 203.0.113.300"}},
		{"", proxy, []string{xff, "203.0.113.7, 203.0.113.007"}},
		{"", proxy, []string{xff, "203.0.113.7, 0.0.0.0"}},
		{"", proxy, []string{xff, "203.0.113.7, ::ffff:0.0.0.0"}},
		{"", proxy, []string{xff, "203.0.113.7, [2001:db8::5]443"}},
		{"", proxy, []string{xff, "203.0.113.7, 203.0.113.8:80:90"}},
		{"", proxy, []string{xff, "203.0.113.7, client.example:443"}},
		{"", proxy, []string{forwarded, "for=203.0.113.7, for=unknown"}},
		{"", proxy, []string{forwarded, "for=203.0.113.7, for=_hidden"}},
		{"", proxy, []string{forwarded, "for=203.0.113.7, proto=https"}},
		{"", proxy, []string{forwarded, "for=203.0.113.7;for=203.0.113.8"}},
	} {
		a, log := behind("")
		got := a.clientOf(requestFrom(c.peer, c.headers...))
		want, _ := netip.ParseAddr(c.want)
		if got.addr != want {
			t.Errorf("%s %q: %v, want %q", c.peer, c.headers, got.addr, c.want)
		}
		if unknown := c.want == ""; unknown != (log.Len() > 0) || unknown == (got.alias == "") {
			t.Errorf("%s %q: alias %q, logged: %s", c.peer, c.headers, got.alias, log)
		}
	}
}

func TestClient_OnlyTheHeaderOfTheSettingCounts(t *testing.T) {
	t.Parallel()
	a, _ := behind("forwarded")
	r := requestFrom(proxy, "X-Forwarded-For", "192.0.2.1", "Forwarded", "for=203.0.113.7")
	if got := a.clientOf(r).addr.String(); got != "203.0.113.7" {
		t.Errorf("Forwarded: %s", got)
	}
	a, _ = behind("X-Forwarded-For")
	if got := a.clientOf(requestFrom(proxy, "Forwarded", "for=192.0.2.1")).addr.String(); got != "10.0.0.1" {
		t.Errorf("X-Forwarded-For: %s", got)
	}
}

// Clients whose address is unknown are told apart by what their proxy wrote, whatever the port.
// Spec: ACCESS-8
func TestClient_UnknownAddressesAreNotLimitedTogether(t *testing.T) {
	t.Parallel()
	a, log := behind("")
	key := func(text string) string {
		c := a.clientOf(requestFrom(proxy, "X-Forwarded-For", text))
		if line := lineOf(c); line != householdOf(c) || line != networkOf(c) {
			t.Errorf("%q has the keys %q, %q, %q", text, line, householdOf(c), networkOf(c))
		}
		return lineOf(c)
	}
	first := key("one.example:51008")
	if again := key("one.example:51009"); again != first {
		t.Errorf("another port is another client: %q, %q", first, again)
	}
	if forged := key("192.0.2.1, two, one.example:1"); forged != first {
		t.Errorf("what the browser sends makes another client: %q, %q", first, forged)
	}
	if other := key("two.example:51008"); other == first || other == "" {
		t.Errorf("two clients are one: %q", other)
	}
	if n := len(key(strings.Repeat("x", 5000))); n > 100 {
		t.Errorf("a key has %d bytes", n)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || strings.Contains(log.String(), "two.example") {
		t.Errorf("logged %d lines: %s", n, log)
	}
}

func TestClient_UnreadableHeadersAreLoggedOnceAProxyAndAtMostSixteenTimes(t *testing.T) {
	t.Parallel()
	a, log := behind("")
	for i := range 100 {
		a.clientOf(requestFrom(fmt.Sprintf("10.0.0.%d:80", i), "X-Forwarded-For", "\u202egarbage\n"+strings.Repeat("x", 200)))
	}
	if n := strings.Count(log.String(), "\n"); n != 16 {
		t.Errorf("logged %d lines", n)
	}
	if strings.Contains(log.String(), "\u202e") || strings.Contains(log.String(), strings.Repeat("x", 65)) {
		t.Errorf("logged %s", log)
	}
}

// Whatever a browser sends on the left, the node that the trusted proxy appends decides.
// Spec: ACCESS-8
func TestClient_BrowsersPartDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"X-Forwarded-For", "Forwarded"} {
		a, log := behind(header)
		rapid.Check(t, func(t *rapid.T) {
			forged := rapid.StringOf(rapid.SampledFrom([]rune(`,;"\=[]: .for10x`))).Draw(t, "forged")
			node := rapid.SampledFrom([]string{"203.0.113.7", "203.0.113.7:51008", "[2001:db8::5]:443", "::ffff:203.0.113.7"}).Draw(t, "node")
			appended := node
			if header == "Forwarded" {
				appended = `by=10.0.0.1;for="` + node + `"`
			}
			want, _ := parseNode(node)
			joined := a.clientOf(requestFrom(proxy, header, forged+", "+appended)).addr
			apart := a.clientOf(requestFrom(proxy, header, forged, header, appended)).addr
			if joined != want || apart != want {
				t.Fatalf("%q + %q is %s and %s", forged, appended, joined, apart)
			}
		})
		if log.Len() > 0 {
			t.Errorf("logged %s", log)
		}
	}
}

func FuzzForwarding(f *testing.F) {
	for _, s := range []string{"203.0.113.7:51008", `for="[2001:db8::5]:443";proto=https, for=_x`, `"\`, "[]", "[:]:", ",,;=", "%", "::%x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		for _, header := range []string{"X-Forwarded-For", "Forwarded"} {
			a, _ := behind(header)
			c := a.clientOf(requestFrom(proxy, header, list))
			switch {
			case c.addr.IsValid() == (c.alias != ""):
				t.Fatalf("%q has the address %v and the alias %q", list, c.addr, c.alias)
			case c.addr.Zone() != "" || c.addr.Is4In6() || c.addr.IsValid() && c.addr.IsUnspecified():
				t.Fatalf("%q has the address %v", list, c.addr)
			case len(c.alias) > 100 || lineOf(c) == "":
				t.Fatalf("%q has the key %q", list, lineOf(c))
			}
		}
	})
}
