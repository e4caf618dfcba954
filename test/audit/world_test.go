// Package audit_test opens packs of all kinds in a portal that is killed on chains that are reorganised, and checks all openings as a
// stranger would: from what the portal publishes and the chains answer. Then it cheats with everything that whoever operates a portal
// has, and checks that each way is found.
package audit_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/app"
	"pantheon/internal/audit"
	"pantheon/internal/beacon"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/collections"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/shop/devshop"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

const (
	waitTimeout = 90 * time.Second
	finality    = 3               // blocks of the game chain
	margin      = 2 * time.Second // of its blocks' times
)

// The ids of packs of the first editions.
const (
	general = 1
	avatar  = 2
	god     = 3
)

// The bulk of the packs is burned by wallets that no player has.
var burners = []devnet.Role{
	devnet.Seller(1), devnet.Seller(2), devnet.Seller(3), devnet.Seller(4),
	devnet.Seller(5), devnet.Seller(6), devnet.Seller(7), devnet.Seller(8),
}

// scene is a portal with everything outside of it: the chains, a beacon and a shop.
type scene struct {
	*testing.T
	ctx     context.Context
	game    *devnet.Chain
	node    *ethclient.Client
	at      world.Addresses
	chests  eth.Address
	nodes   map[onchain.ChainID]string // endpoints, for anybody
	beacon  *lamp
	shop    *devshop.Shop
	site    *testkit.Site
	rules   string // the file
	tables  []draw.Table
	random  *mathrand.Rand
	nonces  map[devnet.Role]uint64
	holds   map[devnet.Role]map[int64]int64 // packs of the burners
	burns   []burning                       // all that were ever sent
	relayed map[int64]int64                 // packs that players have burned, by token
	bought  map[string]int64                // packs that were paid for, by kind and edition

	orders   []int64
	refunded []uint64 // orders, in part or as a whole
}

// burning is a transaction that burns packs.
type burning struct {
	*types.Transaction
	by    devnet.Role
	packs map[int64]int64 // by token
}

func (s *scene) ok(err error) {
	s.Helper()
	must(s.T, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until check returns true. It polls slowly: other processes need the processor.
func (s *scene) eventually(check func() bool, format string, args ...any) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, 2*waitTimeout)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !check() {
		select {
		case <-ctx.Done():
			s.Fatalf(format+"\n%s", append(args, s.site.Log())...)
		case <-tick.C:
		}
	}
}

// start starts a scene with the built-in tables, on a database.
func start(t *testing.T, engine store.Engine, limit time.Duration) *scene {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	s := &scene{
		T: t, ctx: ctx, rules: filepath.Join(t.TempDir(), "rules.yaml"), random: mathrand.New(mathrand.NewPCG(20, 26)),
		nonces: map[devnet.Role]uint64{}, holds: map[devnet.Role]map[int64]int64{},
		relayed: map[int64]int64{}, bought: map[string]int64{}, nodes: map[onchain.ChainID]string{},
	}
	builtIn, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	s.ok(err)
	s.announce(builtIn.All()...)
	s.startChains()
	s.beacon = light(t)
	var env []string
	s.shop, env = openShop(t)
	env = append(env,
		"GAME_RULES_FILE="+s.rules, "GAME_CHAIN_RPC_URL="+s.nodes[devnettest.GameChain], "MAIN_CHAIN_RPC_URL="+s.nodes[devnettest.MainChain],
		fmt.Sprint("GAME_CHAIN_FINALITY=", finality), "GAME_CHAIN_TIME_MARGIN="+margin.String(),
		"BEACON_URL="+s.beacon.url, "BEACON_PUBLIC_KEY="+s.beacon.key, fmt.Sprint("BEACON_GENESIS=", beaconGenesis), "BEACON_PERIOD=1",
		"CARD_DELAY=1s", "CARD_PER_PLAYER=1000000", "CARD_PER_DAY=10000000", "RELAY_OPERATIONS_PER_MINUTE=1000", "RELAY_OPERATIONS_PER_DAY=10000",
	)
	for _, limit := range []string{"LOGINS", "CART_CHANGES", "SIGNATURES", "CHAIN_READS", "READS", "ART"} {
		env = append(env, "LIMIT_"+limit+"=0")
	}
	s.site = testkit.StartSite(t, testkit.SiteOptions{Engine: engine, Env: env})
	return s
}

