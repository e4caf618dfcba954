// Package move brings the holdings of a chain to another one: game chains end.
//
// A move has three steps. An operator freezes the chain: nothing is traded, opened, given or sent there any more, but for money, which
// players may still take out. Once all that was on its way is final, the leader takes the snapshot: who holds how many of which token at
// one block, compared with the chain itself, and public with its hash. Then the operator lets the portal move to the new chain, where each
// holding is claimed once, as a reward that is minted there; see package reward.
package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
)

// State is how far a move is.
type State string

// The states.
const (
	Frozen      State = "frozen"      // the snapshot is not taken yet
	Snapshotted State = "snapshotted" // the portal still serves the old chain
	Moved       State = "moved"       // the portal serves the new chain, where holdings are claimed
)

// Move is the move of a chain.
type Move struct {
	From, To   onchain.ChainID // To is 0 until the portal has moved
	State      State
	FrozenAt   time.Time
	Waits      string        // what the snapshot waits for; "" for nothing
	Block      onchain.Block // of the snapshot; its hash is zero until it is chosen
	Hash       string        // of the snapshot's text; "" until it is taken
	SnapshotAt time.Time
	Holdings   int64       // in the snapshot
	Factory    eth.Address // of the smart wallets
	Currency   eth.Address // of the market on the old chain
	Main       bool        // whether it is the main chain, and not the game chain
	MovedAt    time.Time
}

// Token is a contract whose holdings move.
type Token struct {
	Contract   eth.Address
	Standard   onchain.Standard
	Collection string // its slug, or the symbol of a currency
}

// Supply is how many of a token there were, of unique tokens of the whole collection with the TokenID "".
type Supply struct {
	Token
	TokenID        string
	Minted, Burned money.Units
	Cap            *money.Units // how many could ever be minted; nil for no limit
	To             eth.Address  // the contract on the new chain; zero until it is known
}

// Contract is a contract whose tokens move.
type Contract struct {
	Token
	To eth.Address // on the new chain
}

// Wallet is a wallet of a player or of the portal that may have held something.
type Wallet struct {
	Address eth.Address
	// Since is when a player has proven to hold it; zero for a smart wallet, and for one of the portal.
	Since time.Time
	Chain onchain.ChainID // on which that was proven
}

// May reports whether the wallet's player may claim a holding whose owner is a contract, if foreign. On another chain somebody else may
// have the address of a contract.
func (w Wallet) May(m Move, foreign bool) bool {
	return !foreign || w.Since.IsZero() || w.Since.Before(m.FrozenAt) && w.Chain == m.From
}

// Store stores moves. All methods return fault.NotFound for a chain that does not move.
type Store interface {
	// Moves returns all moves.
	Moves(ctx context.Context) ([]Move, error)
	// Note keeps what the snapshot waits for.
	Note(ctx context.Context, chain onchain.ChainID, waits string) error
	// ChooseBlock keeps the block of the snapshot; a zero hash takes it back.
	ChooseBlock(ctx context.Context, chain onchain.ChainID, b onchain.Block) error
	// Traffic returns how many operations of players and transactions of the portal's wallets are on their way to a chain.
	Traffic(ctx context.Context, chain onchain.ChainID) (operations, transactions int64, err error)
	// UnsettledBurns returns how many burns up to a block have not been rewarded yet.
	UnsettledBurns(ctx context.Context, chain onchain.ChainID, upTo uint64) (int64, error)
	// TakeSnapshot stores who holds what at the move's block, by the index, in place of an earlier snapshot. It returns fault.Conflict with
	// the reason if the index does not know all.
	TakeSnapshot(ctx context.Context, m Move, tokens []Token) (hash string, holdings int64, err error)
	// HoldingsOf returns at most limit holdings of the snapshot after a position, in their order.
	HoldingsOf(ctx context.Context, chain onchain.ChainID, after int64, limit int) ([]Holding, error)
	// Supplies returns the supplies of the snapshot.
	Supplies(ctx context.Context, chain onchain.ChainID) ([]Supply, error)
	// ForeignOwners returns at most limit owners after one, by address, that are no smart wallets of players.
	ForeignOwners(ctx context.Context, chain onchain.ChainID, after eth.Address, limit int) ([]eth.Address, error)
	// SetCap keeps how many of a contract's tokens can ever be minted.
	SetCap(ctx context.Context, chain onchain.ChainID, contract eth.Address, limit money.Units) error
	// HasUnclaimed reports whether a wallet has holdings that were not claimed.
	HasUnclaimed(ctx context.Context, chain onchain.ChainID, owner eth.Address) (bool, error)
	// MarkContracts notes of owners that they are contracts.
	MarkContracts(ctx context.Context, chain onchain.ChainID, owners []eth.Address) error
	// Claim records a reward for each of at most limit holdings that a wallet has and that were not claimed, for a player, "" for a wallet of
	// the portal itself, and returns how many. Of a contract that the player has proven to hold only later than the freeze it records none.
	Claim(ctx context.Context, m Move, w Wallet, playerID string, limit int) (claimed int, err error)
	// ClaimedOf returns at most limit claimed holdings after a position, in their order.
	ClaimedOf(ctx context.Context, chain onchain.ChainID, after int64, limit int) ([]Claimed, error)
	// WalletsOf returns the wallets of a player, first the smart one.
	WalletsOf(ctx context.Context, playerID string) ([]Wallet, error)
	// HeldBy returns at most limit holdings of a wallet, first those that are not claimed, with the states of their rewards.
	HeldBy(ctx context.Context, m Move, owner eth.Address, limit int) ([]Held, error)
	// FinishSnapshot makes the snapshot that was taken the move's, unless its block has changed.
	FinishSnapshot(ctx context.Context, m Move, hash string, holdings int64, at time.Time) error
}

