// Package outbox sends the announcements that capabilities wrote in their transactions.
//
// Rows are sent in the order of their ids and deleted afterwards. After a crash in between a row is sent again with the
// same id, which the realtime channel deduplicates, so nothing is lost and nothing arrives twice. Only messages that the
// channel failed to take may arrive after later ones; those of listings have versions. Run belongs in one
// process at a time, the holder of the lease; Wake may be called from anywhere.
package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/kit/trace"
)

// Store stores the rows.
type Store interface {
	// Announcements returns the oldest rows, at most limit.
	Announcements(ctx context.Context, limit int) ([]announce.Announcement, error)
	// Announced deletes rows.
	Announced(ctx context.Context, ids ...string) error
}

// Publisher is the realtime channel.
type Publisher interface {
	// Publish sends messages in their order and returns once none of them will be lost. After an error any of them may
	// have been sent: a message with the same id is delivered once, but those that failed may arrive after later ones.
	Publish(ctx context.Context, messages ...Message) error
	// CloseSession closes the connections of a session, everywhere. It is idempotent.
	CloseSession(ctx context.Context, sessionID string) error
}

// Message is a message to one player, or to everyone when Player is "".
type Message struct {
	ID     string
	Player string
	Data   json.RawMessage
	Trace  string // of what it tells; see trace.Parent
}

// Composer composes the messages of announcements that only name what changed.
type Composer interface {
	// Compose returns messages with the current state, by the announcements' ids. An announcement with nothing to send
	// has none.
	Compose(ctx context.Context, announcements []announce.Announcement) (map[string]announce.Realtime, error)
}

// Service is the outbox.
type Service struct {
	store     Store
	publisher Publisher
	composer  Composer
	loop      periodic.Loop
}

// New returns the outbox.
func New(s Store, p Publisher, c Composer) *Service {
	return &Service{store: s, publisher: p, composer: c, loop: periodic.NewLoop()}
}

// Wake tells Run that there are new rows. It never blocks.
func (s *Service) Wake() { s.loop.Wake() }

const (
	batch = 200
	// pollInterval is the maximum delay of a row written by another replica.
	pollInterval = 200 * time.Millisecond
	retryPause   = time.Second
	// rest is the minimum interval between two polls: in a burst, rows are sent in batches, and several changes
	// of a listing as one. The first row after an idle period is sent at once.
	rest = 20 * time.Millisecond
)

// Run sends rows until ctx ends. Errors are reported and the same rows retried.
func (s *Service) Run(ctx context.Context, report func(error)) error {
	return s.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) {
		err := s.drain(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
		if err != nil {
			return retryPause - rest, fmt.Errorf("outbox: %w", err)
		}
		return pollInterval - rest, nil
	}, report)
}

func (s *Service) drain(ctx context.Context) error {
	for {
		n, err := s.Step(ctx)
		if n < batch || err != nil {
			return err
		}
	}
}

// Step sends the oldest rows, at most a batch, and returns how many it deleted.
func (s *Service) Step(ctx context.Context) (int, error) {
	rows, err := s.store.Announcements(ctx, batch)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	newest := map[change]string{}
	for _, r := range rows {
		newest[changeOf(r)] = r.ID
	}
	var sent, unfinished []announce.Announcement
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.ID)
		if folded(r.Topic) && newest[changeOf(r)] != r.ID {
			continue
		}
		sent = append(sent, r)
		if composed(r.Topic) {
			unfinished = append(unfinished, r)
		}
	}
	var messages map[string]announce.Realtime
	if len(unfinished) > 0 {
		if messages, err = s.composer.Compose(ctx, unfinished); err != nil {
			return 0, err
		}
	}
	if err := s.send(ctx, sent, messages); err != nil {
		return 0, err
	}
	return len(ids), s.store.Announced(ctx, ids...)
}

// change identifies what an announcement says has changed.
type change struct {
	topic   announce.Topic
	payload string
}

func changeOf(a announce.Announcement) change { return change{a.Topic, a.Payload} }

// folded reports whether only the newest of several equal announcements is sent: the message contains the current state
// anyway.
func folded(t announce.Topic) bool { return t == announce.Listing || t == announce.Packs }

// composed reports whether the announcement only names what changed, so that its message is composed when it is sent.
func composed(t announce.Topic) bool { return t != announce.Message && t != announce.SessionEnded }

// send publishes announcements in their order; composed are the messages that were composed.
func (s *Service) send(ctx context.Context, announcements []announce.Announcement, composed map[string]announce.Realtime) error {
	var ready []Message
	for _, r := range announcements {
		data := json.RawMessage(r.Payload)
		switch r.Topic {
		case announce.Message:
		case announce.SessionEnded:
			if err := s.publish(ctx, ready); err != nil {
				return err
			}
			ready = nil
			if err := s.publisher.CloseSession(ctx, r.Payload); err != nil {
				return err
			}
			continue
		default:
			m, ok := composed[r.ID]
			if !ok {
				continue
			}
			var err error
			if data, err = json.Marshal(m); err != nil {
				return err
			}
		}
		ready = append(ready, Message{ID: r.ID, Player: r.Target, Data: data, Trace: r.Trace})
	}
	return s.publish(ctx, ready)
}

func (s *Service) publish(ctx context.Context, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	for _, m := range messages {
		_, span := trace.Follow(ctx, m.Trace, "publish message")
		defer span.End()
	}
	return s.publisher.Publish(ctx, messages...)
}
