package txqueue_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/store"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/testkit"
)

// history has all transactions of a chain, up to the block that it has read.
type history struct {
	chain *devnet.Chain
	read  atomic.Int64 // the last block that it has read; -1 for all
}

func (h *history) Complete(context.Context, onchain.ChainID) (uint64, bool, error) {
	if read := h.read.Load(); read >= 0 {
		return uint64(read), true, nil
	}
	return h.chain.Head().Number, true, nil
}

func (h *history) Movements(ctx context.Context, _ onchain.ChainID, after gas.Movement, limit int) (out []gas.Movement, err error) {
	client := ethclient.NewClient(h.chain.Client())
	for n := after.Block; n <= h.chain.Head().Number; n++ {
		block, err := client.BlockByNumber(ctx, new(big.Int).SetUint64(n))
		if err != nil {
			return nil, err
		}
		for i, tx := range block.Transactions() {
			if n == after.Block && !after.Tx.IsZero() && uint64(i) <= after.Log {
				continue
			}
			if out = append(out, gas.Movement{Block: n, Log: uint64(i), Tx: eth.Hash(tx.Hash())}); len(out) == limit {
				return out, nil
			}
		}
	}
	return out, nil
}

// recorded returns options of a queue whose store may have lost transactions of the chain.
func recorded(chain *devnet.Chain, g gasstore.Store) (o txqueue.Options, h *history) {
	h = &history{chain: chain}
	h.read.Store(-1)
	o = options(chain, g)
	o.History = h
	return o, h
}

// call returns a payment of some wei whose data has the tag of its id.
func call(id string, to eth.Address, wei int64) gas.Transaction {
	return gas.Transaction{ID: id, From: manager.Address, To: to, Value: money.FromInt(wei), Data: txqueue.Tagged(id, []byte{1, 2, 3, 4})}
}

// sent has a process send transactions, whose database is then lost.
func sent(t *testing.T, chain *devnet.Chain, txs ...gas.Transaction) (hashes []eth.Hash) {
	t.Helper()
	lost := gasstore.New(testkit.Database(t, store.SQLite))
	q, stop := run(t, options(chain, lost))
	for _, tx := range txs {
		send(t, q, tx)
	}
	for _, tx := range txs {
		hashes = append(hashes, await(t, lost, tx.ID, gas.TransactionMined).TxHash)
	}
	stop()
	return hashes
}

// Spec: RUN-30
func TestQueue_RestoredDatabaseSendsNothingTwice(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		chain := devnettest.Run(t, devnet.Options{})
		hashes := sent(t, chain, call("0", payee(t), 1), call("1", payee(t), 1), call("2", payee(t), 1))
		o, _ := recorded(chain, g)
		q, _ := run(t, o)
		for i := range 5 {
			send(t, q, call(fmt.Sprint(i), payee(t), 1))
		}
		for i := range 5 {
			tx := await(t, g, fmt.Sprint(i), gas.TransactionMined, gas.TransactionFailed)
			if tx.State != gas.TransactionMined || i < len(hashes) && tx.TxHash != hashes[i] || tx.Nonce != uint64(i) {
				t.Errorf("%d is %s as %s with nonce %d, %q", i, tx.State, tx.TxHash, tx.Nonce, tx.Reason)
			}
		}
		if got := balance(t, chain, payee(t)); got != 5 {
			t.Errorf("%d payments arrived, want 5", got)
		}
	})
}

