package config

import "time"

// SecurityLog configures the security log: who did what, when and from where.
type SecurityLog struct {
	// How long entries of the security log are kept.
	Keep time.Duration `env:"SECURITY_LOG_KEEP" envDefault:"17520h"`
	// Folder to which the newest hash of the security log is written each minute, on another machine's disk than the database, best where
	// nothing can be changed later: whoever rewrites the log in the database is found by it.
	Folder string `env:"SECURITY_LOG_DIR"`
	// Bucket at S3_ENDPOINT for these hashes, instead of a folder: bucket, or bucket/prefix. Best with object lock.
	Bucket string `env:"SECURITY_LOG_BUCKET"`
}

func (l *SecurityLog) check(f *faults) {
	f.check(l.Keep >= 30*24*time.Hour, "SECURITY_LOG_KEEP", "must be 720h or more")
	f.check(l.Folder == "" || l.Bucket == "", "SECURITY_LOG_DIR", "must not be set together with SECURITY_LOG_BUCKET")
	f.check(l.Bucket == "" || bucketPattern.MatchString(l.Bucket), "SECURITY_LOG_BUCKET", "must be bucket, or bucket/prefix")
}
