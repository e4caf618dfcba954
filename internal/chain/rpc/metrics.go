package rpc

import (
	"fmt"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/kit/onchain"
)

// The source of the answer to a read, as the label of a metric.
const (
	resultKnown   = "known"   // without a request: the chain's id, the newest block
	resultKept    = "kept"    // from the cache
	resultShared  = "shared"  // from the endpoint, by another caller's equal request
	resultAsked   = "asked"   // from the endpoint
	resultRefused = "refused" // by a rule
	resultBusy    = "busy"    // no slot became free within the time
	resultFailed  = "failed"  // the endpoint could not be reached
)

// ReadMetrics are the Prometheus metrics of browsers' reads, labelled by chain id.
type ReadMetrics struct {
	requests *prometheus.CounterVec
	underWay *prometheus.GaugeVec
}

// NewReadMetrics creates the metrics and registers them, unless registerer is nil.
func NewReadMetrics(registerer prometheus.Registerer) (*ReadMetrics, error) {
	const namespace, subsystem = "pantheon", "chain_reads"
	m := &ReadMetrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "requests_total", Help: "Browsers' reads of the chain, each request of a batch, by where the answer came from.",
		}, []string{"chain", "result"}),
		underWay: prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem,
			Name: "under_way", Help: "Requests to the endpoint that are under way for browsers."}, []string{"chain"}),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.requests, m.underWay} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("rpc: register metrics: %w", err)
		}
	}
	return m, nil
}

// readMeter counts the reads of one chain.
type readMeter struct {
	requests *prometheus.CounterVec
	underWay prometheus.Gauge
}

func (m *ReadMetrics) of(chain onchain.ChainID) readMeter {
	label := prometheus.Labels{"chain": strconv.FormatUint(uint64(chain), 10)}
	return readMeter{m.requests.MustCurryWith(label), m.underWay.With(label)}
}

func (m readMeter) count(result string) { m.add(result, 1) }

func (m readMeter) add(result string, n int) { m.requests.WithLabelValues(result).Add(float64(n)) }
