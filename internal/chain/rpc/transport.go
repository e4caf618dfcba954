package rpc

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// transport turns responses that go-ethereum's client cannot tell apart into errors: a throttling endpoint, with its
// Retry-After, and a batch that is answered by one error object.
type transport struct{ http.RoundTripper }

// errorObject is the error of a JSON-RPC answer. It has the methods of go-ethereum's rpc.Error and rpc.DataError.
type errorObject struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

func (e *errorObject) Error() string  { return e.Message }
func (e *errorObject) ErrorCode() int { return e.Code }
func (e *errorObject) ErrorData() any { return e.Data }

// maxErrorObject bounds what is read of an error object, in bytes.
const maxErrorObject = 64 << 10

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	after := retryAfter(resp.Header, time.Now())
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable && after > 0 {
		_ = resp.Body.Close()
		return nil, &throttled{text: "HTTP " + resp.Status, after: after}
	}
	if resp.StatusCode != http.StatusOK || !isBatch(req) {
		return resp, nil
	}
	body := bufio.NewReader(resp.Body)
	if first, err := firstByte(body); err == nil && first == '{' {
		defer resp.Body.Close()
		var answer struct{ Error *errorObject }
		if err := json.NewDecoder(io.LimitReader(body, maxErrorObject)).Decode(&answer); err != nil || answer.Error == nil {
			answer.Error = &errorObject{Message: "the batch is answered by one object that is no error"}
		}
		return nil, refusedBatch{answer.Error}
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
	return resp, nil
}

// isBatch reports whether a request's body is a JSON array.
func isBatch(req *http.Request) bool {
	if req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	first, err := firstByte(bufio.NewReader(body))
	return err == nil && first == '['
}

// firstByte returns the first byte that is not white space, without consuming it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil || b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, r.UnreadByte()
		}
	}
}

// refusedBatch is one error in answer to a whole batch: its calls were not made.
type refusedBatch struct{ *errorObject }
