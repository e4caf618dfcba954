package relay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/relay"
	"pantheon/internal/chain/signer"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/collections"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) {
	if child := os.Getenv(childEnv); child != "" {
		os.Exit(runChild(child))
	}
	testkit.Main(m, devnettest.LeakOptions()...)
}

// The listings of the test market, by number.
const (
	items   = iota // game item 1, 1000 copies at 5 USDC
	lone           // game item 2, one copy at 7 USDC
	avatar         // avatar 1, ERC-721, at 9 USDC
	markets        // number of listings
)

func lots() []world.Lot {
	return []world.Lot{
		{
			Collection: "game-items", TokenID: money.FromInt(1), Seller: devnet.Seller(1), Amount: 1000, Quantity: 1000,
			Price: money.FromInt(5_000_000),
		},
		{Collection: "game-items", TokenID: money.FromInt(2), Seller: devnet.Seller(2), Amount: 1, Quantity: 1, Price: money.FromInt(7_000_000)},
		{Collection: "avatars", TokenID: money.FromInt(1), Seller: devnet.Seller(3), Amount: 1, Quantity: 1, Price: money.FromInt(9_000_000)},
	}
}

// packTables lets packs 1 and 2 be minted.
func packTables() []deploy.Table {
	return []deploy.Table{
		{TokenID: money.FromInt(1), Table: [32]byte{1}, Max: 100_000}, {TokenID: money.FromInt(2), Table: [32]byte{2}, Max: 100_000},
	}
}

func prices() []int64 { return []int64{5_000_000, 7_000_000, 9_000_000} }

// policyFor is the policy on the game chain of the development world.
func policyFor(chain onchain.ChainID, a world.Addresses) *gas.Policy {
	item, avatars := a.Collections["game-items"], a.Collections["avatars"]
	return &gas.Policy{
		Chain: chain, EntryPoint: a.EntryPoint, Factory: a.AccountFactory, Implementation: a.AccountImplementation,
		Allowed: gas.AllowedCalls(gas.Contracts{
			Marketplace: a.Marketplace, Currency: a.USDC, Tradable721: []eth.Address{avatars}, Tradable1155: []eth.Address{item},
			Burnable1155: []eth.Address{a.Collections["chests"]},
		}),
		MaxCalls: 250, MaxGas: 14_000_000, Currency: a.USDC,
		Paymaster: a.Paymaster, PaymasterSigners: []eth.Address{devnet.WalletOf(devnet.PaymasterSigner).Address},
		Budget: gas.Budget{PlayerPerMinute: 1000, Player: plenty, Network: plenty, Total: plenty},
	}
}

// plenty is an allowance that these tests never exhaust.
var plenty = gas.Allowance{Operations: 10_000, Wei: money.MustParse("1000000000000000000")}

// guard returns the configured refusal.
type guard struct{ refusal atomic.Pointer[error] }

func (g *guard) Allow(context.Context, gas.Intent) error {
	if err := g.refusal.Load(); err != nil {
		return *err
	}
	return nil
}

// diary is an observer that records its notifications.
type diary struct {
	mu    sync.Mutex
	heard map[eth.Hash][]string
	fail  int // how many notifications fail first
}

func (d *diary) note(step string, op gas.Operation) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail > 0 {
		d.fail--
		return fmt.Errorf("the observer is busy")
	}
	d.heard[op.Hash] = append(d.heard[op.Hash], step)
	return nil
}

func (d *diary) Accepted(_ context.Context, op gas.Operation) error { return d.note("accepted", op) }
func (d *diary) Sent(_ context.Context, op gas.Operation) error     { return d.note("sent", op) }
func (d *diary) Settled(_ context.Context, op gas.Operation) error {
	return d.note(string(op.State), op)
}

func (d *diary) of(hash eth.Hash) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.heard[hash])
}

// site is a chain with the development world and a small market, a database, and the parts under test.
type site struct {
	testing.TB
	chain     *devnet.Chain
	client    *ethclient.Client
	at        world.Addresses
	g         gasstore.Store
	policy    *gas.Policy
	guard     *guard
	diary     *diary
	signer    *signer.Signer
	canceller relay.Canceller // s.signer unless a test sets another
	queue     *txqueue.Queue
	relay     *relay.Relay
	contacts  gas.Contacts
	validity  time.Duration
	ahead     time.Duration // how far the relay's clock is ahead of the chain's
	dataGas   *uint64       // what the chain charges for an operation's data; nil for nothing

	stopMining func()
}

