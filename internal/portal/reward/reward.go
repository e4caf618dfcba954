// Package reward gives players their rewards, exactly once each.
//
// A reward is what one source earned: a burn, a claim, a gift. It is recorded in the transaction that earns it, under its
// unique source, and consists of grants: currencies and tokens. A reward that is drawn has none until its draw is known
// (pending → drawn); see package packs. Then each grant is given on its own: a currency goes from pending to done, a mint
// from pending through sending to done, and what can never be given is failed. The reward follows its grants: sending once
// the first is on its way, done when the player has all of them, failed when none is open and one has failed.
//
// Every step is durable before the next begins and may be repeated, so a crash at any point resumes. A failed step is
// retried later and delays no other grant, except that all currencies pause while the game platform is unavailable. The
// rewards of a wallet that no player has registered wait for one. Only one process runs it at a time: the leader.
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

// State is the state of a reward or of one of its grants.
type State string

// The states. Drawn is a reward's alone.
const (
	Pending State = "pending" // recorded; of a reward: its draw is not known yet
	Drawn   State = "drawn"   // its grants are known
	Sending State = "sending" // being given
	Done    State = "done"    // the player has it
	Failed  State = "failed"  // it could not be given; the error says why
)

// Origin is what a reward was earned by.
type Origin string

// The origins.
const (
	FromPack      Origin = "pack"
	FromPiggyBank Origin = "piggy-bank"
	FromArk       Origin = "ark"
	FromPowerPack Origin = "power-pack"
	FromVault     Origin = "vault"
	FromAvatar    Origin = "avatar"
	FromGift      Origin = "gift"
	FromFaucet    Origin = "faucet"
)

// The kinds of grants.
const (
	KindCurrency = "currency" // an amount of a currency of the game platform
	KindMint     = "mint"     // a token minted to the player's smart wallet
)

// Content is what a grant consists of.
type Content struct {
	Kind   string
	Detail string // the kind's own JSON
}

// Reward is one reward of one player.
type Reward struct {
	Source   string // what earned it; unique
	Origin   Origin
	PlayerID string          // "" while no player has registered the wallet
	Wallet   eth.Address     // whose burn earned it; zero for none
	Chain    onchain.ChainID // of the burn; 0 for none
	Tx       eth.Hash        // of the burn; zero for none
	EarnedAt time.Time       // the time of the burn's block; zero for the time of the recording
	Detail   string          // the origin's own JSON, for pages and messages
	Grants   []Content       // none for one that waits for its draw
}

// Grant is one part of a reward, as Step works on it.
type Grant struct {
	Source   string // the reward's
	Number   int    // from 0
	Redone   int    // how often an operator had it given again
	PlayerID string
	Wallet   eth.Address // the player's registered smart wallet; zero if there is none yet
	Content
	State    State
	Attempts int // consecutive failures of the current step
}

// ID identifies the grant to queues and ledgers, which act once per id. That of a reward's first grant is its source.
func (g Grant) ID() string {
	id := g.Source
	if g.Number > 0 {
		id = fmt.Sprintf("%s/%d", id, g.Number)
	}
	if g.Redone > 0 {
		id = fmt.Sprintf("%s~%d", id, g.Redone)
	}
	return id
}

// StateOf returns the state of a reward with at least one grant by the states of its grants.
func StateOf(grants []State) State {
	counts := map[State]int{}
	for _, s := range grants {
		counts[s]++
	}
	switch open := counts[Pending] + counts[Sending]; {
	case counts[Done] == len(grants):
		return Done
	case open == 0:
		return Failed
	case counts[Pending] == len(grants):
		return Drawn
	}
	return Sending
}

// Due selects grants.
type Due struct {
	State   State
	By      time.Time // excludes grants postponed beyond this time
	ButKind string    // a kind to leave out; "" for none
	Skip    int       // how many of the longest due to leave out
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
	To       eth.Address      `json:"to"` // zero for the player's smart wallet
}

// Content returns a grant of the currency.
func (c Currency) Content() Content { return Content{Kind: KindCurrency, Detail: encode(c)} }

// Content returns a grant of the token.
func (m Mint) Content() Content { return Content{Kind: KindMint, Detail: encode(m)} }

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("reward: %T cannot be written as JSON: %v", v, err)) // plain structs always can
	}
	return string(b)
}

// Store stores the rewards. Its methods move a reward with its grants and announce that in the same transaction.
type Store interface {
	// AddReward records a reward unless its source exists.
	AddReward(ctx context.Context, r Reward, at time.Time) error
	// DueGrants returns the grants in one of the open states (pending, sending) that are due and have a player, the
	// longest due first.
	DueGrants(ctx context.Context, d Due) ([]Grant, error)
	// PayCurrency credits the currency and marks the grant as done, once; or as failed, if it can never be paid. It
	// returns a Conflict fault for one that must wait, and an Unavailable or TooMany fault if the game platform is
	// unavailable.
	PayCurrency(ctx context.Context, g Grant, c Currency, at time.Time) error
	// MoveGrant moves a grant to another state; it does nothing if the grant is no longer in its state.
	MoveGrant(ctx context.Context, g Grant, to State, reason string, at time.Time) error
	// PostponeGrant saves the grant's Attempts and the reason, and makes it due at until; it does nothing if the
	// grant is no longer in its state.
	PostponeGrant(ctx context.Context, g Grant, reason string, until, at time.Time) error
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
	clock  clock.Clock
	wake   chan struct{}
	// resume is when payments of currencies resume, in Unix milliseconds: they pause while the game platform is
	// unavailable.
	resume atomic.Int64
	// checked is the offset of the next check among the sending grants, ordered by due time. It returns to 0 at their end.
	checked atomic.Int64
}

