package realtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"
)

// BenchmarkFanout sends messages of 200 bytes to everyone, over real sockets, and compares the hub's cost
// with that of nats-server's WebSocket listener. The clients are another process, so that the CPU time of this
// one is the server's, including publishing. Every client checks every message; one that is missing, wrong or out of
// order fails the benchmark. One iteration is a fixed amount of work; run it with -benchtime=1x.
func BenchmarkFanout(b *testing.B) {
	for _, conns := range []int{1000, 5000} {
		b.Run(fmt.Sprintf("conns=%d", conns), func(b *testing.B) {
			raiseFileLimit(b, conns)
			// Enough messages that the setup cost does not matter.
			bursts := 1_000_000 / conns / burst
			var hub, peer cost
			for b.Loop() {
				hub.add(measure(b, hubUnderTest, conns, bursts))
				peer.add(measure(b, natsUnderTest, conns, bursts))
			}
			b.ReportMetric(0, "ns/op") // an iteration has no meaning of its own
			b.ReportMetric(hub.cpuPerMessage(), "hub-cpu-µs/msg")
			b.ReportMetric(peer.cpuPerMessage(), "nats-cpu-µs/msg")
			b.ReportMetric(hub.cpuPerMessage()/peer.cpuPerMessage(), "cpu-ratio")
			b.ReportMetric(hub.rate(), "hub-msg/s")
			b.ReportMetric(peer.rate(), "nats-msg/s")
			b.ReportMetric(hub.idle(), "hub-idle-KiB/conn")
			b.ReportMetric(peer.idle(), "nats-idle-KiB/conn")
		})
	}
}

// cost is the cost of delivering messages.
type cost struct {
	runs      int
	delivered int
	cpu, wall time.Duration
	idleBytes float64 // memory for one idle connection, summed over the runs
}

func (c *cost) add(more cost) {
	c.runs += more.runs
	c.delivered += more.delivered
	c.cpu += more.cpu
	c.wall += more.wall
	c.idleBytes += more.idleBytes
}

func (c *cost) cpuPerMessage() float64 {
	return float64(c.cpu.Nanoseconds()) / 1000 / float64(c.delivered)
}
func (c *cost) rate() float64 { return float64(c.delivered) / c.wall.Seconds() }
func (c *cost) idle() float64 { return c.idleBytes / float64(c.runs) / 1024 }

// underTest is a server that sends what is published to all its clients.
type underTest struct {
	swarm   swarmConfig
	publish func(payloads [][]byte) error
	stop    func()
}

// burst is how many messages are published at once; the next burst waits until all clients have received it.
const burst = 64

// measure starts a server and its clients and delivers bursts×burst messages to each client.
func measure(b *testing.B, start func(*testing.B, int) underTest, conns, bursts int) cost {
	u := start(b, conns)
	defer u.stop()
	before := residentBytes(b)
	s := startSwarm(b, u.swarm)
	defer s.stop()
	c := cost{runs: 1, idleBytes: (residentBytes(b) - before) / float64(conns)}
	next := 0
	send := func() {
		payloads := make([][]byte, burst)
		for i := range payloads {
			payloads[i] = benchPayload(next)
			next++
		}
		if err := u.publish(payloads); err != nil {
			b.Fatal(err)
		}
		s.waitFor(next * conns)
	}
	send() // warm up
	cpu, wall := cpuTime(b), time.Now()
	for range bursts {
		send()
	}
	c.cpu, c.wall, c.delivered = cpuTime(b)-cpu, time.Since(wall), bursts*burst*conns
	return c
}

// hubUnderTest starts a hub with its embedded NATS.
func hubUnderTest(b *testing.B, conns int) underTest {
	n, err := StartNATS(NATSConfig{DataDir: b.TempDir(), Logger: quietLogger()})
	if err != nil {
		b.Fatal(err)
	}
	r := startHub(b, n, func(o *Options) {
		// Clients acknowledge once a second; more than two thousand messages a second are unusual.
		o.Limits = Limits{PendingMessages: 100_000, PendingBytes: 1 << 30}
	})
	u := underTest{stop: func() { r.stop(); n.Close() }}
	u.swarm.Kind = swarmHub
	for i := range conns {
		u.swarm.URLs = append(u.swarm.URLs, r.url(fmt.Sprintf("%016X", i), fmt.Sprint("session", i)))
	}
	u.publish = func(payloads [][]byte) error {
		var g errgroup.Group
		for _, p := range payloads {
			g.Go(func() error { return r.Publish(context.Background(), Message{randomID(16), Everyone(), p}) })
		}
		return g.Wait()
	}
	return u
}

