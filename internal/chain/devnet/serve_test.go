package devnet_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/devnet"
)

// served starts a chain whose public handler is called at an address.
func served(t *testing.T, hosts ...string) (*devnet.Chain, *httptest.Server) {
	t.Helper()
	chain, err := devnet.Start(devnet.Options{ChainID: 1337042})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(chain.PublicHandler(hosts...))
	t.Cleanup(func() {
		if err := chain.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return chain, server
}

func TestPublic_ProcessesCallAndFollowTheChain(t *testing.T) {
	t.Parallel()
	chain, server := served(t)
	for _, url := range []string{server.URL, "ws" + strings.TrimPrefix(server.URL, "http")} {
		client, err := rpc.DialContext(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for method, want := range map[string]string{
			"eth_chainId": "0x1466d2", "net_version": "1337042", "web3_clientVersion": "pantheon/devnet", "eth_blockNumber": "0x1",
		} {
			var got string
			if err := client.CallContext(t.Context(), &got, method); err != nil || got != want {
				t.Errorf("%s: %s is %q, %v, want %q", url, method, got, err, want)
			}
		}
	}
	client, err := rpc.DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	heads := make(chan *types.Header, 1)
	if _, err := client.EthSubscribe(t.Context(), heads, "newHeads"); err != nil {
		t.Fatal(err)
	}
	mined, err := chain.Mine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if head := <-heads; head.Number.Uint64() != mined.Number {
		t.Errorf("block %d is announced, want %d", head.Number, mined.Number)
	}
}

func TestPublic_NobodyRewritesTheChainOrWritesFiles(t *testing.T) {
	t.Parallel()
	_, server := served(t)
	client, err := rpc.DialContext(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, method := range []string{
		"debug_setHead", "debug_writeMemProfile", "debug_traceTransaction", "admin_addPeer", "miner_setGasPrice", "personal_listAccounts",
	} {
		err := client.CallContext(t.Context(), nil, method, "0x0")
		if code, ok := err.(rpc.Error); !ok || code.ErrorCode() != -32601 {
			t.Errorf("%s: %v, want that the method does not exist", method, err)
		}
	}
}

// ask calls the chain, or opens a WebSocket, with a Host and an Origin header. It returns the status and the value of
// Access-Control-Allow-Origin.
func ask(t *testing.T, server *httptest.Server, host, origin string, upgrade bool) (status int, allowed string) {
	t.Helper()
	method, body := http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`
	if upgrade {
		method, body = http.MethodGet, ""
	}
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if upgrade {
		for name, value := range map[string]string{
			"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
		} {
			r.Header.Set(name, value)
		}
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if !upgrade {
		_, _ = io.Copy(io.Discard, response.Body)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header.Get("Access-Control-Allow-Origin")
}

// A page that a developer visits must not reach the chain, not even by a name that resolves to this machine.
func TestPublic_OnlyPagesOfThisMachineAndOfNamedHostsCallIt(t *testing.T) {
	t.Parallel()
	_, server := served(t, "chain.internal", "Game.local", "192.0.2.7", "2001:db8::7", "*.example")
	for host, want := range map[string]int{
		"localhost:8545": 200, "127.0.0.1:8545": 200, "192.0.2.7:8545": 200, "chain.internal": 200, "evil.example": 403,
	} {
		if got, _ := ask(t, server, host, "", false); got != want {
			t.Errorf("a call of %s is answered by %d, want %d", host, got, want)
		}
	}
	for origin, want := range map[string]string{
		"http://localhost:3000": "http://localhost:3000", "http://127.0.0.1:8080": "http://127.0.0.1:8080", "https://evil.example": "",
		"http://localhost.evil.example": "",
		"http://game.local":             "http://game.local", "http://game.local:3000": "http://game.local:3000",
		"https://game.local:8443": "https://game.local:8443",
		"https://chain.internal":  "https://chain.internal", "http://192.0.2.7:3000": "http://192.0.2.7:3000",
		"http://[2001:db8::7]:3000":           "http://[2001:db8::7]:3000",
		"http://game.local.evil.example:3000": "", "http://evil.game.local": "", "ftp://game.local": "", "null": "", "http://192.0.2.8:3000": "",
	} {
		if _, got := ask(t, server, "localhost", origin, false); got != want {
			t.Errorf("a page of %s is allowed by %q, want %q", origin, got, want)
		}
		status := http.StatusForbidden
		if want != "" {
			status = http.StatusSwitchingProtocols
		}
		if got, _ := ask(t, server, "localhost", origin, true); got != status {
			t.Errorf("a socket of %s is answered by %d, want %d", origin, got, status)
		}
	}
}

// Any name may be that of a page of the internet.
func TestPublic_AnyNameMayCallButNoPageOfIt(t *testing.T) {
	t.Parallel()
	_, server := served(t, "*")
	if got, _ := ask(t, server, "game.local", "", false); got != http.StatusOK {
		t.Errorf("a call of any name is answered by %d", got)
	}
	for _, origin := range []string{"http://game.local:3000", "https://evil.example", "http://*"} {
		if _, got := ask(t, server, "game.local", origin, false); got != "" {
			t.Errorf("a page of %s is allowed by %q", origin, got)
		}
		if got, _ := ask(t, server, "game.local", origin, true); got != http.StatusForbidden {
			t.Errorf("a socket of %s is answered by %d", origin, got)
		}
	}
}
