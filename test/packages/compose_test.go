package packages_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/testkit"
)

// tool returns the path of a program that scripts/tools installs. `make test` takes those that are there.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, ".tools", name))
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		if testing.Short() && name != "compose-spec" {
			proveOnly(t)
		}
		t.Fatalf("%s is missing: run `scripts/tools %[1]s`", name)
	}
	return path
}

// service is a service of the Compose file, as those who wrote the specification read it.
type service struct {
	Image, Restart  string
	Command         []string
	ReadOnly        bool                                    `json:"read_only"`
	CapDrop         []string                                `json:"cap_drop"`
	CapAdd          []string                                `json:"cap_add"`
	SecurityOpt     []string                                `json:"security_opt"`
	StopGracePeriod string                                  `json:"stop_grace_period"`
	DependsOn       map[string]map[string]any               `json:"depends_on"`
	Environment     map[string]string                       `json:"environment"`
	Networks        map[string]any                          `json:"networks"`
	Ports           []struct{ Published string }            `json:"ports"`
	Secrets         []struct{ Source string }               `json:"secrets"`
	Healthcheck     struct{ Test []string }                 `json:"healthcheck"`
	Volumes         []struct{ Type, Source, Target string } `json:"volumes"`
}

type composition struct {
	Services map[string]service
	Secrets  map[string]struct{ File string }
	Volumes  map[string]any
	Networks map[string]struct {
		Internal bool
		IPAM     struct{ Config []struct{ Subnet string } }
	}
}

var variable = regexp.MustCompile(`\$\{(\w+)(?::\?[^}]*)?\}`)

// compose reads deploy/compose.yaml as Compose does, for a portal of portal.example.
func compose(t *testing.T) (c composition) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "deploy/compose.yaml"))
	must(t, err)
	values := map[string]string{"DOMAIN": "portal.example", "VERSION": "0.1.0"}
	filled := variable.ReplaceAllStringFunc(string(text), func(s string) string {
		name := variable.FindStringSubmatch(s)[1]
		if values[name] == "" {
			t.Errorf("compose.yaml has the variable %s", name)
		}
		return values[name]
	})
	file := filepath.Join(t.TempDir(), "compose.yaml")
	must(t, os.WriteFile(file, []byte(filled), 0o600))
	must(t, json.Unmarshal([]byte(run(t, nil, tool(t, "compose-spec"), "-format", "json", file)), &c))
	return c
}

// Spec: RUN-28
func TestCompose_ServicesHaveNoRightsThatTheyDoNotNeed(t *testing.T) {
	t.Parallel()
	c := compose(t)
	if got, want := slices.Sorted(maps.Keys(c.Services)), []string{"caddy", "nats", "portal", "postgres"}; !slices.Equal(got, want) {
		t.Errorf("the services are %v, want %v", got, want)
	}
	for name, s := range c.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
			t.Errorf("%s: read-only %t, without %v, %v", name, s.ReadOnly, s.CapDrop, s.SecurityOpt)
		}
		if (name == "caddy") != slices.Equal(s.CapAdd, []string{"NET_BIND_SERVICE"}) || name != "caddy" && s.CapAdd != nil {
			t.Errorf("%s has the capabilities %v", name, s.CapAdd)
		}
		if (name == "caddy") != (s.Ports != nil) {
			t.Errorf("%s is published at %v", name, s.Ports)
		}
		if len(s.Healthcheck.Test) < 2 || s.Restart != "unless-stopped" || !regexp.MustCompile(`:\d+(\.\d+)+|:17-`).MatchString(s.Image) {
			t.Errorf("%s: the image %s, restarted %q, checked by %q", name, s.Image, s.Restart, s.Healthcheck.Test)
		}
		for _, v := range s.Volumes {
			if _, ok := c.Volumes[v.Source]; v.Type == "volume" && !ok {
				t.Errorf("%s: there is no volume %s", name, v.Source)
			}
		}
		for _, secret := range s.Secrets {
			if c.Secrets[secret.Source].File == "" {
				t.Errorf("%s: there is no secret %s", name, secret.Source)
			}
		}
	}
	if got := fmt.Sprint(slices.Sorted(maps.Keys(c.Services["portal"].Networks)), slices.Sorted(maps.Keys(c.Services["caddy"].Networks)),
		slices.Sorted(maps.Keys(c.Services["postgres"].Networks)), slices.Sorted(maps.Keys(c.Services["nats"].Networks)),
		c.Networks["back"].Internal); got != "[back front] [front] [back] [back] true" {
		t.Errorf("the networks are %s", got)
	}
	for name, needs := range map[string][]string{"caddy": {"portal"}, "portal": {"nats", "postgres"}} {
		if got := slices.Sorted(maps.Keys(c.Services[name].DependsOn)); !slices.Equal(got, needs) {
			t.Errorf("%s depends on %v, want %v", name, got, needs)
		}
		for other, how := range c.Services[name].DependsOn {
			if how["condition"] != "service_healthy" {
				t.Errorf("%s starts after %s: %v", name, other, how)
			}
		}
	}
}

