package config_test

import (
	"slices"
	"strings"
	"testing"
)

// Spec: RUN-29
func TestTLS_AddressesFollowFromTheHost(t *testing.T) {
	t.Parallel()
	one, both := []string{"portal.example"}, []string{"portal.example", "www.portal.example"}
	for what, c := range map[string]struct {
		domains, listen, public string
		want                    []string
		address, site           string
	}{
		"none":              {"", "", "", nil, "localhost:8080", "http://localhost:8080"},
		"one":               {"portal.example", "", "", one, ":443", "https://portal.example"},
		"the default":       {"portal.example", "localhost:8080", "", one, "localhost:8080", "https://portal.example"},
		"another port":      {"portal.example", ":8443", "", one, ":8443", "https://portal.example"},
		"several":           {" Portal.Example. ,www.portal.example,portal.example", "", "", both, ":443", "https://portal.example"},
		"the second":        {"portal.example,www.portal.example", "", "https://www.portal.example/", both, ":443", "https://www.portal.example"},
		"a port of a proxy": {"portal.example", "", "https://portal.example:8443", one, ":443", "https://portal.example:8443"},
		"a name with ö":     {"götter.example", "", "", []string{"xn--gtter-jua.example"}, ":443", "https://xn--gtter-jua.example"},
	} {
		env := complete()
		env["TLS_DOMAIN"], env["LISTEN_ADDR"], env["PUBLIC_URL"] = c.domains, c.listen, c.public
		got, faults := load(t, env)
		if faults != nil || !slices.Equal(got.TLS.Domains, c.want) || got.ListenAddr != c.address || got.PublicURL != c.site {
			t.Errorf("%s: %q, listens on %s for %s; %q", what, got.TLS.Domains, got.ListenAddr, got.PublicURL, faults)
		}
	}
}

func TestTLS_FaultsOfItsSettings(t *testing.T) {
	t.Parallel()
	const hosts = "TLS_DOMAIN: must be host names such as portal.example, without port, address or asterisk"
	for _, c := range []struct{ name, value, want string }{
		{"TLS_DOMAIN", "portal.example:443", hosts},
		{"TLS_DOMAIN", "*.portal.example", hosts},
		{"TLS_DOMAIN", "203.0.113.7", hosts},
		{"TLS_DOMAIN", "localhost", hosts},
		{"TLS_DOMAIN", "portal..example", hosts},
		{"TLS_DOMAIN", "../portal.example", hosts},
		{"TLS_DOMAIN", "https://portal.example", hosts},
		{"TLS_DOMAIN", "portal.example,", hosts},
		{"TLS_EMAIL", "admin@portal.example", ""},
		{"TLS_EMAIL", "admin", "TLS_EMAIL: must be an address such as admin@example.com"},
		{"TLS_ACME_URL", "https://127.0.0.1:14000/dir", ""},
		{"TLS_ACME_URL", "http://ca.example/directory", "TLS_ACME_URL: must be an https:// address"},
		{"HTTP_ADDR", "127.0.0.1:8080", ""},
		{"HTTP_ADDR", "80", "HTTP_ADDR: must be host:port"},
		{"HTTP_ADDR", ":443", "HTTP_ADDR: must differ from LISTEN_ADDR"},
		{"PUBLIC_URL", "http://portal.example", "PUBLIC_URL: must be the https:// address of a host that TLS_DOMAIN names"},
		{"PUBLIC_URL", "https://other.example", "PUBLIC_URL: must be the https:// address of a host that TLS_DOMAIN names"},
		{"TRUSTED_PROXIES", "10.0.0.0/8", ""},
	} {
		env := complete()
		env["TLS_DOMAIN"] = "portal.example"
		env[c.name] = c.value
		_, faults := load(t, env)
		faults = slices.DeleteFunc(faults, func(f string) bool { // follows from a wrong host
			return c.name == "TLS_DOMAIN" && strings.HasPrefix(f, "PUBLIC_URL: ")
		})
		if got := strings.Join(faults, "\n"); got != c.want {
			t.Errorf("%s=%s: %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

// Who serves https needs no proxy that must be named.
func TestTLS_TakesNoRiskOfAnUnnamedProxy(t *testing.T) {
	t.Parallel()
	env := production()
	delete(env, "TRUSTED_PROXIES")
	delete(env, "COUNTRY_HEADER")
	env["COUNTRY_FILE"], env["PUBLIC_URL"] = "country.mmdb", "https://portal.example"
	c, faults := load(t, env)
	if len(faults) != 1 || !strings.Contains(faults[0], "no-trusted-proxies") {
		t.Errorf("without: %q", faults)
	}
	env["TLS_DOMAIN"] = "portal.example"
	if c, faults = load(t, env); faults != nil {
		t.Errorf("with TLS_DOMAIN: %q", faults)
	}
	if accepted, refused := c.Risks(); accepted != nil || refused != nil {
		t.Errorf("it takes the risks %v and %v", accepted, refused)
	}
}

// A program on the same machine asks where no certificate is needed.
func TestTLS_ProbesAskThePlainPort(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"": "http://127.0.0.1:80", "192.0.2.1:8080": "http://192.0.2.1:8080"} {
		env := complete()
		env["TLS_DOMAIN"], env["HTTP_ADDR"] = "portal.example", address
		if c, _ := load(t, env); c.Local() != want {
			t.Errorf("HTTP_ADDR=%s: %s, want %s", address, c.Local(), want)
		}
	}
}
