package txqueue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/chain/txqueue/queuetest"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

var manager = devnet.WalletOf(devnet.Manager)

// quiet is a logger for runs with expected errors.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// options are those of a queue for the manager wallet on the chain; tests change the relevant ones.
func options(chain *devnet.Chain, s gas.Transactions) txqueue.Options {
	return txqueue.Options{
		Chain: chain.ID(), RPC: chain.Client(), Store: s, Wallets: []txqueue.Wallet{txqueue.NewKeyWallet(manager.Key)},
		Clock: clock.System{}, Log: quiet(), Poll: 2 * time.Millisecond, Idle: 5 * time.Millisecond,
	}
}

// run runs a queue until the test ends or stop is called.
func run(t *testing.T, o txqueue.Options) (q *txqueue.Queue, stop func()) {
	t.Helper()
	q, err := txqueue.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- q.Run(ctx) }()
	var stopped atomic.Bool
	stop = func() {
		cancel()
		if stopped.CompareAndSwap(false, true) {
			if err := <-done; err != nil {
				t.Errorf("Run: %v", err)
			}
		}
	}
	t.Cleanup(stop)
	return q, stop
}

// payment sends one wei to an address used only by the test, so that its balance counts the payments.
func payment(id string, to eth.Address) gas.Transaction {
	return gas.Transaction{ID: id, From: manager.Address, To: to, Value: money.FromInt(1)}
}

func payee(t *testing.T) eth.Address {
	h := eth.Keccak256([]byte(t.Name()))
	return eth.Address(h[:20])
}

func send(t *testing.T, q *txqueue.Queue, tx gas.Transaction) gas.Transaction {
	t.Helper()
	kept, err := q.Send(t.Context(), tx)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// await waits until a transaction is in one of the states.
func await(t *testing.T, s gas.Transactions, id string, states ...gas.TransactionState) (tx gas.Transaction) {
	t.Helper()
	testkit.Eventually(t, 20*time.Second, func() bool {
		var err error
		if tx, err = s.Transaction(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		for _, state := range states {
			if tx.State == state {
				return true
			}
		}
		return false
	}, "transaction %s never became %v", id, states)
	return tx
}

func balance(t *testing.T, chain *devnet.Chain, of eth.Address) int64 {
	t.Helper()
	b, err := ethclient.NewClient(chain.Client()).BalanceAt(t.Context(), common.Address(of), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Int64()
}

func eachGas(t *testing.T, test func(t *testing.T, g gasstore.Store)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) { test(t, gasstore.New(db)) })
}

func TestQueue_EveryTransactionIsMinedOnce(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		chain := devnettest.Run(t, devnet.Options{})
		q, _ := run(t, options(chain, g))
		changes := q.Changes()
		const n = 40
		for i := range n {
			send(t, q, payment(fmt.Sprint(i), payee(t)))
			send(t, q, payment(fmt.Sprint(i/2), payee(t))) // a known id
		}
		nonces := map[uint64]bool{}
		for i := range n {
			tx := await(t, g, fmt.Sprint(i), gas.TransactionMined)
			if len(tx.Attempts) != 1 || tx.TxHash != tx.Attempts[0].Hash || tx.BlockHash.IsZero() {
				t.Fatalf("transaction %d was mined as %+v", i, tx)
			}
			nonces[tx.Nonce] = true
		}
		if len(nonces) != n || !nonces[0] || !nonces[n-1] {
			t.Fatalf("the nonces are %v, want 0 to %d", nonces, n-1)
		}
		if got := balance(t, chain, payee(t)); got != n {
			t.Fatalf("%d payments arrived, want %d", got, n)
		}
		select {
		case <-changes:
		default:
			t.Fatal("nobody was told")
		}
		if s := q.State(); s.Err != nil {
			t.Fatal(s.Err)
		}
	})
}

