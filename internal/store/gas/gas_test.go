package gas_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// eachGas runs the test on both databases, with a player P.
func eachGas(t *testing.T, test func(t *testing.T, g gasstore.Store)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		if err := db.Write(t.Context(), storetest.InsertPlayer("P")); err != nil {
			t.Fatal(err)
		}
		test(t, gasstore.New(db))
	})
}

func addOperation(t *testing.T, g gasstore.Store, name string, nonce uint64) gas.Operation {
	t.Helper()
	op := storetest.Operation(name, nonce)
	storetest.Sponsor(t, g.DB, op)
	kept, err := g.AddOperation(t.Context(), op)
	storetest.Must(t, err)
	return kept
}

func wantState(t *testing.T, g gasstore.Store, name string, want gas.OperationState) gas.Operation {
	t.Helper()
	op, err := g.Operation(t.Context(), storetest.HashOf(name))
	storetest.Must(t, err)
	if op.State != want {
		t.Fatalf("operation %s is %s, want %s", name, op.State, want)
	}
	return op
}

func TestGas_TransactionIsKeptOnce(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		first, err := g.AddTransaction(t.Context(), storetest.GasTransaction("a"))
		storetest.Must(t, err)
		other := storetest.GasTransaction("a")
		other.Data = []byte("something else")
		second, err := g.AddTransaction(t.Context(), other)
		storetest.Must(t, err)
		if string(second.Data) != string(first.Data) || second.State != gas.TransactionPending || second.Value.String() != "5" {
			t.Fatalf("kept %+v", second)
		}
		if _, err := g.Transaction(t.Context(), "unknown"); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
	})
}

