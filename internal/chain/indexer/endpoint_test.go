package indexer_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

// detour passes an indexer's calls through a test on their way to a real endpoint.
type detour struct {
	to  indexer.Caller
	via func(next forward) error
}

// forward is one call in progress.
type forward struct {
	ctx    context.Context
	to     indexer.Caller
	result any
	method string
	args   []any
	batch  bool // in a batch
}

func (d detour) CallContext(ctx context.Context, result any, method string, args ...any) error {
	return d.via(forward{ctx, d.to, result, method, args, false})
}

// BatchCallContext passes the calls one by one.
func (d detour) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	for i := range batch {
		e := &batch[i]
		e.Error = d.via(forward{ctx, d.to, e.Result, e.Method, e.Args, true})
	}
	return nil
}

// call makes the call.
func (f forward) call() error { return f.to.CallContext(f.ctx, f.result, f.method, f.args...) }

// changed makes the call and changes the result, which is given in decoded JSON.
func (f forward) changed(change func(answer any) any) error {
	var answer any
	if err := f.to.CallContext(f.ctx, &answer, f.method, f.args...); err != nil {
		return err
	}
	b, err := json.Marshal(change(answer))
	if err != nil {
		return err
	}
	return json.Unmarshal(b, f.result)
}

// logs changes each log of the result.
func (f forward) logs(change func(log map[string]any)) error {
	return f.changed(func(answer any) any {
		for _, l := range answer.([]any) {
			change(l.(map[string]any))
		}
		return answer
	})
}

// refusal is an error returned by the endpoint itself.
type refusal string

func (r refusal) Error() string { return string(r) }
func (refusal) ErrorCode() int  { return -32005 }

// blocksAsked returns how many blocks an eth_getLogs call covers.
func blocksAsked(t *testing.T, f forward) int {
	t.Helper()
	b, err := json.Marshal(f.args[0])
	if err != nil {
		t.Fatal(err)
	}
	var filter struct{ FromBlock, ToBlock string }
	if err := json.Unmarshal(b, &filter); err != nil {
		t.Fatal(err)
	}
	if filter.FromBlock == "" {
		return 1
	}
	from, err := strconv.ParseInt(filter.FromBlock, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	to, err := strconv.ParseInt(filter.ToBlock, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(to - from + 1)
}

// tradedBazaar is a bazaar with a history.
func tradedBazaar(t *testing.T, blocks int) *bazaar {
	t.Helper()
	b := openBazaar(t)
	b.stock()
	b.tradeFor(blocks, rand.New(rand.NewPCG(9, 2026)))
	return b
}

// another returns a bazaar on a chain that has none of this one's blocks but the first. Chains that begin in the same second are the same.
func (b *bazaar) another(blocks int) *bazaar {
	b.t.Helper()
	first := func(b *bazaar) common.Hash {
		h, err := b.client.HeaderByNumber(b.t.Context(), big.NewInt(1))
		b.ok(err)
		return h.Hash()
	}
	for {
		if other := tradedBazaar(b.t.(*testing.T), blocks); first(other) != first(b) {
			return other
		}
	}
}

// wantAfresh checks that the index equals one built from nothing.
func (b *bazaar) wantAfresh(x *indexed) {
	b.t.Helper()
	if got, want := x.state(), b.afresh(store.SQLite); got != want {
		b.t.Errorf("the index holds\n%s\none from nothing\n%s", got, want)
	}
}

func TestEndpoint_ThatRefusesLongRangesIsAskedForShorterOnes(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	x := b.index(store.SQLite)
	o := b.options(x)
	var refused atomic.Int64
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if next.method == "eth_getLogs" && blocksAsked(t, next) > 3 {
			refused.Add(1)
			return refusal("query returned more than 10000 results")
		}
		return next.call()
	}}
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	if refused.Load() == 0 {
		t.Error("no long range was asked for")
	}
	b.wantAfresh(x)
}

func TestEndpoint_LogsWithoutTheirBlocksTimeAreRead(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	x := b.index(store.SQLite)
	o := b.options(x)
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if next.method != "eth_getLogs" {
			return next.call()
		}
		return next.logs(func(log map[string]any) { delete(log, "blockTimestamp") })
	}}
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	b.wantAfresh(x)
}

