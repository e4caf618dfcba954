// Package reward gives players their rewards, exactly once each.
//
// A reward is what one source earned: a burn, a claim, a gift. It is recorded in the transaction that earns it, under its
// unique source, and consists of grants: currencies and tokens. A reward that is drawn has none until its draw is known
// (pending → drawn); see package packs. Then each grant is given on its own, from pending through sending to done, and what
// can never be given is failed. The reward follows its grants: sending once the first is on its way, done when the player has
// all of them, failed when none is open and one has failed.
//
// A pending grant is cancelled if its payment fails or is refunded. A reward with some of its grants cancelled follows the
// others.
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
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/trace"
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
	// Cancelled means that it is not to be given after all, such as one that the shop refunded.
	Cancelled State = "cancelled"
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
	FromWebstore  Origin = "webstore"
	FromMove      Origin = "move" // held on a chain that the portal has left; see package move
)

// The kinds of grants.
const (
	KindCurrency = "currency" // an amount of a currency of the game platform
	KindMint     = "mint"     // a token minted to the player's smart wallet
	KindTransfer = "transfer" // a token that the treasury sends to the player's smart wallet
)

// Content is what a grant consists of.
type Content struct {
	Kind      string
	Detail    string    // the kind's own JSON
	NotBefore time.Time // when it may be given at the earliest; zero for at once
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
	Attempts int    // consecutive failures of the current step
	Trace    string // of the operation that earned the reward, for a pending grant; "" for none
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

// mostRedone is how often a grant is expected to be given again at most.
const mostRedone = 20

// LaterIDs returns the ids under which the grant with an id may have been given again after it had failed.
func LaterIDs(id string) (out []string) {
	first, redone := id, 0
	if at := strings.LastIndexByte(id, '~'); at >= 0 {
		if n, err := strconv.Atoi(id[at+1:]); err == nil {
			first, redone = id[:at], n
		}
	}
	for n := redone + 1; n <= mostRedone; n++ {
		out = append(out, fmt.Sprintf("%s~%d", first, n))
	}
	return out
}

// StateOf returns the state of a reward with at least one grant by the states of its grants.
func StateOf(grants []State) State {
	counts := map[State]int{}
	for _, s := range grants {
		counts[s]++
	}
	rest := len(grants) - counts[Cancelled]
	switch open := counts[Pending] + counts[Sending]; {
	case rest == 0:
		return Cancelled
	case counts[Done] == rest:
		return Done
	case open == 0:
		return Failed
	case counts[Pending] == rest:
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
	// DueGrants returns the grants in one of the open states (pending, sending) that are due and have a player or are of
	// the portal's own wallets, the longest due first.
	DueGrants(ctx context.Context, d Due) ([]Grant, error)
	// PayCurrency credits the currency and marks the grant as done, once; or as failed, if it can never be paid. It
	// returns a Conflict fault for one that must wait, and an Unavailable or TooMany fault if the game platform is
	// unavailable.
	PayCurrency(ctx context.Context, g Grant, c Currency, at time.Time) error
	// MoveGrant moves a grant to another state and reports whether it did; it does not if the grant is no longer in its
	// state.
	MoveGrant(ctx context.Context, g Grant, to State, reason string, at time.Time) (moved bool, err error)
	// BeginTransfer moves a pending transfer to sending and reports whether it did; it does not if the grant is no longer
	// pending. It returns the fault of Treasury.MaySend for one that must wait, and a Conflict fault while the player is
	// frozen.
	BeginTransfer(ctx context.Context, g Grant, x Transfer, t Treasury, at time.Time) (moved bool, err error)
	// PostponeGrant saves the grant's Attempts and the reason, and makes it due at until; it does nothing if the
	// grant is no longer in its state.
	PostponeGrant(ctx context.Context, g Grant, reason string, until, at time.Time) error
}

// Sender sends tokens to players through the queues of the portal's wallets: the claimer mints, the treasury transfers.
type Sender interface {
	// Mint queues the mint under an id; an id is sent only once. It returns an Invalid fault for a mint that can
	// never be sent.
	Mint(ctx context.Context, id string, m Mint) error
	// Transfer does the same for a transfer from the treasury.
	Transfer(ctx context.Context, id string, x Transfer) error
	// Outcome returns the outcome of the mint or transfer with the id: done, failed with a reason, or neither yet. It
	// returns a NotFound fault for an id that was not queued.
	Outcome(ctx context.Context, id string) (done bool, failed string, err error)
}

// Service implements the capability.
type Service struct {
	store    Store
	sender   Sender
	treasury Treasury
	clock    clock.Clock
	loop     periodic.Loop
	// resume is when payments of currencies resume, in Unix milliseconds: they pause while the game platform is
	// unavailable.
	resume atomic.Int64
	// checked is the offset of the next check among the sending grants, ordered by due time. It returns to 0 at their end.
	checked atomic.Int64
}

// NewService returns a Service. The zero Treasury makes transfers wait.
func NewService(s Store, to Sender, t Treasury, c clock.Clock) *Service {
	return &Service{store: s, sender: to, treasury: t, clock: c, loop: periodic.NewLoop()}
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
func (s *Service) Wake() { s.loop.Wake() }

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
	return s.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) {
		sending, err := s.Step(ctx)
		if sending > 0 {
			return busyInterval, err
		}
		return idleInterval, err
	}, report)
}

