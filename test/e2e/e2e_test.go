// Package e2e_test drives the built binary in a real browser. Journeys spend much of their time waiting, so they run
// in parallel, each with its own site and browser.
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

// journeyTime is the timeout of the longest journey, the one over all pages, on a busy machine.
const journeyTime = 25 * time.Minute

// Some journeys run once per database: SQLite, and PostgreSQL by DATABASE_URL.
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

// The packs' beacon is the development world's. The rules of the draw are tested on both databases: one engine is enough.
func TestJourney_PacksAreBoughtOpenedAndLookedAtAgain(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "packs.mjs")
}

// Every page is found, shared and read without scripts; then opened as a visitor and as a player, on a phone, a
// tablet and a desktop. Pages do not depend on the database: one engine is enough.
func TestJourney_EveryPublicPageIsWholeAndCanBeShared(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "pages.mjs")
	var env []string
	if testing.Short() {
		env = append(env, "SHORT=1")
	}
	out, err := run(t.Context(), site, "crawl.mjs", env...)
	report(t, site, "crawl.mjs", out, err)
}

// An account from registration to deletion: the emailed link and code are read from the development mailbox. The test is
// the proxy that tells the players' addresses.
func TestJourney_AccountFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"TRUSTED_PROXIES=127.0.0.0/8"}})
	journey(t, site, "account.mjs")
}

// What a newcomer stumbles over does not depend on the database: one engine is enough.
func TestJourney_NewcomerFindsTheirWayOnPhoneAndDesktop(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "newcomer.mjs")
}

// Where an ended session leads depends on the player's last page.
func TestJourney_LostSessionLeadsToTheTimeoutPageOrTheLogin(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "timeout.mjs")
}

// The market is switched off, and a visitor comes from a forbidden country: the test is the proxy that reports the
// country.
func TestJourney_ClosedDoorsSayWhy(t *testing.T) {
	t.Parallel()
	flags := newFlagsFile(t)
	flags.write(strings.Replace(flags.good, "key: maintenance_mode\n    enabled: false", "key: maintenance_mode\n    enabled: true", 1))
	settings := []string{"FLAGS_FILE=" + flags.path, "COUNTRY_HEADER=CF-IPCountry"}
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: append(settings, "TRUSTED_PROXIES=127.0.0.0/8")})
	out, err := run(t.Context(), site, "closed.mjs", settings...)
	report(t, site, "closed.mjs", out, err)
}

// The market is open to visitors, who sign in for what they want to hold. Who sees the market does not depend on the
// database: one engine is enough.
func TestJourney_VisitorLooksSignsInAndFindsTheItemHeld(t *testing.T) {
	t.Parallel()
	flags := newFlagsFile(t)
	flags.write(strings.Replace(flags.good, "key: public_market\n    enabled: false", "key: public_market\n    enabled: true", 1))
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"FLAGS_FILE=" + flags.path}})
	journey(t, site, "visitors.mjs")
}

// Errors in a browser reach the operator, who reads them where the metrics are served.
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

// run runs a script with additional "NAME=value" settings and returns its output.
func run(ctx context.Context, site *testkit.Site, script string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, journeyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("journeys", script))
	cmd.Env = append(append(os.Environ(), "BASE_URL="+site.URL), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// report logs a journey's output, and fails the test if it failed. The journey's error is last: logs are often cut at their
// beginning.
func report(t *testing.T, site *testkit.Site, script, out string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("The server said:\n%s\n%s: %v\n%s", site.Log(), script, err, out)
	}
	t.Log(out)
}
