package rpc

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/lru"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"golang.org/x/sync/semaphore"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

const (
	// maxAnswers is how many answers are cached.
	maxAnswers = 4096
	// maxAnswer is the longest answer that is cached, in bytes. With maxAnswers it bounds the memory: 64 MiB.
	maxAnswer = 16 << 10
	// maxMessage is the maximum length of an endpoint's error message that is passed on, in bytes.
	maxMessage = 256
)

// ProxyOptions configure what browsers may read, and at what cost.
type ProxyOptions struct {
	Chains map[onchain.ChainID]ReadChain
	// IsPlayers reports whether an address is a wallet of one of the portal's players.
	IsPlayers func(ctx context.Context, address eth.Address) (bool, error)

	AtOnce  int           // concurrent requests to an endpoint, besides the one for its newest block
	Wait    time.Duration // how long a request waits for a slot
	CallGas uint64        // gas limit of an eth_call
	Blocks  uint64        // how many of the newest blocks may be read by number; at least 1
	Metrics *ReadMetrics
}

// ReadChain configures what browsers may read of one chain.
type ReadChain struct {
	// Client should not be the one that the portal's own work uses: readers would take up its connections.
	Client *Client
	// Contracts are the contracts that may be called, with the allowed functions.
	Contracts map[eth.Address]Functions
}

// Functions is a set of function selectors.
type Functions map[[4]byte]bool

// Proxy answers browsers' reads of the chains. It passes on only requests that it can parse, within limits, and sends
// equal reads of one block to the endpoint only once. It is safe for concurrent use.
type Proxy struct{ chains map[onchain.ChainID]*reader }

// NewProxy returns a proxy to the chains.
func NewProxy(o ProxyOptions) *Proxy {
	p := &Proxy{chains: map[onchain.ChainID]*reader{}}
	shared := &answers{kept: lru.NewBasicLRU[key, answer](maxAnswers), underWay: map[key]*flight{}}
	for id, c := range o.Chains {
		p.chains[id] = &reader{
			options: o, ReadChain: c, id: id, answers: shared, turns: semaphore.NewWeighted(int64(o.AtOnce)), meter: o.Metrics.of(id),
		}
	}
	return p
}

// HandleRead answers one JSON-RPC request or a batch of at most MaxBatch. It returns fault.NotFound for a chain the
// portal does not use, and fault.Unavailable when the chain cannot be reached or has too many requests in progress;
// then no request of a batch is answered.
func (p *Proxy) HandleRead(ctx context.Context, chain onchain.ChainID, body json.RawMessage) (json.RawMessage, error) {
	c := p.chains[chain]
	if c == nil {
		return nil, fault.New(fault.NotFound, "We do not work with this chain.")
	}
	requests, isBatch, fault := split(body)
	if fault != nil {
		c.meter.count(resultRefused)
		return json.Marshal(response{Version: "2.0", ID: json.RawMessage("null"), answer: *fault})
	}
	responses, err := c.answer(ctx, requests)
	if err != nil {
		return nil, err
	}
	c.bound(responses)
	if isBatch {
		return json.Marshal(responses)
	}
	return json.Marshal(responses[0])
}

// reader answers the reads of one chain.
type reader struct {
	ReadChain
	options ProxyOptions
	id      onchain.ChainID
	answers *answers
	turns   *semaphore.Weighted
	meter   readMeter
	newest  newest
}

