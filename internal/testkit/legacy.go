package testkit

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// WithoutBaseFee serves a node as the endpoint of a chain without EIP-1559, and returns its address: blocks have no base fee, no tip is
// suggested, and transactions with a tip are refused.
func WithoutBaseFee(t testing.TB, node http.Handler) (url string) {
	t.Helper()
	type request struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	answer := func(raw json.RawMessage) []byte {
		var q request
		if err := json.Unmarshal(raw, &q); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		refuse := func(code, message string) []byte {
			return []byte(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"error":{"code":` + code + `,"message":"` + message + `"}}`)
		}
		switch {
		case q.Method == "eth_sendRawTransaction" && strings.HasPrefix(string(q.Params), `["0x02`):
			return refuse("-32000", "transaction type not supported")
		case q.Method == "eth_maxPriorityFeePerGas":
			return refuse("-32601", "the method eth_maxPriorityFeePerGas does not exist/is not available")
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(raw))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		node.ServeHTTP(w, r)
		return bytes.ReplaceAll(w.Body.Bytes(), []byte(`"baseFeePerGas"`), []byte(`"other"`))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller is gone
		}
		w.Header().Set("Content-Type", "application/json")
		var batch []json.RawMessage
		if json.Unmarshal(body, &batch) != nil {
			_, _ = w.Write(answer(body))
			return
		}
		answers := make([][]byte, len(batch))
		for i, q := range batch {
			answers[i] = answer(q)
		}
		_, _ = w.Write(append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']'))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
