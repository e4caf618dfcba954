// Package woocommerce_test holds the development shop against WooCommerce's own client, and the portal's protected data against
// PHP.
package woocommerce_test

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestDevelopmentShop_IsWhatTheVendorsClientExpects(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join("node_modules", "@woocommerce")); err != nil {
		t.Fatal("the vendor's client is missing: run `npm ci --ignore-scripts --prefix test/contract/woocommerce`")
	}
	products := testkit.Catalogue(t, "")
	hooks := testkit.Webhooks(t, func(context.Context, string, string, []byte) error { return nil })
	server := httptest.NewUnstartedServer(nil)
	shop, err := devshop.New(devshop.Options{
		URL: "https://shop.example", Key: "key", Secret: "secret", Currency: "EUR", Catalogue: func() *webstore.Catalogue { return products },
		Clock: clock.System{}, HTTP: hooks.Client(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = shop
	server.StartTLS() // over http the client signs its calls by OAuth, which shops do not need over https
	t.Cleanup(func() { shop.Wait(); server.Close() })
	for range 2 {
		shop.Place(devshop.NewOrder{Lines: []devshop.NewLine{{Variation: 101, Quantity: 1}}})
	}
	id := shop.Place(devshop.NewOrder{Reference: "id.signature", Lines: []devshop.NewLine{{Variation: 201, Quantity: 2}}})
	shop.SetStatus(id, "processing")
	o, _ := shop.Order(id)
	shop.Refund(id, map[int64]int64{o.Lines[0].ID: 1})

	authority := filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "", "node", []string{
		"SHOP_URL=" + server.URL, "HOOK_URL=" + hooks.URL, "ORDER=" + strconv.FormatInt(id, 10), "NODE_EXTRA_CA_CERTS=" + authority,
	}, "client.mjs")
}

// run runs a program and returns its output.
func run(t *testing.T, input, program string, env []string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env, cmd.Stdin = append(os.Environ(), env...), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// snippet is the PHP code in the documentation.
var snippet = regexp.MustCompile("(?s)```php\n(function pantheon_player.*?)```")

func TestProtectedData_IsReadByTheDocumentedPHP(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/woocommerce.md")
	if err != nil {
		t.Fatal(err)
	}
	code := snippet.FindSubmatch(text)
	if code == nil {
		t.Fatal("docs/woocommerce.md has no function pantheon_player")
	}
	key := []byte("0123456789abcdef0123456789abcdef")
	protector := func(key string, at time.Time) *profile.Protector {
		p, err := profile.NewProtector([]byte(key), clock.NewFake(at))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	seal := func(p *profile.Protector, purpose string) string {
		sealed, err := p.Seal(purpose, "0123456789ABCDEF", "0123456789ABCDEF")
		if err != nil {
			t.Fatal(err)
		}
		return sealed
	}
	good := seal(protector(string(key), time.Now()), "shop")
	tampered := []byte(good)
	tampered[20] ^= 1
	for what, c := range map[string]struct{ data, want string }{
		"what the portal encrypts": {good, "0123456789ABCDEF"},
		"expired":                  {seal(protector(string(key), time.Now().Add(-61*time.Minute)), "shop"), "null"},
		"of another purpose":       {seal(protector(string(key), time.Now()), "exchange"), "null"},
		"of another key":           {seal(protector("another key of thirty-two bytes.", time.Now()), "shop"), "null"},
		"tampered with":            {string(tampered), "null"},
		"cut off":                  {good[:30], "null"},
		"empty":                    {"", "null"},
		"not base64":               {"%%%", "null"},
	} {
		script := "<?php\n" + string(code[1]) + "\necho pantheon_player($argv[1], $argv[2]) ?? 'null';\n"
		file := filepath.Join(t.TempDir(), "read.php")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, "", "php", nil, "-d", "error_reporting=E_ALL", "-d", "display_errors=1", file, c.data, base64.StdEncoding.EncodeToString(key)); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
