package gas

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
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
func (g Store) Reserve(ctx context.Context, s gas.Sponsorship, b gas.Budget) error {
	// Under the player's lock: none of their operations is accepted at the same time.
	return g.WriteLocked(ctx, s.Player, func(ctx context.Context, tx *store.Tx) error { return reserve(ctx, tx, s, b) })
}

// errTried rolls back what only tries whether it can be done.
var errTried = errors.New("store: only tried")

// Affords tries a reservation; see gas.Operations.
func (g Store) Affords(ctx context.Context, s gas.Sponsorship, b gas.Budget) error {
	err := g.WriteLocked(ctx, s.Player, func(ctx context.Context, tx *store.Tx) error {
		if err := reserve(ctx, tx, s, b); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

func reserve(ctx context.Context, tx *store.Tx, s gas.Sponsorship, b gas.Budget) error {
	busy, err := tx.AccountBusy(ctx, gen.AccountBusyParams{ChainID: s.Chain, Sender: s.Sender, Now: column.At(s.CreatedAt)})
	if err != nil {
		return err
	}
	if busy > 0 {
		return gas.ErrBusy
	}
	replaced, err := tx.DropUnusedSponsorship(ctx, gen.DropUnusedSponsorshipParams{ChainID: s.Chain, Sender: s.Sender})
	if err != nil {
		return err
	}
	today := s.CreatedAt.Truncate(gas.Day)
	sellers, err := tx.BoughtBefore(ctx, gen.BoughtBeforeParams{Buyer: s.Sender, Time: column.At(today), Least: b.KnownTotal.String()})
	if err != nil {
		return err
	}
	raise, err := tx.GasRaise(ctx, gen.GasRaiseParams{ChainID: s.Chain, StartsAt: column.At(today)})
	if err != nil {
		return err
	}
	cost, use := gas.Gwei(s.Cost), gas.Use{Newcomer: !b.Known(sellers), Purchase: s.Purchase}
	if err := keepSponsorship(ctx, tx, s, sponsorshipReserved, use.Newcomer); err != nil {
		return err
	}
	// All players share some of the budgets' rows: they are locked last.
	var unused refunds
	for _, r := range replaced {
		if !r.Public {
			unused.add(r, 1, r.Gwei)
		}
	}
	if err := unused.pay(ctx, tx); err != nil {
		return err
	}
	for _, w := range b.Windows(s.Caller, use, gas.Allowance{Operations: raise.Operations, Wei: weiOf(raise.Gwei)}) {
		if w.Operations < 1 || cost > w.Gwei {
			return w.Exceeded(s.CreatedAt)
		}
		n, err := tx.SpendGasBudget(ctx, gen.SpendGasBudgetParams{
			ChainID: s.Chain, Scope: w.Scope, Subject: w.Subject, StartsAt: column.At(s.CreatedAt.Truncate(w.Length)), Gwei: cost,
			MostOperations: w.Operations, MostGwei: w.Gwei,
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return w.Exceeded(s.CreatedAt)
		}
	}
	return nil
}

func useOf(s gen.Sponsorship) gas.Use {
	return gas.Use{Newcomer: bool(s.Newcomer), Purchase: bool(s.Purchase)}
}

func keepSponsorship(ctx context.Context, tx *store.Tx, s gas.Sponsorship, state string, newcomer bool) error {
	return tx.InsertSponsorship(ctx, gen.InsertSponsorshipParams{
		Operation: s.Operation, ChainID: s.Chain, PlayerID: s.Player, SessionID: s.Session, Network: s.Network, Sender: s.Sender,
		Nonce: int64(s.Nonce), Public: column.Flag(s.Public), Newcomer: column.Flag(newcomer), Purchase: column.Flag(s.Purchase),
		Gwei: gas.Gwei(s.Cost), State: state, CreatedAt: column.At(s.CreatedAt), ExpiresAt: column.At(s.ExpiresAt),
	})
}

// EndedSponsorships returns the sponsorships to cancel; see gas.Operations.
func (g Store) EndedSponsorships(ctx context.Context, chain onchain.ChainID, now time.Time, limit int) (out []gas.Sponsorship, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.EndedSponsorships(ctx, gen.EndedSponsorshipsParams{ChainID: chain, Now: column.At(now), Batch: int64(limit)})
		if err != nil {
			return err
		}
		out = make([]gas.Sponsorship, len(rows))
		for i, r := range rows {
			out[i] = gas.Sponsorship{
				Caller: gas.Caller{Player: r.PlayerID, Session: r.SessionID, Network: r.Network}, Chain: chain, Nonce: uint64(r.Nonce),
				Operation: r.Operation, Sender: r.Sender,
				Public: bool(r.Public), Cost: weiOf(r.Gwei), CreatedAt: r.CreatedAt.Time, ExpiresAt: r.ExpiresAt.Time,
			}
		}
		return nil
	})
	return out, err
}

// Cancel ends a public sponsorship by another operation with its nonce; see gas.Operations.
func (g Store) Cancel(ctx context.Context, s gas.Sponsorship, cancellation *gas.Operation, cost money.Units, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		drop := gen.DropSponsorshipParams{Operation: s.Operation, State: sponsorshipReserved}
		if cancellation == nil {
			_, err := tx.DropSponsorship(ctx, drop)
			return err
		}
		// Under the player's lock, like Reserve, but for frozen players too.
		if _, err := tx.LockHolds(ctx, s.Player); err != nil {
			return err
		}
		gone, err := tx.DropSponsorship(ctx, drop)
		if err != nil {
			return err
		}
		if len(gone) == 0 {
			return gas.ErrSponsorship
		}
		kept, err := insertOperation(ctx, tx, *cancellation)
		if err != nil {
			return err
		}
		if !kept {
			return gas.ErrBusy
		}
		// The budget is charged but not checked: a cancellation must always go through. One that replaces another one, which the bundler
		// has refused, costs only what it costs more: one of the two is carried out.
		use, gwei := useOf(gone[0]), gas.Gwei(cost)
		if _, err := tx.GasOperation(ctx, gone[0].Operation); err == nil {
			gwei = max(0, gwei-gone[0].Gwei)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		for _, w := range (gas.Budget{}).Windows(s.Caller, use, gas.Allowance{}) {
			if _, err := tx.SpendGasBudget(ctx, gen.SpendGasBudgetParams{
				ChainID: s.Chain, Scope: w.Scope, Subject: w.Subject, StartsAt: column.At(at.Truncate(w.Length)), Gwei: gwei,
				MostOperations: math.MaxInt64, MostGwei: math.MaxInt64,
			}); err != nil {
				return err
			}
		}
		s.Operation, s.Cost, s.Public, s.Purchase, s.CreatedAt = cancellation.Hash, cost, true, use.Purchase, at
		return keepSponsorship(ctx, tx, s, sponsorshipUsed, use.Newcomer)
	})
}

// refunds are the unused parts of sponsorships by window. Their rows are locked in the order of gas.CompareWindows, like those that
// Reserve charges, and once each: all players share some of them.
type refunds map[window]gen.RefundGasBudgetParams

type window struct {
	gas.Window
	chain    onchain.ChainID
	startsAt time.Time
}

// add adds the unused part of a sponsorship.
func (r *refunds) add(s gen.Sponsorship, operations, gwei int64) {
	if *r == nil {
		*r = refunds{}
	}
	caller := gas.Caller{Player: s.PlayerID, Network: s.Network}
	for _, w := range (gas.Budget{}).Windows(caller, useOf(s), gas.Allowance{}) {
		at := s.CreatedAt.Time.Truncate(w.Length)
		key := window{w, s.ChainID, at}
		sum := (*r)[key]
		(*r)[key] = gen.RefundGasBudgetParams{
			ChainID: s.ChainID, Scope: w.Scope, Subject: w.Subject, StartsAt: column.At(at),
			Operations: sum.Operations + operations, Gwei: sum.Gwei + gwei,
		}
	}
}

// pay returns the sums to the budgets. Windows that have ended are not changed.
func (r refunds) pay(ctx context.Context, tx *store.Tx) error {
	keys := slices.SortedFunc(maps.Keys(r), func(a, b window) int { return gas.CompareWindows(a.Window, b.Window) })
	for _, key := range keys {
		if err := tx.RefundGasBudget(ctx, r[key]); err != nil {
			return err
		}
	}
	return nil
}

// Sponsored checks for an unused sponsorship; see gas.Operations.
func (g Store) Sponsored(ctx context.Context, c gas.Caller, op eth.Hash, now time.Time) error {
	return g.Read(ctx, func(q *gen.Queries) error {
		n, err := q.CountUsableSponsorships(ctx, gen.CountUsableSponsorshipsParams{
			Now: column.At(now), Operation: op, PlayerID: c.Player, SessionID: c.Session,
		})
		if err == nil && n == 0 {
			err = gas.ErrSponsorship
		}
		return err
	})
}

// useSponsorship marks the sponsorship of an operation that the relay accepts as used. A session that has ended in the
// meantime can send nothing.
func useSponsorship(ctx context.Context, tx *store.Tx, op gas.Operation) error {
	n, err := tx.UseSponsorship(ctx, gen.UseSponsorshipParams{Operation: op.Hash, PlayerID: op.Player, Now: column.At(op.CreatedAt)})
	if err == nil && n == 0 {
		err = gas.ErrSponsorship
	}
	return err
}

// endSponsorship deletes the sponsorship of an operation and adds what it did not cost to the refunds. A sponsorship that anyone may still
// send stays until it expires or is cancelled, even when the relay drops the operation.
func endSponsorship(ctx context.Context, tx *store.Tx, op eth.Hash, state string, cost money.Units, unused *refunds) error {
	if state == sponsorshipUsed && cost.IsZero() {
		if n, err := tx.ReopenSponsorship(ctx, op); err != nil || n > 0 {
			return err
		}
	}
	rows, err := tx.DropSponsorship(ctx, gen.DropSponsorshipParams{Operation: op, State: state})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if bool(r.Public) && cost.IsZero() { // someone else may send it, or has sent it
			continue
		}
		operations := int64(0) // what was sent counts, regardless of its cost
		if state == sponsorshipReserved {
			operations = 1
		}
		unused.add(r, operations, max(0, r.Gwei-gas.Gwei(cost)))
	}
	return nil
}

