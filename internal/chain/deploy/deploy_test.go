package deploy_test

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/deploy"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/txqueue"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// The wallets of a studio.
var (
	owner   = keyOf("owner")
	claimer = keyOf("claimer").Address()
	relayer = keyOf("relayer").Address()
	signer  = keyOf("signer").Address()
	safe    = eth.MustAddress("0x5afe000000000000000000000000000000000001")
)

func keyOf(name string) txqueue.KeyWallet {
	seed := eth.Keccak256([]byte("deploy test " + name))
	return txqueue.NewKeyWallet(mustKey(crypto.ToECDSA(seed[:])))
}

func mustKey(key *ecdsa.PrivateKey, err error) *ecdsa.PrivateKey {
	if err != nil {
		panic(err)
	}
	return key
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// chain is a chain, and a wallet with money on it.
type chain struct {
	*testing.T
	id     onchain.ChainID
	rpc    *rpc.Client
	wallet txqueue.KeyWallet
	wanted deploy.Wanted
}

// onAnvil starts anvil with a chain's id.
func onAnvil(t *testing.T, id onchain.ChainID, args ...string) *chain {
	t.Helper()
	url := testkit.Anvil(t, append([]string{"--chain-id", fmt.Sprint(id)}, args...)...)
	return newChain(t, id, rpc.Options{URL: url}, txqueue.NewKeyWallet(mustKey(crypto.HexToECDSA(testkit.AnvilKey))))
}

// onDevnet starts a development chain.
func onDevnet(t *testing.T) *chain {
	t.Helper()
	return newChain(t, devnettest.GameChain, rpc.Options{Client: devnettest.Run(t, devnet.Options{}).Client()},
		txqueue.NewKeyWallet(devnet.WalletOf(devnet.Deployer).Key))
}

func newChain(t *testing.T, id onchain.ChainID, o rpc.Options, wallet txqueue.KeyWallet) *chain {
	t.Helper()
	o.Name, o.ChainID = "game", id
	client, err := rpc.New(o)
	must(t, err)
	t.Cleanup(client.Close)
	c := &chain{T: t, id: id, rpc: client, wallet: wallet}
	c.want(collections.GameChain, deploy.Params{})
	return c
}

// want sets what the portal needs. Params override those of the studio.
func (c *chain) want(side collections.Chain, p deploy.Params) {
	c.Helper()
	if p.Owner.IsZero() {
		p.Owner = owner.Address()
	}
	if p.Signer.IsZero() {
		p.Signer = signer
	}
	p.Minters, p.Relayer = []eth.Address{claimer}, relayer
	p.BaseURI, p.Royalty = "https://portal.example/metadata/", deploy.Royalty{Receiver: p.Owner, BasisPoints: 500}
	p.Test, p.Cap = true, big.NewInt(1_000_000)
	if p.Salt.IsZero() {
		p.Salt = eth.Hash{1}
	}
	c.wanted = deploy.Wanted{Chain: c.id, Params: p, Decimals: 6}
	var err error
	c.wanted.Contracts, err = deploy.Contracts(brandtest.Pantheon().Collections, side, p)
	must(c.T, err)
	c.wanted.Gas = []deploy.Money{
		{Title: "the deposit", Gas: 300_000_000}, {Title: "the relayer", Wallet: relayer, Gas: 100_000_000},
	}
}

func (c *chain) plan() deploy.Plan {
	c.Helper()
	p, err := deploy.MakePlan(c.Context(), c.rpc, c.wanted, c.wallet.Address())
	must(c.T, err)
	return p
}

func (c *chain) sender(wallet txqueue.Wallet) deploy.Sender {
	return deploy.Sender{
		RPC: c.rpc, Wallet: wallet, MaxFee: big.NewInt(100_000_000_000), Poll: 5 * time.Millisecond, Patience: 5 * time.Second,
	}
}

// apply sends what the wallet can send.
func (c *chain) apply() deploy.Plan {
	c.Helper()
	left, err := c.sender(c.wallet).Apply(c.Context(), c.wanted)
	must(c.T, err)
	return left
}

// count returns how many transactions a wallet has sent.
func (c *chain) count(a eth.Address) uint64 {
	c.Helper()
	var n eth.Quantity
	must(c.T, c.rpc.CallContext(c.Context(), &n, "eth_getTransactionCount", a, "latest"))
	count, _ := n.Uint64()
	return count
}

// pay sends money from the wallet.
func (c *chain) pay(to eth.Address, wei *big.Int) {
	c.Helper()
	c.send(c.wallet, to, wei, nil)
}

// send sends a transaction, as somebody would who does not use the plan.
func (c *chain) send(from txqueue.KeyWallet, to eth.Address, wei *big.Int, data []byte) {
	c.Helper()
	target := common.Address(to)
	id := new(big.Int).SetUint64(uint64(c.id))
	scheme := types.LatestSignerForChainID(id)
	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID: id, Nonce: c.count(from.Address()), GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e11), Gas: 8_000_000, To: &target,
		Value: wei, Data: data,
	})
	signature, err := from.SignHash(c.Context(), eth.Hash(scheme.Hash(tx)))
	must(c.T, err)
	tx, err = tx.WithSignature(scheme, signature)
	must(c.T, err)
	raw, err := tx.MarshalBinary()
	must(c.T, err)
	var hash eth.Hash
	must(c.T, c.rpc.CallContext(c.Context(), &hash, "eth_sendRawTransaction", eth.Bytes(raw)))
	testkit.Eventually(c.T, 30*time.Second, func() bool {
		var r *struct{ Status eth.Quantity }
		must(c.T, c.rpc.CallContext(c.Context(), &r, "eth_getTransactionReceipt", hash))
		if r != nil && r.Status.IsZero() {
			c.Fatalf("transaction %s failed", hash)
		}
		return r != nil
	}, "transaction %s is not mined", hash)
}

