package indexer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Caller calls a chain's JSON-RPC endpoint, as go-ethereum's rpc.Client does. Errors returned by the endpoint itself
// have a method ErrorCode() int.
type Caller interface {
	CallContext(ctx context.Context, result any, method string, args ...any) error
}

// BatchCaller is a Caller that also sends several calls at once, as go-ethereum's rpc.Client does.
type BatchCaller interface {
	Caller
	BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error
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

// optional is a field that is not needed: one that cannot be read counts as absent.
type optional[T any] struct {
	value   T
	present bool
}

func (o *optional[T]) UnmarshalJSON(b []byte) error {
	o.present = string(b) != "null" && json.Unmarshal(b, &o.value) == nil
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
	Bloom     bloom    `json:"logsBloom"` // empty on chains without
}

func (h header) block() onchain.Block {
	return onchain.Block{Number: uint64(h.Number), Hash: h.Hash, Parent: h.Parent, Time: blockTime(h.Timestamp)}
}

func blockTime(t quantity) time.Time {
	return time.Unix(int64(min(uint64(t), uint64(onchain.MaxTime().Unix()))), 0).UTC()
}

// entry is a log as returned by eth_getLogs.
type entry struct {
	Address   eth.Address        `json:"address"`
	Topics    []eth.Hash         `json:"topics"`
	Data      eth.Bytes          `json:"data"`
	Block     quantity           `json:"blockNumber"`
	BlockHash eth.Hash           `json:"blockHash"`
	BlockTime optional[quantity] `json:"blockTimestamp"` // omitted by older nodes, 0 from some
	Tx        eth.Hash           `json:"transactionHash"`
	Index     quantity           `json:"logIndex"`
	Removed   optional[bool]     `json:"removed"`
}

// filter is the argument of eth_getLogs. Either BlockHash is set, or From and To.
type filter struct {
	BlockHash *eth.Hash     `json:"blockHash,omitempty"`
	From      string        `json:"fromBlock,omitempty"`
	To        string        `json:"toBlock,omitempty"`
	Addresses []eth.Address `json:"address,omitempty"`
	Topics    [][]eth.Hash  `json:"topics,omitempty"`
}

// matches reports whether the endpoint should return the log for the filter, given that its block is in range.
func (f filter) matches(l entry) bool {
	for i, position := range f.Topics {
		if i >= len(l.Topics) || len(position) > 0 && !slices.Contains(position, l.Topics[i]) {
			return false
		}
	}
	return slices.Contains(f.Addresses, l.Address)
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

// source is what is read of some contracts.
type source struct {
	contracts Contracts
	filters   []filter
	probes    []probes // of each filter
}

func sourceOf(c Contracts) source {
	s := source{contracts: c, filters: c.filters()}
	for _, f := range s.filters {
		s.probes = append(s.probes, f.probes())
	}
	return s
}

var (
	// errForked reports that the cursor is no longer on the chain.
	errForked = errors.New("the chain was reorganised")
	// errMoved reports that the chain changed between two calls; the next attempt sees a consistent chain.
	errMoved = errors.New("the chain changed while it was read")
	// errOtherChain reports that the chain has none of the blocks that are kept.
	errOtherChain = errors.New("the endpoint's chain has none of the blocks that were read: " +
		"correct the endpoint, or replace the index with pantheon index rebuild --other-chain")
	// errTooMuch reports that the endpoint rejected a range of blocks, as endpoints do when the result would be too
	// large.
	errTooMuch = errors.New("the endpoint refuses so many blocks at once")
	// errLeftOut reports that the endpoint's logs of a block do not fit its header.
	errLeftOut = errors.New("the endpoint leaves out logs")
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

func (x *Indexer) head(ctx context.Context) (header, error) { return x.header(ctx, "latest") }

func (x *Indexer) blockAt(ctx context.Context, number uint64) (onchain.Block, error) {
	h, err := x.header(ctx, hexNumber(number))
	if err == nil {
		err = h.check(number)
	}
	return h.block(), err
}

func (x *Indexer) header(ctx context.Context, tag string) (header, error) {
	var h *header
	if err := x.call(ctx, &h, "eth_getBlockByNumber", tag, false); err != nil {
		return header{}, err
	}
	if h == nil || h.Hash.IsZero() {
		return header{}, fmt.Errorf("%w %s", errNoBlock, tag)
	}
	return *h, nil
}

// check returns an error unless the header can be that of the block.
func (h *header) check(number uint64) error {
	switch {
	case h == nil || h.Hash.IsZero():
		return fmt.Errorf("%w %d", errNoBlock, number)
	case uint64(h.Number) != number:
		return fmt.Errorf("the endpoint answers block %d for block %d", h.Number, number)
	}
	return nil
}

const (
	// headersInBatch is how many blocks are requested in one batch.
	headersInBatch = 100
	// batchesAtOnce is how many batches are requested at the same time.
	batchesAtOnce = 4
)

// headers returns the headers of the blocks, in the order of numbers.
func (x *Indexer) headers(ctx context.Context, numbers []uint64) ([]header, error) {
	found := make([]*header, len(numbers))
	batch := make([]gethrpc.BatchElem, len(numbers))
	for i, n := range numbers {
		batch[i] = gethrpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{hexNumber(n), false}, Result: &found[i]}
	}
	if err := x.callBatch(ctx, batch); err != nil {
		return nil, err
	}
	out := make([]header, len(numbers))
	for i, n := range numbers {
		if err := cmp.Or(batch[i].Error, found[i].check(n)); err != nil {
			return nil, err
		}
		out[i] = *found[i]
	}
	return out, nil
}

// callBatch makes the calls, in several requests. The error of each is in its element.
func (x *Indexer) callBatch(ctx context.Context, batch []gethrpc.BatchElem) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(batchesAtOnce)
	for part := range slices.Chunk(batch, headersInBatch) {
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, callTimeout)
			defer cancel()
			return x.o.RPC.BatchCallContext(ctx, part)
		})
	}
	return group.Wait()
}

