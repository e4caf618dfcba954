package realtime

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"pantheon/internal/kit/keyset"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/prometheus/client_golang/prometheus"
)

func TestLimits_FramesThatBreakTheRulesCloseTheConnection(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	masked := func(f ws.Frame) []byte { return ws.MustCompileFrame(ws.MaskFrame(f)) }
	text := func(s string) []byte { return masked(ws.NewTextFrame([]byte(s))) }
	fragment := func(op ws.OpCode, fin bool, s string) []byte { return masked(ws.NewFrame(op, fin, []byte(s))) }
	long := strings.Repeat(" ", 40<<10)
	for name, test := range map[string]struct {
		bytes []byte
		code  closeCode
	}{
		"malformed JSON":           {text(`{"type":`), closeInvalidData},
		"two values":               {text(`{"type":"ping"}{}`), closeInvalidData},
		"not an object":            {text(`["ping"]`), closeInvalidData},
		"wrong type of field":      {text(`{"type":"joinGroup","group":5}`), closeInvalidData},
		"negative ackId":           {text(`{"type":"event","ackId":-1}`), closeInvalidData},
		"empty":                    {text(``), closeInvalidData},
		"not UTF-8":                {text("{\"type\":\"\xff\"}"), closeInvalidData},
		"oversized":                {text(`{"type":"ping"` + strings.Repeat(" ", 64<<10) + `}`), closeTooBig},
		"oversized by header only": {append([]byte{0x81, 0xFF}, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0), closeTooBig},
		"oversized in fragments":   {append(fragment(ws.OpText, false, long), fragment(ws.OpContinuation, true, long)...), closeTooBig},
		"binary":                   {masked(ws.NewBinaryFrame([]byte("{}"))), closeUnsupported},
		"not masked":               {ws.MustCompileFrame(ws.NewTextFrame([]byte(`{"type":"ping"}`))), closeProtocolError},
		"reserved opcode":          {fragment(0x3, true, ""), closeProtocolError},
		"continuation of nothing":  {fragment(ws.OpContinuation, true, ""), closeProtocolError},
		"fragmented control frame": {fragment(ws.OpPing, false, ""), closeProtocolError},
		"long control frame":       {fragment(ws.OpPing, true, strings.Repeat("x", 126)), closeProtocolError},
		"compression bit":          {append([]byte{0xC1}, text(`{}`)[1:]...), closeProtocolError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, r.url(name, "s"), protocolReliable)
			if _, err := c.conn.Write(test.bytes); err != nil {
				t.Fatal(err)
			}
			c.expectClose(test.code)
			_ = c.conn.Close()
			c.recover(r).settle() // the connection was at fault, not the session
		})
	}
}

func TestLimits_FragmentedMessageWithPingInBetweenIsOneMessage(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	for _, f := range []ws.Frame{
		ws.NewFrame(ws.OpText, false, []byte(`{"ty`)),
		ws.NewPingFrame([]byte("now")),
		ws.NewFrame(ws.OpContinuation, false, []byte(`pe":"pi`)),
		ws.NewFrame(ws.OpContinuation, true, []byte(`ng"}`)),
	} {
		if err := ws.WriteFrame(c.conn, ws.MaskFrame(f)); err != nil {
			t.Fatal(err)
		}
	}
	if f := c.next(); f.Type != "websocket pong" || f.Message != "now" {
		t.Errorf("first answer = %+v", f)
	}
	if f := c.next(); f.Type != "pong" {
		t.Errorf("second answer = %+v", f)
	}
	c.settle()
}

func TestLimits_FramesSentTogetherWithTheHandshakeAreRead(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	target := strings.SplitN(r.url("ada", "s"), r.server.Listener.Addr().String(), 2)[1]
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
		target, protocolReliable)
	request = append(request, ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(`{"type":"ping"}`))))...)
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	br := bufio.NewReader(conn)
	if res, err := http.ReadResponse(br, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("handshake: %v %v", res, err)
	}
	c := &client{t: t, conn: conn, r: br}
	if f := c.next(); f.Event != "connected" {
		t.Errorf("first = %+v", f)
	}
	if f := c.next(); f.Type != "pong" {
		t.Errorf("second = %+v", f)
	}
}

