package indexer_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/metadata"
	"pantheon/internal/portal/projection"
	"pantheon/internal/store"
	"pantheon/internal/store/index"
	"pantheon/internal/testkit"
)

// bazaar is a development chain with the game contracts, on which the test controls blocks and transactions.
type bazaar struct {
	t       testing.TB
	chain   *devnet.Chain
	client  *ethclient.Client
	at      world.Addresses
	nonces  map[devnet.Role]uint64
	manager devnet.Wallet
}

// openBazaar returns a chain on which only the test makes blocks.
func openBazaar(t testing.TB) *bazaar {
	t.Helper()
	c := devnettest.Open(t, devnet.Options{MaxLead: 24 * time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	mined := make(chan error, 1)
	go func() { mined <- c.Run(ctx) }()
	at, err := world.Deploy(ctx, c.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	for attempt := 0; err != nil && attempt < 3; attempt++ {
		// A receipt can be visible shortly before its state. Deploy resumes where it stopped.
		at, err = world.Deploy(ctx, c.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	}
	cancel()
	b := &bazaar{
		t: t, chain: c, client: ethclient.NewClient(c.Client()), at: at, nonces: map[devnet.Role]uint64{},
		manager: devnet.WalletOf(devnet.Manager),
	}
	b.ok(err)
	b.ok(<-mined)
	return b
}

func (b *bazaar) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// tx signs a transaction with the role's next nonce.
func (b *bazaar) tx(from devnet.Role, to *eth.Address, data []byte) *types.Transaction {
	b.t.Helper()
	w := devnet.WalletOf(from)
	nonce, known := b.nonces[from]
	if !known {
		var err error
		nonce, err = b.client.PendingNonceAt(b.t.Context(), common.Address(w.Address))
		b.ok(err)
	}
	b.nonces[from] = nonce + 1
	return b.signed(from, nonce, to, data)
}

func (b *bazaar) signed(from devnet.Role, nonce uint64, to *eth.Address, data []byte) *types.Transaction {
	b.t.Helper()
	id := big.NewInt(devnettest.GameChain)
	tx, err := types.SignNewTx(devnet.WalletOf(from).Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: (*common.Address)(to), Data: data, Gas: 1_500_000, GasTipCap: big.NewInt(1),
		GasFeeCap: big.NewInt(1_000_000_000),
	})
	b.ok(err)
	return tx
}

// act sends a transaction, which the test mines later.
func (b *bazaar) act(from devnet.Role, to eth.Address, data []byte) *types.Transaction {
	b.t.Helper()
	tx := b.tx(from, &to, data)
	b.ok(b.client.SendTransaction(b.t.Context(), tx))
	return tx
}

// mine makes a block and checks that the sent transactions are in it and succeeded.
func (b *bazaar) mine(sent ...*types.Transaction) {
	b.t.Helper()
	b.mineAny(sent...)
	for _, tx := range sent {
		receipt, err := b.client.TransactionReceipt(b.t.Context(), tx.Hash())
		b.ok(err)
		if receipt.Status != types.ReceiptStatusSuccessful {
			b.t.Fatalf("transaction %s reverted", tx.Hash())
		}
	}
}

// mineAny mines the sent transactions in as many blocks as needed: the pool may offer a transaction only some time
// after it has accepted it.
func (b *bazaar) mineAny(sent ...*types.Transaction) {
	b.t.Helper()
	testkit.Eventually(b.t, time.Minute, func() bool {
		_, err := b.chain.Mine(b.t.Context())
		b.ok(err)
		return !slices.ContainsFunc(sent, func(tx *types.Transaction) bool {
			_, err := b.client.TransactionReceipt(b.t.Context(), tx.Hash())
			return err != nil
		})
	}, "what was sent is not mined")
}

func addressOf(r devnet.Role) common.Address { return common.Address(devnet.WalletOf(r).Address) }

var (
	many     = contracts.NewCollection1155()
	packs    = contracts.NewChests()
	unique   = contracts.NewCollection721()
	coins    = contracts.NewTestToken()
	marketV3 = contracts.NewDirectListingsLogic()
)

func (b *bazaar) offer(asset eth.Address, id, quantity, price int64) contracts.IDirectListingsListingParameters {
	return contracts.IDirectListingsListingParameters{
		AssetContract: common.Address(asset), TokenId: big.NewInt(id), Quantity: big.NewInt(quantity), Currency: common.Address(b.at.USDC),
		PricePerToken: big.NewInt(price), StartTimestamp: new(big.Int).SetInt64(b.chain.Head().Time.Unix()),
		EndTimestamp: big.NewInt(4_102_444_800),
	}
}

// stock gives seller 1 ten each of items 1 and 2 and avatar 5, approves the marketplace for all, and gives seller 2 and
// the claimer money with an allowance for the marketplace.
func (b *bazaar) stock() {
	b.t.Helper()
	items, avatars := b.at.Collections["game-items"], b.at.Collections["avatars"]
	one, two, marketplace := addressOf(devnet.Seller(1)), addressOf(devnet.Seller(2)), common.Address(b.at.Marketplace)
	b.mine(
		b.act(devnet.Manager, items, many.PackMintBatch(one, []*big.Int{big.NewInt(1), big.NewInt(2)},
			[]*big.Int{big.NewInt(10), big.NewInt(10)}, nil)),
		b.act(devnet.Manager, avatars, unique.PackMint(one, big.NewInt(5))),
		b.act(devnet.Manager, b.at.USDC, coins.PackMint(two, big.NewInt(1_000_000_000))),
		b.act(devnet.Manager, b.at.USDC, coins.PackMint(addressOf(devnet.Claimer), big.NewInt(1_000_000_000))),
		b.act(devnet.Seller(1), items, many.PackSetApprovalForAll(marketplace, true)),
		b.act(devnet.Seller(1), avatars, unique.PackSetApprovalForAll(marketplace, true)),
		b.act(devnet.Seller(2), b.at.USDC, coins.PackApprove(marketplace, big.NewInt(1_000_000_000))),
		b.act(devnet.Claimer, b.at.USDC, coins.PackApprove(marketplace, big.NewInt(1_000_000_000))),
	)
}

// fixTable fixes the table of a kind of pack, by the first byte of its hash.
func (b *bazaar) fixTable(id int64, table byte) *types.Transaction {
	b.t.Helper()
	data := packs.PackFixTables([]*big.Int{big.NewInt(id)}, [][32]byte{{table}}, []*big.Int{big.NewInt(1000)})
	return b.act(devnet.Manager, b.at.Collections["chests"], data)
}

func (b *bazaar) list(id, quantity, price int64) *types.Transaction {
	b.t.Helper()
	return b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackCreateListing(b.offer(b.at.Collections["game-items"], id, quantity, price)))
}

// update sets the terms of a listing of the first seller.
func (b *bazaar) update(number int64, terms contracts.IDirectListingsListingParameters) *types.Transaction {
	b.t.Helper()
	listing, err := b.client.CallContract(b.t.Context(), callOf(b.at.Marketplace, marketV3.PackGetListing(big.NewInt(number))), nil)
	b.ok(err)
	stored, err := marketV3.UnpackGetListing(listing)
	b.ok(err)
	terms.StartTimestamp = stored.StartTimestamp // the contract requires the same value
	return b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackUpdateListing(big.NewInt(number), terms))
}

func (b *bazaar) buyCall(listing int64, buyer devnet.Role, quantity, price int64) []byte {
	return marketV3.PackBuyFromListing(big.NewInt(listing), addressOf(buyer), big.NewInt(quantity), common.Address(b.at.USDC),
		big.NewInt(quantity*price))
}

func (b *bazaar) buy(listing int64, buyer devnet.Role, quantity, price int64) *types.Transaction {
	b.t.Helper()
	return b.act(buyer, b.at.Marketplace, b.buyCall(listing, buyer, quantity, price))
}

// contracts returns the contracts of the bazaar in the indexer's form.
func (b *bazaar) contracts() indexer.Contracts {
	c := indexer.Contracts{Marketplace: b.at.Marketplace, EntryPoint: b.at.EntryPoint, Tokens: map[eth.Address]onchain.Standard{
		b.at.USDC: onchain.ERC20, b.at.GOD: onchain.ERC20,
	}}
	for slug, a := range b.at.Collections {
		c.Tokens[a] = onchain.ERC1155
		if slices.Contains([]string{"avatars", "season-avatars", "elder-gods"}, slug) {
			c.Tokens[a] = onchain.ERC721
		}
	}
	return c
}

// noArt leaves all tokens undescribed.
type noArt struct{}

func (noArt) Describe(eth.Address, string, *metadata.Document) index.Description {
	return index.Description{}
}

// indexed is an index in its own database. It signals on changed after each change.
type indexed struct {
	*index.Index
	t       testing.TB
	db      *store.DB
	raw     *sql.DB
	changed chan struct{}

	mu      sync.Mutex
	batches int
}

func (b *bazaar) index(engine store.Engine) *indexed {
	b.t.Helper()
	x := &indexed{t: b.t, changed: make(chan struct{}, 1)}
	o := testkit.DatabaseOptions(b.t, engine)
	driver, dsn := "pgx", o.URL
	if engine == store.SQLite {
		driver, dsn = "sqlite", "file:"+o.Path+"?_pragma=busy_timeout(10000)"
	}
	var err error
	x.db, err = store.Open(b.t.Context(), o)
	b.ok(err)
	b.t.Cleanup(func() { b.ok(x.db.Close()) })
	x.raw, err = sql.Open(driver, dsn)
	b.ok(err)
	b.t.Cleanup(func() { b.ok(x.raw.Close()) })
	x.Index = index.New(x.db, index.Options{Describer: noArt{}, Chains: map[onchain.ChainID]index.ChainRules{
		devnettest.GameChain: {
			Marketplace: b.at.Marketplace, Currencies: []eth.Address{b.at.USDC}, Rules: projection.Rules{Packs: b.at.Collections["chests"]},
		},
	}})
	return x
}

func (x *indexed) ApplyBatch(ctx context.Context, b onchain.Batch) error {
	err := x.Index.ApplyBatch(ctx, b)
	x.mu.Lock()
	x.batches++
	x.mu.Unlock()
	x.tell()
	return err
}

func (x *indexed) AddHistory(ctx context.Context, b onchain.Batch, tokens map[eth.Address]onchain.Standard) error {
	err := x.Index.AddHistory(ctx, b, tokens)
	x.tell()
	return err
}

func (x *indexed) SettleHistory(ctx context.Context, chain onchain.ChainID) (bool, error) {
	more, err := x.Index.SettleHistory(ctx, chain)
	x.tell()
	return more, err
}

func (x *indexed) Rewind(ctx context.Context, chain onchain.ChainID, ancestor onchain.Block) error {
	err := x.Index.Rewind(ctx, chain, ancestor)
	x.tell()
	return err
}

func (x *indexed) tell() {
	select {
	case x.changed <- struct{}{}:
	default:
	}
}

// await waits until the index has reached the block.
func (x *indexed) await(head onchain.Block) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.t.Context(), time.Minute)
	defer cancel()
	for !x.endsWith(head) {
		select {
		case <-x.changed:
		case <-ctx.Done():
			x.t.Fatalf("the index did not reach block %d", head.Number)
		}
	}
}

