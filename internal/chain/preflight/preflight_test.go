package preflight_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/preflight"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m, devnettest.LeakOptions()...) }

// chain is a development chain with its world, and what a portal is configured with on it.
type chain struct {
	*testing.T
	client   *gethrpc.Client
	at       world.Addresses
	expected preflight.Expected
}

func newChain(t *testing.T) *chain {
	t.Helper()
	c := &chain{T: t, client: devnettest.Run(t, devnet.Options{}).Client()}
	registry := brandtest.Pantheon().Collections
	var err error
	if c.at, err = world.Deploy(t.Context(), c.client, registry, collections.GameChain, world.Options{}); err != nil {
		t.Fatal(err)
	}
	of := func(setting string, a eth.Address) preflight.Contract {
		return preflight.Contract{Setting: setting, Address: a}
	}
	wallet := func(setting string, r devnet.Role) preflight.Wallet {
		return preflight.Wallet{Contract: of(setting, devnet.WalletOf(r).Address), Gas: 1_000_000}
	}
	c.expected = preflight.Expected{
		Chain: devnettest.GameChain, EntryPoint: of("ENTRY_POINT", c.at.EntryPoint), Factory: of("FACTORY", c.at.AccountFactory),
		Implementation: of("IMPLEMENTATION", c.at.AccountImplementation), Paymaster: of("PAYMASTER", c.at.Paymaster),
		Marketplace: of("MARKETPLACE", c.at.Marketplace), Relayer: wallet("RELAYER", devnet.GasRelayer),
		Claimer: wallet("CLAIMER", devnet.Claimer), Signer: devnet.WalletOf(devnet.PaymasterSigner).Address, DepositGas: 1_000_000,
		Tokens: []preflight.Token{{Contract: of("USDC", c.at.USDC), Standard: onchain.ERC20, Decimals: 6}},
	}
	for _, x := range registry.All() {
		if x.Chain == collections.GameChain {
			c.expected.Tokens = append(c.expected.Tokens, preflight.Token{
				Contract: of(x.Slug, c.at.Collections[x.Slug]), Standard: x.Standard, Tradable: x.Tradable, Minted: true,
			})
		}
	}
	return c
}

func (c *chain) check() preflight.Result {
	c.Helper()
	result, err := preflight.Check(c.Context(), rpc{c.client}, c.expected)
	if err != nil {
		c.Fatal(err)
	}
	return result
}

// finds checks that exactly these are found, each as severity, setting and a part of the text.
func (c *chain) finds(what string, want ...string) {
	c.Helper()
	var found []string
	for _, f := range c.check().Findings {
		found = append(found, fmt.Sprintf("%d %s", f.Severity, f))
	}
	if len(found) != len(want) {
		c.Errorf("%s: found %q, want %q", what, found, want)
		return
	}
	for i, w := range want {
		begin, text, _ := strings.Cut(w, ": ")
		if !strings.HasPrefix(found[i], begin+": ") || !strings.Contains(found[i], text) {
			c.Errorf("%s: found %q, want %q", what, found[i], w)
		}
	}
}

// send sends a transaction of a wallet and waits for it.
func (c *chain) send(from devnet.Role, to eth.Address, value *big.Int, data []byte) {
	c.Helper()
	client, w, id := ethclient.NewClient(c.client), devnet.WalletOf(from), big.NewInt(devnettest.GameChain)
	nonce, err := client.PendingNonceAt(c.Context(), common.Address(w.Address))
	if err != nil {
		c.Fatal(err)
	}
	tx, err := types.SignNewTx(w.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: (*common.Address)(&to), Value: value, Data: data, Gas: 1_000_000, GasTipCap: big.NewInt(1),
		GasFeeCap: big.NewInt(1_000_000_000),
	})
	if err == nil {
		err = client.SendTransaction(c.Context(), tx)
	}
	if err != nil {
		c.Fatal(err)
	}
	testkit.Eventually(c.T, startTimeout, func() bool {
		receipt, err := client.TransactionReceipt(c.Context(), tx.Hash())
		if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
			c.Fatal("the transaction reverted")
		}
		return err == nil
	}, "the transaction is not mined")
}

