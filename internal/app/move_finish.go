package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/preflight"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/moves"
	"pantheon/internal/store/operators"
)

// FinishMove lets the portal, which must not run, move from a chain with a snapshot to the one that is configured in its place, and returns
// the id of that. Nothing is changed unless the contracts there can take all holdings.
func FinishMove(
	ctx context.Context, c config.Config, log *slog.Logger, from onchain.ChainID, by operator.By,
) (to onchain.ChainID, err error) {
	c.Complete()
	entry, err := by.Entry(clock.System{}.Now(), "move finish", fmt.Sprint(uint64(from)), "")
	if err != nil {
		return 0, err
	}
	if err := c.Validate(); err != nil {
		return 0, err
	}
	return to, withStore(ctx, c, store.ReadWrite, func(db *store.DB) error {
		b := newBase(c, Options{Log: log})
		b.db = db
		if b.wallets, err = openWallets(ctx, c); err != nil {
			return err
		}
		f, err := openFinish(ctx, b, from)
		if err != nil {
			return err
		}
		if err := f.check(ctx); err != nil {
			return err
		}
		to, entry.Detail = f.chain.ChainID(), fmt.Sprintf("to chain %d", f.chain.ID)
		return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			if err := notServed(ctx, tx); err != nil {
				return err
			}
			if err := moves.CheckSettled(ctx, tx, f.move); err != nil {
				return err
			}
			if err := moves.Finish(ctx, tx, f.move, to, f.contracts, b.clock.Now()); err != nil {
				return err
			}
			return operators.AddEntry(ctx, tx, entry)
		})
	})
}

// servedSince is how lately a replica was seen that counts as running.
const servedSince = 3 * seenEvery

// notServed makes sure that no replica runs.
func notServed(ctx context.Context, tx *store.Tx) error {
	rows, err := tx.Replicas(ctx, column.At(tx.Clock().Now().Add(-servedSince)))
	if err == nil && len(rows) > 0 {
		err = fault.New(fault.Conflict, "A portal runs on this database: stop all replicas, and wait %s after one that was killed.", servedSince)
	}
	return err
}

// finish is the end of a move.
type finish struct {
	*base
	move     move.Move
	chain    config.Chain // the new one
	supplies []move.Supply
	// contracts are those of the new chain by those of the old one.
	contracts map[eth.Address]eth.Address
}

// openFinish finds out which chain takes the place of the old one.
func openFinish(ctx context.Context, b *base, from onchain.ChainID) (*finish, error) {
	f := &finish{base: b, contracts: map[eth.Address]eth.Address{}}
	all, err := moves.New(b.db).Moves(ctx)
	if err != nil {
		return nil, err
	}
	served := map[onchain.ChainID]bool{b.game: true, b.config.MainChain.ChainID(): true}
	for _, m := range all {
		switch {
		case m.From == from:
			f.move = m
		case served[m.From]:
			return nil, fault.New(fault.Conflict, "The portal has left chain %d, and cannot move back to it.", m.From)
		}
	}
	if f.move.State != move.Snapshotted {
		return nil, fault.New(fault.Conflict, "Chain %d has no snapshot, or the portal has moved from it: `pantheon move` tells.", from)
	}
	if f.supplies, err = moves.New(b.db).Supplies(ctx, from); err != nil {
		return nil, err
	}
	f.chain = b.config.GameChain
	if f.move.Main {
		f.chain = b.config.MainChain
	}
	if f.chain.ChainID() == from {
		return nil, fault.New(fault.Conflict, "The settings still name chain %d: run this with those of the new chain, which "+
			"`pantheon deploy` has written.", from)
	}
	if factory := eth.MustAddress(b.config.Contracts.AccountFactory); factory != f.move.Factory {
		return nil, fault.New(fault.Conflict, "ACCOUNT_FACTORY_ADDRESS: players' smart wallets would have other addresses. It must be %s, where "+
			"`pantheon deploy` creates it on any chain.", f.move.Factory.Checksum())
	}
	now := map[string]move.Token{}
	for _, t := range movedTokens(b.config, f.chain.ChainID()) {
		now[t.Collection] = t
	}
	for _, s := range f.supplies {
		t, ok := now[s.Collection]
		if !ok || t.Standard != s.Standard {
			return nil, fault.New(fault.Conflict, "There is no %s contract of %s on chain %d.", s.Standard, s.Collection, f.chain.ID)
		}
		f.contracts[s.Contract] = t.Contract
	}
	if !f.move.Main {
		f.contracts[f.move.Currency] = eth.MustAddress(b.config.Contracts.USDC)
	}
	return f, nil
}

