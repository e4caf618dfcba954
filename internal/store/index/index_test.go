package index_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/cart"
	"pantheon/internal/portal/market"
	"pantheon/internal/store"
	cartstore "pantheon/internal/store/cart"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestIndex_HoldingsAreReceivedMinusSent(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(
			storetest.MintItems(storetest.WalletA, "1", 10), storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 4),
			storetest.MoveItems(storetest.WalletB, storetest.WalletB, "1", 2),
			storetest.MoveAvatar(eth.Address{}, storetest.WalletA, "7"), storetest.MoveAvatar(storetest.WalletA, storetest.WalletB, "7"),
			storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 500),
		)
		x.Want("holdings", x.Holdings(), "A has 500 USDC 0", "A has 6 item 1", "B has 1 avatar 7", "B has 4 item 1")
		x.Apply(storetest.MoveItems(storetest.WalletA, eth.Address{}, "1", 6), storetest.MoveAvatar(storetest.WalletB, eth.Address{}, "7"))
		x.Want("holdings after burning", x.Holdings(), "A has 500 USDC 0", "B has 4 item 1")
	})
}

// An index that starts after a contract may see more tokens leave than arrive; later arrivals fill the gap first.
func TestIndex_SentButNeverReceivedTokensAreRecordedAsMissing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		before := x.Apply()
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 4))
		x.Want("holdings", x.Holdings(), "A has 0 item 1", "B has 4 item 1")
		x.Apply(storetest.MoveItems(storetest.WalletB, storetest.WalletA, "1", 3))
		x.Want("holdings", x.Holdings(), "A has 0 item 1", "B has 1 item 1")
		x.Apply(storetest.MoveItems(storetest.Stranger, storetest.WalletA, "1", 3))
		x.Want("holdings", x.Holdings(), "A has 2 item 1", "B has 1 item 1", "stranger has 0 item 1")
		x.Rewind(before)
		x.Want("holdings after the rewind", x.Holdings())
	})
}

func TestIndex_HoldingsCountTo256Bits(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		all, err := money.FromBig(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
		x.OK(err)
		x.Apply(onchain.Transfer{Contract: storetest.USDC, Standard: onchain.ERC20, TokenID: "0", To: storetest.WalletA, Amount: all})
		x.Apply(storetest.Transfer(onchain.ERC20, storetest.USDC, "0", storetest.WalletA, storetest.WalletB, 1))
		rest, err := all.Sub(money.FromInt(1))
		x.OK(err)
		x.Want("holdings", x.Holdings(), "A has "+rest.String()+" USDC 0", "B has 1 USDC 0")
	})
}

// Spec: CHAIN-10
func TestIndex_ApplyingABatchAgainChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		first := x.Next(storetest.MintItems(storetest.Seller, "1", 5), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 5)))
		x.OK(x.Index.ApplyBatch(t.Context(), first))
		x.Tip = first.Blocks[0]
		second := x.Next(storetest.Buy("0", "1", storetest.WalletA, 2)...)
		x.OK(x.Index.ApplyBatch(t.Context(), second))
		before, _ := x.State(), x.Told()
		x.OK(x.Index.ApplyBatch(t.Context(), second))
		x.OK(x.Index.ApplyBatch(t.Context(), first))
		if after := x.State(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
		x.Want("announcements", x.Told())
	})
}

func TestIndex_BatchMustBuildOnTheCursor(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		start := x.Apply()
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 1))
		before := x.State()
		now := x.Clock.Now()
		gap := storetest.BatchAfter(onchain.Block{Number: x.Tip.Number + 1, Hash: eth.Hash{1}}, now, "",
			storetest.MintItems(storetest.WalletA, "1", 1))
		fork := storetest.BatchAfter(onchain.Block{Number: x.Tip.Number, Hash: eth.Hash{2}}, now, "",
			storetest.MintItems(storetest.WalletA, "1", 1))
		sibling := storetest.BatchAfter(start, now, "other", storetest.MintItems(storetest.WalletA, "1", 1))
		for name, b := range map[string]onchain.Batch{"after a gap": gap, "on a fork": fork, "beside the last one": sibling} {
			if err := x.Index.ApplyBatch(t.Context(), b); !fault.Is(err, fault.Conflict) {
				t.Errorf("a batch %s: %v, want a conflict", name, err)
			}
		}
		unknown := onchain.Block{Number: start.Number, Hash: eth.Hash{3}}
		if err := x.Index.Rewind(t.Context(), storetest.Chain, unknown); !fault.Is(err, fault.Conflict) {
			t.Errorf("a rewind to an unknown block: %v, want a conflict", err)
		}
		empty := x.Next()
		empty.Blocks = nil
		if err := x.Index.ApplyBatch(t.Context(), empty); err == nil {
			t.Error("a batch without its last block was taken")
		}
		if after := x.State(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
	})
}

