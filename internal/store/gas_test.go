package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/testkit"
)

const gasChain onchain.ChainID = 1337042

var (
	gasStart  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	gasSender = eth.MustAddress("0x00000000000000000000000000000000000000aa")
)

// eachGas runs the test on both databases, with a player P.
func eachGas(t *testing.T, test func(t *testing.T, g gasstore.Store)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		if err := db.Write(t.Context(), insertPlayer("P")); err != nil {
			t.Fatal(err)
		}
		test(t, gasstore.New(db))
	})
}

func hashOf(text string) eth.Hash { return eth.Keccak256([]byte(text)) }

func operation(name string, nonce uint64) gas.Operation {
	return gas.Operation{
		Hash: hashOf(name), Chain: gasChain, EntryPoint: gasSender, Player: "P", CreatedAt: gasStart,
		Operation: eth.UserOperation{
			Sender: gasSender, Nonce: eth.NewQuantity(nonce), CallData: gas.EncodeCalls([]gas.Call{{Target: gasSender, Data: []byte(name)}}),
			Signature: []byte{1},
		},
	}
}

func gasTransaction(id string) gas.Transaction {
	return gas.Transaction{
		ID: id, Chain: gasChain, From: gasSender, To: gasSender, Value: money.FromInt(5), Data: []byte("data of " + id), GasLimit: 21000,
		CreatedAt: gasStart,
	}
}

func gasAttempt(name string) gas.Attempt {
	return gas.Attempt{Hash: hashOf(name), Raw: []byte("raw " + name), FeeCap: money.FromInt(9), TipCap: money.FromInt(1), AtBlock: 3}
}

// sponsor gives the operation a sponsorship in a long-lived session of its player.
func sponsor(t testing.TB, db *store.DB, op gas.Operation) {
	t.Helper()
	must(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		session := "S" + op.Player
		if _, err := tx.Queries.Session(ctx, session); err != nil {
			if err := tx.InsertSession(ctx, gen.InsertSessionParams{
				ID: session, PlayerID: op.Player, SecretHash: session, ExpiresAt: column.At(gasStart.AddDate(10, 0, 0)),
			}); err != nil {
				return err
			}
		}
		return tx.InsertSponsorship(ctx, gen.InsertSponsorshipParams{
			Operation: op.Hash, ChainID: op.Chain, PlayerID: op.Player, SessionID: session, Sender: eth.Address(op.Hash[:20]),
			State: "reserved", Gwei: 1, CreatedAt: column.At(op.CreatedAt), ExpiresAt: column.At(op.CreatedAt.Add(10 * time.Minute)),
		})
	}))
}

// must fails the test on an error in its setup.
func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func addOperation(t *testing.T, g gasstore.Store, name string, nonce uint64) gas.Operation {
	t.Helper()
	op := operation(name, nonce)
	sponsor(t, g.DB, op)
	kept, err := g.AddOperation(t.Context(), op)
	must(t, err)
	return kept
}

func wantState(t *testing.T, g gasstore.Store, name string, want gas.OperationState) gas.Operation {
	t.Helper()
	op, err := g.Operation(t.Context(), hashOf(name))
	must(t, err)
	if op.State != want {
		t.Fatalf("operation %s is %s, want %s", name, op.State, want)
	}
	return op
}

