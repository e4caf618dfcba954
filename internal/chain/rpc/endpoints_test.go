package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/testkit"
)

// peer is an endpoint of chain 7 whose newest block is 100, and a second old.
type peer struct {
	*httptest.Server
	down      atomic.Bool
	throttles atomic.Bool // all but what Watch asks
	id        atomic.Uint64
	age       atomic.Int64 // of the newest block, in seconds
	head      atomic.Uint64
	fork      atomic.Uint64 // from which block on its blocks are others
	calls     atomic.Int64  // of eth_blobBaseFee
}

func newPeer(t *testing.T) *peer {
	t.Helper()
	n := &peer{}
	n.id.Store(7)
	n.age.Store(1)
	n.head.Store(100)
	n.fork.Store(1000)
	n.Server = httptest.NewServer(http.HandlerFunc(n.serve))
	t.Cleanup(n.Close)
	return n
}

func (n *peer) serve(w http.ResponseWriter, r *http.Request) {
	if n.down.Load() {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	body, _ := io.ReadAll(r.Body) // the test fails without an answer
	type request struct {
		ID     json.RawMessage
		Method string
		Params []any
	}
	answer := func(q request) string {
		result := `null`
		switch q.Method {
		case "eth_chainId":
			result = fmt.Sprintf(`"0x%x"`, n.id.Load())
		case "eth_getBlockByNumber":
			number := n.head.Load()
			if text := fmt.Sprint(q.Params[0]); text != "latest" {
				_, _ = fmt.Sscanf(text, "0x%x", &number)
			}
			branch := 0
			if number >= n.fork.Load() {
				branch = 1
			}
			result = fmt.Sprintf(`{"number":"0x%x","timestamp":"0x%x","hash":"0x%060x%02x%02x"}`, number,
				time.Now().Unix()-n.age.Load(), 0, branch, number)
		case "eth_blobBaseFee":
			if n.throttles.Load() {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":429,"message":"too many requests"}}`, q.ID)
			}
			n.calls.Add(1)
			result = `"0x1"`
		case "eth_call":
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":3,"message":"execution reverted"}}`, q.ID)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
	}
	w.Header().Set("Content-Type", "application/json")
	var one request
	if json.Unmarshal(body, &one) == nil {
		_, _ = io.WriteString(w, answer(one))
		return
	}
	var all []request
	_ = json.Unmarshal(body, &all)
	answers := make([]string, len(all))
	for i, q := range all {
		answers[i] = answer(q)
	}
	_, _ = io.WriteString(w, "["+strings.Join(answers, ",")+"]")
}

// between returns a client of nodes, and how to make a call and learn which of them has answered.
func between(t *testing.T, nodes ...*peer) (c *rpc.Client, answeredBy func() int) {
	t.Helper()
	o := rpc.Options{Name: "game", ChainID: 7, URL: nodes[0].URL, Timeout: 5 * time.Second, MaxHeadAge: time.Hour}
	for _, n := range nodes[1:] {
		o.More = append(o.More, n.URL)
	}
	c, err := rpc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, func() int {
		t.Helper()
		before := make([]int64, len(nodes))
		for i, n := range nodes {
			before[i] = n.calls.Load()
		}
		if err := c.CallContext(t.Context(), nil, "eth_blobBaseFee"); err != nil {
			t.Fatal(err)
		}
		for i, n := range nodes {
			if n.calls.Load() > before[i] {
				return i + 1
			}
		}
		return 0
	}
}

// watch compares the endpoints until the test ends.
func watch(t *testing.T, c *rpc.Client) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Watch(ctx, 10*time.Millisecond, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Spec: CHAIN-16
func TestEndpoints_TheNextOneAnswersWhileOneIsAway(t *testing.T) {
	t.Parallel()
	first, second := newPeer(t), newPeer(t)
	c, answeredBy := between(t, first, second)
	if n := answeredBy(); n != 1 {
		t.Errorf("endpoint %d, want the first", n)
	}
	first.down.Store(true)
	if n := answeredBy(); n != 2 {
		t.Errorf("endpoint %d, want the second", n)
	}
	batch := []gethrpc.BatchElem{{Method: "eth_chainId", Result: new(string)}, {Method: "eth_blobBaseFee", Result: new(string)}}
	if err := c.BatchCallContext(t.Context(), batch); err != nil || batch[0].Error != nil || *batch[1].Result.(*string) != "0x1" {
		t.Errorf("a batch: %v, %+v", err, batch)
	}
	first.down.Store(false)
	if n := answeredBy(); n != 2 {
		t.Errorf("endpoint %d: it is used before anybody knows that it works", n)
	}
	watch(t, c)
	testkit.Eventually(t, time.Minute, func() bool { return answeredBy() == 1 }, "the first endpoint is not used again")
	first.down.Store(true)
	second.down.Store(true)
	if err := c.CallContext(t.Context(), nil, "eth_blobBaseFee"); !errors.Is(err, rpc.ErrUnreachable) ||
		!strings.Contains(err.Error(), "endpoint") || strings.Contains(err.Error(), first.URL) {
		t.Errorf("none answers: %v", err)
	}
}

// What an endpoint answers is the answer: others are not asked, and a revert is not repeated.
func TestEndpoints_AnAnswerIsNoFailure(t *testing.T) {
	t.Parallel()
	first, second := newPeer(t), newPeer(t)
	c, answeredBy := between(t, first, second)
	var answer gethrpc.Error
	if err := c.CallContext(t.Context(), nil, "eth_call"); !errors.As(err, &answer) || answer.ErrorCode() != 3 {
		t.Errorf("%v", err)
	}
	if n := answeredBy(); n != 1 || c.Problems()[0] != nil {
		t.Errorf("endpoint %d, %v", n, c.Problems())
	}
}

// Spec: CHAIN-16
func TestEndpoints_OneThatLagsLiesOrServesAnotherChainIsNotUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wrong func(*peer)
		want  string
	}{
		"it lags by 15 seconds":        {func(n *peer) { n.age.Store(16); n.head.Store(97) }, "older than that of the others"},
		"it has had no block for long": {func(n *peer) { n.age.Store(7200) }, "stale"},
		"it serves another chain":      {func(n *peer) { n.id.Store(8) }, "wrong chain"},
		"it has other blocks":          {func(n *peer) { n.fork.Store(90) }, "another chain than the others"},
		"it is away":                   {func(n *peer) { n.down.Store(true) }, "HTTP 502"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := []*peer{newPeer(t), newPeer(t), newPeer(t)}
			c, answeredBy := between(t, nodes...)
			test.wrong(nodes[0])
			watch(t, c)
			testkit.Eventually(t, time.Minute, func() bool {
				p := c.Problems()
				return p[0] != nil && strings.Contains(p[0].Error(), test.want) && p[1] == nil && p[2] == nil
			}, "the problems are not known")
			if n := answeredBy(); n != 2 {
				t.Errorf("endpoint %d, want the second", n)
			}
		})
	}
}

