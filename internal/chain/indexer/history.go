package indexer

import (
	"context"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// history is what is still to be read of tokens that were added to an index, up to its cursor. The new blocks of other contracts are
// read meanwhile.
type history struct {
	reads  source    // the tokens that are furthest behind, with the marketplace
	next   uint64    // the first block that was not read of them
	limit  uint64    // where other added tokens begin
	all    int       // how many tokens were added
	span   uint64    // the current maximum of blocks read at once
	again  time.Time // not to be read before
	wait   time.Duration
	failed bool
}

// historyOf returns the history of the added tokens that are furthest behind; nil if there are none.
func (x *Indexer) historyOf(added map[eth.Address]onchain.AddedToken) *history {
	if len(added) == 0 {
		return nil
	}
	h := &history{next: math.MaxUint64, limit: math.MaxUint64, all: len(added), span: x.o.Span, wait: x.o.Retry}
	for _, a := range added {
		h.next = min(h.next, a.Next)
	}
	c := Contracts{Marketplace: x.o.Contracts.Marketplace, Tokens: map[eth.Address]onchain.Standard{}}
	for address, a := range added {
		if a.Next == h.next {
			c.Tokens[address] = a.Standard
		} else {
			h.limit = min(h.limit, a.Next-1)
		}
	}
	h.reads = sourceOf(c)
	x.log.Info("reading the history of added contracts", "contracts", h.all, "from", h.next)
	return h
}

// readHistory reads the next blocks of the history, if there is any. It reports whether there may be more to read at once. A failure
// is logged and retried, and stops nothing else.
func (x *Indexer) readHistory(ctx context.Context, head header) (more bool) {
	h := x.history
	if h == nil || x.cursor == nil || x.o.Clock.Now().Before(h.again) {
		return false
	}
	err := x.addHistory(ctx, h, head)
	switch {
	case ctx.Err() != nil:
		return false
	case err == nil:
		if h.failed {
			x.log.Info("the history of added contracts is read again")
		}
		h.failed, h.wait = false, x.o.Retry
		return x.resumed
	case errors.Is(err, errTooMuch):
		h.span = max(h.span/2, 1)
		return true
	case !h.failed:
		x.log.Warn("reading the history of added contracts failed, retrying", "error", plain(err))
	}
	x.metrics.failures.Inc()
	h.failed, h.again, h.wait = true, x.o.Clock.Now().Add(h.wait), min(2*h.wait, maxRetry*x.o.Retry)
	return false
}

func (x *Indexer) addHistory(ctx context.Context, h *history, head header) error {
	to := min(x.cursor.Number, h.limit, h.next+h.span-1)
	if to < h.next { // after a reorganisation
		x.resumed = false
		return nil
	}
	batches, err := x.read(ctx, h.reads, nil, h.next, to, head)
	if err != nil {
		return err
	}
	for _, b := range batches {
		err := x.o.Store.AddHistory(ctx, b, h.reads.contracts.Tokens)
		if fault.Is(err, fault.Conflict) || err == nil && (b.To == x.cursor.Number || b.To == h.limit) {
			x.resumed = false // where the store is
			return nil
		}
		if err != nil {
			return err
		}
		h.next = b.To + 1
	}
	h.span = min(2*h.span, x.o.Span)
	return nil
}
