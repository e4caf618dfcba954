package realtime

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// Why a session ended, as the label of a metric.
const (
	endGoodbye  = "goodbye"  // the client left
	endExpired  = "expired"  // no client resumed it
	endOverflow = "overflow" // the client was too slow
	endRevoked  = "revoked"  // closed by CloseSession or CloseUser
	endAbuse    = "abuse"    // the client broke a rule
	endMoved    = "moved"    // another replica has resumed it
	endReset    = "reset"    // the stream was created again
)

// The result of an attempt to recover a session, as the label of a metric.
const (
	recoveryResumed = "resumed" // by the replica that had it
	recoveryMoved   = "moved"   // from its record
	recoveryRefused = "refused"
)

type metrics struct {
	connections prometheus.Gauge
	sessions    prometheus.Gauge
	published   prometheus.Counter
	sent        prometheus.Counter
	ended       *prometheus.CounterVec
	recoveries  *prometheus.CounterVec
}

func newMetrics(registerer prometheus.Registerer) (*metrics, error) {
	const namespace, subsystem = "pantheon", "realtime"
	m := &metrics{
		connections: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "connections", Help: "Open WebSocket connections."}),
		sessions: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "sessions", Help: "Sessions, connected or waiting for recovery."}),
		published: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "published_total", Help: "Messages of the stream this replica has received."}),
		sent: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "sent_total", Help: "Messages written to connections, repetitions included."}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "sessions_ended_total", Help: "Sessions that ended, by reason."}, []string{"reason"}),
		recoveries: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "recoveries_total", Help: "Attempts to recover a session, by result."}, []string{"result"}),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.connections, m.sessions, m.published, m.sent, m.ended, m.recoveries} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("realtime: register metrics: %w", err)
		}
	}
	return m, nil
}
