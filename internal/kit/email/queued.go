package email

import "time"

// State is the state of a queued email.
type State string

// The states. When an email has been sent or has failed, its text and recipient are deleted: the text may hold a link
// or a code.
const (
	Pending State = "pending"
	Sent    State = "sent"
	Failed  State = "failed"
)

// Queued is an email in the queue.
type Queued struct {
	Message
	ID        string // increases with the time of creation
	State     State
	Attempts  int
	Error     string // of the last attempt; "" for none
	CreatedAt time.Time
	ExpiresAt time.Time // after this time it is not sent
}
