package devnet

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	gethnode "github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/rpc"
)

// publicNamespaces are the JSON-RPC namespaces open to other processes. debug is not among them: it can rewind the chain and
// write files.
var publicNamespaces = []string{"eth", "net", "txpool", "web3"}

// localOrigins are the origins allowed to call the chain from a browser, on any port.
var localOrigins = []string{"http://localhost", "http://127.0.0.1"}

// web3API is the web3 namespace, which wallets and tools ask for the client version.
type web3API struct{}

// ClientVersion answers web3_clientVersion.
func (web3API) ClientVersion() string { return "pantheon/devnet" }

// newPublicServer returns a server of those APIs that are in a public namespace.
func newPublicServer(apis []rpc.API) (*rpc.Server, error) {
	server := rpc.NewServer()
	for _, api := range append(slices.Clone(apis), rpc.API{Namespace: "web3", Service: web3API{}}) {
		if !slices.Contains(publicNamespaces, api.Namespace) {
			continue
		}
		if err := server.RegisterName(api.Namespace, api.Service); err != nil {
			return nil, err
		}
	}
	return server, nil
}

// PublicHandler serves JSON-RPC over HTTP and WebSocket to other processes, with the namespaces eth, net, txpool and web3. It
// has no authentication. The Host header must be an IP address, localhost or one of hosts; "*" allows any. Browsers may call it from
// local origins only. It stops when the chain is closed.
func (c *Chain) PublicHandler(hosts ...string) http.Handler {
	anyPort := make([]string, len(localOrigins))
	for i, origin := range localOrigins {
		anyPort[i] = origin + ":*"
	}
	calls := gethnode.NewHTTPHandlerStack(c.public, slices.Concat(localOrigins, anyPort), append(slices.Clone(hosts), "localhost"), nil, false)
	sockets := c.public.WebsocketHandler([]string{"*"}) // its own check leaks a goroutine for each connection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch origin := r.Header.Get("Origin"); {
		case !strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
			calls.ServeHTTP(w, r)
		case origin == "" || isLocal(origin):
			sockets.ServeHTTP(w, r)
		default:
			http.Error(w, "only pages of this machine may connect", http.StatusForbidden)
		}
	})
}

// isLocal reports whether an origin is one of localOrigins, on any port.
func isLocal(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && slices.Contains(localOrigins, u.Scheme+"://"+u.Hostname())
}
