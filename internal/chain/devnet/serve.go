package devnet

import (
	"net"
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

// localHosts are the hosts whose pages may always call the chain, on any port.
var localHosts = []string{"localhost", "127.0.0.1"}

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
// pages of this machine and of hosts, on any port; "*" is not a host with pages. It stops when the chain is closed.
func (c *Chain) PublicHandler(hosts ...string) http.Handler {
	withPages := slices.Concat(localHosts, hosts)
	// any page of the internet could call
	withPages = slices.DeleteFunc(withPages, func(host string) bool { return strings.Contains(host, "*") })
	calls := gethnode.NewHTTPHandlerStack(c.public, originsOf(withPages), append(slices.Clone(hosts), "localhost"), nil, false)
	sockets := c.public.WebsocketHandler([]string{"*"}) // its own check leaks a goroutine for each connection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch origin := r.Header.Get("Origin"); {
		case !strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
			calls.ServeHTTP(w, r)
		case origin == "" || isOf(withPages, origin):
			sockets.ServeHTTP(w, r)
		default:
			http.Error(w, "only pages of this machine and of the hosts named by --host may connect", http.StatusForbidden)
		}
	})
}

// originsOf returns the origins of the hosts' pages, with patterns for those on a port of their own.
func originsOf(hosts []string) (origins []string) {
	for _, host := range hosts {
		anyPort := net.JoinHostPort(host, "*") // in brackets if it is an IPv6 address
		for _, scheme := range []string{"http://", "https://"} {
			origins = append(origins, scheme+strings.TrimSuffix(anyPort, ":*"), scheme+anyPort)
		}
	}
	return origins
}

// isOf reports whether an origin is of pages of one of the hosts, on any port.
func isOf(hosts []string, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") &&
		slices.ContainsFunc(hosts, func(host string) bool { return strings.EqualFold(host, u.Hostname()) })
}
