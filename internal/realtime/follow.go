package realtime

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// retryFollow is the delay before following the stream again after a failure.
const retryFollow = time.Second

// followTimeout bounds the requests by which the stream is opened.
const followTimeout = 10 * time.Second

// followHeartbeat is the server's heartbeat interval; two missed heartbeats mean that the consumer is gone.
const followHeartbeat = time.Second

// follow reads the stream into the log until ctx ends, restarting after every failure.
func (h *Hub) follow(ctx context.Context) {
	for ctx.Err() == nil {
		if err := h.followOnce(ctx); err != nil && ctx.Err() == nil {
			if h.failure.noteFollowed(err) {
				h.logger.Warn("following the message stream failed; trying again", "error", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(retryFollow):
			}
		}
	}
}

// followOnce reads on from the head of the log, or initially from the oldest message that the log may hold.
func (h *Hub) followOnce(ctx context.Context) error {
	ask, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	stream, err := h.js.Stream(ask, h.stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && h.buckets.Load() == nil {
		if err := h.prepare(ask); err != nil {
			return err
		}
		stream, err = h.js.Stream(ask, h.stream())
	}
	if err != nil {
		return fmt.Errorf("open stream: %w", err)
	}
	info := stream.CachedInfo()
	loaded := h.isReady()
	if epoch := info.Created.UnixNano(); epoch != h.epoch.Load() || info.State.LastSeq < h.log.head.Load() {
		h.epoch.Store(epoch)
		if loaded {
			h.logger.Warn("the message stream was recreated; all clients start over")
			h.log.restart(info.State.LastSeq)
			for _, s := range h.selectSessions(func(*session) bool { return true }) {
				h.end(s, closePolicy, "please reconnect", endReset)
			}
		}
	}
	cfg := jetstream.ConsumerConfig{
		AckPolicy:         jetstream.AckNonePolicy,
		InactiveThreshold: time.Minute,
		MemoryStorage:     true,
		Replicas:          1,
	}
	if loaded {
		cfg.DeliverPolicy = jetstream.DeliverByStartSequencePolicy
		cfg.OptStartSeq = h.log.head.Load() + 1
	} else {
		since := h.clock.Now().Add(-h.limits.Window)
		cfg.DeliverPolicy, cfg.OptStartTime = jetstream.DeliverByStartTimePolicy, &since
	}
	consumer, err := stream.CreateConsumer(ask, cfg)
	if err != nil {
		return fmt.Errorf("make consumer: %w", err)
	}
	defer func() {
		// Best effort: the server deletes an idle consumer itself.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = stream.DeleteConsumer(ctx, consumer.CachedInfo().Name)
	}()
	if !loaded && consumer.CachedInfo().NumPending == 0 {
		h.log.restart(info.State.LastSeq)
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(1000), jetstream.PullHeartbeat(followHeartbeat))
	if err != nil {
		return fmt.Errorf("read stream: %w", err)
	}
	defer messages.Stop()
	h.failure.noteFollowed(nil)
	for delivered := uint64(1); ; delivered++ {
		if !loaded && h.log.head.Load() >= info.State.LastSeq {
			loaded = true
			close(h.ready)
		}
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read stream: %w", err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("read stream: %w", err)
		}
		if meta.Sequence.Consumer != delivered {
			return errors.New("read stream: a message was lost on the way")
		}
		h.receive(msg, meta.Sequence.Stream)
	}
}

func (h *Hub) isReady() bool {
	select {
	case <-h.ready:
		return true
	default:
		return false
	}
}

// receive adds a message to the log and wakes the sessions it is for.
func (h *Hub) receive(msg jetstream.Msg, seq uint64) {
	e := entry{seq: seq, at: h.now(), exclude: msg.Headers().Get(headerExclude)}
	e.kind, e.target = h.parseSubject(msg.Subject())
	tail := msg.Data()
	if e.kind == closeUser || e.kind == closeSession {
		// If this is not a number, only sessions without a time of issue are closed.
		e.until, _ = strconv.ParseInt(string(tail), 10, 64)
		tail = nil
	}
	if !h.log.append(e, tail) {
		return
	}
	h.metrics.published.Inc()
	switch e.kind {
	case toEveryone:
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, t := range h.transports {
			t.wake()
		}
	case toUser:
		h.wakeAll(h.byUser, e.target)
	case toGroup:
		h.wakeAll(h.byGroup, e.target)
	case closeUser, closeSession:
		for _, s := range h.selectSessions(func(s *session) bool { return s.closedBy(&e) }) {
			h.end(s, closePolicy, "signed out", endRevoked)
		}
	}
}

// wakeAll wakes the connected sessions under key in index, which is one of the hub's indexes.
func (h *Hub) wakeAll(index map[string][]*session, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range index[key] {
		if t := s.transport(); t != nil {
			t.wake()
		}
	}
}

// parseSubject is the inverse of subject; the kind of an unknown subject matches no session.
func (h *Hub) parseSubject(subject string) (kind, string) {
	name, target, _ := strings.Cut(strings.TrimPrefix(subject, h.subject("", "")), ".")
	b, err := base64.RawURLEncoding.DecodeString(target)
	if err != nil {
		return 0, ""
	}
	switch name {
	case subjectAll:
		return toEveryone, ""
	case subjectUser:
		return toUser, string(b)
	case subjectGroup:
		return toGroup, string(b)
	case subjectCloseUser:
		return closeUser, string(b)
	case subjectCloseSession:
		return closeSession, string(b)
	default:
		return 0, ""
	}
}