// titles lists a plan's steps.
func titles(p deploy.Plan) (out []string) {
	for _, s := range p.Steps {
		out = append(out, s.Title)
	}
	return out
}

// wantNothing fails unless nothing is missing.
func (c *chain) wantNothing() {
	c.Helper()
	if p := c.plan(); len(p.Steps) > 0 || len(p.Problems) > 0 {
		c.Errorf("steps are missing: %q, problems: %q", titles(p), p.Problems)
	}
}

// Spec: RUN-23
func TestDeploy_MakesEverythingOnAnyChain(t *testing.T) {
	t.Parallel()
	chains := map[string]func(*testing.T) *chain{
		"go-ethereum":             onDevnet,
		"anvil as chain 42170":    func(t *testing.T) *chain { return onAnvil(t, 42170) },
		"anvil as chain 137":      func(t *testing.T) *chain { return onAnvil(t, 137) },
		"a chain of the OP stack": func(t *testing.T) *chain { return onAnvil(t, 10, "--network", "optimism") },
		"without the deployment proxy": func(t *testing.T) *chain {
			return onAnvil(t, 1, "--disable-default-create2-deployer")
		},
		"without EIP-1559": legacy,
	}
	if !testing.Short() { // half a minute
		chains["blocks take a second"] = func(t *testing.T) *chain { return onAnvil(t, 421614, "--block-time", "1") }
	}
	for name, open := range chains {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open(t)
			before := c.plan()
			if len(before.Problems) > 0 || len(before.Steps) < 17 {
				t.Fatalf("the plan of an empty chain: problems %q, steps %q", before.Problems, titles(before))
			}
			left := c.apply()
			if len(left.Steps) > 0 {
				t.Errorf("left: %q", titles(left))
			}
			c.wantNothing()
			start, err := deploy.StartBlock(t.Context(), c.rpc, c.wanted.Contracts)
			if err != nil {
				t.Fatal(err)
			}
			for block, want := range map[uint64]bool{start: false, start + 1: true} {
				if got := c.anyCode(block); got != want {
					t.Errorf("start block %d: there are contracts in block %d: %v, want %v", start, block, got, want)
				}
			}
		})
	}
}

// anyCode reports whether one of the collections existed in a block.
func (c *chain) anyCode(block uint64) bool {
	c.Helper()
	for _, x := range c.wanted.Contracts {
		var code eth.Bytes
		must(c.T, c.rpc.CallContext(c.Context(), &code, "eth_getCode", x.Address, eth.NewQuantity(block)))
		if len(code) > 0 && (x.Collection.Slug != "" || x.Setting == deploy.Marketplace) {
			return true
		}
	}
	return false
}

