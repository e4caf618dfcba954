package app

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.yaml.in/yaml/v3"

	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
)

const observability = "../../deploy/observability"

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// promtool runs Prometheus's own checks; scripts/test installs it.
func promtool(t *testing.T, input string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "promtool", args...)
	cmd.Stdin = strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("warning")) {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

// Spec: RUN-20
func TestAlerts_AreValidAndFire(t *testing.T) {
	t.Parallel()
	promtool(t, "", "check", "rules", filepath.Join(observability, "alerts.yml"))
	promtool(t, "", "test", "rules", filepath.Join(observability, "alerts_test.yml"))
}

// Each alert has a heading in the page that says what to do, in the same order.
func TestAlerts_AreExplained(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert string }
		}
	}
	if err := yaml.Unmarshal([]byte(mustRead(t, filepath.Join(observability, "alerts.yml"))), &rules); err != nil {
		t.Fatal(err)
	}
	var alerts, headings []string
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			alerts = append(alerts, r.Alert)
		}
	}
	for line := range strings.Lines(mustRead(t, "../../docs/operations/alerts.md")) {
		if heading, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			headings = append(headings, heading)
		}
	}
	if len(alerts) < 20 || !slices.Equal(alerts, headings) {
		t.Errorf("alerts %q, explained %q", alerts, headings)
	}
}

// The label has what wallets do, and never their addresses.
// Spec: RUN-20
func TestMetrics_TransactionsAreToldByTheRoleOfTheirWallet(t *testing.T) {
	t.Parallel()
	wallet := func() txqueue.Wallet {
		key, err := crypto.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		return txqueue.NewKeyWallet(key)
	}
	relayer, claimer, former, manager := wallet(), wallet(), wallet(), wallet()
	w := portalWallets{
		relayer: []txqueue.Wallet{relayer}, claimer: []txqueue.Wallet{claimer, former}, manager: []txqueue.Wallet{relayer, manager},
		former: []eth.Address{{19: 1}},
	}
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	got := w.byRole(map[eth.Address]store.Queue{
		relayer.Address(): {Waiting: 1, Oldest: at(5)}, claimer.Address(): {Waiting: 2, Oldest: at(7)},
		former.Address(): {Waiting: 3, Oldest: at(6)},
		{19: 1}:          {Waiting: 4, Oldest: at(8)}, {19: 2}: {Waiting: 5, Oldest: at(9)}, {19: 3}: {Waiting: 6, Oldest: at(4)},
	})
	want := map[string]store.Queue{
		"relayer": {Waiting: 1, Oldest: at(5)}, "claimer": {Waiting: 9, Oldest: at(6)}, "manager": {}, "treasury": {},
		"other": {Waiting: 11, Oldest: at(4)},
	}
	if !maps.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Rules and dashboard name metrics that there are, and Prometheus's own check finds nothing in those.
// Spec: RUN-20
func TestMetrics_OfRulesAndDashboardExist(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"TLS_DOMAIN": "portal.example", "HTTP_ADDR": "localhost:0"})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://portal.example/api/config", nil)
	s.app.server.Handler.ServeHTTP(httptest.NewRecorder(), r)
	w := httptest.NewRecorder()
	r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	promhttp.HandlerFor(s.app.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	promtool(t, w.Body.String(), "check", "metrics")

	names := regexp.MustCompile(`\b(pantheon|go_sql|process)_[a-z_]+\b`)
	for _, file := range []string{"alerts.yml", "dashboard.json"} {
		found := names.FindAllString(mustRead(t, filepath.Join(observability, file)), -1)
		if len(found) < 15 {
			t.Errorf("%s names %d metrics", file, len(found))
		}
		for _, name := range found {
			name = strings.TrimSuffix(name, "_bucket")
			// A name that is taken cannot be registered again with another help.
			fresh := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: fmt.Sprint("no metric of the portal has this help: ", name)})
			if err := s.app.registry.Register(fresh); err == nil {
				s.app.registry.Unregister(fresh)
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
}
