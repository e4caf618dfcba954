package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store/gen"
)

// The states of a sponsorship.
const (
	sponsorshipReserved = "reserved"
	sponsorshipUsed     = "used"
)

// weiOf returns gwei in wei; nothing for less than none.
func weiOf(gwei int64) money.Units {
	wei, err := money.FromInt(max(gwei, 0)).Mul(1_000_000_000)
	if err != nil { // overflows 64 bits
		return money.Units{}
	}
	return wei
}

// Reserve stores a sponsorship and charges its cost to the budget; see gas.Operations.
func (g Gas) Reserve(ctx context.Context, s gas.Sponsorship, b gas.Budget) error {
	// Under the player's lock: none of their operations is accepted at the same time.
	return g.inHoldTurn(ctx, s.Player, func(ctx context.Context, tx *Tx) error {
		chain := int64(s.Chain)
		busy, err := tx.AccountBusy(ctx, gen.AccountBusyParams{ChainID: chain, Sender: s.Sender.String(), Now: millis(s.CreatedAt)})
		if err != nil {
			return err
		}
		if busy > 0 {
			return gas.ErrBusy
		}
		replaced, err := tx.DropUnusedSponsorship(ctx, gen.DropUnusedSponsorshipParams{ChainID: chain, Sender: s.Sender.String()})
		if err != nil {
			return err
		}
		for _, r := range replaced {
			if r.Public == 1 {
				continue
			}
			if err := tx.refund(ctx, r, 1, r.Gwei); err != nil {
				return err
			}
		}
		today := s.CreatedAt.Truncate(gas.Day)
		sellers, err := tx.BoughtBefore(ctx, gen.BoughtBeforeParams{Buyer: s.Sender.String(), Time: millis(today), Least: strconv.Itoa(gas.KnownTotal)})
		if err != nil {
			return err
		}
		raise, err := tx.GasRaise(ctx, gen.GasRaiseParams{ChainID: chain, StartsAt: millis(today)})
		if err != nil {
			return err
		}
		cost, use := gas.Gwei(s.Cost), gas.Use{Newcomer: !b.Known(sellers), Purchase: s.Purchase}
		for _, w := range b.Windows(s.Caller, use, gas.Allowance{Operations: raise.Operations, Wei: weiOf(raise.Gwei)}) {
			if w.Operations < 1 || cost > w.Gwei {
				return w.Exceeded(s.CreatedAt)
			}
			n, err := tx.SpendGasBudget(ctx, gen.SpendGasBudgetParams{
				ChainID: chain, Scope: w.Scope, Subject: w.Subject, StartsAt: millis(s.CreatedAt.Truncate(w.Length)), Gwei: cost,
				MostOperations: w.Operations, MostGwei: w.Gwei,
			})
			if err != nil {
				return err
			}
			if n == 0 {
				return w.Exceeded(s.CreatedAt)
			}
		}
		return tx.keepSponsorship(ctx, s, sponsorshipReserved, use.Newcomer)
	})
}

func useOf(s gen.Sponsorship) gas.Use {
	return gas.Use{Newcomer: s.Newcomer == 1, Purchase: s.Purchase == 1}
}

func (tx *Tx) keepSponsorship(ctx context.Context, s gas.Sponsorship, state string, newcomer bool) error {
	return tx.InsertSponsorship(ctx, gen.InsertSponsorshipParams{
		Operation: s.Operation.String(), ChainID: int64(s.Chain), PlayerID: s.Player, SessionID: s.Session, Network: s.Network, Sender: s.Sender.String(),
		Nonce: int64(s.Nonce), Public: flag(s.Public), Newcomer: flag(newcomer), Purchase: flag(s.Purchase), Gwei: gas.Gwei(s.Cost), State: state,
		CreatedAt: millis(s.CreatedAt), ExpiresAt: millis(s.ExpiresAt),
	})
}