func TestGas_NonceGoesToOneTransaction(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		const rivals = 16
		storetest.Must(t, g.RaiseNonce(t.Context(), storetest.GasChain, storetest.GasSender, 7, 0),
			g.RaiseNonce(t.Context(), storetest.GasChain, storetest.GasSender, 4, 0))
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range rivals {
			id := fmt.Sprint("rival ", i)
			_, err := g.AddTransaction(t.Context(), storetest.GasTransaction(id))
			storetest.Must(t, err)
			wg.Go(func() {
				switch err := g.Signed(t.Context(), id, 7, storetest.GasAttempt(id), storetest.GasStart); {
				case err == nil:
					won.Add(1)
				case !fault.Is(err, fault.Conflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		next, err := g.NextNonce(t.Context(), storetest.GasChain, storetest.GasSender)
		storetest.Must(t, err)
		if won.Load() != 1 || next != 8 {
			t.Fatalf("%d transactions took nonce 7, the next is %d", won.Load(), next)
		}
		sent, err := g.SentTransactions(t.Context(), storetest.GasChain)
		storetest.Must(t, err)
		pending, err := g.PendingTransactions(t.Context(), storetest.GasChain, 100)
		storetest.Must(t, err)
		if len(sent) != 1 || sent[0].Nonce != 7 || len(sent[0].Attempts) != 1 || len(pending) != rivals-1 {
			t.Fatalf("sent %+v, %d pending", sent, len(pending))
		}
	})
}

func TestGas_TransactionTravelsWithItsOperations(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		one, two := addOperation(t, g, "one", 0), addOperation(t, g, "two", 1)
		storetest.Must(t, g.Bundle(ctx, storetest.GasTransaction("b"), []eth.Hash{one.Hash, two.Hash}))
		addOperation(t, g, "three", 2) // of the same account: it waits until the others are settled
		if queued, err := g.QueuedOperations(ctx, storetest.GasChain, 10); err != nil || len(queued) != 0 {
			t.Fatalf("still queued: %v (%v)", queued, err)
		}
		if err := g.Bundle(ctx, storetest.GasTransaction("c"), []eth.Hash{two.Hash}); !fault.Is(err, fault.Conflict) {
			t.Fatalf("an operation went into a second bundle: %v", err)
		}
		if _, err := g.Transaction(ctx, "c"); !fault.Is(err, fault.NotFound) {
			t.Fatalf("a bundle without its operations was kept: %v", err)
		}
		storetest.Must(t, g.Signed(ctx, "b", 0, storetest.GasAttempt("first"), storetest.GasStart))
		storetest.Must(t, g.Resigned(ctx, "b", storetest.GasAttempt("second"), storetest.GasStart))
		if op := wantState(t, g, "one", gas.OperationSent); op.TxHash != storetest.HashOf("second") {
			t.Fatal("the operation does not travel in the newest attempt")
		}

		mined := gas.Receipt{TxHash: storetest.HashOf("first"), Block: 12, BlockHash: storetest.HashOf("block 12"), Succeeded: true}
		storetest.Must(t, g.Mined(ctx, "b", mined, storetest.GasStart))
		bundles, err := g.UnsettledBundles(ctx, storetest.GasChain)
		storetest.Must(t, err)
		if len(bundles) != 1 || len(bundles[0].Operations) != 2 || bundles[0].Transaction.TxHash != storetest.HashOf("first") {
			t.Fatalf("unsettled: %+v", bundles)
		}
		settle := func(block string) {
			storetest.Must(t, g.Settle(ctx, []gas.Outcome{
				{Hash: one.Hash, TxHash: storetest.HashOf("first"), BlockHash: storetest.HashOf(block), Succeeded: true},
				{Hash: two.Hash, TxHash: storetest.HashOf("first"), BlockHash: storetest.HashOf(block), Reason: "sold out"},
			}, storetest.GasStart))
		}
		if queued, err := g.QueuedOperations(ctx, storetest.GasChain, 10); err != nil || len(queued) != 0 {
			t.Fatalf("queued beside one on its way: %v (%v)", queued, err)
		}
		settle("block 12")
		queued, err := g.QueuedOperations(ctx, storetest.GasChain, 10)
		if err != nil || len(queued) != 1 || queued[0].Hash != storetest.HashOf("three") {
			t.Fatalf("queued: %v (%v)", queued, err)
		}
		wantState(t, g, "one", gas.OperationIncluded)
		if op := wantState(t, g, "two", gas.OperationFailed); op.Reason != "sold out" || op.BlockHash != storetest.HashOf("block 12") {
			t.Fatalf("failed as %+v", op)
		}

		storetest.Must(t, g.Unmined(ctx, "b", storetest.GasStart))
		wantState(t, g, "one", gas.OperationSent)
		if op := wantState(t, g, "two", gas.OperationSent); op.Reason != "" || !op.BlockHash.IsZero() {
			t.Fatalf("back on its way as %+v", op)
		}
		storetest.Must(t, g.Mined(ctx, "b", mined, storetest.GasStart))
		settle("block 12")
		mined.Block, mined.BlockHash = 13, storetest.HashOf("block 13")
		storetest.Must(t, g.Mined(ctx, "b", mined, storetest.GasStart)) // directly into another block
		wantState(t, g, "one", gas.OperationSent)
		settle("block 13")

		storetest.Must(t, g.Finalise(ctx, storetest.GasChain, 12))
		if watched, err := g.MinedTransactions(ctx, storetest.GasChain); err != nil || len(watched) != 1 || len(watched[0].Attempts) != 2 {
			t.Fatalf("watched: %+v (%v)", watched, err)
		}
		storetest.Must(t, g.Finalise(ctx, storetest.GasChain, 13))
		if watched, err := g.MinedTransactions(ctx, storetest.GasChain); err != nil || len(watched) != 0 {
			t.Fatalf("still watched: %+v (%v)", watched, err)
		}
		wantState(t, g, "one", gas.OperationIncluded)
	})
}

func TestGas_OperationIsKeptOnceAndItsNonceIsGoodForOne(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		const rivals = 8
		storetest.Sponsor(t, g.DB, storetest.Operation("same", 1))
		storetest.Sponsor(t, g.DB, storetest.Operation("other", 1))
		var wg sync.WaitGroup
		for range rivals {
			wg.Go(func() {
				if _, err := g.AddOperation(ctx, storetest.Operation("same", 1)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if _, err := g.AddOperation(ctx, storetest.Operation("other", 1)); !fault.Is(err, fault.Conflict) {
			t.Fatalf("a second operation took the nonce: %v", err)
		}
		storetest.Must(t, g.Drop(ctx, storetest.HashOf("same"), "it would revert", storetest.GasStart))
		if op := wantState(t, g, "same", gas.OperationDropped); op.Reason != "it would revert" {
			t.Fatalf("dropped as %+v", op)
		}
		if _, err := g.AddOperation(ctx, storetest.Operation("other", 1)); err != nil {
			t.Fatalf("a dropped operation keeps its nonce: %v", err)
		}
		if _, err := g.AddOperation(ctx, storetest.Operation("not sponsored", 2)); fault.As(err) == nil || fault.As(err).Reason != "sponsorship" {
			t.Fatalf("an operation without a sponsorship: %v", err)
		}
	})
}

func TestGas_RevertedBundleReturnsItsOperationToTheQueue(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		op := addOperation(t, g, "op", 0)
		storetest.Must(t, g.Bundle(ctx, storetest.GasTransaction("a"), []eth.Hash{op.Hash}),
			g.Signed(ctx, "a", 0, storetest.GasAttempt("a"), storetest.GasStart),
			g.Mined(ctx, "a", gas.Receipt{TxHash: storetest.HashOf("a"), Block: 1, BlockHash: storetest.HashOf("1"), Reason: "AA25"},
				storetest.GasStart),
			g.Requeue(ctx, op.Hash, storetest.GasStart))
		if got := wantState(t, g, "op", gas.OperationQueued); got.Reverts != 1 || got.Bundle != "" || !got.TxHash.IsZero() {
			t.Fatalf("queued as %+v", got)
		}
		storetest.Must(t, g.Bundle(ctx, storetest.GasTransaction("b"), []eth.Hash{op.Hash}),
			g.Abandon(ctx, "b", "cannot be sent", storetest.GasStart))
		if got := wantState(t, g, "op", gas.OperationQueued); got.Bundle != "" {
			t.Fatalf("an abandoned transaction still carries %+v", got)
		}
		if b, err := g.Transaction(ctx, "b"); err != nil || b.State != gas.TransactionFailed || b.Reason != "cannot be sent" {
			t.Fatalf("abandoned: %+v (%v)", b, err)
		}
	})
}

func TestFrozenOperations_AreFoundBehindCancellations(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		add := func(op gas.Operation) {
			t.Helper()
			storetest.Sponsor(t, g.DB, op)
			_, err := g.AddOperation(ctx, op)
			storetest.Must(t, err)
		}
		for n := range uint64(3) {
			cancellation := storetest.Operation(fmt.Sprint("cancellation ", n), n)
			cancellation.Operation.CallData = gas.EncodeCalls(nil)
			add(cancellation)
		}
		newer := storetest.Operation("newer", 3)
		newer.CreatedAt = newer.CreatedAt.Add(time.Second)
		add(newer)
		if _, err := operators.Store(g).FreezePlayer(ctx, "P", operator.Entry{Reason: "stolen card", At: storetest.GasStart}); err != nil {
			t.Fatal(err)
		}
		if ops, err := g.FrozenOperations(ctx, storetest.GasChain, 2); err != nil || len(ops) != 1 || ops[0].Hash != newer.Hash {
			t.Errorf("found are %d operations (%v), want the one that is no cancellation", len(ops), err)
		}
	})
}

