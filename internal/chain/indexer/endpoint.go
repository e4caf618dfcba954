package indexer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Caller calls a chain's JSON-RPC endpoint, as go-ethereum's rpc.Client does. Errors returned by the endpoint itself
// have a method ErrorCode() int.
type Caller interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}

// callTimeout bounds one call, so that an unresponsive endpoint is noticed.
const callTimeout = 30 * time.Second

// quantity is a number in JSON-RPC's encoding: 0x and hex digits.
type quantity uint64

func (q *quantity) UnmarshalText(b []byte) error {
	if len(b) < 3 || b[0] != '0' || b[1] != 'x' {
		return fmt.Errorf("%.20q is not a number", b)
	}
	n, err := strconv.ParseUint(string(b[2:]), 16, 64)
	if err != nil {
		return fmt.Errorf("%.20q is not a number", b)
	}
	*q = quantity(n)
	return nil
}

func hexNumber(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// header is the part of a block header that is used. The hash is taken from the endpoint and not computed: chains add
// fields to their blocks.
type header struct {
	Number    quantity `json:"number"`
	Hash      eth.Hash `json:"hash"`
	Parent    eth.Hash `json:"parentHash"`
	Timestamp quantity `json:"timestamp"`
}

func (h header) block() onchain.Block {
	return onchain.Block{Number: uint64(h.Number), Hash: h.Hash, Parent: h.Parent, Time: blockTime(h.Timestamp)}
}

func blockTime(t quantity) time.Time {
	return time.Unix(int64(min(uint64(t), uint64(onchain.MaxTime().Unix()))), 0).UTC()
}

// entry is a log as returned by eth_getLogs.
type entry struct {
	Address   eth.Address `json:"address"`
	Topics    []eth.Hash  `json:"topics"`
	Data      eth.Bytes   `json:"data"`
	Block     quantity    `json:"blockNumber"`
	BlockHash eth.Hash    `json:"blockHash"`
	BlockTime *quantity   `json:"blockTimestamp"` // omitted by older nodes
	Tx        eth.Hash    `json:"transactionHash"`
	Index     quantity    `json:"logIndex"`
	Removed   bool        `json:"removed"`
}

// filter is the argument of eth_getLogs. Either BlockHash is set, or From and To.
type filter struct {
	BlockHash *eth.Hash     `json:"blockHash,omitempty"`
	From      string        `json:"fromBlock,omitempty"`
	To        string        `json:"toBlock,omitempty"`
	Addresses []eth.Address `json:"address"`
	Topics    [][]eth.Hash  `json:"topics"`
}

// filters are the eth_getLogs filters that together match all events of the contracts.
func (c Contracts) filters() []filter {
	var addresses []eth.Address
	for a := range c.Tokens {
		addresses = append(addresses, a)
	}
	if !c.Marketplace.IsZero() {
		addresses = append(addresses, c.Marketplace)
	}
	slices.SortFunc(addresses, func(a, b eth.Address) int { return slices.Compare(a[:], b[:]) })
	var out []filter
	if len(addresses) > 0 {
		out = append(out, filter{Addresses: addresses, Topics: [][]eth.Hash{tokenTopics()}})
	}
	if c.EntryPoint.IsZero() {
		return out
	}
	f := filter{Addresses: []eth.Address{c.EntryPoint}, Topics: [][]eth.Hash{{topicUserOperation}}}
	if len(c.Paymasters) > 0 {
		padded := make([]eth.Hash, len(c.Paymasters))
		for i, p := range c.Paymasters {
			copy(padded[i][wordSize-len(p):], p[:])
		}
		f.Topics = append(f.Topics, []eth.Hash{}, []eth.Hash{}, padded) // an empty position matches any topic
	}
	return append(out, f)
}

var (
	// errForked reports that the cursor is no longer on the chain.
	errForked = errors.New("the chain was reorganised")
	// errMoved reports that the chain changed between two calls; the next attempt sees a consistent chain.
	errMoved = errors.New("the chain changed while it was read")
	// errTooMuch reports that the endpoint rejected a range of blocks, as endpoints do when the result would be too
	// large.
	errTooMuch = errors.New("the endpoint refuses so many blocks at once")
	// errNoBlock reports that the endpoint lacks a block it should have, such as a lagging one behind a load balancer.
	errNoBlock = errors.New("the endpoint does not have the block")
)

func (x *Indexer) call(ctx context.Context, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := x.o.RPC.CallContext(ctx, result, method, args...); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (x *Indexer) checkChain(ctx context.Context) error {
	var id quantity
	if err := x.call(ctx, &id, "eth_chainId"); err != nil {
		return err
	}
	if onchain.ChainID(id) != x.o.Chain {
		return fmt.Errorf("the endpoint serves chain %d; set the endpoint of chain %d", id, x.o.Chain)
	}
	return nil
}

func (x *Indexer) head(ctx context.Context) (onchain.Block, error) { return x.header(ctx, "latest") }

func (x *Indexer) blockAt(ctx context.Context, number uint64) (onchain.Block, error) {
	b, err := x.header(ctx, hexNumber(number))
	if err == nil && b.Number != number {
		return b, fmt.Errorf("the endpoint answers block %d for block %d", b.Number, number)
	}
	return b, err
}

func (x *Indexer) header(ctx context.Context, tag string) (onchain.Block, error) {
	var h *header
	if err := x.call(ctx, &h, "eth_getBlockByNumber", tag, false); err != nil {
		return onchain.Block{}, err
	}
	if h == nil || h.Hash.IsZero() {
		return onchain.Block{}, fmt.Errorf("%w %s", errNoBlock, tag)
	}
	return h.block(), nil
}

// read reads the facts of the blocks from..to, which must follow the cursor. It returns errForked when they do not,
// errMoved when the chain changed meanwhile, errTooMuch when the range must be smaller. head is the newest block's number.
func (x *Indexer) read(ctx context.Context, from, to, head uint64) ([]onchain.Batch, error) {
	last, err := x.blockAt(ctx, to)
	if err != nil {
		return nil, err
	}
	first := last
	if from < to {
		if first, err = x.blockAt(ctx, from); err != nil {
			return nil, err
		}
	}
	if x.cursor != nil && first.Parent != x.cursor.Hash {
		return nil, errForked
	}
	logs, err := x.logs(ctx, from, last)
	if err != nil {
		return nil, err
	}
	if from < to {
		again, err := x.blockAt(ctx, to)
		if err != nil {
			return nil, err
		}
		if again.Hash != last.Hash {
			return nil, errMoved
		}
	}
	blocks, err := x.blocksOf(ctx, logs, first, last, head)
	if err != nil {
		return nil, err
	}
	return x.batches(from, first.Parent, blocks, logs), nil
}

// batchLogs is the approximate number of logs in a batch. The store writes a batch in one transaction that blocks other
// writes; players must not have to wait for the history of a busy chain.
const batchLogs = 500

// batches splits the logs, which are of the given blocks, into contiguous batches.
func (x *Indexer) batches(from uint64, parent eth.Hash, blocks []onchain.Block, logs []entry) []onchain.Batch {
	var out []onchain.Batch
	b := onchain.Batch{Chain: x.o.Chain, From: from, Parent: parent}
	done := 0
	for i, block := range blocks {
		b.Blocks = append(b.Blocks, block)
		begun := done
		for done < len(logs) && uint64(logs[done].Block) == block.Number {
			x.decode(logs[done], block.Time, &b)
			done++
		}
		x.metrics.logs.Add(float64(done - begun))
		if full := len(b.Transfers)+len(b.Approvals)+len(b.Caps)+len(b.Listings)+len(b.Ops) >= batchLogs; full || i == len(blocks)-1 {
			b.To = block.Number
			out = append(out, b)
			b = onchain.Batch{Chain: x.o.Chain, From: block.Number + 1, Parent: block.Hash}
		}
	}
	return out
}

// decode adds the facts of a log to the batch. A malformed log of a listed contract is logged and skipped: one bad
// contract must not stop the index.
func (x *Indexer) decode(l entry, time time.Time, b *onchain.Batch) {
	at := onchain.Position{Block: uint64(l.Block), LogIndex: uint32(l.Index), Tx: l.Tx, Time: time}
	if err := x.o.Contracts.decode(l, at, b); err != nil {
		x.metrics.malformed.Inc()
		x.log.Error("malformed log skipped",
			"contract", l.Address.String(), "block", at.Block, "log", at.LogIndex, "error", err)
	}
}

// logs returns the logs of the blocks from..last in the order of the chain. A single block is requested by its hash,
// which a reorganisation cannot change.
func (x *Indexer) logs(ctx context.Context, from uint64, last onchain.Block) ([]entry, error) {
	var all []entry
	for _, f := range x.filters {
		if from == last.Number {
			f.BlockHash = &last.Hash
		} else {
			f.From, f.To = hexNumber(from), hexNumber(last.Number)
		}
		var some []entry
		if err := x.call(ctx, &some, "eth_getLogs", f); err != nil {
			if answered(err) && from < last.Number {
				return nil, fmt.Errorf("%w: %w", errTooMuch, err)
			}
			return nil, err
		}
		for _, l := range some {
			if err := checkLog(l, f, from, last); err != nil {
				return nil, err
			}
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index)) })
	for i := 1; i < len(all); i++ {
		if all[i].Block == all[i-1].Block && (all[i].Index == all[i-1].Index || all[i].BlockHash != all[i-1].BlockHash) {
			return nil, fmt.Errorf("the endpoint gives two versions of block %d: %w", all[i].Block, errMoved)
		}
	}
	return all, nil
}