// EndedSponsorships returns the sponsorships to cancel; see gas.Operations.
func (g Gas) EndedSponsorships(ctx context.Context, chain onchain.ChainID, now time.Time, limit int) (out []gas.Sponsorship, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.EndedSponsorships(ctx, gen.EndedSponsorshipsParams{ChainID: int64(chain), Now: millis(now), Batch: int64(limit)})
		if err != nil {
			return err
		}
		out = make([]gas.Sponsorship, len(rows))
		for i, r := range rows {
			out[i] = gas.Sponsorship{
				Caller: gas.Caller{Player: r.PlayerID, Session: r.SessionID, Network: r.Network}, Chain: chain, Nonce: uint64(r.Nonce),
				Public: r.Public == 1, Cost: weiOf(r.Gwei), CreatedAt: moment(r.CreatedAt), ExpiresAt: moment(r.ExpiresAt),
			}
			if out[i].Operation, err = eth.ParseHash(r.Operation); err != nil {
				return err
			}
			if err := out[i].Sender.Scan(r.Sender); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Cancel ends a public sponsorship by another operation with its nonce; see gas.Operations.
func (g Gas) Cancel(ctx context.Context, s gas.Sponsorship, cancellation *gas.Operation, cost money.Units, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *Tx) error {
		drop := gen.DropSponsorshipParams{Operation: s.Operation.String(), State: sponsorshipReserved}
		if cancellation == nil {
			_, err := tx.DropSponsorship(ctx, drop)
			return err
		}
		// Under the player's lock, like Reserve, but for frozen players too.
		if _, err := tx.takeHoldTurn(ctx, s.Player); err != nil {
			return err
		}
		gone, err := tx.DropSponsorship(ctx, drop)
		if err != nil {
			return err
		}
		if len(gone) == 0 {
			return gas.ErrSponsorship
		}
		kept, err := tx.insertOperation(ctx, *cancellation)
		if err != nil {
			return err
		}
		if !kept {
			return gas.ErrBusy
		}
		// The budget is charged but not checked: a cancellation must always go through.
		use := useOf(gone[0])
		for _, w := range (gas.Budget{}).Windows(s.Caller, use, gas.Allowance{}) {
			if _, err := tx.SpendGasBudget(ctx, gen.SpendGasBudgetParams{
				ChainID: int64(s.Chain), Scope: w.Scope, Subject: w.Subject, StartsAt: millis(at.Truncate(w.Length)), Gwei: gas.Gwei(cost),
				MostOperations: math.MaxInt64, MostGwei: math.MaxInt64,
			}); err != nil {
				return err
			}
		}
		s.Operation, s.Cost, s.Public, s.Purchase, s.CreatedAt = cancellation.Hash, cost, true, use.Purchase, at
		return tx.keepSponsorship(ctx, s, sponsorshipUsed, use.Newcomer)
	})
}

// refund returns the unused part of a sponsorship to the budget. Windows that have ended are not changed.
func (tx *Tx) refund(ctx context.Context, s gen.Sponsorship, operations, gwei int64) error {
	caller := gas.Caller{Player: s.PlayerID, Network: s.Network}
	for _, w := range (gas.Budget{}).Windows(caller, useOf(s), gas.Allowance{}) {
		if err := tx.RefundGasBudget(ctx, gen.RefundGasBudgetParams{
			ChainID: s.ChainID, Scope: w.Scope, Subject: w.Subject, StartsAt: millis(moment(s.CreatedAt).Truncate(w.Length)),
			Operations: operations, Gwei: gwei,
		}); err != nil {
			return err
		}
	}
	return nil
}

// Sponsored checks for an unused sponsorship; see gas.Operations.
func (g Gas) Sponsored(ctx context.Context, c gas.Caller, op eth.Hash, now time.Time) error {
	return g.Read(ctx, func(q *gen.Queries) error {
		n, err := q.CountUsableSponsorships(ctx, gen.CountUsableSponsorshipsParams{
			Now: millis(now), Operation: op.String(), PlayerID: c.Player, SessionID: c.Session,
		})
		if err == nil && n == 0 {
			err = gas.ErrSponsorship
		}
		return err
	})
}