// ExpiredSponsorships returns sponsorships that expired unused; see gas.Operations.
func (g Store) ExpiredSponsorships(ctx context.Context, chain onchain.ChainID, before time.Time, limit int) (ops []eth.Hash, err error) {
	err = g.Read(ctx, func(q *gen.Queries) error {
		ops, err = q.ExpiredSponsorships(ctx, gen.ExpiredSponsorshipsParams{ChainID: chain, ExpiresAt: column.At(before), Batch: int64(limit)})
		return err
	})
	return ops, err
}

// budgetMemory is how long the counters of ended windows are kept.
const budgetMemory = 2 * gas.Day

// Release ends an unused sponsorship; see gas.Operations.
func (g Store) Release(ctx context.Context, op eth.Hash, at time.Time) error {
	return g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.DropOldGasBudgets(ctx, column.At(at.Add(-budgetMemory))); err != nil {
			return err
		}
		var unused refunds
		if err := endSponsorship(ctx, tx, op, sponsorshipReserved, money.Units{}, &unused); err != nil {
			return err
		}
		return unused.pay(ctx, tx)
	})
}

// Spending returns what was spent of a chain's budget on the day of now.
func (g Store) Spending(ctx context.Context, chain onchain.ChainID, now time.Time) (s gas.Spending, err error) {
	s.Day = now.Truncate(gas.Day)
	err = g.Read(ctx, func(q *gen.Queries) error {
		for scope, into := range map[string]*gas.Allowance{"chain-day": &s.Spent, "newcomers-day": &s.Newcomers} {
			row, err := q.GasBudgetOf(ctx, gen.GasBudgetOfParams{ChainID: chain, Scope: scope})
			if errors.Is(err, sql.ErrNoRows) || (err == nil && row.StartsAt.Before(s.Day)) {
				continue
			}
			if err != nil {
				return err
			}
			*into = gas.Allowance{Operations: row.Operations, Wei: weiOf(row.Gwei)}
		}
		raise, err := q.GasRaise(ctx, gen.GasRaiseParams{ChainID: chain, StartsAt: column.At(s.Day)})
		s.Raised = gas.Allowance{Operations: raise.Operations, Wei: weiOf(raise.Gwei)}
		return err
	})
	return s, err
}
