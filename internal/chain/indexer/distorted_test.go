package indexer_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/indexer"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/store"
)

// Omitted logs are noticed by their block's header, whether they are requested for a range, one block, or in a batch.
func TestEndpoint_EmptyAnswerLosesNoLog(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	for name, span := range map[string]uint64{"of a range": 0, "of a block": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := b.index(store.SQLite)
			o := b.options(x)
			o.Span = span
			var lied atomic.Bool
			o.RPC = detour{b.chain.Client(), func(next forward) error {
				if next.method == "eth_getLogs" && !lied.Swap(true) {
					return next.changed(func(any) any { return []any{} })
				}
				if next.method == "eth_blockNumber" || next.method == "eth_getBlockByNumber" && next.args[0] == "latest" {
					lied.Store(false) // once a round
				}
				return next.call()
			}}
			_, stop := follow(t, o)
			x.await(b.chain.Head())
			stop()
			b.wantAfresh(x)
		})
	}
}

// An endpoint that leaves out logs time and again is reported, and nothing is passed over.
func TestEndpoint_BlockWhoseHeaderSpeaksForMoreLogsIsNotPassed(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 3)
	x := b.index(store.SQLite)
	o := b.options(x)
	var honest atomic.Bool
	o.RPC = detour{b.chain.Client(), func(next forward) error {
		if next.method == "eth_getLogs" && !honest.Load() {
			return next.changed(func(any) any { return []any{} })
		}
		return next.call()
	}}
	follower, stop := follow(t, o)
	await(t, follower, "it does not say that logs are left out", func(s indexer.State) bool {
		return strings.Contains(s.Error, "leaves out logs of block")
	})
	if got := x.rows("SELECT COUNT(*) FROM token_transfer"); got[0] != "0" || x.endsWith(b.chain.Head()) {
		t.Errorf("%s transfers, and the blocks are passed: %v", got[0], x.endsWith(b.chain.Head()))
	}
	honest.Store(true)
	x.await(b.chain.Head())
	stop()
	b.wantAfresh(x)
}

// A filter with almost everything in it says nothing, as on chains with many logs in a block: then the second answer counts.
// Endpoints may also refuse to answer without a filter by address.
func TestEndpoint_FullFiltersAndRefusedQuestionsDoNotStopTheIndex(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	for name, via := range map[string]func(next forward) error{
		"full filters": func(next forward) error {
			if next.method != "eth_getBlockByNumber" {
				return next.call()
			}
			return next.changed(func(block any) any {
				block.(map[string]any)["logsBloom"] = "0x" + strings.Repeat("ff", 256)
				return block
			})
		},
		"no filters": func(next forward) error {
			if next.method != "eth_getBlockByNumber" {
				return next.call()
			}
			return next.changed(func(block any) any {
				delete(block.(map[string]any), "logsBloom")
				return block
			})
		},
		"no question without addresses": func(next forward) error {
			if next.method != "eth_getLogs" {
				return next.call()
			}
			if filter, err := json.Marshal(next.args[0]); err != nil || !strings.Contains(string(filter), `"address"`) {
				return refusal("specify an address")
			}
			if next.batch {
				return next.call()
			}
			return next.changed(func(any) any { return []any{} })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := b.index(store.SQLite)
			o := b.options(x)
			o.RPC = detour{b.chain.Client(), via}
			_, stop := follow(t, o)
			x.await(b.chain.Head())
			stop()
			b.wantAfresh(x)
		})
	}
}

// What a log says of its block's time is believed only where it can be.
func TestEndpoint_WrongTimesInLogsAreNotBelieved(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 20)
	for name, at := range map[string]any{
		"zero": "0x0", "null": nil, "far in the future": "0xffffffffffff", "milliseconds": "0x19acb1d5a80", "a number": 12,
		"decimal": "1767225600", "a word": "now", "empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := b.index(store.SQLite)
			o := b.options(x)
			o.Settled = 3 // so that most headers are not read
			o.RPC = detour{b.chain.Client(), func(next forward) error {
				if next.method != "eth_getLogs" {
					return next.call()
				}
				return next.logs(func(log map[string]any) { log["blockTimestamp"] = at })
			}}
			_, stop := follow(t, o)
			x.await(b.chain.Head())
			stop()
			b.wantAfresh(x)
		})
	}
}

// distorting is an endpoint in front of a chain that refuses some requests and distorts some answers, at random.
func distorting(t *testing.T, chain http.Handler) string {
	t.Helper()
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(31, 2026))
	roll := func(percent int) bool {
		mu.Lock()
		defer mu.Unlock()
		return random.IntN(100) < percent
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		switch {
		case roll(30):
			if roll(50) {
				w.Header().Set("Retry-After", "0")
			}
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case bytes.HasPrefix(body, []byte("[")) && roll(10):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too many calls in one batch"}}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		chain.ServeHTTP(answer, r)
		text := answer.Body.Bytes()
		if !bytes.HasPrefix(body, []byte("[")) {
			text = distort(text, roll)
		} else {
			var answers []json.RawMessage
			if json.Unmarshal(text, &answers) == nil {
				for i := range answers {
					answers[i] = distort(answers[i], roll)
				}
				text, _ = json.Marshal(answers)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// distort changes one answer: no logs, no blocks, limits, logs with wrong times.
func distort(answer []byte, roll func(percent int) bool) []byte {
	var a map[string]any
	if json.Unmarshal(answer, &a) != nil {
		return answer
	}
	switch result := a["result"].(type) {
	case []any: // logs
		switch {
		case roll(20):
			a["result"] = []any{}
		case roll(20):
			delete(a, "result")
			a["error"] = map[string]any{"code": -32005, "message": "rate limit exceeded"}
		default:
			for _, l := range result {
				if log, ok := l.(map[string]any); ok && roll(50) {
					log["blockTimestamp"] = "0x0"
				}
			}
		}
	case map[string]any: // a block
		if roll(2) {
			a["result"] = nil
		}
	}
	text, _ := json.Marshal(a)
	return text
}

func TestEndpoint_DistortedAnswersMakeTheSameIndex(t *testing.T) {
	t.Parallel()
	b := tradedBazaar(t, 60)
	handler, err := b.chain.Handler()
	b.ok(err)
	client, err := rpc.New(rpc.Options{Name: "game", ChainID: devnettest.GameChain, URL: distorting(t, handler)})
	b.ok(err)
	t.Cleanup(client.Close)
	x := b.index(store.SQLite)
	o := b.options(x)
	o.RPC, o.Span = client, 16
	_, stop := follow(t, o)
	x.await(b.chain.Head())
	stop()
	b.wantAfresh(x)
}