// newSite builds the site. Blocks are made as transactions arrive until stopMining is called; nothing is relayed until
// start is called.
func newSite(t testing.TB, g gasstore.Store) *site {
	t.Helper()
	// Blocks are made faster than one a second.
	s := &site{
		TB: t, chain: devnettest.Open(t, devnet.Options{MaxLead: 24 * time.Hour}), g: g, guard: &guard{},
		diary: &diary{heard: map[eth.Hash][]string{}},
	}
	s.client = ethclient.NewClient(s.chain.Client())
	s.stopMining = s.mine()
	var err error
	registry := brandtest.Pantheon().Collections
	if s.at, err = world.Deploy(t.Context(), s.chain.Client(), registry, collections.GameChain, world.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := world.Seed(t.Context(), s.chain.Client(), s.at, packTables(), lots(), clock.System{}, nil); err != nil {
		t.Fatal(err)
	}
	s.policy = policyFor(s.chain.ID(), s.at)
	kek, err := signer.KeyFile(filepath.Join(t.TempDir(), "signer.key"))
	if err != nil {
		t.Fatal(err)
	}
	s.signer, err = signer.New(signer.Options{
		Ring: signer.Ring{kek}, Keys: g, Guard: s.guard, Sponsored: g, Bindings: noBindings{}, Record: noBindings{},
		Policies: []*gas.Policy{s.policy},
		Site:     "https://pantheon.example", PerMinute: 1 << 20, Clock: chainClock{client: s.client}, Log: quiet(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.canceller = s.signer
	s.assemble(s.chain.Client(), g, g)
	return s
}

// chainClock is the time of the chain's newest block, if that is ahead of the system clock: the blocks of these tests
// are made faster than one a second.
type chainClock struct {
	client *ethclient.Client
	ahead  time.Duration
}

func (c chainClock) Now() time.Time {
	now := time.Now().Add(c.ahead)
	if head, err := c.client.HeaderByNumber(context.Background(), nil); err == nil {
		if t := time.Unix(int64(head.Time), 0).Add(c.ahead); t.After(now) {
			return t
		}
	}
	return now
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// parts are the queue and the relay, wired as in production.
func parts(
	rpc txqueue.RPC, transactions gas.Transactions, operations gas.Operations, accounts gas.Accounts,
	policy *gas.Policy, guard gas.Guard, canceller relay.Canceller, contacts gas.Contacts, observer gas.Observer, now clock.Clock,
	validity time.Duration, dataGas bool,
) (*txqueue.Queue, *relay.Relay, error) {
	relayer, paymaster := devnet.WalletOf(devnet.GasRelayer), devnet.WalletOf(devnet.PaymasterSigner)
	q, err := txqueue.New(txqueue.Options{
		Chain: policy.Chain, RPC: rpc, Store: transactions, Wallets: []txqueue.Wallet{txqueue.NewKeyWallet(relayer.Key)},
		Clock: clock.System{}, Log: quiet(), Poll: 2 * time.Millisecond, Idle: 5 * time.Millisecond,
	})
	if err != nil {
		return nil, nil, err
	}
	r, err := relay.New(relay.Options{
		Chains: []relay.Chain{{
			Policy: policy, RPC: rpc, Queue: q, Relayer: relayer.Address, Signer: txqueue.NewKeyWallet(paymaster.Key),
			Poll: 5 * time.Millisecond, Validity: validity, DataGas: dataGas,
		}},
		Operations: operations, Accounts: accounts, Guard: guard, Canceller: canceller, Contacts: contacts, Observer: observer, Clock: now,
		Log: quiet(),
	})
	return q, r, err
}

func (s *site) assemble(rpc txqueue.RPC, transactions gas.Transactions, operations gas.Operations) {
	s.Helper()
	if s.dataGas != nil {
		rpc = pricedData{rpc, *s.dataGas}
	}
	var err error
	if s.queue, s.relay, err = parts(
		rpc, transactions, operations, s.g, s.policy, s.guard, s.canceller, s.contacts, s.diary, chainClock{s.client, s.ahead},
		s.validity, s.dataGas != nil,
	); err != nil {
		s.Fatal(err)
	}
}

// background runs a function until the test ends or stop is called.
func (s *site) background(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.Errorf("a background part failed: %v", err)
		}
	})
	s.Cleanup(stop)
	return stop
}

// mine makes blocks as transactions arrive.
func (s *site) mine() (stop func()) { return s.background(s.chain.Run) }

// start starts the relay.
func (s *site) start() (stop func()) {
	queue, relay := s.background(s.queue.Run), s.background(s.relay.Run)
	return func() { relay(); queue() }
}

// broadcast sends a transaction of a development wallet without waiting for it. tip is in wei per gas.
func (s *site) broadcast(role devnet.Role, to eth.Address, data []byte, tip int64) common.Hash {
	s.Helper()
	w := devnet.WalletOf(role)
	nonce, err := s.client.PendingNonceAt(s.Context(), common.Address(w.Address))
	if err != nil {
		s.Fatal(err)
	}
	id, target := new(big.Int).SetUint64(uint64(s.chain.ID())), common.Address(to)
	tx, err := types.SignNewTx(w.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: &target, Data: data, Gas: 5_000_000, GasFeeCap: big.NewInt(1_000_000_000), GasTipCap: big.NewInt(tip),
	})
	if err != nil {
		s.Fatal(err)
	}
	if err := s.client.SendTransaction(s.Context(), tx); err != nil {
		s.Fatal(err)
	}
	return tx.Hash()
}

// priority is a tip that puts a transaction before others.
const priority = 900_000_000

// transact sends a transaction of a development wallet and waits until it is mined.
func (s *site) transact(role devnet.Role, to eth.Address, data []byte) {
	s.Helper()
	id := s.broadcast(role, to, data, 1)
	testkit.Eventually(s, 10*time.Second, func() bool {
		r, err := s.client.TransactionReceipt(s.Context(), id)
		if err == nil && r.Status != 1 {
			s.Fatalf("a transaction of the %s failed", role)
		}
		return err == nil
	}, "a transaction of the %s was not mined", role)
}

// ask calls a view of a contract.
func ask[T any](s *site, to eth.Address, data []byte, unpack func([]byte) (T, error)) T {
	s.Helper()
	var out struct{ Hex eth.Bytes }
	message := map[string]any{"to": to, "data": eth.Bytes(data)}
	if err := s.chain.Client().CallContext(s.Context(), &out.Hex, "eth_call", message, "latest"); err != nil {
		s.Fatal(err)
	}
	v, err := unpack(out.Hex)
	if err != nil {
		s.Fatal(err)
	}
	return v
}

func (s *site) usdc(of eth.Address) int64 {
	s.Helper()
	abi := contracts.NewTestToken()
	return ask(s, s.at.USDC, abi.PackBalanceOf(common.Address(of)), abi.UnpackBalanceOf).Int64()
}

// owned returns how many copies of a game item an account has.
func (s *site) owned(of eth.Address, token int64) int64 {
	s.Helper()
	abi := contracts.NewCollection1155()
	return ask(s, s.at.Collections["game-items"], abi.PackBalanceOf(common.Address(of), big.NewInt(token)), abi.UnpackBalanceOf).Int64()
}

// player is a player with a wallet at the site.
type player struct {
	*site
	id string
	gas.Account
}

// player creates a player with some USDC in the smart account.
func (s *site) player(id string, usdc int64) *player {
	s.Helper()
	err := s.g.Write(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: id, DisplayName: id, Email: id}); err != nil {
			return err
		}
		return tx.InsertSession(ctx, gen.InsertSessionParams{
			ID: sessionOf(id), PlayerID: id, SecretHash: id, ExpiresAt: column.At(time.UnixMilli(1 << 50)),
		})
	})
	if err != nil {
		s.Fatal(err)
	}
	key, err := s.signer.NewKey(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	if _, err := accounts.New(s.g.DB).CreateWallet(s.Context(), wallet.Wallet{PlayerID: id, Key: key}, time.Now()); err != nil {
		s.Fatal(err)
	}
	if usdc > 0 {
		mint, err := contracts.Mint20(key.Smart, big.NewInt(usdc))
		if err != nil {
			s.Fatal(err)
		}
		s.transact(devnet.Manager, s.at.USDC, mint)
	}
	return &player{s, id, gas.Account{Owner: key.Owner, Smart: key.Smart}}
}

