package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pantheon/internal/config"
)

// The checks of external bundlers and paymasters find services of another chain or EntryPoint, and show no key.
// Spec: RUN-32
func TestServices_OfAnotherChainOrEntryPointAreFound(t *testing.T) {
	t.Parallel()
	const entryPoint = "0x0000000071727De22E5E9d8BAf0edAc6f37da032"
	for what, c := range map[string]struct{ chainID, entryPoints, bundler, paymaster string }{
		"right":         {`"result":"0xa4ba"`, `"result":["` + entryPoint + `"]`, "", ""},
		"another chain": {`"result":"0x1"`, `"result":["` + entryPoint + `"]`, "it serves another chain", "it serves another chain"},
		"another EntryPoint": {
			`"result":"0xa4ba"`, `"result":["0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"]`, "it does not support the EntryPoint", "",
		},
		"no methods": {`"error":{"code":-32601,"message":"no such method"}`, `"result":[]`,
			"no such method", ""}, // ERC-7677 does not name the chain
		"nonsense": {`"result":7`, `"result":[]`, "unreachable", "unreachable"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var req struct {
				ID     json.RawMessage
				Method string
			}
			_ = json.NewDecoder(r.Body).Decode(&req)
			answer := map[string]string{"eth_chainId": c.chainID, "eth_supportedEntryPoints": c.entryPoints}[req.Method]
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, req.ID, answer)
		}))
		t.Cleanup(server.Close)
		url := config.Secret(server.URL + "/v2/secretkey")
		var settings config.Config
		settings.Contracts.EntryPoint = entryPoint
		found := checkServices(t.Context(), settings, "game", config.Chain{ID: 42170, BundlerURL: url, PaymasterURL: url})
		if len(found) != 2 || found[0].Name != "game chain bundler" || found[1].Name != "game chain paymaster" {
			t.Fatalf("%s: %+v", what, found)
		}
		for i, want := range []string{c.bundler, c.paymaster} {
			text := fmt.Sprint(found[i].Err)
			if (found[i].Err == nil) != (want == "") || !strings.Contains(text, want) && want != "" || strings.Contains(text, "secretkey") {
				t.Errorf("%s, %s: %v, want %q", what, found[i].Name, found[i].Err, want)
			}
		}
	}
}
