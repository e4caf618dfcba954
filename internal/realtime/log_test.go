package realtime

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

func newLog() *eventLog { return &eventLog{maxAge: time.Minute, maxBytes: 1 << 20} }

func TestLog_ForgetsByAgeAndBySize(t *testing.T) {
	t.Parallel()
	l := newLog()
	for i := range 10 {
		l.append(entry{seq: uint64(i + 1), at: int64(i) * 10_000, kind: toEveryone}, []byte(`"type":"message"}`))
	}
	// At 90 s the entries of 30 s and later are at most a minute old.
	if _, ok := l.after(2); ok {
		t.Error("replays from before the oldest entry")
	}
	if entries, ok := l.after(3); !ok || len(entries) != 7 || entries[0].seq != 4 {
		t.Errorf("after 3: %d entries, %v", len(entries), ok)
	}
	if entries, ok := l.after(99); !ok || len(entries) != 0 {
		t.Errorf("after what is yet to come: %d entries, %v", len(entries), ok)
	}
	l.append(entry{seq: 11, at: 90_000, kind: toEveryone}, bytes.Repeat([]byte("x"), 2<<20))
	if entries, ok := l.after(11); !ok || len(entries) != 0 || len(l.entries) != 0 || l.bytes != 0 {
		t.Error("keeps more than its size allows")
	}
	l.trim(1_000_000)
	if l.floor != 11 || l.head.Load() != 11 {
		t.Errorf("floor %d, head %d", l.floor, l.head.Load())
	}
}

func TestLog_StartsAnewAtAGap(t *testing.T) {
	t.Parallel()
	l := newLog()
	for _, seq := range []uint64{5, 6, 6, 5, 9} {
		l.append(entry{seq: seq, kind: toEveryone}, []byte(`}`))
	}
	if entries, ok := l.after(8); !ok || len(entries) != 1 || entries[0].seq != 9 {
		t.Errorf("after the gap: %v, %v", entries, ok)
	}
	if _, ok := l.after(6); ok {
		t.Error("replays across the gap")
	}
}

func TestLog_NeighbouringFramesAreWrittenAsOneSlice(t *testing.T) {
	t.Parallel()
	l := &eventLog{maxAge: time.Minute, maxBytes: 1 << 30}
	s := &session{user: "ada", reliable: true}
	tr := &transport{s: s}
	s.t = tr
	var want []byte
	const n = 5000 // several chunks
	for i := range n {
		e := entry{seq: uint64(i + 1), kind: toEveryone}
		if i%7 == 6 {
			e.kind, e.target = toUser, "bob"
		}
		tail := fmt.Appendf(nil, `"type":"message","data":"%0*d"}`, i%300, i)
		l.append(e, tail)
		if e.kind == toEveryone {
			want = append(want, ws.MustCompileFrame(ws.NewTextFrame(fmt.Appendf(nil, `{"sequenceId":%d,%s`, i+1, tail)))...)
		}
	}
	var got []byte
	count := 0
	for {
		data, k, ok := s.next(tr, l)
		if !ok {
			t.Fatal("lost what is there")
		}
		if len(data) == 0 {
			break
		}
		if len(data) > batchBytes {
			t.Fatalf("a write of %d bytes", len(data))
		}
		got = append(got, data...)
		count += k
	}
	if !bytes.Equal(got, want) || count != n-n/7 {
		t.Errorf("%d messages in %d bytes, want %d in %d", count, len(got), n-n/7, len(want))
	}
}

func TestLog_CursorDoesNotPassTheEndOfASession(t *testing.T) {
	t.Parallel()
	l := newLog()
	s := &session{user: "ada", sid: "s-1", reliable: true}
	s.t = &transport{s: s}
	l.append(entry{seq: 1, kind: toEveryone}, []byte(`}`))
	l.append(entry{seq: 2, kind: closeSession, target: "s-1"}, nil)
	l.append(entry{seq: 3, kind: toEveryone}, []byte(`}`))
	if _, n, ok := s.next(s.t, l); !ok || n != 1 {
		t.Errorf("%d messages, want the one before the end", n)
	}
	s.acknowledge(1)
	if got := s.position(); got != 1 || !s.isClosed(l) {
		t.Errorf("position %d: whoever recovers the session would not find that it ended", got)
	}
}
