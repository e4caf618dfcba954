package indexer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
)

// unsteady is a store that fails before or after batches.
type unsteady struct {
	*indexed
	around func(apply func() error) error
}

func (u unsteady) ApplyBatch(ctx context.Context, b onchain.Batch) error {
	return u.around(func() error { return u.indexed.ApplyBatch(ctx, b) })
}

// After an indexer that stops after any batch, or that does not learn whether its batch was stored, the next one
// resumes: nothing is missing and nothing is counted twice.
func TestResume_InterruptedIndexGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		b.stock()
		b.tradeFor(20, rand.New(rand.NewPCG(10, 2026)))
		x := b.index(engine)
		broken := errors.New("the connection was lost")
		for n := 0; !x.endsWith(b.chain.Head()); n++ {
			attempted := make(chan struct{})
			o := b.options(x)
			o.Span = 3
			first := true
			o.Store = unsteady{x, func(apply func() error) error {
				if !first {
					return broken
				}
				first = false
				defer close(attempted)
				switch n % 3 {
				case 0:
					return apply()
				case 1:
					return broken // before it was stored
				default:
					return errors.Join(apply(), broken) // after it was stored
				}
			}}
			_, stop := follow(t, o)
			<-attempted
			stop()
		}
		if got, want := x.state(), b.afresh(engine); got != want {
			t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
		}
	})
}

func TestResume_TwoIndexersOfOneChainDoNoHarm(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		b.stock()
		b.tradeFor(10, rand.New(rand.NewPCG(11, 2026)))
		x := b.index(engine)
		one, two := b.options(x), b.options(x)
		one.Span, two.Span = 2, 3
		_, stopOne := follow(t, one)
		_, stopTwo := follow(t, two)
		b.tradeFor(10, rand.New(rand.NewPCG(12, 2026)))
		x.await(b.chain.Head())
		b.ok(b.chain.Reorg(t.Context(), 4, nil))
		x.await(b.chain.Head())
		stopOne()
		// Either indexer continues where the other stopped.
		b.tradeFor(3, rand.New(rand.NewPCG(13, 2026)))
		x.await(b.chain.Head())
		stopTwo()
		_, stopOne = follow(t, one)
		b.tradeFor(3, rand.New(rand.NewPCG(14, 2026)))
		x.await(b.chain.Head())
		stopOne()
		if got, want := x.state(), b.afresh(engine); got != want {
			t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
		}
	})
}

// An indexer whose batch is rejected, because another one has advanced the cursor, resumes from the other's position.
func TestResume_IndexerThatWasOvertakenGoesOnFromThere(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	x := b.index(store.SQLite)
	slow, fast := b.options(x), b.options(x)
	slow.Span, fast.Span = 3, 5
	var once sync.Once
	reached, overtaken := make(chan struct{}), make(chan struct{})
	slow.Store = unsteady{x, func(apply func() error) error {
		once.Do(func() {
			close(reached)
			select {
			case <-overtaken:
			case <-t.Context().Done():
			}
		})
		return apply()
	}}
	_, _ = follow(t, slow)
	<-reached
	_, stop := follow(t, fast)
	x.await(b.chain.Head())
	stop()
	close(overtaken)
	x.await(b.chain.Head())
	b.mine(b.list(1, 1, 5))
	x.await(b.chain.Head())
	b.wantAfresh(x)
}

func TestResume_NothingIsReadBeforeTheStart(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 5)
	b.mine(b.list(1, 1, 5))
	x := b.index(store.SQLite)
	o := b.options(x)
	o.Start = b.chain.Head().Number
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	if got := x.rows("SELECT COUNT(*) FROM listing_event"); got[0] != "1" {
		t.Errorf("%s events, want the last one alone", got[0])
	}
	if got := x.rows("SELECT COUNT(*) FROM token_transfer"); got[0] != "0" {
		t.Errorf("%s transfers from before the start", got[0])
	}
}

func TestResume_WakingSavesTheWait(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 1)
	x := b.index(store.SQLite)
	o := b.options(x)
	wake := make(chan struct{}, 1)
	o.Poll, o.Wake = time.Hour, wake
	_, _ = follow(t, o)
	x.await(b.chain.Head())
	b.mine(b.list(1, 1, 5))
	wake <- struct{}{}
	x.await(b.chain.Head())
}