// legacy starts a chain whose blocks have no base fee.
func legacy(t *testing.T) *chain {
	t.Helper()
	node, err := url.Parse(testkit.Anvil(t, "--chain-id", "4242"))
	must(t, err)
	endpoint := testkit.WithoutBaseFee(t, httputil.NewSingleHostReverseProxy(node))
	return newChain(t, 4242, rpc.Options{URL: endpoint}, txqueue.NewKeyWallet(mustKey(crypto.HexToECDSA(testkit.AnvilKey))))
}

// errKilled ends a run like a kill.
var errKilled = errors.New("killed")

// dying fails all calls after a number of transactions.
type dying struct {
	deploy.Caller
	left   *atomic.Int64
	before bool // the last transaction does not reach the chain
}

func (d dying) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if d.left.Load() <= 0 {
		return errKilled
	}
	if method == "eth_sendRawTransaction" && d.left.Add(-1) == 0 && d.before {
		return errKilled
	}
	return d.Caller.CallContext(ctx, result, method, args...)
}

func (d dying) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	if d.left.Load() <= 0 {
		return errKilled
	}
	return d.Caller.BatchCallContext(ctx, batch)
}

// Whatever the moment, a run that was interrupted is resumed: in the end each contract was made once, and nobody was paid twice.
// Spec: RUN-23
func TestDeploy_IsResumedAfterAnyInterruption(t *testing.T) {
	t.Parallel()
	whole := onAnvil(t, 42170, "--disable-default-create2-deployer")
	whole.apply()
	want := whole.count(whole.wallet.Address())
	c := onAnvil(t, 42170, "--disable-default-create2-deployer")
	sent := int64(0)
	for n := 0; ; n++ {
		left := &atomic.Int64{}
		left.Store(1)
		s := c.sender(c.wallet)
		s.RPC = dying{c.rpc, left, n%2 == 0}
		s.Patience = 50 * time.Millisecond
		_, err := s.Apply(t.Context(), c.wanted)
		if err == nil {
			break
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		if sent++; sent > 100 {
			t.Fatal("it does not end")
		}
	}
	c.wantNothing()
	if got := c.count(c.wallet.Address()); got != want {
		t.Errorf("%d transactions were sent with interruptions, %d without", got, want)
	}
}

// Spec: RUN-23
func TestDeploy_TwoAtOnceMakeOneDeployment(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	var both sync.WaitGroup
	for range 2 { // with one key: one wallet's transactions take each other's nonces
		both.Go(func() {
			if _, err := c.sender(c.wallet).Apply(t.Context(), c.wanted); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	c.wantNothing()
}

// Spec: RUN-23
func TestDeploy_RefusesBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	c.apply()
	given := func(setting string, a eth.Address) func() {
		return func() { c.want(collections.GameChain, deploy.Params{Given: map[string]eth.Address{setting: a}}) }
	}
	contract := func(setting string) eth.Address {
		for _, x := range c.wanted.Contracts {
			if x.Setting == setting {
				return x.Address
			}
		}
		return eth.Address{}
	}
	copied, err := contracts.Deploy("PantheonAccount")
	must(t, err)
	copied.Salt = eth.Hash{9}
	c.send(c.wallet, contracts.Deployer, nil, copied.Call())
	currency, paymaster, entryPoint := contract(deploy.Currency), contract(deploy.Paymaster), contract(deploy.EntryPoint)
	sent := c.count(c.wallet.Address())
	for name, test := range map[string]struct {
		set    func()
		wallet txqueue.KeyWallet
		want   string
	}{
		"a contract that does not exist": {given(deploy.Marketplace, safe), c.wallet,
			"PIGGY_MARKETPLACE_ADDRESS: there is no contract at 0x5aFE000000000000000000000000000000000001 on chain 42170: correct the " +
				"address, or remove it to have the contract created"},
		"another contract as the paymaster": {given(deploy.Paymaster, currency), c.wallet,
			"the code at " + currency.Checksum() + " is not this version's PantheonPaymaster"},
		"a contract that is no marketplace": {given(deploy.Marketplace, paymaster), c.wallet,
			"can administer the marketplace, " + paymaster.Checksum() + ": --former names who can"},
		"a currency with other decimals": {given(deploy.Currency, contract(deploy.GOD)), c.wallet,
			"has 18 decimals, and the brand's currency 6"},
		"no contract that has decimals": {given(deploy.Currency, entryPoint), c.wallet, "has -1 decimals"},
		"a wallet that cannot pay": {func() { c.want(collections.GameChain, deploy.Params{Salt: eth.Hash{2}}) }, keyOf("poor"),
			"more for 12 transactions: send it to the wallet, and start again"},
		"a factory of another implementation": {func() {
			c.want(collections.GameChain, deploy.Params{Given: map[string]eth.Address{
				deploy.Implementation: copied.Address(), deploy.Factory: contract(deploy.Factory),
			}})
		}, c.wallet, "was made for another contract than ACCOUNT_IMPLEMENTATION_ADDRESS, " + copied.Address().Checksum()},
		"money for no EntryPoint": {func() {
			c.want(collections.GameChain, deploy.Params{Given: map[string]eth.Address{deploy.EntryPoint: safe}})
			c.wanted.TopUp = true
		}, c.wallet, "ENTRY_POINT_ADDRESS: there is no contract at " + safe.Checksum()},
		"another chain": {func() { c.wanted.Chain = 42161 }, c.wallet, "the endpoint serves chain 42170, not 42161"},
	} {
		c.want(collections.GameChain, deploy.Params{})
		test.set()
		_, err := c.sender(test.wallet).Apply(t.Context(), c.wanted)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	if got := c.count(c.wallet.Address()); got != sent {
		t.Errorf("%d transactions were sent", got-sent)
	}
}

// Whoever is faster creates the marketplace as we would have: its address depends on its owner, and nobody can initialise it.
// Spec: RUN-23
func TestDeploy_AMarketplaceCannotBeTakenOver(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	thief := keyOf("thief")
	c.pay(thief.Address(), new(big.Int).Mul(big.NewInt(10), big.NewInt(1e18)))
	var market deploy.Contract
	before := c.wanted
	before.Contracts = nil
	for _, x := range c.wanted.Contracts {
		if x.Setting == deploy.Marketplace {
			market = x
			break
		}
		before.Contracts = append(before.Contracts, x)
	}
	before.Gas = nil
	if _, err := c.sender(c.wallet).Apply(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	early := onAnvil(t, 42170) // has no router
	if err := early.rpc.CallContext(t.Context(), new(eth.Quantity), "eth_estimateGas", map[string]any{
		"from": thief.Address(), "to": contracts.Deployer, "data": eth.Bytes(market.Deployment.Call()),
	}); err == nil {
		t.Error("a marketplace can be created before its router")
	}
	c.send(thief, contracts.Deployer, nil, market.Deployment.Call())
	a := common.Address(thief.Address())
	initialise := contracts.NewMarketplaceV3().PackInitialize(a, "", []common.Address{a}, a, 10_000)
	if err := c.rpc.CallContext(t.Context(), new(eth.Bytes), "eth_call", map[string]any{
		"from": thief.Address(), "to": market.Address, "data": eth.Bytes(initialise),
	}, "latest"); err == nil || !strings.Contains(err.Error(), "already initialized") {
		t.Errorf("initialised again: %v", err)
	}
	c.apply()
	c.wantNothing()
	for _, note := range c.plan().Notes {
		t.Errorf("a note: %s", note)
	}
}

// The plan notes other wallets that take a fee of a marketplace, administer it, or send what the paymaster pays for.
// Spec: RUN-23
func TestDeploy_TellsWhoElseHasRights(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	c.apply()
	c.pay(owner.Address(), big.NewInt(1e18))
	guest := keyOf("guest").Address()
	for setting, data := range map[string][]byte{
		deploy.Marketplace: contracts.NewMarketplaceV3().PackSetPlatformFeeInfo(common.Address(guest), big.NewInt(300)),
		deploy.Paymaster:   contracts.Call("setRelayer(address,bool)", eth.AddressWord(guest), eth.Hash{31: 1}),
	} {
		c.send(owner, c.address(setting), nil, data)
	}
	c.send(owner, c.address(deploy.Marketplace), nil, contracts.Call("grantRole(bytes32,address)", eth.Hash{}, eth.AddressWord(guest)))
	c.send(owner, c.address(deploy.GOD), nil, contracts.Call("grantRole(bytes32,address)", eth.Keccak256([]byte("MINTER_ROLE")),
		eth.AddressWord(guest)))
	notes := strings.Join(c.plan().Notes, "\n")
	for _, want := range []string{
		guest.Checksum() + " receives a fee of 300 basis points of each sale", "more than one wallet can administer the marketplace",
		"2 wallets can send what the paymaster pays for",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("not told: %s\n%s", want, notes)
		}
	}
	c.wanted.Former = []eth.Address{guest}
	want := []string{
		"no longer let " + guest.Checksum() + " send what the paymaster pays for",
		"no longer let " + guest.Checksum() + " administer the marketplace",
		"no longer let " + guest.Checksum() + " mint GOD",
	}
	if got := titles(c.plan()); !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
}

// address returns the address of a contract by its setting.
func (c *chain) address(setting string) eth.Address {
	for _, x := range c.wanted.Contracts {
		if x.Setting == setting {
			return x.Address
		}
	}
	c.Fatalf("there is no %s", setting)
	return eth.Address{}
}

// late is an endpoint whose nodes tell of the newest block later than of its transactions.
type late struct {
	deploy.Caller
	left *atomic.Int64 // answers that are of the block before
}

func (l late) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if err := l.Caller.CallContext(ctx, result, method, args...); err != nil || method != "eth_blockNumber" || l.left.Add(-1) < 0 {
		return err
	}
	head, _ := result.(*eth.Quantity).Uint64()
	*result.(*eth.Quantity) = eth.NewQuantity(head - 1)
	return nil
}

// A plan that is of an older block than the wallet's transactions pays nobody twice.
func TestDeploy_NobodyIsPaidTwiceByAnEndpointThatIsBehind(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	gas := c.wanted.Gas
	c.wanted.Gas = nil
	c.apply()
	c.wanted.Gas = gas
	left := &atomic.Int64{}
	left.Store(1)
	s := c.sender(c.wallet)
	s.RPC = dying{c.rpc, left, false}
	if _, err := s.Apply(t.Context(), c.wanted); !errors.Is(err, errKilled) {
		t.Fatalf("the first run: %v", err)
	}
	left.Store(2)
	s.RPC = late{c.rpc, left}
	if _, err := s.Apply(t.Context(), c.wanted); err != nil {
		t.Fatal(err)
	}
	c.wantNothing()
	if n := c.count(c.wallet.Address()); n != 18 {
		t.Errorf("%d transactions, want 16 and 2 payments", n)
	}
}

// What was sent before an interruption is not paid again, whether it is mined before the next run, during it, or never.
// Spec: RUN-23
func TestDeploy_NobodyIsPaidTwice(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(*chain) // before the second run
		patience  time.Duration
	}{
		"mined meanwhile":     {func(c *chain) { must(c.T, c.rpc.CallContext(c.Context(), nil, "anvil_mine", "0x1")) }, 5 * time.Second},
		"mined during it":     {func(c *chain) { must(c.T, c.rpc.CallContext(c.Context(), nil, "evm_setIntervalMining", 1)) }, 5 * time.Second},
		"replaced after that": {func(*chain) {}, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := onAnvil(t, 42170)
			gas := c.wanted.Gas
			c.wanted.Gas = nil
			c.apply()
			c.wanted.Gas = gas
			must(t, c.rpc.CallContext(t.Context(), nil, "evm_setAutomine", false))
			left := &atomic.Int64{}
			left.Store(1)
			s := c.sender(c.wallet)
			s.RPC = dying{c.rpc, left, false}
			if _, err := s.Apply(t.Context(), c.wanted); !errors.Is(err, errKilled) {
				t.Fatalf("the first run: %v", err)
			}
			test.meanwhile(c)
			s.RPC, s.Patience = c.rpc, test.patience
			done := make(chan error)
			go func() { _, err := s.Apply(t.Context(), c.wanted); done <- err }()
			if name != "mined during it" {
				testkit.Eventually(t, 30*time.Second, func() bool {
					var pool struct{ Pending eth.Quantity }
					must(t, c.rpc.CallContext(t.Context(), &pool, "txpool_status"))
					return !pool.Pending.IsZero()
				}, "nothing is sent")
				must(t, c.rpc.CallContext(t.Context(), nil, "evm_setAutomine", true), c.rpc.CallContext(t.Context(), nil, "anvil_mine", "0x1"))
			}
			must(t, <-done)
			c.wantNothing()
			if n := c.count(c.wallet.Address()); n != 18 {
				t.Errorf("%d transactions, want 16 and 2 payments", n)
			}
		})
	}
}

// A multisig sends nothing itself: what it is to send is written down.
// Spec: RUN-23
func TestDeploy_AMultisigCanSendEverything(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170, "--auto-impersonate")
	c.pay(safe, new(big.Int).Mul(big.NewInt(100), big.NewInt(1e18)))
	c.want(collections.GameChain, deploy.Params{Owner: safe})
	c.wanted.Tables = []deploy.Table{{TokenID: money.FromInt(1), Table: [32]byte{1}, Max: 100}}
	c.sendBatches(c.plan(), safe)
	c.wantNothing()
}