func TestQueue_WhatCannotBeSentIsRefused(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	q, err := txqueue.New(options(chain, gasstore.New(testkit.Database(t, store.SQLite))))
	if err != nil {
		t.Fatal(err)
	}
	for name, tx := range map[string]gas.Transaction{
		"no id":          payment("", payee(t)),
		"foreign wallet": {ID: "x", From: payee(t), To: payee(t)},
		"too much data":  {ID: "x", From: manager.Address, To: payee(t), Data: make([]byte, 1<<17)},
	} {
		if _, err := q.Send(t.Context(), tx); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := txqueue.New(txqueue.Options{}); err == nil {
		t.Error("a queue without anything was made")
	}
}

func TestQueue_RevertCostsNothingWhenItCanBeForeseen(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	a, err := world.Deploy(t.Context(), chain.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := gasstore.New(testkit.Database(t, store.SQLite))
	seller := devnet.WalletOf(devnet.Seller(1)) // who is not allowed to mint
	o := options(chain, g)
	o.Wallets = append(o.Wallets, txqueue.NewKeyWallet(seller.Key))
	q, _ := run(t, o)
	mint, err := contracts.Mint20(seller.Address, big.NewInt(1))
	if err != nil {
		t.Fatal(err)
	}
	send(t, q, gas.Transaction{ID: "foreseen", From: seller.Address, To: a.USDC, Data: mint})
	send(t, q, gas.Transaction{ID: "limit given", From: seller.Address, To: a.USDC, Data: mint, GasLimit: 100_000})
	send(t, q, gas.Transaction{ID: "good", From: seller.Address, To: payee(t), Value: money.FromInt(1)})

	foreseen := await(t, g, "foreseen", gas.TransactionFailed, gas.TransactionMined)
	onChain := await(t, g, "limit given", gas.TransactionFailed, gas.TransactionMined)
	for _, tx := range []gas.Transaction{foreseen, onChain} {
		if tx.State != gas.TransactionFailed ||
			!strings.Contains(tx.Reason, "AccessControlUnauthorizedAccount(account "+seller.Address.Checksum()) {
			t.Errorf("%s: %s, %q", tx.ID, tx.State, tx.Reason)
		}
	}
	if len(foreseen.Attempts) != 0 || onChain.BlockHash.IsZero() {
		t.Errorf("foreseen was sent as %+v; the other is in block %s", foreseen.Attempts, onChain.BlockHash)
	}
	if good := await(t, g, "good", gas.TransactionMined); good.Nonce+onChain.Nonce != 1 {
		t.Errorf("the sent transactions have nonces %d and %d, want 0 and 1", good.Nonce, onChain.Nonce)
	}
}

// advance adds empty blocks to the chain, while transactions stay in the pool.
func advance(t *testing.T, chain *devnet.Chain, blocks int) {
	t.Helper()
	for range blocks {
		// Replacing one block by a branch of two makes the chain one longer.
		err := chain.Reorg(t.Context(), 1, func(int, []*types.Transaction) []*types.Transaction { return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
}

func mine(t *testing.T, chain *devnet.Chain) {
	t.Helper()
	if _, err := chain.Mine(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestQueue_TransactionThatWaitsGetsAHigherFee(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	mine(t, chain)
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o := options(chain, g)
	o.BumpAfter, o.BumpWait = 3, time.Nanosecond
	q, _ := run(t, o)
	send(t, q, payment("a", payee(t)))
	await(t, g, "a", gas.TransactionSent)
	var tx gas.Transaction
	for want := 2; want <= 3; want++ {
		advance(t, chain, 3)
		testkit.Eventually(t, 10*time.Second, func() bool {
			tx = await(t, g, "a", gas.TransactionSent)
			return len(tx.Attempts) == want
		}, "the fee was not raised")
	}
	for i, later := range tx.Attempts[1:] {
		earlier := tx.Attempts[i]
		for _, fee := range [][2]money.Units{{earlier.FeeCap, later.FeeCap}, {earlier.TipCap, later.TipCap}} {
			if tenth, err := fee[0].Mul(11); err != nil || fee[1].Cmp(tenth.Div(10)) < 0 {
				t.Errorf("attempt %d raises %s only to %s (%v)", i+1, fee[0], fee[1], err)
			}
		}
	}
	testkit.Eventually(t, 10*time.Second, func() bool {
		mine(t, chain)
		tx, err := g.Transaction(t.Context(), "a")
		return err == nil && tx.State == gas.TransactionMined
	}, "the transaction was not mined")
	if tx := await(t, g, "a", gas.TransactionMined); tx.TxHash != tx.Attempts[len(tx.Attempts)-1].Hash {
		t.Errorf("mined as %s, want the newest of %v", tx.TxHash, tx.Attempts)
	}
	if got := balance(t, chain, payee(t)); got != 1 {
		t.Errorf("%d payments arrived, want one", got)
	}
}

// On a chain whose blocks have no base fee, transactions are of the type before EIP-1559, and fees are raised all the same.
func TestQueue_ChainWithoutABaseFeeTakesTransactions(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	mine(t, chain)
	node, err := chain.Handler()
	if err != nil {
		t.Fatal(err)
	}
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: chain.ID(), URL: testkit.WithoutBaseFee(t, node)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o := options(chain, g)
	o.RPC, o.BumpAfter, o.BumpWait = client, 3, time.Nanosecond
	q, _ := run(t, o)
	send(t, q, payment("a", payee(t)))
	await(t, g, "a", gas.TransactionSent)
	advance(t, chain, 3)
	testkit.Eventually(t, time.Minute, func() bool {
		return len(await(t, g, "a", gas.TransactionSent).Attempts) == 2
	}, "the fee was not raised")
	testkit.Eventually(t, time.Minute, func() bool {
		mine(t, chain)
		tx, err := g.Transaction(t.Context(), "a")
		return err == nil && tx.State == gas.TransactionMined
	}, "the transaction was not mined")
	mined := await(t, g, "a", gas.TransactionMined)
	tx, _, err := ethclient.NewClient(chain.Client()).TransactionByHash(t.Context(), common.Hash(mined.TxHash))
	if err != nil {
		t.Fatal(err)
	}
	if first, second := mined.Attempts[0], mined.Attempts[1]; tx.Type() != types.LegacyTxType || first.FeeCap.Cmp(second.FeeCap) >= 0 {
		t.Errorf("mined as type %d after offers of %s and %s", tx.Type(), first.FeeCap, second.FeeCap)
	}
	if got := balance(t, chain, payee(t)); got != 1 {
		t.Errorf("%d payments arrived, want one", got)
	}
}

func TestQueue_FeesHaveALimit(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o := options(chain, g)
	o.MaxFee = money.FromInt(1)
	q, _ := run(t, o)
	send(t, q, payment("a", payee(t)))
	testkit.Eventually(t, 10*time.Second, func() bool { return q.State().Err != nil }, "the limit was not noticed")
	if s := q.State(); !strings.Contains(s.Err.Error(), "gas costs more than the limit") || s.Waiting != 1 || s.Oldest.IsZero() {
		t.Fatalf("the state is %+v", s)
	}
	await(t, g, "a", gas.TransactionPending)
}

// Spec: GAS-13
func TestQueue_TransactionSurvivesReorganisations(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		for depth := 1; depth <= 12; depth++ {
			chain := devnettest.Open(t, devnet.Options{ChainID: onchain.ChainID(1_000_000 + depth)})
			to := payee(t)
			to[0] = byte(depth)
			id := func(i int) string { return fmt.Sprint(depth, "/", i) }
			mineUntil := func(i int, state gas.TransactionState) {
				t.Helper()
				testkit.Eventually(t, 10*time.Second, func() bool {
					tx, err := g.Transaction(t.Context(), id(i))
					if err == nil && tx.State == state {
						return true
					}
					mine(t, chain)
					return false
				}, "depth %d: transaction %d never became %s", depth, i, state)
			}
			q, stop := run(t, options(chain, g))
			for i := range 3 {
				send(t, q, payment(id(i), to))
				mineUntil(i, gas.TransactionMined)
			}
			// The branch omits all transactions; the pool keeps them.
			last, err := g.Transaction(t.Context(), id(2))
			if err != nil {
				t.Fatal(err)
			}
			for chain.Head().Number < last.Block+uint64(depth)-1 {
				mine(t, chain)
			}
			if err := chain.Reorg(t.Context(), int(chain.Head().Number-last.Block)+1, nil); err != nil {
				t.Fatal(err)
			}
			await(t, g, id(2), gas.TransactionSent)
			for i := range 3 {
				mineUntil(i, gas.TransactionMined)
				tx := await(t, g, id(i), gas.TransactionMined)
				block, err := ethclient.NewClient(chain.Client()).HeaderByNumber(t.Context(), new(big.Int).SetUint64(tx.Block))
				if err != nil || block.Hash() != common.Hash(tx.BlockHash) {
					t.Fatalf("depth %d: transaction %d is noted in a block that is not the chain's (%v)", depth, i, err)
				}
			}
			stop()
			if got := balance(t, chain, to); got != 3 {
				t.Fatalf("depth %d: %d payments arrived, want 3", depth, got)
			}
		}
	})
}

// halfway is a node that returns, a number of times, receipts of blocks that are no longer on its chain.
type halfway struct {
	txqueue.RPC
	receipts map[string]json.RawMessage // as seen before
	left     atomic.Int32               // how many more times it returns them
	fails    atomic.Bool                // whether the next request for a block fails, after the last such receipt
}

func (h *halfway) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method == "eth_getBlockByNumber" && args[0] != "latest" && h.left.Load() == 0 && h.fails.CompareAndSwap(true, false) {
		return errors.New("the node has hung up")
	}
	return h.RPC.CallContext(ctx, result, method, args...)
}

func (h *halfway) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	raw := make([]gethrpc.BatchElem, len(batch))
	for i, e := range batch {
		raw[i] = gethrpc.BatchElem{Method: e.Method, Args: e.Args, Result: new(json.RawMessage)}
	}
	if err := h.RPC.BatchCallContext(ctx, raw); err != nil {
		return err
	}
	for i, e := range raw {
		answer, key := *e.Result.(*json.RawMessage), fmt.Sprint(e.Args...)
		if string(answer) == "null" && h.receipts[key] != nil && h.left.Load() > 0 {
			h.left.Add(-1)
			answer = h.receipts[key]
		} else if string(answer) != "null" {
			h.receipts[key] = answer
		}
		if batch[i].Error = e.Error; e.Error == nil {
			batch[i].Error = json.Unmarshal(answer, batch[i].Result)
		}
	}
	return nil
}

// forgetful is a database that fails once to mark a transaction as unmined.
type forgetful struct {
	gas.Transactions
	fails *atomic.Bool
}

func (f forgetful) Unmined(ctx context.Context, id string, at time.Time) error {
	if f.fails.CompareAndSwap(true, false) {
		return errors.New("the database has hung up")
	}
	return f.Transactions.Unmined(ctx, id, at)
}

func TestQueue_ReorganisationThatIsSeenHalfwayIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                     string
		shows                    int32
		nodeFails, databaseFails bool
	}{
		{"nothing fails", 1, false, false},
		{"the node fails", 2, true, false}, // by the second time the new head has been accepted
		{"the database fails", 1, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			chain := devnettest.Open(t, devnet.Options{})
			g := gasstore.New(testkit.Database(t, store.SQLite))
			var databaseFails atomic.Bool
			o := options(chain, forgetful{g, &databaseFails})
			node := &halfway{RPC: o.RPC, receipts: map[string]json.RawMessage{}}
			o.RPC = node
			q, _ := run(t, o)
			for range 3 {
				mine(t, chain)
			}
			send(t, q, payment("a", payee(t)))
			testkit.Eventually(t, 10*time.Second, func() bool {
				mine(t, chain)
				tx, err := g.Transaction(t.Context(), "a")
				return err == nil && tx.State == gas.TransactionMined
			}, "the transaction was not mined")
			mine(t, chain)
			tx := await(t, g, "a", gas.TransactionMined)
			node.left.Store(c.shows)
			node.fails.Store(c.nodeFails)
			databaseFails.Store(c.databaseFails)
			if err := chain.Reorg(t.Context(), int(chain.Head().Number-tx.Block)+1, nil); err != nil {
				t.Fatal(err)
			}
			await(t, g, "a", gas.TransactionSent) // though no more blocks arrive
			if node.left.Load() != 0 || node.fails.Load() || databaseFails.Load() {
				t.Error("the node never showed a receipt of a block that it had left, or nothing failed")
			}
		})
	}
}

