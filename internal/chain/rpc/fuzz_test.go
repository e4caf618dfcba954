package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
)

var (
	fuzzToken    = eth.MustAddress("0x00000000000000000000000000000000000000c1")
	fuzzSelector = [4]byte{0x70, 0xa0, 0x82, 0x31}
	fuzzWallet   = eth.MustAddress("0x00000000000000000000000000000000000000d1")
)

const (
	fuzzGas  = 5_000_000
	fuzzHead = 1000
)

// wary is an endpoint that checks that it receives only requests that the rules allow.
type wary struct{ t *atomic.Pointer[testing.T] }

func (w wary) broken(format string, args ...any) { w.t.Load().Errorf(format, args...) }

func (w wary) block(text string) {
	n, err := hexutil.DecodeUint64(text)
	if text != "latest" && text != "safe" && text != "finalized" && (err != nil || n > fuzzHead || n < fuzzHead-127) {
		w.broken("block %q is read", text)
	}
}

func (w wary) account(address common.Address) {
	if a := eth.Address(address); a != fuzzToken && a != fuzzWallet {
		w.broken("account %s is read", a)
	}
}

// Call is eth_call; the other parameters exist only to be rejected.
func (w wary) Call(call map[string]string, block string, more *json.RawMessage) hexutil.Bytes {
	w.block(block)
	if more != nil {
		w.broken("a call has the further parameter %s", *more)
	}
	for name, value := range call {
		switch _, err := eth.ParseAddress(value); name {
		case "to":
			if value != fuzzToken.String() {
				w.broken("contract %q is called", value)
			}
		case "from":
			if err != nil {
				w.broken("a call comes from %q", value)
			}
		case "data":
			if data, err := hexutil.Decode(value); err != nil || !bytes.HasPrefix(data, fuzzSelector[:]) {
				w.broken("%q is called", value)
			}
		case "gas":
			if value != "0x4c4b40" {
				w.broken("a call has %q gas", value)
			}
		default:
			w.broken("a call has %q", name)
		}
	}
	if len(call) < 3 {
		w.broken("a call has only %v", call)
	}
	return nil
}

func (w wary) GetBalance(address common.Address, block string, more *json.RawMessage) string {
	w.account(address)
	w.block(block)
	if more != nil {
		w.broken("a balance has the further parameter %s", *more)
	}
	return "0x1"
}

func (w wary) GetCode(address common.Address, block string, more *json.RawMessage) string {
	return w.GetBalance(address, block, more)
}

func (w wary) GetBlockByNumber(block string, full bool) map[string]any {
	w.block(block)
	if full {
		w.broken("a block is read with its transactions")
	}
	return map[string]any{"number": hexutil.EncodeUint64(fuzzHead), "hash": eth.Hash{1}.String()}
}

func (w wary) MaxPriorityFeePerGas() string { return "0x1" }

// FuzzProxy_Requests sends arbitrary bytes as a browser would: the response is always JSON-RPC, and the endpoint
// receives only requests that the rules allow.
// Spec: CHAIN-8
func FuzzProxy_Requests(f *testing.F) {
	const to = `{"to":"0x00000000000000000000000000000000000000c1","data":"0x70a08231"}`
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[` + to + `,"latest"]}`,
		`{"jsonrpc":"2.0","id":"a","method":"eth_call","params":[` + to + `,"0x3e8"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[` + to +
			`,"latest",{"0x00000000000000000000000000000000000000c1":{"code":"0x00"}}]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000c1","input":"0x70a08231",` +
			`"from":"0x00000000000000000000000000000000000000d1"}]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000c1","data":"0x70a08231",` +
			`"TO":"0x00000000000000000000000000000000000000d1"}]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","method":"eth_sendRawTransaction","params":["0x00"]}`,
		`[{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x00000000000000000000000000000000000000d1","safe"]},{"jsonrpc":"2.0",` +
			`"id":-1e3,"method":"eth_blockNumber"}]`,
		`[{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x00000000000000000000000000000000000000d2"]},1,null,[]]`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x3e7",false]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x0",true]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000d1","data":"0x70a08231"},"0x0"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000c1","data":"0x12345678"}]}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_maxPriorityFeePerGas","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"eth_getLogs","params":[{"fromBlock":"0x0"}]}`,
		"[", "[]", "\x00", `{"id":{}}`, "\xff",
	} {
		f.Add([]byte(text))
	}
	metrics, err := NewReadMetrics(nil)
	if err != nil {
		f.Fatal(err)
	}
	var current atomic.Pointer[testing.T]
	server := gethrpc.NewServer()
	f.Cleanup(server.Stop)
	if err := server.RegisterName("eth", wary{&current}); err != nil {
		f.Fatal(err)
	}
	inProcess := gethrpc.DialInProc(server)
	f.Cleanup(inProcess.Close)
	client, err := New(Options{Name: "fuzzed", ChainID: 1, Client: inProcess})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		current.Store(t)
		proxy := NewProxy(ProxyOptions{
			Chains: map[onchain.ChainID]ReadChain{1: {
				Client: client, Contracts: map[eth.Address]Functions{fuzzToken: {fuzzSelector: true}},
			}},
			IsPlayers: func(_ context.Context, a eth.Address) (bool, error) { return a == fuzzWallet, nil },
			AtOnce:    1, Wait: time.Minute, CallGas: fuzzGas, Blocks: 128, Metrics: metrics,
		})
		text, err := proxy.HandleRead(t.Context(), 1, body)
		if err != nil {
			t.Fatal(err)
		}
		var requests []json.RawMessage
		isBatch := json.Unmarshal(body, &requests) == nil && len(requests) > 0 && len(requests) <= MaxBatch
		if !isBatch {
			text = append(append([]byte("["), text...), ']')
		}
		var answers []struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *struct {
				Code    int
				Message string
				Data    struct{ Reason string }
			} `json:"error"`
		}
		if err := json.Unmarshal(text, &answers); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if isBatch && len(answers) != len(requests) || !isBatch && len(answers) != 1 {
			t.Fatalf("%d answers to %d requests", len(answers), len(requests))
		}
		for _, a := range answers {
			if a.Version != "2.0" || len(a.ID) == 0 || (len(a.Result) == 0) == (a.Error == nil) {
				t.Errorf("an answer that is none: %+v", a)
			}
			if a.Error != nil && (a.Error.Code == 0 || a.Error.Message == "" || a.Error.Data.Reason == "" || a.Error.Data.Reason == "endpoint") {
				t.Errorf("a refusal without a reason of ours: %+v", a.Error)
			}
		}
	})
}