// sendBatches sends all that a wallet can send from the files that are written for it.
func (c *chain) sendBatches(p deploy.Plan, from eth.Address) {
	c.Helper()
	files, err := deploy.Batches(c.id, from, "test", p.For(from))
	must(c.T, err)
	for _, file := range files {
		var batch struct {
			ChainID      string `json:"chainId"`
			Transactions []struct{ To, Value, Data string }
		}
		must(c.T, json.Unmarshal(file, &batch))
		if batch.ChainID != fmt.Sprint(c.id) {
			c.Errorf("chain %s", batch.ChainID)
		}
		for _, tx := range batch.Transactions {
			value, _ := new(big.Int).SetString(tx.Value, 10)
			var hash eth.Hash
			must(c.T, c.rpc.CallContext(c.Context(), &hash, "eth_sendTransaction", map[string]any{
				"from": from, "to": tx.To, "value": fmt.Sprintf("0x%x", value), "data": tx.Data,
			}))
			var r *struct{ Status eth.Quantity }
			testkit.Eventually(c.T, 30*time.Second, func() bool {
				must(c.T, c.rpc.CallContext(c.Context(), &r, "eth_getTransactionReceipt", hash))
				return r != nil
			}, "a transaction is not mined")
			if r.Status.IsZero() {
				c.Fatalf("a transaction failed: %v", tx)
			}
		}
	}
}

