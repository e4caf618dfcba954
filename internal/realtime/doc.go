// Package realtime delivers messages to players' browsers: it speaks the Azure Web PubSub JSON subprotocols on a
// WebSocket, so that the vendor's own client works unchanged against our server or theirs.
//
// # How a message travels
//
// [Hub.Publish] appends it to a JetStream stream; the stream's sequence number is the protocol's sequenceId. Every
// replica follows the whole stream into a shared, bounded log of encoded frames. A session has no queue: it is a
// cursor into that log and a filter (its user, its groups). Waking a session starts a flush, which writes the entries
// between cursor and head; a client's sequenceAck moves the position from which recovery resumes. A slow or lost client
// therefore costs no memory, and one encoded frame serves all clients.
//
// # Recovery
//
// A session outlives its connection for [Limits.SessionTTL], and its record (user, roles, groups with the position of
// each join, acknowledged position) is stored in a JetStream key-value bucket, so that any replica, or the same one
// after a restart or a crash, can resume it. Replaying too much is safe, because the client drops duplicates; if the
// log no longer reaches back far enough, or the session was closed, the connection is closed with 1008 and the client
// starts a new session and refetches its data.
//
// # Concurrency and lifecycle
//
// One goroutine follows the stream, one sweeps, one saves records; each connection has a reading goroutine and, while
// there is something to write, a flushing one. Locks are taken in the order hub, session, log. [Hub.Run] serves until
// its context ends, then drains. All methods are safe for concurrent use.
package realtime
