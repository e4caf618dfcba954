package index_test

import (
	"slices"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

func TestIndex_MovementsAreThoseThatMintOrLeaveAWalletOfThePortal(t *testing.T) {
	t.Parallel()
	storetest.EachIndex(t, func(t *testing.T, x *storetest.Indexed) {
		x.OK(gasstore.New(x.DB).RaiseNonce(t.Context(), testkit.GameChain, storetest.WalletA, 0, 0))
		x.Apply(storetest.MintItems(storetest.WalletA, "1", 5), move(eth.Address{}, storetest.WalletB, 1))
		x.Apply(storetest.MoveItems(storetest.WalletA, storetest.WalletB, "1", 2))
		x.Apply(storetest.MoveItems(storetest.WalletB, storetest.WalletA, "1", 1))
		last := x.Apply(storetest.MintItems(storetest.WalletB, "1", 1))
		all := func(limit int) (out []gas.Movement) {
			after := gas.Movement{}
			for {
				page, err := x.Index.Movements(t.Context(), testkit.GameChain, after, limit)
				x.OK(err)
				out = append(out, page...)
				if len(page) < limit {
					return out
				}
				after = page[len(page)-1]
			}
		}
		whole := all(100)
		if len(whole) != 4 || whole[3].Block != last.Number {
			t.Fatalf("there are %v, want two mints, A's move, and a mint of block %d", whole, last.Number)
		}
		if n, ok, err := x.Index.Complete(t.Context(), testkit.GameChain); n != last.Number || !ok || err != nil {
			t.Errorf("complete up to %d, %t, %v; want %d", n, ok, err, last.Number)
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
