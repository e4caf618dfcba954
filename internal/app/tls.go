package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pantheon/internal/certificate"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/health"
)

// certificateFolder is the folder of the TLS certificates in the data folder.
const certificateFolder = "certificates"

// encryption holds the parts of a portal that terminates TLS itself; see config.TLS.
type encryption struct {
	keeper   *certificate.Keeper
	site     *url.URL
	plain    *http.Server // answers challenges of the certificate authority and redirects
	listener net.Listener // of plain
}

// newEncryption keeps the certificates of TLS_DOMAIN; it returns nil where a proxy serves https. probes answers /healthz and /readyz.
func newEncryption(b *base, probes http.Handler) (*encryption, error) {
	c := b.config.TLS
	if !c.Enabled() {
		return nil, nil
	}
	site, err := url.Parse(b.config.PublicURL)
	if err != nil {
		return nil, err
	}
	options := certificateOptions(b.config)
	options.Log, options.Clock, options.Metrics = b.log, b.clock, b.registry
	keeper, err := certificate.New(options)
	if err != nil {
		return nil, fmt.Errorf("certificates: %w", err)
	}
	b.replica["certificate"] = keeper.Run
	b.health.Add(health.Check{Name: "certificate", Run: keeper.Check})
	return &encryption{keeper: keeper, site: site, plain: &http.Server{
		Handler:     b.recovered(probed(probes, namedHost(c.Domains, keeper.Challenges(toEncrypted(site.Port()))))),
		ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 8 << 10, ErrorLog: log.New(serverLog{b.log}, "", 0),
	}}, nil
}

// certificateOptions are the options of the certificates that do not depend on a running portal.
func certificateOptions(c config.Config) certificate.Options {
	return certificate.Options{
		Domains: c.TLS.Domains, Email: c.TLS.Email, Directory: c.TLS.Directory, Folder: filepath.Join(c.DataDir, certificateFolder),
		Clock: clock.System{},
	}
}

// probed lets programs on the same machine or network, which ask by address, know whether the replica is ready, also while it has no
// certificate.
func probed(probes, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := netip.ParseAddr(hostOf(r))
		if err == nil && (r.URL.Path == "/healthz" || r.URL.Path == "/readyz") {
			probes.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// namedHost answers requests for hosts that are not among the names with 421 (RFC 9110, section 15.5.20).
func namedHost(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(names, hostOf(r)) {
			http.Error(w, "This server does not answer for that host.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns the host that a request is for, without its port.
func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
}

// toEncrypted redirects requests to the same address of the same host by https, on a port; "" for the usual one.
func toEncrypted(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		moveTo(w, r, withPort(hostOf(r), port))
	})
}

func withPort(host, port string) string {
	if port == "" {
		return host
	}
	return net.JoinHostPort(host, port)
}

// moveTo redirects a request to the same address of another host, by https. The answer keeps the method, and browsers remember it. It
// is built from path and query alone: a request may name a whole URL, or none.
func moveTo(w http.ResponseWriter, r *http.Request, host string) {
	to := url.URL{Scheme: "https", Host: host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
}

// oneHost serves requests for the site's own host, redirects those for the other names to it, and refuses all others: pages of another
// host are no pages of the site, and could not call it.
func (e *encryption) oneHost(names []string, next http.Handler) http.Handler {
	return namedHost(names, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hostOf(r) != e.site.Hostname() {
			moveTo(w, r, e.site.Host)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// listen listens for plain requests.
func (e *encryption) listen(c config.Config) (err error) {
	e.listener, err = listenOn("HTTP_ADDR", c.TLS.PlainAddr)
	return err
}

// listenOn listens on the address that a setting has. Connections wait until they are accepted.
func listenOn(setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	return l, explainListen(setting, err)
}

// explainListen says which setting has an address on which the program cannot listen, and what to do.
func explainListen(setting string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w: ports below 1024 need the capability CAP_NET_BIND_SERVICE. Set "+
			"AmbientCapabilities=CAP_NET_BIND_SERVICE in the service of systemd, run `setcap cap_net_bind_service=+ep` on the program, or "+
			"choose another port", setting, err)
	default:
		return fmt.Errorf("%s: %w", setting, err)
	}
}

// serve serves the site on its listener.
func (a *App) serve() error {
	l := a.gate.guard(a.listener)
	if a.encryption != nil {
		return unlessClosed(a.server.ServeTLS(l, "", ""))
	}
	return unlessClosed(a.server.Serve(l))
}

// servePlain serves the plain HTTP listener.
func (a *App) servePlain() error {
	return unlessClosed(a.encryption.plain.Serve(a.gate.guard(a.encryption.listener)))
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
