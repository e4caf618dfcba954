package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"pantheon/internal/kit/email"
)

// TLS configures the portal to terminate TLS itself, with certificates obtained by ACME (RFC 8555).
type TLS struct {
	// Comma-separated host names for which pantheon serve terminates TLS, on one machine. It obtains certificates by ACME and keeps them in
	// DATA_DIR/certificates. Where it is set, LISTEN_ADDR is :443 by default; empty where a proxy terminates TLS.
	Domains []string `env:"TLS_DOMAIN"`
	// Email address that the certificate authority may write to; empty for none.
	Email string `env:"TLS_EMAIL"`
	// ACME directory of the certificate authority, whose terms of service setting TLS_DOMAIN accepts.
	Directory string `env:"TLS_ACME_URL" envDefault:"https://acme-v02.api.letsencrypt.org/directory"`
	// Address on which, with TLS_DOMAIN, the certificate authority's http-01 challenges are answered, and /healthz and /readyz for whoever
	// asks by address; all else is redirected to https. The authority asks on port 80.
	PlainAddr string `env:"HTTP_ADDR" envDefault:":80"`
}

// Enabled reports whether the portal terminates TLS itself.
func (t *TLS) Enabled() bool { return len(t.Domains) > 0 }

// hostNames maps names as browsers do (UTS 46) and refuses what no host name has.
var hostNames = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.VerifyDNSLength(true))

// complete brings the host names into the form in which browsers send them, each once.
func (t *TLS) complete() {
	var names []string
	for _, name := range t.Domains {
		name = strings.TrimSuffix(strings.TrimSpace(name), ".")
		if ascii, err := hostNames.ToASCII(name); err == nil {
			name = ascii
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t.Domains = names
}

func (t *TLS) check(f *faults, publicURL, listen string) {
	if !t.Enabled() {
		return
	}
	wrong := slices.ContainsFunc(t.Domains, func(name string) bool {
		_, noAddress := netip.ParseAddr(name)
		ascii, err := hostNames.ToASCII(name)
		return err != nil || ascii != name || noAddress == nil || !strings.Contains(name, ".")
	})
	f.check(!wrong, "TLS_DOMAIN", "must be host names such as portal.example, without port, address or asterisk")
	f.check(t.Email == "" || email.Fault(t.Email) == "", "TLS_EMAIL", "must be an address such as admin@example.com")
	f.check(isURL(t.Directory, "https"), "TLS_ACME_URL", "must be an https:// address")
	site, err := url.Parse(publicURL)
	f.check(err == nil && site.Scheme == "https" && slices.Contains(t.Domains, site.Hostname()), "PUBLIC_URL",
		"must be the https:// address of a host that TLS_DOMAIN names")
	f.check(isAddress(t.PlainAddr), "HTTP_ADDR", "must be host:port")
	f.check(t.PlainAddr != listen, "HTTP_ADDR", "must differ from LISTEN_ADDR")
}