func TestGas_TransactionIsKeptOnce(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		first, err := g.AddTransaction(t.Context(), gasTransaction("a"))
		must(t, err)
		other := gasTransaction("a")
		other.Data = []byte("something else")
		second, err := g.AddTransaction(t.Context(), other)
		must(t, err)
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
		must(t, g.RaiseNonce(t.Context(), gasChain, gasSender, 7), g.RaiseNonce(t.Context(), gasChain, gasSender, 4))
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range rivals {
			id := fmt.Sprint("rival ", i)
			_, err := g.AddTransaction(t.Context(), gasTransaction(id))
			must(t, err)
			wg.Go(func() {
				switch err := g.Signed(t.Context(), id, 7, gasAttempt(id), gasStart); {
				case err == nil:
					won.Add(1)
				case !fault.Is(err, fault.Conflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		next, err := g.NextNonce(t.Context(), gasChain, gasSender)
		must(t, err)
		if won.Load() != 1 || next != 8 {
			t.Fatalf("%d transactions took nonce 7, the next is %d", won.Load(), next)
		}
		sent, err := g.SentTransactions(t.Context(), gasChain)
		must(t, err)
		pending, err := g.PendingTransactions(t.Context(), gasChain, 100)
		must(t, err)
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
		must(t, g.Bundle(ctx, gasTransaction("b"), []eth.Hash{one.Hash, two.Hash}))
		addOperation(t, g, "three", 2) // of the same account: it waits until the others are settled
		if queued, err := g.QueuedOperations(ctx, gasChain, 10); err != nil || len(queued) != 0 {
			t.Fatalf("still queued: %v (%v)", queued, err)
		}
		if err := g.Bundle(ctx, gasTransaction("c"), []eth.Hash{two.Hash}); !fault.Is(err, fault.Conflict) {
			t.Fatalf("an operation went into a second bundle: %v", err)
		}
		if _, err := g.Transaction(ctx, "c"); !fault.Is(err, fault.NotFound) {
			t.Fatalf("a bundle without its operations was kept: %v", err)
		}
		must(t, g.Signed(ctx, "b", 0, gasAttempt("first"), gasStart))
		must(t, g.Resigned(ctx, "b", gasAttempt("second"), gasStart))
		if op := wantState(t, g, "one", gas.OperationSent); op.TxHash != hashOf("second") {
			t.Fatal("the operation does not travel in the newest attempt")
		}

		mined := gas.Receipt{TxHash: hashOf("first"), Block: 12, BlockHash: hashOf("block 12"), Succeeded: true}
		must(t, g.Mined(ctx, "b", mined, gasStart))
		bundles, err := g.UnsettledBundles(ctx, gasChain)
		must(t, err)
		if len(bundles) != 1 || len(bundles[0].Operations) != 2 || bundles[0].Transaction.TxHash != hashOf("first") {
			t.Fatalf("unsettled: %+v", bundles)
		}
		settle := func(block string) {
			must(t, g.Settle(ctx, []gas.Outcome{
				{Hash: one.Hash, TxHash: hashOf("first"), BlockHash: hashOf(block), Succeeded: true},
				{Hash: two.Hash, TxHash: hashOf("first"), BlockHash: hashOf(block), Reason: "sold out"},
			}, gasStart))
		}
		if queued, err := g.QueuedOperations(ctx, gasChain, 10); err != nil || len(queued) != 0 {
			t.Fatalf("queued beside one on its way: %v (%v)", queued, err)
		}
		settle("block 12")
		if queued, err := g.QueuedOperations(ctx, gasChain, 10); err != nil || len(queued) != 1 || queued[0].Hash != hashOf("three") {
			t.Fatalf("queued: %v (%v)", queued, err)
		}
		wantState(t, g, "one", gas.OperationIncluded)
		if op := wantState(t, g, "two", gas.OperationFailed); op.Reason != "sold out" || op.BlockHash != hashOf("block 12") {
			t.Fatalf("failed as %+v", op)
		}

		must(t, g.Unmined(ctx, "b", gasStart))
		wantState(t, g, "one", gas.OperationSent)
		if op := wantState(t, g, "two", gas.OperationSent); op.Reason != "" || !op.BlockHash.IsZero() {
			t.Fatalf("back on its way as %+v", op)
		}
		must(t, g.Mined(ctx, "b", mined, gasStart))
		settle("block 12")
		mined.Block, mined.BlockHash = 13, hashOf("block 13")
		must(t, g.Mined(ctx, "b", mined, gasStart)) // directly into another block
		wantState(t, g, "one", gas.OperationSent)
		settle("block 13")

		must(t, g.Finalise(ctx, gasChain, 12))
		if watched, err := g.MinedTransactions(ctx, gasChain); err != nil || len(watched) != 1 || len(watched[0].Attempts) != 2 {
			t.Fatalf("watched: %+v (%v)", watched, err)
		}
		must(t, g.Finalise(ctx, gasChain, 13))
		if watched, err := g.MinedTransactions(ctx, gasChain); err != nil || len(watched) != 0 {
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
		sponsor(t, g.DB, operation("same", 1))
		sponsor(t, g.DB, operation("other", 1))
		var wg sync.WaitGroup
		for range rivals {
			wg.Go(func() {
				if _, err := g.AddOperation(ctx, operation("same", 1)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if _, err := g.AddOperation(ctx, operation("other", 1)); !fault.Is(err, fault.Conflict) {
			t.Fatalf("a second operation took the nonce: %v", err)
		}
		must(t, g.Drop(ctx, hashOf("same"), "it would revert", gasStart))
		if op := wantState(t, g, "same", gas.OperationDropped); op.Reason != "it would revert" {
			t.Fatalf("dropped as %+v", op)
		}
		if _, err := g.AddOperation(ctx, operation("other", 1)); err != nil {
			t.Fatalf("a dropped operation keeps its nonce: %v", err)
		}
		if _, err := g.AddOperation(ctx, operation("not sponsored", 2)); fault.As(err) == nil || fault.As(err).Reason != "sponsorship" {
			t.Fatalf("an operation without a sponsorship: %v", err)
		}
	})
}

func TestGas_RevertedBundleReturnsItsOperationToTheQueue(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		ctx := t.Context()
		op := addOperation(t, g, "op", 0)
		must(t, g.Bundle(ctx, gasTransaction("a"), []eth.Hash{op.Hash}), g.Signed(ctx, "a", 0, gasAttempt("a"), gasStart),
			g.Mined(ctx, "a", gas.Receipt{TxHash: hashOf("a"), Block: 1, BlockHash: hashOf("1"), Reason: "AA25"}, gasStart),
			g.Requeue(ctx, op.Hash, gasStart))
		if got := wantState(t, g, "op", gas.OperationQueued); got.Reverts != 1 || got.Bundle != "" || !got.TxHash.IsZero() {
			t.Fatalf("queued as %+v", got)
		}
		must(t, g.Bundle(ctx, gasTransaction("b"), []eth.Hash{op.Hash}), g.Abandon(ctx, "b", "cannot be sent", gasStart))
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
			sponsor(t, g.DB, op)
			_, err := g.AddOperation(ctx, op)
			must(t, err)
		}
		for n := range uint64(3) {
			cancellation := operation(fmt.Sprint("cancellation ", n), n)
			cancellation.Operation.CallData = gas.EncodeCalls(nil)
			add(cancellation)
		}
		newer := operation("newer", 3)
		newer.CreatedAt = newer.CreatedAt.Add(time.Second)
		add(newer)
		if _, err := operators.Store(g).FreezePlayer(ctx, "P", operator.Entry{Reason: "stolen card", At: gasStart}); err != nil {
			t.Fatal(err)
		}
		if ops, err := g.FrozenOperations(ctx, gasChain, 2); err != nil || len(ops) != 1 || ops[0].Hash != newer.Hash {
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
			ops, err := g.UntoldOperations(ctx, gasChain, 10)
			must(t, err)
			return ops
		}
		tell := func(want gas.OperationState, told gas.Step) gas.Operation {
			t.Helper()
			ops := untold()
			if len(ops) != 1 || ops[0].State != want || ops[0].Told != told {
				t.Fatalf("to be told: %+v, want one %s after step %d", ops, want, told)
			}
			must(t, g.Told(ctx, ops[0]))
			if left := untold(); len(left) != 0 {
				t.Fatalf("told, but returned again: %+v", left)
			}
			return ops[0]
		}
		op := addOperation(t, g, "op", 0)
		accepted := tell(gas.OperationQueued, gas.StepNone)
		must(t, g.Bundle(ctx, gasTransaction("a"), []eth.Hash{op.Hash}), g.Signed(ctx, "a", 0, gasAttempt("1"), gasStart))
		must(t, g.Told(ctx, accepted)) // a late notification of an older state does not cover the newer one
		tell(gas.OperationSent, gas.StepAccepted)
		must(t, g.Resigned(ctx, "a", gasAttempt("2"), gasStart))
		tell(gas.OperationSent, gas.StepSent)
		must(t, g.Mined(ctx, "a", gas.Receipt{TxHash: hashOf("2"), Block: 1, BlockHash: hashOf("b"), Succeeded: true}, gasStart),
			g.Settle(ctx, []gas.Outcome{{Hash: op.Hash, TxHash: hashOf("2"), BlockHash: hashOf("b"), Succeeded: true}}, gasStart))
		tell(gas.OperationIncluded, gas.StepSent)
		must(t, g.Unmined(ctx, "a", gasStart))
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
		if _, _, err := g.SealedKey(ctx, "P"); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		smart := eth.MustAddress("0x00000000000000000000000000000000000000bb")
		must(t, g.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.InsertWallet(ctx, gen.InsertWalletParams{
				PlayerID: "P", OwnerAddress: gasSender, SealedKey: "sealed", SmartAddress: smart,
			})
			return err
		}))
		a, err := g.Account(ctx, "P")
		must(t, err)
		owner, sealed, err := g.SealedKey(ctx, "P")
		must(t, err)
		if a.Owner != gasSender || a.Smart != smart || owner != gasSender || sealed != "sealed" {
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
			must(t, db.Write(t.Context(), insertPlayer(player)))
			paid := make([]error, 8)
			var deleted error
			var wg sync.WaitGroup
			pay := []func(){func() {
				_, deleted = accounts.New(db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: player, At: gasStart})
			}}
			for n := range paid {
				op := operation(fmt.Sprint(player, n), uint64(n))
				op.Player, op.Operation.Sender[0] = player, byte(i)
				sponsor(t, db, op)
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
