package config

// What a player's first sponsored operation may need.
const (
	SponsorNeedsEmail = "email"
	SponsorNeedsNone  = "none"
)

// Relay limits what the portal pays for.
type Relay struct {
	// Sponsored operations a player may send in a minute.
	OpsPerMinute int `env:"RELAY_OPERATIONS_PER_MINUTE" envDefault:"20" min:"1"`
	// Sponsored operations a player may send in a day.
	OpsPerDay int `env:"RELAY_OPERATIONS_PER_DAY" envDefault:"300" min:"1"`
	// Sponsored operations that all players of one network may send in a day, on each chain; 0 for no limit.
	OpsNetwork int `env:"RELAY_OPERATIONS_PER_NETWORK" envDefault:"3000" min:"0"`
	// Sponsored operations of everybody in a day, on each chain; 0 for no limit.
	OpsTotal int `env:"RELAY_OPERATIONS_TOTAL" envDefault:"50000" min:"0"`

	// What a player needs for the first sponsored operation: email (a confirmed address; players who sign in with X, come by a link from
	// the game or play at PlayFab need none) or none. email when empty, none with pantheon dev. email needs SMTP_HOST.
	SponsorNeeds string `env:"SPONSOR_NEEDS"`
}

// check adds what is wrong. noMail tells that players' addresses cannot be confirmed.
func (r *Relay) check(f *faults, noMail bool) {
	switch needs := r.SponsorNeeds; {
	case needs != SponsorNeedsEmail && needs != SponsorNeedsNone:
		f.add("SPONSOR_NEEDS", "must be email or none")
	case needs == SponsorNeedsEmail && noMail:
		f.add("SPONSOR_NEEDS", "must be none where SMTP_HOST is not set: without mail no player can confirm an address")
	}
}
