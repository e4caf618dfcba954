package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"pantheon/internal/config"
	"pantheon/internal/testkit"
)

// listenEncrypted serves a handler by https with the limits until the test ends, and returns the address.
func listenEncrypted(t *testing.T, limits config.HTTP, handler http.Handler) (*App, string) {
	t.Helper()
	a := gated(limits)
	server, err := a.newServer(handler)
	if err != nil {
		t.Fatal(err)
	}
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{testkit.AuthorityCertificate()}}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.ServeTLS(a.gate.guard(l), "", "") }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return a, l.Addr().String()
}

// dialEncrypted opens a connection with a deadline that speaks a protocol.
func dialEncrypted(t *testing.T, address, protocol string) *tls.Conn {
	t.Helper()
	conn := tls.Client(dial(t, address), &tls.Config{
		RootCAs: testkit.AuthorityTrust(), ServerName: "127.0.0.1", NextProtos: []string{protocol},
	})
	if err := conn.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := conn.ConnectionState().NegotiatedProtocol; got != protocol {
		t.Fatalf("the server speaks %q, not %q", got, protocol)
	}
	return conn
}

// streams is an HTTP/2 connection on which a test reads and writes frames itself.
type streams struct {
	*testing.T
	*http2.Framer
}

// dialStreams opens a connection whose streams accept so many bytes of a response.
func dialStreams(t *testing.T, address string, window uint32) *streams {
	t.Helper()
	conn := dialEncrypted(t, address, "h2")
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	s := &streams{t, http2.NewFramer(conn, conn)}
	s.must(s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window}))
	s.must(s.WriteSettingsAck())
	return s
}

func (s *streams) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// request begins a request on a stream; a request that has a body sends none of it.
func (s *streams) request(stream uint32, method string) {
	s.Helper()
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, f := range []hpack.HeaderField{
		{Name: ":method", Value: method}, {Name: ":scheme", Value: "https"}, {Name: ":path", Value: "/"},
		{Name: ":authority", Value: "portal.example"},
	} {
		s.must(encoder.WriteField(f))
	}
	s.must(s.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: method == http.MethodGet,
	}))
}

// await reads frames until one is the wanted one, and answers pings.
func (s *streams) await(what string, is func(http2.Frame) bool) {
	s.Helper()
	for {
		f, err := s.ReadFrame()
		if err != nil {
			s.Fatalf("%s: %v", what, err)
		}
		if is(f) {
			return
		}
		if ping, ok := f.(*http2.PingFrame); ok && !ping.IsAck() {
			s.must(s.WritePing(true, ping.Data))
		}
	}
}

// answerPings answers the server's pings until the connection ends.
func (s *streams) answerPings() {
	for {
		f, err := s.ReadFrame()
		if err != nil {
			return
		}
		if ping, ok := f.(*http2.PingFrame); ok && !ping.IsAck() && s.WritePing(true, ping.Data) != nil {
			return
		}
	}
}

// By HTTP/2 a client that reads nothing holds back its stream only: its handler must not be held forever, and the connection goes on.
// Spec: API-6
func TestServer_DisconnectsStreamsThatDoNotRead(t *testing.T) {
	t.Parallel()
	gaveUp := make(chan error, 1)
	_, address := listenEncrypted(t, config.HTTP{Connections: 10, StallTimeout: time.Second},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				return
			}
			_, err := w.Write(make([]byte, 1<<20))
			gaveUp <- err
		}))
	s := dialStreams(t, address, 10)
	s.request(1, http.MethodGet)
	s.await("the stream is not reset", func(f http2.Frame) bool {
		reset, ok := f.(*http2.RSTStreamFrame)
		return ok && reset.StreamID == 1
	})
	select {
	case err := <-gaveUp:
		if !errors.Is(err, os.ErrDeadlineExceeded) && !strings.Contains(err.Error(), "http2: stream closed") {
			t.Errorf("writing ended with %v", err)
		}
	case <-time.After(startTimeout):
		t.Fatal("a client that reads nothing holds its handler")
	}
	s.request(3, http.MethodHead)
	s.await("the connection is of no use", func(f http2.Frame) bool {
		headers, ok := f.(*http2.HeadersFrame)
		return ok && headers.StreamID == 3
	})
}

// A response that takes longer than the limit arrives, as long as its reader goes on.
func TestServer_LongResponsesArriveOnStreams(t *testing.T) {
	t.Parallel()
	const size, window = 8 * writeStep, 16 << 10
	_, address := listenEncrypted(t, config.HTTP{Connections: 10, StallTimeout: time.Second},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, size)) }))
	s := dialStreams(t, address, window)
	s.request(1, http.MethodGet)
	tick := time.NewTicker(100 * time.Millisecond) // the reader's pace, not a wait for a condition
	defer tick.Stop()
	read := 0
	s.await("the response is cut off", func(f http2.Frame) bool {
		if reset, ok := f.(*http2.RSTStreamFrame); ok {
			t.Fatalf("after %d bytes: %s", read, reset.ErrCode)
		}
		data, ok := f.(*http2.DataFrame)
		if !ok {
			return false
		}
		if n := len(data.Data()); n > 0 {
			read += n
			<-tick.C
			s.must(s.WriteWindowUpdate(1, uint32(n)))
			s.must(s.WriteWindowUpdate(0, uint32(n)))
		}
		return data.StreamEnded()
	})
	if read != size {
		t.Errorf("%d bytes", read)
	}
}

// Spec: API-6
func TestServer_EndsStreamsThatSendNoBody(t *testing.T) {
	t.Parallel()
	gaveUp := make(chan error, 1)
	_, address := listenEncrypted(t, config.HTTP{Connections: 10, StallTimeout: time.Second},
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			gaveUp <- err
		}))
	s := dialStreams(t, address, 1<<16)
	s.request(1, http.MethodPost)
	go s.answerPings()
	select {
	case err := <-gaveUp:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("reading ended with %v", err)
		}
	case <-time.After(startTimeout):
		t.Fatal("a client that sends nothing holds its handler")
	}
}

// Spec: API-6
func TestServer_RequestsOfAConnectionAreBounded(t *testing.T) {
	t.Parallel()
	_, address := listenEncrypted(t, config.HTTP{Connections: 10, StallTimeout: time.Minute},
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	s := dialStreams(t, address, 1<<16)
	for i := range uint32(101) {
		s.request(2*i+1, http.MethodGet)
	}
	s.await("the hundred-first request is accepted", func(f http2.Frame) bool {
		reset, ok := f.(*http2.RSTStreamFrame)
		return ok && reset.StreamID == 201
	})
}

// A connection that its handler has taken over, as the realtime channel does, is no longer one of the server's.
func TestServer_TakenOverConnectionsAreNotCounted(t *testing.T) {
	t.Parallel()
	a, address := listenEncrypted(t, config.HTTP{Connections: 1, StallTimeout: time.Minute},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, "taken over\n")
			context.AfterFunc(t.Context(), func() { _ = conn.Close() })
		}))
	for range 3 {
		conn := dialEncrypted(t, address, "http/1.1")
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: portal.example\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, 11)); err != nil {
			t.Fatalf("with one connection taken over: %v", err)
		}
		testkit.Eventually(t, startTimeout, func() bool { return a.gate.count() == 0 }, "it is counted")
	}
}
