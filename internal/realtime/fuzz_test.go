package realtime

import (
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"pantheon/internal/kit/clock"
)

// sink is a connection that takes everything.
type sink struct{ net.Conn }

func (sink) Write(b []byte) (int, error) { return len(b), nil }
func (sink) Close() error                { return nil }

// FuzzInput feeds arbitrary bytes to a connection: it must neither panic nor hang nor keep much of them.
func FuzzInput(f *testing.F) {
	for _, text := range []string{
		`{"type":"ping"}`, `{"type":"joinGroup","group":"g","ackId":1}`, `{"type":"sequenceAck","sequenceId":18446744073709551615}`,
		`{"type":"sendToGroup","group":"g","ackId":2,"dataType":"binary","data":"aGk="}`, `{"type":"invoke","invocationId":"1"}`,
	} {
		f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(text)))))
	}
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(1000, "bye")))))
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewFrame(ws.OpText, false, []byte(`{"ty`)))))
	f.Add([]byte{0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	m, err := newMetrics(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		h := &Hub{clock: clock.System{}, logger: quietLogger(), metrics: m, limits: Limits{FrameBytes: 1000}.withDefaults(),
			log: eventLog{maxAge: time.Minute, maxBytes: 1 << 20}, sessions: map[string]*session{},
			byUser: map[string][]*session{}, byGroup: map[string][]*session{}}
		h.inbound.New = func() any { return new(bytes.Buffer) }
		s := &session{id: "c", user: "ada", frames: h.frameLimiter()}
		tr := &transport{h: h, s: s, conn: sink{}}
		s.t = tr
		h.register(s)
		if err := tr.read(bytes.NewReader(input)); err == nil {
			t.Error("reading ended without a reason")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.groups) > 0 {
			t.Error("joined a group without a role")
		}
	})
}
