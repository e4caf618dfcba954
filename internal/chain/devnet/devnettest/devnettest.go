// Package devnettest runs development chains for tests.
package devnettest

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"pantheon/internal/chain/devnet"
)

// GameChain and MainChain are the ids of the two chains of the development world.
const (
	GameChain = 1337042
	MainChain = 1337137
)

// Run starts a chain, mines on it, and closes it when the test ends. ChainID defaults to GameChain.
func Run(t testing.TB, options devnet.Options) *devnet.Chain {
	t.Helper()
	c := Open(t, options)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("devnet: Run: %v", err)
		}
	})
	return c
}

// Open starts a chain on which only Mine and Reorg make blocks, and closes it when the test ends. ChainID defaults to
// GameChain.
func Open(t testing.TB, options devnet.Options) *devnet.Chain {
	t.Helper()
	if options.ChainID == 0 {
		options.ChainID = GameChain
	}
	c, err := devnet.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("devnet: Close: %v", err)
		}
	})
	return c
}

// LeakOptions are for goleak in packages whose tests run chains.
func LeakOptions() []goleak.Option {
	return []goleak.Option{
		// go-ethereum has one pool of signature workers for the whole process.
		goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
		// The pool of LevelDB, which keeps the peer table, is drained for a second after the database is closed.
		goleak.IgnoreAnyFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"),
		// The unsubscription stays blocked when its chain closes at the same moment.
		goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/eth/filters.(*FilterAPI).NewHeads.func1"),
	}
}