func TestLimits_ClientAboveTheFrameRateIsDisconnected(t *testing.T) {
	t.Parallel()
	clk := fakeClock() // does not advance, so the limit is not replenished
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock, o.Limits.FrameBurst = clk, 10 })
	c := r.connect("ada")
	r.publish(Everyone(), numbers("m", 30)...)
	for range 30 { // acknowledging new messages does not count
		c.send(`{"type":"sequenceAck","sequenceId":%d}`, c.next().SequenceID)
	}
	for range 10 {
		c.settle()
	}
	c.send(`{"type":"ping"}`)
	c.expectClose(closePolicy)

	d := r.connect("bob")
	for range 11 { // acknowledging nothing new counts
		d.send(`{"type":"sequenceAck","sequenceId":1}`)
	}
	d.expectClose(closePolicy)
}

// The close frame is sent even if the connection is closed while a response is being written.
// Spec: LIVE-5
func TestLimits_CloseFrameFollowsAnAnswer(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock, o.Limits.FrameBurst = clk, 1 })
	ping := ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(`{"type":"ping"}`))))
	for i := range 400 {
		c := r.connect(fmt.Sprintf("player-%d", i))
		if _, err := c.conn.Write(slices.Repeat(ping, 2)); err != nil {
			t.Fatal(err)
		}
		c.expectClose(closePolicy)
		_ = c.conn.Close()
	}
}

func TestLimits_SilentConnectionIsDroppedButNotItsSession(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock = clk })
	silent, alive := r.connect("ada"), r.connect("bob")
	r.advance(clk, 45*time.Second)
	alive.settle()
	r.advance(clk, 30*time.Second)
	eventually(t, "silent connection dropped", func() bool { return !r.connected(silent.hello.ConnectionID) })
	alive.settle()
	silent.recover(r).settle()
}

func TestLimits_ConnectionThatDoesNotReadIsDropped(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) {
		o.Clock = clk
		o.Limits.PendingBytes, o.Limits.Silence, o.Limits.SessionTTL = 1<<30, time.Hour, time.Hour
	})
	stuck := r.connect("ada")
	other := r.connect("bob")
	writing := func() bool {
		r.Hub.mu.Lock()
		defer r.Hub.mu.Unlock()
		for _, tr := range r.transports {
			if tr.s.user == "ada" && tr.writing.Load() != 0 {
				return true
			}
		}
		return false
	}
	if err := stuck.conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	const sent = 60 // more than the kernel's buffers hold
	for i := range sent {
		if err := r.Publish(t.Context(), Message{fmt.Sprint("fill-", i), User("ada"), large(200_000)}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "write stuck", writing)
	other.settle()
	r.advance(clk, 11*time.Second)
	eventually(t, "stuck connection dropped", func() bool { return !r.connected(stuck.hello.ConnectionID) })
	again := stuck.recover(r)
	for i := range sent {
		if f := again.next(); f.SequenceID != uint64(i+1) {
			t.Fatalf("after recovery: sequence %d, want %d", f.SequenceID, i+1)
		}
	}
}

func TestLimits_UserHasABoundedNumberOfSessions(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Limits.SessionsPerUser = 2 })
	first := r.connect("ada")
	r.connect("ada")
	if got := dialStatus(t, r.url("ada", "s"), protocolReliable, nil); got != http.StatusTooManyRequests {
		t.Errorf("third session: %d, want 429", got)
	}
	r.connect("bob")
	first.reset()
	eventually(t, "loss noticed", func() bool { return !r.connected(first.hello.ConnectionID) })
	r.connect("ada").settle() // a session without a connection is evicted
}

func TestLimits_HubHasABoundedNumberOfConnections(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Limits.Connections = 2 })
	first := r.connect("ada")
	r.connect("bob")
	if got := dialStatus(t, r.url("cyd", "s"), protocolReliable, nil); got != http.StatusServiceUnavailable {
		t.Errorf("third connection: %d, want 503", got)
	}
	first.reset()
	eventually(t, "place free", func() bool { return !r.connected(first.hello.ConnectionID) })
	r.connect("cyd").settle()
}

