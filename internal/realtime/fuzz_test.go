package realtime

import (
	"bytes"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"pantheon/internal/kit/clock"
)

// sink is a connection that discards all writes.
type sink struct{ net.Conn }

func (sink) Write(b []byte) (int, error) { return len(b), nil }
func (sink) Close() error                { return nil }

// FuzzHub_Frames sends arbitrary bytes to two connections, of a client that may join groups and of one that may not:
// they must neither panic nor hang, and their state is bounded.
func FuzzHub_Frames(f *testing.F) {
	text := func(messages ...string) (frames []byte) {
		for _, m := range messages {
			frames = append(frames, ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(m))))...)
		}
		return frames
	}
	for _, m := range []string{
		`{"type":"ping"}`, `{"type":"joinGroup","group":"g","ackId":1}`, `{"type":"leaveGroup","group":"g","ackId":18446744073709551615}`,
		`{"type":"sequenceAck","sequenceId":18446744073709551615}`, `{"type":"sequenceAck","sequenceId":-1}`,
		`{"type":"sendToGroup","group":"g","ackId":2,"dataType":"binary","data":"aGk="}`,
		`{"type":"event","event":"e","ackId":4,"dataType":"json","data":{}}`,
		`{"type":"invoke","invocationId":"1","target":"event"}`, `{"type":"cancelInvocation","invocationId":"1"}`, `{"type":"none of ours"}`,
		`{"type":7}`, `[]`, `null`, `{"type":"ping"`, "{\"type\":\"\xff\"}", `{"type":"joinGroup","group":""}`,
		`{"type":"joinGroup","group":"` + strings.Repeat("g", 900) + `"}`,
	} {
		f.Add(text(m))
	}
	f.Add(text(slices.Repeat([]string{`{"type":"ping"}`}, 300)...)) // more than a burst
	var many []string
	for n := range 150 {
		many = append(many, `{"type":"joinGroup","group":"`+strconv.Itoa(n)+`","ackId":`+strconv.Itoa(n)+`}`)
	}
	f.Add(text(many...)) // more groups than there may be
	for _, frame := range []ws.Frame{
		ws.NewCloseFrame(ws.NewCloseFrameBody(1000, "bye")), ws.NewCloseFrame([]byte{3}), ws.NewPingFrame([]byte("ping")), ws.NewPongFrame(nil),
		ws.NewFrame(ws.OpText, false, []byte(`{"ty`)), ws.NewFrame(ws.OpContinuation, true, []byte(`pe":"ping"}`)),
		ws.NewBinaryFrame([]byte("x")),
		ws.NewTextFrame(make([]byte, 2000)), // too long
	} {
		f.Add(ws.MustCompileFrame(ws.MaskFrame(frame)))
	}
	f.Add(append(ws.MustCompileFrame(ws.MaskFrame(ws.NewFrame(ws.OpText, false, []byte(`{"type":`)))),
		ws.MustCompileFrame(ws.MaskFrame(ws.NewFrame(ws.OpContinuation, true, []byte(`"ping"}`))))...))
	f.Add(ws.MustCompileFrame(ws.NewTextFrame([]byte(`{"type":"ping"}`))))    // not masked
	f.Add([]byte{0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}) // a length of 2^64-1
	f.Add([]byte{0xF1, 0x80, 0, 0, 0, 0})                                     // reserved bits
	f.Add([]byte{0x89, 0xFE, 0x01, 0x00, 0, 0, 0, 0})                         // a control frame of 256 bytes
	m, err := newMetrics(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, roles := range [][]string{nil, {RoleJoinLeaveGroup}} {
			h := &Hub{clock: clock.System{}, logger: quietLogger(), metrics: m, limits: Limits{FrameBytes: 1000}.withDefaults(),
				log: eventLog{maxAge: time.Minute, maxBytes: 1 << 20}, sessions: map[string]*session{},
				byUser: map[string][]*session{}, byGroup: map[string][]*session{}}
			h.inbound.New = func() any { return new(bytes.Buffer) }
			s := &session{id: "c", user: "ada", frames: h.frameLimiter(), roles: roles}
			tr := &transport{h: h, s: s, conn: sink{}}
			s.t = tr
			h.register(s)
			if err := tr.read(bytes.NewReader(input)); err == nil {
				t.Error("reading ended without a reason")
			}
			s.mu.Lock()
			if roles == nil && len(s.groups) > 0 || len(s.groups) > 128 {
				t.Errorf("with the roles %v in %d groups", roles, len(s.groups))
			}
			for group := range s.groups {
				if group == "" || len(group) > 1024 {
					t.Errorf("in a group named %q", group)
				}
			}
			if len(tr.out) > 64<<10 || s.acked > s.last || s.sent != 0 {
				t.Errorf("%d bytes wait, the session is at %d, %d, %d", len(tr.out), s.acked, s.last, s.sent)
			}
			s.mu.Unlock()
		}
	})
}
