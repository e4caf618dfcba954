package indexer_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	marketstore "pantheon/internal/store/market"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// Spec: MARKET-16
func TestIndexer_MarketIsFollowedFromCreationToSale(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		x := b.index(engine)
		_, _ = follow(t, b.options(x))
		items, avatars := b.at.Collections["game-items"], b.at.Collections["avatars"]
		b.stock()
		b.mine(b.list(1, 5, 2_000_000), b.list(2, 3, 7_000_000))
		b.mine(b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackCreateListing(b.offer(avatars, 5, 1, 9_000_000))))
		x.await(b.chain.Head())
		x.want("created", x.listings(), "0 5 2000000 active valid", "1 3 7000000 active valid", "2 1 9000000 active valid")

		b.mine(b.update(1, b.offer(items, 2, 3, 6_000_000)), b.buy(0, devnet.Seller(2), 2, 2_000_000))
		x.await(b.chain.Head())
		x.want("updated, bought", x.listings(), "0 3 2000000 active valid", "1 3 6000000 active valid", "2 1 9000000 active valid")

		b.mine(b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackCancelListing(big.NewInt(1))), b.buy(0, devnet.Claimer, 3, 2_000_000),
			b.buy(2, devnet.Claimer, 1, 9_000_000))
		x.await(b.chain.Head())
		x.want("cancelled, sold", x.listings(), "0 0 2000000 sold invalid", "1 3 6000000 cancelled invalid", "2 0 9000000 sold invalid")
		x.want("sales", x.rows("SELECT listing_id, quantity, total, unit_price FROM sale ORDER BY block_number, log_index"),
			"0 2 4000000 2000000", "0 3 6000000 2000000", "2 1 9000000 9000000")
		b.wantBalances(x)
	})
}

// Spec: MARKET-7
func TestSupply_IsWhatTheContractsSay(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		x := b.index(engine)
		_, _ = follow(t, b.options(x))
		items, avatars, one := b.at.Collections["game-items"], b.at.Collections["avatars"], devnet.Seller(1)
		b.stock()
		b.mine(b.act(devnet.Manager, items, many.PackSetMaxSupply([]*big.Int{big.NewInt(1)}, []*big.Int{big.NewInt(500)})))
		b.mine(b.act(one, items, many.PackBurn(addressOf(one), big.NewInt(1), big.NewInt(3))),
			b.act(one, avatars, unique.PackBurn(big.NewInt(5))),
			b.act(devnet.Manager, avatars, unique.PackMintBatch(addressOf(one), []*big.Int{big.NewInt(6), big.NewInt(7)})))
		x.await(b.chain.Head())
		for _, c := range []struct {
			contract eth.Address
			id       string
			want     market.Supply
		}{
			{items, "1", market.Supply{Existing: money.FromInt(7), Max: units(500)}},
			{items, "2", market.Supply{Existing: money.FromInt(10)}},
			{avatars, "6", market.Supply{Existing: money.FromInt(2), Max: units(10_000), Collection: true}}, // the cap is set by the constructor
		} {
			got, err := marketstore.New(x.db).Supply(t.Context(), c.contract, c.id)
			b.ok(err)
			if fmt.Sprint(got.Existing, got.Max, got.Collection) != fmt.Sprint(c.want.Existing, c.want.Max, c.want.Collection) {
				t.Errorf("%s %s: %v of at most %v, want %v of at most %v", c.contract, c.id, got.Existing, got.Max, c.want.Existing, c.want.Max)
			}
		}
	})
}

