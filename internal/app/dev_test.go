package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/collections"
	"pantheon/internal/config"
)

// develop starts the development world in a folder and closes it again.
func develop(t *testing.T, dir string) error {
	t.Helper()
	c, err := config.Load([]string{"DATA_DIR=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	d, err := StartDevelopment(t.Context(), &c, &Options{}, io.Discard)
	if err != nil {
		return err
	}
	return d.Close()
}

// files lists a folder recursively.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refusedInOneLine checks that a folder is refused with a one-line error that says what to do, and not changed.
func refusedInOneLine(t *testing.T, dir string) {
	t.Helper()
	before := files(t, dir)
	err := develop(t, dir)
	want := "the development data was made by another version, with other contracts: delete the folder " + dir + " to start afresh"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	if after := files(t, dir); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("the folder was changed from %v to %v", before, after)
	}
}

func TestDevelopment_StartsAgainOnItsOwnData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	for range 2 {
		if err := develop(t, dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "chains", "contracts"), []byte("0x1234\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refusedInOneLine(t, dir)
}

// Chains of versions that did not record their contracts.
func TestDevelopment_OlderDataIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	for _, side := range []collections.Chain{collections.GameChain, collections.MainChain} {
		dir := t.TempDir()
		chain, err := devnet.Start(devnet.Options{ChainID: devGameChain, Dir: filepath.Join(dir, "chains", string(side))})
		if err != nil {
			t.Fatal(err)
		}
		if err := chain.Close(); err != nil {
			t.Fatal(err)
		}
		refusedInOneLine(t, dir)
	}
}

func TestDevelopment_RefusalNamesTheDatabaseToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "chains", "game"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := claimDataFolder(config.Config{DataDir: dir, DatabaseURL: "postgres://localhost/portal"})
	if err == nil || !strings.Contains(err.Error(), "delete the folder "+dir+" and empty the database that DATABASE_URL names") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// By default a development server requires no confirmed address; if told to, it needs no mail server for it.
func TestSponsorNeeds_NothingInDevelopment(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"": "none", "none": "none", "email": "email"} {
		c, err := config.Load([]string{"DATA_DIR=" + filepath.Join(t.TempDir(), "data"), "LOG_LEVEL=loud", "SPONSOR_NEEDS=" + set})
		if err != nil {
			t.Fatal(err)
		}
		// The log level is invalid: the configuration is completed and refused, and nothing is started.
		if _, err = StartDevelopment(t.Context(), &c, &Options{}, io.Discard); err == nil || strings.Contains(err.Error(), "SPONSOR_NEEDS") {
			t.Errorf("%q: %v", set, err)
		}
		if c.Relay.SponsorNeeds != want {
			t.Errorf("%q stands for %q, want %q", set, c.Relay.SponsorNeeds, want)
		}
	}
}
