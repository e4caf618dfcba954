package realtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// NATSConfig selects a NATS server. Exactly one of URL and DataDir is set.
type NATSConfig struct {
	URL     string       // addresses of an external server with JetStream, comma separated
	DataDir string       // data folder of an embedded server; created if missing
	Name    string       // the connection's name in the server's monitoring
	Wait    bool         // whether an external server that does not answer yet is waited for
	Logger  *slog.Logger // nil: slog.Default
}

// NATS is a connection to a NATS server and, if embedded, the server itself.
type NATS struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	embedded *embedded // nil when external
}

// natsStart is the timeout for an embedded server to become ready; it reads its data folder first.
const natsStart = 30 * time.Second

// embeddedStoreBytes bounds the data folder of an embedded server.
const embeddedStoreBytes = 2 << 30

// StartNATS starts an embedded server, which listens on no port, or connects to an external one. A lost connection to
// an external server is retried without limit. The caller closes the result.
func StartNATS(cfg NATSConfig) (*NATS, error) {
	if (cfg.URL == "") == (cfg.DataDir == "") {
		return nil, errors.New("realtime: set either the URL of a NATS server or a data folder for an embedded one")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	n := &NATS{}
	if cfg.DataDir != "" {
		s, err := startServer(cfg.DataDir, cfg.Logger)
		if err != nil {
			return nil, err
		}
		n.embedded = &embedded{dir: cfg.DataDir, log: cfg.Logger, server: s}
	}
	if err := n.connect(cfg); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// JetStream returns the interface to streams and buckets.
func (n *NATS) JetStream() jetstream.JetStream { return n.js }

// Peers are the other replicas, by a subject of core NATS: messages are sent at most once, and come back to their sender.
type Peers struct {
	conn    *nats.Conn
	subject string
}

// Peers returns the other replicas, for the messages of one topic.
func (n *NATS) Peers(topic string) *Peers { return &Peers{n.conn, "peers." + topic} }

// Send sends a message to all replicas. It fails at once while there is no connection.
func (p *Peers) Send(message []byte) error { return p.conn.Publish(p.subject, message) }

// Receive calls f with each message, one after the other, until stop is called.
func (p *Peers) Receive(f func(message []byte)) (stop func(), err error) {
	s, err := p.conn.Subscribe(p.subject, func(m *nats.Msg) { f(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("realtime: subscribe to %s: %w", p.subject, err)
	}
	return func() { _ = s.Unsubscribe() }, nil // fails only without a connection, which ends it too
}

// Close closes the connection and stops an embedded server, after all data is on disk.
func (n *NATS) Close() {
	if n.conn != nil {
		n.conn.Close()
	}
	if n.embedded != nil {
		n.embedded.stop()
	}
}

// Reopen restarts an embedded server; an external one is left alone. It returns why it cannot, and ErrDiskFull while there is no space.
func (n *NATS) Reopen() error {
	if n.embedded == nil {
		return errors.ErrUnsupported
	}
	return n.embedded.reopen()
}

// ErrDiskFull means that the disk of an embedded server has no space left.
var ErrDiskFull = errors.New("the disk of the message server is full")

// reopenSpace is the space, in bytes, below which an embedded server is not started again.
const reopenSpace = 8 << 20

// embedded is a server inside the process. It is safe for concurrent use.
type embedded struct {
	dir string
	log *slog.Logger

	mu     sync.Mutex
	server *server.Server
	closed bool
}

// InProcessConn implements nats.InProcessConnProvider, for the server that runs now.
func (e *embedded) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server.InProcessConn()
}

// reopen restarts the server. The connection reconnects to the new one.
func (e *embedded) reopen() error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(e.dir, &disk); err == nil && disk.Bavail*uint64(disk.Bsize) < reopenSpace {
		return ErrDiskFull
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.server.Shutdown()
	e.server.WaitForShutdown()
	s, err := startServer(e.dir, e.log)
	if err == nil {
		e.server = s
	}
	return err
}

func (e *embedded) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

func (n *NATS) connect(cfg NATSConfig) error {
	options := []nats.Option{
		nats.Name(cfg.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.ReconnectBufSize(-1), // while the connection is down, publishing fails at once
		// A server that is silent is noticed soon: until then publishing may block.
		nats.FlusherTimeout(2 * time.Second), nats.ReconnectOnFlusherError(),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(newErrorLog(cfg.Logger).handle),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				cfg.Logger.Warn("connection to NATS lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { cfg.Logger.Info("connection to NATS is back") }),
		nats.ConnectHandler(func(*nats.Conn) { cfg.Logger.Info("connected to NATS") }),
		nats.RetryOnFailedConnect(cfg.Wait && n.embedded == nil),
	}
	if n.embedded != nil {
		options = append(options, nats.InProcessServer(n.embedded))
	}
	var err error
	if n.conn, err = nats.Connect(cfg.URL, options...); err != nil {
		return fmt.Errorf("realtime: connect to NATS: %w", err)
	}
	if n.js, err = jetstream.New(n.conn, jetstream.WithPublishAsyncTimeout(publishTimeout)); err != nil {
		return fmt.Errorf("realtime: JetStream: %w", err)
	}
	return nil
}

func startServer(dir string, logger *slog.Logger) (*server.Server, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("realtime: embedded NATS: %w", err)
	}
	s, err := server.NewServer(&server.Options{
		ServerName:             "pantheon",
		DontListen:             true,
		JetStream:              true,
		StoreDir:               dir,
		SyncInterval:           time.Second, // a power failure may lose this much; a crash of the process loses nothing
		JetStreamMaxMemory:     64 << 20,
		JetStreamMaxStore:      embeddedStoreBytes,
		DisableJetStreamBanner: true,
		NoSigs:                 true,
	})
	if err != nil {
		return nil, fmt.Errorf("realtime: embedded NATS: %w", err)
	}
	log := &natsLog{log: logger.With("component", "nats")}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	stop := func(format string, v ...any) (*server.Server, error) {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("realtime: embedded NATS "+format, v...)
	}
	// The server reports a fatal error only through its log.
	if fatal := log.fatal.Load(); fatal != nil {
		return stop("does not start: %s", *fatal)
	}
	if !s.ReadyForConnections(natsStart) {
		return stop("is not ready after %v; see the log", natsStart)
	}
	return s, nil
}

// errorLog logs the asynchronous errors of a connection, such as missing permissions. It omits repetitions of the last one.
type errorLog struct {
	log  *slog.Logger
	last atomic.Pointer[string]
}

func newErrorLog(log *slog.Logger) *errorLog { return &errorLog{log: log} }

func (l *errorLog) handle(_ *nats.Conn, _ *nats.Subscription, err error) {
	text := err.Error()
	if before := l.last.Swap(&text); before == nil || *before != text {
		l.log.Warn("NATS reports an error", "error", err)
	}
}

// natsLog passes on the relevant messages of the embedded server.
type natsLog struct {
	log   *slog.Logger
	fatal atomic.Pointer[string] // the last fatal error
}

func (l *natsLog) Noticef(format string, v ...any) { l.write(slog.LevelDebug, format, v) }
func (l *natsLog) Warnf(format string, v ...any)   { l.write(slog.LevelWarn, format, v) }
func (l *natsLog) Errorf(format string, v ...any)  { l.write(slog.LevelError, format, v) }
func (l *natsLog) Debugf(format string, v ...any)  { l.write(slog.LevelDebug, format, v) }
func (l *natsLog) Tracef(format string, v ...any)  { l.write(slog.LevelDebug, format, v) }

func (l *natsLog) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.fatal.Store(&text)
	l.write(slog.LevelError, format, v)
}

func (l *natsLog) write(level slog.Level, format string, v []any) {
	l.log.Log(context.Background(), level, strings.TrimSpace(fmt.Sprintf(format, v...)))
}