// read reads the facts of the blocks from..to, which must follow the block after, if there is one. It returns errForked when they do not,
// errMoved when the chain changed meanwhile, errTooMuch when the range must be smaller. head is the newest block.
func (x *Indexer) read(
	ctx context.Context, s source, after *onchain.Block, from, to uint64, head header,
) ([]onchain.Batch, error) {
	headers, err := x.headersOf(ctx, from, to, head)
	if err != nil {
		return nil, err
	}
	first, last := headers[0], headers[len(headers)-1]
	if after != nil && first.Parent != after.Hash {
		return nil, errForked
	}
	logs, err := x.logs(ctx, s, from, last.block(), to-from >= uint64(len(headers)))
	if err != nil {
		return nil, err
	}
	if logs, err = x.complete(ctx, s, headers, logs); err != nil {
		return nil, err
	}
	blocks, err := x.blocksOf(ctx, headers, logs)
	if err != nil {
		return nil, err
	}
	return x.batches(s, from, first.Parent, blocks, logs), nil
}

// headersOf returns the headers of the blocks from..to, which are checked to follow each other: of all of them near the
// head, and only of the first and the last further down.
func (x *Indexer) headersOf(ctx context.Context, from, to uint64, head header) ([]header, error) {
	all := to+x.o.Settled > uint64(head.Number)
	var numbers []uint64
	for n := from; n <= to; n++ {
		if (all || n == from || n == to) && n != uint64(head.Number) {
			numbers = append(numbers, n)
		}
	}
	headers, err := x.headers(ctx, numbers)
	if err != nil {
		return nil, err
	}
	if to == uint64(head.Number) {
		headers = append(headers, head)
	}
	for i := 1; i < len(headers); i++ {
		if headers[i].Number == headers[i-1].Number+1 && headers[i].Parent != headers[i-1].Hash {
			return nil, errMoved
		}
	}
	return headers, nil
}