// filled returns what an operator makes of .env.example.
func filled(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".env.example"))
	must(t, err)
	settings := map[string]string{}
	add(settings, string(text))
	for i, v := range config.Variables(brandtest.Pantheon()) {
		value, isNamed := settings[v.Name]
		switch {
		case !isNamed || value != "" || v.Secret && !strings.HasSuffix(v.Name, "_RPC_URL"):
		case strings.HasSuffix(v.Name, "_ADDRESS"), strings.HasSuffix(v.Name, "_WALLET"):
			settings[v.Name] = fmt.Sprintf("0x%040x", i+1)
		case strings.HasSuffix(v.Name, "_RPC_URL"):
			settings[v.Name] = "https://chain.example"
		}
	}
	return settings
}

// mountSecrets gives each setting X_FILE of a secret X a file in place of the mounted one, and fails for a variable that is no setting.
func mountSecrets(t *testing.T, settings map[string]string, values map[string]string) {
	t.Helper()
	known, secret := map[string]bool{}, map[string]bool{}
	for _, v := range config.Variables(brandtest.Pantheon()) {
		known[v.Name], secret[v.Name] = true, v.Secret
	}
	folder := t.TempDir()
	for name, path := range settings {
		of := strings.TrimSuffix(name, "_FILE")
		switch {
		case of != name && secret[of]:
			value := values[of]
			if strings.HasSuffix(of, "_PRIVATE_KEY") {
				value = fmt.Sprintf("0x%064x", 1_000_000+len(of))
			}
			if value == "" {
				t.Fatalf("no value for %s", of)
			}
			settings[name] = filepath.Join(folder, filepath.Base(path))
			must(t, os.WriteFile(settings[name], []byte(value+"\n"), 0o400))
		case !known[name]:
			t.Errorf("%s is not a setting", name)
		}
	}
}

const tokenSecret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// mustBeProduction checks that a portal in production takes the settings, with no other risks, and returns them.
func mustBeProduction(t *testing.T, settings map[string]string, risks ...string) config.Config {
	t.Helper()
	c, err := config.Load(lines(settings), brandtest.Pantheon())
	must(t, err)
	c.Complete()
	must(t, c.Validate())
	accepted, refused := c.Risks()
	var names []string
	for _, r := range append(accepted, refused...) {
		names = append(names, r.Name)
	}
	if c.Environment != "prod" || !slices.Equal(names, risks) {
		t.Errorf("%s with the risks %v, want prod with %v", c.Environment, names, risks)
	}
	return c
}

// The environment of Compose's portal is complete, knows the proxy, and gives a stopping portal the time that it takes.
// Spec: RUN-28
func TestCompose_PortalIsACompleteProduction(t *testing.T) {
	t.Parallel()
	c := compose(t)
	portal := c.Services["portal"]
	settings := filled(t)
	maps.Copy(settings, portal.Environment)
	for name, path := range portal.Environment {
		base, isSecret := strings.CutPrefix(path, "/run/secrets/")
		if isSecret && !slices.ContainsFunc(portal.Secrets, func(s struct{ Source string }) bool { return s.Source == base }) {
			t.Errorf("%s names the secret %s, which is not mounted", name, base)
		}
	}
	mountSecrets(t, settings, map[string]string{
		"TOKEN_SECRET": tokenSecret, "DATABASE_URL": "postgres://pantheon:secret@postgres/pantheon?sslmode=disable",
	})
	p := mustBeProduction(t, settings, "unencrypted-database", "unencrypted-messages")
	if p.PublicURL != "https://portal.example" || p.CountryHeader != "" || p.SignerKeyFile != "/run/secrets/signer-key" {
		t.Errorf("the address is %s, the country in %q, the key %s", p.PublicURL, p.CountryHeader, p.SignerKeyFile)
	}
	if proxies := c.Networks["front"].IPAM.Config[0].Subnet; !slices.Equal(p.TrustProxy, []string{proxies}) {
		t.Errorf("%v are trusted, the proxy is in %s", p.TrustProxy, proxies)
	}
	if grace, err := time.ParseDuration(portal.StopGracePeriod); err != nil || grace < p.DrainTime+15*time.Second {
		t.Errorf("it is killed after %s (%v), and drains for %s", portal.StopGracePeriod, err, p.DrainTime)
	}
	for _, mounted := range []string{p.DataDir, filepath.Dir(p.CountryRanges)} {
		if !slices.ContainsFunc(portal.Volumes, func(v struct{ Type, Source, Target string }) bool { return v.Target == mounted }) {
			t.Errorf("nothing is mounted at %s: %v", mounted, portal.Volumes)
		}
	}
}

