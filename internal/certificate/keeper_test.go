package certificate

import (
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) {
	http.DefaultTransport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: testkit.AuthorityTrust()}
	testkit.Main(m)
}

const domain = "portal.example"

// site is a Keeper with the listeners that an authority asks.
type site struct {
	*testing.T
	*Keeper
	options     Options
	clock       *clock.Fake
	log         *testkit.Log
	metrics     *prometheus.Registry
	plain, safe net.Listener
	handlers    atomic.Pointer[Keeper] // whom the listeners ask
}

// newSite returns a site whose keeper is not there yet; see open.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{T: t, clock: clock.NewFake(time.Now()), log: &testkit.Log{}, plain: listen(t), safe: listen(t)}
	s.options = Options{
		Domains: []string{domain}, Folder: filepath.Join(t.TempDir(), "certificates"), Clock: s.clock,
		Log: slog.New(slog.NewTextHandler(s.log, nil)),
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.handlers.Load().Challenges(http.NotFoundHandler()).ServeHTTP(w, r)
	}), ReadTimeout: time.Minute}
	go func() { _ = server.Serve(s.plain) }()
	encrypted := tls.NewListener(s.safe, &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		return s.handlers.Load().TLS(), nil
	}})
	go func() {
		for {
			conn, err := encrypted.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, conn) // until the other side closes
				_ = conn.Close()
			}()
		}
	}()
	t.Cleanup(func() { _ = errors.Join(server.Close(), s.safe.Close()) })
	return s
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open creates the keeper again, as a restart does.
func (s *site) open() {
	s.Helper()
	s.metrics = prometheus.NewRegistry()
	s.options.Metrics = s.metrics
	k, err := New(s.options)
	must(s.T, err)
	s.Keeper = k
	s.handlers.Store(k)
}

// authority starts an authority that checks the site's listeners.
func (s *site) authority() *testkit.Authority {
	s.Helper()
	a := testkit.StartAuthority(s.T, testkit.AuthorityOptions{HTTP: s.plain.Addr().String(), TLS: s.safe.Addr().String()})
	s.options.Directory = a.Directory
	return a
}

// unprovable starts an authority that cannot reach the site.
func (s *site) unprovable() *testkit.Authority {
	s.Helper()
	closed, err := testkit.FreeAddress()
	must(s.T, err)
	a := testkit.StartAuthority(s.T, testkit.AuthorityOptions{HTTP: closed, TLS: closed})
	s.options.Directory = a.Directory
	return a
}

// act lets the keeper do what is due after so much time.
func (s *site) act(after time.Duration) {
	s.Helper()
	s.clock.Advance(after)
	must(s.T, s.step(s.Context()))
}

// shake makes a handshake and returns the certificate that the site shows.
func (s *site) shake(c *tls.Config) (*x509.Certificate, error) {
	s.Helper()
	dialer := tls.Dialer{Config: c}
	conn, err := dialer.DialContext(s.Context(), "tcp", s.safe.Addr().String())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0], nil
}

// shown returns the certificate of the site, which must be the authority's.
func (s *site) shown(a *testkit.Authority) *x509.Certificate {
	s.Helper()
	c, err := s.shake(&tls.Config{ServerName: domain, RootCAs: a.Roots()})
	if err != nil {
		s.Fatalf("%v\n%s", err, s.log)
	}
	return c
}

// state is what /readyz says.
func (s *site) state() string {
	if err := s.Check(s.Context()); err != nil {
		return fault.As(err).Message
	}
	return "ok"
}

// expiry is the metric.
func (s *site) expiry() time.Duration {
	s.Helper()
	families, err := s.metrics.Gather()
	must(s.T, err)
	if len(families) != 1 || families[0].GetName() != "pantheon_certificate_expiry_seconds" {
		s.Fatalf("the metrics are %v", families)
	}
	return time.Duration(families[0].GetMetric()[0].GetGauge().GetValue() * float64(time.Second))
}

func near(a, b time.Duration) bool { return (a - b).Abs() < time.Minute }

const day = 24 * time.Hour

