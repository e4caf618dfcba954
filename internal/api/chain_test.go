package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"pantheon/internal/api"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/testkit"
)

// Spec: CHAIN-5
func TestChain_MetadataIsKeptByBrowsersForFiveMinutes(t *testing.T) {
	t.Parallel()
	p := open(t)
	a := p.send(request{method: http.MethodGet, path: "/api/proxy/chains/1337042"})
	var answer struct {
		Data struct{ ChainID uint64 }
	}
	if err := json.Unmarshal([]byte(a.text), &answer); err != nil || a.status != http.StatusOK ||
		answer.Data.ChainID != uint64(testkit.GameChain) {
		t.Errorf("%d %s, %v", a.status, a.text, err)
	}
	if age := a.header.Get("Cache-Control"); age != "public, max-age=300" {
		t.Errorf("Cache-Control is %q", age)
	}
	p.mustBeProblem("another chain", p.send(request{method: http.MethodGet, path: "/api/proxy/chains/1"}), http.StatusNotFound)
}

// executed counts the requests that reach the chain's endpoint and the relay.
type executed struct{ reads, relayed atomic.Int64 }

func count(to *atomic.Int64, body json.RawMessage) json.RawMessage {
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil {
		batch = []json.RawMessage{body}
	}
	to.Add(int64(len(batch)))
	return body
}

func (e *executed) HandleRead(_ context.Context, _ onchain.ChainID, body json.RawMessage) (json.RawMessage, error) {
	return count(&e.reads, body), nil
}

func (e *executed) HandleBundler(_ context.Context, _ gas.Caller, _ onchain.ChainID, body json.RawMessage) json.RawMessage {
	return count(&e.relayed, body)
}

func (e *executed) HandlePaymaster(_ context.Context, _ gas.Caller, _ onchain.ChainID, body json.RawMessage) json.RawMessage {
	return count(&e.relayed, body)
}