// Contracts change hands, signers, relayers and addresses of metadata: the plan says who must send what, and when.
// Spec: RUN-23
func TestDeploy_ContractsChangeHands(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170, "--auto-impersonate")
	for _, a := range []eth.Address{safe, owner.Address()} {
		c.pay(a, new(big.Int).Mul(big.NewInt(10), big.NewInt(1e18)))
	}
	c.apply()
	addresses := map[string]eth.Address{}
	for _, x := range c.wanted.Contracts {
		if x.Setting != "" {
			addresses[x.Setting] = x.Address
		}
	}
	c.want(collections.GameChain, deploy.Params{Owner: safe, Given: addresses, Signer: keyOf("another signer").Address()})
	if p := c.plan(); len(p.Problems) == 0 {
		t.Errorf("who owns the contracts is not said, but there are no problems; steps %q", titles(p))
	}
	c.wanted.BaseURI, c.wanted.Former = "ipfs://a/", []eth.Address{owner.Address()}
	c.wanted.Royalty = deploy.Royalty{Receiver: safe, BasisPoints: 300}
	if p := c.plan(); len(p.Problems) > 0 {
		t.Errorf("problems: %q", p.Problems)
	}
	if p := c.plan(); len(p.For(safe)) > 0 {
		t.Errorf("the new owner can send %q before the former one", p.For(safe)[0].Title)
	}
	c.sendBatches(c.plan(), owner.Address())
	if p := c.plan(); len(p.For(safe)) != len(p.Steps) {
		t.Errorf("the new owner can send %d of %d steps after the former one", len(p.For(safe)), len(p.Steps))
	}
	c.sendBatches(c.plan(), safe)
	c.wantNothing()
	for _, x := range c.wanted.Contracts {
		if x.Collection.Slug == "" && x.Setting != deploy.Marketplace {
			continue
		}
		var answer eth.Bytes
		must(t, c.rpc.CallContext(t.Context(), &answer, "eth_call", map[string]any{
			"to": x.Address, "data": eth.Bytes(contracts.Call("hasRole(bytes32,address)", eth.Hash{}, eth.AddressWord(owner.Address()))),
		}, "latest"))
		if !eth.Hash(answer).IsZero() {
			t.Errorf("the former owner still administers %s", x.Title)
		}
	}
}