func TestGas_EveryStepIsReturnedUntilItsNotificationIsRecorded(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		untold := func() []gas.Operation {
			t.Helper()
			ops, err := g.UntoldOperations(ctx, storetest.GasChain, 10)
			storetest.Must(t, err)
			return ops
		}
		tell := func(want gas.OperationState, told gas.Step) gas.Operation {
			t.Helper()
			ops := untold()
			if len(ops) != 1 || ops[0].State != want || ops[0].Told != told {
				t.Fatalf("to be told: %+v, want one %s after step %d", ops, want, told)
			}
			storetest.Must(t, g.Told(ctx, ops[0]))
			if left := untold(); len(left) != 0 {
				t.Fatalf("told, but returned again: %+v", left)
			}
			return ops[0]
		}
		op := addOperation(t, g, "op", 0)
		accepted := tell(gas.OperationQueued, gas.StepNone)
		storetest.Must(t, g.Bundle(ctx, storetest.GasTransaction("a"), []eth.Hash{op.Hash}),
			g.Signed(ctx, "a", 0, storetest.GasAttempt("1"), storetest.GasStart))
		storetest.Must(t, g.Told(ctx, accepted)) // a late notification of an older state does not cover the newer one
		tell(gas.OperationSent, gas.StepAccepted)
		storetest.Must(t, g.Resigned(ctx, "a", storetest.GasAttempt("2"), storetest.GasStart))
		tell(gas.OperationSent, gas.StepSent)
		storetest.Must(t, g.Mined(ctx, "a", gas.Receipt{TxHash: storetest.HashOf("2"), Block: 1, BlockHash: storetest.HashOf("b"),
			Succeeded: true}, storetest.GasStart),
			g.Settle(ctx, []gas.Outcome{{Hash: op.Hash, TxHash: storetest.HashOf("2"), BlockHash: storetest.HashOf("b"),
				Succeeded: true}}, storetest.GasStart))
		tell(gas.OperationIncluded, gas.StepSent)
		storetest.Must(t, g.Unmined(ctx, "a", storetest.GasStart))
		tell(gas.OperationSent, gas.StepSettled)
	})
}

