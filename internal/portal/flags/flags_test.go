package flags_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/flags"
)

func silent(error) {}

func TestTheDefaultsHaveEveryFlag(t *testing.T) {
	t.Parallel()
	s, err := flags.New("", silent)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Enabled(flags.AllowPurchase) || s.Enabled(flags.Maintenance) || s.Enabled("no such flag") {
		t.Fatalf("defaults: %v", s.All())
	}
}

func TestABrokenFileIsRefusedWithEveryFault(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "flags.yaml")
	write(t, path, "flags:\n  - key: purchase\n    enabled: true\n  - key: purchase\n    enabled: false\n")
	_, err := flags.New(path, silent)
	if err == nil || !strings.Contains(err.Error(), `"purchase" is there twice`) || !strings.Contains(err.Error(), `"claims" is missing`) {
		t.Fatalf("got %v", err)
	}
}

func TestAFileThatBreaksLaterKeepsTheLastGoodOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "flags.yaml")
	good, err := os.ReadFile("defaults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(good))
	reported := make(chan error, 1)
	s, err := flags.New(path, func(err error) { reported <- err })
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "flags: nonsense")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if !s.Enabled(flags.AllowPurchase) {
		t.Fatal("the last good flags are gone")
	}
	if len(reported) != 1 {
		t.Fatal("nobody was told")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
