package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/brand"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
)

// The chain to be indexed: each block mints tokens to one of the owners.
const (
	catchUpChain      onchain.ChainID = 1337042
	catchUpCollection                 = "elder-gods" // it has no cap
	catchUpLogs                       = 20           // in one block
	catchUpOwners                     = 500
	catchUpSettled                    = 64 // empty blocks at the end, so that all others are final for both indexers
	catchUpTarget                     = 3.0
	catchUpLimit                      = 45 * time.Minute // of one indexer
	firstMinted                       = 1_000_000        // token id
)

// catchUp fills a chain with logs and serves it by the portal's chain command. The portal's indexer and Ponder read it from
// the first block to the last over JSON-RPC, one after the other, and their speeds are compared. Without Ponder installed it
// measures the portal's only.
func catchUp(ctx context.Context, binary, dir string, logs uint64) error {
	c, err := newFilledChain(ctx, binary, filepath.Join(dir, "world"), logs)
	if err != nil {
		return fmt.Errorf("chain: %w", err)
	}
	defer c.close()
	ours, err := c.indexWithPortal(ctx, filepath.Join(dir, "portal.db"))
	if err != nil {
		return fmt.Errorf("portal: %w", err)
	}
	fmt.Println("| indexer | blocks | logs | time | blocks/s | logs/s | ratio | target |\n|---|---|---|---|---|---|---|---|")
	c.print("portal", ours, "")
	if _, err := os.Stat(filepath.Join(ponderFolder, "node_modules")); err != nil {
		fmt.Println("\nPonder is not installed: run `make indexing`.")
		return nil
	}
	theirs, err := c.indexWithPonder(ctx, filepath.Join(dir, "ponder"))
	if err != nil {
		return fmt.Errorf("ponder: %w", err)
	}
	c.print("Ponder", theirs, fmt.Sprintf("%.1f", theirs.Seconds()/ours.Seconds()))
	return nil
}

// filledChain is a development chain in a process of its own, reached through a listener that notes the first connection.
type filledChain struct {
	process    *process
	listener   net.Listener
	url        string
	registry   *collections.Registry
	collection eth.Address
	logs       uint64
	head       uint64       // the last block to be indexed
	firstCall  atomic.Int64 // Unix time in nanoseconds; 0 until the first connection after a reset
}

// newFilledChain fills the game chain in a data folder and serves it by "pantheon chain", which adds the demo market.
func newFilledChain(ctx context.Context, binary, dir string, logs uint64) (c *filledChain, err error) {
	c = &filledChain{logs: logs}
	chains := filepath.Join(dir, "chains")
	b, err := brand.Embedded()
	if err != nil {
		return nil, err
	}
	c.registry = b.Collections
	if err := c.create(ctx, filepath.Join(chains, string(collections.GameChain))); err != nil {
		return nil, err
	}
	// The command refuses chains that do not name the contracts they were made with.
	made, err := world.Fingerprint(c.registry)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(chains, "contracts"), []byte(made), 0o600); err != nil {
		return nil, err
	}
	game, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	main, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	if c.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	c.process, err = launch(ctx, game, "/", []string{"DATA_DIR=" + dir, "LOG_LEVEL=error"}, binary, "chain", "--game", game, "--main", main)
	if err != nil {
		return nil, errors.Join(err, c.listener.Close())
	}
	go c.forward(game)
	c.url = "http://" + c.listener.Addr().String()
	return c, nil
}

func (c *filledChain) close() {
	_ = c.listener.Close()
	c.process.stop()
}

// forward connects every client to the chain until the listener is closed.
func (c *filledChain) forward(chain string) {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.firstCall.CompareAndSwap(0, time.Now().UnixNano())
		go func() {
			defer client.Close()
			server, err := net.Dial("tcp", chain)
			if err != nil {
				return
			}
			defer server.Close()
			go func() {
				_, _ = io.Copy(server, client)
				_ = server.(*net.TCPConn).CloseWrite()
			}()
			_, _ = io.Copy(client, server)
		}()
	}
}

