package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/testkit"
)

// Without a base fee the whole price is the tip. A chain with one may have an endpoint that does not suggest tips.
func TestTip_IsKnownWhereTheEndpointSuggestsNone(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	node, err := chain.Handler()
	if err != nil {
		t.Fatal(err)
	}
	var price, tip hexutil.Big
	direct := newClient(t, rpc.Options{Client: chain.Client()})
	for method, into := range map[string]*hexutil.Big{"eth_gasPrice": &price, "eth_maxPriorityFeePerGas": &tip} {
		if err := direct.CallContext(t.Context(), into, method); err != nil {
			t.Fatal(err)
		}
	}
	if price.ToInt().Cmp(tip.ToInt()) <= 0 {
		t.Fatalf("the price is %v, the tip %v", &price, &tip)
	}
	without := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(bytes.ReplaceAll(body, []byte("eth_maxPriorityFeePerGas"), []byte("eth_unknown"))))
		node.ServeHTTP(w, r)
	})
	server := httptest.NewServer(without)
	t.Cleanup(server.Close)
	for url, want := range map[string]string{testkit.WithoutBaseFee(t, node): price.String(), server.URL: tip.String()} {
		c := newClient(t, rpc.Options{URL: url})
		var single hexutil.Big
		batch := []gethrpc.BatchElem{{Method: "eth_maxPriorityFeePerGas", Result: new(json.RawMessage)}}
		err := errors.Join(c.CallContext(t.Context(), &single, "eth_maxPriorityFeePerGas"), c.BatchCallContext(t.Context(), batch))
		if err != nil {
			t.Fatal(err)
		}
		if in := string(*batch[0].Result.(*json.RawMessage)); single.String() != want || in != `"`+want+`"` || batch[0].Error != nil {
			t.Errorf("the tip is %v and in a batch %s (%v), want %s", &single, in, batch[0].Error, want)
		}
	}
}

// A tip that the endpoint suggests is raised to the least that the chain takes, in whatever form and with whatever else it is read.
func TestTip_IsAtLeastWhatTheChainTakes(t *testing.T) {
	t.Parallel()
	const method, least = "eth_maxPriorityFeePerGas", "0x6fc23ac00" // 30 gwei
	chain := devnettest.Open(t, devnet.Options{})
	suggested := new(hexutil.Big)
	if err := newClient(t, rpc.Options{Client: chain.Client()}).CallContext(t.Context(), suggested, method); err != nil {
		t.Fatal(err)
	}
	for want, floor := range map[string]*big.Int{
		least:              big.NewInt(30_000_000_000),
		suggested.String(): big.NewInt(1), // the endpoint's own is higher
	} {
		c := newClient(t, rpc.Options{Client: chain.Client(), LeastTip: floor})
		var number hexutil.Big
		if err := c.CallContext(t.Context(), &number, method); err != nil || number.String() != want {
			t.Errorf("tip %s, %v, want %s", number.String(), err, want)
		}
		var raw json.RawMessage
		var block hexutil.Uint64
		batch := []gethrpc.BatchElem{{Method: "eth_blockNumber", Result: &block}, {Method: method, Result: &raw}}
		if err := c.BatchCallContext(t.Context(), batch); err != nil || batch[1].Error != nil || string(raw) != `"`+want+`"` {
			t.Errorf("tip %s in a batch, %v, %v, want %s", raw, err, batch[1].Error, want)
		}
	}
}