// startChains starts the chains with the development world and serves them on this machine.
func (s *scene) startChains() {
	s.Helper()
	c, err := config.Load([]string{"DATA_DIR=" + s.TempDir(), "GAME_RULES_FILE=" + s.rules}, brandtest.Pantheon())
	s.ok(err)
	var listeners [2]net.Listener
	for i, id := range []onchain.ChainID{devnettest.GameChain, devnettest.MainChain} {
		listeners[i], err = net.Listen("tcp", "127.0.0.1:0")
		s.ok(err)
		s.nodes[id] = "http://" + listeners[i].Addr().String()
	}
	chains, err := app.StartChains(s.ctx, c, s.nodes[devnettest.GameChain], io.Discard)
	s.ok(err)
	s.Cleanup(func() { must(s.T, chains.Close()) })
	ctx, stop := context.WithCancel(context.Background())
	served, mined := make(chan error, 1), make(chan error, 1)
	go func() { served <- chains.Serve(ctx, listeners, nil) }()
	go func() { mined <- mineForOthers(ctx, chains.Game()) }()
	s.Cleanup(func() {
		stop()
		must(s.T, <-served)
		must(s.T, <-mined)
		http.DefaultClient.CloseIdleConnections()
	})
	s.game, s.node = chains.Game(), ethclient.NewClient(chains.Game().Client())
	s.at, err = world.AddressesOf(brandtest.Pantheon().Collections, collections.GameChain)
	s.ok(err)
	s.chests = s.at.Collections["chests"]
}