// await waits until the indexer's state satisfies check.
func await(t *testing.T, x *indexer.Indexer, what string, check func(indexer.State) bool) {
	t.Helper()
	testkit.Eventually(t, time.Minute, func() bool { return check(x.State()) }, "%s", what)
}

func TestEndpoint_LostEndpointIsReportedWithoutItsKeyAndFoundAgain(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 3)
	x := b.index(store.SQLite)
	o := b.options(x)
	var down atomic.Bool
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if down.Load() {
			return &url.Error{Op: "Post", URL: "https://node.example/v2/secret-key", Err: errors.New("connection refused")}
		}
		return next.call()
	}}
	follower, stop := follow(t, o)
	x.await(b.chain.Head())
	await(t, follower, "it does not say that all is read", func(s indexer.State) bool {
		return s.Started && s.Lag == 0 && s.Error == "" && !s.CaughtUp.IsZero() && s.Cursor == b.chain.Head().Number && s.Head == s.Cursor
	})

	down.Store(true)
	await(t, follower, "it does not say that the endpoint is gone", func(s indexer.State) bool {
		return strings.Contains(s.Error, "connection refused") && !s.Since.IsZero()
	})
	if text := follower.State().Error; strings.Contains(text, "secret") || strings.Contains(text, "node.example") {
		t.Errorf("the state tells the endpoint's address: %s", text)
	}
	b.mine(b.list(1, 1, 5))

	down.Store(false)
	x.await(b.chain.Head())
	await(t, follower, "it does not say that it goes on", func(s indexer.State) bool { return s.Error == "" && s.Since.IsZero() })
	stop()
	b.wantAfresh(x)
}

// If an endpoint's result does not match the request, none of it is used; a correct result is.
func TestEndpoint_InconsistentAnswersAreNotUsed(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 3)
	setLog := func(key string, value any) func(forward) error {
		return func(next forward) error {
			if next.method != "eth_getLogs" {
				return next.call()
			}
			return next.logs(func(log map[string]any) { log[key] = value })
		}
	}
	var answered atomic.Bool
	for name, lie := range map[string]func(forward) error{
		"the logs of a branch that was the chain for a moment": func(next forward) error {
			switch {
			case next.method == "eth_getLogs":
				answered.Store(true)
				return next.changed(func(any) any { return []any{} })
			case next.method == "eth_getBlockByNumber" && answered.Swap(false): // once: a consistent answer would be valid
				return next.changed(func(block any) any {
					block.(map[string]any)["hash"] = eth.Hash{9}.String()
					return block
				})
			}
			return next.call()
		},
		"a log of another contract":      setLog("address", "0x00000000000000000000000000000000000000ff"),
		"a log beyond the range":         setLog("blockNumber", "0xffffff"),
		"a log of another branch":        setLog("blockHash", eth.Hash{1}.String()),
		"a log that was taken back":      setLog("removed", true),
		"a log of no block":              setLog("blockHash", nil),
		"all logs at the same place":     setLog("logIndex", "0x0"),
		"a log at no place":              setLog("logIndex", "first"),
		"a log with data that is no hex": setLog("data", "0xzz"),
		"another chain": func(next forward) error {
			if next.method != "eth_chainId" {
				return next.call()
			}
			return next.changed(func(any) any { return "0x1" })
		},
		"no head": func(next forward) error {
			if next.method != "eth_getBlockByNumber" {
				return next.call()
			}
			return next.changed(func(any) any { return nil })
		},
		"another block than was asked for": func(next forward) error {
			if next.method != "eth_getBlockByNumber" || next.args[0] == "latest" {
				return next.call()
			}
			return next.changed(func(block any) any {
				block.(map[string]any)["number"] = "0x1"
				return block
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := b.index(store.SQLite)
			o := b.options(x)
			// The endpoint becomes honest only between two rounds: omitted logs go unnoticed if the block that they are
			// checked against is reported correctly.
			var honest, truthful atomic.Bool
			o.RPC = detour{b.chain.Client(), func(next forward) error {
				if next.method == "eth_chainId" || next.method == "eth_getBlockByNumber" && next.args[0] == "latest" {
					truthful.Store(honest.Load())
				}
				if truthful.Load() {
					return next.call()
				}
				return lie(next)
			}}
			follower, stop := follow(t, o)
			await(t, follower, "it believes that", func(s indexer.State) bool { return s.Error != "" })
			if got := x.rows("SELECT COUNT(*) FROM token_transfer"); got[0] != "0" {
				t.Errorf("%s facts were stored", got[0])
			}
			honest.Store(true)
			x.await(b.chain.Head())
			stop()
			b.wantAfresh(x)
		})
	}
}

