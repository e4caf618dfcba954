// Package tls_test proves that the built program serves https by itself: it gets certificates from Pebble, Let's Encrypt's authority for
// tests, keeps and renews them.
package tls_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	host        = "portal.example"
	waitTimeout = time.Minute
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func address(t *testing.T) string {
	t.Helper()
	a, err := testkit.FreeAddress()
	must(t, err)
	return a
}

// portal is `pantheon serve` with https by itself. Its chains do not answer.
type portal struct {
	*testing.T
	encrypted, plain, metrics string // addresses
	url                       string
	authority                 *testkit.Authority
	roots                     *x509.CertPool
	client                    *http.Client
	program                   string
	env                       []string
	log                       testkit.Log
	cmd                       *exec.Cmd
	exited                    chan error
}

// newPortal returns a portal that does not run yet, and starts an authority that checks its ports.
func newPortal(t *testing.T, life time.Duration) *portal {
	t.Helper()
	p := &portal{T: t, encrypted: address(t), plain: address(t), metrics: address(t)}
	p.authority = testkit.StartAuthority(t, testkit.AuthorityOptions{HTTP: p.plain, TLS: p.encrypted, Life: life})
	p.roots = p.authority.Roots()
	_, port, err := net.SplitHostPort(p.encrypted)
	must(t, err)
	p.url = "https://" + host + ":" + port
	transport := &http.Transport{
		DialContext: p.dial, ForceAttemptHTTP2: true,
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return p.shake(ctx, &tls.Config{NextProtos: []string{"h2", "http/1.1"}})
		},
	}
	p.client = &http.Client{
		Transport: transport, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	root, err := brandtest.Root()
	must(t, err)
	p.program = filepath.Join(root, "bin", "pantheon")
	p.env = append(os.Environ(), settings(t, map[string]string{
		"TLS_DOMAIN": host + ",www." + host, "TLS_ACME_URL": p.authority.Directory, "TLS_EMAIL": "admin@" + host,
		"LISTEN_ADDR": p.encrypted, "HTTP_ADDR": p.plain, "METRICS_ADDR": p.metrics, "PUBLIC_URL": p.url, "DRAIN_TIME": "5s",
		"SSL_CERT_FILE": p.authority.Trust, "LIMIT_READS": "0",
	})...)
	out, err := p.command("key", "init", "--reason=test").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		p.stop()
		if t.Failed() {
			t.Logf("the portal: %s", &p.log)
		}
	})
	return p
}

// settings are those of a portal whose chains do not answer.
func settings(t *testing.T, more map[string]string) (env []string) {
	t.Helper()
	values := map[string]string{
		"ENVIRONMENT": "test", "DATA_DIR": t.TempDir(), "SPONSOR_NEEDS": "none", "GAME_CHAIN_RPC_URL": "http://127.0.0.1:1",
		"MAIN_CHAIN_RPC_URL": "http://127.0.0.1:1", "BEACON_URL": "http://127.0.0.1:1",
		"TOKEN_SECRET": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
	}
	for i, v := range config.Variables(brandtest.Pantheon()) {
		switch {
		case strings.HasSuffix(v.Name, "_ADDRESS"):
			values[v.Name] = fmt.Sprintf("0x%040x", i+1)
		case strings.HasSuffix(v.Name, "_PRIVATE_KEY") && v.Name != "TREASURY_PRIVATE_KEY":
			values[v.Name] = fmt.Sprintf("0x%064x", i+1)
			key, err := crypto.HexToECDSA(values[v.Name][2:])
			must(t, err)
			values[strings.TrimSuffix(v.Name, "_PRIVATE_KEY")+"_BACKEND_WALLET"] = crypto.PubkeyToAddress(key.PublicKey).Hex()
		}
	}
	maps.Copy(values, more)
	for name, value := range values {
		env = append(env, name+"="+value)
	}
	return env
}

func (p *portal) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(p.Context()), p.program, args...)
	cmd.Env = p.env
	return cmd
}

// start starts the program and waits until it redirects plain requests.
func (p *portal) start() {
	p.Helper()
	p.cmd, p.exited = p.command("serve"), make(chan error, 1)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	must(p.T, p.cmd.Start())
	go func(cmd *exec.Cmd, exited chan error) { exited <- cmd.Wait() }(p.cmd, p.exited)
	testkit.Eventually(p.T, waitTimeout, func() bool {
		select {
		case err := <-p.exited:
			p.cmd = nil
			p.Fatalf("the portal ended: %v", err)
		default:
		}
		status, _, _ := p.get("http://" + host + "/")
		return status == http.StatusPermanentRedirect
	}, "the portal does not answer plain requests")
}

// stop stops the program as an operator does.
func (p *portal) stop() {
	p.Helper()
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(waitTimeout):
		_ = p.cmd.Process.Kill()
		<-p.exited
		p.Error("the portal does not end")
	}
	p.cmd = nil
}

// dial connects to the plain port, whatever the name.
func (p *portal) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", p.plain)
}

