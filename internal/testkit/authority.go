package testkit

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// AuthorityOptions configure a certificate authority.
type AuthorityOptions struct {
	HTTP, TLS string        // addresses at which it checks http-01 and tls-alpn-01 challenges of any host
	Life      time.Duration // of its certificates; 90 days when zero
}

// Authority is Let's Encrypt's Pebble, a certificate authority that speaks ACME, running until the test ends. Every host has the address
// 127.0.0.1 for it.
type Authority struct {
	Directory string // URL of its directory
	Trust     string // file of the certificate by which its own address is trusted

	t          testing.TB
	management string
	config     string
	dns        string
	cmd        *exec.Cmd
	log        Log
}

// authorityIdentity is the certificate of authorities' addresses, with its key, as PEM.
var authorityIdentity = sync.OnceValues(func() (certificate, key []byte) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "testkit"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		panic(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
})

// AuthorityCertificate is the certificate of authorities' addresses, for a test that puts something between one and its client.
func AuthorityCertificate() tls.Certificate {
	pair, err := tls.X509KeyPair(authorityIdentity())
	if err != nil {
		panic(err)
	}
	return pair
}

// AuthorityTrust are the certificates by which the addresses of authorities are trusted, for tests that ask one in this process.
func AuthorityTrust() *x509.CertPool {
	certificate, _ := authorityIdentity()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return pool
}

// StartAuthority starts an authority; scripts/tools installs it.
func StartAuthority(t testing.TB, o AuthorityOptions) *Authority {
	t.Helper()
	dir := t.TempDir()
	a := &Authority{t: t, Trust: filepath.Join(dir, "trust.pem"), config: filepath.Join(dir, "pebble.json")}
	addresses := make([]string, 4)
	for i := range addresses {
		var err error
		if addresses[i], err = FreeAddress(); err != nil {
			t.Fatal(err)
		}
	}
	listen := addresses[0]
	a.Directory, a.management, a.dns = "https://"+listen+"/dir", "https://"+addresses[1], addresses[2]
	if o.Life == 0 {
		o.Life = 90 * 24 * time.Hour
	}
	certificate, key := authorityIdentity()
	keyFile := filepath.Join(dir, "key.pem")
	settings, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": addresses[1], "certificate": a.Trust, "privateKey": keyFile,
		"httpPort": port(t, o.HTTP), "tlsPort": port(t, o.TLS), "retryAfter": map[string]int{"authz": 1, "order": 1},
		"profiles": map[string]any{"default": map[string]any{"validityPeriod": int(o.Life.Seconds())}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{a.Trust: certificate, keyFile: key, a.config: settings} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := a.run("pebble-challtestsrv", "-defaultIPv4=127.0.0.1", "-defaultIPv6=", "-dnsserver="+a.dns, "-management="+addresses[3],
		"-http01=", "-https01=", "-tlsalpn01=", "-doh=")
	t.Cleanup(func() {
		a.Stop()
		end(names)
		if t.Failed() {
			text := a.log.String()
			t.Logf("Pebble: …%s", text[max(0, len(text)-4000):])
		}
	})
	Eventually(t, 30*time.Second, func() bool { return listens(a.dns) }, "the authority's DNS does not answer")
	a.Start()
	return a
}

func port(t testing.TB, address string) int {
	t.Helper()
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func listens(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// run starts a program of .tools.
func (a *Authority) run(name string, args ...string) *exec.Cmd {
	a.t.Helper()
	program := filepath.Join(root(), ".tools", name)
	if _, err := os.Stat(program); err != nil {
		a.t.Fatalf("%s is missing: run `scripts/tools pebble pebble-challtestsrv`", program)
	}
	cmd := exec.CommandContext(context.WithoutCancel(a.t.Context()), program, args...)
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_AUTHZREUSE=0") // at once, and each order checks anew
	cmd.Stdout, cmd.Stderr = &a.log, &a.log
	if err := cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	return cmd
}

func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
}

// Start starts an authority that was stopped, at the same address. It has forgotten accounts and orders, and has other roots.
func (a *Authority) Start() {
	a.t.Helper()
	a.cmd = a.run("pebble", "-config", a.config, "-dnsserver", a.dns)
	Eventually(a.t, 30*time.Second, func() bool { return a.get("/roots/0") != nil }, "the authority does not answer: %s", &a.log)
}

// Stop stops the authority.
func (a *Authority) Stop() {
	if a.cmd != nil {
		end(a.cmd)
		a.cmd = nil
	}
}

// get returns what the management interface answers; nil for a failure.
func (a *Authority) get(path string) []byte {
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: AuthorityTrust()}, DisableKeepAlives: true}}
	response, err := client.Get(a.management + path)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return nil
	}
	return text
}

// Roots are the roots of what the authority issues.
func (a *Authority) Roots() *x509.CertPool {
	a.t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(bytes.TrimSpace(a.get("/roots/0"))) {
		a.t.Fatal("testkit: the authority has no root")
	}
	return pool
}

// Orders returns how many orders there were since the first start.
func (a *Authority) Orders() int { return strings.Count(a.log.String(), "Added order ") }