// Spec: MARKET-17, MARKET-19
func TestIndex_ListingIsValidUntilItsGoodsLeave(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		foreign, reserved := storetest.TermsOf(storetest.Items, "1", 1), storetest.TermsOf(storetest.Items, "1", 1)
		foreign.Currency, reserved.Reserved = storetest.Stranger, true
		x.Apply(
			storetest.MintItems(storetest.Seller, "1", 5), storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
			storetest.AllowAll(storetest.Items, storetest.Seller, true), storetest.AllowOne(storetest.Seller, storetest.Marketplace, "7"),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 5)),
			storetest.List("1", storetest.TermsOf(storetest.Avatars, "7", 1)), storetest.List("2", foreign), storetest.List("3", reserved),
		)
		x.Want("listings", x.Listings(), "0 5 active valid", "1 1 active valid", "2 1 active invalid", "3 1 active invalid")
		for _, step := range []struct {
			name  string
			facts []any
			want  []string
		}{
			{"one of the five goes elsewhere", []any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1)},
				[]string{"0 4 active valid", "1 1 active valid"}},
			{"it comes back", []any{storetest.MoveItems(storetest.Stranger, storetest.Seller, "1", 1)},
				[]string{"0 4 active valid", "1 1 active valid"}},
			{"one more goes and comes back", []any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1),
				storetest.MoveItems(storetest.Stranger, storetest.Seller, "1", 1)},
				[]string{"0 4 active valid", "1 1 active valid"}},
			{"all five go elsewhere", []any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 5)},
				[]string{"0 5 active invalid", "1 1 active valid"}},
			{"four come back", []any{storetest.MoveItems(storetest.Stranger, storetest.Seller, "1", 4)},
				[]string{"0 5 active invalid", "1 1 active valid"}},
			{"all are back", []any{storetest.MoveItems(storetest.Stranger, storetest.Seller, "1", 1)},
				[]string{"0 5 active returned", "1 1 active valid"}},
			{"its terms are set", []any{storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 5))},
				[]string{"0 5 active valid", "1 1 active valid"}},
			{"one goes and comes back in the same block",
				[]any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1),
					storetest.MoveItems(storetest.Stranger, storetest.Seller, "1", 1)}, []string{"0 5 active valid", "1 1 active valid"}},
			{"the approval for all ends", []any{storetest.AllowAll(storetest.Items, storetest.Seller, false)},
				[]string{"0 5 active invalid", "1 1 active valid"}},
			{"somebody else may take all", []any{onchain.Approval{Contract: storetest.Items, Owner: storetest.Seller,
				Operator: storetest.Stranger, Approved: true}},
				[]string{"0 5 active invalid", "1 1 active valid"}},
			{"the approval for all is back", []any{storetest.AllowAll(storetest.Items, storetest.Seller, true)},
				[]string{"0 5 active returned", "1 1 active valid"}},
			{"the terms are set again", []any{storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 5))},
				[]string{"0 5 active valid", "1 1 active valid"}},
			{"somebody else may take the avatar", []any{storetest.AllowOne(storetest.Seller, storetest.Stranger, "7")},
				[]string{"0 5 active valid", "1 1 active invalid"}},
			{"the marketplace may again", []any{storetest.AllowOne(storetest.Seller, storetest.Marketplace, "7")},
				[]string{"0 5 active valid", "1 1 active returned"}},
			{"the avatar's terms are set", []any{storetest.Relist("1", storetest.TermsOf(storetest.Avatars, "7", 1))},
				[]string{"0 5 active valid", "1 1 active valid"}},
			{"nobody may", []any{storetest.AllowOne(storetest.Seller, eth.Address{}, "7")}, []string{"0 5 active valid", "1 1 active invalid"}},
			{"all avatars may be taken", []any{storetest.AllowAll(storetest.Avatars, storetest.Seller, true)},
				[]string{"0 5 active valid", "1 1 active returned"}},
			{"its terms and a withdrawal come in one block",
				[]any{storetest.Relist("1", storetest.TermsOf(storetest.Avatars, "7", 1)),
					storetest.MoveAvatar(storetest.Seller, storetest.Stranger, "7")},
				[]string{"0 5 active valid", "1 1 active invalid"}},
			{"it is back, and its terms are set", []any{storetest.MoveAvatar(storetest.Stranger, storetest.Seller, "7"),
				storetest.Relist("1", storetest.TermsOf(storetest.Avatars, "7", 1))},
				[]string{"0 5 active valid", "1 1 active valid"}},
			{
				"only this one may be taken", []any{storetest.AllowOne(storetest.Seller, storetest.Marketplace, "7"),
					storetest.AllowAll(storetest.Avatars, storetest.Seller, false)},
				[]string{"0 5 active valid", "1 1 active valid"},
			},
			{"the avatar goes and comes back, which ends its approval",
				[]any{storetest.MoveAvatar(storetest.Seller, storetest.Stranger, "7"),
					storetest.MoveAvatar(storetest.Stranger, storetest.Seller, "7")}, []string{"0 5 active valid", "1 1 active invalid"}},
		} {
			x.Apply(step.facts...)
			x.Want(step.name, x.Listings()[:2], step.want...)
		}
	})
}

