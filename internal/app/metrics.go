package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"pantheon/internal/kit/eth"
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
		"sent after it, by what the wallet does, other for one whose key is not named; operations are players' that no transaction carries yet.",
		"chain", "state", "sender")
	transactionAgeMetric = describe("transactions_oldest_age_seconds", "How long the oldest of them waits: 0 for none.",
		"chain", "state", "sender")
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
	queue := func(chain onchain.ChainID, state, sender string, q store.Queue) {
		gauge(transactionsMetric, float64(q.Waiting), fmt.Sprint(chain), state, sender)
		gauge(transactionAgeMetric, age(q.Oldest), fmt.Sprint(chain), state, sender)
	}
	for state, chains := range map[string]map[onchain.ChainID]map[eth.Address]store.Queue{"pending": f.Pending, "sent": f.Sent} {
		for chain, queues := range chains {
			for role, q := range t.wallets.byRole(queues) {
				queue(chain, state, role, q)
			}
		}
	}
	for chain, q := range f.Operations {
		queue(chain, "operations", "player", q)
	}
}

// byRole joins what waits of the wallets of each role; a wallet of several roles counts as the first. All roles are in it.
func (w portalWallets) byRole(queues map[eth.Address]store.Queue) map[string]store.Queue {
	roles := []struct {
		name    string
		wallets []eth.Address
	}{
		{"relayer", walletAddresses(w.relayer)}, {"claimer", w.claimers()}, {"manager", walletAddresses(w.manager)},
		{"treasury", walletAddresses(w.treasury)},
	}
	out := map[string]store.Queue{"other": {}}
	for _, r := range roles {
		out[r.name] = store.Queue{}
	}
	for wallet, q := range queues {
		role := "other"
		for _, r := range roles {
			if slices.Contains(r.wallets, wallet) {
				role = r.name
				break
			}
		}
		all := out[role]
		if all.Waiting += q.Waiting; all.Oldest.IsZero() || q.Oldest.Before(all.Oldest) {
			all.Oldest = q.Oldest
		}
		out[role] = all
	}
	return out
}