// natsUnderTest starts a NATS server with a WebSocket listener.
func natsUnderTest(b *testing.B, conns int) underTest {
	s, err := server.NewServer(&server.Options{
		DontListen: true, NoLog: true, NoSigs: true, MaxConn: conns + 10,
		Websocket: server.WebsocketOpts{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoTLS: true},
	})
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(waitTimeout) {
		b.Fatal("NATS did not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		b.Fatal(err)
	}
	u := underTest{stop: func() { nc.Close(); s.Shutdown(); s.WaitForShutdown() }}
	u.swarm.Kind = swarmNATS
	u.swarm.URLs = slices.Repeat([]string{s.WebsocketURL()}, conns)
	u.publish = func(payloads [][]byte) error {
		for _, p := range payloads {
			if err := nc.Publish("all", p); err != nil {
				return err
			}
		}
		return nc.FlushTimeout(waitTimeout)
	}
	return u
}

// benchPayload is message n: JSON of 200 bytes.
func benchPayload(n int) []byte {
	b := fmt.Appendf(nil, `%s%d,"pad":"`, payloadStart, n)
	b = append(b, bytes.Repeat([]byte("x"), 200-len(b)-3)...)
	return append(b, `"}}`...)
}

const payloadStart = `{"channelId":"live-listings-change","type":"update","payload":{"n":`

// cpuTime returns the CPU time this process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// residentBytes returns the memory of this process that is not backed by files, after a garbage collection.
func residentBytes(b *testing.B) float64 {
	debug.FreeOSMemory()
	debug.FreeOSMemory() // what finalizers and pools held until the first
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kib float64
		if _, err := fmt.Sscanf(line, "RssAnon: %f kB", &kib); err == nil {
			return kib * 1024
		}
	}
	b.Fatal("no RssAnon in /proc/self/status")
	return 0
}

// raiseFileLimit allows this process and its children a socket for each connection.
func raiseFileLimit(b *testing.B, conns int) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		b.Fatal(err)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		b.Fatal(err)
	}
	if limit.Cur < uint64(conns)+500 {
		b.Fatalf("%d connections need more than the %d open files allowed here (ulimit -Hn)", conns, limit.Cur)
	}
}

// swarmVar is the environment variable that makes the test binary a swarm of clients.
const swarmVar = "PANTHEON_TEST_SWARM"

const (
	swarmHub  = "hub"
	swarmNATS = "nats"
)

type swarmConfig struct {
	Kind string
	URLs []string // one for each client
}

// swarm is the process of the clients, seen from the server's.
type swarm struct {
	b     *testing.B
	cmd   *exec.Cmd
	in    io.Closer
	lines *bufio.Scanner
	errs  bytes.Buffer
}

func startSwarm(b *testing.B, cfg swarmConfig) *swarm {
	s := &swarm{b: b, cmd: exec.Command(os.Args[0])}
	s.cmd.Env = append(os.Environ(), swarmVar+"=1")
	s.cmd.Stderr = &s.errs
	in, err := s.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	s.in, s.lines = in, bufio.NewScanner(out)
	if err := json.NewEncoder(in).Encode(cfg); err != nil {
		b.Fatal(err)
	}
	s.waitFor(0)
	return s
}

// waitFor waits until the clients have received that many messages in total.
func (s *swarm) waitFor(messages int) {
	for s.lines.Scan() {
		if n, err := strconv.Atoi(s.lines.Text()); err == nil && n >= messages {
			return
		}
	}
	_ = s.cmd.Wait()
	s.b.Fatalf("clients ended before they had %d messages: %s", messages, s.errs.String())
}

func (s *swarm) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// runSwarm is the process of the clients. It reads its configuration from in and writes the number of received messages
// to out: 0 once all are connected, then the total after every full round of all clients. It ends when in ends.
func runSwarm(in io.Reader, out io.Writer) error {
	dec := json.NewDecoder(in)
	var cfg swarmConfig
	if err := dec.Decode(&cfg); err != nil {
		return err
	}
	members := make([]*member, len(cfg.URLs))
	var connecting errgroup.Group
	connecting.SetLimit(32)
	for i, address := range cfg.URLs {
		connecting.Go(func() (err error) {
			members[i], err = join(cfg.Kind, address)
			return err
		})
	}
	if err := connecting.Wait(); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	var total atomic.Int64
	var printing sync.Mutex
	fmt.Fprintln(out, 0)
	failed := make(chan error, len(members))
	for _, m := range members {
		go func() {
			failed <- m.receive(func() {
				if n := total.Add(1); n%int64(len(members)) == 0 {
					printing.Lock()
					defer printing.Unlock()
					fmt.Fprintln(out, n)
				}
			})
		}()
	}
	go func() { // the clients' acknowledgements, once a second as the vendor's client sends them
		for range time.Tick(time.Second) {
			for _, m := range members {
				m.acknowledge()
			}
		}
	}()
	over := make(chan struct{})
	go func() { _ = dec.Decode(new(any)); close(over) }()
	select {
	case err := <-failed:
		return err
	case <-over:
		return nil
	}
}

