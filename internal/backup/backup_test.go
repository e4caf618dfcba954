package backup_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"pantheon/internal/backup"
	"pantheon/internal/kit/fault"
)

var taken = time.Date(2026, 11, 30, 12, 30, 0, 0, time.UTC)

// place is a folder of backups.
type place struct{ path string }

func (p place) List(_ context.Context, prefix string) (names []string, err error) {
	entries, err := os.ReadDir(p.path)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (p place) Upload(_ context.Context, name string, content io.Reader) error {
	text, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.path, name), text, 0o600)
}

func (p place) Download(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(p.path, name))
}

func (p place) Remove(_ context.Context, name string) error {
	return os.Remove(filepath.Join(p.path, name))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func pair(t *testing.T) *age.X25519Identity {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	must(t, err)
	return k
}

// made makes a backup of a database and a file of settings.
func made(t *testing.T, p place, to age.Recipient, at time.Time) (name string) {
	t.Helper()
	folder := t.TempDir()
	var files []backup.File
	for name, content := range map[string]string{"pantheon.db": strings.Repeat("rows ", 100_000), "rules.yaml": "seasons: []\n"} {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		files = append(files, backup.File{Name: name, Path: path})
	}
	name, size, err := backup.Make(t.Context(), p, []age.Recipient{to},
		backup.Manifest{Portal: "https://portal.example", TakenAt: at, Schema: 26, Chains: []uint64{1, 2}}, files)
	must(t, err)
	if info, err := os.Stat(filepath.Join(p.path, name)); err != nil || info.Size() != size {
		t.Errorf("it has %d bytes: %v, %v", size, info, err)
	}
	return name
}

// Spec: RUN-31
func TestBackup_ComesBackAsItWas(t *testing.T) {
	t.Parallel()
	p, key := place{t.TempDir()}, pair(t)
	name := made(t, p, key.Recipient(), taken)
	if name != "portal.example-20261130T123000Z.tar.zst.age" {
		t.Error(name)
	}
	folder := t.TempDir()
	m, err := backup.Extract(t.Context(), p, name, []age.Identity{key}, folder)
	must(t, err)
	if m.Portal != "https://portal.example" || !m.TakenAt.Equal(taken) || m.Schema != 26 || !slices.Equal(m.Chains, []uint64{1, 2}) {
		t.Errorf("%+v", m)
	}
	database, err := os.ReadFile(filepath.Join(folder, "pantheon.db"))
	must(t, err)
	rules, err := os.ReadFile(filepath.Join(folder, "rules.yaml"))
	must(t, err)
	if len(database) != 500_000 || string(rules) != "seasons: []\n" {
		t.Errorf("%d bytes, %q", len(database), rules)
	}
	sealed, err := os.ReadFile(filepath.Join(p.path, name))
	must(t, err)
	if bytes.Contains(sealed, []byte("portal.example")) || bytes.Contains(sealed, []byte("seasons")) || len(sealed) > 10_000 {
		t.Errorf("%d bytes, not encrypted or not compressed", len(sealed))
	}
}

func TestBackup_DamagedOneIsRefused(t *testing.T) {
	t.Parallel()
	p, key := place{t.TempDir()}, pair(t)
	name := made(t, p, key.Recipient(), taken)
	path := filepath.Join(p.path, name)
	whole, err := os.ReadFile(path)
	must(t, err)
	for what, text := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)-1], "half": whole[:len(whole)/2], "longer": append(slices.Clone(whole), 0),
		"flipped at the end":     flipped(whole, len(whole)-1),
		"flipped in the middle":  flipped(whole, len(whole)/2),
		"flipped in the version": flipped(whole, 20), "something else": []byte("SQLite format 3\x00"),
	} {
		must(t, os.WriteFile(path, text, 0o600))
		if _, err := backup.Extract(t.Context(), p, name, []age.Identity{key}, t.TempDir()); !fault.Is(err, fault.Invalid) ||
			!strings.HasPrefix(err.Error(), name+" cannot be restored: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func flipped(text []byte, at int) []byte {
	text = slices.Clone(text)
	text[at] ^= 1
	return text
}

func TestBackup_AnotherKeyDoesNotOpenIt(t *testing.T) {
	t.Parallel()
	p := place{t.TempDir()}
	name := made(t, p, pair(t).Recipient(), taken)
	if _, err := backup.Extract(t.Context(), p, name, []age.Identity{pair(t)}, t.TempDir()); err == nil ||
		err.Error() != name+" was made for another key, or is damaged: does --identity belong to BACKUP_RECIPIENTS?" {
		t.Error(err)
	}
}

func TestBackup_OneThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	p := place{t.TempDir()}
	_, _, err := backup.Make(t.Context(), p, []age.Recipient{pair(t).Recipient()}, backup.Manifest{TakenAt: taken},
		[]backup.File{{Name: "pantheon.db", Path: filepath.Join(t.TempDir(), "missing")}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a database: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "pantheon.db")
	must(t, os.WriteFile(path, []byte("rows"), 0o600))
	if _, _, err := backup.Make(ctx, p, []age.Recipient{pair(t).Recipient()}, backup.Manifest{TakenAt: taken},
		[]backup.File{{Name: "pantheon.db", Path: path}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if names, err := backup.List(t.Context(), p, "https://portal.example"); len(names) > 0 || err != nil {
		t.Errorf("left %v, %v", names, err)
	}
}

func TestBackup_OldOnesAreRemovedButTheNewestThree(t *testing.T) {
	t.Parallel()
	p, key := place{t.TempDir()}, pair(t)
	must(t, os.WriteFile(filepath.Join(p.path, "portal.example-notes.txt"), nil, 0o600))
	other, _, err := backup.Make(t.Context(), p, []age.Recipient{key.Recipient()},
		backup.Manifest{Portal: "https://portal.example:8443", TakenAt: taken}, nil)
	must(t, err)
	var all []string
	for day := range 6 {
		all = append(all, made(t, p, key.Recipient(), taken.AddDate(0, 0, day)))
	}
	removed, err := backup.Prune(t.Context(), p, "https://portal.example", taken.AddDate(0, 0, 2))
	if err != nil || !slices.Equal(removed, all[:2]) {
		t.Errorf("removed %v, %v", removed, err)
	}
	removed, err = backup.Prune(t.Context(), p, "https://portal.example", taken.AddDate(1, 0, 0))
	if err != nil || !slices.Equal(removed, all[2:3]) {
		t.Errorf("after a year removed %v, %v", removed, err)
	}
	if names, err := backup.List(t.Context(), p, "https://portal.example"); err != nil || !slices.Equal(names, all[3:]) {
		t.Errorf("there are %v, %v", names, err)
	}
	for _, name := range []string{"portal.example-notes.txt", other} {
		if _, err := os.Stat(filepath.Join(p.path, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestBackup_RecipientsArePublicKeys(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{nil, {""}, {"age1short"}, {pair(t).String()}} {
		if to, err := backup.ParseRecipients(keys); err == nil {
			t.Errorf("%q: %v", keys, to)
		}
	}
	if to, err := backup.ParseRecipients([]string{pair(t).Recipient().String(), pair(t).Recipient().String()}); err != nil || len(to) != 2 {
		t.Errorf("%v, %v", to, err)
	}
}