func batchOf(n int) string {
	return " [" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},`, n), ",") + "]"
}

// A batch of a hundred requests used to count as one.
// Spec: CHAIN-9
func TestAttack_BatchesCountAsOneRequest(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"rpc", "bundler", "paymaster"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			e := &executed{}
			p := open(t, func(o *api.Options) {
				o.Nodes, o.Relay = e, e
				o.Limits.ChainReadsPerMinute, o.Limits.SigningPerMinute = 150, 150
			})
			zeus, hera := p.register("zeus"), p.register("hera")
			send := func(by actor, n int) answer {
				who, from := player, "192.0.2.1:1000"
				if by.id == hera.id {
					from = "192.0.2.2:1000"
				}
				if path == "rpc" {
					who = anybody
				}
				return p.send(by.authorized(request{
					method: http.MethodPost, path: "/api/proxy/" + path + "/1337042", body: batchOf(n), from: from,
				}, who))
			}
			done := func() int64 { return e.reads.Load() + e.relayed.Load() }
			if a := send(zeus, 100); a.status != http.StatusOK || done() != 100 {
				t.Fatalf("a batch of 100 of 150: %d %s, %d executed", a.status, a.text, done())
			}
			a := send(zeus, 100)
			said := p.mustBeProblem("another batch of 100", a, http.StatusTooManyRequests)
			if want := fmt.Sprintf("in %s seconds.", a.header.Get("Retry-After")); !strings.HasSuffix(said.Detail, want) || said.Reason != "batch" {
				t.Errorf("it says %q (%s), want the reason batch and %q", said.Detail, said.Reason, want)
			}
			if got := a.header.Values("Retry-After"); len(got) != 1 {
				t.Errorf("Retry-After %q", got)
			}
			if done() != 100 {
				t.Errorf("%d requests were executed, want none of the refused batch", done()-100)
			}
			if a := send(zeus, 30); a.status != http.StatusOK {
				t.Errorf("what was left is lost by the refusal: %d %s", a.status, a.text)
			}
			if a := send(hera, 100); a.status != http.StatusOK {
				t.Errorf("another caller's batch: %d %s", a.status, a.text)
			}
		})
	}
}

func TestChain_BatchThatIsMoreThanTheLimitIsToldSo(t *testing.T) {
	t.Parallel()
	e := &executed{}
	p := open(t, func(o *api.Options) { o.Nodes, o.Limits.ChainReadsPerMinute = e, 60 })
	a := p.send(request{method: http.MethodPost, path: "/api/proxy/rpc/1337042", body: batchOf(100)})
	said := p.mustBeProblem("a batch of 100", a, http.StatusTooManyRequests)
	if want := "Each request of a batch counts, and at most 60 a minute are answered. Please send smaller batches."; said.Detail != want {
		t.Errorf("it says %q, want %q", said.Detail, want)
	}
	if wait, isTold := a.header["Retry-After"]; isTold || e.reads.Load() != 0 {
		t.Errorf("Retry-After %q, %d executed; waiting does not help, and nothing is executed", wait, e.reads.Load())
	}
}

// A household has many IPv6 lines; all of them together may read five times as much as one.
func TestChain_BatchesOfOneHouseholdCountTogether(t *testing.T) {
	t.Parallel()
	e := &executed{}
	p := open(t, func(o *api.Options) { o.Nodes, o.Limits.ChainReadsPerMinute = e, 60 })
	refused := 0
	for line := range 8 {
		a := p.send(request{
			method: http.MethodPost, path: "/api/proxy/rpc/1337042", body: batchOf(60), from: fmt.Sprintf("[2001:db8:0:%x::1]:1000", line),
		})
		if a.status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 3 || e.reads.Load() != 300 {
		t.Errorf("%d batches are refused and %d requests executed, want 3 and 300", refused, e.reads.Load())
	}
}

func TestChain_BatchCountsAsMuchAsItsRequestsOneByOne(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Limits.ChainReadsPerMinute = 600 })
	a := p.send(request{method: http.MethodPost, path: "/api/proxy/rpc/1337042", body: batchOf(100)})
	if left := a.header.Get("RateLimit"); a.status != http.StatusOK || !strings.HasPrefix(left, `"network";r=500;t=`) {
		t.Errorf("after a batch of 100 %s of 600 are left (%d)", left, a.status)
	}
}

// networks records the networks of the relay's callers.
type networks struct {
	executed
	seen []string
}

func (n *networks) HandleBundler(_ context.Context, c gas.Caller, _ onchain.ChainID, body json.RawMessage) json.RawMessage {
	n.seen = append(n.seen, c.Network)
	return body
}

// Gas and holds are counted by network: 24 bits of an IPv4 address, 56 bits of an IPv6 one.
func TestNetwork_IsASlash24OrASlash56(t *testing.T) {
	t.Parallel()
	n := &networks{}
	p := open(t, func(o *api.Options) { o.Relay = n })
	zeus := p.register("zeus")
	of := func(address string) string {
		t.Helper()
		p.mustSucceed(zeus.authorized(request{
			method: http.MethodPost, path: "/api/proxy/bundler/1337042", body: `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`,
			from: "[" + address + "]:1000",
		}, player), 200)
		return n.seen[len(n.seen)-1]
	}
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"203.0.113.0", "203.0.113.255", true},
		{"203.0.113.255", "203.0.114.0", false},
		{"::ffff:203.0.113.7", "203.0.113.8", true},
		{"2001:db8:0:1200::1", "2001:db8:0:12ff:ffff::1", true},
		{"2001:db8:0:12ff::1", "2001:db8:0:1300::1", false},
	} {
		one, other := of(c.one), of(c.other)
		if (one == other) != c.same || one == "" || strings.Contains(one, "203") {
			t.Errorf("%s is in network %q, %s in %q", c.one, one, c.other, other)
		}
	}
}
