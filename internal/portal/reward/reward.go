// Package reward hands out what players are owed, exactly once each.
//
// A reward is recorded in the transaction of what earns it, under a source that can occur only once. From then on it
// moves pending → drawn → sending → done or failed; only packs draw. Every step is durable before the next begins and
// may be repeated without harm, so a crash at any point resumes. One process at a time runs it, the holder of the lease.
package reward

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// State is where a reward stands.
type State string

// The states of a reward.
const (
	Pending State = "pending" // recorded
	Drawn   State = "drawn"   // what it is has been decided
	Sending State = "sending" // a mint is on its way
	Done    State = "done"    // the player has it
	Failed  State = "failed"  // it cannot be given; Error says why
)

// The kinds of rewards.
const (
	KindCurrency = "currency" // an amount of a currency of the game platform
	KindMint     = "mint"     // a token minted to the player's smart wallet
)

// Reward is one thing one player is owed.
type Reward struct {
	Source   string // what earned it; unique
	PlayerID string
	Kind     string
	Detail   string // the kind's own JSON
	State    State
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

// Detail writes a detail as it is kept.
func Detail(v Currency) string { return encode(v) }

// MintDetail writes the detail of a mint as it is kept.
func MintDetail(v Mint) string { return encode(v) }

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("reward: %T cannot be written as JSON: %v", v, err)) // plain structs always can
	}
	return string(b)
}

// Store keeps the rewards.
type Store interface {
	// AddReward records a reward unless its source is known already.
	AddReward(ctx context.Context, r Reward, at time.Time) error
	// OpenRewards returns the oldest rewards that are neither done nor failed, but for those of a kind ("" for none).
	OpenRewards(ctx context.Context, limit int, but string) ([]Reward, error)
	// PayCurrency credits the currency and makes the reward done, once; or failed, where it can never be paid. It returns
	// fault.Conflict for one that has to wait, and fault.Unavailable or fault.TooMany when the game platform is away.
	PayCurrency(ctx context.Context, r Reward, c Currency, at time.Time) error
	// MoveReward takes a reward from one state to another; it does nothing when the reward is no longer in from.
	MoveReward(ctx context.Context, source string, from, to State, reason string, at time.Time) error
}

// Minter mints tokens through the queue of the claimer wallet.
type Minter interface {
	// Mint hands the mint over under an id; the same id is never sent twice.
	Mint(ctx context.Context, id string, m Mint) error
	// Minted reports how the mint of the id went: done, failed with a reason, or neither yet.
	Minted(ctx context.Context, id string) (done bool, failed string, err error)
}

// Service is the capability.
type Service struct {
	store  Store
	minter Minter
	clock  clock.Clock
	wake   chan struct{}
	// resume is when currencies are paid again, in Unix milliseconds: they rest while the game platform is away.
	resume atomic.Int64
}

// NewService returns the capability.
func NewService(s Store, m Minter, c clock.Clock) *Service {
	return &Service{store: s, minter: m, clock: c, wake: make(chan struct{}, 1)}
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

// Wake tells Run that there is something to do. It never blocks.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

const (
	idleInterval = 500 * time.Millisecond
	busyInterval = 20 * time.Millisecond // while mints are on their way
	batchSize    = 200
	awayPause    = 5 * time.Second // how long currencies rest at least when the game platform is away
)

// Run works on the open rewards until ctx ends. Errors are reported and tried again.
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
		open, err := s.Step(ctx)
		if err != nil && ctx.Err() == nil {
			report(err)
		}
		wait := idleInterval
		if open > 0 && err == nil {
			wait = busyInterval
		}
		timer.Reset(wait)
	}
}

// Step moves every open reward as far as it goes now and returns how many are still open. A game platform that is away
// holds up nothing but currencies.
func (s *Service) Step(ctx context.Context) (open int, err error) {
	but := ""
	if s.away() {
		but = KindCurrency
	}
	rewards, err := s.store.OpenRewards(ctx, batchSize, but)
	if err != nil {
		return 0, err
	}
	var away error
	for _, r := range rewards {
		if r.Kind == KindCurrency && s.away() {
			continue
		}
		ended, err := s.advance(ctx, r)
		if f := fault.As(err); f != nil && r.Kind == KindCurrency {
			switch f.Code {
			case fault.Conflict:
				continue
			case fault.Unavailable, fault.TooMany:
				s.resume.Store(s.clock.Now().Add(max(awayPause, f.RetryAfter)).UnixMilli())
				away = fmt.Errorf("reward %s: %w", r.Source, err)
				continue
			}
		}
		if err != nil {
			return open, fmt.Errorf("reward %s: %w", r.Source, err)
		}
		if !ended {
			open++
		}
	}
	return open, away
}

func (s *Service) away() bool { return s.clock.Now().UnixMilli() < s.resume.Load() }

func (s *Service) advance(ctx context.Context, r Reward) (ended bool, err error) {
	switch r.Kind {
	case KindCurrency:
		var c Currency
		if err := json.Unmarshal([]byte(r.Detail), &c); err != nil || c.Amount <= 0 {
			return true, s.fail(ctx, r, "malformed detail")
		}
		return true, s.store.PayCurrency(ctx, r, c, s.clock.Now())
	case KindMint:
		return s.mint(ctx, r)
	default:
		return true, s.fail(ctx, r, "unknown kind")
	}
}

func (s *Service) mint(ctx context.Context, r Reward) (ended bool, err error) {
	if r.State == Pending {
		var m Mint
		if err := json.Unmarshal([]byte(r.Detail), &m); err != nil {
			return true, s.fail(ctx, r, "malformed detail")
		}
		// Handed over first: should the process die before the next line, handing over again changes nothing.
		if err := s.minter.Mint(ctx, r.Source, m); err != nil {
			return false, err
		}
		return false, s.store.MoveReward(ctx, r.Source, Pending, Sending, "", s.clock.Now())
	}
	done, failed, err := s.minter.Minted(ctx, r.Source)
	switch {
	case err != nil:
		return false, err
	case failed != "":
		return true, s.fail(ctx, r, failed)
	case done:
		return true, s.store.MoveReward(ctx, r.Source, r.State, Done, "", s.clock.Now())
	}
	return false, nil
}

func (s *Service) fail(ctx context.Context, r Reward, reason string) error {
	return s.store.MoveReward(ctx, r.Source, r.State, Failed, reason, s.clock.Now())
}
