package realtime

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// kind is the recipient and effect of a log entry.
type kind uint8

const (
	toEveryone kind = iota + 1
	toUser
	toGroup
	closeUser    // ends every session of a user
	closeSession // ends every connection of one server session
)

// entry is one message of the stream in the replica's log. Entries are immutable.
type entry struct {
	seq     uint64
	at      int64 // arrival, milliseconds
	kind    kind
	tail    uint16 // offset in frame of the JSON after the sequenceId
	target  string // user, group or server session; empty for everyone
	exclude string // connection id that must not receive it (noEcho)
	until   int64  // for closeUser: access tokens issued later are valid, milliseconds
	frame   []byte // a whole WebSocket text frame; nil for the closing kinds
}

// eventLog is the latest part of the stream, shared by all sessions of the replica. It is bounded by age and by bytes.
// Its entries have consecutive sequence numbers: a gap empties it first.
type eventLog struct {
	maxAge   time.Duration
	maxBytes int

	head atomic.Uint64 // sequence of the newest entry

	mu      sync.RWMutex
	floor   uint64 // entries above it are retained; a session at or above it can replay what it missed
	entries []entry
	bytes   int
	chunk   []byte // frames are laid out contiguously here, so that consecutive ones can be written as one slice
}

// chunkSize is how many bytes of frames share one allocation.
const chunkSize = 256 << 10

// restart empties the log and sets its position to seq.
func (l *eventLog) restart(seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.restartLocked(seq)
}

func (l *eventLog) restartLocked(seq uint64) {
	l.entries, l.bytes, l.floor = nil, 0, seq
	l.head.Store(seq)
}

// append adds an entry whose JSON, after the sequenceId, is tail, and drops entries beyond the limits. It reports
// false for a sequence number it already has.
func (l *eventLog) append(e entry, tail []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	head := l.head.Load()
	if e.seq <= head {
		return false
	}
	if e.seq != head+1 {
		l.restartLocked(e.seq - 1)
	}
	if len(tail) > 0 {
		e.frame, e.tail = l.encode(e.seq, tail)
	}
	l.entries = append(l.entries, e)
	l.bytes += len(e.frame)
	l.head.Store(e.seq)
	l.trimLocked(e.at)
	return true
}

// trim drops entries older than the log's age at now, in milliseconds.
func (l *eventLog) trim(now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trimLocked(now)
}

func (l *eventLog) trimLocked(now int64) {
	oldest := now - l.maxAge.Milliseconds()
	n := 0
	for n < len(l.entries) && (l.entries[n].at < oldest || l.bytes > l.maxBytes) {
		l.bytes -= len(l.entries[n].frame)
		l.floor = l.entries[n].seq
		n++
	}
	clear(l.entries[:n]) // releases their chunks
	l.entries = l.entries[n:]
}

// after returns the entries above seq, and whether all of them are retained. The caller holds l.mu.
func (l *eventLog) after(seq uint64) ([]entry, bool) {
	if seq < l.floor {
		return nil, false
	}
	return l.entries[min(seq-l.floor, uint64(len(l.entries))):], true
}

// encode lays out the frame {"sequenceId":seq,<tail> in the current chunk. The caller holds l.mu.
func (l *eventLog) encode(seq uint64, tail []byte) ([]byte, uint16) {
	var num [len(sequencePrefix) + 21]byte
	prefix := append(num[:0], sequencePrefix...)
	prefix = strconv.AppendUint(prefix, seq, 10)
	prefix = append(prefix, ',')
	size := maxHeaderSize + len(prefix) + len(tail)
	if cap(l.chunk)-len(l.chunk) < size {
		l.chunk = make([]byte, 0, max(chunkSize, size))
	}
	start := len(l.chunk)
	l.chunk = appendHeader(l.chunk, opText, len(prefix)+len(tail))
	l.chunk = append(l.chunk, prefix...)
	offset := len(l.chunk) - start
	l.chunk = append(l.chunk, tail...)
	return l.chunk[start:], uint16(offset)
}

// joined returns a and b as one slice where b directly follows a in memory.
func joined(a, b []byte) ([]byte, bool) {
	if len(a) == 0 || len(b) == 0 || cap(a) < len(a)+len(b) || &a[: len(a)+1 : cap(a)][len(a)] != &b[0] {
		return nil, false
	}
	return a[:len(a)+len(b)], true
}
