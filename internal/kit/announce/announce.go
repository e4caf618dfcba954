// Package announce describes messages that are written together with the effect they report and sent after its commit.
package announce

import (
	"encoding/json"
	"time"
)

// Topic defines the format of an announcement's payload.
type Topic string

const (
	// Message is a finished realtime message: {"channelId", "type", "payload"}.
	Message Topic = "message"
	// Listing names a listing (its _id) whose public document changed; the document is composed when it is sent, so
	// that several consecutive changes become one message with the latest state.
	Listing Topic = "listing"
	// ListingNew names a listing that entered the market, or returned to it.
	ListingNew Topic = "listing-new"
	// ListingGone names a listing that left the market permanently.
	ListingGone Topic = "listing-gone"
	// Packs reports that the number of packs for sale changed; the figures are read when the message is sent, so that
	// several consecutive changes become one message.
	Packs Topic = "packs"
	// SessionEnded names a session that has ended. The hub closes its connections; no message is sent to clients.
	SessionEnded Topic = "session-ended"
)

// Announcement is a message to be sent.
type Announcement struct {
	ID        string // unique and ordered by time; set when it is written
	Topic     Topic
	Target    string // the id of the player it is for; "" for everyone
	Payload   string
	CreatedAt time.Time // set when it is written
	Trace     string    // of what led to it; set when it is written
}

// Realtime is a message of the realtime channel, as the browser receives it.
type Realtime struct {
	ChannelID string `json:"channelId"`
	Type      string `json:"type"`
	Payload   any    `json:"payload"`
}

// ToPlayer returns the announcement of a finished message for one player, or for everyone when player is "".
func ToPlayer(player string, m Realtime) (Announcement, error) {
	b, err := json.Marshal(m)
	return Announcement{Topic: Message, Target: player, Payload: string(b)}, err
}
