package realtime

import (
	"cmp"
	"time"
)

const (
	// maxGroups is the maximum number of groups of one session.
	maxGroups = 128
	// streamBytes is the maximum size of the stream of messages, which discards the oldest.
	streamBytes = 256 << 20
)

// Limits bound the resources of clients and the durations of the hub. Zero means the default.
type Limits struct {
	Connections     int           // open connections of this replica; default 50,000
	SessionsPerUser int           // sessions of one user on this replica; default 16
	FrameBytes      int           // longest message from a client; default 64 KiB
	FramesPerSecond float64       // messages a client may send, excluding acknowledgements of new messages; default 50
	FrameBurst      int           // burst size of that limit; default 200
	PublishBytes    int           // longest data of a message; default 256 KiB
	PendingMessages int           // unacknowledged messages after which a session ends; default 2,000
	PendingBytes    int           // the same in bytes; default 4 MiB
	Window          time.Duration // how far back a client can recover; default 60 s
	WindowBytes     int           // memory for messages in the window; default 64 MiB
	SessionTTL      time.Duration // how long a session outlives its connection; default 40 s
	Silence         time.Duration // idle timeout of a connection; clients ping every 20 s; default 60 s
	WriteTimeout    time.Duration // timeout of a write; default 10 s
	CloseWait       time.Duration // how long a client may take to close after our close frame; default 5 s
	DrainTimeout    time.Duration // Run's shutdown timeout; default 10 s
	ReopenAfter     time.Duration // how long storing may fail before Options.Reopen is called, and the time between two calls; default 10 s
	Tick            time.Duration // how often all of these are checked, and records saved; default 1 s
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Connections:     cmp.Or(l.Connections, 50_000),
		SessionsPerUser: cmp.Or(l.SessionsPerUser, 16),
		FrameBytes:      cmp.Or(l.FrameBytes, 64<<10),
		FramesPerSecond: cmp.Or(l.FramesPerSecond, 50),
		FrameBurst:      cmp.Or(l.FrameBurst, 200),
		PublishBytes:    cmp.Or(l.PublishBytes, 256<<10),
		PendingMessages: cmp.Or(l.PendingMessages, 2000),
		PendingBytes:    cmp.Or(l.PendingBytes, 4<<20),
		Window:          cmp.Or(l.Window, time.Minute),
		WindowBytes:     cmp.Or(l.WindowBytes, 64<<20),
		SessionTTL:      cmp.Or(l.SessionTTL, 40*time.Second),
		Silence:         cmp.Or(l.Silence, time.Minute),
		WriteTimeout:    cmp.Or(l.WriteTimeout, 10*time.Second),
		CloseWait:       cmp.Or(l.CloseWait, 5*time.Second),
		DrainTimeout:    cmp.Or(l.DrainTimeout, 10*time.Second),
		ReopenAfter:     cmp.Or(l.ReopenAfter, 10*time.Second),
		Tick:            cmp.Or(l.Tick, time.Second),
	}
}