// Spec: DRAW-6
func TestTables_AreThoseOfTheChainHoweverItIsReorganised(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		x := b.index(engine)
		_, _ = follow(t, b.options(x))
		chests := b.at.Collections["chests"]
		want := func(when string, want ...string) {
			t.Helper()
			x.await(b.chain.Head())
			tables, err := rewards.New(x.db).FixedTables(t.Context(), devnettest.GameChain, chests)
			b.ok(err)
			got := []string{}
			for _, f := range tables {
				block, err := b.client.HeaderByNumber(t.Context(), new(big.Int).SetUint64(f.Block))
				b.ok(err)
				receipt, err := b.client.TransactionReceipt(t.Context(), common.Hash(f.Tx))
				b.ok(err)
				if f.Contract != chests || f.Time.Unix() != int64(block.Time) || receipt.BlockNumber.Uint64() != f.Block {
					t.Errorf("%s: fixed in block %d at %s: %+v", when, block.Number, f.Time, f)
				}
				got = append(got, fmt.Sprintf("%s by %d", f.TokenID, f.Hash[0]))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: packs are drawn %q, want %q", when, got, want)
			}
		}
		begin := b.chain.Head().Number
		since := func(block uint64) int { return int(b.chain.Head().Number - block) }
		rival := func(table byte) func(int, []*types.Transaction) []*types.Transaction {
			return func(_ int, replaced []*types.Transaction) (rivals []*types.Transaction) {
				data := packs.PackFixTables([]*big.Int{big.NewInt(2)}, [][32]byte{{table}}, []*big.Int{big.NewInt(10)})
				for _, tx := range replaced {
					rivals = append(rivals, b.signed(devnet.Manager, tx.Nonce(), &chests, data))
				}
				return rivals
			}
		}
		b.mine(b.fixTable(3, 7))
		want("fixed", "3 by 7")
		first := b.chain.Head().Number
		b.mine(b.fixTable(2, 8))
		want("another fixed", "3 by 7", "2 by 8")
		b.ok(b.chain.Reorg(t.Context(), since(first), rival(9)))
		want("replaced by another table", "3 by 7", "2 by 9")
		b.ok(b.chain.Reorg(t.Context(), since(first), rival(8)))
		want("replaced again", "3 by 7", "2 by 8")
		b.ok(b.chain.Reorg(t.Context(), since(begin), nil))
		want("both replaced by nothing")
		if got, afresh := x.state(), b.afresh(engine); got != afresh {
			t.Errorf("the index holds\n%s\none from nothing\n%s", got, afresh)
		}
	})
}

func units(n int64) *money.Units {
	u := money.FromInt(n)
	return &u
}

// Spec: MARKET-17
func TestIndexer_ApprovalsDecideWhetherAListingIsValid(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		x := b.index(engine)
		_, _ = follow(t, b.options(x))
		items, avatars := b.at.Collections["game-items"], b.at.Collections["avatars"]
		one, marketplace := devnet.Seller(1), common.Address(b.at.Marketplace)
		b.stock()
		b.mine(b.list(1, 5, 2_000_000), b.act(one, b.at.Marketplace, marketV3.PackCreateListing(b.offer(avatars, 5, 1, 9_000_000))))
		set := func(number int64, contract eth.Address, id, quantity, price int64) *types.Transaction {
			return b.update(number, b.offer(contract, id, quantity, price))
		}
		for _, step := range []struct {
			name string
			sent func() []*types.Transaction
			want [2]string
		}{
			{"approved", func() []*types.Transaction { return nil }, [2]string{"valid", "valid"}},
			{"revoked", func() []*types.Transaction {
				return []*types.Transaction{
					b.act(one, items, many.PackSetApprovalForAll(marketplace, false)),
					b.act(one, avatars, unique.PackSetApprovalForAll(marketplace, false)),
				}
			}, [2]string{"invalid", "invalid"}},
			{"the avatar alone", func() []*types.Transaction {
				return []*types.Transaction{b.act(one, avatars, unique.PackApprove(marketplace, big.NewInt(5)))}
			}, [2]string{"invalid", "invalid"}},
			{
				"the avatar's terms set again", func() []*types.Transaction { return []*types.Transaction{set(1, avatars, 5, 1, 9_000_000)} },
				[2]string{"invalid", "valid"},
			},
			{"the avatar lent and returned", func() []*types.Transaction {
				b.mine(b.act(one, avatars, unique.PackTransferFrom(addressOf(one), addressOf(devnet.Seller(2)), big.NewInt(5))))
				return []*types.Transaction{
					b.act(devnet.Seller(2), avatars, unique.PackTransferFrom(addressOf(devnet.Seller(2)), addressOf(one), big.NewInt(5))),
				}
			}, [2]string{"invalid", "invalid"}},
			{"approved again", func() []*types.Transaction {
				return []*types.Transaction{
					b.act(one, items, many.PackSetApprovalForAll(marketplace, true)),
					b.act(one, avatars, unique.PackSetApprovalForAll(marketplace, true)),
				}
			}, [2]string{"invalid", "invalid"}},
			{"all terms set again", func() []*types.Transaction {
				return []*types.Transaction{set(0, items, 1, 5, 2_000_000), set(1, avatars, 5, 1, 9_000_000)}
			}, [2]string{"valid", "valid"}},
			{"burned and given away in a batch", func() []*types.Transaction {
				return []*types.Transaction{
					b.act(one, avatars, unique.PackBurn(big.NewInt(5))),
					b.act(one, items, many.PackSafeBatchTransferFrom(addressOf(one), addressOf(devnet.Seller(2)), []*big.Int{big.NewInt(1), big.NewInt(2)},
						[]*big.Int{big.NewInt(6), big.NewInt(1)}, nil)),
				}
			}, [2]string{"4 valid", "invalid"}},
		} {
			b.mine(step.sent()...)
			x.await(b.chain.Head())
			units, valid, partly := strings.Cut(step.want[0], " ") // four of the five are left
			if !partly {
				units, valid = "5", step.want[0]
			}
			x.want(step.name, x.listings(), "0 "+units+" 2000000 active "+valid, "1 1 9000000 active "+step.want[1])
		}
		b.wantBalances(x)
	})
}

