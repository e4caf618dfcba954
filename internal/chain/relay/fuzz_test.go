package relay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
)

// scriptedNode is a node that answers requests with the lines of a script, the last of which repeats. A line that
// begins with "!" is an error, with the rest as the data of a revert.
type scriptedNode struct{ script []byte }

func (n *scriptedNode) CallContext(_ context.Context, result any, _ string, _ ...any) error {
	line, rest, more := bytes.Cut(n.script, []byte("\n"))
	if more {
		n.script = rest
	}
	if data, failed := bytes.CutPrefix(line, []byte("!")); failed {
		return scriptedRevert(data)
	}
	return json.Unmarshal(line, result)
}

func (n *scriptedNode) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	for i := range batch {
		batch[i].Error = n.CallContext(ctx, batch[i].Result, batch[i].Method)
	}
	return nil
}

type scriptedRevert []byte

func (r scriptedRevert) Error() string  { return "execution reverted" }
func (r scriptedRevert) ErrorCode() int { return 3 }
func (r scriptedRevert) ErrorData() any { return string(r) }

// memory holds one included operation, and accepts all others.
type memory struct {
	gas.Operations
	kept gas.Operation
}

func (m memory) Operation(_ context.Context, hash eth.Hash) (gas.Operation, error) {
	if hash != m.kept.Hash {
		return gas.Operation{}, fault.New(fault.NotFound, "There is no such operation.")
	}
	return m.kept, nil
}

func (m memory) AddOperation(_ context.Context, op gas.Operation) (gas.Operation, error) {
	return op, nil
}

func (m memory) Reserve(context.Context, gas.Sponsorship, gas.Budget) error { return nil }

// oneAccount is the account of every player.
type oneAccount gas.Account

func (a oneAccount) Account(context.Context, string) (gas.Account, error) { return gas.Account(a), nil }

