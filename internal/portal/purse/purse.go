// Package purse changes the players' balances on the game platform: each change once by its id, and never below zero.
//
// The platform is an external service: it may take a balance below zero, its response may be lost, and it has no
// idempotency keys. So every change is recorded here first. Recording it locks the balance, which has at most one
// pending change; then the balance is read and recorded, and only then is the platform called. If the response is
// lost, the balance shows afterwards whether the change took place. The game may spend at the same time, which the
// portal cannot prevent: an overdraft is refunded, and a change whose outcome cannot be determined is left to the
// operator.
package purse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
)

// MaxBalance is the maximum balance (PlayFab's limit, applied on every platform).
const MaxBalance = math.MaxInt32

// ChangeTimeout is how long a change is left to the caller that began it before another one settles it. It is longer
// than the timeout of calls to a platform.
const ChangeTimeout = time.Minute

// Reasons of this package's faults.
const (
	ReasonInsufficient = "insufficient"
	ReasonFull         = "full"
	ReasonUnclear      = "unclear"
	ReasonUncertain    = "uncertain"
	ReasonBusy         = "busy"
)

// Faults of this package.
var (
	// ErrInsufficient means that the balance is lower than the amount to take.
	ErrInsufficient = fault.New(fault.Conflict, "You do not have enough of this.").WithReason(ReasonInsufficient)
	// ErrFull means that the balance would exceed MaxBalance.
	ErrFull = fault.New(fault.Conflict, "There is no room for more of this.").WithReason(ReasonFull)
	// ErrUnclear means that it can no longer be determined whether the change took place. It is final; an operator
	// must decide.
	ErrUnclear = fault.New(fault.Conflict, "We could not find out whether this was booked. Please write to our support.").
			WithReason(ReasonUnclear)
	// ErrUncertain means that the platform was called and the outcome is not known yet. Retry with the same id.
	ErrUncertain = fault.New(fault.Unavailable, "We do not know yet whether this was booked. Please try again in a minute.").
			WithReason(ReasonUncertain)

	// ErrBusy means that another change of the balance is pending.
	ErrBusy = &fault.Fault{
		Code: fault.Unavailable, Message: "This balance is being changed just now. Please try again in a moment.", Reason: ReasonBusy,
		RetryAfter: time.Second,
	}
)

// State is the state of a change.
type State string

// The states of a change. While one is open, sent or overdrawn, its balance can have no other change.
const (
	Open      State = "open"      // recorded; the platform has not been called
	Sent      State = "sent"      // the platform is called, and may or may not have applied it
	Overdrawn State = "overdrawn" // it was applied and left a negative balance; the refund is pending
	Done      State = "done"      // it was applied
	Returned  State = "returned"  // it was applied and refunded
	Unclear   State = "unclear"   // it cannot be determined whether it was applied
)

// Change is one change of one balance.
type Change struct {
	ID       string // idempotency key; unique
	PlayerID string
	Code     string // two letters
	Amount   int64  // negative to take

	State     State
	Before    int64 // the balance read before the last call to the platform
	Version   int64 // version of the record
	UpdatedAt time.Time
}

// Store stores the changes.
type Store interface {
	// BeginChange records an open change. If its id exists, or the balance has another pending change, it records
	// nothing and returns that one; it returns a change without an id if that one has just ended.
	BeginChange(ctx context.Context, c Change) (begun bool, other Change, err error)
	// MoveChange saves the change's state and balance, unless it was changed concurrently.
	MoveChange(ctx context.Context, c Change) (moved bool, err error)
	// DropChange deletes a change that was not applied, unless it was changed concurrently.
	DropChange(ctx context.Context, c Change) error
}

// Platform stores the balances.
type Platform interface {
	// Balance returns the player's balance of a currency.
	Balance(ctx context.Context, playerID, code string) (int64, error)
	// ChangeBalance adds a positive amount or takes a negative one, and returns the new balance, which may be
	// negative. If it cannot know whether the change was applied, it returns a fault with ReasonUncertain; after any
	// other error it was not.
	ChangeBalance(ctx context.Context, playerID, code string, amount int64) (balance int64, err error)
}

// Service implements the capability. It is safe for concurrent use, also by several processes on one store.
type Service struct {
	store    Store
	platform Platform
	clock    clock.Clock
	report   func(error)
}

// NewService returns a Service; report receives changes that need an operator.
func NewService(s Store, p Platform, c clock.Clock, report func(error)) *Service {
	return &Service{store: s, platform: p, clock: c, report: report}
}

// Credit adds 1 to MaxBalance to a balance, once per id. It returns ErrFull if the balance would exceed the maximum,
// ErrUnclear, and fault.NotFound for a player or currency unknown to the platform; these are final. After
// fault.Unavailable and fault.TooMany retry with the same id.
func (s *Service) Credit(ctx context.Context, id, playerID, code string, amount int64) error {
	return s.change(ctx, id, playerID, code, amount, 1)
}

