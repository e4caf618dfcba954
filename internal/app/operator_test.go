package app

import (
	"database/sql"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	fake "pantheon/test/contract/playfab"
)

// Spec: ACCOUNT-10, PLAYER-5
func TestPlayers_OperatorReportsScoresAndKeepsLists(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.SQLite)
	c := config.Config{Brand: brandtest.Pantheon(), DataDir: filepath.Dir(o.Path), GamePlatform: config.PlatformLocal}
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the portal keeps running meanwhile
	testkit.AddPlayers(t, db, 0, "zeus")
	act := func(do func(*operator.Service) error) error { t.Helper(); return Act(t.Context(), c, do) }
	score := func(player, board string) error {
		t.Helper()
		return act(func(o *operator.Service) error {
			_, err := o.ReportScore(t.Context(), player, board, 7, testkit.By("a match"))
			return err
		})
	}
	if err := score("id:zeus", "kod"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{score("id:nobody", "kod"), score("id:zeus", "chess")} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("nobody's score, and a board that there is not: %v", err)
		}
	}
	entries, err := accounts.New(db).ScoresFrom(t.Context(), "kod", 1, 10)
	if err != nil || len(entries) != 1 || entries[0].Score != 7 || entries[0].PlayerID != "zeus" {
		t.Errorf("the board has %+v, %v", entries, err)
	}
	if err := act(func(o *operator.Service) error {
		_, err := o.PutOnList(t.Context(), "id:zeus", "presale", opened, testkit.By("asked"))
		return err
	}); err != nil {
		t.Error(err)
	}
	logged(t, c, "player score zeus: 7 on kod", "player whitelist add zeus: presale until 2026-03-01")
}

// logged checks the operators' log, in any order.
func logged(t *testing.T, c config.Config, want ...string) {
	t.Helper()
	var got []string
	if err := Lookup(t.Context(), c, func(o *operator.Service) error {
		log, err := o.Log(t.Context(), 100)
		for _, e := range log {
			if e.Who != "root@test" || e.Reason == "" || e.At.IsZero() {
				t.Errorf("logged %+v", e)
			}
			got = append(got, e.Command+" "+e.Subject+": "+e.Detail)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
}

// What is done at PlayFab is logged before.
func TestPlayers_OperatorsScoreAtPlayFabIsLogged(t *testing.T) {
	t.Parallel()
	title := fake.New(fake.Options{})
	server := httptest.NewServer(title)
	defer server.Close()
	o := testkit.DatabaseOptions(t, store.SQLite)
	c := config.Config{
		Brand: brandtest.Pantheon(), DataDir: filepath.Dir(o.Path), GamePlatform: config.PlatformPlayFab,
		PlayFab: config.PlayFab{TitleID: title.TitleID(), SecretKey: config.Secret(title.SecretKey()), URL: server.URL},
	}
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	testkit.AddPlayers(t, db, 0, "00000000000000A1")
	for board, code := range map[string]fault.Code{"kod": fault.NotFound, "chess": fault.NotFound} {
		if err := Act(t.Context(), c, func(o *operator.Service) error {
			_, err := o.ReportScore(t.Context(), "id:00000000000000A1", board, 7, testkit.By("a match"))
			return err
		}); !fault.Is(err, code) {
			t.Errorf("%s: %v", board, err)
		}
	}
	logged(t, c, "player score 00000000000000A1: 7 on kod")
}

func TestKeyInit_IsLoggedOnceThereIsADatabase(t *testing.T) {
	t.Parallel()
	fresh := config.Config{Brand: brandtest.Pantheon(), DataDir: t.TempDir(), SignerKeyFile: filepath.Join(t.TempDir(), "signer.key")}
	if _, err := InitKey(t.Context(), fresh, "", operator.By{Who: "root@test"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if _, err := os.Stat(fresh.SignerKeyFile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was made without a reason: %v", err)
	}
	k, err := InitKey(t.Context(), fresh, "", testkit.By("a new portal"))
	if err != nil || k.Logged || len(k.Fingerprint) != 32 || k.Path != fresh.SignerKeyFile {
		t.Errorf("%+v, %v", k, err)
	}
	if files, err := os.ReadDir(fresh.DataDir); err != nil || len(files) != 0 {
		t.Errorf("the data folder has %v, %v", files, err)
	}
	known := config.Config{
		DataDir: filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path), SignerKeyFile: filepath.Join(t.TempDir(), "signer.key"),
	}
	if k, err = InitKey(t.Context(), known, "", testkit.By("the first was lost before the start")); err != nil || !k.Logged {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := InitKey(t.Context(), known, "", testkit.By("again")); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a second time: %v", err)
	}
	logged(t, known, "key init "+known.SignerKeyFile+": fingerprint "+k.Fingerprint)
}

func TestCheck_MakesAndMigratesNothing(t *testing.T) {
	t.Parallel()
	c := config.Config{Brand: brandtest.Pantheon(), DataDir: t.TempDir(), SignerKeyFile: filepath.Join(t.TempDir(), "signer.key")}
	check := func() Connection { t.Helper(); return checkDatabase(t.Context(), c)[0] }
	const fresh = "new: `pantheon migrate` makes its tables, as does the first start unless MIGRATE is off"
	if got := check(); got.Err != nil || got.Note != fresh {
		t.Errorf("without a database: %+v", got)
	}
	if files, err := os.ReadDir(c.DataDir); err != nil || len(files) != 0 {
		t.Errorf("the data folder has %v, %v", files, err)
	}
	c.DataDir = filepath.Dir(testkit.DatabaseOptions(t, store.SQLite).Path)
	if got := check(); got.Err != nil || got.Note != "" {
		t.Errorf("with one: %+v", got)
	}
	c.DataDir = olderDatabase(t)
	const note = "the next start brings its schema from version 3 to 30; the signer key was not compared with it"
	if got := check(); got.Err != nil || got.Note != note {
		t.Errorf("with an older one: %+v", got)
	}
}

// olderDatabase returns the data folder of a portal whose schema has version 3.
func olderDatabase(t *testing.T) string {
	t.Helper()
	path := testkit.DatabaseOptions(t, store.SQLite).Path
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "DELETE FROM schema_version WHERE version_id > 3"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(path)
}
