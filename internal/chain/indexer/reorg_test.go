package indexer_test

import (
	"math/big"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
)

// trade sends a random action of a seller or a buyer. Some revert, as on any chain.
func (b *bazaar) trade(r *rand.Rand) *types.Transaction {
	b.t.Helper()
	items, avatars := b.at.Collections["game-items"], b.at.Collections["avatars"]
	one, marketplace := devnet.Seller(1), common.Address(b.at.Marketplace)
	buyers := []devnet.Role{devnet.Seller(2), devnet.Claimer}
	buyer := buyers[r.IntN(2)]
	id, listing := 1+r.Int64N(2), r.Int64N(6)
	switch r.IntN(10) {
	case 0, 1, 2:
		return b.list(id, 1+r.Int64N(4), 2_000_000)
	case 3, 4, 5:
		return b.buy(listing, buyer, 1, 2_000_000)
	case 6:
		return b.act(one, b.at.Marketplace, marketV3.PackCancelListing(big.NewInt(listing)))
	case 7:
		return b.act(one, items, many.PackSetApprovalForAll(marketplace, r.IntN(3) > 0))
	case 8:
		return b.act(one, items, many.PackSafeBatchTransferFrom(addressOf(one), addressOf(buyer), []*big.Int{big.NewInt(1), big.NewInt(2)},
			[]*big.Int{big.NewInt(1), big.NewInt(1)}, nil))
	default:
		return b.act(one, avatars, unique.PackApprove(marketplace, big.NewInt(5)))
	}
}

// tradeFor mines blocks of a few trades each.
func (b *bazaar) tradeFor(blocks int, r *rand.Rand) {
	b.t.Helper()
	for range blocks {
		var sent []*types.Transaction
		for range r.IntN(4) {
			sent = append(sent, b.trade(r))
		}
		b.mineAny(sent...)
	}
}

// roleOf returns the sender of a transaction.
func (b *bazaar) roleOf(tx *types.Transaction) devnet.Role {
	b.t.Helper()
	from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	b.ok(err)
	for _, w := range devnet.Wallets() {
		if eth.Address(from) == w.Address {
			return w.Role
		}
	}
	b.t.Fatalf("%s is nobody's", from)
	return ""
}

// branches are ways in which a new branch may differ from the one it replaces.
func (b *bazaar) branches() map[string]func(depth int) func(int, []*types.Transaction) []*types.Transaction {
	return map[string]func(int) func(int, []*types.Transaction) []*types.Transaction{
		"the same": func(int) func(int, []*types.Transaction) []*types.Transaction {
			return func(_ int, replaced []*types.Transaction) []*types.Transaction { return replaced }
		},
		"nothing": func(int) func(int, []*types.Transaction) []*types.Transaction { return nil },
		"all at the end": func(depth int) func(int, []*types.Transaction) []*types.Transaction {
			var all []*types.Transaction
			return func(i int, replaced []*types.Transaction) []*types.Transaction {
				all = append(all, replaced...)
				if i < depth {
					return nil
				}
				return all
			}
		},
		// Each transaction is replaced permanently: its sender gives an item or money away instead.
		"rivals": func(int) func(int, []*types.Transaction) []*types.Transaction {
			return func(_ int, replaced []*types.Transaction) []*types.Transaction {
				rivals := make([]*types.Transaction, len(replaced))
				for i, tx := range replaced {
					role, to, data := b.roleOf(tx), b.at.USDC, coins.PackTransfer(addressOf(devnet.Manager), big.NewInt(int64(tx.Nonce())+1))
					if role == devnet.Seller(1) {
						to = b.at.Collections["game-items"]
						data = many.PackSafeTransferFrom(addressOf(role), addressOf(devnet.Seller(3)), big.NewInt(1), big.NewInt(1), nil)
					}
					rivals[i] = b.signed(role, tx.Nonce(), &to, data)
				}
				return rivals
			}
		},
	}
}

// After every reorganisation of 1 to 12 blocks, for any new branch, the index equals one built from nothing.
// Spec: CHAIN-10
func TestReorg_ReorganisationLeavesWhatAnIndexFromNothingHolds(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		r := rand.New(rand.NewPCG(7, 2026))
		x := b.index(engine)
		_, _ = follow(t, b.options(x))
		b.stock()
		names := []string{"rivals", "nothing", "all at the end", "the same"}
		for depth := 1; depth <= 12; depth++ {
			name := names[depth%len(names)]
			b.tradeFor(depth, r)
			x.await(b.chain.Head())
			before := x.state()
			b.ok(b.chain.Reorg(t.Context(), depth, b.branches()[name](depth)))
			x.await(b.chain.Head())
			if got, want := x.state(), b.afresh(engine); got != want {
				t.Fatalf("after %d blocks were replaced by %s the index holds\n%s\none from nothing\n%s", depth, name, got, want)
			} else if got == before {
				t.Fatalf("replacing %d blocks by %s changed nothing", depth, name)
			}
			// Transactions that the branch omitted are in the pool again and are mined.
			_, err := b.chain.Mine(t.Context())
			b.ok(err)
			x.await(b.chain.Head())
			if got, want := x.state(), b.afresh(engine); got != want {
				t.Fatalf("a block after %s the index holds\n%s\none from nothing\n%s", name, got, want)
			}
		}
		if sales := x.rows("SELECT COUNT(*) FROM sale"); sales[0] == "0" {
			t.Error("nothing was ever sold: the trades test nothing")
		}
		b.wantBalances(x)
	})
}

// While an index is catching up from far behind, the chain may be reorganised between any two of its calls.
func TestReorg_ReorganisationWhileTheChainIsReadIsNoticed(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		r := rand.New(rand.NewPCG(8, 2026))
		b.stock()
		b.tradeFor(10, r)
		x := b.index(engine)
		o := b.options(x)
		o.Span = 4
		const disturbed = 80
		var calls atomic.Int64
		settled := make(chan struct{})
		o.RPC = detour{b.chain.Client(), func(next forward) error {
			n := int(calls.Add(1))
			if n%7 == 0 && n < disturbed {
				depth := 1 + n%5
				if err := b.chain.Reorg(t.Context(), depth, b.branches()["all at the end"](depth)); err != nil {
					t.Error(err)
				}
			}
			if n == disturbed {
				close(settled)
			}
			return next.call()
		}}
		_, stop := follow(t, o)
		<-settled
		x.await(b.chain.Head())
		stop()
		if got, want := x.state(), b.afresh(engine); got != want {
			t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
		}
	})
}
