package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// Message is a realtime message.
type Message struct {
	ChannelID string          `json:"channelId"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// Subscription is a realtime connection that recovers as the vendor's client does: it resumes its session for as long as the server keeps
// it, and otherwise starts a new one.
type Subscription struct {
	Resumed   atomic.Int64 // number of times its session was resumed
	Restarted atomic.Int64 // number of new sessions: messages sent between two sessions are lost, and a page refetches

	p        *Player
	messages chan Message
	conn     net.Conn
	from     io.Reader // conn, after what was received together with its handshake
	id, key  string    // of the session; "" for none that can be resumed
	last     uint64    // number of the newest message
}

// recoveryTime is how long the vendor's client tries to resume a session, and retryTime the pause between two attempts.
const (
	recoveryTime = 30 * time.Second
	retryTime    = 100 * time.Millisecond
)

// Messages connects to the site's realtime channel and returns its messages until ctx ends; then it closes the channel.
func (p *Player) Messages(ctx context.Context) (<-chan Message, error) {
	s, err := p.Subscribe(ctx)
	if err != nil {
		return nil, err
	}
	return s.Messages(), nil
}

// Subscribe connects to the site's realtime channel until ctx ends.
func (p *Player) Subscribe(ctx context.Context) (*Subscription, error) {
	s := &Subscription{p: p, messages: make(chan Message)}
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	go s.run(ctx)
	return s, nil
}

// Messages returns the messages, each once. The channel is closed when the context of Subscribe ends.
func (s *Subscription) Messages() <-chan Message { return s.messages }

// run reads until ctx ends.
func (s *Subscription) run(ctx context.Context) {
	defer close(s.messages)
	for ctx.Err() == nil {
		s.read(ctx)
		if ctx.Err() == nil {
			s.reconnect(ctx)
		}
	}
}

// reconnect resumes the session, or starts a new one if that fails for recoveryTime.
func (s *Subscription) reconnect(ctx context.Context) {
	for lost := time.Now(); ctx.Err() == nil; {
		var err error
		if s.id != "" && time.Since(lost) < recoveryTime {
			if err = s.resume(ctx); err == nil {
				s.Resumed.Add(1)
				return
			}
		} else if err = s.connect(ctx); err == nil {
			s.Restarted.Add(1)
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryTime):
		}
	}
}

// connect starts a new session.
func (s *Subscription) connect(ctx context.Context) error {
	var access struct{ URL string }
	if err := s.p.Call(ctx, http.MethodGet, "/api/auth/pubSubAccessToken", nil, &access); err != nil {
		return err
	}
	s.last = 0
	return s.dial(ctx, strings.Replace(access.URL, "http", "ws", 1))
}

// resume resumes the session.
func (s *Subscription) resume(ctx context.Context) error {
	u := strings.Replace(s.p.base, "http", "ws", 1) + "/client/hubs/portal?awps_connection_id=" + url.QueryEscape(s.id) +
		"&awps_reconnection_token=" + url.QueryEscape(s.key)
	return s.dial(ctx, u)
}

// errGone means that a session cannot be resumed.
var errGone = errors.New("player: the realtime session is gone")

// dial connects and reads the greeting.
func (s *Subscription) dial(ctx context.Context, address string) error {
	dialer := ws.Dialer{Protocols: []string{"json.reliable.webpubsub.azure.v1"}, Timeout: recoveryTime}
	conn, early, _, err := dialer.Dial(ctx, address)
	if err != nil {
		return err
	}
	s.conn, s.from = conn, conn
	if early != nil {
		s.from = early
	}
	_ = conn.SetReadDeadline(time.Now().Add(recoveryTime))
	text, err := wsutil.ReadServerText(both{s.from, conn})
	var hello struct{ Event, ConnectionID, ReconnectionToken string }
	if err == nil {
		err = json.Unmarshal(text, &hello)
	}
	var closed wsutil.ClosedError
	if errors.As(err, &closed) && closed.Code == ws.StatusPolicyViolation {
		s.id, err = "", errGone
	}
	if err == nil && hello.Event != "connected" {
		err = fmt.Errorf("player: greeted with %s", text)
	}
	if err != nil {
		_ = conn.Close()
		return err
	}
	s.id, s.key = hello.ConnectionID, hello.ReconnectionToken
	return conn.SetReadDeadline(time.Time{})
}

// both reads from one and writes to the other.
type both struct {
	io.Reader
	io.Writer
}

// read passes on messages until the connection is lost.
func (s *Subscription) read(ctx context.Context) {
	conn, stop := s.conn, make(chan struct{})
	defer close(stop)
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	acknowledge := make(chan uint64, 1)
	go write(conn, acknowledge, stop)
	for {
		text, err := wsutil.ReadServerText(both{s.from, conn})
		if err != nil {
			var closed wsutil.ClosedError
			if errors.As(err, &closed) && closed.Code == ws.StatusPolicyViolation {
				s.id = ""
			}
			return
		}
		var frame struct {
			Type       string
			SequenceID uint64
			Data       Message
		}
		if json.Unmarshal(text, &frame) != nil || frame.Type != "message" {
			continue
		}
		if frame.SequenceID != 0 && frame.SequenceID <= s.last {
			continue // delivered before
		}
		s.last = frame.SequenceID
		select {
		case <-acknowledge: // a newer one takes its place
		default:
		}
		acknowledge <- s.last
		select {
		case s.messages <- frame.Data:
		case <-ctx.Done():
			return
		}
	}
}

// The vendor's client pings this often, and acknowledges at most this often; the hub closes connections that are silent for a minute.
const (
	pingInterval        = 20 * time.Second
	acknowledgeInterval = time.Second
)

// write pings and acknowledges until stop is closed. An error shows when reading.
func write(conn io.Writer, acknowledge <-chan uint64, stop <-chan struct{}) {
	ping, due := time.NewTicker(pingInterval), time.NewTicker(acknowledgeInterval)
	defer ping.Stop()
	defer due.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ping.C:
			_ = wsutil.WriteClientText(conn, []byte(`{"type":"ping"}`))
		case <-due.C:
			select {
			case n := <-acknowledge:
				_ = wsutil.WriteClientText(conn, fmt.Appendf(nil, `{"type":"sequenceAck","sequenceId":%d}`, n))
			default:
			}
		}
	}
}