// endsWith reports whether the block is the last that was read.
func (x *indexed) endsWith(head onchain.Block) bool {
	x.t.Helper()
	blocks, err := x.Blocks(x.t.Context(), devnettest.GameChain)
	if err != nil {
		x.t.Fatal(err)
	}
	return len(blocks) > 0 && blocks[len(blocks)-1].Hash == head.Hash
}

// rows returns the result of a query as lines of text.
func (x *indexed) rows(query string) []string {
	x.t.Helper()
	rows, err := x.raw.QueryContext(x.t.Context(), query)
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // Err reports failures
	columns, err := rows.Columns()
	if err != nil {
		x.t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			x.t.Fatal(err)
		}
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
	}
	if err := rows.Err(); err != nil {
		x.t.Fatal(err)
	}
	return lines
}

// state is everything in the index except the hashes of recent blocks, of which it may keep fewer, and how often what is read has changed.
func (x *indexed) state() string {
	x.t.Helper()
	var all strings.Builder
	cursors := x.rows("SELECT chain_id, block_number, block_hash, base, sources, settled_block, settled_log, settled_sub, settled_copies " +
		"FROM chain_cursor ORDER BY 1")
	fmt.Fprintf(&all, "chain_cursor:\n%s\n", strings.Join(cursors, "\n"))
	for _, table := range []struct{ name, order string }{
		{"chain_source", "1,2"}, {"token_transfer", "1,2,3,4"}, {"token_approval", "1,2,3"}, {"user_operation_event", "1,2,3"},
		{"listing_event", "1,2,3"}, {"sale", "1,2,3"}, {"holding", "1,2,3,4"}, {"supply_cap", "1,2,3"}, {"token_table", "1,2,3"},
		{"supply", "1,2,3"}, {"token", "1,2"}, {"listing", "1"},
	} {
		fmt.Fprintf(&all, "%s:\n%s\n", table.name, strings.Join(x.rows("SELECT * FROM "+table.name+" ORDER BY "+table.order), "\n"))
	}
	return all.String()
}

