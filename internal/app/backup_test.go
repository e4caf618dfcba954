package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pantheon/internal/backup"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/testkit"
)

// backedUp returns the settings of a portal on SQLite with a folder for backups, and the file of the key that opens them.
func backedUp(t *testing.T) (c config.Config, identity string) {
	t.Helper()
	identity = filepath.Join(t.TempDir(), "backup.key")
	key, err := MakeBackupKey(identity)
	if err != nil {
		t.Fatal(err)
	}
	_, c = configure(t, map[string]string{
		"BACKUP_DIR": t.TempDir(), "BACKUP_RECIPIENTS": key.Recipient, "DATABASE_URL": "", "REHEARSE_DATABASE_URL": "",
	})
	return c, identity
}

func TestBackup_IsRestoredOnlyForItsPortal(t *testing.T) {
	t.Parallel()
	c, identity := backedUp(t)
	made, err := MakeBackup(t.Context(), c)
	if err != nil || made.Bytes == 0 {
		t.Fatalf("%+v, %v", made, err)
	}
	if left, err := filepath.Glob(filepath.Join(c.DataDir, "backup-*")); len(left) > 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := RestoreBackup(t.Context(), c, "", identity); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(err.Error(), "pantheon.db: move") {
		t.Errorf("over a database: %v", err)
	}
	for want, change := range map[string]func(*config.Config){
		"There is no backup": func(c *config.Config) { c.PublicURL = "https://other.example" }, // of this portal
		"is a backup of https://portal.example, and PUBLIC_URL is http://portal.example": func(c *config.Config) {
			c.PublicURL = "http://portal.example"
		},
		"is of a portal on the chains":                             func(c *config.Config) { c.GameChain.ID = 7 },
		"There is no backup.":                                      func(c *config.Config) { c.Backup.Folder = t.TempDir() },
		"BACKUP_DIR: must be a folder that exists: is it mounted?": func(c *config.Config) { c.Backup.Folder += "/missing" },
	} {
		other := c
		other.DataDir = t.TempDir()
		change(&other)
		if r, err := RestoreBackup(t.Context(), other, "", identity); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("not %q: %+v, %v", want, r, err)
		}
		if left, err := os.ReadDir(other.DataDir); len(left) > 0 || err != nil {
			t.Errorf("%s: left %v, %v", want, left, err)
		}
	}
	elsewhere := c
	elsewhere.DataDir = filepath.Join(t.TempDir(), "new")
	r, err := RestoreBackup(t.Context(), elsewhere, made.Name, identity)
	if err != nil || r.Name != made.Name {
		t.Fatalf("%+v, %v", r, err)
	}
	if from, to, err := Migrate(t.Context(), elsewhere, true); err != nil || from != 30 || to != 30 {
		t.Errorf("the restored database has the schema %d of %d, %v", from, to, err)
	}
}

func TestBackup_PostgreSQLHasItsOwnTools(t *testing.T) {
	t.Parallel()
	c, identity := backedUp(t)
	c.DatabaseURL = "postgres://portal@db.example/portal"
	if _, err := MakeBackup(t.Context(), c); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "pgBackRest") {
		t.Error(err)
	}
	if _, err := Rehearse(t.Context(), c, RehearseOptions{Identity: identity}); err == nil ||
		err.Error() != "REHEARSE_DATABASE_URL: must be the URL of a PostgreSQL database that was restored aside" {
		t.Error(err)
	}
	c.DatabaseURL, c.Backup.RehearseURL = "", "postgres://portal@db.example/portal"
	if _, err := Rehearse(t.Context(), c, RehearseOptions{Identity: identity}); err == nil ||
		err.Error() != "REHEARSE_DATABASE_URL: must be empty for a SQLite database" {
		t.Error(err)
	}
}

func TestReadiness_BackupsThatAreNoLongerMadeAreTold(t *testing.T) {
	t.Parallel()
	c, _ := backedUp(t)
	now := clock.NewFake(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	b := newBase(c, Options{Clock: now, Log: slog.New(slog.DiscardHandler)})
	watchBackups(b)
	check := func() error {
		for _, c := range b.health.Checks() {
			if c.Name == "backups" {
				return c.Run(t.Context())
			}
		}
		return errors.New("there is no check")
	}
	if err := check(); err != nil {
		t.Errorf("at the start: %v", err)
	}
	now.Advance(27 * time.Hour)
	if err := check(); err == nil || err.Error() != "the newest backup is 27h0m0s old" {
		t.Errorf("without any: %v", err)
	}
	name := backup.Name(c.PublicURL, now.Now().Add(-time.Hour))
	if err := os.WriteFile(filepath.Join(c.Backup.Folder, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.replica["backups"](ctx) }()
	testkit.Eventually(t, time.Minute, func() bool { return check() == nil }, "the backup is not seen")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