// Debit takes 1 to MaxBalance from a balance, once per id. It returns ErrInsufficient if the balance is lower;
// otherwise it behaves like Credit.
func (s *Service) Debit(ctx context.Context, id, playerID, code string, amount int64) error {
	return s.change(ctx, id, playerID, code, amount, -1)
}

// maxTurns bounds how often a change is retried after a conflicting one was settled.
const maxTurns = 3

func (s *Service) change(ctx context.Context, id, playerID, code string, amount, sign int64) error {
	if id == "" || playerID == "" || code == "" || amount < 1 || amount > MaxBalance {
		return fmt.Errorf("purse: malformed change %q of %d", id, amount)
	}
	c := Change{ID: id, PlayerID: playerID, Code: code, Amount: sign * amount, State: Open, UpdatedAt: s.clock.Now()}
	for range maxTurns {
		begun, other, err := s.store.BeginChange(ctx, c)
		if err != nil {
			return err
		}
		if begun {
			return s.carryOut(ctx, c)
		}
		if other.ID == id {
			if other.PlayerID != playerID || other.Code != code || other.Amount != c.Amount {
				return fmt.Errorf("purse: %q is the id of another change", id)
			}
			switch other.State {
			case Done:
				return nil
			case Returned:
				return ErrInsufficient
			case Unclear:
				return ErrUnclear
			}
		}
		if s.clock.Now().Sub(other.UpdatedAt) < ChangeTimeout {
			if other.ID == id && other.State != Open {
				return ErrUncertain
			}
			return ErrBusy
		}
		if err := s.settle(ctx, other); err != nil {
			return err
		}
	}
	return ErrBusy
}

// carryOut applies a change that holds its balance's lock.
func (s *Service) carryOut(ctx context.Context, c Change) error {
	balance, err := s.platform.Balance(ctx, c.PlayerID, c.Code)
	switch {
	case err != nil:
	case balance+c.Amount < 0 && c.Amount < 0:
		err = ErrInsufficient
	case balance+c.Amount > MaxBalance:
		err = ErrFull
	}
	// From here on the record must follow what happens, even if the caller is gone.
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		return errors.Join(err, s.store.DropChange(ctx, c))
	}
	if err := s.move(ctx, &c, Sent, balance); err != nil {
		return err
	}
	after, err := s.platform.ChangeBalance(ctx, c.PlayerID, c.Code, c.Amount)
	switch {
	case isUncertain(err):
		return err
	case err != nil:
		return errors.Join(err, s.store.DropChange(ctx, c))
	case c.Amount < 0 && after < 0: // the game has spent in the meantime
		if err := s.giveBack(ctx, &c, after); err != nil {
			return err
		}
		return ErrInsufficient
	}
	return s.move(ctx, &c, Done, balance)
}

// giveBack refunds a change that left a negative balance.
func (s *Service) giveBack(ctx context.Context, c *Change, balance int64) error {
	if err := s.move(ctx, c, Overdrawn, balance); err != nil {
		return err
	}
	if _, err := s.platform.ChangeBalance(ctx, c.PlayerID, c.Code, -c.Amount); err != nil {
		return err
	}
	return s.move(ctx, c, Returned, balance)
}

// settle ends a change that its caller has not: the current balance shows what happened to it.
func (s *Service) settle(ctx context.Context, c Change) error {
	// Raising the version keeps others from settling it concurrently.
	if err := s.move(ctx, &c, c.State, c.Before); err != nil {
		return err
	}
	if c.State == Open {
		return s.store.DropChange(ctx, c)
	}
	balance, err := s.platform.Balance(ctx, c.PlayerID, c.Code)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	changed, end := c.Amount, Done
	if c.State == Overdrawn {
		changed, end = -c.Amount, Returned
	}
	switch {
	case balance == c.Before+changed:
		return s.move(ctx, &c, end, c.Before)
	case balance == c.Before && c.State == Overdrawn:
		return s.giveBack(ctx, &c, balance)
	case balance == c.Before:
		return s.store.DropChange(ctx, c)
	}
	s.report(fmt.Errorf("purse: it is unknown whether change %q of %d %s of player %s took place: the balance was %d and is %d",
		c.ID, c.Amount, c.Code, c.PlayerID, c.Before, balance))
	return s.move(ctx, &c, Unclear, c.Before)
}

// move changes the state of a change, unless it was changed concurrently.
func (s *Service) move(ctx context.Context, c *Change, to State, before int64) error {
	next := *c
	next.State, next.Before, next.UpdatedAt = to, before, s.clock.Now()
	moved, err := s.store.MoveChange(ctx, next)
	if err != nil {
		return err
	}
	if !moved {
		return ErrBusy
	}
	next.Version++
	*c = next
	return nil
}

func isUncertain(err error) bool {
	f := fault.As(err)
	return f != nil && f.Reason == ReasonUncertain
}