// create creates the chain. Its blocks are backdated, so that mining does not wait for the clock.
func (c *filledChain) create(ctx context.Context, dir string) error {
	chain, err := devnet.Start(devnet.Options{ChainID: catchUpChain, Dir: dir, Backdate: 30 * 24 * time.Hour})
	if err != nil {
		return err
	}
	err = c.deploy(ctx, chain)
	if err == nil {
		err = c.fill(ctx, chain)
	}
	return errors.Join(err, chain.Close())
}

// deploy deploys the development world's contracts. Meanwhile the chain mines automatically.
func (c *filledChain) deploy(ctx context.Context, chain *devnet.Chain) error {
	ctx, cancel := context.WithCancel(ctx)
	mined := make(chan error, 1)
	go func() { mined <- chain.Run(ctx) }()
	addresses, err := world.Deploy(ctx, chain.Client(), c.registry, collections.GameChain, world.Options{})
	cancel()
	c.collection = addresses.Collections[catchUpCollection]
	return errors.Join(err, <-mined)
}

// fill mints one token for each log. Each block has one transaction, with at most catchUpLogs logs.
func (c *filledChain) fill(ctx context.Context, chain *devnet.Chain) error {
	client := ethclient.NewClient(chain.Client())
	minter := devnet.WalletOf(devnet.Manager)
	nonce, err := client.NonceAt(ctx, common.Address(minter.Address), nil)
	if err != nil {
		return err
	}
	signer := types.LatestSignerForChainID(new(big.Int).SetUint64(uint64(catchUpChain)))
	abi, to := contracts.NewCollection721(), common.Address(c.collection)
	for minted := uint64(0); minted < c.logs; nonce++ {
		ids := make([]*big.Int, min(catchUpLogs, c.logs-minted))
		for i := range ids {
			ids[i] = new(big.Int).SetUint64(firstMinted + minted)
			minted++
		}
		tx, err := types.SignNewTx(minter.Key, signer, &types.LegacyTx{
			Nonce: nonce, To: &to, GasPrice: big.NewInt(100_000_000_000), Gas: 100_000 + 100_000*uint64(len(ids)),
			Data: abi.PackMintBatch(common.Address(bookAddress("owner", nonce%catchUpOwners)), ids),
		})
		if err != nil {
			return err
		}
		if err := client.SendTransaction(ctx, tx); err != nil {
			return err
		}
		if _, err := chain.Mine(ctx); err != nil {
			return err
		}
		receipt, err := client.TransactionReceipt(ctx, tx.Hash())
		if err != nil {
			return err
		}
		if receipt.Status != types.ReceiptStatusSuccessful || len(receipt.Logs) != len(ids) {
			return fmt.Errorf("minting %d tokens after %d: status %d, %d logs", len(ids), minted, receipt.Status, len(receipt.Logs))
		}
	}
	c.head = chain.Head().Number
	for range catchUpSettled {
		if _, err := chain.Mine(ctx); err != nil {
			return err
		}
	}
	return nil
}

// indexWithPortal indexes the chain into a SQLite database with the settings of a running portal. It returns the time from
// the first call to the commit of the last block.
func (c *filledChain) indexWithPortal(ctx context.Context, path string) (took time.Duration, err error) {
	db, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	follower := index.New(db, index.Options{
		Describer: bookArt{c.collection: catchUpCollection}, Publisher: market.Publisher{Decimals: 6},
		Chains: map[onchain.ChainID]index.ChainRules{catchUpChain: {Rules: projection.Rules{Symbol: "USDC", Decimals: 6}}},
	})
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: catchUpChain, URL: c.url})
	if err != nil {
		return 0, err
	}
	defer client.Close()
	c.firstCall.Store(0)
	x, err := indexer.New(indexer.Options{
		Chain: catchUpChain, RPC: client, Store: follower, Poll: 20 * time.Millisecond, Confirmations: catchUpSettled,
		Contracts: indexer.Contracts{Tokens: map[eth.Address]onchain.Standard{c.collection: onchain.ERC721}},
	})
	if err != nil {
		return 0, err
	}
	running, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- x.Run(running) }()
	took, err = c.timed(ctx, 5*time.Millisecond, func() (bool, error) {
		state := x.State()
		if state.Error != "" {
			return false, errors.New(state.Error)
		}
		return state.Started && state.Cursor >= c.head, nil
	})
	cancel()
	if err := errors.Join(err, <-done); err != nil {
		return 0, err
	}
	return took, c.checkPortal(ctx, db)
}

