package app

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kms"
	"pantheon/internal/site"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// canary is part of every secret in the tests below, in one form or another.
const canary = "canary7Q"

// served is the whole portal, built from a configuration, without background work.
type served struct {
	t       *testing.T
	app     *App
	log     *testkit.Log
	secrets map[string][]string // what must not be seen, by variable
}

// serve builds the portal with a secret in every secret variable; env overrides variables.
func serve(t *testing.T, env map[string]string) *served {
	t.Helper()
	s, c := configure(t, env)
	s.start(c, s.options())
	return s
}

// start builds the portal.
func (s *served) start(c config.Config, o Options) *App {
	s.t.Helper()
	if _, _, err := MakeSignerKey(s.t.Context(), c, ""); err != nil {
		s.t.Fatal(err)
	}
	var err error
	if s.app, err = New(s.t.Context(), c, o); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := s.app.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return s.app
}

// configure returns the configuration from which serve builds a portal.
func configure(t *testing.T, env map[string]string) (*served, config.Config) {
	t.Helper()
	s := &served{t: t, log: &testkit.Log{}, secrets: map[string][]string{}}
	data := filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path) // with a migrated database
	values := map[string]string{"ENVIRONMENT": "test", "DATA_DIR": data, "PUBLIC_URL": "https://portal.example", "LISTEN_ADDR": "127.0.0.1:0"}
	for i, v := range config.Variables(brandtest.Pantheon()) {
		switch value, key := canary+v.Name, fmt.Sprintf("%x%054x", canary[:5], i+1); {
		case strings.HasSuffix(v.Name, "_ADDRESS"):
			values[v.Name] = fmt.Sprintf("0x%040x", i+1)
		case !v.Secret:
		case strings.HasSuffix(v.Name, "_PRIVATE_KEY"):
			values[v.Name], s.secrets[v.Name] = "0x"+key, []string{key}
			if role, ok := strings.CutSuffix(v.Name, "_PRIVATE_KEY"); ok && slices.Contains([]string{"MANAGER", "CLAIMER", "GAS_RELAYER"}, role) {
				w, err := openWallet(t.Context(), kms.Options{}, key)
				if err != nil {
					t.Fatal(err)
				}
				values[role+"_BACKEND_WALLET"] = w.Address().String()
			}
		case v.Name == "TOKEN_SECRET" || v.Name == "GAME_CONTEXT_SECRET":
			secret := []byte(strings.Repeat(value, 3))
			values[v.Name] = base64.StdEncoding.EncodeToString(secret)
			s.secrets[v.Name] = []string{values[v.Name], value, hex.EncodeToString(secret)}
		case v.Name == "SHOP_DATA_KEY":
			secret := []byte(strings.Repeat(value, 3)[:32])
			values[v.Name] = base64.StdEncoding.EncodeToString(secret)
			s.secrets[v.Name] = []string{values[v.Name], hex.EncodeToString(secret)}
		case v.Name == "SHOP_SECRET":
			values[v.Name], s.secrets[v.Name] = value, []string{value}
			values["SHOP_URL"] = "http://127.0.0.1:1"
		case v.Name == "DATADOG_CLIENT_TOKEN":
			token := fmt.Sprintf("pub%x%016x", canary, i+1)
			values[v.Name], s.secrets[v.Name] = token, []string{token[3:]}
			values["DATADOG_APPLICATION_ID"] = "3f1c0c52-9a4e-4f7e-8d0e-0a1b2c3d4e5f"
		case v.Name == "X_CLIENT_SECRET":
			values[v.Name], s.secrets[v.Name] = value, []string{value}
			values["X_CLIENT_ID"] = "client-of-x"
		case v.Name == "SMTP_PASSWORD":
			values[v.Name], s.secrets[v.Name] = value, []string{value}
			values["SMTP_HOST"], values["SMTP_USERNAME"], values["SMTP_FROM"] = "127.0.0.1", "portal", "portal@portal.example"
		case strings.HasSuffix(v.Name, "_PAYMASTER_CONTEXT"):
			values[v.Name], s.secrets[v.Name] = `{"policyId":"`+value+`"}`, []string{value}
		case strings.HasSuffix(v.Name, "_RPC_URL"), strings.HasSuffix(v.Name, "_BUNDLER_URL"), strings.HasSuffix(v.Name, "_PAYMASTER_URL"):
			values[v.Name], s.secrets[v.Name] = "http://127.0.0.1:1/"+value+"?key="+value, []string{value}
		case v.Name == "DATABASE_URL" || v.Name == "NATS_URL" || v.Name == "AZURE_WEBPUBSUB_CONNECTION_STRING":
			s.secrets[v.Name] = []string{canary} // set by the test that uses it
		default:
			values[v.Name], s.secrets[v.Name] = value, []string{value}
		}
	}
	maps.Copy(values, env)
	var environ []string
	for name, value := range values {
		environ = append(environ, name+"="+value)
	}
	c, err := config.Load(environ, brandtest.Pantheon())
	if err != nil {
		t.Fatal(err)
	}
	c.Complete()
	if err := c.Validate(); err != nil {
		t.Fatalf("a secret of another form is needed: %v", err)
	}
	// The list of secrets comes from the configuration: a new one is covered without a change here.
	for _, v := range config.Variables(brandtest.Pantheon()) {
		if v.Secret && len(s.secrets[v.Name]) == 0 {
			t.Errorf("%s is not looked for", v.Name)
		}
	}
	return s, c
}