func TestQueue_NonceThatSomebodyElseUsesIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	client := ethclient.NewClient(chain.Client())
	foreign := func(nonce uint64, tip int64) *types.Transaction {
		to := common.Address(manager.Address)
		tx, err := types.SignNewTx(manager.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(chain.ID()))), &types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(uint64(chain.ID())), Nonce: nonce, Gas: 21000, To: &to, GasFeeCap: big.NewInt(1_000_000_000),
			GasTipCap: big.NewInt(tip),
		})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	if err := client.SendTransaction(t.Context(), foreign(0, 1)); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 10*time.Second, func() bool {
		n, err := client.NonceAt(t.Context(), common.Address(manager.Address), nil)
		return err == nil && n == 1
	}, "the foreign transaction was not mined")
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o := options(chain, g)
	o.Finality, o.BumpAfter, o.BumpWait = 2, 1, time.Nanosecond
	q, _ := run(t, o)
	send(t, q, payment("a", payee(t)))
	if tx := await(t, g, "a", gas.TransactionMined); tx.Nonce != 1 {
		t.Fatalf("nonce %d, want 1", tx.Nonce)
	}

	// A branch in which another transaction uses our nonce: ours can never be mined, and is not sent with another.
	if err := chain.Reorg(t.Context(), 1, func(i int, _ []*types.Transaction) []*types.Transaction {
		if i == 0 {
			return []*types.Transaction{foreign(1, 2)}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 10*time.Second, func() bool {
		mine(t, chain)
		tx, err := g.Transaction(t.Context(), "a")
		return err == nil && tx.State == gas.TransactionFailed
	}, "the loss was not noticed")
	if tx := await(t, g, "a", gas.TransactionFailed); !strings.Contains(tx.Reason, "foreign transaction") {
		t.Errorf("failed because %q", tx.Reason)
	}
	send(t, q, payment("b", payee(t)))
	if tx := await(t, g, "b", gas.TransactionMined); tx.Nonce != 2 {
		t.Errorf("nonce %d, want 2", tx.Nonce)
	}
	if got := balance(t, chain, payee(t)); got != 1 {
		t.Errorf("%d payments arrived, want one", got)
	}
}

func TestQueue_AnotherChainUnderTheSameDatabaseIsNoticed(t *testing.T) {
	t.Parallel()
	g := gasstore.New(testkit.Database(t, store.SQLite))
	first := devnettest.Run(t, devnet.Options{})
	q, stop := run(t, options(first, g))
	send(t, q, payment("a", payee(t)))
	await(t, g, "a", gas.TransactionMined)
	if err := g.Finalise(t.Context(), first.ID(), 1000); err != nil {
		t.Fatal(err)
	}
	stop()
	q, _ = run(t, options(devnettest.Run(t, devnet.Options{}), g))
	send(t, q, payment("b", payee(t)))
	testkit.Eventually(t, 10*time.Second, func() bool { return q.State().Err != nil }, "nothing was noticed")
	if err := q.State().Err; !strings.Contains(err.Error(), "the chain knows fewer transactions") {
		t.Fatal(err)
	}
	await(t, g, "b", gas.TransactionPending)
}

func TestQueue_GoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	g := gasstore.New(testkit.Database(t, store.SQLite))
	endpoint := &queuetest.Outage{RPC: chain.Client(), Err: errors.New("connection refused")}
	endpoint.Off.Store(true)
	var log bytes.Buffer
	o := options(chain, g)
	o.RPC, o.Log = endpoint, slog.New(slog.NewTextHandler(&log, nil))
	q, stop := run(t, o)
	send(t, q, payment("a", payee(t)))
	testkit.Eventually(t, 10*time.Second, func() bool { return errors.Is(q.State().Err, endpoint.Err) }, "the outage was not noticed")
	endpoint.Off.Store(false)
	await(t, g, "a", gas.TransactionMined)
	testkit.Eventually(t, 10*time.Second, func() bool { return q.State().Err == nil }, "the state stayed bad")
	stop()
	if n := strings.Count(log.String(), "failing"); n != 1 {
		t.Errorf("the outage was logged %d times, want once:\n%s", n, log.String())
	}
}