// The database is restored from a backup of before another wallet took the place of the one that has sent.
// Spec: RUN-26, RUN-30
func TestQueue_RestoredDatabaseSendsNothingTwiceByAnotherWallet(t *testing.T) {
	t.Parallel()
	eachGas(t, func(t *testing.T, g gasstore.Store) {
		chain := devnettest.Run(t, devnet.Options{})
		hashes := sent(t, chain, call("0", payee(t), 1), call("1", payee(t), 1))
		next := devnet.WalletOf(devnet.Claimer)
		o, h := recorded(chain, g)
		o.Wallets = []txqueue.Wallet{txqueue.NewKeyWallet(next.Key)} // the former one has no key any more
		o.Former = []eth.Address{manager.Address}
		h.read.Store(0)
		q, _ := run(t, o)
		for i := range 3 {
			tx := call(fmt.Sprint(i), payee(t), 1)
			tx.From = next.Address
			send(t, q, tx)
		}
		testkit.Eventually(t, time.Minute, func() bool {
			err := q.State().Err
			return err != nil && strings.Contains(err.Error(), "waiting for the index to read block")
		}, "nothing waits for the index")
		h.read.Store(-1)
		for i, from := range []eth.Address{manager.Address, manager.Address, next.Address} {
			tx := await(t, g, fmt.Sprint(i), gas.TransactionMined, gas.TransactionFailed)
			if tx.State != gas.TransactionMined || tx.From != from || i < len(hashes) && tx.TxHash != hashes[i] {
				t.Errorf("%d is %s as %s by %s, %q", i, tx.State, tx.TxHash, tx.From, tx.Reason)
			}
		}
		if got := balance(t, chain, payee(t)); got != 3 {
			t.Errorf("%d payments arrived, want 3", got)
		}
	})
}

// A grant failed, was sent again under another id, and then the database of before both was restored.
func TestQueue_WhatWasSentUnderALaterIDIsNotSentAgain(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	hash := sent(t, chain, call("a~2", payee(t), 1))[0]
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o, _ := recorded(chain, g)
	o.Later = func(id string) []string { return []string{id + "~1", id + "~2"} }
	q, _ := run(t, o)
	send(t, q, call("a", payee(t), 1))
	send(t, q, call("b", payee(t), 1))
	if a := await(t, g, "a", gas.TransactionMined, gas.TransactionFailed); a.TxHash != hash {
		t.Errorf("a is %s as %s, %q; it was sent as %s", a.State, a.TxHash, a.Reason, hash)
	}
	await(t, g, "b", gas.TransactionMined)
	o.Later = nil
	send(t, q, call("a~2", payee(t), 1)) // an operator has it given once more
	await(t, g, "a~2", gas.TransactionMined)
	if got := balance(t, chain, payee(t)); got != 3 {
		t.Errorf("%d payments arrived, want 3", got)
	}
}

// The search has several pages, and other senders' transactions between.
func TestQueue_RestoredDatabaseFindsAllOfMany(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	var all []gas.Transaction
	for i := range 230 {
		all = append(all, call(fmt.Sprint(i), payee(t), 1))
	}
	sent(t, chain, all...)
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o, _ := recorded(chain, g)
	q, _ := run(t, o)
	for _, tx := range all {
		send(t, q, tx)
	}
	for _, tx := range all {
		await(t, g, tx.ID, gas.TransactionMined)
	}
	if got := balance(t, chain, payee(t)); got != 230 {
		t.Errorf("%d payments arrived, want 230", got)
	}
}

func TestQueue_RestoredDatabaseWaitsForTheIndex(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	sent(t, chain, call("a", payee(t), 1))
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o, h := recorded(chain, g)
	h.read.Store(0)
	q, _ := run(t, o)
	send(t, q, call("a", payee(t), 1))
	testkit.Eventually(t, time.Minute, func() bool { return q.State().Err != nil }, "nothing was reported")
	if err := q.State().Err; !strings.Contains(err.Error(), "waiting for the index to read block") {
		t.Error(err)
	}
	if tx := await(t, g, "a", gas.TransactionPending); len(tx.Attempts) != 0 {
		t.Errorf("it was signed: %+v", tx)
	}
	h.read.Store(-1)
	await(t, g, "a", gas.TransactionMined)
	if got := balance(t, chain, payee(t)); got != 1 {
		t.Errorf("%d payments arrived, want 1", got)
	}
}

