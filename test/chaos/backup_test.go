package chaos_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/app"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/config"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// startedChains starts development chains in a process of their own.
func startedChains(t *testing.T) *chains {
	t.Helper()
	c := &chains{dir: t.TempDir()}
	for _, address := range []*string{&c.game, &c.main} {
		var err error
		*address, err = testkit.FreeAddress()
		must(t, err)
	}
	c.start(t)
	t.Cleanup(c.kill)
	return c
}

// A database is backed up while players use the portal, then a player burns what they have, and the database is lost. The rewards of the
// burns were given before; after the restore they are earned again, and nothing is given twice.
// Spec: RUN-30, RUN-31
func TestChaos_RestoredBackupGivesNothingTwice(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := startedChains(t)
	folder, copies := t.TempDir(), t.TempDir()
	key, err := app.MakeBackupKey(filepath.Join(t.TempDir(), "backup.key"))
	must(t, err)
	env := []string{
		"GAME_CHAIN_RPC_URL=http://" + c.game, "MAIN_CHAIN_RPC_URL=http://" + c.main, "GAME_CHAIN_ID=1337042", "MAIN_CHAIN_ID=1337137",
		"SIGNER_KEY_FILE=" + filepath.Join(t.TempDir(), "signer.key"),
		"BACKUP_DIR=" + folder, "BACKUP_RECIPIENTS=" + key.Recipient, "WALLET_COPIES_DIR=" + copies,
		"ACCOUNT_FACTORY_ADDRESS=0xcA35FC2291f0Eb5a139B9955222Ac8Bc792DdCb4",
		"ACCOUNT_IMPLEMENTATION_ADDRESS=0x9e6d13c8C7beF345910F7efa86408329d5acF170",
	}
	site := testkit.StartSite(t, testkit.SiteOptions{Env: env})
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) && allDone(ctx, t, p, 18) },
		"the welcome gifts did not arrive")

	stop := use(ctx, t, p)
	if out, err := site.Command("backup").CombinedOutput(); err != nil || !strings.Contains(string(out), "Made 127.0.0.1_") {
		t.Fatalf("%v\n%s", err, out)
	}
	stop()
	b, err := begin(ctx, p)
	must(t, err)
	must(t, b.game())
	testkit.Eventually(t, waitTimeout, func() bool { return b.main(ctx) == nil }, "the main chain's things are not burned")
	testkit.Eventually(t, waitTimeout, func() bool { return allDone(ctx, t, p, 18+5) }, "the rewards were not given")
	newer, err := player.Register(ctx, site.URL)
	must(t, err)

	r := rehearse(ctx, t, site.Command().Env, key.File)
	for name, want := range map[string]string{
		"restore": "schema 30", "database": "whole", "wallets": "opened 1 of 1",
		"copies of wallets": "2 copies, restored 1 wallets, deleted 0 accounts again",
		"game chain":        "rebuilt up to block", "main chain": "rebuilt up to block", "rewards": "tokens given",
		"wallets of the portal": " transactions of " + devnet.WalletOf(devnet.Claimer).Address.Checksum() + " on chain 1337042, ",
	} {
		i := slices.IndexFunc(r.Steps, func(s app.Step) bool { return s.Name == name })
		if i < 0 || !strings.Contains(r.Steps[i].Result, want) || len(r.Steps[i].Problems) > 0 {
			t.Errorf("%s is not %q:\n%+v", name, want, r.Steps)
		}
	}

	site.Kill()
	damaged := t.TempDir()
	move(t, site.Dir, damaged) // the disk is lost
	if out, err := site.Command("backup", "restore", "--identity", key.File).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := site.Command("wallet", "restore", "--reason", "the disk is lost").CombinedOutput(); err != nil ||
		!strings.Contains(string(out), newer.ID) {
		t.Fatalf("%v\n%s", err, out)
	}
	site.Restart()
	b.finish(ctx, t, site)

	spoilWallet(t, filepath.Join(damaged, "pantheon.db"), newer.ID)
	site.Set("DATA_DIR=" + damaged)
	site.Set("BACKUP_DIR=" + t.TempDir())
	if out, err := site.Command("backup").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r = rehearse(ctx, t, site.Command().Env, key.File)
	i := slices.IndexFunc(r.Steps, func(s app.Step) bool { return s.Name == "wallets" })
	if s := r.Steps[i]; r.OK() || s.Result != "opened 1 of 2" || len(s.Problems) != 1 ||
		!strings.HasPrefix(s.Problems[0], "the wallet of "+newer.ID+": ") {
		t.Errorf("with one byte of a sealed key flipped: %+v", r.Steps)
	}
}

// spoilWallet changes one character of a player's sealed key.
func spoilWallet(t *testing.T, database, playerID string) {
	t.Helper()
	db := testkit.Connect(t, "sqlite", database)
	var key string
	must(t, db.QueryRowContext(t.Context(), "SELECT sealed_key FROM wallet WHERE player_id = $1", playerID).Scan(&key))
	spoiled := []byte(key)
	if at := len(spoiled) / 2; spoiled[at] == 'A' {
		spoiled[at] = 'B'
	} else {
		spoiled[at] = 'A'
	}
	_, err := db.ExecContext(t.Context(), "UPDATE wallet SET sealed_key = $1 WHERE player_id = $2", string(spoiled), playerID)
	must(t, err)
}

// use lets a player use the portal until the returned function is called. Every call must succeed.
func use(ctx context.Context, t *testing.T, p *player.Player) (stop func()) {
	t.Helper()
	var ends atomic.Bool
	done := make(chan error, 1)
	go func() {
		for !ends.Load() {
			if err := p.Call(ctx, "GET", "/api/auth/profile", nil, nil); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	return func() {
		t.Helper()
		ends.Store(true)
		must(t, <-done)
	}
}

// rehearse restores the newest backup aside, with the settings of a site.
func rehearse(ctx context.Context, t *testing.T, env []string, identity string) app.Rehearsal {
	t.Helper()
	aside := filepath.Join(t.TempDir(), "aside")
	must(t, os.Mkdir(aside, 0o700))
	r, err := app.Rehearse(ctx, rehearsalSettings(ctx, t, env), app.RehearseOptions{Identity: identity, Folder: aside})
	must(t, err)
	return r
}

// rehearsalSettings returns the settings of a site whose environment is given.
func rehearsalSettings(ctx context.Context, t *testing.T, env []string) config.Config {
	t.Helper()
	settings, err := config.Load(append(env, "DEV_BEACON_PORT=0"), brandtest.Pantheon())
	must(t, err)
	settings.DataDir = t.TempDir()
	d, err := app.StartDevelopment(ctx, &settings, &app.Options{}, io.Discard)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return settings
}