func TestIndex_ApprovalOfATokenIsItsOwners(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		mint, offer := storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"),
			storetest.List("0", storetest.TermsOf(storetest.Avatars, "7", 1))
		x.Apply(mint, storetest.AllowOne(storetest.Seller, storetest.Marketplace, "7"), offer,
			storetest.AllowOne(storetest.WalletA, storetest.Stranger, "7"))
		x.Want("revoked by another", x.Listings(), "0 1 active valid")
		x.Apply(storetest.AllowOne(storetest.Seller, storetest.Stranger, "7"),
			storetest.Relist("0", storetest.TermsOf(storetest.Avatars, "7", 1)), storetest.AllowOne(storetest.WalletA, storetest.Marketplace, "7"))
		x.Want("given by another", x.Listings(), "0 1 active invalid")
	})
}

// Spec: MARKET-8
func TestIndex_SaleIsAPricePoint(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("4", storetest.TermsOf(storetest.Items, "1", 9)))
		x.Apply(storetest.Buy("4", "1", storetest.WalletA, 2)...)
		odd := storetest.Buy("4", "1", storetest.Stranger, 3)
		odd[1].(onchain.ListingEvent).Sale.Total = money.FromInt(100) // in an unknown currency
		x.Apply(odd...)
		x.Want("sales", x.Rows("SELECT listing_id, token_id, buyer, currency, quantity, total, unit_price FROM sale ORDER BY block_number"),
			"4 1 "+storetest.WalletA.String()+" "+storetest.USDC.String()+" 2 2000 1000",
			"4 1 "+storetest.Stranger.String()+" "+eth.Address{}.String()+" 3 100 33")
		x.Want("listings", x.Listings(), "4 4 active valid")
		x.Apply(storetest.Buy("4", "1", storetest.WalletB, 4)...)
		x.Want("listings when all is sold", x.Listings(), "4 0 sold invalid")
	})
}

func TestIndex_TokensAreDescribedWhenTheyAreMet(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		long := strings.Repeat("1234567890", 7)
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 1), storetest.MintItems(storetest.WalletB, "1", 1),
			storetest.MoveAvatar(eth.Address{}, storetest.WalletA, long),
			storetest.Transfer(onchain.ERC20, storetest.USDC, "0", eth.Address{}, storetest.WalletA, 1))
		x.Want("tokens", x.Rows("SELECT collection, name, kind, rarity, rarity_rank, words FROM token ORDER BY name"),
			"other Item #1234…7890 item common 0 item 1234 7890 other common",
			"game-items Sword of Dawn 1 sword rare 2 sword of dawn 1 game items rare sky bronze 7")
		x.Want("traits", x.Rows("SELECT trait, value FROM token_trait ORDER BY trait"), "Material Sky Bronze", "Power 7")
	})
}

// Spec: CART-19
func TestIndex_BuyersOwnHoldGoesAndOthersMoveDown(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 4), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 4)))
		x.Hold("0", 0, "A", 30)
		x.Hold("0", 1, "B", 20)
		x.Hold("0", 3, "C", 10)
		x.Told()
		x.Apply(storetest.Buy("0", "1", storetest.WalletA, 1)...)
		x.Want("holds", x.Holds(), "1337042-0 0 C", "1337042-0 1 B")
		x.Want("announcements", x.Told(), "listing 1337042-0")
	})
}

func TestSupply_IsWhatWasMintedAndNotBurned(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		want := func(when string, item, avatar string) {
			t.Helper()
			if got := x.Supply(storetest.Items, "1"); got != item {
				t.Errorf("%s, item 1: %s, want %s", when, got, item)
			}
			if got := x.Supply(storetest.Avatars, "7"); got != avatar {
				t.Errorf("%s, avatars: %s, want %s", when, got, avatar)
			}
		}
		want("before anything", "unknown", "unknown")
		x.Apply(storetest.MintItems(storetest.Seller, "1", 9), storetest.MintItems(storetest.Seller, "2", 5),
			storetest.MintItems(storetest.WalletA, "1", 3),
			storetest.MoveAvatar(eth.Address{}, storetest.Seller, "7"), storetest.MoveAvatar(eth.Address{}, storetest.Seller, "8"))
		minted := x.Tip
		want("minted", "token: 12", "collection: 2")
		x.Apply(onchain.SupplyCap{Contract: storetest.Items, TokenID: "1", Max: money.FromInt(100)},
			onchain.SupplyCap{Contract: storetest.Avatars, Max: money.FromInt(50)},
			storetest.MoveItems(storetest.Seller, storetest.WalletB, "1", 2),
			storetest.MoveItems(storetest.WalletA, eth.Address{}, "1", 3), storetest.MoveAvatar(storetest.Seller, eth.Address{}, "8"))
		want("capped and burned", "token: 9 of at most 100", "collection: 1 of at most 50")
		if got := x.Supply(storetest.Items, "2"); got != "token: 5" {
			t.Errorf("an item without a cap: %s", got)
		}
		x.Rewind(minted)
		want("rewound", "token: 12", "collection: 2")
		x.Reset()
		want("reset", "unknown", "unknown")
	})
}

