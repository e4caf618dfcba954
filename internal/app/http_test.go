package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/config"
	"pantheon/internal/kit/health"
)

// gated returns an App with what a server needs and the given limits.
func gated(limits config.HTTP) *App {
	return &App{base: &base{health: health.New(slog.New(slog.DiscardHandler), nil),
		config: config.Config{HTTP: limits, PublicURL: "https://portal.example", TrustProxy: []string{"10.0.0.0/8"}},
		log:    slog.New(slog.DiscardHandler), registry: prometheus.NewRegistry(), panics: newPanics(),
	}}
}

// listen serves a handler with the limits until the test ends, and returns the address.
func listen(t *testing.T, limits config.HTTP, handler http.Handler) (*App, string) {
	t.Helper()
	a := gated(limits)
	server, err := a.newServer(handler)
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(a.gate.guard(l)) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return a, l.Addr().String()
}

// dial opens a connection with a deadline.
func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(startTimeout)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func say(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// A client requests a large file and never reads it: the connection and its handler must not be held forever.
// Spec: API-6
func TestServer_DisconnectsClientsThatDoNotRead(t *testing.T) {
	t.Parallel()
	gaveUp := make(chan error, 1)
	_, address := listen(t, config.HTTP{Connections: 10, StallTimeout: 50 * time.Millisecond},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for chunk := make([]byte, 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					gaveUp <- err
					return
				}
			}
		}))
	conn := dial(t, address)
	say(t, conn, "GET / HTTP/1.1\r\nHost: portal.example\r\n\r\n")
	select {
	case err := <-gaveUp:
		if !errors.Is(err, context.DeadlineExceeded) && !strings.Contains(err.Error(), "i/o timeout") {
			t.Errorf("writing ended with %v", err)
		}
	case <-time.After(startTimeout):
		t.Fatal("a client that reads nothing holds its connection")
	}
}

// A request whose body never arrives is ended, even if nobody reads the body.
// Spec: API-6
func TestServer_DisconnectsClientsThatSendNoBody(t *testing.T) {
	t.Parallel()
	for what, handler := range map[string]http.HandlerFunc{
		"a body that is not read": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"a body that is read": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			w.WriteHeader(http.StatusNotFound)
		},
	} {
		_, address := listen(t, config.HTTP{Connections: 10, StallTimeout: 50 * time.Millisecond}, handler)
		conn := dial(t, address)
		say(t, conn, "POST / HTTP/1.1\r\nHost: portal.example\r\nContent-Length: 10\r\n\r\n12345")
		if _, err := io.ReadAll(conn); err != nil && !strings.Contains(err.Error(), "reset by peer") {
			t.Errorf("%s: the connection is not closed: %v", what, err)
		}
	}
}

// A handler may take longer than the body: while it works, the body's deadline must not look like a disconnect.
// Spec: API-6
func TestServer_WaitsForItsHandlers(t *testing.T) {
	t.Parallel()
	late := make(chan error, 1)
	_, address := listen(t, config.HTTP{Connections: 10, StallTimeout: 50 * time.Millisecond},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
			select {
			case <-r.Context().Done():
				late <- r.Context().Err()
			case <-time.After(150 * time.Millisecond): // three times as long
				late <- nil
			}
			_, _ = io.WriteString(w, "done")
		}))
	conn := dial(t, address)
	for range 2 { // the second on the same connection
		say(t, conn, "POST / HTTP/1.1\r\nHost: portal.example\r\nContent-Length: 5\r\n\r\n12345")
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || string(text) != "done" || <-late != nil {
			t.Fatalf("answered %q, %v", text, err)
		}
		_ = answer.Body.Close()
	}
}

// wire is a connection from an address that accepts writes at a given pace.
type wire struct {
	net.Conn
	from    string
	took    bytes.Buffer
	pace    time.Duration // per write
	bounds  []time.Duration
	writes  []int
	closed  bool
	dead    time.Time
	half    bool
	mustEnd bool // the deadline applies
}

func (w *wire) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(w.from))
}

func (w *wire) SetWriteDeadline(at time.Time) error {
	w.dead = at
	w.bounds = append(w.bounds, time.Until(at))
	return nil
}

func (w *wire) Write(b []byte) (int, error) {
	<-time.After(w.pace)
	if w.mustEnd && time.Now().After(w.dead) {
		return 0, context.DeadlineExceeded
	}
	w.writes = append(w.writes, len(b))
	return w.took.Write(b)
}

func (w *wire) CloseWrite() error { w.half = true; return nil }
func (w *wire) Close() error      { w.closed = true; return nil }

// A video over a slow network takes minutes, but arrives: only stalls count.
// Spec: API-6
func TestServer_LargeAnswersArriveOnSlowNetworks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := gated(config.HTTP{Connections: 10, StallTimeout: 30 * time.Second})
		if _, err := a.newServer(http.NotFoundHandler()); err != nil {
			t.Fatal(err)
		}
		slow := &wire{from: "203.0.113.7:1", pace: 20 * time.Second, mustEnd: true}
		conn := a.gate.admit(slow)
		video := bytes.Repeat([]byte("frame"), 200_000)
		began := time.Now()
		if n, err := conn.Write(video); err != nil || n != len(video) || !bytes.Equal(slow.took.Bytes(), video) {
			t.Errorf("%d of %d bytes have arrived: %v", n, len(video), err)
		}
		if took := time.Since(began); took < 10*time.Minute {
			t.Errorf("it took %v only", took)
		}
		slow.pace = 31 * time.Second
		if n, err := conn.Write(video); !errors.Is(err, context.DeadlineExceeded) || n != 0 {
			t.Errorf("%d bytes of a stalled answer have arrived: %v", n, err)
		}
		for i, n := range slow.writes {
			if n > 32<<10 || slow.bounds[i] != 30*time.Second {
				t.Fatalf("step %d has %d bytes within %v", i, n, slow.bounds[i])
			}
		}
	})
}

