package signer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pantheon/internal/chain/signer"
)

// Spec: RUN-6
func TestKeyFile_IsOpenedAndNotMade(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "volume")
	path := filepath.Join(folder, "signer.key")
	if _, err := signer.OpenKeyFile(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("without a file: %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was made: %v", err)
	}
	if err := signer.MakeKeyFile(path); err != nil {
		t.Fatal(err)
	}
	if err := signer.MakeKeyFile(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made again: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v (%v)", info.Mode(), err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := signer.OpenKeyFile(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others may read: %v", err)
	}
}

// Kubernetes mounts secrets as files of root that a group can read, and systemd credentials.
// Spec: RUN-6
func TestKeyFile_OfAnotherOwnerMayBeReadByItsGroup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "signer.key")
	if err := signer.MakeKeyFile(path); err != nil {
		t.Fatal(err)
	}
	takes := map[fs.FileMode]bool{0o400: true, 0o600: true, 0o440: false, 0o640: false}
	if os.Geteuid() == 0 { // nobody else can give files away
		if err := os.Chown(path, 65534, -1); err != nil {
			t.Fatal(err)
		}
		takes = map[fs.FileMode]bool{0o400: true, 0o440: true, 0o640: true, 0o660: false, 0o444: false, 0o604: false, 0o450: false}
	}
	for mode, want := range takes {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := signer.OpenKeyFile(path); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v, must be taken: %t", mode, err, want)
		}
	}
}

// The fingerprint depends only on the key, not on its file or format; another key has another one, and it reveals
// nothing.
// Spec: RUN-6
func TestFingerprint_IsTheKeys(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open := func(name string) signer.KEK {
		t.Helper()
		kek, err := signer.KeyFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return kek
	}
	first, second := open("first").Fingerprint(), open("second").Fingerprint()
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(first) || first == second {
		t.Errorf("the fingerprints are %q and %q", first, second)
	}
	text, err := os.ReadFile(filepath.Join(folder, "first"))
	if err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, text, "", "    "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "copy"), pretty.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := open("copy").Fingerprint(); again != first || bytes.Contains(text, []byte(first)) {
		t.Errorf("a copy has the fingerprint %q, want %q", again, first)
	}
}