// Spec: DRAW-6
func TestTables_TheFirstOfATokenCountsWhileItIsOnTheChain(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		fix := func(contract eth.Address, id string, table byte) onchain.FixedTable {
			return onchain.FixedTable{Contract: contract, TokenID: id, Hash: [32]byte{table, 31: 1}}
		}
		want := func(when string, want ...onchain.FixedTable) {
			t.Helper()
			got, err := rewards.New(x.DB).FixedTables(t.Context(), storetest.Chain, storetest.Chests)
			x.OK(err)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
			for _, id := range []string{"1", "2", "10"} {
				i := slices.IndexFunc(want, func(f onchain.FixedTable) bool { return f.TokenID == id })
				got, ok, err := rewards.New(x.DB).FixedTable(t.Context(), storetest.Chain, storetest.Chests, id)
				if err != nil || ok != (i >= 0) || ok && got != want[i] {
					t.Errorf("%s, token %s: %+v, %v, %v", when, id, got, ok, err)
				}
			}
		}
		at := func(f onchain.FixedTable, b onchain.Block, log uint32) onchain.FixedTable {
			f.Position = onchain.Position{Block: b.Number, LogIndex: log, Tx: eth.Keccak256(b.Hash[:], []byte{byte(log)}), Time: b.Time}
			return f
		}
		want("before anything")
		begun := x.Apply(storetest.MintItems(storetest.Seller, "1", 1))
		first := x.Apply(fix(storetest.Chests, "10", 7), fix(storetest.Items, "2", 8), fix(storetest.Chests, "10", 9))
		ten := at(fix(storetest.Chests, "10", 7), first, 0)
		want("fixed, and again in the same block", ten)
		second := x.Apply(fix(storetest.Chests, "2", 5), fix(storetest.Chests, "10", 6))
		two := at(fix(storetest.Chests, "2", 5), second, 0)
		want("a second token, and the first again", ten, two)
		for what, other := range map[string]struct {
			chain    onchain.ChainID
			contract eth.Address
		}{"another chain": {storetest.Chain + 1, storetest.Chests}, "another contract": {storetest.Chain, storetest.Avatars}} {
			if got, err := rewards.New(x.DB).FixedTables(t.Context(), other.chain, other.contract); err != nil || len(got) > 0 {
				t.Errorf("%s: %+v, %v", what, got, err)
			}
		}

		x.Rewind(first)
		want("without the last block", ten)
		x.Rewind(begun)
		want("without both")
		again := x.ApplyIn(eth.Hash{9}, "again", fix(storetest.Chests, "10", 4), fix(storetest.Chests, "1", 5))
		ten, one := at(fix(storetest.Chests, "10", 4), again, 0), at(fix(storetest.Chests, "1", 5), again, 1)
		ten.Tx, one.Tx = eth.Hash{9}, eth.Hash{9}
		want("on another branch", ten, one)
		x.Reset()
		want("reset")
	})
}

func TestSupply_IsNotNegativeIfTheIndexBeganLate(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MoveItems(storetest.Seller, eth.Address{}, "1", 4))
		if got := x.Supply(storetest.Items, "1"); got != "token: 0" {
			t.Errorf("of a token whose mints were not read: %s", got)
		}
	})
}

