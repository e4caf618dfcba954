package player

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
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

// Messages connects to the site's realtime channel and returns its messages until ctx ends or the connection is lost;
// then it closes the channel. It does not recover lost connections.
func (p *Player) Messages(ctx context.Context) (<-chan Message, error) {
	var access struct{ URL string }
	if err := p.Call(ctx, http.MethodGet, "/api/auth/pubSubAccessToken", nil, &access); err != nil {
		return nil, err
	}
	dialer := ws.Dialer{Protocols: []string{"json.webpubsub.azure.v1"}}
	conn, early, _, err := dialer.Dial(ctx, strings.Replace(access.URL, "http", "ws", 1))
	if err != nil {
		return nil, err
	}
	both := struct {
		io.Reader
		io.Writer
	}{conn, conn}
	if early != nil { // received together with the response
		both.Reader = early
	}
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	go ping(ctx, conn)
	messages := make(chan Message)
	go func() {
		defer close(messages)
		defer cancel()
		for {
			text, err := wsutil.ReadServerText(both)
			if err != nil {
				return
			}
			var frame struct {
				Type string
				Data Message
			}
			if json.Unmarshal(text, &frame) != nil || frame.Type != "message" {
				continue
			}
			select {
			case messages <- frame.Data:
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages, nil
}

// pingInterval is how often the vendor's client pings; the hub closes connections that are silent for a minute.
const pingInterval = 20 * time.Second

func ping(ctx context.Context, conn io.Writer) {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = wsutil.WriteClientText(conn, []byte(`{"type":"ping"}`)) // an error shows when reading
		}
	}
}