func sessionOf(player string) string { return "session of " + player }

// caller is the player in the relay's form.
func (p *player) caller() gas.Caller {
	return gas.Caller{Player: p.id, Session: sessionOf(p.id), Network: "network"}
}

// purchase returns the calls with which the player buys a quantity of a listing.
func (p *player) purchase(listing int, quantity int64) []gas.Call {
	total := big.NewInt(prices()[listing] * quantity)
	return []gas.Call{
		{Target: p.at.USDC, Data: contracts.NewTestToken().PackApprove(common.Address(p.at.Marketplace), total)},
		{Target: p.at.Marketplace, Data: contracts.NewDirectListingsLogic().PackBuyFromListing(
			big.NewInt(int64(listing)), common.Address(p.Smart), big.NewInt(quantity), common.Address(p.at.USDC), total)},
	}
}

// refusal is a JSON-RPC error.
type refusal struct {
	Code    int
	Message string
	Data    struct {
		Reason     string
		RetryAfter int
		Revert     eth.Bytes
		Fields     map[string]string
	}
}

func (r *refusal) Error() string { return fmt.Sprintf("%d: %s", r.Code, r.Message) }

type handler func(ctx context.Context, c gas.Caller, chain onchain.ChainID, body json.RawMessage) json.RawMessage

