package app

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/health"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/gas"
	gasstore "pantheon/internal/store/gas"
)

// gasLeft returns the remainder of today's gas budget of a chain, in wei and operations; 0 if it is exhausted.
func gasLeft(b gas.Budget, s gas.Spending) (left money.Units, operations int64) {
	total, err := b.Total.Wei.Add(s.Raised.Wei)
	if err == nil {
		left, err = total.Sub(s.Spent.Wei)
	}
	if err != nil { // more is spent than the budget
		left = money.Units{}
	}
	return left, max(0, b.Total.Operations+s.Raised.Operations-s.Spent.Operations)
}

// checkGas adds checks that fail once a budget is nearly used up. The portal stays ready: only sponsorship pauses.
func checkGas(b *base, policies []*gas.Policy, chains chains) {
	for _, p := range policies {
		b.health.Add(health.Check{Name: chains.of[p.Chain].name + " gas", Impairs: health.Sponsor, Run: func(ctx context.Context) error {
			s, err := gasstore.New(b.db).Spending(ctx, p.Chain, b.clock.Now())
			if err != nil {
				return err
			}
			if p.Budget.PurchasesOnly(s) {
				return fault.New(fault.Unavailable, "today's budget is nearly used up: only purchases are paid for until midnight UTC, or until "+
					"pantheon gas raise adds to it")
			}
			return nil
		}})
	}
}

// measureGas registers metrics of each chain's budget and what is spent of it, in the chain's native currency.
func measureGas(b *base, policies []*gas.Policy) error {
	var errs []error
	for _, p := range policies {
		gauge := func(name, help string, value func(gas.Spending) money.Units) {
			errs = append(errs, b.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Namespace: "pantheon", Subsystem: "gas", Name: name, Help: help, ConstLabels: prometheus.Labels{"chain": fmt.Sprint(p.Chain)},
			}, func() float64 {
				ctx, cancel := context.WithTimeout(context.Background(), measureTime)
				defer cancel()
				s, err := gasstore.New(b.db).Spending(ctx, p.Chain, b.clock.Now())
				if err != nil {
					return math.NaN()
				}
				f, _ := value(s).Big().Float64()
				return f / 1e18
			})))
		}
		gauge("spent_today", "Gas sponsored today and reserved, in the chain's own currency; NaN when the database does not tell.",
			func(s gas.Spending) money.Units { return s.Spent.Wei })
		gauge("left_today", "What is left of today's gas budget, in the chain's own currency; 0 pauses sponsoring.",
			func(s gas.Spending) money.Units { left, _ := gasLeft(p.Budget, s); return left })
	}
	return errors.Join(errs...)
}