// recorder records the transactions that are sent.
type recorder struct {
	deploy.Caller
	mu   sync.Mutex
	sent []*types.Transaction
}

func (r *recorder) CallContext(ctx context.Context, result any, method string, args ...any) error {
	if method == "eth_sendRawTransaction" {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(args[0].(eth.Bytes)); err != nil {
			return err
		}
		r.mu.Lock()
		r.sent = append(r.sent, &tx)
		r.mu.Unlock()
	}
	return r.Caller.CallContext(ctx, result, method, args...)
}

// of returns the transactions with a nonce.
func (r *recorder) of(nonce uint64) (out []*types.Transaction) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, tx := range r.sent {
		if tx.Nonce() == nonce {
			out = append(out, tx)
		}
	}
	return out
}

// Spec: RUN-23
func TestDeploy_RaisesFeesUntilATransactionIsMined(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170, "--no-mining")
	record := &recorder{Caller: c.rpc}
	s := c.sender(c.wallet)
	s.RPC, s.Patience = record, 100*time.Millisecond
	done := make(chan error)
	go func() { _, err := s.Apply(t.Context(), c.wanted); done <- err }()
	testkit.Eventually(t, 30*time.Second, func() bool { return len(record.of(0)) >= 3 }, "the fees are not raised")
	for i, tx := range record.of(0)[1:] {
		before := record.of(0)[i].GasFeeCap()
		if quarter := new(big.Int).Div(before, big.NewInt(4)); tx.GasFeeCap().Cmp(quarter.Add(quarter, before)) < 0 {
			t.Errorf("attempt %d offers %s, after %s", i+1, tx.GasFeeCap(), before)
		}
	}
	must(t, c.rpc.CallContext(t.Context(), nil, "evm_setAutomine", true))
	must(t, <-done)
	c.wantNothing()
}