// shake connects to the encrypted port as a browser does that asks for the site.
func (p *portal) shake(ctx context.Context, c *tls.Config) (*tls.Conn, error) {
	c.ServerName, c.RootCAs = host, p.roots
	conn, err := (&tls.Dialer{Config: c}).DialContext(ctx, "tcp", p.encrypted)
	if err != nil {
		return nil, err
	}
	return conn.(*tls.Conn), nil
}

// get returns an answer; status 0 for none.
func (p *portal) get(address string) (status int, response *http.Response, body string) {
	p.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(p.Context()), http.MethodGet, address, nil)
	must(p.T, err)
	response, err = p.client.Do(request)
	if err != nil {
		return 0, nil, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, ""
	}
	return response.StatusCode, response, string(text)
}

// served waits until the site is served, and returns its certificate.
func (p *portal) served() *x509.Certificate {
	p.Helper()
	var shown *x509.Certificate
	testkit.Eventually(p.T, waitTimeout, func() bool {
		shown = p.certificate()
		return shown != nil
	}, "there is no certificate:\n%s", &p.log)
	return shown
}

// certificate returns the certificate that is shown; nil for none.
func (p *portal) certificate() *x509.Certificate {
	p.Helper()
	conn, err := p.shake(context.WithoutCancel(p.Context()), &tls.Config{})
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }()
	return conn.ConnectionState().PeerCertificates[0]
}

// state is what /readyz says of the certificates.
func (p *portal) state() string {
	p.Helper()
	var report struct{ Checks map[string]string }
	_, _, body := p.get(p.url + "/readyz")
	_ = json.Unmarshal([]byte(body), &report) // "" then
	return report.Checks["certificate"]
}

// expiry is the metric of the site's certificate, in seconds.
func (p *portal) expiry() float64 {
	p.Helper()
	response, err := http.Get("http://" + p.metrics + "/metrics")
	must(p.T, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(p.T, err)
	http.DefaultClient.CloseIdleConnections()
	m := regexp.MustCompile(`(?m)^pantheon_certificate_expiry_seconds\{domain="portal.example"\} (\S+)$`).FindStringSubmatch(string(text))
	if m == nil {
		p.Fatal("there is no metric of the certificate")
	}
	seconds, err := strconv.ParseFloat(m[1], 64)
	must(p.T, err)
	return seconds
}

// Spec: RUN-29, API-7
func TestTLS_TheSiteIsServedWithACertificateThatOutlivesRestarts(t *testing.T) {
	t.Parallel()
	p := newPortal(t, 0)
	p.start()
	first := p.served()
	testkit.Eventually(t, waitTimeout, func() bool { return p.state() == "ok" }, "the part does not work")
	if s := p.expiry(); s < 89*24*3600 || s > 90*24*3600 {
		t.Errorf("it ends in %f seconds", s)
	}
	for _, path := range []string{"/", "/kod-marketplace", "/api/config"} {
		status, response, _ := p.get(p.url + path)
		if status != http.StatusOK || response.ProtoMajor != 2 || response.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s: %d, %+v", path, status, response)
		}
	}
	for from, want := range map[string]string{
		"http://portal.example/news?a=b": p.url + "/news?a=b", "http://www.portal.example/": strings.Replace(p.url, "://", "://www.", 1) + "/",
	} {
		if status, response, _ := p.get(from); status != http.StatusPermanentRedirect || response.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", from, status, response.Header.Get("Location"), want)
		}
	}
	for from, want := range map[string]int{
		"http://evil.example/": http.StatusMisdirectedRequest, "http://portal.example/.well-known/acme-challenge/token": http.StatusNotFound,
		"http://evil.example/.well-known/acme-challenge/token":               http.StatusMisdirectedRequest,
		"http://portal.example/.well-known/acme-challenge/../../account.key": http.StatusNotFound,
	} {
		if status, _, _ := p.get(from); status != want {
			t.Errorf("%s: %d, want %d", from, status, want)
		}
	}
	p.connect()
	check, _ := p.command("check").CombinedOutput() // the chains fail
	if !regexp.MustCompile(`(?m)^certificate +portal.example does not resolve`).Match(check) {
		t.Errorf("check says %s", check)
	}

	p.restart()
	if again := p.served(); !again.Equal(first) || p.authority.Orders() != 2 {
		t.Errorf("after a restart there were %d orders for two hosts", p.authority.Orders())
	}
}