// Chain is a chain that moves.
type Chain interface {
	// Head returns the newest block.
	Head(ctx context.Context) (onchain.Block, error)
	// Final returns the last block that is final; ok is false before the first.
	Final(ctx context.Context) (number uint64, ok bool, err error)
	// HashOf returns the hash of a block; zero for one that the chain does not have.
	HashOf(ctx context.Context, number uint64) (eth.Hash, error)
	// Read returns the last block of which the index has everything; ok is false before the first.
	Read(ctx context.Context) (number uint64, ok bool, err error)
	// Compare asks the chain what it has at a block, and returns where that differs.
	Compare(ctx context.Context, block uint64, holdings []Holding, supplies []Supply) (wrong []string, err error)
	// CapOf returns how much of a currency can ever be minted; ok is false for a contract that does not tell.
	CapOf(ctx context.Context, contract eth.Address) (limit money.Units, ok bool, err error)
	// Contracts returns those of the addresses that have code at a block, without those that a key has delegated (EIP-7702).
	Contracts(ctx context.Context, block uint64, addresses []eth.Address) ([]eth.Address, error)
}

const (
	// Quiet is how long after the freeze everything that was let through before has arrived in the database: no request takes that long.
	Quiet = 30 * time.Second
	// interval is how often the next step of a move is tried.
	interval = time.Second
	// retryAfter is how long after a wrong snapshot the next one is taken: each locks the index.
	retryAfter = 30 * time.Second
	// batch is the number of holdings that are compared at a time.
	batch = 100
	// mostNamed is how many differences are named.
	mostNamed = 5
)

// Options configure a Service.
type Options struct {
	Store  Store
	Chains map[onchain.ChainID]Chain
	Tokens map[onchain.ChainID][]Token // what moves of each chain
	Own    []eth.Address               // wallets of the portal, which claim by themselves
	Clock  clock.Clock
	Wake   func()        // called after claims
	Quiet  time.Duration // 0 for the default
}

// Service implements the capability. Only one process runs Run at a time: the leader.
type Service struct {
	o     Options
	cache cache
	taken map[onchain.ChainID]*taken
	retry map[onchain.ChainID]time.Time // when the next snapshot is tried after one that was wrong
}

// NewService returns a Service.
func NewService(o Options) *Service {
	if o.Quiet == 0 {
		o.Quiet = Quiet
	}
	return &Service{o: o, taken: map[onchain.ChainID]*taken{}, retry: map[onchain.ChainID]time.Time{}}
}

// Run takes the snapshots that are due until ctx ends. Errors are reported and retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return periodic.RunAtOnce(ctx, interval, s.Step, report)
}

