package realtime

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"go.uber.org/goleak"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/keyset"
)

func TestMain(m *testing.M) {
	if os.Getenv(swarmVar) != "" {
		if err := runSwarm(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Each schedule of the model test starts servers; -rapid.checks=N changes their number.
	_ = flag.Set("rapid.checks", "40")
	goleak.VerifyTestMain(m)
}

const (
	testKey     = "0123456789abcdef0123456789abcdef"
	testSite    = "https://pantheon.test"
	waitTimeout = 20 * time.Second // timeout for conditions that must become true
)

func quietLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// startNATS starts an embedded server in dir, stopped at the end of the test.
func startNATS(t testing.TB, dir string) *NATS {
	t.Helper()
	n, err := StartNATS(NATSConfig{DataDir: dir, Logger: quietLogger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// replica is a running hub with its HTTP server.
type replica struct {
	*Hub
	t      testing.TB
	server *httptest.Server
	stop   func() // drains; idempotent
}

// startHub runs a hub on n until the test ends. change adjusts its options.
func startHub(t testing.TB, n *NATS, change func(*Options)) *replica {
	t.Helper()
	o := Options{
		JetStream: n.JetStream(), Name: "portal", SigningKeys: keyset.Keys{[]byte(testKey)}, PublicURL: testSite, Logger: quietLogger(),
		Limits: Limits{Tick: 10 * time.Millisecond, CloseWait: 2 * time.Second},
	}
	if change != nil {
		change(&o)
	}
	h, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{Hub: h, t: t, server: httptest.NewServer(h.Handler())}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		r.server.Close()
	}
	t.Cleanup(r.stop)
	return r
}

// kill stops the hub as a crash would: nothing is saved, connections are cut.
func (r *replica) kill() {
	r.Hub.drain.Do(func() {
		r.Hub.mu.Lock()
		r.Hub.draining.Store(true)
		transports := slices.Clone(r.Hub.transports)
		r.Hub.mu.Unlock()
		for _, t := range transports {
			_ = t.conn.Close()
		}
		r.Hub.readers.Wait()
	})
	r.stop()
}

// url returns an access URL of the replica for a user.
func (r *replica) url(user, session string, roles ...string) string {
	r.t.Helper()
	u, err := r.AccessURL(user, session, r.server.URL, roles...)
	if err != nil {
		r.t.Fatal(err)
	}
	return u
}

// publish sends numbered messages to a target.
func (r *replica) publish(to Target, ids ...string) {
	r.t.Helper()
	for _, id := range ids {
		if err := r.Publish(r.t.Context(), Message{id, to, json.RawMessage(fmt.Sprintf(`{"id":%q}`, id))}); err != nil {
			r.t.Fatal(err)
		}
	}
}

// frame is any message from the server.
type frame struct {
	SequenceID        uint64          `json:"sequenceId"`
	Type              string          `json:"type"`
	Event             string          `json:"event"`
	From              string          `json:"from"`
	Group             string          `json:"group"`
	DataType          string          `json:"dataType"`
	Data              json.RawMessage `json:"data"`
	FromUserID        string          `json:"fromUserId"`
	UserID            string          `json:"userId"`
	ConnectionID      string          `json:"connectionId"`
	ReconnectionToken string          `json:"reconnectionToken"`
	AckID             uint64          `json:"ackId"`
	Success           bool            `json:"success"`
	Message           string          `json:"message"`
	InvocationID      string          `json:"invocationId"`
	Error             *errorDetail    `json:"error"`
}

// id returns the id a message was published under.
func (f frame) id() string {
	var d struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(f.Data, &d)
	return d.ID
}

// client is a connection under test.
type client struct {
	t     testing.TB
	conn  net.Conn
	r     *bufio.Reader
	url   string
	hello frame
}

// dialRaw connects and returns without reading anything.
func dialRaw(ctx context.Context, address, protocol string, header http.Header) (net.Conn, *bufio.Reader, error) {
	d := ws.Dialer{Timeout: waitTimeout, Header: ws.HandshakeHeaderHTTP(header)}
	if protocol != "" {
		d.Protocols = strings.Split(protocol, ", ")
	}
	conn, br, _, err := d.Dial(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	if br == nil {
		br = bufio.NewReader(conn)
	}
	return conn, br, nil
}

// dial connects and reads the greeting.
func dial(t testing.TB, address, protocol string) *client {
	t.Helper()
	c := dialOpen(t, address, protocol)
	c.hello = c.next()
	if c.hello.Type != "system" || c.hello.Event != "connected" {
		t.Fatalf("greeting = %+v, want system connected", c.hello)
	}
	return c
}

// dialOpen connects without reading.
func dialOpen(t testing.TB, address, protocol string) *client {
	t.Helper()
	conn, br, err := dialRaw(t.Context(), address, protocol, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &client{t: t, conn: conn, r: br, url: address}
}

// connect opens a reliable connection of a user.
func (r *replica) connect(user string, roles ...string) *client {
	r.t.Helper()
	return dial(r.t, r.url(user, "session-of-"+user, roles...), protocolReliable)
}

// recoveryURL is the URL to which the vendor's client connects to recover, at replica r.
func (c *client) recoveryURL(r *replica) string {
	c.t.Helper()
	u, err := url.Parse(c.url)
	if err != nil {
		c.t.Fatal(err)
	}
	u.Host = r.server.Listener.Addr().String()
	q := u.Query()
	q.Set(paramConnection, c.hello.ConnectionID)
	q.Set(paramToken, c.hello.ReconnectionToken)
	u.RawQuery = q.Encode()
	return u.String()
}

// recover opens a new connection of the same session.
func (c *client) recover(r *replica) *client {
	c.t.Helper()
	return dial(c.t, c.recoveryURL(r), protocolReliable)
}

// errClosed is returned by read when the server has closed the connection.
type errClosed struct {
	code   ws.StatusCode
	reason string
}

func (e errClosed) Error() string { return fmt.Sprintf("closed with %d %q", e.code, e.reason) }

// read returns the next message, or errClosed, or the error of the connection.
func (c *client) read() (frame, error) {
	_ = c.conn.SetReadDeadline(time.Now().Add(waitTimeout))
	for {
		h, err := ws.ReadHeader(c.r)
		if err != nil {
			return frame{}, err
		}
		if err := ws.CheckHeader(h, ws.StateClientSide); err != nil {
			return frame{}, err
		}
		payload := make([]byte, h.Length)
		if _, err := io.ReadFull(c.r, payload); err != nil {
			return frame{}, err
		}
		switch h.OpCode {
		case ws.OpText:
			var f frame
			if err := json.Unmarshal(payload, &f); err != nil {
				return frame{}, fmt.Errorf("frame %q: %w", payload, err)
			}
			return f, nil
		case ws.OpClose:
			code, reason := ws.ParseCloseFrameData(payload)
			return frame{}, errClosed{code, reason}
		case ws.OpPong:
			return frame{Type: "websocket pong", Message: string(payload)}, nil
		default:
			return frame{}, fmt.Errorf("unexpected opcode %v", h.OpCode)
		}
	}
}

func (c *client) next() frame {
	c.t.Helper()
	f, err := c.read()
	if err != nil {
		c.t.Fatalf("read: %v", err)
	}
	return f
}

// expect reads messages and checks that they are exactly those ids, in order.
func (c *client) expect(ids ...string) (last uint64) {
	c.t.Helper()
	for i, want := range ids {
		f := c.next()
		if f.Type != "message" || f.id() != want {
			c.t.Fatalf("message %d = %+v (data %s), want id %s", i, f, f.Data, want)
		}
		if f.SequenceID <= last {
			c.t.Fatalf("sequence %d after %d", f.SequenceID, last)
		}
		last = f.SequenceID
	}
	return last
}

// expectClose reads until the close frame and checks its code.
func (c *client) expectClose(code closeCode) {
	c.t.Helper()
	for {
		f, err := c.read()
		var closed errClosed
		switch {
		case errors.As(err, &closed):
			if closed.code != ws.StatusCode(code) {
				c.t.Fatalf("%v, want %d", closed, code)
			}
			return
		case err != nil:
			c.t.Fatalf("read: %v, want a close frame with %d", err, code)
		case f.Type == "message":
			c.t.Fatalf("message %+v before the close", f)
		}
	}
}

// send sends a text message.
func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if err := wsutil.WriteClientText(c.conn, fmt.Appendf(nil, format, args...)); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a message and returns its answer.
func (c *client) ask(format string, args ...any) frame {
	c.t.Helper()
	c.send(format, args...)
	return c.next()
}

// settle returns once the server has handled everything sent before.
func (c *client) settle() {
	c.t.Helper()
	if f := c.ask(`{"type":"ping"}`); f.Type != "pong" {
		c.t.Fatalf("answer to ping = %+v", f)
	}
}

// expectNothing checks that no message is pending: the next one received is published now.
func (c *client) expectNothing(r *replica) {
	c.t.Helper()
	id := "nothing-before-" + randomID(6)
	r.publish(User(c.hello.UserID), id)
	c.expect(id)
}

// reset closes the connection with a TCP reset.
func (c *client) reset() {
	c.t.Helper()
	if err := c.conn.(*net.TCPConn).SetLinger(0); err != nil {
		c.t.Fatal(err)
	}
	_ = c.conn.Close()
}

// dialStatus returns the HTTP status of a rejected connection.
func dialStatus(t testing.TB, address, protocol string, header http.Header) int {
	t.Helper()
	conn, _, err := dialRaw(t.Context(), address, protocol, header)
	var status ws.StatusError
	if errors.As(err, &status) {
		return int(status)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	return http.StatusSwitchingProtocols
}

// eventually waits until condition holds.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(waitTimeout)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// connected reports whether the hub has a connected session of that id.
func (r *replica) connected(id string) bool {
	r.Hub.mu.Lock()
	s := r.Hub.sessions[id]
	r.Hub.mu.Unlock()
	return s != nil && s.transport() != nil
}

// known reports whether the hub has a session of that id.
func (r *replica) known(id string) bool {
	r.Hub.mu.Lock()
	defer r.Hub.mu.Unlock()
	return r.Hub.sessions[id] != nil
}

// catchUp waits until the hub has received everything stored so far.
func (r *replica) catchUp() {
	r.t.Helper()
	stream, err := r.js.Stream(r.t.Context(), r.stream())
	if err != nil {
		r.t.Fatal(err)
	}
	last := stream.CachedInfo().State.LastSeq
	eventually(r.t, "everything received", func() bool { return r.log.head.Load() >= last })
}

// advance moves the hub's clock and waits until the hub has seen it.
func (r *replica) advance(clk *clock.Fake, d time.Duration) {
	r.t.Helper()
	clk.Advance(d)
	eventually(r.t, "clock read", func() bool { return r.now() == clk.Now().UnixMilli() })
}

// numbers returns n ids with a prefix.
func numbers(prefix string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return ids
}

// fakeClock is set to the current time and does not advance by itself.
func fakeClock() *clock.Fake { return clock.NewFake(time.Now()) }

// large returns valid JSON of about n bytes.
func large(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", n) + `"`) }