// complete compares logs with the filters in the headers and adds those that the endpoint has left out, as a node does
// that lags behind or is still building its index. Where a filter speaks for a log that is not there, the block's logs are
// requested by its hash: all of them, which must explain the whole filter, or, of a block with so many logs that its filter
// says little, ours once more.
func (x *Indexer) complete(ctx context.Context, s source, headers []header, logs []entry) ([]entry, error) {
	byBlock := map[quantity][]entry{}
	for _, l := range logs {
		byBlock[l.Block] = append(byBlock[l.Block], l)
	}
	var sparse, dense []header
	for _, h := range headers {
		switch {
		case !s.lacks(h, byBlock[h.Number]):
		case h.Bloom.isDense():
			dense = append(dense, h)
		default:
			sparse = append(sparse, h)
		}
	}
	if len(sparse)+len(dense) == 0 {
		return logs, nil
	}
	x.metrics.rechecks.Add(float64(len(sparse) + len(dense)))
	found := map[quantity][]entry{}
	whole, refusals, err := x.logsOf(ctx, sparse, filter{})
	if err != nil {
		return nil, err
	}
	for i, h := range sparse {
		if refusals[i] != nil { // some endpoints answer only with filters
			dense = append(dense, h)
			continue
		}
		if explained := bloomOf(whole[i]); !h.Bloom.within(&explained) {
			return nil, fmt.Errorf("%w of block %d", errLeftOut, h.Number)
		}
		for _, l := range whole[i] {
			if slices.ContainsFunc(s.filters, func(f filter) bool { return f.matches(l) }) {
				found[h.Number] = append(found[h.Number], l)
			}
		}
	}
	for _, f := range s.filters {
		ours, refusals, err := x.logsOf(ctx, dense, f)
		if err = cmp.Or(err, errors.Join(refusals...)); err != nil {
			return nil, err
		}
		for i, h := range dense {
			found[h.Number] = append(found[h.Number], ours[i]...)
		}
	}
	logs = slices.DeleteFunc(logs, func(l entry) bool { return len(found[l.Block]) > 0 })
	for _, some := range found {
		logs = append(logs, some...)
	}
	return inOrder(logs)
}

// logsOf returns the logs of each block, requested by its hash, or the endpoint's refusal.
func (x *Indexer) logsOf(ctx context.Context, blocks []header, f filter) (logs [][]entry, refusals []error, err error) {
	logs, refusals = make([][]entry, len(blocks)), make([]error, len(blocks))
	batch := make([]gethrpc.BatchElem, len(blocks))
	for i, h := range blocks {
		f.BlockHash = &h.Hash
		batch[i] = gethrpc.BatchElem{Method: "eth_getLogs", Args: []any{f}, Result: &logs[i]}
	}
	if err := x.callBatch(ctx, batch); err != nil {
		return nil, nil, err
	}
	for i, h := range blocks {
		if refusals[i] = batch[i].Error; refusals[i] != nil && !answered(refusals[i]) {
			return nil, nil, refusals[i]
		}
		for _, l := range logs[i] {
			if l.Block != h.Number || l.BlockHash != h.Hash {
				return nil, nil, errMoved
			}
		}
	}
	return logs, refusals, nil
}

// lacks reports whether the filter in a header speaks for a log that is not among the block's.
func (s source) lacks(h header, logs []entry) bool {
	for i, f := range s.filters {
		if h.Bloom.lacks(f, s.probes[i], logs) {
			return true
		}
	}
	return false
}

// batchLogs is the approximate number of logs in a batch. The store writes a batch in one transaction that blocks other
// writes; players must not have to wait for the history of a busy chain.
const batchLogs = 500

// batches splits the logs, which are of the given blocks, into contiguous batches.
func (x *Indexer) batches(s source, from uint64, parent eth.Hash, blocks []onchain.Block, logs []entry) []onchain.Batch {
	var out []onchain.Batch
	b := onchain.Batch{Chain: x.o.Chain, From: from, Parent: parent}
	done := 0
	for i, block := range blocks {
		b.Blocks = append(b.Blocks, block)
		begun := done
		for done < len(logs) && uint64(logs[done].Block) == block.Number {
			x.decode(s, logs[done], block.Time, &b)
			done++
		}
		x.metrics.logs.Add(float64(done - begun))
		facts := len(b.Transfers) + len(b.Approvals) + len(b.Caps) + len(b.Tables) + len(b.Listings) + len(b.Ops)
		if facts >= batchLogs || i == len(blocks)-1 {
			b.To = block.Number
			out = append(out, b)
			b = onchain.Batch{Chain: x.o.Chain, From: block.Number + 1, Parent: block.Hash}
		}
	}
	return out
}

