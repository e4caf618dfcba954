package realtime

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"runtime"
	"sync/atomic"
	"unicode/utf8"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// readBuffer holds typical frames of clients; larger ones bypass it.
const readBuffer = 256

// maxControlBytes bounds the pending control frames of a slow connection; beyond it the connection is dropped.
const maxControlBytes = 64 << 10

// transport is one WebSocket connection of a session.
type transport struct {
	flushing atomic.Bool // a flush is running; first, because a broadcast reads it for every connection
	h        *Hub
	s        *session
	conn     net.Conn
	index    int // in h.transports; guarded by h.mu

	heard   atomic.Int64 // when the last frame came in, milliseconds
	writing atomic.Int64 // when the current write began, milliseconds; 0 if there is none

	// Guarded by s.mu.
	out     []byte // control frames to be written
	closing int64  // when a close frame was queued, milliseconds; nothing follows it
}

// wake ensures that a flush checks the session after this call. There is no writing goroutine while there is
// nothing to write.
func (t *transport) wake() {
	if t.flushing.Load() || !t.flushing.CompareAndSwap(false, true) {
		return
	}
	go t.flush()
}

// flush writes until nothing is left.
func (t *transport) flush() {
	// Yield to other goroutines first: under load that brings in further messages, which then share a write.
	// A write costs far more than a message, so this halves the CPU time of a busy hub; an idle one is unaffected.
	runtime.Gosched()
	h, s := t.h, t.s
	for {
		data, n, ok := s.next(t, &h.log)
		if !ok {
			h.end(s, closePolicy, "too far behind", endOverflow)
			continue // writes the close frame
		}
		if len(data) == 0 {
			if t.isFinished() {
				// Close only our side: the client reads the close frame before the end of the stream, and closes its
				// side in response.
				if half, ok := t.conn.(interface{ CloseWrite() error }); ok {
					_ = half.CloseWrite()
				}
				return
			}
			t.flushing.Store(false)
			// Something may have arrived between the check and the store, when its wake found a flush running.
			if !s.unsent(t, &h.log) || !t.flushing.CompareAndSwap(false, true) {
				return
			}
			continue
		}
		t.writing.Store(h.now())
		_, err := t.conn.Write(data)
		t.writing.Store(0)
		if err != nil {
			// The reading goroutine sees the closed connection and detaches it; flushing stays set, so that
			// no other flush writes.
			_ = t.conn.Close()
			return
		}
		h.metrics.sent.Add(float64(n))
	}
}

// control queues a control frame or an answer to a request of the client.
func (t *transport) control(frame []byte) {
	t.s.mu.Lock()
	full := len(t.out)+len(frame) > maxControlBytes
	if !full && t.closing == 0 {
		t.out = append(t.out, frame...)
	}
	t.s.mu.Unlock()
	if full {
		_ = t.conn.Close()
		return
	}
	t.wake()
}

// answer queues a JSON message that has no sequenceId.
func (t *transport) answer(m any) { t.control(appendMessage(nil, m)) }

// shut queues the close frame, preceded by a message with the reason if the client must not resume the
// session. The connection ends when the client has closed its side, or after [Limits.CloseWait].
func (t *transport) shut(code closeCode, reason string) {
	t.s.mu.Lock()
	if t.closing == 0 {
		if code == closePolicy {
			t.out = appendMessage(t.out, disconnectedMessage{Type: "system", Event: "disconnected", Message: reason})
		}
		t.out = appendClose(t.out, code, reason)
		t.closing = t.h.now()
	}
	t.s.mu.Unlock()
	t.wake()
}

// isClosing reports whether a close frame was queued.
func (t *transport) isClosing() bool {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.closing != 0
}

// isFinished reports whether the close frame and everything queued before it was handed to the writer.
func (t *transport) isFinished() bool {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.closing != 0 && len(t.out) == 0
}

// errGoodbye is returned by read when the client has closed the session on purpose.
var errGoodbye = errors.New("realtime: client said goodbye")

// closeError is a reason to close the connection that was caused by the client's input.
type closeError struct {
	code   closeCode
	reason string
}

func (e closeError) Error() string { return e.reason }

// read handles frames until the connection ends, and returns why.
func (t *transport) read(source io.Reader) error {
	err := t.readFrames(source)
	var refused closeError
	var broken ws.ProtocolError
	switch {
	case errors.As(err, &refused):
		t.refuse(refused)
	case errors.As(err, &broken):
		t.refuse(closeError{closeProtocolError, "protocol error"})
	case errors.Is(err, wsutil.ErrMessageTooLarge):
		t.refuse(closeError{closeTooBig, "message too big"})
	}
	if t.isClosing() {
		// Closing with unread input would reset the connection and could discard the close frame.
		_, _ = io.Copy(io.Discard, source)
	}
	return err
}

// refuse closes the connection because of the client's input, and the session if the code requires it.
func (t *transport) refuse(why closeError) {
	if why.code == closePolicy {
		t.h.end(t.s, why.code, why.reason, endAbuse)
		return
	}
	t.shut(why.code, why.reason)
}

func (t *transport) readFrames(source io.Reader) error {
	limit := int64(t.h.limits.FrameBytes)
	r := wsutil.Reader{
		Source:         bufio.NewReaderSize(source, readBuffer),
		State:          ws.StateServerSide,
		MaxMessageSize: limit,
		OnIntermediate: t.controlFrame,
	}
	for {
		header, err := r.NextFrame()
		if err != nil {
			return err
		}
		t.heard.Store(t.h.now())
		switch {
		case header.OpCode.IsControl():
			if err := t.controlFrame(header, &r); err != nil {
				return err
			}
		case header.OpCode == ws.OpText:
			if err := t.textMessage(&r); err != nil {
				return err
			}
		default:
			return closeError{closeUnsupported, "only text is understood"}
		}
	}
}

// textMessage reads and handles one message.
func (t *transport) textMessage(r io.Reader) error {
	buf := t.h.inbound.Get().(*bytes.Buffer)
	defer t.h.inbound.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		return err
	}
	var in inbound
	if !utf8.Valid(buf.Bytes()) || json.Unmarshal(buf.Bytes(), &in) != nil {
		return closeError{closeInvalidData, "not a valid message"}
	}
	if t.isClosing() {
		return nil
	}
	return t.h.handle(t, &in)
}

// controlFrame answers a WebSocket ping or close frame.
func (t *transport) controlFrame(header ws.Header, r io.Reader) error {
	payload := make([]byte, header.Length)
	if _, err := io.ReadFull(r, payload); err != nil {
		return err
	}
	switch header.OpCode {
	case ws.OpPing:
		t.control(appendFrame(nil, opPong, payload))
	case ws.OpClose:
		code := closeNormal
		if len(payload) >= 2 {
			code = closeCode(binary.BigEndian.Uint16(payload))
		}
		if t.isClosing() {
			return io.EOF // the response to our own
		}
		t.shut(code, "")
		// A page that closes sends a code; a client whose keep-alive timed out sends none and wants to recover.
		if len(payload) >= 2 && (code == closeNormal || code == closeGoingAway) {
			return errGoodbye
		}
		return io.EOF
	}
	return nil
}