func TestEndpoint_ConfirmationsKeepTheNewestBlocksUnread(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 6)
	x := b.index(store.SQLite)
	o := b.options(x)
	o.Confirmations = 3
	follower, _ := follow(t, o)
	await(t, follower, "it does not stay three blocks behind", func(s indexer.State) bool {
		return s.Started && s.Lag == 0 && s.Head == b.chain.Head().Number && s.Cursor == s.Head-3
	})
	// A reorganisation within the unread blocks takes nothing back.
	before := x.state()
	b.ok(b.chain.Reorg(t.Context(), 3, nil))
	await(t, follower, "it does not follow the branch", func(s indexer.State) bool {
		return s.Head == b.chain.Head().Number && s.Cursor == s.Head-3
	})
	if after := x.state(); facts(after) != facts(before) {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
	// A deeper one is noticed even though no more blocks are confirmed than before.
	b.ok(b.chain.Reorg(t.Context(), 6, nil))
	b.ok(b.chain.Reorg(t.Context(), 6, nil))
	head := b.chain.Head().Number
	await(t, follower, "it does not follow the deeper branch", func(s indexer.State) bool { return s.Head == head && s.Cursor == head-3 })
}

// facts is the state without the cursor.
func facts(state string) string { return state[strings.Index(state, "token_transfer"):] }

// With an endpoint of another chain, what was read stays until an operator says otherwise.
func TestEndpoint_IndexOfAnotherChainIsLeftAlone(t *testing.T) {
	t.Parallel()
	old := tradedBazaar(t, 30)
	x := old.index(store.SQLite)
	o := old.options(x)
	var swapped atomic.Bool
	fresh := old.another(12)
	o.RPC = swappedRPC(old, fresh, &swapped)
	follower, _ := follow(t, o)
	x.await(old.chain.Head())
	before := x.state()
	swapped.Store(true)
	await(t, follower, "the other chain is not noticed", func(s indexer.State) bool {
		return s.Error == "the endpoint's chain has none of the blocks that were read: "+
			"correct the endpoint, or replace the index with pantheon index rebuild --other-chain"
	})
	if got := x.state(); got != before {
		t.Errorf("the index was\n%s\nand is\n%s", before, got)
	}
	swapped.Store(false)
	await(t, follower, "it does not go on", func(s indexer.State) bool { return s.Error == "" })
}

func TestEndpoint_ShorterDevelopmentChainInPlaceOfTheOldOneIsIndexedAnew(t *testing.T) {
	t.Parallel()
	old := tradedBazaar(t, 30)
	x := old.index(store.SQLite)
	o := old.options(x)
	o.Rebuild = true
	var swapped atomic.Bool
	fresh := old.another(12)
	if fresh.chain.Head().Number >= old.chain.Head().Number {
		t.Fatal("the new chain is no shorter")
	}
	o.RPC = swappedRPC(old, fresh, &swapped)
	_, stop := follow(t, o)
	x.await(old.chain.Head())
	swapped.Store(true)
	x.await(fresh.chain.Head())
	stop()
	fresh.wantAfresh(x)
}

// swappedRPC is the endpoint of one chain, and once swapped that of another.
func swappedRPC(before, after *bazaar, swapped *atomic.Bool) detour {
	return detour{before.chain.Client(), func(next forward) error {
		if swapped.Load() {
			next.to = after.chain.Client()
		}
		return next.call()
	}}
}

func TestEndpoint_EndpointWithNoneOfTheBlocksThatWereReadIsReported(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 5)
	x := b.index(store.SQLite)
	o := b.options(x)
	bare := devnettest.Open(t, devnet.Options{MaxLead: 24 * time.Hour})
	var swapped atomic.Bool
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if swapped.Load() {
			next.to = bare.Client()
		}
		return next.call()
	}}
	follower, _ := follow(t, o)
	x.await(b.chain.Head())
	before := x.state()
	swapped.Store(true)
	await(t, follower, "it does not say so", func(s indexer.State) bool { return strings.Contains(s.Error, "the endpoint has only") })
	if after := x.state(); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
}