func TestPreflight_TheDevelopmentWorldFits(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	c.finds("as deployed")
	result := c.check()
	if len(result.Balances) != 3 || len(result.Code) != 5+len(c.expected.Tokens) {
		t.Errorf("%d balances and %d codes", len(result.Balances), len(result.Code))
	}
	for _, b := range result.Balances {
		if b.Wei.Sign() <= 0 {
			t.Errorf("%s has %s wei", b.Setting, b.Wei)
		}
	}
}

// Each wrong setting is found by its name. Nothing more is said of an address without code.
// Spec: RUN-16
func TestPreflight_WrongSettingsAreFound(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	right, nowhere := c.expected, eth.Address{19: 0x77}
	empty := devnet.WalletOf(devnet.Seller(3)).Address
	empty[19] ^= 0xff // nobody's
	poor := eth.Address{19: 0x99}
	c.send(devnet.Manager, poor, big.NewInt(1000), nil)
	token := func(slug string) *preflight.Token {
		i := slices.IndexFunc(c.expected.Tokens, func(t preflight.Token) bool { return t.Setting == slug })
		return &c.expected.Tokens[i]
	}
	for what, x := range map[string]struct {
		change func(*preflight.Expected)
		want   []string
	}{
		"no paymaster": {func(x *preflight.Expected) { x.Paymaster.Address = nowhere },
			[]string{"3 PAYMASTER: there is no contract at " + nowhere.String(), "1 PAYMASTER: deposit"}},
		"no marketplace": {func(x *preflight.Expected) { x.Marketplace.Address = nowhere },
			[]string{"3 MARKETPLACE: there is no contract"}},
		"no token": {func(*preflight.Expected) { token("game-items").Address = nowhere },
			[]string{"3 game-items: there is no contract"}},
		"another marketplace": {func(x *preflight.Expected) { x.Marketplace.Address = c.at.USDC },
			[]string{"3 MARKETPLACE: is no MarketplaceV3"}},
		"another implementation": {func(x *preflight.Expected) { x.Implementation.Address = c.at.Paymaster },
			[]string{"3 FACTORY: another implementation", "2 IMPLEMENTATION: is not this version's PantheonAccount"}},
		"another EntryPoint": {func(x *preflight.Expected) { x.EntryPoint.Address = c.at.USDC }, []string{
			"3 PAYMASTER: another EntryPoint", "2 ENTRY_POINT: is not this version's EntryPoint", "1 PAYMASTER: is empty"}},
		"another signer": {func(x *preflight.Expected) { x.Signer = nowhere }, []string{"3 PAYMASTER: does not accept the signer"}},
		"another relayer": {func(x *preflight.Expected) { x.Relayer.Address = devnet.WalletOf(devnet.Manager).Address },
			[]string{"3 RELAYER: is no relayer of"}},
		"an empty relayer": {func(x *preflight.Expected) { x.Relayer.Address = empty },
			[]string{"3 RELAYER: is no relayer of", "1 RELAYER: is empty"}},
		"an external bundler": {func(x *preflight.Expected) { x.Relayer = preflight.Wallet{} },
			[]string{"3 PAYMASTER: the paymaster has relayers"}},
		"a service's paymaster": {func(x *preflight.Expected) { x.Paymaster.Address, x.Signer = c.at.USDC, eth.Address{} }, nil},
		"no service's paymaster": {func(x *preflight.Expected) { x.Paymaster.Address, x.Signer = nowhere, eth.Address{} },
			[]string{"3 PAYMASTER: there is no contract at " + nowhere.String()}},
		"another claimer": {func(x *preflight.Expected) { x.Claimer.Address = devnet.WalletOf(devnet.Studio).Address },
			append(minters(c), "1 CLAIMER: is empty")},
		"swapped standards": {func(*preflight.Expected) {
			items, gods := token("game-items"), token("elder-gods")
			items.Address, gods.Address = gods.Address, items.Address
		}, []string{"3 game-items: is ERC-721, and the brand's collection is ERC-1155",
			"3 elder-gods: is ERC-1155, and the brand's collection is ERC-721",
			"0 game-items: does not say that it is ERC-1155", "0 elder-gods: does not say that it is ERC-721"}},
		"other decimals": {func(*preflight.Expected) { token("USDC").Decimals = 18 }, []string{"3 USDC: does not have 18 decimals"}},
		"money for less": {func(x *preflight.Expected) {
			x.Others = []preflight.Wallet{{Contract: preflight.Contract{Setting: "TREASURY", Address: poor}, Gas: 1_000_000}}
		}, []string{"0 TREASURY: has 1000 wei left on chain 1337042, which pays for less than 1000000 gas"}},
	} {
		c.expected = right
		c.expected.Tokens = slices.Clone(right.Tokens)
		x.change(&c.expected)
		c.finds(what, x.want...)
	}
}