// Step advances the grants that are due, at most batchSize of each state, and returns how many of them are sending. A
// temporary error postpones the grant, and a permanent one fails it; neither blocks others, and nor do mints that take
// long. While the game platform is unavailable, all currencies are paused.
func (s *Service) Step(ctx context.Context) (sending int, err error) {
	var first error // the first error of a grant to report
	faults := 0
	// Pending first: a currency that finds the platform unavailable again and again holds up no other.
	for _, state := range []State{Pending, Sending} {
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
			isSending, err := s.advance(ctx, &g)
			if isSending && state == Sending {
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
		return false, s.store.PostponeGrant(ctx, g, f.Message, now.Add(max(firstRetry, f.RetryAfter)), now)
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

// advance takes a grant one step further and reports whether a transaction is pending. It marks the grant as sending before it
// does anything else, so that a pending grant can be cancelled.
func (s *Service) advance(ctx context.Context, g *Grant) (sending bool, err error) {
	var c Currency
	var m Mint // or a transfer
	switch g.Kind {
	case KindCurrency:
		if err := json.Unmarshal([]byte(g.Detail), &c); err != nil || c.Amount <= 0 {
			return false, errMalformed
		}
	case KindMint, KindTransfer:
		if err := json.Unmarshal([]byte(g.Detail), &m); err != nil {
			return false, errMalformed
		}
		if m.To.IsZero() {
			m.To = g.Wallet
		}
		if m.To.IsZero() {
			return false, fault.New(fault.Conflict, "waits for the player's wallet")
		}
	default:
		return false, fault.New(fault.Invalid, "unknown kind")
	}
	if g.State == Pending {
		var span trace.Span
		ctx, span = trace.Follow(ctx, g.Trace, "give reward")
		defer func() { span.Fail(err); span.End() }()
		if moved, err := s.begin(ctx, *g, m); !moved || err != nil {
			return false, err
		}
		g.State = Sending
	} else if g.Kind != KindCurrency {
		if queued, sending, err := s.follow(ctx, *g); queued || err != nil {
			return sending, err
		}
	}
	switch g.Kind {
	case KindCurrency:
		return false, s.store.PayCurrency(ctx, *g, c, s.clock.Now())
	case KindTransfer:
		return true, s.sender.Transfer(ctx, g.ID(), Transfer(m))
	}
	return true, s.sender.Mint(ctx, g.ID(), m)
}

// begin moves a pending grant to sending and reports whether it did.
func (s *Service) begin(ctx context.Context, g Grant, m Mint) (moved bool, err error) {
	if g.Kind == KindTransfer {
		return s.store.BeginTransfer(ctx, g, Transfer(m), s.treasury, s.clock.Now())
	}
	return s.store.MoveGrant(ctx, g, Sending, "", s.clock.Now())
}

var errMalformed = fault.New(fault.Invalid, "malformed detail")

// follow ends a grant whose transaction has an outcome. It reports whether that is queued at all: if the process died before,
// it is not.
func (s *Service) follow(ctx context.Context, g Grant) (queued, sending bool, err error) {
	done, failed, err := s.sender.Outcome(ctx, g.ID())
	switch {
	case fault.Is(err, fault.NotFound):
		return false, false, nil
	case err != nil:
		return false, false, err
	case failed != "":
		return true, false, s.fail(ctx, g, failed)
	case done:
		_, err := s.store.MoveGrant(ctx, g, Done, "", s.clock.Now())
		return true, false, err
	}
	return true, true, nil
}

func (s *Service) fail(ctx context.Context, g Grant, reason string) error {
	_, err := s.store.MoveGrant(ctx, g, Failed, reason, s.clock.Now())
	return err
}