// wantBalances checks every holding of the index against the contracts, and that no owner is missing.
func (b *bazaar) wantBalances(x *indexed) {
	b.t.Helper()
	rows := x.rows("SELECT contract, token_id, owner, amount, missing, standard FROM holding")
	if len(rows) == 0 {
		b.t.Fatal("nobody holds anything")
	}
	sums := map[string]*big.Int{b.at.USDC.String(): new(big.Int)}
	for _, row := range rows {
		var contract, token, owner, amount, missing, standard string
		_, err := fmt.Sscan(row, &contract, &token, &owner, &amount, &missing, &standard)
		b.ok(err)
		id, _ := new(big.Int).SetString(token, 10)
		have, _ := new(big.Int).SetString(amount, 10)
		holder := common.HexToAddress(owner)
		var want *big.Int
		switch standard {
		case "erc20":
			want = call(b, contract, coins.PackBalanceOf(holder), coins.UnpackBalanceOf)
		case "erc1155":
			want = call(b, contract, many.PackBalanceOf(holder, id), many.UnpackBalanceOf)
		case "erc721":
			want = new(big.Int)
			if call(b, contract, unique.PackOwnerOf(id), unique.UnpackOwnerOf) == holder {
				want.SetInt64(1)
			}
		}
		if have.Cmp(want) != 0 || missing != "0" {
			b.t.Errorf("%s has %s (missing %s) of %s %s, the contract says %s", owner, amount, missing, contract, token, want)
		}
		if sums[contract] == nil {
			sums[contract] = new(big.Int)
		}
		sums[contract].Add(sums[contract], have)
	}
	supply := call(b, b.at.USDC.String(), coins.PackTotalSupply(), coins.UnpackTotalSupply)
	if sum := sums[b.at.USDC.String()]; sum.Cmp(supply) != 0 {
		b.t.Errorf("all owners have %s USDC, of %s there are", sum, supply)
	}
}

func call[T any](b *bazaar, contract string, data []byte, unpack func([]byte) (T, error)) T {
	b.t.Helper()
	answer, err := b.client.CallContract(b.t.Context(), callOf(eth.MustAddress(contract), data), nil)
	b.ok(err)
	value, err := unpack(answer)
	b.ok(err)
	return value
}
