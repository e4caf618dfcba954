package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
)

// measureProcess registers the metrics of the process and of its pool of database connections.
func (b *base) measureProcess() error {
	return errors.Join(
		b.registry.Register(collectors.NewGoCollector()),
		b.registry.Register(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})),
		b.registry.Register(collectors.NewDBStatsCollector(b.db.Reader(), "pantheon")),
	)
}

// trade collects the metrics of orders, holds and transactions, from the database: each replica tells the same.
type trade struct {
	*base
	chains []onchain.ChainID
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pantheon_"+name, help, labels, nil)
}

var (
	ordersMetric = describe("orders", "Orders that have changed in the last hour, by state.", "state")
	paidMetric   = describe("orders_oldest_paid_age_seconds",
		"How long the order waits that was paid longest ago and is not settled: 0 for none.")
	holdsMetric        = describe("holds", "Items that players hold in their carts.")
	transactionsMetric = describe("transactions", "Transactions of the portal's wallets that are not mined: pending before they are sent, "+
		"sent after it; operations are players' that no transaction carries yet.", "chain", "state")
	transactionAgeMetric = describe("transactions_oldest_age_seconds", "How long the oldest of them waits: 0 for none.", "chain", "state")
)

// Describe implements prometheus.Collector.
func (t trade) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{ordersMetric, paidMetric, holdsMetric, transactionsMetric, transactionAgeMetric} {
		out <- d
	}
}

// Collect implements prometheus.Collector. It collects nothing while the database does not answer.
func (t trade) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), measureTime)
	defer cancel()
	f, err := t.db.Figures(ctx, t.clock.Now(), t.chains...)
	if err != nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	age := func(since time.Time) float64 { return t.waiting(since).Seconds() }
	for state, n := range f.Orders {
		gauge(ordersMetric, float64(n), state)
	}
	gauge(paidMetric, age(f.PaidSince))
	gauge(holdsMetric, float64(f.Holds))
	for state, queues := range map[string]map[onchain.ChainID]store.Queue{"pending": f.Pending, "sent": f.Sent, "operations": f.Operations} {
		for chain, q := range queues {
			gauge(transactionsMetric, float64(q.Waiting), fmt.Sprint(chain), state)
			gauge(transactionAgeMetric, age(q.Oldest), fmt.Sprint(chain), state)
		}
	}
}
