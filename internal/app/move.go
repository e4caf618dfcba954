package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	"pantheon/internal/store/moves"
	"pantheon/internal/store/operators"
)

// frozenInterval is how often each replica looks which chains are frozen. Together with requests under way it must be well below
// move.Quiet.
const frozenInterval = time.Second

// frozenChains are the chains that move to another one. It is safe for concurrent use.
type frozenChains struct {
	game onchain.ChainID
	now  atomic.Pointer[map[onchain.ChainID]bool]
}

// readFrozen reads which chains are frozen, and has each replica follow that. See checkMoves for its errors.
func readFrozen(ctx context.Context, b *base) (*frozenChains, error) {
	f := &frozenChains{game: b.game}
	look := func(ctx context.Context) error {
		all, err := moves.New(b.db).Moves(ctx)
		if err == nil {
			err = checkMoves(b, all)
		}
		if err != nil {
			return err
		}
		now := map[onchain.ChainID]bool{}
		for _, m := range all {
			now[m.From] = true
		}
		if was := f.now.Swap(&now); was != nil && !maps.Equal(*was, now) {
			b.log.Warn("the chains that are frozen have changed", "frozen", slices.Collect(maps.Keys(now)))
		}
		return nil
	}
	b.replica["frozen chains"] = func(ctx context.Context) error {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		err := every(frozenInterval, func(ctx context.Context) error {
			err := look(ctx)
			if errors.Is(err, errLeft) {
				stop(err) // another process has moved the portal: this one serves what is gone
			}
			return err
		})(ctx, func(err error) { b.log.Warn("cannot read which chains are frozen", "error", err) })
		if left := context.Cause(ctx); errors.Is(left, errLeft) {
			return left
		}
		return err
	}
	return f, look(ctx)
}

func (f *frozenChains) has(chain onchain.ChainID) bool { return (*f.now.Load())[chain] }

// waits returns fault.Conflict while a chain is frozen.
func (f *frozenChains) waits(chain onchain.ChainID) error {
	if !f.has(chain) {
		return nil
	}
	err := fault.New(fault.Conflict, "waits until the portal has moved from chain %d", chain)
	err.RetryAfter = frozenRetry
	return err
}

// frozenRetry is how long something waits before it is tried again on a frozen chain.
const frozenRetry = 10 * time.Second

// closes reports whether a flag is off because the game chain is frozen, on which everything is but some burns.
func (f *frozenChains) closes(key string) bool {
	switch key {
	case flags.AllowPurchase, flags.AllowListing, flags.AllowClaims, flags.AllowOpening:
		return f.has(f.game)
	}
	return false
}

// moveGuard lets players take out money only, and cancel listings, while a chain is frozen.
type moveGuard struct {
	frozen   *frozenChains
	currency eth.Address
	next     gas.Guard
}

func (g moveGuard) Allow(ctx context.Context, i gas.Intent) error {
	if g.frozen.has(i.Chain) && !gas.OnlyMoney(i.Calls, g.currency) {
		return fault.New(fault.Conflict, "The game is moving to a new chain, so nothing can be traded, opened or sent just now. "+
			"What is yours stays yours.").WithReason("moving")
	}
	return g.next.Allow(ctx, i)
}

// newMoves has the leader take the snapshots of frozen chains.
func newMoves(b *base, chains chains, o openings, payouts *reward.Service) *move.Service {
	options := move.Options{
		Store: moves.New(b.db), Clock: b.clock, Own: b.wallets.inUse(), Wake: payouts.Wake,
		Chains: map[onchain.ChainID]move.Chain{}, Tokens: map[onchain.ChainID][]move.Token{},
	}
	for id, c := range chains.of {
		options.Chains[id] = movingChain{chainAside{id: id, rpc: c.rpc, index: chains.index}, o.settlers[id].Final}
		options.Tokens[id] = movedTokens(b.config, id)
	}
	s := move.NewService(options)
	b.lead("moves", s.Run)
	return s
}

// movedTokens returns what moves of a chain: all that the portal mints. The market's currency is somebody else's.
func movedTokens(c config.Config, chain onchain.ChainID) (out []move.Token) {
	for _, t := range collectionsOf(c) {
		if t.chain == chain {
			out = append(out, move.Token{Contract: t.address, Standard: t.Standard, Collection: t.Slug})
		}
	}
	if god := c.Contracts.GOD; god != "" && chain == c.GameChain.ChainID() {
		out = append(out, move.Token{Contract: eth.MustAddress(god), Standard: onchain.ERC20, Collection: godSymbol})
	}
	return out
}

