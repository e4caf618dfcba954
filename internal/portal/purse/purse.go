// Package purse changes the players' balances on the game platform: each change once by its id, and never below nothing.
//
// The platform is somebody else's service: it may take a balance below zero, forget an answer on the way, and knows no
// ids by which a request could be repeated. So every change is recorded here first. Recording it takes the turn of that
// balance, of which there is one; then the balance is read and noted, and only then is the platform asked. Where its
// answer is lost, the balance tells afterwards whether the change took place. The game may spend at the same time,
// which nobody can keep it from: what it overdraws is given back, and what cannot be told is left to the operator.
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

// MaxBalance is the most a balance can hold (PlayFab's bound, which holds on every platform).
const MaxBalance = math.MaxInt32

// ChangeTimeout is how long a change is left to whoever began it before somebody else ends it. It is longer than a platform
// takes to answer or to give up.
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
	// ErrInsufficient: the player has less than is to be taken.
	ErrInsufficient = fault.New(fault.Conflict, "You do not have enough of this.").WithReason(ReasonInsufficient)
	// ErrFull: the balance cannot hold what is to be added.
	ErrFull = fault.New(fault.Conflict, "There is no room for more of this.").WithReason(ReasonFull)
	// ErrUnclear: nobody can tell any more whether the change took place. It is final; an operator has to look.
	ErrUnclear = fault.New(fault.Conflict, "We could not find out whether this was booked. Please write to our support.").WithReason(ReasonUnclear)
	// ErrUncertain: the platform was asked and its answer is not known yet. Ask again with the same id.
	ErrUncertain = fault.New(fault.Unavailable, "We do not know yet whether this was booked. Please try again in a minute.").WithReason(ReasonUncertain)

	// ErrBusy: another change of the balance is under way.
	ErrBusy = &fault.Fault{
		Code: fault.Unavailable, Message: "This balance is being changed just now. Please try again in a moment.", Reason: ReasonBusy,
		RetryAfter: time.Second,
	}
)

// State is where a change stands.
type State string

// The states of a change. While one is open, sent or overdrawn, its balance has no other.
const (
	Open      State = "open"      // recorded; the platform has not been asked
	Sent      State = "sent"      // the platform is asked, and may or may not have done it
	Overdrawn State = "overdrawn" // it took place and left less than nothing: it is being given back
	Done      State = "done"      // it took place
	Returned  State = "returned"  // it took place and was given back
	Unclear   State = "unclear"   // nobody can tell whether it took place
)

// Change is one change of one balance.
type Change struct {
	ID       string // what it is for; unique
	PlayerID string
	Code     string // two letters
	Amount   int64  // negative: taken

	State     State
	Before    int64 // the balance that was read before the platform was last asked
	Version   int64 // of the record
	UpdatedAt time.Time
}

// Store keeps the changes.
type Store interface {
	// BeginChange records an open change. When its id is known, or the balance has another change under way, it records
	// nothing and returns that one; a change without an id when that has just ended.
	BeginChange(ctx context.Context, c Change) (begun bool, other Change, err error)
	// MoveChange keeps state and balance of the change, unless somebody else has moved it meanwhile.
	MoveChange(ctx context.Context, c Change) (moved bool, err error)
	// DropChange forgets a change that did not take place, unless somebody else has moved it meanwhile.
	DropChange(ctx context.Context, c Change) error
}

// Platform keeps the balances.
type Platform interface {
	// Balance returns what the player has of a currency.
	Balance(ctx context.Context, playerID, code string) (int64, error)
	// ChangeBalance adds a positive amount or takes a negative one, and returns what is left, which may be less than
	// nothing. Where it cannot know whether that took place it returns a fault with ReasonUncertain; with any other error
	// it did not.
	ChangeBalance(ctx context.Context, playerID, code string, amount int64) (balance int64, err error)
}

// Service is the capability. It is safe for concurrent use, in several processes on one store.
type Service struct {
	store    Store
	platform Platform
	clock    clock.Clock
	report   func(error)
}

// NewService returns the capability; report is told of changes that an operator has to look at.
func NewService(s Store, p Platform, c clock.Clock, report func(error)) *Service {
	return &Service{store: s, platform: p, clock: c, report: report}
}

// Credit adds 1 to MaxBalance to a balance, once by the id. It returns ErrFull where there is no room, ErrUnclear, and
// fault.NotFound for a player or currency the platform does not know; these are final. After fault.Unavailable and
// fault.TooMany ask again with the same id.
func (s *Service) Credit(ctx context.Context, id, playerID, code string, amount int64) error {
	return s.change(ctx, id, playerID, code, amount, 1)
}

// Debit takes 1 to MaxBalance from a balance, once by the id. It returns ErrInsufficient when the player has less; the
// rest is as with Credit.
func (s *Service) Debit(ctx context.Context, id, playerID, code string, amount int64) error {
	return s.change(ctx, id, playerID, code, amount, -1)
}

// maxTurns bounds how often a change is begun anew after one in its way was ended: once for each that can be.
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

// carryOut makes a change whose turn it is.
func (s *Service) carryOut(ctx context.Context, c Change) error {
	balance, err := s.platform.Balance(ctx, c.PlayerID, c.Code)
	switch {
	case err != nil:
	case balance+c.Amount < 0 && c.Amount < 0:
		err = ErrInsufficient
	case balance+c.Amount > MaxBalance:
		err = ErrFull
	}
	// From here on the record must follow what happens, whether or not the caller still waits.
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
	case c.Amount < 0 && after < 0: // the game has spent meanwhile
		if err := s.giveBack(ctx, &c, after); err != nil {
			return err
		}
		return ErrInsufficient
	}
	return s.move(ctx, &c, Done, balance)
}

// giveBack undoes a change that left less than nothing.
func (s *Service) giveBack(ctx context.Context, c *Change, balance int64) error {
	if err := s.move(ctx, c, Overdrawn, balance); err != nil {
		return err
	}
	if _, err := s.platform.ChangeBalance(ctx, c.PlayerID, c.Code, -c.Amount); err != nil {
		return err
	}
	return s.move(ctx, c, Returned, balance)
}

// settle ends a change whose maker has not: what the balance is now tells what became of it.
func (s *Service) settle(ctx context.Context, c Change) error {
	// Raising the version keeps everybody else from settling it too.
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
	s.report(fmt.Errorf("purse: nobody can tell whether change %q of %d %s of player %s took place: the balance was %d and is %d",
		c.ID, c.Amount, c.Code, c.PlayerID, c.Before, balance))
	return s.move(ctx, &c, Unclear, c.Before)
}

// move takes a change to its next state. Where somebody else has, it is theirs.
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
