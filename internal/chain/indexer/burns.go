package indexer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
)

// Finality says which blocks count as final. The zero Finality is every block in the index, for development.
type Finality struct {
	Blocks    uint64 // how many blocks must follow
	Finalized bool   // what the endpoint calls finalized (JSON-RPC's block tag), instead of Blocks
}

// ParseFinality reads "finalized" or a number of blocks; "" is 0.
func ParseFinality(text string) (f Finality, err error) {
	switch text {
	case "":
	case "finalized":
		f.Finalized = true
	default:
		if f.Blocks, err = strconv.ParseUint(text, 10, 32); err != nil {
			return f, fmt.Errorf("%q is neither a number of blocks nor finalized", text)
		}
	}
	return f, nil
}

// BurnStore stores what burns earn.
type BurnStore interface {
	// Indexed returns the number of the last block in the index, and false if there is none.
	Indexed(ctx context.Context, chain onchain.ChainID) (number uint64, ok bool, err error)
	// UnsettledBurns returns the next burns that are not rewarded yet, up to and including a block, in chain order.
	UnsettledBurns(ctx context.Context, chain onchain.ChainID, upTo uint64, limit int) ([]onchain.Burn, error)
	// SettleBurn records what a burn has earned, once, and moves on; logIndex is the log's index within its
	// transaction. It reports whether anything was earned.
	SettleBurn(ctx context.Context, chain onchain.ChainID, b onchain.Burn, logIndex uint64) (earned bool, err error)
}

// Rewarder rewards burns once their blocks are final: it records what they have earned. Only one runs for
// a chain: the leader's. It has no state of its own.
type Rewarder struct {
	Chain    onchain.ChainID
	RPC      Caller
	Store    BurnStore
	Finality Finality
	Setting  string // of Finality, for the error of an endpoint that knows no finalized block
	Poll     time.Duration
	// Margin is how far behind the clock the chain's blocks can be dated, in whole seconds.
	Margin time.Duration
	// DelayedInbox is whether the chain takes transactions from another chain too, and dates their blocks by the time at which
	// they were sent there; see MarginOf.
	DelayedInbox bool
	Earned       func() // called after a burn has earned something
}

// MinRewardPoll is the shortest useful Poll of a Rewarder: it asks the database, and development chains are polled far more often.
const MinRewardPoll = 100 * time.Millisecond

// burnBatch is how many burns are read at once.
const burnBatch = 100

// Run rewards burns until ctx ends. Errors are reported and retried.
func (s *Rewarder) Run(ctx context.Context, report func(error)) error {
	return periodic.NewLoop().Run(ctx, func(ctx context.Context) (time.Duration, error) {
		switch more, err := s.Step(ctx); {
		case err != nil:
			return max(s.Poll, DefaultRetry), err
		case more:
			return 0, nil
		default:
			return s.Poll, nil
		}
	}, report)
}

// Step rewards the burns that are final. It reports whether there may be more.
func (s *Rewarder) Step(ctx context.Context) (more bool, err error) {
	upTo, ok, err := s.Final(ctx)
	if !ok || err != nil {
		return false, err
	}
	burns, err := s.Store.UnsettledBurns(ctx, s.Chain, upTo, burnBatch)
	if err != nil {
		return false, err
	}
	var tx eth.Hash
	var logs map[uint32]uint64
	var block eth.Hash
	var margin time.Duration
	earned := false
	defer func() {
		if earned {
			s.Earned()
		}
	}()
	for _, b := range burns {
		if b.Tx != tx {
			if logs, block, err = s.logsOf(ctx, b); err != nil {
				return false, err
			}
			if margin, err = s.MarginOf(ctx, block); err != nil {
				return false, err
			}
			tx = b.Tx
		}
		b.BlockHash, b.Margin = block, margin
		index, ok := logs[b.LogIndex]
		if !ok {
			return false, fmt.Errorf("chain %d: the receipt of transaction %s has no log %d", s.Chain, b.Tx, b.LogIndex)
		}
		did, err := s.Store.SettleBurn(ctx, s.Chain, b, index)
		if err != nil {
			return false, err
		}
		earned = earned || did
	}
	return len(burns) > 0, nil
}

