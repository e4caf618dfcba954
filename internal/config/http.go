package config

import "time"

// HTTP limits the resources of connections to the site, and configures how browsers reach it.
type HTTP struct {
	Connections  int           `env:"HTTP_CONNECTIONS" envDefault:"10000" doc:"Connections that may be open at a time, players' realtime connections not counted."`
	PerClient    int           `env:"HTTP_CONNECTIONS_PER_CLIENT" envDefault:"500" doc:"The same for one address (of IPv6, a /64), realtime connections counted. TRUSTED_PROXIES and this machine are exempt; 0 for no limit."`
	StallTimeout time.Duration `env:"HTTP_STALL_TIMEOUT" envDefault:"30s" doc:"How long a connection may take to accept 32 KiB of an answer, or to send a request's body; slower ones are closed."`
	HSTS         time.Duration `env:"HSTS_MAX_AGE" envDefault:"8760h" doc:"How long browsers are told to use https only (Strict-Transport-Security, without subdomains), where PUBLIC_URL is https; 0 disables the header."`
}

// faults returns the faults by variable.
func (h HTTP) faults() map[string]string {
	out := map[string]string{}
	if h.Connections < 1 {
		out["HTTP_CONNECTIONS"] = "must be at least 1"
	}
	if h.PerClient < 0 {
		out["HTTP_CONNECTIONS_PER_CLIENT"] = "must not be negative"
	}
	if h.StallTimeout < time.Second {
		out["HTTP_STALL_TIMEOUT"] = "must be at least 1s"
	}
	if h.HSTS < 0 {
		out["HSTS_MAX_AGE"] = "must not be negative"
	}
	return out
}