// useSponsorship marks the sponsorship of an operation that the relay accepts as used. A session that has ended in the
// meantime can send nothing.
func (tx *Tx) useSponsorship(ctx context.Context, op gas.Operation) error {
	n, err := tx.UseSponsorship(ctx, gen.UseSponsorshipParams{Operation: op.Hash.String(), PlayerID: op.Player, Now: millis(op.CreatedAt)})
	if err == nil && n == 0 {
		err = gas.ErrSponsorship
	}
	return err
}

// endSponsorship deletes the sponsorship of an operation and refunds what it did not cost. A sponsorship that anyone
// may still send stays until it expires or is cancelled, even when the relay drops the operation.
func (tx *Tx) endSponsorship(ctx context.Context, op eth.Hash, state string, cost money.Units) error {
	if state == sponsorshipUsed && cost.IsZero() {
		if n, err := tx.ReopenSponsorship(ctx, op.String()); err != nil || n > 0 {
			return err
		}
	}
	rows, err := tx.DropSponsorship(ctx, gen.DropSponsorshipParams{Operation: op.String(), State: state})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Public == 1 && cost.IsZero() { // someone else may send it, or has sent it
			continue
		}
		operations := int64(0) // what was sent counts, regardless of its cost
		if state == sponsorshipReserved {
			operations = 1
		}
		if err := tx.refund(ctx, r, operations, max(0, r.Gwei-gas.Gwei(cost))); err != nil {
			return err
		}
	}
	return nil
}

// ExpiredSponsorships returns sponsorships that expired unused; see gas.Operations.
func (g Gas) ExpiredSponsorships(ctx context.Context, chain onchain.ChainID, before time.Time, limit int) (ops []eth.Hash, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ExpiredSponsorships(ctx, gen.ExpiredSponsorshipsParams{ChainID: int64(chain), ExpiresAt: millis(before), Batch: int64(limit)})
		if err != nil {
			return err
		}
		ops = make([]eth.Hash, len(rows))
		for i, text := range rows {
			if ops[i], err = eth.ParseHash(text); err != nil {
				return err
			}
		}
		return nil
	})
	return ops, err
}

// budgetMemory is how long the counters of ended windows are kept.
const budgetMemory = 2 * gas.Day

// Release ends an unused sponsorship; see gas.Operations.
func (g Gas) Release(ctx context.Context, op eth.Hash, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.endSponsorship(ctx, op, sponsorshipReserved, money.Units{}); err != nil {
			return err
		}
		return tx.DropOldGasBudgets(ctx, millis(at.Add(-budgetMemory)))
	})
}

// Spending returns what was spent of a chain's budget on the day of now.
func (g Gas) Spending(ctx context.Context, chain onchain.ChainID, now time.Time) (s gas.Spending, err error) {
	s.Day = now.Truncate(gas.Day)
	err = g.Read(ctx, func(q *gen.Queries) error {
		for scope, into := range map[string]*gas.Allowance{"chain-day": &s.Spent, "newcomers-day": &s.Newcomers} {
			row, err := q.GasBudgetOf(ctx, gen.GasBudgetOfParams{ChainID: int64(chain), Scope: scope})
			if errors.Is(err, sql.ErrNoRows) || (err == nil && row.StartsAt < millis(s.Day)) {
				continue
			}
			if err != nil {
				return err
			}
			*into = gas.Allowance{Operations: row.Operations, Wei: weiOf(row.Gwei)}
		}
		raise, err := q.GasRaise(ctx, gen.GasRaiseParams{ChainID: int64(chain), StartsAt: millis(s.Day)})
		s.Raised = gas.Allowance{Operations: raise.Operations, Wei: weiOf(raise.Gwei)}
		return err
	})
	return s, err
}
