package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/api"
	"pantheon/internal/config"
)

// newServer returns the HTTP server of the site. It must serve the listener that guard returns.
func (a *App) newServer(handler http.Handler) (*http.Server, error) {
	a.gate = &gate{
		limits: a.config.HTTP, exempt: trusted(a.config.TrustProxy), clients: map[netip.Prefix]int{},
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "pantheon", Subsystem: "http", Name: "connections_refused_total",
			Help: "Connections that were closed at once, because too many were open: of the client, or in total.",
		}, []string{"bound"}),
	}
	open := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "pantheon", Subsystem: "http", Name: "connections_open", Help: "Open connections, realtime connections not counted.",
	}, func() float64 { return float64(a.gate.count()) })
	if err := errors.Join(a.registry.Register(a.gate.refused), a.registry.Register(open)); err != nil {
		return nil, err
	}
	observer, err := api.NewObserver(a.log, a.requestLevel, a.registry)
	if err != nil {
		return nil, err
	}
	stall := a.config.HTTP.StallTimeout
	wrapped := func(handler http.Handler, address string) http.Handler {
		handler = timeBodies(timeStreams(a.closeWhenDraining(observer.Handler(a.recovered(handler))), stall), stall)
		return strictTransport(handler, address, a.config.HTTP.HSTS)
	}
	if c := a.console; c != nil && c.server != nil {
		c.server.Handler = wrapped(c.handler, a.config.OperateURL)
	}
	return &http.Server{
		Handler:           wrapped(handler, a.config.PublicURL),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		// A peer that is gone keeps no connection of HTTP/2 open, which has many requests.
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: stall, PingTimeout: stall, WriteByteTimeout: stall},
		ErrorLog: log.New(serverLog{a.log}, "", 0),
		ConnState: func(conn net.Conn, state http.ConnState) {
			if encrypted, ok := conn.(*tls.Conn); ok {
				conn = encrypted.NetConn()
			}
			if c, ok := conn.(*gatedConn); ok && state == http.StateHijacked {
				c.hijack()
			}
		},
	}, nil
}

// maxStreams is how many requests may be under way on a connection of HTTP/2; RFC 9113, section 6.5.2, asks for 100 at least.
const maxStreams = 100

// closeWhenDraining ends connections with their next response while the replica drains: a proxy that kept one would send a request on it
// at the moment at which it is closed.
func (b *base) closeWhenDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.health.Draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// strictTransport adds HSTS (RFC 6797) to every response if the site uses https. Subdomains are left out: they may
// belong to others.
func strictTransport(next http.Handler, publicURL string, maxAge time.Duration) http.Handler {
	if !strings.HasPrefix(publicURL, "https://") || maxAge < time.Second {
		return next
	}
	value := fmt.Sprintf("max-age=%d", int64(maxAge.Seconds()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", value)
		next.ServeHTTP(w, r)
	})
}

// timeBodies limits how long a request's body may take to arrive, whether or not the handler reads it: the server
// reads the rest.
func timeBodies(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			conn := http.NewResponseController(w)
			if conn.SetReadDeadline(time.Now().Add(limit)) == nil {
				r.Body = &timedBody{r.Body, conn}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody clears the read deadline at the end of the body: afterwards the server reads only to detect a disconnect,
// and an expired deadline would look like one.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}

// timeStreams limits how long each step of a response by HTTP/2 may take. There a client that reads nothing holds back its stream, and
// no write of the connection.
func timeStreams(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 2 {
			w = &timedWriter{w, http.NewResponseController(w), limit}
		}
		next.ServeHTTP(w, r)
	})
}

// timedWriter gives each step of a write its own deadline.
type timedWriter struct {
	http.ResponseWriter
	stream *http.ResponseController
	limit  time.Duration
}

func (w *timedWriter) Write(b []byte) (written int, err error) {
	for {
		step := b[written:min(len(b), written+writeStep)]
		if err := w.stream.SetWriteDeadline(time.Now().Add(w.limit)); err != nil {
			return written, err
		}
		n, err := w.ResponseWriter.Write(step)
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

// Flush implements http.Flusher.
func (w *timedWriter) Flush() { _ = w.stream.Flush() }

// Unwrap returns the response for http.ResponseController.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// gate limits the connections of the HTTP server: their number, in total and per client, and how long a write may
// take. Connections over the limit are closed at once, so that others need not wait. It is safe for concurrent use.
type gate struct {
	limits  config.HTTP
	exempt  []netip.Prefix // proxies, which carry the connections of many clients
	refused *prometheus.CounterVec

	mu      sync.Mutex
	open    int // excluding hijacked ones: the realtime channel has its own limits
	clients map[netip.Prefix]int
}

// guard returns a listener whose connections are subject to the limits.
func (g *gate) guard(l net.Listener) net.Listener { return &gatedListener{l, g} }

func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}

type gatedListener struct {
	net.Listener
	gate *gate
}

func (l *gatedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.gate.admit(conn); c != nil {
			return c, nil
		}
		_ = conn.Close()
	}
}