// Spec: LIVE-27, CART-20
func TestIndex_HoldsBeyondWhatIsLeftEndAndTheirHoldersAreTold(t *testing.T) {
	t.Parallel()
	const (
		bought    = "Somebody else bought this just now, so it has left your cart."
		cancelled = "The seller took this off the market, so it has left your cart."
		fewer     = "The seller now offers fewer of these, so one has left your cart."
		gone      = "This can't be bought any more, so it has left your cart."
		raised    = "The seller raised the price from 0.001 to 0.002 USDC, so this has left your cart."
	)
	for _, test := range []struct {
		name  string
		facts []any
		holds []string
		told  []string
	}{
		{"a stranger buys one", storetest.Buy("0", "1", storetest.Stranger, 1), []string{"1337042-0 0 A", "1337042-0 1 B"},
			[]string{storetest.EndedHold("C", 2, bought), "listing 1337042-0"}},
		{"a holder buys all", storetest.Buy("0", "1", storetest.WalletA, 3), nil,
			[]string{storetest.EndedHold("B", 1, bought), storetest.EndedHold("C", 2, bought), "listing-gone 1337042-0"}},
		{"two holders buy one each", append(storetest.Buy("0", "1", storetest.WalletA, 1),
			storetest.Buy("0", "1", storetest.WalletB, 1)...), []string{"1337042-0 0 C"},
			[]string{"listing 1337042-0"}},
		{"the seller cancels", []any{storetest.Cancel("0")}, nil,
			[]string{storetest.EndedHold("A", 0, cancelled), storetest.EndedHold("B", 1, cancelled),
				storetest.EndedHold("C", 2, cancelled), "listing-gone 1337042-0"}},
		{"the seller offers one", []any{storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 1))}, []string{"1337042-0 0 A"},
			[]string{storetest.EndedHold("B", 1, fewer), storetest.EndedHold("C", 2, fewer), "listing 1337042-0"}},
		{"the seller gives one away", []any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 1)},
			[]string{"1337042-0 0 A", "1337042-0 1 B"},
			[]string{storetest.EndedHold("C", 2, fewer), "listing 1337042-0"}},
		{"the seller gives them away", []any{storetest.MoveItems(storetest.Seller, storetest.Stranger, "1", 3)}, nil,
			[]string{storetest.EndedHold("A", 0, gone), storetest.EndedHold("B", 1, gone), storetest.EndedHold("C", 2, gone), "listing 1337042-0"}},
		{"the seller raises the price", []any{storetest.Relist("0", func() *onchain.ListingTerms {
			dearer := storetest.TermsOf(storetest.Items, "1", 3)
			dearer.PricePerToken = money.FromInt(2000)
			return dearer
		}())}, nil, []string{storetest.EndedHold("A", 0, raised), storetest.EndedHold("B", 1, raised),
			storetest.EndedHold("C", 2, raised), "listing 1337042-0"}},
		{"the seller lowers the price", []any{storetest.Relist("0", func() *onchain.ListingTerms {
			cheaper := storetest.TermsOf(storetest.Items, "1", 3)
			cheaper.PricePerToken = money.FromInt(999)
			return cheaper
		}())}, []string{"1337042-0 0 A", "1337042-0 1 B", "1337042-0 2 C"}, []string{"listing 1337042-0"}},
		{"the seller approves again", []any{storetest.AllowAll(storetest.Items, storetest.Seller, true)},
			[]string{"1337042-0 0 A", "1337042-0 1 B", "1337042-0 2 C"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
				x.Apply(storetest.MintItems(storetest.Seller, "1", 3), storetest.AllowAll(storetest.Items, storetest.Seller, true),
					storetest.List("0", storetest.TermsOf(storetest.Items, "1", 3)))
				x.Hold("0", 0, "A", 30)
				x.Hold("0", 1, "B", 20)
				x.Hold("0", 2, "C", 10)
				x.Told()
				x.Apply(test.facts...)
				x.Want("holds", x.Holds(), test.holds...)
				got := x.Told()
				slices.Sort(got)
				want := slices.Clone(test.told)
				slices.Sort(want)
				x.Want("announcements", got, want...)
			})
		})
	}
}

// The listing's quantity falls while a holder empties the cart. SQLite has no concurrent writers.
// Spec: CART-21
func TestIndex_HoldDoesNotEndForAUnitThatIsReleasedMeanwhile(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL)
	x.Apply(storetest.MintItems(storetest.Seller, "1", 2), storetest.AllowAll(storetest.Items, storetest.Seller, true),
		storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)))
	x.Hold("0", 0, "C", 10)
	x.Hold("0", 1, "B", 20)
	unlock := x.Lock("SELECT 1 FROM cart_hold WHERE player_id = 'C' FOR UPDATE") // it would end
	applied, emptied := make(chan error, 1), make(chan error, 1)
	go func() {
		applied <- x.Index.ApplyBatch(t.Context(), x.Next(storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 1))))
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.Waiting(1) }, "the index does not wait")
	go func() {
		emptied <- cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{}).Empty(t.Context(), "B")
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return len(emptied) > 0 || x.Waiting(2) }, "emptying the cart neither ends nor waits")
	first := len(emptied) > 0
	unlock()
	x.OK(<-applied)
	x.OK(<-emptied)
	if first {
		x.Want("holds", x.Holds(), "1337042-0 0 C")
	} else {
		x.Want("holds", x.Holds())
	}
}