func (s *served) options() Options {
	return Options{PasswordCost: local.TestCost, Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
}

func (s *served) send(method, path, body string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	maps.Copy(r.Header, header)
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.app.server.Handler.ServeHTTP(w, r)
	return w
}

// mustHide checks that a text contains no secret, in any case.
func (s *served) mustHide(what string, text []byte) {
	s.t.Helper()
	text = bytes.ToLower(text)
	for name, secrets := range s.secrets {
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(strings.ToLower(secret))) {
				s.t.Errorf("%s shows %s", what, name)
			}
		}
	}
}

// paths returns the paths of every reading call, and of every file and page of the site.
func (s *served) paths() (out []string) {
	s.t.Helper()
	var contract struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(s.send(http.MethodGet, "/api/openapi.json", "", nil).Body.Bytes(), &contract); err != nil {
		s.t.Fatal(err)
	}
	fill := strings.NewReplacer("{contract}", s.app.config.Contracts.Collections["chests"], "{tokenId}", "1", "{chainId}",
		"421614", "{orderId}", "1")
	for path := range contract.Paths {
		out = append(out, fill.Replace(path))
	}
	if len(out) < 20 {
		s.t.Fatalf("the contract has %d calls only", len(out))
	}
	build := site.Embedded()
	err := fs.WalkDir(build, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, "/"+strings.TrimSuffix(name, "index.html"))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	var patterns []string
	if text, err := fs.ReadFile(build, "routes.json"); err == nil {
		if err := json.Unmarshal(text, &patterns); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, p := range patterns {
		out = append(out, strings.NewReplacer(":contract", s.app.config.Contracts.Collections["chests"], ":tokenId", "1").Replace(p))
	}
	return append(out, "/", "/nothing", "/api/openapi.json", "/client/hubs/portal")
}

// lookEverywhere requests all of these paths, as a visitor and as a player.
func (s *served) lookEverywhere() {
	s.t.Helper()
	registered := s.send(http.MethodPost, "/api/auth/register",
		`{"email":"zeus@olympus.example","displayName":"Zeus","password":"thunder and rain"}`, nil)
	var player struct{ Token, SessionAuthorization string }
	if err := json.Unmarshal(registered.Body.Bytes(), &player); err != nil || player.Token == "" {
		s.t.Fatalf("registering: %d %s", registered.Code, registered.Body)
	}
	s.mustHide("registering", registered.Body.Bytes())
	for _, path := range s.paths() {
		for _, call := range []struct {
			method, body, authorization string
		}{
			{http.MethodGet, "", ""}, {http.MethodGet, "", player.Token}, {http.MethodGet, "", player.SessionAuthorization},
			{http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`, player.Token},
		} {
			if call.method == http.MethodPost && !strings.HasPrefix(path, "/api/") || strings.HasSuffix(path, "logout") {
				continue
			}
			for _, encoding := range []string{"", "gzip"} {
				w := s.send(call.method, path, call.body, http.Header{"Authorization": {call.authorization}, "Accept-Encoding": {encoding}})
				var header bytes.Buffer
				if err := w.Header().Write(&header); err != nil {
					s.t.Fatal(err)
				}
				s.mustHide(call.method+" "+path, header.Bytes())
				s.mustHide(call.method+" "+path, plain(s.t, w))
			}
		}
	}
}

// plain returns a response's decoded body.
func plain(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" || w.Body.Len() == 0 {
		return w.Body.Bytes()
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// No response to anybody, and no log line, contains a secret setting. If no site is built into the program, the pages
// are placeholders.
// Spec: RUN-3
func TestServed_ResponsesContainNoSecrets(t *testing.T) {
	t.Parallel()
	t.Run("PostgreSQL and NATS", func(t *testing.T) {
		t.Parallel()
		database := testkit.DatabaseOptions(t, store.PostgreSQL).URL
		s := serve(t, map[string]string{
			"DATABASE_URL": strings.Replace(database, "test@", "test:"+canary+"@", 1), "NATS_URL": natsWithPassword(t),
		})
		if !strings.Contains(s.app.config.DatabaseURL.Reveal(), canary) {
			t.Fatalf("the database has no password: %s", database)
		}
		s.lookEverywhere()
		s.mustHide("the log", []byte(s.log.String()))
	})
	t.Run("SQLite and Azure", func(t *testing.T) {
		t.Parallel()
		s := serve(t, map[string]string{"AZURE_WEBPUBSUB_CONNECTION_STRING": "Endpoint=https://hub.example;AccessKey=" +
			base64.StdEncoding.EncodeToString([]byte(canary+canary+canary+canary)) + ";Version=1.0;"})
		s.secrets["AZURE_WEBPUBSUB_CONNECTION_STRING"] = []string{canary, base64.StdEncoding.EncodeToString([]byte(canary + canary + canary))}
		s.lookEverywhere()
		s.mustHide("the log", []byte(s.log.String()))
	})
}

// natsWithPassword starts a NATS server that requires a password.
func natsWithPassword(t *testing.T) string {
	t.Helper()
	n, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, Username: "portal", Password: canary, JetStream: true, StoreDir: t.TempDir(),
		NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	t.Cleanup(func() {
		n.Shutdown()
		n.WaitForShutdown()
	})
	testkit.Eventually(t, startTimeout, n.Running, "the message server does not start")
	return strings.Replace(n.ClientURL(), "nats://", "nats://portal:"+canary+"@", 1)
}

const startTimeout = 20 * time.Second

// The public configuration has its own type, and the site's build contains no name of a server-only setting.
// Spec: RUN-3
func TestServed_BuiltSiteKnowsNoServerOnlyVariable(t *testing.T) {
	t.Parallel()
	build := site.Embedded()
	err := fs.WalkDir(build, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".js", ".html", ".json"}, filepath.Ext(name)) {
			return err
		}
		text, err := fs.ReadFile(build, name)
		for _, v := range config.Variables(brandtest.Pantheon()) {
			if v.Secret && bytes.Contains(text, []byte(v.Name)) {
				t.Errorf("%s names %s", name, v.Name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Addresses and countries decide what is served, but are neither logged nor stored in any file.
// Spec: ACCESS-7
func TestServed_AddressesAndCountriesAreNeitherStoredNorLogged(t *testing.T) {
	t.Parallel()
	const address, other = "203.0.113.177", "2001:db8:aa55::177"
	s := serve(t, map[string]string{
		"TRUSTED_PROXIES": "10.0.0.0/8", "COUNTRY_HEADER": "CF-IPCountry",
		"COUNTRY_FILE": testkit.CountryRanges(t, map[string]string{address + "/32": "KP", other + "/128": "ZW"}),
	})
	through := func(from, country, method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.RemoteAddr = "10.0.0.1:4711"
		r.Header.Set("X-Forwarded-For", from)
		r.Header.Set("Content-Type", "application/json")
		if country != "" {
			r.Header.Set("CF-IPCountry", country)
		}
		w := httptest.NewRecorder()
		s.app.server.Handler.ServeHTTP(w, r)
		return w
	}
	const register = `{"email":"hera@olympus.example","displayName":"Hera","password":"thunder and rain"}`
	for what, c := range map[string]struct {
		got  *httptest.ResponseRecorder
		want int
	}{
		"a call":               {through(address, "", http.MethodPost, "/api/auth/register", register), http.StatusUnavailableForLegalReasons},
		"the same, told":       {through(other, "BY", http.MethodPost, "/api/auth/register", register), http.StatusUnavailableForLegalReasons},
		"a page":               {through(address, "", http.MethodGet, "/kod-marketplace", ""), http.StatusSeeOther},
		"the realtime channel": {through(address, "", http.MethodGet, "/client/hubs/portal", ""), http.StatusUnavailableForLegalReasons},
		"metadata":             {through(address, "", http.MethodGet, "/metadata/0x1/1", ""), http.StatusUnavailableForLegalReasons},
		"flags":                {through(address, "", http.MethodPost, "/ofrep/v1/evaluate/flags", "{}"), http.StatusUnavailableForLegalReasons},
		"health":               {through(address, "", http.MethodGet, "/healthz", ""), http.StatusOK},
		"elsewhere":            {through(other, "", http.MethodPost, "/api/auth/register", register), http.StatusCreated},
		"elsewhere, a failure": {
			through(other, "", http.MethodPost, "/api/proxy/rpc/421614", `{"jsonrpc":"2.0","id":1,"method":"eth_maxPriorityFeePerGas","params":[]}`),
			http.StatusServiceUnavailable,
		},
		"a report": {through(other, "", http.MethodPost, "/api/monitoring?ddforward=%2Fapi%2Fv2%2Frum", `{"type":"view"}`), http.StatusAccepted},
	} {
		if c.got.Code != c.want {
			t.Errorf("%s: %d %s, want %d", what, c.got.Code, c.got.Body, c.want)
		}
	}
	traces := []string{address, other, "ZW", "KP"}
	for _, trace := range traces {
		// Match whole words: a country code may occur by chance in a random NATS server name.
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(trace) + `\b`).MatchString(s.log.String()) {
			t.Errorf("the log has %s: %s", trace, s.log)
		}
	}
	err := filepath.WalkDir(s.app.config.DataDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, trace := range traces[:2] {
			if bytes.Contains(text, []byte(trace)) {
				t.Errorf("%s has %s", path, trace)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenings_SettlersAskTenTimesASecondAtMost(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"GAME_CHAIN_POLL_INTERVAL": "20ms", "MAIN_CHAIN_POLL_INTERVAL": "3s"})
	for _, c := range s.app.chains.of {
		settler, err := newSettler(c, s.app.chains.index, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]time.Duration{"game chain": 100 * time.Millisecond, "main chain": 3 * time.Second}[c.name]
		if got := settler.Poll; got != want {
			t.Errorf("the %s's settler asks every %s, want %s", c.name, got, want)
		}
	}
}
