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
	"pantheon/internal/kit/keyset"
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

// hooks are the PHP code of the hooks in the documentation, and snippet that of the decryption.
var (
	hooks   = regexp.MustCompile("(?s)```php\n(function pantheon_remember_reference.*?)```")
	snippet = regexp.MustCompile("(?s)```php\n(function pantheon_player.*?)```")
)

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
		p, err := profile.NewProtector(keyset.Keys{[]byte(key)}, clock.NewFake(at))
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
		if got := run(t, "", "php", nil, "-d", "error_reporting=E_ALL", "-d", "display_errors=1", file, c.data,
			base64.StdEncoding.EncodeToString(key)); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// wordpress is as much of WordPress and WooCommerce as the hooks need. Its session is a file, so that each request is a process of its
// own, as on a server. The Store API's checkout passes the order and the request to its hook and saves the order afterwards, and does
// not run the classic checkout's; see StoreApi/Utilities/CheckoutTrait.php and includes/class-wc-checkout.php.
const wordpress = `<?php
declare(strict_types=1);
$hooks = [];
function add_action(string $name, callable $callback, int $priority = 10, int $accepted = 1): void {
    $GLOBALS['hooks'][$name][] = [$callback, $accepted];
}
function do_action(string $name, ...$arguments): void {
    foreach ($GLOBALS['hooks'][$name] ?? [] as [$callback, $accepted]) {
        $callback(...array_slice($arguments, 0, $accepted));
    }
}
function sanitize_text_field(string $text): string { return trim(strip_tags($text)); }
function wp_unslash(string $text): string { return stripslashes($text); }
class WC_Order {
    private array $pending = [];
    public array $saved = [];
    public function update_meta_data(string $key, string $value): void { $this->pending[$key] = $value; }
    public function save(): void { $this->saved = $this->pending; }
}
class WP_REST_Request {}
class WC_Session_Handler {
    private bool $cookie = false;
    public function __construct(private string $file) {}
    public function has_session(): bool { return $this->cookie || is_file($this->file); }
    public function set_customer_session_cookie(bool $set): void { $this->cookie = $set; }
    private function data(): array { return is_file($this->file) ? json_decode(file_get_contents($this->file), true) : []; }
    public function get(string $key) { return $this->data()[$key] ?? null; }
    public function set(string $key, string $value): void {
        if ($this->has_session()) { file_put_contents($this->file, json_encode([$key => $value] + $this->data())); }
    }
}
class WooCommerce { public ?WC_Session_Handler $session = null; }
$woocommerce = new WooCommerce();
function WC(): WooCommerce { return $GLOBALS['woocommerce']; }
[, $request, $file, $reference] = $argv;
if ($request !== 'cron') { $woocommerce->session = new WC_Session_Handler($file); }
`

// requests are the requests of a buyer, and one without a session.
const requests = `
$order = new WC_Order();
switch ($request) {
case 'arrive':
    $_GET['orderReference'] = addslashes($reference);
    do_action('wp_loaded');
    break;
case 'browse':
case 'cron':
    do_action('wp_loaded');
    do_action('woocommerce_checkout_create_order', $order, []);
    exit;
case 'classic':
    do_action('wp_loaded');
    do_action('woocommerce_checkout_create_order', $order, ['payment_method' => 'card']);
    $order->save();
    break;
case 'block':
    do_action('woocommerce_store_api_checkout_update_order_meta', $order);
    $order->save(); // as a draft
    do_action('woocommerce_store_api_checkout_update_order_from_request', $order, new WP_REST_Request());
    $order->save();
    do_action('woocommerce_store_api_checkout_order_processed', $order);
    break;
}
echo json_encode($order->saved, JSON_FORCE_OBJECT);
`

func TestOrderReference_IsKeptByTheDocumentedHooksInBothCheckouts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/woocommerce.md")
	if err != nil {
		t.Fatal(err)
	}
	code := hooks.FindSubmatch(text)
	if code == nil {
		t.Fatal("docs/woocommerce.md has no function pantheon_remember_reference")
	}
	script := filepath.Join(t.TempDir(), "shop.php")
	if err := os.WriteFile(script, []byte(wordpress+string(code[1])+requests), 0o600); err != nil {
		t.Fatal(err)
	}
	const reference = "0123456789abcdef0123456789abcdef.Zm9vYmFyYmF6cXV4_-0"
	for _, checkout := range []string{"classic", "block"} {
		session := filepath.Join(t.TempDir(), "session.json")
		request := func(name, reference string) string {
			return run(t, "", "php", nil, "-d", "error_reporting=E_ALL", "-d", "display_errors=1", script, name, session, reference)
		}
		if got := request(checkout, ""); got != "{}" {
			t.Errorf("%s: an order without a reference has the metadata %s", checkout, got)
		}
		request("arrive", reference)
		request("browse", "")
		if got, want := request(checkout, ""), `{"_pantheon_reference":"`+reference+`"}`; got != want {
			t.Errorf("%s: the order has the metadata %s, want %s", checkout, got, want)
		}
		if got := request("cron", ""); got != "" {
			t.Errorf("without a session: %s", got)
		}
	}
}