// connect opens a realtime connection as browsers do: by HTTP/1.1 on a connection of its own.
func (p *portal) connect() {
	p.Helper()
	var player, access struct{ Token, URL string }
	const hera = `{"email":"hera@olympus.example","displayName":"Hera","password":"thunder and rain"}`
	p.call(http.MethodPost, "/api/auth/register", "", hera, &player)
	p.call(http.MethodGet, "/api/auth/pubSubAccessToken", player.Token, "", &access)
	u, err := url.Parse(access.URL)
	must(p.T, err)
	if u.Host != strings.TrimPrefix(p.url, "https://") || u.Scheme != "wss" && u.Scheme != "https" {
		p.Errorf("the channel is at %s://%s", u.Scheme, u.Host)
	}
	u.Scheme = "wss"
	dialer := ws.Dialer{
		Protocols: []string{"json.reliable.webpubsub.azure.v1"}, Header: ws.HandshakeHeaderHTTP{"Origin": {p.url}},
		NetDial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, p.encrypted)
		},
		TLSConfig: &tls.Config{RootCAs: p.roots, NextProtos: []string{"http/1.1"}},
	}
	conn, _, _, err := dialer.Dial(p.Context(), u.String())
	must(p.T, err)
	defer func() { _ = conn.Close() }()
	must(p.T, conn.SetDeadline(time.Now().Add(waitTimeout)))
	hello, err := wsutil.ReadServerText(conn)
	if err != nil || !strings.Contains(string(hello), `"event":"connected"`) {
		p.Errorf("greeted with %s, %v", hello, err)
	}
	must(p.T, wsutil.WriteClientText(conn, []byte(`{"type":"ping"}`)))
	if pong, err := wsutil.ReadServerText(conn); err != nil || !strings.Contains(string(pong), `"pong"`) {
		p.Errorf("a ping is answered with %s, %v", pong, err)
	}
}

// call makes a call that succeeds.
func (p *portal) call(method, path, token, body string, out any) {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, p.url+path, strings.NewReader(body))
	must(p.T, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", token)
	response, err := p.client.Do(request)
	must(p.T, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(p.T, err)
	if response.StatusCode/100 != 2 || json.Unmarshal(text, out) != nil {
		p.Fatalf("%s: %d %s", path, response.StatusCode, text)
	}
}

// restart stops the program under requests and starts it again. While it stops, it answers on both ports for DRAIN_TIME.
func (p *portal) restart() {
	p.Helper()
	must(p.T, p.cmd.Process.Signal(syscall.SIGTERM))
	testkit.Eventually(p.T, waitTimeout, func() bool {
		status, _, _ := p.get(p.url + "/readyz")
		return status == http.StatusServiceUnavailable
	}, "it does not say that it stops")
	for range 5 {
		plain, _, _ := p.get("http://portal.example/")
		if status, _, _ := p.get(p.url + "/api/config"); status != http.StatusOK || plain != http.StatusPermanentRedirect {
			p.Errorf("while it stops: %d, and plain %d", status, plain)
		}
	}
	p.stop()
	p.start()
}

// Spec: RUN-29
func TestTLS_ThePlainPortMayBeClosed(t *testing.T) {
	t.Parallel()
	p := newPortal(t, 0)
	p.plain = address(t) // another one than the authority asks
	p.env = append(p.env, "HTTP_ADDR="+p.plain, "TLS_DOMAIN="+host)
	p.start()
	p.served()
	if p.authority.Orders() != 2 {
		t.Errorf("%d orders, want one for each challenge", p.authority.Orders())
	}
}

// Spec: RUN-29
func TestTLS_StartsWithoutTheAuthority(t *testing.T) {
	t.Parallel()
	p := newPortal(t, 0)
	p.authority.Stop()
	p.start()
	if conn, err := p.shake(t.Context(), &tls.Config{}); err == nil {
		_ = conn.Close()
		t.Error("a handshake without a certificate")
	}
	out, err := p.command("health").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "certificate: there is none for portal.example\n") {
		t.Errorf("pantheon health says %s: %v", out, err)
	}
	const line = `msg="no certificate from the authority, trying again" domain=portal.example`
	testkit.Eventually(t, waitTimeout, func() bool { return strings.Contains(p.log.String(), line) }, "the log does not tell")
	p.authority.Start()
	p.roots = p.authority.Roots()
	p.served()
	testkit.Eventually(t, waitTimeout, func() bool { return p.state() == "ok" }, "the part does not work again")
	if n := strings.Count(p.log.String(), line); n != 1 {
		t.Errorf("%d lines tell", n)
	}
}

// A certificate is renewed while the site is served, and who says nothing on either port is disconnected meanwhile.
// Spec: RUN-29, API-6
func TestTLS_CertificatesAreRenewed(t *testing.T) {
	t.Parallel()
	p := newPortal(t, 36*time.Second)
	p.start()
	first := p.served()
	var silent []net.Conn
	for _, address := range []string{p.plain, p.encrypted} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		must(t, err)
		defer func() { _ = conn.Close() }()
		silent = append(silent, conn)
	}
	tick := time.NewTicker(250 * time.Millisecond) // a handshake costs the processor more than an order
	defer tick.Stop()
	testkit.Eventually(t, waitTimeout, func() bool {
		<-tick.C
		c := p.certificate()
		if c == nil {
			t.Fatal("a handshake fails meanwhile")
		}
		return !c.Equal(first)
	}, "it is not renewed")
	for _, conn := range silent {
		must(t, conn.SetReadDeadline(time.Now().Add(15*time.Second)))
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("who says nothing stays connected: %v", err)
		}
	}
	if second := p.certificate(); second == nil || second.NotAfter.Sub(first.NotAfter) < 10*time.Second {
		t.Errorf("the second certificate is %v", second)
	}
}