// Spec: RUN-29
func TestCertificate_IsOrderedOnceAndRenewed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	s.open()
	if got := s.state(); got != "there is none for portal.example" || s.expiry() != 0 {
		t.Errorf("before the first order: %q, %s", got, s.expiry())
	}
	s.act(0)
	first := s.shown(a)
	if got := s.state(); got != "ok" || !near(s.expiry(), 90*day) || a.Orders() != 1 {
		t.Errorf("after the first order: %q, %s, %d orders\n%s", got, s.expiry(), a.Orders(), s.log)
	}
	s.open() // a restart
	for range 10 {
		s.act(5 * day)
	}
	if c := s.shown(a); !c.Equal(first) || a.Orders() != 1 {
		t.Errorf("after 50 days and a restart it is another one, and there were %d orders", a.Orders())
	}
	s.act(10*day + time.Minute)
	second := s.shown(a)
	if second.Equal(first) || a.Orders() != 2 || s.state() != "ok" {
		t.Errorf("it is not renewed 30 days before its end: %d orders, %q\n%s", a.Orders(), s.state(), s.log)
	}
	if first.PublicKey.(*ecdsa.PublicKey).Equal(second.PublicKey) {
		t.Error("the key is the same one")
	}
	// By this clock, which leads the authority's by 60 days, the second one is due for renewal already.
	for range 20 {
		s.act(time.Hour)
	}
	if a.Orders() != 2 {
		t.Errorf("%d orders, want 2: one a day at most", a.Orders())
	}
}

func TestCertificate_IsProvedByTLSWhereThePlainPortIsClosed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	must(t, s.plain.Close())
	s.open()
	s.act(0)
	s.shown(a)
	if s.state() != "ok" || a.Orders() != 2 {
		t.Errorf("%q, %d orders", s.state(), a.Orders())
	}
	if _, err := s.shake(&tls.Config{ServerName: domain, NextProtos: []string{"acme-tls/1"}, RootCAs: a.Roots()}); err == nil {
		t.Error("the answer to a challenge outlives it")
	}
}

// Whoever makes handshakes does not decide how often the authority is asked: after both challenges have been tried the next order comes a
// minute later, then after four, sixteen and sixty.
// Spec: RUN-29
func TestCertificate_OrdersThatFailAreRare(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.unprovable()
	s.open()
	s.act(0)
	if got := s.state(); got != "there is none for portal.example" || a.Orders() != 2 {
		t.Errorf("after the first attempt: %q, %d orders", got, a.Orders())
	}
	for _, want := range []string{"level=ERROR", "http-01: acme: authorization error for portal.example", "tls-alpn-01: acme: ", "in=1m0s"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, s.log)
		}
	}
	orders := 2
	for _, wait := range []time.Duration{time.Minute, 4 * time.Minute, 16 * time.Minute, time.Hour, time.Hour} {
		for range 20 {
			if _, err := s.shake(&tls.Config{ServerName: domain}); err == nil {
				t.Fatal("a handshake without a certificate")
			}
		}
		s.act(wait - time.Second)
		if a.Orders() != orders {
			t.Errorf("%d orders before %s have passed, want %d", a.Orders(), wait, orders)
		}
		s.act(time.Second)
		if orders++; a.Orders() != orders {
			t.Errorf("%d orders after %s, want %d", a.Orders(), wait, orders)
		}
	}
	for range 5 { // as a program that fails and is started again
		s.open()
		s.act(10 * time.Second)
	}
	if a.Orders() != orders {
		t.Errorf("%d orders after restarts within a minute, want %d", a.Orders(), orders)
	}
	s.act(10 * time.Second)
	if a.Orders() != orders+2 {
		t.Errorf("%d orders a minute after the last one, want %d", a.Orders(), orders+2)
	}
}

