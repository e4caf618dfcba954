package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// The error codes of JSON-RPC 2.0 and, below -32499, of ERC-7769, which defines the bundler's.
const (
	codeParse      = -32700
	codeRequest    = -32600
	codeMethod     = -32601
	codeParams     = -32602
	codeInternal   = -32603
	codeValidation = -32500 // the EntryPoint or the account rejects the operation
	codePaymaster  = -32501 // the paymaster, here the portal, refuses to pay
	codeOpcode     = -32502 // it breaks the rules of ERC-7562
	codeTimeRange  = -32503 // outside the valid time range
	codeThrottled  = -32504 // the quota is exhausted
	codeStake      = -32505 // an entity's stake is too low
	codeAggregator = -32506 // the signature aggregator is not supported
	codeSignature  = -32507 // the account's signature is invalid
	codeDeposit    = -32508 // the paymaster has too little ether
	codeReverted   = -32521 // the calls would revert
)

// rpcError is the error of a JSON-RPC answer. Its message is for people, the data for programs.
type rpcError struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *errorData `json:"data,omitempty"`
}

type errorData struct {
	Reason     string            `json:"reason,omitempty"`
	Fields     map[string]string `json:"fields,omitempty"`     // the broken rules by field
	RetryAfter int               `json:"retryAfter,omitempty"` // seconds
	Revert     eth.Bytes         `json:"revert,omitempty"`     // the revert data of the call
}

func (e *rpcError) Error() string { return e.Message }

type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
}

// handle answers one request, or those of a batch in order, using serve. The answer is always JSON-RPC.
func (r *Relay) handle(ctx context.Context, body []byte, serve func(method string, params []json.RawMessage) (any, error)) json.RawMessage {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return r.handleOne(ctx, body, serve)
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(body, &batch); err != nil {
		return answer(nil, nil, &rpcError{Code: codeParse, Message: "This is not JSON."})
	}
	if len(batch) == 0 || len(batch) > rpc.MaxBatch {
		return answer(nil, nil, &rpcError{Code: codeRequest, Message: fmt.Sprintf("A batch has 1 to %d requests.", rpc.MaxBatch)})
	}
	for i, one := range batch {
		batch[i] = r.handleOne(ctx, one, serve)
	}
	text, _ := json.Marshal(batch) // each answer is JSON
	return text
}

func (r *Relay) handleOne(
	ctx context.Context, body []byte, serve func(method string, params []json.RawMessage) (any, error),
) json.RawMessage {
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		code := codeRequest
		if !json.Valid(body) {
			code = codeParse
		}
		return answer(nil, nil, &rpcError{Code: code, Message: "This is not a JSON-RPC request with an array of parameters."})
	}
	if req.Version != "2.0" || req.Method == "" {
		return answer(req.ID, nil, &rpcError{Code: codeRequest, Message: "This is not a JSON-RPC 2.0 request."})
	}
	result, err := serve(req.Method, req.Params)
	if err != nil {
		return answer(req.ID, nil, r.explain(ctx, req.Method, err))
	}
	return answer(req.ID, result, nil)
}

// answer writes a response. A missing id becomes null, as JSON-RPC 2.0 requires.
func answer(id json.RawMessage, result any, e *rpcError) json.RawMessage {
	out := map[string]any{"jsonrpc": "2.0", "id": id}
	if e != nil {
		out["error"] = e
	} else {
		out["result"] = result
	}
	text, err := json.Marshal(out)
	if err != nil { // results are plain values
		return json.RawMessage(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}`)
	}
	return text
}

// explain converts an error into a JSON-RPC error: faults with their message, all others without.
func (r *Relay) explain(ctx context.Context, method string, err error) *rpcError {
	if e, ok := errors.AsType[*rpcError](err); ok {
		return e
	}
	f := fault.As(err)
	if f == nil {
		f = fault.As(rpc.Explain(err))
	}
	if f == nil {
		r.log.ErrorContext(ctx, "relay request failed", "method", method, "error", err)
		return &rpcError{Code: codeInternal, Message: "Something went wrong on our side. Please try again."}
	}
	e := &rpcError{Message: f.Message, Data: &errorData{Reason: f.Reason}}
	for _, field := range f.Fields {
		if e.Data.Fields == nil {
			e.Data.Fields = map[string]string{}
		}
		e.Data.Fields[field.Location] = field.Message
	}
	if f.RetryAfter > 0 {
		e.Data.RetryAfter = int(math.Ceil(f.RetryAfter.Seconds()))
	}
	switch {
	case f.Code == fault.Invalid, f.Code == fault.NotFound:
		e.Code = codeParams
	case f.Code == fault.TooMany:
		e.Code = codeThrottled
	case f.Code == fault.Conflict && f.Reason == "nonce":
		e.Code = codeValidation
	case f.Code == fault.Unavailable:
		e.Code = codeInternal
	default:
		e.Code = codePaymaster
	}
	return e
}

// param reads the i-th parameter into v; a missing or malformed one is an error.
func param(params []json.RawMessage, i int, v any, name string) error {
	if i >= len(params) {
		return &rpcError{Code: codeParams, Message: "The parameter " + name + " is missing."}
	}
	if err := json.Unmarshal(params[i], v); err != nil {
		message := "The parameter " + name + " is malformed."
		if f := fault.As(err); f != nil {
			message += " " + f.Message
		}
		return &rpcError{Code: codeParams, Message: message}
	}
	return nil
}
