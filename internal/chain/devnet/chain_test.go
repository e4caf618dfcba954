package devnet

import (
	"bufio"
	"context"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"go.uber.org/goleak"

	"pantheon/internal/kit/clock"
)

const testChain = 1337042

func TestMain(m *testing.M) {
	if dir := os.Getenv("DEVNET_VICTIM_DIR"); dir != "" {
		runVictim(dir)
		return
	}
	goleak.VerifyTestMain(m,
		// go-ethereum has one pool of signature workers for the whole process.
		goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
		// The drain of LevelDB's pool (the peer table's) ends a second after the database is closed.
		goleak.IgnoreAnyFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"),
		// The unsubscription stays blocked when its chain closes at the same moment.
		goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/eth/filters.(*FilterAPI).NewHeads.func1"),
	)
}

// start runs a chain for the test and closes it afterwards.
func start(t testing.TB, options Options) *Chain {
	t.Helper()
	c := open(t, options)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return c
}

// open starts a chain on which only Mine and Reorg make blocks.
func open(t testing.TB, options Options) *Chain {
	t.Helper()
	if options.ChainID == 0 {
		options.ChainID = testChain
	}
	c, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// pay signs a payment of 1 wei from a wallet; data distinguishes payments with equal nonces.
func pay(t testing.TB, c *Chain, from Wallet, nonce uint64, data string) *types.Transaction {
	t.Helper()
	to := WalletOf(Claimer).common()
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(c.ID()))), &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(uint64(c.ID())), Nonce: nonce, To: &to, Value: common.Big1, Data: []byte(data),
		Gas: 50_000, GasTipCap: common.Big1, GasFeeCap: big.NewInt(1e9),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func send(t testing.TB, c *Chain, txs ...*types.Transaction) {
	t.Helper()
	for _, tx := range txs {
		if err := ethclient.NewClient(c.Client()).SendTransaction(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
	}
}

// await waits until the transaction is mined.
func await(t testing.TB, c *Chain, tx *types.Transaction) *types.Receipt {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	receipt, err := awaitReceipt(ctx, ethclient.NewClient(c.Client()), tx.Hash())
	if err != nil {
		t.Fatalf("transaction %s was not mined: %v", tx.Hash(), err)
	}
	return receipt
}

// awaitReceipt requests a receipt at every new head.
func awaitReceipt(ctx context.Context, client *ethclient.Client, hash common.Hash) (*types.Receipt, error) {
	heads := make(chan *types.Header, 16)
	sub, err := client.SubscribeNewHead(ctx, heads)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe()
	for {
		if receipt, err := client.TransactionReceipt(ctx, hash); err == nil {
			return receipt, nil
		}
		select {
		case <-heads:
		case err := <-sub.Err():
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func TestChain_MinesWhenTransactionsArrive(t *testing.T) {
	t.Parallel()
	c := start(t, Options{})
	for nonce := range uint64(5) {
		tx := pay(t, c, WalletOf(Manager), nonce, "")
		send(t, c, tx)
		receipt := await(t, c, tx)
		if receipt.Status != types.ReceiptStatusSuccessful || receipt.BlockNumber.Uint64() != nonce+2 { // block 1 is empty
			t.Errorf("payment %d: status %d in block %d", nonce, receipt.Status, receipt.BlockNumber)
		}
	}
}

// Spec: CHAIN-1
func TestChain_AnswersItsID(t *testing.T) {
	t.Parallel()
	c := open(t, Options{ChainID: 1337137})
	id, err := ethclient.NewClient(c.Client()).ChainID(t.Context())
	if err != nil || id.Uint64() != 1337137 {
		t.Errorf("eth_chainId = %v, %v", id, err)
	}
	if _, err := Start(Options{}); err == nil {
		t.Error("a chain without an id was started")
	}
}

func TestChain_BlockTimesFollowTheClock(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	c := open(t, Options{Clock: now})
	mine := func() time.Time {
		block, err := c.Mine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return block.Time
	}
	if head := c.Head(); head.Number != 1 || !head.Time.Equal(now.Now()) {
		t.Errorf("a new chain begins with %+v, the clock says %v", head, now.Now())
	}
	if at := mine(); !at.Equal(now.Now().Add(time.Second)) {
		t.Errorf("a second block at the same moment is of %v, not one second later", at)
	}
	now.Advance(time.Hour)
	if at := mine(); !at.Equal(now.Now()) {
		t.Errorf("after an hour the block is of %v, the clock says %v", at, now.Now())
	}
}

func TestChain_BlocksDoNotLeadTheClockTooFar(t *testing.T) {
	t.Parallel()
	const lead = time.Second
	c := start(t, Options{MaxLead: lead})
	for nonce := range uint64(4) {
		tx := pay(t, c, WalletOf(Manager), nonce, "")
		send(t, c, tx)
		await(t, c, tx)
		if ahead := time.Until(c.Head().Time); ahead > lead {
			t.Errorf("block %d leads the clock by %v", nonce+1, ahead)
		}
	}
}

func TestChain_BackdatedBlocksLeaveTheClockItsLead(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	c := open(t, Options{Clock: now, Backdate: time.Hour})
	if head := c.Head(); !head.Time.Equal(now.Now().Add(-time.Hour)) {
		t.Errorf("the chain begins at %v, the clock says %v", head.Time, now.Now())
	}
	c.CatchUp()
	if block, err := c.Mine(t.Context()); err != nil || !block.Time.Equal(now.Now()) {
		t.Errorf("the next block is of %v, %v; the clock says %v", block.Time, err, now.Now())
	}
}

func TestChain_IntervalKeepsTheHeadFresh(t *testing.T) {
	t.Parallel()
	c := start(t, Options{Interval: time.Second})
	heads := make(chan *types.Header, 4)
	sub, err := ethclient.NewClient(c.Client()).SubscribeNewHead(t.Context(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	for range 2 {
		if head := <-heads; head.GasUsed != 0 {
			t.Errorf("block %d is not empty", head.Number)
		}
	}
}

func TestChain_UnpayableTransactionWaitsWithoutBlocks(t *testing.T) {
	t.Parallel()
	c := start(t, Options{})
	wallet, id := WalletOf(Manager), new(big.Int).SetUint64(testChain)
	poor, err := types.SignNewTx(wallet.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: 0, To: &common.Address{}, Gas: 21_000, GasTipCap: common.Big1, GasFeeCap: big.NewInt(baseFee - 1),
	})
	if err != nil {
		t.Fatal(err)
	}
	other := pay(t, c, WalletOf(Deployer), 0, "")
	send(t, c, poor, other)
	if n := await(t, c, other).BlockNumber.Uint64(); n != 2 {
		t.Errorf("the payable transaction is in block %d, so a block was made for the other", n)
	}
}

func TestChain_RestartKeepsTheChain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "chain")
	c := open(t, Options{Dir: dir})
	send(t, c, pay(t, c, WalletOf(Manager), 0, ""))
	head, err := c.Mine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(Options{ChainID: testChain, Dir: dir}); err == nil {
		t.Error("a folder was opened twice")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Mine(t.Context()); err == nil {
		t.Error("a closed chain made a block")
	}
	if _, err := Start(Options{ChainID: testChain + 1, Dir: dir}); err == nil {
		t.Error("a folder of another chain id was opened")
	}
	if again := open(t, Options{Dir: dir}); again.Head() != head {
		t.Errorf("after the restart the head is %+v, before it was %+v", again.Head(), head)
	}
}

func TestChain_StoredBlockIsAdoptedAtStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, Options{Dir: dir})
	block, err := c.buildNext()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.keep(block); err != nil {
		t.Fatal(err)
	}
	if c.Head().Number != block.NumberU64()-1 {
		t.Fatal("the block was announced too early for this test")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if head := open(t, Options{Dir: dir}).Head(); common.Hash(head.Hash) != block.Hash() {
		t.Errorf("the head after the restart is block %d, not the stored block", head.Number)
	}
}

// TestChain_KilledProcessLosesNoBlock lets another process mine, kills it as soon as it has reported which blocks its
// clients have seen, and checks that they exist.
// Spec: RUN-11
func TestChain_KilledProcessLosesNoBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, lines := range []int{1, 7, 20} {
		seen := killAfter(t, dir, lines)
		c, err := Start(Options{ChainID: testChain, Dir: dir})
		if err != nil {
			t.Fatalf("after the kill: %v", err)
		}
		client := ethclient.NewClient(c.Client())
		for _, line := range seen {
			tx, block, _ := strings.Cut(line, " ")
			receipt, err := client.TransactionReceipt(t.Context(), common.HexToHash(tx))
			if err != nil {
				t.Errorf("transaction %s of block %s is lost: %v", tx, block, err)
			} else if receipt.BlockHash.Hex() != block {
				t.Errorf("transaction %s moved from block %s to %s", tx, block, receipt.BlockHash)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killAfter runs a victim on the folder, kills it after it has written the given number of lines, and returns its
// output.
func killAfter(t *testing.T, dir string, lines int) []string {
	t.Helper()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), "DEVNET_VICTIM_DIR="+dir)
	victim.Stderr = os.Stderr
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		if seen = append(seen, scanner.Text()); len(seen) == lines {
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := victim.Wait(); err == nil || len(seen) < lines {
		t.Fatalf("the victim ended by itself after %d lines: %v", len(seen), err)
	}
	return seen
}

// runVictim mines payments without end and writes a line for each that a client has seen mined.
func runVictim(dir string) {
	ctx := context.Background()
	c, err := Start(Options{ChainID: testChain, Dir: dir, MaxLead: time.Hour})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go c.Run(ctx)
	client, wallet, id := ethclient.NewClient(c.Client()), WalletOf(Manager), new(big.Int).SetUint64(testChain)
	used := int64(-1) // the nonce of the newest payment
	for {
		nonce, err := client.NonceAt(ctx, wallet.common(), nil)
		if err == nil && int64(nonce) <= used {
			continue // the payment's block is stored, and so has receipts, before it is the head
		}
		if err == nil {
			used = int64(nonce)
			var tx *types.Transaction
			tx, err = types.SignNewTx(wallet.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
				ChainID: id, Nonce: nonce, To: &common.Address{}, Gas: 21_000, GasTipCap: common.Big1, GasFeeCap: big.NewInt(1e9),
			})
			if err == nil {
				err = client.SendTransaction(ctx, tx)
			}
			if err == nil {
				var receipt *types.Receipt
				if receipt, err = awaitReceipt(ctx, client, tx.Hash()); err == nil {
					fmt.Println(tx.Hash(), receipt.BlockHash)
				}
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// BenchmarkPayment measures the time from sending a transaction until a client sees it mined.
func BenchmarkPayment(b *testing.B) {
	for name, dir := range map[string]string{"memory": "", "disk": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			c := start(b, Options{Dir: dir, MaxLead: 24 * time.Hour})
			first, err := ethclient.NewClient(c.Client()).NonceAt(b.Context(), WalletOf(Manager).common(), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for i := range b.N {
				tx := pay(b, c, WalletOf(Manager), first+uint64(i), "")
				send(b, c, tx)
				await(b, c, tx)
			}
		})
	}
}
