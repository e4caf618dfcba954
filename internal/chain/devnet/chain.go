// Package devnet runs an Ethereum chain inside the process for development and tests: go-ethereum's execution layer
// with its own mining loop in place of consensus. Blocks are made when transactions arrive.
//
// A Chain is safe for concurrent use. Start opens or creates it, Run makes blocks until its context ends, and Close
// closes it; without Run, only Mine and Reorg make blocks. With a data folder no block that a client has seen is
// lost, even if the process is killed.
//
// Such a chain has no consensus and its wallets are public: it must never hold anything of value.
package devnet

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/eth/filters"
	"github.com/ethereum/go-ethereum/eth/tracers"
	gethevent "github.com/ethereum/go-ethereum/event"
	"github.com/ethereum/go-ethereum/miner"
	gethnode "github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/p2p"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/clock"
	kiteth "pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

// Options configure a chain.
type Options struct {
	ChainID onchain.ChainID
	Dir     string // data folder, created when missing; "" keeps the chain in memory

	// MaxLead is how far block times may run ahead of the clock; 0 means DefaultMaxLead. Every block is at least one
	// second later than the one before, so a burst of blocks leads the clock by its length in seconds. At the limit a
	// block waits, and takes what is pending by then.
	MaxLead time.Duration

	// Interval is how often an empty block is made when there are no transactions, so that the head stays as fresh as
	// on a public chain; 0 means never.
	Interval time.Duration

	// Backdate sets block times this far into the past until CatchUp, so that a long sequence of blocks, such as the
	// creation of a demo world, does not lead the clock.
	Backdate time.Duration

	Clock clock.Clock // nil means the system clock
}

// DefaultMaxLead is the default of Options.MaxLead: enough for bursts, and well within what the listings' time windows
// tolerate.
const DefaultMaxLead = time.Minute

const (
	// genesisTime is the first block's time. It must never change, nor may anything else in the genesis: existing data
	// folders would become unreadable.
	genesisTime = 1_767_225_600 // 2026-01-01 00:00:00 UTC

	// baseFee is the base fee per gas in wei. It is the lowest value the protocol keeps stable: a lower one could never
	// rise again, and this one does not fall.
	baseFee = 7

	gasLimit = 60_000_000
)

// Chain is a running development chain.
type Chain struct {
	options Options
	node    *gethnode.Node
	eth     *eth.Ethereum
	client  *rpc.Client
	public  *rpc.Server
	txs     <-chan struct{} // holds one element when transactions have arrived since it was last read
	feed    gethevent.Subscription
	drained sync.WaitGroup

	backdated atomic.Int64 // a time.Duration

	mu     sync.Mutex // held while blocks are made, so that one builds on the other
	closed bool
}

// Start opens the chain in the data folder, or creates it. It fails if another process has the folder open, or if
// the folder belongs to another chain id or to a chain with another genesis.
func Start(options Options) (_ *Chain, err error) {
	if options.ChainID == 0 {
		return nil, errors.New("devnet: the chain id is missing")
	}
	if options.MaxLead == 0 {
		options.MaxLead = DefaultMaxLead
	}
	if options.Clock == nil {
		options.Clock = clock.System{}
	}
	fail := func(err error) (*Chain, error) {
		return nil, fmt.Errorf("devnet: chain %d: %w", options.ChainID, err)
	}

	node, err := gethnode.New(&gethnode.Config{
		Name:    "devnet",
		DataDir: options.Dir,
		P2P:     p2p.Config{NoDiscovery: true, NoDial: true},
	})
	if err != nil {
		return fail(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, node.Close())
		}
	}()
	backend, err := eth.New(node, ethConfig(options.ChainID))
	if err != nil {
		return fail(fmt.Errorf("%w (a data folder of another version must be deleted)", err))
	}
	node.RegisterAPIs(tracers.APIs(backend.APIBackend))
	logs := []rpc.API{{
		Namespace: "eth",
		Service:   filters.NewFilterAPI(filters.NewFilterSystem(backend.APIBackend, filters.Config{})),
	}}
	node.RegisterAPIs(logs)
	public, err := newPublicServer(append(backend.APIs(), logs...))
	if err != nil {
		return fail(err)
	}
	if err := node.Start(); err != nil {
		return fail(err)
	}
	backend.SetSynced()

	c := &Chain{options: options, node: node, eth: backend, client: node.Attach(), public: public}
	c.backdated.Store(int64(options.Backdate))
	if err := errors.Join(c.adopt(), c.awaitIndex()); err != nil {
		c.client.Close()
		return fail(err)
	}
	c.watchPool()
	return c, nil
}

// ethConfig is go-ethereum's configuration for a small chain that must not lose blocks.
func ethConfig(id onchain.ChainID) *ethconfig.Config {
	config := ethconfig.Defaults
	config.Genesis = genesis(id)
	config.SyncMode = ethconfig.FullSync
	// Only the hash scheme without pruning writes the state of every block at once; the path scheme keeps the newest
	// states in memory and loses them when the process is killed.
	config.StateScheme = rawdb.HashScheme
	config.NoPruning = true
	config.TransactionHistory = 0 // all
	config.LogNoHistory = true    // no log index: the blooms suffice for a small chain
	config.DatabaseCache = 32
	config.DatabaseHandles = 128
	config.TrieCleanCache = 16
	config.TrieDirtyCache = 0
	config.SnapshotCache = 0
	config.RPCTxFeeCap = 0 // ether has no value here
	// The market is seeded by large calls, which take longer than the default of 5 s on a busy machine.
	config.RPCEVMTimeout = time.Minute
	config.TxPool.NoLocals = true
	config.TxPool.Journal = ""
	config.Miner = miner.Config{
		GasCeil:  gasLimit,
		GasPrice: big.NewInt(1), // 0 would silently become 1,000,000 wei
		Recommit: 2 * time.Second,
	}
	return &config
}

