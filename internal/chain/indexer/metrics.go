package indexer

import (
	"fmt"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/kit/onchain"
)

// Metrics are the indexers' Prometheus metrics, labelled by chain id. One set serves all indexers of a process.
type Metrics struct {
	head      *prometheus.GaugeVec
	headTime  *prometheus.GaugeVec
	cursor    *prometheus.GaugeVec
	added     *prometheus.GaugeVec
	logs      *prometheus.CounterVec
	malformed *prometheus.CounterVec
	reorgs    *prometheus.CounterVec
	failures  *prometheus.CounterVec
	rechecks  *prometheus.CounterVec
}

// NewMetrics creates the metrics and registers them, unless registerer is nil.
func NewMetrics(registerer prometheus.Registerer) (*Metrics, error) {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "pantheon", Subsystem: "indexer", Name: name, Help: help,
		}, []string{"chain"})
	}
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "pantheon", Subsystem: "indexer", Name: name, Help: help,
		}, []string{"chain"})
	}
	m := &Metrics{
		head:      gauge("head_block", "Newest block the endpoint knows."),
		headTime:  gauge("head_timestamp_seconds", "When the newest block that the endpoint knows was made, in seconds since 1970."),
		cursor:    gauge("cursor_block", "Last block that was read."),
		added:     gauge("added_contracts", "Contracts that were added to the index and whose history is being read."),
		logs:      counter("logs_total", "Logs read."),
		malformed: counter("malformed_logs_total", "Logs of listed contracts that could not be read."),
		reorgs:    counter("reorganisations_total", "Reorganisations that took back what was read."),
		failures:  counter("failures_total", "Attempts to read or store blocks that failed."),
		rechecks:  counter("rechecked_blocks_total", "Blocks whose logs were requested again because their header speaks for more."),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.head, m.headTime, m.cursor, m.added, m.logs, m.malformed, m.reorgs, m.failures, m.rechecks} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("indexer: register metrics: %w", err)
		}
	}
	return m, nil
}

// chainMetrics are the metrics of one chain.
type chainMetrics struct {
	head, headTime, cursor, added               prometheus.Gauge
	logs, malformed, reorgs, failures, rechecks prometheus.Counter
}

func (m *Metrics) of(chain onchain.ChainID) chainMetrics {
	label := strconv.FormatUint(uint64(chain), 10)
	return chainMetrics{
		head: m.head.WithLabelValues(label), headTime: m.headTime.WithLabelValues(label),
		cursor: m.cursor.WithLabelValues(label), added: m.added.WithLabelValues(label),
		logs:      m.logs.WithLabelValues(label),
		malformed: m.malformed.WithLabelValues(label), reorgs: m.reorgs.WithLabelValues(label), failures: m.failures.WithLabelValues(label),
		rechecks: m.rechecks.WithLabelValues(label),
	}
}
