package config

import "time"

// HTTP limits the resources of connections to the site, and configures how browsers reach it.
type HTTP struct {
	// Connections that may be open at a time, players' realtime connections not counted.
	Connections int `env:"HTTP_CONNECTIONS" envDefault:"10000" min:"1"`
	// The same for one address (of IPv6, a /64), realtime connections counted. TRUSTED_PROXIES and this machine are exempt; 0 for no
	// limit.
	PerClient int `env:"HTTP_CONNECTIONS_PER_CLIENT" envDefault:"500" min:"0"`
	// How long a connection may take to accept 32 KiB of an answer, or to send a request's body; slower ones are closed.
	StallTimeout time.Duration `env:"HTTP_STALL_TIMEOUT" envDefault:"30s" min:"1s"`
	// max-age of the Strict-Transport-Security header, which is sent without includeSubDomains if PUBLIC_URL is https. 0 omits it.
	HSTS time.Duration `env:"HSTS_MAX_AGE" envDefault:"8760h" min:"0"`
}
