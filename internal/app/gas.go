package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
)

// gasDecimals is the number of decimals of the chains' native currencies.
const gasDecimals = 18

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

// gasChecks show in /readyz if a budget is used up. The portal stays ready: only sponsorship pauses.
func (a *App) gasChecks() []api.Check {
	var checks []api.Check
	for _, p := range a.policies {
		checks = append(checks, api.Check{Name: a.chains[p.Chain].name + " gas", Notice: true, Check: func(ctx context.Context) error {
			s, err := store.Gas{DB: a.db}.Spending(ctx, p.Chain, a.clock.Now())
			if err != nil {
				return err
			}
			if left, operations := gasLeft(p.Budget, s); left.IsZero() || operations == 0 {
				return fault.New(fault.Unavailable, "today's budget is used up: sponsoring is paused until midnight UTC, or until pantheon gas raises it")
			}
			return nil
		}})
	}
	return checks
}

// measureGas registers metrics of each chain's budget and what is spent of it, in the chain's native currency.
func (a *App) measureGas() error {
	var errs []error
	for _, p := range a.policies {
		gauge := func(name, help string, value func(gas.Spending) money.Units) {
			errs = append(errs, a.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Namespace: "pantheon", Subsystem: "gas", Name: name, Help: help, ConstLabels: prometheus.Labels{"chain": fmt.Sprint(p.Chain)},
			}, func() float64 {
				ctx, cancel := context.WithTimeout(context.Background(), measureTime)
				defer cancel()
				s, err := store.Gas{DB: a.db}.Spending(ctx, p.Chain, a.clock.Now())
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

// gasChain is a chain with its budget, by its name in the gas commands.
type gasChain struct {
	name   string
	id     onchain.ChainID
	budget gas.Budget
}

func gasChains(c config.Config) ([]gasChain, error) {
	var out []gasChain
	for _, chain := range []struct {
		name   string
		config config.Chain
	}{{"game", c.GameChain}, {"main", c.MainChain}} {
		budget, err := budgetOf(c.Relay, chain.config, eth.MustAddress(c.Wallets.Manager))
		if err != nil {
			return nil, fmt.Errorf("the gas budget of the %s chain is no amount", chain.name)
		}
		out = append(out, gasChain{chain.name, chain.config.ChainID(), budget})
	}
	return out, nil
}

// PrintGas writes what of each chain's gas budget is spent today and what is left.
func PrintGas(ctx context.Context, c config.Config, w io.Writer) error {
	chains, err := gasChains(c)
	if err != nil {
		return err
	}
	return withStore(ctx, c, func(db *store.DB) error {
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "chain\tday (UTC)\tbudget\traised by\tspent\tby newcomers\tleft\toperations\tleft")
		for _, chain := range chains {
			s, err := store.Gas{DB: db}.Spending(ctx, chain.id, time.Now())
			if err != nil {
				return err
			}
			left, operations := gasLeft(chain.budget, s)
			_, _ = fmt.Fprintf(out, "%s (%d)\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\n", chain.name, chain.id, s.Day.Format(time.DateOnly),
				chain.budget.Total.Wei.Decimal(gasDecimals), s.Raised.Wei.Decimal(gasDecimals), s.Spent.Wei.Decimal(gasDecimals),
				s.Newcomers.Wei.Decimal(gasDecimals), left.Decimal(gasDecimals), s.Spent.Operations, operations)
		}
		return out.Flush()
	})
}

// RaiseGas adds an amount of the native currency and a number of operations to today's gas budget of a chain, game or
// main.
func RaiseGas(ctx context.Context, c config.Config, name, amount string, operations int64) error {
	wei, err := money.ParseDecimal(amount, gasDecimals)
	if err != nil {
		return errors.New("the amount must be a number such as 0.05")
	}
	if operations < 0 || (wei.IsZero() && operations == 0) {
		return errors.New("say by how much: an amount, or a number of operations")
	}
	chains, err := gasChains(c)
	if err != nil {
		return err
	}
	for _, chain := range chains {
		if chain.name == name {
			return withStore(ctx, c, func(db *store.DB) error {
				return store.Gas{DB: db}.Raise(ctx, chain.id, gas.Allowance{Operations: operations, Wei: wei}, clock.System{}.Now())
			})
		}
	}
	return errors.New("the chain must be game or main")
}
