// Package e2e_test drives the built binary in a real browser, as players do.
package e2e_test

import (
	"bytes"
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

const journeyTime = 4 * time.Minute

// The journeys run once on each database: SQLite, and PostgreSQL by DATABASE_URL.
func TestANewcomerBuysAndOwnsAndEverybodySeesIt(t *testing.T) {
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			site := testkit.StartSite(t, testkit.SiteOptions{Engine: engine})
			journey(t, site, "purchase.mjs")
		})
	}
}

// Every public page, in a phone, on a desktop and without scripts. Pages know no database: one engine will do.
func TestEveryPublicPageIsWholeAndCanBeShared(t *testing.T) {
	journey(t, testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite}), "pages.mjs")
}

// journey runs one script of the journeys folder against the site.
func journey(t *testing.T, site *testkit.Site, script string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), journeyTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("journeys", script))
	cmd.Env = append(os.Environ(), "BASE_URL="+site.URL)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s\nThe server said:\n%s", script, err, out.String(), site.Log())
	}
	t.Log(out.String())
}