func TestQueue_WhatWasSentAsAnotherCallIsNotSentAgain(t *testing.T) {
	t.Parallel()
	chain := devnettest.Run(t, devnet.Options{})
	sent(t, chain, call("a", payee(t), 1))
	g := gasstore.New(testkit.Database(t, store.SQLite))
	o, _ := recorded(chain, g)
	q, _ := run(t, o)
	send(t, q, call("a", payee(t), 2))
	tx := await(t, g, "a", gas.TransactionFailed, gas.TransactionMined)
	if tx.State != gas.TransactionFailed || !strings.Contains(tx.Reason, "sent before the database was restored, as another call: 0x") {
		t.Errorf("%s, %q", tx.State, tx.Reason)
	}
	if got := balance(t, chain, payee(t)); got != 1 {
		t.Errorf("%d wei arrived, want 1", got)
	}
}

// The lost database had raised the fee: of the transaction, the restored one knows only the first attempt.
func TestQueue_AttemptOfALostDatabaseIsRecognised(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	mine(t, chain)
	lost, g := gasstore.New(testkit.Database(t, store.SQLite)), gasstore.New(testkit.Database(t, store.SQLite))
	o, _ := recorded(chain, g)
	q, stop := run(t, o)
	send(t, q, call("a", payee(t), 1))
	await(t, g, "a", gas.TransactionSent)
	stop()

	raised := options(chain, lost)
	raised.BumpAfter, raised.BumpWait = 1, time.Nanosecond
	q, stop = run(t, raised)
	send(t, q, call("a", payee(t), 1))
	await(t, lost, "a", gas.TransactionSent)
	advance(t, chain, 2)
	testkit.Eventually(t, time.Minute, func() bool {
		return len(await(t, lost, "a", gas.TransactionSent).Attempts) > 1
	}, "the fee was not raised")
	mine(t, chain)
	hash := await(t, lost, "a", gas.TransactionMined).TxHash
	stop()

	o.Finality, o.BumpAfter, o.BumpWait = 2, 1, time.Nanosecond
	run(t, o)
	testkit.Eventually(t, time.Minute, func() bool {
		mine(t, chain)
		return await(t, g, "a", gas.TransactionSent, gas.TransactionMined, gas.TransactionFailed).State != gas.TransactionSent
	}, "the transaction stayed sent")
	if tx := await(t, g, "a", gas.TransactionMined, gas.TransactionFailed); tx.TxHash != hash {
		t.Errorf("%s as %s, %q; it was mined as %s", tx.State, tx.TxHash, tx.Reason, hash)
	}
}

func TestQueue_RestoredDatabaseWaitsForTheEndpointsPool(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	mine(t, chain)
	lost, g := gasstore.New(testkit.Database(t, store.SQLite)), gasstore.New(testkit.Database(t, store.SQLite))
	q, stop := run(t, options(chain, lost))
	send(t, q, call("a", payee(t), 1))
	await(t, lost, "a", gas.TransactionSent) // it is broadcast after it is stored
	testkit.Eventually(t, time.Minute, func() bool {
		n, err := ethclient.NewClient(chain.Client()).PendingNonceAt(t.Context(), common.Address(manager.Address))
		return err == nil && n == 1
	}, "the transaction never was in the pool")
	stop()

	o, _ := recorded(chain, g)
	q, _ = run(t, o)
	send(t, q, call("b", payee(t), 1))
	send(t, q, call("a", payee(t), 1))
	testkit.Eventually(t, time.Minute, func() bool { return q.State().Err != nil }, "nothing was reported")
	if err := q.State().Err; !strings.Contains(err.Error(), "1 transactions in its pool that the database lacks") {
		t.Error(err)
	}
	testkit.Eventually(t, time.Minute, func() bool {
		mine(t, chain)
		return await(t, g, "b", gas.TransactionPending, gas.TransactionSent, gas.TransactionMined).State == gas.TransactionMined
	}, "the next was not sent")
	if a := await(t, g, "a", gas.TransactionMined); a.Nonce != 0 {
		t.Errorf("a has nonce %d", a.Nonce)
	}
	if got := balance(t, chain, payee(t)); got != 2 {
		t.Errorf("%d payments arrived, want 2", got)
	}
}