// minters are the findings where the claimer may mint nothing.
func minters(c *chain) (want []string) {
	for _, t := range c.expected.Tokens {
		if t.Minted {
			want = append(want, "3 "+t.Setting+": its admin grants MINTER_ROLE")
		}
	}
	return want
}

// What is changed on the chain while the portal runs is found at the next look.
// Spec: RUN-16
func TestPreflight_ChangesOnTheChainAreFound(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	paymaster := c.at.Paymaster
	setRelayer := func(r eth.Address, allowed bool) []byte {
		return contracts.NewPantheonPaymaster().PackSetRelayer(common.Address(r), allowed)
	}
	relayer, other := devnet.WalletOf(devnet.GasRelayer).Address, devnet.WalletOf(devnet.Manager).Address
	c.send(devnet.Manager, paymaster, nil, setRelayer(other, true))
	c.send(devnet.Manager, paymaster, nil, setRelayer(relayer, false))
	c.finds("the relayer was removed", "3 RELAYER: is no relayer of the paymaster")
	c.send(devnet.Manager, paymaster, nil, setRelayer(other, false))
	c.finds("all relayers were removed", "0 PAYMASTER: anyone may send")
	c.send(devnet.Manager, paymaster, nil, setRelayer(relayer, true))

	role := func(function string) []byte { // of the zero address, which everyone has
		selector, lister := eth.Keccak256([]byte(function+"(bytes32,address)")), eth.Keccak256([]byte("LISTER_ROLE"))
		return slices.Concat(selector[:4], lister[:], make([]byte, 32))
	}
	c.send(devnet.Manager, c.at.Marketplace, nil, role("revokeRole"))
	c.finds("only some may list", "3 MARKETPLACE: players may list nothing")
	c.send(devnet.Manager, c.at.Marketplace, nil, role("grantRole"))
	c.finds("all is right again")
}

// A claimer that comes next, or is being replaced, stops nothing.
// Spec: RUN-26
func TestPreflight_WhatASpareClaimerLacksIsANotice(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	chests := slices.IndexFunc(c.expected.Tokens, func(x preflight.Token) bool { return x.Setting == "chests" })
	c.expected.Tokens = c.expected.Tokens[chests : chests+1]
	next := devnet.WalletOf("next claimer").Address
	c.expected.Spares = []preflight.Wallet{
		{Contract: preflight.Contract{Setting: "CLAIMER_PRIVATE_KEY (2)", Address: next}, Gas: 1_000_000, Spare: true},
	}
	c.finds("the next one is new", "0 chests: CLAIMER_PRIVATE_KEY (2), "+next.String()+", may not mint "+c.at.Collections["chests"].String(),
		"0 CLAIMER_PRIVATE_KEY (2): the wallet "+next.String()+" has 0 wei left")
	if b := c.check().Balances; len(b) != 4 || b[3].Setting != "CLAIMER_PRIVATE_KEY (2)" {
		t.Errorf("the balances are %+v", b)
	}
	c.send(devnet.Manager, next, big.NewInt(1e18), nil)
	grant := contracts.Call("grantRole(bytes32,address)", eth.Keccak256([]byte("MINTER_ROLE")), eth.AddressWord(next))
	c.send(devnet.Manager, c.at.Collections["chests"], nil, grant)
	c.finds("it has both")
}

