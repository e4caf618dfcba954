package config

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Monitoring configures what happens to browsers' monitoring reports.
type Monitoring struct {
	// How many reports of browsers the database keeps, newest first, and a tenth as many recordings; 0 for none. METRICS_ADDR shows them
	// under /monitoring.
	Keep int `env:"MONITORING_KEEP" envDefault:"10000" min:"0"`
	// How much of them the database keeps, in MiB: half of it recordings, a quarter reports of pages, a quarter log lines.
	KeepMiB int `env:"MONITORING_KEEP_MIB" envDefault:"256" min:"1"`
	// How long reports are kept.
	KeepFor time.Duration `env:"MONITORING_KEEP_FOR" envDefault:"336h" min:"1m"`
	// Application of Datadog RUM that reports are passed on to; empty for passing on none. Browsers send to this server only.
	ApplicationID string `env:"DATADOG_APPLICATION_ID"`
	// Client token of that application.
	ClientToken Secret `env:"DATADOG_CLIENT_TOKEN"`
	// Datadog's site, such as datadoghq.eu.
	Site string `env:"DATADOG_SITE" envDefault:"datadoghq.com"`
	// Whether browsers' IP addresses are forwarded to Datadog (X-Forwarded-For).
	PassAddress bool `env:"DATADOG_PASS_IP" envDefault:"false"`
}

// sites are Datadog's sites, as listed in its browser SDK 7.16.
func sites() []string {
	return []string{
		"datadoghq.com", "us3.datadoghq.com", "us5.datadoghq.com", "datadoghq.eu",
		"ap1.datadoghq.com", "ap2.datadoghq.com", "ddog-gov.com", "us2.ddog-gov.com",
	}
}

func (m *Monitoring) check(f *faults) {
	f.check(slices.Contains(sites(), m.Site), "DATADOG_SITE", "must be one of "+strings.Join(sites(), ", "))
	if m.ApplicationID == "" {
		f.check(m.ClientToken == "", "DATADOG_CLIENT_TOKEN", "must come with DATADOG_APPLICATION_ID")
		return
	}
	f.check(applicationID.MatchString(m.ApplicationID), "DATADOG_APPLICATION_ID", "must be an application's id (a UUID)")
	f.check(clientToken.MatchString(m.ClientToken.Reveal()),
		"DATADOG_CLIENT_TOKEN", "must be the application's client token (pub and 32 hex digits)")
}

var (
	applicationID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	clientToken   = regexp.MustCompile(`^pub[0-9a-f]{32}$`)
)
