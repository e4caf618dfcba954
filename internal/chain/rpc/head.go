package rpc

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/kit/eth"
)

// head is the newest block of a chain.
type head struct {
	number uint64
	hash   eth.Hash
	block  json.RawMessage // as returned by the endpoint, with transaction hashes
}

// answer answers a read from the block itself.
func (h head) answer(r *read) *answer {
	switch {
	case r.method == "eth_blockNumber":
		return &answer{Result: result("0x" + strconv.FormatUint(h.number, 16)).Result}
	case r.method == "eth_getBlockByNumber" && (r.block == "latest" || r.block == "" && r.number == h.number):
		return &answer{Result: h.block}
	}
	return nil
}

// newest finds the newest block. Each caller gets a block that was requested after its call, so that an answer is
// never older than its question: a page that was notified of a change must not be shown the state before. Callers that
// arrive while a request is in progress share the next one.
type newest struct {
	mu      sync.Mutex
	next    *question // not sent yet; nil if no one waits for one
	sending sync.Mutex
}

type question struct {
	done chan struct{} // closed when head and err are set
	head head
	err  error
}

// head returns the newest block, as of this call or later.
func (c *reader) head(ctx context.Context) (head, error) {
	c.newest.mu.Lock()
	q, isMine := c.newest.next, c.newest.next == nil
	if isMine {
		q = &question{done: make(chan struct{})}
		c.newest.next = q
	}
	c.newest.mu.Unlock()
	if isMine {
		c.newest.sending.Lock() // one at a time; each takes the client's timeout at most
		c.newest.mu.Lock()
		c.newest.next = nil // later callers need the next one
		c.newest.mu.Unlock()
		q.head, q.err = c.fetchHead(context.WithoutCancel(ctx))
		c.newest.sending.Unlock()
		close(q.done)
	}
	select {
	case <-q.done:
		return q.head, q.err
	case <-ctx.Done():
		return head{}, ctx.Err()
	}
}

func (c *reader) fetchHead(ctx context.Context) (head, error) {
	var block json.RawMessage
	if err := c.Client.CallContext(ctx, &block, "eth_getBlockByNumber", "latest", false); err != nil {
		return head{}, errUnavailable.Because(err)
	}
	var in *struct {
		Number *hexutil.Uint64
		Hash   *eth.Hash
	}
	if err := json.Unmarshal(block, &in); err != nil || in == nil || in.Number == nil || in.Hash == nil {
		return head{}, errUnavailable.Because(c.Client.endpoints[0].errorf("%w: the endpoint knows no block", ErrUnreachable))
	}
	return head{number: uint64(*in.Number), hash: *in.Hash, block: block}, nil
}