// Far behind the head the block hashes in the logs are trusted: a long history is not read block by block.
func TestEndpoint_LongHistoryTakesFewCalls(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	for range 300 {
		b.mine()
	}
	x := b.index(store.SQLite)
	o := b.options(x)
	var calls atomic.Int64
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if next.method == "eth_getBlockByNumber" && next.args[0] != "latest" && !next.batch {
			calls.Add(1)
		}
		return next.call()
	}}
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	if n := calls.Load(); n > 8 {
		t.Errorf("%d blocks were asked for one by one", n)
	}
	b.wantAfresh(x)
}

func TestEndpoint_MalformedLogIsLeftOutAndCounted(t *testing.T) {
	t.Parallel()
	b := openBazaar(t)
	b.stock()
	// A contract whose creation writes a Transfer without any arguments: LOG1(offset 0, length 0, topic).
	topic := eth.Keccak256([]byte("Transfer(address,address,uint256)"))
	code := append(append([]byte{0x7f}, topic[:]...), 0x5f, 0x5f, 0xa1, 0x00)
	tx := b.tx(devnet.Deployer, nil, code)
	b.ok(b.client.SendTransaction(t.Context(), tx))
	b.mine(tx)
	receipt, err := b.client.TransactionReceipt(t.Context(), tx.Hash())
	b.ok(err)
	b.mine(b.list(1, 1, 5))

	x := b.index(store.SQLite)
	o := b.options(x)
	o.Contracts.Tokens[eth.Address(receipt.ContractAddress)] = onchain.ERC721
	registry := prometheus.NewRegistry()
	o.Metrics, err = indexer.NewMetrics(registry)
	b.ok(err)
	_, _ = follow(t, o)
	x.await(b.chain.Head())
	counted := map[string]float64{}
	families, err := registry.Gather()
	b.ok(err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			counted[f.GetName()] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	if n := counted["pantheon_indexer_malformed_logs_total"]; n != 1 {
		t.Errorf("%v malformed logs were counted, want 1", n)
	}
	if n := counted["pantheon_indexer_cursor_block"]; n != float64(b.chain.Head().Number) {
		t.Errorf("the cursor is said to be at %v, want %d", n, b.chain.Head().Number)
	}
	x.want("listings", x.listings(), "0 1 5 active valid")
	if _, err := indexer.NewMetrics(registry); err == nil {
		t.Error("the same metrics were registered twice")
	}
}

func TestEndpoint_OptionsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	b := openBazaar(t)
	good := b.options(b.index(store.SQLite))
	if _, err := indexer.New(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*indexer.Options){
		"no chain": func(o *indexer.Options) { o.Chain = 0 }, "no endpoint": func(o *indexer.Options) { o.RPC = nil },
		"no store": func(o *indexer.Options) { o.Store = nil }, "no interval": func(o *indexer.Options) { o.Poll = 0 },
		"no contracts": func(o *indexer.Options) { o.Contracts = indexer.Contracts{} },
	} {
		o := good
		spoil(&o)
		if _, err := indexer.New(o); err == nil {
			t.Errorf("%s: it was made", name)
		}
	}
}

func TestEndpoint_UserOperationsOfOtherPaymastersAreNotAskedFor(t *testing.T) {
	t.Parallel()
	b := openBazaar(t)
	x := b.index(store.SQLite)
	o := b.options(x)
	o.Contracts.Paymasters = []eth.Address{b.at.Paymaster}
	asked := make(chan string, 1)
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if next.method == "eth_getLogs" {
			if filter, err := json.Marshal(next.args[0]); err == nil && strings.Contains(string(filter), b.at.EntryPoint.Checksum()) {
				select {
				case asked <- string(filter):
				default:
				}
			}
		}
		return next.call()
	}}
	_, _ = follow(t, o)
	x.await(b.chain.Head())
	padded := "0x" + strings.Repeat("0", 24) + strings.TrimPrefix(b.at.Paymaster.String(), "0x")
	if filter := <-asked; !strings.Contains(filter, `[],[],["`+padded+`"]`) {
		t.Errorf("asked with %s", filter)
	}
}
