package email

import "time"

// State is what has become of a letter.
type State string

// The states. Of letters that are sent or given up, only subject and times are kept: the text may hold a link or a code.
const (
	Pending State = "pending"
	Sent    State = "sent"
	Failed  State = "failed"
)

// Letter is a message as it is kept.
type Letter struct {
	Message
	ID        string // in the order in which they were written
	State     State
	Tries     int
	Error     string // of the last try; "" for none
	CreatedAt time.Time
	ExpiresAt time.Time // from when on it is of no use
}