// FuzzRequests checks that the relay returns valid JSON-RPC for any request and any answer of the node.
func FuzzRequests(f *testing.F) {
	const chain = onchain.ChainID(1337)
	address := func(n byte) eth.Address { return eth.Address{19: n} }
	policy := policyFor(chain, world.Addresses{
		EntryPoint: address(1), AccountFactory: address(2), AccountImplementation: address(3), Paymaster: address(4), Marketplace: address(5),
		USDC: address(6), Collections: map[string]eth.Address{"game-items": address(7), "avatars": address(8), "chests": address(9)},
	})
	account := oneAccount{Owner: address(10), Smart: address(11)}
	kept := gas.Operation{
		Hash: eth.Hash{31: 1}, Chain: chain, EntryPoint: policy.EntryPoint, Player: "P", State: gas.OperationIncluded,
		TxHash: eth.Hash{31: 2}, BlockHash: eth.Hash{31: 3},
	}
	node := &scriptedNode{}
	_, r, err := parts(
		node, struct{ gas.Transactions }{}, memory{kept: kept}, account, policy, &guard{}, noCanceller{}, nil, nil,
		clock.NewFake(time.Unix(1_800_000_000, 0)), 0, false,
	)
	if err != nil {
		f.Fatal(err)
	}

	// The node's responses to valid requests.
	var (
		head     = `{"number":"0x1","timestamp":"0x6b49d200","baseFeePerGas":"0x7"}`
		zero     = `"` + eth.Hash{}.String() + `"`
		allowed  = `"` + eth.Hash{31: 1}.String() + `"` // what is withdrawn
		examined = []string{head, `"0x1"`, `"0xea60"`, `"0x"`, zero, allowed, revertedWith(f, "FailedOp", new(big.Int), "AA24 signature error")}
		receipt  = includedReceipt(policy.EntryPoint, kept)
	)
	quantity := eth.NewQuantity
	calls := []gas.Call{{
		Target: policy.Currency,
		Data:   contracts.NewTestToken().PackApprove(common.Address(policy.Allowed[0].Arguments[0].OneOf[0][12:]), new(big.Int)),
	}}
	undeployed := eth.UserOperation{
		Sender: account.Smart, Factory: &policy.Factory, FactoryData: gas.FactoryData(account.Owner), CallData: callData(calls),
		MaxFeePerGas: quantity(50), MaxPriorityFeePerGas: quantity(2), Paymaster: &policy.Paymaster,
		PaymasterVerificationGasLimit: quantity(50_000), PaymasterData: make([]byte, 77), Signature: bytes.Repeat([]byte{0x22}, 65),
	}
	deployed := undeployed
	deployed.Factory, deployed.FactoryData = nil, nil
	for _, op := range []*eth.UserOperation{&undeployed, &deployed} {
		request := func(method string) []byte {
			body, err := json.Marshal(map[string]any{
				"jsonrpc": "2.0", "id": 1, "method": method, "params": []any{op, policy.EntryPoint, quantity(uint64(chain))},
			})
			if err != nil {
				f.Fatal(err)
			}
			return body
		}
		add := func(method string, h handler, script ...string) (result json.RawMessage) {
			f.Helper()
			body := request(method)
			f.Add(body, []byte(strings.Join(script, "\n")))
			node.script = []byte(strings.Join(script, "\n"))
			var answer struct{ Result json.RawMessage }
			text := h(f.Context(), gas.Caller{Player: "P"}, chain, body)
			if err := json.Unmarshal(text, &answer); err != nil || answer.Result == nil {
				f.Fatalf("the seed %s is refused: %s", method, text)
			}
			f.Add(body, []byte(revertedWith(f, "FailedOpWithRevert", new(big.Int), "AA23 reverted", []byte{1})))
			f.Add(body, []byte(`{}`))
			return answer.Result
		}
		add("pm_getPaymasterStubData", r.HandlePaymaster)
		var limits struct{ PreVerificationGas, VerificationGasLimit, CallGasLimit eth.Quantity }
		if err := json.Unmarshal(add("eth_estimateUserOperationGas", r.HandleBundler, `"0xea60"`), &limits); err != nil {
			f.Fatal(err)
		}
		op.PreVerificationGas, op.VerificationGasLimit, op.CallGasLimit = limits.PreVerificationGas,
			limits.VerificationGasLimit, limits.CallGasLimit
		add("pm_getPaymasterData", r.HandlePaymaster, examined...)
		add("eth_sendUserOperation", r.HandleBundler, `"0x"`)
	}
	for _, method := range []string{"eth_getUserOperationReceipt", "eth_getUserOperationByHash"} {
		body := []byte(`{"jsonrpc":"2.0","id":"x","method":"` + method + `","params":["` + kept.Hash.String() + `"]}`)
		f.Add(body, []byte(`null`))
		f.Add(body, []byte(receipt))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]},3]`), []byte(`null`))

	f.Fuzz(func(t *testing.T, body, script []byte) {
		for _, h := range []handler{r.HandleBundler, r.HandlePaymaster} {
			node.script = script
			mustBeJSONRPC(t, body, h(t.Context(), gas.Caller{Player: "P"}, chain, body))
		}
	})
}

// revertedWith is a script's line for a call that reverts with an error of the EntryPoint.
func revertedWith(tb testing.TB, name string, args ...any) string {
	tb.Helper()
	definition := contracts.NewEntryPoint().GetABI().Errors[name]
	data, err := definition.Inputs.Pack(args...)
	if err != nil {
		tb.Fatal(err)
	}
	return "!" + hexutil.Encode(append(definition.ID[:4], data...))
}

// includedReceipt is the receipt of a transaction that includes an operation.
func includedReceipt(entryPoint eth.Address, op gas.Operation) string {
	event := contracts.NewEntryPoint().GetABI().Events["UserOperationEvent"].ID
	return fmt.Sprintf(
		`{"blockNumber":"0x1","blockHash":%q,"transactionHash":%q,"status":"0x1","cumulativeGasUsed":"0x1","gasUsed":"0x1",`+
			`"logsBloom":"0x%0512x","logs":[`+
			`{"address":%q,"topics":[%q,%q,"0x%064x","0x%064x"],"data":"0x%064x%064x%064x%064x","transactionHash":%q,"blockHash":%q}]}`,
		op.BlockHash, op.TxHash, 0, entryPoint, event, op.Hash, 1, 2, 0, 1, 5, 5, op.TxHash, op.BlockHash)
}

// mustBeJSONRPC checks that the answer is a JSON-RPC response, or a batch of them.
func mustBeJSONRPC(t *testing.T, body []byte, answer json.RawMessage) {
	t.Helper()
	responses := []json.RawMessage{answer}
	if bytes.HasPrefix(answer, []byte("[")) {
		if err := json.Unmarshal(answer, &responses); err != nil || len(responses) == 0 {
			t.Fatalf("%q was answered with %s", body, answer)
		}
	}
	for _, text := range responses {
		var response struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   *refusal        `json:"error"`
		}
		if err := json.Unmarshal(text, &response); err != nil || response.JSONRPC != "2.0" || len(response.ID) == 0 {
			t.Fatalf("%q was answered with %s", body, answer)
		}
		if response.Error != nil && (response.Error.Code >= -32000 || response.Error.Message == "") {
			t.Fatalf("%q was answered with %s", body, answer)
		}
	}
}

// noCanceller never signs.
type noCanceller struct{}

func (noCanceller) SignCancellation(context.Context, string, onchain.ChainID, *eth.UserOperation) (eth.Bytes, error) {
	return nil, fault.New(fault.NotFound, "There is no key.")
}
