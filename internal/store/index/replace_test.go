package index_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit/storetest"
)

func wantSame(x, shadow *storetest.Indexed) {
	x.T.Helper()
	if got, want := x.State(), shadow.State(); got != want {
		x.T.Errorf("the index holds\n%s\nthe shadow index\n%s", got, want)
	}
}

func TestReplace_OfAnEqualIndexChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		traded(x)
		traded(shadow)
		before := x.State()
		x.ToldAll()
		x.Replace(shadow)
		if after := x.State(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
		x.Want("holds", x.Holds(), fmt.Sprintf("%d-0 0 C", storetest.Chain))
		x.Want("announcements", x.ToldAll())
	})
}

// Whatever an index lacks, it then has, and no hold is lost whose unit can still be bought.
func TestReplace_MakesAnIndexEqual(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			x, shadow := storetest.OpenIndex(t, engine), storetest.OpenIndex(t, store.SQLite)
			rapid.Check(t, func(t *rapid.T) {
				x.Reset()
				shadow.Reset()
				tip := onchain.Block{}
				var history []onchain.Batch // of the chain
				batch := func(b onchain.Batch, facts []any) onchain.Batch {
					blocks := b.Blocks
					b = storetest.BatchAfter(tip, b.Blocks[0].Time, "", facts...)
					b.Blocks = blocks
					return b
				}
				var facts []any
				if rapid.Bool().Draw(t, "stocked") {
					facts = []any{
						storetest.MintItems(storetest.Seller, "1", 9), storetest.AllowAll(storetest.Items, storetest.Seller, true),
						storetest.MoveAvatar(eth.Address{}, storetest.Seller, "1"), storetest.AllowAll(storetest.Avatars, storetest.Seller, true),
						storetest.List("0", storetest.TermsOf(storetest.Items, "1", 4)),
						storetest.List("1", storetest.TermsOf(storetest.Avatars, "1", 1)),
					}
				}
				for n := range rapid.IntRange(1, 6).Draw(t, "blocks") {
					if n > 0 {
						facts = anyFacts(t)
					}
					b := storetest.BatchAfter(tip, x.Clock.Now(), fmt.Sprint(n), facts...)
					some := facts
					if n > 0 || len(facts) > 0 && rapid.Bool().Draw(t, "incomplete") {
						some = rapid.SliceOfN(rapid.SampledFrom(append(facts, storetest.Cancel("1"))), 0, len(facts)).Draw(t, "indexed")
					}
					x.OK(x.Index.ApplyBatch(x.T.Context(), batch(b, some)))
					history = append(history, batch(b, facts))
					tip = b.Blocks[0]
					holdSomething(x, t)
				}
				if rapid.Bool().Draw(t, "damaged") {
					x.Exec(rapid.SampledFrom([]string{
						"DELETE FROM holding WHERE token_id = '1'", "UPDATE holding SET amount = '77'", "DELETE FROM supply",
						"UPDATE listing SET lapsed = 1, quantity = 1", "UPDATE listing SET status = 'sold', valid = 0, browsable = 0",
						"DELETE FROM chain_source", "DELETE FROM rarity_count",
					}).Draw(t, "damage"))
				}
				if rapid.Bool().Draw(t, "further") { // the shadow index is ahead
					history = append(history, storetest.BatchAfter(tip, x.Clock.Now(), "further", anyFacts(t)...))
				}
				for len(history) > 0 { // read in other ranges, of which the last blocks are known
					n := rapid.IntRange(1, len(history)).Draw(t, "blocks at once")
					b := storetest.Joined(history[:n])
					b.Blocks = b.Blocks[n-1:]
					shadow.OK(shadow.Index.ApplyBatch(shadow.T.Context(), b))
					history = history[n:]
				}
				r := x.Replacement(shadow)
				r.StopAt = func(context.Context, onchain.Block) (bool, error) { return true, nil }
				x.OK(x.Index.Compare(x.T.Context(), r))
				x.OK(x.Index.Replace(x.T.Context(), r))
				x.Exec("UPDATE chain_cursor SET generation = 0")
				x.Exec("UPDATE chain_cursor SET settled_block = 0")
				shadow.Exec("UPDATE chain_cursor SET settled_block = 0")
				if got, want := x.State(), shadow.State(); got != want {
					t.Fatalf("the index holds\n%s\nthe shadow index\n%s", got, want)
				}
				holdSomething(x, t)
			})
		})
	}
}

