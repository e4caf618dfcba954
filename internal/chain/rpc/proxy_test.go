package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/testkit"
)

// waitTimeout bounds waits for conditions that normally hold at once.
const waitTimeout = 20 * time.Second

// upstream is a chain's endpoint behind HTTP, as at a provider.
type upstream struct {
	chain http.Handler
	slots chan struct{}                       // concurrent requests it accepts; nil for any number
	hold  func(method string) <-chan struct{} // what the response to a method waits for; nil for nothing
	fake  func(method string) string          // the response to a method in place of the chain's; "" for the chain's

	mu    sync.Mutex
	calls map[string][]string // parameters of the calls, by method
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if u.slots != nil {
		select {
		case u.slots <- struct{}{}:
			defer func() { <-u.slots }()
		default:
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	type call struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	var batch []call
	isBatch := json.Unmarshal(body, &batch) == nil
	if !isBatch {
		batch = make([]call, 1)
		if err := json.Unmarshal(body, &batch[0]); err != nil {
			panic(err)
		}
	}
	u.mu.Lock()
	for _, c := range batch {
		u.calls[c.Method] = append(u.calls[c.Method], string(c.Params))
	}
	hold, fake := u.hold, u.fake
	u.mu.Unlock()
	if hold != nil {
		if until := hold(batch[0].Method); until != nil {
			<-until
		}
	}
	if fake != nil && fake(batch[0].Method) != "" {
		var answers []string
		for _, c := range batch {
			answers = append(answers, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, c.ID, fake(c.Method)))
		}
		text := strings.Join(answers, ",")
		if isBatch {
			text = "[" + text + "]"
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	u.chain.ServeHTTP(w, r)
}

// count returns how often a method was called.
func (u *upstream) count(method string) int { return len(u.params(method)) }

// params returns the parameters with which a method was called.
func (u *upstream) params(method string) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.calls[method])
}

func (u *upstream) set(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
}

// answer makes a response to a method take the place of the chain's.
func (u *upstream) answer(method, response string) {
	u.set(func() {
		u.fake = func(asked string) string {
			if asked != method {
				return ""
			}
			return response
		}
	})
}

// reads is a proxy before a chain with the game's contracts.
type reads struct {
	*testing.T
	chain    *devnet.Chain
	at       world.Addresses
	upstream *upstream
	url      string
	proxy    *rpc.Proxy
}

var (
	smart    = eth.MustAddress("0x00000000000000000000000000000000000000d1") // a player's wallet
	stranger = eth.MustAddress("0x00000000000000000000000000000000000000d2")
)

const marble = 1 // a piggy bank

// newReads creates a proxy; change, if given, changes its options. The test makes the blocks.
func newReads(t *testing.T, change ...func(*rpc.ProxyOptions)) *reads {
	t.Helper()
	r := &reads{T: t, chain: devnettest.Open(t, devnet.Options{MaxLead: 12 * time.Hour})}
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- r.chain.Run(ctx) }()
	var err error
	r.at, err = world.Deploy(t.Context(), r.chain.Client(), brandtest.Pantheon().Collections, collections.GameChain, world.Options{})
	stop()
	if e := <-ran; err != nil || e != nil {
		t.Fatal(err, e)
	}
	handler, err := r.chain.Handler()
	if err != nil {
		t.Fatal(err)
	}
	r.upstream = &upstream{chain: handler, calls: map[string][]string{}}
	server := httptest.NewServer(r.upstream)
	t.Cleanup(server.Close)
	r.url = address(server.URL, "http")
	metrics, err := rpc.NewReadMetrics(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := rpc.ProxyOptions{
		Chains: map[onchain.ChainID]rpc.ReadChain{devnettest.GameChain: {
			Client: newClient(t, rpc.Options{URL: r.url}),
			Contracts: map[eth.Address]rpc.Functions{
				r.at.EntryPoint: contracts.EntryPointViews(), r.at.AccountFactory: contracts.FactoryViews(), r.at.AccountImplementation: nil,
				r.at.Marketplace: contracts.MarketplaceViews(), r.at.USDC: contracts.TokenViews(onchain.ERC20),
				r.at.Collections["avatars"]:     contracts.TokenViews(onchain.ERC721),
				r.at.Collections["piggy-banks"]: contracts.TokenViews(onchain.ERC1155),
			},
		}},
		IsPlayers: func(_ context.Context, a eth.Address) (bool, error) { return a == smart, nil },
		AtOnce:    4, Wait: waitTimeout, CallGas: 5_000_000, Blocks: 8, Metrics: metrics,
	}
	for _, c := range change {
		c(&o)
	}
	r.proxy = rpc.NewProxy(o)
	return r
}

func (r *reads) mine() {
	r.Helper()
	if _, err := r.chain.Mine(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// reply is a response as a browser reads it.
type reply struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// reason is the reason in a refusal's data.
func (a reply) reason() string {
	var data struct{ Reason string }
	if a.Error != nil {
		_ = json.Unmarshal(a.Error.Data, &data)
	}
	return data.Reason
}

func (a reply) String() string {
	if a.Error == nil {
		return string(a.Result)
	}
	return fmt.Sprintf("%d %s %s", a.Error.Code, a.Error.Message, a.Error.Data)
}

// ask makes one read.
func (r *reads) ask(method string, params ...any) (reply, error) {
	r.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "α", "method": method, "params": params})
	if err != nil {
		r.Fatal(err)
	}
	text, err := r.proxy.HandleRead(r.Context(), devnettest.GameChain, body)
	if err != nil {
		return reply{}, err
	}
	var out reply
	if err := json.Unmarshal(text, &out); err != nil {
		r.Fatalf("%s: %v", text, err)
	}
	if string(out.ID) != `"α"` && out.Error == nil {
		r.Errorf("%s: the id is %s", method, out.ID)
	}
	return out, nil
}

// mustAsk makes one read that must succeed.
func (r *reads) mustAsk(method string, params ...any) reply {
	r.Helper()
	out, err := r.ask(method, params...)
	if err != nil {
		r.Fatalf("%s: %v", method, err)
	}
	return out
}

// mustBeRefused checks that a read is refused with a code and a reason, and does not reach the endpoint.
func (r *reads) mustBeRefused(code int, reason, method string, params ...any) {
	r.Helper()
	asked := r.upstream.count(method)
	a := r.mustAsk(method, params...)
	if a.Error == nil || a.Error.Code != code || a.reason() != reason || a.Error.Message == "" {
		r.Errorf("%s %v: %s, want %d with the reason %s", method, params, a, code, reason)
	}
	if r.upstream.count(method) != asked {
		r.Errorf("%s %v reaches the endpoint", method, params)
	}
}

// call is an eth_call's first parameter.
type call map[string]any

func of(to eth.Address, data []byte) call {
	return call{"to": to.String(), "data": hexutil.Encode(data)}
}

func (r *reads) balanceOf(owner eth.Address) call {
	return of(r.at.USDC, contracts.NewTestToken().PackBalanceOf(common.Address(owner)))
}

// number is an address that no one has.
func number(n int) eth.Address {
	return eth.Address(common.BigToAddress(big.NewInt(int64(n) + 1_000_000)))
}

// Spec: CHAIN-8
func TestProxy_AnswersWhatThePagesAsk(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	for range 8 {
		r.mine()
	}
	salt := contracts.AccountSalt(smart, 0)
	for _, c := range []struct {
		method string
		params []any
	}{
		{"eth_chainId", nil}, {"net_version", nil}, {"eth_blockNumber", nil}, {"eth_maxPriorityFeePerGas", nil},
		{"eth_getBlockByNumber", []any{"latest", false}},
		{"eth_getBlockByNumber", []any{hexutil.EncodeUint64(r.chain.Head().Number), false}},
		{"eth_getBlockByNumber", []any{hexutil.EncodeUint64(r.chain.Head().Number - 7), false}},
		{"eth_getBalance", []any{smart.Checksum(), "latest"}}, {"eth_getBalance", []any{r.at.EntryPoint, "latest"}},
		{"eth_getCode", []any{smart, "latest"}}, {"eth_getCode", []any{r.at.AccountImplementation}},
		{"eth_call", []any{of(r.at.AccountFactory, contracts.NewERC4337Factory().PackGetAddress(salt)), "latest"}},
		{"eth_call", []any{of(r.at.EntryPoint, contracts.NewEntryPoint().PackGetNonce(common.Address(smart), common.Big0)), "latest"}},
		{"eth_call", []any{r.balanceOf(smart)}},
		{"eth_call", []any{call{"to": r.at.USDC.Checksum(), "input": r.balanceOf(smart)["data"], "from": stranger}, "latest"}},
		{"eth_call", []any{
			of(r.at.Collections["piggy-banks"], contracts.NewCollection1155().PackBalanceOf(common.Address(smart), big.NewInt(marble))),
			"latest",
		}},
		{
			"eth_call",
			[]any{of(r.at.Marketplace, contracts.NewDirectListingsLogic().PackTotalListings()), hexutil.EncodeUint64(r.chain.Head().Number)},
		},
	} {
		var want json.RawMessage
		if c.params != nil && c.method != "eth_getBlockByNumber" && len(c.params) < 2 {
			c.params = append(c.params, "latest")
		}
		if err := r.chain.Client().CallContext(t.Context(), &want, c.method, c.params...); err != nil {
			t.Fatalf("%s %v: %v", c.method, c.params, err)
		}
		if got := r.mustAsk(c.method, c.params...); got.Error != nil || string(got.Result) != string(want) {
			t.Errorf("%s %v: %s, want %s", c.method, c.params, got, want)
		}
	}
	if got := r.upstream.count("eth_chainId") + r.upstream.count("net_version"); got != 0 {
		t.Errorf("the endpoint was asked %d times which chain it is", got)
	}
}

// Spec: CHAIN-8
func TestProxy_OffersOnlyTheMethodsThatPagesNeed(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	for _, method := range []string{
		"eth_sendRawTransaction", "eth_estimateGas", "eth_getLogs", "eth_getStorageAt", "eth_getProof", "eth_feeHistory", "eth_createAccessList",
		"eth_simulateV1", "eth_newFilter", "eth_subscribe", "eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getBlockByHash",
		"eth_getBlockReceipts", "eth_getTransactionCount", "debug_traceCall", "trace_call", "admin_peers", "web3_sha3", "ETH_CALL", "",
	} {
		r.mustBeRefused(-32601, "method", method, smart, "latest")
	}
	a := r.mustAsk("eth_getLogs", call{})
	want := `{"reason":"method","methods":["eth_blockNumber","eth_call","eth_chainId","eth_getBalance","eth_getBlockByNumber","eth_getCode",` +
		`"eth_maxPriorityFeePerGas","net_version"]}`
	if string(a.Error.Data) != want {
		t.Errorf("the offered methods are told as %s", a.Error.Data)
	}
}

// Spec: CHAIN-8
func TestProxy_ReadsOnlyWhatThePortalKnows(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	entryPoint, token := contracts.NewEntryPoint(), contracts.NewTestToken()
	r.mustBeRefused(-32602, "contract", "eth_call", of(stranger, token.PackBalanceOf(common.Address(smart))), "latest")
	// accounts execute any call
	r.mustBeRefused(-32602, "contract", "eth_call", of(smart, token.PackBalanceOf(common.Address(smart))), "latest")
	// a precompiled contract
	r.mustBeRefused(-32602, "contract", "eth_call", of(eth.Address{19: 5}, make([]byte, 500)), "latest")
	// not one of the portal's contracts on this chain
	r.mustBeRefused(-32602, "contract", "eth_call", of(r.at.GOD, token.PackBalanceOf(common.Address(smart))), "latest")
	r.mustBeRefused(-32602, "function", "eth_call", of(r.at.AccountImplementation, contracts.NewPantheonAccount().PackOwner()), "latest")
	for what, data := range map[string][]byte{
		"any contract's code by the EntryPoint":        entryPoint.PackDelegateAndRevert(common.Address(stranger), []byte{1}),
		"any factory's code by the EntryPoint":         entryPoint.PackGetSenderAddress(append(stranger[:], 1)),
		"any account's code by the EntryPoint":         entryPoint.PackHandleOps(nil, common.Address(stranger)),
		"a function that the EntryPoint does not have": {1, 2, 3, 4},
	} {
		t.Log(what)
		r.mustBeRefused(-32602, "function", "eth_call", of(r.at.EntryPoint, data), "latest")
	}
	r.mustBeRefused(-32602, "function", "eth_call", of(r.at.USDC, token.PackTransfer(common.Address(stranger), common.Big1)), "latest")
	r.mustBeRefused(-32602, "account", "eth_getBalance", stranger, "latest")
	r.mustBeRefused(-32602, "account", "eth_getCode", stranger, "latest")
}

// Spec: CHAIN-8
func TestProxy_ParametersAreReadStrictly(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	good := func(members ...any) call {
		c := r.balanceOf(smart)
		for i := 0; i < len(members); i += 2 {
			c[members[i].(string)] = members[i+1]
		}
		return c
	}
	override := call{stranger.String(): call{"code": "0x60016000f3"}}
	for _, c := range []struct {
		method string
		params []any
	}{
		{"eth_call", []any{good(), "latest", override}},
		{"eth_call", []any{good(), "latest", call{}, call{"number": "0x1"}}},
		{"eth_call", []any{good(), "latest", nil}},
		{"eth_call", []any{good("gas", "0x1")}}, {"eth_call", []any{good("value", "0x0")}}, {"eth_call", []any{good("gasPrice", "0x0")}},
		{"eth_call", []any{good("nonce", "0x0")}}, {"eth_call", []any{good("accessList", []any{})}},
		{"eth_call", []any{good("authorizationList", []any{})}},
		{"eth_call", []any{good("blobs", []any{})}}, {"eth_call", []any{good("TO", r.at.USDC)}},
		{"eth_call", []any{good("to", nil)}}, {"eth_call", []any{good("to", "")}}, {"eth_call", []any{good("to", r.at.USDC.String()[:41])}},
		{"eth_call", []any{good("from", nil)}}, {"eth_call", []any{good("from", "0x1")}},
		{"eth_call", []any{good("data", nil)}}, {"eth_call", []any{good("data", "0x70a0823")}}, {"eth_call", []any{good("data", "0x70a082")}},
		{"eth_call", []any{good("data", "70a08231")}}, {"eth_call", []any{good("input", "0x70a08231")}},
		{"eth_call", []any{call{"data": "0x70a08231"}}}, {"eth_call", []any{call{"to": r.at.USDC}}}, {"eth_call", []any{call{"data": "0x6001"}}},
		{"eth_call", []any{nil}}, {"eth_call", []any{"0x"}}, {"eth_call", []any{[]any{}}}, {"eth_call", nil},
		{"eth_call", []any{good(), "pending"}}, {"eth_call", []any{good(), "earliest"}}, {"eth_call", []any{good(), "LATEST"}},
		{"eth_call", []any{good(), nil}}, {"eth_call", []any{good(), 1}}, {"eth_call", []any{good(), "0x01"}}, {"eth_call", []any{good(), "1"}},
		{"eth_call", []any{good(), "0x10000000000000000"}}, {"eth_call", []any{good(), call{"blockNumber": "0x1"}}},
		{"eth_call", []any{good(), call{"blockHash": eth.Hash{}}}},
		{"eth_getBalance", []any{smart, "latest", 1}}, {"eth_getBalance", nil}, {"eth_getBalance", []any{nil, "latest"}},
		{"eth_getBalance", []any{"zeus.eth"}},
		{"eth_getCode", []any{smart, "pending"}}, {"eth_getCode", []any{[]any{smart}}},
		{"eth_getBlockByNumber", []any{"latest", true}}, {"eth_getBlockByNumber", []any{"latest"}},
		{"eth_getBlockByNumber", []any{"pending", false}},
		{"eth_getBlockByNumber", []any{"latest", false, false}}, {"eth_getBlockByNumber", []any{nil, false}},
		{"eth_blockNumber", []any{"latest"}}, {"eth_chainId", []any{nil}}, {"eth_maxPriorityFeePerGas", []any{1}},
	} {
		r.mustBeRefused(-32602, "parameters", c.method, c.params...)
	}
}

func TestProxy_RequestsAreReadStrictly(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	many := strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},`, 101), ",")
	for body, want := range map[string]string{
		``:               `null -32700`,
		`{`:              `null -32700`,
		`[{]`:            `null -32700`,
		`null`:           `null -32600`,
		`"eth_chainId"`:  `null -32600`,
		`[]`:             `null -32600`,
		"[" + many + "]": `null -32600`,
		`{"jsonrpc":"2.0","method":"eth_chainId"}`:                                         `null -32600`,
		`{"jsonrpc":"2.0","id":null,"method":"eth_chainId"}`:                               `null -32600`,
		`{"jsonrpc":"2.0","id":{"a":1},"method":"eth_chainId"}`:                            `null -32600`,
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 127) + `","method":"eth_chainId"}`: `null -32600`,
		`{"jsonrpc":"1.0","id":7,"method":"eth_chainId"}`:                                  `7 -32600`,
		`{"jsonrpc":"2.0","id":-7.5,"method":1}`:                                           `null -32600`,
		`{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":{}}`:                      `7 -32602`,
	} {
		text, err := r.proxy.HandleRead(t.Context(), devnettest.GameChain, json.RawMessage(body))
		var got reply
		if err != nil || json.Unmarshal(text, &got) != nil || got.Error == nil {
			t.Errorf("%.80s: %s, %v", body, text, err)
			continue
		}
		if s := fmt.Sprintf("%s %d", got.ID, got.Error.Code); s != want {
			t.Errorf("%.80s: %s, want %s", body, s, want)
		}
	}
	if _, err := r.proxy.HandleRead(t.Context(), 1, json.RawMessage(`{}`)); !fault.Is(err, fault.NotFound) {
		t.Errorf("another chain: %v", err)
	}
}

// Spec: CHAIN-9
func TestProxy_ABatchIsAnsweredInOrder(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	text, err := r.proxy.HandleRead(t.Context(), devnettest.GameChain, json.RawMessage(` [
		{"jsonrpc":"2.0","id":3,"method":"eth_getBalance","params":["`+smart.String()+`","latest"]}, 17,
		{"jsonrpc":"2.0","id":"a","method":"eth_getLogs","params":[]}, {"jsonrpc":"2.0","id":1,"method":"eth_chainId"},
		{"jsonrpc":"2.0","id":3,"method":"eth_getBalance","params":["`+smart.String()+`"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	var got []reply
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 5 {
		t.Fatalf("%s, %v", text, err)
	}
	var said []string
	for _, a := range got {
		said = append(said, fmt.Sprintf("%s %s %s", a.ID, a.Result, a.reason()))
	}
	want := []string{`3 "0x0" `, `null  request`, `"a"  method`, `1 "0x1466d2" `, `3 "0x0" `}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	if n := r.upstream.count("eth_getBalance"); n != 1 {
		t.Errorf("the endpoint was asked %d times for one balance", n)
	}
}

func TestProxy_OnlyTheNewestBlocksAreReadByNumber(t *testing.T) {
	t.Parallel()
	r := newReads(t) // of the newest 8
	for range 8 {
		r.mine()
	}
	head := r.chain.Head().Number
	for number, isOffered := range map[uint64]bool{head: true, head - 7: true, head - 8: false, head + 1: false, 0: false, 1 << 63: false} {
		a := r.mustAsk("eth_call", r.balanceOf(smart), hexutil.EncodeUint64(number))
		if isOffered != (a.Error == nil) {
			t.Errorf("block %d of %d: %s", number, head, a)
		}
	}
	r.mustBeRefused(-32602, "block", "eth_getCode", smart, "0x0")
	a := r.mustAsk("eth_getBalance", smart, "0x0")
	want := fmt.Sprintf(`{"reason":"block","oldestBlock":"0x%x","newestBlock":"0x%x"}`, head-7, head)
	if string(a.Error.Data) != want {
		t.Errorf("the offered blocks are told as %s, want %s", a.Error.Data, want)
	}
}

// Spec: CHAIN-8
func TestProxy_TheGasOfACallIsBounded(t *testing.T) {
	t.Parallel()
	r := newReads(t, func(o *rpc.ProxyOptions) { o.CallGas = 200_000 })
	owners, ids := make([]common.Address, 500), make([]*big.Int, 500)
	for i := range owners {
		owners[i], ids[i] = common.Address(number(i)), big.NewInt(marble)
	}
	a := r.mustAsk("eth_call", of(r.at.Collections["piggy-banks"], contracts.NewCollection1155().PackBalanceOfBatch(owners, ids)), "latest")
	if a.Error == nil || a.Error.Code != -32000 || string(a.Error.Data) != `{"reason":"endpoint","gas":"0x30d40"}` {
		t.Errorf("a call of a million gas: %s", a)
	}
	if asked := r.upstream.params("eth_call"); len(asked) != 1 || !strings.Contains(asked[0], `"gas":"0x30d40"`) {
		t.Errorf("the endpoint was asked %.200q", asked)
	}
}

// Spec: CHAIN-5
func TestProxy_IdenticalReadsOfABlockShareAnAnswer(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	read := func() {
		t.Helper()
		for _, c := range []call{r.balanceOf(smart), {"to": r.at.USDC.Checksum(), "input": r.balanceOf(smart)["data"]}} {
			if a := r.mustAsk("eth_call", c, "latest"); a.Error != nil {
				t.Error(a)
			}
		}
		r.mustAsk("eth_getCode", smart, "latest")
		r.mustAsk("eth_maxPriorityFeePerGas")
		r.mustAsk("eth_getBlockByNumber", "latest", false)
	}
	asked := func() string {
		return fmt.Sprint(r.upstream.count("eth_call"), r.upstream.count("eth_getCode"), r.upstream.count("eth_maxPriorityFeePerGas"))
	}
	for range 5 {
		read()
	}
	if got := asked(); got != "1 1 1" {
		t.Errorf("the endpoint was asked %s times in a block", got)
	}
	r.mine()
	read()
	read()
	if got := asked(); got != "2 2 2" {
		t.Errorf("the endpoint was asked %s times in two blocks", got)
	}
	r.upstream.answer("eth_getBlockByNumber", fmt.Sprintf(`"result":{"number":"0x%x","hash":"0x%064x"}`, r.chain.Head().Number, 1))
	read()
	if got := asked(); got != "3 3 3" {
		t.Errorf("another block of the same number is taken for the same: asked %s times", got)
	}
}

func TestProxy_ConcurrentEqualReadsShareOneRequest(t *testing.T) {
	t.Parallel()
	const readers = 40
	r := newReads(t)
	release := make(chan struct{})
	r.upstream.set(func() {
		r.upstream.hold = func(method string) <-chan struct{} {
			if method == "eth_call" {
				return release
			}
			return nil
		}
	})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			if a, err := r.ask("eth_call", r.balanceOf(smart), "latest"); err != nil || a.Error != nil {
				t.Errorf("%s, %v", a, err)
			}
		})
	}
	testkit.Eventually(t, waitTimeout, func() bool { return r.upstream.count("eth_call") > 0 }, "the endpoint is not asked")
	close(release)
	wg.Wait()
	if n := r.upstream.count("eth_call"); n != 1 {
		t.Errorf("the endpoint was asked %d times for %d readers", n, readers)
	}
}

// A page that was notified of a change must not be shown the state before.
// Spec: CHAIN-8
func TestProxy_AnAnswerIsNeverOlderThanItsQuestion(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	ctx, stop := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	for range 4 {
		crowd.Go(func() {
			for ctx.Err() == nil {
				if a, err := r.ask("eth_blockNumber"); err != nil || a.Error != nil {
					t.Errorf("%s, %v", a, err)
					return
				}
				if a, err := r.ask("eth_call", r.balanceOf(smart), "latest"); err != nil || a.Error != nil {
					t.Errorf("%s, %v", a, err)
					return
				}
			}
		})
	}
	defer crowd.Wait()
	defer stop()
	for range 50 {
		r.mine()
		if got, want := string(r.mustAsk("eth_blockNumber").Result), fmt.Sprintf(`"0x%x"`, r.chain.Head().Number); got != want {
			t.Fatalf("the newest block is told as %s after it was %s", got, want)
		}
	}
}

func TestProxy_RevertsAreKeptAndOtherErrorsAreNot(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	missing := of(r.at.Collections["avatars"], contracts.NewCollection721().PackOwnerOf(big.NewInt(404)))
	for range 3 {
		a := r.mustAsk("eth_call", missing, "latest")
		var data string
		if a.Error == nil || a.Error.Code != 3 || json.Unmarshal(a.Error.Data, &data) != nil || !strings.HasPrefix(data, "0x") || len(data) < 10 {
			t.Fatalf("a revert is told as %s", a)
		}
	}
	if n := r.upstream.count("eth_call"); n != 1 {
		t.Errorf("a revert was asked for %d times", n)
	}
	r.upstream.answer("eth_call", `"error":{"code":-32000,"message":"header not found","data":{"node":"`+path+`"}}`)
	for n := range 3 {
		a := r.mustAsk("eth_call", r.balanceOf(smart), "latest")
		if a.Error == nil || a.Error.Code != -32000 || a.Error.Message != "header not found" || a.reason() != "endpoint" ||
			strings.Contains(a.String(), path) {
			t.Errorf("the endpoint's error is told as %s", a)
		}
		if got := r.upstream.count("eth_call"); got != n+2 {
			t.Errorf("asked %d times, want %d: an error is gone the next moment", got, n+2)
		}
	}
}

func TestProxy_TheEndpointsErrorsAreToldWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	r.upstream.answer("eth_getBalance", `"error":{"code":-32001,"message":"project `+path+` of `+user+
		` has used up its quota `+strings.Repeat("!", 10_000)+`","data":"`+query+`"}`)
	a := r.mustAsk("eth_getBalance", smart, "latest")
	text := a.String()
	for _, secret := range []string{user, password, path, query} {
		if strings.Contains(text, secret) {
			t.Errorf("%.300s tells %s", text, secret)
		}
	}
	if a.Error == nil || a.Error.Code != -32001 || !strings.HasPrefix(a.Error.Message, "project … of … has used up its quota") ||
		len(a.Error.Message) > 300 {
		t.Errorf("it is told as %.300s", text)
	}
}

// Spec: CHAIN-5
func TestProxy_FourThousandAnswersAreKept(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	readAll := func(from, to int) {
		t.Helper()
		for ; from < to; from += 64 {
			var batch []map[string]any
			for n := from; n < min(from+64, to); n++ {
				batch = append(batch, map[string]any{"jsonrpc": "2.0", "id": n, "method": "eth_call", "params": []any{r.balanceOf(number(n))}})
			}
			body, err := json.Marshal(batch)
			if err == nil {
				_, err = r.proxy.HandleRead(t.Context(), devnettest.GameChain, body)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	asked := func() int { return r.upstream.count("eth_call") }
	readAll(0, 4096)
	readAll(0, 4096)
	if n := asked(); n != 4096 {
		t.Errorf("for 4096 reads the endpoint was asked %d times", n)
	}
	readAll(4096, 4097) // in place of the least recently read one
	readAll(1, 4097)
	if n := asked(); n != 4097 {
		t.Errorf("for one read more the endpoint was asked %d times", n)
	}
	readAll(0, 1)
	if n := asked(); n != 4098 {
		t.Errorf("for the read that had to go the endpoint was asked %d times", n)
	}
}

func TestProxy_LongAnswersAreNotKept(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	r.upstream.answer("eth_getCode", `"result":"0x`+strings.Repeat("ff", 8<<10)+`"`)
	for n := range 2 {
		if a := r.mustAsk("eth_getCode", smart, "latest"); a.Error != nil || len(a.Result) != 16<<10+4 {
			t.Errorf("%.200s", a)
		}
		if got := r.upstream.count("eth_getCode"); got != n+1 {
			t.Errorf("asked %d times, want %d", got, n+1)
		}
	}
}

// A batch of equal reads is sent once and copied: the memory that a browser can hold by reading slowly is bounded.
// Spec: CHAIN-9
func TestAttack_ABatchOfLongAnswersFillsTheMemory(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	r.upstream.answer("eth_getCode", `"result":"0x`+strings.Repeat("ff", 50_000)+`"`)
	requests := make([]string, 100)
	for i := range requests {
		requests[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"eth_getCode","params":["%s","latest"]}`, i, smart)
	}
	text, err := r.proxy.HandleRead(t.Context(), devnettest.GameChain, json.RawMessage("["+strings.Join(requests, ",")+"]"))
	if err != nil || len(text) > 1_100_000 {
		t.Fatalf("the answer has %d bytes (%v)", len(text), err)
	}
	answered, refused := strings.Count(string(text), `"result":"0xff`), strings.Count(string(text), `"reason":"size"`)
	if answered != 10 || refused != 90 {
		t.Errorf("%d are answered and %d refused, want 10 and 90", answered, refused)
	}
}

// Spec: CHAIN-8
func TestProxy_AReadThatGetsNoTurnIsRefusedInTime(t *testing.T) {
	t.Parallel()
	r := newReads(t, func(o *rpc.ProxyOptions) { o.AtOnce, o.Wait = 1, 20*time.Millisecond })
	release := make(chan struct{})
	r.upstream.set(func() {
		r.upstream.hold = func(method string) <-chan struct{} {
			if method == "eth_call" {
				return release
			}
			return nil
		}
	})
	var first sync.WaitGroup
	first.Go(func() {
		if a, err := r.ask("eth_call", r.balanceOf(number(1)), "latest"); err != nil || a.Error != nil {
			t.Errorf("the first: %s, %v", a, err)
		}
	})
	testkit.Eventually(t, waitTimeout, func() bool { return r.upstream.count("eth_call") > 0 }, "the endpoint is not asked")
	_, err := r.ask("eth_call", r.balanceOf(number(2)), "latest")
	if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Reason != "busy" || f.RetryAfter == 0 {
		t.Errorf("the second: %v", err)
	}
	if a, err := r.ask("eth_blockNumber"); err != nil || a.Error != nil {
		t.Errorf("what the newest block tells: %s, %v", a, err)
	}
	close(release)
	first.Wait()
	if a, err := r.ask("eth_call", r.balanceOf(number(2)), "latest"); err != nil || a.Error != nil {
		t.Errorf("the second, later: %s, %v", a, err)
	}
}

func TestProxy_CancelledReaderDoesNotCancelASharedRequest(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	release, body := make(chan struct{}), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["`+smart.String()+`"]}`)
	r.upstream.set(func() {
		r.upstream.hold = func(method string) <-chan struct{} {
			if method == "eth_getBalance" {
				return release
			}
			return nil
		}
	})
	gone, leave := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	readers.Go(func() { _, _ = r.proxy.HandleRead(gone, devnettest.GameChain, body) })
	testkit.Eventually(t, waitTimeout, func() bool { return r.upstream.count("eth_getBalance") > 0 }, "the endpoint is not asked")
	readers.Go(func() {
		if a, err := r.ask("eth_getBalance", smart, "latest"); err != nil || a.Error != nil {
			t.Errorf("%s, %v", a, err)
		}
	})
	leave()
	close(release)
	readers.Wait()
}

func TestProxy_AnEndpointThatIsLostIsToldAndFoundAgain(t *testing.T) {
	t.Parallel()
	r := newReads(t)
	r.upstream.set(func() { r.upstream.fake = func(string) string { return `"result":null` } })
	if _, err := r.ask("eth_blockNumber"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("an endpoint without a block: %v", err)
	}
	if a, err := r.ask("eth_chainId"); err != nil || string(a.Result) != `"0x1466d2"` {
		t.Errorf("the chain's id needs no endpoint: %s, %v", a, err)
	}
	r.upstream.set(func() { r.upstream.fake = nil })
	if a, err := r.ask("eth_blockNumber"); err != nil || a.Error != nil {
		t.Errorf("later: %s, %v", a, err)
	}
}

// Readers took every connection of the endpoint that indexer, queue and relay use.
// Spec: CHAIN-8
func TestAttack_ReadersStarveTheIndexer(t *testing.T) {
	t.Parallel()
	const slots, readers = 4, 30
	r := newReads(t, func(o *rpc.ProxyOptions) { o.AtOnce = slots - 2 }) // one more asks for the newest block
	release := make(chan struct{})
	r.upstream.set(func() {
		r.upstream.slots = make(chan struct{}, slots)
		r.upstream.hold = func(method string) <-chan struct{} {
			if method == "eth_call" { // readers' calls are slow
				return release
			}
			return nil
		}
	})
	var crowd sync.WaitGroup
	for n := range readers {
		crowd.Go(func() {
			if a, err := r.ask("eth_call", r.balanceOf(number(n)), "latest"); err != nil || a.Error != nil {
				t.Errorf("reader %d: %s, %v", n, a, err)
			}
		})
	}
	testkit.Eventually(t, waitTimeout, func() bool { return r.upstream.count("eth_call") >= slots-2 }, "readers do not get through")
	indexer := newClient(t, rpc.Options{URL: r.url})
	for range 20 {
		if _, err := indexer.Check(t.Context()); err != nil {
			t.Errorf("the indexer beside %d readers: %v", readers, err)
			break
		}
	}
	close(release)
	crowd.Wait()
}
