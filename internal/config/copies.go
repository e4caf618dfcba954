package config

// WalletCopies configures the second place of the players' wallets, apart from the database.
type WalletCopies struct {
	// Folder that has a copy of every wallet, on another machine's disk than the database: a wallet is used only once it is there. Backups
	// of the database are older than the newest wallets.
	Folder string `env:"WALLET_COPIES_DIR"`
	// Bucket at S3_ENDPOINT for the copies, instead of a folder: bucket, or bucket/prefix.
	Bucket string `env:"WALLET_COPIES_BUCKET"`
}

// Set reports whether there is a second place.
func (w WalletCopies) Set() bool { return w.Folder != "" || w.Bucket != "" }

func (w *WalletCopies) check(f *faults) {
	f.check(w.Folder == "" || w.Bucket == "", "WALLET_COPIES_DIR", "must not be set together with WALLET_COPIES_BUCKET")
	f.check(w.Bucket == "" || bucketPattern.MatchString(w.Bucket), "WALLET_COPIES_BUCKET", "must be bucket, or bucket/prefix")
}