// A deposit that was withdrawn is empty; the wallets are not meant.
func TestPreflight_AnEmptyDepositIsFound(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	deposit := c.check().Balances[0]
	if deposit.Setting != "PAYMASTER" {
		t.Fatalf("%+v", deposit)
	}
	c.send(devnet.Manager, c.at.Paymaster, nil, contracts.NewPantheonPaymaster().PackWithdrawTo(common.Address{19: 1}, deposit.Wei))
	c.finds("withdrawn", "1 PAYMASTER: the deposit of the paymaster at the EntryPoint is empty")
}

// Spec: RUN-16
func TestPreflight_ChangedCodeIsFound(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	before := c.check()
	after := c.check()
	if changed := after.Changed(before); len(changed) > 0 {
		t.Errorf("nothing was changed: %v", changed)
	}
	after.Code[c.expected.Marketplace] = eth.Hash{1}
	if changed := after.Changed(before); len(changed) != 1 || changed[0].Setting != "MARKETPLACE" || changed[0].Severity != preflight.Wrong {
		t.Errorf("%v", changed)
	}
}

func TestPreflight_OnlyWhatIsAcceptedIsStartedWith(t *testing.T) {
	t.Parallel()
	r := preflight.Result{Findings: []preflight.Finding{
		{Severity: preflight.Unknown, Setting: "A", Text: "other code"}, {Severity: preflight.Empty, Setting: "B", Text: "empty"},
		{Severity: preflight.Notice, Setting: "C", Text: "low"},
	}}
	for _, c := range []struct {
		accepted []preflight.Severity
		want     string
	}{
		{nil, "A: other code\nB: empty"},
		{[]preflight.Severity{preflight.Empty}, "A: other code"},
		{[]preflight.Severity{preflight.Empty, preflight.Unknown}, "<nil>"},
	} {
		err := r.Refuses(func(s preflight.Severity) bool { return slices.Contains(c.accepted, s) })
		if fmt.Sprint(err) != c.want {
			t.Errorf("%v accepted: %v, want %s", c.accepted, err, c.want)
		}
	}
}

// lost is an endpoint that does not answer, or refuses a method.
type lost struct {
	preflight.Caller
	method string
	err    error
}

// refusal is an error of an endpoint.
type refusal struct {
	code int
	text string
}

func (r refusal) Error() string  { return r.text }
func (r refusal) ErrorCode() int { return r.code }

func (l lost) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	if l.method == "" {
		return context.DeadlineExceeded
	}
	err := l.Caller.BatchCallContext(ctx, batch)
	for i := range batch {
		if batch[i].Method == l.method {
			batch[i].Error = l.err
		}
	}
	return err
}

// An endpoint that does not tell is no proof that something is wrong.
func TestPreflight_FailsWithTheEndpoint(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	missing, behind := refusal{-32601, "there is no such method"}, refusal{-32000, "header not found"}
	for _, test := range []struct {
		method string
		err    error
		want   string
	}{
		{"", nil, "deadline"}, {"eth_getCode", missing, "eth_getCode"}, {"eth_getBalance", missing, "eth_getBalance"},
		{"eth_getStorageAt", missing, "<nil>"}, {"eth_getStorageAt", behind, "header not found"}, {"eth_call", behind, "header not found"},
	} {
		_, err := preflight.Check(t.Context(), lost{rpc{c.client}, test.method, test.err}, c.expected)
		if !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%q, %v: %v, want %s", test.method, test.err, err, test.want)
		}
	}
}

// What a contract answers with is its answer, however the endpoint words it.
func TestPreflight_ContractsThatRevertAreWrong(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	for _, err := range []error{
		refusal{3, "execution failed"}, refusal{-32000, "execution reverted"}, refusal{-32015, "VM execution error."},
		refusal{-32000, "invalid opcode: INVALID"}, refusal{-32000, "out of gas"},
	} {
		r, checked := preflight.Check(t.Context(), lost{rpc{c.client}, "eth_call", err}, c.expected)
		if checked != nil || len(r.Findings) == 0 || r.Findings[0].Severity != preflight.Wrong {
			t.Errorf("%v: %v, %v", err, r.Findings, checked)
		}
	}
}

// rpc is a chain's client.
type rpc struct{ *gethrpc.Client }

const startTimeout = time.Minute