// The newest blocks may differ for a moment, and one may be some blocks ahead.
func TestEndpoints_NormalDifferencesAreNone(t *testing.T) {
	t.Parallel()
	nodes := []*peer{newPeer(t), newPeer(t), newPeer(t)}
	nodes[0].fork.Store(98)
	nodes[1].head.Store(99)
	nodes[1].age.Store(20)
	nodes[2].head.Store(140)
	c, _ := between(t, nodes...)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := c.Watch(ctx, 20*time.Millisecond, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	for i, p := range c.Problems() {
		if p != nil {
			t.Errorf("endpoint %d: %v", i+1, p)
		}
	}
}

// Of two, neither is a majority: the operator prefers the first.
func TestEndpoints_OfTwoThatDisagreeTheFirstIsUsed(t *testing.T) {
	t.Parallel()
	first, second := newPeer(t), newPeer(t)
	second.fork.Store(1)
	c, answeredBy := between(t, first, second)
	watch(t, c)
	testkit.Eventually(t, time.Minute, func() bool { return c.Problems()[1] != nil }, "the difference is not noticed")
	if n := answeredBy(); n != 1 || c.Problems()[0] != nil {
		t.Errorf("endpoint %d, %v", n, c.Problems())
	}
}

// What another chain says of a wallet would be believed: it is not asked, not even while no other endpoint works.
func TestEndpoints_OneOfAnotherChainIsNeverUsed(t *testing.T) {
	t.Parallel()
	first, second := newPeer(t), newPeer(t)
	second.id.Store(8)
	c, answeredBy := between(t, first, second)
	if n := answeredBy(); n != 1 {
		t.Errorf("endpoint %d, want the first", n)
	}
	first.down.Store(true)
	for range 2 {
		if err := c.CallContext(t.Context(), nil, "eth_blobBaseFee"); !errors.Is(err, rpc.ErrUnreachable) || second.calls.Load() > 0 {
			t.Errorf("%v, %d calls of the other chain", err, second.calls.Load())
		}
	}
}

// An endpoint that takes no more requests is not waited for while there is another.
func TestEndpoints_AThrottlingOneIsLeftSoon(t *testing.T) {
	t.Parallel()
	first, second := newPeer(t), newPeer(t)
	c, answeredBy := between(t, first, second)
	if n := answeredBy(); n != 1 {
		t.Errorf("endpoint %d, want the first", n)
	}
	first.throttles.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // of the five for which it would be waited
	defer cancel()
	if err := c.CallContext(ctx, nil, "eth_blobBaseFee"); err != nil || second.calls.Load() != 1 {
		t.Errorf("%v, %d calls of the second", err, second.calls.Load())
	}
}
