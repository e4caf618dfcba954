package e2e_test

import (
	"path/filepath"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// A player's own part of the house, and the leaderboards, whose scores come by the command that games report with. What
// the pages show comes from queries that are tested on both databases: one engine will do.
func TestPortal_PlayersOwnPagesTellWhatIsTheirs(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite})
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "pantheon"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t.Context(), site, "portal.mjs", "SCORE="+binary, "DATA_DIR="+site.Dir)
	report(t, site, "portal.mjs", out, err)
	journey(t, site, "portal-failed.mjs")
}