// Spec: RUN-29
func TestCertificate_IsServedWhileTheAuthorityIsAway(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	s.open()
	s.act(0)
	first, roots := s.shown(a), a.Roots()
	a.Stop()
	s.act(61 * day)
	for range 20 {
		s.act(time.Minute)
	}
	if got := s.state(); got != "that of portal.example is not renewed, and ends in 28 days" {
		t.Errorf("in the last month: %q", got)
	}
	if n := strings.Count(s.log.String(), "no certificate from the authority, trying again"); n != 1 {
		t.Errorf("%d lines say so: %s", n, s.log)
	}
	for _, want := range []string{"level=WARN", "connection refused", "in=5s", "domain=portal.example"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, s.log)
		}
	}
	s.act(29 * day)
	s.open() // a restart
	s.act(0)
	if got := s.state(); got != "that of portal.example has ended" || s.expiry() > 0 {
		t.Errorf("after its end: %q, %s", got, s.expiry())
	}
	if c, err := s.shake(&tls.Config{ServerName: domain, RootCAs: roots}); err != nil || !c.Equal(first) {
		t.Errorf("it is not served: %v", err)
	}
	s.clock.Advance(-30 * day) // the authority's own clock stands still meanwhile
	s.open()
	a.Start()
	s.act(time.Minute)
	if c := s.shown(a); c.Equal(first) || s.state() != "ok" {
		t.Errorf("it is not renewed: %q\n%s", s.state(), s.log)
	}
}

// Spec: RUN-29
func TestCertificate_LimitsOfTheAuthorityAreHeeded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	target, err := url.Parse(a.Directory)
	must(t, err)
	var asked, refused atomic.Int64
	refused.Store(1)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host // Host stays: answers name the proxy's address
	}}
	certificate := testkit.AuthorityCertificate()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/order-plz") {
			if asked.Add(1); refused.Add(-1) >= 0 {
				w.Header().Set("Content-Type", "application/problem+json")
				w.Header().Set("Retry-After", "10800")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = io.WriteString(w, `{"type":"urn:ietf:params:acme:error:rateLimited","detail":"too many certificates"}`)
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	t.Cleanup(func() {
		server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	s.options.Directory = server.URL + "/dir"
	s.open()
	s.act(0)
	s.act(3*time.Hour - time.Second)
	if asked.Load() != 1 || !strings.Contains(s.log.String(), "too many certificates") || !strings.Contains(s.log.String(), "in=3h0m0s") {
		t.Errorf("it was asked %d times within the limit: %s", asked.Load(), s.log)
	}
	s.act(time.Second)
	s.shown(a)
}

// Spec: RUN-29
func TestCertificate_OtherNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.options.Domains = []string{domain, "www.portal.example"}
	a := s.authority()
	s.open()
	s.act(0)
	s.shown(a)
	for _, name := range []string{"PORTAL.Example", "www.portal.example"} {
		if _, err := s.shake(&tls.Config{ServerName: name, RootCAs: a.Roots()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for what, c := range map[string]*tls.Config{
		"another host": {ServerName: "other.example"}, "a host below": {ServerName: "a.portal.example"}, "no name": {},
		"an address": {ServerName: "127.0.0.1"}, "a path": {ServerName: "../account.key"},
		"another host's challenge": {ServerName: "other.example", NextProtos: []string{"acme-tls/1"}},
		"no challenge":             {ServerName: domain, NextProtos: []string{"acme-tls/1"}},
	} {
		c.InsecureSkipVerify = true
		if _, err := s.shake(c); err == nil || !strings.Contains(err.Error(), "unrecognized name") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for want, c := range map[string]*tls.Config{
		"protocol version not supported": {MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11},
		"handshake failure": { // a client that knows RSA only
			MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256},
		},
	} {
		c.ServerName, c.RootCAs = domain, a.Roots()
		if _, err := s.shake(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s.act(time.Hour)
	if a.Orders() != 2 {
		t.Errorf("%d orders for two hosts", a.Orders())
	}
}

func TestCertificate_FilesAreForThisUserAndThisAuthority(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	must(t, os.MkdirAll(s.options.Folder, 0o755))
	a := s.authority()
	s.open()
	s.act(0)
	first := s.shown(a)
	var names []string
	must(t, filepath.WalkDir(s.options.Folder, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		info, err := e.Info()
		must(t, err)
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s is %s", path, info.Mode())
		}
		if !e.IsDir() {
			names = append(names, e.Name())
		}
		return nil
	}))
	if got := strings.Join(names, " "); got != "account.key portal.example.ordered portal.example.pem" {
		t.Errorf("the files are %s", got)
	}
	address := strings.TrimSuffix(strings.TrimPrefix(a.Directory, "https://"), "/dir")
	folder := filepath.Join(s.options.Folder, strings.ReplaceAll(address, ":", "-"))

	must(t, os.WriteFile(filepath.Join(folder, "portal.example.pem"), []byte("damaged"), 0o600))
	s.open()
	if !strings.Contains(s.log.String(), "the stored certificate cannot be used; another one is ordered") {
		t.Errorf("the log does not tell of the damage: %s", s.log)
	}
	s.act(time.Minute)
	if s.shown(a).Equal(first) {
		t.Error("a damaged certificate is shown")
	}

	other := s.authority()
	s.open()
	if s.state() != "there is none for portal.example" {
		t.Errorf("another authority's certificate is used: %q", s.state())
	}
	s.act(0)
	s.shown(other)

	must(t, os.WriteFile(filepath.Join(folder, "account.key"), []byte("damaged"), 0o600))
	s.options.Directory = a.Directory
	if _, err := New(s.options); err == nil || !strings.Contains(err.Error(), "account.key is damaged; without it another account is made") {
		t.Errorf("a damaged account: %v", err)
	}
	s.options.Folder = filepath.Join(folder, "account.key") // no folder
	if _, err := New(s.options); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a folder that cannot be made: %v", err)
	}
}

// Where the certificate could not be kept, none is ordered.
func TestCertificate_NoneIsOrderedThatCannotBeKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	s.open()
	must(t, os.RemoveAll(s.options.Folder))
	s.act(0)
	s.act(time.Minute)
	if a.Orders() != 0 || !strings.Contains(s.log.String(), "no such file or directory") {
		t.Errorf("%d orders: %s", a.Orders(), s.log)
	}
}

func TestCertificate_OrdersEndWithTheProgram(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	silent := listen(t) // accepts connections and answers nothing
	t.Cleanup(func() { _ = silent.Close() })
	s.options.Directory = "https://" + silent.Addr().String() + "/dir"
	s.open()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Keeper.Run(ctx) }()
	conn, err := silent.Accept()
	must(t, err)
	defer func() { _ = conn.Close() }()
	cancel()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for the authority")
	}
	if s.log.String() != "" {
		t.Errorf("it logs %s", s.log)
	}
}