// answer answers the requests of a batch.
func (c *reader) answer(ctx context.Context, requests []json.RawMessage) ([]response, error) {
	responses := make([]response, len(requests))
	reads := make([]*read, len(requests)) // nil for requests already answered
	isOpen := false
	for i, body := range requests {
		r, id, a := parse(body)
		if a == nil {
			var err error
			if a, err = c.check(ctx, r); err != nil {
				return nil, err
			}
		}
		if a != nil {
			c.meter.count(resultRefused)
		} else if a = r.known(c.id); a != nil {
			c.meter.count(resultKnown)
		}
		responses[i] = response{Version: "2.0", ID: id}
		if a != nil {
			responses[i].answer = *a
			continue
		}
		reads[i], isOpen = r, true
	}
	if !isOpen {
		return responses, nil
	}
	h, err := c.head(ctx)
	if err != nil {
		return nil, err
	}
	var rest []*read
	var at []int
	for i, r := range reads {
		if r == nil {
			continue
		}
		a := r.checkBlock(h.number, c.options.Blocks)
		if a != nil {
			c.meter.count(resultRefused)
		} else if a = h.answer(r); a != nil {
			c.meter.count(resultKnown)
		}
		if a != nil {
			responses[i].answer = *a
			continue
		}
		rest, at = append(rest, r), append(at, i)
	}
	found, err := c.ask(ctx, h, rest)
	if err != nil {
		return nil, err
	}
	for j, a := range found {
		responses[at[j]].answer = a
	}
	return responses, nil
}

// bound replaces the answers beyond maxResponse by errors.
func (c *reader) bound(responses []response) {
	size := 0
	for i, r := range responses {
		n := len(r.Result)
		if r.Error != nil {
			n = len(r.Error.Message) + len(r.Error.Data)
		}
		if size+n > maxResponse {
			responses[i].answer = refused(codeInternal, "The combined response exceeds 1 MiB. Please send a smaller batch.", refusal{Reason: "size"})
			c.meter.count(resultRefused)
			continue
		}
		size += n
	}
}

// check rejects reads that do not concern the portal.
func (c *reader) check(ctx context.Context, r *read) (*answer, error) {
	refuse := func(reason, message string) (*answer, error) {
		a := refused(codeParams, message, refusal{Reason: reason})
		return &a, nil
	}
	functions, isKnown := c.Contracts[r.address]
	switch r.method {
	case "eth_call":
		if !isKnown {
			return refuse("contract", "This contract is none of the portal's on this chain, and only those may be called.")
		}
		if !functions[[4]byte(r.data)] {
			return refuse("function", "This function is not offered: only the view functions of the portal's contracts are.")
		}
	case "eth_getBalance", "eth_getCode":
		if isKnown {
			return nil, nil
		}
		if isPlayers, err := c.options.IsPlayers(ctx, r.address); err != nil {
			return nil, err
		} else if !isPlayers {
			return refuse("account", "This address is neither one of the portal's contracts on this chain nor a player's wallet.")
		}
	}
	return nil, nil
}

// key identifies a read at a block.
type key struct {
	chain onchain.ChainID
	head  eth.Hash
	read  [sha256.Size]byte
}

// answers caches the answers for the newest blocks, of all chains.
type answers struct {
	mu       sync.Mutex
	kept     lru.BasicLRU[key, answer]
	underWay map[key]*flight
}

// flight is a read in progress.
type flight struct {
	key    key
	method string
	params []any
	done   chan struct{} // closed when answer and err are set
	answer answer
	err    error
}

