package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"pantheon/internal/chain/indexer"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
)

// without are the bazaar's contracts without those of some collections.
func (b *bazaar) without(slugs ...string) indexer.Contracts {
	c := b.contracts()
	for _, slug := range slugs {
		delete(c.Tokens, b.at.Collections[slug])
	}
	return c
}

// isRead reports whether nothing is left to read of added contracts.
func (x *indexed) isRead() bool {
	x.t.Helper()
	return x.rows("SELECT COUNT(*) FROM chain_source WHERE next_block >= 0")[0] == "0"
}

// isWhole reports whether their listings are settled too.
func (x *indexed) isWhole() bool {
	x.t.Helper()
	return x.isRead() && x.rows("SELECT COUNT(*) FROM listing WHERE lapsed = -1")[0] == "0"
}

// A collection is added to an index while the market trades and the chain reorganises: the index becomes the one that always read it.
func TestHistory_OfAnAddedCollectionIsReadWhileTheMarketTrades(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		for round := range uint64(4) {
			r := rand.New(rand.NewPCG(20+round, 2026))
			if round == 0 {
				b.stock()
			}
			b.tradeFor(15, r)
			x := b.index(engine)
			few := b.options(x)
			few.Contracts = b.without("game-items", "avatars")
			_, stop := follow(t, few)
			x.await(b.chain.Head())
			b.tradeFor(5, r)
			x.await(b.chain.Head())
			stop()
			if got := x.listings(); len(got) > 0 {
				t.Fatalf("listings of a collection that was not to be read: %v", got)
			}
			all := b.options(x)
			all.Span = 1 + 2*round
			follower, stop := follow(t, all)
			b.tradeFor(5, r)
			b.ok(b.chain.Reorg(t.Context(), 6, nil))
			b.tradeFor(5, r)
			await(t, follower, "the collections are not read", func(s indexer.State) bool { return s.Started && x.isWhole() })
			b.tradeFor(3, r)
			x.await(b.chain.Head())
			b.ok(b.chain.Reorg(t.Context(), 5, nil)) // of blocks that were read both ways
			b.tradeFor(3, r)
			x.await(b.chain.Head())
			stop()
			if got, want := x.state(), b.afresh(engine); got != want {
				t.Fatalf("round %d: the index holds\n%s\none from nothing\n%s", round, got, want)
			}
		}
	})
}

// Collections that are added one after the other, the second while the first is read.
func TestHistory_OfSeveralCollectionsIsReadOnce(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	x := b.index(store.SQLite)
	o := b.options(x)
	o.Contracts = b.without("game-items", "avatars", "chests")
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	var left atomic.Int64
	o.Store = history{x, func(add func() error) error {
		if left.Add(-1) < 0 {
			return errors.New("the database is gone")
		}
		return add()
	}}
	o.Span = 2
	for _, contracts := range []indexer.Contracts{b.without("game-items", "chests"), b.without("chests"), b.contracts()} {
		o.Contracts = contracts
		left.Store(3)
		follower, stop := follow(t, o)
		await(t, follower, "it does not begin", func(s indexer.State) bool { return s.Added > 0 && left.Load() < 0 })
		stop()
	}
	left.Store(1 << 30)
	follower, stop := follow(t, o)
	await(t, follower, "the collections are not read", func(s indexer.State) bool { return s.Started && x.isWhole() })
	stop()
	b.wantAfresh(x)
}

// history is a store whose additions of history fail.
type history struct {
	*indexed
	around func(add func() error) error
}

func (h history) AddHistory(ctx context.Context, b onchain.Batch, tokens map[eth.Address]onchain.Standard) error {
	return h.around(func() error { return h.indexed.AddHistory(ctx, b, tokens) })
}

// A process that stops after any part of the history, or does not learn whether it was stored, leaves nothing out and reads nothing twice.
func TestHistory_ThatIsInterruptedGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		b.stock()
		b.tradeFor(20, rand.New(rand.NewPCG(30, 2026)))
		x := b.index(engine)
		few := b.options(x)
		few.Contracts = b.without("game-items", "avatars")
		_, stop := follow(t, few)
		x.await(b.chain.Head())
		stop()
		broken := errors.New("the connection was lost")
		for n := 0; n == 0 || !x.isRead(); n++ {
			attempted := make(chan struct{})
			o := b.options(x)
			o.Span = 3
			first := true
			o.Store = history{x, func(add func() error) error {
				if !first {
					return broken
				}
				first = false
				defer close(attempted)
				switch n % 3 {
				case 0:
					return add()
				case 1:
					return broken // before it was stored
				default:
					return errors.Join(add(), broken) // after it was stored
				}
			}}
			_, stop := follow(t, o)
			<-attempted
			stop()
		}
		follower, stop := follow(t, b.options(x))
		await(t, follower, "the listings are not settled", func(s indexer.State) bool { return s.Started && x.isWhole() })
		stop()
		if got, want := x.state(), b.afresh(engine); got != want {
			t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
		}
	})
}

// An endpoint that refuses the history, as those without an archive do, does not stop the market.
func TestHistory_ThatCannotBeReadDoesNotStopTheMarket(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 10)
	x := b.index(store.SQLite)
	few := b.options(x)
	few.Contracts = b.without("avatars")
	_, stop := follow(t, few)
	x.await(b.chain.Head())
	stop()
	avatars := b.at.Collections["avatars"].String()
	o := b.options(x)
	var pruned atomic.Bool
	pruned.Store(true)
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if pruned.Load() && next.method == "eth_getLogs" && strings.Contains(fmt.Sprint(next.args...), avatars) {
			return errors.New("missing trie node")
		}
		return next.call()
	}}
	follower, stop := follow(t, o)
	b.mine(b.list(1, 1, 5))
	x.await(b.chain.Head())
	if s := follower.State(); s.Error != "" || s.Added != 1 || s.Lag != 0 {
		t.Errorf("%+v", s)
	}
	pruned.Store(false)
	await(t, follower, "the collection is not read", func(s indexer.State) bool { return s.Started && x.isWhole() })
	stop()
	b.wantAfresh(x)
}
