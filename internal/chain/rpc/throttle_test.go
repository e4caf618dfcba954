package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/rpc"
)

// node is an endpoint that answers with a chain's answers after refuse has had its way with the request.
type node struct {
	*rpc.Client
	mu     sync.Mutex
	bodies []string // of all requests
}

func (n *node) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.bodies)
}

// newNode returns an endpoint. refuse answers the i-th request, or returns false to leave it to the chain.
func newNode(t *testing.T, refuse func(i int, w http.ResponseWriter, body []byte) bool) *node {
	t.Helper()
	chain := devnettest.Open(t, devnet.Options{})
	handler, err := chain.Handler()
	if err != nil {
		t.Fatal(err)
	}
	n := &node{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		n.mu.Lock()
		i := len(n.bodies)
		n.bodies = append(n.bodies, string(body))
		n.mu.Unlock()
		if refuse(i, w, body) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	n.Client = newClient(t, rpc.Options{URL: server.URL})
	return n
}

func answerWith(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

func TestThrottle_RefusedCallIsMadeAgain(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]func(w http.ResponseWriter){
		"429": func(w http.ResponseWriter) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"429 with Retry-After": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"503 with Retry-After": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"limit exceeded": func(w http.ResponseWriter) {
			answerWith(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`)
		},
		"429 as a JSON-RPC error": func(w http.ResponseWriter) {
			answerWith(w, `{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"over capacity"}}`)
		},
		"compute units": func(w http.ResponseWriter) {
			answerWith(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Your app has exceeded its Compute Units per second capacity"}}`)
		},
		"too many requests": func(w http.ResponseWriter) {
			answerWith(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32090,"message":"Too many requests, reason: call rate limit exhausted"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNode(t, func(i int, w http.ResponseWriter, _ []byte) bool {
				if i < 3 {
					refusal(w)
				}
				return i < 3
			})
			var id hexutil.Uint64
			if err := n.CallContext(t.Context(), &id, "eth_chainId"); err != nil || uint64(id) != devnettest.GameChain {
				t.Errorf("%d, %v", id, err)
			}
		})
	}
}

func TestThrottle_NothingIsSentWhileRetryAfterLasts(t *testing.T) {
	t.Parallel()
	n := newNode(t, func(_ int, w http.ResponseWriter, _ []byte) bool {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	for range 3 {
		if err := n.CallContext(t.Context(), nil, "eth_chainId"); !errors.Is(err, rpc.ErrUnreachable) {
			t.Error(err)
		}
	}
	if sent := n.requests(); len(sent) != 1 {
		t.Errorf("%d requests were sent", len(sent))
	}
}

func TestThrottle_AnswersThatWouldBeTooLargeAreTheCallersBusiness(t *testing.T) {
	t.Parallel()
	n := newNode(t, func(_ int, w http.ResponseWriter, _ []byte) bool {
		answerWith(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query returned more than 10000 results"}}`)
		return true
	})
	var answer gethrpc.Error
	if err := n.CallContext(t.Context(), nil, "eth_getLogs"); !errors.As(err, &answer) || errors.Is(err, rpc.ErrUnreachable) {
		t.Error(err)
	}
	if sent := n.requests(); len(sent) != 1 {
		t.Errorf("%d requests were sent", len(sent))
	}
}

func chainIDs(n int) ([]gethrpc.BatchElem, []hexutil.Uint64) {
	batch, ids := make([]gethrpc.BatchElem, n), make([]hexutil.Uint64, n)
	for i := range batch {
		batch[i] = gethrpc.BatchElem{Method: "eth_chainId", Result: &ids[i]}
	}
	return batch, ids
}

func wantChainIDs(t *testing.T, batch []gethrpc.BatchElem, ids []hexutil.Uint64, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range batch {
		if e.Error != nil || uint64(ids[i]) != devnettest.GameChain {
			t.Errorf("call %d: %d, %v", i, ids[i], e.Error)
		}
	}
}

func TestThrottle_OnlyTheRefusedCallsOfABatchAreMadeAgain(t *testing.T) {
	t.Parallel()
	n := newNode(t, func(i int, w http.ResponseWriter, body []byte) bool {
		if i > 0 {
			return false
		}
		var calls []struct{ ID json.RawMessage }
		if err := json.Unmarshal(body, &calls); err != nil {
			t.Error(err)
		}
		var answers []string
		for i, c := range calls {
			if i%2 == 0 {
				answers = append(answers, `{"jsonrpc":"2.0","id":`+string(c.ID)+`,"result":"0x1466d2"}`)
			} else {
				answers = append(answers, `{"jsonrpc":"2.0","id":`+string(c.ID)+`,"error":{"code":-32005,"message":"rate limited"}}`)
			}
		}
		answerWith(w, "["+strings.Join(answers, ",")+"]")
		return true
	})
	batch, ids := chainIDs(6)
	wantChainIDs(t, batch, ids, n.BatchCallContext(t.Context(), batch))
	if sent := n.requests(); len(sent) != 2 || strings.Count(sent[1], "eth_chainId") != 3 {
		t.Errorf("sent %q", sent)
	}
}

func TestBatch_OneObjectInAnswerIsTheRefusalOfAll(t *testing.T) {
	t.Parallel()
	const refusal = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"at most 4 calls"}}`
	n := newNode(t, func(_ int, w http.ResponseWriter, body []byte) bool {
		refused := strings.Count(string(body), "eth_chainId") > 4
		if refused {
			answerWith(w, " \n"+refusal)
		}
		return refused
	})
	batch, ids := chainIDs(9)
	wantChainIDs(t, batch, ids, n.BatchCallContext(t.Context(), batch))

	limited := newNode(t, func(i int, w http.ResponseWriter, _ []byte) bool {
		if i == 0 {
			answerWith(w, `{"jsonrpc":"2.0","error":{"code":-32005,"message":"daily request limit reached"}}`)
		}
		return i == 0
	})
	batch, ids = chainIDs(3)
	wantChainIDs(t, batch, ids, limited.BatchCallContext(t.Context(), batch))
	if sent := limited.requests(); len(sent) != 2 {
		t.Errorf("%d requests were sent", len(sent))
	}
}

func TestBatch_EndpointWithoutBatchesIsCalledOneByOne(t *testing.T) {
	t.Parallel()
	n := newNode(t, func(_ int, w http.ResponseWriter, body []byte) bool {
		refused := bytes.HasPrefix(body, []byte("["))
		if refused {
			answerWith(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}`)
		}
		return refused
	})
	batch, ids := chainIDs(5)
	batch = append(batch, gethrpc.BatchElem{Method: "eth_nothing"})
	if err := n.BatchCallContext(t.Context(), batch); err != nil || batch[5].Error == nil {
		t.Errorf("%v, %v", err, batch[5].Error)
	}
	wantChainIDs(t, batch[:5], ids, nil)
}
