package config

// Limits are rate limits of the sensitive calls, per minute; 0 means no limit.
type Limits struct {
	// Registrations, logins and resets of passwords from one address in a minute, each; 0 for no limit.
	Logins int `env:"LIMIT_LOGINS" envDefault:"20" min:"0"`
	// Wrong passwords and codes for one account from one network in a quarter of an hour; 0 for no limit.
	Attempts int `env:"LIMIT_WRONG_PASSWORDS" envDefault:"10" min:"0"`
	// Emails with a link or a code for one account from one network, and for the approvals of one session, in an hour; 0 for no limit.
	Emails int `env:"LIMIT_MAILS" envDefault:"5" min:"0"`
	// Cart and checkout changes of one player in a minute; 0 for no limit.
	Cart int `env:"LIMIT_CART_CHANGES" envDefault:"120" min:"0"`
	// Signatures and relay calls of one player in a minute, each; every request of a batch counts. 0 for no limit.
	Signatures int `env:"LIMIT_SIGNATURES" envDefault:"240" min:"0"`
	// Support requests and pre-registrations from one address in a minute; 0 for no limit.
	Contacts int `env:"LIMIT_CONTACTS" envDefault:"6" min:"0"`
	// Monitoring reports from one address in a minute; 0 for no limit.
	Reports int `env:"LIMIT_MONITORING" envDefault:"600" min:"0"`
	// MiB of monitoring reports from one address in a minute, counted as they are unpacked; 0 for no limit.
	ReportMiB int `env:"LIMIT_MONITORING_MIB" envDefault:"8" min:"0"`
	// The same, of all addresses together that report to this server; 0 for no limit.
	ReportsMiB int `env:"LIMIT_MONITORING_TOTAL_MIB" envDefault:"64" min:"0"`
	// Chain reads, and pages of leaderboards, from one address in a minute, each; every request of a batch counts. 0 for no limit.
	ChainReads int `env:"LIMIT_CHAIN_READS" envDefault:"1200" min:"0"`
	// Calls of one player, or of a visitor's address, in a minute, each call that has no other limit; five times as many of a network. 0
	// for no limit.
	Reads int `env:"LIMIT_READS" envDefault:"240" min:"0"`
	// Searches of the market of one player, or of a visitor's address, in a minute; five times as many of a network. 0 for no limit.
	Searches int `env:"LIMIT_SEARCHES" envDefault:"120" min:"0"`
	// Images, and metadata, of tokens from one address in a minute, each; 0 for no limit.
	Art int `env:"LIMIT_ART" envDefault:"6000" min:"0"`
}
