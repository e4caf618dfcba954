// Package reward gives players their rewards, exactly once each.
//
// A reward is recorded in the transaction that earns it, under a unique source. A currency goes from pending to done,
// a mint from pending through sending to done. A draw goes from pending to drawn and becomes a currency or a mint,
// which continues as such. A reward that can never be given is failed. Every step is durable before the next begins
// and may be repeated, so a crash at any point resumes. A failed step is retried later and delays no other reward,
// except that all currencies pause while the game platform is unavailable. Only one process runs it at a time: the
// leader.
package reward

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// State is the state of a reward.
type State string

// The states of a reward.
const (
	Pending State = "pending" // recorded
	Drawn   State = "drawn"   // the draw has been resolved
	Sending State = "sending" // the mint is pending on chain
	Done    State = "done"    // the player has it
	Failed  State = "failed"  // it cannot be given; Error says why
)

// The kinds of rewards.
const (
	KindCurrency = "currency" // an amount of a currency of the game platform
	KindMint     = "mint"     // a token minted to the player's smart wallet
	KindDraw     = "draw"     // a random one of the kinds above
)

// Reward is one reward of one player.
type Reward struct {
	Source   string // what earned it; unique
	PlayerID string
	Kind     string
	Detail   string // the kind's own JSON
	State    State
	Attempts int // consecutive failures of the current step
}

// Due selects rewards.
type Due struct {
	State   State
	By      time.Time // excludes rewards postponed beyond this time
	ButKind string    // a kind to leave out; "" for none
	Limit   int
}

// Currency is the detail of KindCurrency.
type Currency struct {
	Code   string `json:"code"`
	Amount int64  `json:"amount"`
}

// Mint is the detail of KindMint.
type Mint struct {
	Chain    onchain.ChainID  `json:"chain"`
	Contract eth.Address      `json:"contract"`
	Standard onchain.Standard `json:"standard"`
	TokenID  string           `json:"tokenId"`
	Amount   money.Units      `json:"amount"`
	To       eth.Address      `json:"to"`
}

// Detail encodes the detail of a currency reward.
func Detail(v Currency) string { return encode(v) }

// MintDetail encodes the detail of a mint.
func MintDetail(v Mint) string { return encode(v) }

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("reward: %T cannot be written as JSON: %v", v, err)) // plain structs always can
	}
	return string(b)
}

// Store stores the rewards.
type Store interface {
	// AddReward records a reward unless its source exists.
	AddReward(ctx context.Context, r Reward, at time.Time) error
	// DueRewards returns the rewards in one of the open states (pending, drawn, sending) that are due, the longest
	// due first.
	DueRewards(ctx context.Context, d Due) ([]Reward, error)
	// PayCurrency credits the currency and marks the reward as done, once; or as failed, if it can never be paid. It
	// returns a Conflict fault for one that must wait, and an Unavailable or TooMany fault if the game platform is
	// unavailable.
	PayCurrency(ctx context.Context, r Reward, c Currency, at time.Time) error
	// MoveReward moves a reward from one state to another; it does nothing if the reward is no longer in from.
	MoveReward(ctx context.Context, source string, from, to State, reason string, at time.Time) error
	// DrawReward marks a pending reward as drawn and replaces its kind and detail; it does nothing for a reward in
	// another state.
	DrawReward(ctx context.Context, source, kind, detail string, at time.Time) error
	// PostponeReward saves the reward's Attempts and the reason, and makes it due at until; it does nothing if the
	// reward is no longer in its state.
	PostponeReward(ctx context.Context, r Reward, reason string, until, at time.Time) error
}

// Drawer resolves rewards of KindDraw.
type Drawer interface {
	// Draw returns the kind and detail of what was drawn: the same on every call for a reward. It returns a Conflict
	// fault while the result is not known yet, and an Invalid fault if it never will be.
	Draw(ctx context.Context, r Reward) (kind, detail string, err error)
}

// Minter mints tokens through the queue of the claimer wallet.
type Minter interface {
	// Mint queues the mint under an id; an id is sent only once. It returns an Invalid fault for a mint that can
	// never be sent.
	Mint(ctx context.Context, id string, m Mint) error
	// Minted returns the outcome of the mint with the id: done, failed with a reason, or neither yet.
	Minted(ctx context.Context, id string) (done bool, failed string, err error)
}

// Service implements the capability.
type Service struct {
	store  Store
	minter Minter
	drawer Drawer
	clock  clock.Clock
	wake   chan struct{}
	// resume is when payments of currencies resume, in Unix milliseconds: they pause while the game platform is
	// unavailable.
	resume atomic.Int64
}

// NewService returns a Service. With a nil drawer, draws stay pending.
func NewService(s Store, m Minter, d Drawer, c clock.Clock) *Service {
	return &Service{store: s, minter: m, drawer: d, clock: c, wake: make(chan struct{}, 1)}
}

// Grant records a reward outside any other transaction.
func (s *Service) Grant(ctx context.Context, r Reward) error {
	r.State = Pending
	if err := s.store.AddReward(ctx, r, s.clock.Now()); err != nil {
		return err
	}
	s.Wake()
	return nil
}

// Wake makes Run look for due rewards now. It never blocks.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

