package realtime_test

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy is between clients and server and breaks connections in the ways networks do.
type proxy struct {
	listener net.Listener

	mu     sync.Mutex
	target string
	down   bool
	pairs  map[*pair]bool
	done   sync.WaitGroup

	swallowed atomic.Int64 // bytes
}

// lost reports whether clients have sent data that was dropped because their connection was frozen.
func (p *proxy) lost() bool { return p.swallowed.Load() > 0 }

// pair is one connection through the proxy.
type pair struct {
	client, server net.Conn

	mu     sync.Mutex
	frozen bool // nothing is forwarded any more, and neither side is notified
}

func startProxy(t *testing.T) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, pairs: make(map[*pair]bool)}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.each(func(c *pair) { _ = c.client.Close(); _ = c.server.Close() })
		p.done.Wait()
	})
	return p
}

func (p *proxy) address() string { return "http://" + p.listener.Addr().String() }

// point directs new connections to a server.
func (p *proxy) point(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// cutOff makes the proxy reset all new connections, or ends that.
func (p *proxy) cutOff(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.reset()
	}
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		target, down := p.target, p.down
		p.mu.Unlock()
		if down {
			abort(client)
			continue
		}
		server, err := net.Dial("tcp", target)
		if err != nil {
			abort(client)
			continue
		}
		c := &pair{client: client, server: server}
		p.mu.Lock()
		p.pairs[c] = true
		p.mu.Unlock()
		p.done.Go(func() { p.pass(c, client, server) })
		p.done.Go(func() {
			p.pass(c, server, client)
			p.mu.Lock()
			delete(p.pairs, c)
			p.mu.Unlock()
		})
	}
}

// pass copies from one side to the other until either ends.
func (p *proxy) pass(c *pair, from, to net.Conn) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		c.mu.Lock()
		frozen := c.frozen
		c.mu.Unlock()
		if frozen {
			if from == c.client {
				p.swallowed.Add(int64(n))
			}
			continueReading(from)
			return
		}
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				abort(from)
				return
			}
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

// continueReading discards what still arrives, like a network that has forgotten the connection.
func continueReading(from net.Conn) { _, _ = io.Copy(io.Discard, from) }

func (p *proxy) each(f func(*pair)) {
	p.mu.Lock()
	pairs := make([]*pair, 0, len(p.pairs))
	for c := range p.pairs {
		pairs = append(pairs, c)
	}
	p.mu.Unlock()
	for _, c := range pairs {
		f(c)
	}
}

// reset resets all connections, on both sides.
func (p *proxy) reset() {
	p.each(func(c *pair) { abort(c.client); abort(c.server) })
}

// halfOpen resets all connections on the clients' side; the server is not notified.
func (p *proxy) halfOpen() {
	p.each(func(c *pair) {
		c.mu.Lock()
		c.frozen = true
		c.mu.Unlock()
		abort(c.client)
	})
}

// freeze stops forwarding in both directions without notifying either side.
func (p *proxy) freeze() {
	p.each(func(c *pair) {
		c.mu.Lock()
		c.frozen = true
		c.mu.Unlock()
	})
}

// abort closes with a TCP reset.
func abort(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}