// checkPortal checks that every token has the owner it was minted to.
func (c *filledChain) checkPortal(ctx context.Context, db *store.DB) error {
	return db.Read(ctx, func(q *gen.Queries) error {
		found := uint64(0)
		for n := range uint64(catchUpOwners) {
			stock, err := q.StockOf(ctx, gen.StockOfParams{
				Owner: bookAddress("owner", n), Contract: c.collection, ChainID: catchUpChain,
			})
			if err != nil {
				return err
			}
			found += uint64(len(stock))
		}
		if found != c.logs {
			return fmt.Errorf("%d tokens have an owner instead of %d", found, c.logs)
		}
		return nil
	})
}

// ponderFolder contains the Ponder project: its pinned version, schema and handlers.
const ponderFolder = "test/indexing"

// indexWithPonder indexes the chain into Ponder's own database. It returns the time from Ponder's first call until it reports
// that it is ready; loading the program does not count.
func (c *filledChain) indexWithPonder(ctx context.Context, data string) (took time.Duration, err error) {
	host, err := testkit.FreeAddress()
	if err != nil {
		return 0, err
	}
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		return 0, err
	}
	env := []string{
		"RPC_URL=" + c.url, "CHAIN_ID=" + strconv.FormatUint(uint64(catchUpChain), 10), "CONTRACT=" + c.collection.String(),
		"LAST_BLOCK=" + strconv.FormatUint(c.head, 10), "DATA=" + data, "PONDER_TELEMETRY_DISABLED=true", "NODE_ENV=production",
	}
	c.firstCall.Store(0)
	ponder, err := launch(ctx, host, "/health", env, "node", filepath.Join(ponderFolder, "node_modules/ponder/dist/esm/bin/ponder.js"),
		"start", "--root", ponderFolder, "--schema", "public", "--hostname", "127.0.0.1", "--port", port, "--log-level", "warn")
	if err != nil {
		return 0, err
	}
	defer ponder.stop()
	took, err = c.timed(ctx, 100*time.Millisecond, func() (bool, error) {
		response, err := http.Get("http://" + host + "/ready")
		if err != nil {
			return false, err
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		return 0, err
	}
	return took, c.checkPonder(host)
}

// checkPonder checks that every token has one transfer and one owner.
func (c *filledChain) checkPonder(host string) error {
	response, err := http.Get("http://" + host + "/counts")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var got struct{ Transfers, Owners, Units uint64 }
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		return err
	}
	if got.Transfers != c.logs || got.Owners != c.logs || got.Units != c.logs {
		return fmt.Errorf("stored %+v instead of %d of each", got, c.logs)
	}
	return nil
}

// timed polls isDone at the interval until it returns true, and returns the time since the first call to the chain.
func (c *filledChain) timed(ctx context.Context, interval time.Duration, isDone func() (bool, error)) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, catchUpLimit)
	defer cancel()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		done, err := isDone()
		if err != nil {
			return 0, err
		}
		if done {
			return time.Since(time.Unix(0, c.firstCall.Load())), nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-tick.C:
		}
	}
}

func (c *filledChain) print(name string, took time.Duration, ratio string) {
	target := ""
	if ratio != "" {
		target = fmt.Sprintf("%.1f", catchUpTarget)
	}
	fmt.Printf("| %s | %d | %d | %.2f s | %.0f | %.0f | %s | %s |\n", name, c.head, c.logs, took.Seconds(),
		float64(c.head)/took.Seconds(), float64(c.logs)/took.Seconds(), ratio, target)
}
