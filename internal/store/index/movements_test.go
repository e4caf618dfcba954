package index_test

import (
	"slices"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestIndex_MovementsAreThoseThatMintOrLeaveAWallet(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5), move(eth.Address{}, storetest.WalletB, 1))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 2))
		x.Apply(storetest.MoveItems(storetest.WalletB, storetest.WalletA, "1", 1))
		last := x.Apply(storetest.MintItems(storetest.WalletB, "1", 1))
		all := func(limit int) (out []gas.Movement) {
			after := gas.Movement{}
			for {
				page, err := x.Index.Movements(t.Context(), testkit.GameChain, storetest.WalletA, after, limit)
				x.OK(err)
				out = append(out, page...)
				if len(page) < limit {
					return out
				}
				after = page[len(page)-1]
			}
		}
		whole := all(100)
		if len(whole) < 3 || whole[len(whole)-1].Block != last.Number {
			t.Fatalf("there are %v, want mints and A's move, and last that of block %d", whole, last.Number)
		}
		if paged := all(1); !slices.Equal(paged, whole) {
			t.Errorf("one by one there are %v, want %v", paged, whole)
		}
		for _, m := range whole {
			if m.Block == last.Number-1 {
				t.Errorf("B's move is among %v", whole)
			}
		}
	})
}