func TestGas_PlayersAccountIsFound(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		if _, err := g.Account(ctx, "P"); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		if _, _, _, err := g.SealedKey(ctx, "P"); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		smart := eth.MustAddress("0x00000000000000000000000000000000000000bb")
		storetest.Must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
				PlayerID: "P", OwnerAddress: storetest.GasSender, SealedKey: "sealed", SealedBy: "key", SmartAddress: smart,
			})
			return err
		}))
		a, err := g.Account(ctx, "P")
		storetest.Must(t, err)
		owner, sealed, by, err := g.SealedKey(ctx, "P")
		storetest.Must(t, err)
		if a.Owner != storetest.GasSender || a.Smart != smart || owner != storetest.GasSender || sealed != "sealed" || by != "key" {
			t.Fatalf("account %+v, owner %s, key %q", a, owner, sealed)
		}
	})
}

// A payment while the account is deleted: one comes first, and no payment is deleted with its player.
// Spec: SAFE-12
func TestGas_NoPaymentBeginsWhileItsPlayerIsDeleted(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		g := gasstore.New(db)
		for i := range 25 {
			player := fmt.Sprint("P", i)
			storetest.Must(t, db.Write(t.Context(), storetest.InsertPlayer(player)))
			paid := make([]error, 8)
			var deleted error
			var wg sync.WaitGroup
			pay := []func(){func() {
				_, deleted = accounts.New(db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: player, At: storetest.GasStart})
			}}
			for n := range paid {
				op := storetest.Operation(fmt.Sprint(player, n), uint64(n))
				op.Player, op.Operation.Sender[0] = player, byte(i)
				storetest.Sponsor(t, db, op)
				pay = append(pay, func() { _, paid[n] = g.AddOperation(t.Context(), op) })
			}
			for _, f := range pay {
				wg.Go(f)
			}
			wg.Wait()
			for _, err := range paid {
				if deleted == nil && !fault.Is(err, fault.NotFound) || deleted != nil && !fault.Is(deleted, fault.Conflict) {
					t.Fatalf("deleting: %v; paying: %v", deleted, err)
				}
			}
		}
	})
}