// genesis is the chain's first block: all forks up to Prague, the system contracts (among them the deterministic
// deployer) and the development wallets with ether.
func genesis(id onchain.ChainID) *core.Genesis {
	zero := uint64(0)
	config := *params.AllDevChainProtocolChanges
	config.ChainID = new(big.Int).SetUint64(uint64(id))
	config.PragueTime = &zero
	config.OsakaTime, config.BogotaTime = nil, nil

	alloc := core.SystemContractAllocs()
	ether := new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(params.Ether))
	for _, w := range Wallets() {
		alloc[w.common()] = types.Account{Balance: ether}
	}
	return &core.Genesis{
		Config:     &config,
		ExtraData:  config.ChainID.Bytes(), // tells chain ids apart: go-ethereum would otherwise open the folder of another one
		Timestamp:  genesisTime,
		GasLimit:   gasLimit,
		BaseFee:    big.NewInt(baseFee),
		Difficulty: new(big.Int),
		Alloc:      alloc,
	}
}

// adopt makes blocks canonical that were stored but not yet announced when the process was killed. Clients may have
// seen them, because blocks are announced after they are stored.
func (c *Chain) adopt() error {
	for {
		head := c.eth.BlockChain().CurrentBlock()
		next := c.storedChild(head)
		if next == nil {
			return nil
		}
		if _, err := c.eth.BlockChain().SetCanonical(next); err != nil {
			return err
		}
	}
}

// storedChild returns a stored block that follows head and whose state is complete, or nil.
func (c *Chain) storedChild(head *types.Header) *types.Block {
	number := head.Number.Uint64() + 1
	for _, hash := range rawdb.ReadAllHashes(c.eth.ChainDb(), number) {
		block := c.eth.BlockChain().GetBlock(hash, number)
		if block != nil && block.ParentHash() == head.Hash() && c.eth.BlockChain().HasState(block.Root()) {
			return block
		}
	}
	return nil
}

// awaitIndex waits for the transaction index, which is ready shortly after a chain's first block: until then
// go-ethereum returns an error for receipts. A new chain therefore starts with an empty block.
func (c *Chain) awaitIndex() error {
	if c.Head().Number == 0 {
		if _, err := c.Mine(context.Background()); err != nil {
			return err
		}
	}
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for !c.eth.BlockChain().TxIndexDone() {
		<-poll.C
	}
	return nil
}

// watchPool records the arrival of transactions. The pool blocks on a full channel while mining waits for the
// pool, so the reader must never block.
func (c *Chain) watchPool() {
	events, arrived := make(chan core.NewTxsEvent, 64), make(chan struct{}, 1)
	c.txs, c.feed = arrived, c.eth.TxPool().SubscribeTransactions(events, true)
	c.drained.Go(func() {
		for {
			select {
			case <-events:
				select {
				case arrived <- struct{}{}:
				default:
				}
			case <-c.feed.Err():
				return
			}
		}
	})
}

// ID returns the chain's id.
func (c *Chain) ID() onchain.ChainID { return c.options.ChainID }

// Client returns the in-process JSON-RPC client, with the namespaces eth, net, web3, txpool and debug. It is shared:
// Close closes it.
func (c *Chain) Client() *rpc.Client { return c.client }

// Handler serves the chain's JSON-RPC over HTTP, with the same namespaces as Client, without authentication. It stops
// answering once the chain is closed.
func (c *Chain) Handler() (http.Handler, error) { return c.node.RPCHandler() }

// CatchUp ends Options.Backdate: blocks are dated by the clock from now on.
func (c *Chain) CatchUp() { c.backdated.Store(0) }

// now is the time used for new blocks.
func (c *Chain) now() time.Time { return c.options.Clock.Now().Add(-time.Duration(c.backdated.Load())) }

// Head returns the newest block. Its time may lead the clock by Options.MaxLead, and lags behind it while no block is
// made; the next block's time is the later of the clock's and one second after Head's.
func (c *Chain) Head() onchain.Block { return summary(c.eth.BlockChain().CurrentBlock()) }

// summary returns the block of a header.
func summary(h *types.Header) onchain.Block {
	return onchain.Block{
		Number: h.Number.Uint64(),
		Hash:   kiteth.Hash(h.Hash()),
		Parent: kiteth.Hash(h.ParentHash),
		Time:   time.Unix(int64(h.Time), 0).UTC(),
	}
}

// Close closes the chain: calls in progress fail, and the data folder is released. Further calls have no effect.
func (c *Chain) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	c.feed.Unsubscribe()
	c.drained.Wait()
	c.client.Close()
	c.public.Stop()
	return c.node.Close()
}