// admit counts a connection; it returns nil if there are too many.
func (g *gate) admit(conn net.Conn) *gatedConn {
	c := &gatedConn{Conn: conn, gate: g, client: g.clientOf(conn.RemoteAddr())}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.open >= g.limits.Connections:
		g.refused.WithLabelValues("total").Inc()
		return nil
	case c.client.IsValid() && g.clients[c.client] >= g.limits.PerClient:
		g.refused.WithLabelValues("client").Inc()
		return nil
	}
	g.open++
	if c.client.IsValid() {
		g.clients[c.client]++
	}
	return c
}

// clientOf returns the key by which connections are counted together: an IPv4 address, or 64 bits of an IPv6 one. The
// zero Prefix means that the client is not limited.
func (g *gate) clientOf(address net.Addr) netip.Prefix {
	from, err := netip.ParseAddrPort(address.String())
	if err != nil || g.limits.PerClient == 0 {
		return netip.Prefix{}
	}
	ip := from.Addr().Unmap().WithZone("")
	for _, proxies := range g.exempt {
		if proxies.Contains(ip) {
			return netip.Prefix{}
		}
	}
	if ip.IsLoopback() {
		return netip.Prefix{}
	}
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	client, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return client
}

// writeStep is how many bytes a connection must accept within the stall timeout.
const writeStep = 32 << 10

// gatedConn is a counted connection. Each step of a write has its own deadline, so that a long response may take its
// time but a client that reads nothing is disconnected.
type gatedConn struct {
	net.Conn
	gate   *gate
	client netip.Prefix // the zero Prefix if not limited

	hijacked atomic.Bool  // by the realtime channel, which has its own write deadlines
	deadline atomic.Int64 // of writes, as others have set it, in nanoseconds since 1970; 0 for none
	left     sync.Once    // the total
	closed   sync.Once
}

func (c *gatedConn) Write(b []byte) (written int, err error) {
	if c.hijacked.Load() {
		return c.Conn.Write(b)
	}
	for {
		step := b[written:min(len(b), written+writeStep)]
		deadline := time.Now().Add(c.gate.limits.StallTimeout)
		if own := c.deadline.Load(); own != 0 && own < deadline.UnixNano() {
			deadline = time.Unix(0, own) // such as the few seconds that TLS has for its last message
		}
		if err := c.Conn.SetWriteDeadline(deadline); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(step)
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

// SetWriteDeadline sets a deadline that the limit of each step does not move; see net.Conn.
func (c *gatedConn) SetWriteDeadline(t time.Time) error {
	c.keepDeadline(t)
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline is SetWriteDeadline for reads as well.
func (c *gatedConn) SetDeadline(t time.Time) error {
	c.keepDeadline(t)
	return c.Conn.SetDeadline(t)
}

func (c *gatedConn) keepDeadline(t time.Time) {
	at := int64(0)
	if !t.IsZero() {
		at = t.UnixNano()
	}
	c.deadline.Store(at)
}

// CloseWrite closes the writing side, where the connection can.
func (c *gatedConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

func (c *gatedConn) Close() error {
	c.leave()
	c.closed.Do(func() {
		if !c.client.IsValid() {
			return
		}
		c.gate.mu.Lock()
		defer c.gate.mu.Unlock()
		if c.gate.clients[c.client]--; c.gate.clients[c.client] == 0 {
			delete(c.gate.clients, c.client)
		}
	})
	return c.Conn.Close()
}

// hijack removes the connection from the total. It still counts for the client.
func (c *gatedConn) hijack() {
	c.hijacked.Store(true)
	c.leave()
}

func (c *gatedConn) leave() {
	c.left.Do(func() {
		c.gate.mu.Lock()
		defer c.gate.mu.Unlock()
		c.gate.open--
	})
}
