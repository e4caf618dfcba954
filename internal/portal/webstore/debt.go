package webstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/reward"
)

// DebtState is the state of a debt.
type DebtState string

// The states of a debt.
const (
	DebtSending  DebtState = "sending"  // its grant is on its way
	DebtOpen     DebtState = "open"     // owed
	DebtSettled  DebtState = "settled"  // taken back whole, or paid
	DebtForgiven DebtState = "forgiven" // by an operator
	DebtVoid     DebtState = "void"     // its grant failed
)

// Debt is a refunded grant that the player has already received, or the part of it not yet taken back.
type Debt struct {
	Source   string // of the reward
	Number   int    // of the grant in it
	PlayerID string
	reward.Content
	Amount   int64 // of a currency, or copies of a token
	Taking   int64 // what is being taken from a balance outside the database
	Attempts int   // how often the balance was too low for it
	State    DebtState
	Price    int64 // what the card paid for the whole grant, in millionths of the shop's currency; 0 if unknown
	InFlight bool  // whether an operation that pays for it is on its way
}

// Whole returns how much of a currency, or how many copies of a token, a grant gives.
func Whole(c reward.Content) (int64, error) {
	if c.Kind == reward.KindCurrency {
		var of reward.Currency
		err := json.Unmarshal([]byte(c.Detail), &of)
		return of.Amount, err
	}
	var of reward.Mint
	if err := json.Unmarshal([]byte(c.Detail), &of); err != nil {
		return 0, err
	}
	n, ok := of.Amount.Int64()
	if !ok {
		return 0, errors.New("webstore: an amount too large for a debt")
	}
	return n, nil
}

// ID is the idempotency key of the next debit.
func (d Debt) ID() string {
	id := fmt.Sprintf("debt/%s/%d/%d", d.Source, d.Number, d.Amount)
	if d.Attempts > 0 {
		id = fmt.Sprintf("%s~%d", id, d.Attempts)
	}
	return id
}

// DebtStore stores the debts.
type DebtStore interface {
	// OpenDebts returns the debts after one that are open or whose grants are on their way, by player; those after the zero
	// Debt are the first.
	OpenDebts(ctx context.Context, after Debt, limit int) ([]Debt, error)
	// GrantState returns the state of the debt's grant.
	GrantState(ctx context.Context, d Debt) (reward.State, error)
	// MoveDebt saves the debt's Amount, Taking, Attempts and State, and reports whether it did: not if the debt was changed since
	// before was read, or is being paid. It releases the player's withheld rewards with the last debt, and cancels the grant of a
	// debt that becomes void.
	MoveDebt(ctx context.Context, before, after Debt) (moved bool, err error)
}

// ReasonInsufficient is the reason of a debit's fault if the balance is lower, as in package purse.
const ReasonInsufficient = "insufficient"

// Purse takes currencies from players.
type Purse interface {
	// Balance returns a player's balance.
	Balance(ctx context.Context, playerID, code string) (int64, error)
	// Debit takes an amount, once by its id. It returns a Conflict fault with ReasonInsufficient if the balance is lower; then
	// the id may be used up.
	Debit(ctx context.Context, id, playerID, code string, amount int64) error
}

// Collector takes back the currencies that players owe, as far as they have them. What is owed in tokens is left to operators:
// nothing leaves a wallet without its player. Only one process runs it at a time.
type Collector struct {
	store DebtStore
	purse Purse
}

// NewCollector returns a Collector.
func NewCollector(s DebtStore, p Purse) *Collector { return &Collector{s, p} }

const debtBatch = 500

// Step collects once from all who owe.
func (c *Collector) Step(ctx context.Context) error {
	var faults []error
	empty := map[balance]bool{}
	for after, more := (Debt{}), true; more; {
		debts, err := c.store.OpenDebts(ctx, after, debtBatch)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, d := range debts {
			if err := c.collect(ctx, d, empty); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				faults = append(faults, fmt.Errorf("webstore: debt %s: %w", d.ID(), err))
			}
			after = d
		}
		more = len(debts) == debtBatch
	}
	return errors.Join(faults...)
}

// balance identifies a balance.
type balance struct{ playerID, code string }

// collect collects a debt; empty are the balances that were found to be empty.
func (c *Collector) collect(ctx context.Context, d Debt, empty map[balance]bool) error {
	after := d
	if d.State == DebtSending {
		state, err := c.store.GrantState(ctx, d)
		if err != nil {
			return err
		}
		switch state {
		case reward.Done:
			after.State = DebtOpen
		case reward.Failed, reward.Cancelled, reward.Pending: // pending again, as an operator had it given again
			after.State = DebtVoid
		default:
			return nil
		}
		_, err = c.store.MoveDebt(ctx, d, after)
		return err
	}
	if d.Kind != reward.KindCurrency || d.InFlight {
		return nil
	}
	var currency reward.Currency
	if err := json.Unmarshal([]byte(d.Detail), &currency); err != nil {
		return err
	}
	if d.Taking == 0 {
		of := balance{d.PlayerID, currency.Code}
		if empty[of] {
			return nil
		}
		has, err := c.purse.Balance(ctx, d.PlayerID, currency.Code)
		if err != nil {
			return err
		}
		if has <= 0 {
			empty[of] = true
			return nil
		}
		// Recorded first: if the process dies after the debit, the same amount is taken under the same id.
		after.Taking = min(has, d.Amount)
		if moved, err := c.store.MoveDebt(ctx, d, after); !moved || err != nil {
			return err
		}
		d = after
	}
	err := c.purse.Debit(ctx, d.ID(), d.PlayerID, currency.Code, d.Taking)
	switch f := fault.As(err); {
	case f != nil && f.Code == fault.Conflict: // spent in the meantime
		if f.Reason == ReasonInsufficient { // a debit that was taken and returned cannot be repeated under its id
			after.Attempts++
		}
	case err != nil:
		return err
	default:
		after.Amount -= d.Taking
	}
	after.Taking = 0
	if after.Amount == 0 {
		after.State = DebtSettled
	}
	_, err = c.store.MoveDebt(ctx, d, after)
	return err
}
