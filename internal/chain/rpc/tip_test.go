package rpc_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/rpc"
)

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