// movingChain implements move.Chain.
type movingChain struct {
	chainAside
	final func(context.Context) (number uint64, ok bool, err error)
}

func (c movingChain) Head(ctx context.Context) (onchain.Block, error) {
	b, err := c.blockAt(ctx, "latest")
	if err == nil && b.Hash == (eth.Hash{}) {
		err = fault.New(fault.Unavailable, "the endpoint has no newest block")
	}
	return b, err
}

func (c movingChain) Final(ctx context.Context) (number uint64, ok bool, err error) {
	return c.final(ctx)
}

func (c movingChain) HashOf(ctx context.Context, number uint64) (eth.Hash, error) {
	b, err := c.blockAt(ctx, hexutil.EncodeUint64(number))
	return b.Hash, err
}

func (c movingChain) blockAt(ctx context.Context, tag string) (b onchain.Block, err error) {
	var header *struct {
		Number hexutil.Uint64 `json:"number"`
		Hash   eth.Hash       `json:"hash"`
		Time   hexutil.Uint64 `json:"timestamp"`
	}
	if err := c.rpc.CallContext(ctx, &header, "eth_getBlockByNumber", tag, false); err != nil || header == nil {
		return b, err
	}
	return onchain.Block{Number: uint64(header.Number), Hash: header.Hash, Time: time.Unix(int64(header.Time), 0).UTC()}, nil
}

func (c movingChain) Read(ctx context.Context) (number uint64, ok bool, err error) {
	return c.index.Complete(ctx, c.id)
}

func (c movingChain) Compare(
	ctx context.Context, block uint64, holdings []move.Holding, supplies []move.Supply,
) (wrong []string, err error) {
	c.block = block
	var questions []question
	for _, h := range holdings {
		q, err := questionOf(index.Holding{Contract: h.Contract, Standard: h.Standard, TokenID: h.TokenID, Owner: h.Owner, Amount: h.Amount})
		if err != nil {
			return nil, err
		}
		questions = append(questions, q)
	}
	for _, s := range supplies {
		there, err := s.Minted.Sub(s.Burned)
		if err != nil {
			return nil, err
		}
		q, err := supplyQuestion(s.Contract, s.Standard, s.TokenID, there)
		if err != nil {
			return nil, err
		}
		questions = append(questions, q)
	}
	for part := range slices.Chunk(questions, callsAtOnce) {
		_, differ, err := c.ask(ctx, part)
		if wrong = append(wrong, differ...); err != nil {
			return wrong, err
		}
	}
	return wrong, nil
}

func (c movingChain) CapOf(ctx context.Context, contract eth.Address) (limit money.Units, ok bool, err error) {
	n, err := numberAt(ctx, c.rpc, contract, contracts.Call("cap()"))
	if n == nil || err != nil {
		return limit, false, err
	}
	limit, err = money.FromBig(n)
	return limit, err == nil, err
}

func (c movingChain) Contracts(ctx context.Context, block uint64, addresses []eth.Address) (out []eth.Address, err error) {
	batch := make([]gethrpc.BatchElem, len(addresses))
	for i, a := range addresses {
		batch[i] = gethrpc.BatchElem{Method: "eth_getCode", Args: []any{a, hexutil.EncodeUint64(block)}, Result: new(hexutil.Bytes)}
	}
	if err := c.rpc.BatchCallContext(ctx, batch); err != nil {
		return nil, err
	}
	for i, e := range batch {
		if e.Error != nil {
			return nil, e.Error
		}
		if code := *e.Result.(*hexutil.Bytes); len(code) > 0 && !bytes.HasPrefix(code, delegation) {
			out = append(out, addresses[i])
		}
	}
	return out, nil
}

// delegation begins the code of an account that its key has delegated (EIP-7702).
var delegation = []byte{0xef, 0x01, 0x00}

// FreezeChain begins the move of a chain: what is held in carts and not paid ends.
func FreezeChain(ctx context.Context, c config.Config, id onchain.ChainID, by operator.By) error {
	c.Complete()
	if err := c.Validate(); err != nil {
		return err
	}
	if _, err := chainOf(c, id); err != nil {
		return err
	}
	return changeMove(ctx, c, id, "move freeze", "", by, func(ctx context.Context, b *base, tx *store.Tx) error {
		if err := moves.Begin(ctx, tx, move.Move{
			From: id, FrozenAt: b.clock.Now(), Factory: eth.MustAddress(c.Contracts.AccountFactory), Currency: eth.MustAddress(c.Contracts.USDC),
			Main: id == c.MainChain.ChainID(),
		}); err != nil {
			return err
		}
		return index.New(b.db, index.Options{}).EndTrade(ctx, tx, id)
	})
}