// decode adds the facts of a log to the batch. A malformed log of a listed contract is logged and skipped: one bad
// contract must not stop the index.
func (x *Indexer) decode(s source, l entry, time time.Time, b *onchain.Batch) {
	at := onchain.Position{Block: uint64(l.Block), LogIndex: uint32(l.Index), Tx: l.Tx, Time: time}
	if err := s.contracts.decode(l, at, b); err != nil {
		x.metrics.malformed.Inc()
		x.log.Error("malformed log skipped",
			"contract", l.Address.String(), "block", at.Block, "log", at.LogIndex, "error", err)
	}
}

// logs returns the logs of the blocks from..last in the order of the chain. A single block is requested by its hash,
// which a reorganisation cannot change. Where not all headers are read, an empty answer is believed the second time.
func (x *Indexer) logs(ctx context.Context, s source, from uint64, last onchain.Block, isFar bool) ([]entry, error) {
	var all []entry
	for _, f := range s.filters {
		if from == last.Number {
			f.BlockHash = &last.Hash
		} else {
			f.From, f.To = hexNumber(from), hexNumber(last.Number)
		}
		some, err := x.logsFor(ctx, f)
		if err == nil && len(some) == 0 && isFar {
			some, err = x.logsFor(ctx, f)
		}
		if err != nil {
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
	return inOrder(all)
}

func (x *Indexer) logsFor(ctx context.Context, f filter) (logs []entry, err error) {
	err = x.call(ctx, &logs, "eth_getLogs", f)
	return logs, err
}

// inOrder sorts logs by their places in the chain, of which each has one of its own.
func inOrder(logs []entry) ([]entry, error) {
	slices.SortFunc(logs, func(a, b entry) int { return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index)) })
	for i := 1; i < len(logs); i++ {
		if logs[i].Block == logs[i-1].Block && (logs[i].Index == logs[i-1].Index || logs[i].BlockHash != logs[i-1].BlockHash) {
			return nil, fmt.Errorf("the endpoint gives two versions of block %d: %w", logs[i].Block, errMoved)
		}
	}
	return logs, nil
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
	case l.Removed.value || l.BlockHash.IsZero() || n == last.Number && l.BlockHash != last.Hash:
		return errMoved
	}
	return nil
}

// blocksOf returns every block that has a log, and the last of the headers, ascending. Where there is no header, the
// block's hash and time are those in its logs, if the time is between those of the first and the last header.
func (x *Indexer) blocksOf(ctx context.Context, headers []header, logs []entry) ([]onchain.Block, error) {
	known := make(map[uint64]onchain.Block, len(headers))
	for _, h := range headers {
		known[uint64(h.Number)] = h.block()
	}
	first, last := headers[0].Timestamp, headers[len(headers)-1]
	numbers := slices.CompactFunc(slices.Clone(logs), func(a, b entry) bool { return a.Block == b.Block })
	var unknown []uint64
	for _, l := range numbers {
		n := uint64(l.Block)
		if _, ok := known[n]; ok {
			continue
		}
		if t := l.BlockTime; t.present && t.value >= first && t.value <= last.Timestamp {
			known[n] = onchain.Block{Number: n, Hash: l.BlockHash, Time: blockTime(t.value)}
		} else {
			unknown = append(unknown, n)
		}
	}
	more, err := x.headers(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for _, h := range more {
		known[uint64(h.Number)] = h.block()
	}
	blocks := make([]onchain.Block, 0, len(numbers)+1)
	for _, l := range numbers {
		b := known[uint64(l.Block)]
		if b.Hash != l.BlockHash {
			return nil, errMoved
		}
		blocks = append(blocks, b)
	}
	if len(blocks) == 0 || blocks[len(blocks)-1].Number != uint64(last.Number) {
		blocks = append(blocks, last.block())
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