// Spec: API-6
func TestServer_ConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	a := gated(config.HTTP{Connections: 8, PerClient: 3, StallTimeout: time.Second})
	server, err := a.newServer(http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	var open []*gatedConn
	enter := func(from string, want bool) *gatedConn {
		t.Helper()
		c := a.gate.admit(&wire{from: from})
		if (c != nil) != want {
			t.Fatalf("a connection from %s is admitted: %v, with %d open", from, c != nil, a.gate.count())
		}
		if c != nil {
			open = append(open, c)
		}
		return c
	}
	for range 3 {
		enter("203.0.113.7:1", true)
	}
	enter("203.0.113.7:2", false)
	enter("[::ffff:203.0.113.7]:2", false) // the same as an IPv4-mapped address
	enter("203.0.113.8:1", true)
	for _, from := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1"} {
		enter(from, true)
	}
	enter("[2001:db8::4]:1", false) // the same network of 64 bits
	// Proxies and this machine have no limit of their own, but count.
	enter("10.1.2.3:1", true)
	for _, from := range []string{"10.1.2.3:2", "127.0.0.1:1", "198.51.100.1:1"} {
		enter(from, false)
	}
	first := open[0]
	for range 2 { // closing twice frees one place
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	}
	enter("203.0.113.7:3", true)
	enter("203.0.113.7:4", false)
	// A realtime connection leaves the total, but counts for the client.
	live := open[1]
	server.ConnState(live, http.StateHijacked)
	if n := a.gate.count(); n != 7 {
		t.Errorf("%d connections count, want 7", n)
	}
	enter("203.0.113.7:5", false)
	enter("127.0.0.1:1", true)
	if _, err := live.Write(make([]byte, 100<<10)); err != nil || len(live.Conn.(*wire).writes) != 1 || len(live.Conn.(*wire).bounds) != 0 {
		t.Errorf("a realtime connection's writes are cut: %v (%v)", live.Conn.(*wire).writes, err)
	}
	if err := live.CloseWrite(); err != nil || !live.Conn.(*wire).half {
		t.Errorf("half a close: %v", err)
	}
	for _, c := range open {
		if err := c.Close(); err != nil || !c.Conn.(*wire).closed {
			t.Error("a connection stays open")
		}
	}
	if n := a.gate.count(); n != 0 || len(a.gate.clients) != 0 {
		t.Errorf("%d connections and %v are left", n, a.gate.clients)
	}
	metrics, err := a.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]float64{}
	for _, family := range metrics {
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				refused[family.GetName()+" "+label.GetValue()] += m.GetCounter().GetValue()
			}
		}
	}
	if refused["pantheon_http_connections_refused_total client"] != 4 || refused["pantheon_http_connections_refused_total total"] != 4 {
		t.Errorf("counted are %v", refused)
	}
}

// Connections over the limit are closed at once, and a freed place is available again.
// Spec: API-6
func TestServer_ClosesConnectionsBeyondTheBound(t *testing.T) {
	t.Parallel()
	_, address := listen(t, config.HTTP{Connections: 2, StallTimeout: time.Second}, http.NotFoundHandler())
	ask := func(conn net.Conn) error {
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: portal.example\r\n\r\n"); err != nil {
			return err
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			_ = answer.Body.Close()
		}
		return err
	}
	first, second := dial(t, address), dial(t, address)
	for _, conn := range []net.Conn{first, second} {
		if err := ask(conn); err != nil {
			t.Fatal(err)
		}
	}
	if err := ask(dial(t, address)); err == nil {
		t.Error("a third connection is served")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); ; { // until the server has noticed
		err := ask(dial(t, address))
		if err == nil {
			break
		}
		if time.Since(begin) > startTimeout {
			t.Fatalf("the place is not free again: %v", err)
		}
	}
}

// Spec: API-7
func TestHSTS_IsOnEveryAnswerOfAnEncryptedSite(t *testing.T) {
	t.Parallel()
	header := func(s *served, method, path string) string {
		w := s.send(method, path, "", http.Header{"Authorization": {"wrong"}})
		if len(w.Header().Values("Strict-Transport-Security")) > 1 {
			t.Errorf("%s %s: %v", method, path, w.Header())
		}
		return w.Header().Get("Strict-Transport-Security")
	}
	s := serve(t, nil)
	for _, path := range append(s.paths(), "/healthz", "/readyz", "//", "/api/nothing") {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, "BREW"} {
			if got := header(s, method, path); got != "max-age=31536000" {
				t.Fatalf("%s %s: %q", method, path, got)
			}
		}
	}
	for _, c := range []struct{ site, age, want string }{
		{"http://localhost:8080", "", ""}, {"https://portal.example", "0", ""}, {"https://portal.example", "1h", "max-age=3600"},
	} {
		s := serve(t, map[string]string{"PUBLIC_URL": c.site, "HSTS_MAX_AGE": c.age})
		if got := header(s, http.MethodGet, "/healthz"); got != c.want {
			t.Errorf("%s, HSTS_MAX_AGE=%s: %q, want %q", c.site, c.age, got, c.want)
		}
	}
}
