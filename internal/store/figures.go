package store

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Queue is how many things wait, and since when the oldest does: the zero time for none.
type Queue struct {
	Waiting int64
	Oldest  time.Time
}

// Figures are what metrics say of trade.
type Figures struct {
	Orders     map[string]int64                          // that have changed in the last hour, by state
	PaidSince  time.Time                                 // when the longest paid order that is not settled changed last; zero for none
	Holds      int64                                     // that have not expired
	Pending    map[onchain.ChainID]map[eth.Address]Queue // by sender, without those of which nothing waits
	Sent       map[onchain.ChainID]map[eth.Address]Queue
	Operations map[onchain.ChainID]Queue // that no bundle carries yet
}

// Figures reads them, of the transactions on the chains.
func (db *DB) Figures(ctx context.Context, now time.Time, chains ...onchain.ChainID) (f Figures, err error) {
	f = Figures{
		Orders: map[string]int64{}, Pending: map[onchain.ChainID]map[eth.Address]Queue{}, Sent: map[onchain.ChainID]map[eth.Address]Queue{},
		Operations: map[onchain.ChainID]Queue{},
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		orders, err := q.OrdersSince(ctx, column.At(now.Add(-time.Hour)))
		if err != nil {
			return err
		}
		for _, o := range orders {
			f.Orders[string(o.State)] = o.Orders
		}
		oldest, err := q.OldestPaidOrder(ctx)
		if err != nil {
			return err
		}
		f.PaidSince = timeOf(oldest)
		if f.Holds, err = q.CountHolds(ctx, column.At(now)); err != nil {
			return err
		}
		for _, chain := range chains {
			pending, err := q.CountTransactions(ctx, chain)
			if err != nil {
				return err
			}
			sent, err := q.CountSentTransactions(ctx, chain)
			if err != nil {
				return err
			}
			operations, err := q.CountQueuedOperations(ctx, chain)
			if err != nil {
				return err
			}
			f.Pending[chain], f.Sent[chain] = map[eth.Address]Queue{}, map[eth.Address]Queue{}
			for _, p := range pending {
				f.Pending[chain][p.Sender] = Queue{p.Waiting, timeOf(p.Oldest)}
			}
			for _, s := range sent {
				f.Sent[chain][s.Sender] = Queue{s.Waiting, timeOf(s.Oldest)}
			}
			f.Operations[chain] = Queue{operations.Waiting, timeOf(operations.Oldest)}
		}
		return nil
	})
	return f, err
}

// timeOf returns the time of milliseconds; the zero time for 0.
func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