// mineForOthers makes the blocks of other users, about one a second: without them nothing would become final.
func mineForOthers(ctx context.Context, c *devnet.Chain) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if time.Since(c.Head().Time) < time.Second {
			continue
		}
		if _, err := c.Mine(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

const beaconGenesis = 1767225600

// lamp is a beacon that nobody at the portal runs. It can be out of reach.
type lamp struct {
	signer   *beacon.Signer
	url, key string
	off      atomic.Bool
}

func light(t *testing.T) *lamp {
	t.Helper()
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails, as documented
	l := &lamp{signer: beacon.NewSigner(seed)}
	rounds := &beacon.Server{Signer: l.signer, Genesis: time.Unix(beaconGenesis, 0), Period: time.Second, Clock: clock.System{}}
	handler := rounds.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.off.Load() {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	l.url, l.key = fmt.Sprintf("%s/%x", server.URL, rounds.Info().Hash()), hex.EncodeToString(l.signer.PublicKey().Bytes())
	return l
}

// openShop starts a shop and returns it with the settings by which a portal finds it.
func openShop(t *testing.T) (*devshop.Shop, []string) {
	t.Helper()
	products := testkit.Catalogue(t, "")
	server := httptest.NewUnstartedServer(nil)
	at := "http://" + server.Listener.Addr().String()
	shop, err := devshop.New(devshop.Options{
		URL: at, Key: "consumer-key", Secret: "consumer-secret", Currency: "EUR",
		Catalogue: func() *webstore.Catalogue { return products }, Clock: clock.System{},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = shop
	server.Start()
	t.Cleanup(func() { shop.Wait(); server.Close() })
	return shop, []string{
		"SHOP_URL=" + at, "SHOP_KEY=consumer-key", "SHOP_SECRET=consumer-secret", "SHOP_WEBHOOK_SECRET=webhook-secret", "SHOP_POLL_INTERVAL=1s",
	}
}

// announce adds tables to the portal's rules.
func (s *scene) announce(tables ...draw.Table) {
	s.Helper()
	s.tables = append(s.tables, tables...)
	slices.SortStableFunc(s.tables, func(a, b draw.Table) int { return a.Edition - b.Edition })
	text := "tables:\n"
	for _, t := range s.tables {
		text += "  - " + string(t.Canonical()) + "\n" // JSON is YAML
	}
	s.ok(os.WriteFile(s.rules+".new", []byte(text), 0o600))
	s.ok(os.Rename(s.rules+".new", s.rules))
}

// table returns the first edition of a kind, to make another one of it.
func (s *scene) table(kind string) draw.Table {
	s.Helper()
	i := slices.IndexFunc(s.tables, func(t draw.Table) bool { return t.Kind == kind && t.Edition == 1 })
	if i < 0 {
		s.Fatalf("there is no table of the kind %s", kind)
	}
	t := s.tables[i]
	t.Drops, t.Caps = slices.Clone(t.Drops), slices.Clone(t.Caps)
	return t
}

// send sends a transaction of a development wallet to the game chain.
func (s *scene) send(from devnet.Role, to eth.Address, data []byte) *types.Transaction {
	s.Helper()
	nonce, known := s.nonces[from]
	if !known {
		var err error
		nonce, err = s.node.PendingNonceAt(s.ctx, common.Address(devnet.WalletOf(from).Address))
		s.ok(err)
	}
	s.nonces[from] = nonce + 1
	tx := s.sign(from, nonce, to, data)
	s.ok(s.node.SendTransaction(s.ctx, tx))
	return tx
}

func (s *scene) sign(from devnet.Role, nonce uint64, to eth.Address, data []byte) *types.Transaction {
	s.Helper()
	recipient := common.Address(to)
	chain := big.NewInt(devnettest.GameChain)
	tx, err := types.SignNewTx(devnet.WalletOf(from).Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, To: &recipient, Data: data, Gas: 1_000_000,
		GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(100_000_000_000),
	})
	s.ok(err)
	return tx
}

// place is where a transaction is.
type place struct {
	tx    eth.Hash
	block uint64
	hash  eth.Hash // of the block
	time  int64    // of the block, in Unix seconds
}

// placeOf waits until a transaction is in a block.
func (s *scene) placeOf(tx *types.Transaction) place {
	s.Helper()
	number := s.mined(tx)
	header, err := s.node.HeaderByNumber(s.ctx, new(big.Int).SetUint64(number))
	s.ok(err)
	return place{eth.Hash(tx.Hash()), number, eth.Hash(header.Hash()), int64(header.Time)}
}

// mined waits until a transaction is in a block, and returns the block's number.
func (s *scene) mined(tx *types.Transaction) uint64 {
	s.Helper()
	var r *types.Receipt
	s.eventually(func() bool {
		var err error
		r, err = s.node.TransactionReceipt(s.ctx, tx.Hash())
		return err == nil
	}, "transaction %s is not mined", tx.Hash())
	if r.Status != types.ReceiptStatusSuccessful {
		s.Fatalf("transaction %s failed", tx.Hash())
	}
	return r.BlockNumber.Uint64()
}

func ints(ns ...int64) (out []*big.Int) {
	for _, n := range ns {
		out = append(out, big.NewInt(n))
	}
	return out
}

// fix has the manager fix tables in the contract of the packs, with a cap.
func (s *scene) fix(most int64, tables ...draw.Table) place {
	s.Helper()
	var ids, caps []*big.Int
	var hashes [][32]byte
	for _, t := range tables {
		id, _ := new(big.Int).SetString(t.Token, 10)
		ids, hashes, caps = append(ids, id), append(hashes, t.Hash()), append(caps, big.NewInt(most))
	}
	return s.placeOf(s.send(devnet.Manager, s.chests, contracts.NewChests().PackFixTables(ids, hashes, caps)))
}

// mint has the manager mint packs to an address.
func (s *scene) mint(to eth.Address, packs map[int64]int64) *types.Transaction {
	s.Helper()
	var ids, amounts []int64
	for id, n := range packs {
		ids, amounts = append(ids, id), append(amounts, n)
	}
	call := contracts.NewCollection1155().PackMintBatch(common.Address(to), ints(ids...), ints(amounts...), nil)
	return s.send(devnet.Manager, s.chests, call)
}

// supply mints packs to burners.
func (s *scene) supply(packs map[int64]int64, to ...devnet.Role) {
	s.Helper()
	var last *types.Transaction
	defer func() { s.mined(last) }()
	for _, by := range to {
		last = s.mint(devnet.WalletOf(by).Address, packs)
		if s.holds[by] == nil {
			s.holds[by] = map[int64]int64{}
		}
		for id, n := range packs {
			s.holds[by][id] += n
		}
	}
}

// burn sends a transaction of a burner that burns packs: a single burn for one token, a batch for several.
func (s *scene) burn(by devnet.Role, packs map[int64]int64) *types.Transaction {
	s.Helper()
	for id, n := range packs {
		s.holds[by][id] -= n
	}
	tx := s.send(by, s.chests, burnCall(by, packs))
	s.burns = append(s.burns, burning{tx, by, packs})
	return tx
}

func burnCall(by devnet.Role, packs map[int64]int64) []byte {
	wallet := common.Address(devnet.WalletOf(by).Address)
	var ids, amounts []int64
	for _, id := range slices.Sorted(maps.Keys(packs)) {
		ids, amounts = append(ids, id), append(amounts, packs[id])
	}
	if len(ids) == 1 {
		return contracts.NewCollection1155().PackBurn(wallet, big.NewInt(ids[0]), big.NewInt(amounts[0]))
	}
	return contracts.NewCollection1155().PackBurnBatch(wallet, ints(ids...), ints(amounts...))
}

// burnSome burns about n packs of what the burners hold, each wallet several times in turn, up to most at once.
func (s *scene) burnSome(n, most int64) (last *types.Transaction) {
	s.Helper()
	for round := 0; n > 0; round++ {
		by := burners[round%len(burners)]
		packs := map[int64]int64{}
		for _, id := range slices.Sorted(maps.Keys(s.holds[by])) {
			if has := s.holds[by][id]; has > 0 && s.random.IntN(2) == 0 {
				packs[id] = min(1+s.random.Int64N(most), has)
				n -= packs[id]
			}
		}
		if len(packs) > 0 {
			last = s.burn(by, packs)
		}
		if round > 10_000 {
			s.Fatal("the burners have nothing left")
		}
	}
	return last
}

// The ways in which a branch of the chain treats the transactions that it replaces.
const (
	droppedAtFirst = iota // they are mined again after the branch
	allAtTheEnd
	byOthers // a burn by another of the same wallet
)

// reorganise replaces the newest blocks, from one on if that many are not final.
func (s *scene) reorganise(from uint64, how int) {
	s.Helper()
	depth := int(min(s.game.Head().Number-from+1, finality))
	var late []*types.Transaction
	s.ok(s.game.Reorg(s.ctx, depth, func(i int, replaced []*types.Transaction) []*types.Transaction {
		switch how {
		case allAtTheEnd:
			late = append(late, replaced...)
			if i < depth {
				return nil
			}
			return late
		case byOthers:
			replaced = slices.Clone(replaced)
			for i, tx := range replaced {
				if at := slices.IndexFunc(s.burns, func(b burning) bool { return b.Hash() == tx.Hash() }); at >= 0 {
					replaced[i] = s.rival(s.burns[at])
				}
			}
			return replaced
		}
		return nil
	}))
}

// rival makes another burn in the place of one.
func (s *scene) rival(b burning) *types.Transaction {
	packs := map[int64]int64{}
	for id, n := range b.packs {
		packs[id] = (n + 1) / 2
		s.holds[b.by][id] += n - packs[id]
	}
	if maps.Equal(packs, b.packs) { // one of each
		return b.Transaction
	}
	tx := s.sign(b.by, b.Nonce(), s.chests, burnCall(b.by, packs))
	s.burns = append(s.burns, burning{tx, b.by, packs})
	return tx
}

// burned returns how many packs of each token are burned on the chain, by everybody.
func (s *scene) burned() (by map[int64]int64, all int64) {
	s.Helper()
	by = map[int64]int64{}
	for id, n := range s.relayed {
		by[id] += n
		all += n
	}
	for _, b := range s.burns {
		r, err := s.node.TransactionReceipt(s.ctx, b.Hash())
		if err != nil || r.Status != types.ReceiptStatusSuccessful {
			continue // another one is in its place
		}
		for id, n := range b.packs {
			by[id] += n
			all += n
		}
	}
	return by, all
}

// newPlayers registers players. They have the starter kit, in which is a general pack, and packs of their own.
func (s *scene) newPlayers(n int, own map[int64]int64) (players []*player.Player) {
	s.Helper()
	for range n {
		p, err := player.Register(s.ctx, s.site.URL)
		s.ok(err)
		s.ok(p.Call(s.ctx, http.MethodPost, "/api/auth/packs/confirm-age", map[string]string{}, nil))
		s.mint(p.Smart, own)
		players = append(players, p)
	}
	for _, p := range players {
		s.eventually(func() bool {
			rewards, err := p.Rewards(s.ctx, "")
			return err == nil && allDone(rewards, 18)
		}, "the welcome gifts did not arrive")
	}
	return players
}

func allDone(rewards []player.Reward, n int) bool {
	return len(rewards) >= n && !slices.ContainsFunc(rewards, func(r player.Reward) bool { return r.State != "done" })
}

// relay has a player burn packs in one operation that the portal pays for, each token by a call of its own. The result waits until that is
// mined.
func (s *scene) relay(p *player.Player, packs map[int64]int64) (wait func()) {
	s.Helper()
	var calls []player.Call
	for _, id := range slices.Sorted(maps.Keys(packs)) {
		calls = append(calls, p.BurnCall(player.Burn{Contract: s.chests, TokenID: id, Amount: packs[id]}))
		s.relayed[id] += packs[id]
	}
	hash := s.act(p, calls)
	return func() {
		s.Helper()
		s.eventually(func() bool {
			var receipt struct{ Success bool }
			return p.RPC(s.ctx, "bundler", "eth_getUserOperationReceipt", &receipt, hash) == nil && receipt.Success
		}, "the player's packs are not burned")
	}
}

// act sends an operation of a player, once the one before is settled.
func (s *scene) act(p *player.Player, calls []player.Call) (hash eth.Hash) {
	s.Helper()
	s.ok(p.RenewWallet(s.ctx))
	s.eventually(func() bool {
		op, err := p.Prepare(s.ctx, calls)
		if err == nil {
			hash, err = p.Send(s.ctx, op)
		}
		if err != nil && !strings.Contains(err.Error(), "is still on its way") {
			s.Fatal(err)
		}
		return err == nil
	}, "the operation before is not settled")
	return hash
}

// Variations of the built-in products.
const (
	bronze     = 101
	silver     = 102
	gold       = 103
	fiveBronze = 104
)

var kindOf = map[int64]string{bronze: "destiny-bronze", silver: "destiny-silver", gold: "destiny-gold", fiveBronze: "destiny-bronze"}

// unitsOf is how many packs one unit of a variation has.
var unitsOf = map[int64]int64{bronze: 1, silver: 1, gold: 1, fiveBronze: 5}

// buy has a player order destiny packs, and pays. It returns the order's id.
func (s *scene) buy(p *player.Player, variation, quantity int64) int64 {
	s.Helper()
	var nonce eth.Hash
	_, _ = rand.Read(nonce[:]) // never fails, as documented
	var out struct {
		URL     string
		Edition int
	}
	wanted := map[string]any{"productId": 100, "variationId": variation, "nonce": nonce}
	s.ok(p.Call(s.ctx, http.MethodPost, "/api/auth/webstore/checkout", wanted, &out))
	lines := []devshop.NewLine{{Variation: variation, Quantity: quantity}}
	id := s.shop.Place(devshop.NewOrder{Reference: referenceOf(s.T, out.URL), Lines: lines})
	s.shop.SetStatus(id, "processing")
	s.orders = append(s.orders, id)
	s.bought[fmt.Sprint(kindOf[variation], " ", out.Edition)] += quantity * unitsOf[variation]
	return id
}

func referenceOf(t *testing.T, checkout string) string {
	t.Helper()
	u, err := url.Parse(checkout)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("orderReference")
}

// paid returns how many packs were paid for.
func (s *scene) paid() (all int64) {
	for _, n := range s.bought {
		all += n
	}
	return all
}

// recorded returns how many payments are in the public log.
func (s *scene) recorded() int64 {
	var log struct{ Head struct{ Number int64 } }
	if err := s.get("/api/packs/records?limit=1", &log); err != nil {
		return -1
	}
	return log.Head.Number
}

// get reads what the portal publishes.
func (s *scene) get(path string, out any) error {
	request, err := http.NewRequestWithContext(s.ctx, http.MethodGet, s.site.URL+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", path, response.StatusCode, text)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// opening is an opening in the public list.
type opening struct {
	Place     int64
	OpeningID string
	Kind      string
	Edition   int
	State     string
	Wallet    *eth.Address
}

// progress follows the public list.
type progress struct {
	done    []opening // drawn, up to the first that waits
	after   int64
	drawn   int // of those listed
	waiting int
}

func (p progress) String() string { return fmt.Sprintf("%d drawn, %d waiting", p.drawn, p.waiting) }

// look reads the part of the list that may have changed.
func (s *scene) look(p *progress) error {
	p.drawn, p.waiting = len(p.done), 0
	first := true
	for after := p.after; ; {
		var page struct{ Openings []opening }
		if err := s.get(fmt.Sprintf("/api/packs/openings?after=%d&limit=500", after), &page); err != nil {
			return err
		}
		if len(page.Openings) == 0 {
			return nil
		}
		for _, o := range page.Openings {
			after = o.Place
			switch {
			case o.State != "drawn":
				first = false
				p.waiting++
			case first:
				p.done, p.after = append(p.done, o), o.Place
				p.drawn++
			default:
				p.drawn++
			}
		}
	}
}

// allDrawn waits until so many openings are listed, and all are drawn.
func (s *scene) allDrawn(p *progress, n int64) {
	s.Helper()
	s.eventually(func() bool { return s.look(p) == nil && p.waiting == 0 && int64(p.drawn) == n }, "of %d openings: %v", n, p)
}

// auditor returns somebody who knows what everybody knows: the portal's address, endpoints of the chains, and the beacon's key.
func (s *scene) auditor() *audit.Auditor {
	return audit.New(audit.Options{Site: s.site.URL, Nodes: s.nodes, BeaconKey: s.beacon.key})
}