// Step goes one step further with each move that has no snapshot yet.
func (s *Service) Step(ctx context.Context) error {
	moves, err := s.o.Store.Moves(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range moves {
		if m.State == Moved && s.o.Chains[m.To] != nil {
			errs = append(errs, s.claimOwn(ctx, m))
		}
		if m.State != Frozen || s.o.Chains[m.From] == nil || s.o.Clock.Now().Before(s.retry[m.From]) {
			continue
		}
		err := s.step(ctx, m)
		f := fault.As(err)
		if f != nil && f.Code == fault.Conflict {
			err = s.o.Store.Note(ctx, m.From, f.Message)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// step returns fault.Conflict with what the move waits for.
func (s *Service) step(ctx context.Context, m Move) error {
	chain := s.o.Chains[m.From]
	if since := s.o.Clock.Now().Sub(m.FrozenAt); since < s.o.Quiet {
		return waits("%d s until all replicas know of it", int((s.o.Quiet - since + time.Second - 1).Seconds()))
	}
	operations, transactions, err := s.o.Store.Traffic(ctx, m.From)
	if err != nil {
		return err
	}
	if operations+transactions > 0 {
		return waits("%d operations of players and %d transactions of the portal that are on their way", operations, transactions)
	}
	if m.Block.Hash == (eth.Hash{}) {
		if m.Block, err = chain.Head(ctx); err != nil {
			return err
		}
		// An endpoint may be behind another one; burns in blocks that were read may be rewarded.
		if read, ok, err := chain.Read(ctx); err != nil || ok && read > m.Block.Number {
			return errors.Join(err, waits("an endpoint that has block %d", read))
		}
		if err := s.o.Store.ChooseBlock(ctx, m.From, m.Block); err != nil {
			return err
		}
	}
	if err := s.ready(ctx, chain, m); err != nil {
		return err
	}
	t, err := s.take(ctx, m)
	if err != nil {
		return err
	}
	if err := s.compare(ctx, chain, m, t); err != nil {
		if f := fault.As(err); f != nil && f.Code == fault.Conflict { // another index is needed, and another snapshot of it
			s.taken[m.From], s.retry[m.From] = nil, s.o.Clock.Now().Add(retryAfter)
		}
		return err
	}
	if err := errors.Join(s.keepCaps(ctx, chain, m), s.markContracts(ctx, chain, m)); err != nil {
		return err
	}
	return s.o.Store.FinishSnapshot(ctx, m, t.hash, t.holdings, s.o.Clock.Now())
}

// taken is a snapshot that this process has taken, and how far it is compared with the chain.
type taken struct {
	block    eth.Hash
	hash     string
	holdings int64
	compared int64 // the position of the last holding
}

// take takes the snapshot, unless this process has.
func (s *Service) take(ctx context.Context, m Move) (*taken, error) {
	if t := s.taken[m.From]; t != nil && t.block == m.Block.Hash {
		return t, nil
	}
	t := &taken{block: m.Block.Hash}
	var err error
	if t.hash, t.holdings, err = s.o.Store.TakeSnapshot(ctx, m, s.o.Tokens[m.From]); err != nil {
		if f := fault.As(err); f != nil && f.Code == fault.Conflict {
			s.retry[m.From] = s.o.Clock.Now().Add(retryAfter)
		}
		return nil, err
	}
	s.taken[m.From] = t
	return t, nil
}

// keepCaps keeps how much of currencies can ever be minted, which no event tells.
func (s *Service) keepCaps(ctx context.Context, chain Chain, m Move) error {
	for _, t := range s.o.Tokens[m.From] {
		if t.Standard != onchain.ERC20 {
			continue
		}
		limit, ok, err := chain.CapOf(ctx, t.Contract)
		if err == nil && ok {
			err = s.o.Store.SetCap(ctx, m.From, t.Contract, limit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ready returns fault.Conflict until the block of the snapshot is final, read and settled.
func (s *Service) ready(ctx context.Context, chain Chain, m Move) error {
	final, ok, err := chain.Final(ctx)
	if err != nil {
		return err
	}
	if !ok || final < m.Block.Number {
		return waits("block %d to be final; the last final one is %d", m.Block.Number, final)
	}
	hash, err := chain.HashOf(ctx, m.Block.Number)
	if err != nil {
		return err
	}
	if hash != m.Block.Hash {
		if err := s.o.Store.ChooseBlock(ctx, m.From, onchain.Block{}); err != nil {
			return err
		}
		return waits("another block, as block %d was replaced", m.Block.Number)
	}
	read, ok, err := chain.Read(ctx)
	if err != nil {
		return err
	}
	if !ok || read < m.Block.Number {
		return waits("the index to read block %d; it has read %d", m.Block.Number, read)
	}
	burns, err := s.o.Store.UnsettledBurns(ctx, m.From, m.Block.Number)
	if err == nil && burns > 0 {
		err = waits("%d burns to be rewarded", burns)
	}
	return err
}

// compare returns fault.Conflict if the chain has something else than the snapshot.
func (s *Service) compare(ctx context.Context, chain Chain, m Move, t *taken) error {
	supplies, err := s.o.Store.Supplies(ctx, m.From)
	if err != nil {
		return err
	}
	wrong, err := chain.Compare(ctx, m.Block.Number, nil, supplies)
	for err == nil && len(wrong) <= mostNamed {
		var holdings []Holding
		if holdings, err = s.o.Store.HoldingsOf(ctx, m.From, t.compared, batch); err != nil || len(holdings) == 0 {
			break
		}
		var differ []string
		if differ, err = chain.Compare(ctx, m.Block.Number, holdings, nil); err == nil {
			t.compared = holdings[len(holdings)-1].Position
		}
		wrong = append(wrong, differ...)
	}
	if err != nil || len(wrong) == 0 {
		return err
	}
	text := "the index to agree with the chain: run `pantheon index rebuild`. "
	for i, w := range wrong {
		if i == mostNamed {
			return waits("%sAnd more.", text)
		}
		text += w + ". "
	}
	return waits("%s", text[:len(text)-1])
}

// markContracts finds the owners that are contracts.
func (s *Service) markContracts(ctx context.Context, chain Chain, m Move) error {
	for after := (eth.Address{}); ; {
		owners, err := s.o.Store.ForeignOwners(ctx, m.From, after, batch)
		if err != nil || len(owners) == 0 {
			return err
		}
		after = owners[len(owners)-1]
		contracts, err := chain.Contracts(ctx, m.Block.Number, owners)
		if err != nil {
			return err
		}
		if err := s.o.Store.MarkContracts(ctx, m.From, contracts); err != nil {
			return err
		}
	}
}

func waits(format string, args ...any) error {
	return fault.New(fault.Conflict, "waits for %s", fmt.Sprintf(format, args...))
}