// ask answers the reads at a block: from the cache, by another caller's equal request, or from the endpoint.
func (c *reader) ask(ctx context.Context, h head, reads []*read) ([]answer, error) {
	found := make([]answer, len(reads))
	flights := make([]*flight, len(reads))
	var mine []*flight
	c.answers.mu.Lock()
	for i, r := range reads {
		params := r.params(c.options.CallGas)
		k := key{c.id, h.hash, digest(r.method, params)}
		if a, ok := c.answers.kept.Get(k); ok {
			found[i] = a
			c.meter.count(resultKept)
			continue
		}
		f := c.answers.underWay[k]
		if f == nil {
			f = &flight{key: k, method: r.method, params: params, done: make(chan struct{})}
			c.answers.underWay[k] = f
			mine = append(mine, f)
		} else {
			c.meter.count(resultShared)
		}
		flights[i] = f
	}
	c.answers.mu.Unlock()
	if len(mine) > 0 {
		c.fly(context.WithoutCancel(ctx), mine) // others wait for it, even if this browser disconnects
	}
	for i, f := range flights {
		if f == nil {
			continue
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if f.err != nil {
			return nil, f.err
		}
		found[i] = f.answer
	}
	return found, nil
}

// digest is equal for equal reads.
func digest(method string, params []any) [sha256.Size]byte {
	text, _ := json.Marshal([]any{method, params}) // strings, and maps of strings, whose keys are sorted
	return sha256.Sum256(text)
}

// fly sends the reads to the endpoint when a slot is free, and completes the flights with the results.
func (c *reader) fly(ctx context.Context, flights []*flight) {
	err := c.fetch(ctx, flights)
	c.answers.mu.Lock()
	for _, f := range flights {
		f.err = err
		delete(c.answers.underWay, f.key)
		if err == nil && isLasting(f.answer) {
			c.answers.kept.Add(f.key, f.answer)
		}
	}
	c.answers.mu.Unlock()
	for _, f := range flights {
		close(f.done)
	}
}

// isLasting reports whether an answer is valid as long as its block is the newest one: a result is, and a revert.
// Other errors may be the endpoint's, and temporary.
func isLasting(a answer) bool {
	if a.Error != nil {
		return a.Error.Code == codeReverted && len(a.Error.Data)+len(a.Error.Message) <= maxAnswer
	}
	return len(a.Result) <= maxAnswer
}

// fetch sends the reads to the endpoint and records the answers, or fails for all.
func (c *reader) fetch(ctx context.Context, flights []*flight) error {
	waiting, cancel := context.WithTimeout(ctx, c.options.Wait)
	defer cancel()
	if c.turns.Acquire(waiting, 1) != nil {
		c.meter.add(resultBusy, len(flights))
		return errBusy(c.options.Wait)
	}
	defer c.turns.Release(1)
	c.meter.underWay.Inc()
	defer c.meter.underWay.Dec()
	batch := make([]gethrpc.BatchElem, len(flights))
	for i, f := range flights {
		batch[i] = gethrpc.BatchElem{Method: f.method, Args: f.params, Result: new(json.RawMessage)}
	}
	if err := c.Client.BatchCallContext(ctx, batch); err != nil {
		c.meter.add(resultFailed, len(flights))
		return errUnavailable.Because(err)
	}
	c.meter.add(resultAsked, len(flights))
	for i, e := range batch {
		flights[i].answer = c.answered(e)
	}
	return nil
}

// errBusy reports that no slot became free for a read.
func errBusy(retry time.Duration) error {
	f := fault.New(fault.Unavailable, "Very many are reading the chain just now. Please try again in a moment.").WithReason("busy")
	f.RetryAfter = retry
	return f
}

// answered converts the endpoint's response, without details that browsers must not see.
func (c *reader) answered(e gethrpc.BatchElem) answer {
	if e.Error == nil {
		text, _ := e.Result.(*json.RawMessage)
		if text == nil || len(*text) == 0 {
			return answer{Result: json.RawMessage("null")}
		}
		return answer{Result: *text}
	}
	var coded gethrpc.Error
	if !errors.As(e.Error, &coded) {
		return refused(codeInternal, "The chain's endpoint did not answer this request. Please try again.", refusal{Reason: "endpoint"})
	}
	message := strings.ToValidUTF8(c.Client.withoutSecrets(coded.Error()), "�")
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	var withData gethrpc.DataError
	if coded.ErrorCode() == codeReverted && errors.As(e.Error, &withData) {
		if data, ok := withData.ErrorData().(string); ok {
			if _, err := hexutil.Decode(data); err == nil {
				return answer{Error: &responseError{Code: codeReverted, Message: message, Data: result(data).Result}}
			}
		}
	}
	data := refusal{Reason: "endpoint"}
	if e.Method == "eth_call" {
		data.Gas = "0x" + strconv.FormatUint(c.options.CallGas, 16)
	}
	return refused(coded.ErrorCode(), message, data)
}