func TestLimits_GroupsOfASessionAreBounded(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Limits.FrameBurst = 1000 })
	c := r.connect("ada", RoleJoinLeaveGroup)
	for i := range 128 {
		if f := c.ask(`{"type":"joinGroup","group":"g%d","ackId":%d}`, i, i); !f.Success {
			t.Fatalf("group %d: %+v", i, f)
		}
	}
	if f := c.ask(`{"type":"joinGroup","group":"one-more","ackId":1}`); f.Success {
		t.Error("joined one more")
	}
	if f := c.ask(`{"type":"joinGroup","group":"g0","ackId":1}`); !f.Success {
		t.Errorf("joining again: %+v", f)
	}
}

func TestLimits_DrainClosesEverybodyForRecoveryAndRefusesNewcomers(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	var clients []*client
	for i := range 50 {
		clients = append(clients, r.connect(fmt.Sprint("user", i)))
	}
	if err := r.Ready(); err != nil {
		t.Errorf("before: %v", err)
	}
	drained := make(chan struct{})
	go func() { r.Drain(t.Context()); close(drained) }()
	for _, c := range clients {
		c.expectClose(closeRestart)
		_ = c.conn.Close()
	}
	<-drained
	if err := r.Ready(); err == nil {
		t.Error("says that it is ready")
	}
	if got := dialStatus(t, r.url("late", "s"), protocolReliable, nil); got != http.StatusServiceUnavailable {
		t.Errorf("newcomer: %d, want 503", got)
	}
}

func TestLimits_DrainDoesNotWaitForeverForADeadClient(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Limits.DrainTimeout = 50 * time.Millisecond })
	r.connect("ada") // does not answer the close frame
	r.stop()
}

func TestLimits_MetricsCountWhatHappens(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Metrics = registry })
	c := r.connect("ada")
	r.connect("bob")
	r.publish(Everyone(), "1", "2")
	c.expect("1", "2")
	c.reset()
	again := c.recover(r)
	again.expect("1", "2")
	dialOpen(t, strings.Replace(c.recoveryURL(r), paramToken+"=", paramToken+"=x", 1), protocolReliable).expectClose(closePolicy)
	value := func(metric string, labels ...string) float64 {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range families {
			if family.GetName() != "pantheon_realtime_"+metric {
				continue
			}
			for _, m := range family.GetMetric() {
				if len(labels) == 0 || len(m.GetLabel()) == 1 && m.GetLabel()[0].GetValue() == labels[0] {
					return m.GetGauge().GetValue() + m.GetCounter().GetValue()
				}
			}
		}
		return 0
	}
	eventually(t, "metrics", func() bool {
		return value("connections") == 2 && value("sessions") == 2 && value("published_total") == 2 && value("sent_total") == 6 &&
			value("recoveries_total", recoveryResumed) == 1 && value("recoveries_total", recoveryRefused) == 1
	})
	if _, err := New(t.Context(), Options{JetStream: r.js, Name: "portal", SigningKeys: keyset.Keys{[]byte(testKey)}, PublicURL: testSite,
		Metrics: registry}); err == nil {
		t.Error("registered the same metrics twice")
	}
}

func TestLimits_DefaultsAreTheProductsNumbers(t *testing.T) {
	t.Parallel()
	want := Limits{
		Connections: 50_000, SessionsPerUser: 16, FrameBytes: 65_536, FramesPerSecond: 50, FrameBurst: 200, PublishBytes: 262_144,
		PendingMessages: 2000, PendingBytes: 4_194_304, Window: 60 * time.Second, WindowBytes: 67_108_864, SessionTTL: 40 * time.Second,
		Silence: 60 * time.Second, WriteTimeout: 10 * time.Second, CloseWait: 5 * time.Second, DrainTimeout: 10 * time.Second,
		ReopenAfter: 10 * time.Second,
		Tick:        time.Second,
	}
	if got := (Limits{}).withDefaults(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