// The player's hold of the unit ends, and another hold of the player moves to the unit.
// Spec: CART-21
func TestIndex_UnitThatIsHeldAllTheTimeCanBeReleased(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL)
	x.Apply(storetest.MintItems(storetest.Seller, "1", 2), storetest.AllowAll(storetest.Items, storetest.Seller, true),
		storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)))
	x.Hold("0", 0, "B", 10)
	x.Hold("0", 1, "B", 20)
	unlock := x.Lock("SELECT 1 FROM listing_version FOR UPDATE") // the last row that the index writes
	applied, released := make(chan error, 1), make(chan error, 1)
	go func() {
		applied <- x.Index.ApplyBatch(t.Context(), x.Next(storetest.Relist("0", storetest.TermsOf(storetest.Items, "1", 1))))
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.Waiting(1) }, "the index does not wait")
	go func() {
		released <- cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{}).Remove(t.Context(), "B", "1337042-0", 0)
	}()
	testkit.Eventually(t, 20*time.Second, func() bool { return x.Waiting(2) }, "the release does not wait")
	unlock()
	x.OK(<-applied)
	x.OK(<-released)
	x.Want("holds", x.Holds())
}

// Players ask for units of listings that are made and sold out at once.
// Spec: CART-21
func TestIndex_NoHoldIsOfAListingThatIsSoldOut(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 100), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		carts := cart.NewService(cartstore.New(x.DB), x.Clock, cart.Options{})
		for round := range 20 {
			number, sold := strconv.Itoa(round), make(chan struct{})
			var asking sync.WaitGroup
			for _, player := range []string{"A", "B", "C"} {
				asking.Go(func() {
					for {
						_, err := carts.Add(t.Context(), cart.Holder{PlayerID: player}, market.Key(storetest.Chain, number), storetest.Items, nil)
						if err != nil && fault.As(err) == nil {
							t.Error(err)
						}
						select {
						case <-sold:
							return
						default:
						}
					}
				})
			}
			x.Apply(storetest.List(number, storetest.TermsOf(storetest.Items, "1", 2)))
			x.Apply(storetest.Buy(number, "1", storetest.Stranger, 2)...)
			close(sold)
			asking.Wait()
			x.Want("holds", x.Holds())
		}
	})
}

func TestIndex_HoldThatHadExpiredCountsAsLapsed(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 2), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)))
		x.Hold("0", 0, "B", 700)
		x.Hold("0", 1, "C", 10)
		x.Told()
		x.Apply(storetest.Buy("0", "1", storetest.Stranger, 1)...)
		x.Want("holds", x.Holds(), "1337042-0 0 C")
		x.Want("lapses", x.Rows("SELECT player_id FROM hold_time"), "B")
		x.Want("announcements", x.Told(), "listing 1337042-0")
	})
}

// Spec: LIVE-9
func TestIndex_BuyerOfAPackIsTold(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.Transfer(onchain.ERC1155, storetest.Chests, "2", eth.Address{}, storetest.Seller, 5),
			storetest.AllowAll(storetest.Chests, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Chests, "2", 5)))
		x.Told()
		sale := onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "0", Sale: &onchain.Sale{
			Seller: storetest.Seller, Contract: storetest.Chests, TokenID: "2", Buyer: storetest.WalletB, Quantity: 1, Total: money.FromInt(1000)}}
		toStranger := sale
		toStranger.Sale = &onchain.Sale{Seller: storetest.Seller, Contract: storetest.Chests, TokenID: "2",
			Buyer: storetest.Stranger, Quantity: 1, Total: money.FromInt(1000)}
		x.Apply(storetest.Transfer(onchain.ERC1155, storetest.Chests, "2", storetest.Seller, storetest.WalletB, 1), sale,
			storetest.Transfer(onchain.ERC1155, storetest.Chests, "2", storetest.Seller, storetest.Stranger, 1), toStranger)
		x.Want("announcements", x.Told(), "B: kod-pack/purchase-complete map[errorMessage: productId:2 success:true]",
			"listing 1337042-0", "packs ")
	})
}

func TestIndex_OldBlocksNotifyOnlyPlayersWhoseHoldsEnded(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 2), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)),
			storetest.Transfer(onchain.ERC1155, storetest.Chests, "2", eth.Address{}, storetest.Seller, 5),
			storetest.AllowAll(storetest.Chests, storetest.Seller, true), storetest.List("1", storetest.TermsOf(storetest.Chests, "2", 5)))
		x.Hold("0", 0, "A", 20)
		x.Hold("0", 1, "C", 10)
		x.Told()
		pack := onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: "1", Sale: &onchain.Sale{
			Seller: storetest.Seller, Contract: storetest.Chests, TokenID: "2", Buyer: storetest.WalletB, Quantity: 1, Total: money.FromInt(1000)}}
		b := x.Next(append(storetest.Buy("0", "1", storetest.Stranger, 1), pack)...)
		x.Clock.Advance(3 * time.Minute)
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		x.Want("announcements", x.Told(), storetest.EndedHold("C", 1, "Somebody else bought this just now, so it has left your cart."))
	})
}

