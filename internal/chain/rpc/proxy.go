package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// MaxBatch is how many requests a batch may have, as browsers' libraries send them.
const MaxBatch = 100

// JSON-RPC 2.0, section 5.1, and the code that nodes use beyond it.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInternal       = -32603
)

// readMethods are the calls browsers may make: they read one block's state and cost a node little.
var readMethods = map[string]bool{
	"eth_chainId": true, "net_version": true, "eth_blockNumber": true, "eth_gasPrice": true, "eth_maxPriorityFeePerGas": true,
	"eth_feeHistory": true, "eth_getBalance": true, "eth_getCode": true, "eth_getStorageAt": true, "eth_getTransactionCount": true,
	"eth_call": true, "eth_estimateGas": true, "eth_getBlockByNumber": true, "eth_getBlockByHash": true,
	"eth_getTransactionByHash": true, "eth_getTransactionReceipt": true,
}

// Proxy passes browsers' reading calls on to the chains. It is safe for concurrent use.
type Proxy struct{ chains map[onchain.ChainID]*Client }

// NewProxy returns a proxy to the chains.
func NewProxy(chains map[onchain.ChainID]*Client) *Proxy { return &Proxy{maps.Clone(chains)} }

type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *responseError  `json:"error,omitempty"`
}

type responseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// HandleRead answers one JSON-RPC request or a batch of at most MaxBatch. It returns fault.NotFound for a chain the
// portal does not work with, and fault.Unavailable when the chain cannot be reached.
func (p *Proxy) HandleRead(ctx context.Context, chain onchain.ChainID, body json.RawMessage) (json.RawMessage, error) {
	client := p.chains[chain]
	if client == nil {
		return nil, fault.New(fault.NotFound, "We do not work with this chain.")
	}
	var batch []request
	if err := json.Unmarshal(body, &batch); err == nil {
		if len(batch) == 0 || len(batch) > MaxBatch {
			return json.Marshal(failed(nil, codeInvalidRequest, "a batch has 1 to 100 requests"))
		}
		answers, err := client.read(ctx, batch)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answers)
	}
	var single request
	if err := json.Unmarshal(body, &single); err != nil {
		return json.Marshal(failed(nil, codeParse, "this is not a JSON-RPC request"))
	}
	answers, err := client.read(ctx, []request{single})
	if err != nil {
		return nil, err
	}
	return json.Marshal(answers[0])
}

// read answers the requests, in one batch to the chain.
func (c *Client) read(ctx context.Context, requests []request) ([]response, error) {
	answers := make([]response, len(requests))
	var batch []gethrpc.BatchElem
	var at []int
	for i, r := range requests {
		switch {
		case r.Version != "2.0" || len(r.ID) == 0:
			answers[i] = failed(r.ID, codeInvalidRequest, "a request has jsonrpc 2.0 and an id")
		case !readMethods[r.Method]:
			answers[i] = failed(r.ID, codeNoMethod, "this method is not offered here")
		default:
			args := make([]any, len(r.Params))
			for j, p := range r.Params {
				args[j] = p
			}
			batch = append(batch, gethrpc.BatchElem{Method: r.Method, Args: args, Result: new(json.RawMessage)})
			at = append(at, i)
		}
	}
	if len(batch) == 0 {
		return answers, nil
	}
	if err := c.BatchCallContext(ctx, batch); err != nil {
		return nil, errUnavailable.Because(err)
	}
	for j, e := range batch {
		answers[at[j]] = answered(requests[at[j]].ID, e)
	}
	return answers, nil
}

func answered(id json.RawMessage, e gethrpc.BatchElem) response {
	if e.Error == nil {
		result, _ := e.Result.(*json.RawMessage)
		if result == nil || len(*result) == 0 {
			null := json.RawMessage("null")
			result = &null
		}
		return response{Version: "2.0", ID: id, Result: *result}
	}
	var coded gethrpc.Error
	if !errors.As(e.Error, &coded) {
		return failed(id, codeInternal, "the chain did not answer this")
	}
	r := failed(id, coded.ErrorCode(), coded.Error())
	var withData gethrpc.DataError
	if errors.As(e.Error, &withData) {
		if data, err := json.Marshal(withData.ErrorData()); err == nil {
			r.Error.Data = data
		}
	}
	return r
}

func failed(id json.RawMessage, code int, message string) response {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return response{Version: "2.0", ID: id, Error: &responseError{Code: code, Message: message}}
}