// TestQueue_NothingIsSentTwiceOrForgotten stops the queue before and after each of its effects in turn, through a
// whole history with a fee bump and a reorganisation, and starts a new queue.
// Spec: GAS-13
func TestQueue_NothingIsSentTwiceOrForgotten(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		for last := 1; ; last++ {
			if ended := lifeAndAfterlife(t, g, last); !ended {
				if last < 12 {
					t.Fatalf("a whole life has only %d points", last)
				}
				return
			}
		}
	})
}

func lifeAndAfterlife(t *testing.T, g gasstore.Store, last int) (ended bool) {
	t.Helper()
	chain := devnettest.Open(t, devnet.Options{ChainID: onchain.ChainID(1_000_000 + last)})
	mine(t, chain)
	life := queuetest.NewLife(last)
	o := options(chain, life.Transactions(g))
	o.RPC, o.BumpAfter, o.BumpWait = life.RPC(chain.Client()), 2, time.Nanosecond
	q, stop := run(t, o)
	id, to := fmt.Sprint("life ", last), payee(t)
	to[0], to[1] = byte(last), byte(last>>8)

	// until waits for the condition or for the end of the life.
	until := func(condition func(gas.Transaction) bool) bool {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			tx, err := g.Transaction(t.Context(), id)
			if err == nil && condition(tx) {
				return true
			}
			select {
			case <-life.Died():
				return false
			case <-t.Context().Done():
				t.Fatal("the test ended")
			case <-tick.C:
			}
		}
	}
	mined := func(tx gas.Transaction) bool { return tx.State == gas.TransactionMined }
	_, err := q.Send(t.Context(), payment(id, to))
	alive := err == nil && until(func(tx gas.Transaction) bool { return tx.State == gas.TransactionSent })
	if alive {
		advance(t, chain, 2)
		alive = until(func(tx gas.Transaction) bool { return len(tx.Attempts) == 2 })
	}
	if alive {
		mine(t, chain)
		alive = until(mined)
	}
	if alive {
		if err := chain.Reorg(t.Context(), 1, nil); err != nil {
			t.Fatal(err)
		}
		alive = until(func(tx gas.Transaction) bool { return tx.State == gas.TransactionSent })
	}
	if alive {
		mine(t, chain)
		alive = until(mined)
	}
	stop()

	o.RPC, o.Store = chain.Client(), g
	q, stop = run(t, o)
	send(t, q, payment(id, to)) // as the requester does after the crash
	testkit.Eventually(t, 20*time.Second, func() bool {
		mine(t, chain)
		tx, err := g.Transaction(t.Context(), id)
		return err == nil && mined(tx)
	}, "life %d: the transaction was forgotten", last)
	mine(t, chain)
	stop()
	if got := balance(t, chain, to); got != 1 {
		t.Fatalf("life %d: %d payments arrived, want one", last, got)
	}
	return !alive
}

