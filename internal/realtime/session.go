package realtime

import (
	"sync"

	"golang.org/x/time/rate"
)

// session is a client's state across connections: its user, its groups and its position.
type session struct {
	id       string // connection id
	user     string
	sid      string // server session the access token was bound to
	issued   int64  // when the access token was made, milliseconds
	roles    []string
	secret   [32]byte // SHA-256 of the reconnection token
	reliable bool

	frames *rate.Limiter // inbound frames

	record sync.Mutex // serialises writes of the record; taken before mu
	rev    uint64     // revision of the record last written; guarded by record

	mu      sync.Mutex
	t       *transport
	token   string            // the reconnection token, as sent; empty until known
	groups  map[string]uint64 // joined groups, each with the sequence number of the join
	sent    uint64            // the current connection was sent everything up to here
	last    uint64            // sequence number of the last message written to the current connection
	acked   uint64            // the client needs nothing up to here; valid while below last
	lost    int64             // when the connection was lost, milliseconds; 0 while connected
	saved   uint64            // position in the record last written
	savedAt int64             // when that was, milliseconds
	ended   bool
}

// wants reports whether e is a message for this session. The caller holds s.mu.
func (s *session) wants(e *entry) bool {
	switch e.kind {
	case toEveryone:
		return true
	case toUser:
		return e.target == s.user
	case toGroup:
		joined, ok := s.groups[e.target]
		return ok && e.seq > joined && e.exclude != s.id
	default:
		return false
	}
}

// closedBy reports whether e ends this session.
func (s *session) closedBy(e *entry) bool {
	switch e.kind {
	case closeUser:
		return e.target == s.user && s.issued <= e.until
	case closeSession:
		return e.target == s.sid
	default:
		return false
	}
}

// position returns the sequence number up to which the client needs nothing more. The caller holds s.mu.
func (s *session) position() uint64 {
	if !s.reliable || s.acked >= s.last {
		return s.sent
	}
	return s.acked
}

// rewind makes the next connection start after seq. The caller holds s.mu, or has exclusive access to s.
func (s *session) rewind(seq uint64) { s.sent, s.last, s.acked = seq, seq, seq }

// acknowledge records that the client has seen everything up to seq, and reports whether seq is new.
func (s *session) acknowledge(seq uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq <= s.acked || seq > s.last {
		return false
	}
	s.acked = seq
	return true
}

// keepsUp reports whether everything after the session's position is still in the log and within the limits. The caller
// holds s.mu.
func (s *session) keepsUp(l *eventLog, lim *Limits) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	entries, ok := l.after(s.position())
	if !ok || len(entries) <= lim.PendingMessages && l.bytes <= lim.PendingBytes {
		return ok
	}
	messages, bytes := 0, 0
	for i := range entries {
		if e := &entries[i]; s.wants(e) {
			messages++
			bytes += len(e.frame)
		}
	}
	return messages <= lim.PendingMessages && bytes <= lim.PendingBytes
}

// isClosed reports whether an entry after the session's position ends it. The caller holds s.mu.
func (s *session) isClosed(l *eventLog) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	entries, _ := l.after(s.position())
	for i := range entries {
		if s.closedBy(&entries[i]) {
			return true
		}
	}
	return false
}

// transport returns the session's current connection, or nil.
func (s *session) transport() *transport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.t
}

// batchBytes bounds the size of one write, and with it how long a flush keeps its buffer.
const batchBytes = 64 << 10

// next returns the bytes to write to t now: pending control frames, then messages up to batchBytes; n counts the
// messages. The result may be a part of the shared log and must not be modified. It reports false when the log no
// longer contains what the session needs.
func (s *session) next(t *transport, l *eventLog) (data []byte, n int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.t != t {
		return nil, 0, true
	}
	buf := t.out
	t.out = nil
	if t.closing != 0 {
		return buf, 0, true
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	entries, ok := l.after(s.sent)
	if !ok {
		return nil, 0, false
	}
	var run []byte // frames contiguous in memory, not yet in buf
	for i := range entries {
		e := &entries[i]
		if s.closedBy(e) {
			break // the position stays before it, so that a recovered session finds it too
		}
		if !s.wants(e) {
			s.sent = e.seq
			continue
		}
		if n > 0 && len(buf)+len(run)+len(e.frame) > batchBytes {
			break
		}
		if s.acked >= s.last {
			s.acked = s.sent // entries skipped since the last message need no acknowledgement
		}
		s.sent, s.last = e.seq, e.seq
		n++
		if !s.reliable {
			buf = e.appendPlain(buf)
			continue
		}
		if longer, ok := joined(run, e.frame); ok {
			run = longer
			continue
		}
		buf = append(buf, run...)
		run = e.frame
	}
	if len(buf) == 0 {
		return run, n, true
	}
	return append(buf, run...), n, true
}

// unsent reports whether a flush of t would have anything to do.
func (s *session) unsent(t *transport, l *eventLog) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.t == t && (len(t.out) > 0 || t.closing == 0 && s.sent < l.head.Load())
}
