package rum

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/portal/monitoring"
)

// Reports counts browsers' reports by their outcome.
type Reports struct {
	reports, events, errors, lost, passed *prometheus.CounterVec
}

// NewReports creates the counters and registers them.
func NewReports(registerer prometheus.Registerer) (*Reports, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pantheon", Subsystem: "monitoring", Name: name, Help: help}, labels)
	}
	m := &Reports{
		reports: counter("reports_total", "Reports of browsers that were taken.", "kind"),
		events:  counter("events_total", "Events in them.", "kind"),
		errors:  counter("errors_total", "Events in them that are errors.", "kind"),
		lost:    counter("lost_total", "Reports that were not kept, or not passed on.", "kind", "why"),
		passed:  counter("passed_total", "Reports that were passed on to the intake.", "kind"),
	}
	for _, c := range []*prometheus.CounterVec{m.reports, m.events, m.errors, m.lost, m.passed} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("rum: register metrics: %w", err)
		}
	}
	return m, nil
}

// Received counts a report; see monitoring.Meter.
func (m *Reports) Received(kind monitoring.Kind, events, errors int) {
	m.reports.WithLabelValues(string(kind)).Inc()
	m.events.WithLabelValues(string(kind)).Add(float64(events))
	m.errors.WithLabelValues(string(kind)).Add(float64(errors))
}

// Lost counts a report that was lost; see monitoring.Meter.
func (m *Reports) Lost(kind monitoring.Kind, why monitoring.Loss) {
	m.lost.WithLabelValues(string(kind), string(why)).Inc()
}

// Passed counts a report that was passed on; see monitoring.Meter.
func (m *Reports) Passed(kind monitoring.Kind) { m.passed.WithLabelValues(string(kind)).Inc() }