// check asks the new chain whether its contracts can take all holdings.
func (f *finish) check(ctx context.Context) error {
	o, err := endpointOf(f.base, f.chain.Name, f.chain)
	if err != nil {
		return err
	}
	client, err := rpc.New(o)
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := client.Check(ctx); err != nil {
		return err
	}
	expect, err := expected(f.config, f.wallets, f.chain)
	if err != nil {
		return err
	}
	for i, t := range expect.Tokens {
		for _, s := range f.supplies {
			if f.contracts[s.Contract] == t.Address {
				expect.Tokens[i].Minted = true
			}
		}
	}
	result, err := preflight.Check(ctx, client, expect)
	if err == nil {
		err = result.Refuses(accepts(f.config))
	}
	if err != nil {
		return err
	}
	head, err := (movingChain{chainAside: chainAside{rpc: client}}).Head(ctx)
	if err != nil {
		return err
	}
	if f.chain.RewardsFrom > head.Number {
		return fault.New(fault.Conflict, "*_CHAIN_REWARDS_FROM is %d, and chain %d has %d blocks: burns would not be rewarded until then. "+
			"Is it that of the old chain?", f.chain.RewardsFrom, f.chain.ID, head.Number)
	}
	var errs []error
	for _, s := range f.supplies {
		errs = append(errs, f.checkSupply(ctx, client, s))
	}
	return errors.Join(errs...)
}

// checkSupply makes sure that a contract has none of a token, and that no more of it can ever be minted than on the old chain.
func (f *finish) checkSupply(ctx context.Context, client *rpc.Client, s move.Supply) error {
	to := f.contracts[s.Contract]
	minted, limit := contracts.Call("minted()"), contracts.Call("maxSupply()")
	what := fmt.Sprintf("%s (%s)", s.Collection, to.Checksum())
	switch s.Standard {
	case onchain.ERC20:
		minted, limit = contracts.Call("totalSupply()"), contracts.Call("cap()")
	case onchain.ERC1155:
		id, err := wordOf(s.TokenID)
		if err != nil {
			return err
		}
		minted, limit = contracts.Call("minted(uint256)", id), contracts.Call("maxSupply(uint256)", id)
		what = fmt.Sprintf("token %s of %s", s.TokenID, what)
	}
	there, err := numberAt(ctx, client, to, minted)
	if err != nil {
		return err
	}
	if there == nil || there.Sign() != 0 {
		return fault.New(fault.Conflict, "%s: %s were minted on chain %d already; the holdings need an empty contract", what, orUnknown(there),
			f.chain.ID)
	}
	if s.Cap == nil {
		return nil
	}
	rest, err := s.Cap.Sub(s.Burned)
	if err != nil {
		return err
	}
	most, err := numberAt(ctx, client, to, limit)
	if err != nil {
		return err
	}
	if most == nil || most.Sign() == 0 || most.Cmp(rest.Big()) > 0 {
		return fault.New(fault.Conflict, "%s: at most %s can be minted on chain %d; it must be no more than %s, as %s could be on the old chain "+
			"and %s were burned", what, orUnlimited(most), f.chain.ID, rest, s.Cap, s.Burned)
	}
	return nil
}

func orUnknown(n *big.Int) string {
	if n == nil {
		return "an unknown number"
	}
	return n.String()
}

func orUnlimited(n *big.Int) string {
	if n == nil || n.Sign() == 0 {
		return "any number"
	}
	return n.String()
}

// errLeft reports that the portal has left a chain.
var errLeft = errors.New("the portal has moved")

// checkMoves refuses a portal that serves a chain that it has left, or another chain than the one that is frozen.
func checkMoves(b *base, all []move.Move) error {
	served := map[onchain.ChainID]bool{b.game: true, b.config.MainChain.ChainID(): true}
	for _, m := range all {
		switch {
		case m.State == move.Moved && served[m.From]:
			return fmt.Errorf("%w from chain %d to chain %d, and cannot serve chain %d again: set the new chain's settings", errLeft, m.From, m.To,
				m.From)
		case m.State != move.Moved && !served[m.From]:
			return fmt.Errorf("chain %d is frozen, and the settings name another chain: run `pantheon move finish %d`, or set the old settings "+
				"again", m.From, m.From)
		}
	}
	return nil
}

// numberAt returns the number that a contract answers; nil if it does not have the function.
func numberAt(ctx context.Context, client *rpc.Client, to eth.Address, data []byte) (*big.Int, error) {
	var answer hexutil.Bytes
	err := client.CallContext(ctx, &answer, "eth_call", map[string]any{"to": to, "data": hexutil.Bytes(data)}, "latest")
	if _, reverted := txqueue.RevertData(err); reverted || err == nil && len(answer) != 32 {
		return nil, nil
	}
	return new(big.Int).SetBytes(answer), err
}
