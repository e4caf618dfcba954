package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"filippo.io/age"

	"pantheon/internal/backup"
	"pantheon/internal/config"
	"pantheon/internal/files"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/version"
	"pantheon/internal/store"
)

// BackupKey is a pair of keys for backups.
type BackupKey struct {
	File      string `json:"file"`      // has the private key
	Recipient string `json:"recipient"` // the public key, for BACKUP_RECIPIENTS
}

// MakeBackupKey makes a pair of keys and writes the private one to a new file.
func MakeBackupKey(path string) (k BackupKey, err error) {
	pair, err := age.GenerateX25519Identity()
	if err != nil {
		return k, err
	}
	k = BackupKey{path, pair.Recipient().String()}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return k, err
	}
	_, err = fmt.Fprintf(file, "# public key: %s\n%s\n", k.Recipient, pair)
	if err == nil {
		err = file.Sync()
	}
	return k, errors.Join(err, file.Close())
}

// openBackups returns the place of backups.
func openBackups(c config.Config) (place files.Large, closing func() error, err error) {
	closing = func() error { return nil }
	switch b := c.Backup; {
	case b.Bucket != "":
		bucket, err := files.NewBucket(bucketOf(c, b.Bucket))
		if err != nil {
			return nil, nil, fmt.Errorf("BACKUP_BUCKET: %w", err)
		}
		return bucket, bucket.Close, nil
	case b.Folder != "":
		return files.Folder{Path: b.Folder}, closing, nil
	}
	return nil, nil, errors.New("BACKUP_DIR or BACKUP_BUCKET: must be set")
}

