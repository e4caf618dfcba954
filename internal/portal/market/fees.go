package market

import (
	"context"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
)

// Fees are the shares of a sale's total that its seller does not get, in basis points. The marketplace rounds each of
// them down to a base unit of the currency.
type Fees struct {
	Platform int64 // the marketplace's
	Royalty  int64 // the collection's (ERC-2981)
}

// FeeReader reads fees from the chain.
type FeeReader interface {
	// Fees returns the fees of a sale of the token now. It returns fault.Unavailable if the chain does not answer.
	Fees(ctx context.Context, contract eth.Address, tokenID string) (Fees, error)
}

// The fees of a token are kept for a short time, and of so many tokens at most.
const (
	feesFor  = 30 * time.Second
	feesKept = 10_000
)

// FeeBook answers what sales cost. It keeps the answers of the chain for half a minute. It is safe for concurrent use.
type FeeBook struct {
	reader FeeReader
	clock  clock.Clock

	mu   sync.Mutex
	kept map[feesOf]keptFees
}

type feesOf struct {
	contract eth.Address
	tokenID  string
}

type keptFees struct {
	Fees
	until time.Time
}

// NewFeeBook returns an empty FeeBook.
func NewFeeBook(r FeeReader, c clock.Clock) *FeeBook {
	return &FeeBook{reader: r, clock: c, kept: map[feesOf]keptFees{}}
}

// Fees returns the fees of a sale of a token, as they were at most half a minute ago. It returns fault.Unavailable if
// the chain does not answer.
func (b *FeeBook) Fees(ctx context.Context, contract eth.Address, tokenID string) (Fees, error) {
	of, now := feesOf{contract, tokenID}, b.clock.Now()
	b.mu.Lock()
	k, ok := b.kept[of]
	b.mu.Unlock()
	if ok && now.Before(k.until) {
		return k.Fees, nil
	}
	f, err := b.reader.Fees(ctx, contract, tokenID)
	if err != nil {
		return Fees{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.kept) >= feesKept {
		clear(b.kept)
	}
	b.kept[of] = keptFees{f, now.Add(feesFor)}
	return f, nil
}