// member is one client of the swarm.
type member struct {
	kind  string
	conn  net.Conn
	r     *bufio.Reader
	seen  atomic.Uint64 // last sequenceId
	acked uint64
	burst int    // bursts received completely
	got   uint64 // the received messages of the next burst, one bit each
}

// check checks that payload is a message of the current burst that has not been received before.
func (m *member) check(payload []byte) error {
	number, _, _ := bytes.Cut(bytes.TrimPrefix(payload, []byte(payloadStart)), []byte(","))
	n, err := strconv.Atoi(string(number))
	if err != nil || n/burst != m.burst || m.got&(1<<(n%burst)) != 0 || !bytes.Equal(payload, benchPayload(n)) {
		return fmt.Errorf("after %d bursts and the messages %064b of the next came %q", m.burst, m.got, payload)
	}
	if m.got |= 1 << (n % burst); m.got == 1<<burst-1 {
		m.burst, m.got = m.burst+1, 0
	}
	return nil
}

// join connects a client and, with NATS, subscribes it.
func join(kind, address string) (*member, error) {
	protocol := ""
	if kind == swarmHub {
		protocol = protocolReliable
	}
	conn, br, err := dialRaw(context.Background(), address, protocol, nil)
	if err != nil {
		return nil, err
	}
	m := &member{kind: kind, conn: conn, r: bufio.NewReaderSize(io.MultiReader(io.LimitReader(br, int64(br.Buffered())), conn), 16<<10)}
	until := `"connected"`
	if kind == swarmNATS {
		until = "PONG"
		hello := "CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"go\",\"version\":\"0\",\"protocol\":1}\r\nSUB all 1\r\nPING\r\n"
		if err := wsutil.WriteClientBinary(conn, []byte(hello)); err != nil {
			return nil, err
		}
	}
	for {
		payload, err := m.frame(nil)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(payload, []byte(until)) {
			return m, nil
		}
	}
}

// frame returns the payload of the next frame, in buf if it fits.
func (m *member) frame(buf []byte) ([]byte, error) {
	h, err := ws.ReadHeader(m.r)
	if err != nil {
		return nil, err
	}
	if h.OpCode == ws.OpClose {
		return nil, errors.New("server closed")
	}
	buf = slices.Grow(buf[:0], int(h.Length))[:h.Length]
	_, err = io.ReadFull(m.r, buf)
	return buf, err
}

// receive checks every message and calls each for it, until the connection ends.
func (m *member) receive(each func()) error {
	var frame, stream []byte
	for {
		var err error
		if frame, err = m.frame(frame); err != nil {
			return err
		}
		if m.kind == swarmHub {
			if err := m.hubMessage(frame); err != nil {
				return err
			}
			each()
			continue
		}
		// NATS is a byte stream in frames of any length.
		stream = append(stream, frame...)
		for {
			rest, err := m.natsMessage(stream, each)
			if err != nil {
				return err
			}
			if len(rest) == len(stream) {
				break
			}
			stream = append(stream[:0], rest...)
		}
	}
}

// hubMessage checks a frame of the hub.
func (m *member) hubMessage(frame []byte) error {
	rest, ok := bytes.CutPrefix(frame, []byte(`{"sequenceId":`))
	number, rest, ok2 := bytes.Cut(rest, []byte(","))
	seq, err := strconv.ParseUint(string(number), 10, 64)
	payload, ok3 := bytes.CutPrefix(rest, []byte(`"type":"message","from":"server","dataType":"json","data":`))
	payload, ok4 := bytes.CutSuffix(payload, []byte("}"))
	if !ok || !ok2 || !ok3 || !ok4 || err != nil || seq <= m.seen.Load() {
		return fmt.Errorf("after sequence %d came %s", m.seen.Load(), frame)
	}
	m.seen.Store(seq)
	return m.check(payload)
}

// natsMessage checks the first message of stream, if it is complete, and returns what follows it.
func (m *member) natsMessage(stream []byte, each func()) ([]byte, error) {
	line, rest, ok := bytes.Cut(stream, []byte("\r\n"))
	switch {
	case !ok:
		return stream, nil
	case bytes.HasPrefix(line, []byte("INFO ")):
		return rest, nil
	case bytes.Equal(line, []byte("PING")):
		return rest, wsutil.WriteClientBinary(m.conn, []byte("PONG\r\n"))
	case !bytes.Equal(line, []byte("MSG all 1 200")):
		return nil, fmt.Errorf("unexpected line %q", line)
	case len(rest) < 202:
		return stream, nil
	}
	if err := m.check(rest[:200]); err != nil {
		return nil, err
	}
	each()
	return rest[202:], nil
}

// acknowledge sends a sequenceAck if there is something new.
func (m *member) acknowledge() {
	if seen := m.seen.Load(); m.kind == swarmHub && seen > m.acked {
		m.acked = seen
		_ = wsutil.WriteClientText(m.conn, fmt.Appendf(nil, `{"type":"sequenceAck","sequenceId":%d}`, seen)) // receive sees the failure
	}
}