// rpc makes a request as the player's browser does.
func (p *player) rpc(h handler, result any, method string, params ...any) error {
	p.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
	if err != nil {
		p.Fatal(err)
	}
	var answer struct {
		JSONRPC string
		ID      int
		Result  json.RawMessage
		Error   *refusal
	}
	text := h(p.Context(), p.caller(), p.chain.ID(), body)
	if err := json.Unmarshal(text, &answer); err != nil || answer.JSONRPC != "2.0" || answer.ID != 7 {
		p.Fatalf("%s was answered with %s (%v)", method, text, err)
	}
	if answer.Error != nil {
		return answer.Error
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			p.Fatalf("%s was answered with %s: %v", method, text, err)
		}
	}
	return nil
}

func callData(calls []gas.Call) []byte {
	batch := make([]contracts.ERC4337Call, len(calls))
	for i, c := range calls {
		batch[i] = contracts.ERC4337Call{Target: common.Address(c.Target), Value: c.Value.Big(), Data: c.Data}
	}
	return contracts.NewPantheonAccount().PackExecuteBatch(batch)
}

// draft returns an operation without gas limits and signatures, with the first unused nonce of the key.
func (p *player) draft(key int64, calls []gas.Call) *eth.UserOperation {
	p.Helper()
	abi := contracts.NewEntryPoint()
	nonce, err := eth.QuantityFromBig(ask(p.site, p.at.EntryPoint, abi.PackGetNonce(common.Address(p.Smart), big.NewInt(key)),
		abi.UnpackGetNonce))
	if err != nil {
		p.Fatal(err)
	}
	op := &eth.UserOperation{
		Sender: p.Smart, Nonce: nonce, CallData: callData(calls), MaxFeePerGas: eth.NewQuantity(50), MaxPriorityFeePerGas: eth.NewQuantity(2),
		Signature: append(make([]byte, 64), 0x1c),
	}
	for i := range 64 {
		op.Signature[i] = 0x22
	}
	code, err := p.client.CodeAt(p.Context(), common.Address(p.Smart), nil)
	if err != nil {
		p.Fatal(err)
	}
	if len(code) == 0 {
		factory := p.at.AccountFactory
		op.Factory, op.FactoryData = &factory, gas.FactoryData(p.Owner)
	}
	return op
}

// complete fills in gas limits and paymaster as viem does, and has the signer sign.
func (p *player) complete(op *eth.UserOperation) error {
	p.Helper()
	var stub struct {
		Paymaster                     eth.Address
		PaymasterData                 eth.Bytes
		PaymasterVerificationGasLimit eth.Quantity
		PaymasterPostOpGasLimit       eth.Quantity
	}
	id := eth.NewQuantity(uint64(p.chain.ID()))
	if err := p.rpc(p.relay.HandlePaymaster, &stub, "pm_getPaymasterStubData", op, p.at.EntryPoint, id, nil); err != nil {
		return err
	}
	op.Paymaster, op.PaymasterData = &stub.Paymaster, stub.PaymasterData
	op.PaymasterVerificationGasLimit, op.PaymasterPostOpGasLimit = stub.PaymasterVerificationGasLimit, stub.PaymasterPostOpGasLimit
	var limits struct{ PreVerificationGas, VerificationGasLimit, CallGasLimit eth.Quantity }
	if err := p.rpc(p.relay.HandleBundler, &limits, "eth_estimateUserOperationGas", op, p.at.EntryPoint); err != nil {
		return err
	}
	op.PreVerificationGas, op.VerificationGasLimit, op.CallGasLimit = limits.PreVerificationGas,
		limits.VerificationGasLimit, limits.CallGasLimit
	return p.sign(op)
}