// commands returns the block of commands of a section of docs/operations/packages.md that has a text.
func commands(t *testing.T, text string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/operations/packages.md"))
	must(t, err)
	for i, block := range strings.Split(string(page), "```") {
		if i%2 == 1 && strings.Contains(block, text) {
			return "set -e\n" + block
		}
	}
	t.Fatalf("the page has no commands with %q", text)
	return ""
}

// The documented commands make every secret, for the user of the service that reads it and nobody else.
// Spec: RUN-28
func TestCompose_DocumentedCommandsMakeTheSecrets(t *testing.T) {
	t.Parallel()
	needRoot(t) // for chown
	dir := t.TempDir()
	must(t, os.Symlink(server(t), filepath.Join(dir, "pantheon")))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", commands(t, "deploy keys secrets"))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := compose(t)
	for name, user := range map[string]uint32{"portal": 65532, "postgres": 70} {
		if len(c.Services[name].Secrets) == 0 {
			t.Errorf("%s has no secrets", name)
		}
		for _, secret := range c.Services[name].Secrets {
			info, err := os.Stat(filepath.Join(dir, "secrets", filepath.Base(c.Secrets[secret.Source].File)))
			must(t, err)
			if owner := info.Sys().(*syscall.Stat_t).Uid; owner != user || info.Mode() != 0o400 || info.Size() < 45 {
				t.Errorf("%s is of %d, want %d, with mode %v and %d bytes", secret.Source, owner, user, info.Mode(), info.Size())
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "secrets/database-url"))
	must(t, err)
	password, err := os.ReadFile(filepath.Join(dir, "secrets/postgres-password"))
	must(t, err)
	want := "postgres://pantheon:" + strings.TrimSpace(string(password)) + "@postgres/pantheon?sslmode=disable\n"
	if string(text) != want {
		t.Errorf("the database's address is %s, want %s", text, want)
	}
}

// NATS understands its arguments, keeps messages, and is healthy where the check asks.
func TestCompose_NATSKeepsMessages(t *testing.T) {
	t.Parallel()
	nats := compose(t).Services["nats"]
	o, err := natsserver.ConfigureOptions(flag.NewFlagSet("nats-server", flag.ContinueOnError), nats.Command[1:], nil, nil, nil)
	must(t, err)
	address := nats.Healthcheck.Test[len(nats.Healthcheck.Test)-1]
	monitoring := fmt.Sprintf("http://127.0.0.1:%d/healthz", o.HTTPPort)
	if nats.Command[0] != "nats-server" || !o.JetStream || o.StoreDir != nats.Volumes[0].Target || address != monitoring {
		t.Errorf("JetStream %t in %s, checked at %s", o.JetStream, o.StoreDir, address)
	}
	o.Host, o.Port, o.HTTPHost, o.HTTPPort, o.StoreDir, o.NoLog, o.NoSigs = "127.0.0.1", -1, "127.0.0.1", -1, t.TempDir(), true, true
	s, err := natsserver.NewServer(o)
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	testkit.Eventually(t, waitTimeout, func() bool {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		response, err := client.Get("http://" + s.MonitorAddr().String() + "/healthz")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	}, "NATS is not healthy")
}

// Caddy takes the Caddyfile, and gets certificates for the portal's name alone.
func TestCompose_CaddyServesThePortal(t *testing.T) {
	t.Parallel()
	c := compose(t)
	dir := t.TempDir()
	caddy := func(args ...string) string {
		return run(t, []string{"DOMAIN=" + c.Services["caddy"].Environment["DOMAIN"], "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir},
			"caddy", args...)
	}
	caddy("validate", "--config", "deploy/Caddyfile", "--adapter", "caddyfile")
	caddy("fmt", "--diff", "deploy/Caddyfile")
	adapted := caddy("adapt", "--config", "deploy/Caddyfile", "--adapter", "caddyfile")
	_, port, _ := strings.Cut(c.Services["portal"].Environment["LISTEN_ADDR"], ":")
	for _, want := range []string{
		`"listen":[":443"]`, `"host":["portal.example"]`, `"dial":"portal:` + port + `"`, `"uri":"/readyz"`,
	} {
		if !strings.Contains(adapted, want) {
			t.Errorf("no %s in %s", want, adapted)
		}
	}
	if strings.Count(adapted, `"host"`) != 1 {
		t.Errorf("other hosts: %s", adapted)
	}
}

// What reads the file refuses keys and values that Compose does not know.
func TestCompose_FaultsAreFound(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "compose.yaml")
	for _, fault := range []string{"{services: {a: {image: b, readonly: true}}}", "{services: {a: {image: b, read_only: [true]}}}"} {
		must(t, os.WriteFile(file, []byte(fault), 0o600))
		if out, err := exec.CommandContext(t.Context(), tool(t, "compose-spec"), file).CombinedOutput(); err == nil {
			t.Errorf("%s is taken: %s", fault, out)
		}
	}
}
