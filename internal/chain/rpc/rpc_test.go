package rpc_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"
	"go.uber.org/goleak"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/rpc"
	"pantheon/internal/kit/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, devnettest.LeakOptions()...) }

func newClient(t *testing.T, options rpc.Options) *rpc.Client {
	t.Helper()
	options.Name, options.ChainID = "game", devnettest.GameChain
	c, err := rpc.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRPC_CheckTellsTheHead(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	chain := devnettest.Open(t, devnet.Options{Clock: now})
	c := newClient(t, rpc.Options{Client: chain.Client(), Clock: now, MaxHeadAge: time.Minute})

	now.Advance(time.Minute)
	health, err := c.Check(t.Context())
	if err != nil || health.Head != chain.Head().Number || health.Age != time.Minute {
		t.Errorf("Check = %+v, %v", health, err)
	}
	now.Advance(time.Second)
	if health, err = c.Check(t.Context()); !errors.Is(err, rpc.ErrStale) || health.Age != 61*time.Second {
		t.Errorf("a second later Check = %+v, %v", health, err)
	}
	now.Advance(-time.Hour)
	if health, err = c.Check(t.Context()); err != nil || health.Age != 0 {
		t.Errorf("behind the head Check = %+v, %v", health, err)
	}
}

func TestRPC_CheckTellsAnotherChain(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{ChainID: devnettest.MainChain})
	_, err := newClient(t, rpc.Options{Client: chain.Client()}).Check(t.Context())
	if want := "chain game (1337042): wrong chain: the endpoint serves chain 1337137"; !errors.Is(err, rpc.ErrWrongChain) ||
		err.Error() != want {
		t.Errorf("Check = %v, want %s", err, want)
	}
}

func TestRPC_EndpointsOwnErrorsArePassedOn(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	c := newClient(t, rpc.Options{Client: chain.Client()})

	// Creation code that reverts with the word 1.
	call := map[string]string{"data": "0x600160005260206000fd"}
	err := c.CallContext(t.Context(), nil, "eth_call", call, "latest")
	var answer gethrpc.Error
	var data gethrpc.DataError
	if !errors.As(err, &answer) || !errors.As(err, &data) || data.ErrorData() != "0x"+strings.Repeat("00", 31)+"01" {
		t.Errorf("a revert is told as %v", err)
	}
	if want := "chain game (1337042): eth_call: execution reverted"; err.Error() != want || errors.Is(err, rpc.ErrUnreachable) {
		t.Errorf("a revert says %q, want %q", err, want)
	}

	var number hexutil.Uint64
	batch := []gethrpc.BatchElem{{Method: "eth_blockNumber", Result: &number}, {Method: "eth_nothing"}}
	if err := c.BatchCallContext(t.Context(), batch); err != nil || uint64(number) != chain.Head().Number || batch[0].Error != nil ||
		batch[1].Error == nil {
		t.Errorf("a batch: %v, %v", err, batch)
	}
}

func TestRPC_ClosingLeavesTheEndpointInsideTheProcessOpen(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	c := newClient(t, rpc.Options{Client: chain.Client()})
	c.Close()
	if _, err := c.Check(t.Context()); !errors.Is(err, rpc.ErrUnreachable) {
		t.Errorf("a closed client's Check = %v", err)
	}
	if _, err := newClient(t, rpc.Options{Client: chain.Client()}).Check(t.Context()); err != nil {
		t.Errorf("another client's Check = %v", err)
	}
}

func TestRPC_EndpointNeedsAUsableURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "127.0.0.1:8545", "ftp://key@example.org", "https://", "http://key:secret@%zz/"} {
		_, err := rpc.New(rpc.Options{Name: "game", ChainID: 1, URL: url})
		if err == nil || strings.Contains(err.Error(), "key") || !strings.HasPrefix(err.Error(), "chain game (1): ") {
			t.Errorf("New with %q: %v", url, err)
		}
	}
}

// secrets are in every URL of the tests below and must not be in any error.
const user, password, path, query = "operator", "opensesame", "k3yInThePath", "k3yInTheQuery"

// address turns http://host into a URL with all the secrets.
func address(server, scheme string) string {
	_, host, _ := strings.Cut(server, "://")
	return scheme + "://" + user + ":" + password + "@" + host + "/v3/" + path + "?apikey=" + query
}

func TestRPC_UnreachableEndpointIsNamedWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	serve := func(handler http.HandlerFunc) string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	refusing := httptest.NewServer(nil)
	refusing.Close()
	ended := make(chan struct{})

	cases := map[string]struct{ server, want string }{
		"nobody listens": {refusing.URL, "unreachable: dial tcp"},
		"overloaded": {serve(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "too many requests with key "+path, http.StatusTooManyRequests)
		}), "unreachable: HTTP 429 Too Many Requests"},
		"no JSON": {serve(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>" + path))
		}), "unreachable: invalid character"},
		"no answer": {serve(func(http.ResponseWriter, *http.Request) {
			<-ended
		}), "unreachable: no answer within 200ms"},
		"an answer that quotes the key": {serve(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown key ` + query + `"}}`))
		}), "eth_chainId: unknown key …"},
		"no block": {serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			body, _ := io.ReadAll(r.Body)
			result := `null`
			if strings.Contains(string(body), "eth_chainId") {
				result = `"0x1466d2"` // 1337042
			}
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + idOf(body) + `,"result":` + result + `}`))
		}), "unreachable: the endpoint knows no block"},
	}
	t.Cleanup(func() { close(ended) }) // before the servers, which wait for their handlers
	for name, c := range cases {
		for _, scheme := range []string{"http", "ws"} {
			_, err := newClient(t, rpc.Options{URL: address(c.server, scheme), Timeout: 200 * time.Millisecond}).Check(t.Context())
			if err == nil {
				t.Errorf("%s, %s: Check succeeded", name, scheme)
				continue
			}
			want := "chain game (1337042): "
			if scheme == "http" {
				want += c.want
			}
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, %s: %v, want %s…", name, scheme, err, want)
			}
			for _, secret := range []string{user, password, path, query} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("%s, %s: %v tells %s", name, scheme, err, secret)
				}
			}
		}
	}
}

// idOf returns the id of a JSON-RPC request, as written.
func idOf(body []byte) string {
	_, after, _ := strings.Cut(string(body), `"id":`)
	return after[:strings.IndexAny(after, ",}")]
}

func TestRPC_EndOfTheCallersContextIsNotTheEndpointsFault(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := newClient(t, rpc.Options{Client: chain.Client()}).Check(ctx)
	if !errors.Is(err, context.Canceled) || errors.Is(err, rpc.ErrUnreachable) {
		t.Errorf("Check = %v", err)
	}
}

// endpoint serves the JSON-RPC of a chain over http and ws at an address that can be reused after a restart.
func endpoint(t *testing.T, chain *devnet.Chain, address string) *http.Server {
	t.Helper()
	methods := gethrpc.NewServer()
	if err := methods.RegisterName("eth", forward{chain.Client()}); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Addr: listener.Addr().String(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			methods.WebsocketHandler([]string{"*"}).ServeHTTP(w, r)
			return
		}
		methods.ServeHTTP(w, r)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	server.RegisterOnShutdown(methods.Stop)
	t.Cleanup(func() { stop(server); <-done })
	return server
}

// stop stops a server and closes all its connections.
func stop(server *http.Server) {
	_ = server.Shutdown(context.Background())
	_ = server.Close()
}

// forward answers from a chain inside the process.
type forward struct{ client *gethrpc.Client }

// ChainId is spelled so that the method is called eth_chainId.
func (f forward) ChainId() (id hexutil.Uint64, err error) {
	return id, f.client.Call(&id, "eth_chainId")
}

func (f forward) GetBlockByNumber(number string, full bool) (block map[string]any, err error) {
	return block, f.client.Call(&block, "eth_getBlockByNumber", number, full)
}

func TestRPC_LostEndpointIsFoundAgain(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	for _, scheme := range []string{"http", "ws"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			server := endpoint(t, chain, "127.0.0.1:0")
			c := newClient(t, rpc.Options{URL: scheme + "://" + server.Addr})
			if _, err := c.Check(t.Context()); err != nil {
				t.Fatalf("at first: %v", err)
			}
			stop(server)
			if _, err := c.Check(t.Context()); !errors.Is(err, rpc.ErrUnreachable) {
				t.Errorf("without the endpoint: %v", err)
			}
			endpoint(t, chain, server.Addr)
			if _, err := c.Check(t.Context()); err != nil {
				t.Errorf("with the endpoint back: %v", err)
			}
		})
	}
}

func TestRPC_EndpointMayComeAfterTheClient(t *testing.T) {
	t.Parallel()
	chain := devnettest.Open(t, devnet.Options{})
	free := endpoint(t, chain, "127.0.0.1:0")
	stop(free)
	c := newClient(t, rpc.Options{URL: "ws://" + free.Addr})
	if _, err := c.Check(t.Context()); !errors.Is(err, rpc.ErrUnreachable) {
		t.Errorf("before: %v", err)
	}
	endpoint(t, chain, free.Addr)
	if _, err := c.Check(t.Context()); err != nil {
		t.Errorf("after: %v", err)
	}
}
