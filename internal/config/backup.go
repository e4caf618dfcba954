package config

import (
	"slices"
	"strings"
	"time"
)

// Backup configures backups of a SQLite database, and rehearsals of any.
type Backup struct {
	// Folder to which pantheon backup writes, on another machine's disk than the database.
	Folder string `env:"BACKUP_DIR"`
	// Bucket at S3_ENDPOINT for backups, instead of a folder: bucket, or bucket/prefix.
	Bucket string `env:"BACKUP_BUCKET"`
	// Comma-separated public keys of age, such as age1…, for which backups are encrypted. Keep the private ones off the portal's machine.
	Recipients []string `env:"BACKUP_RECIPIENTS"`
	// How long backups are kept. The newest three are kept in any case.
	Keep time.Duration `env:"BACKUP_KEEP" envDefault:"720h"`
	// URL of a PostgreSQL database that was restored from a backup, for pantheon rehearse, which changes it.
	RehearseURL Secret `env:"REHEARSE_DATABASE_URL"`
}

// Set reports whether there is a place for backups.
func (b Backup) Set() bool { return b.Folder != "" || b.Bucket != "" }

func (b *Backup) check(f *faults, database Secret) {
	f.check(b.Folder == "" || b.Bucket == "", "BACKUP_DIR", "must not be set together with BACKUP_BUCKET")
	f.check(b.Bucket == "" || bucketPattern.MatchString(b.Bucket), "BACKUP_BUCKET", "must be bucket, or bucket/prefix")
	strange := slices.ContainsFunc(b.Recipients, func(key string) bool { return !strings.HasPrefix(key, "age1") })
	f.check(!strange, "BACKUP_RECIPIENTS", "must be public keys of age, such as age1…")
	f.check(!b.Set() || len(b.Recipients) > 0, "BACKUP_RECIPIENTS", "must be set where BACKUP_DIR or BACKUP_BUCKET is")
	f.check(b.Keep > 0, "BACKUP_KEEP", "must be longer than 0")
	f.check(b.RehearseURL == "" || b.RehearseURL != database, "REHEARSE_DATABASE_URL", "must be another database than DATABASE_URL")
}