// sign requests the paymaster's signature and the owner's.
func (p *player) sign(op *eth.UserOperation) error {
	p.Helper()
	var final struct {
		Paymaster     eth.Address
		PaymasterData eth.Bytes
	}
	id := eth.NewQuantity(uint64(p.chain.ID()))
	if err := p.rpc(p.relay.HandlePaymaster, &final, "pm_getPaymasterData", op, p.at.EntryPoint, id, nil); err != nil {
		return err
	}
	op.Paymaster, op.PaymasterData = &final.Paymaster, final.PaymasterData
	signature, err := p.signer.SignUserOperation(p.Context(), p.id, sessionOf(p.id), p.chain.ID(), op)
	op.Signature = signature
	return err
}

// prepare returns a complete operation that makes the calls.
func (p *player) prepare(calls []gas.Call) *eth.UserOperation {
	p.Helper()
	op := p.draft(0, calls)
	if err := p.complete(op); err != nil {
		p.Fatal(err)
	}
	return op
}

func (p *player) trySend(op *eth.UserOperation) (hash eth.Hash, err error) {
	p.Helper()
	err = p.rpc(p.relay.HandleBundler, &hash, "eth_sendUserOperation", op, p.at.EntryPoint)
	return hash, err
}

func (p *player) send(op *eth.UserOperation) eth.Hash {
	p.Helper()
	hash, err := p.trySend(op)
	if err != nil {
		p.Fatal(err)
	}
	if want := op.Hash(p.at.EntryPoint, uint64(p.chain.ID())); hash != want {
		p.Fatalf("the hash is %s, want %s", hash, want)
	}
	return hash
}

// receipt is the answer to eth_getUserOperationReceipt.
type receipt struct {
	UserOpHash    eth.Hash
	EntryPoint    eth.Address
	Sender        eth.Address
	Nonce         eth.Quantity
	Paymaster     eth.Address
	ActualGasCost eth.Quantity
	ActualGasUsed eth.Quantity
	Success       bool
	Reason        string
	Logs          []*types.Log
	Receipt       *types.Receipt
}

func (p *player) await(hash eth.Hash) (r *receipt) {
	p.Helper()
	testkit.Eventually(p, 20*time.Second, func() bool {
		if err := p.rpc(p.relay.HandleBundler, &r, "eth_getUserOperationReceipt", hash); err != nil {
			p.Fatal(err)
		}
		return r != nil
	}, "operation %s was never included", hash)
	return r
}

// hears waits until the observer has received exactly these notifications, in this order.
func (s *site) hears(hash eth.Hash, want ...string) {
	s.Helper()
	testkit.Eventually(s, 10*time.Second, func() bool { return len(s.diary.of(hash)) >= len(want) }, "the observer heard %v, want %v",
		s.diary.of(hash), want)
	if got := s.diary.of(hash); !slices.Equal(got, want) {
		s.Fatalf("the observer heard %v, want %v", got, want)
	}
}

func eachGas(t *testing.T, test func(t *testing.T, g gasstore.Store)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) { test(t, gasstore.New(db)) })
}

func sqlite(t testing.TB) gasstore.Store { return gasstore.New(testkit.Database(t, store.SQLite)) }

// noBindings binds nothing.
type noBindings struct{}

func (noBindings) Bind(context.Context, string, onchain.ChainID, *eth.UserOperation, eth.Hash, []gas.Call) error {
	return nil
}

func (noBindings) OperationSigned(context.Context, string, onchain.ChainID, eth.Hash, []gas.Call) error {
	return nil
}
func (noBindings) MessageSigned(context.Context, string, onchain.ChainID, eth.Address) error {
	return nil
}