// answered reports whether err is the endpoint's own error response.
func answered(err error) bool {
	var refusal interface{ ErrorCode() int }
	return errors.As(err, &refusal)
}

// checkLog rejects logs that do not match the request.
func checkLog(l entry, f filter, from uint64, last onchain.Block) error {
	n := uint64(l.Block)
	switch {
	case n < from || n > last.Number || !slices.Contains(f.Addresses, l.Address) || l.Index > 1<<32-1:
		return fmt.Errorf("the endpoint answers with a log of block %d that was not asked for", n)
	case l.Removed || l.BlockHash.IsZero() || n == last.Number && l.BlockHash != last.Hash:
		return errMoved
	}
	return nil
}

// headersAtOnce is how many blocks are requested at the same time.
const headersAtOnce = 8

// settledDepth is the depth below the head at which no reorganisation is expected. There the block hashes in the logs
// are trusted; nearer to the head every block with a log is requested, because the logs may come from a short-lived
// branch.
const settledDepth = 256

// blocksOf returns every block that has a log, and last, ascending.
func (x *Indexer) blocksOf(ctx context.Context, logs []entry, first, last onchain.Block, head uint64) ([]onchain.Block, error) {
	var blocks []onchain.Block
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(headersAtOnce)
	numbers := slices.CompactFunc(slices.Clone(logs), func(a, b entry) bool { return a.Block == b.Block })
	blocks = make([]onchain.Block, len(numbers), len(numbers)+1)
	for i, l := range numbers {
		switch n := uint64(l.Block); {
		case n == last.Number:
			blocks[i] = last
		case n == first.Number && l.BlockHash == first.Hash:
			blocks[i] = first
		case l.BlockTime != nil && n+settledDepth <= head:
			blocks[i] = onchain.Block{Number: n, Hash: l.BlockHash, Time: blockTime(*l.BlockTime)}
		default:
			group.Go(func() (err error) {
				blocks[i], err = x.blockAt(ctx, n)
				if err == nil && blocks[i].Hash != l.BlockHash {
					return errMoved
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if len(blocks) == 0 || blocks[len(blocks)-1].Number != last.Number {
		blocks = append(blocks, last)
	}
	return blocks, nil
}

// plain is an error's text for operators, without the endpoint's URL, which may contain a key.
func plain(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return "the endpoint cannot be reached: " + u.Err.Error()
	}
	return err.Error()
}
