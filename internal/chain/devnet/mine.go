package devnet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/miner"

	"pantheon/internal/kit/onchain"
)

// errClosed is returned by calls after Close.
var errClosed = errors.New("devnet: the chain is closed")

// Run mines a block when transactions are pending, and an empty one every Options.Interval. It returns nil when ctx is
// canceled, and an error when mining fails, which is permanent.
func (c *Chain) Run(ctx context.Context) error {
	for {
		err := c.awaitWork(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// awaitWork waits for transactions or until an empty block is due, and makes the blocks.
func (c *Chain) awaitWork(ctx context.Context) error {
	var due <-chan time.Time
	if c.options.Interval > 0 {
		timer := time.NewTimer(c.Head().Time.Add(c.options.Interval).Sub(c.now()))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
		return nil
	case <-c.txs:
		return c.mineAll(ctx)
	case <-due:
		_, err := c.Mine(ctx)
		return err
	}
}

// mineAll makes blocks until the pool has no transaction left that can be mined.
func (c *Chain) mineAll(ctx context.Context) error {
	for {
		if err := c.awaitLead(ctx); err != nil {
			return err
		}
		mined, err := c.minePending()
		if err != nil || !mined {
			return err
		}
	}
}

// awaitLead delays the next block, which collects transactions meanwhile, until it leads the clock by Options.MaxLead at most;
// by a second at most, because the clock may have been set back, and the chain must not stop for that.
func (c *Chain) awaitLead(ctx context.Context) error {
	lead := c.Head().Time.Add(time.Second).Sub(c.options.Clock.Now())
	timer := time.NewTimer(min(lead-c.options.MaxLead, time.Second))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// minePending makes a block of the pool's transactions and reports whether there was one. It makes no empty block.
func (c *Chain) minePending() (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	block, err := c.buildNext()
	if err != nil || len(block.Transactions()) == 0 {
		return false, err
	}
	return true, c.publish(block)
}

// Mine makes one block now, of the pool's transactions or an empty one, even if it leads the clock too far.
func (c *Chain) Mine(ctx context.Context) (onchain.Block, error) {
	if err := ctx.Err(); err != nil {
		return onchain.Block{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	block, err := c.buildNext()
	if err != nil {
		return onchain.Block{}, err
	}
	return summary(block.Header()), c.publish(block)
}

// Reorg replaces the newest depth blocks (at least 1, at most all but the first) by a branch that is one block longer.
// content selects the transactions of the branch's i-th block (0 … depth), given those of the block it replaces
// (none for the last); they must be valid there in that order, or nothing changes and Reorg fails. A nil content makes
// all blocks empty. Clients see the new branch at once and complete, as from a node that has learned of a better one.
//
// Transactions that the branch omits return to the pool, as on any chain, and are mined again if they are still
// valid. To drop one permanently, replace it by another with the same sender and nonce.
func (c *Chain) Reorg(
	ctx context.Context, depth int, content func(i int, replaced []*types.Transaction) []*types.Transaction,
) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	chain := c.eth.BlockChain()
	head := chain.CurrentBlock()
	if depth < 1 || uint64(depth) > head.Number.Uint64() {
		return fmt.Errorf("devnet: cannot replace %d of %d blocks", depth, head.Number)
	}
	base := head.Number.Uint64() - uint64(depth)
	parent := chain.GetHeaderByNumber(base)
	var tip *types.Block
	for i := range depth + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var replaced, txs []*types.Transaction
		at := c.nextTime(parent)
		if old := chain.GetBlockByNumber(base + 1 + uint64(i)); old != nil {
			replaced, at = old.Transactions(), max(old.Time(), parent.Time+1)
		}
		if content != nil {
			txs = content(i, replaced)
		}
		// The old head in the seed makes the branch differ from what it replaces, even with the same contents.
		block, err := c.build(parent, at, txs, len(txs) == 0, crypto.Keccak256Hash(parent.Hash().Bytes(), head.Hash().Bytes()))
		if err != nil {
			return fmt.Errorf("devnet: block %d of the branch: %w", i, err)
		}
		if err := c.keep(block); err != nil {
			return err
		}
		parent, tip = block.Header(), block
	}
	return c.announce(tip)
}

// buildNext builds the block that follows the head from the pool's transactions.
func (c *Chain) buildNext() (*types.Block, error) {
	if c.closed {
		return nil, errClosed
	}
	// The pool is updated shortly after a new head; until then it would offer transactions that are already mined.
	if err := c.eth.TxPool().Sync(); err != nil {
		return nil, fmt.Errorf("devnet: %w", err)
	}
	head := c.eth.BlockChain().CurrentBlock()
	block, err := c.build(head, c.nextTime(head), nil, false, crypto.Keccak256Hash(head.Hash().Bytes()))
	if err != nil {
		return nil, fmt.Errorf("devnet: building a block: %w", err)
	}
	return block, nil
}

// nextTime returns the time of the block after parent, in seconds since 1970: the clock's, but later than parent's.
func (c *Chain) nextTime(parent *types.Header) uint64 {
	return max(uint64(c.now().Unix()), parent.Time+1)
}

// build builds a block on parent without storing it: of the given transactions, of none if empty is true, or of the
// pool's if there are neither. The seed is the block's PREVRANDAO.
func (c *Chain) build(
	parent *types.Header, at uint64, txs []*types.Transaction, empty bool, seed common.Hash,
) (*types.Block, error) {
	block, _, err := c.eth.Miner().BuildTestingPayload(&miner.BuildPayloadArgs{
		Parent:      parent.Hash(),
		Timestamp:   at,
		Random:      seed,
		Withdrawals: types.Withdrawals{},
		BeaconRoot:  new(common.Hash),
	}, txs, empty, nil)
	return block, err
}

// publish stores a block that follows the head and announces it.
func (c *Chain) publish(block *types.Block) error {
	if err := c.keep(block); err != nil {
		return err
	}
	return c.announce(block)
}

// keep executes a block and writes it with its state to disk before it returns: a block must not become visible and
// then be lost when the process is killed.
func (c *Chain) keep(block *types.Block) error {
	// A store must not be cancelled halfway.
	_, err := c.eth.BlockChain().InsertBlockWithoutSetHead(context.Background(), block, false)
	if err == nil {
		err = c.eth.ChainDb().SyncKeyValue()
	}
	if err != nil {
		return fmt.Errorf("devnet: storing block %d: %w", block.NumberU64(), err)
	}
	return nil
}

// announce makes a stored block the head and notifies subscribers and the pool.
func (c *Chain) announce(block *types.Block) error {
	if _, err := c.eth.BlockChain().SetCanonical(block); err != nil {
		return fmt.Errorf("devnet: announcing block %d: %w", block.NumberU64(), err)
	}
	return nil
}
