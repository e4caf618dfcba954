package chaos_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// PostgreSQL is backed up by its own tools while players use the portal. Copies are restored aside and rehearsed; then the server is
// destroyed and comes back from its archive.
// Spec: RUN-31
func TestChaos_PostgreSQLComesBackFromItsArchive(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	database := testkit.StartArchived(t)
	c := startedChains(t)
	site := testkit.StartSite(t, testkit.SiteOptions{Env: []string{
		"DATABASE_URL=" + database.URL(), "GAME_CHAIN_RPC_URL=http://" + c.game, "MAIN_CHAIN_RPC_URL=http://" + c.main,
		"SIGNER_KEY_FILE=" + filepath.Join(t.TempDir(), "signer.key"),
	}})
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) && allDone(ctx, t, p, 18) },
		"the welcome gifts did not arrive")

	stop := use(ctx, t, p)
	database.PgBackRest("--type=full", "backup")
	stop()
	b, err := begin(ctx, p)
	must(t, err)
	must(t, b.game())
	testkit.Eventually(t, waitTimeout, func() bool { return b.main(ctx) == nil }, "the main chain's things are not burned")
	testkit.Eventually(t, waitTimeout, func() bool { return allDone(ctx, t, p, 18+5) }, "the rewards were not given")
	database.PgBackRest("check") // archives what there is

	copies := map[string]string{}
	if !testing.Short() {
		copies[database.Aside(database.BaseBackup)] = "11 tokens given"
	}
	restored := database.Aside(func(folder string) { // as of the backup
		database.PgBackRest("--pg1-path="+folder, "--type=immediate", "--target-action=promote", "restore")
	})
	copies[restored] = "10 tokens given"
	for url, given := range copies {
		r := rehearse(ctx, t, append(site.Command().Env, "REHEARSE_DATABASE_URL="+url), "")
		i := slices.IndexFunc(r.Steps, func(s app.Step) bool { return s.Name == "rewards" })
		if !r.OK() || r.Steps[i].Result != given || time.Duration(r.Age) < 0 || time.Duration(r.Age) > 5*time.Minute {
			t.Errorf("not %s: %+v", given, r)
		}
	}

	settings := rehearsalSettings(ctx, t, append(site.Command().Env, "REHEARSE_DATABASE_URL="+database.URL()+"&application_name=rehearsal"))
	if _, err := app.Rehearse(ctx, settings, app.RehearseOptions{Folder: t.TempDir()}); err == nil ||
		err.Error() != "REHEARSE_DATABASE_URL: a portal is using this database" {
		t.Errorf("on the database of a portal that runs: %v", err)
	}

	site.Kill()
	database.Destroy()
	database.Restore()
	site.Restart()
	b.finish(ctx, t, site)
}
