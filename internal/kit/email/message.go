package email

import "time"

// Message is an email to be sent. It is queued in the transaction of its cause and sent after the commit.
type Message struct {
	To      string
	ReplyTo string // "" for the sender
	Subject string // one line
	Text    string // plain; lines end in \n
	// PlayerID names the account that the email is about; the email is deleted with it. "" for none.
	PlayerID string
	// TTL is how long delivery of the email is attempted. 0 means two days.
	TTL time.Duration
}
