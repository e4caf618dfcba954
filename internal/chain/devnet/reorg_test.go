package devnet

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
)

// chainOf mines n blocks with one payment each after the first block, which is empty, and returns the payments.
func chainOf(t *testing.T, c *Chain, n int) []*types.Transaction {
	t.Helper()
	var txs []*types.Transaction
	for i := range n {
		tx := pay(t, c, WalletOf(Manager), uint64(i), "")
		send(t, c, tx)
		if _, err := c.Mine(t.Context()); err != nil {
			t.Fatal(err)
		}
		txs = append(txs, tx)
	}
	return txs
}

func TestReorg_ReplacesTheNewestBlocks(t *testing.T) {
	t.Parallel()
	for depth := 1; depth <= 12; depth++ {
		t.Run(fmt.Sprintf("%d blocks", depth), func(t *testing.T) {
			t.Parallel()
			c := open(t, Options{})
			txs := chainOf(t, c, 13)
			client := ethclient.NewClient(c.Client())
			kept, err := client.HeaderByNumber(t.Context(), big.NewInt(int64(14-depth)))
			if err != nil {
				t.Fatal(err)
			}
			old, err := client.HeaderByNumber(t.Context(), big.NewInt(int64(14-depth+1)))
			if err != nil {
				t.Fatal(err)
			}

			same := func(_ int, replaced []*types.Transaction) []*types.Transaction { return replaced }
			if err := c.Reorg(t.Context(), depth, same); err != nil {
				t.Fatal(err)
			}

			if head := c.Head(); head.Number != 15 {
				t.Errorf("the branch ends at block %d, want one more than the 14 before", head.Number)
			}
			branch, err := client.HeaderByNumber(t.Context(), old.Number)
			if err != nil {
				t.Fatal(err)
			}
			if branch.ParentHash != kept.Hash() || branch.Hash() == old.Hash() {
				t.Errorf("block %d is %s on %s; it was %s on %s", old.Number, branch.Hash(), branch.ParentHash, old.Hash(), kept.Hash())
			}
			for i, tx := range txs {
				receipt, err := client.TransactionReceipt(t.Context(), tx.Hash())
				if err != nil || receipt.BlockNumber.Int64() != int64(i+2) {
					t.Errorf("payment %d: %v, %v", i, receipt, err)
				}
			}
		})
	}
}

func TestReorg_WithoutContentReturnsTransactionsToThePool(t *testing.T) {
	t.Parallel()
	c := open(t, Options{})
	txs := chainOf(t, c, 3)
	client := ethclient.NewClient(c.Client())
	if err := c.Reorg(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	for _, tx := range txs[1:] {
		if _, err := client.TransactionReceipt(t.Context(), tx.Hash()); err == nil {
			t.Errorf("payment %d is in the empty branch", tx.Nonce())
		}
	}
	if _, err := c.Mine(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tx := range txs[1:] {
		if _, err := client.TransactionReceipt(t.Context(), tx.Hash()); err != nil {
			t.Errorf("payment %d was not mined again: %v", tx.Nonce(), err)
		}
	}
}

func TestReorg_CanReplaceATransactionForGood(t *testing.T) {
	t.Parallel()
	c := open(t, Options{})
	txs := chainOf(t, c, 2)
	client := ethclient.NewClient(c.Client())
	rival := pay(t, c, WalletOf(Manager), 1, "instead")
	err := c.Reorg(t.Context(), 1, func(i int, _ []*types.Transaction) []*types.Transaction {
		if i == 0 {
			return []*types.Transaction{rival}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Mine(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.TransactionReceipt(t.Context(), rival.Hash()); err != nil {
		t.Errorf("the replacement is not on the chain: %v", err)
	}
	if _, err := client.TransactionReceipt(t.Context(), txs[1].Hash()); err == nil {
		t.Error("the replaced transaction is on the chain")
	}
}

func TestReorg_AnnouncesNoHeadBelowTheBranch(t *testing.T) {
	t.Parallel()
	c := open(t, Options{})
	chainOf(t, c, 3)
	heads := make(chan *types.Header, 8)
	sub, err := ethclient.NewClient(c.Client()).SubscribeNewHead(t.Context(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	if err := c.Reorg(t.Context(), 3, nil); err != nil {
		t.Fatal(err)
	}
	for head := range heads {
		if head.Number.Uint64() < 2 {
			t.Errorf("block %d, below the branch, was announced", head.Number)
		}
		if head.Number.Uint64() == 5 {
			break
		}
	}
}

func TestReorg_ImpossibleReorgChangesNothing(t *testing.T) {
	t.Parallel()
	c := open(t, Options{})
	chainOf(t, c, 2)
	head := c.Head()
	outOfOrder := func(int, []*types.Transaction) []*types.Transaction {
		return []*types.Transaction{pay(t, c, WalletOf(Manager), 9, "")}
	}
	if err := c.Reorg(t.Context(), 1, outOfOrder); err == nil {
		t.Error("a branch with an invalid transaction was accepted")
	}
	for _, depth := range []int{-1, 0, 4} {
		if err := c.Reorg(t.Context(), depth, nil); err == nil {
			t.Errorf("a reorganisation of %d of 3 blocks was accepted", depth)
		}
	}
	if c.Head() != head {
		t.Errorf("the head moved from %+v to %+v", head, c.Head())
	}
}