func TestQueue_ReasonsAreReadable(t *testing.T) {
	t.Parallel()
	token, err := contracts.TestTokenMetaData.ParseABI()
	if err != nil {
		t.Fatal(err)
	}
	entryPoint, err := contracts.EntryPointMetaData.ParseABI()
	if err != nil {
		t.Fatal(err)
	}
	poor := token.Errors["ERC20InsufficientBalance"]
	args, err := poor.Inputs.Pack(common.Address(manager.Address), big.NewInt(5), big.NewInt(7))
	if err != nil {
		t.Fatal(err)
	}
	insufficient := append(poor.ID.Bytes()[:4], args...)
	wrapped := entryPoint.Errors["FailedOpWithRevert"]
	args, err = wrapped.Inputs.Pack(big.NewInt(0), "AA23 reverted", insufficient)
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) []byte {
		return append(hexutil.MustDecode("0x08c379a0"), bytes.Join([][]byte{
			common.LeftPadBytes([]byte{32}, 32), common.LeftPadBytes(big.NewInt(int64(len(s))).Bytes(), 32),
			common.RightPadBytes([]byte(s), (len(s)+31)/32*32),
		}, nil)...)
	}
	poorText := "ERC20InsufficientBalance(sender " + manager.Address.Checksum() + ", balance 5, needed 7)"
	for want, data := range map[string][]byte{
		"reverted without a reason": nil,
		"Marketplace: sold out":     text("Marketplace: sold out"),
		"no control":                text("no\x00 \u202econtrol"),
		poorText:                    insufficient,
		"FailedOpWithRevert(opIndex 0, reason AA23 reverted, inner " + poorText + ")": append(wrapped.ID.Bytes()[:4], args...),
		"reverted with 0x0102":         {1, 2},
		"reverted with 0x01020304":     {1, 2, 3, 4},
		strings.Repeat("x", 300) + "…": text(strings.Repeat("x", 1000)),
	} {
		if got := txqueue.Reason(data); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzReason(f *testing.F) {
	f.Add([]byte{})
	f.Add(hexutil.MustDecode("0x08c379a0"))
	f.Add(hexutil.MustDecode("0x65c8fd4d"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if reason := txqueue.Reason(data); reason == "" || len(reason) > 310 {
			if len(data) < 4 || !bytes.Equal(data[:4], hexutil.MustDecode("0x08c379a0")) {
				t.Fatalf("%x: %q", data, reason)
			}
		}
	})
}