func TestIndex_RewindTellsWhatItTookBack(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.Seller, "1", 2), storetest.AllowAll(storetest.Items, storetest.Seller, true))
		minted := x.Tip
		x.Apply(storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)))
		listed := x.Tip
		x.Hold("0", 1, "C", 10)
		x.Apply(storetest.Buy("0", "1", storetest.WalletA, 1)...)
		x.Told()
		x.Rewind(listed)
		x.Want("listings", x.Listings(), "0 2 active valid")
		x.Want("holdings", x.Holdings(), "seller has 2 item 1")
		x.Want("holds stay", x.Holds(), "1337042-0 0 C")
		x.Want("announcements", x.Told(), "listing 1337042-0")
		x.Rewind(minted)
		x.Want("listings before the first", x.Listings())
		x.Want("holds of no listing", x.Holds())
		x.Want("announcements", x.Told(), storetest.EndedHold("C", 0, "This can't be bought any more, so it has left your cart."),
			": live-listings-change/delete map[assetContractAddress:"+storetest.Items.Checksum()+" document:1337042-0]")
		x.Rewind(minted)
		x.Want("announcements of a rewind to where it is", x.Told())
	})
}

// anyFacts draws a block's facts about a few tokens and listings, possible or not.
func anyFacts(t *rapid.T) []any {
	people := rapid.SampledFrom([]eth.Address{{}, storetest.Seller, storetest.WalletA, storetest.WalletB, storetest.Stranger})
	owners := rapid.SampledFrom([]eth.Address{storetest.Seller, storetest.WalletA})
	operators := rapid.SampledFrom([]eth.Address{storetest.Marketplace, storetest.Marketplace, storetest.Stranger})
	collections := rapid.SampledFrom([]eth.Address{storetest.Items, storetest.Avatars})
	ids, numbers := rapid.SampledFrom([]string{"1", "2"}), rapid.SampledFrom([]string{"0", "1", "2"})
	amounts := rapid.Int64Range(1, 4)
	one := rapid.Custom(func(t *rapid.T) any {
		terms := func() *onchain.ListingTerms {
			terms := storetest.TermsOf(collections.Draw(t, "collection"), ids.Draw(t, "token"), amounts.Draw(t, "quantity"))
			terms.Seller, terms.PricePerToken = owners.Draw(t, "seller"), money.FromInt(amounts.Draw(t, "price")*1000)
			return terms
		}
		switch rapid.IntRange(0, 11).Draw(t, "fact") {
		case 0, 1:
			return storetest.MoveItems(people.Draw(t, "from"), people.Draw(t, "to"), ids.Draw(t, "token"), amounts.Draw(t, "amount"))
		case 2:
			return storetest.MoveAvatar(people.Draw(t, "from"), people.Draw(t, "to"), ids.Draw(t, "token"))
		case 3:
			return onchain.Approval{Contract: collections.Draw(t, "collection"), Owner: owners.Draw(t, "owner"),
				Operator: operators.Draw(t, "operator"), Approved: rapid.Bool().Draw(t, "approved")}
		case 4:
			return storetest.AllowOne(owners.Draw(t, "owner"), operators.Draw(t, "operator"), ids.Draw(t, "token"))
		case 5:
			return storetest.List(numbers.Draw(t, "listing"), terms())
		case 6:
			return storetest.Relist(numbers.Draw(t, "listing"), terms())
		case 7:
			return storetest.Cancel(numbers.Draw(t, "listing"))
		case 8:
			return onchain.UserOperationEvent{
				Hash: eth.Hash{byte(amounts.Draw(t, "hash"))}, Sender: storetest.WalletA, Success: rapid.Bool().Draw(t, "success"),
			}
		case 9:
			return onchain.SupplyCap{Contract: collections.Draw(t, "collection"), TokenID: rapid.SampledFrom([]string{"", "1"}).Draw(t, "token"),
				Max: money.FromInt(amounts.Draw(t, "max"))}
		case 10:
			return onchain.FixedTable{Contract: collections.Draw(t, "collection"), TokenID: ids.Draw(t, "token"),
				Hash: [32]byte{byte(amounts.Draw(t, "table"))}}
		default:
			n := amounts.Draw(t, "bought")
			return onchain.ListingEvent{Kind: onchain.ListingSold, ListingID: numbers.Draw(t, "listing"), Sale: &onchain.Sale{
				Seller: storetest.Seller, Contract: storetest.Items, TokenID: ids.Draw(t, "token"), Buyer: people.Draw(t, "buyer"),
				Quantity: n, Total: money.FromInt(n * amounts.Draw(t, "price") * 1000)}}
		}
	})
	return rapid.SliceOfN(one, 0, 6).Draw(t, "facts")
}

