package app

import (
	"pantheon/internal/portal/monitoring"
	"pantheon/internal/rum"
	"pantheon/internal/store"
)

// newMonitoring returns the monitoring of browsers: reports are stored here, and forwarded to Datadog if configured.
func newMonitoring(b *base) (*monitoring.Service, error) {
	meter, err := rum.NewReports(b.registry)
	if err != nil {
		return nil, err
	}
	o := monitoring.Options{
		Store: store.Monitoring{DB: b.db}, Keep: b.config.Monitoring.Keep, KeepBytes: int64(b.config.Monitoring.KeepMiB) << 20,
		KeepFor: b.config.Monitoring.KeepFor, Meter: meter, Clock: b.clock,
		Report: func(what string, err error) { b.log.Warn(what, "error", err) },
	}
	if b.config.Monitoring.ApplicationID != "" {
		o.Intake = rum.NewDatadog(b.config.Monitoring.Site, b.config.Monitoring.ClientToken.Reveal(), nil)
	}
	s := monitoring.NewService(o)
	b.replica["monitoring"] = s.Run
	return s, nil
}