// NewService returns a Service.
func NewService(s Store, m Minter, c clock.Clock) *Service {
	return &Service{store: s, minter: m, clock: c, wake: make(chan struct{}, 1)}
}

// Grant records a reward outside any other transaction.
func (s *Service) Grant(ctx context.Context, r Reward) error {
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

// Step advances the grants that are due, at most batchSize of each state, and returns how many of them are sending. A
// temporary error postpones the grant, and a permanent one fails it; neither blocks others, and nor do mints that take
// long. While the game platform is unavailable, all currencies are paused.
func (s *Service) Step(ctx context.Context) (sending int, err error) {
	var first error // the first error of a grant to report
	faults := 0
	for _, state := range []State{Sending, Pending} {
		but := ""
		if s.away() {
			but = KindCurrency
		}
		skip, unfinished := 0, 0
		if state == Sending {
			skip = int(s.checked.Load())
		}
		grants, err := s.store.DueGrants(ctx, Due{State: state, By: s.clock.Now(), ButKind: but, Skip: skip, Limit: batchSize})
		if err != nil {
			return sending, err
		}
		for _, g := range grants {
			if g.Kind == KindCurrency && s.away() {
				continue
			}
			isSending, err := s.advance(ctx, g)
			if isSending {
				sending++
				unfinished++
			}
			if err == nil {
				continue
			}
			if ctx.Err() != nil {
				return sending, ctx.Err()
			}
			reported, failed := s.settle(ctx, g, err)
			if failed != nil {
				return sending, fmt.Errorf("reward %s: %w", g.ID(), errors.Join(err, failed))
			}
			if reported {
				faults++
				if first == nil {
					first = fmt.Errorf("reward %s: %w", g.ID(), err)
				}
			}
		}
		if state == Sending && len(grants) == batchSize {
			s.checked.Store(int64(skip + unfinished))
		} else if state == Sending {
			s.checked.Store(0)
		}
	}
	if faults > 1 {
		first = fmt.Errorf("%w (and %d more)", first, faults-1)
	}
	return sending, first
}

// settle postpones or fails a grant whose step returned cause, and reports whether to report cause.
func (s *Service) settle(ctx context.Context, g Grant, cause error) (reported bool, err error) {
	now := s.clock.Now()
	f := fault.As(cause)
	switch {
	case f != nil && f.Code == fault.Invalid:
		return true, s.fail(ctx, g, f.Message)
	case f != nil && f.Code == fault.Conflict:
		return false, s.store.PostponeGrant(ctx, g, f.Message, now.Add(firstRetry), now)
	}
	wait := lastRetry
	if g.Attempts < 6 {
		wait = firstRetry << g.Attempts
	}
	if f != nil && g.Kind == KindCurrency && (f.Code == fault.Unavailable || f.Code == fault.TooMany) {
		pause := max(awayPause, f.RetryAfter)
		s.resume.Store(now.Add(pause).UnixMilli())
		// The platform may be unavailable for this grant alone: after the pause, others go first.
		wait = max(wait, pause)
	}
	g.Attempts++
	return true, s.store.PostponeGrant(ctx, g, cause.Error(), now.Add(wait), now)
}

func (s *Service) away() bool { return s.clock.Now().UnixMilli() < s.resume.Load() }

// advance takes a grant one step further and reports whether a mint is pending.
func (s *Service) advance(ctx context.Context, g Grant) (sending bool, err error) {
	switch g.Kind {
	case KindCurrency:
		var c Currency
		if err := json.Unmarshal([]byte(g.Detail), &c); err != nil || c.Amount <= 0 {
			return false, errMalformed
		}
		return false, s.store.PayCurrency(ctx, g, c, s.clock.Now())
	case KindMint:
		return s.mint(ctx, g)
	default:
		return false, fault.New(fault.Invalid, "unknown kind")
	}
}

var errMalformed = fault.New(fault.Invalid, "malformed detail")

func (s *Service) mint(ctx context.Context, g Grant) (sending bool, err error) {
	if g.State != Sending {
		var m Mint
		if err := json.Unmarshal([]byte(g.Detail), &m); err != nil {
			return false, errMalformed
		}
		if m.To.IsZero() {
			m.To = g.Wallet
		}
		if m.To.IsZero() {
			return false, fault.New(fault.Conflict, "waits for the player's wallet")
		}
		// Queue the mint first: if the process dies before the next line, queueing it again changes nothing.
		if err := s.minter.Mint(ctx, g.ID(), m); err != nil {
			return false, err
		}
		return true, s.store.MoveGrant(ctx, g, Sending, "", s.clock.Now())
	}
	done, failed, err := s.minter.Minted(ctx, g.ID())
	switch {
	case err != nil:
		return false, err
	case failed != "":
		return false, s.fail(ctx, g, failed)
	case done:
		return false, s.store.MoveGrant(ctx, g, Done, "", s.clock.Now())
	}
	return true, nil
}

func (s *Service) fail(ctx context.Context, g Grant, reason string) error {
	return s.store.MoveGrant(ctx, g, Failed, reason, s.clock.Now())
}