// After any sequence of applied and rewound blocks the index equals one built from nothing, every hold is on an
// existing unit, and a reset leaves nothing.
// Spec: MARKET-18, MARKET-19, CHAIN-10
func TestIndex_EqualsOneFromNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			x, other := storetest.OpenIndex(t, engine), storetest.OpenIndex(t, engine)
			empty := x.State()
			branch := 0
			rapid.Check(t, func(t *rapid.T) {
				for _, y := range []*storetest.Indexed{x, other} {
					y.Reset()
					if got := y.State(); got != empty {
						t.Fatalf("a reset left\n%s", got)
					}
				}
				history := []onchain.Batch{}
				tip := onchain.Block{}
				if rapid.Bool().Draw(t, "stocked") { // drawn facts alone rarely make a listing that can be bought
					b := storetest.BatchAfter(tip, x.Clock.Now(), "stocked", storetest.MintItems(storetest.Seller, "1", 9),
						storetest.MintItems(storetest.Seller, "2", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
						storetest.MoveAvatar(eth.Address{}, storetest.Seller, "1"),
						storetest.AllowAll(storetest.Avatars, storetest.Seller, true), storetest.List("0", storetest.TermsOf(storetest.Items, "1", 4)),
						storetest.List("1", storetest.TermsOf(storetest.Avatars, "1", 1)), storetest.List("2", storetest.TermsOf(storetest.Avatars, "1", 1)))
					x.OK(x.Index.ApplyBatch(x.T.Context(), b))
					history, tip = append(history, b), b.Blocks[0]
					holdSomething(x, t)
				}
				for range rapid.IntRange(1, 8).Draw(t, "steps") {
					switch {
					case len(history) > 1 && rapid.IntRange(0, 3).Draw(t, "rewind") == 0:
						keep := rapid.IntRange(1, len(history)).Draw(t, "keep")
						history = history[:keep]
						tip = history[keep-1].Blocks[0]
						x.OK(x.Index.Rewind(x.T.Context(), storetest.Chain, tip))
					default:
						applied := len(history)
						for range rapid.IntRange(1, 3).Draw(t, "blocks at once") {
							branch++
							b := storetest.BatchAfter(tip, x.Clock.Now(), fmt.Sprint(branch), anyFacts(t)...)
							history, tip = append(history, b), b.Blocks[0]
						}
						x.OK(x.Index.ApplyBatch(x.T.Context(), storetest.Joined(history[applied:])))
					}
					holdSomething(x, t)
				}
				for len(history) > 0 {
					n := rapid.IntRange(1, len(history)).Draw(t, "blocks at once")
					other.OK(other.Index.ApplyBatch(other.T.Context(), storetest.Joined(history[:n])))
					history = history[n:]
				}
				if got, want := x.State(), other.State(); got != want {
					t.Fatalf("the index holds\n%s\none from nothing\n%s", got, want)
				}
			})
		})
	}
}

// holdSomething checks that the holds are on existing units, and holds a unit that can be bought.
func holdSomething(x *storetest.Indexed, t *rapid.T) {
	misplaced := x.Rows(`SELECT h.listing_id, h.unit, l.quantity, l.status, l.valid FROM cart_hold h JOIN listing l ON l.id = h.listing_id
		WHERE h.unit >= l.quantity OR l.status <> 'active' OR l.valid = 0`)
	if len(misplaced) > 0 {
		t.Fatalf("holds of units that are not there: %v", misplaced)
	}
	uncovered := x.Rows(
		`SELECT l.seller, l.contract, l.token_id, SUM(l.quantity) FROM listing l
		WHERE l.valid = 1 GROUP BY l.chain_id, l.seller, l.contract, l.token_id
		HAVING SUM(l.quantity) > COALESCE((SELECT CAST(h.amount AS BIGINT) FROM holding h
			WHERE h.chain_id = l.chain_id AND h.contract = l.contract AND h.token_id = l.token_id AND h.owner = l.seller), 0)`)
	if len(uncovered) > 0 {
		t.Fatalf("more is on offer than its seller has: %v", uncovered)
	}
	units := x.Rows("SELECT listing_id, quantity FROM listing WHERE status = 'active' AND valid = 1 ORDER BY id")
	for _, line := range units {
		f := strings.Fields(line)
		quantity, _ := new(big.Int).SetString(f[1], 10)
		unit := rapid.Int64Range(0, quantity.Int64()-1).Draw(t, "unit")
		x.Hold(f[0], unit, rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "holder"), rapid.IntRange(0, 60).Draw(t, "age"))
	}
}

// BenchmarkApplyBatch stores batches of 1,000 transfers among 200 owners, as an index does while it catches up.
func BenchmarkApplyBatch(b *testing.B) {
	const size = 1000
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		b.Run(string(engine), func(b *testing.B) {
			x := storetest.OpenIndex(b, engine)
			owner := func(n int) eth.Address { return eth.Address{1, byte(n % 200)} }
			i := 0
			for b.Loop() {
				facts := make([]any, size)
				for j := range facts {
					i++
					facts[j] = storetest.MoveItems(owner(i), owner(i*7+3), fmt.Sprint(i%50), 1)
				}
				x.Apply(facts...)
			}
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}