func (x *indexed) want(what string, got []string, want ...string) {
	x.t.Helper()
	if !slices.Equal(got, want) {
		x.t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (x *indexed) listings() []string {
	x.t.Helper()
	return x.rows("SELECT listing_id, quantity, price, status, CASE valid WHEN 1 THEN 'valid' ELSE 'invalid' END FROM listing ORDER BY id")
}

// options are those of an indexer that polls the bazaar frequently.
func (b *bazaar) options(x *indexed) indexer.Options {
	return indexer.Options{
		Chain: devnettest.GameChain, RPC: b.chain.Client(), Store: x, Contracts: b.contracts(), Poll: 5 * time.Millisecond,
		Retry: 5 * time.Millisecond,
	}
}

// follow runs an indexer until the test ends or stop is called.
func follow(t testing.TB, o indexer.Options) (x *indexer.Indexer, stop func()) {
	t.Helper()
	x, err := indexer.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("the indexer ended as %+v", x.State())
		}
	})
	return x, stop
}

// afresh returns the state of an index that is built from nothing.
func (b *bazaar) afresh(engine store.Engine) string {
	b.t.Helper()
	x := b.index(engine)
	_, stop := follow(b.t, b.options(x))
	x.await(b.chain.Head())
	stop()
	return x.state()
}

// eachEngine runs the test with a bazaar and an index on each database.
func eachEngine(t *testing.T, test func(t *testing.T, b *bazaar, engine store.Engine)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			test(t, openBazaar(t), engine)
		})
	}
}

func callOf(to eth.Address, data []byte) ethereum.CallMsg {
	return ethereum.CallMsg{To: (*common.Address)(&to), Data: data}
}
