package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// MaxBatch is the maximum number of requests in a batch, as browsers' libraries send them.
const MaxBatch = 100

// maxResponse is the maximum total length of the answers to one HTTP request, in bytes. A slow browser keeps
// them in memory.
const maxResponse = 1 << 20

// The error codes of JSON-RPC 2.0, section 5.1.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeParams         = -32602
	codeInternal       = -32603
)

// codeReverted is the code that nodes return for a call that reverts: go-ethereum's, which the others adopted.
const codeReverted = 3

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	answer
}

// answer is the answer to a request: a result or an error.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *responseError  `json:"error,omitempty"`
}

type responseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// refusal says why a request is rejected: the error's data.
type refusal struct {
	// Reason is "request", "method", "parameters", "contract", "function", "account", "block", "size" or "endpoint".
	Reason  string   `json:"reason"`
	Methods []string `json:"methods,omitempty"`     // the allowed methods
	Oldest  string   `json:"oldestBlock,omitempty"` // the oldest block that may be read by number
	Newest  string   `json:"newestBlock,omitempty"`
	Gas     string   `json:"gas,omitempty"` // the gas limit of a call
}

func refused(code int, message string, data refusal) answer {
	text, _ := json.Marshal(data) // plain strings
	return answer{Error: &responseError{Code: code, Message: message, Data: text}}
}

func wrongParams(format string, args ...any) *answer {
	a := refused(codeParams, fmt.Sprintf(format, args...), refusal{Reason: "parameters"})
	return &a
}

func result(v any) answer {
	text, err := json.Marshal(v)
	if err != nil { // only plain values are passed
		return refused(codeInternal, "Internal error.", refusal{Reason: "endpoint"})
	}
	return answer{Result: text}
}

// split returns the requests of a body, and whether they are a batch.
func split(body json.RawMessage) (requests []json.RawMessage, isBatch bool, fault *answer) {
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("[")) {
		return []json.RawMessage{body}, false, nil
	}
	if err := json.Unmarshal(body, &requests); err != nil {
		a := refused(codeParse, "This is not JSON.", refusal{Reason: "request"})
		return nil, true, &a
	}
	if len(requests) == 0 || len(requests) > MaxBatch {
		a := refused(codeInvalidRequest, fmt.Sprintf("A batch has 1 to %d requests.", MaxBatch), refusal{Reason: "request"})
		return nil, true, &a
	}
	return requests, true, nil
}

// maxID is the maximum length of an id, in bytes: it is repeated in the answer.
const maxID = 128

// parse parses one request. The id is null if it cannot be determined.
func parse(body json.RawMessage) (r *read, id json.RawMessage, fault *answer) {
	var in struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	bad := func(code int, message string) (*read, json.RawMessage, *answer) {
		a := refused(code, message, refusal{Reason: "request"})
		return nil, id, &a
	}
	id = json.RawMessage("null")
	if err := json.Unmarshal(body, &in); err != nil {
		if !json.Valid(body) {
			return bad(codeParse, "This is not JSON.")
		}
		return bad(codeInvalidRequest, "This is not a JSON-RPC 2.0 request: an object with jsonrpc, id, method and params.")
	}
	if !isID(in.ID) {
		return bad(codeInvalidRequest, fmt.Sprintf("A request has an id: a string or a number of at most %d bytes.", maxID))
	}
	id = in.ID
	if in.Version != "2.0" {
		return bad(codeInvalidRequest, `A request says "jsonrpc": "2.0".`)
	}
	check := readMethods[in.Method]
	if check == nil {
		a := refused(codeNoMethod, "This method is not offered here. The portal answers only the reads that its pages need.",
			refusal{Reason: "method", Methods: slices.Sorted(maps.Keys(readMethods))})
		return nil, id, &a
	}
	var params []json.RawMessage
	if len(in.Params) > 0 && json.Unmarshal(in.Params, &params) != nil {
		return nil, id, wrongParams("The parameters of a request are an array.")
	}
	r = &read{method: in.Method}
	if fault := check(r, params); fault != nil {
		return nil, id, fault
	}
	return r, id, nil
}

// isID reports whether valid JSON is an id that can be repeated.
func isID(id json.RawMessage) bool {
	return len(id) > 0 && len(id) <= maxID && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}