// CancelMove ends the move of a chain that the portal still serves.
func CancelMove(ctx context.Context, c config.Config, id onchain.ChainID, by operator.By) error {
	return changeMove(ctx, c, id, "move cancel", "", by, func(ctx context.Context, _ *base, tx *store.Tx) error {
		return moves.Cancel(ctx, tx, id)
	})
}

// RetakeSnapshot has the snapshot of a frozen chain taken again.
func RetakeSnapshot(ctx context.Context, c config.Config, id onchain.ChainID, by operator.By) error {
	return changeMove(ctx, c, id, "move retake", "", by, func(ctx context.Context, _ *base, tx *store.Tx) error {
		return moves.Retake(ctx, tx, id)
	})
}

// changeMove changes the move of a chain in one transaction with its entry in the operators' log.
func changeMove(ctx context.Context, c config.Config, id onchain.ChainID, command, detail string, by operator.By,
	do func(context.Context, *base, *store.Tx) error) error {
	c.Complete()
	entry, err := by.Entry(clock.System{}.Now(), command, fmt.Sprint(uint64(id)), detail)
	if err != nil {
		return err
	}
	return withStore(ctx, c, store.ReadWrite, func(db *store.DB) error {
		b := newBase(c, Options{})
		b.db = db
		return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			if err := do(ctx, b, tx); err != nil {
				return err
			}
			return operators.AddEntry(ctx, tx, entry)
		})
	})
}

// MoveStatus is how far the move of a chain is.
type MoveStatus struct {
	From     onchain.ChainID `json:"chain"`
	State    move.State      `json:"state"`
	FrozenAt time.Time       `json:"frozenAt"`
	Waits    string          `json:"waits,omitzero"` // what the snapshot waits for
	Snapshot *MoveSnapshot   `json:"snapshot,omitempty"`
	To       onchain.ChainID `json:"to,omitzero"`
	MovedAt  time.Time       `json:"movedAt,omitzero"`
	Claimed  int64           `json:"claimed"` // holdings
}

// MoveSnapshot is the snapshot of a chain.
type MoveSnapshot struct {
	Block     uint64    `json:"block"`
	BlockHash eth.Hash  `json:"blockHash"`
	BlockTime time.Time `json:"blockTime"`
	Holdings  int64     `json:"holdings"`
	Hash      string    `json:"sha256"`
}

// Moves returns the moves of chains.
func Moves(ctx context.Context, c config.Config) (out []MoveStatus, err error) {
	c.Complete()
	out = []MoveStatus{}
	err = withStore(ctx, c, store.ReadOnly, func(db *store.DB) error {
		all, err := moves.New(db).Moves(ctx)
		for _, m := range all {
			s := MoveStatus{From: m.From, State: m.State, FrozenAt: m.FrozenAt, Waits: m.Waits, To: m.To, MovedAt: m.MovedAt}
			if m.Hash != "" {
				s.Snapshot = &MoveSnapshot{m.Block.Number, m.Block.Hash, m.Block.Time, m.Holdings, m.Hash}
			}
			if s.Claimed, err = moves.New(db).Claimed(ctx, m.From); err != nil {
				return err
			}
			out = append(out, s)
		}
		return err
	})
	return out, err
}

// GiveMoved claims what a wallet held on a chain that the portal has left for a player who has shown to own it, and returns how many
// holdings that were.
func GiveMoved(
	ctx context.Context, c config.Config, id onchain.ChainID, owner eth.Address, playerID string, by operator.By,
) (n int, err error) {
	detail := owner.Checksum() + " to " + playerID
	return n, changeMove(ctx, c, id, "move give", detail, by, func(ctx context.Context, b *base, tx *store.Tx) error {
		if err := moves.Check(ctx, tx, id, move.Moved); err != nil {
			return err
		}
		m, err := moves.Of(ctx, tx, id)
		if err == nil {
			n, err = moves.Give(ctx, tx, m, owner, playerID, b.clock.Now())
		}
		return err
	})
}