// Holds of listings that are gone end, with a message to the player; others stay.
func TestReplace_EndsHoldsOfWhatIsGone(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		facts := []any{
			storetest.MintItems(storetest.Seller, "1", 5), storetest.AllowAll(storetest.Items, storetest.Seller, true),
			storetest.List("0", storetest.TermsOf(storetest.Items, "1", 2)), storetest.List("1", storetest.TermsOf(storetest.Items, "1", 2)),
		}
		b := x.Next(facts...)
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		b.Listings = b.Listings[:1]
		shadow.OK(shadow.Index.ApplyBatch(t.Context(), b))
		x.Hold("0", 0, "A", 0)
		x.Hold("1", 0, "C", 0)
		x.Told()
		x.Replace(shadow)
		wantSame(x, shadow)
		x.Want("holds", x.Holds(), fmt.Sprintf("%d-0 0 A", storetest.Chain))
		told := x.Told()
		if len(told) == 0 || told[0] != fmt.Sprintf("C: listing/hold-ended map[assetContractAddress:%s index:0 listingId:1 "+
			"message:This can't be bought any more, so it has left your cart.]", storetest.Items) {
			t.Errorf("announcements %q", told)
		}
	})
}

// What was burned unseen is settled: the rewards of what was settled before are not granted again.
func TestReplace_SettlesBurnsThatWereMissed(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		b := x.Next(storetest.MintItems(storetest.WalletA, "1", 5), storetest.MoveItems(storetest.WalletA, eth.Address{}, "1", 1))
		shadow.OK(shadow.Index.ApplyBatch(t.Context(), b))
		b.Transfers = b.Transfers[:1]
		x.OK(x.Index.ApplyBatch(t.Context(), b))
		x.Exec("UPDATE chain_cursor SET settled_block = 7")
		x.Replace(shadow)
		x.Want("settled up to", x.Rows("SELECT settled_block FROM chain_cursor"), "1")
	})
}

func TestReplace_RefusesAnIndexThatHasChangedSinceItWasCompared(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		traded(x)
		traded(shadow)
		for _, disturb := range []string{ // a token that joins, one that has joined, a reorganisation
			"INSERT INTO chain_source (chain_id, contract, kind, next_block) " +
				"VALUES (1337042, '0x00000000000000000000000000000000000000ff', 'erc721', 0)",
			"UPDATE chain_cursor SET generation = generation + 1", "DELETE FROM chain_block",
		} {
			r := x.Replacement(shadow)
			x.OK(x.Index.Compare(t.Context(), r))
			x.Exec(disturb)
			if err := x.Index.Replace(t.Context(), r); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s: %v, want a conflict", disturb, err)
			}
			x.Exec("DELETE FROM chain_source WHERE contract LIKE '%ff'")
		}
	})
}

func TestReplace_OfAnotherChainIsAskedFor(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		traded(x)
		b := storetest.BatchAfter(onchain.Block{}, shadow.Clock.Now().Add(time.Second), "another",
			storetest.MintItems(storetest.Stranger, "2", 1))
		shadow.OK(shadow.Index.ApplyBatch(t.Context(), b))
		before := x.State()
		r := x.Replacement(shadow)
		x.OK(x.Index.Compare(t.Context(), r))
		if err := x.Index.Replace(t.Context(), r); !errors.Is(err, index.ErrOtherChain) || fault.Is(err, fault.Conflict) {
			t.Fatal(err)
		}
		if after := x.State(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
		r.OtherChain = true
		x.OK(x.Index.Replace(t.Context(), r))
		x.Exec("UPDATE chain_cursor SET generation = 0")
		wantSame(x, shadow)
		x.Want("holds", x.Holds())
	})
}

// An index that is behind must not take the place of one that is further.
func TestReplace_ByAnIndexThatIsBehindIsRefused(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		shadow := storetest.OpenIndex(t, store.SQLite)
		traded(x)
		traded(shadow)
		x.Apply(storetest.MintItems(storetest.Stranger, "3", 1))
		before := x.State()
		r := x.Replacement(shadow)
		r.OtherChain = true
		for _, has := range []bool{true, false} {
			r.StopAt = func(context.Context, onchain.Block) (bool, error) { return has, nil }
			x.OK(x.Index.Compare(t.Context(), r))
			if err := x.Index.Replace(t.Context(), r); !fault.Is(err, fault.Conflict) {
				t.Errorf("the chain has the block: %t: %v, want a conflict", has, err)
			}
		}
		if after := x.State(); after != before {
			t.Errorf("was\n%s\nis\n%s", before, after)
		}
	})
}