// Spec: RUN-23
func TestDeploy_PaysNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170)
	s := c.sender(c.wallet)
	s.MaxFee = big.NewInt(1_000_000_000)
	_, err := s.Apply(t.Context(), c.wanted)
	const want = "gas costs 2 gwei, more than the limit of 1: start again later, or with a higher --max-fee"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if n := c.count(c.wallet.Address()); n != 0 {
		t.Errorf("%d transactions were sent", n)
	}
}

// Spec: RUN-23
func TestDeploy_NeedsAChainThatRunsItsCode(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 42170, "--hardfork", "shanghai")
	if got := c.plan().Problems; !slices.Equal(got, []string{"chain 42170 does not run code for Cancun, which the collections need"}) {
		t.Errorf("problems: %q", got)
	}
}

// The transaction that creates the deployment proxy is signed by the address that is paid for it.
// Spec: RUN-23
func TestDeploy_TheProxysSenderIsPaid(t *testing.T) {
	t.Parallel()
	c := onAnvil(t, 1, "--disable-default-create2-deployer")
	steps := c.plan().Steps
	var tx types.Transaction
	must(t, tx.UnmarshalBinary(steps[1].Raw))
	sender, err := types.Sender(types.HomesteadSigner{}, &tx)
	must(t, err)
	if paid := steps[0]; eth.Address(sender) != paid.To || tx.Cost().Cmp(paid.Value) != 0 {
		t.Errorf("%s is paid %s, and %s needs %s", paid.To, paid.Value, sender, tx.Cost())
	}
	if created := crypto.CreateAddress(sender, 0); eth.Address(created) != contracts.Deployer {
		t.Errorf("it creates %s, not %s", created, contracts.Deployer)
	}
}