const (
	idleInterval = 500 * time.Millisecond
	busyInterval = 20 * time.Millisecond // while mints are pending
	batchSize    = 200                   // per state
	awayPause    = 5 * time.Second       // the minimum pause of currencies while the game platform is unavailable
	firstRetry   = time.Second           // after a step's first failure; doubled with each further one
	lastRetry    = time.Minute
)

// Run works on the open rewards until ctx ends. Errors are reported and retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-s.wake:
		}
		sending, err := s.Step(ctx)
		if err != nil && ctx.Err() == nil {
			report(err)
		}
		wait := idleInterval
		if sending > 0 {
			wait = busyInterval
		}
		timer.Reset(wait)
	}
}

// Step advances every reward that is due and returns how many are sending. A temporary error postpones the reward, and a
// permanent one fails it; neither blocks other rewards. While the game platform is unavailable, all currencies are paused.
func (s *Service) Step(ctx context.Context) (sending int, err error) {
	var first error // the first error of a reward to report
	faults := 0
	for _, state := range []State{Sending, Drawn, Pending} {
		but := ""
		if s.away() {
			but = KindCurrency
		}
		rewards, err := s.store.DueRewards(ctx, Due{State: state, By: s.clock.Now(), ButKind: but, Limit: batchSize})
		if err != nil {
			return sending, err
		}
		for _, r := range rewards {
			if r.Kind == KindCurrency && s.away() {
				continue
			}
			isSending, err := s.advance(ctx, r)
			if isSending {
				sending++
			}
			if err == nil {
				continue
			}
			if ctx.Err() != nil {
				return sending, ctx.Err()
			}
			reported, failed := s.settle(ctx, r, err)
			if failed != nil {
				return sending, fmt.Errorf("reward %s: %w", r.Source, errors.Join(err, failed))
			}
			if reported {
				faults++
				if first == nil {
					first = fmt.Errorf("reward %s: %w", r.Source, err)
				}
			}
		}
	}
	if faults > 1 {
		first = fmt.Errorf("%w (and %d more)", first, faults-1)
	}
	return sending, first
}

// settle postpones or fails a reward whose step returned cause, and reports whether to report cause.
func (s *Service) settle(ctx context.Context, r Reward, cause error) (reported bool, err error) {
	now := s.clock.Now()
	f := fault.As(cause)
	switch {
	case f != nil && f.Code == fault.Invalid:
		return true, s.fail(ctx, r, f.Message)
	case f != nil && f.Code == fault.Conflict:
		return false, s.store.PostponeReward(ctx, r, f.Message, now.Add(firstRetry), now)
	}
	wait := lastRetry
	if r.Attempts < 6 {
		wait = firstRetry << r.Attempts
	}
	if f != nil && r.Kind == KindCurrency && (f.Code == fault.Unavailable || f.Code == fault.TooMany) {
		pause := max(awayPause, f.RetryAfter)
		s.resume.Store(now.Add(pause).UnixMilli())
		// The platform may be unavailable for this reward alone: after the pause, others go first.
		wait = max(wait, pause)
	}
	r.Attempts++
	return true, s.store.PostponeReward(ctx, r, cause.Error(), now.Add(wait), now)
}

func (s *Service) away() bool { return s.clock.Now().UnixMilli() < s.resume.Load() }

// advance takes a reward one step further and reports whether a mint is pending.
func (s *Service) advance(ctx context.Context, r Reward) (sending bool, err error) {
	switch r.Kind {
	case KindCurrency:
		var c Currency
		if err := json.Unmarshal([]byte(r.Detail), &c); err != nil || c.Amount <= 0 {
			return false, errMalformed
		}
		return false, s.store.PayCurrency(ctx, r, c, s.clock.Now())
	case KindMint:
		return s.mint(ctx, r)
	case KindDraw:
		return false, s.draw(ctx, r)
	default:
		return false, fault.New(fault.Invalid, "unknown kind")
	}
}

var errMalformed = fault.New(fault.Invalid, "malformed detail")

func (s *Service) draw(ctx context.Context, r Reward) error {
	if s.drawer == nil {
		return fault.New(fault.Conflict, "there are no draws")
	}
	kind, detail, err := s.drawer.Draw(ctx, r)
	if err != nil {
		return err
	}
	return s.store.DrawReward(ctx, r.Source, kind, detail, s.clock.Now())
}

func (s *Service) mint(ctx context.Context, r Reward) (sending bool, err error) {
	if r.State != Sending {
		var m Mint
		if err := json.Unmarshal([]byte(r.Detail), &m); err != nil {
			return false, errMalformed
		}
		// Queue the mint first: if the process dies before the next line, queueing it again changes nothing.
		if err := s.minter.Mint(ctx, r.Source, m); err != nil {
			return false, err
		}
		return true, s.store.MoveReward(ctx, r.Source, r.State, Sending, "", s.clock.Now())
	}
	done, failed, err := s.minter.Minted(ctx, r.Source)
	switch {
	case err != nil:
		return false, err
	case failed != "":
		return false, s.fail(ctx, r, failed)
	case done:
		return false, s.store.MoveReward(ctx, r.Source, r.State, Done, "", s.clock.Now())
	}
	return true, nil
}

func (s *Service) fail(ctx context.Context, r Reward, reason string) error {
	return s.store.MoveReward(ctx, r.Source, r.State, Failed, reason, s.clock.Now())
}