// withBackups runs a task with the place of backups. A folder must exist: where another disk is not mounted, none is made in its place.
func withBackups(c config.Config, do func(files.Large) error) (err error) {
	if b := c.Backup; b.Bucket == "" && b.Folder != "" {
		if _, err := os.Stat(b.Folder); err != nil {
			return fmt.Errorf("BACKUP_DIR: must be a folder that exists: is it mounted? %w", err)
		}
	}
	place, closing, err := openBackups(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	return do(place)
}

const (
	// backupsInterval is the interval at which the newest backup is looked for.
	backupsInterval = 10 * time.Minute
	// backupsPatience is the age of the newest backup from which /readyz tells: nightly ones are made each day, some of them late.
	backupsPatience = 26 * time.Hour
)

// watchBackups lets /readyz tell when backups are no longer made.
func watchBackups(b *base) {
	if !b.config.Backup.Set() {
		return
	}
	var newest atomic.Int64 // in Unix seconds
	newest.Store(b.clock.Now().Unix())
	var failed atomic.Bool
	b.replica["backups"] = func(ctx context.Context) error {
		return periodic.RunAtOnce(ctx, backupsInterval, func(ctx context.Context) error {
			var names []string
			err := withBackups(b.config, func(place files.Large) (err error) {
				names, err = backup.List(ctx, place, b.config.PublicURL)
				return err
			})
			if failed.Store(err != nil && ctx.Err() == nil); err != nil || len(names) == 0 {
				return err
			}
			at, _ := backup.TakenAt(names[len(names)-1])
			newest.Store(at.Unix())
			return nil
		}, func(err error) { b.log.Warn("the backups cannot be listed", "error", err) })
	}
	b.health.Add(health.Check{Name: "backups", Run: func(context.Context) error {
		if failed.Load() {
			return fault.New(fault.Unavailable, "the backups cannot be listed: the log says why")
		}
		if age := b.clock.Now().Sub(time.Unix(newest.Load(), 0)); age > backupsPatience {
			return fault.New(fault.Unavailable, "the newest backup is %s old", age.Round(time.Hour))
		}
		return nil
	}})
}

// Backup is a backup that was made.
type Backup struct {
	Name    string   `json:"name"`
	Bytes   int64    `json:"bytes"`
	Removed []string `json:"removed"` // backups that were too old
}

// MakeBackup backs up the SQLite database, which may be in use, and the files of settings, and removes backups that are too old.
func MakeBackup(ctx context.Context, c config.Config) (made Backup, err error) {
	c.Complete()
	if c.DatabaseURL != "" {
		return made, fault.New(fault.Invalid,
			"PostgreSQL is backed up by its own tools, such as pgBackRest: see docs/operations/backup.md")
	}
	if c.Backup.Keep <= 0 {
		return made, errors.New("BACKUP_KEEP: must be longer than 0")
	}
	to, err := backup.ParseRecipients(c.Backup.Recipients)
	if err != nil {
		return made, fmt.Errorf("BACKUP_RECIPIENTS: %w", err)
	}
	err = withBackups(c, func(place files.Large) error {
		return withStore(ctx, c, store.ReadWrite, func(db *store.DB) (err error) {
			if err := removeLeftovers(c.DataDir); err != nil {
				return err
			}
			folder, err := os.MkdirTemp(c.DataDir, "backup-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
			m, err := manifestOf(ctx, c, db)
			if err != nil {
				return err
			}
			copied := filepath.Join(folder, backup.Database)
			if err := db.Snapshot(ctx, copied); err != nil {
				return fmt.Errorf("copying the database to %s: %w", c.DataDir, err)
			}
			content := append([]backup.File{{Name: backup.Database, Path: copied}}, settingFiles(c)...)
			made.Name, made.Bytes, err = backup.Make(ctx, place, to, m, content)
			if err == nil {
				made.Removed, err = backup.Prune(ctx, place, c.PublicURL, m.TakenAt.Add(-c.Backup.Keep))
			}
			return err
		})
	})
	return made, err
}

// leftoverAge is the age from which what a backup or a rehearsal has left was left by a process that was killed.
const leftoverAge = 24 * time.Hour

// removeLeftovers removes copies of the database that processes have left that were killed.
func removeLeftovers(folder string) error {
	var errs []error
	for _, pattern := range []string{"backup-*", "rehearsal-*"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		errs = append(errs, err)
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.IsDir() && time.Since(info.ModTime()) > leftoverAge {
				errs = append(errs, os.RemoveAll(path))
			}
		}
	}
	return errors.Join(errs...)
}

// manifestOf says what a backup of a database is of.
func manifestOf(ctx context.Context, c config.Config, db *store.DB) (m backup.Manifest, err error) {
	m = backup.Manifest{
		Portal: c.PublicURL, TakenAt: clock.System{}.Now(), Program: version.Get().Version, Chains: []uint64{c.GameChain.ID, c.MainChain.ID},
	}
	m.Schema, err = db.Schema(ctx)
	return m, err
}

// settingFiles are the files of settings that no other place has: drop tables and tariffs that were in force cannot be made up again.
func settingFiles(c config.Config) (out []backup.File) {
	for name, path := range map[string]string{"rules.yaml": c.GameRules, "products.yaml": c.Shop.Products, "flags.yaml": c.FlagsFile} {
		if path != "" {
			out = append(out, backup.File{Name: name, Path: path})
		}
	}
	return out
}

// Backups returns the names of the backups, oldest first.
func Backups(ctx context.Context, c config.Config) (names []string, err error) {
	c.Complete()
	err = withBackups(c, func(place files.Large) error {
		names, err = backup.List(ctx, place, c.PublicURL)
		return err
	})
	return names, err
}

// readIdentities reads the file of private keys of age.
func readIdentities(path string) (out []age.Identity, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if out, err = age.ParseIdentities(file); err != nil {
		return nil, fmt.Errorf("%s has no private key of age: %w", path, err)
	}
	return out, nil
}

// extract restores a backup into a folder: the newest if name is "". It checks that the backup is this portal's.
func extract(ctx context.Context, c config.Config, name, identity, folder string) (restored string, m backup.Manifest, err error) {
	by, err := readIdentities(identity)
	if err != nil {
		return "", m, err
	}
	err = withBackups(c, func(place files.Large) error {
		if name == "" {
			names, err := backup.List(ctx, place, c.PublicURL)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return fault.New(fault.NotFound, "There is no backup.")
			}
			name = names[len(names)-1]
		}
		m, err = backup.Extract(ctx, place, name, by, folder)
		return err
	})
	switch {
	case err != nil:
		return name, m, err
	case m.Portal != c.PublicURL:
		return name, m, fault.New(fault.Invalid, "%s is a backup of %s, and PUBLIC_URL is %s", name, m.Portal, c.PublicURL)
	case len(m.Chains) != 2 || m.Chains[0] != c.GameChain.ID || m.Chains[1] != c.MainChain.ID:
		return name, m, fault.New(fault.Invalid, "%s is of a portal on the chains %v, and this one is on %d and %d",
			name, m.Chains, c.GameChain.ID, c.MainChain.ID)
	case m.Schema > store.SchemaVersion():
		return name, m, fault.New(fault.Invalid, "%s has the schema %d: restore it with version %s of this program",
			name, m.Schema, m.Program)
	}
	return name, m, nil
}

// RestoredBackup is a backup that was restored.
type RestoredBackup struct {
	Name     string    `json:"name"`
	TakenAt  time.Time `json:"takenAt"`
	Database string    `json:"database"` // its path
	Settings string    `json:"settings"` // the folder of the files of settings
}

// RestoreBackup restores a backup, the newest if name is "", into the data folder, which must not have a database.
func RestoreBackup(ctx context.Context, c config.Config, name, identity string) (r RestoredBackup, err error) {
	c.Complete()
	if c.DatabaseURL != "" {
		return r, fault.New(fault.Invalid, "DATABASE_URL: must be empty: a backup of SQLite cannot be restored to PostgreSQL")
	}
	database := filepath.Join(c.DataDir, databaseFile)
	for _, leftover := range []string{database, database + "-wal", database + "-shm"} {
		if _, err := os.Stat(leftover); err == nil {
			return r, fault.New(fault.Conflict, "There is %s: move the database that is there away first.", leftover)
		}
	}
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return r, err
	}
	folder, err := os.MkdirTemp(c.DataDir, "restored-")
	if err != nil {
		return r, err
	}
	name, m, err := extract(ctx, c, name, identity, folder)
	if err == nil {
		err = os.Rename(filepath.Join(folder, backup.Database), database)
	}
	if err != nil {
		return r, errors.Join(err, os.RemoveAll(folder))
	}
	return RestoredBackup{name, m.TakenAt, database, folder}, nil
}
