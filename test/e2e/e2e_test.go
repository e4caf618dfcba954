// Package e2e_test drives the built binary in a real browser, as players do.
package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// journeyTime is what the longest journey, the one over all pages, may take on a busy machine.
const journeyTime = 12 * time.Minute

// The journeys run once on each database: SQLite, and PostgreSQL by DATABASE_URL.
func TestANewcomerBuysAndOwnsAndEverybodySeesIt(t *testing.T) {
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			site := testkit.StartSite(t, testkit.SiteOptions{Engine: engine})
			journey(t, site, "purchase.mjs")
		})
	}
}

// Every page, found, shared and read without scripts; then as visitors and as players, on a phone, a tablet and a desktop.
// Pages know no database: one engine will do.
func TestEveryPublicPageIsWholeAndCanBeShared(t *testing.T) {
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "pages.mjs")
	journey(t, site, "crawl.mjs")
}

// An account from the registration to its end: the mailed link and code are read in the development mailbox.
func TestAnAccountFromBeginningToEnd(t *testing.T) {
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	journey(t, site, "account.mjs")
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