func TestExamine_TellsWhatIsMissingAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.authority()
	s.options.Domains = []string{"localhost.invalid"}
	notes, err := Examine(t.Context(), s.options)
	if err != nil || len(notes) != 2 || notes[0] != "there is none for localhost.invalid yet: pantheon serve orders it" ||
		!strings.HasPrefix(notes[1], "localhost.invalid does not resolve, so the authority cannot check it: ") {
		t.Errorf("before the first start: %q, %v", notes, err)
	}
	if _, err := os.Stat(s.options.Folder); !errors.Is(err, fs.ErrNotExist) || a.Orders() != 0 {
		t.Errorf("the folder was made, %v, or one of %d orders", err, a.Orders())
	}
	s.options.Domains = []string{"localhost"}
	s.open()
	s.act(0)
	if notes, err := Examine(t.Context(), s.options); err != nil || notes != nil {
		t.Errorf("with a certificate: %q, %v", notes, err)
	}
	s.clock.Advance(91 * day)
	notes, err = Examine(t.Context(), s.options)
	if err != nil || len(notes) != 1 || !strings.HasPrefix(notes[0], "that of localhost has ended at 20") {
		t.Errorf("after its end: %q, %v", notes, err)
	}
	a.Stop()
	if _, err := Examine(t.Context(), s.options); err == nil || !strings.HasPrefix(err.Error(), "TLS_ACME_URL: ") {
		t.Errorf("without the authority: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	s.options.Folder = filepath.Join(file, "certificates")
	if _, err := Examine(t.Context(), s.options); err == nil || !strings.HasPrefix(err.Error(), "write to "+file) {
		t.Errorf("a folder that cannot be made: %v", err)
	}
}