// Final returns the newest block in the index that counts as final; ok is false if there is none.
func (s *Rewarder) Final(ctx context.Context) (number uint64, ok bool, err error) {
	indexed, ok, err := s.Store.Indexed(ctx, s.Chain)
	if !ok || err != nil {
		return 0, false, err
	}
	if !s.Finality.Finalized {
		return indexed - min(indexed, s.Finality.Blocks), indexed >= s.Finality.Blocks, nil
	}
	final, err := Finalized(ctx, s.RPC, s.Setting)
	return min(indexed, final), err == nil, err
}

// Finalized returns the number of the newest block that the endpoint calls finalized. If the endpoint does not know that tag,
// the error names the setting that takes a number of blocks instead.
func Finalized(ctx context.Context, endpoint Caller, setting string) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var h *header
	err := endpoint.CallContext(ctx, &h, "eth_getBlockByNumber", "finalized", false)
	if answered(err) || err == nil && h == nil {
		return 0, fmt.Errorf("the endpoint knows no finalized block; set %s to a number of blocks, such as 64: %w", setting,
			cmp.Or(err, errNoBlock))
	}
	if err != nil {
		return 0, fmt.Errorf("eth_getBlockByNumber: %w", err)
	}
	return uint64(h.Number), nil
}

// DelayedMargin is the margin of blocks that have transactions of the delayed inbox: as long as Arbitrum lets the sequencer ignore
// such a transaction (maxTimeVariation.delaySeconds of its sequencer inbox).
const DelayedMargin = 24 * time.Hour

// MarginOf returns how far behind the clock a block can be dated. Arbitrum's headers count the transactions of the delayed inbox
// that were read, in the nonce. Whoever sends a transaction that way could wait for its round and let it fail if they dislike it.
func (s *Rewarder) MarginOf(ctx context.Context, hash eth.Hash) (time.Duration, error) {
	if !s.DelayedInbox {
		return s.Margin, nil
	}
	type delayed struct {
		Parent eth.Hash `json:"parentHash"`
		Read   quantity `json:"nonce"`
	}
	var block, parent *delayed
	if err := s.call(ctx, &block, "eth_getBlockByHash", hash, false); err != nil {
		return 0, err
	}
	if block == nil {
		return 0, errors.New("the endpoint lacks a block that decides a draw; waiting for it")
	}
	if err := s.call(ctx, &parent, "eth_getBlockByHash", block.Parent, false); err != nil {
		return 0, err
	}
	if parent == nil {
		return 0, errors.New("the endpoint lacks the block before one that decides a draw; waiting for it")
	}
	if block.Read != parent.Read {
		return max(s.Margin, DelayedMargin), nil
	}
	return s.Margin, nil
}

// logsOf returns the indexes within its transaction of a burn's logs, by their indexes in the block, and the block's hash. It
// fails unless the endpoint has the transaction in the block that the index has.
func (s *Rewarder) logsOf(ctx context.Context, b onchain.Burn) (map[uint32]uint64, eth.Hash, error) {
	var receipt *struct {
		BlockHash eth.Hash `json:"blockHash"`
		Block     quantity `json:"blockNumber"`
		Logs      []entry  `json:"logs"`
	}
	if err := s.call(ctx, &receipt, "eth_getTransactionReceipt", b.Tx); err != nil {
		return nil, eth.Hash{}, err
	}
	if receipt == nil || uint64(receipt.Block) != b.Block || !b.BlockHash.IsZero() && receipt.BlockHash != b.BlockHash {
		return nil, eth.Hash{}, errors.New("endpoint and index disagree about the block of a burn; waiting for the index")
	}
	logs := make(map[uint32]uint64, len(receipt.Logs))
	for i, l := range receipt.Logs {
		logs[uint32(l.Index)] = uint64(i)
	}
	return logs, receipt.BlockHash, nil
}

func (s *Rewarder) call(ctx context.Context, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := s.RPC.CallContext(ctx, result, method, args...); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
