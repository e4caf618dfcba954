// Package e2e_test drives the built binary in a real browser, as players do. Journeys wait a good part of their time, so they
// run side by side, each at a site and in a browser of its own.
package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// journeyTime is what the longest journey, the one over all pages, may take on a busy machine.
const journeyTime = 12 * time.Minute

// The journeys run once on each database: SQLite, and PostgreSQL by DATABASE_URL.
func TestJourney_NewcomerBuysAndOwnsAndEverybodySeesIt(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			site := testkit.StartSite(t, testkit.SiteOptions{Engine: engine})
			journey(t, site, "purchase.mjs")
		})
	}
}

// Every page, found, shared and read without scripts; then as visitors and as players, on a phone, a tablet and a desktop.
// Pages know no database: one engine will do.
func TestJourney_EveryPublicPageIsWholeAndCanBeShared(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "pages.mjs")
	journey(t, site, "crawl.mjs")
}

// An account from the registration to its end: the mailed link and code are read in the development mailbox. All of the
// journey's players sign in from one address.
func TestJourney_AccountFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"LIMIT_LOGINS=0"}})
	journey(t, site, "account.mjs")
}

// Where a session that ends unasked leads depends on where the player was last.
func TestJourney_LostSessionLeadsToTheTimeoutPageOrTheLogin(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "timeout.mjs")
}

// The market is switched off, and somebody comes from a country that the site must not serve: the test is the proxy that
// tells so.
func TestJourney_ClosedDoorsSayWhy(t *testing.T) {
	t.Parallel()
	flags := newFlagsFile(t)
	flags.write(strings.Replace(flags.good, "key: maintenance_mode\n    enabled: false", "key: maintenance_mode\n    enabled: true", 1))
	settings := []string{"FLAGS_FILE=" + flags.path, "COUNTRY_HEADER=CF-IPCountry"}
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: append(settings, "TRUSTED_PROXIES=127.0.0.0/8")})
	out, err := run(t.Context(), site, "closed.mjs", settings...)
	report(t, site, "closed.mjs", out, err)
}

// What goes wrong in a browser reaches the operator, who reads it where the metrics are.
func TestJourney_BrowsersErrorsReachTheOperator(t *testing.T) {
	t.Parallel()
	metrics, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"METRICS_ADDR=" + metrics}})
	out, err := run(t.Context(), site, "monitoring.mjs", "METRICS_URL=http://"+metrics)
	report(t, site, "monitoring.mjs", out, err)
}

// journey runs one script of the journeys folder against the site.
func journey(t *testing.T, site *testkit.Site, script string) {
	t.Helper()
	out, err := run(t.Context(), site, script)
	report(t, site, script, out, err)
}

// run runs a script with further "NAME=value" settings and returns what it said.
func run(ctx context.Context, site *testkit.Site, script string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, journeyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("journeys", script))
	cmd.Env = append(append(os.Environ(), "BASE_URL="+site.URL), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// report logs what a journey said, and fails the test if it failed.
func report(t *testing.T, site *testkit.Site, script, out string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v\n%s\nThe server said:\n%s", script, err, out, site.Log())
	}
	t.Log(out)
}
