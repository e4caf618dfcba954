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

// history is what is still to be read of tokens that were added to an index, up to its cursor. New blocks are read meanwhile, and first.
type history struct {
	reads source          // the tokens that are furthest behind, with the marketplace
	next  uint64          // the first block that was not read of them
	limit uint64          // where other added tokens begin
	all   int             // how many tokens were added
	parts []onchain.Batch // that were read and are not stored

	span   uint64    // the current maximum of blocks read at once
	again  time.Time // not to be read before
	wait   time.Duration
	failed bool
}

const (
	// historyTimeout bounds the reading of a range of history: new blocks wait meanwhile.
	historyTimeout = 5 * time.Second
	// maxHistoryWait is the longest wait after a failure, in units of Retry.
	maxHistoryWait = 200
	// unsteady is how many of the newest blocks are read in one range with the block at the cursor, which shows that they are of its
	// branch.
	unsteady = 64
)

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

// addHistory stores the next part of the history, if there is any. It reports whether there may be more at once. A failure is logged and
// retried, and stops nothing else.
func (x *Indexer) addHistory(ctx context.Context, head header) (more bool) {
	h := x.history
	if h == nil || x.cursor == nil || h.next > x.cursor.Number || x.o.Clock.Now().Before(h.again) {
		return false
	}
	err := x.addPart(ctx, h, head)
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
		return true
	case !h.failed:
		x.log.Warn("reading the history of added contracts failed, retrying", "error", plain(err))
	}
	x.metrics.failures.Inc()
	h.failed, h.again, h.wait = true, x.o.Clock.Now().Add(h.wait), min(2*h.wait, maxHistoryWait*x.o.Retry)
	return false
}

func (x *Indexer) addPart(ctx context.Context, h *history, head header) error {
	if len(h.parts) == 0 {
		if err := x.readParts(ctx, h, head); err != nil {
			return err
		}
	}
	part := h.parts[0]
	h.parts = h.parts[1:]
	err := x.o.Store.AddHistory(ctx, part, h.reads.contracts.Tokens)
	if err != nil || part.To == x.cursor.Number || part.To == h.limit {
		x.resumed = false // where the store is, and with what it reads now
	}
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	h.next = part.To + 1
	return err
}

// readParts reads the next range of the history. Any failure reduces the next range: endpoints may take long for old blocks.
func (x *Indexer) readParts(ctx context.Context, h *history, head header) (err error) {
	end := min(x.cursor.Number, h.limit)
	to := min(end, h.next+h.span-1)
	if steady := end - min(end, unsteady); to < end && to > steady && steady > h.next {
		to = steady
	}
	ctx, cancel := context.WithTimeout(ctx, historyTimeout)
	defer cancel()
	if h.parts, err = x.read(ctx, h.reads, nil, h.next, to, head); err != nil {
		h.span = max((to-h.next+1)/2, 1)
		return err
	}
	last := h.parts[len(h.parts)-1]
	if last.To == x.cursor.Number && last.Blocks[len(last.Blocks)-1].Hash != x.cursor.Hash {
		h.parts = nil
		return errMoved
	}
	h.span = min(2*h.span, x.o.Span)
	return nil
}
