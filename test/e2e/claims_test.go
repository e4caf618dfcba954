package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// A newcomer claims a vault and the season avatar, each once. The seasons are the test's own: the built-in ones end.
func TestClaims_VaultAndAvatarAreClaimedOnce(t *testing.T) {
	t.Parallel()
	day := func(days int) string { return time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339) }
	path := filepath.Join(t.TempDir(), "rules.yaml")
	text := fmt.Sprintf(`seasons:
  - {id: now, name: Season of Tests, from: %s, until: %s, vault: {default: "120", rarities: {epic: "150"}}, avatars: {first: 1, last: 1000}}
  - {id: next, name: Season of Reviews, from: %s, until: %s, vault: {default: "1"}}
`, day(-1), day(30), day(30), day(60))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{"GAME_RULES_FILE=" + path}})
	journey(t, site, "claims.mjs")
}
